"""Our games as Gymnasium environments, for other people's learners; needs ``dicezero[gymnasium]``.

    import dicezero.gymnasium as dz

    env = dz.make("2048")                                   # a game for one player
    env = dz.make("nannon", opponent="greedy", seat=0)      # a game for two, against one of our agents

Importing it registers ``gymnasium.make("dicezero/nannon-v0", opponent="greedy")`` and the like, too. The way
back, Gymnasium's environments as games here, is ``gymnasium(id=CartPole-v1)``.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from dicezero.agents import make_agent
from dicezero.agents.base import Agent, uninterrupted
from dicezero.rules import Game, list_games
from dicezero.rules.spec import ObservationSpec
from dicezero.selfplay.stepped import SteppedGame

__all__ = ["GameEnv", "make", "observation_space"]

Illegal = Literal["lose", "error"]


def observation_space(spec: ObservationSpec) -> spaces.Box:
    """What a player may see; numbers of a float32 frame have no bounds."""
    low, high = (0, 255) if spec.dtype == "uint8" else (-np.inf, np.inf)
    return spaces.Box(low, high, spec.shape, np.dtype(spec.dtype).type)


class GameEnv(gymnasium.Env[npt.NDArray[Any], np.int64]):
    """One player's view of a game: dice roll and the opponent moves inside ``reset`` and ``step``.

    ``info["action_mask"]`` [actions, int8] marks the legal actions; ``action_space.sample(mask)`` heeds
    it. Observations are those of the player at ``seat``, rewards what the game pays that player.

    Args:
        game: a name or a game, for one player or for two.
        opponent: who plays the other seat of a game for two, such as ``"uct(simulations=100)"``.
        seat: which player the learner is; 0 moves first.
        illegal: an illegal action ends the episode with the least return there is (``lose``), or raises
            ValueError (``error``).
        render_mode: ``ansi`` gives the board as text.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str | Agent | None = None,
        seat: int = 0,
        illegal: Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        self._table = SteppedGame(game)
        players = self._table.spec.players
        name = self._table.spec.name
        if seat not in range(players):
            raise ValueError(f"seat={seat} is out of range; {name} has {players}, give 0..{players - 1}")
        if (opponent is None) is (players == 2):
            needs = "two players: give opponent=" if players == 2 else "one player: leave out opponent="
            raise ValueError(f"{name} has {needs}, such as 'random'")
        if illegal not in ("lose", "error"):
            raise ValueError(f"illegal={illegal!r} is unknown; give 'lose' or 'error'")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r} is not offered; give 'ansi' or leave it out")
        self._opponent = make_agent(opponent, self._table.game) if isinstance(opponent, str) else opponent
        self._seat, self._illegal, self._ended = seat, illegal, False
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self._table.spec.actions)
        self.observation_space = observation_space(self._table.observation)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """A new game, up to the learner's first decision."""
        super().reset(seed=seed, options=options)
        self._ended = False
        self._table.begin(self.np_random)
        self._others_move()
        if self._table.over:  # the opponent has won before the learner could move
            return self.reset(options=options)
        return self._table.frame(self._seat), self._info()

    def step(self, action: Any) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        """The learner's action, then dice and the opponent's moves up to its next decision."""
        if self._ended or self._table.over:
            raise ValueError("the episode is over; call reset() first")
        if not self.action_space.contains(action) or not self._table.mask(self._seat)[int(action)]:
            if self._illegal == "error":
                legal = np.flatnonzero(self._table.mask(self._seat)).tolist()
                raise ValueError(f"action {action} is illegal; legal: {legal}")
            self._ended = True
            info = {**self._info(), "illegal_action": int(action)}
            return self._table.frame(self._seat), self._table.least, True, False, info
        paid = self._table.play(int(action)) + self._others_move()
        return (
            self._table.frame(self._seat),
            float(paid[self._seat]),
            self._table.over,
            False,
            self._info(),
        )

    def render(self) -> str | None:
        """The board as text, where ``render_mode`` is ``ansi``."""
        return self._table.text() if self.render_mode == "ansi" else None

    def _others_move(self) -> npt.NDArray[np.float64]:
        paid = np.zeros(self._table.spec.players)
        while not self._table.over and self._table.mover != self._seat:
            assert self._opponent is not None  # noqa: S101 - a game for two has one
            seed = int(self.np_random.integers(2**63))
            reply = uninterrupted(self._opponent.search(self._table.state.clone(), seed=seed))
            paid += self._table.play(reply.action)
        return paid

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._table.mask(self._seat)}


def make(game: str | Game, **options: Any) -> GameEnv:
    """The environment of a game; the options are those of :class:`GameEnv`."""
    return GameEnv(game, **options)


for _record in list_games():
    _id = f"dicezero/{_record.name}-v0"
    if _record.source == "dicezero" and _id not in gymnasium.registry:
        gymnasium.register(_id, entry_point="dicezero.gymnasium:make", kwargs={"game": _record.name})
