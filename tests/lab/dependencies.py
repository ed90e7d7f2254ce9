"""The tests with the oldest or the newest packages that the metadata allows.

`python -m tests.lab.dependencies lowest|highest [WORD ...]` makes an environment, installs this project there
with what it needs at one end of each range, and runs pytest in it, with these words. What is at the ends is printed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def needed() -> list[Requirement]:
    """Return the program's requirements, without those of its developers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(text) for text in project["dependencies"]]


def floor(requirement: Requirement) -> str:
    """Return the lowest allowed version of a package."""
    (lowest,) = (one.version for one in requirement.specifier if one.operator == ">=")
    return lowest


def ends(which: str) -> list[str]:
    """Return the requirements that pip has to install with the project."""
    if which == "lowest":
        return [f"{one.name}=={floor(one)}" for one in needed()]
    return [str(one) for one in needed()]


def run(which: str, words: list[str], folder: Path) -> int:
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--upgrade"]
    # Both at once, so that pip refuses a floor with which another package does not work.
    subprocess.run([*install, "-e", f"{ROOT}[dev]", *ends(which)], check=True)
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True, check=True
    )
    found = dict(re.findall(r"^(.+)==(.+)$", listed.stdout, re.MULTILINE))
    versions = {canonicalize_name(name): version for name, version in found.items()}
    print(", ".join(f"{one.name} {versions[canonicalize_name(one.name)]}" for one in needed()), flush=True)
    return subprocess.run([python, "-m", "pytest", *words], cwd=ROOT, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.dependencies", description=__doc__)
    parser.add_argument("end", choices=("lowest", "highest"))
    wished, words = parser.parse_known_args()
    with tempfile.TemporaryDirectory(prefix="wasabi-dependencies-") as folder:
        return run(wished.end, words, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
