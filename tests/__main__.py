"""All checks in one command: `python -m tests`. Words after it go to pytest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOOLS = Path(sys.executable).parent
CHECKS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",), ("lint-imports",), ("pytest",))


def main() -> int:
    for tool, *words in CHECKS:
        if tool == "pytest":
            words += sys.argv[1:]
        print("$", tool, *words, flush=True)
        code = subprocess.run([str(TOOLS / tool), *words], cwd=ROOT, check=False).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
