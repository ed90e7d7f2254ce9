"""The terms of a table: which game, for how many, with which options; and whether it can be played here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wasabi_protocol.game.state import LATE_SHARES as LATE_SHARES
from wasabi_protocol.sealed.cards import params_hash
from wasabi_protocol.signed.messages import MAX_CLOCK, Terms

from ...engine.rules import RULES_VERSION, AnyRules
from ...text.foreign import clean

CLOCK = 600
"""Seconds a turn before the others may vote, unless the host says otherwise: nobody can stop a game by only sitting."""

HOUR, DAY = 3600, 86_400
LONGEST_CLOCK = MAX_CLOCK
BY_CORRESPONDENCE = HOUR
"""A clock of so many seconds or more is for people who look in now and then: nobody is away before it has run out."""

HINTS, QUICK_START, WATCHERS_TALK = "hints", "quick-start", "watchers-talk"
OPTIONS = (HINTS, QUICK_START, WATCHERS_TALK)
"""What every table can have; late shares are for those by correspondence."""
LATE_SHARES_VERSION = RULES_VERSION + 1
"""The rules of tables with late shares: a program that does not know them must not take them for a cheat's."""

FindRules = Callable[[str, int], AnyRules]
"""The rules of an edition for a number of players; `KeyError` if this machine has no such edition."""


def counts_days(clock: int) -> bool:
    """Whether people would tell this clock in days."""
    return clock >= 2 * DAY and clock % DAY == 0


class Unplayable(Exception):
    """A table whose game this client cannot play; `code` says why."""

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


def make_terms(rules: AnyRules, least: int, most: int, clock: int = 0, options: Iterable[str] = ()) -> Terms:
    """What a host offers."""
    sizes = rules.deck_sizes()
    decks = tuple(sizes[deck] for deck in sorted(sizes))
    edition, options = rules.edition, tuple(sorted(set(options)))
    return Terms(
        edition.id,
        bytes.fromhex(edition.hash),
        LATE_SHARES_VERSION if LATE_SHARES in options else RULES_VERSION,
        params_hash(decks),
        decks,
        least,
        most,
        clock,
        options,
    )


def rules_of(terms: Terms, find: FindRules) -> Callable[[int], AnyRules]:
    """The rules that these terms name, for any number of seats; Unplayable if ours are others."""
    ours = LATE_SHARES_VERSION if LATE_SHARES in terms.options else RULES_VERSION
    if terms.rules != ours:
        raise Unplayable("rules-version", theirs=terms.rules, ours=ours)
    try:
        rules = find(terms.edition, terms.most)
    except KeyError:
        raise Unplayable("edition-unknown", edition=clean(terms.edition, 40)) from None
    if make_terms(rules, terms.least, terms.most, terms.clock, terms.options) != terms:
        raise Unplayable("edition-differs", edition=clean(terms.edition, 40))
    return lambda seats: find(terms.edition, seats)
