"""The size of a game from a part of its states: never more than there are, enough to refuse it by."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import END, Graph, Node

from dicezero import _native
from dicezero.rules import load_game

LIMIT = 20_000_000


def test_samples_show_that_a_board_is_a_few_times_too_large() -> None:
    """5x5 Connect Four has 69 million states; to find them one by one meets the limit after 20 million."""
    bound, visited = _native.sampled_states(
        load_game("connect_four(rows=5,columns=5)"), enough=1.5 * LIMIT, most=3_000_000
    )
    assert 1.5 * LIMIT < bound < 69_212_102
    assert visited < 2_000_000


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("tic_tac_toe", 5478),
        ("connect_four(rows=4,columns=4)", 161_029),
        ("connect_four(rows=5,columns=4)", 1_706_255),
        ("nannon", 2 * 2530 * 7),
        ("backgammon(start=hyper1)", 25_574),
        ("nim(pile_sizes=8;8;8)", 2 * 9**3),
    ],
)
def test_samples_never_show_more_states_than_there_are(name: str, states: int) -> None:
    if name.startswith("nim"):
        pytest.importorskip("pyspiel")
    bound, visited = _native.sampled_states(load_game(name), enough=1e9, most=200_000)
    assert 0.1 * states < bound <= states
    assert visited < 600_000


def test_samples_end_once_they_hold_every_state() -> None:
    bound, visited = _native.sampled_states(
        load_game("connect_four(rows=2,columns=2)"), enough=1e9, most=10**9
    )
    assert bound <= visited / 16


def layered(seed: int) -> Graph:
    """Layers of any width; states end early, lead into one part of the next layer, or to few states of it."""
    rng = np.random.default_rng(seed)
    widths = [1, *np.exp(rng.uniform(0, 7, size=int(rng.integers(3, 25)))).astype(int).tolist()]
    first = np.concatenate([[0], np.cumsum(widths)])
    nodes = []
    for depth, width in enumerate(widths):
        ends, local, moves = rng.choice([0.0, 0.5, 0.95]), rng.random() < 0.5, int(rng.choice([1, 2, 5, 40]))
        for place in range(width):
            if depth + 1 == len(widths) or (depth > 0 and rng.random() < ends):
                nodes.append(Node(END))
                continue
            after = widths[depth + 1]
            if local:
                targets = (place * after // width + np.arange(moves)) % after
            else:
                targets = (after * rng.random(moves) ** rng.choice([1, 3])).astype(int)
            nodes.append(Node(depth % 2, tuple(int(first[depth + 1] + t) for t in targets)))
    return Graph(tuple(nodes))


def caves(*, doors: int, deep: int) -> Graph:
    """One of many doors; one in forty leads on, to a cave without another way in, seen through at once."""
    nodes = [Node(0, tuple(range(1, doors + 1))), *[Node(END)] * doors]
    for door in range(1, doors + 1, 40):
        nodes[door] = Node(1, (len(nodes),))
        for _ in range(deep):
            nodes.append(Node(0, tuple(len(nodes) + i for i in range(1, 9))))
            nodes += [Node(1, (len(nodes) + 8 - i,)) for i in range(8)]
        nodes.append(Node(END))
    return Graph(tuple(nodes))


def reachable(graph: Graph) -> int:
    seen, frontier = {0}, [0]
    while frontier:
        for target in graph.nodes[frontier.pop()].targets:
            if target not in seen:
                seen.add(target)
                frontier.append(target)
    return len(seen)


@pytest.mark.parametrize("seed", range(12))
def test_no_graph_is_taken_for_a_larger_one(seed: int) -> None:
    graph = layered(seed)
    bound, _ = _native.sampled_states(graph, enough=1e9, most=10_000)
    assert bound <= reachable(graph)


@pytest.mark.parametrize("doors", [400, 4000])
def test_samples_that_lie_in_a_cave_each_do_not_make_a_game_large(doors: int) -> None:
    graph = caves(doors=doors, deep=20)
    bound, _ = _native.sampled_states(graph, enough=1e9, most=20_000)
    assert bound <= reachable(graph)
