"""The installed program works: built, installed in a fresh environment, and run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from wasabi_tx import __version__

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of programs of an environment that contains only the built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False)
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "-q", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    return programs


def run(program: Path, *words: str, home: Path) -> str:
    environment = {**os.environ, "WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "en"}
    done = subprocess.run(
        [str(program), *words], check=True, capture_output=True, text=True, cwd=home, env=environment, input=""
    )
    return done.stdout


def test_the_wheel_holds_commands_editions_protocol_and_texts(installed: Path, tmp_path: Path) -> None:
    program = installed / "wasabi-tx"
    assert __version__ in run(program, "--version", home=tmp_path)
    assert "classic" in run(program, "editions", home=tmp_path)
    assert "Crunchy Tuna" in run(program, "editions", "--show", "classic", home=tmp_path)
    assert str(tmp_path) in run(program, "doctor", home=tmp_path)
    last = run(program, "simulate", "--games", "4", "--json", home=tmp_path).splitlines()[-1]
    assert json.loads(last)["games"] == 4
    assert "Place a tile" in run(program, "play", "--plain", "--seed", "wheel", home=tmp_path)
    imported = run(installed / "python", "-c", "import wasabi_protocol; print(wasabi_protocol.__file__)", home=tmp_path)
    assert str(installed.parent) in imported
