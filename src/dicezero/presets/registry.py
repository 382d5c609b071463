"""Ways to learn, each one small frozen record; docs/explanation/algorithms/learning.md has the numbers."""

from __future__ import annotations

import math
from dataclasses import replace

from dicezero.model.board import BoardConfig
from dicezero.model.ntuple import TupleConfig
from dicezero.presets.loss_weights import LossWeights
from dicezero.presets.preset import Preset
from dicezero.rules.names import nearest, quote
from dicezero.rules.spec import CellsSpec, GameSpec, ObservationSpec
from dicezero.search.config import Dirichlet, Puct, SearchConfig

__all__ = ["PRESETS", "Preset", "get_preset", "preset_for"]

_PUCT_SEARCH = SearchConfig(
    simulations=100,
    root="puct",
    interior="puct",
    chance="roulette",
    puct=Puct(form="ndmz", init=1.25),
    dirichlet=Dirichlet(fraction=0.25, alpha=1.0),
    q_normalisation="fixed",
)
_NDMZ_SEARCH = replace(_PUCT_SEARCH, budget="paper", terminal="ancestor", q_normalisation="siblings")
# Q stretched among siblings gives sharp targets, and overrules a network that has learned from them.
_NDMZ_PLAY = replace(_NDMZ_SEARCH, q_normalisation="fixed")
# The network values a position before a roll too, so that Q of few simulations does not hang on single rolls.
_GUMBEL_SEARCH = SearchConfig(
    simulations=32, c_scale=1.0, chance="low_variance", chance_value="afterstate", q_normalisation="fixed"
)
# A model is not asked deeper than it is unrolled in training.
_UNROLL = 4
_GUMBEL_MODEL_PLAY = SearchConfig(
    simulations=32,
    c_scale=0.1,
    chance="low_variance",
    chance_value="completed",
    q_normalisation="fixed",
    max_depth=_UNROLL,
)
_GUMBEL_MODEL_SEARCH = replace(_GUMBEL_MODEL_PLAY, c_scale=1.0)
_MUZERO_SEARCH = SearchConfig(
    simulations=50,
    root="puct",
    interior="puct",
    players="alternate",
    puct=Puct(form="muzero", init=1.25, base=19652.0),
    dirichlet=Dirichlet(fraction=0.25, alpha=1.0),
    q_normalisation="tree",
    temperature=0.0,
)
_GUMBEL_MUZERO_SEARCH = SearchConfig(
    simulations=16,
    root="gumbel",
    interior="puct",
    players="alternate",
    puct=Puct(form="muzero", init=1.25, base=19652.0),
    q_normalisation="fixed",
    c_scale=0.2,
)
# A network that is learning knows Q badly: the paper's c_scale turns its errors into certainties.
_GUMBEL_MUZERO_PLAY = replace(_GUMBEL_MUZERO_SEARCH, c_scale=1.0)
_FULL_GUMBEL_SEARCH = replace(_GUMBEL_MUZERO_SEARCH, interior="improved")
_MUZERO = Preset(
    "muzero",
    "model",
    _MUZERO_SEARCH,
    _MUZERO_SEARCH,
    rounds=60,
    games=200,
    explore_moves=4,
    buffer_games=3000,
    unroll=5,
    batch=128,
    steps=150,
    learning_rate=2e-3,
    final_learning_rate=2e-4,
    schedule="cosine",
    hidden=64,
    widths=(128, 128),
    loss=LossWeights(l2=0.0, weight_decay=1e-4),
)

_LARGE_IMAGE = 32  # points a side from which images are halved before they are learned from
_SMALLEST_SIDE = 6  # that they are halved to

PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "td-lambda",
            "td",
            SearchConfig(simulations=1),  # td looks one move ahead whatever it says
            SearchConfig(simulations=1),
            buffer_games=1200,
            batch=256,
            early_epochs=1,
            value_lambda=0.7,
            # Greedy play never learns what it believes to be bad, be it to draw another card.
            epsilon=0.1,
            symmetries=False,  # who looks one move ahead gains nothing by them
            loss=LossWeights(l2=0.0),
        ),
        Preset(
            "alphazero",
            "rules",
            _PUCT_SEARCH,
            _PUCT_SEARCH,
            explore_moves=1000,
            loss=LossWeights(l2=1e-5),
            measure_every=4,
        ),
        Preset(
            "gumbel-alphazero",
            "rules",
            _GUMBEL_SEARCH,
            _GUMBEL_SEARCH,
            rounds=60,
            games=600,
            batch=512,
            steps=400,
            learning_rate=3e-3,
            final_learning_rate=2e-4,
            value_lambda=0.8,
            widths=(128, 128, 128),
            activation="relu",
        ),
        Preset(
            "ndmz",
            "model",
            _NDMZ_SEARCH,
            _NDMZ_PLAY,
            explore_moves=1000,
            measure_every=4,
        ),
        Preset(
            "gumbel-ndmz",
            "model",
            _GUMBEL_MODEL_SEARCH,
            _GUMBEL_MODEL_PLAY,
            rounds=48,
            games=1500,
            buffer_games=4500,
            batch=128,
            unroll=_UNROLL,
            steps=400,
            learning_rate=3e-3,
            final_learning_rate=2e-4,
            value_lambda=0.8,
            hidden=64,
            widths=(128, 128),
            loss=LossWeights(chance=0.2, l2=0.0),
            measure_every=2,
        ),
        _MUZERO,
        replace(_MUZERO, name="gumbel-muzero", search=_GUMBEL_MUZERO_SEARCH, play=_GUMBEL_MUZERO_PLAY),
        replace(
            _MUZERO,
            name="full-gumbel-muzero",
            search=_FULL_GUMBEL_SEARCH,
            play=replace(_FULL_GUMBEL_SEARCH, c_scale=1.0),
        ),
    )
}


def get_preset(name: str) -> Preset:
    """The preset of that name; ValueError with a hint where there is none."""
    if name not in PRESETS:
        raise ValueError(
            f"unknown preset {quote(name)}; {nearest(name, PRESETS)}the presets are {', '.join(PRESETS)}"
        )
    return PRESETS[name]


def preset_for(name: str, spec: GameSpec) -> Preset:
    """The preset of that name as a game of that spec is learned best.

    TD(lambda) plays and learns native games at once, with small networks and many games; a game of several
    phases with wider ones and for longer. Models of large images have a tower that halves them first, and few
    long episodes a round.
    """
    preset = get_preset(name)
    seen = spec.observation
    if preset.kind == "model" and seen and seen.layout == "image" and max(seen.shape[1:]) >= _LARGE_IMAGE:
        return _with_images(preset, seen)
    if preset.kind == "td" and spec.cells and spec.players == 1:
        return _with_tables(preset, spec.cells)
    if preset.kind != "td" or not spec.native or spec.players == 1:
        return preset
    large = spec.observation is not None and spec.observation.phases > 1
    return replace(
        preset,
        updates="online",
        rounds=400 if large else preset.rounds,
        games=10_000 if spec.outcomes else 2_000,
        widths=(256,) if large else (128,),
        activation="relu",
        learning_rate=1e-3,
        final_learning_rate=3e-5 if large else 1e-4,
        # Dice lead everywhere by themselves.
        epsilon=0.0 if spec.outcomes else preset.epsilon,
        measure_every=10,
    )


def _with_images(preset: Preset, seen: ObservationSpec) -> Preset:
    """A model of images as in MuZero's papers, small: blocks on 6x6 points or so, five-step targets."""
    halvings = math.ceil(math.log2(max(seen.shape[1:]) / _SMALLEST_SIDE))
    return replace(
        preset,
        architecture="board",
        board=BoardConfig(channels=32, blocks=1, bottleneck=0, mixing="none", halvings=halvings),
        hidden_scaling="minmax",
        rounds=200,
        games=8,
        buffer_games=500,
        batch=32,
        steps=200,
        learning_rate=1e-3,
        final_learning_rate=1e-4,
        value_target="n_step",
        td_steps=5,
        loss=replace(preset.loss, gradient_scaling="muzero"),
        measure="mean_return(episodes=10)",
        measure_every=20,
    )


def _with_tables(preset: Preset, cells: CellsSpec) -> Preset:
    """TD(lambda) with lookup tables; where one holds the whole board, errors are averaged out in the end."""
    preset = replace(
        preset, architecture="ntuple", updates="online", value_lambda=0.0, epsilon=0.0, measure_every=10
    )
    if len(cells.tuple_sets[0][1]) == 1:
        return replace(
            preset,
            rounds=40,
            games=10_000,
            learning_rate=0.3,
            final_learning_rate=0.003,
            tuples=TupleConfig(rates="constant", optimism=cells.optimism, lanes=1),
        )
    return replace(
        preset,
        games=5_000,
        learning_rate=1.0,
        schedule="constant",
        tuples=TupleConfig(optimism=cells.optimism),
    )
