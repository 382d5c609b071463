"""The truth: perfect play by value iteration, and exact measurement of any policy against it."""

from dicezero.solve.errors import NoConvergenceError, SolutionFileError, TooLargeError
from dicezero.solve.policy import Policy, PolicyFunction, PolicyLike, as_policy, uniform
from dicezero.solve.positions import Positions, decisions
from dicezero.solve.results import BestResponse, Evaluation, Progress, ProgressCallback, Regret
from dicezero.solve.scale import Scale
from dicezero.solve.solution import Solution, optimal
from dicezero.solve.solver import solve

__all__ = [
    "BestResponse",
    "Evaluation",
    "NoConvergenceError",
    "Policy",
    "PolicyFunction",
    "PolicyLike",
    "Positions",
    "Progress",
    "ProgressCallback",
    "Regret",
    "Scale",
    "Solution",
    "SolutionFileError",
    "TooLargeError",
    "as_policy",
    "decisions",
    "optimal",
    "solve",
    "uniform",
]
