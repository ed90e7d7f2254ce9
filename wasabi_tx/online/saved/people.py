"""People this machine knows: the keys of those with whom it has played."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from wasabi_protocol.game.record import read_record
from wasabi_protocol.signed.codec import parse_as
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import Genesis
from wasabi_protocol.verdicts import Refused

from ...store.games import list_games, read_beginning

MOST_GAMES = 200
GENESIS_BYTES = 16_000
"""The genesis of any game fits into this many bytes."""


def known_people(games: Path) -> frozenset[bytes]:
    """Return the keys of the players in the newest games here."""
    found: set[bytes] = set()
    for path in list_games(games)[:MOST_GAMES]:
        with suppress(OSError, Refused):
            items, _ = read_record(read_beginning(path, GENESIS_BYTES))
            for _, envelope in items[:1]:
                found.update(key for key, _ in parse_as(Genesis, envelope[SIGNATURE_BYTES:]).joins)
    return frozenset(found)
