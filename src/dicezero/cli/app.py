"""From the words on the command line to a command, and from its mistakes to one line and an exit code.

Exit codes: 0 done, 1 a check failed, 2 a mistake of the user's, 130 interrupted, 141 stdout was closed.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import inspect
import io
import os
import re
import shutil
import sys
import textwrap
import traceback
from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Protocol, cast, get_args, get_origin, get_type_hints

import tyro

from dicezero.cli.plain import one_line
from dicezero.rules.extras import EXTRAS, missing
from dicezero.rules.names import nearest, quote

COMMANDS: dict[str, tuple[str, str]] = {  # name: (class in the module of that name, what it does)
    "games": ("Games", "list the games that can be named"),
    "agents": ("Agents", "list the agents that can be named, and their parameters"),
    "presets": ("Presets", "list the ways to learn, and their settings"),
    "perft": ("Perft", "count the positions of a game tree, depth by depth"),
    "solve": ("Solve", "solve a game exactly"),
    "check": ("Check", "test a game you wrote"),
    "search": ("Search", "search one position and look at the tree"),
    "cube": ("Cube", "whether to double before a roll, and whether to take"),
    "match": ("Match", "two agents against each other: duplicate dice, seats swapped"),
    "analyse": ("Analyse", "go over the games of a file: errors and luck of each player"),
    "tournament": ("Tournament", "every agent against every other: cross-table and ratings"),
    "train": ("Train", "learn a game from nothing, round by round"),
    "runs": ("Runs", "list the runs under a folder, and whether they are sound"),
    "report": ("Report", "make a run's report.html again"),
    "evaluate": ("Evaluate", "measure what a run has learned"),
    "reproduce": ("Reproduce", "run a paper's experiment: data and figures"),
    "play": ("Play", "play against an agent in the terminal"),
    "studio": ("Studio", "play, look inside the search and watch runs learn, in the browser"),
    "engine": ("Engine", "play and analyse for other programs: lines of JSON on stdin and stdout"),
    "gtp": ("Gtp", "an agent for Go programs: the Go Text Protocol on stdin and stdout"),
    "uci": ("Uci", "an agent for chess programs: UCI on stdin and stdout"),
    "bench": ("Bench", "measure speed, beside that of other packages"),
    "demo": ("Demo", "everything once, in a few minutes, with files to look at"),
    "completion": ("Completion", "print a script for your shell: Tab completes commands and options"),
}

_LARGEST = 2**31  # of a whole number on the command line
_PANEL = re.compile("[│╭╮╰╯─]|\x1b\\[[0-9;]*m")


_PLAINER = (  # tyro's messages on a value that does not fit, and ours
    (r"Error parsing (\S+): invalid literal for int\(\) with base 10: (.*)", r"\1 \2 is not a whole number"),
    (r"Error parsing (\S+): could not convert string to float: (.*)", r"\1 \2 is not a number"),
    (
        r"invalid choice (.*) for argument '(\S+)'\. Expected one of \((.*)\)",
        r"\2: \1 is unknown; give one of \3",
    ),
    (r"Missing value for argument '(\S+)'\. Expected \d+ values?", r"\1 needs a value"),
)


_FILE_WORDS = {  # the system's errors about a path, with a remedy
    errno.ENOENT: "there is no such file or folder; check the path",
    errno.EEXIST: "there is a file of that name; give another path",
    errno.ENOTDIR: "part of that path is a file, not a folder; give another path",
    errno.EISDIR: "that is a folder; name a file in it",
    errno.EACCES: "permission denied; change its rights, or give another path",
    errno.EROFS: "that disk can only be read; give another path",
    errno.ENOSPC: "no space is left on the disk; make room, or give another path",
}


class Command(Protocol):
    """A parsed command."""

    def run(self) -> int:
        """Does it; returns the exit code."""
        ...


class UsageError(ValueError):
    """A command line that cannot be understood."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line (default: that of the process) and returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(arguments)
        sys.stdout.flush()  # a closed pipe is to be noticed here, not when the interpreter exits
        return code
    except KeyboardInterrupt:
        print("dicezero: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Python flushes stdout once more at exit; give it somewhere to go.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        if os.environ.get("DICEZERO_TRACEBACK"):
            raise
        print(f"dicezero: {one_line(_describe(error, arguments))}", file=sys.stderr)
        return 2


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0
    if arguments[0] in ("-V", "--version"):
        from dicezero import __version__

        print(f"dicezero {__version__}")
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        hint = nearest(name, COMMANDS) or f"the commands are {', '.join(COMMANDS)}"
        raise UsageError(f"unknown command {quote(name)}; {hint}")
    module = importlib.import_module(f"dicezero.cli.{name}")
    return parse(cast("type[Command]", getattr(module, COMMANDS[name][0])), name, arguments[1:])


def parse(command: type[Command], name: str, arguments: list[str]) -> int:
    """Parses the arguments of one command and runs it; raises UsageError where they do not fit."""
    _check_flags(command, name, arguments)
    arguments = _gathered(command, arguments)
    complaint, help_text = io.StringIO(), _Page()
    try:
        with contextlib.redirect_stderr(complaint), contextlib.redirect_stdout(help_text):
            parsed = tyro.cli(
                with_plain_hints(command),
                prog=f"dicezero {name}",
                description=inspect.getdoc(command),
                args=arguments,
                config=(tyro.conf.FlagCreatePairsOff, tyro.conf.DisallowNone),
            )
    except SystemExit as stop:
        if not stop.code:
            print(_wrapped(help_text.getvalue()), end="")
            return 0
        raise UsageError(f"{_complaint_line(complaint.getvalue())}; see: dicezero {name} --help") from None
    _check_sizes(parsed)
    return parsed.run()


def _check_sizes(command: Command) -> None:
    """Refuses whole numbers beyond any use, some of which the core could not even be handed."""
    for field in fields(command):  # type: ignore[arg-type]
        value = getattr(command, field.name)
        if not isinstance(value, int):
            continue
        if field.name == "seed":
            if not 0 <= value < 2**64:
                raise UsageError(f"seed={value} is out of range; give 0..2**64-1")
        elif value > _LARGEST:
            flag = f"--{field.name.strip('_').replace('_', '-')}"
            raise UsageError(f"{flag} {value} is out of range; give {_LARGEST} at most")


def with_plain_hints(command: type[Command]) -> type[Command]:
    """The command, its help saying what a default is only where there is one worth saying."""
    if "_hinted" not in vars(command):
        hints = get_type_hints(command, include_extras=True)
        extra = tyro.conf.arg(help_behavior_hint=_default_hint)
        command.__annotations__ = {
            name: hint if tyro.conf.UseAppendAction in get_args(hint) else Annotated[hint, extra]
            for name, hint in hints.items()
        }
        setattr(command, "_hinted", True)  # noqa: B010 - an attribute that no command declares
    return command


def _default_hint(default: str) -> str:
    return "" if default in ("None", "False", "''", "") else f"(default: {default})"


class _Page(io.StringIO):
    """Text for stdout that was held back; it is coloured where stdout is a terminal."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Decides whether boxes are drawn with lines."""
        return getattr(sys.__stdout__, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        """Decides about colours."""
        return sys.__stdout__ is not None and sys.__stdout__.isatty()


def _wrapped(page: str) -> str:
    """The page of tyro's with the lines of its description wrapped; the boxes have their width already."""
    width = max(40, min(shutil.get_terminal_size().columns, 100))
    lines = (
        [line] if _PANEL.search(line) or len(line) <= width else textwrap.wrap(line, width)
        for line in re.sub(r"\n{3,}", "\n\n", page).splitlines()
    )
    return "".join(f"{line}\n" for part in lines for line in part)


def _check_flags(command: type[Command], name: str, arguments: list[str]) -> None:
    hints = get_type_hints(command, include_extras=True)
    bare = {f"--{key}": key.upper() for key, hint in hints.items() if tyro.conf.Positional in get_args(hint)}
    flags = ["--help", *(f"--{field.name.strip('_').replace('_', '-')}" for field in fields(command))]  # type: ignore[arg-type]
    for word in arguments:
        flag = word.split("=")[0].replace("_", "-")
        if word == "--":
            return
        if flag in bare:
            raise UsageError(f"{bare[flag]} is given without {flag}: dicezero {name} {bare[flag]}")
        if word.startswith("--") and flag not in flags and not flag.startswith("--tyro"):
            raise UsageError(
                f"unknown option {quote(word)}; {nearest(flag, flags)}see: dicezero {name} --help"
            )


def _gathered(command: type[Command], arguments: list[str]) -> list[str]:
    """An option of several values that is given several times, as if it were given once with all of them."""
    hints = get_type_hints(command, include_extras=True)
    for name, hint in get_type_hints(command).items():
        flag, several = f"--{name.replace('_', '-')}", get_origin(hint) is tuple
        appended = tyro.conf.UseAppendAction in get_args(hints[name])
        if not several or appended or arguments.count(flag) < 2:
            continue
        values: list[str] = []
        rest: list[str] = []
        into = rest
        for word in arguments:
            if word.startswith("--"):
                into = values if word == flag else rest
            if word != flag:
                into.append(word)
        arguments = [*rest, flag, *values]
    return arguments


def _complaint_line(panel: str) -> str:
    """The text in tyro's box, without the box, up to the pointer to the help."""
    bare = [_PANEL.sub("", line) for line in panel.splitlines()[1:]]
    if any("Missing from dicezero" in line for line in bare):
        # An option stands four columns in, what it means eight.
        names = [line.strip() for line in bare if re.match(r" {5}\S", line) and "--help" not in line]
        return f"missing: {', '.join(names)}"
    lines = [line.strip() for line in bare]
    words: list[str] = []
    for line in lines:
        if line.startswith(("For full helptext", "Argument helptext")):
            break
        if line and line not in words:
            words.append(line)
    text = " ".join(words).replace("Unrecognized options:", "not understood:").rstrip(".")
    for pattern, plain in _PLAINER:
        text = re.sub(pattern, plain, text)
    return text


def _describe(error: Exception, arguments: list[str]) -> str:
    """A mistake in the input as it is; anything else with type and place: it may be a game's own bug."""
    if isinstance(error, ModuleNotFoundError) and (module := (error.name or "").split(".")[0]) in EXTRAS:
        return missing(" ".join(["dicezero", *arguments[:2]]), module)
    if isinstance(error, ValueError):
        return str(error) or type(error).__name__
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {_FILE_WORDS.get(error.errno or 0, error.strerror)}"
    if isinstance(error, MemoryError):
        what = f": {error}" if str(error) else ""
        return f"out of memory{what}; take smaller numbers (batch, games, widths), or a smaller game"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    notes = "".join(f" {note}" for note in getattr(error, "__notes__", ()))
    return f"{type(error).__name__}: {error}{place}{notes}; DICEZERO_TRACEBACK=1 shows the whole traceback"


def _overview() -> str:
    width = max(map(len, COMMANDS))
    rows = "\n".join(f"  {name:<{width}}  {what}" for name, (_, what) in COMMANDS.items())
    return (
        "usage: dicezero COMMAND [OPTIONS]\n\n"
        "Plan, learn and measure in games with and without dice.\n\n"
        f"commands:\n{rows}\n\n"
        "  dicezero COMMAND --help   the options of a command\n"
        "  --json                    one JSON object on stdout, for scripts\n"
        "  --version                 the version\n\n"
        "examples:\n"
        "  dicezero solve nannon\n"
        '  dicezero search "uct(simulations=10000)" --game tic_tac_toe --moves "x(1,1)" --show\n'
        '  dicezero match optimal random --game "nannon(points=6,checkers=3,sides=6)" --games 1000\n'
    )
