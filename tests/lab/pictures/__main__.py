"""Pictures of every scene into a folder: `python -m tests.lab.pictures DIR`; without one, the README's are redrawn."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from .online import TAKEN, take_online
from .scenes import SCENES, take

HERE = Path(__file__).parents[3] / "docs" / "pictures"
IN_README = {"table-dark": SCENES["table-held-120x40"], "table-light": SCENES["table-light-120x40"]}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    folder.mkdir(parents=True, exist_ok=True)
    for name, scene in (SCENES if len(sys.argv) > 1 else IN_README).items():
        (folder / f"{name}.svg").write_text(asyncio.run(take(scene)), encoding="utf-8")
    for name in TAKEN if len(sys.argv) > 1 else ():
        (folder / f"{name}.svg").write_text(asyncio.run(take_online(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
