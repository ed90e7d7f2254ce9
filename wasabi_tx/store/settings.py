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
    """Return the text of the file, or "" if there is none."""
    try:
        return read_text(settings_file(folder), limit=100_000)
    except FileNotFoundError:
        return ""


def set_settings_aside(folder: Path) -> None:
    """Keep a copy of the file, equally private, before the program overwrites a person's typing errors."""
    path = settings_file(folder)
    replace_file(path.with_name(FILE + OLD), path.read_bytes(), path.stat().st_mode & 0o777)


def write_settings(folder: Path, text: str) -> None:
    """Replace the text of the file; if that fails, the old text remains. The mode is kept; a new file is private."""
    make_private_folder(folder)
    # A symbolic link, as into a collection of dotfiles, stays a link.
    path = Path(os.path.realpath(settings_file(folder)))
    mode = path.stat().st_mode & 0o777 if path.exists() else PRIVATE
    replace_file(path, text.encode(), mode)
