"""The tables beside a tree: moves, Gumbel's phases, beliefs; as HTML, every text escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from dicezero.search.halving import Candidate
from dicezero.search.result import SearchResult
from dicezero.studio.analysis import Snapshot
from dicezero.studio.beliefs import Belief, Odds
from dicezero.studio.scale import Scale

Names = Mapping[int, str]


def worth(value: float | None, scale: Scale) -> str:
    """A value for the mover: 60.8 %, or +0.22 where the game pays points."""
    return "" if value is None else scale.of_value(value)


def budget_text(shot: Snapshot) -> str:
    """64 simulations, 1 ply, 1 look."""
    one = {"simulations": "simulation", "plies": "ply", "nodes": "node", "looks": "look"}[shot.unit]
    return f"{shot.budget:,} {one if shot.budget == 1 else shot.unit}"


def effort_text(shot: Snapshot) -> str:
    """What a search took: 64 simulations, 90 nodes, under 1 ms."""
    result = shot.result
    nodes = "1 node" if result.nodes == 1 else f"{result.nodes:,} nodes"
    took = "under 1 ms" if result.seconds < 0.001 else f"{result.seconds:.3g} s"
    if 0.001 <= result.seconds < 1:
        took = f"{1000 * result.seconds:.0f} ms"
    return f"{budget_text(shot)}, {nodes}, {took}"


def _value_text(result: SearchResult, action: int, scale: Scale) -> str:
    """What a move is worth, or the bound at which alpha-beta left it."""
    if action in result.action_values:
        return worth(result.action_values[action], scale)
    for child in result.tree.children if result.tree is not None else ():
        if child.action == action and child.bounds is not None and child.bounds[1] < scale.high:
            return f"\u2264 {scale.of_value(child.bounds[1])}"
    return ""


def moves_html(result: SearchResult, names: Names, scale: Scale) -> str:
    """The legal moves, the chosen one first, then the most visited."""
    total = max(1, sum(result.visits.values()))

    def rank(action: int) -> tuple[bool, int, float]:
        return action != result.action, -result.visits.get(action, 0), -result.action_values.get(action, -2.0)

    rows = []
    for action in sorted(names, key=rank):
        visits = result.visits.get(action, 0)
        chosen = ' class="chosen"' if action == result.action else ""
        rows.append(
            f'<tr{chosen}><th scope="row">{escape(names[action])}</th>'
            f'<td class="n" style="--share:{100 * visits / total:.1f}%">{visits:,}</td>'
            f"<td>{_value_text(result, action, scale)}</td></tr>"
        )
    return _table(("move", "N", "expects" if scale.points else "wins"), rows)


def line_html(texts: Sequence[str]) -> str:
    """The expected line."""
    steps = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f'<ol class="line-of-play">{steps}</ol>'


def command_html(command: str) -> str:
    """A command to copy; a line may end before an option, not within its dashes."""
    options = re.sub(r"(?<= )--[a-z-]+", r'<span class="option">\g<0></span>', escape(command))
    return f"<pre>{options}</pre>"


def halving_html(result: SearchResult, names: Names, scale: Scale) -> str:
    """Gumbel's candidates, a column a phase; empty where nothing was halved."""
    if not result.halving:
        return ""
    order: dict[int, int] = {}
    for phase in reversed(result.halving):
        for candidate in phase.candidates:
            order.setdefault(candidate.action, len(order))
    rows = []
    for action in sorted(order, key=lambda a: (a != result.action, order[a])):
        cells = [
            next(
                (_candidate(c, scale) for c in phase.candidates if c.action == action),
                '<td class="out"></td>',
            )
            for phase in result.halving
        ]
        chosen = ' class="chosen"' if action == result.action else ""
        rows.append(f'<tr{chosen}><th scope="row">{escape(names[action])}</th>{"".join(cells)}</tr>')
    heads = ["considered", *(f"phase {n}" for n in range(1, len(result.halving) + 1))]
    return _table(heads, rows)


def _candidate(c: Candidate, scale: Scale) -> str:
    mark = "" if c.kept else " out"
    word = "kept" if c.kept else "dropped"
    return (
        f'<td class="phase{mark}" title="score {c.score:.2f}, {word}"><b>{c.visits}</b>'
        f"<small>{worth(c.q, scale)}</small></td>"
    )


def beliefs_html(beliefs: Sequence[Belief], players: tuple[str, str]) -> str:
    """What a learned model expects after each move beside the truth; empty where there is no such model."""
    parts = []
    for belief in beliefs:
        blocks = [_odds_table("who acts next", belief.turn, players)]
        if belief.dice:
            blocks.append(
                _odds_table(f"dice, off by {100 * (belief.dice_error or 0):.0f} %", belief.dice, players)
            )
            blocks.append(_odds_table("and who acts then", belief.replies, players))
        parts.append(
            f'<details class="belief"{" open" if belief is beliefs[0] else ""}>'
            f"<summary>after {escape(belief.label)}</summary>"
            f'<div class="odds">{"".join(blocks)}</div></details>'
        )
    return "".join(parts)


def _odds_table(title: str, odds: Sequence[Odds], players: tuple[str, str]) -> str:
    def plain_text(label: str) -> str:
        return escape(label.replace("player 0", players[0]).replace("player 1", players[1]))

    rows = [
        f'<tr class="{"true" if o.true else "false"}"><th scope="row">{plain_text(o.label)}</th>'
        f'<td class="n" style="--share:{100 * o.learned:.1f}%">{100 * o.learned:.1f} %</td>'
        f"<td>{100 * o.true:.1f} %</td></tr>"
        for o in odds
    ]
    return _table((title, "model", "true"), rows)


def _table(heads: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    return f'<table class="numbers"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def strip_html(shots: Sequence[Snapshot], names: Names, *, chosen: int, colours: Mapping[int, str]) -> str:
    """The choice at every budget, as buttons."""
    buttons = []
    for index, shot in enumerate(shots):
        action = shot.result.action
        pressed = str(index == chosen).lower()
        buttons.append(
            f'<button type="button" data-shot="{index}" aria-pressed="{pressed}" '
            f'style="--move:{colours.get(action, "var(--line)")}" title="{escape(shot.spec)}">'
            f"<small>{shot.budget:,}</small><b>{escape(names.get(action, ''))}</b></button>"
        )
    return "".join(buttons)
