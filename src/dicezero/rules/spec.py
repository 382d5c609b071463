"""What a game is to everything that plays, learns or measures it: one record, made from the game itself.

A native game has all of it, OpenSpiel's traits are translated, a Python object's methods are called, and an
environment's spaces are read. Code that needs a trait looks here and refuses what does not fit by its name.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

from dicezero._native import is_native
from dicezero.rules.answers import length_of, number_of
from dicezero.rules.auxiliary import AuxiliarySpec, auxiliary_of
from dicezero.rules.door import checked_legal_actions, checked_outcomes, checked_player, checked_sizes
from dicezero.rules.errors import GameError
from dicezero.rules.protocol import TERMINAL_PLAYER, Game, State, max_outcomes
from dicezero.rules.symmetry import Symmetry, symmetries_of

Layout = Literal["flat", "planes", "image"]
Rewards = Literal["end", "each step"]
Simulator = Literal["states", "episodes"]
Turns = Literal["alternate", "any"]

_LAYOUTS = ("flat", "planes", "image")
_PROBE_GAMES, _PROBE_ACTIONS = 24, 6_000  # random games that show whether players take turns


@dataclass(frozen=True)
class ObservationSpec:
    """What a player sees at one step.

    Attributes:
        shape: of one frame; (channels, height, width) for planes and images.
        dtype: how a frame is stored; uint8 stands for 0..1 in steps of 1/255.
        layout: ``planes`` and ``image`` may be read by convolutions, ``flat`` may not.
        stack: frames that a network sees at once, the newest last, along the first axis.
        phases: of the game that are judged apart; with several the last numbers are which, one-hot.
    """

    shape: tuple[int, ...]
    dtype: Literal["float32", "uint8"] = "float32"
    layout: Layout = "flat"
    stack: int = 1
    phases: int = 1

    @property
    def frame_size(self) -> int:
        """Numbers in one frame."""
        return math.prod(self.shape)

    @property
    def size(self) -> int:
        """Numbers that a network sees, flat."""
        return self.stack * self.frame_size

    @property
    def input_shape(self) -> tuple[int, ...]:
        """The shape that a network sees: the stacked frames one after another along the first axis."""
        return (self.stack * self.shape[0], *self.shape[1:]) if self.shape else (self.stack,)


@dataclass(frozen=True)
class CellsSpec:
    """A board of few cells, each of few values, which lookup tables can read.

    Attributes:
        rows, columns: of the board.
        values: of a cell; plane v of the observation has the cells of value v.
        optimism: what tables that know nothing had better expect, so that all is tried.
        places: of the cells row by row in the board's word of 64 bits, four bits each.
        symmetries: of the board: cell i of what is turned is cell symmetries[k][i] of what was.
        tuple_sets: by name, cells that are worth a table together; the first set is the usual one.
    """

    rows: int
    columns: int
    values: int
    places: tuple[int, ...]
    optimism: float
    symmetries: tuple[tuple[int, ...], ...]
    tuple_sets: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]


@dataclass(frozen=True)
class GameSpec:
    """The traits of a game.

    Attributes:
        name: as it is written, parameters included.
        players: 1 or 2; two are opponents, what one wins the other loses.
        actions: of players, ids 0..actions-1.
        outcomes: of chance, ids 0..outcomes-1; 0 for a game without.
        returns: the least and the greatest return of a player; infinite where it is unknown.
        rewards: paid at the end alone, or ``each step``.
        discount: what the value of the next decision counts. One decision is one step: all that is paid
            before the next decision, by the move, by chance and by the end, counts in full. What chance pays
            before the first decision counts in full, too. An environment whose dice are hidden in its steps
            counts in the same way.
        observation: what players see, None where the game has no observations: no network can learn it.
        max_length: decisions of the longest game, 0 where there is no bound.
        simulator: ``states`` can be cloned and branched, ``episodes`` only reset and stepped.
        turns: whether two players strictly alternate, chance aside.
        results: all returns that a finished game can have, ascending and symmetric about 0; empty where
            it is unknown.
        native: whether its rules are part of the core, which then plays it without Python.
        cells: the board where tables can read it, None for any other game.
        symmetries: of the board, as it is among them; empty where there are none, and in games with dice.
        auxiliary: targets of a finished game beside its result; None where it has none.
        human: published mean returns of random play and of a person, where a score is normalised by them.
    """

    name: str
    players: int
    actions: int
    outcomes: int
    returns: tuple[float, float] = (-math.inf, math.inf)
    rewards: Rewards = "end"
    discount: float = 1.0
    observation: ObservationSpec | None = None
    max_length: int = 0
    simulator: Simulator = "states"
    turns: Turns = "any"
    results: tuple[float, ...] = ()
    native: bool = False
    cells: CellsSpec | None = None
    symmetries: tuple[Symmetry, ...] = ()
    auxiliary: AuxiliarySpec | None = None
    human: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        low, high = self.returns
        if not low <= high:
            raise GameError(f"{self.name}: min_utility() {low} is above max_utility() {high}; exchange them")
        if self.players not in (1, 2):
            raise GameError(f"{self.name}: num_players() is {self.players}; it must be 1 or 2")
        if self.actions < 1 or self.outcomes < 0:
            raise GameError(
                f"{self.name}: num_distinct_actions() is {self.actions} and max_chance_outcomes() is "
                f"{self.outcomes}; give at least 1 and 0"
            )
        if not 0.0 < self.discount <= 1.0:
            raise GameError(f"{self.name}: discount {self.discount} is out of range; give (0, 1]")

    @property
    def bounded(self) -> bool:
        """Whether the range of returns is known."""
        return all(map(math.isfinite, self.returns))

    @property
    def scale(self) -> float:
        """The largest absolute return: values divided by it lie in [-1, 1]. 1 where it is not known."""
        largest = max(map(abs, self.returns))
        return largest if self.bounded and largest > 0.0 else 1.0

    def as_dict(self) -> dict[str, Any]:
        """The JSON form; infinite bounds are None."""
        data = asdict(self)
        data["returns"] = [bound if math.isfinite(bound) else None for bound in self.returns]
        return data


def spec_of(game: Game) -> GameSpec:
    """The spec of any game that ``load_game`` takes."""
    own = getattr(game, "spec", None)
    if callable(own):
        return cast("GameSpec", own())
    state = game.new_initial_state()
    players, native, seen = game.num_players(), is_native(game), _observation(game, state)
    actions, outcomes = game.num_distinct_actions(), max_outcomes(game)
    return GameSpec(
        name=str(game),
        players=players,
        actions=actions,
        outcomes=outcomes,
        returns=(number_of(game, "min_utility", -math.inf), number_of(game, "max_utility", math.inf)),
        rewards="each step" if pays_on_the_way(game, state) else "end",
        discount=discount_of(game),
        observation=seen,
        max_length=length_of(game),
        turns=_turns(game) if players == 2 else "any",
        results=tuple(map(float, getattr(game, "results", tuple)())) if native else (),
        native=native,
        cells=_cells(game),
        symmetries=symmetries_of(game, seen.shape if seen else (), actions, outcomes),
        auxiliary=auxiliary_of(game, seen.shape if seen and seen.layout == "planes" else ()),
    )


def discount_of(game: Game) -> float:
    """The game's discount: an attribute or a function without arguments; 1 where it has none."""
    return number_of(game, "discount", 1.0)


def _openspiel_type(game: Game) -> Any:
    ask = getattr(game, "get_type", None)
    return ask() if callable(ask) else None


def pays_on_the_way(game: Game, state: State) -> bool:
    """A native game has this trait, OpenSpiel's type too; a Python game by offering ``State.rewards()``."""
    own = getattr(game, "pays_on_the_way", None)
    if callable(own):
        return bool(own())
    kind = _openspiel_type(game)
    if kind is not None:
        return str(kind.reward_model.name) == "REWARDS"
    return callable(getattr(state, "rewards", None)) and not hasattr(game, "short_name")


def _observation(game: Game, state: State) -> ObservationSpec | None:
    kind = _openspiel_type(game)
    if kind is not None and not kind.provides_observation_tensor:
        return None
    ask = getattr(game, "observation_tensor_shape", None)
    if not callable(ask) or not callable(getattr(state, "observation_tensor", None)):
        return None
    try:
        shape = tuple(int(n) for n in ask())
    except (TypeError, ValueError) as error:
        raise GameError(f"{game}: observation_tensor_shape() is no list of sizes ({error})") from error
    if not shape or min(shape) < 1:
        raise GameError(
            f"{game}: observation_tensor_shape() is {shape}; give at least one size, each above 0"
        )
    own = getattr(game, "observation_layout", None)
    layout = str(own()) if callable(own) else "planes" if len(shape) == 3 else "flat"
    if layout not in _LAYOUTS:
        raise GameError(f"{game}: observation_layout() is {layout!r}; give {', '.join(_LAYOUTS)}")
    phases = getattr(game, "observation_phases", None) if is_native(game) else None
    return ObservationSpec(shape, layout=cast("Layout", layout), phases=phases() if phases else 1)


def _cells(game: Game) -> CellsSpec | None:
    ask = getattr(game, "cell_board", None)
    if not is_native(game) or ask is None:
        return None
    rows, columns, values, places, optimism, sets = ask()
    return CellsSpec(
        rows,
        columns,
        values,
        tuple(places),
        optimism,
        tuple(tuple(cells) for cells, _ in game.symmetries()),  # type: ignore[attr-defined]
        tuple((name, tuple(map(tuple, tuples))) for name, tuples in sets),
    )


def _turns(game: Game) -> Turns:
    """A native game has this trait; any other is played at random: one move twice running decides."""
    own = getattr(game, "takes_turns", None)
    if callable(own):
        return "alternate" if own() else "any"
    rng, actions, sizes = random.Random(0), 0, checked_sizes(game)
    for _ in range(_PROBE_GAMES):
        state, last = game.new_initial_state(), -1
        while (player := checked_player(state, sizes[0])) != TERMINAL_PLAYER and actions < _PROBE_ACTIONS:
            actions += 1
            if player >= 0:
                if player == last:
                    return "any"
                last = player
            state.apply_action(_random_action(state, player, sizes, rng))
    return "alternate"


def _random_action(state: State, player: int, sizes: tuple[int, int, int], rng: random.Random) -> int:
    if player >= 0:
        return rng.choice(checked_legal_actions(state, sizes[1]))
    outcomes = checked_outcomes(state, sizes[2])
    return rng.choices([outcome for outcome, _ in outcomes], [p for _, p in outcomes])[0]


def describe(spec: GameSpec) -> Mapping[str, str]:
    """The traits in words, for a person."""
    low, high = spec.returns
    seen = spec.observation
    return {
        "players": str(spec.players) + (f", {spec.turns} turns" if spec.players == 2 else ""),
        "actions": str(spec.actions),
        "chance outcomes": str(spec.outcomes) if spec.outcomes else "none",
        "returns": f"{low:g} to {high:g}" if spec.bounded else "unbounded",
        "rewards": spec.rewards + (f", discount {spec.discount:g}" if spec.discount < 1.0 else ""),
        "observation": "none"
        if seen is None
        else f"{seen.layout} {'x'.join(map(str, seen.shape))} {seen.dtype}"
        + (f", {seen.stack} frames" if seen.stack > 1 else ""),
        "longest game": str(spec.max_length or "no bound"),
        "simulator": spec.simulator,
    }
