"""The paper's ablations (figures 2, 3 and 5 to 9), as variants of Gumbel AlphaZero on Connect Four."""

from __future__ import annotations

from dicezero.experiments.gumbel.connect_four import judge_of
from dicezero.experiments.gumbel.learning_claims import Comparison
from dicezero.experiments.gumbel.methods import BASE, RULES, Method, variant
from dicezero.experiments.gumbel.study import Axis, Study

_B = BASE.name
SCALES = ("0.01", "0.1", "1", "10", "100")
VISITS = ("1", "10", "50", "100", "200")


def _better(name: str, where: str, says: str, other: str, *simulations: int, first: str = _B) -> Comparison:
    return Comparison(name, where, says, "better", first, other, simulations)


def _alike(name: str, where: str, says: str, first: str, second: str, *simulations: int) -> Comparison:
    return Comparison(name, where, says, "not worse", first, second, simulations)


def _study(
    name: str,
    figure: str,
    title: str,
    methods: tuple[Method, ...],
    simulations: tuple[int, ...],
    comparisons: tuple[Comparison, ...],
    axis: Axis | None = None,
) -> Study:
    return Study(
        name, figure, title, methods, simulations, comparisons, judge_of, axis=axis, needs=("bitbully",)
    )


_STUDIES = (
    _study(
        "roots",
        "figure 2",
        "Choosing at the root",
        (
            BASE,
            variant("replacement", root="gumbel_with_replacement"),
            variant("trpo", root="trpo"),
            variant("mpo", root="mpo"),
        ),
        (2, 4, 16, 32),
        (
            _better("replacement", "figure 2", "Without replacement is better.", "replacement", 2, 4),
            _better("TRPO", "figure 2", "Gumbel is better than TRPO.", "trpo", 2, 4),
            _better("MPO", "figure 2", "Gumbel is better than MPO.", "mpo", 2, 4),
        ),
    ),
    _study(
        "loss",
        "figures 3a and 6",
        "What the policy learns from",
        (
            BASE,
            variant("simple-loss", policy_loss="simple"),
            variant("raw-value", completed_q="raw"),
        ),
        (2, 4, 16, 200),
        (
            _better(
                "simple loss",
                "figure 3a",
                "Completed Q-values are better than the move played.",
                "simple-loss",
                2,
                4,
                16,
            ),
            _better("raw value", "figure 6", "v_mix is better than the raw value.", "raw-value", 2, 4, 16),
        ),
    ),
    _study(
        "considered",
        "figure 3b",
        "Actions sampled at the root",
        (BASE, *(variant(f"m-{m}", max_considered_actions=str(m)) for m in (2, 4))),
        (16, 50),
        (_better("few actions", "figure 3b", "Sampling few actions learns more slowly.", "m-2", 16, 50),),
        Axis("m, the actions sampled at the root", {"m-2": "2", "m-4": "4", _B: "7, all"}),
    ),
    _study(
        "interior",
        "figure 7",
        "Choosing inside the tree",
        (
            BASE,
            RULES["full-gumbel-alphazero"],
            variant("sampled-interior", interior="improved_sampled"),
        ),
        (16, 50),
        (
            _better(
                "stochastic selection",
                "figure 7",
                "Deterministic selection inside the tree is better than sampling from pi'.",
                "sampled-interior",
                16,
                50,
                first="full-gumbel-alphazero",
            ),
        ),
    ),
    _study(
        "c-visit",
        "figure 8a",
        "The scale of Q, c_visit",
        (BASE, *(variant(f"c-visit-{c}", c_visit=c) for c in VISITS if c != "50")),
        (16,),
        (
            _alike("c_visit 100", "figure 8a", "Any c_visit from 50 on is alike.", "c-visit-100", _B, 16),
            _alike("c_visit 200", "figure 8a", "Any c_visit from 50 on is alike.", "c-visit-200", _B, 16),
        ),
        Axis("c_visit", {_B if c == "50" else f"c-visit-{c}": c for c in VISITS}),
    ),
    _study(
        "c-scale",
        "figure 5b",
        "The scale of Q, c_scale",
        (BASE, *(variant(f"c-scale-{c}", c_scale=c) for c in SCALES if c != "1")),
        (16,),
        (
            _better(
                "large c_scale",
                "figure 5b",
                "A large c_scale neglects the logits and is worse (there in a game of hidden information).",
                "c-scale-100",
                16,
            ),
        ),
        Axis("c_scale", {_B if c == "1" else f"c-scale-{c}": c for c in SCALES}),
    ),
    _study(
        "exploration",
        "figure 8b",
        "Explorative moves",
        (BASE, variant("no-exploration", explore_moves="0")),
        (16, 50),
        (
            _better(
                "explorative moves",
                "figure 8b",
                "Training benefits from moves drawn in proportion to visits.",
                "no-exploration",
                16,
                50,
            ),
        ),
    ),
)
ABLATIONS = {study.name: study for study in _STUDIES}
# Figures 8b and 9: the same networks, searched with more and less, with noise and without.
EVALUATED = (2, 16, 200)
THINKING = (0, 2, 16, 32, 100, 200, 800)
