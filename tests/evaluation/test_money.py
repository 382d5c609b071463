"""Money games with a cube: settled as they are played, graded as they are judged, luck without bias."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dicezero.agents import make_agent
from dicezero.cli import main
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.cube_review import cube_account, cube_at, money_result, review_cube, with_cube
from dicezero.evaluation.luck import Fall
from dicezero.evaluation.money import MoneyRules
from dicezero.rules import load_game
from dicezero.rules.notation import Double, GameText, first_state, read_games, record_text, replay
from dicezero.search.cube import Chances

GAME = load_game("backgammon(start=hyper1)")
EVEN, AHEAD, SURE = Chances(0.5, 1.0, 1.0), Chances(0.72, 1.0, 1.0), Chances(0.95, 1.0, 1.0)


class Believing:
    """Plays the first legal move; player 0's chances are what it is given, whatever the position."""

    def __init__(self, name: str, chances: Chances) -> None:
        self.name, self._chances = name, chances

    def actions(self, states, seeds):
        del seeds
        return [int(state.legal_actions()[0]) for state in states]

    def search(self, state, *, seed):
        raise NotImplementedError

    def chances(self, state):
        return self._chances if state.turn == 0 else self._chances.reversed()


def game_of(seed: int) -> tuple[list[int], float]:
    played: list[list[int]] = []
    agent = Believing("any", EVEN)
    result = play_match(
        GAME, agent, agent, games=1, seed=seed, on_played=lambda _, actions, __: played.append(list(actions))
    )
    return played[0], result.mean_return


def second_roll(actions: list[int]) -> int:
    """The place of the first roll that may be doubled by player 0."""
    state = GAME.new_initial_state()
    for place, action in enumerate(actions):
        if place > 0 and state.is_chance_node() and state.turn == 0:
            return place
        state.apply_action(action)
    raise AssertionError("player 0 has only one turn")


def long_game() -> tuple[list[int], float]:
    return next((a, r) for a, r in map(game_of, range(50)) if sum(1 for _ in a) > 12)


def test_even_players_never_double():
    actions, outcome = long_game()
    found = MoneyRules(GAME).settle(actions, (Believing("a", EVEN), Believing("b", EVEN)), outcome)
    assert (found.paid, found.doubles, found.value) == (outcome, (), 1)
    assert found.actions == tuple(actions)


def test_who_is_sure_doubles_and_wins_what_the_cube_was_where_the_other_believes_it():
    actions, _ = long_game()
    both = Believing("a", SURE), Believing("b", SURE)
    found = MoneyRules(GAME).settle(actions, both, -1.0)
    place = second_roll(actions)
    assert found.doubles == (Double(place, False),)
    assert (found.paid, found.value, found.actions) == (1.0, 1, tuple(actions[:place]))
    # Who does not believe it takes, and owns the cube: the game is worth twice as much, in the end as played.
    doubted = MoneyRules(GAME).settle(actions, (Believing("a", AHEAD), Believing("b", EVEN)), -1.0)
    assert doubted.doubles == (Double(place, True),)
    assert (doubted.paid, doubted.value) == (-2.0, 2)


def test_luck_counts_by_the_cube_that_stood_at_the_roll_and_ends_with_a_pass():
    actions, _ = long_game()
    place = second_roll(actions)
    rules = MoneyRules(GAME, falls=lambda played, _: [Fall(p, 1.0) for p in (0, place) if p < len(played)])
    taken = rules.settle(actions, (Believing("a", AHEAD), Believing("b", EVEN)), 1.0)
    assert taken.luck == 1.0 + 2.0
    passed = rules.settle(actions, (Believing("a", SURE), Believing("b", SURE)), 1.0)
    assert passed.luck == 1.0
    assert rules.summary is not None
    assert (rules.summary.doubled, rules.summary.passed, rules.summary.mean_value) == (2, 1, 1.5)


def test_a_match_for_money_needs_agents_that_know_a_cube():
    with pytest.raises(ValueError, match="random does not predict how a game may end"):
        play_match(
            GAME, make_agent("random", GAME), Believing("b", EVEN), games=2, seed=1, money=MoneyRules(GAME)
        )


def test_cube_decisions_are_graded_with_their_cost():
    actions, _ = long_game()
    place, start = second_roll(actions), GAME.new_initial_state()
    judge = Believing("judge", SURE)
    missed = review_cube(start, actions, (), judge)
    first = next(turn for turn in missed if turn.player == 0)
    assert (first.place, first.played, first.best) == (place, "no double", "double")
    # Cash at 0.95 without gammons; what is not doubled is worth less than the 1 of a pass.
    assert first.value == 1.0
    assert 0.0 < first.loss < 0.2
    assert cube_account([t for t in missed if t.player == 0]).missed_doubles == sum(
        t.player == 0 for t in missed
    )
    doubled = review_cube(start, actions, (Double(place, True),), judge)
    answer = next(turn for turn in doubled if turn.played == "take")
    assert (answer.player, answer.best, answer.value) == (1, "pass", -1.0)
    assert answer.loss == pytest.approx(2.0 * (0.95 * 1.0 - 0.05) - 1.0, abs=0.2)
    assert cube_account([answer]).wrong_takes == 1
    right = review_cube(start, actions[:place], (Double(place, False),), judge)
    assert [turn.loss for turn in right if turn.place == place] == [0.0, 0.0]
    even = review_cube(start, actions[:place], (Double(place, False),), Believing("judge", EVEN))
    wrong = {turn.played: turn for turn in even if turn.place == place}
    assert wrong["double"].loss > 0.0
    assert wrong["pass"].loss > 1.0
    with pytest.raises(ValueError, match="nobody may double before action 1"):
        review_cube(start, actions, (Double(0, True),), judge)


def test_what_a_money_game_paid():
    actions, outcome = long_game()
    place, start = second_roll(actions), GAME.new_initial_state()
    assert money_result(start, actions, (Double(place, True),)) == 2.0 * outcome
    assert money_result(start, actions[:place], (Double(place, False),)) == 1.0
    assert money_result(start, actions[:place], ()) is None
    doubles = (Double(3, True), Double(7, True))
    assert [cube_at(doubles, at) for at in (2, 3, 6, 7, 20)] == [1, 2, 2, 4, 4]
    falls = with_cube(lambda _, __: [Fall(2, 0.5), Fall(8, 0.5)], doubles)
    assert [fall.luck for fall in falls([], None)] == [0.5, 2.0]


def test_a_match_with_a_cube_is_saved_and_analysed(tmp_path, capsys):
    file = tmp_path / "games.mat"
    words = ["match", "pretrained", "pretrained", "--game", "backgammon", "--games", "6", "--seed", "1"]
    assert main([*words, "--cube", "--adjust-by", "pretrained", "--save", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["mean_return"] == told["adjusted_return"] == 0.0  # a pair cancels
    assert told["cube"]["doubled"] > 0
    records = read_games(file)
    assert sum(bool(record.doubles) for record in records) == told["cube"]["doubled"]
    assert main(["analyse", str(file), "--judge", "pretrained", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    for player in found["players"]:  # it does with the cube what it says is best
        assert player["cube"]["loss"] == 0.0
        assert player["cube"]["decisions"] > 10
    # A double that was never offered, and one more that should not have been: both are found.
    record = next(record for record in records if record.doubles and record.doubles[-1].taken)
    bare = GameText(record.game, record.actions, ("Ann", "Bob"))
    lines = tmp_path / "games.jsonl"
    lines.write_text(record_text(bare, ".jsonl"))
    assert main(["analyse", str(lines), "--judge", "pretrained", "--cube", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(player["cube"]["missed_doubles"] for player in found["players"]) > 0
    assert any(turn["played"] == "no double" for turn in found["worst"])
    assert found["games"][0]["result"] == replay(bare).returns()[0]
    early = replace(bare, doubles=(Double(_early(bare), True),))
    lines.write_text(record_text(early, ".jsonl"))
    assert main(["analyse", str(lines), "--judge", "pretrained"]) == 0
    shown = capsys.readouterr().out
    assert "wrong doubles" in shown


def _early(record: GameText) -> int:
    """The second roll of the game."""
    state = first_state(record)
    for place, action in enumerate(record.actions):
        if place and state.is_chance_node():
            return place
        state.apply_action(action)
    raise AssertionError
