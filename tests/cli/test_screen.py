"""What a person sees while a run is trained."""

from __future__ import annotations

import io
import time

from rich.console import Console

from dicezero.cli.screen import Screen, spark_line
from dicezero.learner.progress import Progress


def metrics(number, **more):
    return {
        "round": number,
        "selfplay_return": 0.25,
        "selfplay_length": 12.5,
        "loss_policy": 1.5,
        "loss_value": 0.25,
        "games": 60,
        "simulations": 4000,
        "seconds_selfplay": 0.5,
        "seconds": 10.0 + 3.0 * number,
        **more,
    }


def shown(screen):
    console = Console(file=io.StringIO(), width=120, force_terminal=False)
    console.print(screen.view())
    return console.file.getvalue()


def test_the_live_screen_says_where_the_run_is():
    out = io.StringIO()
    console = Console(file=out, width=120, force_terminal=True)
    with Screen("gumbel-ndmz on nannon", 10, quiet=False, console=console) as screen:
        screen.progress(Progress(1, "self-play", 20, 60, moves=1234))
        text = shown(screen)
        assert "round 1" in text
        assert "20/60 games, 1,234 moves" in text
        for number, score in ((1, 0.30), (2, 0.40), (3, 0.45)):
            strength = {"meter": "exact", "vs_optimal": score, "raw_vs_optimal": score - 0.01}
            screen.add(metrics(number, **strength))
        screen.progress(Progress(4, "training", 50, 200))
        text = shown(screen)
        assert "round 3 of 10 done, about 21 s left; 120 games/s, 8,000 simulations/s" in text
        assert "score against perfect play 0.4500, network alone 0.4400, perfect 0.5" in text
        assert "▁▆█" in text
        assert "50/200 steps" in text
        screen.progress(Progress(4, "measuring", 0, 0))
        assert "measuring" in shown(screen)
        screen.note("stopping")
        assert "stopping" in shown(screen)
        # It redraws by itself: work that says nothing for a while does not look dead.
        before = len(out.getvalue())
        deadline = time.monotonic() + 20
        while len(out.getvalue()) == before and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(out.getvalue()) > before


def test_plain_lines_where_there_is_no_terminal(capsys):
    console = Console(file=io.StringIO(), force_terminal=False)
    with Screen("title", 10, quiet=False, console=console) as screen:
        screen.progress(Progress(1, "self-play", 20, 60))
        screen.add(metrics(1))
    assert capsys.readouterr().err == (
        "round 1 strength - return 0.25 length 12.5 policy 1.500 value 0.250 games/s 120 sims/s 8000 "
        "seconds 13.0\n"
    )
    with Screen("title", 10, quiet=True, console=console) as screen:
        screen.add(metrics(1))
        screen.note("stopping")
    assert capsys.readouterr().err == ""
    assert console.file.getvalue() == ""


def test_a_match_and_a_mean_return_are_shown_with_their_interval():
    screen = Screen("title", 10, quiet=True)
    interval = {"score_low": 0.4, "score_high": 0.6, "opponent": "random"}
    screen.add(metrics(1, meter="match(games=40)", score=0.5, **interval))
    assert "score against the opponent 0.500 (0.400 to 0.600) against random" in shown(screen)
    screen.add(metrics(2, meter="mean_return(episodes=9)", mean_return=475.5))
    assert "mean return 475.50" in shown(screen)


def test_spark_lines():
    assert spark_line([1, 2, 3, 8]) == "▁▂▃█"
    assert spark_line([5.0]) == "▁"
    assert len(spark_line(list(range(100)))) == 24
