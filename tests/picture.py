"""The picture in the README, taken from the real app: `python -m tests.picture` puts it there anew."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from tests.tui.memory_games import app_at

README = Path(__file__).parent.parent / "README.md"
_BLOCK = re.compile(r"(<!-- picture -->\n```\n).*?(```\n)", re.DOTALL)


async def take_picture() -> str:
    """The table of four players in the middle of a game, at 80 x 24."""
    app = app_at(turn=21, seed="picture")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        lines = [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]
    return "\n".join(lines) + "\n"


def picture_in(readme: str) -> str:
    found = _BLOCK.search(readme)
    assert found is not None, "the README has a place for the picture"
    return readme[found.end(1) : found.start(2)]


def main() -> None:
    picture = asyncio.run(take_picture())
    text = README.read_text(encoding="utf-8")
    README.write_text(_BLOCK.sub(lambda found: found[1] + picture + found[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
