"""A match in backgammon against GNU Backgammon's evaluator, or pubeval, as a library (no program to start).

    pip install --pre gnubg-nn
    python tools/gnubg_nn_match.py "pretrained(plies=2)" --games 400 --seed 2
    python tools/gnubg_nn_match.py pretrained --opponent pubeval --games 400

Cubeless money play, pairs of games with the same dice, the luck of the dice taken out by the values of
``--adjust-by`` (the agent's own unless given). gnubg-nn is under the GPL: the package never imports it, this
script does. ``dicezero match AGENT gnubg --game backgammon`` plays the program itself.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import gnubg_nn  # type: ignore[import-not-found]

from dicezero.agents import make_agent
from dicezero.agents.gnubg import after_legs, sides
from dicezero.agents.simple import immediate_result
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.runs import luck_by
from dicezero.rules import Game, load_game
from dicezero.search.result import SearchResult

Legs = tuple[tuple[int, int], ...]  # (from, to) of each checker: 25 is the bar, 0 is off


class Evaluator:
    """What GNU Backgammon's evaluator plays at a depth of ``plies``, or pubeval."""

    def __init__(self, *, plies: int, pubeval: bool) -> None:
        self._plies, self._pubeval = plies, pubeval

    def move(self, own: Sequence[int], other: Sequence[int], dice: Sequence[int]) -> Legs:
        """The legs of its turn; ``own`` and ``other`` are [26], each in its own counting."""
        board = [list(other[1:]), list(own[1:])]  # the mover second, points 1..24 and the bar
        if self._pubeval:
            flat = [max(0, point + 1) for point in gnubg_nn.pub_best_move(board, *dice)]
            return tuple(zip(flat[::2], flat[1::2], strict=True))
        legs, _ = gnubg_nn.best_move(board, *dice, self._plies, b"X", 1)
        return tuple((start, max(0, end)) for start, end in legs)


class LibraryAgent:
    """Plays what the evaluator plays."""

    def __init__(self, name: str, game: Game, evaluator: Evaluator) -> None:
        self.name, self.game = name, game
        self._evaluator = evaluator
        self._meant: dict[object, object] = {}  # positions amid a double, and those after it

    def actions(self, states: Sequence[Any], seeds: Sequence[int]) -> list[int]:
        """What it plays at each state."""
        del seeds  # it draws nothing
        return [self._action(state) for state in states]

    def search(self, state: Any, *, seed: int) -> SearchResult:
        """The same for one state; the value is not asked for."""
        del seed
        return immediate_result(self._action(state), value=0.0, values={}, begin=time.perf_counter())

    def _action(self, state: Any) -> int:
        legal = list(state.legal_actions())
        mover = state.current_player()
        if len(legal) == 1 and (state.second_half or state.dice[0] != state.dice[1]):
            return int(legal[0])
        if state.second_half:
            target = self._meant[state.key()]
            return next(a for a in legal if sides(state.child(a), mover) == target)
        own, other = state.checkers(mover), state.checkers(1 - mover)
        target = after_legs(own, other, self._evaluator.move(own, other, state.dice))
        for action in legal:
            child = state.child(action)
            if sides(child, mover) == target:
                return int(action)
            goes_on = not child.is_terminal() and child.current_player() == mover
            if goes_on and any(sides(child.child(b), mover) == target for b in child.legal_actions()):
                self._meant[child.key()] = target
                return int(action)
        raise ValueError(f"{self.name} plays what is no legal turn of {state}")


def main() -> None:
    """Plays and prints one JSON object."""
    parser = argparse.ArgumentParser(description="A match against gnubg-nn or pubeval, luck taken out.")
    parser.add_argument("agent", help="such as pretrained or run(path=DIR,plies=2)")
    parser.add_argument("--opponent", choices=("gnubg-nn", "pubeval"), default="gnubg-nn")
    parser.add_argument("--plies", type=int, default=0, help="of gnubg-nn")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--adjust-by", help="whose values take the luck out; the agent's unless given")
    options = parser.parse_args()
    game = load_game("backgammon")
    name = options.opponent if options.opponent == "pubeval" else f"gnubg-nn(plies={options.plies})"
    opponent = LibraryAgent(name, game, Evaluator(plies=options.plies, pubeval=options.opponent == "pubeval"))
    agent = make_agent(options.agent, game)
    luck = luck_by(options.adjust_by or options.agent, game)
    wall, begin = time.perf_counter(), time.process_time()
    result = play_match(game, agent, opponent, games=options.games, seed=options.seed, luck=luck)
    spent = {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - begin}
    low, high = result.adjusted_return_ci95
    print(json.dumps({"agents": [agent.name, name], "seed": options.seed, **asdict(result), **spent}))
    print(f"{result.adjusted_return:+.3f} ± {(high - low) / 2:.3f} points a game, luck out")


if __name__ == "__main__":
    main()
