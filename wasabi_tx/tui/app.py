"""The app: settings, themes and language, and the screens that it opens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual.app import App
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider

from ..table.transcript import Transcript
from ..text import Texts, find_language
from ..view.theme import Theme
from .actions import actions_on, shown_keys, wrong_keys
from .content import clean, plain
from .desk import Desk, Opened, Refused
from .screens.acting import Acting
from .theme import Palette, textual_theme

if TYPE_CHECKING:
    from textual.screen import Screen

    from ..view.sitting import Sitting
    from .screens.table import TableScreen

BARE = "monochrome"
"""The theme for terminals on which nobody wants colours."""


class ActionCommands(Provider):
    """Offers every action of the screen below, and every theme."""

    def _commands(self) -> Iterator[tuple[str, str, object]]:
        app, screen = self.app, self.screen
        assert isinstance(app, WasabiApp)
        if isinstance(screen, Acting):
            for action in actions_on(screen.where):
                if action.listed:
                    keys = " ".join(shown_keys(action, app.settings.keys))
                    words = f"{app.texts.say(f'tui.about.{action.id}')} ({keys})"
                    yield app.texts.say(f"tui.action.{action.id}"), words, partial(screen.action_act, action.id)
        for theme in app.themes:
            name = theme.names[app.texts.language]
            yield app.texts.say("tui.theme-named", name=name), theme.id, partial(app.change, theme=theme.id)

    async def discover(self) -> Hits:
        for name, words, command in self._commands():
            yield DiscoveryHit(plain(name), command, help=words)  # type: ignore[arg-type]

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, words, command in self._commands():
            score = max(matcher.match(name), matcher.match(words) / 2)
            if score > 0:
                yield Hit(score, matcher.highlight(name), command, help=words)  # type: ignore[arg-type]


class WasabiApp(App[None]):
    CSS_PATH = "styles/app.tcss"
    COMMANDS = {ActionCommands}  # noqa: RUF012 - a set, as Textual declares it
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
        self.palette = Palette(self._find_theme(), self.settings.glyphs)
        super().__init__()

    @property
    def texts(self) -> Texts:
        return Texts(find_language(self.settings.language or self._language))

    def _find_theme(self) -> Theme:
        by_id = {theme.id: theme for theme in self.themes}
        if self.settings.theme not in by_id:
            self._problems.append(self.texts.say("tui.no-theme", name=self.settings.theme))
        return by_id.get(self.settings.theme) or self.themes[0]

    def on_mount(self) -> None:
        for theme in self.themes:
            self.register_theme(textual_theme(theme))
        self._apply()
        self.set_keymap(dict(self.settings.keys))
        if self._opened is not None:
            self.open_game(self._opened)
        elif self._replay is not None:
            self.open_replay(self._replay)
        else:
            from .screens.home import Home

            self.push_screen(Home())
        for problem in self._problems:
            self.notify(problem, severity="warning", timeout=12, markup=False)

    def open_game(self, opened: Opened) -> None:
        from .screens.table import TableScreen

        self.last_saved = opened.saved_as
        self.push_screen(TableScreen(opened))

    def open_replay(self, transcript: Transcript) -> None:
        from ..view.sitting import frames_of
        from .screens.replay import ReplayScreen

        self.push_screen(ReplayScreen(transcript.rules, transcript.players, frames_of(transcript, self.texts)))

    def open_frames(self, sitting: Sitting) -> None:
        """A finished game from its beginning."""
        from .screens.replay import ReplayScreen

        self.push_screen(ReplayScreen(sitting.game.rules, sitting.game.players, sitting.frames))

    def rematch(self, table: TableScreen) -> None:
        """The same seats at a new table in place of a finished one."""
        from .screens.table import TableScreen

        try:
            opened = self.desk.again(table.opened, self.texts)
        except Refused as refused:
            self.notify(str(refused), severity="error", markup=False)
            return
        self.last_saved = opened.saved_as
        self.switch_screen(TableScreen(opened))

    def left_replay(self, screen: Screen[None]) -> None:
        """A replay was closed: back to what was there before, or out if nothing was."""
        if self._replay is not None and len(self.screen_stack) <= 2:
            self.exit()
        else:
            screen.dismiss()

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
