"""Tables are whole at every width, on a narrow terminal as in a file; long work says that it goes on."""

from __future__ import annotations

import dataclasses
import io
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from dicezero.cli.measured import dynamics_table, mistakes_table, next_to_act_table, strength_table
from dicezero.cli.progress import Bar
from dicezero.cli.runs import _table as runs_table
from dicezero.cli.screen import _COLUMNS, Screen
from dicezero.cli.sheet import Sheet
from dicezero.evaluation.dynamics import DepthReport, DynamicsReport
from dicezero.evaluation.strength import Mistake, Strength
from dicezero.learner.progress import Progress
from dicezero.runs.listing import RunSummary

WIDTHS = (60, 80, 120)
TREE = '{"left": [3, {"chance": [[0.5, 2], [0.5, 8]]}], "right": [1, 9]}'


def drawn(item: object, width: int) -> list[str]:
    """The lines of something printed at this width."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    console.print(item)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


def a_sheet() -> Sheet:
    sheet = Sheet("agent", "what it does", "score", right=("score",))
    sheet.add_row(
        "uct(simulations=100000,c=0.5)", "grows a tree and plays games from its leaves to the end", "1.25"
    )
    sheet.add_row("random", "any legal move", "-0.5")
    return sheet


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 10_000])
def test_a_sheet_loses_nothing_and_stays_within_its_width(width: int):
    lines = drawn(a_sheet(), width)
    assert max(map(len, lines)) <= width
    text = "".join("".join(lines).split())
    for cell in ("uct(simulations=100000,c=0.5)", "-0.5", "1.25", "anylegalmove"):
        assert cell in text
    assert "…" not in text


def test_a_sheet_wraps_before_it_becomes_records():
    assert len(drawn(a_sheet(), 120)) == 3
    wrapped = drawn(a_sheet(), 60)
    assert wrapped[0].split() == ["agent", "what", "it", "does", "score"]
    assert wrapped[1].endswith("1.25")
    records = drawn(a_sheet(), 40)
    assert records[0] == "uct(simulations=100000,c=0.5)"
    assert records[-3:] == ["random", "    what it does: any legal move", "    score: -0.5"]


def test_too_many_cells_are_a_mistake():
    with pytest.raises(ValueError, match="3 cells for 2 headings"):
        Sheet("a", "b").add_row("1", "2", "3")


COMMANDS = {
    "games": (("games", "--filter", "b"), ("breakthrough", "max_no_progress=50", "dicezero")),
    "agents": (("agents",), ("expectiminimax", "widen_choice_alpha", "Stockfish")),
    "agents uct": (("agents", "uct"), ("simulations = 1000", "int | none")),
    "presets": (("presets",), ("full-gumbel-muzero", "simulations")),
    "presets NAME": (("presets", "gumbel-ndmz"), ("play.c_scale", "float")),
    "perft": (("perft", "nannon", "--depth", "6"), ("5,952", "992")[1:]),
    "check": (("check", "tree.json", "--games", "3"), ("gumbel-alphazero", "simulator")),
    "search": (
        ("search", "expectiminimax", "--game", "tree.json", "--show", "--depth-shown", "3"),
        ("+3.0000", "visits", "left", "p=0.500"),
    ),
    "solve": (("solve", "tree.json"), ("states", "iterations")),
    "match": (
        ("match", "uct(simulations=20,c=0.75,playouts=2)", "greedy", "--game", "tree.json", "--games", "4"),
        ("uct(simulations=20,c=0.75,playouts=2)", "score", "drawn"),
    ),
    "tournament": (
        (
            "tournament",
            "random",
            "greedy",
            "uct(simulations=20,c=0.75,playouts=2)",
            "--game",
            "tree.json",
            "--games",
            "4",
        ),
        ("uct(simulations=20,c=0.75,playouts=2)", "±", "vs 3"),
    ),
    "runs": (("runs", "."), ("no runs under",)),
    "analyse": (
        ("analyse", "games.jsonl", "--judge", "optimal", "--worst", "3"),
        ("performance", "rating", "choice", "luck", "the costliest turns", "best"),
    ),
    "bench": (("bench", "--list"), ("playouts", "what is measured")),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_prints_its_table_whole(run, command, monkeypatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    Path("tree.json").write_text(TREE)
    if command == "analyse":
        run("match", "random", "greedy", "--game", "nannon", "--games", "2", "--save", "games.jsonl")
    line, shown = COMMANDS[command]
    seen = []
    for width in (*WIDTHS, None):  # None: into a file
        monkeypatch.setenv("COLUMNS", str(width)) if width else monkeypatch.delenv("COLUMNS")
        out = run(*line).out
        flat = "".join(out.split())
        for text in shown:
            assert "".join(text.split()) in flat, (width, out)
        assert "…" not in out
        seen.append(flat)
    if command in ("agents uct", "presets", "presets NAME", "solve"):  # nothing but the wrapping differs
        assert len({re.sub(r"seconds[0-9.]+", "", flat) for flat in seen}) == 1


DEPTH = DepthReport(
    depth=0,
    positions=271,
    top_move=0.8,
    uniform=0.83,
    top_move_choice=0.8,
    uniform_choice=0.8,
    illegal_mass=0.0676,
    dice_distance=None,
    dice_worst=None,
    identity=1.0,
    chance_seen=None,
    chance_imagined=0.02,
    end_seen=0.55,
    end_imagined=0.01,
    value_error=0.1531,
)
RUN = RunSummary(
    path="/somewhere/runs/a-run-with-a-long-name",
    preset="gumbel-ndmz",
    game="nannon(points=6,checkers=3,sides=6)",
    round=2,
    target=2,
    score=0.3494,
    strength="0.3494",
    minutes=0.3,
    changed=1.7e9,
    state="finished",
    reason=None,
)


def a_strength(**figures: float) -> Strength:
    values: dict[str, object] = {field.name: 0.5 for field in dataclasses.fields(Strength)}
    seats = {"vs_optimal_seats": (0.2, 0.3), "vs_random_seats": (0.2, 0.3)}
    return Strength(**{**values, **seats, "mistakes": (), "vs_optimal": 0.25, **figures})  # type: ignore[arg-type]


def measured_tables() -> dict[str, tuple[object, tuple[str, ...]]]:
    """Tables of evaluate and runs, with texts that have to be there."""
    depths = tuple(dataclasses.replace(DEPTH, depth=depth) for depth in (0, 1))
    report = DynamicsReport(
        games=10, positions=542, top_move=0.8, uniform=0.83, next_to_act=None, by_depth=depths
    )
    mistake = Mistake(7, "x.x.oo x home 1 safe 0; o to move 4", "1/5", "home/4*", 0.3809, 0.03, 0.011423)
    strengths = {"network": a_strength(), "search": a_strength(vs_optimal=0.125)}
    return {
        "strength": (strength_table(strengths, None, 32), ("0.250000", "0.125000", "0.2000 / 0.3000")),
        "mistakes": (mistakes_table([mistake]), ("home/4*", "0.011423", "o to move 4")),
        "next to act": (
            next_to_act_table(((271, 0, 0, 0), (0, 90, 10, 0), (0, 0, 0, 0), (1, 0, 0, 3))),
            ("chance", "0.1000", "0.7500"),
        ),
        "dynamics": (dynamics_table(report), ("0.1531", "end seen", "identity")),
        "runs": (
            runs_table([RUN]),
            ("gumbel-ndmz", "nannon(points=6,checkers=3,sides=6)", "finished", "0.3494"),
        ),
    }


@pytest.mark.parametrize("width", [*WIDTHS, 10_000])
@pytest.mark.parametrize("name", ["strength", "mistakes", "next to act", "dynamics", "runs"])
def test_tables_of_runs_and_their_measurement_are_whole(name: str, width: int):
    table, shown = measured_tables()[name]
    lines = drawn(table, width)
    assert max(map(len, lines)) <= width
    flat = "".join("".join(lines).split())
    for text in shown:
        assert "".join(text.split()) in flat, lines
    assert "…" not in flat


@pytest.mark.parametrize("width", WIDTHS)
def test_the_screen_of_a_training_has_every_column(width: int):
    row = {
        "round": 3,
        "selfplay_return": 0.1,
        "selfplay_length": 12.0,
        "seconds": 9.5,
        "seconds_selfplay": 2.0,
    }
    row |= {"games": 10, "simulations": 3200, "vs_optimal": 0.4, "loss_policy": 1.5, "loss_value": 0.5}
    console = Console(file=io.StringIO(), width=width)
    screen = Screen("a run", 5, quiet=True, console=console)
    screen.add(row)
    lines = drawn(screen.view(), width)
    assert max(map(len, lines)) <= width
    for name in _COLUMNS:
        assert name in "\n".join(lines)
    assert "1.500" in "\n".join(lines)


def test_a_training_in_a_pipe_says_how_far_its_round_is(capsys, monkeypatch):
    screen = Screen("a run", 5, quiet=False)
    screen.progress(Progress(1, "self-play", 3, 10, 40))
    assert capsys.readouterr().err == ""
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 3)
    screen.progress(Progress(1, "self-play", 4, 10, 55))
    assert capsys.readouterr().err == "round 1 of 5, self-play, 4/10 games, 55 moves, 3 s\n"
    screen.progress(Progress(1, "self-play", 5, 10, 60))
    assert capsys.readouterr().err == ""


def test_work_of_over_two_seconds_leaves_lines_in_a_pipe(capsys):
    bar = Bar("counting", total=1000, quiet=False)
    bar.update(250, "so far so good")
    time.sleep(2.5)
    bar.close()
    assert re.fullmatch(r"counting: 2 s, 250 of 1,000, so far so good\n", capsys.readouterr().err)
    short = Bar("quick", quiet=False)
    short.close()
    assert capsys.readouterr().err == ""


def test_lines_that_stay_put_the_next_one_of_the_bar_off(capsys):
    bar = Bar("learning", quiet=False)
    bar.say("round 1 of 3")
    time.sleep(2.5)
    bar.close()
    assert capsys.readouterr().err == "round 1 of 3\n"


def test_beside_json_the_last_line_said_is_the_note_of_the_bars_own(capsys, monkeypatch):
    monkeypatch.setattr("dicezero.cli.progress.FIRST_LINE_BESIDE_JSON", 1.0)
    bar = Bar("learning", quiet=True)
    bar.say("round 1 of 3")
    bar.say("round 2 of 3")
    time.sleep(1.5)
    bar.close()
    assert re.fullmatch(r"learning: 1 s, round 2 of 3\n", capsys.readouterr().err)


SLOW = (
    "import time, dicezero.cli.perft as module\n"
    "module.perft = lambda *_: time.sleep(3) or [1]\n"
    "from dicezero.cli import main\n"
    "raise SystemExit(main(['perft', 'nannon', '--depth', '1']))\n"
)


def test_a_call_that_never_says_how_far_it_is_leaves_lines_too():
    done = subprocess.run(
        [sys.executable, "-c", SLOW], capture_output=True, text=True, timeout=120, check=True
    )
    assert re.match(r"counting nannon\S+ to depth 1: [23] s\n", done.stderr)
    assert "nodes a second" in done.stdout


def test_tab_completes_commands_and_options(run, tmp_path: Path):
    script = tmp_path / "dicezero.bash"
    script.write_text(run("completion", "bash").out)
    ask = (
        f"source {script}; complete -p dicezero >/dev/null || exit 1\n"
        "fun=$(complete -p dicezero | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n"
        'tab() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); $fun dicezero "${@: -1}"; '
        'echo "${COMPREPLY[@]}"; }\n'
        "tab dicezero tour; tab dicezero solve --to\n"
    )
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, timeout=60, check=True)
    commands, options = done.stdout.splitlines()
    assert "tournament" in commands.split()
    assert "--tolerance" in options.split()
    assert "#compdef dicezero" in run("completion", "zsh").out
