"""What a release is made from: the citation, the workflows, the wheels' configuration."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def test_the_citation_has_what_the_format_asks_for():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert str(citation["version"]) == PROJECT["project"]["version"]
    assert citation["license"] == PROJECT["project"]["license"]
    assert all("name" in author or "family-names" in author for author in citation["authors"])
    for reference in citation["references"]:
        assert {"type", "title", "authors", "year"} <= set(reference)


def test_workflows_run_commands_that_exist():
    assert {path.name for path in WORKFLOWS} == {"ci.yml", "wheels.yml"}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert True in workflow, "YAML reads the key 'on' as true; GitHub does not mind"
        for job in workflow["jobs"].values():
            assert "runs-on" in job
            for step in job["steps"]:
                assert ("uses" in step) != ("run" in step), step
                command = step.get("run", "")
                for target in re.findall(r"^make (\w+)", command):
                    assert f"\n{target}:" in makefile, command
                for file in re.findall(r"(?:^|python )([.\w]+/[\w/.]+)$", command):
                    assert (ROOT / file).exists(), command


def test_wheels_are_built_for_every_python_that_the_package_names():
    settings = PROJECT["tool"]["cibuildwheel"]
    assert settings["build"].split() == [f"cp3{minor}-*" for minor in (11, 12, 13, 14)]
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    tried = settings["test-command"].removeprefix("python {project}/")
    assert (ROOT / tried).is_file()
    assert "test-extras" not in settings, "the base package has to work alone"
    systems = yaml.safe_load((ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8"))
    assert {name.split("-")[0] for name in systems["jobs"]["wheels"]["strategy"]["matrix"]["os"]} == {
        "ubuntu",
        "macos",
        "windows",
    }


def test_the_core_is_compiled_for_no_processor_in_particular():
    flags = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert not re.search(r"-march|-mtune|-mcpu|-mavx|/arch", flags)
