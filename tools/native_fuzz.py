"""Calls all that the native module offers with arguments nobody meant: tools/native_fuzz.py --calls N.

Only Python's own exceptions may come back. Run it on a build with AddressSanitizer (make sanitize), where a
read past an end is a crash; the seed and the call are printed before a crash can hide them (--verbose).
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

if "--module" in sys.argv:  # a build of its own, in the place of the package's
    _spec = importlib.util.spec_from_file_location(
        "dicezero._native", sys.argv[sys.argv.index("--module") + 1]
    )
    if _spec is None or _spec.loader is None:
        sys.exit("--module is no Python module; give the path of a built _native*.so")
    sys.modules["dicezero._native"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["dicezero._native"])

from dicezero import _native
from dicezero.search.config import SearchConfig
from dicezero.search.uct_config import FlatConfig, UctConfig

# Long by design, or meant to wait: the time of one call is bounded by its arguments below.
SKIPPED = {"random_playouts"}
NUMBERS = [
    0,
    1,
    -1,
    2,
    3,
    5,
    7,
    8,
    63,
    64,
    255,
    4096,
    2**15,
    2**31 - 1,
    2**31,
    -(2**31),
    2**32,
    2**63,
    2**64 - 1,
]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-12, 1e300, -1e300, float("nan"), float("inf"), float("-inf")]
TEXTS = [
    "",
    "x",
    "uniform",
    "nannon",
    "nannon(points=6,checkers=3,sides=6)|0,1",
    "|",
    "\x00",
    "é" * 50,
    "0,1,2",
    "relu",
]
DTYPES = [np.float32, np.float64, np.int16, np.int32, np.int64, np.uint8, np.uint64, np.bool_]


class Liar:
    """A game in Python whose every answer is drawn anew."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_: self._answer(name)

    def _answer(self, name: str) -> Any:
        rng = self._rng
        if rng.random() < 0.1:
            return rng.choice([None, "text", -5, 2**40, [], [(0, 2.0)], float("nan")])
        if name in ("new_initial_state", "clone", "child", "get_game"):
            return self
        if name in ("num_players",):
            return rng.choice([1, 2, 2, 2, 3])
        if name in ("num_distinct_actions", "max_chance_outcomes"):
            return rng.choice([0, 3, 3, 3])
        if name == "current_player":
            return rng.choice([0, 1, -1, -4, -4, 2, -2])
        if name == "legal_actions":
            return rng.choice([[0], [0, 1], [0, 1, 2], [2, 1], [3], [-1], []])
        if name == "chance_outcomes":
            return rng.choice([[(0, 0.5), (1, 0.5)], [(0, 1.0)], [(0, 0.5)], [(9, 1.0)]])
        if name in ("returns", "rewards"):
            return rng.choice([[1.0, -1.0], [0.0, 0.0], [1.0], [float("nan")] * 2])
        if name == "observation_tensor_shape":
            return [rng.choice([0, 1, 4])]
        if name == "observation_tensor":
            return [0.0] * rng.choice([1, 4, 4, 9])
        return rng.choice([0, 1.0, "name", True])


class Fuzzer:
    """Draws callables and arguments, and keeps what calls return to draw it again."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.numpy = np.random.default_rng(seed)
        self.games = [make() for _, make, _ in _native.registered_games()]
        self.kept: list[Any] = [*self.games, *(game.new_initial_state() for game in self.games)]
        for game in self.games:
            state = game.new_initial_state()
            for _ in range(self.rng.randrange(6)):
                if not state.is_terminal():
                    state.apply_action(self.rng.choice(state.legal_actions()))
            self.kept.append(state)
        small = _native.TicTacToe()
        self.kept += [_native.make_table(small, 10_000, None), _native.uct_searcher(small), Liar(self.rng)]
        self.seen: Counter[str] = Counter()

    def targets(self) -> list[tuple[str, Callable[..., Any]]]:
        """Every function of the module, every class, every method of every object kept."""
        found = [(name, value) for name, value in vars(_native).items() if callable(value)]
        owner = self.rng.choice(self.kept)
        names = [
            n for n in dir(type(owner)) if not n.startswith("__") or n in ("__eq__", "__hash__", "__str__")
        ]
        if isinstance(owner, Liar):
            names = []
        for name in names:
            kind = getattr(type(owner), name)
            if callable(kind) and not isinstance(kind, type):
                found.append((f"{type(owner).__name__}.{name}", getattr(owner, name)))
        return found

    def argument(self) -> Any:
        """Anything."""
        rng = self.rng
        kind = rng.randrange(12)
        if kind < 2:
            return rng.choice(NUMBERS) if rng.random() < 0.5 else rng.randrange(0, 9)
        if kind == 2:
            return rng.choice(FLOATS)
        if kind == 3:
            return rng.choice(TEXTS)
        if kind == 4:
            return self.array()
        if kind == 5:
            return [self.argument() for _ in range(rng.randrange(4))]
        if kind == 6:
            return rng.choice([None, True, False, {}, (), object()])
        if kind == 7:
            return [state for state in self.kept if hasattr(state, "clone")][: rng.randrange(4)]
        if kind == 8:
            return self.config()
        if kind == 9:
            return lambda *_: self.argument()
        return rng.choice(self.kept)

    def array(self) -> np.ndarray[Any, Any]:
        """A small array of any kind."""
        shape = [self.rng.choice([0, 1, 2, 3, 4, 7, 9, 14, 27, 30]) for _ in range(self.rng.randrange(0, 4))]
        values = self.numpy.normal(0, 3, shape)
        if self.rng.random() < 0.1:
            values = values * np.inf
        with np.errstate(all="ignore"):
            made = values.astype(self.rng.choice(DTYPES))
        return made.T if self.rng.random() < 0.1 else made

    def config(self) -> Any:
        """A configuration, small enough to come back."""
        rng = self.rng
        simulations = rng.randrange(1, 30)
        if rng.random() < 0.5:
            return SearchConfig(
                simulations=simulations,
                root=rng.choice(["puct", "gumbel"]),
                players=rng.choice(["single", "alternate", "learned"]),
            )
        kind = rng.choice([UctConfig, FlatConfig])
        return kind(simulations=simulations, playout=rng.choice(["random", "greedy"]))

    def informed(self, name: str) -> list[Any] | None:
        """Arguments that come far into the functions that are hardest to reach by chance."""
        rng = self.rng
        game = rng.choice(self.games)
        state = rng.choice([s for s in self.kept if hasattr(s, "clone")])
        rows = rng.randrange(0, 4)
        seeds = np.arange(rng.choice([rows, rows, 3]), dtype=np.uint64)
        if name == "perft":
            return [rng.choice(self.kept), rng.randrange(-1, 3), rng.choice([None, state])]
        if name in ("make_table", "Nannon", "NannonIndex"):
            return None if name != "make_table" else [rng.choice(self.kept), rng.randrange(0, 3000), None]
        if name == "plan_model":
            return self.model_arguments(rows)
        if name == "plan_states":
            width = game.num_distinct_actions() + rng.choice([0, 0, 1])

            def judge(seen: Any, *_: Any) -> Any:
                return np.zeros((len(seen), width), np.float32), np.zeros(len(seen), np.float32)

            return [game, judge, [state] * rows, seeds, self.config(), None, None, []]
        if name in ("roll_dice", "observe_states", "apply_moves", "observe_by", "afterstates"):
            given: list[Any] = [game, [state] * rows]
            if name == "roll_dice":
                given += [seeds, np.zeros(rows, np.int64), rng.randrange(9)]
            elif name in ("apply_moves", "observe_by"):
                given.append(self.numpy.integers(-2, 5, rng.choice([rows, 3])).astype(np.int32))
            return given
        if name == "UctSearcher.search":
            config = UctConfig(simulations=rng.randrange(1, 20))
            low, high = rng.choice([(-1.0, 1.0), (1.0, 0.0)])
            choose = rng.choice([None, lambda s: s.legal_actions()[0]])
            return [state, config, 1, low, high, None, choose, rng.random() < 0.3]
        return None

    def model_arguments(self, rows: int) -> list[Any]:
        """A batch of roots and a model, now and then of the wrong size."""
        rng = self.rng
        actions, hidden, wrong = rng.choice([1, 3, 14]), rng.choice([1, 5]), rng.choice([0, 0, 1])

        def floats(*shape: int) -> Any:
            return self.numpy.normal(0, 1, shape).astype(np.float32)

        def step(h: Any, a: Any) -> Any:
            m = len(a)
            return h, floats(m), floats(m, actions), floats(m), floats(m, 4 + wrong), floats(m, actions)

        forests = [f for f in self.kept if type(f).__name__ == "Forest"]
        return [
            step,
            floats(rows, hidden),
            floats(rows + wrong * rng.randrange(2), actions),
            floats(rows),
            self.numpy.integers(0, 2, (rows, actions)).astype(np.uint8),
            np.arange(rows, dtype=np.uint64),
            self.config(),
            None,
            4,
            rng.choice([None, *forests]),
            [[(0, rng.randrange(-1, 4))] for _ in range(rows)],
        ]

    def call(self, *, verbose: bool) -> None:
        """One call."""
        name, target = self.rng.choice(self.targets())
        if name in SKIPPED:
            return
        arguments = self.informed(name) if self.rng.random() < 0.6 else None
        if arguments is None:
            if name in ("perft", "Table.solve", "Table.evaluate", "Table.visits", "minimax_search"):
                return  # without a bound they may well be at it for a year
            arguments = [self.argument() for _ in range(self.rng.randrange(0, 7))]
        if verbose:
            print(name, [type(a).__name__ for a in arguments], flush=True)
        try:
            result = target(*arguments)
        except (Exception, SystemError) as error:
            self.seen[type(error).__name__] += 1
            if isinstance(error, SystemError | MemoryError):
                print(f"{name}{arguments!r} raised {error!r}", flush=True)
            return
        self.seen["returned"] += 1
        if type(result).__module__ == "dicezero._native":
            self.kept.append(result)
        if isinstance(result, dict) and "tree" in result:
            self.kept.append(result["tree"])
        if len(self.kept) > 60:
            del self.kept[self.rng.randrange(2 * len(self.games) + 4, len(self.kept))]


def main() -> int:
    """Calls, and says what came back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--module", default="", help="a build to load instead of the package's own")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    fuzzer = Fuzzer(options.seed)
    for _ in range(options.calls):
        fuzzer.call(verbose=options.verbose)
    print(f"{options.calls} calls, seed {options.seed}:", dict(fuzzer.seen.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
