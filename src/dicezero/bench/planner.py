"""The planner beside mctx over the same NDMZ-sized networks, and what the machine's arithmetic would allow.

Both have all cores. Ours counts network evaluations, mctx one a simulation. The peers run in the same
process, in turn with ours and as often, so that neither is measured on a quieter machine. The limit is
for the networks as they stand: our search takes fewer products and may pass it
(docs/explanation/notes/native-network.md).
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec

import numpy as np

from dicezero.bench.limits import all_cores, sgemm_gflops
from dicezero.bench.row import Row
from dicezero.bench.timing import best_rate
from dicezero.model.dense import DenseModel
from dicezero.model.dense_player import NativeModel
from dicezero.model.weights import Weights
from dicezero.search.config import SearchConfig
from dicezero.search.plan import PlanResult, plan
from dicezero.search.simulator import Root

BATCHES = (32, 256)
SIMULATIONS = 100
MUZERO = DenseModel(observation=64, actions=14, identities=0)
NDMZ = replace(MUZERO, identities=4)


@dataclass(frozen=True)
class _Contest:
    name: str
    peer: str
    model: DenseModel
    search: SearchConfig


_CONTESTS = (
    _Contest(
        "gumbel",
        "gumbel_muzero_policy",
        MUZERO,
        SearchConfig(players="alternate", c_scale=0.1),
    ),
    _Contest(
        "muzero", "muzero_policy", MUZERO, SearchConfig(root="puct", interior="puct", players="alternate")
    ),
    _Contest(
        "ndmz",
        "stochastic_muzero_policy",
        NDMZ,
        SearchConfig(root="puct", interior="puct", players="learned", chance="roulette"),
    ),
)


def rows(against: frozenset[str]) -> Iterator[Row]:
    """Simulations a second for each search and batch; then latency, tree work and memory."""
    with_mctx = "mctx" in against and find_spec("mctx") is not None
    rate = sgemm_gflops(all_cores()) * 1e9
    for contest in _CONTESTS:
        weights = contest.model.init(seed=0)
        for batch in BATCHES:
            # In turn and twice each, the better one kept of both: the machine is the same for either.
            ours, peers = [], []
            for _ in range(2):
                ours.append(_rate(contest, weights, batch))
                if with_mctx:
                    peers.append(_peer_rate(contest, weights, batch))
            yield Row(
                workload=f"planner {contest.name}, batch {batch}",
                unit="simulations/s",
                ours=max(ours),
                peer=f"mctx.{contest.peer}" if with_mctx else None,
                peer_value=max(peers, default=None),
                limit=rate / contest.model.step_flops(),
            )
    yield from _other_rows()


def _other_rows() -> Iterator[Row]:
    contest = _CONTESTS[0]
    model, root = _setting(contest, contest.model.init(seed=0), 1)
    run = replace(contest.search, simulations=SIMULATIONS)
    yield Row(
        "planner gumbel, one position", "searches/s", best_rate(lambda: plan(model, root, run, seed=0), 1)
    )
    for contest in _CONTESTS:
        model, root = _setting(contest, contest.model.init(seed=0), BATCHES[-1])
        shares = [
            _tree_share(model, root, replace(contest.search, simulations=SIMULATIONS)) for _ in range(5)
        ]
        name = f"planner {contest.name}, time outside the network, batch {BATCHES[-1]}"
        yield Row(name, "% of one thread", 100.0 * statistics.median(shares))
        plans = plan(model, root, replace(contest.search, simulations=SIMULATIONS), seed=0)
        nodes = sum(plans.tree.num_nodes(row) for row in range(len(plans.tree)))
        yield Row(f"planner {contest.name}, memory", "bytes/node", plans.tree.num_bytes() / nodes)


def _rate(contest: _Contest, weights: Weights, batch: int) -> float:
    model, root = _setting(contest, weights, batch)
    config = replace(contest.search, simulations=SIMULATIONS, threads=os.cpu_count() or 1)
    evaluations = 0

    def run() -> PlanResult:
        nonlocal evaluations
        plans = plan(model, root, config, seed=0)
        evaluations = int(plans.evaluations.sum())
        return plans

    run()
    return best_rate(run, evaluations, seconds=3.0)


def _peer_rate(contest: _Contest, weights: Weights, batch: int) -> float:
    from dicezero.bench.planner_peers import peer_rate

    return peer_rate(contest.peer, contest.model, weights, batch=batch, simulations=SIMULATIONS)  # type: ignore[arg-type]


def _setting(contest: _Contest, weights: Weights, batch: int) -> tuple[NativeModel, Root]:
    model = contest.model.player(weights)
    observations = np.random.default_rng(batch).standard_normal((batch, contest.model.observation))
    hidden, logits, value = model.root(observations.astype(np.float32))
    legal = np.ones((batch, contest.model.actions), np.bool_)
    return model, Root(hidden, logits, value, legal, np.zeros(batch, np.int32))


def _tree_share(model: NativeModel, root: Root, config: SearchConfig) -> float:
    """Share of a single-threaded search outside the network: select, expand, backup, bindings."""
    begin = time.perf_counter()
    plans = plan(model, root, config, seed=0)
    seconds = time.perf_counter() - begin
    return 1.0 - plans.network_seconds / seconds
