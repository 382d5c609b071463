"""Matches: duplicate dice, seats swapped, intervals from pairs."""

from __future__ import annotations

import random

import numpy as np
import pytest
from toys import Climb, Endless, Stakes

from dicezero.agents import AgentError, make_agent
from dicezero.agents.simple import RandomAgent
from dicezero.evaluation.arena import MatchBrokenOffError, play_alone, play_game, play_match
from dicezero.evaluation.interval import score_interval
from dicezero.evaluation.seats import DECISIONS
from dicezero.rules import load_game
from dicezero.rules.protocol import State
from dicezero.rules.spec import GameSpec
from dicezero.search.result import SearchResult
from dicezero.selfplay.episode import CHANCE, Episode
from dicezero.selfplay.seeds import address_seed
from dicezero.selfplay.states import rolled_outcome


class Scripted:
    """Plays by a rule, for tests: the first or the last legal action."""

    def __init__(self, name: str, index: int) -> None:
        self.name = name
        self.index = index

    def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002
        action = state.legal_actions()[self.index]
        return SearchResult(action, 0.0, {}, {}, 1, 1, 0, (action,), "rule", 0.0)


def dice_of(episode: Episode) -> tuple[int, ...]:
    return tuple(episode.action[episode.actor == CHANCE].tolist())


def test_both_games_of_a_pair_have_the_same_dice_whoever_sits_where():
    game = load_game("nannon")
    one, other = Scripted("first", 0), Scripted("last", -1)
    for pair in range(20):
        a = play_game(game, (one, other), seed=5, pair=pair, game_index=2 * pair)
        b = play_game(game, (other, one), seed=5, pair=pair, game_index=2 * pair + 1)
        first, second = dice_of(a), dice_of(b)
        shared = min(len(first), len(second))
        # The opening roll has outcomes of its own; a game is longer than the other by its own rolls only.
        assert shared > 3
        assert first[:shared] == second[:shared]
    assert len({dice_of(play_game(game, (one, other), seed=5, pair=p)) for p in range(20)}) > 15


def test_the_dice_do_not_depend_on_what_the_agents_draw():
    game = load_game("nannon")
    agents = RandomAgent("random", game), RandomAgent("random", game)
    a = play_game(game, agents, seed=1, pair=3, game_index=0)
    b = play_game(game, agents, seed=1, pair=3, game_index=1)
    shared = min(len(dice_of(a)), len(dice_of(b)))
    assert dice_of(a)[:shared] == dice_of(b)[:shared]
    assert a.action.tolist() != b.action.tolist()


def test_the_same_seed_gives_the_same_match_and_another_seed_another():
    game = load_game("nannon")
    agents = RandomAgent("a", game), RandomAgent("b", game)
    results = [play_match(game, *agents, games=60, seed=seed) for seed in (1, 1, 2)]
    assert results[0] == results[1]
    assert results[0] != results[2]


def test_equal_players_score_a_half_within_the_interval():
    game = load_game("nannon")
    result = play_match(game, RandomAgent("a", game), RandomAgent("b", game), games=600, seed=11)
    low, high = result.ci95
    assert low <= 0.5 <= high
    assert high - low < 0.1
    assert result.wins + result.draws + result.losses == result.games == 600
    assert result.draws == 0


def test_a_player_against_itself_without_lots_draws_every_pair():
    """The swapped seat replays the same game, so each pair is one win and one loss: luck cancels entirely."""
    game = load_game("nannon")
    agent = Scripted("last", -1)
    result = play_match(game, agent, agent, games=200, seed=3)
    assert result.score == 0.5
    assert result.ci95[1] - result.ci95[0] < 0.05


def test_draws_count_half():
    game = load_game("tic_tac_toe")
    result = play_match(game, RandomAgent("a", game), RandomAgent("b", game), games=300, seed=4)
    assert result.draws > 10
    assert result.score == (result.wins + result.draws / 2) / 300


def test_returns_are_reported_as_they_are_paid():
    """Gambling is worth 2 and taking 1, so gambling is 1 better; it wins three games of four."""
    game = Stakes()
    taker, gambler = Scripted("taker", 0), Scripted("gambler", -1)
    plain = play_match(game, gambler, taker, games=2000, seed=6)
    assert plain.mean_return == pytest.approx(1.0, abs=0.15)
    assert plain.mean_return_ci95[0] < 1.0 < plain.mean_return_ci95[1]
    assert plain.score == pytest.approx(0.75, abs=0.04)
    assert plain.wins + plain.losses == 2000


def test_a_game_that_does_not_end_is_a_draw():
    result = play_match(Endless(), Scripted("a", 0), Scripted("b", 0), games=3, seed=0)
    assert (result.truncated, result.draws, result.score, result.mean_return) == (3, 3, 0.5, 0.0)
    assert result.mean_plies == DECISIONS


def test_a_match_may_begin_anywhere():
    game = load_game("tic_tac_toe")
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):  # x wins at once
        state.apply_action(action)
    result = play_match(game, Scripted("a", 0), Scripted("b", 0), games=2, seed=0, start=state)
    assert (result.wins, result.losses, result.mean_plies) == (1, 1, 1.0)


def test_a_game_for_one_is_no_match():
    agent = Scripted("a", 0)
    with pytest.raises(ValueError, match=r"climb\(steps=4\) has one player.*dicezero evaluate"):
        play_match(Climb(), agent, agent, games=2, seed=0)
    assert [e.outcome for e in play_alone(Climb(), agent, numbers=range(3), seed=0)] == [0.0] * 3


def test_an_odd_number_of_games_is_played_in_full():
    game = load_game("tic_tac_toe")
    result = play_match(game, RandomAgent("a", game), RandomAgent("b", game), games=7, seed=4)
    assert result.games == 7


def test_mistakes_are_named():
    game = load_game("tic_tac_toe")
    agent = RandomAgent("a", game)
    with pytest.raises(ValueError, match="games=0 must be at least 1"):
        play_match(game, agent, agent, games=0, seed=0)

    class Cheat(Scripted):
        def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002
            return SearchResult(99, 0.0, {}, {}, 1, 1, 0, (99,), "rule", 0.0)

    with pytest.raises(ValueError, match="agent cheat played 99, which is illegal"):
        play_match(game, Cheat("cheat", 0), agent, games=2, seed=0)


def test_dice_come_by_their_probabilities():
    class Loaded:
        def __init__(self, *outcomes: tuple[int, float]) -> None:
            self.chance_outcomes = lambda: outcomes

    spec = GameSpec("loaded", players=2, actions=1, outcomes=4)
    state = Loaded((1, 0.25), (2, 0.75))
    dice = [np.uint64(address_seed(7, pair)) for pair in range(40)]
    picked = [rolled_outcome(state, spec, seed, number) for seed in dice for number in range(100)]
    assert set(picked) == {1, 2}
    assert abs(picked.count(1) / len(picked) - 0.25) < 0.03
    with pytest.raises(ValueError, match=r"probability that is not in \(0, 1\]"):
        rolled_outcome(Loaded((0, 0.0), (1, 1.0)), spec, dice[0], 0)


@pytest.mark.parametrize(("mean", "pairs"), [(0.5, 20), (0.7, 50), (0.95, 50), (0.98, 400)])
def test_the_interval_covers_the_truth_about_95_times_in_100(mean: float, pairs: int):
    rng = random.Random(1)
    trials = 2000
    hits = 0
    for _ in range(trials):
        scores = [(float(rng.random() < mean) + float(rng.random() < mean)) / 2 for _ in range(pairs)]
        low, high = score_interval(scores)
        hits += low <= mean <= high
    assert 0.93 <= hits / trials <= 0.985


def test_few_games_are_not_certainty():
    assert score_interval([]) == (0.0, 1.0)
    low, high = score_interval([1.0] * 5)
    assert low < 0.65
    assert high == 1.0


def test_agents_without_chance_repeat_their_two_games_and_random_openings_vary_them() -> None:
    game = load_game("connect_four")
    one, other = Scripted("first", 0), Scripted("last", -1)
    same = play_match(game, one, other, games=12, seed=3)
    assert same.distinct == 2
    played: list[tuple[int, ...]] = []
    varied = play_match(
        game,
        one,
        other,
        games=12,
        seed=3,
        opening=5,
        on_played=lambda _, actions, __: played.append(tuple(actions)),
    )
    assert varied.distinct == len(set(played)) == 12
    openings = [actions[:5] for actions in played]
    assert openings[0::2] == openings[1::2]  # both agents get the better side of each
    assert len(set(openings)) == 6
    again: list[tuple[int, ...]] = []
    play_match(
        game, one, other, games=4, seed=3, opening=5, on_played=lambda _, a, __: again.append(tuple(a))
    )
    assert again == played[:4]


def test_openings_out_of_range_are_refused() -> None:
    game = load_game("tic_tac_toe")
    with pytest.raises(ValueError, match=r"opening=-1 must be in 0\.\.1000 moves"):
        play_match(game, Scripted("a", 0), Scripted("b", -1), games=2, seed=0, opening=-1)


def test_an_opening_may_be_the_whole_game() -> None:
    game = load_game("tic_tac_toe")
    result = play_match(game, Scripted("a", 0), Scripted("b", -1), games=20, seed=0, opening=9)
    assert result.score == 0.5  # the same game twice, with the seats swapped


class Dying:
    """A program outside that plays so many games' worth of moves and fails then."""

    name = "dying"

    def __init__(self, moves: int) -> None:
        self._left = moves

    def actions(self, states, seeds):
        del seeds
        self._left -= len(states)
        if self._left < 0:
            raise AgentError("dying died; start it again")
        return [int(state.legal_actions()[0]) for state in states]

    def search(self, state, *, seed):
        raise NotImplementedError

    def close(self) -> None:
        pass


def test_a_match_in_which_a_program_dies_keeps_the_games_that_were_over():
    game = load_game("nannon")
    whole = play_match(game, Dying(10**9), make_agent("random", game), games=96, seed=3)
    with pytest.raises(MatchBrokenOffError, match="dying died; start it again") as broken:
        play_match(game, Dying(400), make_agent("random", game), games=96, seed=3)
    assert 0 < broken.value.result.games < 96
    games = broken.value.result.games
    same = play_match(game, Dying(10**9), make_agent("random", game), games=games, seed=3)
    assert broken.value.result == same
    assert whole.games == 96
    with pytest.raises(AgentError, match="dying died"):
        play_match(game, Dying(0), make_agent("random", game), games=4, seed=3)
