"""Events of a game, for the application: plain values, in the order in which they happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from wasabi_protocol.game.chain import S_co

if TYPE_CHECKING:
    from wasabi_protocol.game.chain import Slot, VerifiedEntry
    from wasabi_protocol.signed.envelope import Signed
    from wasabi_protocol.signed.messages import Abandon, Ballot, Head, Pledge, Wish
    from wasabi_protocol.voting.blame import Evidence


@dataclass(frozen=True, slots=True)
class EntryAccepted:
    """A valid entry was added to its slot."""

    entry: VerifiedEntry


@dataclass(frozen=True, slots=True)
class EntryHeld:
    """An entry names a past that is not known here; it is stored until then."""

    seat: int
    slot: int


@dataclass(frozen=True, slots=True)
class SlotClosed(Generic[S_co]):
    """Every owed entry, or every ballot, has arrived."""

    slot: Slot[S_co]


@dataclass(frozen=True, slots=True)
class Blamed:
    """Proof against a seat was found."""

    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Excluded:
    """A seat was voted out: everything after slot `base` is void and the next epoch begins."""

    seat: int
    base: int
    voters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SlotsUndone:
    """Everything after slot `base` is no longer part of the log; `words` decided the vote that now counts."""

    base: int
    words: tuple[Signed, ...]


@dataclass(frozen=True, slots=True)
class WordSaid:
    """A seat's ballot or pledge arrived."""

    word: Ballot | Pledge


@dataclass(frozen=True, slots=True)
class WishHeard:
    """A seat wants to leave or to play again."""

    wish: Wish


@dataclass(frozen=True, slots=True)
class Abandoned:
    """One of two seats states that it no longer waits for the other."""

    statement: Abandon


@dataclass(frozen=True, slots=True)
class HeadSeen:
    """A seat reports how far its log reaches; `ahead` if that is further than ours, or on another branch."""

    head: Head
    ahead: bool


@dataclass(frozen=True, slots=True)
class OtherRun:
    """Our own key is in use elsewhere; nothing is signed here until the user confirms."""

    run: bytes


Event = (
    EntryAccepted
    | EntryHeld
    | SlotClosed[S_co]
    | Blamed
    | Excluded
    | SlotsUndone
    | WordSaid
    | WishHeard
    | Abandoned
    | HeadSeen
    | OtherRun
)
