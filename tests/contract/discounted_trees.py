"""Small games written out as trees that pay anywhere, and what they are worth, by plain recursion.

One decision is one step. All that is paid before the next decision counts in full, the value of the next
decision counts ``discount`` times.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

CHANCE, END = -1, -4


@dataclass(frozen=True, eq=False)
class Place:
    """Who acts, where each way leads, what it pays player 0, and at a chance node how likely it is."""

    player: int
    ways: tuple[Place, ...] = ()
    pays: tuple[float, ...] = ()
    chances: tuple[float, ...] = ()
    final: float = 0.0  # player 0's result, where the game pays at its end


@dataclass(frozen=True, eq=False)
class TreeGame:
    """With ``on_the_way`` what the ways pay counts, else the final results."""

    root: Place
    on_the_way: bool
    discount: float = 0.9
    players: int = 2

    def new_initial_state(self) -> TreeState:
        return PaidState(self, self.root) if self.on_the_way else TreeState(self, self.root)

    def num_distinct_actions(self) -> int:
        return 3

    def max_chance_outcomes(self) -> int:
        return 3

    def num_players(self) -> int:
        return self.players

    def min_utility(self) -> float:
        return -50.0

    def max_utility(self) -> float:
        return 50.0

    def observation_tensor_shape(self) -> list[int]:
        return [1]

    def pays_on_the_way(self) -> bool:
        return self.on_the_way

    def short_name(self) -> str:
        return "tree"

    def __str__(self) -> str:
        return "tree"


@dataclass
class TreeState:
    game: TreeGame
    at: Place
    paid: list[float] = field(default_factory=lambda: [0.0])

    def current_player(self) -> int:
        return self.at.player

    def is_terminal(self) -> bool:
        return self.at.player == END

    def is_chance_node(self) -> bool:
        return self.at.player == CHANCE

    def legal_actions(self) -> list[int]:
        return list(range(len(self.at.ways)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.at.chances))

    def apply_action(self, action: int) -> None:
        self.paid = [*self.paid, self.at.pays[action]]
        self.at = self.at.ways[action]

    def clone(self) -> TreeState:
        return type(self)(self.game, self.at, self.paid)

    def returns(self) -> list[float]:
        mine = sum(self.paid) if self.game.on_the_way else self.at.final
        return [mine, -mine][: self.game.players]

    def observation_tensor(self, player: int) -> list[float]:
        """What a decision is worth to the player: a network may look at it or not."""
        value = step_value(self.game, self.at)
        return [value if player == 0 else -value]

    def get_game(self) -> TreeGame:
        return self.game

    def action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return str(action)

    def __str__(self) -> str:
        return str(id(self.at))


class PaidState(TreeState):
    def rewards(self) -> list[float]:
        return [self.paid[-1], -self.paid[-1]][: self.game.players]


def way_values(game: TreeGame, place: Place, *, even: bool = False) -> list[float]:
    """For player 0, what each way out of a place brings: its pay, and what follows in the same step."""
    found = []
    for pays, following in zip(place.pays, place.ways, strict=True):
        later = game.discount if following.player >= 0 else 1.0
        found.append((pays if game.on_the_way else 0.0) + later * step_value(game, following, even=even))
    return found


def step_value(game: TreeGame, place: Place, *, even: bool = False) -> float:
    """What a place is worth to player 0: a decision as such, chance and the end within the step before them.

    ``even``: of players who take every action with the same probability, else of perfect ones.
    """
    if place.player == END:
        return 0.0 if game.on_the_way else place.final
    values = way_values(game, place, even=even)
    if place.player == CHANCE:
        return sum(p * v for p, v in zip(place.chances, values, strict=True))
    if even:
        return sum(values) / len(values)
    return max(values) if place.player == 0 else min(values)


def initial_value(game: TreeGame, place: Place, *, even: bool = False) -> float:
    """What a game is worth to player 0 that begins there: nothing is discounted before the first decision."""
    if place.player != CHANCE:
        return step_value(game, place, even=even)
    pays = place.pays if game.on_the_way else (0.0,) * len(place.ways)
    return sum(
        p * (paid + initial_value(game, following, even=even))
        for p, paid, following in zip(place.chances, pays, place.ways, strict=True)
    )


@st.composite
def tree_games(draw: st.DrawFn, *, most: int = 3) -> TreeGame:
    """Up to five levels, players and chance in any order; at most so many actions at a decision."""
    players = draw(st.sampled_from((1, 2)))
    money = st.integers(-12, 12).map(lambda quarters: quarters / 4)

    def place(depth: int) -> Place:
        if depth == 0 or (depth < 3 and draw(st.integers(0, 3)) == 0):
            return Place(END, final=draw(money))
        player = draw(st.sampled_from((CHANCE, *range(players))))
        count = draw(st.integers(1, 3 if player == CHANCE else most))
        ways = tuple(place(depth - 1) for _ in range(count))
        pays = tuple(draw(money) for _ in ways)
        weights = [draw(st.integers(1, 4)) for _ in ways]
        chances = tuple(w / sum(weights) for w in weights) if player == CHANCE else ()
        return Place(player, ways, pays, chances)

    first = place(4)
    root = Place(draw(st.sampled_from(range(players))), (first,), (draw(money),))
    return TreeGame(root, draw(st.booleans()), draw(st.sampled_from((0.9, 0.5, 1.0))), players)
