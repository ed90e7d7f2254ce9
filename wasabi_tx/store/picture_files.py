"""Picture files: results of games, saved to keep or to show."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from .durable import new_text_file

SUFFIX = ".svg"


def new_picture(folder: Path, name: str, now: datetime, svg: str) -> Path:
    """Write a picture to a new file named after the time, and return its path."""
    path, file = new_text_file(folder, name, now, SUFFIX)
    with file:
        file.write(svg)
    return path
