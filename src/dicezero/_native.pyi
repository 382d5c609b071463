# Written by tools/stubs.py; do not edit.
"""The native core of dicezero; use it through the dicezero package."""

from collections.abc import Sequence
import enum
from typing import Annotated, Literal, overload

import numpy
from numpy.typing import NDArray


class Nannon:
    def __init__(self, *, points: int = 6, checkers: int = 3, sides: int = 6) -> None: ...

    @property
    def points(self) -> int:
        """points on the board"""

    @property
    def checkers(self) -> int:
        """checkers of each side"""

    @property
    def sides(self) -> int:
        """faces of the die"""

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> NannonState:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> NannonState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: Nannon, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

class NannonState:
    def get_game(self) -> Nannon: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> NannonState: ...

    def clone(self) -> NannonState: ...

    def __copy__(self) -> NannonState: ...

    def __deepcopy__(self, memo: object) -> NannonState: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: NannonState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def turn(self) -> int:
        """Who moves, or will once the die fell."""

    @property
    def roll(self) -> int:
        """What the die shows; 0 before it falls."""

    def points(self, player: int) -> list[int]:
        """The points a player stands on, in its own counting."""

    def home(self, player: int) -> int:
        """Checkers of a player at HOME."""

    def safety(self, player: int) -> int:
        """Checkers of a player at SAFETY."""

class NannonIndex:
    def __init__(self, game: Nannon) -> None: ...

    @staticmethod
    def count(game: Nannon) -> int: ...

    @staticmethod
    def covers(game: Nannon) -> bool: ...

    def size(self) -> int: ...

    def rank(self, arg: object, /) -> int: ...

    def round_trip(self, arg: int, /) -> int: ...

class TicTacToe:
    def __init__(self) -> None: ...

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> TicTacToeState:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> TicTacToeState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: TicTacToe, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

class TicTacToeState:
    def get_game(self) -> TicTacToe: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> TicTacToeState: ...

    def clone(self) -> TicTacToeState: ...

    def __copy__(self) -> TicTacToeState: ...

    def __deepcopy__(self, memo: object) -> TicTacToeState: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: TicTacToeState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class ConnectFour:
    def __init__(self, *, rows: int = 6, columns: int = 7) -> None: ...

    @property
    def rows(self) -> int:
        """height of the board"""

    @property
    def columns(self) -> int:
        """width of the board"""

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> ConnectFourState:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> ConnectFourState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: ConnectFour, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

class ConnectFourState:
    def get_game(self) -> ConnectFour: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> ConnectFourState: ...

    def clone(self) -> ConnectFourState: ...

    def __copy__(self) -> ConnectFourState: ...

    def __deepcopy__(self, memo: object) -> ConnectFourState: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: ConnectFourState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class Twenty48:
    def __init__(self, *, rows: int = 4, columns: int = 4, max_tile: int = 0) -> None: ...

    @property
    def rows(self) -> int:
        """rows of the board"""

    @property
    def columns(self) -> int:
        """columns of the board"""

    @property
    def max_tile(self) -> int:
        """the game ends when this tile is made; 0 plays on until no move is left"""

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> Twenty48State:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> Twenty48State:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: Twenty48, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

    def judged(self, judge: object, states: list, *, plies: int, candidates: int, rare: float, scale: float, threads: int) -> tuple:
        """
        (row, action, value, nodes, leaves): every way to play a turn from many positions, looked at so many plies deep.
        """

    def cell_board(self) -> tuple:
        """
        (rows, columns, values, places, optimism, [(set, tuples)]) of a board that tables can read.
        """

    def learn_tuples(self, tuples: Tuples, *, games: int, seed: int, learning_rate: float, value_lambda: float, coherent: bool, lanes: int, max_decisions: int, threads: int, on_progress: object | None) -> dict:
        """Plays games and learns from every move."""

    def solve_layers(self, *, judge: object | None, max_states: int, progress: object | None) -> tuple:
        """
        (states, layers, value, policy): exact values from the last layer to the first; symmetric positions are one. The policy is what the judge's greedy play is paid, NaN without a judge.
        """

class Twenty48State:
    def get_game(self) -> Twenty48: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> Twenty48State: ...

    def clone(self) -> Twenty48State: ...

    def __copy__(self) -> Twenty48State: ...

    def __deepcopy__(self, memo: object) -> Twenty48State: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: Twenty48State, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def tiles(self) -> list[list[int]]:
        """The tiles row by row; 0 is an empty cell."""

    @property
    def score(self) -> int:
        """All that was paid so far."""

class Tuples:
    """The tables of an n-tuple network, and what their learning remembers."""

    def __init__(self, *, rows: int, columns: int, values: int, places: Sequence[int], symmetries: Sequence[Sequence[int]], tuples: Sequence[Sequence[int]], weight: float, coherent: bool) -> None: ...

    @property
    def entries(self) -> int: ...

    @property
    def reads(self) -> int: ...

    def touched(self, first: float) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Bits of the entries that learning has reached."""

    def weights(self, touched: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    def set_weights(self, touched: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def coherence(self, touched: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]: ...

    def set_coherence(self, touched: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], coherence: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def values(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]: ...

def bearoff_positions(checkers: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
    """
    [positions, 6] checkers on points 1..6 of every position, by its number.
    """

def bearoff_one_sided(checkers: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    [positions, 32] the probability of needing so many rolls, played for the fewest.
    """

def bearoff_two_sided(checkers: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    [positions, positions] cubeless equity of the side to roll: own position, other's.
    """

def bearoff_two_sided_cube(checkers: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    [3 * positions, positions] equity of the side to roll if it does not double, in units of the cube: a cube in the centre, its own, the other's; own position, other's.
    """

class HyperTable:
    """Every position of hypergammon before a roll, seen by who rolls."""

    def __init__(self, checkers: int) -> None: ...

    @property
    def positions(self) -> int:
        """How many there are."""

    @property
    def built(self) -> int:
        """Those of them whose turns are listed."""

    @property
    def bytes(self) -> int:
        """What the table takes."""

    def build(self, positions: int) -> None:
        """Lists the turns of so many more positions."""

    def sweep(self) -> float:
        """Every value from those that follow it, in place; the largest change."""

    def sides(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
        """[sides, 26] checkers borne off, on points 1..24 and on the bar."""

    def equity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        [sides, sides] points that the side to roll may expect: own side, other's.
        """

class Backgammon:
    def __init__(self, *, start: str = 'standard', scoring: str = 'full', observation: str = 'rich') -> None: ...

    @property
    def start(self) -> str:
        """
        where the checkers stand; hyper: three a side on 24, 23 and 22, hyper2 and hyper1 with two and one
        """

    @property
    def scoring(self) -> str:
        """
        what counts: 1 to 3 points, gammons and backgammons both 2, or 1 for any win
        """

    @property
    def observation(self) -> str:
        """
        what a network sees: TD-Gammon's inputs, and with rich shots, primes and timing too
        """

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> BackgammonState:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> BackgammonState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: Backgammon, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

    def judged(self, judge: object, states: list, *, plies: int, candidates: int, rare: float, scale: float, threads: int) -> tuple:
        """
        (row, action, value, nodes, leaves): every way to play a turn from many positions, looked at so many plies deep.
        """

class BackgammonState:
    def get_game(self) -> Backgammon: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> BackgammonState: ...

    def clone(self) -> BackgammonState: ...

    def __copy__(self) -> BackgammonState: ...

    def __deepcopy__(self, memo: object) -> BackgammonState: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: BackgammonState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def turn(self) -> int:
        """Who moves, or will once the dice fell."""

    @property
    def dice(self) -> tuple[int, int]:
        """The larger die and the smaller; (0, 0) before they fall."""

    @property
    def second_half(self) -> bool:
        """Whether half of a double is played."""

    def checkers(self, player: int) -> list[int]:
        """
        [26] a player's checkers in its own counting: borne off, on points 1..24, on the bar.
        """

    def boards_after_turn(self) -> list[tuple[list[int], list[int]]]:
        """
        (mover's, other's) checkers after every way to play the turn, each once; both halves of a double.
        """

    def pips(self, player: int) -> int:
        """How far a player still has to go."""

    def xgid(self) -> str:
        """
        The position as eXtreme Gammon writes it, the mover below; cubeless money play.
        """

class Einstein:
    def __init__(self, *, board_size: int = 5, layers: int = 3, setup: str = 'random') -> None: ...

    @property
    def board_size(self) -> int:
        """rows and columns"""

    @property
    def layers(self) -> int:
        """diagonals that a side fills: 1, 3 or 6 cubes, and as many faces"""

    @property
    def setup(self) -> str:
        """who arranges the cubes: chance, or row by row from 1"""

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> EinsteinState:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> EinsteinState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: Einstein, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

class EinsteinState:
    def get_game(self) -> Einstein: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> EinsteinState: ...

    def clone(self) -> EinsteinState: ...

    def __copy__(self) -> EinsteinState: ...

    def __deepcopy__(self, memo: object) -> EinsteinState: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: EinsteinState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class DarkChess:
    def __init__(self, *, rows: int = 4, columns: int = 8, pieces: str = 'standard', max_no_progress: int = 50) -> None: ...

    @property
    def rows(self) -> int:
        """rows of the board"""

    @property
    def columns(self) -> int:
        """columns of the board"""

    @property
    def pieces(self) -> str:
        """a side's pieces; standard is all sixteen on 4x8 and GSSS on 2x4"""

    @property
    def max_no_progress(self) -> int:
        """a draw after so many moves without a flip or a capture"""

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> DarkChessState:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> DarkChessState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: DarkChess, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

class DarkChessState:
    def get_game(self) -> DarkChess: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> DarkChessState: ...

    def clone(self) -> DarkChessState: ...

    def __copy__(self) -> DarkChessState: ...

    def __deepcopy__(self, memo: object) -> DarkChessState: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: DarkChessState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class Go:
    def __init__(self, *, board_size: int = 19, komi: float = 7.5, max_moves: int = 0) -> None: ...

    @property
    def board_size(self) -> int:
        """lines of the board"""

    @property
    def komi(self) -> float:
        """points White has beforehand"""

    @property
    def max_moves(self) -> int:
        """moves after which the game is scored as it stands; 0: twice the points"""

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> GoState:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> GoState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: Go, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

class GoState:
    def get_game(self) -> Go: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> GoState: ...

    def clone(self) -> GoState: ...

    def __copy__(self) -> GoState: ...

    def __deepcopy__(self, memo: object) -> GoState: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: GoState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def score(self) -> float:
        """
        Black's area minus White's minus komi, with every stone on the board alive.
        """

    def last_action(self) -> int:
        """The action that led here; -1 where there was none."""

class Chess:
    def __init__(self, *, history: int = 8) -> None: ...

    @property
    def history(self) -> int:
        """positions in the observation, the current one among them"""

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> ChessState:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> ChessState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: Chess, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

class ChessState:
    def get_game(self) -> Chess: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> ChessState: ...

    def clone(self) -> ChessState: ...

    def __copy__(self) -> ChessState: ...

    def __deepcopy__(self, memo: object) -> ChessState: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: ChessState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def uci(self, action: int) -> str:
        """The name of a legal action in UCI, such as e2e4 or e7e8q."""

    def in_check(self) -> bool:
        """Whether the side to move is in check."""

    def end(self) -> str:
        """
        Why the game is over: checkmate, stalemate, repetition, fifty moves or insufficient material; empty while it is not.
        """

class GardnerChess:
    def __init__(self, *, history: int = 8) -> None: ...

    @property
    def history(self) -> int:
        """positions in the observation, the current one among them"""

    def get_parameters(self) -> dict[str, int | float | bool | str]: ...

    def new_initial_state(self, position: str | None = None) -> GardnerChessState:
        """
        The state before the first move, or at a position in the notation of state.position().
        """

    def deserialize_state(self, text: str) -> GardnerChessState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: GardnerChess, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def num_distinct_actions(self) -> int:
        """Choice actions have ids 0..num_distinct_actions()-1."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes have ids 0..max_chance_outcomes()-1."""

    def num_players(self) -> int: ...

    def min_utility(self) -> float:
        """The least return of a player; -inf where there is no bound."""

    def max_utility(self) -> float:
        """The greatest return of a player; inf where there is no bound."""

    def utility_sum(self) -> float | None:
        """What the returns add up to; None in a game for one."""

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

    def observation_layout(self) -> Literal['flat', 'planes']:
        """
        "planes": the shape is channels, height and width of a board; else "flat".
        """

    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the end."""

    def takes_turns(self) -> bool:
        """Whether the players strictly alternate, chance aside."""

    def results(self) -> list[float]:
        """
        All returns of a finished game, ascending and symmetric about 0; empty where it does not say.
        """

    def observation_phases(self) -> int:
        """
        Phases that are judged apart; with several the last numbers of an observation say which, one-hot.
        """

    def discount(self) -> float: ...

    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """
        (cells, actions) of every way to turn the board that changes nothing: element i of what is turned is element cells[i] or actions[i] of what was.
        """

    def auxiliary_shape(self) -> tuple[int, int]:
        """
        (planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().
        """

class GardnerChessState:
    def get_game(self) -> GardnerChess: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def mid_turn(self) -> bool:
        """
        Whether the last action was only part of a turn, which the same player goes on with.
        """

    def legal_actions(self) -> list[int]:
        """Sorted ids; the outcomes at a chance node, none at the end."""

    def legal_actions_mask(self) -> list[int]: ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""

    def apply_action(self, action: int) -> None: ...

    def child(self, action: int) -> GardnerChessState: ...

    def clone(self) -> GardnerChessState: ...

    def __copy__(self) -> GardnerChessState: ...

    def __deepcopy__(self, memo: object) -> GardnerChessState: ...

    def __reduce__(self) -> tuple: ...

    def returns(self) -> list[float]:
        """
        One number a player: zeros until the end, or all that was paid so far where the game pays on the way.
        """

    def rewards(self) -> list[float]:
        """
        One number a player: what the last action or outcome paid; the returns at the end of a game that pays only there.
        """

    def player_return(self, player: int) -> float: ...

    def player_reward(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
        """

    def auxiliary_targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of game.auxiliary_shape(), then its other numbers.
        """

    @overload
    def action_to_string(self, action: int) -> str: ...

    @overload
    def action_to_string(self, player: int, action: int) -> str: ...

    @overload
    def string_to_action(self, text: str) -> int: ...

    @overload
    def string_to_action(self, player: int, text: str) -> int: ...

    def serialize(self) -> str:
        """Text that game.deserialize_state() turns into this state."""

    def position(self) -> str:
        """
        The position in the game's own notation, which game.new_initial_state() reads; what serialize() writes where the game has none.
        """

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int | str:
        """One number or text a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: GardnerChessState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def uci(self, action: int) -> str:
        """The name of a legal action in UCI, such as e2e4 or e7e8q."""

    def in_check(self) -> bool:
        """Whether the side to move is in check."""

    def end(self) -> str:
        """
        Why the game is over: checkmate, stalemate, repetition, fifty moves or insufficient material; empty while it is not.
        """

def registered_games() -> list[tuple[str, type, list[tuple[str, int | float | bool | str, str, str]]]]:
    """
    (name, class, [(parameter, default, range, meaning)]) of every native game.
    """

def is_native(game: object) -> bool:
    """Whether the game's rules are part of the core."""

def evaluates(game: object) -> bool:
    """
    Whether the game is native and brings an evaluation of positions for minimax and play-outs.
    """

def mix64(x: int) -> int:
    """The mixing function of the generators; derives seeds from seeds."""

class Forest:
    """The searched trees of a batch."""

    def __len__(self) -> int: ...

    def num_nodes(self, row: int) -> int: ...

    def num_bytes(self) -> int: ...

    def node(self, row: int, node: int) -> tuple:
        """
        (kind, player, visits, q, value, [(edge, child or -1, label, visits, q, prior)]) in the players' own views.
        """

    def halving(self, row: int) -> list:
        """
        (action, visits, q, score) of every action of the root at the end of each phase of Sequential Halving.
        """

def plan_model(model: object, hidden: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], policy_logits: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], legal: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], config: object, gumbel: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, num_identities: int, previous: Forest | None, paths: Sequence[Sequence[tuple[int, int]]]) -> dict: ...

def plan_states(game: object, network: object, states: list, seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], config: object, gumbel: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, previous: Forest | None, paths: Sequence[Sequence[tuple[int, int]]]) -> dict: ...

def perft(game: object, depth: int, state: object | None = None) -> list[int]:
    """
    Nodes of the game tree at depth 0..depth, from the start or from a state.
    """

def random_playouts(game: object, count: int, *, seed: int) -> tuple[int, float]:
    """(moves, sum of the first player's returns) of `count` random games."""

def roll_dice(game: object, states: list, seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], use: int) -> tuple:
    """
    Plays chance's part in every state until a player is to move or the game is over. A state's n-th roll is drawn by the address (seed, step + n, use). Gives the rolls, state by state, as their rows and outcomes, who is to move then, and what each roll paid player 0.
    """

def observe_states(game: object, states: list) -> tuple:
    """
    What the player to move sees in every state, [B, O], and its legal actions, [B, C].
    """

def apply_moves(game: object, states: list, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    Makes a checked move in every state, [B]; gives what each paid player 0, [B].
    """

def observe_by(game: object, states: list, players: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
    """
    What the player named for each state sees, [B, O]; zeros where the game is over.
    """

def afterstates(game: object, states: list) -> tuple:
    """
    (row [M], action [M], observation [M, O], result [M], reward [M]) of the positions after each legal move, all for the player who moved. The result is the return once the game is over, NaN while it goes on; the reward is what the move paid.
    """

class Simulator:
    """A learned model that the planner steps natively."""

    @property
    def hidden_size(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def num_identities(self) -> int: ...

class Evaluator:
    """A network that the planner asks natively about true positions."""

    @property
    def observation_size(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

class MuZeroNet(Simulator):
    def __init__(self, representation: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]], dynamics: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]], prediction: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]], *, num_actions: int, num_identities: int, activation: str, scale_hidden: bool = False, skip: str = 'none', support: Sequence[float] = [], kernel: str = '') -> None: ...

    @property
    def observation_size(self) -> int: ...

    def root(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]: ...

    def step(self, hidden: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], action: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32] | None, NDArray[numpy.float32] | None]: ...

class MlpEvaluator(Evaluator):
    def __init__(self, layers: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]], *, activation: str, support: Sequence[float] = [], kernel: str = '') -> None: ...

    def evaluate(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], legal: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]: ...

class PlayingJudge:
    """A judge of afterstates that native searches can ask."""

class Judge(PlayingJudge):
    """A judge of afterstates, with a network for each phase of the game."""

    def __init__(self, phases: Sequence[Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]]], *, activation: str, results: Sequence[float] = [], support: Sequence[float] = [], kernel: str = '') -> None: ...

    def values(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
        """Observations [M, O] to values [M], for the player whose view each is."""

def dense(x: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, activation: str, kernel: str = '') -> NDArray[numpy.float32]:
    """act(x @ weight + bias) for x [M, K], weight [K, N], bias [1, N]."""

def dense_kernels() -> list[str]:
    """The dense kernels this machine can run, fastest first."""

class BoardEvaluator(Evaluator):
    def __init__(self, shape: tuple[int, int, int], tower: Sequence[tuple[bool, Sequence[tuple[str, Sequence[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]]]]]], heads: Sequence[tuple[bool, Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]]]], *, support: Sequence[float] = [], kernel: str = '') -> None: ...

    def evaluate(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], legal: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]: ...

class BoardModel(Simulator):
    def __init__(self, shape: tuple[int, int, int], representation: Sequence[tuple[bool, Sequence[tuple[str, Sequence[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]]]]]], dynamics: Sequence[tuple[bool, Sequence[tuple[str, Sequence[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]]]]]], dynamics_heads: Sequence[tuple[bool, Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]]]], prediction_heads: Sequence[tuple[bool, Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]]]], *, actions: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], action_planes: int, num_identities: int, scale_hidden: bool = False, support: Sequence[float] = [], kernel: str = '') -> None: ...

    @property
    def observation_size(self) -> int: ...

    def root(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]: ...

    def step(self, hidden: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], action: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32] | None, NDArray[numpy.float32] | None]: ...

class SymmetricEvaluator(Evaluator):
    """The mean of an evaluator's answers about all symmetric forms."""

    def __init__(self, inner: Evaluator, symmetries: Sequence[tuple[Sequence[int], Sequence[int]]]) -> None: ...

    def evaluate(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], legal: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]: ...

def winograd_products(height: int, width: int) -> int:
    """
    Products for each pair of input and output channel of a 3x3 convolution over a board.
    """

class TdLearner:
    """TD(lambda) on a native game, playing and learning at once."""

    def __init__(self, game: object, *, widths: Sequence[int], activation: str, phases: int, results: Sequence[float], value_lambda: float, discount: float, scale: float, epsilon: float, max_moves: int, block: int, batch: int, epochs: int, weight_decay: float, threads: int, kernel: str = '') -> None: ...

    def restore(self, theta: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], mu: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], nu: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int) -> None: ...

    def play_round(self, *, games: int, seed: int, learning_rate: float, on_progress: object | None) -> dict: ...

    def play_game(self, seed: int, number: int) -> dict:
        """
        One game with the weights as they are, by parts: what was seen, the targets, what was paid.
        """

    @property
    def count(self) -> int: ...

    def theta(self) -> NDArray[numpy.float32]: ...

    def moments(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]: ...

def xla_targets() -> dict:
    """Functions for XLA's programs on a CPU, by name; JAX registers them."""

def dense_panel() -> int:
    """Columns that a row of the dense functions' tape is rounded up to."""

def set_training_threads(threads: int) -> None:
    """
    Threads that share the shards of a training batch; no result depends on them.
    """

class MoveOrdering(enum.Enum):
    none = 0

    evaluation = 1

    full = 2

class ChancePruning(enum.Enum):
    none = 0

    star1 = 1

    star2 = 2

class ProbCutOptions:
    def __init__(self) -> None: ...

    @property
    def depth(self) -> int: ...

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def shallow(self) -> int: ...

    @shallow.setter
    def shallow(self, arg: int, /) -> None: ...

    @property
    def slope(self) -> float: ...

    @slope.setter
    def slope(self, arg: float, /) -> None: ...

    @property
    def offset(self) -> float: ...

    @offset.setter
    def offset(self, arg: float, /) -> None: ...

    @property
    def sigma(self) -> float: ...

    @sigma.setter
    def sigma(self, arg: float, /) -> None: ...

    @property
    def threshold(self) -> float: ...

    @threshold.setter
    def threshold(self, arg: float, /) -> None: ...

class MinimaxOptions:
    def __init__(self) -> None: ...

    @property
    def prune(self) -> bool: ...

    @prune.setter
    def prune(self, arg: bool, /) -> None: ...

    @property
    def chance(self) -> bool: ...

    @chance.setter
    def chance(self, arg: bool, /) -> None: ...

    @property
    def chance_pruning(self) -> ChancePruning: ...

    @chance_pruning.setter
    def chance_pruning(self, arg: ChancePruning, /) -> None: ...

    @property
    def depth(self) -> int: ...

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def iterative(self) -> bool: ...

    @iterative.setter
    def iterative(self, arg: bool, /) -> None: ...

    @property
    def max_nodes(self) -> int: ...

    @max_nodes.setter
    def max_nodes(self, arg: int, /) -> None: ...

    @property
    def max_seconds(self) -> float: ...

    @max_seconds.setter
    def max_seconds(self, arg: float, /) -> None: ...

    @property
    def ordering(self) -> MoveOrdering: ...

    @ordering.setter
    def ordering(self, arg: MoveOrdering, /) -> None: ...

    @property
    def table_entries(self) -> int: ...

    @table_entries.setter
    def table_entries(self, arg: int, /) -> None: ...

    @property
    def quiescence(self) -> int: ...

    @quiescence.setter
    def quiescence(self, arg: int, /) -> None: ...

    @property
    def beam(self) -> int: ...

    @beam.setter
    def beam(self, arg: int, /) -> None: ...

    @property
    def singular_margin(self) -> float: ...

    @singular_margin.setter
    def singular_margin(self, arg: float, /) -> None: ...

    @property
    def singular_extensions(self) -> int: ...

    @singular_extensions.setter
    def singular_extensions(self, arg: int, /) -> None: ...

    @property
    def probcut(self) -> ProbCutOptions: ...

    @probcut.setter
    def probcut(self, arg: ProbCutOptions, /) -> None: ...

    @property
    def exact_root(self) -> bool: ...

    @exact_root.setter
    def exact_root(self, arg: bool, /) -> None: ...

    @property
    def skip_forced(self) -> bool: ...

    @skip_forced.setter
    def skip_forced(self, arg: bool, /) -> None: ...

    @property
    def only_value(self) -> bool: ...

    @only_value.setter
    def only_value(self, arg: bool, /) -> None: ...

    @property
    def utility_bounds(self) -> bool: ...

    @utility_bounds.setter
    def utility_bounds(self, arg: bool, /) -> None: ...

    @property
    def min_utility(self) -> float: ...

    @min_utility.setter
    def min_utility(self, arg: float, /) -> None: ...

    @property
    def max_utility(self) -> float: ...

    @max_utility.setter
    def max_utility(self, arg: float, /) -> None: ...

def minimax_search(game: object, state: object, options: MinimaxOptions, *, evaluate: object | None = None, is_quiet: object | None = None, record_nodes: int = 0) -> dict:
    """One search of a choice node; values for the player to move there."""

def prove_states(game: object, states: list, options: MinimaxOptions, *, threads: int = 1) -> tuple:
    """
    Searches each choice node to the end of the game: proved [B], action [B], value [B] for the player to move, nodes [B].
    """

class UctSearcher:
    """Monte Carlo tree search of one game, its tree kept."""

    def search(self, state: object, config: object, seed: int, low: float, high: float, evaluate: object | None, choose: object | None, flat: bool) -> dict: ...

    def advance(self, actions: Sequence[int]) -> bool:
        """Follows actions and outcomes; false if the tree does not reach there."""

    def inner_nodes(self) -> int: ...

    @property
    def forest(self) -> Forest | None: ...

def uct_searcher(game: object) -> UctSearcher: ...

def ucb1_pick(children: Sequence[tuple[float, int]], parent_visits: int, c: float) -> int:
    """The index UCB1 picks among (wins, visits) pairs."""

class TooLargeError(ValueError):
    pass

def claim_memory(bytes: float, what: str, remedy: str) -> None:
    """
    Before so much is taken: TooLargeError where it is not free; a gigabyte or more is told in a line.
    """

def require_memory(bytes: float, what: str, remedy: str) -> None:
    """The same for what is taken again and again: nothing is told."""

def available_memory() -> float:
    """Bytes that can still be taken; infinite where nobody knows."""

class NoConvergenceError(ValueError):
    pass

class Table:
    """All states of a game, or the ranked index that takes their place."""

    @property
    def game(self) -> object: ...

    @property
    def ranked(self) -> bool: ...

    @property
    def pays_on_the_way(self) -> bool: ...

    @property
    def cyclic(self) -> bool: ...

    @property
    def decisive(self) -> bool: ...

    @property
    def discount(self) -> float: ...

    @property
    def returns_range(self) -> tuple[float, float]: ...

    @property
    def states(self) -> int: ...

    @property
    def reachable(self) -> int: ...

    @property
    def decisions(self) -> int: ...

    def solve(self, tolerance: float, max_iterations: int, threads: int, progress: object | None) -> tuple[NDArray[numpy.float64], int, float]: ...

    def evaluate(self, policy_a: object | None, policy_b: object | None, tolerance: float, max_iterations: int, threads: int, progress: object | None) -> tuple[tuple[float, float], tuple[float, float], int, float]: ...

    def regret(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], policy: object, progress: object | None) -> tuple[float, float, int]: ...

    def optimal_actions(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: object | None) -> NDArray[numpy.int16]: ...

    def visits(self, policy_a: object, policy_b: object, discounted: bool, tolerance: float, max_iterations: int, progress: object | None) -> NDArray[numpy.float64]: ...

    def edge_values(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], state: object) -> list[tuple[int, float]] | None: ...

    def action_values(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: int, stop: int) -> NDArray[numpy.float64]: ...

    def observations(self, start: int, stop: int) -> NDArray[numpy.float32]: ...

    def legal(self, start: int, stop: int) -> Annotated[NDArray[numpy.bool_], dict(shape=(None, None))]: ...

    def state(self, decision: int) -> object: ...

    def find(self, state: object) -> tuple[int, int] | None: ...

    def find_decision(self, state: object) -> int | None: ...

    def keys(self) -> object: ...

def make_table(game: object, max_states: int, progress: object | None) -> Table: ...

def state_key(game: object, state: object) -> int | str:
    """What tells a state apart: a number, or a text for a game in Python."""

def state_bound(game: object) -> float:
    """
    More states than this the game does not have; inf where nothing is known beforehand.
    """

def states_at_least(game: object, enough: float, seconds: float) -> float:
    """
    A lower bound of the game's number of states, by random games and by samples; stops once it is above `enough`, or after so many seconds of this process.
    """

def sampled_states(game: object, enough: float, most: int) -> tuple[float, int]:
    """
    The same by samples alone, which hold about `most` states in all: the bound, and how many they held.
    """

def ranked_states(game: object) -> int | None:
    """
    States of a game whose solution is ordered by rank, not by key; None for any other.
    """
