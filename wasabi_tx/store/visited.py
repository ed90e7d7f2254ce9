"""The brokers that a person has looked at, the last one first."""

from __future__ import annotations

from pathlib import Path

from .durable import PRIVATE, make_private_folder, replace_file
from .transcripts import read_text

FILE = "brokers"
MOST = 5


def read_visited(folder: Path) -> list[str]:
    """Return the addresses, perhaps with passwords; nothing if the file cannot be read."""
    try:
        lines = read_text(folder / FILE, limit=20_000).splitlines()
    except (OSError, ValueError):
        return []
    return [line.strip() for line in lines if line.strip()][:MOST]


def keep_visited(folder: Path, address: str) -> None:
    """Put an address first, in a file that only its owner can read."""
    others = [one for one in read_visited(folder) if one != address]
    make_private_folder(folder)
    replace_file(folder / FILE, "".join(f"{one}\n" for one in [address, *others][:MOST]).encode(), PRIVATE)
