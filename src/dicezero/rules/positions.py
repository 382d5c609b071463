"""A position from its text: a game's own notation (FEN, a position ID), or what ``serialize()`` wrote."""

from __future__ import annotations

from typing import cast

from dicezero.rules.errors import GameError
from dicezero.rules.names import quote
from dicezero.rules.protocol import Game, State
from dicezero.rules.reading import options


def state_at(game: Game, text: str) -> State:
    """The state of ``game`` that ``text`` describes.

    Raises:
        GameError: the text is no position of the game, or the game cannot be set up.
    """
    if getattr(game, "get_type", None) is not None:
        return _openspiel(game, text)
    try:
        return game.new_initial_state(text)  # type: ignore[call-arg]
    except TypeError:
        read = getattr(game, "deserialize_state", None)
        if read is None:
            raise GameError(
                f"{game} reads no positions: its new_initial_state() takes no text; give the moves instead"
            ) from None
    except ValueError as error:
        raise GameError(f"{quote(text)} is no position of {game}: {error}") from None
    try:
        return cast("State", read(text))
    except ValueError as error:
        raise GameError(f"{quote(text)} is no position of {game}: {error}") from None


def _openspiel(game: Game, text: str) -> State:
    """OpenSpiel writes most states as their actions, and believes any that it reads: they are played here."""
    actions = text.replace(",", " ").split()
    if not actions or not all(word.isascii() and word.isdigit() and len(word) < 10 for word in actions):
        try:
            return game.new_initial_state(text)  # type: ignore[call-arg]
        except Exception as error:  # whatever OpenSpiel raises, the text is none of its positions
            raise GameError(f"{quote(text)} is no position of {game}: {quote(str(error))}") from None
    state = game.new_initial_state()
    for place, word in enumerate(actions, 1):
        if state.is_terminal():
            raise GameError(f"{quote(text)} is no position of {game}: the game is over before action {place}")
        if int(word) not in state.legal_actions():
            raise GameError(
                f"{quote(text)} is no position of {game}: action {place} is {word}; legal: {options(state)}"
            )
        state.apply_action(int(word))
    return state
