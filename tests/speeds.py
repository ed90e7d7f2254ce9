"""Two speeds: what a person runs before a commit, and with `--all` everything.

Slow tests are below `tests/long/` or have the mark `long`. A test of many like cases has the mark `grid`: before a
commit its first case and its last are enough. Random searches and statistics run at both speeds, with a budget that
depends on it: `budget(20, 500)`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

LONG = Path(__file__).parent / "long"
ALL = "--all"
_LEFT_OUT = pytest.StashKey[int]()


class _Speed:
    everything = False


def budget(small: int, large: int) -> int:
    """Return how often to try, or how much to play: `large` if everything is run."""
    return large if _Speed.everything else small


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(ALL, action="store_true", help="run the long tests too, and searches with a large budget")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return twice the cores: tests wait for screens, timers and other processes half of their time."""
    return 2 * (os.cpu_count() or 1)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: runs only with --all, like everything below tests/long")
    config.addinivalue_line("markers", "grid: only its first case and its last run without --all")
    config.stash[_LEFT_OUT] = 0
    _Speed.everything = config.getoption(ALL)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if LONG in item.path.parents:
            item.add_marker("long")
    grids: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("grid"):
            grids.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in grids.values():
        for item in cases[1:-1]:
            item.add_marker("long")
    if config.getoption(ALL):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if not item.get_closest_marker("long")]
    config.stash[_LEFT_OUT] = len(long)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = session.config.stash[_LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Take the number from an xdist worker; each of them collects everything."""
    output = getattr(node, "workeroutput", {})
    config: pytest.Config = node.config  # type: ignore[attr-defined]
    config.stash[_LEFT_OUT] = output.get("left out", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out = terminalreporter.config.stash[_LEFT_OUT]
    if left_out:
        terminalreporter.write_line(f"Left out: {left_out} long tests; `python -m tests {ALL}` runs them too.")
