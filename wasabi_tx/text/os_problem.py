"""Problems of the operating system with files and folders, as stable codes with words for each in every language."""

from __future__ import annotations

import errno
from enum import StrEnum


class OsProblem(StrEnum):
    """The reason why a file could not be read or written, to fill into sentences."""

    MISSING = "missing"
    FORBIDDEN = "forbidden"
    TAKEN = "taken"
    IS_FOLDER = "is-folder"
    NO_FOLDER = "no-folder"
    FULL = "full"
    READ_ONLY = "read-only"
    TOO_LARGE = "too-large"
    DAMAGED = "damaged"
    BAD_NAME = "bad-name"
    BUSY = "busy"
    NO_PROGRAM = "no-program"
    OTHER = "other"


_CODES = {
    errno.ENOENT: OsProblem.MISSING,
    errno.EACCES: OsProblem.FORBIDDEN,
    errno.EPERM: OsProblem.FORBIDDEN,
    errno.EEXIST: OsProblem.TAKEN,
    errno.EISDIR: OsProblem.IS_FOLDER,
    errno.ENOTDIR: OsProblem.NO_FOLDER,
    errno.ENOSPC: OsProblem.FULL,
    errno.EDQUOT: OsProblem.FULL,
    errno.EROFS: OsProblem.READ_ONLY,
    errno.EFBIG: OsProblem.TOO_LARGE,
    errno.EIO: OsProblem.DAMAGED,
    errno.ENAMETOOLONG: OsProblem.BAD_NAME,
    errno.EINVAL: OsProblem.BAD_NAME,
    errno.EADDRINUSE: OsProblem.BUSY,
    errno.EBUSY: OsProblem.BUSY,
    errno.ENOEXEC: OsProblem.NO_PROGRAM,
}


def os_problem(error: OSError) -> OsProblem:
    """Return the code of an error."""
    return _CODES.get(error.errno or 0, OsProblem.OTHER)
