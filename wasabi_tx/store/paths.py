"""Paths of all stored files. `WASABI_TX_HOME` moves them all, so that one machine can serve several players."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

HOME = "WASABI_TX_HOME"


@dataclass(frozen=True)
class Paths:
    config: Path
    """Settings, user editions and themes."""
    games: Path
    """Transcripts and game files."""
    log: Path
    """The log file, for bug reports."""

    @property
    def editions(self) -> Path:
        return self.config / "editions"

    @property
    def themes(self) -> Path:
        return self.config / "themes"


def find_paths() -> Paths:
    home = os.environ.get(HOME)
    if home:
        base = Path(home).expanduser()
        return Paths(base / "config", base / "games", base / "wasabi-tx.log")
    folders = platformdirs.PlatformDirs("wasabi-tx", appauthor=False)
    return Paths(
        Path(folders.user_config_dir), folders.user_data_path / "games", folders.user_log_path / "wasabi-tx.log"
    )


def short_path(path: Path) -> str:
    """Return the path as a user would type it, relative to home."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (RuntimeError, ValueError):
        return str(path)
