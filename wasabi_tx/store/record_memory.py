"""A cache of the results of finished online games, as text: reading those takes long, and they never change."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from .durable import PRIVATE, replace_file
from .transcripts import read_text

FILE = "record.json"


def read_memory(folder: Path) -> str:
    """Return the text of the file, or "" if there is none."""
    with suppress(OSError):
        return read_text(folder / FILE)
    return ""


def write_memory(folder: Path, text: str) -> None:
    """Replace the text; if that fails, the results are read from the games again next time."""
    with suppress(OSError):
        replace_file(folder / FILE, text.encode(), PRIVATE)


def stamp_of(path: Path) -> str:
    """Return a stamp that changes whenever the file does."""
    found = path.stat()
    return f"{found.st_size} {found.st_mtime_ns}"
