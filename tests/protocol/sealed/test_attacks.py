"""Every known way to cheat with a message, and the verdict on it."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from itertools import count

import pytest
from nacl import bindings
from wasabi_protocol.sealed.decks import Checked, SealedMessage, check, check_row, close
from wasabi_protocol.sealed.epoch import multiply_transcript
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import (
    SIZE,
    Point,
    Scalar,
    add,
    add_scalars,
    multiply,
    multiply_base,
    multiply_scalars,
    negate_scalar,
    public_scalar,
    signature_challenge,
    signature_holds,
    subtract,
    weigh,
)
from wasabi_protocol.sealed.plain_values import items
from wasabi_protocol.sealed.player import Draw, Return, Reveal, SealedPlayer
from wasabi_protocol.sealed.proofs import _equality_weights, prove_equal, prove_key
from wasabi_protocol.sealed.secrets import Source
from wasabi_protocol.sealed.shuffle import PAIR_SIZE
from wasabi_protocol.sealed.state import Card, Decks
from wasabi_protocol.sealed.transcript import Context

from tests.protocol.sealed.situations import dealt, put, situations, verdict
from tests.protocol.sealed.table import Table, new_table, ready_table
from tests.protocol.sealed.test_group import BAD_BYTES, ORDER_2, ORDER_4, ORDER_8

SECRET = sha256(b"attacker").digest()


def test_a_shuffle_of_one_deck_is_none_of_another() -> None:
    situation = situations()["shuffle"]
    outputs, proof = situation.payload
    assert isinstance(outputs, bytes)
    size = PAIR_SIZE * len(situation.decks.piles[0].cards)
    assert verdict(situation, [outputs[size:] + outputs[:size], proof]) == "proof.shuffle"
    assert verdict(situation, [outputs[:size] + outputs[:-size], proof]) == "proof.shuffle"


def test_a_shuffle_of_some_decks_is_refused() -> None:
    table = new_table(2, (3, 2))
    table.until("shuffle")
    decks = table.decks
    for piles in (decks.piles[:1], decks.piles[::-1], decks.piles[1:]):
        payload = table.players[0].answer(replace(decks, piles=piles), table.place)
        with pytest.raises(SealRefused, match=r"encoding\.shape|proof\.shuffle"):
            check(decks, table.place, 0, "shuffle", payload)


def test_a_shuffle_that_leaves_the_cards_as_they_were_is_refused_without_its_proof() -> None:
    situation = situations()["shuffle"]
    unchanged = b"".join(pair.a + pair.b for pile in situation.decks.piles for pair in pile.ciphers)
    assert verdict(situation, [unchanged, situation.payload[1]]) == "proof.shuffle"


def test_a_row_is_of_the_seats_whose_turn_it_is() -> None:
    """The proofs of any other seats are not even examined."""
    table = new_table(3, (2,))
    with pytest.raises(SealRefused, match=r"state\.not-owed"):
        check_row(table.decks, [])
    table.until("shuffle", 1)
    decks = table.decks
    for seats in ((0,), (1, 1), (2, 1), (1, 2, 0), (1, 2, 3), (3,), (1, -1)):
        with pytest.raises(SealRefused, match=r"state\.not-owed"):
            check_row(decks, [SealedMessage(table.place, seat, [b"", b""]) for seat in seats])
    for seats in ((1,), (1, 2)):
        with pytest.raises(SealRefused, match=r"encoding\.shape"):
            check_row(decks, [SealedMessage(table.place, seat, [b"", b""]) for seat in seats])


@pytest.mark.parametrize("half", [0, 1], ids=["first", "second"])
@pytest.mark.parametrize("name", BAD_BYTES)
def test_what_lies_between_two_shuffles_of_a_row_is_a_point_or_refused(name: str, half: int) -> None:
    """The inputs of the second shuffle are not imported when it is read."""
    table = new_table(2, (2,))
    table.until("shuffle")
    decks, row = table.decks, []
    for seat in range(2):
        row.append(SealedMessage(table.place, seat, table.players[seat].answer(table.decks, table.place)))
        table.answer_slot()
    outputs, proof = items(row[0].payload, 2)
    assert isinstance(outputs, bytes)
    told = outputs[: SIZE * half] + BAD_BYTES[name] + outputs[SIZE * (half + 1) :]
    check_row(decks, row)
    with pytest.raises(SealRefused, match=r"encoding\.point"):
        check_row(decks, [row[0]._replace(payload=[told, proof]), row[1]])


def test_messages_of_two_places_make_no_slot() -> None:
    table = new_table(2, (1,))
    places = (table.place, table.place._replace(prev=bytes(32)))
    checked = [
        check(table.decks, place, seat, "keys", table.players[seat].answer(table.decks, place))
        for seat, place in enumerate(places)
    ]
    with pytest.raises(SealRefused, match=r"state\.other-slot"):
        close(table.decks, checked)


def key_of(table: Table, seat: int, x: Scalar) -> list[object]:
    transcript = table.decks.context(table.place, seat).transcript(b"key")
    return [bytes(multiply_base(x)), prove_key(transcript, SECRET, x)]


def masking_key(player: SealedPlayer, decks: Decks) -> Scalar:
    """Return the logarithm of a player's key, which only the player can compute."""
    key = decks.joint.of(player.seat)
    context = Context(decks.gid, key.epoch, *key.place, player.seat, decks.identity(player.seat))
    return Source(player.secret, context.transcript(b"masking key")).scalar(b"x")


def close_with_keys(*scalars: Scalar) -> Decks:
    table = new_table(len(scalars))
    payloads = [key_of(table, seat, x) for seat, x in enumerate(scalars)]
    return close(
        table.decks,
        [check(table.decks, table.place, seat, "keys", payload) for seat, payload in enumerate(payloads)],
    )


def test_two_seats_with_one_key_are_refused() -> None:
    x, y = Scalar(bytes([7]) + bytes(31)), Scalar(bytes([8]) + bytes(31))
    assert close_with_keys(x, y).kind == "shuffle"
    with pytest.raises(SealRefused, match=r"keys\.duplicate") as refused:
        close_with_keys(y, x, x)
    assert refused.value.seat == 2


def test_keys_that_cancel_are_refused() -> None:
    x = Scalar(bytes([7]) + bytes(31))
    with pytest.raises(SealRefused, match=r"keys\.identity"):
        close_with_keys(x, negate_scalar(x))


def test_a_key_of_an_earlier_epoch_is_refused() -> None:
    table = dealt()
    x = masking_key(table.players[1], table.decks)
    assert multiply_base(x) == table.decks.joint.of(1).point
    table.exclude(2)
    with pytest.raises(SealRefused, match=r"keys\.reused"):
        check(table.decks, table.place, 1, "keys", key_of(table, 1, x))


def test_only_a_card_in_ones_own_hand_is_revealed_or_returned() -> None:
    table = dealt()
    mine, theirs, lying = table.decks.hand(1)[0], table.decks.hand(2)[0], table.decks.deck(2)[0]
    for seal in (Reveal(mine), Return(mine)):
        honest = table.players[1].seals(table.decks, table.place, [seal])
        for card in (theirs, lying, Card(5, 0, 0), Card(0, 0, 77)):
            with pytest.raises(SealRefused, match=r"card\.not-in-hand"):
                check(table.decks, table.place, 1, "seals", put(honest, (0, 1), list(card)))
        other = table.decks.hand(1)[1]
        with pytest.raises(SealRefused, match=r"proof\.equality"):
            check(table.decks, table.place, 1, "seals", put(honest, (0, 1), list(other)))
        with pytest.raises(SealRefused, match=r"card\.not-in-hand"):
            check(table.decks, table.place, 1, "seals", honest * 2)


def test_a_share_of_a_card_that_lies_in_a_deck_is_refused() -> None:
    table = dealt()
    lying = table.decks.ciphers[table.decks.deck(2)[1]]
    table.write([(0, "seals", table.players[0].seals(table.decks, table.place, [Draw(2)]))])
    (card,) = (pending.card for pending in table.decks.wanted(1))
    transcript = table.decks.context(table.place, 1).transcript(b"shares", index=card)
    x = masking_key(table.players[1], table.decks)
    share = multiply(x, lying.a)
    proof = prove_equal(transcript, SECRET, x, [lying.a], [share])
    with pytest.raises(SealRefused, match=r"proof\.equality"):
        check(table.decks, table.place, 1, "shares", [bytes(share), proof])
    table.answer()
    with pytest.raises(SealRefused, match=r"state\.not-owed"):
        check(table.decks, table.place, 1, "shares", [bytes(share), proof])


def test_a_share_that_would_turn_the_card_into_another_is_refused() -> None:
    situation = situations()["shares of one"]
    decks, seat = situation.decks, situation.seat
    (pending,) = decks.wanted(seat)
    x = masking_key(situation.player, decks)
    lie = add(multiply(x, pending.cipher.a), subtract(multiply_base(x), pending.cipher.a))
    transcript = decks.context(situation.place, seat).transcript(b"shares", index=pending.card)
    proof = prove_equal(transcript, SECRET, x, [pending.cipher.a], [lie])
    assert verdict(situation, [bytes(lie), proof]) == "proof.equality"


@pytest.mark.parametrize("small", [ORDER_2, ORDER_4, ORDER_8], ids=["order 2", "order 4", "order 8"])
def test_a_factor_of_mixed_order_is_refused_though_its_proof_holds(small: bytes) -> None:
    """The small part cancels out if the challenge is a multiple of 8, which takes a few tries."""
    situation = situations()["epoch multiply"]
    decks, z = situation.decks, public_scalar(77)
    factor = Point(bindings.crypto_core_ed25519_add(multiply_base(z), small))
    bases = [half for pair in decks.chain for half in pair]
    images = [multiply(z, base) for base in bases]
    for nonce in map(public_scalar, count(1)):
        transcript = multiply_transcript(decks, situation.place, situation.seat)
        base = weigh(_equality_weights(transcript, factor, bases, images), bases)
        first, second = multiply_base(nonce), multiply(nonce, base)
        transcript.absorb(b"commitment", second)
        challenge = signature_challenge(factor, first, transcript.digest())
        if challenge[0] % 8 == 0:
            break
    answer = add_scalars(nonce, multiply_scalars(challenge, z))
    assert signature_holds(factor, first + answer, transcript.digest())
    assert verdict(situation, [bytes(factor), b"".join(images), first + second + answer]) == "encoding.point"


def test_what_was_not_checked_cannot_be_closed_by_hand() -> None:
    with pytest.raises(TypeError):
        Checked()


def test_nobody_writes_what_is_not_owed() -> None:
    table = dealt()
    table.write([(0, "seals", table.players[0].seals(table.decks, table.place, [Draw(2)]))])
    for seat, kind in ((0, "shares"), (1, "keys"), (1, "seals"), (1, "leave"), (3, "shares"), (1, "nonsense")):
        with pytest.raises(SealRefused, match=r"state\.not-owed"):
            check(table.decks, table.place, seat, kind, [])
    shares = check(table.decks, table.place, 1, "shares", table.players[1].answer(table.decks, table.place))
    for entries in ([], [shares], [shares, shares]):
        with pytest.raises(SealRefused, match=r"state\.incomplete"):
            close(table.decks, entries)
    other = ready_table(3)
    with pytest.raises(SealRefused, match=r"state\.other-slot"):
        close(other.decks, [shares])


@pytest.mark.parametrize(
    ("seals", "code"),
    [
        ([["draw", 3, 0]], "encoding.shape"),
        ([["draw", 0, 3]], "state.not-seated"),
        ([["draw", 0, 9]], "encoding.shape"),
        ([["draw", True, 0]], "encoding.shape"),
        ([["draw", -1, 0]], "encoding.shape"),
        ([["up", 2]] * 4, "deck.empty"),
        ([["reshuffle", 2, [[0, 2, 0]]]], "deck.not-empty"),
        ([["up", 2], ["up", 2], ["reshuffle", 2, [[0, 2, 0]]]], "card.not-open"),
        ([["up", 2], ["up", 2], ["reshuffle", 2, []]], "reshuffle.cards"),
        ([["steal", 0]], "encoding.shape"),
        ([[]], "encoding.shape"),
        ([["up", 0]] * 65, "encoding.shape"),
        (["draw"], "encoding.shape"),
        (None, "encoding.shape"),
    ],
)
def test_a_seal_that_makes_no_sense_is_refused(seals: object, code: str) -> None:
    table = dealt()
    with pytest.raises(SealRefused) as refused:
        check(table.decks, table.place, 1, "seals", seals)
    assert refused.value.code == code


def test_a_reshuffle_of_cards_of_another_deck_or_twice_the_same_is_refused() -> None:
    situation = situations()["reshuffle"]
    card, *_ = (card for card in situation.decks.faces)
    assert verdict(situation, [["reshuffle", 2, [list(card)] * 2]]) == "reshuffle.cards"
    assert verdict(situation, [["draw", 0, 1], ["reshuffle", 0, [list(card)]]]) == "card.not-open"
    assert verdict(situation, [["reshuffle", 2, [list(situation.decks.hand(1)[0])]]]) == "card.not-open"
    assert verdict(situation, [["reshuffle", 2, [list(card)]], ["reshuffle", 2, [list(card)]]]) == "deck.not-empty"
