"""Games: the protocol, the names, OpenSpiel's games, and what can be asked of any of them."""

from dicezero.rules.check import CheckReport, Failure, check_game
from dicezero.rules.counting import perft
from dicezero.rules.errors import GameError
from dicezero.rules.identity import Identity, identify, same_game
from dicezero.rules.objects import Source, SourceRecord, load_object
from dicezero.rules.openspiel import register_with_pyspiel
from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER, ChanceGame, ChanceState, Game, State
from dicezero.rules.record import GameRecord, ParameterRecord
from dicezero.rules.registry import list_games, load_game, load_state
from dicezero.rules.spec import GameSpec, ObservationSpec, spec_of

__all__ = [
    "CHANCE_PLAYER",
    "TERMINAL_PLAYER",
    "ChanceGame",
    "ChanceState",
    "CheckReport",
    "Failure",
    "Game",
    "GameError",
    "GameRecord",
    "GameSpec",
    "Identity",
    "ObservationSpec",
    "ParameterRecord",
    "Source",
    "SourceRecord",
    "State",
    "check_game",
    "identify",
    "list_games",
    "load_game",
    "load_object",
    "load_state",
    "perft",
    "register_with_pyspiel",
    "same_game",
    "spec_of",
]
