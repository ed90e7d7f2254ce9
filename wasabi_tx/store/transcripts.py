"""Transcripts of saved local games: text files that only grow, each piece on disk before it counts."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import IO

from .durable import new_text_file, remove_file
from .games import newest_first

SUFFIX = ".txt"
LONGEST = 4_000_000
"""The most bytes of text that are read; a game of four fills less than a tenth of it."""

HEAD, LAST = 1_500, 8_000
"""Bytes that contain the names of the players, and the position at the end; more than either needs."""


class TranscriptFile:
    """An open transcript. `append` and `erase` return when the disk has the change."""

    def __init__(self, path: Path, handle: IO[str]) -> None:
        self.path = path
        self._handle = handle

    def append(self, text: str) -> None:
        self._handle.write(text)
        self._handle.flush()
        os.fsync(self._handle.fileno())

    def erase(self, text: str) -> None:
        """Cut off text that was appended last."""
        file = self._handle.fileno()
        os.ftruncate(file, os.fstat(file).st_size - len(text.encode()))
        self._handle.seek(0, os.SEEK_END)
        os.fsync(file)

    def close(self) -> None:
        self._handle.close()

    def delete(self) -> None:
        """Close the file and remove it."""
        self._handle.close()
        remove_file(self.path)


def new_transcript(folder: Path, edition: str, now: datetime) -> TranscriptFile:
    """Create a file named after the time; never reuse an existing one."""
    return TranscriptFile(*new_text_file(folder, edition, now, SUFFIX))


def reopen_transcript(path: Path, lines: int) -> TranscriptFile:
    """Continue after `lines` lines, first cutting off anything that a crash wrote after them."""
    with path.open("r+b") as raw:
        whole = raw.readlines()
        raw.truncate(sum(len(line) for line in whole[:lines]))
    return TranscriptFile(path, path.open("a", encoding="utf-8", newline="\n"))


def read_text(path: Path, limit: int = LONGEST) -> str:
    """Return the text of a file, whatever its bytes; only the beginning if it is too long."""
    with path.open("rb") as raw:
        return raw.read(limit).decode("utf-8", errors="replace").replace("\r\n", "\n")


def read_ends(path: Path) -> tuple[str, str]:
    """Return the head of a transcript and its last position, without what is between them."""
    with path.open("rb") as raw:
        head = raw.read(HEAD)
        size = raw.seek(0, os.SEEK_END)
        raw.seek(max(0, size - LAST))
        return head.decode("utf-8", errors="replace"), raw.read().decode("utf-8", errors="replace")


def last_transcript_written(folder: Path) -> float:
    """Return when any saved game was last written to, or 0 if there is none."""
    return max((path.stat().st_mtime for path in folder.glob(f"*{SUFFIX}")), default=0.0)


def list_transcripts(folder: Path, wanted: Callable[[str], bool] | None = None) -> list[Path]:
    """Return the saved games that pass the test, newest first."""
    paths = newest_first(folder, SUFFIX)
    return paths if wanted is None else [path for path in paths if wanted(read_text(path))]


def is_finished(text: str) -> bool:
    """Return whether a transcript contains the end of its game."""
    return "\n--- end\n" in text
