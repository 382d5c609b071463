"""Arguments: of the type that a signature asks for, of the size that other arguments have, or anything."""

from __future__ import annotations

import ast
import contextlib
import math
import random
from typing import Any

import numpy as np
from bases import bases
from liar import Liar
from surface import Parameter

from dicezero.search.config import SearchConfig
from dicezero.search.uct_config import FlatConfig, UctConfig

NUMBERS = [-1, 63, 64, 255, 4096, 2**15, 2**31 - 1, 2**31, -(2**31), 2**32, 2**63, 2**64 - 1, 2**64, -(2**63)]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-12, 1e300, -1e300, float("nan"), float("inf"), float("-inf")]
TEXTS = [
    "",
    "x",
    "uniform",
    "nannon(points=6,checkers=3,sides=6)|0,1",
    "|",
    "\0",
    "é" * 50,
    "\udc80",
    "relu",
    "conv",
]
DTYPES = ["float32", "float64", "int16", "int32", "int64", "uint8", "uint64", "bool"]
# Parameters that say how much is to be done: what is asked for stays small, but for a number below zero.
BOUNDS = {
    "depth": 2, "max_depth": 2, "count": 30, "max_states": 3000, "max_iterations": 20, "threads": 4,
    "checkers": 6, "record_nodes": 50, "simulations": 20, "enough": 1000, "seconds": 0, "max_nodes": 100,
    "games": 4, "steps": 4, "max_moves": 50, "block": 4, "batch": 8, "number": 9, "height": 9,
    "width": 9, "board_size": 9, "rounds": 3, "epochs": 2,
}  # fmt: skip

LIMIT = 2_500_000_000  # bytes of address space that the attack gives a process

_TO_THE_END = 5_000  # moves; random games are shorter


def limit_memory() -> None:
    """From now on this process gets no more, where the system has limits: what takes more has to say so."""
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, resource.getrlimit(resource.RLIMIT_AS)[1]))


class Draws:
    """What is there to be drawn: games, their states, and objects that calls have returned."""

    def __init__(self, native: Any, seed: int) -> None:
        self.rng = random.Random(seed)
        self.limited = native.available_memory() < LIMIT  # whether large tables are refused, not made
        self.native = native
        self.owner: Any = None  # whose method is being called
        self.numpy = np.random.default_rng(seed)
        self.games = [make() for _, make, _ in native.registered_games()]
        self.states = [self._somewhere(game) for game in self.games for _ in range(3)]
        self.states += [self._somewhere(game, moves=_TO_THE_END) for game in self.games]
        self.bases = bases(native)
        self.kept: list[Any] = [Liar(self.rng)]
        self.begin_call()

    def _somewhere(self, game: Any, *, moves: int = 7) -> Any:
        """Fewer random moves than that from the start; the end, where they are that many."""
        state = game.new_initial_state()
        for _ in range(moves if moves == _TO_THE_END else self.rng.randrange(moves)):
            if not state.is_terminal():
                state.apply_action(self.rng.choice(state.legal_actions()))
        return state

    def begin_call(self) -> None:
        """The sizes and the game that the arguments of one call share, most of the time."""
        rng = self.rng
        self.game = rng.choice([*self.games, *self.games, *(k for k in self.kept if isinstance(k, Liar))])
        self.rows = rng.randrange(4)
        actions = min(400, self.game.num_distinct_actions()) if self.game in self.games else 3
        self.widths = [rng.choice([1, 3, 5, actions]), rng.choice([1, 4, actions])]

    def own(self, kind: type) -> Any:
        """An instance of a native class; LookupError where there is none yet."""
        known = (*self.games, *self.states, *self.bases, *self.kept)
        return self.rng.choice([x for x in known if isinstance(x, kind)])

    def keep(self, value: Any) -> None:
        """Remembers what a call has returned."""
        if isinstance(value, dict) and "tree" in value:
            value = value["tree"]
        if type(value).__module__ != "dicezero._native" or value in self.games:
            return
        self.kept.append(value)
        if len(self.kept) > 80:
            del self.kept[self.rng.randrange(1, len(self.kept))]

    def argument(self, parameter: Parameter) -> Any:
        """A value for the parameter, mostly of its type."""
        if parameter.name in BOUNDS:
            small = self.rng.randrange(BOUNDS[parameter.name] + 1)
            return small if self.rng.random() < 0.9 else self.rng.choice([-1, -(2**63), None, "x", math.nan])
        if self.rng.random() < 0.08:
            return self.anything()
        return self.typed(parameter.kind, parameter.name)

    def typed(self, kind: ast.expr, name: str = "") -> Any:
        """A value of the type."""
        rng = self.rng
        if isinstance(kind, ast.BinOp):
            return self.typed(rng.choice([kind.left, kind.right]), name)
        if isinstance(kind, ast.Constant):
            return kind.value
        if isinstance(kind, ast.Subscript):
            inner = kind.slice.elts if isinstance(kind.slice, ast.Tuple) else [kind.slice]
            word = ast.unparse(kind.value)
            if word.endswith("Literal"):
                return self.typed(rng.choice(inner))
            if word == "tuple":
                return tuple(self.typed(part, name) for part in inner)
            return [self.typed(inner[0], name) for _ in range(rng.choice([self.rows, rng.randrange(4)]))]
        word = ast.unparse(kind)
        if word.startswith("ndarray_"):
            _, dtype, dimensions = word.split("_")
            return self.array(dtype, rng.randrange(5) if dimensions == "any" else int(dimensions))
        if word.startswith("dicezero._native."):
            known = (*self.bases, *self.kept, *self.games, *self.states)
            found = [x for x in known if type(x).__name__ == word.split(".")[-1]]
            return rng.choice(found) if found else None
        return self._plain(word, name)

    def _plain(self, word: str, name: str) -> Any:
        rng = self.rng
        if word == "int":
            return rng.choice(NUMBERS) if rng.random() < 0.1 else rng.randrange(9)
        if word == "float":
            return rng.choice(FLOATS) if rng.random() < 0.5 else rng.uniform(-1, 1)
        if word == "bool":
            return rng.random() < 0.5
        if word == "str":
            return rng.choice(TEXTS) if rng.random() < 0.5 else self._written()
        if word == "list" and "state" in name:
            return [self._state() for _ in range(self.rows)]
        return self._by_name(name)

    def _by_name(self, name: str) -> Any:
        """For parameters that take any object, what their name says."""
        rng = self.rng
        if "game" in name:
            return self.game
        if "state" in name:
            return self._state()
        if "config" in name or "options" in name:
            return self.config()
        if name in ("progress", "evaluate", "is_quiet", "choose") and rng.random() < 0.5:
            return None
        if name == "network":
            width = self.widths[-1]
            return lambda seen, *_: (
                np.zeros((len(seen), width), np.float32),
                np.zeros(len(seen), np.float32),
            )
        if "policy" in name:
            return rng.choice([None, self.array("int32", 1), self.array("float64", 1), "uniform"])
        return rng.choice([self.anything(), lambda *_: self.anything(), lambda *_: rng.random()])

    def _state(self) -> Any:
        own = [s for s in self.states if s.get_game() == self.game]
        return self.rng.choice(own if own and self.rng.random() < 0.9 else [*self.states, *self.kept])

    def _written(self) -> str:
        """A position, a state or a move of some game, now and then with a letter changed."""
        state = self.rng.choice(self.states)
        try:
            text = self.rng.choice([state.position, state.serialize, state.__str__])()
        except ValueError:  # the middle of a turn may have none
            text = state.serialize()
        at = self.rng.randrange(len(text) + 1)
        return (
            text
            if self.rng.random() < 0.5
            else text[:at] + self.rng.choice(["", "/", "9", "K"]) + text[at + 1 :]
        )

    def array(self, dtype: str, dimensions: int) -> np.ndarray[Any, Any]:
        """[rows, widths...] of any numbers, now and then of other sizes or not in one piece."""
        shape = [self.rows, *self.widths, 3, 3][:dimensions]
        if self.rng.random() < 0.2:
            shape = [self.rng.choice([0, 1, 2, 3, 7, 27]) for _ in shape]
        values = self.numpy.normal(0, 3, shape) * (np.inf if self.rng.random() < 0.05 else 1)
        with np.errstate(all="ignore"):
            made = np.asarray(values).astype(dtype)
        return made.T if self.rng.random() < 0.05 else made

    def config(self) -> Any:
        """A configuration, small enough to come back."""
        rng = self.rng
        simulations = rng.randrange(1, 20)
        if rng.random() < 0.5:
            root, players = rng.choice(["puct", "gumbel"]), rng.choice(["single", "alternate", "learned"])
            return SearchConfig(simulations=simulations, root=root, players=players)
        kind = rng.choice([UctConfig, FlatConfig])
        return kind(simulations=simulations, playout=rng.choice(["random", "greedy"]))

    def anything(self) -> Any:
        """Whatever comes to mind."""
        rng = self.rng
        kind = rng.randrange(10)
        if kind < 2:
            return rng.choice(NUMBERS)
        if kind == 2:
            return rng.choice(FLOATS)
        if kind == 3:
            return rng.choice(TEXTS)
        if kind == 4:
            return self.array(rng.choice(DTYPES), rng.randrange(5))
        if kind == 5:
            return [self.anything() for _ in range(rng.randrange(4))]
        if kind == 6:
            return rng.choice([None, True, False, {}, (), object(), b"\0"])
        if kind == 7:
            return self.config()
        return rng.choice([*self.bases, *self.kept, *self.states, *self.games])
