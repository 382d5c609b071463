"""What is asked for while the page is busy is done afterwards, in its order."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from dicezero.studio.page.wishes import MOST, Wishes


@pytest.fixture
def view():
    return SimpleNamespace(busy=True, advising=False, shown=None, session=SimpleNamespace(script=("a",)))


def granted(wishes, view):
    view.busy = view.advising = False
    asyncio.run(wishes.grant(view))


def test_every_wish_is_granted_in_its_order(view):
    done, wishes = [], Wishes()
    for word in ("back", "back", "undo"):
        assert wishes.keep(view, lambda word=word: done.append(word))
    assert done == []
    granted(wishes, view)
    assert done == ["back", "back", "undo"]
    granted(wishes, view)
    assert len(done) == 3


def test_nothing_waits_where_nothing_is_at_work(view):
    view.busy, wishes = False, Wishes()
    assert not wishes.keep(view, lambda: pytest.fail("it was to be done by who asked"))
    granted(wishes, view)


def test_a_wish_that_makes_the_page_busy_lets_the_next_one_wait(view):
    done, wishes = [], Wishes()

    async def undo():
        done.append("undo")
        view.advising = True

    wishes.keep(view, undo)
    wishes.keep(view, undo)
    granted(wishes, view)
    assert done == ["undo"]
    granted(wishes, view)
    assert done == ["undo", "undo"]


def test_a_move_is_of_the_position_it_was_made_in(view):
    done, wishes = [], Wishes()
    view.busy, view.advising = False, True
    wishes.keep(view, lambda: done.append("move"), here=True)
    wishes.keep(view, lambda: done.append("hint"))
    view.session.script = ("a", "b")
    granted(wishes, view)
    assert done == ["hint"]


def test_a_key_held_down_is_not_meant_for_ever_and_another_game_begins_anew(view):
    done, wishes = [], Wishes()
    for _ in range(3 * MOST):
        wishes.keep(view, lambda: done.append("back"))
    granted(wishes, view)
    assert len(done) == MOST
    view.busy = True
    wishes.keep(view, lambda: done.append("old"))
    wishes.forget()
    granted(wishes, view)
    assert len(done) == MOST
