"""Environments as games: Gymnasium's by id, and any object with ``reset`` and ``step``.

An environment rolls its dice in secret, so its episodes can be reset and stepped but not branched: the spec
has ``simulator="episodes"``, and whatever needs to clone a state refuses it by that trait. A state here is
an episode under way. Its randomness is the seed it was started with.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from dicezero.rules import svg
from dicezero.rules.answers import allowed_actions, in_words, number, shown, truth
from dicezero.rules.errors import GameError
from dicezero.rules.extras import lacking
from dicezero.rules.frames import Picture, frame_picture, picture_svg
from dicezero.rules.protocol import TERMINAL_PLAYER
from dicezero.rules.spaces import Frame, actions_of, observation_of
from dicezero.rules.spec import GameSpec

DISCOUNT = 0.997  # MuZero's, where the name gives none
_WATCHED = 10.0  # steps a second, where the environment gives none
_SLOWEST, _FASTEST = 0.1, 1000.0  # that can be shown
_MOST_ACTIONS = 1_000_000


class EnvironmentGame:
    """An environment as a game for one player.

    Args:
        name: as it is written, ``gymnasium(id=CartPole-v1)``.
        make: gives a new environment each time.
        discount: of a reward, for every step before it.
        stack: frames that a network sees at once.
    """

    def __init__(
        self, name: str, make: Callable[[], Any], *, discount: float = DISCOUNT, stack: int = 1
    ) -> None:
        self._name, self._make = name, make
        self._free: list[Any] = []  # environments whose episode is over, to be reset again
        env = self.take()
        self._encode, observation = observation_of(name, getattr(env, "observation_space", None), stack)
        self.first_action, actions = actions_of(name, getattr(env, "action_space", None))
        if not 1 <= actions <= _MOST_ACTIONS:
            raise GameError(f"{name}: action_space has {actions} actions; give 1..{_MOST_ACTIONS}")
        self.give(env)
        limit = number(getattr(getattr(env, "spec", None), "max_episode_steps", None))
        self._spec = GameSpec(
            name=name,
            players=1,
            actions=actions,
            outcomes=0,
            returns=(-math.inf, math.inf),
            rewards="each step",
            discount=discount,
            observation=observation,
            max_length=int(limit) if 0 < limit < 2**31 else 0,
            simulator="episodes",
            human=getattr(env, "human_scores", None),
        )

    def __str__(self) -> str:
        return self._name

    def spec(self) -> GameSpec:
        """Its traits."""
        return self._spec

    def new_initial_state(self, seed: int = 0) -> EnvironmentState:
        """An episode that has just been reset; the same seed and actions give the same episode."""
        return EnvironmentState(self, seed)

    def num_distinct_actions(self) -> int:
        """Actions are 0..num_distinct_actions()-1, whatever the space starts with."""
        return self._spec.actions

    def max_chance_outcomes(self) -> int:
        """None: its dice are hidden."""
        return 0

    def num_players(self) -> int:
        """One."""
        return 1

    def observation_tensor_shape(self) -> list[int]:
        """Of one frame."""
        return list(self._spec.observation.shape) if self._spec.observation else []

    def frame(self, observation: Any) -> Frame:
        """What the environment showed as one frame; GameError where it is none."""
        seen = self._spec.observation
        try:
            frame: Frame = self._encode(observation).copy()  # many environments write into one buffer
        except Exception as error:  # whatever a space's own code raises at an observation that is not of it
            raise GameError(f"{self}: an observation does not fit its observation_space: {error}") from error
        if seen is None or frame.shape != seen.shape:
            want = None if seen is None else seen.shape
            raise GameError(f"{self}: an observation has shape {frame.shape}; its space's is {want}")
        if frame.dtype != np.uint8 and not np.isfinite(frame).all():
            raise GameError(f"{self}: an observation has a value that is not finite; check the environment")
        return frame

    def take(self) -> Any:
        """An environment to start an episode in."""
        if self._free:
            return self._free.pop()
        try:
            env = self._make()
        except GameError:
            raise
        except Exception as error:
            raise GameError(
                lacking(self._name, error) or f"{self._name} cannot be made: {in_words(error)}"
            ) from error
        for method in ("reset", "step"):
            if not callable(getattr(env, method, None)):
                raise GameError(f"{self._name} is no environment: it has no method {method}()")
        return env

    def give(self, env: Any) -> None:
        """Takes an environment back whose episode is over."""
        self._free.append(env)


class EnvironmentState:
    """An episode under way; it cannot be cloned."""

    def __init__(self, game: EnvironmentGame, seed: int) -> None:
        self.game = game
        self._env = game.take()
        self._terminated = self._truncated = False
        self._reward = self._total = 0.0
        self._steps = 0
        answer = self._call("reset", seed=seed % 2**31)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise GameError(f"{game}: reset() gave no (observation, info); that is Gymnasium's form")
        self._legal = allowed_actions(game, answer[1], self.game.num_distinct_actions())
        self._frame = game.frame(answer[0])
        seen = game.spec().observation
        self._latest = deque([self._frame] * (seen.stack if seen else 1), maxlen=seen.stack if seen else 1)

    def current_player(self) -> int:
        """0 until the episode has terminated; a truncated one is cut off, not over."""
        return TERMINAL_PLAYER if self._terminated else 0

    def is_terminal(self) -> bool:
        """Whether it ended by its own rules."""
        return self._terminated

    def is_truncated(self) -> bool:
        """Whether it was cut off: what would have followed counts."""
        return self._truncated and not self._terminated

    def is_chance_node(self) -> bool:
        """Never: the dice are hidden in ``step``."""
        return False

    def legal_actions(self) -> list[int]:
        """All of them, or those of ``info["action_mask"]``; none once the episode is over."""
        return [] if self._terminated or self._truncated else list(self._legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """None."""
        return []

    def apply_action(self, action: int) -> None:
        """One step of the environment."""
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is illegal; legal: {self.legal_actions()}")
        answer = self._call("step", self.game.first_action + int(action))
        if not isinstance(answer, tuple) or len(answer) != 5:
            raise GameError(
                f"{self.game}: step() gave no (observation, reward, terminated, truncated, info); "
                "that is Gymnasium's form"
            )
        observation, reward, terminated, truncated, info = answer
        self._terminated = truth(self.game, "terminated", terminated)
        self._truncated = truth(self.game, "truncated", truncated)
        over = self._terminated or self._truncated
        self._legal = allowed_actions(self.game, info, self.game.num_distinct_actions(), over=over)
        self._reward = number(reward)
        self._total += self._reward
        if not math.isfinite(self._reward) or not math.isfinite(self._total):
            raise GameError(
                f"{self.game}: a reward is {shown(reward)}, the sum so far {self._total}; give finite numbers"
            )
        self._steps += 1
        self._frame = self.game.frame(observation)
        self._latest.append(self._frame)

    def clone(self) -> EnvironmentState:
        """Refused: an environment cannot be branched."""
        raise GameError(f"{self.game} has simulator=episodes: it can be reset and stepped, not branched")

    def rewards(self) -> list[float]:
        """What the last step paid."""
        return [self._reward]

    def returns(self) -> list[float]:
        """The sum of all rewards so far, not discounted."""
        return [self._total]

    def observation_tensor(self, player: int = 0) -> Frame:
        """The newest frame, in the shape of the spec."""
        del player
        return self._frame

    def stacked_frames(self) -> Frame:
        """The frames of the spec's stack along the first axis, the newest last; at first one repeated."""
        return np.concatenate([*self._latest], dtype=self._frame.dtype)  # type: ignore[return-value]

    def action_to_string(self, player: int, action: int) -> str:
        """The environment's own word for it, where it has one."""
        del player
        meanings = getattr(getattr(self._env, "unwrapped", None), "get_action_meanings", None)
        if callable(meanings):
            with suppress(Exception):
                return str(meanings()[action])
        return str(action)

    def render(self) -> Picture | None:
        """The picture [H, W, 3] of the newest step: the environment's own, else of what is seen there.

        None where the environment draws nothing and what is seen is no picture.
        """
        draw = getattr(self._env, "render", None)
        drawn = self._call("render") if callable(draw) else None
        if (
            isinstance(drawn, np.ndarray)
            and drawn.ndim == 3
            and drawn.shape[2] == 3
            and drawn.dtype == np.uint8
            and drawn.size
        ):
            return drawn
        seen = self.game.spec().observation
        return None if seen is None else frame_picture(seen, self._frame)

    def to_svg(self) -> str:
        """The picture of the newest step for notebooks and the studio; words where there is none."""
        try:
            picture = self.render()
        except GameError as error:
            return svg.words([str(error), *str(self).split(", ")])
        return svg.words(str(self).split(", ")) if picture is None else picture_svg(picture, str(self))

    @property
    def frames_per_second(self) -> float:
        """Steps a second at which a person would watch it."""
        metadata = getattr(self._env, "metadata", None)
        rate = number(metadata.get("render_fps")) if isinstance(metadata, Mapping) else math.nan
        return rate if _SLOWEST <= rate <= _FASTEST else _WATCHED

    def __str__(self) -> str:
        seen = np.array2string(self._frame, precision=3, threshold=16, separator=" ").replace("\n", "")
        ended = " ended" if self._terminated else " cut off" if self._truncated else ""
        return f"step {self._steps}{ended}, return {self._total:g}, sees {seen}"

    def __del__(self) -> None:
        if (env := self.__dict__.pop("_env", None)) is not None:
            self.game.give(env)

    def _call(self, method: str, *arguments: Any, **named: Any) -> Any:
        try:
            return getattr(self._env, method)(*arguments, **named)
        except GameError:
            raise
        except Exception as error:
            raise GameError(
                lacking(str(self.game), error)
                or f"{self.game}: {method}() raised {in_words(error)}; check the environment"
            ) from error


def environment_of(candidate: object, *, name: str, make: Callable[[], object]) -> EnvironmentGame | None:
    """``candidate`` as a game if it is an environment (``reset`` and ``step``), else None."""
    methods: Sequence[str] = ("reset", "step")
    if hasattr(candidate, "new_initial_state") or not all(hasattr(candidate, m) for m in methods):
        return None
    discount = number(getattr(candidate, "discount", DISCOUNT))
    if math.isnan(discount):
        raise GameError(f"{name}: its discount is no number; let it be one in (0, 1]")
    return EnvironmentGame(name, make, discount=discount)
