"""Many tampered pages of a game before both judges, the page's own script and `verify`; how long an honest one takes.

python -m tests.lab.pages --count 1000 --seed 1
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from pathlib import Path

from tests.app.game_page.pages import WAYS, honest, judge, page_of, tampered, verify, write_pages
from tests.online.world import World
from tests.tui.tiny import put_tiny_edition
from wasabi_tx.engine.editions import rules_for

AT_ONCE = 100
"""Most pages on the disk at a time."""


def four_seats() -> str:
    """Return the page of a whole game of four on the real board."""
    world = World(4, "classic", "four", find=rules_for)
    world.run(3000)
    person = world.people["p0"]
    person.game.ledger.flush()
    return page_of(person.disk.record)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    wished = parser.parse_args()
    accepted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["WASABI_TX_HOME"] = name
        put_tiny_edition(folder)
        pages = tampered(wished.count, wished.seed)
        for start in range(0, wished.count, AT_ONCE):
            some = pages[start : start + AT_ONCE]
            paths = write_pages(folder, [page for _, page in some])
            for (way, _), path, verdict in zip(some, paths, judge(*paths), strict=True):
                for who, holds in (("page", "refused" not in verdict), ("verify", verify(path).code == 0)):
                    if holds:
                        accepted[f"{who}: {way}"] += 1
            print(f"{start + len(some)} pages in {len(WAYS)} ways, accepted: {dict(accepted) or 0}", flush=True)
        for page in (honest(), four_seats()):
            (path,) = write_pages(folder, [page])
            (verdict,) = judge(path)
            print(f"honest, {len(page.encode()) / 1000:.0f} kB: {verdict}, verify: {verify(path).code}")


if __name__ == "__main__":
    main()
