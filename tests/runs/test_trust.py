"""Opening a run's folder never runs code, unless its user has named or trusted that code."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from dicezero.agents import AgentError, make_agent
from dicezero.cli import main
from dicezero.evaluation.meters import is_harmless
from dicezero.presets.fitting import network_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import identify, load_game, load_object, spec_of
from dicezero.rules.names import Name
from dicezero.rules.objects import SourceRecord
from dicezero.runs.checkpoint import Checkpoint, begin, commit
from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.listing import summarise_run
from dicezero.runs.loading import load_run
from dicezero.studio.catalog import Catalog

PIG = Path(__file__).parents[2] / "examples" / "pig.py"
SMALL = {
    "games": "4",
    "batch": "8",
    "steps": "1",
    "simulations": "2",
    "play.simulations": "2",
    "widths": "8,8",
}
# Runs when it is imported, and again when its class is made.
BOMB = """
from pathlib import Path
Path({trace!r}).touch()
{rest}
"""


@pytest.fixture
def bomb(tmp_path):
    """A game's file that leaves a trace when it is run; (file, trace)."""
    trace = tmp_path / "trace"
    file = tmp_path / "elsewhere" / "bomb.py"
    file.parent.mkdir()
    file.write_text(
        BOMB.format(trace=str(trace), rest=PIG.read_text() + "\nPigState.get_game = lambda self: self.game\n")
    )
    return file, trace


@pytest.fixture
def run(bomb, tmp_path):
    """A run of that game, which has not learned anything, far from the game's file; the trace is gone."""
    file, trace = bomb
    game = load_game(load_object(f"{file}:Pig(target=5)"))
    found, folder = identify(game), tmp_path / "moved"
    preset = with_settings(PRESETS["gumbel-alphazero"], SMALL)
    config = RunConfig(preset, found.name, 0, 1, source=found.source.record)
    folder.mkdir()
    begin(folder, config, {"game.py": found.source.code})
    weights = network_of(preset, spec_of(game)).init(seed=1)
    commit(folder, config, Checkpoint(1, weights, {}, ()), {}, {"round": 1})
    trace.unlink()
    return folder


def test_a_run_of_ones_own_game_goes_wherever_it_is_moved(run, bomb, tmp_path, monkeypatch, capsys):
    file, trace = bomb
    monkeypatch.chdir(tmp_path / "elsewhere")
    config = RunConfig.read(run)
    assert config.game == "bomb.py:Pig(target=5)"
    assert config.source == SourceRecord("bomb.py", "Pig(target=5)", sum_of(file))
    assert (run / "game.py").read_bytes() == file.read_bytes()
    # Neither named nor trusted: looked at, never run.
    with pytest.raises(
        RunError, match=r"--game path/to/bomb.py:Pig\(target=5\) .*--trust to run the copy in"
    ):
        load_run(run)
    assert summarise_run(run).state == "finished"
    (offer,) = Catalog([run]).runs()
    assert (offer.game, offer.rounds, offer.damage) == ("bomb.py:Pig(target=5)", (), None)
    assert main(["runs", str(run)]) == 0
    assert main(["report", str(run)]) == 0
    for words in (["evaluate", run, "--games", "2"], ["play", Name("run", {"path": str(run)})]):
        assert main([*map(str, words)]) == 2
    assert "--trust" in capsys.readouterr().err
    assert not trace.exists()
    # Trusted: the copy is run, though the file is gone.
    file.unlink()
    assert load_run(run, trust=True).game.target == 5
    assert trace.exists()
    assert main(["evaluate", str(run), "--games", "2", "--trust", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    # Named: any file of the same content.
    shutil.copy(run / "game.py", tmp_path / "pig2.py")
    words = ["--game", f"{tmp_path / 'pig2.py'}:Pig(target=5)", "--games", "2", "--json"]
    assert main(["evaluate", str(run), *words]) == 0
    assert main(["match", str(Name("run", {"path": str(run)})), "random", *words]) == 0


def sum_of(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_another_file_or_other_parameters_are_refused(run, bomb, tmp_path):
    file, _ = bomb
    other = tmp_path / "other.py"
    other.write_text(file.read_text() + "\n# changed\n")
    with pytest.raises(RunError, match=r"other\.py is not the file that .* has learned from"):
        load_run(run, f"{other}:Pig(target=5)")
    with pytest.raises(RunError, match=r"has learned bomb.py:Pig\(target=5\), not bomb.py:Pig\(target=6\)"):
        load_run(run, f"{file}:Pig(target=6)")
    with pytest.raises(RunError, match="not nannon"):
        load_run(run, "nannon")
    with pytest.raises(AgentError, match="is not the file"):
        make_agent(str(Name("run", {"path": str(run)})), load_game(load_object(f"{other}:Pig(target=5)")))
    (run / "game.py").write_text(other.read_text())
    with pytest.raises(RunError, match=r"is not what the run wrote; .* do not run it"):
        load_run(run, trust=True)
    assert summarise_run(run).state == "damaged"


def test_a_resumed_run_may_have_its_game_from_the_copy(bomb, tmp_path, capsys):
    file, _ = bomb
    run = tmp_path / "run"
    settings = [word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")]
    words = ["train", "gumbel-alphazero", "--out", str(run), "--json", *settings]
    assert main([*words, "--rounds", "1", "--game", f"{file}:Pig(target=5)"]) == 0
    assert (run / "game.py").read_bytes() == file.read_bytes()
    words += ["--resume", "--rounds", "2"]
    assert main([*words, "--game", f"{run / 'game.py'}:Pig(target=5)"]) == 0
    assert RunConfig.read(run).game == "bomb.py:Pig(target=5)"
    file.write_text(file.read_text() + "\n# changed\n")
    capsys.readouterr()
    assert main([*words, "--game", f"{file}:Pig(target=5)"]) == 2
    assert "another version of the game's code" in capsys.readouterr().err


@pytest.mark.parametrize(
    "opponent",
    [
        'gtp(command="touch {trace}")',
        'uci(command="touch {trace}")',
        "run(path={trace},trust=true)",
        " gtp ( command = 'touch {trace}' )",
        'GTP(command="touch {trace}")',
        'gtp(command="touch {trace}",level=1)',
        "{trace}:Agent",
        "os:system(command=touch {trace})",
    ],
)
def test_a_folder_cannot_name_a_program_to_be_measured_by(opponent, tmp_path, capsys):
    trace = tmp_path / "trace"
    measure = str(Name("match", {"opponent": opponent.format(trace=trace), "games": "2"}))
    game, folder = "nannon(points=4,checkers=2,sides=4)", tmp_path / "run"
    folder.mkdir()
    preset = with_settings(PRESETS["gumbel-alphazero"], {**SMALL, "measure_every": "1"})
    begin(folder, RunConfig(replace(preset, measure=measure), game, 0, 1))
    words = ["train", "gumbel-alphazero", "--game", game, "--out", str(folder), "--resume", "--rounds", "1"]
    assert main(words) == 2
    assert "only if you say so: give --measure" in capsys.readouterr().err
    assert main(["runs", str(tmp_path)]) == 0
    assert not trace.exists()
    assert is_harmless("match(opponent=uct(simulations=10),games=4)")
    assert is_harmless("")
    assert not is_harmless("match(opponent=")


def test_objects_that_nobody_named_are_known_by_their_class():
    for text in (f"{PIG}:Pig(target=5)", f"{PIG}:Pig"):
        game = load_game(load_object(text))
        derived = type(game)(target=game.target)  # as a program makes one, without a name
        assert identify(derived).source.record.sha256 == identify(game).source.record.sha256
        assert identify(derived).name == f"pig.py:Pig(target={game.target})"
        assert identify(derived).load().target == game.target
    assert identify(load_game("nannon")).name == "nannon(points=6,checkers=3,sides=6)"
    assert identify(load_game("nannon")).source is None


NAMES = [
    "os:system(command=touch {trace})",
    "subprocess:Popen(args=touch {trace})",
    "{file}:Pig",
    "bomb:Pig",
    'nannon(points="{file}:Pig")',
    "gymnasium(id=bomb:x/Env-v0)",
    "gymnasium(id=bomb:Env-v0)",
    'gymnasium(id=CartPole-v1,module="bomb:Env")',
    "gymnasium(id=CartPole-v1,render_mode={file})",
    "efg_game(filename={file})",
    "bomb.py:Pig",
    "./bomb.py:Pig(target=5)",
    " bomb:Pig",
    "bomb\uff1aPig",  # a colon's double
    "bomb:Pig.new_initial_state",
    "bomb:PigState",
    "n\u0430nnon",  # a Cyrillic a
    "misere(game=bomb:Pig)",
    'misere(game="misere(game={file}:Pig)")',
    "repeated_game(stage_game=nfg_game(filename={file}),num_repetitions=2)",
    "builtins:exec(source=open({trace!r}))",
    "dicezero.rules.objects:load_object(text={file}:Pig)",
    "gymnasium(id=../bomb:Env-v0)",
    "gymnasium(id=gymnasium.envs.registration:make)",
    "minatar(name=bomb:Env)",
    "../elsewhere/bomb.py:Pig",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("with_source", [False, True])
def test_a_name_in_a_folder_from_elsewhere_runs_nothing(
    name, with_source, bomb, tmp_path, monkeypatch, capsys
):
    """The folder is whole and its sums are right: whoever made it knew how."""
    file, trace = bomb
    monkeypatch.chdir(file.parent)
    monkeypatch.syspath_prepend(str(file.parent))
    folder = tmp_path / "run"
    folder.mkdir()
    game = name.format(trace=trace, file=file)
    source = SourceRecord("bomb.py", "Pig", sum_of(PIG)) if with_source else None
    config = RunConfig(PRESETS["gumbel-alphazero"], game, 0, 1, source=source)
    begin(folder, config, {"game.py": file.read_bytes()})
    commit(folder, config, Checkpoint(1, {}, {}, ()), {}, {"round": 1})
    spec = str(Name("run", {"path": str(folder)}))
    for words in (
        ["evaluate", folder, "--exact"],
        ["match", spec, "random", "--game", "nannon", "--games", "2"],
        ["evaluate", folder, "--game", "nannon"],
        ["play", spec, "--game", "nannon"],
        ["play", spec],
        ["search", spec, "--game", "nannon"],
        ["reproduce", "gumbel-ndmz", "--runs", folder, "--out", tmp_path / "out"],
    ):
        assert main([*map(str, words)]) == 2, words
    for words in (["runs", folder], ["report", folder]):
        assert main([*map(str, words)]) in (0, 2)
    catalog = Catalog([folder])
    assert all(not offer.rounds for offer in catalog.runs())
    assert catalog.games()
    assert main(["train", "--resume", "--out", str(folder), "--rounds", "1"]) == 2
    if with_source:  # trusted, but the code is not what the configuration says
        assert main(["evaluate", str(folder), "--trust"]) == 2
    assert not trace.exists()
    capsys.readouterr()
