"""The scenes that pictures show: the table at every size, in both editions, dark and light, and its surroundings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from unittest.mock import patch

from tests.tui.gate import Gate, send_turn
from tests.tui.memory_games import MemoryGames, app_at
from wasabi_tx.app.settings import Settings
from wasabi_tx.lessons.progress import Progress
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.ending import EndPage
from wasabi_tx.tui.screens.review import ReviewPage
from wasabi_tx.tui.svg import svg_of
from wasabi_tx.view.rivals import seat_players


@dataclass(frozen=True)
class Scene:
    size: tuple[int, int]
    edition: str = "classic"
    bots: int = 3
    turn: int = 21
    theme: str = "omakase"
    keys: tuple[str, ...] = ()
    glyphs: str = "letters"
    moving: str = ""
    """The motion while the picture is taken: `own` for the effect of the keys, or the move of `another`."""
    newcomer: str | None = None
    """The name of a person who starts for the first time."""
    language: str = "en"
    task: int = 0
    """The task of the course, counted from 1, if it is a lesson."""


FEW_WORLDS = 4
OVER = 10_000
"""A turn that no game reaches: the scene is its end."""
NEW_GAME = ("2", "down", "right", "right", "down", "down", "right", "down", "right")
"""The form with three rivals, two of them chosen; the cursor is on the second."""
SCENES = {
    "table-classic4-80x24": Scene((80, 24)),
    "table-classic4-120x40": Scene((120, 40)),
    "table-held-120x40": Scene((120, 40), keys=("1",)),
    "table-classic4-200x50": Scene((200, 50)),
    "table-classic2-200x50": Scene((200, 50), bots=1, turn=31),
    "table-master3-200x50": Scene((200, 50), "master", 2, 14, theme="hinoki"),
    "table-classic4-100x32": Scene((100, 32)),
    "table-classic2-80x24": Scene((80, 24), bots=1),
    "table-master3-80x24": Scene((80, 24), "master", 2, 14),
    "table-master3-120x40": Scene((120, 40), "master", 2, 14),
    "table-light-120x40": Scene((120, 40), theme="hinoki"),
    "table-italian-80x24": Scene((80, 24), language="it"),
    "table-italian-120x40": Scene((120, 40), "master", 2, 14, language="it"),
    "table-classic3-120x30": Scene((120, 30), bots=2, turn=22),
    "table-master4-100x40": Scene((100, 40), "master", 3, 16),
    "table-master3-160x50": Scene((160, 50), "master", 2, 14),
    "complete-120x40": Scene((120, 40), keys=("3", "f", "3", "enter"), moving="own"),
    "complete-80x24": Scene((80, 24), keys=("3", "f", "3", "enter"), moving="own"),
    "opponent-120x40": Scene((120, 40), moving="another"),
    "opponent-80x24": Scene((80, 24), moving="another"),
    "table-40x15": Scene((40, 15)),
    "table-terminal-80x24": Scene((80, 24), theme="terminal"),
    "table-monochrome-80x24": Scene((80, 24), theme="monochrome"),
    "table-ascii-80x24": Scene((80, 24), theme="monochrome", glyphs="ascii"),
    "book-120x40": Scene((120, 40), keys=("r", "s", "a", "l")),
    "book-80x24": Scene((80, 24), keys=("r",)),
    "book-master-80x24": Scene((80, 24), "master", 2, 14, keys=("ctrl+r", "tab")),
    "help-80x24": Scene((80, 24), keys=("question_mark",)),
    "help-120x40": Scene((120, 40), keys=("question_mark",)),
    "help-master-80x24": Scene((80, 24), "master", 2, 14, theme="hinoki", keys=("question_mark",)),
    "who-80x24": Scene((80, 24), keys=("w",)),
    "settings-80x24": Scene((80, 24), keys=("f2",)),
    "settings-120x40": Scene((120, 40), keys=("f2", "down", "down")),
    "settings-40x15": Scene((40, 15), keys=("f2", "down", "down")),
    "learn-place-80x24": Scene((80, 24), task=3),
    "learn-reward-80x24": Scene((80, 24), task=5),
    "learn-switch-120x40": Scene((120, 40), task=12),
    "learn-wasabi-200x50": Scene((200, 50), task=26),
    "learn-tokens-100x32": Scene((100, 32), task=29, theme="hinoki"),
    "learn-stack-40x15": Scene((40, 15), task=19),
    "learn-chop-monochrome-80x24": Scene((80, 24), task=21, theme="monochrome"),
    "learn-mistake-80x24": Scene((80, 24), task=3, keys=("2", "a", "1")),
    "end-120x40": Scene((120, 40), turn=OVER),
    "end-80x24": Scene((80, 24), turn=OVER),
    "end-40x15": Scene((40, 15), turn=OVER),
    "end-classic2-120x40": Scene((120, 40), bots=1, turn=OVER),
    "end-master3-120x40": Scene((120, 40), "master", 2, OVER, theme="hinoki"),
    "end-terminal-80x24": Scene((80, 24), turn=OVER, theme="terminal"),
    "review-120x40": Scene((120, 40), turn=OVER, keys=("r",)),
    "review-80x24": Scene((80, 24), turn=OVER, keys=("r",)),
    "review-master3-80x24": Scene((80, 24), "master", 2, OVER, theme="hinoki", keys=("r",)),
    "themes-120x40": Scene((120, 40), keys=("f3", "down", "down")),
    "themes-80x24": Scene((80, 24), keys=("f3", "down", "down")),
    "new-game-80x24": Scene((80, 24), turn=0, keys=NEW_GAME),
    "new-game-120x40": Scene((120, 40), turn=0, keys=NEW_GAME),
    "new-game-200x50": Scene((200, 50), turn=0, keys=NEW_GAME, theme="hinoki"),
    "new-game-40x15": Scene((40, 15), turn=0, keys=NEW_GAME),
    "new-game-monochrome-80x24": Scene((80, 24), turn=0, keys=NEW_GAME, theme="monochrome"),
    "new-game-ascii-80x24": Scene((80, 24), turn=0, keys=NEW_GAME, theme="monochrome", glyphs="ascii"),
    "first-start-80x24": Scene((80, 24), turn=0, newcomer="Ana", keys=("down", "down", "down")),
    "first-start-120x40": Scene((120, 40), turn=0, newcomer="Ana"),
    "first-start-200x50": Scene((200, 50), turn=0, newcomer="Ana", theme="hinoki", keys=("down", "down")),
    "first-start-40x15": Scene((40, 15), turn=0, newcomer="Ana"),
    "home-first-80x24": Scene((80, 24), task=-1),
    "home-80x24": Scene((80, 24), turn=0),
    "home-120x40": Scene((120, 40), turn=0),
}


async def take(scene: Scene) -> str:
    """Return the picture of a scene, from the running app."""
    settings = Settings(
        scene.language, scene.theme, scene.glyphs, reduced_motion=not scene.moving, bell=False, notes=False
    )
    if scene.task:
        games = MemoryGames(settings, reached=Progress(lessons={scene.edition: scene.task - 1}))
        app = WasabiApp(games, language=scene.language, lesson=scene.edition if scene.task > 0 else None)
    elif scene.turn:
        players = seat_players(["Ana"], ("Udon", "Mochi", "Miso")[: scene.bots], "normal", "")
        app = app_at(
            scene.turn,
            players=players,
            edition=scene.edition,
            seed="picture",
            settings=settings,
            language=scene.language,
        )
    else:
        app = WasabiApp(MemoryGames(settings), language=scene.language, newcomer=scene.newcomer)
    # After ten seconds of a turn its clock would be in the picture.
    with patch("wasabi_tx.tui.screens.table.screen.monotonic", lambda: 0.0):
        async with app.run_test(size=scene.size) as pilot:
            await pilot.pause()
            if isinstance(app.screen, EndPage) and app.screen.review is not None:
                # A picture needs no exact figures.
                app.screen.review = replace(app.screen.review, worlds=FEW_WORLDS)
            gate = Gate.at(app, pilot) if scene.moving else None
            for key in scene.keys:
                await pilot.press(key)
                await pilot.pause()
            while isinstance(app.screen, ReviewPage) and not app.screen.view.done:
                await pilot.pause(0.05)
            if gate is not None:
                if scene.moving == "another":
                    await send_turn(app)
                for _ in range(4):
                    await gate.next()
            strips = app.screen._compositor.render_strips()
    return svg_of(strips, scene.size[0])
