"""Frames that are none leave a line in the log, mistakes of ours their traceback."""

from __future__ import annotations

import io
import json
import logging

from dicezero.rules import load_game
from dicezero.studio.guard import BriefErrors, is_foreign


def logged(call):
    """What a logger with the filter writes about an error."""
    out = io.StringIO()
    logger = logging.getLogger("test.brief")
    logger.propagate = False
    handler = logging.StreamHandler(out)
    logger.addHandler(handler)
    brief = BriefErrors()
    logger.addFilter(brief)
    try:
        call()
    except Exception as error:
        logger.exception("%s handler error", "message")
        foreign = is_foreign(error)
    logger.removeFilter(brief)
    logger.removeHandler(handler)
    return foreign, out.getvalue()


def test_an_error_of_a_client_is_one_line():
    foreign, text = logged(lambda: json.loads("{\x1b["))
    assert foreign
    assert text.startswith("message handler error: JSONDecodeError: ")
    assert text.count("\n") == 1
    assert "\x1b" not in text


def test_an_error_of_ours_keeps_its_traceback():
    foreign, text = logged(lambda: load_game("nothing of the kind"))
    assert not foreign
    assert "Traceback" in text
