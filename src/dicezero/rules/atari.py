"""Atari 2600 games by name: ``atari(game=pong)``; ale-py emulates them and has the ROMs in its wheel.

Frames are grey, the brighter of the last two emulated ones at each point, and shrunk by the mean over the
area of a point; that is done in whole numbers, so that a frame is the same on any machine. An episode is a
function of its seed: the emulator begins where it stood after loading, and what is random (sticky actions,
no-ops at the start) is drawn here, one frame after another, as ALE would.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass, fields
from functools import cache
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from dicezero.rules.atari_scores import HUMAN_SCORES
from dicezero.rules.environment import DISCOUNT, EnvironmentGame
from dicezero.rules.errors import GameError
from dicezero.rules.extras import missing
from dicezero.rules.names import Name, nearest, parse_value, quote

_WIPING = 2  # frames that are drawn before an episode: a few games leave lines of an earlier frame standing
Grey = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class AtariConfig:
    """How an Atari game is shown and played.

    Attributes:
        game: as ale-py names its ROM: pong, ms_pacman, beam_rider.
        size: of a frame, in points each way.
        stack: frames that a network sees at once.
        frame_skip: emulated frames that an action is held for.
        sticky: the probability that a frame repeats the action before it; 0.25 in the Gumbel paper.
        noops: up to so many frames of doing nothing at the start; 30 in the 100k benchmark, with sticky=0.
        actions: the ``minimal`` set of the game, or the ``full`` one of 18.
        clip_rewards: a reward is its sign.
        episodes: a ``game``, or a ``life``: an episode ends with the first life that is lost.
        max_frames: emulated frames after which a game is cut off; half an hour.
        discount: of a reward, for every step before it.
    """

    game: str
    size: int = 84
    stack: int = 4
    frame_skip: int = 4
    sticky: float = 0.25
    noops: int = 0
    actions: Literal["minimal", "full"] = "minimal"
    clip_rewards: bool = False
    episodes: Literal["game", "life"] = "game"
    max_frames: int = 108_000
    discount: float = DISCOUNT

    def __post_init__(self) -> None:
        ranges = {"size": (8, 128), "stack": (1, 64), "frame_skip": (1, 64), "noops": (0, 1000)}
        for name, (low, high) in ranges.items():
            if not low <= (value := getattr(self, name)) <= high:
                raise GameError(f"atari: {name}={value} is out of range; give {low}..{high}")
        if not self.frame_skip <= self.max_frames <= 10_000_000:
            raise GameError(f"atari: max_frames={self.max_frames} is out of range; give frame_skip..10000000")
        if not 0.0 <= self.sticky < 1.0:
            raise GameError(f"atari: sticky={self.sticky} is out of range; give [0, 1)")
        for name, choices in (("actions", ("minimal", "full")), ("episodes", ("game", "life"))):
            if getattr(self, name) not in choices:
                raise GameError(
                    f"atari: {name}={quote(getattr(self, name))} is unknown; give {' or '.join(choices)}"
                )


def load_atari(name: Name) -> EnvironmentGame:
    """``atari(game=pong,size=84,stack=4,...)``; GameError where ale-py or the game is missing."""
    config = _config(name)
    roms = _ale().roms.get_all_rom_ids()
    if config.game not in roms:
        raise GameError(f"atari has no game {quote(config.game)}; {nearest(config.game, roms)}check the name")
    return EnvironmentGame(
        str(name), lambda: AtariEnvironment(config), discount=config.discount, stack=config.stack
    )


def _config(name: Name) -> AtariConfig:
    defaults: dict[str, Any] = {f.name: f.default for f in fields(AtariConfig)}
    if "game" not in name.parameters:
        raise GameError("atari: game is missing; write atari(game=pong)")
    for key in name.parameters:
        if key not in defaults:
            raise GameError(
                f"atari: unknown parameter {quote(key)}; {nearest(key, defaults)}"
                f"it takes {', '.join(defaults)}"
            )
    values: dict[str, Any] = {
        key: text if key == "game" else parse_value("atari", key, text, defaults[key])
        for key, text in name.parameters.items()
    }
    return AtariConfig(**values)


@cache
def _ale() -> Any:
    """ale-py and its ROMs; with its log on stderr turned off."""
    try:
        ale = importlib.import_module("ale_py")
        roms = importlib.import_module("ale_py.roms")
    except ImportError:
        raise GameError(missing("atari(...)", "ale_py")) from None
    ale.ALEInterface.setLoggerMode(ale.LoggerMode.Error)
    return SimpleNamespace(interface=ale.ALEInterface, roms=roms)


class AtariEnvironment:
    """One emulator in Gymnasium's form; observations are the newest frame, uint8 [size, size]."""

    def __init__(self, config: AtariConfig) -> None:
        ale = _ale()
        path = ale.roms.get_rom_path(config.game)
        if path is None:
            raise GameError(f"atari: ale-py has no ROM of {config.game}; reinstall ale-py")
        if ale.interface.isSupportedROM(path) is None:  # loading it would end the process
            raise GameError(
                f"atari: ale-py has a ROM of {config.game}, but not its rewards; take another game"
            )
        self.config = config
        self._ale = ale.interface()
        self._ale.setInt("random_seed", 0)
        self._ale.setFloat("repeat_action_probability", 0.0)  # drawn here, by the episode's seed
        self._ale.loadROM(path)
        self._ale.reset_game()  # as ale-py's own environments begin
        # The emulator's state has no screen: what was drawn last would be seen at the start of an episode.
        self._begin = self._ale.cloneState()
        self._opening = self._ale.getScreenGrayscale(), self._ale.getScreenRGB()
        chosen = (
            self._ale.getMinimalActionSet() if config.actions == "minimal" else self._ale.getLegalActionSet()
        )
        self._actions = list(chosen)
        height, width = self._ale.getScreenDims()
        self._screens = np.zeros((2, height, width), np.uint8)  # the last two
        self._shrunk = _Shrink(height, width, config.size)
        self.action_space = SimpleNamespace(n=len(self._actions), start=0)
        self.observation_space = SimpleNamespace(shape=(config.size, config.size), dtype=np.dtype(np.uint8))
        whole = config.episodes == "game" and not config.clip_rewards
        self.human_scores = HUMAN_SCORES.get(config.game) if whole else None
        self.metadata = {"render_fps": 60.0 / config.frame_skip}
        self.spec = SimpleNamespace(max_episode_steps=-(-config.max_frames // config.frame_skip))
        self.reset(seed=0)

    @property
    def unwrapped(self) -> AtariEnvironment:
        """Itself."""
        return self

    def get_action_meanings(self) -> list[str]:
        """What each action presses."""
        return [action.name for action in self._actions]

    def reset(self, *, seed: int) -> tuple[Grey, dict[str, Any]]:
        """The game from its start; up to ``noops`` frames of doing nothing."""
        self._rng = np.random.default_rng(seed)
        self._last, self._frames = self._ale.getLegalActionSet()[0], 0  # no-op
        for _ in range(_WIPING):
            self._ale.restoreState(self._begin)
            self._ale.act(self._last)
        self._ale.restoreState(self._begin)
        self._screens[:], self._drawn = 0, False
        wait = int(self._rng.integers(self.config.noops + 1)) if self.config.noops else 0
        for _ in range(wait):
            self._ale.act(self._last)
            self._drawn = not self._ale.game_over()
            if not self._drawn:
                self._ale.restoreState(self._begin)
        self._lives = self._ale.lives()
        self._screens[1] = self._ale.getScreenGrayscale() if self._drawn else self._opening[0]
        return self._seen(), {}

    def step(self, action: int) -> tuple[Grey, float, bool, bool, dict[str, Any]]:
        """``frame_skip`` frames; the rewards of all of them, or their sign."""
        config, reward, over = self.config, 0.0, False
        sticks = self._rng.random(config.frame_skip) < config.sticky
        for i in range(config.frame_skip):
            if not sticks[i]:
                self._last = self._actions[action]
            reward += self._ale.act(self._last)
            self._drawn = True
            self._frames += 1
            over = self._over()
            if over or i >= config.frame_skip - 2:
                self._screens[0] = self._screens[1]
                self._ale.getScreenGrayscale(self._screens[1])
            if over:
                break
        paid = math.copysign(1.0, reward) if config.clip_rewards and reward else float(reward)
        cut = self._frames >= config.max_frames and not over
        return self._seen(), paid, over, cut, {"lives": self._ale.lives()}

    def render(self) -> npt.NDArray[np.uint8]:
        """The screen in colour, [H, W, 3]."""
        picture: npt.NDArray[np.uint8] = self._ale.getScreenRGB() if self._drawn else self._opening[1]
        return picture

    def _over(self) -> bool:
        return bool(self._ale.game_over()) or (
            self.config.episodes == "life" and self._ale.lives() < self._lives
        )

    def _seen(self) -> Grey:
        brighter: Grey = np.maximum(self._screens[0], self._screens[1])
        return self._shrunk(brighter)


class _Shrink:
    """Pictures [H, W] to [size, size], each point the mean over its area, rounded half up."""

    def __init__(self, height: int, width: int, size: int) -> None:
        self._rows, self._columns = _Sums(height, size), _Sums(width, size)
        self._total = self._rows.parts * self._columns.parts

    def __call__(self, picture: Grey) -> Grey:
        sums = self._columns(self._rows(picture).T).T
        return np.ascontiguousarray((2 * sums + self._total) // (2 * self._total), np.uint8)


class _Sums:
    """Sums over the first axis of ``length`` points between ``size`` + 1 equidistant borders.

    A new point is ``parts`` long, an old one ``inside``; a sum counts an old point once for every part of it.
    """

    def __init__(self, length: int, size: int) -> None:
        common = math.gcd(length, size)
        self.parts, self.inside = length // common, size // common
        border = np.arange(size + 1) * self.parts
        self._whole, rest = border // self.inside, border % self.inside
        self._rest = rest[:, None].astype(np.int32)
        self._cut = np.minimum(self._whole, length - 1)  # the old point that the border goes through

    def __call__(self, picture: npt.NDArray[np.integer]) -> npt.NDArray[np.int32]:
        before = np.zeros((len(picture) + 1, picture.shape[1]), np.int32)
        np.cumsum(picture, axis=0, dtype=np.int32, out=before[1:])
        sums: npt.NDArray[np.int32] = before[self._whole] * np.int32(self.inside)
        sums += picture[self._cut] * self._rest
        return np.diff(sums, axis=0)
