"""More tables than one machine carries: `python -m tests.lab.load.many [--offers N] [--tables N] [--brokers N]`.

First a reader of one lobby in which so many hosts renew their offers: how many tables are listed, and the CPU time that
reading takes. Then tables that choose their broker by the highest hash of both names, so that nobody needs a
directory: how evenly they spread, and how many move when one broker is gone.
"""

from __future__ import annotations

import argparse
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from time import process_time

from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Offer
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.lobby import RENEW_EVERY
from wasabi_protocol.verdicts import Verdict

from tests.net.memory import MemoryBroker, MemoryTransport
from tests.online.world import secret
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.net.address import Address
from wasabi_tx.online.lobby import LobbyClient
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.terms import make_terms

TERMS = make_terms(rules_for("classic", 4), 4, 4)
ROUNDS = 3
"""Renewals of each host: the first one is retained, and heard all at once."""


def offer(who: Identity, n: int) -> bytes:
    salt = secret("salt", who.key)
    return signed_message(who, Offer(table_id(who.key, salt), who.key, salt, n, TERMS, b"", "Udon", 1, False))


def read_lobby(count: int) -> None:
    """Print how many of the offers one reader sees, and its CPU time."""
    hosts = [Identity(secret("host", number)) for number in range(count)]
    rounds = [[offer(who, n) for who in hosts] for n in range(1, ROUNDS + 1)]
    now = 0.0
    broker = MemoryBroker()
    home = Machine(Path(), secret("reader"), "Koi", rules_for, lambda _address: MemoryTransport(broker, "reader"))
    lobby = LobbyClient(home, Address("127.0.0.1", 1883), known=(), clock=lambda: now)
    for number, offers in enumerate(rounds):
        spent, refused = process_time(), 0
        for place, (who, payload) in enumerate(zip(hosts, offers, strict=True)):
            now = number * RENEW_EVERY + (place * RENEW_EVERY / count if number else 0.0)
            try:
                lobby.receive(f"wsb1/{home.realm}/lobby/{key_text(who.key)}", payload, retained=not number)
            except Verdict:
                refused += 1
        spent = process_time() - spent
        fresh = sum(one.fresh for one in lobby.offers())
        words = "at once, retained" if not number else f"in {RENEW_EVERY:.0f} s"
        print(
            f"{count} offers {words}: {len(lobby.offers())} listed, {fresh} of them renewed, {refused} not checked, "
            f"{spent:.2f} s of CPU",
            flush=True,
        )


def broker_of(table: bytes, brokers: list[bytes]) -> bytes:
    """Return the broker whose hash with this table is the highest."""
    return max(brokers, key=lambda broker: blake2b(broker + table, digest_size=8).digest())


def spread(tables: int, count: int) -> None:
    """Print how tables spread over brokers, and what happens when one of these is gone."""
    brokers = [f"mqtts://{number}.example.org".encode() for number in range(count)]
    spent = process_time()
    places = [broker_of(number.to_bytes(16, "big"), brokers) for number in range(tables)]
    spent = process_time() - spent
    sizes = Counter(places)
    even = tables / count
    gone = brokers[0]
    left = brokers[1:]
    some = range(0, tables, 20)
    moved = sum(broker_of(number.to_bytes(16, "big"), left) != places[number] for number in some)
    lost = sum(places[number] == gone for number in some)
    print(
        f"{tables} tables, {count} brokers: {min(sizes.values())} to {max(sizes.values())} a broker "
        f"({100 * (max(sizes.values()) / even - 1):.1f} % above even), {1e6 * spent / tables:.0f} us a table"
    )
    print(f"one broker gone: {100 * moved / len(some):.2f} % move, of which {lost} of {moved} were on it")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.load.many", description=__doc__)
    parser.add_argument("--offers", type=int, default=6_000)
    parser.add_argument("--tables", type=int, default=1_000_000)
    parser.add_argument("--brokers", type=int, default=40)
    wished = parser.parse_args()
    read_lobby(wished.offers)
    spread(wished.tables, wished.brokers)


if __name__ == "__main__":
    main()
