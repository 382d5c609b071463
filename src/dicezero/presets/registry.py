"""Ways to learn, each one small frozen record; docs/explanation/algorithms/learning.md has the numbers."""

from __future__ import annotations

from dataclasses import replace

from dicezero.presets.loss_weights import LossWeights
from dicezero.presets.preset import Preset
from dicezero.rules.names import nearest, quote
from dicezero.search.config import Dirichlet, Puct, SearchConfig

__all__ = ["PRESETS", "Preset", "get_preset"]

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


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "td-lambda",
            "td",
            SearchConfig(simulations=1),  # td looks one move ahead whatever this is
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
