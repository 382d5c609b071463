"""Games: the protocol, the names, OpenSpiel's games, and what can be asked of any of them."""

from dicezero.rules.errors import GameError
from dicezero.rules.openspiel import register_with_pyspiel
from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER, Game, State
from dicezero.rules.record import GameRecord, ParameterRecord
from dicezero.rules.registry import list_games, load_game

__all__ = [
    "CHANCE_PLAYER",
    "TERMINAL_PLAYER",
    "Game",
    "GameError",
    "GameRecord",
    "ParameterRecord",
    "State",
    "list_games",
    "load_game",
    "register_with_pyspiel",
]
