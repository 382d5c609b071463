"""A game told as a line of win probability: what the moves lost and what the dice gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dicezero.rules.protocol import Game, State, is_chance, outcomes_of
from dicezero.rules.reading import action_strings
from dicezero.studio.grading import Grade, Grader, Truth
from dicezero.studio.scale import Scale


@dataclass(frozen=True)
class Point:
    """The game after one more action.

    Attributes:
        ply: how many actions have been played; 0 is the start.
        text: the last one's name, "" at the start.
        player: whose it was, -1 for the dice; None at the start.
        action: its id; None at the start.
        win: how likely player 0 is to win now.
        grade: of a move that was chosen; None for rolls, forced moves and the start.
        luck: what the roll gave player 0, in win probability; 0 for moves.
    """

    ply: int
    text: str
    player: int | None
    action: int | None
    win: float
    grade: Grade | None = None
    luck: float = 0.0


@dataclass(frozen=True)
class Story:
    """A game with its luck and skill told apart. In a solved game win = start + luck[0] - lost[0] + lost[1].

    Attributes:
        points: one more than there are actions.
        lost: win probability given away by the moves of player 0 and of player 1, at least 0.
        luck: what the dice gave player 0 and player 1; they sum to 0.
        truth: whether that is exact or estimated, and by what.
        judge: who estimates, for a reader.
        scale: what the shares are told in.
    """

    points: tuple[Point, ...]
    lost: tuple[float, float]
    luck: tuple[float, float]
    truth: Truth
    judge: str
    scale: Scale


def tell(
    game: Game,
    actions: Sequence[int],
    grader: Grader,
    *,
    known: Story | None = None,
    start: State | None = None,
) -> Story:
    """The story of a game from its start.

    Args:
        game: what was played.
        actions: every action, chance outcomes included.
        grader: of that game.
        known: a story of another line of the same game; what both have in common is not judged again.
        start: where the game began, by default the game's own start.
    """
    before = known.points if known else ()
    state = game.new_initial_state() if start is None else start.clone()
    points = [before[0] if before else Point(0, "", None, None, grader.win(state))]
    same = True  # whether the earlier story went the same way so far
    for ply, action in enumerate(actions, 1):
        same = same and ply < len(before) and before[ply].action == action
        points.append(before[ply] if same else _point(state, action, ply, grader))
        state.apply_action(action)
    lost = [sum(p.grade.lost for p in points if p.grade and p.player == player) for player in (0, 1)]
    luck = sum(p.luck for p in points)
    return Story(tuple(points), (lost[0], lost[1]), (luck, -luck), grader.truth, grader.judge, grader.scale)


def _point(state: State, action: int, ply: int, grader: Grader) -> Point:
    player, text = state.current_player(), action_strings(state)[action]
    if is_chance(state):
        wins = grader.rolls(state)
        mean = sum(p * wins[outcome] for outcome, p in outcomes_of(state))
        return Point(ply, text, player, action, wins[action], luck=wins[action] - mean)
    if len(state.legal_actions()) == 1:
        child = state.clone()
        child.apply_action(action)
        return Point(ply, text, player, action, grader.win(child))
    grade = grader.grade(state, action)
    return Point(ply, text, player, action, grade.win if player == 0 else 1.0 - grade.win, grade)
