"""What plays: one method, and randomness as an argument."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from dicezero.rules.protocol import State, is_chance, outcomes_of
from dicezero.search.cube import Chances
from dicezero.search.result import SearchResult


def uninterrupted(result: SearchResult) -> SearchResult:
    """The result of a search that ended by itself; KeyboardInterrupt where Ctrl-C cut it short.

    A search hands back what it has by then, which helps in the analysis of one position; in a match it
    would change the result, and nothing would show.
    """
    if result.stopped == "interrupted":
        raise KeyboardInterrupt
    return result


class Agent(Protocol):
    """Chooses moves for the player to move. Holds no state between games."""

    name: str

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Looks at ``state`` (a choice node) and chooses an action; the same seed gives the same result."""
        ...


@runtime_checkable
class KnowsChances(Protocol):
    """An agent that predicts how a game may end, not only its value: one that offers and takes doubles."""

    def chances(self, state: State) -> Chances:
        """Without a cube, in the view of the player who rolls next; ``state`` is before that roll.

        Raises:
            AgentError: the agent cannot predict it, or the state is not before a roll.
        """
        ...


def knowing_chances(agent: Agent) -> KnowsChances | None:
    """The agent if it predicts how a game may end; ``knows_chances`` is for one that may not."""
    if isinstance(agent, KnowsChances) and getattr(agent, "knows_chances", True):
        return agent
    return None


def roller(state: State) -> int:
    """Who moves by the roll that comes next; ValueError where none does."""
    if state.is_terminal() or not is_chance(state):
        raise ValueError(f"a cube is turned before a roll, not here: {state}")
    after = state.clone()
    after.apply_action(outcomes_of(state)[0][0])
    return after.current_player()
