"""A card returns to a deck only under a mask with no published shares, and no two cards share a mask."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from wasabi_protocol.sealed.decks import SealedMessage, check, check_row
from wasabi_protocol.sealed.epoch import carry_statement
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import (
    BASE,
    Point,
    Scalar,
    add,
    add_scalars,
    multiply,
    multiply_base,
    negate_scalar,
    subtract,
)
from wasabi_protocol.sealed.plain_values import cut
from wasabi_protocol.sealed.player import Draw
from wasabi_protocol.sealed.proofs import prove_carry, prove_remask
from wasabi_protocol.sealed.setup import shuffle_transcript
from wasabi_protocol.sealed.shuffle import Ciphertext, permute, prove_shuffle
from wasabi_protocol.sealed.state import Card

from tests.protocol.sealed.situations import dealt
from tests.protocol.sealed.table import Table, new_table, ready_table

SECRET = sha256(b"attacker").digest()


def returned(table: Table, card: Card, old: tuple[Point, Point], joint: Point, r: Scalar) -> str:
    """Return the verdict on seat 1's return of a card with this re-mask, proved as well as possible."""
    transcript = table.decks.context(table.place, 1).transcript(b"return", card.deck, card)
    first, second, proof = prove_remask(transcript, SECRET, joint, old, r)
    payload = [["return", list(card), first + second, proof]]
    try:
        check(table.decks, table.place, 1, "seals", payload)
    except SealRefused as refused:
        return refused.code
    return "accepted"


def test_a_return_without_a_new_mask_or_with_a_wrong_one_is_refused() -> None:
    table = dealt()
    card, other = table.decks.hand(1)
    held, wrong = table.decks.holding(1, card), table.decks.holding(1, other)
    joint, r = table.decks.joint.total, Scalar(bytes([5]) + bytes(31))
    assert returned(table, card, held.cipher, joint, r) == "accepted"
    assert returned(table, card, held.cipher, joint, Scalar(bytes(32))) == "return.same-mask"
    assert returned(table, card, wrong.cipher, joint, r) == "proof.equality"
    assert returned(table, card, held.cipher, table.decks.joint.of(1).point, r) == "proof.equality"
    assert returned(table, other, held.cipher, joint, r) == "proof.equality"
    mixed = (held.cipher.a, wrong.cipher.b)
    assert returned(table, card, mixed, joint, r) == "proof.equality"


def test_a_mask_that_brings_back_an_older_one_is_refused() -> None:
    """Otherwise, two players who pass a card on could undo each other's mask, whose shares are all public."""
    table = ready_table(3, (1, 1))
    joint, r = table.decks.joint.total, Scalar(bytes([5]) + bytes(31))
    table.bundle(1, Draw(0))
    (card,) = table.decks.hand(1)
    for back in (r, negate_scalar(r)):
        held = table.decks.holding(1, card)
        transcript = table.decks.context(table.place, 1).transcript(b"return", card.deck, card)
        first, second, proof = prove_remask(transcript, SECRET, joint, held.cipher, back)
        payload = [["return", list(card), first + second, proof]]
        if back == r:
            table.write([(1, "seals", payload)])
            table.bundle(1, Draw(0))
            continue
        with pytest.raises(SealRefused, match=r"mask\.repeated"):
            check(table.decks, table.place, 1, "seals", payload)


def test_a_shuffle_that_gives_two_cards_one_mask_is_refused() -> None:
    """The first shuffler knows every mask, so it could do this; a share of one card would then open the other."""
    table = new_table(2, (3,))
    table.until("shuffle")
    decks, place = table.decks, table.place
    (pile,) = decks.piles

    def told(equal: bool) -> object:
        transcripts = [shuffle_transcript(decks, place, 0) for _ in range(2)]
        honest = permute(transcripts[0], SECRET, decks.joint.total, [3], pile.ciphers)
        masks = [honest.masks[0]] * 3 if equal else honest.masks
        outputs = [
            Ciphertext(add(pile.ciphers[j].a, multiply_base(r)), add(pile.ciphers[j].b, multiply(r, decks.joint.total)))
            for j, r in zip(honest.order, masks, strict=True)
        ]
        permuted = replace(honest, masks=masks, outputs=outputs)
        proof = prove_shuffle(transcripts[1], SECRET, decks.joint.total, [3], pile.ciphers, permuted)
        return [b"".join(cipher.a + cipher.b for cipher in outputs), proof]

    check(decks, place, 0, "shuffle", told(equal=False))
    with pytest.raises(SealRefused, match=r"mask\.repeated"):
        check(decks, place, 0, "shuffle", told(equal=True))


@pytest.mark.parametrize("wrong", range(3))
def test_a_mask_that_lies_in_a_deck_or_is_spent_is_refused_in_a_shuffle_and_anywhere_in_a_row(wrong: int) -> None:
    table = new_table(3, (2, 1))
    table.until("shuffle")
    start, states, row = table.decks, [], []
    for seat in range(3):
        payload = table.players[seat].answer(table.decks, table.place)
        assert payload is not None
        states.append(table.decks)
        row.append(SealedMessage(table.place, seat, payload))
        table.answer_slot()
    check_row(start, row)
    outputs = row[wrong].payload[0]  # type: ignore[index]
    for first in map(Point, cut(outputs)[::2]):
        lying = {Card(0, 0, 9): Ciphertext(first, BASE)}
        for decks, alone in (
            (replace(start, spent=frozenset({first})), replace(states[wrong], spent=frozenset({first}))),
            (replace(start, ciphers=lying), replace(states[wrong], ciphers=lying)),
        ):
            with pytest.raises(SealRefused, match=r"mask\.repeated"):
                check(alone, row[wrong].place, wrong, "shuffle", row[wrong].payload)
            with pytest.raises(SealRefused, match=r"mask\.repeated"):
                check_row(decks, row)


def carrying() -> Table:
    """Return a table in a new epoch where seat 1 has two cards to carry over."""
    table = ready_table(3, (3, 2))
    table.bundle(1, Draw(0), Draw(1))
    table.exclude(2)
    table.until("carry")
    return table


def test_two_cards_carried_over_under_one_mask_are_refused() -> None:
    table = carrying()
    decks, place, player = table.decks, table.place, table.players[1]

    def told(masks: list[Scalar]) -> object:
        payload = []
        for held, r in zip(decks.held, masks, strict=True):
            carry, x = carry_statement(decks, held), player._x(decks, held.key)
            second = add(subtract(carry.open, multiply(x, carry.old)), multiply(r, carry.joint))
            transcript = decks.context(place, 1).transcript(b"carry", held.card.deck, held.card)
            proof = prove_carry(transcript, SECRET, carry, x, r, multiply_base(r), second)
            payload.append([multiply_base(r) + second, proof])
        return payload

    masks = [Scalar(bytes([number]) + bytes(31)) for number in (5, 6)]
    check(decks, place, 1, "carry", told(masks))
    with pytest.raises(SealRefused, match=r"mask\.repeated"):
        check(decks, place, 1, "carry", told(masks[:1] * 2))


def test_two_cards_returned_under_one_mask_are_refused() -> None:
    """A seat knows the mask of a card it carried over, so it could give two such cards the same one."""
    table = carrying()
    player, place = table.players[1], table.place
    known = {held.card: player._mask(table.decks, place, b"carry", held) for held in table.decks.held}
    table.answer()
    decks, place = table.decks, table.place

    def told(targets: list[Scalar]) -> object:
        payload = []
        for held, target in zip(decks.held, targets, strict=True):
            r = add_scalars(target, negate_scalar(known[held.card]))
            transcript = decks.context(place, 1).transcript(b"return", held.card.deck, held.card)
            first, second, proof = prove_remask(transcript, SECRET, decks.joint.total, held.cipher, r)
            assert first == multiply_base(target)
            payload.append(["return", list(held.card), first + second, proof])
        return payload

    targets = [Scalar(bytes([number]) + bytes(31)) for number in (5, 6)]
    check(decks, place, 1, "seals", told(targets))
    with pytest.raises(SealRefused, match=r"mask\.repeated"):
        check(decks, place, 1, "seals", told(targets[:1] * 2))
