"""Measurements for a reader: tables of what ``dicezero evaluate`` and ``dicezero match`` found."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from dicezero.cli.progress import Bar
from dicezero.cli.sheet import Sheet
from dicezero.evaluation.alone import AloneResult
from dicezero.evaluation.arena import MatchResult
from dicezero.evaluation.dynamics import WHO_ACTS, Counts, DynamicsReport
from dicezero.evaluation.policies import OnPhase
from dicezero.evaluation.strength import Mistake, Strength

_STRENGTH = (  # figure, what it is called
    ("vs_optimal", "vs perfect play"),
    ("vs_random", "vs random play"),
    ("mean_return", "mean return"),
    ("optimal_return", "  of perfect play"),
    ("exploitability", "exploitability"),
    ("exploitability_return", "  in returns"),
    ("regret", "regret, all alike"),
    ("regret_played", "regret, as played"),
    ("agreement", "agreement, all alike"),
    ("agreement_played", "agreement, as played"),
)
_DYNAMICS = (  # field, heading
    ("depth", "depth"),
    ("positions", "positions"),
    ("top_move", "top move"),
    ("uniform", "uniform"),
    ("illegal_mass", "illegal"),
    ("dice_distance", "dice off"),
    ("identity", "identity"),
    ("end_seen", "end seen"),
    ("end_imagined", "imagined"),
    ("value_error", "value off"),
)


@contextmanager
def phase_progress(*, quiet: bool) -> Iterator[OnPhase]:
    """A progress bar for work in several phases, each with a bar of its own."""
    begin = time.monotonic()
    current: list[tuple[str, Bar]] = []

    def close() -> None:
        while current:
            current.pop()[1].close()

    def on_phase(phase: str, done: int, total: int) -> None:
        if not current or current[0][0] != phase:
            close()
            current.append((phase, Bar(phase, total=total or None, quiet=quiet, begin=begin)))
        current[0][1].update(done)

    try:
        yield on_phase
    finally:
        close()


def strength_table(
    measured: Mapping[str, Strength], sample: Mapping[str, Any] | None, simulations: int
) -> Sheet:
    """A column a policy; the seats of each score beside it."""
    headings = []
    seated = any(strength.vs_optimal_seats for strength in measured.values())  # a single player has no seats
    for name in measured:
        headings += ["network alone" if name == "network" else f"search, n = {simulations}"]
        if seated or sample:
            headings += [f"{'network' if name == 'network' else 'search'} as first / second"]
    table = Sheet("measured", *headings, right=headings)
    for field, words in _STRENGTH:
        cells = []
        for strength in measured.values():
            seats, figure = getattr(strength, f"{field}_seats", None), getattr(strength, field)
            cells += ["-" if figure is None else f"{figure:z.6f}"]
            if seated or sample:
                cells += [f"{seats[0]:.4f} / {seats[1]:.4f}" if seats else ""]
        if any(cell not in ("-", "") for cell in cells):
            table.add_row(words, *cells)
    if sample:
        low, high = sample["regret_ci95"]
        words = f"regret of search, n = {sample['simulations']}, {sample['decisions']} decisions drawn"
        table.add_row(words, f"{sample['regret']:.6f}", f"{low:.6f} .. {high:.6f}")
        table.add_row("  of the network at the same", f"{sample['network_regret']:.6f}", "")
    return table


def mistakes_table(mistakes: Sequence[Mistake]) -> Sheet | str:
    """The costliest first."""
    if not mistakes:
        return "no mistakes"
    figures = ("gives away", "times a game", "costs a game")
    table = Sheet("position", "played", "best", *figures, right=figures, title="costliest mistakes")
    for m in mistakes:
        table.add_row(m.position, m.played, m.best, f"{m.loss:.4f}", f"{m.visits:.4f}", f"{m.cost:.6f}")
    return table


def match_lines(result: MatchResult, title: str) -> str:
    """The score and, where luck was taken out, the adjusted one below it."""
    lines = [
        f"{title}, {result.games} games",
        f"score     {_with_interval(result.score, result.ci95)}   "
        f"{result.wins} won, {result.draws} drawn, {result.losses} lost; {result.mean_plies:.1f} moves each",
        f"return    {_with_interval(result.mean_return, result.mean_return_ci95)}",
    ]
    if result.adjusted_score is not None and result.adjusted_ci95 is not None:
        lines.append(
            f"adjusted  {_with_interval(result.adjusted_score, result.adjusted_ci95)}   "
            f"without the luck of the dice; worth {result.variance_ratio:.1f} times the games"
        )
    if result.adjusted_return is not None and result.adjusted_return_ci95 is not None:
        lines.append(f"  return  {_with_interval(result.adjusted_return, result.adjusted_return_ci95)}")
    if result.truncated:
        lines.append(f"{result.truncated} games did not end in time: each counts as a draw")
    if 2 < 2 * result.distinct < result.games:
        lines.append(
            f"only {result.distinct} games differ, so the intervals are too narrow; "
            "--opening 8 begins every pair with other moves"
        )
    return "\n".join(lines)


def alone_lines(result: AloneResult, title: str) -> str:
    """The mean return of a game for one."""
    text = (
        f"{title}, {result.episodes} episodes\n"
        f"return    {_with_interval(result.mean_return, result.mean_return_ci95)}   "
        f"from {result.least_return:g} to {result.greatest_return:g}; {result.mean_length:.1f} moves each"
    )
    if result.human_normalised is not None and result.human_normalised_ci95 is not None:
        words = _with_interval(result.human_normalised, result.human_normalised_ci95)
        text += f"\nhuman     {words}   0 is random play, 1 a person"
    return text + (f"\n{result.truncated} episodes were truncated" if result.truncated else "")


def _with_interval(value: float, ci95: tuple[float, float]) -> str:
    return f"{value:.4f}   95 % {ci95[0]:.4f} .. {ci95[1]:.4f}"


def dynamics_table(report: DynamicsReport) -> Sheet:
    """A row a depth."""
    title = (
        f"top move {report.top_move:.4f}, uniform {report.uniform:.4f} over {report.positions:,} positions"
    )
    headings = [heading for _, heading in _DYNAMICS]
    table = Sheet(*headings, right=headings, title=title)
    for row in report.by_depth:
        values = [getattr(row, field) for field, _ in _DYNAMICS]
        table.add_row(*("-" if v is None else f"{v:.4f}" if isinstance(v, float) else str(v) for v in values))
    return table


def next_to_act_table(counts: Counts) -> Sheet:
    """A row for each who may act, with whom the model names there."""
    headings = ["positions", *WHO_ACTS]
    table = Sheet("who acts next", *headings, right=headings, title="who acts next, and who is said to")
    for who, row in zip(WHO_ACTS, counts, strict=True):
        total = sum(row)
        shares = ("-" if not total else f"{count / total:.4f}" for count in row)
        table.add_row(who, str(total), *shares)
    return table
