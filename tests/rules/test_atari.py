"""Atari: frames as ale-py's own vector environment makes them, episodes by seed, every option, mistakes."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import load_game
from dicezero.evaluation.alone import play_episodes
from dicezero.rules import atari
from dicezero.rules.atari import AtariConfig, AtariEnvironment
from dicezero.rules.atari_scores import HUMAN_SCORES
from dicezero.rules.errors import GameError
from dicezero.rules.spec import spec_of

pytest.importorskip("ale_py")


@pytest.mark.parametrize(("game", "greys"), [("pong", 0), ("ms_pacman", 1), ("beam_rider", 1)])
def test_frames_are_those_of_ales_vector_environment(game: str, greys: int):
    """It rounds halves the other way: a grey level apart at the most. Rewards and ends are the same."""
    vector = pytest.importorskip("ale_py.vector_env").AtariVectorEnv(
        game, num_envs=1, noop_max=0, use_fire_reset=False, reward_clipping=False
    )
    ours = AtariEnvironment(AtariConfig(game, sticky=0.0))
    rng = np.random.default_rng(0)
    theirs, _ = vector.reset(seed=0)
    seen, _ = ours.reset(seed=0)
    for _ in range(150):
        assert np.abs(theirs[0, -1].astype(int) - seen.astype(int)).max() <= greys
        action = int(rng.integers(ours.action_space.n))
        theirs, paid, over, _, _ = vector.step(np.array([action]))
        seen, reward, ended, _, _ = ours.step(action)
        assert (paid[0], over[0]) == (reward, ended)
    vector.close()


@settings(max_examples=20, deadline=None)
@given(st.integers(8, 128), st.integers(0, 2**32))
def test_shrinking_is_the_mean_over_areas(size: int, seed: int):
    picture = np.random.default_rng(seed).integers(0, 256, (210, 160), dtype=np.uint8)

    def shares(length: int) -> Any:
        left, start = np.arange(length)[None], np.arange(size)[:, None] * length / size
        return np.clip(np.minimum(start + length / size, left + 1) - np.maximum(start, left), 0, None)

    mean = shares(210) @ picture @ shares(160).T * size * size / (210 * 160)
    assert np.abs(atari._Shrink(210, 160, size)(picture) - mean).max() <= 0.5 + 1e-9


def played(game: Any, seed: int, steps: int = 30) -> tuple[Any, list[float]]:
    state, rng = game.new_initial_state(seed=seed), np.random.default_rng(1)
    for _ in range(steps):
        state.apply_action(int(rng.integers(game.num_distinct_actions())))
    return state.stacked_frames(), state.returns()


@pytest.mark.parametrize("game", ["pong", "ms_pacman", "beam_rider", "qbert"])
@pytest.mark.parametrize("steps", [0, 2, 30])
def test_an_episode_is_a_function_of_its_seed(game: str, steps: int):
    """Also in an emulator that has played: its state has no screen, so the first frame is remembered."""
    used, new = (load_game(f"atari(game={game},noops=30)") for _ in range(2))
    other = played(used, 4, 60)
    first, again = played(used, 3, steps), played(new, 3, steps)
    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]
    assert not np.array_equal(first[0], other[0])


def test_a_sticky_frame_repeats_the_action_before():
    pressed = []
    environment = AtariEnvironment(AtariConfig("pong", sticky=0.25))
    act = environment._ale.act

    class Heard:
        def __getattr__(self, name: str) -> Any:
            return getattr(emulator, name)

        def act(self, action: Any) -> int:
            pressed.append(action)
            return int(act(action))

    emulator, environment._ale = environment._ale, Heard()
    environment.reset(seed=5)
    pressed.clear()
    for step in range(500):
        environment.step(2 + step % 2)
    up, down = environment._actions[2:4]
    wanted = [(up, down)[i // 4 % 2] for i in range(2000)]
    stuck = [i for i in range(2000) if pressed[i] != wanted[i]]
    assert all(pressed[i] == pressed[i - 1] for i in stuck if i)
    # The first frame of a step shows a sticky one, the next ones those that stick on: p + p^2 + p^3 + p^4.
    assert len(stuck) / 500 == pytest.approx(sum(0.25**n for n in (1, 2, 3, 4)), abs=0.08)


def test_every_option_does_what_it_says():
    spec = spec_of(load_game("atari(game=pong,size=96,stack=3,actions=full,max_frames=40,discount=0.99)"))
    assert spec.observation is not None
    assert (spec.observation.shape, spec.observation.dtype, spec.observation.layout) == (
        (1, 96, 96),
        "uint8",
        "image",
    )
    assert spec.observation.input_shape == (3, 96, 96)
    assert (spec.actions, spec.discount, spec.max_length) == (18, 0.99, 10)
    short: Any = load_game("atari(game=pong,max_frames=40)").new_initial_state()
    for _ in range(10):
        assert not short.is_truncated()
        short.apply_action(0)
    assert short.is_truncated()
    assert not short.is_terminal()
    assert short.action_to_string(0, 1) == "FIRE"
    assert short.render().shape == (210, 160, 3)


def test_a_life_is_an_episode_where_it_is_asked_for():
    whole, life = (
        load_game(f"atari(game=ms_pacman,sticky=0,episodes={kind})").new_initial_state()
        for kind in ("game", "life")
    )
    steps = 0
    while not life.is_terminal():
        life.apply_action(0)
        whole.apply_action(0)
        steps += 1
    assert 10 < steps < 400
    assert not whole.is_terminal()


def test_rewards_are_clipped_only_if_asked():
    paid = {"true": set(), "false": set()}
    for clip, found in paid.items():
        state: Any = load_game(f"atari(game=ms_pacman,sticky=0,clip_rewards={clip})").new_initial_state()
        for _ in range(120):
            state.apply_action(3)
            found.update(state.rewards())
    assert paid["true"] == {0.0, 1.0}
    assert max(paid["false"]) >= 10.0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("atari", "game is missing; write atari(game=pong)"),
        ("atari(game=ping_pong)", "did you mean"),
        ("atari(game=combat)", "ale-py has a ROM of combat, but not its rewards"),
        ("atari(game=pong,colour=1)", "unknown parameter 'colour'"),
        ("atari(game=pong,size=4)", "size=4 is out of range; give 8..128"),
        ("atari(game=pong,sticky=1)", "give [0, 1)"),
        ("atari(game=pong,actions=some)", "give minimal or full"),
        ("atari(game=pong,episodes=2)", "give game or life"),
        ("atari(game=pong,frame_skip=0)", "frame_skip=0 is out of range"),
        ("atari(game=pong,max_frames=1)", "max_frames=1 is out of range"),
        ("atari(game=pong,clip_rewards=maybe)", "not true or false"),
        ("atari(game=pong,discount=2)", "discount 2.0 is out of range"),
    ],
)
def test_mistakes_name_the_remedy(name: str, words: str):
    with pytest.raises(GameError) as raised:
        load_game(name)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_without_ale_py_one_line_says_what_to_install(monkeypatch):
    atari._ale.cache_clear()
    monkeypatch.setattr(importlib, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    with pytest.raises(GameError, match=r'pip install "dicezero\[atari\]"'):
        load_game("atari(game=pong)")


def test_a_rom_that_is_gone_is_one_line(monkeypatch):
    monkeypatch.setattr(atari._ale().roms, "get_rom_path", lambda _: None)
    with pytest.raises(GameError, match="ale-py has no ROM of pong; reinstall ale-py"):
        load_game("atari(game=pong)")


def test_scores_are_told_between_random_play_and_a_person():
    class Noop:
        name = "noop"

        def actions(self, states: Any, seeds: Any) -> list[int]:
            return [0 for _ in zip(states, seeds, strict=True)]

    game = load_game("atari(game=pong)")
    assert spec_of(game).human == (-20.7, 14.6)
    assert set(HUMAN_SCORES) <= set(atari._ale().roms.get_all_rom_ids())
    assert all(random < person for random, person in HUMAN_SCORES.values())
    assert spec_of(load_game("atari(game=pong,episodes=life)")).human is None
    assert spec_of(load_game("atari(game=pong,clip_rewards=true)")).human is None
    found = play_episodes(game, Noop(), episodes=1, seed=0)  # type: ignore[arg-type]
    assert found.mean_return == -21.0
    assert found.human_normalised == pytest.approx((-21.0 + 20.7) / (14.6 + 20.7))
