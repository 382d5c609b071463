"""The parts that learn: Connect Four's sweep and ablations, and the same sweep on other games."""

from __future__ import annotations

from dataclasses import replace

from dicezero.experiments.gumbel.ablations import ABLATIONS
from dicezero.experiments.gumbel.connect_four import judge_of
from dicezero.experiments.gumbel.judges import Opponent, alone_judge, match_judge, points_judge
from dicezero.experiments.gumbel.learning_claims import family_comparisons
from dicezero.experiments.gumbel.methods import (
    METHODS,
    MODEL_NAMES,
    RULES_NAMES,
    Method,
    family,
    searches,
    towers,
)
from dicezero.experiments.gumbel.study import Rated, Study
from dicezero.model.board import BoardConfig
from dicezero.presets.registry import get_preset
from dicezero.presets.suited import with_episodes, with_long_games
from dicezero.search.config import SearchConfig

SIMULATIONS = (2, 4, 8, 16, 32, 50, 200)
_TOWER = BoardConfig(channels=24, blocks=3, bottleneck=0, mixing="pooling", mixing_every=3)
_GNU_GO = Opponent(
    "GNU Go at level 1",
    'gtp(command="gnugo --mode gtp --level 1 --chinese-rules --positional-superko")',
)
_GNUBG = Opponent("GNU Backgammon at 0-ply", "gnubg(plies=0)")
_EVERY_MOVE = 1_000_000  # longer than any episode
_BREAKOUT = "gymnasium(id=MinAtar/Breakout-v1,discount=0.99)"

CONNECT_FOUR = Study(
    "sweep",
    "figure 2",
    "Connect Four by number of simulations",
    tuple(METHODS.values()),
    SIMULATIONS,
    family_comparisons(*RULES_NAMES) + family_comparisons(*MODEL_NAMES),
    judge_of,
    choosable=True,
    curves=True,
    needs=("bitbully",),
)


def _board(
    name: str,
    title: str,
    figure: str,
    methods: dict[str, Method],
    simulations: tuple[int, ...],
    *,
    fails: tuple[int, ...],
    game: str,
    opponents: tuple[Opponent, ...] = (),
) -> Study:
    """A board game without a solver: AlphaZero's family rated in a tournament; MuZero's where it is named."""
    many = tuple(n for n in simulations if n not in fails)
    claims = family_comparisons(*RULES_NAMES, fails=fails, many=many)
    return Study(
        name,
        figure,
        title,
        tuple(methods[method] for method in RULES_NAMES),
        simulations,
        claims + family_comparisons(*MODEL_NAMES, fails=fails, many=many),
        match_judge(game, simulations=32, games=40, opponents=opponents),
        choosable=True,
        others=tuple(methods[method] for method in MODEL_NAMES),
        prefix=f"{name}-",
        measured=1,
        rated=Rated(),
    )


GO = _board(
    "go",
    "9x9 Go by number of simulations",
    "figure 2",
    towers(_TOWER, moves=82, auxiliary=1.0),
    SIMULATIONS,
    fails=(2, 4, 8, 16),
    game="go(board_size=9)",
    opponents=(_GNU_GO,),
)
GARDNER = _board(
    "gardner",
    "Gardner's chess by number of simulations",
    "figure 4, which has n = 400 on chess",
    towers(_TOWER, moves=20),
    (2, 16, 50),
    fails=(2,),
    game="gardner_chess",
)


def _minatar() -> dict[str, Method]:
    """MuZero's presets as ``dicezero train`` has them for small planes."""
    base = replace(with_episodes(get_preset("muzero")), rounds=60, measure_every=0)
    puct, gumbel, full = searches(SearchConfig(players="alternate", q_normalisation="tree"), moves=3)
    scaled = puct, replace(gumbel, c_scale=0.1), replace(full, c_scale=0.1)
    methods = family(base, MODEL_NAMES, scaled)
    varied = replace(methods["muzero"].preset, explore_moves=_EVERY_MOVE)  # no opponent varies games
    return methods | {"muzero": replace(methods["muzero"], preset=varied)}


_BREAKOUT_METHODS = _minatar()
MINATAR = Study(
    "minatar",
    "figure 5, which has Atari",
    "MinAtar's Breakout by number of simulations",
    (_BREAKOUT_METHODS["muzero"], _BREAKOUT_METHODS["gumbel-muzero"]),
    (2, 4, 8, 16, 32, 50),
    family_comparisons("muzero", "gumbel-muzero", fails=(2,), many=(4, 8, 16, 32, 50)),
    alone_judge(_BREAKOUT, simulations=16, episodes=50),
    choosable=True,
    others=(_BREAKOUT_METHODS["full-gumbel-muzero"],),
    prefix="minatar-",
    measured=6,
    curves=True,
    needs=("gymnasium", "minatar"),
)


def _backgammon() -> dict[str, Method]:
    """The preset as ``dicezero train`` has it there, shorter; the baseline differs by its search."""
    gumbel = with_long_games(get_preset("gumbel-alphazero"))
    base = replace(gumbel, rounds=40, measure_every=0)
    puct, *_ = searches(gumbel.search, moves=20)
    return family(base, RULES_NAMES, (puct, replace(gumbel.search, interior="puct"), gumbel.search))


_BACKGAMMON_METHODS = _backgammon()
BACKGAMMON = Study(
    "backgammon",
    "with dice; not in the paper",
    "Backgammon by number of simulations",
    (_BACKGAMMON_METHODS["alphazero"], _BACKGAMMON_METHODS["gumbel-alphazero"]),
    SIMULATIONS,
    family_comparisons("alphazero", "gumbel-alphazero", fails=(2, 4), many=(16, 32, 50, 200)),
    points_judge("backgammon", simulations=32, games=200, opponents=(_GNUBG,)),
    choosable=True,
    others=(_BACKGAMMON_METHODS["full-gumbel-alphazero"],),
    prefix="backgammon-",
    measured=4,
    curves=True,
)

STUDIES: dict[str, Study] = {
    study.name: study for study in (CONNECT_FOUR, *ABLATIONS.values(), GO, GARDNER, MINATAR, BACKGAMMON)
}
