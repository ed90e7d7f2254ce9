"""Hosting a table: every choice has a default, and one Enter accepts them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...app.values import TableWish
from ...bots.level_names import LEVEL_NAMES
from ...engine.editions import PRINTED
from ...net.address import Address
from ...online.terms import DAY, HINTS, HOUR, QUICK_START, WATCHERS_TALK
from ...text import Texts
from ...text.foreign import clean
from ...view.names import BY_LOT
from ...view.online.waiting_room import clock_line
from .choices import edition_about, next_rival, rival_field
from .form import Field, FieldGroup, Form, following

CLOCKS = (0, 60, 180, 600, 8 * HOUR, DAY, 3 * DAY, 7 * DAY)
"""Seconds a turn; from 8 hours on it is by correspondence."""
MOST = 4
TABLE = ("for", "broker", "seats", "least", WATCHERS_TALK)
GAME = ("edition", "bots", "level", "clock", "as-printed", HINTS)
ANYWHERE = "anywhere"
FOR = {
    "network": (False, False, False),
    "lobby": (False, True, False),
    "friends": (True, False, False),
    ANYWHERE: (False, False, True),
}
"""Kinds of guests, each with three settings: private table, everybody may sit, carried by relays."""
SWITCHES = (HINTS, QUICK_START, WATCHERS_TALK)
"""Options of the table; a table as printed is one without a quick start."""


class HostForm(Form[TableWish]):
    def __init__(
        self, editions: Sequence[tuple[str, str]], brokers: Sequence[Address] = (), in_browser: bool = False
    ) -> None:
        """Make the form; the `brokers` are those that this person has looked at.

        In a browser there is no broker of one's own, no relay is examined, and no bot runs beside the page.
        """
        self._in_browser = in_browser
        self._ways = {name: ways for name, ways in FOR.items() if not (in_browser and name == ANYWHERE)}
        self._editions = dict(editions)
        self._brokers = {address.url(): f"{address.host}:{address.port}" for address in brokers}
        self.result = TableWish(options=(QUICK_START,))
        self._edition = self.result.edition
        """The edition that was chosen; the table's own may be the same one as printed."""
        self._bots = [BY_LOT] * (MOST - 1)
        """The bots' names, including those not wanted now."""

    def title(self, texts: Texts) -> str:
        return texts.say("tui.home.host")

    def button(self, texts: Texts) -> str:
        return texts.say("hosting.open")

    def summary(self, texts: Texts) -> str:
        return texts.say("tui.home-about.host")

    @property
    def _for(self) -> str:
        wish = self.result
        return next(name for name, ways in FOR.items() if ways == (wish.private, wish.welcome, wish.anywhere))

    def groups(self, texts: Texts) -> list[FieldGroup]:
        def field(name: str) -> Field:
            fixed = name == "broker" and not self._brokers
            label, value, about = texts.say(f"hosting.{name}"), self._value(name, texts), self._about(name, texts)
            return Field(name, label, value, about, fixed=fixed)

        bots = [
            rival_field(f"bot {number}", texts.say("hosting.bot", number=number + 1), one, texts)
            for number, one in enumerate(self._bots[: self.result.bots])
        ]
        return [
            # Relays carry a table for friends anywhere, and need no other broker.
            FieldGroup(texts.say("hosting.table"), tuple(field(name) for name in TABLE if self._has(name))),
            FieldGroup(texts.say("new-game.game"), (*(field(name) for name in GAME if self._has(name)), *bots)),
        ]

    def _has(self, field: str) -> bool:
        if field == "broker":
            return not (self.result.anywhere or self._in_browser)
        return not (self._in_browser and field in ("bots", "level"))

    def _about(self, name: str, texts: Texts) -> str:
        match name:
            case "for":
                return texts.say(f"hosting.about-for.{self._for}")
            case "edition":
                return edition_about(self._edition, texts)
            case "level":
                return texts.say(f"new-game.about-level.{self.result.level}")
        return texts.say(f"hosting.about.{name}")

    def _value(self, name: str, texts: Texts) -> str:
        say, wish = texts.say, self.result
        yes_no = {True: say("tui.yes"), False: say("tui.no")}
        match name:
            case "edition":
                return clean(self._editions.get(self._edition, self._edition), 30)
            case "level":
                return say(f"tui.level.{wish.level}")
            case "clock":
                return clock_line(wish.clock, texts)
            case "for":
                return say(f"hosting.for-{self._for}")
            case "broker":
                return clean(", ".join(self._brokers[url] for url in wish.brokers), 30) or say("hosting.own-broker")
            case "as-printed":
                return yes_no[QUICK_START not in wish.options]
            case _ if name in SWITCHES:
                return yes_no[name in wish.options]
        return str(getattr(wish, name))

    def turn(self, field: str, by: int) -> None:
        wish = self.result
        if field.startswith("bot "):
            at = int(field.removeprefix("bot "))
            # Whoever is chosen here sits nowhere else, not even on a seat that is not wanted now.
            shown = [one for number, one in enumerate(self._bots[: wish.bots]) if number != at]
            chosen = next_rival(self._bots[at], by, shown)
            self._bots = [BY_LOT if one == chosen else one for one in self._bots]
            self._bots[at] = chosen
        match field:
            case "edition":
                self._edition = following(list(self._editions), self._edition, by)
            case "seats":
                wish = replace(wish, seats=following(range(2, MOST + 1), wish.seats, by))
                wish = replace(wish, least=wish.seats)
            case "least":
                wish = replace(wish, least=following(range(2, wish.seats + 1), wish.least, by))
            case "bots":
                wish = replace(wish, bots=following(range(wish.seats), wish.bots, by))
            case "level":
                wish = replace(wish, level=following(LEVEL_NAMES, wish.level, by))
            case "clock":
                wish = replace(wish, clock=following(CLOCKS, wish.clock, by))
            case _ if (switch := QUICK_START if field == "as-printed" else field) in SWITCHES:
                wish = replace(wish, options=tuple(one for one in SWITCHES if (one in wish.options) != (one == switch)))
            case "broker":
                ways = [(), *((url,) for url in self._brokers)]
                wish = replace(wish, brokers=following(ways, wish.brokers, by))
            case "for":
                private, welcome, anywhere = self._ways[following(list(self._ways), self._for, by)]
                brokers = () if anywhere else wish.brokers
                wish = replace(wish, private=private, welcome=welcome, anywhere=anywhere, brokers=brokers)
        printed = QUICK_START not in wish.options
        wish = replace(wish, edition=PRINTED.get(self._edition, self._edition) if printed else self._edition)
        bots = min(wish.bots, wish.seats - 1)
        self.result = replace(wish, bots=bots, rivals=tuple(one for one in self._bots[:bots] if one != BY_LOT))
