"""``dicezero agents`` and ``dicezero presets``: every key with its type, default and meaning."""

from __future__ import annotations

import pytest

from dicezero.agents.registry import AGENTS, agent_parameters
from dicezero.cli.listing import assigned, plain
from dicezero.cli.presets import settings
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.search.minimax import Algorithm, MinimaxConfig, minimax_search
from dicezero.search.minimax_config import DEFAULT_DEPTH
from dicezero.search.uct import UctConfig


def test_agents_are_listed_with_what_they_take(run, refused):
    agents = {agent["name"]: agent for agent in run("agents", "--json").data["agents"]}
    assert agents.keys() == AGENTS.keys()
    simulations = next(p for p in agents["uct"]["parameters"] if p["name"] == "simulations")
    assert simulations["default"] == UctConfig().simulations
    assert simulations["type"] == "int | none"
    assert "algorithm" not in [p["name"] for p in agents["minimax"]["parameters"]]
    assert agents["run"]["parameters"][0] | {"meaning": ""} == {
        "name": "path",
        "type": "text",
        "default": None,
        "needed": True,
        "meaning": "",
    }
    assert "expectiminimax" in run("agents").out
    assert "simulations = 1000" in run("agents", "uct").out
    assert "did you mean uct" in refused("agents", "ucct")


@pytest.mark.parametrize("algorithm", DEFAULT_DEPTH)
def test_a_search_without_a_depth_is_the_same_in_python_and_on_the_command_line(run, algorithm: Algorithm):
    game = load_game("connect_four")
    found = minimax_search(game, game.new_initial_state(), MinimaxConfig(algorithm))
    data = run("search", algorithm, "--game", "connect_four", "--json").data
    assert (data["action"], data["value"], data["nodes"]) == (found.action, found.value, found.nodes)
    assert data["details"]["depth"] == found.details["depth"] == DEFAULT_DEPTH[algorithm]
    listed = {agent["name"]: agent["summary"] for agent in run("agents", "--json").data["agents"]}
    assert f"default {DEFAULT_DEPTH[algorithm]} plies" in listed[algorithm]


@pytest.mark.parametrize("name", AGENTS)
def test_every_parameter_of_an_agent_has_a_meaning(name: str):
    assert [record.name for record in agent_parameters(name) if not record.meaning] == []


def test_presets_are_listed_with_their_settings(run, refused):
    presets = {preset["name"]: preset for preset in run("presets", "--json").data["presets"]}
    assert presets.keys() == PRESETS.keys()
    found = {p["name"]: p["default"] for p in presets["gumbel-ndmz"]["parameters"]}
    own = PRESETS["gumbel-ndmz"]
    assert found["simulations"] == own.search.simulations
    assert found["play.c_scale"] == own.play.c_scale
    assert found["loss.l2"] == own.loss.l2
    assert "gumbel-alphazero" in run("presets").out
    assert f"play.c_scale = {own.play.c_scale:g}" in run("presets", "gumbel-ndmz").out
    assert "did you mean muzero" in refused("presets", "muzerro")


@pytest.mark.parametrize("name", PRESETS)
def test_every_listed_setting_can_be_set_as_it_is_written(name: str):
    preset = PRESETS[name]
    for record in settings(preset):
        if record.default is not None:
            assert with_settings(preset, {record.name: plain(record.default)}) == preset, record.name


def test_games_are_listed_with_what_they_take(run, refused):
    data = run("games", "go", "--json").data["games"]
    assert [game["name"] for game in data] == ["go"]
    size = data[0]["parameters"][0]
    assert (size["name"], size["type"], size["default"], size["range"]) == ("board_size", "int", 19, "2..19")
    assert "lines of the board" in run("games", "go").out
    assert "board_size=19, komi=7.5" in run("games").out
    assert "did you mean nannon" in refused("games", "nanon")


def test_the_list_of_agents_leaves_out_no_parameter(run):
    out = " ".join(run("agents").out.split())
    for name in AGENTS:
        assert assigned(agent_parameters(name)) in out or not agent_parameters(name)
    assert "depth=default, max_nodes=none" in out


def test_defaults_are_written_as_they_are_given():
    assert [plain(value) for value in (None, True, (1, 2), 1e-3)] == ["none", "true", "1,2", "0.001"]
