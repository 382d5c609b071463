"""What the search view looks at: the position on the board, or one of a textbook's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dicezero.rules.games import game_module
from dicezero.rules.protocol import Game, State
from dicezero.rules.reading import action_strings, is_over
from dicezero.rules.study import Study
from dicezero.studio.catalog import Catalog
from dicezero.studio.own_games import split_name
from dicezero.studio.page.setup_panel import pretty

ON_BOARD = ""  # the choice of the game that is played


@dataclass(frozen=True)
class Position:
    """What is looked at.

    Attributes:
        game: its name, as the catalog offers it.
        actions: from the start to the position, chance outcomes included.
        opponent: whom the person plays against, an id of the catalog.
        names: what the players are called.
        seat: from whose side the board is seen.
        start: where the game began, in its own notation; None for the game's own start.
        study: what the position shows, where it is one of a textbook's.
    """

    game: str
    actions: tuple[int, ...]
    opponent: str = ""
    names: tuple[str, str] = ("player 0", "player 1")
    seat: int = 0
    start: str | None = None
    study: Study | None = None


@dataclass(frozen=True)
class Reached:
    """The last choice at or before a position.

    Attributes:
        game: what is played.
        state: a choice node; None where nobody has had to choose yet.
        moves: to it, as ``--moves`` takes them.
        named: the game, as a terminal takes it.
        back: whether it is not the position itself but the last choice before it.
    """

    game: Game
    state: State | None
    moves: str
    named: object = field(compare=False)
    back: bool = False

    def after(self, path: Sequence[int]) -> tuple[State, tuple[str, ...]] | None:
        """The state behind the edges of a tree, and what they are called; None where the rules end before.

        A learned model has edges that the rules do not.
        """
        if self.state is None:
            return None
        state, names = self.state.clone(), []
        for action in path:
            moves = {} if is_over(state) else action_strings(state)
            if action not in moves:
                return None
            names.append(moves[action])
            state.apply_action(action)
        return state, tuple(names)


def reach(position: Position, catalog: Catalog) -> Reached:
    """The last choice at or before ``position``."""
    game = catalog.game(position.game)
    state = game.new_initial_state(*([] if position.start is None else [position.start]))
    place, _ = split_name(position.game)
    named = position.game if place else game  # a file's name is what a terminal takes
    last: tuple[State | None, str] = (None, "")
    made: list[str] = []
    for action in (*position.actions, None):
        if state.current_player() >= 0:
            last = state.clone(), ",".join(made)
        if action is not None:
            made.append(action_strings(state)[action])
            state.apply_action(action)
    return Reached(game, *last, named, back=state.current_player() < 0)


def studies(catalog: Catalog) -> dict[str, Position]:
    """The positions that the games offer to look at, by their titles."""
    positions = {}
    for offer in catalog.games():
        if offer.board == "plain":
            continue
        module = game_module(offer.name)
        for study in getattr(module, "STUDIES", ()):
            names: tuple[str, str] = getattr(module, "SIDES", ("player 0", "player 1"))
            title = f"{pretty(offer.name)}, {study.title}"
            positions[title] = Position(offer.name, (), names=names, start=study.position, study=study)
    return positions
