"""A game as a line of win probability: what the moves lost and what the dice gave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dicezero.evaluation.cube_review import CubeTurn, cube_at, review_cube
from dicezero.rules.notation.moves import Double
from dicezero.rules.protocol import Game, State, is_chance, outcomes_of
from dicezero.rules.reading import action_strings
from dicezero.studio.cube import CubeJudge
from dicezero.studio.grading import Grade, Grader, Truth
from dicezero.studio.lines import Script, script_of
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
        stake: what the cube of a money game showed then.
    """

    ply: int
    text: str
    player: int | None
    action: int | None
    win: float
    grade: Grade | None = None
    luck: float = 0.0
    stake: int = 1


@dataclass(frozen=True)
class Story:
    """A game with its luck and skill separated. In a solved game win = start + luck[0] - lost[0] + lost[1].

    In a money game what was lost and what the dice gave count as often as the cube showed then.

    Attributes:
        points: one more than there are actions.
        lost: win probability given away by the moves of player 0 and of player 1, at least 0.
        luck: what the dice gave player 0 and player 1; they sum to 0.
        truth: whether that is exact or estimated, and by what.
        judge: who estimates, for a reader.
        scale: the unit of the shares.
        doubles: how the cube of a money game was turned.
        cube: the decisions on it; None where there is no cube.
        cube_lost: what those of player 0 and of player 1 gave away, as ``lost``.
        cube_judge: who judged them, for a reader.
    """

    points: tuple[Point, ...]
    lost: tuple[float, float]
    luck: tuple[float, float]
    truth: Truth
    judge: str
    scale: Scale
    doubles: tuple[Double, ...] = ()
    cube: tuple[CubeTurn, ...] | None = None
    cube_lost: tuple[float, float] = (0.0, 0.0)
    cube_judge: str = ""

    @property
    def script(self) -> Script:
        """The line of the story."""
        return script_of([p.action for p in self.points if p.action is not None], self.doubles)

    @property
    def dropped(self) -> float | None:
        """What player 0 got by a double that was dropped; None where none was."""
        if not self.doubles or self.doubles[-1].taken or not self.cube:
            return None
        stake = cube_at(self.doubles, self.doubles[-1].place)
        return float(stake if self.cube[-1].player == 1 else -stake)

    def share_lost(self, turn: CubeTurn) -> float:
        """What a decision on the cube gave away as a share of the range, whatever the cube showed."""
        return turn.loss / (self.scale.high - self.scale.low)

    def stake_at(self, turn: CubeTurn) -> int:
        """What the cube showed before the decision."""
        return cube_at(self.doubles, turn.place - 1)


def make_story(
    game: Game,
    actions: Sequence[int],
    grader: Grader,
    *,
    earlier: Story | None = None,
    start: State | None = None,
    graded: Callable[[int], Grade | None] = lambda _: None,
) -> Story:
    """The story of a game from its start.

    Args:
        game: what was played.
        actions: every action, chance outcomes included.
        grader: of that game.
        earlier: a story of another line of the same game; what both have in common is not judged again.
        start: where the game began, by default the game's own start.
        graded: the grade of the action of a place, where it has been worked out already.
    """
    before = earlier.points if earlier else ()
    state = game.new_initial_state() if start is None else start.clone()
    points = [before[0] if before else Point(0, "", None, None, grader.win(state))]
    same = True  # whether the earlier story went the same way so far
    for ply, action in enumerate(actions, 1):
        same = same and ply < len(before) and before[ply].action == action
        points.append(before[ply] if same else _point(state, action, ply, grader, graded))
        state.apply_action(action)
    points = [replace(point, stake=1) for point in points]
    lost, luck = _sums(points)
    return Story(tuple(points), lost, luck, grader.truth, grader.judge, grader.scale)


def with_cube(story: Story, start: State, doubles: tuple[Double, ...], judge: CubeJudge) -> Story:
    """The story of a game for money: its cube graded, and everything as often as the cube showed.

    Args:
        story: of the same actions, without the cube.
        start: where the game began.
        doubles: how the cube was turned.
        judge: of the decisions on it.
    """
    points = tuple(replace(p, stake=cube_at(doubles, p.ply - 1)) for p in story.points)
    actions = [p.action for p in points if p.action is not None]
    turns = review_cube(start, actions, doubles, judge)
    graded = replace(story, points=points, doubles=doubles, cube=turns, cube_judge=judge.name)
    lost_on_cube = [
        sum(graded.stake_at(turn) * graded.share_lost(turn) for turn in turns if turn.player == player)
        for player in (0, 1)
    ]
    lost, luck = _sums(points)
    return replace(graded, lost=lost, luck=luck, cube_lost=(lost_on_cube[0], lost_on_cube[1]))


def _sums(points: Sequence[Point]) -> tuple[tuple[float, float], tuple[float, float]]:
    """What the moves of either lost, and what the dice gave either."""
    lost = [sum(p.stake * p.grade.lost for p in points if p.grade and p.player == who) for who in (0, 1)]
    luck = sum(p.stake * p.luck for p in points)
    return (lost[0], lost[1]), (luck, -luck)


def _point(
    state: State, action: int, ply: int, grader: Grader, graded: Callable[[int], Grade | None]
) -> Point:
    player, text = state.current_player(), action_strings(state)[action]
    if is_chance(state):
        wins = grader.rolls(state)
        mean = sum(p * wins[outcome] for outcome, p in outcomes_of(state))
        return Point(ply, text, player, action, wins[action], luck=wins[action] - mean)
    if len(state.legal_actions()) == 1:
        child = state.clone()
        child.apply_action(action)
        return Point(ply, text, player, action, grader.win(child))
    grade = graded(ply - 1) or grader.grade(state, action)
    return Point(ply, text, player, action, grade.win if player == 0 else 1.0 - grade.win, grade)
