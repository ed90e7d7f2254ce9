"""Home: everything that can be done, one key away."""

from __future__ import annotations

from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType

from ...app.failure import Failure
from ...app.values import GameWish, UnfinishedGames
from ...lessons.progress import LastGame
from ...text.foreign import clean
from ...view.names import PERSON
from ...view.press import ChooseRow, Do
from ..bindings import BY_ID, KeyAction, bindings_on, shown_keys
from ..draw.home import MOST_WAITING, Way, WayGroup, plan_home
from ..draw.sheet import Means
from ..widgets.home_menu import HomeMenu, HomeView
from .base import WasabiScreen

if TYPE_CHECKING:
    from textual.geometry import Size

    from ...app.values import TableWish, WaitingGame

PLAY = ("play", "table", "hotseat")
FRIENDS = ("host", "join", "watch", "lobby")
"""The entries shown if online tables can be reached."""
MORE = ("replay", "settings", "puzzle", "learn", "help", "leave")
MORE_FIRST = ("replay", "settings", "know", "help", "leave")
"""The last entries until the user has completed a course or knows the game."""
NAMED_WAYS = ("continue", "unfinished", "learn", "know", "puzzle", "help", "leave")
"""Ways with a key of their own; the others have a digit, which never changes."""
NAMED = ("choose", *NAMED_WAYS, "theme", "palette")
TABLE = "table:"
"""The prefix that marks a seat at an online table, not a file."""
DIGITS = "1234567890"
LOOK_EVERY = 5.0
"""Seconds after which home looks again for games that wait."""
BELT_STEP = 0.15
"""Seconds after which the belt moves by one column."""
BELT_RUNS = 30.0
"""Seconds without a key after which it stops."""


class HomeScreen(WasabiScreen[None]):
    where = "home"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("home")

    def __init__(self) -> None:
        super().__init__()
        self.at = 0
        self._waiting: list[WaitingGame] = []
        """Games online to come back to; those that wait for the person here come first."""
        self._left: UnfinishedGames | None = None
        """The games that can be continued; None before the first look."""
        self._drawn_for: Size | None = None
        self._moved = 0
        self._still = 0.0
        self.menu = HomeMenu(id="menu")

    @property
    def ways(self) -> tuple[str, ...]:
        games = (f"{TABLE}{one.seat}" for one in self._shown)
        return (*games, *(way for _, ways in self._groups for way in ways))

    @property
    def _shown(self) -> list[WaitingGame]:
        """The games that wait for which there is room."""
        plan = plan_home(self._means(), *self.size, self._sizes, len(self._waiting))
        return self._waiting[: plan.waiting if plan.drawn else MOST_WAITING]

    @property
    def _groups(self) -> list[tuple[str, tuple[str, ...]]]:
        """The course is the first of all until it was taken once, or somebody knows the game already."""
        friends = [("friends", FRIENDS)] if self.wasabi.goes_online else []
        left = self._left or UnfinishedGames()
        begun = ("continue",) if left.newest else ()
        more = ("unfinished",) if left.count > bool(left.newest or self._waiting) else ()
        if self.wasabi.progress.learned:
            return [("play", (*begun, *PLAY, *more)), *friends, ("more", MORE)]
        return [("play", ("learn", *begun, *PLAY, *more)), *friends, ("more", MORE_FIRST)]

    @property
    def _sizes(self) -> list[int]:
        return [len(ways) for _, ways in self._groups]

    @property
    def _numbered(self) -> list[str]:
        """The entries that digits choose, in order."""
        return [way for _, ways in self._groups for way in ways if way not in NAMED_WAYS]

    def compose(self) -> ComposeResult:
        yield self.menu

    def on_mount(self) -> None:
        self.menu.focus()
        self.watch(self.app, "texts", self.draw, init=False)
        self.watch(self.app, "paints", self.draw, init=False)
        if self.wasabi.goes_online:
            self.set_interval(LOOK_EVERY, self._look_for_games)
        self._belt = self.set_interval(BELT_STEP, self._move_belt)

    def on_resize(self) -> None:
        # Textual tells a new screen its size three times.
        if self.size != self._drawn_for:
            self.draw()

    def on_screen_resume(self) -> None:
        self._look_for_games()
        self._look_for_left()
        self.draw()
        self._wake()

    def _look_for_left(self) -> None:
        """Look up what can be continued; move the cursor to a game that was just closed."""
        before, chosen = self._left, self.ways[self.at] if self.at else None
        self._left = self.wasabi.games.unfinished(self.texts)
        if before is not None and _name(self._left) not in ("", _name(before)):
            chosen = "continue"
        self.at = self.ways.index(chosen) if chosen in self.ways else 0

    def _look_for_games(self) -> None:
        """Look up the waiting games; keep the chosen entry."""
        found = self.wasabi.games.waiting(self.texts) if self.wasabi.goes_online else []
        if found != self._waiting:
            chosen = self.ways[self.at] if self.at else None
            self._waiting = found
            self.at = self.ways.index(chosen) if chosen in self.ways else 0
            self.draw()

    def on_screen_suspend(self) -> None:
        self._belt.pause()

    def draw(self) -> None:
        """Show everything that can be done now."""
        if not self.size.width:
            return
        self._drawn_for = self.size
        means = self._means()
        groups = tuple(
            WayGroup(self.texts.say(f"tui.home-group.{name}"), tuple(self._way(way, means) for way in ways))
            for name, ways in self._groups
        )
        shown = self._shown
        games = tuple(Way("•", one.partners, one.situation, one.situation, self._continuing(one)) for one in shown)
        waiting = WayGroup(self.texts.say("tui.home-group.waiting"), games) if games else None
        self.at = min(self.at, len(self.ways) - 1)
        self.menu.view = HomeView(groups, self.at, waiting, tuple(means.keys.items()), self._moved)

    def _continuing(self, game: WaitingGame) -> str:
        if game.partners == self.texts.say("unfinished.alone"):
            return self.texts.say("tui.home.continue")
        return self.texts.say("tui.continue-with", names=game.partners)

    def _means(self) -> Means:
        remapped = self.wasabi.settings.keys
        keys = {name: shown_keys(BY_ID[name], remapped, self.texts)[0] for name in NAMED}
        return Means(self.wasabi.paints, self.texts, {}, {}, keys)

    def _way(self, way: str, means: Means) -> Way:
        key = means.keys[way] if way in NAMED_WAYS else DIGITS[self._numbered.index(way)]
        say, last = self.texts.say, self.wasabi.progress.last
        name = say(f"tui.home.{way}")
        if way == "continue" and self._left is not None and (game := self._left.newest) is not None:
            does = say("tui.continue-with", names=game.partners)
            return Way(key, name, game.hints[0], game.about, does, game.hints[1:])
        if way == "play" and last is not None:
            names = dict(self.wasabi.games.editions(self.texts))
            hint = f"{clean(names.get(last.edition, ''), 20)}, {say('tui.bots', count=len(last.rivals))}"
            return Way(key, name, hint, say("tui.as-last-time", game=hint))
        return Way(key, name, say(f"tui.home-hint.{way}"), say(f"tui.home-about.{way}"))

    def _move_belt(self) -> None:
        """Move the belt by one column, or pause it if nobody has touched anything for a while."""
        self._still += BELT_STEP
        if self.wasabi.settings.reduced_motion or self._still > BELT_RUNS or not self.menu.has_belt:
            self._belt.pause()
            return
        self._moved += 1
        if self.menu.view is not None:
            self.menu.view = self.menu.view._replace(moved=self._moved)

    def _wake(self) -> None:
        """Start the belt again because somebody is here."""
        self._still = 0.0
        if not self.wasabi.settings.reduced_motion:
            self._belt.resume()

    def on_key(self, event: events.Key) -> None:
        self._wake()
        if event.key in ("left", "right"):
            self._move_across()
        elif event.character and event.character in DIGITS[: len(self._numbered)]:
            self._choose(self.ways.index(self._numbered[DIGITS.index(event.character)]))
        else:
            return
        event.stop()

    def _move_across(self) -> None:
        """Move from one column to the same row of the other."""
        before, left = len(self._shown), len(self._groups[0][1])
        right = len(FRIENDS) if self.wasabi.goes_online else 0
        row = self.at - before
        if right and 0 <= row < left:
            self.at = before + left + min(row, right - 1)
        elif left <= row < left + right:
            self.at -= left
        else:
            return
        self.draw()

    def offers(self, action: KeyAction) -> bool:
        return action.id not in ("continue", "unfinished") or action.id in self.ways

    def action_row_up(self) -> None:
        self._move(-1)

    def action_row_down(self) -> None:
        self._move(1)

    def action_choose(self) -> None:
        self._go(self.ways[self.at])

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

    def action_leave(self) -> None:
        self.app.exit()

    def _move(self, by: int) -> None:
        self.at = (self.at + by) % len(self.ways)
        self.draw()

    def on_mouse_scroll_up(self) -> None:
        self._move(-1)

    def on_mouse_scroll_down(self) -> None:
        self._move(1)

    @on(HomeMenu.Pressed)
    async def _press(self, message: HomeMenu.Pressed) -> None:
        message.stop()
        if isinstance(message.press, ChooseRow):
            self._choose(message.press.row)
        elif isinstance(message.press, Do):
            await self.action_act(message.press.action)

    def _choose(self, row: int) -> None:
        self.at = row
        self.draw()
        self._go(self.ways[row])

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
            case "learn":
                self._learn()
            case "know":
                self._know()
            case "puzzle":
                self._choose_puzzle()
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
            self.at = 0
            self.draw()

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

    def _open_hosting(self) -> None:
        from ..forms.hosting import HostForm
        from .form import FormPage

        self.app.push_screen(FormPage(HostForm(self.wasabi.games.editions(self.texts))), self._host)

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
        self.app.push_screen(FormPage(form), lambda wish: self._start(wish) if wish is not None else None)

    def _choose_saved(self, way: str) -> None:
        from .page import ListPage

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
        options = [(one.name, one.words) for one in saved]
        page = ListPage(say(f"tui.home.{way}"), options, say(f"tui.list.{way}"))
        self.app.push_screen(page, self._continue if way == "unfinished" else self._replay)

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
            self.wasabi.open_replay(self.wasabi.games.read(name, self.texts))
        except Failure as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)

    def action_help(self) -> None:
        from ...engine.editions import rules_for
        from ..draw.pages import help_lines

        rules = rules_for("classic", 2)
        self.open_help(rules, help_lines(rules, None, self.texts, self.wasabi.settings.keys, "home"))


def _name(left: UnfinishedGames | None) -> str:
    """Return the name of the newest game that can be continued on this machine, or ""."""
    return left.newest.name if left is not None and left.newest is not None else ""
