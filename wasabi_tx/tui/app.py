"""The app: settings, themes and language, and the screens that it opens."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import App
from textual.binding import Binding

from ..text import Texts, find_language
from ..view.theme import Theme
from .actions import wrong_keys
from .content import clean
from .desk import Desk, Opened, Refused
from .screens.acting import Acting
from .theme import Palette, textual_theme

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.screen import Screen

    from ..table.transcript import Transcript
    from ..view.sitting import Sitting
    from .screens.table import TableScreen

BARE = "monochrome"
"""The theme for terminals on which nobody wants colours."""


def _commands() -> type[Provider]:
    """The command palette's list, imported when somebody opens it."""
    from .commands import ActionCommands

    return ActionCommands


class WasabiApp(App[None]):
    CSS_PATH = "styles/app.tcss"
    COMMANDS = {_commands}  # noqa: RUF012 - a set, as Textual declares it
    BINDINGS = [Binding("ctrl+c", "interrupt", show=False, priority=True)]  # noqa: RUF012
    TITLE = "Wasabi TX"

    def __init__(
        self,
        desk: Desk,
        opened: Opened | None = None,
        language: str | None = None,
        colours: bool = True,
        replay: Transcript | None = None,
    ) -> None:
        self.desk = desk
        self.settings, self._problems = desk.settings()
        self._language = language
        self._opened = opened
        self._replay = replay
        self.last_saved = opened.saved_as if opened else ""
        """The file of the game that was last played and is not over, for whoever wants to continue it."""
        self.themes, faults = desk.themes()
        self._problems += faults
        bad = list(wrong_keys(self.settings.keys))
        for name, key in bad:
            self._problems.append(self.texts.say("tui.bad-key", name=name, key=key))
        if bad:
            self.settings = replace(self.settings, keys={})
        if not colours:
            self.settings = replace(self.settings, theme=BARE)
        theme = self._find_theme()
        self.palette = Palette(theme, self.settings.glyphs)
        super().__init__()
        for one in self.themes:
            self.register_theme(textual_theme(one))
        self.theme = f"wasabi-{theme.id}"
        self.animation_level = "none" if self.settings.reduced_motion else "full"

    @property
    def texts(self) -> Texts:
        return Texts(find_language(self.settings.language or self._language))

    def _find_theme(self) -> Theme:
        by_id = {theme.id: theme for theme in self.themes}
        if self.settings.theme not in by_id:
            self._problems.append(self.texts.say("tui.no-theme", name=self.settings.theme))
        return by_id.get(self.settings.theme) or self.themes[0]

    def get_default_screen(self) -> Screen[None]:
        """What was asked for; nothing lies below it."""
        if self._opened is not None:
            from .screens.table import TableScreen

            return TableScreen(self._opened)
        if self._replay is not None:
            return self._replay_screen(self._replay)
        from .screens.home import Home

        return Home()

    def on_mount(self) -> None:
        self.set_keymap(dict(self.settings.keys))
        for problem in self._problems:
            self.notify(problem, severity="warning", timeout=12, markup=False)

    def open_game(self, opened: Opened) -> None:
        from .screens.table import TableScreen

        self.last_saved = opened.saved_as
        self.push_screen(TableScreen(opened))

    def open_replay(self, transcript: Transcript) -> None:
        self.push_screen(self._replay_screen(transcript))

    def _replay_screen(self, transcript: Transcript) -> Screen[None]:
        from ..view.sitting import frames_of
        from .screens.replay import ReplayScreen

        return ReplayScreen(transcript.rules, transcript.players, frames_of(transcript, self.texts))

    def open_frames(self, sitting: Sitting) -> None:
        """A finished game from its beginning."""
        from .screens.replay import ReplayScreen

        self.push_screen(ReplayScreen(sitting.game.rules, sitting.game.players, sitting.frames))

    def rematch(self, table: TableScreen) -> None:
        """The same seats at the same table, in a new game."""
        try:
            opened = self.desk.again(table.opened, self.texts)
        except Refused as refused:
            self.notify(str(refused), severity="error", markup=False)
            return
        self.last_saved = opened.saved_as
        table.begin(opened)

    def left_replay(self, screen: Screen[None]) -> None:
        """A replay was closed: back to what was there before, or out if nothing was."""
        if screen is self.screen_stack[0]:
            self.exit()
        else:
            self.pop_screen()

    def left_game(self) -> None:
        """A table was closed: whoever came straight to it leaves the app with it."""
        if self._opened is not None:
            self.exit()
        else:
            self.pop_screen()

    def change(self, **values: object) -> None:
        """Changes settings, at once and for the next time."""
        self.settings = replace(self.settings, **values)  # type: ignore[arg-type]
        self._apply()
        for screen in self.screen_stack:
            if isinstance(screen, Acting):
                screen.restyle()
        try:
            self.desk.keep(self.settings)
        except Refused as refused:
            self.notify(str(refused), severity="warning", markup=False)

    def _apply(self) -> None:
        theme = self._find_theme()
        self.palette = Palette(theme, self.settings.glyphs)
        self.theme = f"wasabi-{theme.id}"
        self.animation_level = "none" if self.settings.reduced_motion else "full"

    def next_theme(self) -> None:
        names = [theme.id for theme in self.themes]
        at = names.index(self.settings.theme) if self.settings.theme in names else -1
        self.change(theme=names[(at + 1) % len(names)])

    def set_title(self, words: str) -> None:
        """The terminal's own title; a browser has none, and a test no terminal."""
        if self._driver is not None and not self.is_headless and not self.is_web:
            self._driver.write(f"\x1b]2;{clean(words)}\x07")

    def _print_error_renderables(self) -> None:
        """No traceback on the terminal: `_run` raises what went wrong."""
        self._exit_renderables.clear()

    def action_interrupt(self) -> None:
        """Ctrl-C leaves at once: every sent step is on disk already."""
        self.exit()


def _run(app: WasabiApp) -> WasabiApp:
    """Runs the app; what went wrong inside is raised here, so that whoever started it can say one sentence about it."""
    # What is imported by now stays: a full collection would go through all of it and stop the screen for 70 ms.
    gc.freeze()
    app.run()
    if app._exception is not None:
        raise app._exception
    return app


def run_home(desk: Desk, language: str | None = None, colours: bool = True) -> WasabiApp:
    """The home screen until somebody leaves it."""
    return _run(WasabiApp(desk, language=language, colours=colours))


def run_game(desk: Desk, opened: Opened, language: str | None = None, colours: bool = True) -> WasabiApp:
    """One game until it is closed; it stays saved."""
    return _run(WasabiApp(desk, opened, language, colours))


def run_replay(desk: Desk, transcript: Transcript, language: str | None = None, colours: bool = True) -> WasabiApp:
    """A saved game, step by step."""
    return _run(WasabiApp(desk, None, language, colours, transcript))
