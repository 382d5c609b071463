"""Games that begin from a given position, so that a whole game is a few clicks."""

from __future__ import annotations

from dataclasses import dataclass

from dicezero.rules import load_game


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


GAMES = {
    "mate_in_one": SetPosition("chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"),
    "promotion": SetPosition("chess", "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1"),
    "small_board": SetPosition("gardner_chess", "3rk/5/5/2K2/4r b - - 0 1"),
}
