"""Notes beside a saved seat, a small private file for each kind; a file's time is the time of its contents.

They are separate files because different programs write them: the one that holds the seat, and the one that notifies
its person.
"""

from __future__ import annotations

from pathlib import Path

from .durable import PRIVATE, make_private_folder, read_all, remove_file, replace_file
from .seats import seat_path, tables_with

SITUATION = ".situation"
"""The game's situation, for lists of unfinished games."""
CALLED = ".called"
"""The last notification of the person, so that they get none twice."""
PLANS = ".plans"
"""The person's plans for later turns."""
AWAY = ".away"
"""The last slot that the person saw before a keeper took the seat."""
SLOT = ".slot"
"""The last slot of the log, with the time since when the game waits for the next."""
LARGEST_NOTE = 100_000


def read_note(folder: Path, table: str, kind: str) -> tuple[str, float]:
    """Return a note and when it was written; raise FileNotFoundError if there is none."""
    path = seat_path(folder, table, kind)
    return read_all(path, LARGEST_NOTE).decode(errors="replace"), path.stat().st_mtime


def write_note(folder: Path, table: str, kind: str, text: str) -> None:
    """Replace a note; it is on disk when this returns."""
    path = seat_path(folder, table, kind)
    make_private_folder(path.parent)
    replace_file(path, text.encode(), PRIVATE)


def remove_note(folder: Path, table: str, kind: str) -> None:
    remove_file(seat_path(folder, table, kind))


def list_notes(folder: Path, kind: str) -> list[str]:
    """Return the tables that have a note of this kind, the newest note first."""
    return tables_with(folder, kind)
