"""TensorBoard events, read back with TensorBoard: every round once, whatever a killed process left."""

from __future__ import annotations

import warnings

import pytest
from tiny import ROUNDS, copy, run

from dicezero.runs.checkpoint import read_metrics


def scalars(folder):
    """Each tag's (round, value), as TensorBoard reads them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TensorBoard's own
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

        assert len(list(folder.glob("events.out.tfevents.*"))) == 1
        reader = EventAccumulator(str(folder), size_guidance={"scalars": 0})
        reader.Reload()
        return {tag: [(e.step, e.value) for e in reader.Scalars(tag)] for tag in reader.Tags()["scalars"]}


def assert_complete(folder, rounds):
    found = scalars(folder)
    lines = read_metrics(folder, rounds=rounds)
    assert [step for step, _ in found["loss/value"]] == list(range(1, rounds + 1))
    for tag, key in (("loss/policy", "loss_policy"), ("strength/vs_optimal", "vs_optimal")):
        expected = [(line["round"], pytest.approx(line[key])) for line in lines if key in line]
        assert found[tag] == expected
    assert "strength/vs_random" in found
    assert [step for step, _ in found["seconds/selfplay"]] == list(range(1, rounds + 1))


def test_events_are_the_metrics(whole):
    assert_complete(whole, ROUNDS)


@pytest.mark.parametrize("left", ["whole", "cut", "round short", "round too many", "two files", "none"])
def test_events_are_made_whole_on_resume(whole, tmp_path, left):
    folder = copy(whole, tmp_path / "run")
    events = next(folder.glob("events.*"))
    data = events.read_bytes()
    if left == "cut":
        events.write_bytes(data[: len(data) - 100])
    elif left == "round short":
        run(tmp_path / "other", rounds=4)
        events.write_bytes(next((tmp_path / "other").glob("events.*")).read_bytes())
    elif left == "round too many":  # the events of a round that was never committed
        run(tmp_path / "other", rounds=6)
        events.write_bytes(next((tmp_path / "other").glob("events.*")).read_bytes())
    elif left == "two files":
        (folder / "events.out.tfevents.0000000001.1").write_bytes(data)
    elif left == "none":
        events.unlink()
    run(folder, resume=True, rounds=ROUNDS + 1)
    assert_complete(folder, ROUNDS + 1)
