"""What the person says to the doubling cube, and what is said to them about it."""

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
        told = await asyncio.to_thread(view.session.answer, word)
    except Exception as error:  # an agent may fail in any way; the game goes on
        view.busy = False
        stage.complain(str(error))
        return False
    if told:
        stage.say(f"You double: {view.opponent} {told}.")
        await asyncio.sleep(pause)
    return True


async def advise_cube(view: SessionView, stage: Stage) -> bool:
    """Says what the judge would answer; False where nothing is asked about the cube."""
    doubling = view.session.doubling
    if doubling is None or view.question() is None:
        return False
    try:
        stage.say(await asyncio.to_thread(doubling.advice))
    except Exception as error:  # as above
        stage.complain(f"No hint: {error}")
    return True
