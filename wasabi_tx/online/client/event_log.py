"""The log of events at an online table, for finding faults: seats, slots and codes; never cards or talk."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import fields

from wasabi_protocol.signed.identity import fingerprint

from ...games import game
from . import events as table_events
from .client import Event

_logger = logging.getLogger(__name__)
_WARNINGS = (
    table_events.CannotPlay,
    table_events.Crowded,
    table_events.HostBroken,
    game.Unsaved,
    game.InvalidEntry,
    game.OtherRun,
    game.Rewound,
)
_FREQUENT = (game.Delivery, game.Overdue, game.Played, game.SeatStates, game.SetupProgress, table_events.Offered)
_OWN_WORDS = ("kind", "reason", "what")
"""Fields with text of this program or its machine; others may contain a name, a line of talk, a card or a secret."""


def log_event(title: str, event: Event) -> None:
    """Log the kind of an event at a table, with those of its fields that contain no secret."""
    level = logging.WARNING if isinstance(event, _WARNINGS) else logging.INFO
    level = logging.DEBUG if isinstance(event, _FREQUENT) else level
    _logger.log(level, "%s: %s", title, " ".join((type(event).__name__, *_harmless(event))))


def _harmless(event: Event) -> Iterator[str]:
    coded = isinstance(event, table_events.CannotPlay | game.InvalidEntry)
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name == "key":
            yield f"key={fingerprint(value)}"
        elif value is None or isinstance(value, int) or field.name in _OWN_WORDS or (coded and field.name == "code"):
            yield f"{field.name}={value}"
        elif isinstance(value, tuple) and all(isinstance(one, int) for one in value):
            yield f"{field.name}={','.join(map(str, value))}"
