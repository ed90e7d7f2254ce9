"""A leash for a program that must not outlive the process that started it, even if that is killed: POSIX only.

    python -I -S leash.py FOLDER PROGRAM WORD …

The folder is the program's own, and removed once the parent is gone. Standard input is a pipe whose other end only the
parent has open: when it closes, for whatever reason, the program is ended. The program's process id is the first line
of standard output. This runs as its own script, so that it starts at once: it must not import this package.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys

assert sys.platform != "win32"

PATIENCE = 3.0
"""Seconds between asking the program to end and killing it."""
CANNOT_RUN = 127


def main(folder: str, command: list[str]) -> int:
    # Ctrl-C and a closed terminal concern the parent, which decides when the broker ends.
    os.setsid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    ended, alive = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(command, alive)
    os.close(alive)
    try:
        os.write(1, b"%d\n" % pid)
        asker_gone = _wait(ended)
    finally:
        code = _end(pid, ended)
    if asker_gone:
        # Imported late, because every import delays the broker's start.
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
    return code


def _become(command: list[str], alive: int) -> None:
    try:
        _die_with_parent()
        # Only the program has this end open: the other end becomes readable once the program has ended.
        os.set_inheritable(alive, True)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        os.dup2(2, 1)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.execv(command[0], command)
    finally:
        os._exit(CANNOT_RUN)


def _die_with_parent() -> None:
    """Make the program end, on Linux, even if this leash is killed; elsewhere only the leash ends it."""
    if sys.platform == "linux":
        parent = os.getppid()
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(CANNOT_RUN)


def _wait(ended: int) -> bool:
    """Wait until the parent is gone (return True) or the program has ended (return False)."""
    while True:
        ready, _, _ = select.select([0, ended], [], [])
        if 0 in ready and not os.read(0, 1_024):
            return True
        if ended in ready:
            return False


def _end(pid: int, ended: int) -> int:
    os.kill(pid, signal.SIGTERM)
    ready, _, _ = select.select([ended], [], [], PATIENCE)
    if not ready:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) & 0xFF


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
