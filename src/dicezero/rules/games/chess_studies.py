"""Chess positions of a textbook on search (Russell and Norvig, 4th edition, figures 6.8 and 6.9).

The positions follow the book's description; evaluations are the package's own.
"""

from __future__ import annotations

from dicezero.rules.study import Study

_ONE_PLY = ("alphabeta(depth=1,quiescence=8)", "Alpha-beta, 1 ply, then captures")
_TWO_PLIES = ("alphabeta(depth=2,quiescence=8)", "Alpha-beta, 2 plies, then captures")
_SINGULAR = (
    "alphabeta(depth=2,quiescence=8,singular_margin=0.1)",
    "Alpha-beta, 2 plies, singular extension",
)
_DEEP = ("alphabeta(depth=6,quiescence=8)", "Alpha-beta, 6 plies, then captures")

STUDIES = (
    Study(
        "Figure 6.8 a: Black is ahead",
        "r5k1/pp3ppp/2n5/3q4/8/5PPP/4Q1K1/7R w - - 0 1",
        "Black is a knight and two pawns ahead, and nothing can be done about it: an evaluation by features "
        "is right here.",
        (_ONE_PLY,),
    ),
    Study(
        "Figure 6.8 b: the queen hangs",
        "r5k1/pp3ppp/2n5/3q4/8/5PPP/4Q1K1/3R4 w - - 0 1",
        "The same pieces as in 6.8 a but for the square of a rook, and so the same features: yet White takes "
        "the queen and wins. Positions are to be evaluated when they are quiet.",
        (_ONE_PLY,),
    ),
    Study(
        "Figure 6.9: the horizon effect",
        "8/6k1/4p3/6pp/5p2/1P6/b1P3K1/R7 b - - 0 1",
        "Black's bishop on a2 is shut in and lost. A check with a pawn pushes the loss past the horizon: at "
        "two plies the search gives the pawn away and believes that the bishop is saved. A singular "
        "extension looks one ply further where a reply stands alone, and takes a pawn for the bishop.",
        (_TWO_PLIES, _SINGULAR, _DEEP),
    ),
)
