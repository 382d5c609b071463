"""Ways to learn on boards: one that is the base, and others that differ from it in one choice each.

Together the others vary every field that the preset for boards sets (``presets/suited.py``). The base is the
preset as it was when they were measured; what they have changed of it since is a variant, ``ADOPTED``.
"""

from __future__ import annotations

from dicezero.presets.preset import Preset
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.rules.names import nearest, quote
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of

BASE = "base"
AGAIN = "base again"  # from another seed: what is luck of a run and not of a choice
ADOPTED = "buffer 1000 and full share 0.6"  # what the preset has now: five rounds kept, more searched in full
HALF = "half the time"  # the base when it has had half its minutes: what time is worth, to compare with

# One way to train, and what is changed of it.
COMMON = {
    "architecture": "board",
    "board.channels": "32",
    "board.blocks": "5",
    "board.bottleneck": "0",
    "board.mixing": "pooling",
    "board.mixing_every": "3",
    "simulations": "32",
    "play.simulations": "32",
    "fast_simulations": "8",
    "full_share": "0.3",
    "games": "200",
    "buffer_games": "4000",
    "steps": "150",
    "batch": "256",
    "learning_rate": "1e-3",
    "schedule": "constant",
    "explore_moves": "10",
    "value_lambda": "0.97",
    "measure_every": "0",
}
# Methods that are there or not: a tournament.
OPTIONS: dict[str, dict[str, str]] = {
    "no symmetries": {"symmetries": "false"},
    "no playout cap": {"fast_simulations": "0", "simulations": "16"},
    "no auxiliary": {"loss.auxiliary": "0"},
    "no mixing": {"board.mixing": "none"},
    "broadcast": {"board.mixing": "broadcast"},
    "bottleneck": {"board.bottleneck": "16"},
}
# What else the preset chooses: a gauntlet.
CHOICES: dict[str, dict[str, str]] = {
    "16 simulations": {"simulations": "16"},
    "64 simulations": {"simulations": "64"},
    "4 fast simulations": {"fast_simulations": "4"},
    "16 fast simulations": {"fast_simulations": "16"},
    "full share 0.15": {"full_share": "0.15"},
    "full share 0.6": {"full_share": "0.6"},
    "3 blocks": {"board.blocks": "3"},
    "8 blocks": {"board.blocks": "8"},
    "16 channels": {"board.channels": "16"},
    "64 channels": {"board.channels": "64"},
    "mixing every 2": {"board.mixing_every": "2"},
    "dense layers": {"architecture": "mlp", "loss.auxiliary": "0"},
    "rate 5e-4": {"learning_rate": "5e-4"},
    "rate 2e-3": {"learning_rate": "2e-3"},
    "cosine": {"schedule": "cosine", "learning_rate": "2e-3", "final_learning_rate": "1e-4"},
    "75 steps": {"steps": "75"},
    "300 steps": {"steps": "300"},
    "batch 128": {"batch": "128", "steps": "300"},  # as many samples
    "large rounds": {"games": "400", "steps": "300"},
    "buffer 1000": {"buffer_games": "1000"},
    "lambda 0.9": {"value_lambda": "0.9"},
    "lambda 1": {"value_lambda": "1"},
    "explore 20": {"explore_moves": "20"},
    "c_scale 0.3": {"c_scale": "0.3"},
    ADOPTED: {"buffer_games": "1000", "full_share": "0.6"},
}
# AlphaZero's root in the place of Gumbel's, the only one with forced playouts and pruned targets; with noise
# for some thirty moves a position. Run where they are named.
_PUCT = {"root": "puct", "interior": "puct", "dirichlet.fraction": "0.25", "dirichlet.alpha": "0.3"}
ROOTS: dict[str, dict[str, str]] = {
    "PUCT root": _PUCT,
    "pruned targets": {**_PUCT, "forced_playouts": "2", "prune_targets": "true"},
}
VARIANTS: dict[str, dict[str, str]] = {BASE: {}, AGAIN: {}, HALF: {}, **OPTIONS, **CHOICES, **ROOTS}


def preset_of(name: str, game: Game) -> Preset:
    """The preset of a variant; auxiliary targets are learned where the game has any.

    Raises:
        ValueError: there is no such variant.
    """
    if name not in VARIANTS:
        raise ValueError(
            f"algorithms: unknown {quote(name)}; {nearest(name, VARIANTS)}give {', '.join(VARIANTS)}"
        )
    auxiliary = {"loss.auxiliary": "1"} if spec_of(game).auxiliary else {}
    return with_settings(get_preset("gumbel-alphazero"), {**COMMON, **auxiliary, **VARIANTS[name]})


def variants_for(game: Game, *, gauntlet: bool) -> tuple[str, ...]:
    """Choices for a gauntlet, options for a tournament: those that differ from the base on this game."""
    spec, base = spec_of(game), preset_of(BASE, game)
    names = [name for name in (CHOICES if gauntlet else OPTIONS) if preset_of(name, game) != base]
    kept = [name for name in names if spec.symmetries or name != "no symmetries"]
    return (BASE, AGAIN, HALF, *kept) if gauntlet else (BASE, *kept)
