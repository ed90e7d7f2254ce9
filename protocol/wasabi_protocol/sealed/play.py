"""Sealed cards in a turn: draw, turn up, reveal, return, reshuffle."""

from __future__ import annotations

from dataclasses import replace

from wasabi_protocol.sealed.cards import read_card
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import SIZE, subtract
from wasabi_protocol.sealed.plain_values import blob, cut, items, number
from wasabi_protocol.sealed.proofs import EQUALITY_SIZE, verify_remask
from wasabi_protocol.sealed.setup import add_pile, advance
from wasabi_protocol.sealed.sharing import read_shares, share_transcript, show
from wasabi_protocol.sealed.shuffle import PAIR_SIZE, Ciphertext
from wasabi_protocol.sealed.state import Card, Decks, Pending, Place

MOST_SEALS = 64
_MOST_SEATS = 4


def check_seals(decks: Decks, place: Place, seat: int, payload: object) -> Decks:
    """Verify a turn's seals, all or nothing, and return the decks after them."""
    after = replace(decks, voided=()) if decks.voided else decks
    for seal in items(payload, at_most=MOST_SEALS):
        after = _seal(after, place, seat, items(seal))
    return advance(after, "carry")


def check_open(decks: Decks, place: Place, seat: int, payload: object) -> Decks:
    """Return the decks after a seat showed its whole hand."""
    shares, proof = items(payload, 2)
    hand = [held for held in decks.held if held.seat == seat]
    transcript = share_transcript(decks, place, seat, b"open", (held.card for held in hand))
    key = decks.joint.of(seat).point
    given = read_shares(transcript, seat, key, [held.cipher.a for held in hand], shares, proof)
    after = replace(decks, held=tuple(held for held in decks.held if held.seat != seat))
    for held, share in zip(hand, given.points, strict=True):
        after = show(after, held.card, subtract(held.open, share))
    return after


def return_card(decks: Decks, place: Place, seat: int, card: Card, cipher: object, proof: object) -> Decks:
    """Return a hand card to the bottom of its deck, under a mask for which no share has been published."""
    held = decks.holding(seat, card)
    first, second = cut(blob(cipher, PAIR_SIZE))
    transcript = decks.context(place, seat).transcript(b"return", card.deck, card)
    joint = decks.joint.total
    old, remask = held.cipher, blob(proof, EQUALITY_SIZE)
    masked = Ciphertext(*verify_remask(transcript, joint, old, first, second, remask))
    if masked.a in decks.masks:
        raise SealRefused("mask.repeated", card=card)
    return replace(
        decks,
        held=tuple(other for other in decks.held if other is not held),
        decks=_with_deck(decks, card.deck, (*decks.decks[card.deck], card)),
        ciphers={**decks.ciphers, card: masked},
    )


def _seal(decks: Decks, place: Place, seat: int, seal: list[object]) -> Decks:
    match seal:
        case ["draw", deck, to]:
            drawer = number(to, _MOST_SEATS)
            if drawer not in decks.seats:
                raise SealRefused("state.not-seated", who=drawer)
            return _draw(decks, _read_deck(decks, deck), drawer)
        case ["up", deck]:
            return _draw(decks, _read_deck(decks, deck), None)
        case ["reveal", card, share, proof]:
            return _reveal(decks, place, seat, read_card(card), share, proof)
        case ["return", card, cipher, proof]:
            return return_card(decks, place, seat, read_card(card), cipher, proof)
        case ["reshuffle", deck, cards]:
            return _reshuffle(decks, _read_deck(decks, deck), [read_card(card) for card in items(cards)])
        case _:
            raise SealRefused("encoding.shape", expected="seal")


def _draw(decks: Decks, deck: int, seat: int | None) -> Decks:
    if not decks.decks[deck]:
        raise SealRefused("deck.empty", deck=deck)
    card, *rest = decks.decks[deck]
    ciphers = dict(decks.ciphers)
    pending = Pending(card, seat, ciphers.pop(card))
    lying = _with_deck(decks, deck, tuple(rest))
    return replace(decks, decks=lying, ciphers=ciphers, pending=(*decks.pending, pending))


def _reveal(decks: Decks, place: Place, seat: int, card: Card, share: object, proof: object) -> Decks:
    held = decks.holding(seat, card)
    transcript = decks.context(place, seat).transcript(b"reveal", card.deck, card)
    given = read_shares(transcript, seat, held.key.point, [held.cipher.a], blob(share, SIZE), proof)
    after = replace(decks, held=tuple(other for other in decks.held if other is not held))
    return show(after, card, subtract(held.open, given.points[0]))


def _reshuffle(decks: Decks, deck: int, cards: list[Card]) -> Decks:
    if decks.decks[deck] or any(pile.deck == deck for pile in decks.piles):
        raise SealRefused("deck.not-empty", deck=deck)
    if not cards or len(set(cards)) < len(cards):
        raise SealRefused("reshuffle.cards", deck=deck)
    if any(card.deck != deck or card not in decks.faces for card in cards):
        raise SealRefused("card.not-open", deck=deck)
    faces = {card: face for card, face in decks.faces.items() if card not in cards}
    return add_pile(replace(decks, faces=faces), deck, [decks.faces[card] for card in cards])


def _read_deck(decks: Decks, value: object) -> int:
    return number(value, len(decks.sizes))


def _with_deck(decks: Decks, deck: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*decks.decks[:deck], cards, *decks.decks[deck + 1 :])
