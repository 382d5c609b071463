"""Our games as environments: Gymnasium's and PettingZoo's own checks, and the same games step by step."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from dicezero import load_game
from dicezero.rules import list_games

gymnasium = pytest.importorskip("gymnasium")
checker = pytest.importorskip("gymnasium.utils.env_checker")
dz = pytest.importorskip("dicezero.gymnasium")

NAMES = [record.name for record in list_games() if record.source == "dicezero"]
SMALL = {"go": "(board_size=5)"}


def made(name: str, **options: object):
    two = load_game(name).num_players() == 2
    return dz.make(name + SMALL.get(name, ""), **({"opponent": "random"} if two else {}), **options)


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_passes(name: str):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "(?s).*(infinity|not having a spec).*", UserWarning)
        checker.check_env(made(name))


def test_environments_are_registered_with_gymnasium():
    env = gymnasium.make("dicezero/tic_tac_toe-v0", opponent="optimal", render_mode="ansi")
    _, info = env.reset(seed=0)
    assert info["action_mask"].tolist() == [1] * 9
    assert "to move" in env.render() or "." in env.render()
    assert env.unwrapped.action_space.n == 9


@pytest.mark.parametrize(("name", "seat"), [("nannon", 0), ("nannon", 1), ("connect_four", 1), ("2048", 0)])
def test_an_episode_is_the_game(name: str, seat: int):
    """What the learner is paid over an episode is what the game pays its seat; seeds repeat."""

    def episode(seed: int) -> tuple[list[int], float, float]:
        env = made(name, **({} if name == "2048" else {"seat": seat}))
        rng = np.random.default_rng(0)
        seen, info = env.reset(seed=seed)
        actions, total, over = [], 0.0, False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            actions.append(int(rng.choice(legal)))
            seen, reward, over, cut, info = env.step(actions[-1])
            assert env.observation_space.contains(seen)
            assert not cut
            total += reward
        assert info["action_mask"].sum() == 0
        return actions, total, env._table.state.returns()[seat]

    first = episode(4)
    assert first == episode(4)
    assert first[1] == pytest.approx(first[2])


def test_perfect_opponents_never_lose():
    env = dz.make("tic_tac_toe", opponent="optimal", seat=1)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        assert reward <= 0


def test_illegal_actions_lose_or_raise():
    env = dz.make("tic_tac_toe", opponent="random")
    env.reset(seed=0)
    env.step(4)
    _, reward, over, _, info = env.step(4)
    assert (reward, over, info["illegal_action"]) == (-1.0, True, 4)
    with pytest.raises(ValueError, match="call reset"):
        env.step(0)
    strict = dz.make("tic_tac_toe", opponent="random", illegal="error")
    strict.reset(seed=0)
    strict.step(4)
    with pytest.raises(ValueError, match="action 4 is illegal; legal: "):
        strict.step(4)


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("nannon", {}, "two players: give opponent="),
        ("2048", {"opponent": "random"}, "one player: leave out opponent="),
        ("nannon", {"opponent": "random", "seat": 2}, "seat=2 is out of range"),
        ("nannon", {"opponent": "rndom"}, "did you mean random"),
        ("nannon", {"opponent": "random", "illegal": "no"}, "give 'lose' or 'error'"),
        ("nannon", {"opponent": "random", "render_mode": "human"}, "give 'ansi'"),
        ("gymnasium(id=CartPole-v1)", {}, "is an environment already"),
    ],
)
def test_mistakes_name_the_remedy(game: str, options: dict, message: str):
    with pytest.raises(ValueError, match=message):
        dz.make(game, **options)


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoos_api_test_passes(name: str):
    test = pytest.importorskip("pettingzoo.test")
    from dicezero.pettingzoo import env

    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # it warns of dictionaries with a mask, which its own board games have
        test.api_test(env(name + SMALL.get(name, "")), num_cycles=60)
        test.seed_test(lambda: env(name + SMALL.get(name, "")), num_cycles=30)


def test_pettingzoo_pays_both_and_selects_whoever_is_to_move():
    pytest.importorskip("pettingzoo")
    from dicezero.pettingzoo import env

    table = env("nannon")
    for seed in range(5):
        table.reset(seed=seed)
        totals = dict.fromkeys(table.possible_agents, 0.0)
        for agent in table.agent_iter():
            seen, reward, over, cut, _ = table.last()
            totals[agent] += reward
            assert not cut
            table.step(None if over else table.action_space(agent).sample(seen["action_mask"]))
        assert sorted(totals.values()) == [-1.0, 1.0]
    table.reset(seed=0)
    with pytest.raises(ValueError, match="is illegal for player_"):
        table.step(99)
