"""``report.html``: a run on one page, made from its folder alone; it asks nothing of any other host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from dicezero.presets.settings import preset_to_json
from dicezero.runs.charts import Series, line_chart
from dicezero.runs.checkpoint import read_metrics
from dicezero.runs.commands import (
    evaluate_command,
    flat_settings,
    play_command,
    resume_command,
    train_command,
)
from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.files import write_atomically
from dicezero.runs.folder import REPORT
from dicezero.runs.manifest import read_run
from dicezero.runs.strength import measured_lines, strength_kind, strength_text

_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --panel: #f6f7f9; --ink: #1c1e22; --soft: #5c626d;
  --rule: #d9dce2; --c0: #1f5fbf; --c1: #c2541b; --c2: #1a7f4e; --c3: #8a3fb0; --c4: #8a6d00; --c5: #b3264e; }
@media (prefers-color-scheme: dark) { :root { --ground: #15171b; --panel: #1e2126; --ink: #e8eaee;
  --soft: #a0a7b4; --rule: #3a3f48; --c0: #74a9ff; --c1: #ff9d5c; --c2: #5fd394; --c3: #cf9bf0; --c4: #e0c04a;
  --c5: #ff8aa6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1680px; padding: 1.2rem clamp(0.8rem, 3vw, 2.5rem) 3rem;
  background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
p { margin: .3rem 0; color: var(--soft); }
.tiles { display: grid; gap: .7rem; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr));
  margin: 1rem 0; }
.tile { background: var(--panel); border-radius: 8px; padding: .6rem .8rem; }
.tile b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: .88rem; }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); }
figure { margin: 0; background: var(--panel); border-radius: 8px; padding: .7rem .8rem; }
figcaption { font-weight: 600; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .level { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 5 4; }
polyline { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; }
circle { fill: var(--c); }
.s0 { --c: var(--c0); } .s1 { --c: var(--c1); } .s2 { --c: var(--c2); }
.s3 { --c: var(--c3); } .s4 { --c: var(--c4); } .s5 { --c: var(--c5); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem .9rem; font-size: .88rem; }
.key::before { content: ""; display: inline-block; width: 1.1em; margin-right: .4em; vertical-align: .25em;
  border-top: 3px solid var(--c, var(--ink)); }
.key.level::before { border-top-style: dashed; border-top-width: 2px; }
pre { background: var(--panel); border-radius: 8px; padding: .7rem .8rem; margin: .3rem 0 .8rem;
  font-size: .88rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .18rem .9rem .18rem 0; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; color: var(--soft); }
.rounds td, .rounds th { text-align: right; white-space: nowrap; }
.settings { display: grid; gap: 0 2rem; margin: 0; font-size: .88rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
.settings div { display: flex; justify-content: space-between; gap: 1rem;
  border-bottom: 1px solid var(--rule); }
.settings dt { color: var(--soft); } .settings dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
summary { cursor: pointer; }
"""


_CURVE_STYLE = (
    ".dicezero-run{max-width:420px}.dicezero-run figure{margin:0}"
    ".dicezero-run polyline{fill:none;stroke:#2b62c9;stroke-width:2}.dicezero-run circle{fill:#2b62c9}"
    ".dicezero-run text{font:11px sans-serif;fill:currentColor}"
    ".dicezero-run .grid{stroke:currentColor;opacity:.15}"
    ".dicezero-run .level{stroke:#1a7f4b;stroke-dasharray:5 4}"
    ".dicezero-run .key{margin-right:1em;font:12px sans-serif}"
)


def write_report(folder: Path) -> Path:
    """Makes the page of the run in ``folder``, as its last committed round left it; returns the file."""
    path = folder / REPORT
    write_atomically(path, report_page(folder).encode("utf-8", "backslashreplace"))
    return path


def report_page(folder: Path) -> str:
    """The page as HTML; RunError where there is no run or no round yet."""
    config, manifest = read_run(folder)
    if not manifest.round:
        raise RunError(f"{folder} holds no finished round yet; there is nothing to report")
    lines = read_metrics(folder, rounds=manifest.round)
    title = f"{config.preset.name} on {config.game}"
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<p>Seed {config.seed}, round {manifest.round} of {config.rounds}, in "
        f"<code>{escape(str(folder))}</code>.</p>",
        *_behind(config),
        _tiles(lines),
        '<h2>Curves, by round</h2><div class="charts">',
        *_charts(lines),
        "</div>",
        "<h2>Commands</h2>",
        *_commands(config, folder),
        "<h2>Configuration</h2>",
        _settings(config),
        "<h2>Made with</h2>",
        _pairs(manifest.made_with),
        "<h2>Rounds</h2>",
        _rounds(lines),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def curve_html(folder: Path) -> str:
    """The run's strength by round, with the style it needs, for a page of somebody else's."""
    _, manifest = read_run(folder)
    lines = measured_lines(read_metrics(folder, rounds=manifest.round) if manifest.round else [])
    kind = strength_kind(lines[-1]) if lines else None
    if kind is None:
        return ""
    points = [(float(line["round"]), float(line[kind.key])) for line in lines]
    chart = line_chart(
        kind.title, [Series("measured", points)], level=kind.level, percent=kind.key != "mean_return"
    )
    return f'<div class="dicezero-run"><style>{_CURVE_STYLE}</style>{chart}</div>'


def _behind(config: RunConfig) -> list[str]:
    """What one has to know of a run that plays and trains at once."""
    if not config.preset.overlap:
        return []
    return [
        "<p>From the second round on games were played while the round before them trained, with weights one "
        "round older than those that then learned from them (<code>overlap</code>).</p>"
    ]


def _tiles(lines: Sequence[Mapping[str, Any]]) -> str:
    """The figures one looks for first: the last that are known."""
    latest: dict[str, float] = {}
    for line in lines:
        latest |= {key: float(value) for key, value in line.items() if _is_number(value)}
    tiles = [
        (f"{100 * latest[name]:.2f} %", what)
        for name, what in (
            ("vs_optimal", "against perfect play, with search (50 % is perfect)"),
            ("raw_vs_optimal", "against perfect play, network alone"),
            ("vs_random", "against random play, with search"),
        )
        if name in latest
    ]
    measured = measured_lines(lines)
    if measured and "vs_optimal" not in latest:
        kind = strength_kind(measured[-1])
        tiles.append((strength_text(measured[-1], percent=True), kind.title.lower() if kind else ""))
    games = sum(line["games"] for line in lines if _is_number(line.get("games")))
    tiles.append((f"{games:,}", "games of self-play"))
    minutes, cpu = latest.get("seconds", 0.0) / 60, latest.get("cpu_seconds", 0.0) / 60
    tiles.append((f"{minutes:.1f} min", f"of training, {cpu:.1f} of CPU"))
    return (
        '<div class="tiles">'
        + "".join(
            f'<div class="tile"><b>{escape(value)}</b><span>{what}</span></div>' for value, what in tiles
        )
        + "</div>"
    )


def _charts(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    def curve(key: str, name: str, per: str | None = None) -> Series:
        points = [
            (float(line["round"]), float(line[key]) / (max(1e-9, float(line[per])) if per else 1.0))
            for line in lines
            if _is_number(line.get(key)) and (per is None or _is_number(line.get(per)))
        ]
        return Series(name, points)

    terms = sorted({k for line in lines for k in line if k.startswith("loss_")} - {"loss_total", "loss_l2"})
    stages = ("selfplay", "learning", "measuring")
    perfect = next((x for line in lines if _is_number(x := line.get("perfect_vs_random"))), None)
    strength = [curve("vs_optimal", "with search"), curve("raw_vs_optimal", "network alone")]
    return [
        line_chart("Score against perfect play", strength, level=("perfect", 0.5), percent=True),
        line_chart(
            "Score against random play",
            [curve("vs_random", "with search")],
            level=None if perfect is None else ("perfect", perfect),
            percent=True,
        ),
        line_chart(
            "Score against the opponent",
            [curve("score", "score"), curve("score_low", "95 % from"), curve("score_high", "to")],
            percent=True,
        ),
        line_chart("Mean return", [curve("mean_return", "measured"), curve("selfplay_return", "self-play")]),
        line_chart("Decisions a game of self-play", [curve("selfplay_length", "decisions")], scale="zero"),
        line_chart("Loss by term", [curve(term, term.removeprefix("loss_")) for term in terms], scale="zero"),
        line_chart("Loss, total", [curve("loss_total", "total")]),
        line_chart(
            "Seconds by stage (logarithmic)",
            [curve(f"seconds_{stage}", stage) for stage in stages],
            scale="log",
        ),
        line_chart(
            "Games a second of self-play", [curve("games", "games/s", "seconds_selfplay")], scale="zero"
        ),
        line_chart(
            "Simulations a second of self-play",
            [curve("simulations", "simulations/s", "seconds_selfplay")],
            scale="zero",
        ),
    ]


def _commands(config: RunConfig, folder: Path) -> list[str]:
    commands = {
        "Make this run": train_command(config, folder),
        "Go on with it (more rounds: a larger --rounds)": resume_command(config, folder),
        "Play against it": play_command(config, folder),
        "Measure it": evaluate_command(config, folder),
        "Look at the curves as they come": f"tensorboard --logdir {folder.parent}",
    }
    return [f"<p>{escape(what)}</p><pre>{escape(command)}</pre>" for what, command in commands.items()]


def _settings(config: RunConfig) -> str:
    data = {
        "game": config.game,
        "seed": config.seed,
        "rounds": config.rounds,
        "keep_every": config.keep_every,
    }
    preset = {f"preset.{k}" if k in data else k: v for k, v in flat_settings(preset_to_json(config.preset))}
    return _pairs({**data, **preset})


def _pairs(data: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<div><dt>{escape(key)}</dt><dd>{escape(_text(value))}</dd></div>" for key, value in data.items()
    )
    return f'<dl class="settings">{rows}</dl>'


def _rounds(lines: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(key for line in lines for key in line if key != "unix_seconds"))
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(_text(line[n])) if n in line else ''}</td>" for n in names) + "</tr>"
        for line in lines
    )
    return (
        f"<details><summary>Every figure of metrics.jsonl</summary><div class='wide'>"
        f'<table class="rounds"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>'
    )


def _is_number(value: Any) -> bool:
    """A round whose line was lost has no figures, and a line from elsewhere may hold anything."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
