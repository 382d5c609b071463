"""Grades and stories in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dicezero.studio.doubling import CubeQuestion
from dicezero.studio.grading import Advice, Grade
from dicezero.studio.scale import Scale
from dicezero.studio.story import Story

VERDICTS = {"": "Good move", "?!": "Inaccuracy", "?": "Mistake", "??": "Blunder"}
TONES = {"": "good", "?!": "fair", "?": "bad", "??": "awful"}  # a class of the style sheet each
NOTHING = 0.0005  # less than this is shown as nothing
_WINS = Scale()


@dataclass(frozen=True)
class Verdict:
    """A grade for the eye: title, sentence and the class that colours it."""

    title: str
    sentence: str
    tone: str


def percent(share: float, *, sign: bool = False) -> str:
    """A probability as a person reads it: 3.1 %."""
    number = f"{100 * share:+.1f}" if sign else f"{100 * share:.1f}"
    return f"{number} %".replace("-", "\u2212")


def verdict(grade: Grade, *, best: str, judge: str = "perfect play", scale: Scale = _WINS) -> Verdict:
    """The verdict on a move; ``best`` is the better move's name, ``judge`` who grades it."""
    if grade.lost < NOTHING:
        return Verdict("Best move", f"Nothing lost against {judge}.", "good")
    sentence = f"{scale.difference(grade.lost)} lost against {judge}; {best} was better."
    return Verdict(f"{VERDICTS[grade.mark]} {grade.mark}".strip(), sentence, TONES[grade.mark])


def result_line(returns: tuple[float, ...], seat: int) -> str:
    """How it ended, for the person; alone there is nothing but a number."""
    if len(returns) == 1:
        return f"{'You' if seat == 0 else 'It'} got {returns[0]:g}."
    mine = returns[seat]
    words = "You won" if mine > 0 else "You lost" if mine < 0 else "A draw"
    return f"{words}." if abs(mine) in (0.0, 1.0) else f"{words} {abs(mine):g} points."


def cube_line(asked: CubeQuestion, opponent: str) -> str:
    """What is asked about the cube."""
    if "take" in asked.answers:
        return f"{opponent} doubles to {2 * asked.stake}: take, or drop?"
    return "Your turn: roll, or double first?"


def skill_line(story: Story, seat: int, opponent: str) -> str:
    """What the moves of both gave away."""
    mine = [p.grade for p in story.points if p.player == seat and p.grade is not None]
    return account_line(
        [story.scale.difference(lost) if lost >= NOTHING else "" for lost in story.lost],
        seat,
        opponent,
        decided=f"You chose {count(len(mine), 'move')}",
        decisions=f"Your {count(len(mine), 'choice')}",
        marked=sum(1 for grade in mine if grade.mark),
    )


def account_line(
    lost: Sequence[str], seat: int, opponent: str, *, decided: str, decisions: str, marked: int
) -> str:
    """What both gave away, ``lost`` by each player in words or "" for nothing; ``marked`` of the person's."""
    mine, theirs = lost[seat], lost[1 - seat] or "nothing"
    own = f"{decisions} gave away {mine} ({marked} marked)" if mine else f"{decided} and gave nothing away"
    return f"{own}; {opponent} gave away {theirs}."


def luck_line(story: Story, seat: int) -> str:
    """What the dice gave."""
    gift = story.luck[seat]
    if not _dice(story):
        return "There were no dice: nothing but moves decided it."
    if abs(gift) < NOTHING:
        return "The dice favoured nobody."
    whom = "you" if gift > 0 else "your opponent"
    return f"The dice rolled better than average for {whom}: worth {story.scale.difference(abs(gift))}."


def summary_line(story: Story, seat: int, returns: tuple[float, ...]) -> str:
    """Which of the two decided, in one sentence."""
    lost = [story.lost[player] + story.cube_lost[player] for player in (0, 1)]
    skill = lost[1 - seat] - lost[seat]
    luck = story.luck[seat]
    mine = returns[seat]
    if mine == 0:
        return "Nobody got ahead."
    if not _dice(story) and story.truth != "solved":  # an estimate may have it otherwise; the moves decided
        return "You won by playing better." if mine > 0 else "You were outplayed."
    if mine > 0:
        if skill >= luck or not _dice(story):
            return "You won by playing better." if skill > NOTHING else "You won from the first move on."
        return "You were lucky." if skill <= NOTHING else "You were lucky, and you played better too."
    if skill <= luck or not _dice(story):
        return "You were outplayed." if skill < -NOTHING else "The first move decided."
    return (
        "The dice were against you."
        if skill >= -NOTHING
        else "The dice were against you, and you were outplayed too."
    )


def _dice(story: Story) -> bool:
    return any(point.player == -1 for point in story.points)


def count(number: int, one: str, plural: str = "s") -> str:
    """So many of them: ``1 move``, ``2 moves``."""
    return f"{number} {one}" if number == 1 else f"{number} {one}{plural}"


def judge_line(story: Story) -> str:
    """Who judged, and how far that can be trusted."""
    cube = f" The cube was judged by {story.cube_judge}." if story.cube_judge not in ("", story.judge) else ""
    if story.truth == "solved":
        return f"Judged by perfect play: exact.{cube}"
    return f"Judged by {story.judge}: an estimate.{cube}"


def advice_line(advice: Advice, names: dict[int, str], scale: Scale, *, adviser: str = "") -> str:
    """A hint in one sentence: the move, its judge, its value; alone from an ``adviser``."""
    move = names.get(advice.action, str(advice.action))
    if adviser:
        worth = f" and expects {advice.win:.4g} from here" if advice.win else ""
        shares = [f"{names[a]} {100 * share:.0f} %" for a, share in advice.favourites if a in names]
        chose = len({share for _, share in advice.favourites}) > 1  # a random agent prefers nothing
        searched = f" Its search went to: {', '.join(shares)}." if chose else ""
        return f"{adviser} would play {move}{worth}.{searched}".replace(" %", "\u00a0%")
    worth = scale.of_share(advice.win)
    same = [a for a, _ in advice.favourites[1:] if abs(advice.wins.get(a, -1.0) - advice.win) < NOTHING]
    near = [a for a, _ in advice.favourites[1:] if a not in same]
    words = {a: f"{names[a]} ({scale.of_share(advice.wins[a])})" for a in near if a in advice.wins}
    more = f" As good: {', '.join(names[a] for a in same if a in names)}." if same else ""
    more += f" Close: {', '.join(words.get(a, names[a]) for a in near if a in names)}." if near else ""
    unit = "expected points" if scale.points else "chance of winning"
    return f"{move}: {worth} {unit}, says {advice.judge}.{more}".replace(" %", "\u00a0%")
