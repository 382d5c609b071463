"""UCT against OpenSpiel's MCTSBot at equal simulations.

Run ``python -m dicezero.bench.uct_match`` for 400 games each of tic-tac-toe and Connect Four.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from dicezero.agents.searching import MonteCarloAgent
from dicezero.bench.uct import C, mcts_bot
from dicezero.evaluation.arena import MatchResult, play_match
from dicezero.rules import load_game
from dicezero.rules.protocol import State
from dicezero.search.result import SearchResult
from dicezero.search.uct import UctConfig

GAMES = ("tic_tac_toe", "connect_four")


class MctsBotAgent:
    """OpenSpiel's bot as an agent: a new bot, named by the seed, for every move."""

    def __init__(self, game: str, simulations: int, *, c: float) -> None:
        import pyspiel

        self.name = f"openspiel_mcts(simulations={simulations},c={c})"
        self._game: Any = pyspiel.load_game(game)
        self._simulations = simulations
        self._c = c

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Only the move is known; the values are not the bot's."""
        theirs = self._game.new_initial_state()
        for action in state.history():  # type: ignore[attr-defined]
            theirs.apply_action(action)
        begin = time.perf_counter()
        action = mcts_bot(self._game, self._simulations, c=self._c, seed=seed % 2**31).step(theirs)
        return SearchResult(
            action=action,
            value=0.0,
            action_values={},
            visits={},
            nodes=0,
            leaves=self._simulations,
            cutoffs=0,
            principal_variation=(action,),
            stopped="simulations",
            seconds=time.perf_counter() - begin,
        )


def match(name: str, *, games: int, simulations: int, seed: int, c: float) -> MatchResult:
    """Our score against MCTSBot, both with the same formula, simulations and a new tree for every move.

    Its returns are in [-1, 1] where our wins are in [0, 1], so its constant is twice ours.
    """
    game = load_game(name)
    ours = MonteCarloAgent("uct", game, UctConfig(simulations=simulations, c=c))
    return play_match(game, ours, MctsBotAgent(name, simulations, c=2 * c), games=games, seed=seed)


def main() -> None:
    """Plays the matches and prints, or saves, a JSON record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="save the record to this JSON file")
    options = parser.parse_args()
    record: dict[str, Any] = {
        "command": f"python -m dicezero.bench.uct_match --games {options.games} "
        f"--simulations {options.simulations} --seed {options.seed}",
        "versions": {"dicezero": version_of("dicezero"), "open_spiel": version_of("open_spiel")},
        "python": platform.python_version(),
        "matches": [],
    }
    for name in GAMES:
        for c in (C, C / 2):
            begin = time.perf_counter()
            result = match(name, games=options.games, simulations=options.simulations, seed=options.seed, c=c)
            row = {"game": name, "c": c, "peer_c": 2 * c, **vars(result)}
            record["matches"].append(row | {"seconds": round(time.perf_counter() - begin, 1)})
            low, high = result.ci95
            print(f"{name}, c={c}: {result.score:.3f} ({low:.3f}..{high:.3f}) of {result.games}", flush=True)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(record, indent=1) + "\n")


def version_of(package: str) -> str:
    """The installed version, or 'source' for a checkout that is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "source"


if __name__ == "__main__":
    main()
