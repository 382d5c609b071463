"""The import direction of ARCHITECTURE.md, the reach of Python headers, and the length of files."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "dicezero"
ORDER = ["rules", "solve", "search", "model", "selfplay", "replay", "presets", "runs", "agents"]
ORDER += ["evaluation", "learner", "experiments", "studio", "bench", "cli"]
NATIVE_ORDER = ["rules", "solve", "search", "model", "learn", "bindings"]


def imported_folders(file: Path) -> set[str]:
    """The folders of the package that a module imports from, wherever the import stands in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: write absolute imports"
            found.add(node.module or "")
            if node.module == "dicezero":
                found.update(f"dicezero.{alias.name}" for alias in node.names)
    return {name.split(".")[1] for name in found if name.startswith("dicezero.")} & set(ORDER)


def test_every_folder_is_in_the_order():
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == set(ORDER), "name a new folder here and in ARCHITECTURE.md, at its place in the order"


def test_a_folder_imports_only_from_folders_to_its_left():
    wrong = []
    for place, folder in enumerate(ORDER):
        for file in (PACKAGE / folder).rglob("*.py"):
            for other in imported_folders(file):
                if ORDER.index(other) > place:
                    wrong.append(f"{file.relative_to(ROOT)} imports {other}")
    assert not wrong


def test_the_order_is_the_one_of_the_architecture_page():
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert " → ".join(ORDER) in " ".join(page.split())


def test_native_folders_include_only_folders_to_their_left():
    wrong = []
    for file in (ROOT / "cpp").rglob("*.[hc]*"):
        folder = file.relative_to(ROOT / "cpp").parts[0]
        if folder not in NATIVE_ORDER:
            continue
        for other in re.findall(r'#include "(\w+)/', file.read_text(encoding="utf-8")):
            if NATIVE_ORDER.index(other) > NATIVE_ORDER.index(folder):
                wrong.append(f"{file.relative_to(ROOT)} includes {other}")
    assert not wrong


def test_python_headers_stay_in_the_bindings_and_the_foreign_game():
    wrong = [
        str(file.relative_to(ROOT))
        for file in (ROOT / "cpp").rglob("*.[hc]*")
        if re.search(r"#include\s*[<\"](nanobind/|Python\.h)", file.read_text(encoding="utf-8"))
        and file.relative_to(ROOT / "cpp").parts[0] != "bindings"
        and not file.relative_to(ROOT / "cpp").as_posix().startswith("rules/foreign")
    ]
    assert not wrong


def test_files_are_short():
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "cpp").rglob("*.[hc]*"), *(ROOT / "tests").rglob("*.py")]
    long = {
        str(file.relative_to(ROOT)): length
        for file in files
        if (length := len(file.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long, "a file this long is asking to be two"


def test_importing_the_package_is_quick_and_brings_no_heavy_packages():
    heavy = ["pyspiel", "jax", "matplotlib", "scipy", "tyro", "rich"]
    code = f"import sys, dicezero; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_had():
    import dicezero

    for name in dicezero.__all__:
        assert getattr(dicezero, name) is not None
    assert set(dicezero.__all__) <= set(dir(dicezero))
