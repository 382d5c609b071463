"""What is known of a game without playing it: its name, its parameters, its traits."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from dicezero.rules.fields import type_words


@dataclass(frozen=True)
class ParameterRecord:
    """A parameter with its default; ``range`` and ``meaning`` are text, empty where nothing is documented."""

    name: str
    default: int | float | bool | str
    range: str = ""
    meaning: str = ""


@dataclass(frozen=True)
class GameRecord:
    """A game that can be named. Sizes are those of the defaults; None where they are not known unloaded."""

    name: str
    source: str  # "dicezero" or "openspiel"
    parameters: tuple[ParameterRecord, ...]
    players: str  # "1", "2" or "1..2"
    chance: str  # "none" or "dice"
    utility: str  # "zero_sum", or "general_sum" for one player
    actions: int | None = None
    observation_shape: tuple[int, ...] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form: name, parameters and traits."""
        traits = asdict(self)
        name, parameters = traits.pop("name"), traits.pop("parameters")
        typed = [p | {"type": type_words(type(p["default"]))} for p in parameters]
        return {"name": name, "parameters": typed, "traits": traits}
