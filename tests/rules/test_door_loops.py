"""Loops in Python refuse a game that breaks the rules: self-play of all presets, matches, tables, `play`."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from lying_games import Honest, HonestState, lying_games

from dicezero.agents import make_agent
from dicezero.cli import main
from dicezero.evaluation.seats import Seating, play_seated
from dicezero.presets.fits import fits
from dicezero.presets.fitting import fitted, network_of, planner_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import spec_of
from dicezero.selfplay.play import play_games
from dicezero.studio.table import Table

CASES = [pytest.param(method, game, id=name) for name, method, game in lying_games()]
SPEC = spec_of(Honest())
SMALL = {"widths": "4", "search.simulations": "4"}


def preset_loop(name):
    preset = with_settings(
        PRESETS[name], {k: v for k, v in SMALL.items() if "." not in k or name != "td-lambda"}
    )
    preset = fitted(preset, SPEC)
    planner = planner_of(preset, SPEC, network_of(preset, SPEC).init(seed=1), threads=1)

    def play(game: Honest) -> None:
        play_games(game, planner, preset.search, games=range(8), seed=2, round_index=0, spec=SPEC)

    return play


def match(name):
    def play(game: Honest) -> None:
        agents = make_agent(name, game), make_agent("random", game)
        play_seated(game, [Seating(agents, i, i) for i in range(8)], seed=1, spec=SPEC)

    return play


def table(game: Honest) -> None:
    """A person who plays any move against a random opponent."""
    for seed in range(8):
        seat, rng = Table(Honest(), make_agent("random", game), seat=0, seed=seed), random.Random(seed)
        seat.game = game
        while not seat.over:
            if seat.advance() is None:
                seat.play(rng.choice(list(seat.legal())))
        assert seat.returns


LOOPS = {
    **{name: preset_loop(name) for name in PRESETS if fits(PRESETS[name], SPEC) is None},
    "match of random": match("random"),
    "match of uct": match("uct(simulations=4)"),
    "table": table,
}
BLIND = {"match of random", "match of uct", "table"}  # these never look at what a network sees


def test_the_presets_that_fit_are_all_tried():
    assert len(LOOPS) >= 8


@pytest.mark.parametrize("loop", LOOPS)
def test_an_honest_game_passes(loop):
    LOOPS[loop](Honest())


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(("method", "game"), CASES)
def test_a_lie_is_refused_with_the_state_and_the_remedy(method, game, loop):
    if method == "observation_tensor" and loop in BLIND:
        return
    with pytest.raises(ValueError, match="At the state:\nscore") as refused:
        LOOPS[loop](game)
    assert "; " in str(refused.value)


class Paid(HonestState):
    """Pays on the way; what it pays goes through the game's lie."""

    def rewards(self):
        return self._say("rewards", [0.0, 0.0])

    def clone(self):
        copy = Paid(self.game)
        copy.score, copy.turn, copy.coin, copy.moves = list(self.score), self.turn, self.coin, self.moves
        return copy


class PaidGame(Honest):
    """An honest game that pays on the way."""

    def new_initial_state(self):
        return Paid(self)


@pytest.mark.parametrize("loop", ["td-lambda", "match of random"])
@pytest.mark.parametrize(
    "rewards", [[float("nan")] * 2, [float("inf"), -float("inf")], [1.0], [1.0, 1.0], None, ["a", "b"]]
)
def test_rewards_are_checked(loop, rewards, monkeypatch):
    monkeypatch.setitem(globals(), "SPEC", spec_of(PaidGame()))
    play = preset_loop(loop) if loop in PRESETS else match("random")
    play(PaidGame())
    with pytest.raises(ValueError, match=r"rewards\(\)(.|\n)*At the state:\nscore"):
        play(PaidGame(lambda _, asked, truth: rewards if asked == "rewards" else truth))


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("method", ["is_terminal", "is_chance_node"])
def test_a_state_is_over_by_all_of_its_methods_or_by_none(method, loop, monkeypatch):
    truth = getattr(HonestState, method)
    monkeypatch.setattr(HonestState, method, lambda self: not truth(self) if self.moves > 1 else truth(self))
    with pytest.raises(ValueError, match="At the state:\nscore"):
        LOOPS[loop](Honest())


LIAR = """
import sys
sys.path.insert(0, {here!r})
from lying_games import LIES, Honest
def lie(state, asked, truth):
    method, answer = LIES[{name!r}]
    return answer if asked == method and truth != -4 and state.moves >= 3 else truth
class Liar(Honest):
    def __init__(self):
        super().__init__(lie, "liar")
"""


@pytest.mark.parametrize("command", ["train td-lambda", "match", "play", "train gumbel-ndmz"])
@pytest.mark.parametrize("name", ["a sum above 1", "an action twice", "player 77"])
def test_the_command_line_says_it_in_one_message(command, name, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("liar.py").write_text(LIAR.format(here=str(Path(__file__).parent), name=name))
    rest = {"match": "random random --games 4", "play": "random --seat 1 --seed 1"}
    words = [*command.split(), "--game", "liar.py:Liar", *rest.get(command, "--rounds 1 --out run").split()]
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 20))
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "At the state" in told
    assert "Traceback" not in told
