"""The process table: parents, children, and which processes still run."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass

from tests.brokers import PATIENCE, until


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    command: str


def _table() -> list[Process]:
    said = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 3) for line in said.stdout.splitlines()]
    # A zombie has ended; it only waits for its parent.
    return [Process(int(row[0]), int(row[1]), row[3]) for row in rows if len(row) == 4 and not row[2].startswith("Z")]


def descendants(pid: int) -> list[Process]:
    """Return everything that a process started, directly or indirectly."""
    table = _table()
    found = [process for process in table if process.parent == pid]
    for process in found:
        found += [child for child in table if child.parent == process.pid]
    return found


def broker_of(pid: int) -> int:
    """Return the broker that a command has started."""
    (broker,) = [process.pid for process in descendants(pid) if "nats-server" in process.command.split()[0]]
    return broker


def all_gone(processes: list[Process], seconds: float = PATIENCE) -> None:
    """Wait until none of these runs any more, under the same number with the same command."""
    until(lambda: not set(processes).intersection(_here(processes)), seconds)


def _here(processes: list[Process]) -> list[Process]:
    """Return the processes that are still running, whatever their parent is now."""
    running = {(process.pid, process.command) for process in _table()}
    return [process for process in processes if (process.pid, process.command) in running]
