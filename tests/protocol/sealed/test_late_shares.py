"""Late shares: whoever draws plays on, the others give their shares with their next bundles, all else is as ever."""

from __future__ import annotations

from hashlib import sha256
from itertools import permutations
from random import Random

import pytest
from wasabi_protocol.sealed.decks import check
from wasabi_protocol.sealed.errors import SealedError, SealRefused
from wasabi_protocol.sealed.group import Scalar, multiply, negate_scalar
from wasabi_protocol.sealed.player import Draw, Payload, Reshuffle, Return, Reveal, Seal, TurnUp
from wasabi_protocol.sealed.proofs import prove_equal, prove_remask
from wasabi_protocol.sealed.state import Place

from tests.protocol.sealed.algebra import Coalition
from tests.protocol.sealed.situations import leaves, put
from tests.protocol.sealed.table import (
    Table,
    assert_all_cards_are_somewhere,
    deal,
    draw_everything,
    hand_over,
    random_turn,
    ready_table,
    spectate,
)
from tests.protocol.sealed.test_attacks import masking_key
from tests.protocol.sealed.test_privacy import Witness, assert_hands_are_hidden
from tests.protocol.sealed.test_totality import GARBAGE, mutate

SECRET = sha256(b"attacker").digest()
SIZES = (4, 4, 3)


def late_table(seats: int = 3, sizes: tuple[int, ...] = SIZES, name: str = "late") -> Table:
    return ready_table(seats, sizes, name, late=True)


def seals(table: Table, seat: int, *wanted: Seal) -> Payload:
    return table.players[seat].seals(table.decks, table.place, wanted)


def verdict(table: Table, seat: int, payload: object, kind: str = "seals", place: Place | None = None) -> str:
    before = table.decks.digest()
    try:
        check(table.decks, place or table.place, seat, kind, payload)
    except SealRefused as refused:
        assert table.decks.digest() == before
        return refused.code
    return "accepted"


def coming(table: Table) -> list[tuple[int | None, list[int]]]:
    """For whom cards are on their way, and who has given a share of each."""
    return [(pending.seat, [seat for seat, _ in pending.given]) for pending in table.decks.pending]


# What is as it should be


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_card_is_there_when_every_other_seat_has_played(seats: int) -> None:
    table = late_table(seats)
    table.bundle(0, Draw(0))
    (card,) = (pending.card for pending in table.decks.pending)
    for seat in range(1, seats):
        assert table.decks.owed == ("play", ())
        assert coming(table) == [(0, list(range(1, seat)))]
        with pytest.raises(SealRefused, match=r"card\.not-in-hand"):
            table.players[0].face(table.decks, card)
        assert table.decks.owes_shares(seat) == (card,)
        table.bundle(seat)
        assert not table.decks.owes_shares(seat)
    assert table.decks.hand(0) == (card,)
    assert table.players[0].face(table.decks, card) in range(SIZES[0])
    assert_all_cards_are_somewhere(table)
    assert spectate(table).digest() == table.decks.digest()


@pytest.mark.parametrize("order", permutations([1, 2, 3]))
def test_in_whatever_order_the_others_play_the_hand_is_the_same(order: tuple[int, ...]) -> None:
    table = late_table(4, name="any order")
    table.bundle(0, Draw(0), Draw(1))
    for seat in order:
        table.bundle(seat)
    assert [[seat for seat, _ in held.shares] for held in table.decks.held] == [[1, 2, 3]] * 2
    other = ready_table(4, SIZES, "any order")
    other.bundle(0, Draw(0), Draw(1))
    assert table.decks.held == other.decks.held
    assert table.players[0].hand(table.decks) == other.players[0].hand(other.decks)


def test_who_plays_out_of_turn_again_and_again_gives_each_share_once() -> None:
    table = late_table(3)
    table.bundle(0, Draw(0))
    table.bundle(1, Draw(0))
    table.bundle(1, Draw(1))
    assert coming(table) == [(0, [1]), (1, []), (1, [])]
    table.bundle(0)
    assert coming(table) == [(0, [1]), (1, [0]), (1, [0])]
    table.bundle(2)
    assert not table.decks.pending
    assert [len(table.decks.hand(seat)) for seat in range(3)] == [1, 2, 0]


def test_cards_of_one_seat_arrive_in_the_order_in_which_they_were_drawn() -> None:
    table = late_table(3)
    drawn = [table.decks.deck(deck)[0] for deck in (2, 0, 1)]
    table.bundle(0, Draw(2), Draw(0))
    table.bundle(1)
    table.bundle(0, Draw(1))
    table.bundle(2)
    assert list(table.decks.hand(0)) == drawn[:2]
    table.bundle(1)
    assert list(table.decks.hand(0)) == drawn


@pytest.mark.parametrize("seal", [TurnUp(2), Draw(2, seat=1)], ids=["up", "for another"])
def test_a_card_for_all_or_for_another_seat_stops_the_play_and_brings_all_others_too(seal: Seal) -> None:
    table = late_table(3)
    table.bundle(2, Draw(0))
    table.bundle(1, Draw(1))
    table.write([(0, "seals", seals(table, 0, seal, Draw(0)))])
    assert table.decks.owed == ("shares", (0, 1, 2))
    assert coming(table) == [(1, [0]), (seal.seat if isinstance(seal, Draw) else None, []), (0, [])]
    for seat in range(3):
        assert verdict(table, seat, seals(table, seat)) == "state.not-owed"
    table.answer_slot()
    assert not table.decks.pending
    assert verdict(table, 1, seals(table, 1)) == "accepted"
    assert_all_cards_are_somewhere(table)
    assert spectate(table) == table.decks


def test_who_has_nothing_left_to_give_is_not_in_the_shares_slot() -> None:
    table = late_table(3)
    table.bundle(0, Draw(0))
    table.bundle(1)
    table.write([(0, "seals", seals(table, 0, Draw(1, seat=1)))])
    assert table.decks.owed == ("shares", (0, 2))
    table.answer()
    assert [len(table.decks.hand(seat)) for seat in range(3)] == [1, 1, 0]


def test_a_reshuffle_leaves_cards_on_their_way_what_they_are() -> None:
    table = late_table(3)
    while table.decks.deck(2):
        table.bundle(0, TurnUp(2))
    table.bundle(0, Draw(0))
    before = table.decks.pending
    table.write([(1, "seals", seals(table, 1, Reshuffle(2, tuple(table.decks.faces)), Draw(1)))])
    assert table.decks.kind == "shuffle"
    table.answer()
    assert [pending.card for pending in table.decks.pending][:1] == [before[0].card]
    assert coming(table) == [(0, [1]), (1, [])]
    hand_over(table)
    draw_everything(table)
    assert spectate(table) == table.decks


def test_a_hand_shown_at_the_end_is_without_a_card_that_never_came() -> None:
    table = late_table(3)
    deal(table, 1)
    table.bundle(0, Draw(1))
    shown = table.players[0].hand(table.decks)
    (card,) = (pending.card for pending in table.decks.pending if pending.card.deck == 1)
    for seat in range(3):
        table.open(seat)
    assert table.decks.faces.items() >= shown.items()
    assert card not in table.decks.faces
    assert spectate(table) == table.decks


def test_at_other_tables_nothing_is_late() -> None:
    table = ready_table(3, SIZES)
    table.write([(0, "seals", seals(table, 0, Draw(0)))])
    assert table.decks.owed == ("shares", (1, 2))
    assert not any(pending.late for pending in table.decks.pending)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_long_random_games_conserve_the_cards_and_everybody_agrees(seats: int) -> None:
    chance = Random(seats)
    table = late_table(seats, (6, 5, 4), f"long {seats}")
    waits = 0
    for turn in range(90):
        random_turn(table, chance)
        waits += len(table.decks.pending)
        if turn % 15 == 14:
            assert_all_cards_are_somewhere(table)
    assert waits > 60
    seen = spectate(table)
    assert seen == table.decks
    assert seen.digest() == table.decks.digest()


def test_a_dumped_player_gives_the_same_bytes() -> None:
    table = late_table(3)
    table.bundle(0, Draw(0))
    player = table.players[1]
    again = type(player).load(player.dump())
    assert again.seals(table.decks, table.place, [Draw(1)]) == seals(table, 1, Draw(1))
    assert seals(table, 1)[:1] == seals(table, 1, Draw(1))[:1], "shares are the same whatever else is played"


# What is refused


def owing() -> Table:
    """Seat 1 owes shares of two cards of seat 0, and waits for one of its own, of which seat 0 has given its share."""
    table = late_table(3)
    table.bundle(1, Draw(1))
    table.bundle(0, Draw(0), Draw(2))
    return table


def test_a_bundle_without_the_shares_that_are_owed_is_refused() -> None:
    table = owing()
    honest = seals(table, 1, Draw(0))
    assert verdict(table, 1, honest) == "accepted"
    assert verdict(table, 1, []) == "shares.missing"
    assert verdict(table, 1, honest[1:]) == "shares.missing"
    assert verdict(table, 1, honest[::-1]) == "shares.missing"


def test_shares_given_twice_or_by_who_owes_none_are_refused() -> None:
    table = owing()
    honest = seals(table, 1)
    assert verdict(table, 1, honest * 2) == "encoding.shape"
    table.write([(1, "seals", honest)])
    assert verdict(table, 1, honest) == "encoding.shape"
    assert verdict(table, 0, honest) == "encoding.shape"
    assert verdict(table, 0, []) == "accepted"


def told(table: Table, seat: int, *numbers: int) -> object:
    """Well proved shares of cards on their way, by their numbers."""
    cards = [table.decks.pending[number] for number in numbers]
    x, firsts = masking_key(table.players[seat], table.decks), [pending.cipher.a for pending in cards]
    index = [number for pending in cards for number in pending.card]
    transcript = table.decks.context(table.place, seat).transcript(b"shares", index=index)
    shares = [multiply(x, first) for first in firsts]
    return [["shares", b"".join(shares), prove_equal(transcript, SECRET, x, firsts, shares)]]


def test_shares_of_fewer_or_more_or_other_cards_are_refused_however_well_they_are_proved() -> None:
    table = owing()
    assert [pending.seat for pending in table.decks.pending] == [1, 0, 0]
    assert verdict(table, 1, told(table, 1, 1, 2)) == "accepted"
    assert verdict(table, 1, told(table, 1, 2, 1)) == "proof.equality"
    for other in ((), (1,), (2,), (0, 1, 2), (1, 2, 2)):
        assert verdict(table, 1, told(table, 1, *other)) == "encoding.shape"
    for pair in ((0, 1), (0, 2), (1, 1)):
        assert verdict(table, 1, told(table, 1, *pair)) == "proof.equality"


def test_the_drawer_cannot_give_its_own_share() -> None:
    table = late_table(2)
    table.bundle(0, Draw(0))
    assert verdict(table, 0, told(table, 0, 0)) == "encoding.shape"
    assert verdict(table, 0, told(table, 0, 0)[0][1:], "shares") == "state.not-owed"  # type: ignore[index]


def test_shares_are_worth_nothing_in_another_slot_or_of_another_seat() -> None:
    table = owing()
    honest = seals(table, 1)
    slot, prev = table.place
    for place in (Place(slot + 1, prev), Place(slot, SECRET)):
        assert verdict(table, 1, honest, place=place) == "proof.equality"
    table.bundle(1)
    assert verdict(table, 2, honest) != "accepted"
    table.bundle(2)
    assert not table.decks.pending


def test_a_bent_bit_anywhere_in_late_shares_is_refused() -> None:
    table = owing()
    honest = seals(table, 1)
    for path, leaf in leaves(honest):
        if isinstance(leaf, bytes):
            for place in range(0, len(leaf), 16):
                bent = leaf[:place] + bytes([leaf[place] ^ 4]) + leaf[place + 1 :]
                assert verdict(table, 1, put(honest, path, bent)).split(".")[0] in ("proof", "encoding")


def test_whatever_comes_in_place_of_late_shares_gets_a_verdict() -> None:
    table, chance = owing(), Random("late")
    honest = seals(table, 1, Draw(0))
    before = table.decks.digest()
    for payload in [*GARBAGE, *([garbage] for garbage in GARBAGE), *(mutate(honest, chance) for _ in range(150))]:
        try:
            checked = check(table.decks, table.place, 1, "seals", payload)
        except SealedError:
            continue
        assert isinstance(checked.found, type(table.decks))
        assert not checked.found.owes_shares(1)
    assert table.decks.digest() == before


def test_a_card_on_its_way_is_neither_revealed_nor_returned() -> None:
    table = late_table(2)
    deal(table, 1)
    table.bundle(0, Draw(1))
    pending, held = table.decks.pending[-1], table.decks.hand(0)[0]
    for seal in (Reveal(held), Return(held)):
        assert verdict(table, 0, put(seals(table, 0, seal), (0, 1), list(pending.card))) == "card.not-in-hand"


# Who can read what


@pytest.mark.parametrize("victim", [0, 1, 2])
def test_all_others_together_cannot_read_a_card_on_its_way_nor_one_that_came(victim: int) -> None:
    table = late_table(3)
    deal(table)
    assert table.decks.pending
    assert len(assert_hands_are_hidden(table, victim).hidden()) == 2
    hand_over(table)
    assert len(assert_hands_are_hidden(table, victim).hidden()) == 2


def test_nobody_reads_a_card_before_the_last_other_seat_has_played() -> None:
    """Even if all but that one seat put together what they know, the drawer among them."""
    table = late_table(3)
    table.bundle(0, Draw(0))
    table.bundle(1)
    (card,) = (pending.card for pending in table.decks.pending)
    coalition = assert_hands_are_hidden(table, 2)
    assert coalition.cards[card].face not in coalition.known
    table.bundle(2)
    coalition = assert_hands_are_hidden(table, 2)
    assert coalition.cards[card].face in coalition.known
    assert coalition.reads(known=set()), "and then they do"


@pytest.mark.parametrize("seed", range(4))
def test_random_games_with_leaves_and_votes_leak_nothing(seed: int) -> None:
    chance = Random(seed)
    seats = [3, 4, 2, 4][seed]
    table = late_table(seats, SIZES, f"random {seed}")
    for turn in range(20):
        random_turn(table, chance)
        if turn == 8 and seats == 4:
            table.leave(2)
        if turn == 14 and len(table.decks.seats) > 2:
            table.vanish(table.decks.seats[-1])
        if turn % 7 == 6:
            assert_hands_are_hidden(table, chance.choice([0, 1]))
    assert spectate(table) == table.decks


@pytest.mark.parametrize("seed", range(2))
def test_no_seat_ever_gave_a_share_of_a_card_that_lies_in_a_deck(seed: int) -> None:
    chance = Random(200 + seed)
    table = late_table(4, (6, 5, 4), f"shares {seed}")
    witness = Witness(table)
    for turn in range(50):
        random_turn(table, chance)
        if turn == 20:
            assert table.decks.pending
            table.leave(chance.choice(table.decks.seats))
        if turn == 35:
            table.vanish(chance.choice(table.decks.seats))
    assert sum(map(len, witness.shared.values())) > 90


# Leaving and vanishing


@pytest.mark.parametrize("leaver", range(4))
def test_a_leave_while_cards_are_on_their_way(leaver: int) -> None:
    """Cards of the leaver, of others, shared by nobody, by the leaver alone and by all but the leaver."""
    table = late_table(4, (5, 5, 4), f"leaver {leaver}")
    deal(table, 1)
    hand_over(table)
    table.bundle(0, Draw(1))
    table.bundle(2, Draw(1))
    table.bundle(3, Draw(2))
    assert coming(table) == [(0, [2, 3]), (2, [3]), (3, [])]
    stay = [seat for seat in range(4) if seat != leaver]
    hands = {seat: table.players[seat].hand(table.decks) for seat in stay}
    table.leave(leaver)
    assert table.decks.kind == "play"
    for pending in table.decks.pending:
        assert leaver not in (pending.seat, *(seat for seat, _ in pending.given))
    assert table.decks.faces == {}
    for seat in stay:
        assert table.players[seat].hand(table.decks).items() >= hands[seat].items()
    assert_hands_are_hidden(table, stay[0])
    hand_over(table)
    assert [len(table.decks.hand(seat)) for seat in stay] == [1 + (seat != 1) for seat in stay]
    draw_everything(table)
    assert spectate(table) == table.decks


def test_a_leave_that_gives_the_last_share_brings_the_card() -> None:
    table = late_table(3)
    table.bundle(0, Draw(0))
    table.bundle(1)
    table.leave(2)
    assert not table.decks.pending
    assert len(table.players[0].hand(table.decks)) == 1
    table.bundle(0, Reveal(table.decks.hand(0)[0]))
    assert spectate(table) == table.decks


@pytest.mark.parametrize("leaver", [0, 1])
def test_a_leave_of_one_of_two_ends_it_also_with_a_card_on_its_way(leaver: int) -> None:
    table = late_table(2)
    table.bundle(0, Draw(0))
    table.leave(leaver)
    assert table.decks.owed == ("over", ())
    assert len(table.decks.hand(0)) == leaver
    assert spectate(table) == table.decks


def test_a_leave_that_keeps_a_card_on_its_way_or_owes_its_share_is_refused() -> None:
    table = owing()
    returns, shares, proof = table.players[0].leave(table.decks, table.place)
    assert isinstance(returns, list)
    assert isinstance(shares, bytes)
    assert verdict(table, 0, [returns, shares, proof], "leave") == "accepted"
    assert len(returns) == 2
    for fewer in (returns[:1], [], returns[::-1]):
        assert verdict(table, 0, [fewer, shares, proof], "leave") != "accepted"
    payload = table.players[1].leave(table.decks, table.place)
    assert isinstance(payload[1], bytes)
    for bent in (payload[1][:-64], payload[1][:-32], payload[1] + payload[1][-32:]):
        assert verdict(table, 1, [payload[0], bent, payload[2]], "leave") == "encoding.shape"
    swapped = payload[1][:-64] + payload[1][-32:] + payload[1][-64:-32]
    assert verdict(table, 1, [payload[0], swapped, payload[2]], "leave") == "proof.equality"


def test_nobody_brings_back_the_mask_of_a_card_that_a_leaver_returned_on_its_way() -> None:
    """Some seats' shares under that mask are public: the leaver and the next drawer could else take its mask off."""
    table = late_table(3, (1, 1))
    table.bundle(2, Draw(0))
    table.bundle(1)
    (pending,) = table.decks.pending
    r = table.players[2]._mask(table.decks, table.place, b"return", pending)
    table.leave(2)
    table.bundle(1, Draw(0))
    table.bundle(0)
    (card,) = table.decks.hand(1)
    held = table.decks.holding(1, card)

    def returned(mask: Scalar) -> str:
        transcript = table.decks.context(table.place, 1).transcript(b"return", card.deck, card)
        first, second, proof = prove_remask(transcript, SECRET, table.decks.joint.total, held.cipher, mask)
        assert (first == pending.cipher.a) == (mask == negate_scalar(r))
        return verdict(table, 1, [["return", list(card), first + second, proof]])

    assert returned(negate_scalar(r)) == "mask.repeated"
    assert returned(r) == "accepted"


@pytest.mark.parametrize("gone", range(4))
def test_a_vote_while_cards_are_on_their_way_voids_them(gone: int) -> None:
    table = late_table(4, (5, 5, 4), f"gone {gone}")
    deal(table, 1)
    hand_over(table)
    table.bundle(0, Draw(1))
    table.bundle(2, Draw(1))
    table.bundle(3, Draw(2))
    stay = [seat for seat in range(4) if seat != gone]
    hands = {seat: table.players[seat].hand(table.decks) for seat in stay}
    table.vanish(gone)
    assert not table.decks.pending
    assert [pending.seat for pending in table.decks.voided] == [seat for seat in (0, 2, 3) if seat != gone]
    assert {seat: table.players[seat].hand(table.decks) for seat in stay} == hands
    assert table.decks.late
    assert_hands_are_hidden(table, stay[0])
    assert_all_cards_are_somewhere(table)
    draw_everything(table)
    assert spectate(table) == table.decks


def test_a_draw_that_a_vote_made_void_is_not_late_when_it_is_drawn_anew() -> None:
    """Its drawer may be the one to move now: the others would have given their shares before that."""
    table = late_table(3)
    table.bundle(0, Draw(0))
    table.bundle(1)
    table.vanish(2)
    table.write([(0, "seals", seals(table, 0, Draw(0)))])
    assert table.decks.owed == ("shares", (1,))
    table.answer()
    assert len(table.players[0].hand(table.decks)) == 1
    table.bundle(0, Draw(1))
    assert table.decks.kind == "play", "what is drawn later is late again"


def test_after_a_vote_a_draw_of_another_seat_than_the_one_that_lost_its_card_is_late() -> None:
    table = late_table(3)
    table.bundle(0, Draw(0))
    table.vanish(2)
    table.bundle(1, Draw(0))
    assert coming(table) == [(1, [])]


@pytest.mark.parametrize("first", [0, 2])
def test_a_vote_in_the_shares_slot_that_late_cards_share_voids_them_all(first: int) -> None:
    table = late_table(3)
    table.bundle(first, Draw(0))
    table.write([(1, "seals", seals(table, 1, TurnUp(1)))])
    assert table.decks.kind == "shares"
    table.vanish(2)
    assert [pending.seat for pending in table.decks.voided] == ([0, None] if first == 0 else [None])
    draw_everything(table)


def test_a_vote_then_a_leave_with_new_cards_on_their_way() -> None:
    table = late_table(4, (5, 5, 4))
    deal(table, 1)
    table.vanish(3)
    for seat in (0, 1, 2):
        table.bundle(seat, Draw(1))
    table.leave(1)
    hand_over(table)
    assert_hands_are_hidden(table, 0)
    draw_everything(table)
    assert spectate(table) == table.decks


def test_a_coalition_sees_through_a_share_too_many_for_a_card_on_its_way() -> None:
    """The test of the test."""
    table = late_table(3)
    table.bundle(1, Draw(0))
    (card,) = (pending.card for pending in table.decks.pending)
    coalition = Coalition(table, 1)
    assert not coalition.reads()
    coalition.rows.append(coalition.open_form(card))
    assert coalition.reads()
