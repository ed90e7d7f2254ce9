"""The seed of a person's identity: generated once, kept private, never overwritten."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from .durable import PRIVATE, create_file, make_private_folder

FILE = "identity.key"
LENGTH = 32


class IdentityBroken(Exception):
    """The file exists but contains no seed: a seed has 32 bytes."""

    def __init__(self, path: Path, code: str) -> None:
        super().__init__(path, code)
        self.path = path
        self.code = code


def identity_seed(folder: Path) -> bytes:
    """Return the 32 bytes that identify this person for good; the first time they come from the operating system."""
    path = folder / FILE
    try:
        return _read_seed(path)
    except FileNotFoundError:
        make_private_folder(folder)
    # If two programs start at once, one creates the file and both read it.
    with contextlib.suppress(FileExistsError):
        create_file(path, os.urandom(LENGTH), PRIVATE)
    return _read_seed(path)


def known_seed(folder: Path) -> bytes | None:
    """Return the seed of a person who has one."""
    with contextlib.suppress(OSError, IdentityBroken):
        return _read_seed(folder / FILE)
    return None


def _read_seed(path: Path) -> bytes:
    with path.open("rb") as raw:
        seed = raw.read(LENGTH + 1)
        if sys.platform != "win32" and os.fstat(raw.fileno()).st_mode & 0o077:
            # A file copied from elsewhere may be readable by everyone; some file systems have no modes.
            with contextlib.suppress(OSError):
                os.fchmod(raw.fileno(), PRIVATE)
    if len(seed) != LENGTH:
        raise IdentityBroken(path, "identity-size")
    return seed
