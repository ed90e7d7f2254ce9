"""The suite's own promises: a bare machine skips what it cannot run, and nothing hides behind that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.__main__ import CHECKS, ROOT, advice
from tests.needs import GUARDED, PROGRAMS

STARTS = """
import subprocess
from tests.needs import needs

def test_without_the_mark():
    subprocess.run(["sh", "-c", "tmux -V"])

@needs("tmux")
def test_with_the_mark():
    assert subprocess.run(["tmux", "-V"], capture_output=True, text=True).stdout == "the real one\\n"

@needs("mosquitto")
def test_with_another_mark():
    subprocess.run(["tmux", "-V"])
"""
SPEEDS = """
import pytest
from tests.speeds import budget

@pytest.mark.long
def test_long():
    pass

def test_small():
    assert budget(1, 2) == 1
"""
GRID = """
import pytest

@pytest.mark.grid
@pytest.mark.parametrize("size", range(5))
def test_sizes(size):
    pass
"""


def run(folder: Path, text: str, *words: str, **environment: str) -> tuple[int, str]:
    """Run one test file by itself, with only the programs in `folder` on the search path."""
    (folder / "test_it.py").write_text(text)
    plugins = ["-p", "tests.needs", "-p", "tests.speeds", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", str(folder), "-rA", *plugins, *words]
    given = {"PATH": str(folder / "bin"), "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([*command, str(folder)], cwd=folder, env=given, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Return a machine with a shell and two programs on it."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sh").symlink_to("/bin/sh")
    for name in ("mosquitto", "tmux"):
        program = tmp_path / "bin" / name
        program.write_text("#!/bin/sh\necho the real one\n")
        program.chmod(0o755)
    return tmp_path


def test_only_a_test_with_its_mark_can_start_a_program(machine: Path) -> None:
    code, said = run(machine, STARTS)
    assert code == 1
    assert "PASSED test_it.py::test_with_the_mark" in said
    for name in ("test_without_the_mark", "test_with_another_mark"):
        assert f"FAILED test_it.py::{name}" in said
        assert f'{name} starts tmux: it needs the mark needs("tmux")' in said


def test_what_is_missing_is_skipped_and_told(machine: Path) -> None:
    (machine / "bin" / "tmux").unlink()
    code, said = run(machine, STARTS, "-k", "with_the")
    assert code == 0
    assert "tmux is not installed" in said
    assert "1 skipped" in said


def test_a_machine_can_count_as_bare(machine: Path) -> None:
    code, said = run(machine, STARTS, "-k", "with_the", **{PROGRAMS: "none"})
    assert code == 0
    assert "1 skipped" in said


def test_what_is_missing_is_a_failure_where_all_must_be_there(machine: Path) -> None:
    (machine / "bin" / "tmux").unlink()
    code, said = run(machine, STARTS, "-k", "with_the", **{PROGRAMS: "all"})
    assert code == 1
    assert "tmux must be installed here" in said


def test_a_program_that_nobody_guards_is_no_mark(machine: Path) -> None:
    code, said = run(machine, STARTS.replace('needs("tmux")', 'needs("tmuks")'), "-k", "with_the")
    assert code == 1
    assert "tests/needs.py does not know tmuks" in said


def test_the_long_ones_run_with_all(tmp_path: Path) -> None:
    code, said = run(tmp_path, SPEEDS)
    assert code == 0
    assert "Left out: 1 long tests" in said
    assert "1 passed, 1 deselected" in said
    code, said = run(tmp_path, SPEEDS, "--all")
    assert code == 1, "the budget is larger"
    assert "PASSED test_it.py::test_long" in said
    assert "Left out" not in said


def test_a_grid_runs_its_first_case_and_its_last_or_with_all_every_one(tmp_path: Path) -> None:
    _, said = run(tmp_path, GRID)
    assert "2 passed, 3 deselected" in said
    assert "PASSED test_it.py::test_sizes[0]" in said
    assert "PASSED test_it.py::test_sizes[4]" in said
    _, said = run(tmp_path, GRID, "--all")
    assert "5 passed" in said


@pytest.mark.parametrize("check", CHECKS, ids=" ".join)
def test_a_check_that_fails_says_what_to_do(check: tuple[str, ...]) -> None:
    assert any(word in advice(check, 1) for word in ("ruff", "above", "again"))


def test_it_says_so_where_only_long_tests_were_asked_for() -> None:
    assert "--all" in advice(("pytest",), 5)


def test_the_bare_machine_of_the_checks_lacks_every_guarded_program() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert f"optional=({' '.join(GUARDED)})\n" in script
    assert f"{PROGRAMS}=none\n" in script
    assert f'{PROGRAMS}=all .venv/bin/python -m tests --all -m "long or needs"\n' in script
