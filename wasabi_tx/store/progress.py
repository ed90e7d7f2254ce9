"""The file of a person's progress, as text."""

from __future__ import annotations

from pathlib import Path

from .durable import PRIVATE, make_private_folder, replace_file
from .transcripts import read_text

FILE = "progress.json"


def read_progress(folder: Path) -> str:
    """Return the text of the file, or "" if there is none."""
    try:
        return read_text(folder / FILE, limit=100_000)
    except FileNotFoundError:
        return ""


def write_progress(folder: Path, text: str) -> None:
    """Replace the text of the file; if that fails, the old text remains."""
    make_private_folder(folder)
    replace_file(folder / FILE, text.encode(), PRIVATE)
