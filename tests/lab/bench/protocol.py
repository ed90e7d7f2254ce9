"""The cost of sealed decks: `python -m tests.lab.bench.protocol`.

Every figure is processor time, the median of interleaved rounds, each divided by that of an Ed25519 verification right
before and after it. Bytes are those of the sealed messages only, without envelopes, except in the last row: that is the
file of a game, with everything that `wasabi-tx verify` does with it.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING

from nacl import bindings
from wasabi_protocol.sealed.decks import check
from wasabi_protocol.sealed.player import Draw, Return, Reveal, Seal

from tests.lab.bench.rounds import Work, costs
from tests.online.world import World
from tests.protocol.sealed.table import (
    CLASSIC,
    MASTER,
    Slot,
    Table,
    deal,
    largest_payload,
    new_table,
    ready_table,
    spectate,
    unpack,
)
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.games.bot_process import NODES
from wasabi_tx.games.local import seeded_shuffle
from wasabi_tx.online.result import check_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from wasabi_protocol.sealed.state import Card, Decks

    from wasabi_tx.engine.step import Step

SIGNED_BYTES = 1000
TURNS = 60
GAME = "10"
"""The seed of a game with that number of turns."""
FILE_GAME = "13"
"""The seed of a game of about that length at a table in memory."""
SEAT = 1
"""The seat whose work is measured."""


@dataclass
class Recording:
    """A part of a table's life, with the decks before each slot of it."""

    slots: list[tuple[Decks, Slot]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Total bytes of its messages."""
        return sum(len(raw) for _, slot in self.slots for _, _, raw in slot.entries)


def record(table: Table, act: Callable[[], object]) -> Recording:
    """Return what happens at the table during an action."""
    recording = Recording()
    first, before = len(table.log), [table.decks]
    table.after = before.append
    act()
    table.after = None
    for decks, item in zip(before, table.log[first:], strict=False):
        if isinstance(item, Slot):
            recording.slots.append((decks, item))
    return recording


def a_seat(table: Table, recording: Recording) -> Work:
    """Return the work of one seat: making its own answers, checking all other messages."""
    player = table.players[SEAT]

    def work() -> int:
        for decks, slot in recording.slots:
            for seat, kind, raw in slot.entries:
                if seat == SEAT and kind == decks.kind:
                    player.answer(decks, slot.place)
                else:
                    check(decks, slot.place, seat, kind, unpack(raw))
        return 1

    return work


def ed25519() -> int:
    """Verify a signed kilobyte repeatedly; return how often."""
    key, secret = bindings.crypto_sign_seed_keypair(sha256(b"bench").digest())
    signed = bindings.crypto_sign(bytes(SIGNED_BYTES), secret)
    for _ in range(200):
        bindings.crypto_sign_open(signed, key)
    return 200


def shuffle_figures() -> dict[str, tuple[Work, int]]:
    """Return the figures of one shuffle of 52 cards in one deck, made and checked."""
    table = new_table(2, (52,))
    table.until("shuffle", 1)
    recording = record(table, table.answer_slot)
    ((decks, slot),) = recording.slots
    ((seat, kind, raw),) = slot.entries

    def make() -> int:
        table.players[seat].answer(decks, slot.place)
        return 1

    def verify() -> int:
        check(decks, slot.place, seat, kind, unpack(raw))
        return 1

    return {"shuffle of 52 cards, made": (make, 0), "shuffle of 52 cards, checked": (verify, recording.size)}


def setup_figures() -> dict[str, tuple[Work, int]]:
    """Return the figures of one seat's work from nothing to shuffled decks."""
    figures = {}
    for name, sizes, most in (("classic", CLASSIC, 4), ("master", MASTER, 4)):
        for seats in range(2, most + 1):
            table = new_table(seats, sizes)
            recording = record(table, table.answer)
            figures[f"setup, {name}, {seats} seats"] = (a_seat(table, recording), recording.size)
    return figures


def play_figures() -> dict[str, tuple[Work, int]]:
    """Return the figures of one seat's work for single events at a table of four."""
    table = ready_table(4, CLASSIC)
    deal(table, 3)
    draw = record(table, lambda: table.bundle(0, Draw(0)))
    back = record(table, lambda: table.bundle(0, Return(table.decks.hand(0)[0])))
    show = record(table, lambda: table.bundle(0, Reveal(table.decks.hand(0)[0])))
    decks, place = table.decks, table.place

    def make_leave() -> int:
        table.players[3].give_up_hand(decks, place)
        return 1

    leave = record(table, lambda: table.leave(3))
    figures = {
        name: (a_seat(table, recording), recording.size)
        for name, recording in {"draw": draw, "return": back, "reveal": show, "leave, checked": leave}.items()
    }
    figures["leave, made"] = (make_leave, 0)
    for seats in (3, 4):
        table = ready_table(seats, CLASSIC)
        deal(table, 3)
        epoch = record(table, lambda table=table: table.vanish(0))  # type: ignore[misc]
        figures[f"new epoch, {seats} seats, 1 vanished"] = (a_seat(table, epoch), epoch.size)
    return figures


def whole_game() -> Table:
    """Return a game of four greedy players, whose draws, completions and returns also use sealed cards."""
    rules, bot = rules_for("classic", 4), find_bot("greedy")
    faces = Dealer(rules, seeded_shuffle(GAME)).faces
    position = rules.start(0)
    table = ready_table(4, CLASSIC)
    sealed: dict[int, Card] = {}
    while position.outcome is None:
        bundle = bot.choose(observe(rules, position, position.mover, faces), Random(GAME), NODES)
        held = set(position.seats[bundle.seat].recipes)
        position = rules.apply_bundle(position, bundle)
        before = set(table.decks.hand(bundle.seat))
        if seals := [seal for step in bundle.steps for seal in seals_of(step, sealed)]:
            table.bundle(bundle.seat, *seals)
        drawn = set(position.seats[bundle.seat].recipes) - held
        sealed |= zip(drawn, set(table.decks.hand(bundle.seat)) - before, strict=True)
    assert position.turn == TURNS
    return table


def seals_of(step: Step, sealed: dict[int, Card]) -> list[Seal]:
    """Return the seals for a step of the game."""
    match step.verb:
        case "draw":
            return [Draw(step.args[0] - 2)]
        case "claim":
            return [Reveal(sealed[step.args[0]])]
        case "pass":
            return [Return(sealed[card]) for card in step.args]
    return []


def drawn_decks() -> Table:
    """Shuffle and draw all cards, one a turn, with none shown or returned: the least that a whole game can be."""
    table = ready_table(4, CLASSIC)
    for turn, deck in enumerate(deck for deck, size in enumerate(CLASSIC) for _ in range(size)):
        table.bundle(turn % 4, Draw(deck))
    return table


def game_figures() -> dict[str, tuple[Work, int]]:
    """Return the figures of a spectator's work."""
    return {
        f"{sum(CLASSIC)} cards shuffled and drawn by four seats, checked": spectating(drawn_decks()),
        f"{TURNS}-turn game of four bots, checked by a spectator": spectating(whole_game()),
    }


def file_figures() -> dict[str, tuple[Work, int]]:
    """Return the figures of the file of a game of four bots: signatures, proofs and rules."""
    world = World(4, "classic", FILE_GAME, find=rules_for)
    world.run()
    world.finished()
    turns = world.people["p0"].game.observation().position.turn
    world.people["p0"].game.ledger.flush()
    data = world.people["p0"].disk.record

    def work() -> int:
        assert check_record(data, rules_for).fault is None
        return 1

    return {f"file of a {turns}-turn game of four bots, verified": (work, len(data))}


def spectating(table: Table) -> tuple[Work, int]:
    def work() -> int:
        spectate(table)
        return 1

    return work, sum(len(raw) for item in table.log if isinstance(item, Slot) for _, _, raw in item.entries)


def largest_messages() -> None:
    """Print the largest single messages; an entry may have 28,000 bytes."""
    for name, sizes in (("classic", CLASSIC), ("master", MASTER)):
        table = ready_table(4, sizes)
        print(f"largest message, {name}: {largest_payload(table):,} bytes at setup", end="")
        deal(table, 3)
        epoch = record(table, lambda table=table: table.vanish(0))  # type: ignore[misc]
        sizes_by_kind: dict[str, int] = {}
        for _, slot in epoch.slots:
            for _, kind, raw in slot.entries:
                sizes_by_kind[kind] = max(sizes_by_kind.get(kind, 0), len(raw))
        print("; in a new epoch", ", ".join(f"{kind} {size:,}" for kind, size in sizes_by_kind.items()))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    figures = shuffle_figures() | setup_figures() | play_figures() | game_figures() | file_figures()
    found = costs({name: work for name, (work, _) in figures.items()}, ed25519, rounds)
    print(f"in Ed25519 verifications of {SIGNED_BYTES} bytes, and in milliseconds of processor time")
    print(f"{'':58}{'verifications':>14}{'ms':>9}{'bytes':>9}")
    for name, (ratio, seconds) in found.items():
        print(f"{name:58}{ratio:>14,.0f}{1000 * seconds:>9.1f}{figures[name][1] or '':>9}")
    largest_messages()


if __name__ == "__main__":
    main()
