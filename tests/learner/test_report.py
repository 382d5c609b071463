"""report.html: the run's figures on one page that asks nothing of another host."""

from __future__ import annotations

import json
import re
import shlex
from html.parser import HTMLParser

from tiny import NAME, PRESET, copy

from dicezero.cli import main
from dicezero.presets.fitting import fitted
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import GameSpec, ObservationSpec
from dicezero.runs.charts import Series, line_chart, nice_ticks
from dicezero.runs.checkpoint import Checkpoint, begin, commit, read_metrics
from dicezero.runs.commands import play_command, resume_command, train_command
from dicezero.runs.config import RunConfig
from dicezero.runs.manifest import Manifest
from dicezero.runs.report import report_page, write_report

VOID = {"meta", "line", "circle", "polyline", "br"}


class Page(HTMLParser):
    """The tags of a page, seen to be closed in order, and its text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.attributes, self.text = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, _, attrs):
        self.attributes += attrs

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_shows_the_run_and_asks_nothing_of_others(whole):
    html = (whole / "report.html").read_text()
    page = Page(html)
    text = " ".join(page.text)
    lines = read_metrics(whole, rounds=5)
    assert f"{100 * lines[3]['vs_optimal']:.2f} %" in text  # the last that was measured
    assert f"{100 * lines[3]['vs_random']:.2f} %" in text
    figures = re.findall(r"<figure><figcaption>(Score[^<]*)</figcaption>(.*?)</figure>", html)
    assert len(figures) == 2
    for _, figure in figures:  # axis, points and label alike
        shown = re.findall(r">(?:round [^<]* )?[-\d.]+ %<", figure)
        assert len(shown) >= len(re.findall('text-anchor="end"', figure)) + len(re.findall("<title>", figure))
    assert str(sum(line["games"] for line in lines)) in text
    for word in (
        "Seed 7",
        "with search",
        "network alone",
        "Loss by term",
        "Seconds by stage",
        "buffer_games",
    ):
        assert word in text
    for version in Manifest.read(whole).made_with.values():
        assert version in text
    assert not re.search(r"(?:https?:)?//", html)
    assert not {name for name, _ in page.attributes} & {"src", "href", "onload", "onclick"}
    assert "prefers-color-scheme: dark" in html
    assert "url(" not in html
    assert "@import" not in html


def test_every_point_of_a_curve_is_where_its_figure_says():
    chart = line_chart("Score", [Series("a", [(1, 0.2), (2, 0.4), (3, 0.3)])], level=("perfect", 0.5))
    spots = re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="2.5"><title>round (\d): a ([\d.]+)', chart)
    (x1, y1), (x2, y2), (x3, y3) = [(float(x), float(y)) for x, y, _, _ in spots]
    assert [value for *_, value in spots] == ["0.2", "0.4", "0.3"]
    assert x2 - x1 == x3 - x2 > 0
    assert y1 - y3 == y3 - y2 > 0  # up is more
    level = re.search(r'class="level" x1="\d+" x2="\d+" y1="([\d.]+)"', chart)
    assert float(level[1]) < y2
    assert line_chart("Nothing", [Series("a", [])]) == ""
    share = line_chart("Score", [Series("a", [(1, 0.2), (2, 0.4)])], level=("perfect", 0.5), percent=True)
    assert "round 1: a 20 %<" in share
    assert "perfect 50 %<" in share
    assert "at the end a 40 %" in share
    assert ">50 %</text>" in share
    assert "round 2: b 10<" in line_chart("Log", [Series("b", [(1, 0.0), (2, 10.0)])], scale="log")


def test_ticks_are_round_numbers_that_cover_the_range():
    assert nice_ticks(0.31, 0.5) == [0.3, 0.35, 0.4, 0.45, 0.5]
    assert nice_ticks(0, 9) == [0, 2, 4, 6, 8, 10]
    low, *_, high = nice_ticks(3.0, 3.0)
    assert low < 3.0 < high


def test_the_commands_on_the_page_make_this_run(whole, tmp_path, capsys):
    config = RunConfig.read(whole)
    words = shlex.split(train_command(config, tmp_path / "again"))
    words[words.index("--rounds") + 1] = "1"
    assert main([*words[1:], "--json"]) == 0
    made = RunConfig.read(tmp_path / "again")
    assert (made.preset, made.game, made.seed) == (config.preset, config.game, config.seed)
    assert main([*shlex.split(resume_command(config, whole))[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["round"] == 5
    assert shlex.split(play_command(config, whole)) == [
        "dicezero",
        "play",
        f"run(path={whole})",
        "--game",
        NAME,
    ]


def test_report_is_made_again_by_the_command(whole, tmp_path, capsys):
    folder = copy(whole, tmp_path / "run")
    (folder / "report.html").unlink()
    assert main(["report", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"report": str(folder / "report.html")}
    assert (folder / "report.html").read_text() == report_page(folder)
    assert main(["report", str(tmp_path)]) == 2
    assert "is no run" in capsys.readouterr().err


def test_names_are_escaped(tmp_path):
    config = RunConfig(PRESET, "<script>alert(1)</script>", 0, 1)
    (tmp_path / "run").mkdir()
    begin(tmp_path / "run", config)
    commit(tmp_path / "run", config, Checkpoint(1, {}, {}, ()), {}, {"round": 1})
    page = write_report(tmp_path / "run").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_the_command_of_a_run_makes_the_same_preset_though_the_game_settled_some_of_it(tmp_path):
    spec = GameSpec("alone", 1, 2, 0, discount=0.9, observation=ObservationSpec((3,)))
    preset = fitted(with_settings(PRESETS["gumbel-muzero"], {"games": "7"}), spec)
    words = shlex.split(train_command(RunConfig(preset, "alone", 0, 3), tmp_path))
    settings = dict(words[i + 1].split("=", 1) for i, word in enumerate(words) if word == "--set")
    assert fitted(with_settings(PRESETS["gumbel-muzero"], settings), spec) == preset


def test_the_command_of_a_run_has_its_switches_and_its_noise(tmp_path):
    settings = {"symmetries": "false", "prune_targets": "true", "forced_playouts": "2", "widths": "8,8"}
    noise = {
        "dirichlet.fraction": "0.1",
        "dirichlet.alpha": "0.7",
        "play.puct.init": "2.5",
        "puct.form": "muzero",
    }
    preset = with_settings(PRESETS["alphazero"], settings | noise)
    words = shlex.split(train_command(RunConfig(preset, NAME, 0, 3), tmp_path))
    again = dict(words[i + 1].split("=", 1) for i, word in enumerate(words) if word == "--set")
    assert len(again) == len(settings | noise)
    assert with_settings(PRESETS["alphazero"], again) == preset
