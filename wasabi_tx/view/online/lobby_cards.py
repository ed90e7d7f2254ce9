"""The lobby as cards: the card of each table, and the facts about one of them in whole sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ...online.lobby import Offering
from ...online.terms import HINTS, QUICK_START, WATCHERS_TALK
from ...text.foreign import NAME, clean
from .lobby_columns import LobbyRow, Reader, age_words, clock_words, is_open, state_words

SHORT = 6
"""Letters shown of a table's name."""


def short_name(table: str) -> str:
    return table[:SHORT]


class Fact(NamedTuple):
    """A fact about a table: its label, and a sentence or two."""

    label: str
    words: str


@dataclass(frozen=True, kw_only=True)
class TableCard:
    """The card of a table; all its words are harmless."""

    table: str
    host: str
    edition: str
    clock: str
    taken: int
    seats: int
    state: str
    """The number of free seats, or why there is none."""
    seen: str
    """The time that the table has been here, or a note that it may be gone."""
    way: str
    """The effect of Enter."""
    open: bool
    fresh: bool


def way_to(offer: Offering, writes: bool, ours: bool = False) -> str:
    """Return the way to a table: `back` to our seat, `sit`, `knock` where we may not write, or `watch`."""
    return "back" if ours else "watch" if not is_open(offer) else "sit" if writes else "knock"


def table_card(row: LobbyRow, reader: Reader, writes: bool, ours: bool = False) -> TableCard:
    """Return the card of a table; `writes` says that the broker carries our messages, `ours` that we have a seat."""
    offer, say = row.offer, reader.texts.say
    return TableCard(
        table=offer.table,
        host=clean(offer.host, NAME),
        edition=clean(reader.edition_name(offer.edition), 40),
        clock=say("lobby.a-turn", time=clock_words(offer, reader)) if offer.clock else say("room.no-clock"),
        taken=min(offer.taken, offer.seats),
        seats=offer.seats,
        state=say("lobby.free", count=offer.seats - offer.taken)
        if row.open and offer.fresh
        else state_words(offer, reader),
        seen=_seen(offer, reader),
        way=say(f"lobby.way-{way_to(offer, writes, ours)}"),
        open=row.open,
        fresh=offer.fresh,
    )


def _seen(offer: Offering, reader: Reader) -> str:
    if not offer.fresh:
        return reader.texts.say("lobby.doubt")
    if offer.age < 60:
        return reader.texts.say("lobby.seen-now")
    return reader.texts.say("lobby.seen", time=age_words(offer, reader))


def table_facts(offer: Offering, reader: Reader, writes: bool) -> tuple[Fact, ...]:
    """Return what a person wants to know before sitting down."""
    host, say = clean(offer.host, NAME), reader.texts.say

    def fact(label: str, *words: str) -> Fact:
        return Fact(say(f"lobby.fact.{label}"), " ".join(words))

    def about(what: str, **params: object) -> str:
        return say(f"lobby.about.{what}", **params)

    seats = [about("seats", taken=offer.taken, seats=offer.seats)]
    if is_open(offer):
        early = offer.least < offer.seats
        seats.append(about("starts-with", host=host, least=offer.least) if early else about("starts-full"))
        door = about("sit") if writes else about("knock", host=host)
    else:
        door = about("begun" if offer.begun else "full")
    pace = [about("clock", time=clock_words(offer, reader)) if offer.clock else about("no-clock")]
    pace += [about("quick-start")] if QUICK_START in offer.options else []
    watchers = about("watchers-talk" if WATCHERS_TALK in offer.options else "watchers-silent")
    facts = [
        fact("edition", _edition(offer, reader)),
        fact("seats", *seats),
        fact("pace", *pace),
        fact("door", door, watchers),
        fact("hints", about("hints" if HINTS in offer.options else "no-hints")),
        fact("host", about("host", host=host, key=offer.fingerprint)),
    ]
    return (*facts, *([] if offer.fresh else [fact("doubt", about("doubt"))]))


def facts_title(offer: Offering, reader: Reader) -> str:
    """Return the title of these facts: the table and its edition."""
    edition = clean(reader.edition_name(offer.edition), 40)
    return reader.texts.say("tui.table", title=f"{short_name(offer.table)}, {edition}")


def _edition(offer: Offering, reader: Reader) -> str:
    """Describe how the edition is played, or return its name if we do not know it."""
    key = f"new-game.about-edition.{offer.edition}"
    return reader.texts.say(key) if reader.texts.knows(key) else clean(reader.edition_name(offer.edition), 40)
