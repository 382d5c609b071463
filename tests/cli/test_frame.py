"""Help, mistakes, interruptions and pipes: what every command shares."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dicezero.cli import main
from dicezero.cli.app import COMMANDS

DICEZERO = [sys.executable, "-c", "import sys; from dicezero.cli import main; sys.exit(main())"]


def test_overview_version_and_help(run):
    assert run().code == 0
    for name in COMMANDS:
        assert f"\n  {name}" in run("--help").out
    assert run("--version").out.startswith("dicezero ")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(run, name: str):
    done = run(name, "--help")
    assert done.code == 0
    assert f"dicezero {name}" in done.out.split("Example")[1]


def test_an_option_of_several_values_may_be_given_again():
    pytest.importorskip("nicegui")
    from dicezero.cli.app import _gathered
    from dicezero.cli.studio import Studio
    from dicezero.cli.train import Train

    words = ["--game", "a.py:A", "--port", "0", "--game", "b.json", "c.json", "--no-open"]
    assert _gathered(Studio, ["runs", *words]) == [
        *("runs", "--port", "0", "--no-open", "--game", "a.py:A", "b.json", "c.json")
    ]
    once = ["runs", "--game", "a", "b", "--port", "0"]
    assert _gathered(Studio, once) == once
    again = ["td-lambda", "--set", "a=1", "--set", "b=2"]  # which is read so as it is
    assert _gathered(Train, again) == again


def test_mistakes_of_every_kind_are_one_line(refused):
    assert "did you mean perft" in refused("prft")
    assert "the commands are" in refused("zzzzzz")
    assert "did you mean --depth" in refused("perft", "nannon", "--dept", "3")
    assert "missing: --depth" in refused("perft", "nannon")
    assert "missing: GAME" in refused("perft", "--depth", "3")
    assert "GAME is given without --game: dicezero solve GAME" in refused("solve", "--game", "nannon")
    assert "PATH is given without --path: dicezero evaluate PATH" in refused("evaluate", "--path=runs/x")
    assert "--depth 'three' is not a whole number" in refused("perft", "nannon", "--depth", "three")
    assert "--tolerance 'x' is not a number" in refused("solve", "nannon", "--tolerance", "x")
    assert "shell: 'fish' is unknown; give one of 'bash', 'zsh', 'tcsh'" in refused("completion", "fish")
    assert refused("match", "random", "greedy", "--games").startswith("dicezero: --games needs a value; see:")
    assert "missing: AGENT, AGENT, --game GAME; see: dicezero match --help" in refused("match")
    assert "not understood: extra" in refused("perft", "nannon", "extra", "--depth", "3")
    assert "points=0" in refused("perft", "nannon(points=0)", "--depth", "3")


def test_numbers_beyond_any_use_are_named_before_anything_begins(refused):
    huge = str(10**20)
    words = f"--depth {huge} is out of range; give 2147483648 at most"
    assert words in refused("perft", "nannon", "--depth", huge)
    assert "--games" in refused("match", "random", "random", "--game", "nannon", "--games", huge)
    assert f"seed={10**23} is out of range" in refused(
        "match", "random", "random", "--game", "nannon", "--games", "2", "--seed", str(10**23)
    )


def test_a_file_in_the_way_and_a_full_memory_come_with_a_remedy(refused, tmp_path: Path, monkeypatch):
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    words = ("match", "random", "random", "--game", "nannon", "--games", "2", "--save")
    assert "is a file, not a folder; give another path" in refused(*words, str(file / "x.jsonl"))
    pytest.importorskip("jax")
    assert f"{file} is a file; give another --out" in refused("demo", "--out", str(file))
    assert file.read_text() == "mine"

    def greedy(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 745 GiB")

    monkeypatch.setattr("dicezero.cli.perft.perft", greedy)
    said = refused("perft", "nannon", "--depth", "2")
    assert "out of memory: Unable to allocate 745 GiB; take smaller numbers" in said


def test_a_parameter_that_a_class_of_ones_own_does_not_take_is_named(refused):
    pig = Path(__file__).parents[2] / "examples" / "pig.py"
    said = refused("check", f"{pig}:Pig(tarjet=20)")
    assert "unknown parameter 'tarjet'; did you mean target? it takes target" in said


def test_a_game_that_does_not_end_is_found_out_in_one_line_of_play(run, tmp_path: Path):
    file = tmp_path / "endless.py"
    code = (Path(__file__).parents[2] / "examples" / "pig.py").read_text()
    file.write_text(code)
    done = run("check", f"{file}:Pig(target=1000000)", "--max-moves", "600")
    assert done.code == 1
    assert "(1 games, 601 positions, longest 600)" in done.out
    assert "after 600 actions, the last of them [" in done.out


def test_an_error_inside_a_users_game_is_one_line_with_its_place(refused, tmp_path: Path):
    pig = Path(__file__).parents[2] / "examples" / "pig.py"
    file = tmp_path / "bad.py"
    raising = "        if max(self.scores) > 20:\n            raise KeyError('lost')\n"
    head = "    def legal_actions(self) -> list[int]:\n"
    file.write_text(pig.read_text().replace(head, head + raising))
    message = refused("match", "random", "random", "--game", f"{file}:Pig", "--games", "2")
    assert "KeyError: 'lost'" in message
    assert "bad.py:" in message


def test_ten_thousand_random_names_neither_crash_nor_trace(capsys: pytest.CaptureFixture[str]):
    rng = random.Random(7)
    pieces = [
        *"()=,.:-/\\'\"0123456789 \t\n\0é漢\U0001f3b2\ud800",
        "nannon",
        "points",
        "go",
        "chess",
        "pig",
        "%s",
    ]
    for _ in range(10_000):
        name = "".join(rng.choice(pieces) for _ in range(rng.randint(0, 12)))
        code = main(["perft", name, "--depth=0"])
        assert code in (0, 2), name
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert all(line.startswith("dicezero: ") for line in err.splitlines())


def test_a_closed_pipe_is_no_error():
    script = f"{DICEZERO[0]} -c '{DICEZERO[2]}' games --json | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert "Traceback" not in done.stderr
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "141")


def cpu_seconds(pid: int) -> float:
    """What a process has had of the processor; the clock, where the system does not say."""
    try:
        ticks = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    except OSError:
        return time.monotonic()
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def interrupted(*words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command that gets Ctrl-C after a second of CPU time."""
    code = (
        "import sys, dicezero.agents.searching, dicezero.evaluation.arena\n"
        "from dicezero.cli import main\n"
        "print('ready', file=sys.stderr, flush=True)\n"
        "sys.exit(main())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        begun, waited = cpu_seconds(process.pid), time.monotonic()
        while cpu_seconds(process.pid) < begun + 1.0 and time.monotonic() < waited + 60:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        return process.returncode, out, err


def test_interrupting_a_match_reports_what_was_over_and_ends_with_130():
    words = ("match", "random", "random", "--game", "nannon", "--games", "100000000", "--json")
    code, out, err = interrupted(*words)
    assert code == 130
    found = json.loads(out)
    assert found["interrupted"]
    assert 0 < found["games"] < 100_000_000
    assert found["wins"] + found["draws"] + found["losses"] == found["games"]
    assert err.count("\n") == 1
    assert "interrupted" in err


@pytest.mark.parametrize("agent", ["alphabeta(max_seconds=600)", "uct(seconds=600)"])
def test_interrupting_a_search_prints_the_best_move_so_far_and_ends_with_130(agent: str):
    code, out, err = interrupted("search", agent, "--game", "connect_four", "--json")
    assert code == 130, err
    assert '"stopped": "interrupted"' in out
    assert err == "dicezero: interrupted; what is shown is what the search had by then\n"
