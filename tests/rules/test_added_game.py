"""docs/howto/add-a-game.md, followed: a native game is its own files and one line, found everywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dicezero import _native

ROOT = Path(__file__).parents[2]
ADDED = Path(__file__).parent / "added_game"
# An editable install sends every import of the package to its own sources: here it is the copy that counts.
PLAIN = (
    "import runpy, sys; "
    "sys.meta_path = [finder for finder in sys.meta_path if 'Redirect' not in type(finder).__name__]; "
    "runpy.run_path({!r}, run_name='__main__')"
)


def test_every_unit_has_its_line_and_every_line_its_unit():
    lines = (ROOT / "cpp/bindings/games.def").read_text(encoding="utf-8").splitlines()
    listed = [line[len("GAME(") : -1] for line in lines if line.startswith("GAME(")]
    units = {file.stem for file in (ROOT / "cpp/bindings/games").glob("*.cpp")}
    assert set(listed) == units
    assert len(listed) == len(units) == len(_native.registered_games())


def test_the_page_shows_the_files_as_they_are():
    page = (ROOT / "docs/howto/add-a-game.md").read_text(encoding="utf-8")
    assert (ADDED / "take_away.cpp").read_text(encoding="utf-8") in page
    header = (ADDED / "take_away.h").read_text(encoding="utf-8")
    for block in page.split("### 2.")[0].split("```cpp\n")[1:]:
        for line in block.split("```")[0].splitlines():
            assert line.strip() == "…" or line.strip() in header, line


def built(folder: Path) -> Path:
    """A copy of the package with take_away as its only native game but two, built without optimisation."""
    shutil.copytree(ROOT / "cpp", folder / "cpp", ignore=shutil.ignore_patterns("tests"))
    shutil.copy(ROOT / "CMakeLists.txt", folder)
    package = folder / "src" / "dicezero"
    shutil.copytree(
        ROOT / "src" / "dicezero", package, ignore=shutil.ignore_patterns("_native*.so", "__pycache__")
    )
    # The steps of the page. Only two of the other games are built, to save time.
    shutil.copy(ADDED / "take_away.h", folder / "cpp/rules")
    shutil.copy(ADDED / "take_away.cpp", folder / "cpp/bindings/games")
    keep = {"take_away", "nannon", "tic_tac_toe"}
    for unit in (folder / "cpp/bindings/games").glob("*.cpp"):
        if unit.stem not in keep:
            unit.unlink()
    (folder / "cpp/bindings/games.def").write_text("".join(f"GAME({name})\n" for name in sorted(keep)))
    build = folder / "build"
    nanobind = subprocess.run(
        [sys.executable, "-m", "nanobind", "--cmake_dir"], capture_output=True, text=True, check=True
    )
    configure = ["cmake", "-S", str(folder), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug"]
    configure += ["-DCMAKE_CXX_FLAGS_DEBUG=-O0 -w", "-DDICEZERO_LTO=OFF"]
    configure += [f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={nanobind.stdout.strip()}"]
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    # Paths in a temporary folder differ from run to run; the compiler's cache is to see through that.
    environment = os.environ | {"CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
    for command in (configure, ["cmake", "--build", str(build), "-j2"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (module,) = build.glob("_native*.so")
    shutil.copy(module, package)
    return folder / "src"


@pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("ninja")), reason="needs CMake and Ninja")
def test_a_new_game_is_found_everywhere(tmp_path):
    source = built(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", PLAIN.format(str(ADDED / "found_everywhere.py")), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(source)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for part in ("rules", "strength", "fast_paths", "learning", "studio"):
        assert f"{part} found" in done.stdout
