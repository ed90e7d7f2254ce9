"""The terms of a table: its game, number of players and options; and whether it can be played here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wasabi_protocol.sealed.cards import params_hash
from wasabi_protocol.signed.codec import VERSION as PROTOCOL_VERSION
from wasabi_protocol.signed.messages import MAX_CLOCK, Terms

from ..engine.rules import RULES_VERSION, AnyRules
from ..text.foreign import clean

CLOCK = 600
"""Default seconds a turn before the others may vote: nobody can stop a game by just sitting there."""

HOUR, DAY = 3600, 86_400
LONGEST_CLOCK = MAX_CLOCK
BY_CORRESPONDENCE = HOUR
"""Least clock, in seconds, of correspondence play: people look in now and then, and nobody is away before it runs out.
"""

HINTS, QUICK_START, WATCHERS_TALK, EMOTES = "hints", "quick-start", "watchers-talk", "emotes"
OPTIONS = (HINTS, QUICK_START, WATCHERS_TALK)
STRANGERS = (EMOTES, QUICK_START)
"""The options of a table for strangers, who can say only the phrases of the digits."""
PHRASES = frozenset("123456789")
"""What can be said where there are `emotes`: a digit alone, which each reader sees as a phrase of their language."""

VERSIONS = {"protocol": PROTOCOL_VERSION, "rules": RULES_VERSION}
"""The versions that two clients must share."""

FindRules = Callable[[str, int], AnyRules]
"""Returns the rules of an edition for a number of players; raises `KeyError` if this machine lacks the edition."""


def counts_days(clock: int) -> bool:
    """Return whether people would state this clock in days."""
    return clock >= 2 * DAY and clock % DAY == 0


class Unplayable(Exception):
    """A table whose game this client cannot play; `code` is the reason."""

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


def make_terms(rules: AnyRules, least: int, most: int, clock: int = 0, options: Iterable[str] = ()) -> Terms:
    """Return the terms that a host offers."""
    sizes = rules.deck_sizes()
    decks = tuple(sizes[deck] for deck in sorted(sizes))
    edition = rules.edition
    return Terms(
        edition.id,
        bytes.fromhex(edition.hash),
        RULES_VERSION,
        params_hash(decks),
        decks,
        least,
        most,
        clock,
        tuple(sorted(set(options))),
    )


def rules_of(terms: Terms, find: FindRules) -> Callable[[int], AnyRules]:
    """Return the rules that these terms name, by number of seats; raise Unplayable if ours differ."""
    if terms.rules != RULES_VERSION:
        raise Unplayable("rules-version", theirs=terms.rules, ours=RULES_VERSION)
    try:
        rules = find(terms.edition, terms.most)
    except KeyError:
        raise Unplayable("edition-unknown", edition=clean(terms.edition, 40)) from None
    if make_terms(rules, terms.least, terms.most, terms.clock, terms.options) != terms:
        raise Unplayable("edition-differs", edition=clean(terms.edition, 40))
    return lambda seats: find(terms.edition, seats)
