"""Transcripts of saved local games: text files that only grow, each piece on disk before it counts."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import IO

from .durable import new_text_file
from .games import newest_first

SUFFIX = ".txt"
LONGEST = 4_000_000
"""Bytes of text that are read; a game of four fills less than a tenth of it."""


class TranscriptFile:
    """An open transcript. `append` returns when the text is on disk."""

    def __init__(self, path: Path, handle: IO[str]) -> None:
        self.path = path
        self._handle = handle

    def append(self, text: str) -> None:
        self._handle.write(text)
        self._handle.flush()
        os.fsync(self._handle.fileno())

    def close(self) -> None:
        self._handle.close()


def new_transcript(folder: Path, edition: str, now: datetime) -> TranscriptFile:
    """A new file named after the moment; never one that exists."""
    return TranscriptFile(*new_text_file(folder, edition, now, SUFFIX))


def reopen_transcript(path: Path, lines: int) -> TranscriptFile:
    """Continues after that many lines; what a crash left behind them is cut off first."""
    with path.open("r+b") as raw:
        whole = raw.readlines()
        raw.truncate(sum(len(line) for line in whole[:lines]))
    return TranscriptFile(path, path.open("a", encoding="utf-8", newline="\n"))


def read_text(path: Path, limit: int = LONGEST) -> str:
    """The text of a file, whatever bytes it holds; of one that is too long only the beginning."""
    with path.open("rb") as raw:
        return raw.read(limit).decode("utf-8", errors="replace").replace("\r\n", "\n")


def last_transcript_written(folder: Path) -> float:
    """When any saved game was last written to; 0 if there is none."""
    return max((path.stat().st_mtime for path in folder.glob(f"*{SUFFIX}")), default=0.0)


def list_transcripts(folder: Path, wanted: Callable[[str], bool] | None = None) -> list[Path]:
    """Saved games that pass the test, the newest first."""
    paths = newest_first(folder, SUFFIX)
    return paths if wanted is None else [path for path in paths if wanted(read_text(path))]


def is_finished(text: str) -> bool:
    """Whether a transcript holds the end of its game."""
    return "\n--- end\n" in text
