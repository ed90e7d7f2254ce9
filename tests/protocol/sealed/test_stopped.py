"""Verified cards that do not add up stop the game and blame nobody. Proofs rule this out, so decks are bent here."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wasabi_protocol.sealed.cards import face_point
from wasabi_protocol.sealed.decks import check
from wasabi_protocol.sealed.errors import SealedError, SealsStopped
from wasabi_protocol.sealed.group import Point, add, subtract
from wasabi_protocol.sealed.player import Draw, Reveal, TurnUp
from wasabi_protocol.sealed.shuffle import Ciphertext, card_point
from wasabi_protocol.sealed.state import Card, Decks

from tests.protocol.sealed.situations import dealt
from tests.protocol.sealed.table import Table, ready_table

FOREIGN = card_point(999)


def shifted(cipher: Ciphertext, by: Point = FOREIGN) -> Ciphertext:
    return Ciphertext(cipher.a, add(cipher.b, by))


def reveal(table: Table, decks: Decks) -> None:
    payload = table.players[1].seals(decks, table.place, [Reveal(decks.hand(1)[0])])
    check(decks, table.place, 1, "seals", payload)


def test_a_revealed_card_that_is_none_of_its_deck_stops_the_game() -> None:
    table = dealt()
    held = tuple(replace(held, cipher=shifted(held.cipher)) for held in table.decks.held)
    with pytest.raises(SealsStopped, match=r"face\.unknown"):
        reveal(table, replace(table.decks, held=held))


def test_a_card_of_another_deck_is_none_of_its_own() -> None:
    table = dealt()
    decks, card = table.decks, table.decks.hand(1)[0]
    own = face_point(decks.sizes, card.deck, table.players[1].face(decks, card))
    others = [(deck, face) for deck, size in enumerate(decks.sizes) if deck != card.deck for face in range(size)]
    assert others
    for other in others:
        by = subtract(face_point(decks.sizes, *other), own)
        held = tuple(replace(held, cipher=shifted(held.cipher, by)) for held in decks.held)
        with pytest.raises(SealsStopped, match=r"face\.unknown"):
            reveal(table, replace(decks, held=held))


def test_a_revealed_card_that_was_seen_before_stops_the_game() -> None:
    table = dealt()
    card = table.decks.hand(1)[0]
    seen = {Card(0, card.deck, 99): table.players[1].face(table.decks, card)}
    with pytest.raises(SealsStopped, match=r"face\.repeated"):
        reveal(table, replace(table.decks, faces=seen))


def test_a_card_turned_up_that_is_none_of_its_deck_stops_the_game() -> None:
    table = dealt()
    table.write([(0, "seals", table.players[0].seals(table.decks, table.place, [TurnUp(2)]))])
    pending = tuple(replace(pending, cipher=shifted(pending.cipher)) for pending in table.decks.pending)
    table.decks = replace(table.decks, pending=pending)
    with pytest.raises(SealsStopped, match=r"face\.unknown"):
        table.answer()


@pytest.mark.parametrize("code", ["tag.unmatched", "tag.repeated"])
def test_tags_that_do_not_match_stop_the_game(code: str) -> None:
    table = ready_table(3, (3, 2))
    table.bundle(0, Draw(0))
    table.exclude(2)
    table.until("multiply")
    chain = list(table.decks.chain)
    if code == "tag.unmatched":
        chain[-1] = shifted(chain[-1])
    else:
        chain[0] = chain[1]
    table.decks = replace(table.decks, chain=tuple(chain))
    with pytest.raises(SealsStopped) as stopped:
        table.answer()
    assert stopped.value.code == code
    assert isinstance(stopped.value, SealedError)
    assert str(stopped.value).startswith(code)
