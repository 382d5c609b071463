"""A line of ours where Ray ends the process without asking."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys

import pytest

CODE = """
import os
from dicezero.selfplay.last_words import LastWords, leave
words = LastWords("gone")
{end}
os._exit(1)
"""


@pytest.mark.parametrize(("end", "said"), [("", "gone\n"), ("words.close()", ""), ("leave(1)", "")])
def test_last_words_are_said_only_where_nothing_else_could_be(end, said):
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(end=end)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (1, said)


def test_ray_may_end_the_process_while_it_begins():
    """A raylet that dies before anybody is connected to it takes the process along too."""
    code = (
        "import os\n"
        "from dicezero.selfplay import ray_runtime\n"
        "from dicezero.selfplay.runtime import Player, RayConfig, Recipe\n"
        "from dicezero.rules import identify, load_game\n"
        "ray_runtime.connect = lambda config: os._exit(1)\n"
        "game = load_game('tic_tac_toe')\n"
        "ray_runtime.RayRuntime(Player(Recipe(identify(game), None), game), RayConfig())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("dicezero: Ray has ended this process")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("group", [False, True])
def test_ctrl_c_twice_is_the_users_will(group):
    """In a terminal the signal goes to everybody in the group, otherwise to the process alone."""
    code = (
        "import os, time\n"
        "from dicezero.cli.interrupts import Interrupts\n"
        "from dicezero.selfplay.last_words import LastWords\n"
        "words = LastWords('gone')\n"
        "with Interrupts(lambda: os.write(1, b'once\\n')):\n"  # a line each: two threads may write at once
        "    while True:\n"
        "        try:\n"
        "            os.write(1, b'ready\\n')\n"
        "            time.sleep(60)\n"
        "        except KeyboardInterrupt:\n"
        "            pass\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    interrupt = functools.partial(os.killpg if group else os.kill, process.pid, signal.SIGINT)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    interrupt()
    assert {process.stdout.readline(), process.stdout.readline()} == {"once\n", "ready\n"}
    interrupt()
    _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (130, "dicezero: interrupted at once\n")
