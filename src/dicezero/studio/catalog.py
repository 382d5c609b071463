"""What a studio offers: games, opponents of several strengths, and the runs under its folders."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dicezero import _native
from dicezero.agents import Agent, make_agent
from dicezero.agents.errors import AgentError
from dicezero.agents.optimal import OptimalAgent, OptimalConfig
from dicezero.agents.registry import AGENTS, agent_parameters
from dicezero.rules import GameError, identify, list_games, load_game
from dicezero.rules.names import Name, parse_name, quote
from dicezero.rules.protocol import Game, max_outcomes
from dicezero.rules.record import GameRecord, ParameterRecord
from dicezero.rules.spec import spec_of
from dicezero.studio import adaptive
from dicezero.studio.own_games import OwnGames, rules_of
from dicezero.studio.runs import RunOffer, RunShelf
from dicezero.studio.solutions import Solutions, is_native
from dicezero.studio.specs import CLIENT_AGENTS, MAX_RUN_SIMULATIONS, check_spec

_FEW_ACTIONS = 16  # a game with more is not searched to a fixed depth
_RUN = re.compile(r"(run-[0-9a-f]{16})(?:@([0-9]{1,6}))?")


@dataclass(frozen=True)
class GameOffer:
    """A game that can be played here.

    Attributes:
        name: what to ask for.
        board: which picture it has: its own name for a native game, else "plain".
        chance: whether there are dice.
        players: how many play.
        parameters: that it may be given.
    """

    name: str
    board: str
    chance: bool
    players: int = 2
    parameters: tuple[ParameterRecord, ...] = ()


@dataclass(frozen=True)
class Opponent:
    """Somebody to play against: ``id`` is what to ask for, ``spec`` what it is."""

    id: str
    title: str
    about: str
    spec: str


class Catalog:
    """Games, opponents and runs; every text of a client's is checked here before it names anything."""

    def __init__(
        self,
        folders: Sequence[Path] = (),
        *,
        games: Mapping[str, Game] | None = None,
        solutions: Solutions | None = None,
        trust: bool = False,
    ) -> None:
        """Nothing is scanned or loaded yet.

        Args:
            folders: where runs are looked for; nothing outside of them is read.
            games: further games of the studio's owner, by the name to offer them under.
            solutions: where exact values come from.
            trust: run the code of games that lies beside runs, and offer those too.
        """
        self.solutions = solutions or Solutions()
        self._own = OwnGames(dict(games or {}))
        self.shelf = RunShelf(folders, games=self._own.named, trust=trust)
        self._ours: dict[str, GameRecord] | None = None
        self._foreign: dict[str, GameOffer] | None = None
        self._run_games: dict[str, Game] = {}  # games of runs, by name
        self._kinds: dict[str, dict[str, str]] = {}  # agents beyond the levels, by game

    def games(self) -> tuple[GameOffer, ...]:
        """All games: the owner's first, then ours, then those of runs, then the rest of OpenSpiel's."""
        ours = [_offer(record) for record in self._native().values()]
        learned = self._learned()  # runs may bring games of their own
        own = [_own_offer(name, game, self._own.parameters(game)) for name, game in self._own.named.items()]
        others = [_own_offer(name, game, ()) for name, game in learned.items()]
        rest = (*ours, *others, *self._openspiel().values())
        return (*own, *(offer for offer in rest if offer.name not in self._own.named))

    def game(self, name: str) -> Game:
        """The game of that name; GameError for one that is not offered. Ours may have parameters."""
        if len(name) <= 200 and (own := self._own.get(name)) is not None:
            return own
        if len(name) > 200 or ":" in name:
            locked = next(
                (run.locked for run in self.shelf.offers() if run.game == name and run.locked), None
            )
            raise GameError(f"game {quote(name)} is not offered; {locked or 'the catalog lists the games'}")
        parsed = parse_name(name)
        if parsed.word not in self._native():
            if (learned := self._learned().get(name)) is not None:
                return learned
            if parsed.word not in self._openspiel():
                raise GameError(f"game {quote(name)} is not offered; the catalog lists the games")
            if parsed.parameters:  # some of OpenSpiel's parameters are files, some sizes end the process
                raise GameError(f"game {quote(name)}: {parsed.word} takes no parameters here")
        return load_game(name)

    def opponents(self, name: str) -> tuple[Opponent, ...]:
        """Who can be played in the game: levels from weak to strong, then the rounds of its runs."""
        game = self.game(name)
        opponents = [Opponent(id_, id_.capitalize(), about, spec) for id_, about, spec in self._levels(game)]
        opponents += [
            Opponent(word, word.capitalize(), about, word) for word, about in self._listed(game).items()
        ]
        for run in self.shelf.offers():
            if run.game == self.name_of(game):
                for number in reversed(run.rounds):
                    id_ = f"{run.id}@{number}"
                    title = f"{run.name}, round {number}"
                    opponents.append(Opponent(id_, title, run.preset, self.spec(id_, game)))
        return tuple(opponents)

    def spec(self, opponent: str, game: Game, *, simulations: int | None = None) -> str:
        """The agent's name for ``opponent``: a level, a run's id (``run-…`` or ``run-…@ROUND``), or an agent.

        Raises:
            AgentError: unknown, or not allowed here.
        """
        for id_, _, spec in self._levels(game):
            if id_ == opponent:
                return spec
        if opponent in self._listed(game):
            return opponent
        match = _RUN.fullmatch(opponent)
        if match is None:
            return check_spec(opponent[:200], game)
        run = self.shelf.offer(match[1])
        number = int(match[2]) if match[2] else run.round
        if run.locked:
            raise AgentError(f"{opponent} cannot be played: {run.locked}")
        if number not in run.rounds:
            raise AgentError(f"{opponent}: no weights of that round are kept; rounds: {list(run.rounds)}")
        if run.game != self.name_of(game):
            raise AgentError(f"{opponent} has learned {run.game}, not {self.name_of(game)}")
        if simulations is not None and not 0 <= simulations <= MAX_RUN_SIMULATIONS:
            raise AgentError(f"simulations={simulations} must be in 0..{MAX_RUN_SIMULATIONS} here")
        more = {} if simulations is None else {"simulations": str(simulations)}
        weights = run.weights[run.rounds.index(number)][:12]  # a cached agent keeps these weights
        return str(Name("run", {"path": run.path, "round": str(number), **more, "weights": weights}))

    def own_game(self, name: str) -> Game | None:
        """The game of the owner's, or found beside a run, that is offered under that name."""
        return self._own.named.get(name)

    def is_own(self, name: str) -> bool:
        """Whether the game is the owner's, or was brought by a run."""
        return name in self._own.named or name in self._run_games

    def rules(self, name: str) -> tuple[str, ...]:
        """The docstring of somebody's own game, a text a paragraph; empty for all others."""
        try:
            own = self._own.get(name)
        except GameError:
            return ()
        return () if own is None else rules_of(own)

    def name_of(self, game: Game) -> str:
        """The name under which a game is offered here."""
        return self._own.name_of(game) or str(game)

    def agent(self, spec: str, game: Game, *, keep_tree: bool = False) -> Agent:
        """The agent of a spec that ``spec()`` gave; perfect play shares the studio's solutions."""
        if spec == "optimal":
            solution = self.solutions.of(game)
            if solution is None:
                raise AgentError(f"optimal: {game} is too large to be solved here; choose another opponent")
            return OptimalAgent(spec, game, OptimalConfig(), solution=solution)
        return make_agent(spec, game, keep_tree=keep_tree)

    def runs(self) -> tuple[RunOffer, ...]:
        """The runs under the folders, as they are now."""
        return self.shelf.offers()

    def metrics(self, run_id: str, start: int = 0) -> list[dict[str, Any]]:
        """The lines of a run's metrics from line ``start`` (0 is the first) on."""
        return self.shelf.metrics(run_id, start)

    def _levels(self, game: Game) -> list[tuple[str, str, str]]:
        """(id, about, spec) from weak to strong."""
        if spec_of(game).simulator != "states":  # nobody can look ahead there but in a learned model
            return [("beginner", "plays any legal move", "random")]
        few, many = (100, 2000) if is_native(game) else (30, 200)
        strong = f"uct(simulations={many})"
        if max_outcomes(game):
            if is_native(game) and game.num_distinct_actions() <= _FEW_ACTIONS:
                strong = "expectiminimax(depth=4)"
            levels = [
                ("beginner", "plays any legal move", "random"),
                ("casual", "plays the best-looking move", "greedy"),
                ("club", _searches(few), f"uct(simulations={few})"),
                ("strong", _looks(strong), strong),
            ]
        else:
            if is_native(game) and game.num_distinct_actions() <= _FEW_ACTIONS:
                strong = "alphabeta(depth=8)"
            elif is_native(game) and _native.evaluates(game):  # without an evaluation play-outs are better
                strong = "alphabeta(max_nodes=200000)"
            levels = [
                ("beginner", "plays any legal move", "random"),
                ("casual", _searches(few // 3), f"uct(simulations={few // 3})"),
                ("club", _searches(few * 3), f"uct(simulations={few * 3})"),
                ("strong", _looks(strong), strong),
            ]
        if self.solutions.likely(game):
            levels.append(("perfect", "never gives anything away", "optimal"))
        if spec_of(game).players == 2:
            rungs = adaptive.rungs(native=is_native(game))
            levels.append((adaptive.ID, "grows with you, move by move", rungs[adaptive.FIRST]))
        return levels

    def _listed(self, game: Game) -> dict[str, str]:
        """Kinds of agents beyond the levels that play the game as they are, by name: (word: what it does).

        Whatever ``dicezero agents`` lists is tried; one that needs a path or a command to run is not offered.
        """
        key = identify(game).key
        if key not in self._kinds:
            words = [word for word in AGENTS if word not in CLIENT_AGENTS and not _needs(word)]
            self._kinds[key] = {word: AGENTS[word].summary for word in words if _plays(word, game)}
        return self._kinds[key]

    def _native(self) -> dict[str, GameRecord]:
        """Our own games by name."""
        if self._ours is None:
            self._ours = {record.name: record for record in list_games() if record.source == "dicezero"}
        return self._ours

    def _learned(self) -> dict[str, Game]:
        """Games with a name that runs have learned, and that are not offered by it: sizes, environments."""
        for run in self.shelf.offers():
            if run.rounds and ":" not in run.game and run.game not in self._run_games:
                word = parse_name(run.game).word
                plain = run.game in (word, f"{word}()") and word in self._openspiel()
                if run.game not in self._own.named and word not in self._native() and not plain:
                    self._run_games[run.game] = load_game(run.game)
        return self._run_games

    def _openspiel(self) -> dict[str, GameOffer]:
        """OpenSpiel's games, without parameters; none where it is not installed."""
        if self._foreign is None:
            records = [record for record in list_games() if record.source != "dicezero"]
            self._foreign = {record.name: _offer(record) for record in records}
        return self._foreign


def _needs(word: str) -> bool:
    """Whether an agent of that name needs a parameter."""
    return any(record.needed for record in agent_parameters(word))


def _plays(word: str, game: Game) -> bool:
    try:
        make_agent(word, game)
    except (ValueError, RuntimeError):  # another game's, or not installed
        return False
    return True


def _searches(count: int) -> str:
    return f"searches {count} positions"


def _looks(spec: str) -> str:
    """What the strongest level does, in a player's words."""
    name = parse_name(spec)
    if "depth" in name.parameters:
        return f"looks {name.parameters['depth']} moves ahead"
    return _searches(int(next(iter(name.parameters.values()))))


def _own_offer(name: str, game: Game, parameters: tuple[ParameterRecord, ...]) -> GameOffer:
    return GameOffer(name, "plain", max_outcomes(game) > 0, game.num_players(), parameters)


def _offer(record: GameRecord) -> GameOffer:
    native = record.source == "dicezero"
    return GameOffer(
        record.name,
        record.name if native else "plain",
        record.chance != "none",
        1 if record.players == "1" else 2,
        record.parameters if native else (),
    )
