"""Money games with a doubling cube between two agents, settled after the cubeless game has been played.

Agents play their checkers without regard to the cube, so a game with it is the game without it, looked at
again: before each roll the player whose turn it is doubles or not, the other takes or passes, and what the
game pays is what stands on the cube times the points, or the cube itself where it was passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from dicezero.agents.base import Agent, KnowsChances, knowing_chances
from dicezero.agents.cube import TurnedCube, cube_decision
from dicezero.evaluation.luck import Falls
from dicezero.rules.notation.moves import Double
from dicezero.rules.protocol import Game, State, is_chance


@dataclass(frozen=True)
class Settled:
    """A money game.

    Attributes:
        paid: to player 0.
        luck: of player 0: that of each roll times what stood on the cube; 0 without values to compute it
            from. Its mean is 0 whatever the players do, as the cube is turned before the roll.
        actions: those played, chance outcomes included: all, or up to the double that was passed.
        doubles: in their order.
        value: what stood on the cube in the end.
        decisions: moves played.
    """

    paid: float
    luck: float
    actions: tuple[int, ...]
    doubles: tuple[Double, ...]
    value: int
    decisions: int


@dataclass(frozen=True)
class CubeSummary:
    """The cubes of a match.

    Attributes:
        doubled: games in which the cube was turned at least once.
        passed: games that ended with a pass.
        mean_value: what stood on the cube in the end, on average.
        largest_value: the same at the most.
    """

    doubled: int
    passed: int
    mean_value: float
    largest_value: int


class MoneyRules:
    """Settles the games of a match."""

    def __init__(self, game: Game, *, falls: Falls | None = None, life: float | None = None) -> None:
        """``falls`` computes the luck of each roll; without ``life`` the position's game gives it."""
        self._game, self._falls, self._life = game, falls, life
        self._settled: list[tuple[int, bool]] = []  # the cube of each game, and whether it was passed

    @property
    def knows_luck(self) -> bool:
        """Whether the luck of a game is known."""
        return self._falls is not None

    @property
    def summary(self) -> CubeSummary | None:
        """Of the games so far; None before the first."""
        if not self._settled:
            return None
        values = [value for value, _ in self._settled]
        return CubeSummary(
            doubled=sum(value > 1 or passed for value, passed in self._settled),
            passed=sum(passed for _, passed in self._settled),
            mean_value=sum(values) / len(values),
            largest_value=max(values),
        )

    def check(self, agents: Sequence[Agent]) -> None:
        """Raises ValueError for an agent that cannot decide on a cube."""
        for agent in agents:
            if knowing_chances(agent) is None:
                raise ValueError(
                    f"{agent.name} does not predict how a game may end and knows no cube; "
                    "take pretrained, run(path=DIR) of td-lambda or gnubg, or leave --cube out"
                )

    def settle(
        self, actions: Sequence[int], agents: Sequence[Agent], outcome: float, *, start: State | None = None
    ) -> Settled:
        """A game that was played without a cube.

        Args:
            actions: all of it, chance outcomes included.
            agents: players 0 and 1.
            outcome: what it paid player 0.
            start: where it began, by default at the game's own start.
        """
        state = self._game.new_initial_state() if start is None else start.clone()
        cube, doubles, weights = TurnedCube(), list[Double](), dict[int, int]()
        end, decisions, passed = len(actions), 0, False
        for place, action in enumerate(actions):
            if is_chance(state):
                player = cube.may_double(state, ply=place)
                if player is not None and self._doubles(agents[player], state, cube, player):
                    taken = self._takes(agents[1 - player], state, cube, player)
                    doubles.append(Double(place, taken))
                    if not taken:
                        outcome, end, passed = 1.0 if player == 0 else -1.0, place, True
                        break
                    cube.take(1 - player, ply=place)
                weights[place] = cube.value
            else:
                decisions += 1
            state.apply_action(action)
        played, luck = tuple(actions[:end]), 0.0
        if self._falls is not None:
            luck = sum(weights[fall.place] * fall.luck for fall in self._falls(played, start))
        self._settled.append((cube.value, passed))
        return Settled(cube.value * outcome, luck, played, tuple(doubles), cube.value, decisions)

    def _doubles(self, agent: Agent, state: State, cube: TurnedCube, player: int) -> bool:
        asked = cast("KnowsChances", agent)  # see `check`
        return cube_decision(asked, state, cube.owner_for(player), life=self._life).doubles

    def _takes(self, agent: Agent, state: State, cube: TurnedCube, player: int) -> bool:
        asked = cast("KnowsChances", agent)
        return cube_decision(asked, state, cube.owner_for(player), life=self._life).takes
