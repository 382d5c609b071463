"""Games that break the rules, in every algorithm: an error, never a crash, and no lie goes through."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from outcome import Budget, Outcome

from dicezero.agents import make_agent
from dicezero.evaluation.arena import play_match
from dicezero.presets.fitting import fitted, network_of, planner_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import check_game, load_game, perft, spec_of
from dicezero.search.config import SearchConfig
from dicezero.search.plan import plan_states
from dicezero.selfplay.play import play_games
from dicezero.solve import solve

LIES = (
    "player",
    "action",
    "more",
    "many",
    "probability",
    "duplicate",
    "changing",
    "returns",
    "observation",
    "raise",
    "type",
    "chance",
    "terminal",
    "none",
    "text",
    "nothing",
)
NUMBERS = (-(2**63), -(2**31), -5, -2, -1, 2, 3, 7, 10**6, 2**31, 2**63 - 1, 10**30, 0.5, math.nan, None, "1")


class Liar:
    """A walk of a few steps with a die, which tells one kind of lie from some step on."""

    def __init__(self, lie: str, when: int, lots: random.Random) -> None:
        self.lie, self.when, self.lots = lie, when, lots
        self.told = ""  # the first answer that no rule allows

    def __str__(self) -> str:
        return f"liar({self.lie},{self.when})"

    def new_initial_state(self) -> Walk:
        return Walk(self, [])

    def num_distinct_actions(self) -> int:
        return 3

    def max_chance_outcomes(self) -> int:
        return 2

    def num_players(self) -> int:
        return 2

    def observation_tensor_shape(self) -> list[int]:
        return [2]


class Walk:
    """Choices and rolls take turns; six steps."""

    def __init__(self, game: Liar, past: list[Any]) -> None:
        self.game, self.past = game, past

    def _lies(self, lie: str) -> bool:
        return self.game.lie == lie and len(self.past) >= self.game.when

    def _odd(self) -> Any:
        return self.game.lots.choice(NUMBERS)

    def _tell(self, answer: Any, *, never: bool = True) -> Any:
        """A lie; ``never``: it is right nowhere, so that somebody has to notice."""
        if never and not self.game.told:
            self.game.told = f"{self.game.lie} {answer!r:.60} at {self}"
        return answer

    def get_game(self) -> Liar:
        return self.game

    def current_player(self) -> Any:
        if self._lies("player"):
            odd = self._odd()
            return self._tell(odd, never=odd != -1)
        if len(self.past) >= 6:
            return -4
        return -1 if self.is_chance_node() else len(self.past) // 2 % 2

    def is_terminal(self) -> Any:
        return self._odd() if self._lies("terminal") else len(self.past) >= 6

    def is_chance_node(self) -> Any:
        if self._lies("chance"):
            return self.game.lots.random() < 0.5
        return len(self.past) < 6 and len(self.past) % 2 == 1

    def legal_actions(self) -> Any:
        choice = len(self.past) < 6 and len(self.past) % 2 == 0
        if self._lies("action"):
            odd = self._odd()
            return self._tell([0, odd], never=choice and odd != 2)
        if self._lies("more"):
            return self._tell([0, 1, 2, 3], never=choice)
        if self._lies("many"):
            return self._tell(list(range(100_000)), never=choice)
        if self._lies("duplicate"):
            return self._tell([1, 1], never=choice)
        if self._lies("changing"):
            return self.game.lots.sample(range(3), self.game.lots.randrange(4))
        if self._lies("none"):
            return self._tell([], never=choice)
        if self._lies("type"):
            return self.game.lots.choice([None, 5, "ab", {0: 1}, [None], [[0]], (0.5,)])
        return [] if len(self.past) >= 6 else [0, 1] if len(self.past) % 2 else [0, 1, 2]

    def chance_outcomes(self) -> Any:
        if self._lies("probability"):
            odd = self.game.lots.choice([0.0, -1.0, 2.0, math.nan, math.inf, 1e-300, None, "x"])
            return self._tell([(0, 0.5), (self.game.lots.choice([1, 1, 0, 5, -1]), odd)])
        return [(0, 0.5), (1, 0.5)]

    def apply_action(self, action: Any) -> None:
        if self._lies("raise"):
            raise self.game.lots.choice([KeyError("lie"), ValueError("lie"), RecursionError("lie")])
        self.past.append(action)

    def clone(self) -> Walk:
        return Walk(self.game, list(self.past))

    def returns(self) -> Any:
        if self._lies("returns"):
            bad = [
                [math.nan, 0],
                [math.inf, -math.inf],
                [1],
                [],
                None,
                [1, 1],
                ["a", "b"],
                [10**400, -(10**400)],
            ]
            return self._tell(self.game.lots.choice(bad), never=len(self.past) >= 6)
        return [1.0, -1.0] if sum(a for a in self.past if isinstance(a, int)) % 2 else [-1.0, 1.0]

    def observation_tensor(self, player: int) -> Any:
        if self._lies("observation"):
            bad = [[1.0], [], None, [math.nan, 1], [1.0] * 5000, "ab", [None, 1]]
            return self._tell(self.game.lots.choice(bad))
        return [float(len(self.past)), float(player)]

    def action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def __str__(self) -> str:
        return f"walk {self.past}" if self.game.lie != "text" else f"walk\ud800 {self.past}\udcff"


def _evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
    return np.zeros(np.asarray(legal).shape, np.float32), np.zeros(len(observations), np.float32)


def batch(budget: Budget) -> Outcome:
    """Each case gives one liar to one algorithm; an exception is an answer, none after a lie is a failure."""
    found, seed = Outcome(), budget.seed
    for number, lots in budget:
        game: Any = Liar(lots.choice(LIES), lots.randrange(6), lots)
        found.cases += 1
        name = lots.choice(sorted(ALGORITHMS))
        try:
            ALGORITHMS[name](game)
        except Exception as error:
            if game.lie in ("nothing", "text") or isinstance(error, SystemError):
                found.fail(
                    f"seed {seed} case {number}: {name} refuses {game}: {type(error).__name__}: {error}"
                )
            continue
        if game.told:
            found.fail(f"seed {seed} case {number}: {name} takes {game.told}")
    return found


def _match(name: str) -> Any:
    def match(game: Any) -> None:
        made = load_game(game)
        play_match(made, make_agent(name, made), make_agent("random", made), games=2, seed=1)

    return match


def _plan(game: Any) -> None:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    plan_states(_evaluate, [state], SearchConfig(simulations=8), game=game, seed=1)


def _check(game: Any) -> None:
    if not check_game(game, games=20).passed:
        raise ValueError("it was noticed")


def _search(name: str) -> Any:
    def search(game: Any) -> None:
        made = load_game(game)
        make_agent(name, made, keep_tree=True).search(made.new_initial_state(), seed=1)

    return search


def _self_play(name: str) -> Any:
    """A preset's own way to play, with weights that have learned nothing."""
    spec = spec_of(Liar("nothing", 0, random.Random(0)))  # type: ignore[arg-type]
    settings = {"widths": "4"} if name == "td-lambda" else {"widths": "4", "search.simulations": "4"}
    preset = fitted(with_settings(PRESETS[name], settings), spec)
    planner = planner_of(preset, spec, network_of(preset, spec).init(seed=1), threads=1)
    return lambda game: play_games(
        game, planner, preset.search, games=range(3), seed=2, round_index=0, spec=spec
    )


SEARCHES = (
    "uct(simulations=50)",
    "flat_mc(simulations=50)",
    "nmcts(simulations=50)",
    "expectiminimax(depth=3)",
    "greedy",
    "optimal",
)
ALGORITHMS = {
    "solve": lambda game: solve(load_game(game)),
    "perft": lambda game: perft(game, 4),
    "check": _check,
    "plan": _plan,
    "match of random": _match("random"),
    "match of uct": _match("uct(simulations=20)"),
    **{name: _search(name) for name in SEARCHES},
    **{name: _self_play(name) for name in ("td-lambda", "gumbel-alphazero", "gumbel-ndmz", "muzero")},
}
