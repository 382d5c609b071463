"""The preset of a name as a game of some spec is learned best; docs/explanation/algorithms/learning.md."""

from __future__ import annotations

import math
from dataclasses import replace

from dicezero.model.board import BoardConfig
from dicezero.model.ntuple import TupleConfig
from dicezero.presets.preset import Preset
from dicezero.presets.registry import get_preset
from dicezero.rules.spec import CellsSpec, GameSpec, ObservationSpec

_C_SCALE = 0.1  # Gumbel's, where Q is stretched to what the tree has seen: the paper's for Atari
_C_SCALE_OF_POINTS = 3.0
_EVERY_MOVE = 1_000_000  # longer than any game
_LARGE_IMAGE = 32  # points a side from which images are halved before they are learned from
_SMALLEST_SIDE = 6  # that they are halved to
_CUT_OFF = 1_000  # decisions of an episode of small planes: more of the same would only make rounds long
_LARGE_BOARD = 25  # points from which a tower is worth its time


def preset_for(name: str, spec: GameSpec) -> Preset:
    """The preset of that name as a game of that spec is learned best.

    TD(lambda) plays and learns native games at once, with small networks and many games; a game of several
    phases with wider ones and for longer. Models of large images have a tower that halves them first, and few
    long episodes a round; models of small planes learn from their latest episodes. Gumbel AlphaZero learns
    native boards without dice with a small tower, long games with dice from returns that reach further. Where
    nobody knows the range of returns, Q is stretched to what the tree has seen, with the Gumbel paper's
    c_scale for Atari; who plays alone draws every move, as no opponent varies games.
    """
    preset = _stretched(get_preset(name), spec)
    if spec.players == 1 and preset.search.root == "puct":
        preset = replace(preset, explore_moves=_EVERY_MOVE)
    seen = spec.observation
    if preset.kind == "model" and seen and seen.layout == "image" and max(seen.shape[1:]) >= _LARGE_IMAGE:
        return _with_images(preset, seen)
    if preset.kind == "model" and spec.simulator == "episodes" and seen and seen.layout != "flat":
        return with_episodes(preset)
    if preset.kind == "rules" and preset.search.root == "gumbel" and _has_large_board(spec):
        return _with_tower(preset, spec)
    if preset.kind == "rules" and preset.search.root == "gumbel" and spec.outcomes and _phases(spec) > 1:
        return with_long_games(preset)
    if preset.kind == "td" and spec.cells and spec.players == 1:
        return _with_tables(preset, spec.cells)
    if preset.kind != "td" or not spec.native or spec.players == 1:
        return preset
    large = _phases(spec) > 1
    return replace(
        preset,
        updates="online",
        rounds=400 if large else preset.rounds,
        games=10_000 if spec.outcomes else 2_000,
        widths=(256,) if large else (128,),
        activation="relu",
        learning_rate=1e-3,
        final_learning_rate=3e-5 if large else 1e-4,
        # In the middle of a run, while the rate is high, a mean of rounds lost less than the last of them.
        averaging=4.0 if large else 0.0,
        # Dice lead everywhere by themselves.
        epsilon=0.0 if spec.outcomes else preset.epsilon,
        measure_every=10,
    )


def _stretched(preset: Preset, spec: GameSpec) -> Preset:
    """Q by the least and the greatest of the tree, where its own range is not known."""
    if preset.kind == "td" or not preset.is_categorical(spec):
        return preset
    search, play = (
        replace(config, q_normalisation="tree", c_scale=min(config.c_scale, _C_SCALE))
        if config.q_normalisation == "fixed"
        else config
        for config in (preset.search, preset.play)
    )
    return replace(preset, search=search, play=play)


def _with_images(preset: Preset, seen: ObservationSpec) -> Preset:
    """A model of images as in MuZero's papers, small: blocks on 6x6 points or so, five-step targets."""
    halvings = math.ceil(math.log2(max(seen.shape[1:]) / _SMALLEST_SIDE))
    return replace(
        preset,
        architecture="board",
        board=BoardConfig(channels=32, blocks=1, bottleneck=0, mixing="none", halvings=halvings),
        hidden_scaling="minmax",
        rounds=200,
        games=8,
        buffer_games=500,
        batch=32,
        steps=200,
        learning_rate=1e-3,
        final_learning_rate=1e-4,
        value_target="n_step",
        td_steps=5,
        loss=replace(preset.loss, gradient_scaling="muzero"),
        measure="mean_return(episodes=10)",
        measure_every=20,
    )


def with_episodes(preset: Preset) -> Preset:
    """A model of an environment that shows small planes, learned from its latest episodes.

    Episodes last longer the better they are played, so samples are counted by decisions, and what would
    follow the thousandth is estimated. What was played by policies long past makes values pessimistic: eight
    rounds are kept. A model believes what it likes of moves that are never played: now and then any is.
    """
    return replace(
        preset,
        rounds=150,
        games=32,
        max_moves=_CUT_OFF,
        epsilon=0.05,
        buffer_games=256,
        batch=128,
        steps=150,
        reuse=8.0,
        value_target="lambda",
        value_lambda=0.95,
        measure="mean_return(episodes=20)",
        measure_every=10,
    )


def with_long_games(preset: Preset) -> Preset:
    """Gumbel AlphaZero of a long game with dice and several phases: backgammon.

    What a game pays has to come back over a hundred decisions, through dice that drown it: a lambda-return of
    0.8 hears of it too late, the outcome alone is too noisy. Points count a third in the tree, as a
    backgammon may be lost; Q is weighted up for it.
    """
    search, play = (replace(config, c_scale=_C_SCALE_OF_POINTS) for config in (preset.search, preset.play))
    return replace(
        preset,
        search=search,
        play=play,
        widths=(256, 256),
        games=400,
        buffer_games=2_000,
        steps=200,
        value_lambda=0.95,
    )


def _phases(spec: GameSpec) -> int:
    return spec.observation.phases if spec.observation else 1


def _has_large_board(spec: GameSpec) -> bool:
    seen = spec.observation
    if seen is None or seen.layout != "planes" or not spec.native or spec.outcomes:
        return False
    return math.prod(seen.shape[1:]) >= _LARGE_BOARD


def _with_tower(preset: Preset, spec: GameSpec) -> Preset:
    """A tower of five blocks, the third of which sees the whole board; five rounds are kept to learn from."""
    return replace(
        preset,
        architecture="board",
        board=BoardConfig(channels=32, blocks=5, bottleneck=0, mixing="pooling", mixing_every=3),
        fast_simulations=8,
        full_share=0.6,
        rounds=110,
        games=400,
        buffer_games=2_000,
        batch=256,
        steps=300,
        learning_rate=2e-3,
        final_learning_rate=1e-4,
        schedule="cosine",
        explore_moves=10,
        value_lambda=0.97,
        loss=replace(preset.loss, auxiliary=1.0 if spec.auxiliary else 0.0),
        measure_every=20,
    )


def _with_tables(preset: Preset, cells: CellsSpec) -> Preset:
    """TD(lambda) with lookup tables; where one holds the whole board, errors are averaged out in the end."""
    preset = replace(
        preset, architecture="ntuple", updates="online", value_lambda=0.0, epsilon=0.0, measure_every=10
    )
    if len(cells.tuple_sets[0][1]) == 1:
        return replace(
            preset,
            rounds=40,
            games=10_000,
            learning_rate=0.3,
            final_learning_rate=0.003,
            tuples=TupleConfig(rates="constant", optimism=cells.optimism, lanes=1),
        )
    return replace(
        preset,
        games=5_000,
        learning_rate=1.0,
        schedule="constant",
        tuples=TupleConfig(optimism=cells.optimism),
    )
