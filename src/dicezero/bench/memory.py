"""Memory by the number of actions: of a stored step, of a search over the rules, of one in a model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dicezero.bench.row import Row
from dicezero.model.dense import DenseEvaluator, DenseModel
from dicezero.presets.fitting import IDENTITIES
from dicezero.replay.buffer import Replay
from dicezero.rules import GameError, load_game, spec_of
from dicezero.rules.protocol import is_chance, outcomes_of
from dicezero.search.config import SearchConfig
from dicezero.search.plan import plan, plan_states
from dicezero.search.simulator import Root
from dicezero.selfplay.planners import RulesPlanner
from dicezero.selfplay.play import play_games

# Actions: 14, 82, 1352 and 4672; a game that is not there makes no row.
GAMES = ("nannon(points=12,checkers=5,sides=6)", "go(board_size=9)", "backgammon", "chess")
MODEL_ACTIONS = (14, 82, 1352, 4672)
SIMULATIONS, _MOVES, _HIDDEN = 32, 40, 64


def rows(against: frozenset[str]) -> Iterator[Row]:
    """Bytes of each."""
    del against
    search = SearchConfig(simulations=SIMULATIONS, root="gumbel", interior="puct", q_normalisation="fixed")
    for name in GAMES:
        try:
            game = load_game(name)
        except GameError:
            continue
        spec = spec_of(game)
        if spec.observation is None:
            continue
        network = DenseEvaluator(spec.observation.size, spec.actions, widths=(8,))
        planner = RulesPlanner(network.player(network.init(seed=0)), threads=1)
        few = SearchConfig(simulations=2, root="gumbel", interior="puct", q_normalisation="fixed")
        episodes = play_games(
            game, planner, few, games=range(4), seed=0, round_index=0, max_moves=_MOVES, spec=spec
        )
        replay = Replay(spec, capacity=4)
        replay.add(episodes)
        label = f"{game.short_name() if hasattr(game, 'short_name') else name}, {spec.actions} actions"
        yield Row(f"memory/stored step, {label}", "bytes", replay.step_bytes)
        yield Row(f"memory/its observation, {label}", "bytes", 4 * spec.observation.frame_size)
        state = game.new_initial_state()
        while is_chance(state):
            state.apply_action(outcomes_of(state)[0][0])
        plans = plan_states(planner.evaluator, [state], search, game=game, seed=0)
        yield Row(f"memory/search of {SIMULATIONS} over the rules, {label}", "bytes", plans.tree.num_bytes())
    for actions in MODEL_ACTIONS:
        label = f"{actions} actions, {_HIDDEN} numbers a state"
        yield Row(f"memory/search of {SIMULATIONS} in a model, {label}", "bytes", model_bytes(actions, 0))
        what = f"memory/search of {SIMULATIONS} in a model with dice, {label}"
        yield Row(what, "bytes", model_bytes(actions, IDENTITIES))


def model_bytes(actions: int, identities: int) -> int:
    """Of a search in an untrained model whose players alternate, or that names who acts, chance included."""
    model = DenseModel(observation=8, actions=actions, hidden=_HIDDEN, identities=identities, widths=(8,))
    player = model.player(model.init(seed=0))
    hidden, logits, value = player.root(np.zeros((1, 8), np.float32))
    root = Root(hidden, logits, value, np.ones((1, actions), np.bool_), np.zeros(1, np.int32))
    search = SearchConfig(
        simulations=SIMULATIONS,
        interior="puct",
        players="learned" if identities else "alternate",
        chance_value="completed" if identities else "mean",
        q_normalisation="fixed",
    )
    return int(plan(player, root, search, seed=0).tree.num_bytes())
