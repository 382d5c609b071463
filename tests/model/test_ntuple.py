"""N-tuple networks against plain twins: what a board reads, and what a game teaches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.model.ntuple import TupleConfig, TupleJudge, TupleLearner
from dicezero.model.online import OnlineSettings
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of

BOARDS = ["2048(rows=2,columns=2)", "2048(rows=2,columns=3)", "2048(rows=3,columns=2)"]


def judge_for(game: Any, **config: Any) -> TupleJudge:
    spec = spec_of(game)
    assert spec.observation is not None
    assert spec.cells is not None
    return TupleJudge(spec.observation.size, spec.cells, TupleConfig(**config))


def small_tables(game: Any, **config: Any) -> TupleJudge:
    """Small tables of the same shapes: the first three cells of each tuple."""
    network = judge_for(game, **config)
    small = tuple(sorted({tuple_[:3] for tuple_ in network.tuples()}))
    return replace(network, cells=replace(network.cells, tuple_sets=(("small", small),)))


def random_weights(network: TupleJudge, seed: int) -> dict[str, Any]:
    """Every entry touched."""
    values = np.random.default_rng(seed).normal(size=network.entries).astype(np.float32)
    bits = np.packbits(np.ones(network.entries, np.uint8), bitorder="little")
    return {"touched": bits, "weights": values}


def entries_read(network: TupleJudge, tiles: list[list[int]]) -> list[int]:
    """The plain twin: the entries of a board, table by table, symmetry by symmetry."""
    cells = [tile.bit_length() - 1 if tile else 0 for row in tiles for tile in row]
    bits = max(1, min(4, (network.cells.values - 1).bit_length()))
    found, first = [], 0
    for tuple_ in network.tuples():
        for symmetry in network.cells.symmetries:
            turned = [min(15, cells[cell]) for cell in symmetry]
            found.append(first + sum(turned[cell] << bits * k for k, cell in enumerate(tuple_)))
        first += 1 << bits * len(tuple_)
    return found


@pytest.mark.parametrize("name", [*BOARDS, "2048(rows=3,columns=3)", "2048(rows=2,columns=4)", "2048"])
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_a_board_reads_what_the_plain_twin_reads(name: str, data: st.DataObject) -> None:
    game = load_game(name)
    network = small_tables(game)
    cells = network.cells
    weights = random_weights(network, 1)
    player = network.player(weights)
    rows = data.draw(
        st.lists(
            st.lists(st.integers(0, cells.values - 2), min_size=cells.columns, max_size=cells.columns),
            min_size=cells.rows,
            max_size=cells.rows,
        ).filter(lambda rows: any(0 in row for row in rows))
    )
    tiles = [[0 if e == 0 else 1 << e for e in row] for row in rows]
    state = game.new_initial_state("/".join(".".join(map(str, row)) for row in tiles) + " spawn")
    state.apply_action(state.legal_actions()[0])
    if state.is_terminal():
        return
    row, action, value, _, leaves = game.judged(
        player.native, [state], plies=1, candidates=0, rare=0.0, scale=1.0, threads=1
    )
    assert list(action) == state.legal_actions()
    assert leaves[0] == len(row)
    for move, worth in zip(action, value, strict=True):
        after = state.child(int(move))
        plain = sum(float(weights["weights"][entry]) for entry in entries_read(network, after.tiles()))
        assert worth == pytest.approx(after.rewards()[0] + plain, abs=1e-3)
        seen = np.asarray(after.observation_tensor(0))[None]
        assert float(player(seen)[0]) == pytest.approx(plain, abs=1e-3)


class PlainRng:
    """xoshiro256++ by (seed, stream), as cpp/rules/random.h has it."""

    def __init__(self, seed: int, stream: int) -> None:
        x = _mix(seed) ^ (stream * 0xD1342543DE82EF95) % 2**64
        self.s = []
        for _ in range(4):
            x = _mix(x)
            self.s.append(x)

    def below(self, n: int) -> int:
        s = self.s
        result = (_rotl((s[0] + s[3]) % 2**64, 23) + s[0]) % 2**64
        t = s[1] << 17 & 2**64 - 1
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotl(s[3], 45)
        return (result >> 32) * n >> 32


def _mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) % 2**64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return x ^ x >> 31


def _rotl(x: int, k: int) -> int:
    return (x << k | x >> 64 - k) % 2**64


class PlainLearner:
    """TD(lambda) of tables, game after game, in the plainest way; one lane."""

    def __init__(self, network: TupleJudge, game: Any) -> None:
        self.network, self.game = network, game
        self.weights = np.full(network.entries, network.first_weight, np.float32)
        self.sums = np.zeros(network.entries, np.float32)
        self.absolutes = np.zeros(network.entries, np.float32)
        self.returns = 0.0

    def value(self, entries: list[int]) -> np.float32:
        total = np.float32(0.0)
        for entry in entries:
            total = np.float32(total + self.weights[entry])
        return total

    def play(self, games: int, seed: int, *, rate: float, value_lambda: float) -> None:
        for number in range(games):
            rng, state, trace = PlainRng(seed, number), self.game.new_initial_state(), []
            while True:
                while state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    draw = rng.below(10 * (len(outcomes) // 2))
                    state.apply_action(outcomes[2 * (draw // 10) + (draw % 10 == 0)][0])
                if state.is_terminal():
                    self.learn(trace, -self.value(trace[0]), rate, value_lambda)
                    self.returns += state.returns()[0]
                    break
                best = None
                for action in state.legal_actions():
                    after = state.child(action)
                    entries = entries_read(self.network, after.tiles())
                    worth = np.float32(after.rewards()[0]) + self.value(entries)
                    if best is None or worth > best[0]:
                        best = (worth, entries, after)
                assert best is not None
                if trace:
                    self.learn(trace, best[0] - self.value(trace[0]), rate, value_lambda)
                trace = [best[1], *trace]
                while len(trace) > 1 and value_lambda ** (len(trace) - 1) < 0.05:
                    trace.pop()
                trace, state = trace[:8], best[2]

    def learn(self, trace: list[list[int]], error: Any, rate: float, value_lambda: float) -> None:
        for table_reads in self._by_table(trace):
            share = np.float32(error) / np.float32(len(trace[0]))
            for entries in table_reads:
                for entry in entries:
                    own = (
                        abs(self.sums[entry]) / self.absolutes[entry]
                        if self.absolutes[entry] and self.network.config.rates == "coherent"
                        else np.float32(1.0)
                    )
                    self.weights[entry] += np.float32(rate) * own * share
                    self.sums[entry] += share
                    self.absolutes[entry] += abs(share)
                share = np.float32(share * np.float32(value_lambda))

    def _by_table(self, trace: list[list[int]]) -> list[list[list[int]]]:
        views, tables = len(self.network.cells.symmetries), len(self.network.tuples())
        return [[entries[t * views : (t + 1) * views] for entries in trace] for t in range(tables)]


@pytest.mark.parametrize("name", BOARDS[:2])
@pytest.mark.parametrize(("rates", "rate"), [("coherent", 1.0), ("constant", 0.1)])
@pytest.mark.parametrize("value_lambda", [0.0, 0.5])
def test_games_teach_what_they_teach_the_plain_twin(
    name: str, rates: str, rate: float, value_lambda: float
) -> None:
    game = load_game(name)
    network = judge_for(game, rates=rates, lanes=1, optimism=50.0)
    how = OnlineSettings(value_lambda=value_lambda, max_moves=1_000_000)
    learner = TupleLearner(network, game, how, network.init(seed=0), None, threads=1)
    found = learner.play_round(games=12, seed=5, learning_rate=rate, on_progress=None)
    plain = PlainLearner(network, game)
    plain.play(12, 5, rate=rate, value_lambda=value_lambda)
    assert found.mean_return == plain.returns / 12
    weights = network.tables(learner.weights(), coherent=False)
    everything = np.full((network.entries + 7) // 8, 255, np.uint8)
    dense = np.asarray(weights.weights(everything))[: network.entries]
    np.testing.assert_allclose(dense, plain.weights, rtol=1e-4, atol=1e-3)
    assert (dense != np.float32(network.first_weight)).sum() > 20


@pytest.mark.parametrize("name", ["2048(rows=2,columns=3)", "2048(rows=3,columns=3)"])
def test_threads_do_not_change_what_is_learned(name: str) -> None:
    game, learned = load_game(name), []
    network = small_tables(game, lanes=7, optimism=300.0)
    how = OnlineSettings(value_lambda=0.5, max_moves=12)
    for threads in (1, 2, 3):
        learner = TupleLearner(network, game, how, network.init(seed=0), None, threads=threads)
        found = learner.play_round(games=16, seed=3, learning_rate=0.5, on_progress=None)
        learned.append((found, learner.weights(), learner.optimiser()))
    first = learned[0]
    assert first[0].truncated > 0
    assert len(first[1]["weights"]) > 50
    for other in learned[1:]:
        assert other[0] == first[0]
        for arrays in (1, 2):
            for name_, array in first[arrays].items():
                np.testing.assert_array_equal(other[arrays][name_], array)


def test_a_learner_goes_on_exactly_from_its_state() -> None:
    game = load_game("2048(rows=2,columns=3)")
    network = judge_for(game, lanes=4)
    how = OnlineSettings(value_lambda=0.5, max_moves=300)
    learner = TupleLearner(network, game, how, network.init(seed=0), None, threads=1)
    learner.play_round(games=40, seed=1, learning_rate=1.0, on_progress=None)
    weights, optimiser = learner.weights(), learner.optimiser()
    other = TupleLearner(network, game, how, weights, optimiser, threads=2)
    for each in (learner, other):
        each.play_round(games=40, seed=2, learning_rate=1.0, on_progress=None)
    np.testing.assert_array_equal(other.weights()["touched"], learner.weights()["touched"])
    np.testing.assert_array_equal(other.weights()["weights"], learner.weights()["weights"])
    np.testing.assert_array_equal(other.optimiser()["coherence"], learner.optimiser()["coherence"])
    with pytest.raises(ValueError, match="does not fit the weights: coherence"):
        TupleLearner(network, game, how, weights, {"coherence": optimiser["coherence"][1:]})


def test_weights_that_do_not_fit_are_named() -> None:
    network = judge_for(load_game("2048(rows=2,columns=2)"))
    weights = random_weights(network, 0)
    assert network.check(weights).keys() == weights.keys()
    for name, array, what in (
        ("touched", weights["touched"][1:], r"weights\['touched'\] is uint8"),
        ("weights", weights["weights"][1:], r"4096 entries are touched"),
        ("weights", weights["weights"].astype(np.float64), r"float64"),
        ("weights", weights["weights"] * np.float32(np.nan), r"not finite"),
    ):
        with pytest.raises(ValueError, match=what):
            network.check({**weights, name: array})
    with pytest.raises(ValueError, match="an n-tuple network has touched and weights"):
        network.check({"weights": weights["weights"]})
    with pytest.raises(ValueError, match=r"tuples\.set='9x9' is unknown; give one of board"):
        judge_for(load_game("2048(rows=2,columns=2)"), set="9x9")
    with pytest.raises(ValueError, match="updates=online"):
        network.apply({}, "judge", np.zeros((1, 1)))  # type: ignore[arg-type]
