"""The record of everything that a run is but its game and its seed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from dicezero.model.board import BoardConfig
from dicezero.model.dense import ActivationName, Skip
from dicezero.model.network import HiddenScaling
from dicezero.model.ntuple import TupleConfig
from dicezero.presets.loss_weights import LossWeights
from dicezero.replay.values import ValueTarget, ValueTargetName
from dicezero.rules.spec import GameSpec
from dicezero.search.config import SearchConfig

_LARGEST_BATCH = 2**20  # samples; their targets alone are gigabytes beyond it
_LARGE = 100.0  # returns paid on the way that are larger are learned on the transformed scale


def _require(name: str, value: object, fine: bool, what: str) -> None:
    if not fine:
        raise ValueError(f"{name}={value!r} must be {what}")


def _require_whole(name: str, value: int, least: int) -> None:
    """What a run's folder can hold: a whole number of 31 bits."""
    _require(name, value, value >= least, f"at least {least}")
    _require(name, value, value < 2**31, f"at most {2**31 - 1}")


_CHOICES: dict[str, tuple[str, ...]] = {
    "kind": ("rules", "model", "td"),
    "updates": ("replay", "online"),
    "schedule": ("constant", "geometric", "cosine"),
    "policy_loss": ("completed_q", "simple"),
    "hidden_scaling": ("none", "minmax"),
    "skip": ("none", "plain", "turned"),
    "architecture": ("mlp", "board", "ntuple"),
    "value_head": ("auto", "scalar", "categorical"),
}


@dataclass(frozen=True)
class Preset:
    """Everything that a run is but its game and its seed.

    Attributes:
        name: of the preset it began as.
        kind: ``td`` compares afterstates one move ahead and has no search, ``rules`` searches the true rules
            (AlphaZero), ``model`` a learned model (NDMZ).
        updates: ``replay`` learns from episodes that are kept; ``online`` plays and learns at once, natively,
            where the network can (``td`` on a native game), and otherwise as ``replay``.
        search: of self-play.
        play: what is measured and what agents play with, without noise at the root.
        rounds: how many by default, and the length of the learning rate's way.
        games: of self-play a round.
        max_moves: decisions after which a game of self-play is cut off and its end estimated; 0 is the game's
            own limit, or 1,000 where it has none.
        opening_moves: games of self-play begin after 0..``opening_moves`` random moves, any number as likely:
            positions that play of its own would not lead to. Nothing is learned from those moves.
        explore_moves: decisions of a game that are drawn by the search's visits.
        epsilon: the probability that a move of self-play is any legal one, each as likely.
        fast_simulations: playout-cap randomisation: a decision of self-play is searched in full, with noise,
            with probability ``full_share`` alone, else with so many simulations and without; then its policy
            is not learned, but its value is. 0 searches all in full.
        full_share: of the decisions, in (0, 1].
        buffer_games: games kept to learn from.
        block_games: of online learning, games played with the same weights before they are learned from.
        batch: samples a step.
        endings: the share of a batch that is drawn from samples in which the game ends, 0..1; the rest are
            drawn from all. Where only the last move of a game is paid, it is otherwise rarely seen.
        priority: the exponent of prioritised replay, 0..1: samples are drawn by how far the search's value
            was from the target, to this power, and count the less the likelier they are; 0 draws all alike.
        unroll: K, steps through the model a sample.
        steps: of training a round; 0 counts in epochs.
        reuse: samples drawn for each decision that the round's games had, so that long games are learned from
            as much as short ones; ``steps`` are then the least. 0 leaves it to ``steps`` or epochs.
        epochs, early_epochs, early_rounds: passes over the buffer a round, and in the first rounds; so many
            batches, with ``endings`` among them too.
        averaging: of online learning: what plays is a mean of the weights after each round so far, of which
            about the last 1 / (averaging + 1) count; 0, and learning from replay, play the last weights.
            Learning goes on from those.
        learning_rate, final_learning_rate: of the first and the last round.
        schedule: the way between them; ``constant`` stays at the first.
        value_target: what the value learns: the game's ``outcome``, ``n_step`` or the ``lambda``-return.
        value_lambda: of the lambda-return: 1 is the game's outcome, 0 the value of the next decision.
        td_steps: of ``n_step``: decisions to the value that is bootstrapped from.
        overlap: whether the next round's games are played while a round trains, so that no core waits: the
            weights that play them are one round older. Not online.
        reanalyse: the share of the buffer's older games whose decisions are searched again each round, 0..1.
        symmetries: whether every sample is learned on a board turned by one of the game's symmetries, drawn
            for it; nothing where the game has none, nor online.
        policy_loss: cross-entropy with the search's policy (Gumbel's completed Q; visits for PUCT), or
            ``simple``: with the move that was played.
        architecture: dense layers (``mlp``), or ``board``: convolutions, for observations that are planes; or
            ``ntuple``: lookup tables over tuples of cells, for td-lambda and a board of few values a cell.
        hidden, widths, activation: of dense networks.
        value_head: values and rewards as one number each (``scalar``, on the scale of the game's returns), or
            ``categorical``: as a distribution over a grid on MuZero's transformed scale, for returns that
            are unbounded or large; ``auto`` takes the first where the game's returns allow it.
        value_limit: the largest value that a categorical head can represent.
        board: of board networks.
        tuples: of n-tuple networks.
        hidden_scaling: of either's hidden states.
        skip: of a dense model: what its dynamics' answer is added to (DenseModel).
        loss: what each term counts for.
        measure: the meter, as ``--measure`` names it; empty for the one that fits the game.
        measure_every: rounds between measurements; 0 is never.
    """

    name: str
    kind: Literal["rules", "model", "td"]
    search: SearchConfig
    play: SearchConfig
    updates: Literal["replay", "online"] = "replay"
    rounds: int = 100
    games: int = 300
    max_moves: int = 0
    opening_moves: int = 0
    explore_moves: int = 0
    epsilon: float = 0.0
    fast_simulations: int = 0
    full_share: float = 0.25
    buffer_games: int = 4000
    block_games: int = 64
    batch: int = 512
    endings: float = 0.0
    priority: float = 0.0
    unroll: int = 6
    steps: int = 0
    reuse: float = 0.0
    epochs: int = 1
    early_epochs: int = 5
    early_rounds: int = 20
    averaging: float = 0.0
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-3
    schedule: Literal["constant", "geometric", "cosine"] = "geometric"
    value_target: ValueTargetName = "lambda"
    value_lambda: float = 1.0
    td_steps: int = 5
    overlap: bool = False
    reanalyse: float = 0.0
    symmetries: bool = True
    policy_loss: Literal["completed_q", "simple"] = "completed_q"
    architecture: Literal["mlp", "board", "ntuple"] = "mlp"
    hidden: int = 256
    widths: tuple[int, ...] = (256, 256)
    activation: ActivationName = "selu"
    board: BoardConfig = field(default_factory=BoardConfig)
    tuples: TupleConfig = field(default_factory=TupleConfig)
    hidden_scaling: HiddenScaling = "none"
    skip: Skip = "none"
    value_head: Literal["auto", "scalar", "categorical"] = "auto"
    value_limit: float = 50_000.0
    loss: LossWeights = field(default_factory=LossWeights)
    measure: str = ""
    measure_every: int = 1

    def __post_init__(self) -> None:
        for name in (
            "rounds",
            "games",
            "buffer_games",
            "block_games",
            "batch",
            "unroll",
            "epochs",
            "early_epochs",
        ):
            _require_whole(name, getattr(self, name), 1)
        for name in (
            "max_moves",
            "opening_moves",
            "explore_moves",
            "fast_simulations",
            "steps",
            "early_rounds",
            "measure_every",
        ):
            _require_whole(name, getattr(self, name), 0)
        _require("batch", self.batch, self.batch <= _LARGEST_BATCH, f"at most {_LARGEST_BATCH}")
        for name in ("learning_rate", "final_learning_rate"):
            _require(name, getattr(self, name), 0.0 < getattr(self, name) <= 1.0, "in (0, 1]")
        for name in ("epsilon", "endings", "priority", "reanalyse"):
            _require(name, getattr(self, name), 0.0 <= getattr(self, name) <= 1.0, "in [0, 1]")
        _require("averaging", self.averaging, 0.0 <= self.averaging <= 1000.0, "in [0, 1000]")
        _require("full_share", self.full_share, 0.0 < self.full_share <= 1.0, "in (0, 1]")
        searches = self.kind != "td" or not self.fast_simulations
        _require("fast_simulations", self.fast_simulations, searches, "0: td looks one move ahead")
        _require("reuse", self.reuse, 0.0 <= self.reuse <= 1e4, "in [0, 1e4]")
        ValueTarget(self.value_target, self.value_lambda, self.td_steps)
        _require("value_limit", self.value_limit, 1.0 <= self.value_limit <= 1e12, "in [1, 1e12]")
        for name, allowed in _CHOICES.items():
            _require(name, getattr(self, name), getattr(self, name) in allowed, " or ".join(allowed))
        online = self.kind == "td" or self.updates == "replay"
        _require("updates", self.updates, online, "replay: only td-lambda learns while it plays")
        again = self.updates == "replay" or not self.reanalyse
        _require("reanalyse", self.reanalyse, again, "0: online learning keeps no games; take updates=replay")
        begins = (self.updates == "replay" and not self.reanalyse) or not self.opening_moves
        what = "0: online learning and reanalyse begin at the game's own start"
        _require("opening_moves", self.opening_moves, begins, what)
        apart = self.updates == "replay" or not self.overlap
        _require("overlap", self.overlap, apart, "false: online learning plays and learns at once")
        judges = ("mlp", "ntuple") if self.kind == "td" else ("mlp", "board")
        what = f"{' or '.join(judges)} for {self.name}"
        _require("architecture", self.architecture, self.architecture in judges, what)
        tables = self.architecture != "ntuple" or self.updates == "online"
        _require("updates", self.updates, tables, "online: tables learn while they play")
        turns = self.kind == "model" and self.search.players != "learned"
        agrees = turns or not self.loss.consistency
        _require("loss.consistency", self.loss.consistency, agrees, "0: it is for muzero's models")
        ends = self.kind == "model" or not self.endings
        _require("endings", self.endings, ends, "0: only a model is unrolled to the end of a game")
        drawn = (self.kind == "model" and not self.endings) or not self.priority
        _require("priority", self.priority, drawn, "0: it is for models, and not beside endings")
        skips = (self.kind == "model" and self.architecture == "mlp") or self.skip == "none"
        _require("skip", self.skip, skips, "none: it is for dense models")
        same = self.kind != "model" or self.search.players == self.play.players
        _require("play.players", self.play.players, same, f"that of the search: {self.search.players}")
        for name, search in (("search", self.search), ("play", self.play)):
            certain = self.kind == "rules" or not search.prove
            _require(f"{name}.prove", search.prove, certain, "false: only the true rules' ends are certain")
            certain = self.kind == "rules" or not search.proof_nodes
            _require(f"{name}.proof_nodes", search.proof_nodes, certain, "0: only the true rules are certain")
            fine = search.chance_value != "afterstate" or (self.kind == "rules" and self.values_chance)
            what = "completed, or afterstate in both search and play of a preset that searches the true rules"
            _require(f"{name}.chance_value", search.chance_value, fine, what)

    def is_categorical(self, spec: GameSpec) -> bool:
        """Whether values are learned as distributions on the transformed scale."""
        if self.value_head != "auto":
            return self.value_head == "categorical"
        return not spec.bounded or (spec.rewards == "each step" and spec.scale > _LARGE)

    @property
    def values_chance(self) -> bool:
        """Does the network learn what a position is worth before a roll?"""
        return self.search.chance_value == "afterstate"

    def learning_rate_at(self, round_index: int) -> float:
        """The learning rate of a round, counted from 0."""
        first, last = self.learning_rate, self.final_learning_rate
        way = min(1.0, round_index / max(1, self.rounds - 1))
        if self.schedule == "geometric":
            return float(first * (last / first) ** way)
        if self.schedule == "cosine":
            return float(last + (first - last) * 0.5 * (1.0 + math.cos(math.pi * way)))
        return first

    def steps_at(self, round_index: int, decisions: int, played: int = 0) -> int:
        """Training steps of a round with that many decisions in the buffer, ``played`` of them new."""
        if self.reuse:
            return max(self.steps, 1, math.ceil(self.reuse * played / self.batch))
        if self.steps:
            return self.steps
        epochs = self.early_epochs if round_index < self.early_rounds else self.epochs
        return epochs * max(1, -(-decisions // self.batch))
