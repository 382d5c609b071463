"""The parsers that read what strangers write, each as a function of bytes that may only refuse or understand.

A target passes over ``ValueError`` (which every error of ours is) and lets all else through: that is a find.
What was understood must have the target's property, such as being written and read again as the same.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from dicezero.agents import make_agent
from dicezero.agents.gnubg_program import parse_move
from dicezero.agents.registry import AGENTS
from dicezero.cli.gtp_server import GtpServer
from dicezero.cli.position import reach, split_moves
from dicezero.cli.uci_limits import parse_limits
from dicezero.cli.uci_server import UciServer
from dicezero.evaluation.sprt import parse_sprt
from dicezero.replay.npz import read_arrays
from dicezero.rules import load_game, load_state
from dicezero.rules.names import parse_name
from dicezero.rules.notation import json_text, parse_games, parse_mat, parse_pgn, parse_sgf
from dicezero.rules.notation.files import file_text
from dicezero.rules.positions import state_at
from dicezero.rules.protocol import Game
from dicezero.runs.checkpoint import parse_metrics
from dicezero.runs.config import CONFIG, RunConfig
from dicezero.runs.manifest import MANIFEST, Manifest
from dicezero.runs.sealed import sealed
from dicezero.search.explicit import ExplicitGame
from dicezero.search.treefile import tree_from_json, tree_to_json
from dicezero.solve.container import read as read_solution
from dicezero.studio.page.tree_html import read_path

Target = Callable[[bytes], None]


@contextmanager
def refused() -> Iterator[None]:
    """Passes over refusals; an error about an encoding is none of ours, though Python counts it as one."""
    try:
        yield
    except UnicodeError:
        raise
    except ValueError:
        pass


_ENGINES = ("gnubg", "gtp", "uci", "run", "td", "optimal")  # start programs, open files, solve: not parsing
_POSITIONS = ("chess", "gardner_chess", "go(board_size=5)", "backgammon", "2048", "nannon", "tic_tac_toe")
_LONGEST = 4000  # bytes of an input


def names(data: bytes) -> None:
    """The grammar: what is understood is written and read again as the same."""
    with refused():
        found = parse_name(_text(data))
        assert parse_name(str(found)) == found, "another name after writing"


def games(data: bytes) -> None:
    """Native games by name; somebody's own code and OpenSpiel's, which checks itself, are left out."""
    with refused():
        name = parse_name(_text(data))
        if name.word in _native_words():
            game = load_game(str(name))
            assert load_game(str(game)) == game, "another game after writing"
            game.new_initial_state()


def agents(data: bytes) -> None:
    """Agents by name, with a game that each of them can play."""
    with refused():
        name = parse_name(_text(data))
        if name.word in AGENTS and name.word not in _ENGINES:
            make_agent(str(name), _game("tic_tac_toe"))


def positions(data: bytes) -> None:
    """``--position`` and ``--moves`` of native games: the first line chooses the game."""
    head, _, rest = _text(data).partition("\n")
    place, _, moves = rest.partition("\n")
    game = _game(_POSITIONS[sum(map(ord, head)) % len(_POSITIONS)])
    with refused():
        state = state_at(game, place)
        assert str(state_at(game, state.position())) == str(state), "another position after writing"  # type: ignore[attr-defined]
    with refused():
        state = reach(game, moves)
        assert str(load_state(state.serialize())) == str(state), "another state after writing"  # type: ignore[attr-defined]
    with refused():
        split_moves(rest)


def sgf(data: bytes) -> None:
    """Games of Go: the moves are legal, and written and read again they are the same."""
    _games_of(parse_sgf, data)


def pgn(data: bytes) -> None:
    """Games of chess, the same."""
    _games_of(parse_pgn, data)


def mat(data: bytes) -> None:
    """Games of backgammon, the same."""
    _games_of(parse_mat, data)


def json_games(data: bytes) -> None:
    """Games of any kind, one a line; written and read again they have the same moves."""
    with refused():
        for record in parse_games(_text(data), ".jsonl"):
            again = parse_games(json_text(record, indent=False), ".jsonl")
            assert [one.actions for one in again] == [record.actions], "another game after writing"


def tree_files(data: bytes) -> None:
    """Saved trees."""
    with refused():
        tree, game = tree_from_json(_text(data))
        written = tree_to_json(tree, game=game)
        again, named = tree_from_json(written)
        assert tree_to_json(again, game=named) == written, "another tree after writing"


def explicit_trees(data: bytes) -> None:
    """Trees written by hand, as JSON."""
    with refused():
        game = ExplicitGame.parse(_text(data))
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        state.returns()


def gtp(data: bytes) -> None:
    """Lines of a Go program's client: every line is answered, none ends the server but ``quit``."""
    server = GtpServer("random", "go(board_size=5)", seed=1)
    for line in _text(data).split("\n")[:30]:
        if "sgf" in line:
            continue  # reads and writes files by design
        answer, goes_on = server.answer(line)
        assert not answer or (answer[0] in "=?" and answer.endswith("\n\n")), answer
        printed = "".join(char for char in line if char.isprintable())  # GTP passes over control characters
        assert goes_on or "quit" in printed, "ended without quit"


def uci(data: bytes) -> None:
    """Lines of a chess program's client."""
    server = UciServer("random", "gardner_chess", seed=1, out=io.StringIO())
    for line in _text(data).split("\n")[:30]:
        if "perft" in line or "infinite" in line or "ponder" in line:
            continue  # as long as they are asked to take
        if not server.take(line):
            return
    server.run(io.StringIO(""))
    parse_limits(_text(data).split(), turn=0)


def run_files(data: bytes) -> None:
    """A run's configuration and manifest: any JSON, with the right sum."""
    try:
        value = json.loads(data)
        raw = sealed({k: v for k, v in value.items() if k not in ("sum", "version")})
    except (ValueError, AttributeError, RecursionError):
        raw = data
    with tempfile.TemporaryDirectory() as place:
        for name, read in ((CONFIG, RunConfig.read), (MANIFEST, Manifest.read)):
            (Path(place) / name).write_bytes(raw)
            with refused():
                read(Path(place))
    with refused():
        parse_metrics(data.split(b"\n"), Path("run"))


def arrays(data: bytes) -> None:
    """NPZ files."""
    with refused():
        read_arrays(data, ("a", "b"), alike=[("a", "b")])


def solutions(data: bytes) -> None:
    """Files of solved games."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "solution"
        path.write_bytes(data)
        with refused():
            read_solution(path)


def answers(data: bytes) -> None:
    """Small texts: gnubg's moves, limits of a test, places in a tree."""
    text = _text(data)
    for parse in (parse_move, parse_sprt, read_path):
        with refused():
            parse(text)


def _text(data: bytes) -> str:
    return data[:_LONGEST].decode("utf-8", "surrogateescape")


def _games_of(parse: Any, data: bytes) -> None:
    with refused():
        found = parse(_text(data).encode("utf-8", "replace").decode())
        again = parse(file_text(found))
        assert [(g.game, g.actions) for g in again] == [(g.game, g.actions) for g in found], "other moves"


@cache
def _native_words() -> frozenset[str]:
    from dicezero import _native

    return frozenset(name for name, _, _ in _native.registered_games())


@cache
def _game(name: str) -> Game:
    return load_game(name)


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        names,
        games,
        agents,
        positions,
        sgf,
        pgn,
        mat,
        json_games,
        tree_files,
        explicit_trees,
        gtp,
        uci,
        run_files,
        arrays,
        solutions,
        answers,
    )
}
