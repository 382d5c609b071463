"""A preset for one game: the network it trains, the search and the targets in that game's units.

What a game's spec decides is decided here, once, and written into the run's configuration.
"""

from __future__ import annotations

from dataclasses import replace

from dicezero.model.board import BoardEvaluator, BoardModel
from dicezero.model.dense import DenseEvaluator, DenseModel
from dicezero.model.dense_judge import DenseJudge
from dicezero.model.network import Network
from dicezero.model.ntuple import TupleJudge
from dicezero.model.support import Support
from dicezero.model.weights import Weights
from dicezero.presets.preset import Preset
from dicezero.replay.values import Absorbing, ValueTarget
from dicezero.rules.spec import GameSpec, ObservationSpec
from dicezero.search.config import Players, SearchConfig
from dicezero.selfplay.episode import ActionSet
from dicezero.selfplay.making import make_planner
from dicezero.selfplay.planners import Planner, Units

IDENTITIES = 4  # that NDMZ's models name: the mover, the opponent, chance, the end


def fitted(preset: Preset, spec: GameSpec) -> Preset:
    """The preset for a game: its discount, its scale of values, and who moves in a model of it.

    What a user may set is left as it is; ``preset_for`` has the settings that suit a game.
    """
    return replace(
        preset,
        search=_search(preset, preset.search, spec),
        play=_search(preset, preset.play, spec),
    )


def units_of(preset: Preset, spec: GameSpec) -> Units:
    """What a value of 1 stands for."""
    if preset.is_categorical(spec) or preset.architecture == "ntuple":
        return Units()
    low, high = (bound / spec.scale for bound in spec.returns)
    return Units(spec.scale, low, high)


def play_search(preset: Preset) -> SearchConfig | None:
    """The search that the preset is measured and played with; None where it looks one move ahead."""
    return None if preset.kind == "td" else preset.play


def target_of(preset: Preset, spec: GameSpec) -> ValueTarget:
    """How the value's target is made; with td what follows a stray move does not count."""
    return ValueTarget(
        preset.value_target,
        preset.value_lambda,
        preset.td_steps,
        discount=spec.discount,
        cut=preset.kind == "td",
        afterstates=preset.kind == "td",
        absorbing=_absorbing(preset, spec),
    )


def network_of(preset: Preset, spec: GameSpec) -> Network:
    """The network for a game; ValueError where its sizes do not fit."""
    seen = spec.observation or ObservationSpec((1,))  # a game without is refused by ``fits``
    support = Support.of(preset.value_limit) if preset.is_categorical(spec) else None
    if preset.architecture == "ntuple" and spec.cells:
        return TupleJudge(seen.size, spec.cells, preset.tuples)
    if preset.kind == "td":
        results = () if support else tuple(result / units_of(preset, spec).scale for result in spec.results)
        return DenseJudge(seen.size, preset.widths, preset.activation, support, seen.phases, results)
    on_board = preset.architecture == "board"
    if preset.kind == "rules":
        if on_board:
            layout = spec.auxiliary if preset.loss.auxiliary else None
            auxiliary = (layout.planes, layout.numbers) if layout else (0, 0)
            return BoardEvaluator(_planes(seen), spec.actions, preset.board, support, auxiliary)
        return DenseEvaluator(seen.size, spec.actions, preset.widths, preset.activation, support)
    learned = preset.search.players == "learned"
    actions, identities = (ActionSet.of(spec).size, IDENTITIES) if learned else (spec.actions, 0)
    if on_board:
        return BoardModel(_planes(seen), actions, identities, preset.board, preset.hidden_scaling, support)
    trunk = preset.widths, preset.activation, preset.hidden_scaling, preset.skip
    return DenseModel(seen.size, actions, preset.hidden, identities, *trunk, support)


def planner_of(preset: Preset, spec: GameSpec, weights: Weights, *, threads: int | None = None) -> Planner:
    """What plays with these weights of the preset's network."""
    return make_planner(network_of(preset, spec), weights, spec, units_of(preset, spec), threads=threads)


def _search(preset: Preset, search: SearchConfig, spec: GameSpec) -> SearchConfig:
    units = units_of(preset, spec)
    changed = replace(search, discount=spec.discount, value_scale=units.scale)
    if preset.kind == "model" and search.players != "learned":
        players: Players = "single" if spec.players == 1 else "alternate"
        changed = replace(changed, players=players)
    if search.q_normalisation == "fixed" and preset.is_categorical(spec):
        changed = replace(changed, q_normalisation="tree")  # nobody knows the range
    elif search.q_normalisation == "fixed" and units.low < units.high:
        changed = replace(changed, q_range=(units.low, units.high))
    if _absorbing(preset, spec) == "zero":  # what a finished game was worth has been paid
        changed = replace(changed, terminal="own")
    return changed


def _absorbing(preset: Preset, spec: GameSpec) -> Absorbing:
    """NDMZ's values carry the outcome of a game to its end and past it; other models are paid rewards."""
    model = preset.kind == "model"
    return (
        "zero" if model and (preset.search.players != "learned" or spec.rewards == "each step") else "outcome"
    )


def _planes(seen: ObservationSpec) -> tuple[int, int, int]:
    channels, height, width = seen.input_shape
    return channels, height, width
