"""The memory of a buffer of images, measured in small."""

from __future__ import annotations

import pytest

from dicezero.bench import frames


def test_a_frame_is_there_once():
    found = frames.measure(2000)
    assert found["frames"] == 2000
    assert 84 * 84 < found["bytes_a_step"] < 84 * 84 + 250  # the frame, 18 actions and the targets
    assert 0 < found["resident_gb"] <= found["peak_gb"]


def test_too_few_frames_are_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["frames", "--frames", "10"])
    with pytest.raises(SystemExit) as stop:
        frames.main()
    assert stop.value.code == 2
    assert "give 1000 or more" in capsys.readouterr().err
