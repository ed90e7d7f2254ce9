"""Hidden arguments: secrets that were typed after a command disappear from the system's list of processes.

Everybody on a machine can read that list. Standard input and the environment never were in it; an argument is, for the
moment until this program runs.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_ADDRESS = re.compile(rb"[^\0]*://[^\0]*")
_INVITE = re.compile(rb"wasabi:(?!//)([^\0]*)", re.IGNORECASE)
_CODE = re.compile(rb"(?<=\0)[1-9][0-9]{0,2}-([a-z]+-[a-z]+)(?=[.\0])", re.IGNORECASE)
_HIDDEN = b"*"


def hide_arguments() -> None:
    """Overwrites logins of addresses, secrets of invites and words of codes, where the platform allows that."""
    if sys.platform != "linux":
        return
    try:
        line = Path("/proc/self/cmdline").read_bytes()
        places = list(_secrets(line))
        if not places:
            return
        # Fields 48 and 49 of proc_pid_stat(5), counted from behind the program's name, which may hold anything.
        fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        start, end = int(fields[45]), int(fields[46])
    except (OSError, ValueError, IndexError):
        return
    if not start or end - start != len(line):
        return
    import ctypes

    for first, last in places:
        ctypes.memset(start + first, ord(_HIDDEN), last - first)


def _secrets(line: bytes) -> list[tuple[int, int]]:
    """From where to where secrets stand in a command line."""
    found = [secret.span(1) for pattern in (_INVITE, _CODE) for secret in pattern.finditer(line)]
    for address in _ADDRESS.finditer(line):
        begin, text = address.start(), address[0]
        scheme = text.index(b"://") + 3
        login = text.rfind(b"@")
        if login >= 0:
            found.append((begin + scheme, begin + login))
        fragment = text.find(b"#", max(scheme, login))
        if fragment >= 0:
            found.append((begin + fragment + 1, begin + len(text)))
    return [(first, last) for first, last in found if first < last]
