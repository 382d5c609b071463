"""Games from a given position or on a small board, so that a whole game is a few clicks."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from dicezero.rules import load_game
from dicezero.rules.protocol import Game


@dataclass(frozen=True)
class SetPosition:
    """A game of ours from another start."""

    name: str
    position: str

    def new_initial_state(self):
        return load_game(self.name).new_initial_state(self.position)

    def num_distinct_actions(self):
        return load_game(self.name).num_distinct_actions()

    def max_chance_outcomes(self):
        return load_game(self.name).max_chance_outcomes()

    def num_players(self):
        return load_game(self.name).num_players()

    def observation_tensor_shape(self):
        return load_game(self.name).observation_tensor_shape()


GAMES: dict[str, Game] = {
    "mate_in_one": SetPosition("chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"),
    "promotion": SetPosition("chess", "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1"),
    "small_board": SetPosition("gardner_chess", "3rk/5/5/4r/K4 b - - 0 1"),
}
if find_spec("pyspiel") is not None:
    GAMES["small_breakthrough"] = load_game("breakthrough(rows=5,columns=5)")
    GAMES["small_hex"] = load_game("hex(board_size=3)")
