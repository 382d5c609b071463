"""Runs of games that the studio does not list by itself: other sizes, games for one, environments."""

from __future__ import annotations

import pytest
from made_run import make_run

from dicezero.rules import GameError
from dicezero.studio import messages as m
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.service import Service


@pytest.fixture
def service(tmp_path):
    """A studio with a run of the game asked for."""
    halls = []

    def make(game: str, preset: str) -> Service:
        make_run(tmp_path / "run", rounds=1, game=game, preset=preset)
        halls.append(Hall(Catalog([tmp_path])))
        return Service(halls[-1])

    yield make
    for hall in halls:
        hall.shutdown()


@pytest.mark.parametrize(
    ("game", "preset", "package"),
    [
        ("breakthrough(columns=5,rows=5)", "gumbel-alphazero", "pyspiel"),
        ("2048", "gumbel-ndmz", "dicezero"),
        ("gymnasium(id=CartPole-v1)", "gumbel-muzero", "gymnasium"),
    ],
)
def test_a_run_of_any_game_is_an_opponent_or_an_adviser(service, game, preset, package):
    pytest.importorskip(package)
    studio = service(game, preset)
    (run,) = studio.runs().runs
    offered = {offer.name: offer for offer in studio.offers(run.game).games}
    name = run.game if run.game in offered else run.game.partition("(")[0]
    players = offered[name].players
    assert players == (2 if package == "pyspiel" else 1)
    ids = [opponent.id for opponent in studio.offers(run.game).opponents]
    assert f"{run.id}@1" in ids
    table = studio.new(m.NewGame(game=run.game, opponent=run.id, seat=0, seed=3, simulations=4))
    assert table.legal
    found = studio.analyse(table.id, m.Analyse(agent=run.id, simulations=4))
    assert found.action in [move.action for move in table.legal]
    for _ in range(3):
        if not table.over:
            table = studio.move(table.id, m.Move(move=table.legal[0].action))
    watched = studio.new(m.NewGame(game=run.game, opponent=run.id, seat=1, seed=3, simulations=4))
    moves = [event for event in watched.events if event.kind != "roll"]
    assert len(moves) == 1  # of the opponent that begins, or of the agent that is watched
    assert (players == 2) == bool(watched.legal)


def test_a_size_that_no_run_has_learned_is_refused(service):
    pytest.importorskip("pyspiel")
    studio = service("breakthrough(columns=5,rows=5)", "gumbel-alphazero")
    with pytest.raises(GameError, match="takes no parameters here"):
        studio.new(m.NewGame(game="breakthrough(columns=6,rows=5)", opponent="random"))
