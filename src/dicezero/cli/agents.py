"""``dicezero agents``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.console import RenderableType
from tyro.conf import Positional

from dicezero.agents.registry import AGENTS, agent_kind, agent_parameters
from dicezero.cli.console import emit, stdout_width
from dicezero.cli.listing import assigned, fields_text
from dicezero.cli.sheet import Sheet


@dataclass(frozen=True)
class Agents:
    """List the agents that can be named, or every parameter of one: name, type, default and meaning.

    An agent is written as name(key=value,...), for example uct(simulations=1000).

    Example: dicezero agents uct
    """

    name: Positional[Annotated[str | None, tyro.conf.arg(metavar="[NAME]")]] = None
    """An agent; all of them by default."""
    json: bool = False
    """Print one JSON object: agents (name, summary, parameters with type, default and meaning)."""

    def run(self) -> int:
        """Lists and prints."""
        names = list(AGENTS) if self.name is None else [self.name]
        agents = [
            {
                "name": name,
                "summary": agent_kind(name).summary,
                "parameters": [record.as_dict() for record in agent_parameters(name)],
            }
            for name in names
        ]
        shown: list[RenderableType] = []
        if self.name is None:
            table = Sheet("agent", "what it does", "parameters")
            for name in names:
                table.add_row(name, AGENTS[name].summary, assigned(agent_parameters(name)))
            shown += [table, "the meaning of every parameter of one: dicezero agents NAME"]
        else:
            shown.append(f"{self.name}: {AGENTS[self.name].summary}")
            records = agent_parameters(self.name)
            shown.append(fields_text(records, stdout_width()) if records else "it takes no parameters")
        emit({"agents": agents}, *shown, as_json=self.json)
        return 0
