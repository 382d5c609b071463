"""The fast planner improves on its prior where the Gumbel paper says so, and only there."""

from __future__ import annotations

from improvement import check_example_1, check_gumbel_improves, check_halving_of_figure_1

from dicezero.search.plan import plan


def test_gumbel_improves_at_every_budget() -> None:
    check_gumbel_improves(plan, bandits=20, arms=8, rows=400)


def test_example_1() -> None:
    check_example_1(plan, rows=4000)


def test_sequential_halving_of_figure_1() -> None:
    check_halving_of_figure_1(plan)
