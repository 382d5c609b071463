"""A game gone over afterwards: what each turn gave away by a judge's values, and what the dice gave.

The unit is the game's own, points in backgammon. A turn is all that a player does between two outcomes of
chance or two moves of the other; it is forced where there was nothing to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dicezero.agents import Agent, AgentError
from dicezero.agents.base import uninterrupted
from dicezero.evaluation.cube_review import CubeTurn
from dicezero.evaluation.luck import Falls
from dicezero.rules.protocol import State, is_chance

OnAction = Callable[[int], None]  # receives the number of actions reviewed


@dataclass(frozen=True)
class Turn:
    """What a player did, and what would have been best.

    Attributes:
        place: of its first action among the game's, counted from 0.
        player: who moved.
        played, best: texts of the moves, parts of a turn between spaces; the same where nothing is lost.
        loss: what the best would have brought more, at least 0.
        value: of the best, to the mover.
        forced: there was no choice.
    """

    place: int
    player: int
    played: str
    best: str
    loss: float
    value: float
    forced: bool


@dataclass(frozen=True)
class Account:
    """What one player did with what it was given, in one game or in many.

    Attributes:
        turns, unforced: all, and those with a choice.
        loss: of all turns together.
        luck: of the dice thrown for this player's turns; None where the judge has no values of positions.
    """

    turns: int
    unforced: int
    loss: float
    luck: float | None

    @property
    def error_rate(self) -> float:
        """Lost by a turn with a choice, in thousandths: GNU Backgammon's error rate."""
        return 1000.0 * self.loss / max(1, self.unforced)

    @property
    def performance_rating(self) -> float:
        """Half the error rate, as eXtreme Gammon counts: 0 is perfect."""
        return self.error_rate / 2.0


@dataclass(frozen=True)
class Review:
    """A game gone over.

    Attributes:
        turns: in their order.
        luck: of each player's own dice; None where the judge has no values of positions.
        result: the return of player 0 where the game was played to its end.
        cube: decisions on a doubling cube in their order; None where it was not judged.
    """

    turns: tuple[Turn, ...]
    luck: tuple[float, float] | None
    result: float | None
    cube: tuple[CubeTurn, ...] | None = None

    def account(self, player: int) -> Account:
        """What a player did."""
        own = [turn for turn in self.turns if turn.player == player]
        luck = None if self.luck is None else self.luck[player]
        return Account(len(own), sum(not turn.forced for turn in own), sum(turn.loss for turn in own), luck)


def total(accounts: Sequence[Account]) -> Account:
    """Of several games."""
    lucks = [account.luck for account in accounts if account.luck is not None]
    return Account(
        sum(account.turns for account in accounts),
        sum(account.unforced for account in accounts),
        sum(account.loss for account in accounts),
        sum(lucks) if len(lucks) == len(accounts) else None,
    )


def review(
    start: State,
    actions: Sequence[int],
    judge: Agent,
    *,
    falls: Falls | None = None,
    on_action: OnAction | None = None,
) -> Review:
    """Goes over a game.

    Args:
        start: where it began; it is not changed.
        actions: all of it, outcomes of chance included.
        judge: its ``search`` returns the value of each legal move to the mover.
        falls: the luck of each outcome, where it is known.
        on_action: called with the progress.

    Raises:
        AgentError: the judge does not value a move.
    """
    state = start.clone()
    turns: list[Turn] = []
    movers: dict[int, int] = {}  # place of an outcome: whose turn it was for
    thrown: list[int] = []
    chance_between = True
    for place, action in enumerate(actions):
        if on_action is not None:
            on_action(place)
        if is_chance(state):
            thrown.append(place)
            chance_between = True
        else:
            player = state.current_player()
            movers |= dict.fromkeys(thrown, player)
            thrown = []
            done = _judged(state, place, action, judge)
            same = bool(turns) and turns[-1].player == player and not chance_between
            turns[-1:] = [_joined(turns[-1], done)] if same else [*turns[-1:], done]
            chance_between = False
        state.apply_action(action)
    luck = None
    if falls is not None:
        gained = [0.0, 0.0]
        for fall in falls(actions, start):  # the last roll of a game that broke off is nobody's
            if (mover := movers.get(fall.place)) is not None:
                gained[mover] += fall.luck if mover == 0 else -fall.luck
        luck = gained[0], gained[1]
    return Review(tuple(turns), luck, state.returns()[0] if state.is_terminal() else None)


def _judged(state: State, place: int, action: int, judge: Agent) -> Turn:
    player, legal = state.current_player(), list(state.legal_actions())
    played = state.action_to_string(player, action)
    if len(legal) == 1:
        return Turn(place, player, played, played, 0.0, 0.0, True)
    result = uninterrupted(judge.search(state, seed=0))
    values = result.action_values
    if action not in values:
        raise AgentError(
            f"{judge.name} does not value {played}; give a judge that values every move, such as "
            "uct(simulations=1000), or optimal where the game can be solved"
        )
    best = max(values, key=lambda move: (values[move], -move))
    loss = max(0.0, float(values[best]) - float(values[action]))
    better = state.action_to_string(player, best) if loss > 0.0 else played
    return Turn(place, player, played, better, loss, float(values[best]), False)


def _joined(first: Turn, then: Turn) -> Turn:
    """One turn of two parts: what was lost by both, and the best way to begin, or to go on where that was."""
    best = first.best if first.best != first.played else f"{first.played} {then.best}"
    return Turn(
        first.place,
        first.player,
        f"{first.played} {then.played}",
        best,
        first.loss + then.loss,
        then.value if first.forced else first.value,
        first.forced and then.forced,
    )
