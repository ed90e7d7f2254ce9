"""Players who leave, and players who vanish: the others keep their hidden hands and play on."""

from __future__ import annotations

import pytest
from wasabi_protocol.sealed.player import Draw, Reshuffle, Return, Reveal, SealedPlayer, TurnUp

from tests.protocol.sealed.table import (
    assert_all_cards_are_somewhere,
    deal,
    draw_everything,
    new_table,
    ready_table,
    spectate,
)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_leaver_takes_its_layer_off_and_reveals_nothing(seats: int) -> None:
    table = ready_table(seats)
    deal(table)
    left_hand = table.players[1].hand(table.decks)
    stay = {seat: table.players[seat].hand(table.decks) for seat in table.decks.seats if seat != 1}
    table.leave(1)
    assert table.decks.seats == tuple(stay)
    assert table.decks.faces == {}
    assert {seat: table.players[seat].hand(table.decks) for seat in stay} == stay
    table.bundle(0, Return(table.decks.hand(0)[0]), Draw(2))
    draw_everything(table)
    assert table.faces().items() >= left_hand.items()
    assert spectate(table) == table.decks


def test_who_alone_carried_cards_over_owes_no_shares() -> None:
    table = ready_table(3)
    table.bundle(1, Draw(0), Draw(1))
    table.exclude(2)
    table.until("shares")
    assert table.decks.owed.seats == (0,)
    table.answer()
    assert table.decks.kind == "play"
    assert len(table.players[1].hand(table.decks)) == 2


def test_leaving_until_one_is_left_ends_it() -> None:
    table = ready_table(3)
    deal(table)
    table.leave(0)
    table.leave(2)
    assert table.decks.kind == "over"
    assert table.decks.owed.seats == ()
    assert table.decks.hand(1) == spectate(table).hand(1)


def test_a_vanished_opponent_of_two_ends_it() -> None:
    table = ready_table(2)
    deal(table)
    table.vanish(1)
    assert table.decks.owed == ("over", ())
    assert table.players[0].hand(table.decks).keys() == set(table.decks.hand(0))


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_hands_outlive_a_vanished_seat(gone: int) -> None:
    table = ready_table(3)
    deal(table)
    table.bundle(1, Reveal(table.decks.hand(1)[0]))
    opened = dict(table.decks.faces)
    before = {seat: table.players[seat].hand(table.decks) for seat in table.decks.seats if seat != gone}
    table.vanish(gone)
    assert table.decks.epoch == 1
    assert {seat: table.players[seat].hand(table.decks) for seat in before} == before
    assert table.decks.faces == opened
    assert_all_cards_are_somewhere(table)
    draw_everything(table)
    assert spectate(table) == table.decks


def test_two_epochs_in_a_row_then_a_reveal() -> None:
    table = ready_table(4)
    deal(table)
    before = table.players[1].hand(table.decks)
    table.vanish(0)
    table.vanish(3)
    assert table.players[1].hand(table.decks) == before
    first, second = before
    table.bundle(1, Reveal(first), Return(second))
    assert table.decks.faces == {first: before[first]}
    draw_everything(table)
    assert spectate(table) == table.decks


@pytest.mark.parametrize(
    ("kind", "turns"),
    [
        ("keys", 0),
        ("carry", 0),
        ("shuffle", 0),
        ("shuffle", 1),
        ("multiply", 0),
        ("multiply", 2),
        ("tags", 0),
        ("shares", 0),
    ],
)
def test_a_seat_that_vanishes_while_an_epoch_is_set_up(kind: str, turns: int) -> None:
    table = ready_table(4, (4, 3))
    deal(table, 1)
    before = {seat: table.players[seat].hand(table.decks) for seat in (1, 2)}
    table.exclude(0)
    table.until(kind, turns)
    table.vanish(3)
    assert table.decks.epoch == 2
    assert {seat: table.players[seat].hand(table.decks) for seat in (1, 2)} == before
    assert_all_cards_are_somewhere(table)
    table.bundle(1, Reveal(table.decks.hand(1)[0]))
    assert spectate(table) == table.decks


@pytest.mark.parametrize(("kind", "turns"), [("keys", 0), ("shuffle", 0), ("shuffle", 2)])
def test_a_seat_that_vanishes_before_the_first_deal(kind: str, turns: int) -> None:
    table = new_table(3)
    table.until(kind, turns)
    table.vanish(1)
    deal(table)
    draw_everything(table)
    assert spectate(table) == table.decks


def test_a_draw_that_an_exclusion_interrupts_is_owed_anew() -> None:
    table = ready_table(3)
    deal(table, 1)
    table.write([(0, "seals", table.players[0].seals(table.decks, table.place, [Draw(1), TurnUp(2)]))])
    drawn = table.decks.pending
    assert table.decks.owed == ("shares", (0, 1, 2))
    table.vanish(2)
    assert table.decks.voided == drawn
    assert_all_cards_are_somewhere(table)
    table.bundle(0, Draw(2))
    assert table.decks.voided == ()


def test_a_reshuffle_that_an_exclusion_interrupts_is_done_by_the_new_epoch() -> None:
    table = ready_table(3)
    for _ in range(3):
        table.bundle(0, TurnUp(2))
    opened = tuple(table.decks.faces)
    table.write([(0, "seals", table.players[0].seals(table.decks, table.place, [Reshuffle(2, opened)]))])
    table.answer_slot()
    table.vanish(1)
    assert len(table.decks.deck(2)) == 3
    draw_everything(table)


def test_a_leave_then_a_return_by_another_then_an_epoch() -> None:
    table = ready_table(4)
    deal(table, 2)
    table.leave(2)
    returned = table.decks.hand(0)[0]
    face = table.players[0].hand(table.decks)[returned]
    table.bundle(0, Return(returned))
    while returned in table.decks.deck(0):
        table.bundle(3, Draw(0))
    assert table.players[3].face(table.decks, returned) == face
    before = {seat: table.players[seat].hand(table.decks) for seat in (1, 3)}
    table.vanish(0)
    assert {seat: table.players[seat].hand(table.decks) for seat in (1, 3)} == before
    draw_everything(table)
    assert spectate(table) == table.decks


def test_a_leave_after_an_epoch() -> None:
    table = ready_table(4)
    deal(table)
    table.vanish(3)
    before = {seat: table.players[seat].hand(table.decks) for seat in (0, 2)}
    table.leave(1)
    assert {seat: table.players[seat].hand(table.decks) for seat in (0, 2)} == before
    table.bundle(2, Return(table.decks.hand(2)[0]), Reveal(table.decks.hand(2)[1]))
    draw_everything(table)
    assert spectate(table) == table.decks


def test_an_epoch_without_hands_needs_no_tags() -> None:
    table = ready_table(3)
    table.exclude(1)
    kinds = []
    while table.decks.owed.seats:
        kinds.append(table.decks.kind)
        table.answer_slot()
    assert kinds == ["keys", "shuffle", "shuffle"]


def test_old_secrets_are_gone_once_an_epoch_is_settled() -> None:
    table = ready_table(3)
    deal(table)
    table.exclude(2)
    player = table.players[0]
    assert player.settled(table.decks) is player
    table.until("shares")
    assert player.settled(table.decks) is player
    table.answer()
    later = SealedPlayer.load(player.settled(table.decks).dump())
    assert later.secret != player.secret
    assert later.hand(table.decks) == player.hand(table.decks)
    table.players[0] = later
    table.bundle(0, Draw(2), Return(table.decks.hand(0)[0]))
    table.vanish()
    assert later.hand(table.decks) == player.hand(table.decks)
