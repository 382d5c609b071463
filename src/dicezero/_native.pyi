# Written by tools/stubs.py; do not edit.
"""The native core of dicezero; use it through the dicezero package."""

from collections.abc import Sequence
import enum
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


class Nannon:
    def __init__(self, *, points: int = 6, checkers: int = 3, sides: int = 6) -> None: ...

    @property
    def points(self) -> int: ...

    @property
    def checkers(self) -> int: ...

    @property
    def sides(self) -> int: ...

    def new_initial_state(self) -> NannonState:
        """The state before the first move."""

    def deserialize_state(self, text: str) -> NannonState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def get_parameters(self) -> dict[str, int]: ...

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

    def min_utility(self) -> float: ...

    def max_utility(self) -> float: ...

    def utility_sum(self) -> float: ...

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

class NannonState:
    def get_game(self) -> Nannon: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

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
        """One number a player, zeros until the end."""

    def rewards(self) -> list[float]: ...

    def player_return(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
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

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int:
        """One number a position, whatever led to it."""

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

class TicTacToe:
    def __init__(self) -> None: ...

    def new_initial_state(self) -> TicTacToeState:
        """The state before the first move."""

    def deserialize_state(self, text: str) -> TicTacToeState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def get_parameters(self) -> dict[str, int]: ...

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

    def min_utility(self) -> float: ...

    def max_utility(self) -> float: ...

    def utility_sum(self) -> float: ...

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

class TicTacToeState:
    def get_game(self) -> TicTacToe: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

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
        """One number a player, zeros until the end."""

    def rewards(self) -> list[float]: ...

    def player_return(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
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

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int:
        """One number a position, whatever led to it."""

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
    def rows(self) -> int: ...

    @property
    def columns(self) -> int: ...

    def new_initial_state(self) -> ConnectFourState:
        """The state before the first move."""

    def deserialize_state(self, text: str) -> ConnectFourState:
        """The state that state.serialize() wrote; the moves are checked again."""

    def short_name(self) -> str: ...

    def get_parameters(self) -> dict[str, int]: ...

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

    def min_utility(self) -> float: ...

    def max_utility(self) -> float: ...

    def utility_sum(self) -> float: ...

    def max_game_length(self) -> int:
        """Most moves a game can have; 0 where there is no bound."""

    def observation_tensor_shape(self) -> list[int]: ...

class ConnectFourState:
    def get_game(self) -> ConnectFour: ...

    def num_players(self) -> int: ...

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

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
        """One number a player, zeros until the end."""

    def rewards(self) -> list[float]: ...

    def player_return(self, player: int) -> float: ...

    def observation_tensor(self, player: int | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Flat float32, from the view of `player` (default: who acts, or acts next).
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

    def history(self) -> list[int]: ...

    def move_number(self) -> int: ...

    def key(self) -> int:
        """One number a position, whatever led to it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @overload
    def __eq__(self, arg: ConnectFourState, /) -> bool: ...

    @overload
    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

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

def plan_model(model: object, hidden: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], policy_logits: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], legal: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], config: object, gumbel: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, num_identities: int, previous: Forest | None, paths: Sequence[Sequence[tuple[int, int]]]) -> dict: ...

def plan_states(game: object, network: object, states: list, seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], config: object, gumbel: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, previous: Forest | None, paths: Sequence[Sequence[tuple[int, int]]]) -> dict: ...

def perft(game: object, depth: int) -> list[int]:
    """Nodes of the game tree at depth 0..depth."""

def random_playouts(game: object, count: int, *, seed: int) -> tuple[int, float]:
    """(moves, sum of the first player's returns) of `count` random games."""

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
    def __init__(self, representation: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]], dynamics: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]], prediction: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]], *, num_actions: int, num_identities: int, activation: str, kernel: str = '') -> None: ...

    @property
    def observation_size(self) -> int: ...

    def root(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]: ...

    def step(self, hidden: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], action: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32] | None, NDArray[numpy.float32] | None]: ...

class MlpEvaluator(Evaluator):
    def __init__(self, layers: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]], *, activation: str, kernel: str = '') -> None: ...

    def evaluate(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], legal: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]: ...

def dense(x: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, activation: str, kernel: str = '') -> NDArray[numpy.float32]:
    """act(x @ weight + bias) for x [M, K], weight [K, N], bias [1, N]."""

def dense_kernels() -> list[str]:
    """The dense kernels this machine can run, fastest first."""

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

class UctSearcher:
    """Monte Carlo tree search of one game, its tree kept."""

    def search(self, state: object, config: object, seed: int, low: float, high: float, evaluate: object | None, choose: object | None, flat: bool) -> dict: ...

    def advance(self, action: int) -> bool:
        """Follows an action or outcome; false if the tree does not reach there."""

    def inner_nodes(self) -> int: ...

    @property
    def forest(self) -> Forest: ...

def uct_searcher(game: object) -> UctSearcher: ...

def ucb1_pick(children: Sequence[tuple[float, int]], parent_visits: int, c: float) -> int:
    """The index UCB1 picks among (wins, visits) pairs."""
