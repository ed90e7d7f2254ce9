"""Python's bytecode cache for the programs that tests start, as an installed program has it."""

from __future__ import annotations

import os
from pathlib import Path

CACHE = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"


def keep_compiled() -> None:
    """Redirect the cache if Python may not write beside the source: compiling would take half of each start."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(CACHE))
