"""Nobody but its owner can read a hand: no opponent, no coalition of all opponents, no spectator."""

from __future__ import annotations

from random import Random

import pytest
from wasabi_protocol.sealed.player import Draw, Return, Reveal, TurnUp

from tests.protocol.sealed.algebra import Coalition, plus
from tests.protocol.sealed.table import Slot, Table, deal, random_turn, ready_table

SIZES = (4, 4, 3)


def assert_the_algebra_is_that_of_the_real_points(coalition: Coalition) -> None:
    for card, cipher in coalition.decks.ciphers.items():
        a, b = coalition.cipher(coalition.cards[card])
        assert (coalition.true_value(a), coalition.true_value(b)) == tuple(cipher)
    for held in coalition.decks.held:
        a, b = coalition.cipher(coalition.cards[held.card])
        assert (coalition.true_value(a), coalition.true_value(b)) == tuple(held.cipher)


def assert_hands_are_hidden(table: Table, victim: int) -> Coalition:
    coalition = Coalition(table, victim)
    assert_the_algebra_is_that_of_the_real_points(coalition)
    assert not coalition.reads()
    return coalition


@pytest.mark.parametrize("victim", [0, 1, 2])
def test_all_others_together_cannot_read_a_hand(victim: int) -> None:
    table = ready_table(3, SIZES)
    deal(table)
    coalition = assert_hands_are_hidden(table, victim)
    assert len(coalition.hidden()) == 2


def test_one_share_more_and_they_would_read_it() -> None:
    """The method must find a leak where there is one, even if it only relates two cards."""
    table = ready_table(3, SIZES)
    deal(table)
    card, other = table.decks.hand(1)
    for told in (
        lambda coalition: coalition.open_form(card),
        lambda coalition: plus(coalition.open_form(card), coalition.open_form(other)),
    ):
        coalition = Coalition(table, 1)
        coalition.rows.append(told(coalition))
        assert coalition.reads()


def test_what_they_drew_themselves_they_can_compute() -> None:
    table = ready_table(3, SIZES)
    deal(table)
    coalition = Coalition(table, 1)
    assert not coalition.reads()
    assert coalition.reads(known=set())


def test_a_share_of_a_card_in_a_deck_would_give_it_away() -> None:
    table = ready_table(3, SIZES)
    coalition = Coalition(table, 1)
    assert not coalition.reads()
    coalition.rows.append(coalition.open_form(table.decks.deck(0)[0]))
    assert coalition.reads()


def test_a_card_that_the_victim_returns_and_another_draws_tells_nothing_of_the_rest() -> None:
    table = ready_table(3, (3, 2))
    deal(table, 1)
    (card,) = table.decks.hand(1)
    table.bundle(1, Return(card), Draw(1))
    while card in table.decks.deck(0):
        table.bundle(0, Draw(0))
    assert_hands_are_hidden(table, 1)


def test_a_card_that_others_returned_is_known_to_them_and_nothing_else_is() -> None:
    table = ready_table(3, (2, 2))
    table.bundle(0, Draw(0))
    (card,) = table.decks.hand(0)
    table.bundle(0, Return(card))
    table.bundle(1, Draw(0), Draw(0))
    coalition = assert_hands_are_hidden(table, 1)
    assert len(coalition.hidden()) == 1
    assert coalition.reads(known=set())
    assert not coalition.reads(known={coalition.cards[card].face})


def test_a_hand_stays_hidden_after_a_leave() -> None:
    table = ready_table(4, SIZES)
    deal(table)
    table.leave(2)
    assert len(assert_hands_are_hidden(table, 1).hidden()) == 2
    table.bundle(1, Return(table.decks.hand(1)[0]), Draw(2))
    table.bundle(0, Draw(0))
    assert_hands_are_hidden(table, 1)


@pytest.mark.parametrize("victim", [0, 1])
def test_a_hand_stays_hidden_through_two_epochs(victim: int) -> None:
    table = ready_table(4, (3, 3))
    for seat in table.decks.seats:
        table.bundle(seat, Draw(seat % 2))
    table.vanish(3)
    assert len(assert_hands_are_hidden(table, victim).hidden()) == 1
    table.bundle(victim, Draw(0))
    table.vanish(2)
    assert len(assert_hands_are_hidden(table, victim).hidden()) == 2
    table.bundle(1 - victim, Draw(1))
    table.bundle(victim, Reveal(table.decks.hand(victim)[0]))
    assert len(assert_hands_are_hidden(table, victim).hidden()) == 1


@pytest.mark.parametrize("kind", ["multiply", "tags", "shares"])
def test_a_hand_stays_hidden_when_an_epoch_is_broken_off(kind: str) -> None:
    table = ready_table(4, (3, 2))
    for seat in table.decks.seats:
        table.bundle(seat, Draw(seat % 2))
    table.exclude(3)
    table.until(kind)
    table.vanish(2)
    assert len(assert_hands_are_hidden(table, 1).hidden()) == 1


@pytest.mark.parametrize("seed", range(4))
def test_long_random_games_leak_nothing(seed: int) -> None:
    chance = Random(seed)
    seats = chance.choice([2, 3, 4])
    table = ready_table(seats, SIZES, f"random {seed}")
    for turn in range(24):
        random_turn(table, chance)
        if turn == 10 and seats == 4:
            table.leave(2)
        if turn == 16 and len(table.decks.seats) > 2:
            table.vanish(table.decks.seats[-1])
        if turn % 8 == 7:
            assert_hands_are_hidden(table, chance.choice([0, 1]))


class Witness:
    """Records which first components each seat has published a share of."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.shared: dict[int, set[bytes]] = {seat: set() for seat in table.decks.seats}
        self.events = 0
        self.before = table.decks
        table.after = self.look

    def look(self, decks: object) -> None:
        before, after = self.before, self.table.decks
        assert decks is after
        self.events += 1
        last = self.table.log[-1]
        for seat, kind, _ in last.entries if isinstance(last, Slot) else ():
            if kind == "shares":
                self.shared[seat] |= {pending.cipher.a for pending in before.wanted(seat)}
            elif kind == "tags":
                self.shared[seat] |= {pair.a for pair in before.chain}
            elif kind in ("seals", "open"):
                gone = {held.card for held in before.held} - {held.card for held in after.held}
                shown = gone & set(after.faces)
                self.shared[seat] |= {held.cipher.a for held in before.held if held.card in shown}
            elif kind == "leave":
                self.shared[seat] |= {cipher.a for cipher in after.ciphers.values()}
        lying = {cipher.a for cipher in after.ciphers.values()}
        for seat in after.seats:
            assert not self.shared[seat] & lying
        self.before = after


@pytest.mark.parametrize("seed", range(3))
def test_no_seat_ever_published_a_share_of_a_card_that_lies_in_a_deck(seed: int) -> None:
    chance = Random(100 + seed)
    table = ready_table(4, (6, 5, 4), f"shares {seed}")
    witness = Witness(table)
    for turn in range(60):
        random_turn(table, chance)
        if turn == 20:
            table.leave(chance.choice(table.decks.seats))
        if turn == 40:
            table.vanish(chance.choice(table.decks.seats))
    table.bundle(table.decks.seats[0], *(TurnUp(deck) for deck in range(3) if table.decks.deck(deck)))
    assert witness.events > 100
    assert sum(map(len, witness.shared.values())) > 150
