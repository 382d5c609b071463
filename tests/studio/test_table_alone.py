"""Tables of games for one: played with an adviser or watched, environments among them."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from dicezero.agents import make_agent
from dicezero.rules import load_game
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.page.rules_card import rules_html
from dicezero.studio.page.win_chart import total_options
from dicezero.studio.table import Table

sys.path.append(str(Path(__file__).parents[1] / "evaluation"))
from toys import Climb


def cart(**given: int) -> Table:
    pytest.importorskip("gymnasium")
    game = load_game("gymnasium(id=CartPole-v1)")
    return Table(game, make_agent("random", game), **{"seat": 0, "seed": 3, **given})  # type: ignore[arg-type]


def test_the_card_of_an_environment_says_what_its_buttons_do():
    pytest.importorskip("gymnasium")
    name = "gymnasium(id=CartPole-v1)"
    card = rules_html(name, Catalog([], games={name: load_game(name)}))
    assert "each button is an action" in card
    assert "Args:" not in card


def test_alone_the_agent_advises_and_never_moves():
    game = Climb()
    table = Table(game, make_agent("uct(simulations=50)", game), seat=0, seed=1)
    assert table.advance() is None
    assert table.hint().action in table.legal()
    table.play(1)
    while table.advance() is not None:
        pass
    assert table.over or list(table.legal()) == [0, 1]
    assert table.undo()
    assert table.actions == ()


def test_from_the_seat_that_is_not_there_the_agent_is_watched():
    game = Climb()
    table = Table(game, make_agent("random", game), seat=1, seed=1)
    assert table.watching
    events = []
    while (event := table.advance()) is not None:
        events.append(event)
    assert table.over
    assert {event.player for event in events if event.kind != "roll"} == {0}
    assert table.returns == (float(sum(e.kind == "move" and e.action == 1 for e in events)),)


def test_an_environment_is_played_and_taken_back():
    table = cart()
    first = str(table.position())
    for _ in range(3):
        table.play(1)
    moved = str(table.position())
    assert str(table.position(0)) == first
    assert table.undo()
    assert len(table.actions) == 2
    table.play(1)
    assert str(table.position()) == moved  # the same seed and moves, the same episode
    while not table.over:
        table.play(1)
    assert table.returns == (float(len(table.actions)),)
    assert table.totals == [float(step) for step in range(1, len(table.actions) + 1)]  # after each of them
    assert table.legal() == {}
    with pytest.raises(ValueError, match="the game is over"):
        table.play(0)


def test_a_session_for_one_is_not_graded():
    hall = Hall(Catalog(games={"climb": Climb()}))
    try:
        session = hall.open("climb", "random", seat=0, seed=1)
        session.play(1)
        assert session.grades() == {}
        with pytest.raises(ValueError, match="win probability is for games of two"):
            session.story()
        watched = hall.open("climb", "random", seat=1, seed=5)
        assert [event.kind for event in watched.settle() if event.player == 0] in (["move"], ["forced"])
    finally:
        hall.shutdown()


def test_what_a_watched_agent_thought_is_told():
    from dicezero.studio.page.watched import watched_card

    game = Climb()
    table = Table(game, make_agent("uct(simulations=50)", game), seat=1, seed=1)
    assert table.thought is None
    while (event := table.advance()) is not None and event.kind != "move":
        assert table.thought is None
    thought = table.thought
    assert event is not None
    assert thought is not None
    assert (thought.ply, thought.result.action) == (len(table.actions), event.action)
    assert thought.result.value == event.value
    assert sorted(thought.names) == [0, 1]
    card = watched_card(thought)
    assert f"<h2>{event.text}</h2>" in card
    assert card.count("%</td>") == 2
    assert thought.plan[0] == event.text
    assert f"plan: {' '.join(thought.plan)}" in card
    assert f"Expects {event.value:.3g} from here on." in card
    table.go_to(table.actions[:-1])
    assert table.thought is None


def test_the_chart_forgets_the_position_that_was_looked_at():
    """A key that is left out of a chart's options keeps what it said before."""
    marks = [
        total_options(["up"], [2.0], shown=shown)["series"][0]["markLine"]["data"] for shown in (1, None)
    ]
    assert [len(one) for one in marks] == [1, 0]


def test_nothing_lost_is_not_written_with_a_sign(monkeypatch):
    table = Table(Climb(), make_agent("random", Climb()), seat=0, seed=1)
    ended = SimpleNamespace(is_terminal=lambda: True, returns=lambda: [-0.0])
    monkeypatch.setattr(table, "position", lambda: ended)
    assert [f"{paid:g}" for paid in table.returns or ()] == ["0"]
