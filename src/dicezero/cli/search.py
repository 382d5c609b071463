"""``dicezero search``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tyro.conf import Positional

from dicezero.agents import make_agent
from dicezero.agents.registry import parse_agent
from dicezero.cli.console import AgentName, GameName, count, emit
from dicezero.cli.interrupts import report_interrupted
from dicezero.cli.load import load
from dicezero.cli.position import reach_choice
from dicezero.cli.progress import working
from dicezero.cli.sheet import Sheet
from dicezero.rules.protocol import State
from dicezero.rules.reading import action_strings, board
from dicezero.search.answer import search_data
from dicezero.search.draw import check_tree_path, rich_tree, save_tree
from dicezero.search.result import SearchResult


@dataclass(frozen=True)
class Search:
    """Search one position: the move, its value for the mover, and where the effort went.

    Ctrl-C ends the search early and prints the best move found so far.

    Example: dicezero search "alphabeta(depth=4)" --game tic_tac_toe --moves "x(1,1),o(0,0)" --show

    Example: dicezero search "uct(simulations=5000)" --game nannon --moves "roll 3" --tree tree.html
    """

    agent: Positional[AgentName]
    """How to search, e.g. expectiminimax(depth=2), uct(simulations=1000)."""
    game: GameName
    position: str | None = None
    """Where to begin, in the game's own notation (FEN, position ID) or as a serialized state."""
    moves: str = ""
    """From there (or the start) to the position: action strings or ids between commas, outcomes included."""
    seed: int = 0
    """Random seed of the search; the same seed gives the same tree."""
    show: bool = False
    """Print the tree."""
    depth_shown: int = 2
    """How deep the printed, drawn or opened tree goes."""
    nodes_shown: int = 120
    """How many nodes are printed or drawn at most; the most visited ones are kept."""
    tree: str | None = None
    """Save the tree to this file: .json (all of it), .svg or .html."""
    json: bool = False
    """Print one JSON object: action, action_string, value, visits, nodes, seconds, ..."""

    def run(self) -> int:
        """Searches and prints."""
        if self.depth_shown < 0:
            raise ValueError(f"--depth-shown {self.depth_shown} must be at least 0")
        if self.nodes_shown < 1:
            raise ValueError(f"--nodes-shown {self.nodes_shown} must be at least 1")
        if self.tree is not None:
            check_tree_path(self.tree)
        parse_agent(self.agent)  # a wrong name is reported before a missing roll
        game = load(self.game)
        state = reach_choice(game, self.moves, self.position)
        keep_tree = self.show or self.tree is not None
        with working(f"{self.agent} searches", quiet=self.json):
            agent = make_agent(self.agent, game, keep_tree=keep_tree)
            result = agent.search(state, seed=self.seed)
        if keep_tree and result.tree is None:
            why = (
                " looks one move ahead and keeps no tree" if result.stopped == "one ply" else " keeps no tree"
            )
            raise ValueError(f"{agent.name}{why}; leave out --show and --tree, or search with uct(...)")
        if self.tree is not None and result.tree is not None:
            save_tree(
                result.tree,
                self.tree,
                game=f"{game}: {agent.name}",
                max_depth=self.depth_shown,
                max_nodes=self.nodes_shown,
            )
        drawn = []
        if self.show and result.tree is not None:
            drawn.append(rich_tree(result.tree, max_depth=self.depth_shown, max_nodes=self.nodes_shown))
        data = search_data(game, state, agent.name, result)
        tables = [moves_table(state, result), *halving_table(state, result)]
        emit(data, board(state) + "\n", *tables, summary(data), *drawn, as_json=self.json)
        stopped = result.stopped == "interrupted"
        return report_interrupted("what is shown is what the search had by then") if stopped else 0


def moves_table(state: State, result: SearchResult) -> Sheet:
    """The legal moves, the chosen one first, then the best."""
    table = Sheet("move", "value", "visits", right=("value", "visits"))
    names = action_strings(state)

    def rank(action: int) -> tuple[bool, float, int]:
        return action != result.action, -result.action_values.get(action, -2.0), -result.visits.get(action, 0)

    for action in sorted(names, key=rank):
        value = result.action_values.get(action)
        style = "bold" if action == result.action else ""
        shown = "" if value is None else f"{value + 0.0:+.4f}"
        table.add_row(names[action], shown, count(result.visits.get(action, 0)), style=style)
    return table


def halving_table(state: State, result: SearchResult) -> list[Sheet]:
    """The moves that Gumbel's search considered: visits and Q when each phase ended; nothing for others."""
    if len(result.halving) < 2:
        return []
    phases = [f"phase {number}" for number in range(1, len(result.halving) + 1)]
    table = Sheet("considered", *phases, right=phases)
    rows: dict[int, list[str]] = {}
    for phase in result.halving:
        for c in phase.candidates:
            shown = f"{c.visits} visits {'' if c.q is None else f'{c.q + 0.0:+.3f}'}"
            rows.setdefault(c.action, []).append(shown)
    names = action_strings(state)
    for action, cells in sorted(rows.items(), key=lambda row: (row[0] != result.action, -len(row[1]))):
        dropped = ["dropped"] if len(cells) < len(result.halving) else []
        table.add_row(names[action], *cells, *dropped, style="bold" if action == result.action else "")
    return [table]


def summary(data: dict[str, Any]) -> str:
    """Two lines: the answer, and what it took."""
    line = " ".join(data["principal_variation"])
    details = "".join(f", {key} {value}" for key, value in data["details"].items())
    return (
        f"{data['agent']} plays {data['action_string']}, value {data['value'] + 0.0:+.4f} for the mover; "
        f"line: {line}\n"
        f"{count(data['nodes'])} nodes, {count(data['leaves'])} leaves, {count(data['cutoffs'])} pruned, "
        f"{data['seconds']:.3f} s, stopped: {data['stopped']}{details}"
    )
