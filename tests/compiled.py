"""Python's bytecode cache for tests and the programs that they start, as an installed program has it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

CACHE = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"


def keep_compiled() -> None:
    """Redirect the cache if Python may not write beside the source: compiling would take half of each start.

    pytest keeps the tests in it too, and each of its processes reads all of them.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        sys.pycache_prefix = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(CACHE))
        sys.dont_write_bytecode = False
