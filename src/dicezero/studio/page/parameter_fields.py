"""Fields for the parameters of a game: numbers, switches and words, as their defaults are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from nicegui import ui

from dicezero.rules.record import ParameterRecord

Field = ui.number | ui.input | ui.select

_SHORT = 11  # letters of a name that fit a narrow field


class ParameterFields:
    """A row of fields; ``changed`` is called when one of them is."""

    def __init__(self, changed: Callable[[], Awaitable[None]]) -> None:
        self._changed = changed
        self._records: dict[str, ParameterRecord] = {}
        self._fields: dict[str, Field] = {}
        self._row = ui.element("div").classes("sizes")

    def show(self, parameters: Sequence[ParameterRecord], hidden: Collection[str] = ()) -> None:
        """Fields for these, at their defaults; ``hidden`` ones keep their values and are not seen."""
        self._row.clear()
        self._records = {one.name: one for one in parameters}
        long = any(len(one.name) > _SHORT for one in parameters)
        self._row.classes(add="long" if long else "", remove="" if long else "long")
        with self._row:
            self._fields = {one.name: self._field(one) for one in parameters}
        for name in hidden:
            if name in self._fields:
                self._fields[name].set_visibility(False)
        self._row.set_visibility(any(name not in hidden for name in self._fields))

    def set(self, texts: Mapping[str, str]) -> None:
        """The values that a game's name has; a key that is no field is left out."""
        for key, text in texts.items():
            field = self._fields.get(key)
            if isinstance(field, ui.number):
                field.set_value(float(text))
            elif field is not None:
                field.set_value(text)

    def values(self) -> dict[str, str]:
        """The fields' values, as a game's name has them; empty fields are left out."""
        texts = {}
        for key, field in self._fields.items():
            if field.value not in (None, ""):
                default = self._records[key].default
                whole = isinstance(default, int) and not isinstance(default, bool)
                texts[key] = str(int(field.value)) if whole else _text(field.value)
        return texts

    def untouched(self) -> bool:
        """Whether every field is at its default."""
        return self.values() == {key: _text(one.default) for key, one in self._records.items()}

    def _field(self, one: ParameterRecord) -> Field:
        label = one.name.replace("_", " ").capitalize()
        made: Field
        if isinstance(one.default, bool):
            made = ui.select(
                ["true", "false"], value=_text(one.default), label=label, on_change=self._changed
            )
        elif isinstance(one.default, int | float):
            precision = 0 if isinstance(one.default, int) else None
            made = ui.number(label, value=one.default, precision=precision, on_change=self._changed)
        else:
            made = ui.input(label, value=one.default, on_change=self._changed)
        made.props(f'outlined dense debounce=300 aria-label="{label}"')
        return made.tooltip(one.meaning) if one.meaning else made


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
