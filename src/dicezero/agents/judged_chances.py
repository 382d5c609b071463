"""How a game may end, by a judge of afterstates that predicts the probability of every result."""

from __future__ import annotations

from dicezero.agents.base import roller
from dicezero.agents.errors import AgentError
from dicezero.model.dense_player import NativeJudge
from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import GameSpec
from dicezero.search.cube import Chances
from dicezero.selfplay.planners import Planner
from dicezero.selfplay.states import frames_seen_by, network_input
from dicezero.selfplay.td import AfterstatePlanner


def judge_of(spec: GameSpec, planner: Planner) -> NativeJudge | None:
    """The judge that predicts how a game may end; None where the planner has none, or one of values alone."""
    judge = planner.judge if isinstance(planner, AfterstatePlanner) else None
    fits = isinstance(judge, NativeJudge) and spec.results and spec.observation is not None
    return judge if fits else None  # type: ignore[return-value]


def judged_chances(name: str, game: Game, spec: GameSpec, planner: Planner, state: State) -> Chances:
    """Of the player who rolls next; ``state`` is before that roll.

    Raises:
        AgentError: it is not, or the planner has no judge of results; the message has ``name``.
    """
    judge = judge_of(spec, planner)
    if judge is None or spec.observation is None:
        raise AgentError(
            f"{name} does not predict how a game may end; runs of td-lambda on native games with dice do"
        )
    try:
        mover = roller(state)
    except ValueError as error:
        raise AgentError(f"{name}: {error}") from None
    # An afterstate is judged by who has moved, the other side of who rolls.
    frames = frames_seen_by(game, spec, [state], [1 - mover])
    (probabilities,) = judge.results(network_input(spec.observation, frames))
    return Chances.of(dict(zip(spec.results, probabilities.tolist(), strict=True))).reversed()
