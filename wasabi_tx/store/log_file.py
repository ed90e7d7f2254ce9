"""The log file: what happened to connections, tables and files, for finding faults.

It contains no secrets, no hands and no chat: log messages use codes and numbers, and anything that still looks like a
password or an invite's key is removed here.
"""

from __future__ import annotations

import logging
import os
import re
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from .. import __version__
from ..text.foreign import harmless_lines
from .durable import PRIVATE, PRIVATE_FOLDER, make_folder

LARGEST = 1_000_000
"""The most bytes of one file; then it is renamed, and the oldest is deleted."""
KEPT = 3
_FORM = "%(asctime)s %(levelname)-7s %(process)d %(name)s: %(message)s"
_LONGEST_LINE = 2_000
_LOGIN = re.compile(r"([a-z+]{1,20}://)\S*@")
_FRAGMENT = re.compile(r"([a-z+]{1,20}://[^\s#]*#)\S+")
_LOGGERS = ("wasabi_tx", "wasabi_protocol", "asyncio")


class _Discreet(logging.Formatter):
    """Writes harmless lines, without the part of an invite after its # and without logins in addresses."""

    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03d"

    def format(self, record: logging.LogRecord) -> str:
        lines = harmless_lines(super().format(record)).split("\n")
        return "\n".join(_FRAGMENT.sub(r"\1…", _LOGIN.sub(r"\1…@", line[:_LONGEST_LINE])) for line in lines)


class LogFile(RotatingFileHandler):
    """A file that only its owner can read and that never disturbs a screen.

    A bounded log is created with its first line, along with its folder. A log that the user asked for grows without
    limit and is created at once; `OSError` is raised if it cannot be.
    """

    def __init__(self, path: Path, command: str, size: int) -> None:
        self._command = command
        self._bounded = size > 0
        super().__init__(path, maxBytes=size, backupCount=KEPT, encoding="utf-8", delay=self._bounded)
        self.setFormatter(_Discreet(_FORM))

    def _open(self) -> TextIOWrapper:
        path = Path(self.baseFilename)
        if self._bounded:
            make_folder(path.parent, PRIVATE_FOLDER)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE)
        stream = os.fdopen(descriptor, "a", encoding="utf-8")
        import platform

        system = f"Python {platform.python_version()}, {platform.platform(terse=True)}"
        stream.write(f"--- wasabi-tx {__version__} {self._command}, process {os.getpid()}, {system}\n")
        return stream

    def handleError(self, _record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Ignore errors: a full disk is no reason to stop a game, and what matters is on the screen anyway."""


def start_log(path: Path, command: str, detailed: bool = False) -> LogFile:
    """Start logging to a file; with `detailed`, log more, into a single file that only grows."""
    handler = LogFile(path, command, 0 if detailed else LARGEST)
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.DEBUG if detailed else logging.INFO)
        for old in logger.handlers[:]:
            if isinstance(old, LogFile):
                logger.removeHandler(old)
                old.close()
        logger.addHandler(handler)
    return handler
