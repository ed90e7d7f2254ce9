"""The seed of a person's identity: made once, kept private, never overwritten."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from .durable import PRIVATE, create_file, make_private_folder

FILE = "identity.key"
LENGTH = 32


class IdentityBroken(Exception):
    """The file is there but holds no seed: a seed has 32 bytes."""

    def __init__(self, path: Path, code: str) -> None:
        super().__init__(path, code)
        self.path = path
        self.code = code


def identity_seed(folder: Path) -> bytes:
    """The 32 bytes that are this person, the same for ever; from the operating system the first time."""
    path = folder / FILE
    try:
        return _read_seed(path)
    except FileNotFoundError:
        make_private_folder(folder)
    # Of two programs that start at once, one makes it and both read it.
    with contextlib.suppress(FileExistsError):
        create_file(path, os.urandom(LENGTH), PRIVATE)
    return _read_seed(path)


def _read_seed(path: Path) -> bytes:
    with path.open("rb") as raw:
        seed = raw.read(LENGTH + 1)
        if sys.platform != "win32" and os.fstat(raw.fileno()).st_mode & 0o077:
            # A copy from elsewhere may have come readable to all; some file systems know no such thing.
            with contextlib.suppress(OSError):
                os.fchmod(raw.fileno(), PRIVATE)
    if len(seed) != LENGTH:
        raise IdentityBroken(path, "identity-size")
    return seed
