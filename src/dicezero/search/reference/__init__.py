"""The planner in plain Python: the slow twin that the fast one is held against.

Written from docs/explanation/algorithms/planner.md and the two papers. "NDMZ line n" is a line of the
pseudocode in Appendix A of the Nondeterministic MuZero paper; "eq. n" and "Algorithm n" are those of "Policy
improvement by planning with Gumbel".
"""

from dicezero.search.reference.plan import ReferenceResult, reference_plan, reference_plan_states

__all__ = ["ReferenceResult", "reference_plan", "reference_plan_states"]
