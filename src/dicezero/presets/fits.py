"""Which preset can learn which game, and the trait that rules it out."""

from __future__ import annotations

from dicezero.presets.preset import Preset
from dicezero.rules.spec import GameSpec


class MisfitError(ValueError):
    """A preset that cannot learn a game."""


def fits(preset: Preset, spec: GameSpec) -> str | None:
    """None where the preset can learn the game, else the trait that does not fit and what to take instead."""
    if spec.observation is None:
        return (
            "observation: the game has none; give it observation_tensor_shape() and its states "
            "observation_tensor(player)"
        )
    if preset.kind != "model" and spec.simulator == "episodes":
        return (
            f"simulator: {preset.name} branches states, and this can only be reset and stepped; "
            "take gumbel-muzero or gumbel-ndmz"
        )
    if preset.opening_moves and spec.simulator == "episodes":
        return "simulator: an environment is only stepped by who learns it; take opening_moves=0"
    if preset.kind == "model" and preset.search.players != "learned":
        if spec.outcomes:
            return "outcomes: its model has no dice; take gumbel-ndmz or ndmz"
        if spec.players == 2 and spec.turns != "alternate":
            return "turns: its model has players alternate; here one may move twice running; take gumbel-ndmz"
    if preset.architecture == "board" and spec.observation.layout == "flat":
        return "observation: architecture=board needs planes, and the game's are flat; take architecture=mlp"
    if preset.architecture == "ntuple" and (spec.cells is None or spec.players != 1):
        return "cells: architecture=ntuple needs a native board of few values a cell; take architecture=mlp"
    if preset.loss.auxiliary:
        if spec.auxiliary is None:
            return "auxiliary: the game has no targets beside its result; take loss.auxiliary=0"
        if preset.kind != "rules" or preset.architecture != "board" or preset.board.halvings:
            return (
                "auxiliary: only board networks over the true rules learn it; take gumbel-alphazero with "
                "architecture=board and board.halvings=0, or loss.auxiliary=0"
            )
    if spec.outcomes and (preset.search.proof_nodes or preset.play.proof_nodes):
        return "outcomes: alpha-beta proves nothing where there is chance; take proof_nodes=0"
    if preset.skip == "turned" and spec.players == 1:
        return "players: skip=turned is for two who alternate; take skip=plain"
    return None


def require_fit(preset: Preset, spec: GameSpec) -> None:
    """Raises MisfitError where the preset cannot learn the game."""
    reason = fits(preset, spec)
    if reason is not None:
        raise MisfitError(f"{preset.name} cannot learn {spec.name}: {reason}")
