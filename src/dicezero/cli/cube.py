"""``dicezero cube``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tyro.conf import Positional

from dicezero.agents import make_agent
from dicezero.agents.base import knowing_chances, roller
from dicezero.agents.cube import cube_decision
from dicezero.cli.console import AgentName, GameName, emit
from dicezero.cli.load import load
from dicezero.cli.position import reach
from dicezero.cli.progress import working
from dicezero.search.cube import CubeDecision, CubeOwner


@dataclass(frozen=True)
class Cube:
    """Whether to double before a roll, and whether to take: Janowski's formula on what an agent expects.

    Money play without Jacoby's rule. Equities are for the player who rolls, in units of the cube as it lies;
    exact where both sides bear off their last six checkers at the most.

    Example: dicezero cube pretrained --game backgammon --position "4HPwATDgc/ABMA"
    """

    agent: Positional[AgentName]
    """Who predicts how the game may end: pretrained, run(path=DIR) of td-lambda, gnubg."""
    game: GameName = "backgammon"
    position: str | None = None
    """A position before a roll, in the game's own notation; by default the start."""
    moves: str = ""
    """From there to the position: action strings or ids between commas, outcomes included."""
    owner: CubeOwner = "centre"
    """Who may turn the cube: nobody has yet (centre), the player who rolls (mover), or the other."""
    life: float | None = None
    """How live the cube is: 0 is dead, 1 perfectly live; by default what fits the position."""
    json: bool = False
    """Print one JSON object: verdict, no_double, double_take, double_pass, win, ..."""

    def run(self) -> int:
        """Decides and prints."""
        game = load(self.game)
        state = reach(game, self.moves, self.position)
        roller(state)  # a position after its roll is refused before anything is loaded
        with working(f"preparing {self.agent}", quiet=self.json):
            agent = make_agent(self.agent, game)
        knowing = knowing_chances(agent)
        if knowing is None:
            raise ValueError(
                f"{self.agent} does not predict how a game may end; take pretrained, run(path=DIR) or gnubg"
            )
        decision = cube_decision(knowing, state, self.owner, life=self.life)
        data = cube_data(decision)
        emit(
            {"game": str(game), "agent": agent.name, "owner": self.owner, "life": decision.life, **data},
            _text(decision),
            as_json=self.json,
        )
        return 0


def cube_data(decision: CubeDecision) -> dict[str, Any]:
    """The decision as plain data."""
    chances = decision.chances
    return {
        "verdict": decision.verdict,
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_pass": decision.double_pass,
        "equity": decision.equity,
        "cubeless": chances.equity,
        "win": chances.win,
        "points_won": chances.won,
        "points_lost": chances.lost,
    }


def _text(decision: CubeDecision) -> str:
    chances = decision.chances
    cube = "exact" if decision.life is None else f"cube life {decision.life:.3g}"
    return (
        f"{decision.verdict}: no double {decision.no_double:+.3f}, "
        f"double and take {decision.double_take:+.3f}, "
        f"double and pass {decision.double_pass:+.3f}\n"
        f"wins {chances.win:.1%} for {chances.won:.2f} points, loses for {chances.lost:.2f}; "
        f"cubeless {chances.equity:+.3f}; {cube}"
    )
