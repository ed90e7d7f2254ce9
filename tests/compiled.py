"""Lets the programs that tests start keep what Python compiled, as an installed program does."""

from __future__ import annotations

import os
from pathlib import Path

CACHE = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"


def keep_compiled() -> None:
    """Where Python may not write beside the source, every start would compile everything again: half of its time."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(CACHE))
