"""The relays that carry tables for friends anywhere: the packaged list, and the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..net.relays import BadRelays, Relay, choose_relays, packaged_relays, parse_relays
from ..store.paths import find_paths, short_path
from ..store.transcripts import read_text
from ..text import Texts
from .failure import Failure

RELAYS = "relays.toml"
"""Name of the user's own list, among the settings."""
MOST_RELAYS = 2


async def relays_for(texts: Texts) -> list[Relay]:
    """Return two relays that answer, to carry a table for friends anywhere; the user's own come first."""
    found = await choose_relays(own_relays(texts), list(packaged_relays().values()), MOST_RELAYS)
    if not found:
        raise Failure(texts.say("online.no-relay", file=short_path(_relays_file())))
    return found


def strangers_relays(texts: Texts) -> list[Relay]:
    """Return the relays where people who do not know one another meet: the user's own list, or else everybody's."""
    return own_relays(texts) or list(packaged_relays().values())


async def working_relays(relays: Sequence[Relay], texts: Texts) -> list[Relay]:
    """Return two of these relays that answer."""
    found = await choose_relays([], relays, MOST_RELAYS)
    if not found:
        raise Failure(texts.say("online.no-relay", file=short_path(_relays_file())))
    return found


def known_relays(texts: Texts) -> list[Relay]:
    """Return every relay that may carry a friend's table."""
    return [*own_relays(texts), *packaged_relays().values()]


def own_relays(texts: Texts) -> list[Relay]:
    """Return the relays of the user's own list, if there is one."""
    file = _relays_file()
    try:
        if not file.exists():
            return []
        # Numbers refer to the list that everybody has: friends get the addresses of our own relays.
        return [relay.unnumbered() for relay in parse_relays(read_text(file, limit=100_000))]
    except BadRelays as bad:
        if bad.line:
            raise Failure(texts.say("online.relays-no-toml", file=short_path(file), line=bad.line)) from None
        raise Failure(texts.say("online.bad-relays", file=short_path(file), entry=bad.entry, what=bad.reason)) from None
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(file), reason=error)) from None


def _relays_file() -> Path:
    return find_paths().config / RELAYS


def relay_notes(relays: Sequence[Relay], texts: Texts) -> list[str]:
    """Return notices about the relays that carry a table, and what they can see of it."""
    return [
        texts.say("online.relays", names=", ".join(f"{relay.name} ({relay.addresses[0].host})" for relay in relays))
    ]
