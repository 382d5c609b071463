"""The paper's agents: one way to train, so that they differ by their search and its targets alone.

Two families. The first searches the true rules (AlphaZero, Gumbel AlphaZero, Full Gumbel AlphaZero), the
second a learned model (MuZero and so on). The variants are the paper's ablations of Gumbel AlphaZero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dicezero.experiments.ndmz import Scale, with_simulations
from dicezero.model.board import BoardConfig
from dicezero.presets.loss_weights import LossWeights
from dicezero.presets.preset import Preset
from dicezero.presets.settings import with_settings
from dicezero.rules.names import nearest, quote
from dicezero.search.config import Dirichlet, Puct, SearchConfig

ROUNDS = 200
GAMES = 300  # of self-play a round
ACTIONS = 7
CONSIDERED = 16  # m of the paper, where a game has as many moves

Searches = tuple[SearchConfig, SearchConfig, SearchConfig]  # of the baseline, Gumbel and Full Gumbel


def searches(base: SearchConfig, *, moves: int) -> Searches:
    """The paper's three searches, alike in all else; ``moves`` are those of a typical position."""
    puct = replace(
        base,
        root="puct",
        interior="puct",
        puct=Puct(form="muzero"),
        dirichlet=Dirichlet(fraction=0.25, alpha=10.0 / moves),
        temperature=0.0,
    )
    gumbel = replace(puct, root="gumbel", dirichlet=Dirichlet(), c_visit=50.0, c_scale=1.0)
    return puct, gumbel, replace(gumbel, interior="improved")


_SEARCHES = searches(SearchConfig(players="alternate", q_normalisation="fixed"), moves=ACTIONS)
_PUCT = _SEARCHES[0]
_RULES = Preset(
    "alphazero",
    "rules",
    _PUCT,
    _PUCT,
    rounds=ROUNDS,
    games=GAMES,
    explore_moves=10,
    buffer_games=8 * GAMES,
    batch=256,
    steps=150,
    learning_rate=2e-3,
    schedule="constant",
    value_lambda=1.0,  # the game's outcome, as in the paper
    widths=(256, 256),
    activation="relu",
    loss=LossWeights(l2=1e-5),
    measure_every=0,
)
_MODEL = replace(
    _RULES,
    name="muzero",
    kind="model",
    unroll=5,
    batch=128,
    widths=(256,),
    hidden=128,
    skip="turned",
    endings=0.4,
    loss=LossWeights(l2=0.0, weight_decay=1e-4, reward=10.0, consistency=1.0),
)


@dataclass(frozen=True)
class Method:
    """A way to learn.

    Attributes:
        name: on figures and in folders.
        preset: of its training.
        settings: in which a variant differs from its preset, as ``--set`` takes them.
    """

    name: str
    preset: Preset
    settings: Mapping[str, str] = field(default_factory=dict)

    def at(self, simulations: int, scale: Scale) -> Preset:
        """Trained and played with so many simulations."""
        preset = with_simulations(self.preset, simulations)
        rounds = scale.rounds or scale.part(preset.rounds, 4)
        return with_settings(replace(preset, rounds=rounds), self.settings)


def family(preset: Preset, names: tuple[str, str, str], chosen: Searches = _SEARCHES) -> dict[str, Method]:
    """The three agents of a family, which train alike and differ by their search and its target."""
    return {
        name: Method(name, replace(preset, search=search, play=search))
        for name, search in zip(names, chosen, strict=True)
    }


RULES_NAMES = ("alphazero", "gumbel-alphazero", "full-gumbel-alphazero")
MODEL_NAMES = ("muzero", "gumbel-muzero", "full-gumbel-muzero")
RULES = family(_RULES, RULES_NAMES)
MODELS = family(_MODEL, MODEL_NAMES)
METHODS: dict[str, Method] = {**RULES, **MODELS}
BASE = RULES["gumbel-alphazero"]


def towers(board: BoardConfig, *, moves: int, auxiliary: float = 0.0) -> dict[str, Method]:
    """Both families on a board of planes: towers in the place of dense layers, fewer games a round."""
    rules = replace(
        _RULES,
        rounds=60,
        games=100,
        buffer_games=2000,
        batch=128,
        steps=100,
        architecture="board",
        board=board,
        loss=replace(_RULES.loss, auxiliary=auxiliary),
    )
    model = replace(rules, kind="model", unroll=5, batch=64, loss=replace(_MODEL.loss, auxiliary=0.0))
    chosen = searches(_PUCT, moves=moves)
    return family(rules, RULES_NAMES, chosen) | family(model, MODEL_NAMES, chosen)


def both(key: str, value: str) -> dict[str, str]:
    """A setting of the search, in training and in play."""
    return {f"search.{key}": value, f"play.{key}": value}


def variant(name: str, **settings: str) -> Method:
    """Gumbel AlphaZero with something changed: ``__`` in a key stands for a dot."""
    changed: dict[str, str] = {}
    for key, value in settings.items():
        plain = key.replace("__", ".")
        changed |= {plain: value} if hasattr(BASE.preset, plain) else both(plain, value)
    return Method(name, BASE.preset, changed)


def get_method(name: str) -> Method:
    """The method of that name; ValueError with a hint where there is none."""
    if name not in METHODS:
        raise ValueError(
            f"algorithms: unknown {quote(name)}; {nearest(name, METHODS)}give {', '.join(METHODS)}"
        )
    return METHODS[name]
