"""A run of an environment, and one of a game that pays more than 1: evaluated, searched, played."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from dicezero.agents.learned import RunAgent
from dicezero.agents.learned_config import RunAgentConfig
from dicezero.cli import main
from dicezero.evaluation.runs import play_config
from dicezero.selfplay.planners import decide
from dicezero.selfplay.states import positions_of

CART = "gymnasium(id=CartPole-v1)"
TINY = (
    "games=3",
    "batch=8",
    "steps=2",
    "simulations=4",
    "play.simulations=4",
    "hidden=8",
    "widths=8,8",
    "unroll=2",
    "max_moves=20",
    "measure_every=0",
)
TOYS = Path(__file__).parents[1] / "evaluation" / "toys.py"


def trained(folder: Path, preset: str, game: str) -> str:
    options = [word for setting in TINY for word in ("--set", setting)]
    words = ["train", preset, "--game", game, "--out", str(folder), "--rounds", "1", *options, "--json"]
    assert main(words) == 0
    return str(folder)


@pytest.fixture(scope="module")
def cart(tmp_path_factory):
    pytest.importorskip("gymnasium")
    return trained(tmp_path_factory.mktemp("alone") / "cart", "gumbel-muzero", CART)


@pytest.fixture(scope="module")
def stakes(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("alone") / "stakes", "gumbel-alphazero", f"{TOYS}:Stakes")


def test_an_environment_is_evaluated_by_what_it_pays(run, refused, cart):
    words = ("evaluate", cart, "--games", "6")
    data = run(*words, "--json").data
    low, high = data["mean_return_ci95"]
    assert low <= data["mean_return"] <= high
    assert data["mean_length"] == data["mean_return"]  # a step pays 1
    assert data["least_return"] <= data["mean_return"] <= data["greatest_return"]
    assert data == run(*words, "--json").data
    assert "6 episodes" in run(*words).out
    assert "has one player; leave --opponent out" in refused(*words, "--opponent", "random")
    assert "its states cannot be branched" in refused("evaluate", cart, "--exact")
    assert "top_move" in run("evaluate", cart, "--dynamics", "--games", "3", "--json").data


def test_an_environment_is_searched_and_watched(run, cart, tmp_path, monkeypatch):
    agent, game = f'run(path="{cart}")', ("--game", CART)
    tree = tmp_path / "tree.json"
    data = run("search", agent, *game, "--json", "--tree", str(tree)).data
    assert data["action_string"] in data["visits"]
    line = data["principal_variation"]
    assert line[0] == data["action_string"]
    assert set(line) <= {"0", "1"}  # CartPole's actions, as far as the model was asked
    assert 1 <= len(line) <= 4
    assert tree.is_file()
    assert " got " in run("play", agent, *game, "--seat", "1", "--seed", "2").out.splitlines()[-1]
    monkeypatch.setattr(sys, "stdin", io.StringIO("hint\nquit\n"))
    assert "would play" in run("play", agent, *game, "--seed", "2").out


def test_an_episode_is_filmed(run, refused, cart, stakes, tmp_path, monkeypatch):
    pytest.importorskip("pygame")
    image = pytest.importorskip("PIL.Image")
    film = tmp_path / "cart.gif"
    data = run("evaluate", cart, "--games", "2", "--gif", str(film), "--json").data
    with image.open(film) as opened:
        assert opened.size == (300, 200)
        shown = 0.0  # milliseconds; equal pictures are one that is shown for longer
        for number in range(opened.n_frames):
            opened.seek(number)
            shown += opened.info["duration"]
        assert shown == 20 * (data["gif_return"] + 1)  # 50 steps a second, each pays 1; and the start
    watched = tmp_path / "watched.gif"
    out = run("play", f'run(path="{cart}")', "--seat", "1", "--seed", "0", "--gif", str(watched)).out
    assert f"filmed: {watched}, {int(data['gif_return']) + 1} pictures" in out.replace("\n", " ")
    assert watched.read_bytes() == film.read_bytes()
    assert "must end in .gif" in refused("evaluate", cart, "--games", "1", "--gif", "film.mp4")
    nowhere = refused("evaluate", cart, "--games", "1", "--gif", str(tmp_path / "no" / "f.gif"))
    assert "there is no folder" in nowhere
    words = ("evaluate", stakes, "--game", f"{TOYS}:Stakes", "--games", "2", "--gif", str(tmp_path / "s.gif"))
    assert "films environments" in refused(*words)
    assert not (tmp_path / "s.gif").exists()
    monkeypatch.setitem(sys.modules, "pygame", None)
    assert 'pip install "dicezero[control]"' in refused("evaluate", cart, "--games", "1", "--gif", str(film))


def test_what_is_taken_back_is_cut_out_of_the_film(run, tmp_path, monkeypatch):
    pytest.importorskip("pygame")
    image = pytest.importorskip("PIL.Image")
    film = tmp_path / "mine.gif"
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n1\nundo\n" + "2\n" * 40))
    run("play", "random", "--game", CART, "--seed", "2", "--gif", str(film))
    with image.open(film) as opened:
        pictures = opened.n_frames
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" + "2\n" * 40))
    run("play", "random", "--game", CART, "--seed", "2", "--gif", str(tmp_path / "same.gif"))
    assert film.read_bytes() == (tmp_path / "same.gif").read_bytes()
    assert 8 < pictures < 20


def test_values_are_in_the_games_units(run, stakes):
    data = run("search", f'run(path="{stakes}")', "--game", f"{TOYS}:Stakes", "--json").data
    from dicezero.cli.load import load

    game = load(f"{TOYS}:Stakes")
    agent = RunAgent("run", game, RunAgentConfig(stakes))
    assert agent.run.config.preset.play.value_scale == 4.0
    positions = positions_of(game, agent.run.spec, [game.new_initial_state()])
    config = play_config(agent.run.config.preset)
    assert config is not None
    plain = decide(agent.run.planner, positions, config, np.zeros(1, np.uint64), noise=False)
    assert data["value"] == pytest.approx(4.0 * float(plain.value[0]), rel=1e-5)
    for action, name in enumerate(("take", "gamble")):
        assert data["action_values"][name] == pytest.approx(4.0 * float(plain.q[0, action]), rel=1e-5)
