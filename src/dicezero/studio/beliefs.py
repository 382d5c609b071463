"""What a learned model expects after each move, beside the rules' truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.agents.learned import RunAgent
from dicezero.model.network import ModelPlayer
from dicezero.rules.protocol import State, is_chance, outcomes_of
from dicezero.selfplay.episode import ActionSet
from dicezero.selfplay.planners import ModelPlanner
from dicezero.selfplay.states import positions_of

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Odds:
    """One possibility: how likely the model holds it, and how likely it is."""

    label: str
    learned: float
    true: float


@dataclass(frozen=True)
class Belief:
    """The model's expectations after one move.

    Attributes:
        action: the move.
        label: its name.
        turn: who acts next: player 0, player 1, the dice, nobody because the game is over.
        dice: the outcomes, where chance acts after the move; else empty.
        replies: after each of these outcomes, the probability the model gives the player who really acts
            then.
    """

    action: int
    label: str
    turn: tuple[Odds, ...]
    dice: tuple[Odds, ...]
    replies: tuple[Odds, ...]

    @property
    def dice_error(self) -> float | None:
        """Half the sum of the differences between learned and true odds: 0 is perfect, 1 is all wrong."""
        return sum(abs(odds.learned - odds.true) for odds in self.dice) / 2 if self.dice else None

    @property
    def turn_error(self) -> float:
        """The same for who acts next."""
        return sum(abs(odds.learned - odds.true) for odds in self.turn) / 2


def beliefs_of(agent: object, state: State) -> tuple[Belief, ...]:
    """The beliefs of an agent with a learned model of dice and turns; empty for any other.

    Args:
        agent: a ``RunAgent``, or anything else.
        state: a choice node.
    """
    if not isinstance(agent, RunAgent) or not isinstance(agent.run.planner, ModelPlanner):
        return ()
    if agent.run.config.preset.play.players != "learned":
        return ()
    model = agent.run.planner.model
    actions = ActionSet.of(agent.run.spec)
    hidden, _, _ = model.root(positions_of(agent.game, agent.run.spec, [state]).observation)
    legal = [int(action) for action in state.legal_actions()]
    step = model.step(np.repeat(hidden, len(legal), axis=0), np.array(legal, np.int32))
    turns, dice = _softmax(step.identity_logits), _softmax(step.chance_logits)
    mover = state.current_player()
    beliefs = []
    for row, action in enumerate(legal):
        after = state.clone()
        after.apply_action(action)
        outcomes = list(outcomes_of(after)) if is_chance(after) else []
        learned = [float(dice[row, actions.choices + outcome]) for outcome, _ in outcomes]
        names = [after.action_to_string(-1, outcome) for outcome, _ in outcomes]
        truth = [probability for _, probability in outcomes]
        beliefs.append(
            Belief(
                action=action,
                label=state.action_to_string(mover, action),
                turn=_turn(turns[row], after, mover),
                dice=tuple(map(Odds, names, learned, truth)),
                replies=_replies(model, actions, np.asarray(step.hidden)[row], after, mover),
            )
        )
    return tuple(beliefs)


def _turn(learned: Numbers, after: State, mover: int) -> tuple[Odds, ...]:
    actor = actor_name(after)
    names = {f"player {mover}": 0, f"player {1 - mover}": 1, "dice": 2, "over": 3}
    return tuple(
        Odds(name, float(learned[names[name]]), float(name == actor)) for name in sorted(names, key=_order)
    )


def _replies(
    model: ModelPlayer, actions: ActionSet, hidden: npt.NDArray[np.float32], after: State, mover: int
) -> tuple[Odds, ...]:
    if not is_chance(after):
        return ()
    outcomes = [outcome for outcome, _ in outcomes_of(after)]
    edges = np.array([actions.choices + outcome for outcome in outcomes], np.int32)
    step = model.step(np.repeat(hidden[None], len(edges), axis=0), edges)
    turns = _softmax(step.identity_logits)
    replies = []
    for row, outcome in enumerate(outcomes):
        name = after.action_to_string(-1, outcome)
        reached = after.clone()
        reached.apply_action(outcome)
        actor = next(odds for odds in _turn(turns[row], reached, mover) if odds.true)
        replies.append(Odds(f"{name}: {actor.label}", actor.learned, 1.0))
    return tuple(replies)


def actor_name(state: State) -> str:
    """Who acts: ``player 0``, ``player 1``, ``dice`` or ``over``."""
    if state.is_terminal():
        return "over"
    return "dice" if is_chance(state) else f"player {state.current_player()}"


def _order(name: str) -> int:
    return ["player 0", "player 1", "dice", "over"].index(name)


def _softmax(logits: object) -> Numbers:
    numbers = np.asarray(logits, np.float64)
    weights = np.exp(numbers - numbers.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
