"""What plays: agents made from names, all with one method."""

from dicezero.agents.base import Agent
from dicezero.agents.errors import AgentError
from dicezero.agents.registry import AGENTS, make_agent

__all__ = ["AGENTS", "Agent", "AgentError", "make_agent"]
