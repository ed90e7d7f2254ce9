"""The settings file, as text."""

from __future__ import annotations

import os
from pathlib import Path

from .durable import PRIVATE, make_private_folder, replace_file
from .transcripts import read_text

FILE = "settings.toml"
OLD = ".old"


def settings_file(folder: Path) -> Path:
    return folder / FILE


def read_settings(folder: Path) -> str:
    """The text of the file; nothing if there is none."""
    try:
        return read_text(settings_file(folder), limit=100_000)
    except FileNotFoundError:
        return ""


def set_settings_aside(folder: Path) -> None:
    """A copy stays beside the file, as private as it is, before a program overwrites what a person mistyped."""
    path = settings_file(folder)
    replace_file(path.with_name(FILE + OLD), path.read_bytes(), path.stat().st_mode & 0o777)


def write_settings(folder: Path, text: str) -> None:
    """Afterwards the file says this, or what it said before. Nobody new can read it; a new file is private."""
    make_private_folder(folder)
    # A link into somebody's collection of such files stays a link.
    path = Path(os.path.realpath(settings_file(folder)))
    mode = path.stat().st_mode & 0o777 if path.exists() else PRIVATE
    replace_file(path, text.encode(), mode)
