"""Every check in one command: `python -m tests`, and with `--all` the long tests too. Other arguments go to pytest."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).parent.parent
TOOLS = Path(sys.executable).parent
CHECKS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",), ("lint-imports",), ("pytest",))
SHOWN = ("--durations=10", "--durations-min=0.5", "-rs")
"""Options for pytest: show the ten slowest tests, and why some were skipped."""
AFTER_FAILURE = {
    "ruff check": "`ruff check --fix .` puts most of it right; the rest is named above by file and line.",
    "ruff format": "`ruff format .` writes the files as they should be.",
    "mypy": "Each line above names a file, a line and what does not fit.",
    "lint-imports": "A module imports what lies above it: CONTRIBUTING.md says which package may know which.",
    "pytest": "Run what failed again, alone and with all that it says:\n"
    "    {pytest} --all -n 0 --lf -vv\n"
    "If it passes there, it depends on others or on time, and that is a fault too: please report both outputs.",
}
NOTHING_SELECTED = 5
"""Exit code of pytest if its arguments select no test."""


def advice(words: Sequence[str], code: int) -> str:
    """Return what a person can do about a check that failed."""
    name = next(name for name in AFTER_FAILURE if " ".join(words).startswith(name))
    if name == "pytest" and code == NOTHING_SELECTED:
        return "No test was selected. Long ones run only with --all."
    tool = TOOLS.relative_to(ROOT) if TOOLS.is_relative_to(ROOT) else TOOLS
    return AFTER_FAILURE[name].format(pytest=tool / "pytest")


def main() -> int:
    began = monotonic()
    for tool, *words in CHECKS:
        if tool == "pytest":
            words += [*SHOWN, *sys.argv[1:]]
        print("$", tool, *words, flush=True)
        started = monotonic()
        code = subprocess.run([str(TOOLS / tool), *words], cwd=ROOT, check=False).returncode
        if code:
            print(f"\n{tool} failed.", advice([tool, *words], code), flush=True)
            return code
        print(f"  {monotonic() - started:.0f} s", flush=True)
    minutes, seconds = divmod(round(monotonic() - began), 60)
    print(f"Everything passed in {minutes} min {seconds} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
