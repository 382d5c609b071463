"""check_game passes good games and catches each kind of broken one: a broken game a rule."""

import copy
import random
import re

import pytest
from checked_race import RaceState, broken

from dicezero import check_game
from dicezero.rules import GameError

DIE = random.Random(0)


def shared_list(self):
    return copy.copy(self)


def hidden_dice(self, action):
    RaceState.apply_action(self, action)
    self.at[0] = min(self.at[0] + DIE.randrange(2), 5) if self.at[0] < 5 else self.at[0]


def raises_half_way(self, action):
    if self.at[0] >= 2:
        raise KeyError("the board is on fire")
    RaceState.apply_action(self, action)


def never_moves(self, action):
    RaceState.apply_action(self, action)
    self.at = [0, 0]


def at_end(good, bad):
    return lambda self: bad if self.is_terminal() else good(self)


BROKEN = {
    "chance sums to less": (
        "chance",
        broken(chance_outcomes=lambda _: [(0, 0.5), (1, 0.25), (2, 0.2)]),
        "sum to 0.95",
    ),
    "chance of zero": (
        "chance",
        broken(chance_outcomes=lambda _: [(0, 0.5), (1, 0.5), (2, 0.0)]),
        r"not in \(0, 1\]",
    ),
    "chance negative": (
        "chance",
        broken(chance_outcomes=lambda _: [(0, 1.5), (1, -0.25), (2, -0.25)]),
        "not in",
    ),
    "chance nan": ("chance", broken(chance_outcomes=lambda _: [(0, float("nan"))]), "not in"),
    "chance too large an id": (
        "chance",
        broken({"max_chance_outcomes": lambda _: 2}),
        r"leave the range 0\.\.1",
    ),
    "chance unsorted": (
        "chance",
        broken(chance_outcomes=lambda _: [(1, 0.5), (0, 0.25), (2, 0.25)]),
        "not sorted",
    ),
    "legal unsorted": (
        "legal_actions",
        broken(legal_actions=lambda s: RaceState.legal_actions(s)[::-1]),
        "legal_act",
    ),
    "legal twice": (
        "legal_actions",
        broken(legal_actions=lambda s: RaceState.legal_actions(s) + [1] * (s.current_player() == 0)),
        "not sorted and unique",
    ),
    "legal too large": (
        "legal_actions",
        broken({"num_distinct_actions": lambda _: 1}),
        r"leave the range 0\.\.0",
    ),
    "legal not ints": (
        "legal_actions",
        broken(legal_actions=lambda s: ["a"] if s.current_player() >= 0 else RaceState.legal_actions(s)),
        "not all ints",
    ),
    "legal empty": (
        "legal_actions",
        broken(legal_actions=lambda s: [] if s.current_player() == 1 else RaceState.legal_actions(s)),
        "empty before the end",
    ),
    "legal at the end": (
        "legal_actions",
        broken(legal_actions=at_end(RaceState.legal_actions, [0])),
        "at the end",
    ),
    "clone shares": ("clone", broken(clone=shared_list), "changed the original"),
    "returns not zero-sum": ("returns", broken(returns=at_end(RaceState.returns, [1.0, 1.0])), "sum to 2.0"),
    "returns nan": ("returns", broken(returns=at_end(RaceState.returns, [float("nan"), 0.0])), "game of 2"),
    "returns one": ("returns", broken(returns=at_end(RaceState.returns, [1.0])), "game of 2"),
    "returns beyond": ("returns", broken(returns=at_end(RaceState.returns, [7.0, -7.0])), r"-1\.0\.\.1\.0"),
    "tensor not finite": (
        "observation",
        broken(observation_tensor=lambda *_: [1.0, float("inf")]),
        "not finite",
    ),
    "tensor grows": (
        "observation",
        broken(observation_tensor=lambda s, _: [0.0] * (2 + (s.at[0] > 2))),
        "has 3 values, its shape is",
    ),
    "tensor without shape": ("observation", broken({"observation_tensor_shape": None}), "raised TypeError"),
    "hidden dice": ("replay", broken(apply_action=hidden_dice), "another position"),
    "names alike": ("action_strings", broken(action_to_string=lambda *_: "move"), "'move' to more than one"),
    "names not text": ("action_strings", broken(action_to_string=lambda _, __, a: a), "not all text"),
    "names do not return": (
        "action_strings",
        broken(string_to_action=lambda *_: 0),
        r"string_to_action\('roll 2'\) is 0",
    ),
    "serialise loses": ("serialize", broken(serialize=lambda _: "1"), "is another position"),
    "no text": ("text", broken(__str__=object.__str__), "Python's default"),
    "player out of range": ("players", broken(current_player=lambda _: 2), "is 2 in a game of 2"),
    "end not told": ("players", broken(is_terminal=lambda _: False), r"is -4 but is_terminal\(\) is False"),
    "chance not told": (
        "players",
        broken(is_chance_node=lambda _: False),
        r"is -1 but is_chance_node\(\) is False",
    ),
    "no end": ("every_line_ends", broken(apply_action=never_moves), "no end after 200 actions"),
    "raises half-way": (
        "plays",
        broken(apply_action=raises_half_way),
        "raised KeyError: 'the board is on fire'",
    ),
    "no method": ("protocol", broken(returns=None), r"no method returns\(\)"),
    "no game": ("protocol", object(), r"no method new_initial_state\(\)"),
}


def test_the_race_is_sound():
    report = check_game(broken(), games=30)
    assert report.passed, str(report)
    assert report.games == 30
    assert report.absent == ()
    assert 0 < report.longest < 30
    assert report.states > 100
    assert "race: passed (30 games" in str(report)


@pytest.mark.parametrize("kind", BROKEN)
def test_each_kind_of_broken_game_is_caught(kind):
    rule, game, happened = BROKEN[kind]
    report = check_game(game, games=20, max_moves=200)
    assert not report.passed
    failure = next((f for f in report.failures if f.rule == rule), None)
    assert failure is not None, str(report)
    assert re.search(happened, failure.happened), failure.happened
    assert failure.remedy
    assert failure.rule in str(report)
    if rule not in ("protocol", "clone", "replay"):  # the actions named do lead to the state named
        state = RaceState(None)
        for action in failure.history:
            state.apply_action(action)
        assert kind in ("no text", "no end") or str(state) == failure.state


def test_optional_methods_are_reported_absent_not_failed():
    class Bare(RaceState):
        observation_tensor = string_to_action = serialize = None

    for name in ("observation_tensor", "string_to_action", "serialize"):
        setattr(Bare, name, property(lambda _: (_ for _ in ()).throw(AttributeError)))
    game = broken()
    game.state = Bare
    report = check_game(game, games=5)
    assert report.passed, str(report)
    assert report.absent == ("observation_tensor", "string_to_action", "serialize")
    assert "not offered: observation_tensor, string_to_action, serialize" in str(report)


def test_the_same_seed_finds_the_same():
    first, again, other = (check_game("nannon", games=5, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first != other
    assert first.as_dict()["passed"] is True


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="games=0 is out of range"):
        check_game("nannon", games=0)
    with pytest.raises(ValueError, match="max_moves=-1 is out of range"):
        check_game("nannon", max_moves=-1)
    with pytest.raises(GameError, match="unknown game"):
        check_game("nanon")


@pytest.mark.parametrize(
    "name", ["nannon", "nannon(points=20,checkers=19,sides=20)", "tic_tac_toe", "connect_four"]
)
def test_our_own_games_pass(name):
    report = check_game(name, games=10)
    assert report.passed, str(report)
    assert report.absent == ()
