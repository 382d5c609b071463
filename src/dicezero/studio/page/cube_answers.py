"""The person's answers to the doubling cube, and the hints and replies on it."""

from __future__ import annotations

import asyncio

from dicezero.studio.page.session_view import SessionView
from dicezero.studio.page.stage import Stage


async def answer_cube(view: SessionView, word: str, stage: Stage, *, pause: float) -> bool:
    """Rolls, doubles, takes or drops; the opponent's answer is shown for ``pause`` seconds.

    True where the game goes on.
    """
    if view.question() is None:
        return False
    view.busy = True
    try:
        reply = await asyncio.to_thread(view.session.answer, word)
    except Exception as error:  # an agent may fail in any way; the game goes on
        view.busy = False
        stage.complain(str(error))
        return False
    if reply:
        stage.say(f"You double: {view.opponent} {reply}.")
        await asyncio.sleep(pause)
    return True


async def advise_cube(view: SessionView, stage: Stage) -> bool:
    """Shows what the judge would answer; False where no decision on the cube is open."""
    doubling = view.session.doubling
    if doubling is None or view.question() is None:
        return False
    try:
        stage.say(await asyncio.to_thread(doubling.advice))
    except Exception as error:  # as above
        stage.complain(f"No hint: {error}")
    return True
