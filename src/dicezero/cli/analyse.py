"""``dicezero analyse``."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tyro.conf import Positional

from dicezero.agents import Agent, AgentError, make_agent
from dicezero.agents.pretrained import plays_at_once
from dicezero.cli.console import AgentName, emit
from dicezero.cli.interrupts import report_interrupted
from dicezero.cli.progress import Bar, bar
from dicezero.cli.sheet import Sheet
from dicezero.evaluation.cube_review import (
    CubeTurn,
    check_knows_cube,
    cube_account,
    money_result,
    review_cube,
    with_cube,
)
from dicezero.evaluation.review import Account, OnAction, Review, Turn, review, total
from dicezero.evaluation.runs import falls_by
from dicezero.rules import load_game
from dicezero.rules.notation import GameText, NotationError, first_state, read_games, replay
from dicezero.rules.protocol import Game

_JUDGE = "pretrained(plies=2)"
_WORST = 10  # turns shown


@dataclass(frozen=True)
class Analyse:
    """Go over the games of a file: what each player gave away and what the dice gave.

    The judge values every move. The error rate is what a turn with a choice loses on average, in
    thousandths of a point, and the performance rating half of it; luck is the value after each roll less the
    mean over all rolls, for the player who threw. Where there are doubles, decisions on the cube are
    judged too, as in money play: doubles missed and made, takes and passes, each with its cost.

    Example: dicezero analyse games.mat --judge "pretrained(plies=2)"
    """

    file: Positional[Path]
    """A file of games: .mat (backgammon), .sgf (Go), .pgn (chess), .json or .jsonl."""
    judge: AgentName = _JUDGE
    """Whose values count: an agent that values every move, e.g. uct(simulations=1000), optimal."""
    cube: bool = False
    """Judge the doubling cube in every game; without, only in games in which somebody doubled."""
    worst: int = _WORST
    """How many of the costliest turns are listed."""
    json: bool = False
    """Print one JSON object: players, games, worst, judge, ..."""

    def run(self) -> int:
        """Reads, judges and prints."""
        if self.worst < 0:
            raise ValueError(f"--worst {self.worst} must be at least 0")
        try:
            records = read_games(self.file)
        except OSError as error:
            raise ValueError(f"{self.file} cannot be read: {error.strerror or error}") from None
        if not records:
            raise NotationError(f"{self.file} holds no game")
        for record in records:
            replay(record)  # refused before anything is judged
        begin = time.perf_counter()
        reviews: list[Review] = []
        judges: dict[str, Agent] = {}
        stopped = False
        with bar(f"{self.judge} goes over {self.file.name}", total=len(records), quiet=self.json) as progress:
            try:
                for number, record in enumerate(records):
                    game = load_game(record.game)
                    judge = judges.get(record.game) or _judge(self.judge, game)
                    judges[record.game] = judge
                    on_action = partial(_show_progress, progress, number, max(1, len(record.actions)))
                    reviews.append(_review(record, game, judge, on_action, cube=self.cube))
            except KeyboardInterrupt:
                if not reviews:
                    raise
                stopped = True  # what was gone over to its end is reported
        data = _data(self, records[: len(reviews)], reviews, time.perf_counter() - begin)
        data["interrupted"] = stopped
        sheets = [_players(data)]
        if data["players"][0]["cube"] is not None:
            sheets.append(_cube(data))
        if data["worst"]:
            sheets.append(_worst(data))
        emit(data, *sheets, _line(data), as_json=self.json)
        return report_interrupted(f"after {len(reviews)} of {len(records)} games") if stopped else 0


def _judge(spec: str, game: Game) -> Agent:
    """The agent; the default one is refused with a remedy where it cannot value every move."""
    if spec == _JUDGE and not plays_at_once(game):
        raise AgentError(
            f"{spec}, the default judge, does not value every move of {game}; choose another with --judge, "
            'such as --judge "uct(simulations=1000)", or --judge optimal where the game can be solved'
        )
    return make_agent(spec, game)


def _review(record: GameText, game: Game, judge: Agent, on_action: OnAction, *, cube: bool) -> Review:
    """One game; with its cube where it has one or that is asked for, and then in points of it."""
    start, falls = first_state(record, game), falls_by(judge, game)
    if not cube and not record.doubles:
        return review(start, record.actions, judge, falls=falls, on_action=on_action)
    graded = review_cube(start, record.actions, record.doubles, check_knows_cube(judge))
    falls = None if falls is None else with_cube(falls, record.doubles)
    reviewed = review(start, record.actions, judge, falls=falls, on_action=on_action)
    return replace(reviewed, result=money_result(start, record.actions, record.doubles), cube=graded)


def _show_progress(progress: Bar, game: int, length: int, done: int) -> None:
    progress.update(game + done / length)


def _data(
    asked: Analyse, records: tuple[GameText, ...], reviews: list[Review], seconds: float
) -> dict[str, Any]:
    """What is printed; players by name, in the order in which they first appear."""
    accounts: dict[str, list[Account]] = {}
    cubes: dict[str, list[CubeTurn]] = {}
    games: list[dict[str, Any]] = []
    turns: list[tuple[int, str, Turn | CubeTurn]] = []
    for number, (record, reviewed) in enumerate(zip(records, reviews, strict=True), 1):
        own = [reviewed.account(player) for player in (0, 1)]
        names = _names(record)
        for name, account in zip(names, own, strict=True):
            accounts.setdefault(name, []).append(account)
        luck = None if reviewed.luck is None else reviewed.luck[0] - reviewed.luck[1]
        games.append(
            {
                "players": names,
                "result": reviewed.result,
                "luck": luck,
                "result_without_luck": None
                if luck is None or reviewed.result is None
                else reviewed.result - luck,
                "accounts": [_account(account) for account in own],
            }
        )
        turns += [(number, names[turn.player], turn) for turn in reviewed.turns if turn.loss > 0.0]
        for graded in reviewed.cube or ():
            cubes.setdefault(names[graded.player], []).append(graded)
            if graded.loss > 0.0:
                turns.append((number, names[graded.player], graded))
    turns.sort(key=lambda row: -row[2].loss)
    return {
        "file": str(asked.file),
        "judge": asked.judge,
        "players": [
            {
                "name": name,
                **_account(total(own)),
                "cube": asdict(cube_account(cubes.get(name, []))) if cubes else None,
            }
            for name, own in accounts.items()
        ],
        "games": games,
        "worst": [_turn(*row) for row in turns[: asked.worst]],
        "seconds": seconds,
    }


def _names(record: GameText) -> list[str]:
    """Of both players, made distinct where the file's are not."""
    first, second = record.players
    return [first, second] if first != second else [f"{first} (first)", f"{second} (second)"]


def _account(account: Account) -> dict[str, Any]:
    return {
        "turns": account.turns,
        "unforced": account.unforced,
        "loss": account.loss,
        "error_rate": account.error_rate,
        "performance_rating": account.performance_rating,
        "luck": account.luck,
    }


def _turn(game: int, name: str, turn: Turn | CubeTurn) -> dict[str, Any]:
    return {
        "game": game,
        "player": name,
        "place": turn.place,
        "played": turn.played,
        "best": turn.best,
        "loss": turn.loss,
        "value": turn.value,
    }


def _players(data: dict[str, Any]) -> Sheet:
    figures = ("turns", "with a choice", "lost", "error rate", "performance rating", "luck")
    table = Sheet("player", *figures, right=figures)
    for row in data["players"]:
        table.add_row(
            row["name"],
            str(row["turns"]),
            str(row["unforced"]),
            f"{row['loss']:.3f}",
            f"{row['error_rate']:.1f}",
            f"{row['performance_rating']:.2f}",
            "" if row["luck"] is None else f"{row['luck']:+.3f}",
        )
    return table


def _cube(data: dict[str, Any]) -> Sheet:
    figures = ("decisions", "lost", "missed doubles", "wrong doubles", "wrong takes", "wrong passes")
    table = Sheet("cube", *figures, right=figures)
    for row in data["players"]:
        decisions, loss, *wrong = row["cube"].values()
        table.add_row(row["name"], str(decisions), f"{loss:.3f}", *map(str, wrong))
    return table


def _worst(data: dict[str, Any]) -> Sheet:
    table = Sheet("game", "player", "played", "best", "lost", right=("lost",), title="the costliest turns")
    for row in data["worst"]:
        table.add_row(str(row["game"]), row["player"], row["played"], row["best"], f"{row['loss']:.3f}")
    return table


def _line(data: dict[str, Any]) -> str:
    text = f"{len(data['games'])} games, judged by {data['judge']} in {data['seconds']:.1f} s"
    name = data["players"][0]["name"]
    games = [game for game in data["games"] if game["result_without_luck"] is not None]
    signs = [(name == game["players"][0]) - (name == game["players"][1]) for game in games]
    if not any(signs):
        return text
    won = sum(sign * game["result"] for sign, game in zip(signs, games, strict=True))
    skill = sum(sign * game["result_without_luck"] for sign, game in zip(signs, games, strict=True))
    return f"{text}; {name} won {won:+g}, {skill:+.3f} without the luck of the dice"
