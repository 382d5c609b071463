"""The agent that is shipped for a game: a run of ours in a folder of the package, loaded like any other run.

``pretrained/NAME`` holds the run of the game whose name it begins with; a run's own configuration has which
game it has learned, so there is no list. Nothing in such a folder is ever run as code.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from dicezero.agents.errors import AgentError
from dicezero.agents.learned import RunAgent
from dicezero.agents.learned_config import RunAgentConfig
from dicezero.rules.protocol import Game
from dicezero.runs.config import CONFIG, RunConfig

FOLDER = Path(__file__).parents[1] / "pretrained"


@dataclass(frozen=True)
class PretrainedConfig(RunAgentConfig):
    """How much it searches; the fields are those of ``run``.

    Attributes:
        path: found by itself.
    """

    path: str = ""


def pretrained_folder(game: Game) -> Path | None:
    """The run that is shipped for this game; None where there is none."""
    return _shipped().get(str(game))


def plays_at_once(game: Game) -> bool:
    """Whether an agent is shipped for this game that looks one move ahead instead of searching."""
    folder = pretrained_folder(game)
    return folder is not None and RunConfig.read(folder).preset.kind == "td"


def pretrained_agent(name: str, game: Game, config: PretrainedConfig, *, keep_tree: bool = False) -> RunAgent:
    """The agent shipped for a game.

    Raises:
        AgentError: there is none; the message says for which games there are.
    """
    folder = pretrained_folder(game)
    if folder is None:
        games = ", ".join(sorted(_shipped())) or "none"
        raise AgentError(f"pretrained: none is shipped for {game}; there is one for {games}; train your own")
    settings = {f.name: getattr(config, f.name) for f in fields(RunAgentConfig)} | {"path": str(folder)}
    agent = RunAgent(name, game, RunAgentConfig(**settings), keep_tree=keep_tree)
    agent.title = "the agent that ships with dicezero"
    return agent


@cache
def _shipped() -> dict[str, Path]:
    """The runs in the package by the game each has learned."""
    folders = [path.parent for path in sorted(FOLDER.glob(f"*/{CONFIG}"))]
    return {RunConfig.read(folder).game: folder for folder in folders}
