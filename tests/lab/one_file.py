"""A single executable file: `python -m tests.lab.one_file FILE` builds it, with the packages of the extra `release`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_BYTES = 20_000_000


def build(file: Path) -> None:
    """Build a zip that unpacks itself at its first start; our own processes find its packages too."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, str(ROOT)]
        subprocess.run(wheel, check=True, stdout=subprocess.DEVNULL)
        (built,) = Path(folder).glob("*.whl")
        shiv = [sys.executable, "-m", "shiv", "--compressed", "--extend-pythonpath", "--console-script", "wasabi-tx"]
        python = ["--python", "/usr/bin/env python3", "--output-file", str(file)]
        subprocess.run([*shiv, *python, str(built), "--only-binary", ":all:"], check=True)


def main() -> None:
    file = Path(sys.argv[1] if len(sys.argv) > 1 else "wasabi-tx.pyz")
    build(file)
    size = file.stat().st_size
    print(f"{file}: {size / 1e6:.1f} MB")
    if size > MOST_BYTES:
        sys.exit(f"{file} is larger than {MOST_BYTES / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
