"""This machine's side of an online table: its key, its games folder, its rules, and how it connects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wasabi_protocol.signed.identity import Identity

from ..net.address import Address
from ..net.transport import Transport
from .client.patience import BOT_PATIENCE
from .terms import FindRules

Connect = Callable[[Sequence[Address]], Transport]
"""Makes the transport to one broker, given its addresses."""


@dataclass(frozen=True)
class Machine:
    """The settings of this machine for every table."""

    games: Path
    seed: bytes
    name: str
    find: FindRules
    connect: Connect
    realm: str = "main"
    share_hand: bool = True
    patience: float = BOT_PATIENCE
    """Seconds before a bot of this machine votes about an absent player."""
    credentials: Callable[[Address], Address] = lambda address: address
    """Adds the user and password that this machine knows for a broker."""
    kept_back: Callable[[Address], bool] = lambda _address: False
    """Returns whether a password that this machine knows for the same host is not sent to this address."""
    keeping: bool = False
    """True if nobody sits here now: a keeper answers what programs can answer, and chooses no move."""
    votes_yes: bool = False
    """True if a keeper agrees to go on without a player whose time is up; otherwise it votes no."""

    @property
    def me(self) -> Identity:
        return Identity(self.seed)
