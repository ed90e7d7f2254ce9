"""The positions of a game that a mover signed the digest of, as canonical bytes: what a page may show of it."""

from __future__ import annotations

from collections.abc import Iterator

from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.messages import Bundle, Leave

from .rules_adapter.log_events import sealed_of
from .rules_adapter.sealed_position import SealedPosition


def signed_positions(session: Session[SealedPosition]) -> Iterator[bytes]:
    """Yield the position after each bundle and each leave, in the order of the log."""
    for slot in session.log.slots[1:]:
        sealed = sealed_of(slot)
        if sealed is not None and any(isinstance(parse(signed.body), Bundle | Leave) for signed in slot.bodies):
            yield sealed.rules.canonical(sealed.position)
