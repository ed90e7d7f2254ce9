"""Whole games of sealed cards: dealt, drawn, shown, returned, left, interrupted, and checked by a spectator."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from wasabi_protocol.sealed.cards import params_hash
from wasabi_protocol.sealed.decks import SealedMessage, check, check_row, close, open_decks
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.plain_values import items
from wasabi_protocol.sealed.player import Draw, Reshuffle, Return, Reveal, TurnUp
from wasabi_protocol.sealed.shuffle import PAIR_SIZE, proof_size

from tests.protocol.sealed.table import (
    CLASSIC,
    LARGEST_ENTRY,
    MASTER,
    SMALL,
    Slot,
    Table,
    assert_all_cards_are_somewhere,
    deal,
    draw_everything,
    largest_payload,
    new_table,
    random_turn,
    ready_table,
    spectate,
    unpack,
)
from wasabi_tx.engine.editions import rules_for


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_life_among_seats(seats: int) -> None:
    table = ready_table(seats)
    assert [len(table.decks.deck(deck)) for deck in range(3)] == list(SMALL)
    deal(table)
    for seat in table.decks.seats:
        assert len(table.players[seat].hand(table.decks)) == 2
    assert_all_cards_are_somewhere(table)

    shown, returned = table.decks.hand(0)
    faces = table.players[0].hand(table.decks)
    table.bundle(0, Reveal(shown), Return(returned), Draw(2))
    assert table.decks.faces == {shown: faces[shown]}
    assert table.decks.deck(returned.deck)[-1] == returned
    assert_all_cards_are_somewhere(table)
    draw_everything(table)
    assert table.players[0].hand(table.decks)[returned] == faces[returned]
    assert spectate(table) == table.decks
    assert spectate(table).digest() == table.decks.digest()


@pytest.mark.parametrize(("edition", "sizes"), [("classic", CLASSIC), ("master", MASTER)])
def test_these_are_the_editions_decks(edition: str, sizes: tuple[int, ...]) -> None:
    assert sorted(sizes) == sorted(rules_for(edition, 2).deck_sizes().values())


@pytest.mark.parametrize("seats", [2, 3, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("sizes", [CLASSIC, MASTER], ids=["classic", "master"])
def test_the_editions_decks_at_full_size(seats: int, sizes: tuple[int, ...]) -> None:
    """Two of four vanish one after the other; one of three leaves. The remaining two reveal, return and draw."""
    table = ready_table(seats, sizes)
    deal(table, 3)
    if sizes == MASTER:
        table.bundle(0, *(TurnUp(4) for _ in range(3)))
        assert len(table.decks.faces) == 3
    before, gone = table.faces(), [card for seat in range(2, seats) for card in table.decks.hand(seat)]
    if seats == 3:
        table.leave(2)
    for seat in range(3, 1, -1) if seats == 4 else ():
        table.vanish(seat)
    assert table.faces() == {card: face for card, face in before.items() if card not in gone}
    shown, returned, kept = table.decks.hand(0)
    table.bundle(0, Reveal(shown), Return(returned), Draw(3))
    assert table.decks.faces[shown] == before[shown]
    assert table.players[0].face(table.decks, kept) == before[kept]
    assert_all_cards_are_somewhere(table)
    assert largest_payload(table) < LARGEST_ENTRY - 500
    assert spectate(table) == table.decks


def test_a_largest_edition_still_fits_into_messages() -> None:
    assert len(params_hash((130,))) == 32
    table = new_table(2, (130,))
    table.until("shuffle", 1)
    assert 130 * PAIR_SIZE + proof_size([130]) < largest_payload(table) < LARGEST_ENTRY - 500
    with pytest.raises(SealRefused, match=r"decks\.sizes"):
        params_hash((100, 31))


@pytest.mark.parametrize("seats", [2, 3, pytest.param(4, marks=pytest.mark.long)])
def test_hundreds_of_draws_and_returns_conserve_the_cards(seats: int) -> None:
    chance = Random(seats)
    table = ready_table(seats, (6, 6, 6, 4))
    for turn in range(240):
        random_turn(table, chance)
        if turn % 20 == 19:
            assert_all_cards_are_somewhere(table)
    done = seals_in(table)
    assert done["draw"] >= 200
    assert done["return"] >= 100
    assert min(done[verb] for verb in ("reveal", "reshuffle")) >= 20
    assert spectate(table) == table.decks


def seals_in(table: Table) -> Counter[str]:
    """Return how often each kind of seal was used."""
    entries = [entry for slot in table.log if isinstance(slot, Slot) for entry in slot.entries]
    return Counter(str(items(seal)[0]) for _, kind, raw in entries if kind == "seals" for seal in items(unpack(raw)))


def test_a_card_turned_up_is_seen_by_everybody() -> None:
    table = ready_table(3)
    top = table.decks.deck(1)[0]
    table.bundle(2, TurnUp(1))
    assert set(table.decks.faces) == {top}
    assert top not in table.decks.deck(1)


def test_several_cards_on_their_way_at_once_arrive_in_one_round() -> None:
    table = ready_table(3)
    table.bundle(0, Draw(0), Draw(1, seat=1), TurnUp(2), Draw(0, seat=2))
    assert [len(table.decks.hand(seat)) for seat in range(3)] == [1, 1, 1]
    assert len(table.decks.faces) == 1
    assert_all_cards_are_somewhere(table)


def test_known_cards_are_shuffled_into_a_new_hidden_deck_in_mid_game() -> None:
    table = ready_table(3)
    deal(table, 1)
    while table.decks.deck(2):
        table.bundle(0, TurnUp(2))
    opened = tuple(card for card in table.decks.faces if card.deck == 2)
    kept, discarded = opened[0], opened[1:]
    table.bundle(1, Reshuffle(2, discarded), Draw(1))
    assert len(table.decks.deck(2)) == 2
    assert not set(table.decks.deck(2)) & set(opened)
    assert [card for card in table.decks.faces if card.deck == 2] == [kept]
    assert_all_cards_are_somewhere(table)
    draw_everything(table)
    assert spectate(table) == table.decks


def test_decks_are_shuffled_in_ascending_order_whichever_was_named_first() -> None:
    table = ready_table(2, (2, 1))
    table.bundle(0, TurnUp(0), TurnUp(0), TurnUp(1))
    open_cards = {deck: tuple(card for card in table.decks.faces if card.deck == deck) for deck in (0, 1)}
    payload = table.players[0].seals(table.decks, table.place, [Reshuffle(deck, open_cards[deck]) for deck in (1, 0)])
    table.write([(0, "seals", payload)])
    assert [pile.deck for pile in table.decks.piles] == [0, 1]
    table.answer()
    assert [len(table.decks.deck(deck)) for deck in (0, 1)] == [2, 1]


def test_a_card_returned_to_a_deck_that_is_being_shuffled_lies_at_its_bottom() -> None:
    table = ready_table(2, (3,))
    table.bundle(0, Draw(0))
    (kept,) = table.decks.hand(0)
    table.bundle(0, TurnUp(0), TurnUp(0))
    table.bundle(0, Reshuffle(0, tuple(table.decks.faces)), Return(kept))
    assert len(table.decks.deck(0)) == 3
    assert table.decks.deck(0)[-1] == kept


def test_a_hand_shown_at_the_end_lies_open() -> None:
    table = ready_table(2)
    deal(table)
    hands = table.faces()
    table.open(0)
    table.open(1)
    assert table.decks.faces == hands
    assert spectate(table) == table.decks


def test_a_deck_of_no_cards_and_a_deck_of_one() -> None:
    table = ready_table(2, (0, 1, 2))
    assert [len(table.decks.deck(deck)) for deck in range(3)] == [0, 1, 2]
    table.bundle(0, Draw(1))
    assert table.players[0].hand(table.decks) == {table.decks.hand(0)[0]: 0}
    with pytest.raises(SealRefused, match=r"deck\.empty"):
        table.bundle(0, Draw(0))


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_only_two_to_four_seats_play(seats: int) -> None:
    with pytest.raises(SealRefused, match=r"decks\.seats"):
        open_decks(bytes(32), {seat: bytes(32) for seat in range(seats)}, SMALL)


@pytest.mark.parametrize("sizes", [(), (131,), (-1, 5), (1,) * 17])
def test_only_decks_that_fit_are_played(sizes: tuple[int, ...]) -> None:
    with pytest.raises(SealRefused, match=r"decks\.sizes"):
        open_decks(bytes(32), {0: bytes(32), 1: bytes(32)}, sizes)


def test_shuffles_in_a_row_are_found_what_they_are_one_by_one() -> None:
    table = new_table(3, (3, 2))
    table.until("shuffle")
    before, first = table.decks, len(table.log)
    table.answer()
    slots = [item for item in table.log[first:] if isinstance(item, Slot)]
    row = [SealedMessage(slot.place, seat, unpack(raw)) for slot in slots for seat, _, raw in slot.entries]
    decks = before
    for checked, slot in zip(check_row(before, row), slots, strict=True):
        ((seat, kind, raw),) = slot.entries
        assert checked == check(decks, slot.place, seat, kind, unpack(raw))
        decks = close(decks, [checked])
    assert decks == table.decks


@pytest.mark.parametrize("seats", [(1, 2), (0, 2), (0, 0), (0, 1, 2, 0), (1,)], ids=str)
def test_a_row_of_shuffles_is_in_the_order_of_seats_from_the_one_that_is_due(seats: tuple[int, ...]) -> None:
    table = new_table(3, (3, 2))
    table.until("shuffle")
    payload = table.players[0].answer(table.decks, table.place)
    with pytest.raises(SealRefused, match=r"state\.not-owed"):
        check_row(table.decks, [SealedMessage(table.place, seat, payload) for seat in seats])


def test_there_is_no_row_of_shuffles_while_keys_are_owed() -> None:
    table = new_table(2, (3,))
    with pytest.raises(SealRefused, match=r"state\.not-owed"):
        check_row(table.decks, [SealedMessage(table.place, 0, [])])
