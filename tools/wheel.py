"""Builds a wheel with the compiler at hand and tries it where there is none (make wheel).

The wheel is repaired by auditwheel, whose name for it says which glibc it needs: the building machine's or an
older one. Then it is installed into a fresh environment whose PATH holds that environment alone, and tried.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_MEGABYTES = 100  # of an environment with the base package, NumPy included


def run(*words: str | Path, **options: object) -> None:
    """Runs a command and stops with it."""
    print("$", *words, flush=True)
    subprocess.run([str(word) for word in words], check=True, cwd=ROOT, **options)  # type: ignore[call-overload]


def megabytes(folder: Path) -> float:
    """What the files under a folder take, links not followed."""
    files = folder.rglob("*") if folder.is_dir() else [folder]
    return sum(file.lstat().st_size for file in files if not file.is_dir()) / 1e6


def built(out: Path) -> Path:
    """A wheel for this Python, repaired where auditwheel can."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--no-deps", "--no-build-isolation", "-Cbuild-dir=build/wheel-{wheel_tag}"]
        run(sys.executable, "-m", "pip", "wheel", "-q", *options, "-w", folder, ".")
        (raw,) = Path(folder).glob("*.whl")
        if platform.system() == "Linux":
            run(sys.executable, "-m", "auditwheel", "repair", "--strip", "-w", folder + "/repaired", raw)
            (raw,) = Path(folder, "repaired").glob("*.whl")
        out.mkdir(exist_ok=True)
        return Path(shutil.copy(raw, out))


def tried(wheel: Path, folder: Path) -> None:
    """Installs the wheel into a fresh environment without a compiler and lets it work there."""
    venv.create(folder, with_pip=True)
    scripts = folder / ("Scripts" if platform.system() == "Windows" else "bin")
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    alone |= {"PATH": str(scripts), "CC": "no-compiler", "CXX": "no-compiler"}
    for compiler in ("cc", "gcc", "g++", "c++", "clang", "cmake", "ninja"):
        if shutil.which(compiler, path=alone["PATH"]):
            sys.exit(f"{compiler} is in {alone['PATH']}: this would prove nothing")
    python = scripts / "python"
    pip = [python, "-m", "pip", "-q", "--disable-pip-version-check"]
    run(*pip, "install", "--only-binary=:all:", wheel, env=alone)
    run(python, ROOT / "tools/wheel_works.py", env=alone)
    run(*pip, "uninstall", "-y", "setuptools", "pip", env=alone)  # what venv brings of its own
    (site,) = folder.glob("[lL]ib/**/site-packages")
    for part in sorted(site.iterdir(), key=megabytes, reverse=True)[:8]:
        print(f"{megabytes(part):8.1f} MB  {part.name}")
    total = megabytes(folder)
    print(f"{total:8.1f} MB  the whole environment, without pip and setuptools")
    if total > MOST_MEGABYTES:
        sys.exit(f"the base package takes {total:.0f} MB; {MOST_MEGABYTES} at most")


def main() -> None:
    """Builds, tries, prints."""
    wheel = built(ROOT / "dist")
    with zipfile.ZipFile(wheel) as archive:
        core = next(info for info in archive.infolist() if "/_native." in info.filename)
    sizes = wheel.stat().st_size / 1e6, core.file_size / 1e6
    print(f"{wheel.name}: {sizes[0]:.1f} MB, of it unpacked {core.filename} {sizes[1]:.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        tried(wheel, Path(folder) / "clean")


if __name__ == "__main__":
    main()
