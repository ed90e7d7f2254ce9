"""Programs that not every machine has, and the mark of the tests that start them: `needs("mosquitto")`.

A marked test is skipped where the program is missing. A test without the mark cannot start the program, here or in any
process below it: a stand-in of this name comes first on its search path, and makes the test fail. So a forgotten mark
shows everywhere, not only where the program is missing. `PROGRAMS` in the environment changes this for continuous
integration: with `none` the machine counts as bare, with `all` a missing program is a failure.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import pytest

PROGRAMS = "WASABI_TX_TEST_PROGRAMS"
GUARDED = ("chromium", "dbus-run-session", "fish", "mosquitto", "node", "npm", "systemd-analyze", "tmux", "zsh")
MODULES = ("desktop_notifier",)
"""Our optional extras, which not everybody has either."""
SERVERS = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")
"""Folders where Mosquitto may be outside the search path; the product looks there too."""
_GUARD = """#!/bin/sh
# Whoever only asks which version there is may find none.
[ "$1" = --version ] || : > '{started}'
echo 'a test that starts {name} needs the mark needs("{name}")' >&2
exit 99
"""


def needs(*names: str) -> pytest.MarkDecorator:
    """Mark a test that starts these programs."""
    return pytest.mark.needs(*names)


class Guards:
    """Stand-ins for the programs, each in its own folder, put before the search path of tests without the mark."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = os.environ.get("PATH", os.defpath)
        for name in GUARDED:
            guard = folder / name / name
            guard.parent.mkdir()
            guard.write_text(_GUARD.format(started=folder / f"{name}.started", name=name))
            guard.chmod(guard.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)

    def missing(self, name: str) -> bool:
        """Return whether this machine lacks the program, or counts as if it did."""
        if os.environ.get(PROGRAMS) == "none":
            return True
        if name in MODULES:
            return find_spec(name) is None
        return shutil.which(name, path=os.pathsep.join((self._path, *SERVERS))) is None

    def stand_before(self, allowed: set[str]) -> None:
        """Let the processes of the next test find the allowed programs, and the guards of all others."""
        folders = [str(self._folder / name) for name in GUARDED if name not in allowed]
        os.environ["PATH"] = os.pathsep.join([*folders, self._path])

    def take_started(self) -> list[str]:
        """Return the guards that were started since the last time."""
        found = sorted(self._folder.glob("*.started"))
        for path in found:
            path.unlink()
        return [path.stem for path in found]

    def remove(self) -> None:
        os.environ["PATH"] = self._path
        shutil.rmtree(self._folder, ignore_errors=True)


_KEY = pytest.StashKey[Guards]()


def needed(item: pytest.Item) -> set[str]:
    """Return the programs that a test is marked to need."""
    return {name for mark in item.iter_markers("needs") for name in mark.args}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*programs): starts these programs; skipped where they are missing")
    config.stash[_KEY] = Guards(Path(tempfile.mkdtemp(prefix="wasabi-guards-")))


def pytest_unconfigure(config: pytest.Config) -> None:
    if _KEY in config.stash:
        config.stash[_KEY].remove()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    guards, names = item.config.stash[_KEY], needed(item)
    unknown = names - set(GUARDED) - set(MODULES)
    assert not unknown, f"tests/needs.py does not know {', '.join(sorted(unknown))}"
    guards.take_started()
    guards.stand_before(names)
    missing = ", ".join(sorted(filter(guards.missing, names)))
    if missing and os.environ.get(PROGRAMS) == "all":
        pytest.fail(f"{missing} must be installed here: {PROGRAMS} is all", pytrace=False)
    if missing:
        pytest.skip(f"{missing} is not installed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that started a guard, even if it coped with the answer."""
    report = yield
    for name in item.config.stash[_KEY].take_started():
        report.outcome = "failed"
        report.longrepr = f'{item.nodeid} starts {name}: it needs the mark needs("{name}") of tests/needs.py'
    return report
