"""The app: settings, themes and language, and the screens that it opens."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import events
from textual.binding import Binding
from textual.filter import LineFilter, Monochrome, NoColor
from textual.reactive import var

from ..app.failure import Failure
from ..app.local_games import LocalGames
from ..app.settings import Settings
from ..app.theme import Theme
from ..app.values import GameWish, Opened
from ..text import Texts, find_language
from ..text.foreign import clean
from ..view.names import BY_LOT, RIVALS, bot_names
from .ascii_signs import AsciiSigns
from .bindings import wrong_keys
from .painted_app import PaintedApp
from .paints import Paints
from .screens.base import WasabiScreen
from .textual_theme import textual_theme, theme_name

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.screen import Screen

    from ..app.online_tables import OnlineTables
    from ..games.transcript import GameRecord, Transcript
    from ..lessons.progress import Progress
    from ..online.online_table import OnlineTable
    from ..puzzles.judge import PuzzleJudge
    from ..puzzles.puzzle import Puzzle
    from ..turn.followed_game import FollowedGame
    from ..view.online.call import Call
    from .screens.table.screen import TableScreen

KEEP_TITLE, GIVE_TITLE_BACK = "\x1b[22;2t", "\x1b[23;2t"
LOOK_EVERY = 1.0
SOON = 0.4
"""Seconds that a way to a table may take before a page says what is waited for."""
BARE, SIXTEEN = "monochrome", "terminal"
"""The themes for terminals without colours, and for those with sixteen."""


def _commands() -> type[Provider]:
    """Import the command palette's list when somebody opens it."""
    from .commands import ActionCommands

    return ActionCommands


class WasabiApp(PaintedApp):
    CSS_PATH = "styles/app.tcss"
    COMMANDS = {_commands}  # noqa: RUF012 - a set, as Textual declares it
    BINDINGS = [  # noqa: RUF012
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]
    TITLE = "Wasabi TX"
    DEFAULT_MODE = "start"
    """A mode of our own: Textual reads the styles of a mode's first screen, but not those of its default screen."""

    settings: var[Settings] = var(Settings, init=False, always_update=True)
    """The person's settings; language, theme, paints and keys follow them immediately, and widgets follow those."""

    def __init__(
        self,
        games: LocalGames,
        *,
        opened: Opened | None = None,
        language: str | None = None,
        colours: int = 1 << 24,
        replay: Transcript | None = None,
        replay_file: str = "",
        online: Callable[[], OnlineTables] | None = None,
        table: OnlineTable | None = None,
        newcomer: str | None = None,
        lobby: str | None = None,
        anybody: str | None = None,
        come: Callable[[OnlineTables], Coroutine[Any, Any, OnlineTable]] | None = None,
        lesson: str | None = None,
        puzzles: Iterator[Puzzle] | None = None,
    ) -> None:
        self.games = games
        self.progress = games.progress()
        self._puzzles = puzzles
        """Puzzles to show one after the other."""
        self.shared: list[str] = []
        """A line for every puzzle that was tried."""
        self._lesson = lesson
        """The course that was asked for at the start."""
        self.goes_online = online is not None
        """True if this app can reach online tables."""
        self._find_online = online
        self._online: OnlineTables | None = None
        self._table = table
        self.refused: Failure | None = None
        """Why the last table online had no game for us."""
        self._newcomer = newcomer
        """The name of somebody who is here for the first time."""
        self._lobby = lobby
        """The broker whose lobby was asked for at the start."""
        self._anybody = anybody
        """The edition of the game with anybody that was asked for at the start."""
        self._come_first = come
        """Leads to the table that was asked for at the start, once a newcomer has a name."""
        settings, self._problems = games.settings()
        self._language = language
        """The language requested at the start, until somebody chooses another."""
        texts = self._find_texts(settings)
        self._opened = opened
        self._replay, self._replay_file = replay, replay_file
        self.themes, faults = games.themes()
        self._problems += faults
        bad = list(wrong_keys(settings.keys))
        for name, key in bad:
            self._problems.append(texts.say("tui.bad-key", name=name, key=key))
        if bad:
            settings = replace(settings, keys={})
        self._colours = colours
        """Number of colours of the terminal; 0 if colours are unwanted."""
        self._theme_chosen = False
        """True if somebody has chosen a theme here, whatever the terminal lacks."""
        self._titled = ""
        # Who wants no colours still has all signs, unless the settings say otherwise.
        self._bare_theme = replace(self._theme_of(BARE), id="bare", glyphs="letters")
        theme = textual_theme(self._find_theme(settings, texts))
        self.pictures, faults = games.pictures()
        self._problems += faults
        self._ascii, self._bare = AsciiSigns(), NoColor()
        super().__init__(Paints(theme, settings.glyphs, self.pictures, texts.say("panel.cup")), texts)
        # It would print a traceback; whoever runs the app gets the error.
        self.error_console.quiet = True
        self.set_reactive(WasabiApp.settings, settings)
        # Textual takes an empty NO_COLOR for a wish.
        self.no_color = not colours
        self.add_mode(self.DEFAULT_MODE, self.first_screen)
        for one in (*self.themes, self._bare_theme):
            self.register_theme(textual_theme(one))
        self.theme = theme.name
        self.animation_level = "none" if settings.reduced_motion else "full"

    @property
    def online(self) -> OnlineTables:
        """The online tables, looked up on first use so that the home screen appears sooner."""
        assert self._find_online is not None, "nothing leads to them where there are none"
        if self._online is None:
            self._online = self._find_online()
        return self._online

    async def leave_tables(self) -> None:
        """Leave every online table that is still open."""
        if self._online is not None:
            await self._online.close()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Replace what Textual chooses before it knows our theme: it would paint black on black without colours."""
        filters = [one for one in super().get_line_filters() if not isinstance(one, Monochrome | NoColor)]
        if self.no_color:
            filters.append(self._bare)
        if self.paints.ascii:
            filters.append(self._ascii)
        return filters

    def _find_texts(self, settings: Settings) -> Texts:
        return Texts(find_language(self._language or settings.language))

    def _theme_of(self, name: str) -> Theme:
        """Return the theme of that name; the first one if there is none."""
        return next((one for one in self.themes if one.id == name), self.themes[0])

    def _find_theme(self, settings: Settings, texts: Texts) -> Theme:
        """Return the preferred theme, or one that the terminal can show until somebody chooses another."""
        if not self._colours and not self._theme_chosen:
            return self._bare_theme
        found = self._theme_of(settings.theme)
        if found.id != settings.theme:
            self._problems.append(texts.say("tui.no-theme", name=settings.theme))
        return self._theme_of(SIXTEEN) if self._colours <= 16 and found.mixes and not self._theme_chosen else found

    @property
    def shown_theme(self) -> Theme:
        """The theme that is shown now, as its file has it."""
        return next((one for one in self.themes if theme_name(one) == self.theme), self._theme_of(BARE))

    def first_screen(self) -> Screen[None]:
        """Return the screen that was asked for at the start; nothing lies below it."""
        if self._opened is not None:
            from .screens.table.screen import TableScreen

            return TableScreen(self._opened)
        if self._lesson is not None:
            return self._lesson_screen(self._lesson)
        if self._puzzles is not None:
            return self._puzzle_screen(next(self._puzzles))
        if self._replay is not None:
            return self._replay_screen(self._replay, self._replay_file)
        if self._table is not None:
            return WasabiScreen()
        from .screens.home import HomeScreen

        return HomeScreen()

    def on_mount(self) -> None:
        self._bind_keys()
        for problem in self._problems:
            self.notify(problem, severity="warning", timeout=12, markup=False)
        if self._newcomer is not None:
            from .forms.first_start import FirstStartForm
            from .screens.form import FormPage

            self.push_screen(FormPage(FirstStartForm(self, self._newcomer)), self._begin)
        else:
            self._visit_first()
        if self._table is not None:
            self.run_worker(self._visit_table(self._table), name="visit")

        self.set_interval(LOOK_EVERY, self.follow_terminal)

    def follow_terminal(self) -> None:
        """Make up for a lost change of the terminal's size, as happens on a busy machine.

        The terminal's signal may not arrive; and Textual drops a one-shot timer that starts late, among them the one
        that tells the screen of its size.
        """
        if not (self.is_headless or self.is_web or sys.platform == "win32") and shutil.get_terminal_size() != tuple(
            self.size
        ):
            signal.raise_signal(signal.SIGWINCH)
        elif self.screen_stack and self.screen.outer_size != self.size:
            # At the end of the app a last tick may find no screen any more.
            self.screen.post_message(events.Resize(self.size, self.size))

    async def _visit_table(self, table: OnlineTable, page: Screen[Any] | None = None) -> None:
        """Stay at a table, in the place of the page that waited for it, if it is there.

        For a user who came straight to the table, exit afterwards and print any refusal.
        """
        from .visit import Visit

        try:
            await Visit(self, table, page if page in self.screen_stack else None).run()
        except Failure as refused:
            self.refused = refused
            self.notify(refused.sentence, severity="error", timeout=30, markup=False)
        if self._table is not None:
            self.exit()

    def visit(self, coming: Coroutine[Any, Any, OnlineTable], soon: float = SOON) -> None:
        """Go to a table as soon as it is reached, or show why it cannot be; after `soon` seconds a page says so."""
        self.run_worker(self._come(coming, soon), name="visit")

    async def _come(self, coming: Coroutine[Any, Any, OnlineTable], soon: float) -> None:
        from .screens.wait import WaitPage

        on_the_way = asyncio.create_task(coming)
        page = WaitPage(self.texts.say("wait.title"), self.texts.say("lobby.connecting"))

        def left(_skip: bool | None) -> None:
            on_the_way.cancel()

        try:
            await asyncio.wait([on_the_way], timeout=soon)
            if not on_the_way.done():
                await self.push_screen(page, left)
            table = await self._unless_given_up(on_the_way)
            if table is not None:
                await self._visit_table(table, page)
        finally:
            on_the_way.cancel()
            await self._take_away(page)

    async def _unless_given_up(self, on_the_way: asyncio.Task[OnlineTable]) -> OnlineTable | None:
        """Wait until a table is reached; return None, with the reason shown, if it is not."""
        await asyncio.wait([on_the_way])
        if on_the_way.cancelled():
            return None
        try:
            return on_the_way.result()
        except Failure as refused:
            self.notify(refused.sentence, severity="error", timeout=15, markup=False)
        return None

    async def _take_away(self, page: Screen[Any]) -> None:
        """Close a page, and whatever lies on top of it."""
        while page in self.screen_stack:
            await self.pop_screen()

    def play_anybody(self, edition: str = "classic") -> None:
        """Seek somebody to play with; play with a bot of this machine if nobody comes, or nobody is waited for."""
        self.run_worker(self._meet_anybody(edition), name="visit")

    async def _meet_anybody(self, edition: str) -> None:
        from ..app.online_tables import A_MINUTE, NobodyCame
        from .screens.wait import WaitPage

        say = self.texts.say
        page = WaitPage(say("tui.home.anybody"), say("seek.relays"), say("seek.bots"))

        def tell(state: str) -> None:
            page.words, page.limit = say(f"seek.{state}"), A_MINUTE if state == "seeking" else 0.0

        def left(skip: bool | None) -> None:
            skipped.append(bool(skip))
            on_the_way.cancel()

        skipped = list[bool]()
        on_the_way = asyncio.create_task(self.online.meet_anybody(edition, self.texts, tell))
        table: OnlineTable | None = None
        nobody = False
        try:
            await self.push_screen(page, left)
            table = await self._unless_given_up(on_the_way)
        except NobodyCame:
            nobody = True
            self.notify(say("seek.nobody"), timeout=8, markup=False)
        finally:
            on_the_way.cancel()
            await self._take_away(page)
        if table is not None:
            await self._visit_table(table)
        elif nobody or any(skipped):
            self._play_bot(GameWish(edition))

    def open_lobby(self, broker: str = "") -> None:
        """Open the lobby of a broker, by default of the one in the settings or found on the local network."""
        from .screens.lobby import LobbyScreen

        self.push_screen(LobbyScreen(self.online, broker))

    def ask_invite(self, way: str) -> None:
        """Ask for an invite, to play or to watch, until one leads to a table."""
        from .screens.invite import InvitePage

        def came(table: OnlineTable | None) -> None:
            if table is not None:
                self.run_worker(self._visit_table(table), name="visit")

        come = self.online.watch if way == "watch" else self.online.join
        self.push_screen(InvitePage(self.texts.say(f"tui.home.{way}"), lambda invite: come(invite, self.texts)), came)

    def _begin(self, name: str | None) -> None:
        """Save the choices of the first start and show the home screen."""
        if name is None:
            self.exit()
        else:
            self.change(name=name)
            self._visit_first()

    def _visit_first(self) -> None:
        """Go to the lobby or table that was asked for at the start, if there is one."""
        if self._lobby is not None:
            self.open_lobby(self._lobby)
        if self._anybody is not None:
            self.play_anybody(self._anybody)
        if self._come_first is not None:
            # Whoever follows a link must not have keys that mean something else until they are there.
            self.visit(self._come_first(self.online), 0)

    def open_game(self, opened: Opened) -> None:
        from .screens.table.screen import TableScreen

        self.push_screen(TableScreen(opened))

    def open_lesson(self, course: str) -> None:
        self.push_screen(self._lesson_screen(course))

    def _lesson_screen(self, name: str) -> Screen[None]:
        """Make the screen of a course, resumed where it was left."""
        from ..lessons.course import find_course
        from ..lessons.guide import Guide
        from .screens.table.screen import TableScreen

        guide = Guide(find_course(name), self._you, next(bot_names([self._you])), self.progress.lessons.get(name, 0))
        return TableScreen(Opened(guide.game, "", lambda: None), guide)

    @property
    def _you(self) -> str:
        return self.settings.name or self.texts.say("cli.person", number=1)

    def open_puzzles(self, puzzles: Iterator[Puzzle]) -> None:
        """Show puzzles one after the other until the user leaves."""
        self._puzzles = puzzles
        self.push_screen(self._puzzle_screen(next(puzzles)))

    def _puzzle_screen(self, puzzle: Puzzle) -> Screen[None]:
        from .screens.table.screen import TableScreen

        judge = self._judge(puzzle)
        return TableScreen(Opened(judge.game, "", lambda: None), judge=judge)

    def _judge(self, puzzle: Puzzle) -> PuzzleJudge:
        from ..puzzles.judge import PuzzleJudge

        return PuzzleJudge(puzzle, self._you, bot_names([self._you]))

    async def next_puzzle(self, table: TableScreen) -> None:
        """Set up the next puzzle at the same table; close the table after the last one."""
        puzzle = next(self._puzzles, None) if self._puzzles is not None else None
        if puzzle is None:
            table.leaving.close_table()
            return
        await table.opened.game.close()
        judge = self._judge(puzzle)
        table.begin(Opened(judge.game, "", lambda: None), judge)

    def keep_stars(self, judge: PuzzleJudge) -> None:
        """Save the result of a puzzle; of a daily puzzle, only the first result."""
        from ..puzzles.judge import progress_with_stars, share_line

        stars = judge.stars
        assert stars is not None, "the puzzle was tried"
        self.shared.append(share_line(judge.puzzle.name, stars, self.texts))
        progress = progress_with_stars(self.progress, judge.puzzle, stars)
        if progress is not self.progress:
            self.keep_progress(progress)

    @property
    def last_wish(self) -> GameWish:
        """The game that Play now starts: the choices of the last one, if its edition and rivals still exist."""
        last = self.progress.last
        if last is None or last.edition not in dict(self.games.editions(self.texts)):
            return GameWish(as_printed=self.settings.as_printed)
        rivals = tuple(one if one in RIVALS else BY_LOT for one in last.rivals)
        return GameWish(last.edition, rivals, last.level, self.settings.as_printed)

    def _play_bot(self, wish: GameWish) -> None:
        """Start a game against a bot of this machine."""
        try:
            opened = self.games.start(wish, self.texts)
        except Failure as refused:
            self.notify(refused.sentence, severity="error", markup=False)
        else:
            self.open_game(opened)

    def play_after_lesson(self, table: TableScreen) -> None:
        """Start a real game of the edition that was learnt, at the same table."""
        wish = GameWish(table.opened.game.rules.edition.id, as_printed=self.settings.as_printed)
        try:
            opened = self.games.start(wish, self.texts)
        except Failure as refused:
            self.notify(refused.sentence, severity="error", markup=False)
            return
        table.begin(opened)

    def keep_progress(self, progress: Progress) -> None:
        """Save the user's progress."""
        self.progress = progress
        try:
            self.games.save_progress(progress)
        except Failure as refused:
            self.notify(refused.sentence, severity="warning", markup=False)

    def open_replay(self, transcript: Transcript, file: str = "") -> None:
        """Replay a saved game; if its `file` is given, a page can be made of it."""
        self.push_screen(self._replay_screen(transcript, file))

    def _replay_screen(self, transcript: Transcript, file: str) -> Screen[None]:
        from ..games.game import lone_person
        from ..turn.followed_game import frames_of
        from .screens.replay import ReplayScreen

        people = [seat for seat, player in enumerate(transcript.players) if player.bot is None]
        frames = frames_of(transcript, self.texts)
        seat, over = lone_person(people), transcript.last.outcome is not None
        record = transcript.record
        return ReplayScreen(record.rules, record.players, frames, seat, record.faces, over, record.moves, file)

    def open_frames(self, followed: FollowedGame, then: Callable[[object], None], file: str = "") -> None:
        """Replay a finished game from its beginning; call `then` once it is closed."""
        from ..games.game import lone_person
        from .screens.replay import ReplayScreen

        record, seat = followed.record, lone_person(followed.game.people)
        replay = ReplayScreen(
            record.rules, record.players, followed.frames, seat, record.faces, moves=record.moves, file=file
        )
        self.push_screen(replay, then)

    def save_page(self, file: str) -> None:
        """Make a page of a saved game, beside its file; checking it takes a moment."""
        if file:
            self.run_worker(self._save_page(file), name="page", exclusive=True, group="page")

    async def _save_page(self, file: str) -> None:
        try:
            written = await asyncio.to_thread(self.games.save_page, file, self.texts)
        except Failure as refused:
            self.notify(refused.sentence, severity="error", markup=False)
        else:
            self.hand_over(written, "tui.end.page-saved")

    def hand_over(self, written: str, words: str) -> None:
        """Say where a file was written; where the program runs in a browser, its person gets it from there."""
        if self.is_web:
            self.deliver_binary(Path(written).expanduser())
        self.notify(self.texts.say(words, file=written), timeout=10, markup=False)

    def open_what_if(self, game: GameRecord, at: int, seat: int) -> None:
        """Play on against bots after some moves of a game; afterwards the screen below is shown again."""
        self.open_game(self.games.what_if(game, at, seat, self.texts))

    def rematch(self, table: TableScreen) -> None:
        """Start a new game with the same seats at the same table."""
        try:
            opened = self.games.again(table.opened, self.texts)
        except Failure as refused:
            self.notify(refused.sentence, severity="error", markup=False)
            return
        table.begin(opened)

    def left_replay(self, screen: Screen[None]) -> None:
        """Close a replay: return to the screen below it, or exit if there is none."""
        if screen is self.screen_stack[0]:
            self.exit()
        else:
            screen.dismiss()

    def left_game(self, table: TableScreen) -> None:
        """Close a table; exit if the user came straight to it."""
        if table is self.screen_stack[0]:
            self.exit()
        elif not table.opened.table:
            self.pop_screen()

    def try_out(self, **values: object) -> None:
        """Apply changed settings without saving them."""
        settings = replace(self.settings, **values)  # type: ignore[arg-type]
        self._theme_chosen = self._theme_chosen or "theme" in values
        self._language = None if "language" in values else self._language
        self.settings = settings

    def change(self, **values: object) -> None:
        """Apply changed settings and save them."""
        self.try_out(**values)
        try:
            self.games.save_settings(self.settings)
        except Failure as refused:
            self.notify(refused.sentence, severity="warning", markup=False)

    def watch_settings(self, settings: Settings) -> None:
        """Apply the person's settings; widgets watch the texts and paints themselves."""
        texts = self._find_texts(settings)
        if texts.language != self.texts.language:
            self.texts = texts
        self.theme = theme_name(self._find_theme(settings, texts))
        self._mix_paints()
        self.animation_level = "none" if settings.reduced_motion else "full"
        self._bind_keys()

    def watch_theme(self) -> None:
        self._mix_paints()

    def _mix_paints(self) -> None:
        """Make the theme's variables into numbers; equal paints change nothing."""
        cup = self.texts.say("panel.cup")
        self.paints = Paints(self.current_theme, self.settings.glyphs, self.pictures, cup)

    def _bind_keys(self) -> None:
        self.set_keymap({name: keys.replace(" ", "") for name, keys in self.settings.keys.items()})

    def action_command_palette(self) -> None:
        from textual.command import CommandPalette

        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder=self.texts.say("tui.search")))

    def set_title(self, words: str) -> None:
        """Set the terminal's title while the app runs."""
        if words != self._titled:
            self._write(f"{'' if self._titled else KEEP_TITLE}\x1b]2;{clean(words)}\x07")
            self._titled = words

    def call(self, call: Call) -> None:
        """Notify a user who looks at another window."""
        from ..view.online.call import say_call, terminal_call

        if not self.app_focus:
            text = say_call(call, self.texts)
            self._write(terminal_call(text, os.environ.get("TERM", ""), "TMUX" in os.environ))
        try:
            self.games.call(call, self.app_focus)
        except Failure as refused:
            self.notify(refused.sentence, severity="warning", markup=False)

    def _write(self, text: str) -> None:
        """Write straight to the terminal; do nothing in a browser or a test."""
        # Textual's own title and notifications stay on the screen: no public method writes past it.
        if self._driver is not None and not self.is_headless and not self.is_web:
            self._driver.write(text)

    def on_unmount(self) -> None:
        if self._titled:
            self._write(GIVE_TITLE_BACK)

    def action_interrupt(self) -> None:
        """Exit at once on Ctrl-C: every sent step is on disk already."""
        self.exit()
