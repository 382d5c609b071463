"""What a release is made from: the citation, the workflows, the wheels' configuration."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SDIST = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
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


def test_the_source_archive_has_what_a_build_needs_and_no_more(tmp_path):
    words = [sys.executable, "-c", SDIST, str(tmp_path)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.split("/", 1)[1] for name in file.getnames() if "/" in name}
    folders = {name.split("/")[0] for name in names if "/" in name}
    assert folders == {"cpp", "src"}
    assert {"pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "CITATION.cff"} <= names
    tracked = subprocess.run(["git", "ls-files", "cpp", "src"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode == 0:
        assert set(tracked.stdout.split()) <= names
    assert archive.stat().st_size < 2e6


def test_what_wheels_leave_out_is_there_and_imported_by_nothing_else():
    source = ROOT / "src"
    left_out: set[Path] = set()
    for pattern in PROJECT["tool"]["scikit-build"]["overrides"][0]["wheel"]["exclude"]:
        found = {
            path
            for place in source.glob(pattern)
            for path in (place.rglob("*.py") if place.is_dir() else [place])
        }
        assert found, f"{pattern} in wheel.exclude matches nothing"
        left_out |= found
    names = {
        ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
        for path in left_out
        if path.suffix == ".py"  # a stub's module is there all the same
    }
    for path in set(source.rglob("*.py")) - left_out:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                imported = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                imported = {alias.name for alias in node.names}
            else:
                continue
            assert not imported & names, f"{path} imports {imported & names}, which wheels leave out"
