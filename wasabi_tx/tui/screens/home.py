"""Home: everything that can be done, one key away."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from ...app.failure import Failure
from ...app.values import GameWish, UnfinishedGames
from ...lessons.progress import LastGame
from ...text.foreign import clean
from ...view.names import PERSON
from ..bindings import KeyAction, bindings_on
from ..draw.belt import belt_rows
from ..draw.lettering import HEIGHT, lettering_width
from ..widgets.belt import Belt
from ..widgets.lettering import Lettering
from ..widgets.page_foot import PageFoot
from ..widgets.ways import Way, WayButton, WayGroup, WayRow
from .base import WasabiScreen

if TYPE_CHECKING:
    from ...app.values import TableWish, WaitingGame

PLAY = ("play", "table", "hotseat")
FRIENDS = ("host", "join", "watch", "lobby", "anybody")
"""The entries shown if online tables can be reached."""
NOT_IN_A_BROWSER = ("host", "anybody")
"""Those that need what no page has, a broker and programs of its own; a lobby has a broker for a page's table."""
MORE = ("replay", "settings", "puzzle", "record", "learn", "help", "leave")
MORE_FIRST = ("replay", "settings", "know", "help", "leave")
"""The last entries until the user has completed a course or knows the game."""
NAMED_WAYS = ("continue", "unfinished", "learn", "know", "puzzle", "record", "help", "leave")
"""Ways with a key of their own; the others have a digit, which never changes."""
EVERYWHERE = ("help", "theme", "palette", "leave")
"""Actions whose keys are shown at the foot."""
TABLE = "table:"
"""The prefix that marks a seat at an online table, not a file."""
DIGITS = "1234567890"
MOST_WAITING = 5
WIDEST = 80
LOOK_EVERY = 5.0
"""Seconds after which home looks again for games that wait."""
BELT_STEP = 0.15
"""Seconds after which the belt moves by one column."""
BELT_RUNS = 30.0
"""Seconds without a key after which it stops."""


class HomePlan(NamedTuple):
    """The parts of home that have room on a screen of one size."""

    drawn: bool
    """True if there is room and colour for the title in blocks, for columns and the button; else it is one list."""
    large: bool = False
    """True if plates are large and every group has a title."""
    belt: bool = False
    waiting: int = MOST_WAITING
    """The number of waiting games that fit."""
    tight: bool = False
    """True if there is no blank row above the last group."""


def plan_home(width: int, height: int, sizes: Sequence[int], waiting: int) -> HomePlan:
    """Plan a screen for groups of these sizes, with up to `waiting` unfinished games above them."""
    # Button, a blank row, two columns with a title, the last group, and the keys.
    small_rows = 3 + 1 + max(sizes[:-1]) + 1 + 1
    large_rows = small_rows + 1 + sizes[-1]
    large = width >= 100 and height >= 2 + HEIGHT + 2 + belt_rows(True) + 1 + large_rows
    above, rows = HEIGHT + (4 if large else 0), large_rows if large else small_rows
    # A title and a blank row come with games that wait; where that is too much, the belt gives way.
    most = min(waiting, MOST_WAITING)
    room = height - above - rows
    wanted = 2 + most if most else 0
    belt = room >= belt_rows(large) + 1 + wanted
    if belt:
        room -= belt_rows(large) + 1
    else:
        most = max(min(most, 1), min(most, room - 2))
    return HomePlan(True, large, belt, most, tight=room - (2 + most if most else 0) < 1)


class HomeScreen(WasabiScreen[None]):
    where = "home"
    CSS_PATH = "home.tcss"
    AUTO_FOCUS = ""
    # Run at once, so that keys keep their order whatever has the focus.
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_on("home", priority=True),
        Binding("left,right", "across", show=False, priority=True),
        *(Binding(digit, f"number({number})", show=False, priority=True) for number, digit in enumerate(DIGITS)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[WaitingGame] = []
        """Games online to come back to; those that wait for the person here come first."""
        self._left: UnfinishedGames | None = None
        """The games that can be continued; None before the first look."""
        self._record = ""
        """The record of the person here in one sentence, as soon as it is found."""
        self._still = 0.0
        self._title, self._belt, self._button = Lettering(), Belt(), WayButton()
        self._logo, self._motto = Static(id="logo"), Static(id="motto")
        most = {"waiting": MOST_WAITING, "play": len(PLAY) + 3, "friends": len(FRIENDS), "more": len(MORE)}
        self._lists = {name: WayGroup(count, id=name) for name, count in most.items()}
        self._foot = PageFoot(classes="-plain")

    def compose(self) -> ComposeResult:
        waiting, play, friends, more = self._lists.values()
        menu = Vertical(self._button, waiting, Horizontal(play, friends, id="columns"), more, id="menu")
        with VerticalScroll(id="home", can_focus=False):
            yield Static(id="above")
            yield self._title
            yield self._logo
            yield self._motto
            yield self._belt
            yield Center(menu, id="around")
            yield Static(id="below")
        yield self._foot

    def on_mount(self) -> None:
        self.watch(self.app, "texts", self._show_ways, init=False)
        self.watch(self.app, "paints", self._show_ways, init=False)
        if self.wasabi.goes_online:
            self.set_interval(LOOK_EVERY, self._look_for_games)
        self._runs = self.set_interval(BELT_STEP, self.move_belt)

    def on_resize(self) -> None:
        self._show_ways()

    def on_screen_resume(self) -> None:
        self._look_for_games()
        self._look_for_left()
        if "record" in self.ways:
            self.run_worker(self._look_for_record(), name="look for record", exclusive=True, group="look for record")
        self._wake()

    def on_screen_suspend(self) -> None:
        self._runs.pause()

    # Ways

    @property
    def ways(self) -> tuple[str, ...]:
        """Everything that can be done now, by name, in order."""
        games = (f"{TABLE}{one.seat}" for one in self._waiting[: self._plan.waiting])
        return (*games, *(way for _, ways in self._groups for way in ways))

    @property
    def _groups(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the ways in groups; the course comes first until somebody has completed it or knows the game."""
        hidden = NOT_IN_A_BROWSER if self.app.is_web else ()
        reached = tuple(way for way in FRIENDS if way not in hidden)
        friends = [("friends", reached)] if self.wasabi.goes_online else []
        left = self._left or UnfinishedGames()
        begun = ("continue",) if left.newest else ()
        more = ("unfinished",) if left.count > bool(left.newest or self._waiting) else ()
        if self.wasabi.progress.learned:
            return [("play", (*begun, *PLAY, *more)), *friends, ("more", MORE)]
        return [("play", ("learn", *begun, *PLAY, *more)), *friends, ("more", MORE_FIRST)]

    @property
    def _numbered(self) -> list[str]:
        """The entries that digits choose, in order."""
        return [way for _, ways in self._groups for way in ways if way not in NAMED_WAYS]

    @property
    def _plan(self) -> HomePlan:
        (width, height), sizes = self.size, [len(ways) for _, ways in self._groups]
        title = lettering_width(self.texts.say("tui.brand"))
        if not self.wasabi.paints.depth or title is None or title > width or width < 72 or height < 24:
            return HomePlan(drawn=False)
        return plan_home(width, height, sizes, len(self._waiting))

    def _look_for_left(self) -> None:
        """Look up what can be continued; move the cursor to a game that was just closed."""
        before, chosen = self._left, self._kept_way
        self._left = self.wasabi.games.unfinished(self.texts)
        closed = before is not None and _name(self._left) not in ("", _name(before))
        self._show_ways("continue" if closed else chosen)

    def _look_for_games(self) -> None:
        """Look up the waiting games; keep the chosen entry."""
        found = self.wasabi.games.waiting(self.texts) if self.wasabi.goes_online else []
        if found != self._waiting:
            chosen, self._waiting = self._kept_way, found
            self._show_ways(chosen)

    # Drawing

    def _rows(self) -> list[WayRow]:
        return [row for group in self._lists.values() for row in group.rows if row.display and group.display]

    @property
    def chosen(self) -> str:
        """The name of the way that Enter takes."""
        return self.focused.way.id if isinstance(self.focused, WayRow) else ""

    @property
    def _kept_way(self) -> str:
        """Return the chosen way, or "" if it is the first of the list, which another one may become."""
        return self.chosen if self.chosen != self.ways[0] else ""

    def _show_ways(self, chosen: str | None = None) -> None:
        """Show everything that can be done now, with this one chosen; by default, keep the choice."""
        if not self.size.width:
            return
        chosen, say, plan = self._kept_way if chosen is None else chosen, self.texts.say, self._plan
        self._title.view = say("tui.brand")
        self._logo.update(say("tui.logo"))
        self._motto.update(say("tui.motto"))
        shown = dict(self._groups)
        for name, group in self._lists.items():
            group.show(say(f"tui.home-group.{name}"), [self._way(way) for way in shown.get(name, ())])
        games = self._waiting[: plan.waiting]
        self._lists["waiting"].show(say("tui.home-group.waiting"), [self._game(one) for one in games])
        self._belt.set_class(plan.large, "-large")
        self._choose_classes(plan)
        self._foot.hints = tuple(self.hint(name, say(f"tui.action.{name}").lower()) for name in EVERYWHERE)
        self._choose(chosen)

    def _choose_classes(self, plan: HomePlan) -> None:
        """Set the classes that `home.tcss` knows."""
        titles = [len(row.way.title) + 4 for row in self._lists["more"].rows if row.display]
        self.update_classes(
            {
                "-large": plan.large,
                "-no-belt": not plan.belt,
                "-tight": plan.tight,
                "-list": not plan.drawn,
                "-headed": not plan.drawn and self.size.height > len(self.ways) + 3,
                "-apart": sum(titles) <= min(WIDEST, self.size.width - 6),
            }
        )

    def _choose(self, chosen: str) -> None:
        """Give the focus to the way of this name, or to the first one."""
        rows = self._rows()
        self.set_focus(next((row for row in rows if row.way.id == chosen), rows[0] if rows else None))
        self._show_button()

    @on(events.DescendantFocus)
    def _show_button(self) -> None:
        if isinstance(self.focused, WayRow):
            self._button.show(self.key_of("choose"), self.focused.way)

    def _game(self, game: WaitingGame) -> Way:
        """Return the way back to an online table."""
        does = self.texts.say("tui.continue-with", names=game.partners)
        if game.partners == self.texts.say("unfinished.alone"):
            does = self.texts.say("tui.home.continue")
        return Way(f"{TABLE}{game.seat}", "•", game.partners, game.situation, game.situation, does)

    def _way(self, way: str) -> Way:
        key = self.key_of(way) if way in NAMED_WAYS else DIGITS[self._numbered.index(way)]
        say, last = self.texts.say, self.wasabi.progress.last
        name = say(f"tui.home.{way}")
        if way == "continue" and self._left is not None and (game := self._left.newest) is not None:
            does = say("tui.continue-with", names=game.partners)
            return Way(way, key, name, game.hints[0], game.about, does, game.hints[1:])
        if way == "play" and last is not None:
            names = dict(self.wasabi.games.editions(self.texts))
            hint = f"{clean(names.get(last.edition, ''), 20)}, {say('tui.bots', count=len(last.rivals))}"
            return Way(way, key, name, hint, say("tui.as-last-time", game=hint))
        about = self._record if way == "record" and self._record else say(f"tui.home-about.{way}")
        return Way(way, key, name, say(f"tui.home-hint.{way}"), about)

    def move_belt(self) -> None:
        """Move the belt by one column, or pause it if nobody has touched anything for a while."""
        self._still += BELT_STEP
        if self.wasabi.settings.reduced_motion or self._still > BELT_RUNS or not self._plan.belt:
            self._runs.pause()
            return
        self._belt.view = (self._belt.view or 0) + 1

    def _wake(self) -> None:
        """Start the belt again because somebody is here."""
        self._still = 0.0
        if not self.wasabi.settings.reduced_motion:
            self._runs.resume()

    # Actions

    async def action_act(self, name: str) -> None:
        self._wake()
        await super().action_act(name)

    def offers(self, action: KeyAction) -> bool:
        return action.id not in ("continue", "unfinished") or action.id in self.ways

    def action_number(self, number: int) -> None:
        """Take the way of a digit."""
        if number < len(self._numbered):
            self._take(self._numbered[number])

    def action_across(self) -> None:
        """Move from one column to the same row of the other."""
        self._wake()
        columns = [[row for row in self._lists[name].rows if row.display] for name in ("play", "friends")]
        for here, there in (columns, columns[::-1]):
            if self.focused in here and self.wasabi.goes_online:
                self.set_focus(there[min(here.index(self.focused), len(there) - 1)])
                return

    def action_row_up(self) -> None:
        self._move(-1)

    def action_row_down(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        rows = self._rows()
        at = rows.index(self.focused) if self.focused in rows else -by
        self.set_focus(rows[(at + by) % len(rows)])

    def action_choose(self) -> None:
        self._go(self.chosen)

    def action_continue(self) -> None:
        self._go("continue")

    def action_unfinished(self) -> None:
        self._go("unfinished")

    def action_learn(self) -> None:
        self._go("learn")

    def action_know(self) -> None:
        self._go("know")

    def action_puzzle(self) -> None:
        self._go("puzzle")

    def action_record(self) -> None:
        self._go("record")

    def action_leave(self) -> None:
        self.app.exit()

    @on(WayRow.Taken)
    def _clicked(self, message: WayRow.Taken) -> None:
        message.stop()
        self._take(message.way)

    def _take(self, way: str) -> None:
        self._choose(way)
        self._go(way)

    def _go(self, way: str) -> None:
        if way.startswith(TABLE):
            self._continue(way)
            return
        match way:
            case "play":
                self._start(self.wasabi.last_wish)
            case "table":
                self._fill_in(self.wasabi.last_wish)
            case "hotseat":
                self._fill_in(replace(self.wasabi.last_wish, others=(PERSON,)))
            case "continue":
                self._continue(_name(self._left))
            case "unfinished" | "replay":
                self._choose_saved(way)
            case "join" | "watch":
                self.wasabi.ask_invite(way)
            case "host":
                self._open_hosting()
            case "lobby":
                self.wasabi.open_lobby()
            case "anybody":
                self.wasabi.play_anybody()
            case "learn":
                self._learn()
            case "know":
                self._know()
            case "puzzle":
                self._choose_puzzle()
            case "record":
                self.run_worker(self._open_record(), name="record", exclusive=True, group="record")
            case "settings":
                self.action_settings()
            case "help":
                self.action_help()
            case "leave":
                self.app.exit()

    def _learn(self) -> None:
        """Open the course; let somebody who has completed it choose another one."""
        from ...lessons.course import COURSES
        from .page import ListPage

        if not self.wasabi.progress.learned:
            self.wasabi.open_lesson(COURSES[0])
            return
        names = dict(self.wasabi.games.editions(self.texts))
        options = [(course, names[course]) for course in COURSES]
        page = ListPage(self.texts.say("tui.home.learn"), options, self.texts.say("tui.list.learn"))
        self.app.push_screen(page, lambda course: self.wasabi.open_lesson(course) if course else None)

    def _know(self) -> None:
        """Note that the user knows the game, so that no course is offered first."""
        from ...lessons.course import COURSES

        progress = self.wasabi.progress
        if not progress.learned:
            self.wasabi.keep_progress(replace(progress, learned=frozenset(COURSES[:1])))
            self._show_ways("")

    def _choose_puzzle(self) -> None:
        """Choose an edition's puzzle of the day, or a random one."""
        from ...puzzles.judge import star_line, streak, today
        from ...puzzles.puzzle import EDITIONS, day_name
        from .page import ListPage

        say, names, stars = self.texts.say, dict(self.wasabi.games.editions(self.texts)), self.wasabi.progress.puzzles
        options = []
        for edition in EDITIONS:
            done = stars.get(day_name(edition, today()))
            words = say("puzzle.today", edition=names[edition])
            options.append((f"day {edition}", words if done is None else f"{words} {star_line(done)}"))
        options += [(f"any {edition}", say("puzzle.more", edition=names[edition])) for edition in EDITIONS]
        days = streak(self.wasabi.progress, today())
        title = say("tui.home.puzzle") + (f": {say('puzzle.days', count=days)}" if days else "")
        self.app.push_screen(ListPage(title, options, say("tui.list.puzzle")), self._puzzle)

    def _puzzle(self, chosen: str | None) -> None:
        from ...puzzles.judge import today
        from ...puzzles.puzzle import puzzles_by_seed, puzzles_of_day

        if chosen:
            kind, edition = chosen.split(" ")
            self.wasabi.open_puzzles(
                puzzles_of_day(edition, today()) if kind == "day" else puzzles_by_seed(edition, token_hex(8))
            )

    async def _open_record(self) -> None:
        """Open the record, which is read beside the loop: there may be many games."""
        from ...view.record import record_lines
        from ..draw.pages import titled_lines

        texts = self.texts
        record = await asyncio.to_thread(self.wasabi.games.record, texts)
        self.open_page("record", titled_lines(record_lines(record, texts)))

    async def _look_for_record(self) -> None:
        """Look up the one-sentence summary of the record."""
        from ...view.record import brief_line

        texts = self.texts
        self._record = brief_line(await asyncio.to_thread(self.wasabi.games.record, texts), texts)
        self._show_ways()

    def _open_hosting(self) -> None:
        from ..forms.hosting import HostForm
        from .form import FormPage

        form = HostForm(self.wasabi.games.editions(self.texts), self.wasabi.online.visited())
        self.app.push_screen(FormPage(form), self._host)

    def _host(self, wish: TableWish | None) -> None:
        if wish is not None:
            self.wasabi.visit(self.wasabi.online.host(wish, self.texts))

    def _start(self, wish: GameWish) -> None:
        try:
            opened = self.wasabi.games.start(wish, self.texts)
        except Failure as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)
            return
        if wish.people == 1:
            last = LastGame(wish.edition, wish.others, wish.level)
            self.wasabi.keep_progress(replace(self.wasabi.progress, last=last))
        self.wasabi.open_game(opened)

    def _fill_in(self, wish: GameWish) -> None:
        """Open the form of a new game, beginning with this wish."""
        from ..forms.new_game import NewGameForm
        from .form import FormPage

        form = NewGameForm(wish, self.wasabi.games.editions(self.texts))
        self.app.push_screen(FormPage(form), lambda wish: self._offer_lesson(wish) if wish is not None else None)

    def _offer_lesson(self, wish: GameWish) -> None:
        """Start a game; before the first one of another edition, offer its lesson to whoever knows the game."""
        from ...lessons.course import COURSES
        from .page import ListPage

        say, progress, edition = self.texts.say, self.wasabi.progress, wish.edition
        told, knows = f"lesson {edition}", progress.learned or progress.last is not None
        met = {*progress.learned, *progress.lessons, *([progress.last.edition] if progress.last is not None else [])}
        if edition not in COURSES[1:] or told in progress.noted or edition in met or not knows:
            self._start(wish)
            return

        def chosen(way: str | None) -> None:
            if way is not None:
                self.wasabi.keep_progress(replace(progress, noted=progress.noted | {told}))
            if way == "learn":
                self.wasabi.open_lesson(edition)
            elif way == "play":
                self._start(wish)

        options = [(way, say(f"tui.new-edition.{way}")) for way in ("learn", "play")]
        title = say("tui.new-edition.title", edition=dict(self.wasabi.games.editions(self.texts))[edition])
        self.app.push_screen(ListPage(title, options), chosen)

    def _choose_saved(self, way: str) -> None:
        from .page import ListPage
        from .unfinished import UnfinishedPage

        say = self.texts.say
        try:
            saved = [one for one in self.wasabi.games.saved(self.texts) if way == "replay" or not one.finished]
            if way == "unfinished" and self.wasabi.goes_online:
                seats = self.wasabi.online.unfinished(self.texts)
                saved = [*(replace(one, name=f"{TABLE}{one.name}") for one in seats), *saved]
        except Failure as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)
            return
        if not saved:
            self.app.notify(say("tui.nothing-saved"), markup=False)
            return
        options, title, take = [(one.name, one.words) for one in saved], say(f"tui.home.{way}"), say(f"tui.list.{way}")
        if way == "unfinished":
            self.app.push_screen(UnfinishedPage(title, options, take, self._delete), self._continue)
        else:
            self.app.push_screen(ListPage(title, options, take), self._replay)

    def _delete(self, name: str) -> None:
        if name.startswith(TABLE):
            self.wasabi.online.delete(name.removeprefix(TABLE), self.texts)
        else:
            self.wasabi.games.delete(name)

    def _continue(self, name: str | None) -> None:
        if not name:
            return
        if name.startswith(TABLE):
            self.wasabi.visit(self.wasabi.online.resume(name.removeprefix(TABLE), self.texts))
            return
        try:
            self.wasabi.open_game(self.wasabi.games.resume(name, self.texts))
        except Failure as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)

    def _replay(self, name: str | None) -> None:
        if not name:
            return
        try:
            self.wasabi.open_replay(self.wasabi.games.read(name, self.texts), name)
        except Failure as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)

    def action_help(self) -> None:
        from ...engine.editions import rules_for

        self.open_help(rules_for("classic", 2))


def _name(left: UnfinishedGames | None) -> str:
    """Return the name of the newest game that can be continued on this machine, or ""."""
    return left.newest.name if left is not None and left.newest is not None else ""
