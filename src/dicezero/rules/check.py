"""Tests of somebody's own game: random lines, every rule of the protocol asked at every position."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from typing import Any

from dicezero.rules.answers import shown
from dicezero.rules.check_alike import PrintedAlike
from dicezero.rules.check_environment import SPACES, check_episodes
from dicezero.rules.check_rules import (
    CLONE,
    OPTIONAL,
    POSITION_RULES,
    TEXT,
    Fingerprint,
    Rule,
    Visit,
    fingerprint,
    text_of,
)
from dicezero.rules.errors import GameError
from dicezero.rules.protocol import Game
from dicezero.rules.registry import load_game
from dicezero.rules.spec import spec_of

_PROTOCOL = Rule("protocol", "offer every method of dicezero.rules.Game and dicezero.rules.State")
_REPLAY = Rule("replay", "keep all that the game goes on from in the state; leave chance to chance nodes")
_ENDS = Rule(
    "every_line_ends", "make every line reach is_terminal(), or raise max_moves if lines are that long"
)
_REWARDS = Rule(
    "rewards",
    "let rewards() return what the last action or outcome paid each player, and returns() the sum of them",
)
_SHOWN = 400  # actions of a line that are printed
_PLAYS = Rule("plays", "make apply_action() take every legal action, and clone() work in every position")


@dataclass(frozen=True)
class Failure:
    """One rule broken at one position; ``history`` are the actions that lead there from the start."""

    rule: str
    state: str
    history: tuple[int, ...]
    happened: str
    remedy: str

    def __str__(self) -> str:
        where = f"after {_history_words(self.history)}" if self.history else "at the start"
        board = "".join(f"\n    | {line}" for line in self.state.splitlines())
        return f"{self.rule}: {self.happened}\n  {where}{board}\n  remedy: {self.remedy}"


def _history_words(history: tuple[int, ...]) -> str:
    """The actions; of a long line how many there are, and the last."""
    if len(history) <= _SHOWN:
        return str(list(history))
    return f"{len(history):,} actions, the last of them {list(history[-20:])}"


@dataclass(frozen=True)
class CheckReport:
    """What was tried and what broke: the first failure of each rule."""

    game: str
    games: int  # lines begun
    states: int  # positions looked at
    longest: int  # most actions in one line
    absent: tuple[str, ...]  # optional methods the game does not offer
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        """Whether no rule was broken."""
        return not self.failures

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**asdict(self), "passed": self.passed}

    def __str__(self) -> str:
        count = len(self.failures)
        verdict = "passed" if self.passed else f"{count} rule{'s' * (count > 1)} broken"
        lines = [
            f"{self.game}: {verdict} ({self.games} games, {self.states} positions, longest {self.longest})"
        ]
        lines += [f"not offered: {', '.join(self.absent)}"] if self.absent else []
        return "\n".join(lines + [str(failure) for failure in self.failures])


def check_game(
    game: str | object, *, games: int = 100, max_moves: int = 10_000, seed: int = 0
) -> CheckReport:
    """Plays random lines of ``game`` and tests each position; never raises for what the game does.

    Args:
        game: a name, or an object meant to follow the protocol.
        games: lines to play.
        max_moves: a line of more actions (chance outcomes included) counts as one that does not end.
        seed: the same seed plays the same lines.

    Raises:
        GameError: ``game`` is a name that cannot be loaded.
        ValueError: ``games`` or ``max_moves`` is below 1.
    """
    for name, value in (("games", games), ("max_moves", max_moves)):
        if value < 1:
            raise ValueError(f"{name}={value} is out of range; give 1 or more")
    try:
        loaded = load_game(game)  # type: ignore[arg-type]
    except GameError as error:
        if isinstance(game, str):
            raise
        rule = SPACES if hasattr(game, "step") else _PROTOCOL
        failure = Failure(rule.name, "", (), str(error), rule.remedy)
        return CheckReport(type(game).__name__, 0, 0, 0, (), (failure,))
    if _is_environment(loaded):
        return _check_environment(loaded, games=games, max_moves=max_moves, seed=seed)
    players: Any = loaded.num_players()
    if isinstance(players, bool) or not hasattr(players, "__index__") or players not in (1, 2):
        happened = f"num_players() is {shown(players)}; it must be 1 or 2"
        failure = Failure(_PROTOCOL.name, "", (), happened, _PROTOCOL.remedy)
        return CheckReport(type(game).__name__, 0, 0, 0, (), (failure,))
    checker = _Checker(loaded)
    for i in range(games):
        checker.play(random.Random(f"{seed}/{i}"), max_moves)
        if checker.endless:  # another line of so many moves would take as long and show no more
            return checker.report(i + 1)
    return checker.report(games)


def _is_environment(game: Game) -> bool:
    """Whether it has a spec with that trait; that of any other game is made by playing it, broken or not."""
    return callable(getattr(game, "spec", None)) and spec_of(game).simulator == "episodes"


def _check_environment(game: Game, *, games: int, max_moves: int, seed: int) -> CheckReport:
    broken, played, steps, longest = check_episodes(game, games=games, max_moves=max_moves, seed=seed)
    failures = tuple(Failure(rule.name, text, line, what, rule.remedy) for rule, text, line, what in broken)
    return CheckReport(str(game), played, steps, longest, (), failures)


class _Checker:
    """Plays lines and keeps the first failure of each rule."""

    def __init__(self, game: Game) -> None:
        self._game = game
        # OpenSpiel's 2048 repeats after a chance outcome the reward of the move before it.
        self._pays = hasattr(game.new_initial_state(), "rewards") and not hasattr(game, "get_type")
        self._alike = PrintedAlike(game, pays=self._pays)
        self._failures: dict[str, Failure] = {}
        self._states = 0
        self._longest = 0

    @property
    def endless(self) -> bool:
        """Whether a line did not end."""
        return _ENDS.name in self._failures

    def report(self, games: int) -> CheckReport:
        state = self._game.new_initial_state()
        absent = tuple(o.name for o in OPTIONAL if not o.offered(self._game, state))
        return CheckReport(
            text_of(self._game), games, self._states, self._longest, absent, tuple(self._failures.values())
        )

    def play(self, rng: random.Random, max_moves: int) -> None:
        """One line from the start to its end, to max_moves, or to a failure that forbids going on."""
        visit = Visit(self._game, self._game.new_initial_state(), ())
        prints: list[Fingerprint] = []
        paid = [0.0] * self._game.num_players()
        while self._inspect(visit):
            try:
                prints.append(fingerprint(visit.state))
                twins = self._alike.compare(visit, prints[-1])
                if twins is not None:
                    self._fail(
                        TEXT, Visit(self._game, visit.state, twins.history), twins.happened, text=twins.text
                    )
                if self._pays and visit.history:
                    paid = self._add_rewards(visit, paid)
                if visit.state.is_terminal():
                    break
                if len(visit.history) == max_moves:
                    self._fail(_ENDS, visit, f"no end after {max_moves} actions")
                    return
                action = rng.choice(list(visit.state.legal_actions()))
                if not self._clones_are_independent(visit, action, prints[-1]):
                    return
                visit = Visit(self._game, visit.state, (*visit.history, action))
            except Exception as error:
                self._fail(_PLAYS, visit, f"raised {type(error).__name__}: {error}")
                return
        self._replay(visit, prints)

    def _inspect(self, visit: Visit) -> bool:
        """Every rule of a position; False if the line cannot go on from here."""
        self._states += 1
        self._longest = max(self._longest, len(visit.history))
        for rule in POSITION_RULES:
            try:
                happened = rule.test(visit)
            except Exception as error:
                happened = f"raised {type(error).__name__}: {error}"
            if happened is not None:
                self._fail(rule, visit, happened)
                if rule.needed_to_go_on:
                    return False
        return True

    def _add_rewards(self, visit: Visit, paid: list[float]) -> list[float]:
        """What the players have been paid, now that one more action is played; its sum is checked."""
        rewards = [float(reward) for reward in visit.state.rewards()]  # type: ignore[attr-defined]
        if len(rewards) != len(paid):
            self._fail(_REWARDS, visit, f"rewards() is {rewards} in a game of {len(paid)}")
            return paid
        paid = [before + reward for before, reward in zip(paid, rewards, strict=True)]
        returns = [float(value) for value in visit.state.returns()]
        if any(abs(a - b) > 1e-6 * (1.0 + abs(b)) for a, b in zip(paid, returns, strict=True)):
            self._fail(_REWARDS, visit, f"rewards() have added up to {paid}, returns() is {returns}")
        return paid

    def _clones_are_independent(self, visit: Visit, action: int, before: Fingerprint) -> bool:
        """Plays on a clone, then on the original, which moves on: neither may feel the other's move."""
        clone = visit.state.clone()
        clone.apply_action(action)
        happened = None
        if fingerprint(visit.state) != before:
            happened = f"action {action} on a clone changed the original"
        else:
            kept = visit.state.clone()
            visit.state.apply_action(action)
            if fingerprint(kept) != before:
                happened = f"action {action} on the original changed a clone"
        if happened is not None:
            self._fail(CLONE, visit, happened, text=before[0])
        return happened is None

    def _replay(self, end: Visit, prints: list[Fingerprint]) -> None:
        """The same actions from the start again must show the same positions."""
        visit = Visit(self._game, self._game.new_initial_state(), ())
        try:
            for i, expected in enumerate(prints):
                if fingerprint(visit.state) != expected:
                    self._fail(_REPLAY, visit, "the same actions led to another position than before")
                    return
                if i < len(end.history):
                    visit.state.apply_action(end.history[i])
                    visit = Visit(self._game, visit.state, end.history[: i + 1])
        except Exception as error:
            self._fail(_REPLAY, visit, f"raised {type(error).__name__}: {error}")

    def _fail(self, rule: Rule, visit: Visit, happened: str, *, text: str | None = None) -> None:
        if rule.name not in self._failures:
            printed = text_of(visit.state) if text is None else text
            self._failures[rule.name] = Failure(rule.name, printed, visit.history, happened, rule.remedy)
