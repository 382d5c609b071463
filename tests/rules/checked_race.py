"""A race that breaks no rule, and ways to break it: what check_game and the solver are tried on."""

import copy


class Race:
    """Two players roll a three-sided die in turn, then walk or run; the first past five wins. All is well."""

    def new_initial_state(self):
        return self.state(self)

    def num_distinct_actions(self):
        return 2

    def max_chance_outcomes(self):
        return 3

    def num_players(self):
        return 2

    def observation_tensor_shape(self):
        return [2]

    def min_utility(self):
        return -1.0

    def max_utility(self):
        return 1.0

    def deserialize_state(self, text):
        state = self.new_initial_state()
        for action in filter(None, text.split(",")):
            state.apply_action(int(action))
        return state

    def __str__(self):
        return "race"


class RaceState:
    """Positions, whose turn, the roll (0 before it), and the actions so far."""

    def __init__(self, game):
        self.game, self.at, self.turn, self.roll, self.moves = game, [0, 0], 0, 0, []

    def current_player(self):
        return -4 if max(self.at) > 5 else self.turn if self.roll else -1

    def is_terminal(self):
        return self.current_player() == -4

    def is_chance_node(self):
        return self.current_player() == -1

    def legal_actions(self):
        return {-4: [], -1: [0, 1, 2]}.get(self.current_player(), [0, 1])

    def chance_outcomes(self):
        return [(0, 0.5), (1, 0.25), (2, 0.25)]

    def apply_action(self, action):
        self.moves.append(action)
        if not self.roll:
            self.roll = action + 1
        else:
            self.at[self.turn] += self.roll if action else 1
            self.turn, self.roll = 1 - self.turn, 0

    def clone(self):
        other = copy.copy(self)
        other.at, other.moves = list(self.at), list(self.moves)
        return other

    def returns(self):
        return [0.0, 0.0] if not self.is_terminal() else [1.0, -1.0] if self.at[0] > 5 else [-1.0, 1.0]

    def observation_tensor(self, player):
        return [float(self.at[player]), float(self.at[1 - player])]

    def action_to_string(self, player, action):
        return f"roll {action + 1}" if player == -1 else ("walk", "run")[action]

    def string_to_action(self, player, text):
        names = [self.action_to_string(player, a) for a in self.legal_actions()]
        return self.legal_actions()[names.index(text)]

    def serialize(self):
        return ",".join(map(str, self.moves))

    def __str__(self):
        return f"{self.at} {self.turn} {self.roll}"


def broken(game_methods=None, **state_methods):
    """The race with some methods replaced."""
    state = type("BrokenState", (RaceState,), state_methods)
    return type("Broken", (Race,), {"state": state, **(game_methods or {})})()
