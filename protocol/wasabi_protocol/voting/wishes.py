"""Wishes: a seat's out-of-turn requests to leave or to play again; a bundle that quotes a leave makes it count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wasabi_protocol.game.events import WishHeard
from wasabi_protocol.signed.codec import open_as
from wasabi_protocol.signed.messages import Wish
from wasabi_protocol.verdicts import Code, Invalid, Refused

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from wasabi_protocol.signed.envelope import Signed


class Wishes:
    """The wishes known to this client, one of each kind for each seat."""

    def __init__(self, gid: bytes, keys: Sequence[bytes]) -> None:
        self._gid = gid
        self._keys = tuple(keys)
        self._held: dict[tuple[int, str], Signed] = {}

    def receive(self, signed: Signed, wish: Wish) -> list[WishHeard]:
        """Record a seat's wish."""
        if wish.gid != self._gid:
            raise Refused(Code.WRONG_GAME)
        if wish.seat >= len(self._keys) or self._keys[wish.seat] != signed.key:
            raise Refused(Code.WRONG_SEAT)
        if (wish.seat, wish.want) in self._held:
            return []
        self._held[wish.seat, wish.want] = signed
        return [WishHeard(wish)]

    def leaves(self, among: Collection[int]) -> tuple[bytes, ...]:
        """Return the leave wishes of these seats, ascending by seat, as the next bundle quotes them."""
        return tuple(
            signed.envelope
            for (seat, want), signed in sorted(self._held.items(), key=lambda item: item[0])
            if want == "leave" and seat in among
        )

    def held(self) -> list[Signed]:
        """Return every wish known here."""
        return [signed for _, signed in sorted(self._held.items(), key=lambda item: item[0])]

    def leavers(self) -> tuple[int, ...]:
        """Return the seats that wish, or wished, to leave."""
        return tuple(sorted(seat for seat, want in self._held if want == "leave"))

    def rematch(self) -> tuple[int, ...]:
        """Return the seats that wish to play again."""
        return tuple(sorted(seat for seat, want in self._held if want == "rematch"))


def check_leaves(
    envelopes: Sequence[bytes], gid: bytes, keys: Sequence[bytes], among: Collection[int], author: int
) -> tuple[int, ...]:
    """Return the seats whose leave a bundle quotes; raise Invalid against its author if any quotation is invalid."""
    seats: list[int] = []
    for envelope in envelopes:
        seat = _leaver(envelope, gid, keys, among)
        if seat is None or (seats and seat <= seats[-1]):
            raise Invalid(Code.WRONG_WISH, author)
        seats.append(seat)
    return tuple(seats)


def _leaver(envelope: bytes, gid: bytes, keys: Sequence[bytes], among: Collection[int]) -> int | None:
    for seat in among:
        try:
            _, wish = open_as(Wish, keys[seat], envelope)
        except Refused:
            continue
        return seat if (wish.gid, wish.seat, wish.want) == (gid, seat, "leave") else None
    return None
