"""MinAtar, LunarLander and pictures: episodes by seed, what is stored, what is drawn, what is missing."""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dicezero import load_game
from dicezero.agents import make_agent
from dicezero.evaluation.alone import play_episodes
from dicezero.rules import check_game
from dicezero.rules.errors import GameError
from dicezero.rules.extras import lacking
from dicezero.rules.frames import frame_picture, png
from dicezero.rules.spec import ObservationSpec, spec_of
from dicezero.selfplay.states import positions_of


@pytest.mark.parametrize("name", ["Breakout-v1", "Asterix-v0", "SpaceInvaders-v1"])
def test_minatar_episodes_are_functions_of_their_seeds(name: str):
    """MinAtar's own reset keeps the last action of the episode before, which a sticky one then repeats."""
    pytest.importorskip("minatar")
    report = check_game(load_game(f"gymnasium(id=MinAtar/{name})"), games=15, max_moves=5_000)
    assert report.passed, report


def test_minatar_planes_are_a_byte_each_and_a_network_sees_0_and_1():
    pytest.importorskip("minatar")
    game = load_game("gymnasium(id=MinAtar/Breakout-v1)")
    spec = spec_of(game)
    seen = spec.observation
    assert seen is not None
    assert (seen.shape, seen.dtype, seen.layout) == ((4, 10, 10), "uint8", "planes")
    state: Any = game.new_initial_state(seed=0)  # type: ignore[call-arg]
    shown = positions_of(game, spec, [state]).observation
    assert set(np.unique(shown)) == {0.0, 1.0}
    assert shown.sum() == 1 + 1 + 1 + 30  # paddle, ball, trail, three rows of bricks
    assert [state.action_to_string(0, action) for action in range(3)] == ["stay", "left", "right"]
    assert state.render().shape == (160, 160, 3)


def test_minatar_episodes_are_played_to_their_own_end():
    """Freeway lasts 2,501 steps; a thousand, where nobody has a limit, would be two fifths of its score."""
    pytest.importorskip("minatar")
    game = load_game("gymnasium(id=MinAtar/Freeway-v1)")
    played = play_episodes(game, make_agent("random", game), episodes=1, seed=0)
    assert (played.mean_length, played.truncated) == (2_501, 0)
    assert spec_of(game).max_length == 10_000  # for games that good play never ends
    shorter = load_game("gymnasium(id=MinAtar/Freeway-v1,max_episode_steps=20)")
    cut = play_episodes(shorter, make_agent("random", shorter), episodes=1, seed=0)
    assert (cut.mean_length, cut.truncated) == (20, 1)


def test_lunar_lander_is_played_and_drawn():
    pytest.importorskip("Box2D")
    pytest.importorskip("pygame")
    game = load_game("gymnasium(id=LunarLander-v3)")
    assert check_game(game, games=3).passed
    state: Any = game.new_initial_state(seed=1)  # type: ignore[call-arg]
    while not state.is_terminal():
        state.apply_action(0)
    picture = state.render()  # of the last step, too
    assert picture.shape == (400, 600, 3)
    assert picture.std() > 10


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("gymnasium(id=MinAtar/Breakout-v1)", "minatar", "control"),
        ("gymnasium(id=ALE/Pong-v5)", "ale_py", "atari"),
    ],
)
def test_a_missing_package_is_one_line(name: str, module: str, extra: str, monkeypatch):
    pytest.importorskip("gymnasium")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(GameError) as raised:
        load_game(name)
    assert f'pip install "dicezero[{extra}]"' in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_box2d_is_one_line(monkeypatch):
    pytest.importorskip("gymnasium")
    for module in [name for name in sys.modules if name.startswith("gymnasium.envs.box2d")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "Box2D", None)
    with pytest.raises(GameError, match=r'pip install "dicezero\[control\]"'):
        load_game("gymnasium(id=LunarLander-v3)")
    assert lacking("x", ValueError("no Box2D")) is None


def test_an_unknown_id_of_a_known_namespace_has_a_hint():
    pytest.importorskip("minatar")
    with pytest.raises(GameError, match="did you mean MinAtar/Breakout-v1"):
        load_game("gymnasium(id=MinAtar/Brakout-v1)")


@settings(max_examples=30, deadline=None)
@given(arrays.arrays(np.uint8, st.tuples(st.integers(1, 20), st.integers(1, 20), st.just(3))))
def test_png_is_read_back_by_others(picture: Any):
    image = pytest.importorskip("PIL.Image")
    assert np.array_equal(np.asarray(image.open(io.BytesIO(png(picture)))), picture)


def test_what_is_seen_is_drawn():
    planes = np.zeros((2, 4, 4), np.uint8)
    planes[0, 0, 0] = planes[1, 3, 3] = 255
    drawn = frame_picture(ObservationSpec((2, 4, 4), "uint8", "planes"), planes)
    assert drawn is not None
    assert drawn.shape == (160, 160, 3)
    assert drawn[0, 0].any()
    assert drawn[-1, -1].any()
    assert tuple(drawn[0, 0]) != tuple(drawn[-1, -1])
    assert not drawn[80, 80].any()
    grey = frame_picture(
        ObservationSpec((1, 2, 2), "uint8", "image"), np.array([[[0, 255], [7, 8]]], np.uint8)
    )
    assert grey is not None
    assert [tuple(grey[y, x]) for y, x in ((0, 0), (0, 159), (159, 0))] == [(0,) * 3, (255,) * 3, (7,) * 3]
    assert frame_picture(ObservationSpec((4,)), np.zeros(4, np.float32)) is None


def test_notebooks_and_the_studio_are_shown_the_picture():
    pytest.importorskip("minatar")
    from dicezero.studio.page.boards.plain import plain
    from dicezero.studio.page.boards.view import View

    state: Any = load_game("gymnasium(id=MinAtar/Breakout-v1)").new_initial_state(seed=0)  # type: ignore[call-arg]
    drawn = state.to_svg()
    assert drawn.startswith("<svg")
    assert "data:image/png;base64," in drawn
    page = plain(state, View(moves={0: "stay"}))
    assert 'src="data:image/svg+xml;base64,' in page
    assert "complaint" not in page
    cart: Any = load_game("gymnasium(id=CartPole-v1)").new_initial_state(seed=0)  # type: ignore[call-arg]
    assert cart.to_svg().startswith("<svg")  # a picture, or words where pygame is missing
