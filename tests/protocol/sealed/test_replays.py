"""A message is valid in one place only, and only unchanged."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from wasabi_protocol.sealed.group import ORDER, Scalar, multiply_base
from wasabi_protocol.sealed.state import Place

from tests.protocol.sealed.situations import NAMES, Situation, leaves, put, situations, verdict
from tests.protocol.sealed.test_group import BAD_POINTS

PROVED = [name for name in NAMES if name != "reshuffle"]
OTHER = sha256(b"other").digest()


@pytest.fixture(params=PROVED)
def honest(request: pytest.FixtureRequest) -> Situation:
    found: Situation = situations()[request.param]
    return found


def test_the_honest_message_is_accepted(honest: Situation) -> None:
    honest.check()


def test_a_message_of_another_game_is_refused(honest: Situation) -> None:
    moved = honest.moved(decks=replace(honest.decks, gid=OTHER))
    assert verdict(moved).startswith("proof.")


def test_a_message_of_another_slot_is_refused(honest: Situation) -> None:
    slot, prev = honest.place
    assert verdict(honest.moved(place=Place(slot + 1, prev))).startswith("proof.")
    assert verdict(honest.moved(place=Place(slot, OTHER))).startswith("proof.")


def test_a_message_of_another_epoch_is_refused(honest: Situation) -> None:
    moved = honest.moved(decks=replace(honest.decks, epoch=honest.decks.epoch + 1))
    assert verdict(moved).startswith("proof.")


def test_a_message_of_another_person_in_the_seat_is_refused(honest: Situation) -> None:
    identities = tuple((seat, OTHER) for seat, _ in honest.decks.identities)
    assert verdict(honest.moved(decks=replace(honest.decks, identities=identities))).startswith("proof.")


def test_a_message_of_another_seat_is_refused(honest: Situation) -> None:
    for seat in honest.decks.seats:
        if seat == honest.seat:
            continue
        decks = honest.decks
        if decks.kind in ("shuffle", "multiply"):
            decks = replace(decks, turns=decks.seats.index(seat))
        code = verdict(honest.moved(seat=seat, decks=decks))
        assert code.split(".")[0] in ("proof", "state", "card", "encoding")


@pytest.mark.parametrize("name", [name for name in PROVED if not name.endswith("keys")])
def test_a_message_among_other_keys_is_refused(name: str) -> None:
    honest = situations()[name]
    assert honest.decks.keys is not None
    keys = tuple(
        replace(key, point=multiply_base(Scalar(bytes([9]) + bytes(31)))) if key.seat != honest.seat else key
        for key in honest.decks.keys.keys
    )
    changed = replace(honest.decks, keys=replace(honest.decks.keys, keys=keys))
    assert verdict(honest.moved(decks=changed)).startswith("proof.")


def test_a_flipped_bit_in_any_field_is_refused(honest: Situation) -> None:
    for path, leaf in leaves(honest.payload):
        if not isinstance(leaf, bytes):
            continue
        fields = range(0, len(leaf), 32)
        step = max(1, len(fields) // 12)
        for field in fields[::step]:
            bit = (field * 7 + 5) % 253
            flipped = bytearray(leaf)
            flipped[field + bit // 8] ^= 1 << bit % 8
            code = verdict(honest, put(honest.payload, path, bytes(flipped)))
            assert code.split(".")[0] in ("proof", "encoding")


def test_a_bad_point_or_scalar_in_any_field_is_refused(honest: Situation) -> None:
    bad = [raw for raw in BAD_POINTS.values() if isinstance(raw, bytes) and len(raw) == 32]
    for path, leaf in leaves(honest.payload):
        if not isinstance(leaf, bytes):
            continue
        fields = range(0, len(leaf), 32)
        step = max(1, len(fields) // 6)
        for number, field in enumerate(fields[::step]):
            wrong = leaf[:field] + bad[number % len(bad)] + leaf[field + 32 :]
            code = verdict(honest, put(honest.payload, path, wrong))
            assert code.split(".")[0] in ("proof", "encoding")
            raised = int.from_bytes(leaf[field : field + 32], "little") + ORDER
            if raised < 2**256:
                wrong = leaf[:field] + raised.to_bytes(32, "little") + leaf[field + 32 :]
                code = verdict(honest, put(honest.payload, path, wrong))
                assert code.split(".")[0] in ("proof", "encoding")
