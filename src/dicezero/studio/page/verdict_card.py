"""The card beside the board: what the last decision was worth, and when a game is over what decided it."""

from __future__ import annotations

from html import escape

from dicezero.studio.grading import Grade
from dicezero.studio.page.cube_words import (
    cube_account_line,
    cube_mark,
    cube_verdict,
    last_turn,
    played_words,
)
from dicezero.studio.page.session_view import SessionView
from dicezero.studio.page.watched import watched_card
from dicezero.studio.page.words import (
    Verdict,
    judge_line,
    luck_line,
    result_line,
    skill_line,
    summary_line,
    verdict,
)


def verdict_card(view: SessionView) -> str:
    """The grade of the person's last move or decision on the cube that is on the board."""
    until = len(view.session.table.actions) if view.shown is None else view.shown
    moves = {ply: grade for ply, grade in _grades(view).items() if ply <= until}
    last = max(moves, default=0)
    turn = None if view.story is None else last_turn(view.story, view.seat, before=until + 1)
    if view.story is not None and turn is not None and turn.place >= last:
        verdict, mark = cube_verdict(view.story, turn), cube_mark(view.story, turn)
        return _grade(verdict, played_words(turn), mark, ply=turn.place)
    if last:
        return _of_move(view, last, moves[last])
    table = view.session.table
    if table.watching and view.shown is None and table.thought is not None:
        return watched_card(table.thought)
    title = "Watch" if table.watching else "Make a move"
    words = "Each of your moves is graded here." if view.session.graded else "Ask for a hint if you like."
    if view.session.graded and any(ply.player == view.seat for ply in view.plies()[:until]):
        title, words = "Judging \u2026", "Your move is compared with the others you had."
    return f'<div class="grade none"><h2>{title}</h2><p>{words}</p></div>'


def _grades(view: SessionView) -> dict[int, Grade]:
    """Those of the person's moves, by ply: of the story, and what is ready before it has come so far."""
    points = view.story.points if view.story is not None else ()
    grades = {p.ply: p.grade for p in points if p.player == view.seat and p.grade is not None}
    return grades | {place + 1: grade for place, grade in view.session.grades().items()}


def _of_move(view: SessionView, ply: int, grade: Grade) -> str:
    state = view.session.table.position(ply - 1)
    name, best = (state.action_to_string(view.seat, a) for a in (view.plies()[ply - 1].action, grade.best))
    doubling = view.session.doubling
    scale = view.scale if doubling is None else view.scale.times(doubling.at(ply).value)
    return _grade(verdict(grade, best=best, judge=view.session.judge, scale=scale), name, grade.mark, ply=ply)


def _grade(verdict: Verdict, what: str, mark: str, *, ply: int) -> str:
    return (
        f'<div class="grade {verdict.tone}" data-ply="{ply}" data-mark="{mark}">'
        f"<h2>{escape(verdict.title)}</h2>"
        f"<p><b>{escape(what)}:</b> {escape(verdict.sentence)}</p></div>"
    )


def end_card(view: SessionView) -> str:
    """Result, skill and luck separately, once the game is over and graded to its end; "" before."""
    table, story = view.session.table, view.story
    returns = view.session.returns
    if returns is not None and view.alone and view.shown is None:
        moves = len([ply for ply in view.plies() if ply.player >= 0])
        last = watched_card(table.thought) if table.watching and table.thought is not None else ""
        return (
            f'<div class="grade end good"><h2>{escape(result_line(returns, view.seat))}</h2>'
            f"<p>In {moves} moves.</p></div>{last}"
        )
    if returns is None or story is None or view.shown is not None or story.script != view.session.script:
        return ""
    tone = "good" if returns[view.seat] > 0 else "awful" if returns[view.seat] < 0 else "fair"
    rows = [
        ("Skill", skill_line(story, view.seat, view.opponent)),
        ("Luck", luck_line(story, view.seat)),
    ]
    if story.cube is not None:
        rows.insert(1, ("Cube", cube_account_line(story, view.seat, view.opponent)))
    words = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in rows)
    return (
        f'<div class="grade end {tone}"><h2>{escape(result_line(returns, view.seat))}</h2>'
        f"<p>{escape(summary_line(story, view.seat, returns))}</p><dl>{words}</dl>"
        f'<p class="none">{escape(judge_line(story))}</p></div>'
    )
