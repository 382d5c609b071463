"""Meters by name: ``exact``, ``match(opponent=greedy,games=200)``, ``mean_return(episodes=100)``.

A meter is made from a text, as an agent is, and checks that it fits the game before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dicezero.agents import AgentError
from dicezero.agents.parameters import parse_parameters
from dicezero.agents.simple import NoParameters
from dicezero.evaluation.meter_kinds import (
    ExactMeter,
    MatchConfig,
    MatchMeter,
    MeanReturnConfig,
    MeanReturnMeter,
    Measured,
    Meter,
    MeterError,
)
from dicezero.evaluation.yardstick import yardstick_of
from dicezero.rules.errors import GameError
from dicezero.rules.names import nearest, parse_name, quote
from dicezero.rules.spec import spec_of
from dicezero.search.config import SearchConfig
from dicezero.selfplay.runtime import Player

__all__ = ["METERS", "Measured", "Meter", "MeterError", "is_harmless", "make_meter"]

_HARMLESS = frozenset(  # agents that neither start a program nor load a run
    (
        "random",
        "greedy",
        "optimal",
        "pretrained",
        "minimax",
        "alphabeta",
        "expectiminimax",
        "uct",
        "nmcts",
        "flat_mc",
    )
)


def make_meter(text: str | None, player: Player, play: SearchConfig | None) -> Meter:
    """The meter that ``text`` names, or the one that fits the game best.

    Args:
        text: such as ``"exact"`` or ``"match(opponent=greedy,games=200)"``; None chooses: ``exact`` where the
            game can be solved, else ``match`` up the ladder, ``mean_return`` where one plays alone.
        player: what is measured; its game decides.
        play: the search it plays with; None is the network alone.

    Raises:
        MeterError: the name, a parameter or a trait of the game does not fit; the message says which.
    """
    if text is None:
        return _default(player, play)
    try:
        name = parse_name(text)
    except GameError as error:
        raise MeterError(str(error)) from None
    if name.word not in METERS:
        names = ", ".join(METERS)
        raise MeterError(f"unknown meter {quote(name.word)}; {nearest(name.word, METERS)}known: {names}")
    try:
        return METERS[name.word].make(dict(name.parameters), player, play)
    except AgentError as error:
        raise MeterError(str(error)) from error


def is_harmless(text: str) -> bool:
    """Whether a meter whose text came with a run may be made without asking: it runs nobody else's code."""
    if not text:
        return True
    try:
        name = parse_name(text)
        opponent = name.parameters.get("opponent")
        return opponent is None or parse_name(opponent).word in _HARMLESS
    except GameError:
        return False


@dataclass(frozen=True)
class MeterKind:
    """A kind of meter: what it is, what it takes, and how one is made from (parameters, player, play)."""

    summary: str
    config: type
    make: Callable[[dict[str, str], Player, SearchConfig | None], Meter]


def _exact(text: dict[str, str], player: Player, play: SearchConfig | None) -> Meter:
    parse_parameters("exact", NoParameters, text)
    return ExactMeter(player, play)


def _match(text: dict[str, str], player: Player, play: SearchConfig | None) -> Meter:
    return MatchMeter(parse_parameters("match", MatchConfig, text), player, play)


def _mean_return(text: dict[str, str], player: Player, play: SearchConfig | None) -> Meter:
    return MeanReturnMeter(parse_parameters("mean_return", MeanReturnConfig, text), player, play)


METERS: dict[str, MeterKind] = {
    "exact": MeterKind("every decision of a solved game, without sampling", NoParameters, _exact),
    "match": MeterKind("pairs of games against an opponent, or up a ladder of them", MatchConfig, _match),
    "mean_return": MeterKind("episodes of a game for one player", MeanReturnConfig, _mean_return),
}


def _default(player: Player, play: SearchConfig | None) -> Meter:
    spec = spec_of(player.game)
    if spec.players == 1:
        return MeanReturnMeter(MeanReturnConfig(), player, play)
    if spec.simulator == "states" and yardstick_of(player) is not None:
        return ExactMeter(player, play)
    return MatchMeter(MatchConfig(), player, play)
