"""A plain install: the commands that work with the base dependencies alone, and what the others say.

The commands run in an interpreter that sees nothing but this package and what ``[project] dependencies``
brings, links to the files of the installed ones; a dependency that is used and not declared would fail here.
"""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dicezero
from dicezero import _native

ROOT = Path(__file__).parents[2]
RUN = "import sys; sys.path[:0] = [{site!r}]; from dicezero.cli import main; sys.exit(main(sys.argv[1:]))"
TREE = '{"left": 0.25, "right": -0.5}'


def base_distributions() -> set[str]:
    """The base dependencies and theirs, by name."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    found: set[str] = set()
    while wanted:
        text = wanted.pop()
        name, marker = re.split(r"[^\w.-]", text, maxsplit=1)[0], text.partition(";")[2]
        if name in found or "extra" in marker:
            continue
        try:
            wanted += importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:  # for another platform or Python
            continue
        found.add(name)
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Runs ``dicezero`` with the base dependencies alone."""
    site = tmp_path_factory.mktemp("site")
    for name in base_distributions():
        for file in importlib.metadata.files(name) or []:
            top = file.parts[0]
            place = Path(str(importlib.metadata.distribution(name).locate_file(top)))
            if top not in ("..", "__pycache__", "bin") and not (site / top).exists() and place.exists():
                (site / top).symlink_to(place)
    (site / "dicezero").mkdir()
    for place in [*Path(dicezero.__file__).parent.iterdir(), Path(_native.__file__)]:
        if not (site / "dicezero" / place.name).exists():
            (site / "dicezero" / place.name).symlink_to(place)

    def call(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-S", "-c", RUN.format(site=str(site)), *words]
        return subprocess.run(
            command, input=stdin, capture_output=True, text=True, timeout=120, check=False, cwd=site
        )

    return call


def test_the_base_is_small():
    assert {"numpy", "rich", "safetensors", "tyro"} <= base_distributions()
    assert not base_distributions() & {"jax", "jaxlib", "flax", "optax", "scipy", "tensorboardX", "pydantic"}


@pytest.mark.parametrize(
    ("words", "stdin", "shown"),
    [
        (["solve", "nannon"], "", "0.515736870969"),
        (["search", "alphabeta(depth=4)", "--game", "tic_tac_toe"], "", "plays"),
        (["search", "expectiminimax(depth=2)", "--game", "tree.json"], "", "plays left, value +0.2500"),
        (["play", "alphabeta", "--game", "connect_four", "--seed", "1"], "1\n1\nquit\n", "Bye."),
        (["match", "uct(simulations=20)", "random", "--game", "backgammon", "--games", "2"], "", "score"),
        (["tournament", "random", "greedy", "--game", "nannon", "--games", "4"], "", "greedy"),
        (["check", "nannon", "--games", "2"], "", "fits"),
        (["search", "pretrained(simulations=8)", "--game", "go(board_size=9)"], "", "plays"),
        (["perft", "chess", "--depth", "2"], "", "400"),
        (["games"], "", "connect_four"),
        (["agents", "uct"], "", "simulations"),
        (["presets", "gumbel-ndmz"], "", "unroll"),
        (["bench", "--list"], "", "playouts"),
        (["train", "--help"], "", "--measure"),
        (["reproduce", "--help"], "", "--seeds"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_base_command_needs_nothing_else(plain, tmp_path, words, stdin, shown):
    (tmp_path / "tree.json").write_text(TREE)
    words = [str(tmp_path / word) if word == "tree.json" else word for word in words]
    done = plain(*words, stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout
    assert "nanobind" not in done.stderr


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["train", "gumbel-ndmz", "--game", "nannon", "--out", "run"], "learn"),
        (["demo"], "learn"),
        (["reproduce", "ndmz"], "bench"),
        (["studio"], "studio"),
        (["engine"], "studio"),
        (["check", "gymnasium(id=CartPole-v1)"], "gymnasium"),
        (["bench", "learning"], "learn"),
        (["bench", "studio"], "studio"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_that_needs_an_extra_says_which(plain, words, extra):
    done = plain(*words)
    assert done.returncode == 2
    assert f'pip install "dicezero[{extra}]"' in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_public_name_that_needs_an_extra_says_which(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    for module in [name for name in sys.modules if name.startswith("dicezero.learner.")]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(ModuleNotFoundError, match=r"dicezero.train needs dicezero\[learn\]: pip install"):
        _ = dicezero.train


def test_the_message_names_command_and_extra(plain):
    done = plain("train", "td-lambda", "--game", "nannon", "--out", "run")
    assert done.stderr.startswith(
        'dicezero: dicezero train td-lambda needs dicezero[learn]: pip install "dicezero[learn]"'
    )
