"""The doubling cube of a game in words: in the list of moves, on the curve, and when the game is over."""

from __future__ import annotations

from html import escape

from dicezero.agents.base import roller
from dicezero.evaluation.cube_review import CubeAction, CubeTurn, cube_at
from dicezero.studio.grading import mark_of
from dicezero.studio.page.words import NOTHING, TONES, VERDICTS, Verdict, account_line, count
from dicezero.studio.session import Session
from dicezero.studio.story import Story

_PLAYED: dict[CubeAction, str] = {
    "no double": "Rolled without doubling",
    "double": "Doubled",
    "take": "Took the double",
    "pass": "Dropped the double",
}
_BETTER: dict[CubeAction, str] = {
    "no double": "rolling without a double",
    "double": "doubling",
    "take": "taking",
    "pass": "dropping",
}
_ROWS: dict[CubeAction, str] = {
    "no double": "rolls",
    "double": "doubles to {}",
    "take": "takes",
    "pass": "drops",
}


def cube_mark(story: Story, turn: CubeTurn) -> str:
    """The sign of a decision: as of a move that loses as much of the range."""
    return mark_of(story.share_lost(turn))


def cube_rows(session: Session, story: Story | None) -> dict[int, list[str]]:
    """Rows for the list of moves, by how many actions there were: doubles, answers, and doubles missed.

    What was decided is there at once; its mark when it has been judged.
    """
    if session.doubling is None:
        return {}
    rows: dict[int, list[str]] = {}
    judged = {(turn.place, turn.played): turn for turn in story.cube or ()} if story else {}
    for double in session.doubles:
        player = roller(session.table.position(double.place))
        stake = cube_at(session.doubles, double.place - 1)
        answer: CubeAction = "take" if double.taken else "pass"
        for who, played in ((player, "double"), (1 - player, answer)):
            turn = judged.get((double.place, played))  # type: ignore[arg-type]
            mark = cube_mark(story, turn) if story and turn else ""
            text = _ROWS[played].format(2 * stake)  # type: ignore[index]
            rows.setdefault(double.place, []).append(_row(double.place, who, text, mark))
    for turn in judged.values():
        mark = cube_mark(story, turn) if story else ""
        if turn.played == "no double" and mark:
            rows.setdefault(turn.place, []).append(_row(turn.place, turn.player, "no double", mark))
    return rows


def _row(place: int, player: int, text: str, mark: str) -> str:
    sign = f'<b class="{TONES[mark]}">{mark}</b>' if mark else ""
    return (
        f'<button type="button" class="ply cube-ply p{player}" data-ply="{place}">'
        f'<i aria-hidden="true"></i>{escape(text)}{sign}</button>'
    )


def cube_signs(story: Story, seat: int) -> dict[int, str]:
    """The marks of a player's decisions on the cube, by how many actions there were."""
    turns = [turn for turn in story.cube or () if turn.player == seat]
    return {turn.place: mark for turn in turns if (mark := cube_mark(story, turn))}


def cube_notes(story: Story) -> dict[int, str]:
    """What was done with the cube, by how many actions there were: ``doubled to 2, taken``."""
    stakes = {double.place: 2 * cube_at(story.doubles, double.place - 1) for double in story.doubles}
    answers = {double.place: "taken" if double.taken else "dropped" for double in story.doubles}
    return {place: f"doubled to {stake}, {answers[place]}" for place, stake in stakes.items()}


def last_turn(story: Story, seat: int, *, before: int) -> CubeTurn | None:
    """The last decision of the person's with fewer than ``before`` actions that deserves a verdict.

    To roll on where that is right is none.
    """
    turns = [turn for turn in story.cube or () if turn.player == seat and turn.place < before]
    graded = [turn for turn in turns if turn.played != "no double" or cube_mark(story, turn)]
    return graded[-1] if graded else None


def cube_verdict(story: Story, turn: CubeTurn) -> Verdict:
    """The verdict on a decision, in the form of a move's."""
    lost, mark = story.share_lost(turn), cube_mark(story, turn)
    if lost < NOTHING:
        title = {"double": "Good double", "take": "Good take", "pass": "Good drop"}.get(turn.played, "Right")
        return Verdict(title, f"Nothing lost against {story.cube_judge}.", "good")
    loss = story.scale.times(story.stake_at(turn)).difference(lost)
    sentence = f"{loss} lost against {story.cube_judge}; {_BETTER[turn.best]} was better."
    title = VERDICTS[mark].replace("move", "decision")
    return Verdict(f"{title} {mark}".strip(), sentence, TONES[mark])


def played_words(turn: CubeTurn) -> str:
    """What was decided: ``Took the double``."""
    return _PLAYED[turn.played]


def cube_account_line(story: Story, seat: int, opponent: str) -> str:
    """What both gave away on the cube, at the end of a game."""
    mine = [turn for turn in story.cube or () if turn.player == seat]
    return account_line(
        [story.scale.difference(lost) if lost >= NOTHING else "" for lost in story.cube_lost],
        seat,
        opponent,
        decided=f"You decided {count(len(mine), 'time')}",
        decisions=f"Your {count(len(mine), 'decision')}",
        marked=sum(bool(cube_mark(story, turn)) for turn in mine),
    )
