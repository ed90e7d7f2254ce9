"""The knowledge of a coalition of all other seats about one seat's cards, in linear algebra.

Computing with points means adding known multiples of them. So every point that the victim ever published is written
here as a polynomial in the victim's secrets, with the coalition's secrets as plain numbers: its keys, its masks, its
orders, its factors. A hidden face is a symbol of its own. The coalition learns something about hidden faces if and only
if some sum of known multiples of these polynomials contains nothing but faces.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from wasabi_protocol.sealed.cards import face_point
from wasabi_protocol.sealed.decks import begin_epoch, open_decks
from wasabi_protocol.sealed.group import BASE as G
from wasabi_protocol.sealed.group import IDENTITY, ORDER, Point, Scalar, add, multiply
from wasabi_protocol.sealed.plain_values import items
from wasabi_protocol.sealed.setup import shuffle_transcript
from wasabi_protocol.sealed.shuffle import permute

from tests.protocol.sealed.table import Exclusion, Table, read_slot, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wasabi_protocol.sealed.player import SealedPlayer
    from wasabi_protocol.sealed.state import Card, Decks, Held, Place

Monomial: TypeAlias = tuple[str, ...]
Polynomial: TypeAlias = dict[Monomial, int]
ONE: Polynomial = {(): 1}


def plus(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return left + right."""
    result = dict(left)
    for monomial, value in right.items():
        result[monomial] = (result.get(monomial, 0) + value) % ORDER
    return {monomial: value for monomial, value in result.items() if value}


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return left · right."""
    result: Polynomial = {}
    for one, value in left.items():
        for other, factor in right.items():
            result = plus(result, {tuple(sorted(one + other)): value * factor % ORDER})
    return result


def number(scalar: bytes) -> int:
    """Return a scalar as a number."""
    return int.from_bytes(scalar, "little")


def rank(rows: Iterable[Polynomial]) -> int:
    """Return how many of these are independent."""
    pivots: dict[Monomial, Polynomial] = {}
    for row in rows:
        rest = dict(row)
        while rest:
            lead = max(rest)
            if lead not in pivots:
                inverse = pow(rest[lead], -1, ORDER)
                pivots[lead] = {monomial: value * inverse % ORDER for monomial, value in rest.items()}
                break
            rest = plus(rest, times({(): ORDER - rest[lead]}, pivots[lead]))
    return len(pivots)


class Masked:
    """A card as the coalition sees it: the symbol of its face, and the polynomial of its mask."""

    def __init__(self, face: str, mask: Polynomial) -> None:
        self.face = face
        self.mask = mask


class Coalition:
    """Everybody but the victim, reading a log with all their secrets.

    The victim's secrets serve one purpose only: `true_value` compares the polynomials with the real points.
    """

    def __init__(self, table: Table, victim: int) -> None:
        self.players: dict[int, SealedPlayer] = table.players
        self.victim = victim
        self.rows: list[Polynomial] = [ONE]
        self.values: dict[str, int] = {}
        self.faces: dict[str, tuple[int, int]] = {}
        self.known: set[str] = set()
        self.cards: dict[Card, Masked] = {}
        self.carried: dict[Card, Masked] = {}
        self.piles: list[list[Masked]] = []
        self.chain: list[tuple[Polynomial, Masked]] = []
        self.key: Polynomial = {}
        self.joint: Polynomial = {}
        first = table.decks
        self.decks: Decks = open_decks(first.gid, dict(first.identities), first.sizes)
        for item in table.log:
            if isinstance(item, Exclusion):
                self.decks = begin_epoch(self.decks, item.out, self.decks.epoch + 1)
                self.cards = {held.card: self.cards[held.card] for held in self.decks.held}
                self.carried = {}
                continue
            after = read_slot(self.decks, item)
            for seat, kind, raw in item.entries:
                self._read(seat, kind, unpack(raw), item.place)
            self._settle(after)
            self.decks = after

    def reads(self, known: set[str] | None = None) -> bool:
        """Return whether the coalition can compute anything about faces beyond those it may know."""
        entitled = self.known if known is None else known

        def told(monomial: Monomial) -> bool:
            return len(monomial) == 1 and (monomial[0][0] == "M" or monomial[0] in entitled)

        def face(monomial: Monomial) -> bool:
            return len(monomial) == 1 and monomial[0][0] in "MF"

        with_faces = [{m: v for m, v in row.items() if not told(m)} for row in self.rows]
        without = [{m: v for m, v in row.items() if not face(m)} for row in self.rows]
        return rank(with_faces) > rank(without)

    def hidden(self) -> set[str]:
        """Return the symbols of faces in the victim's hand that the coalition has never held or seen."""
        return {self.cards[card].face for card in self.decks.hand(self.victim)} - self.known

    def open_form(self, card: Card) -> Polynomial:
        """Return the victim's share of a card, the part missing to read it."""
        return times(self.key, self.cards[card].mask)

    def true_value(self, polynomial: Polynomial) -> Point:
        """Return the point that a polynomial represents, using the victim's secrets."""
        result = IDENTITY
        for monomial, coefficient in polynomial.items():
            point, factor = G, coefficient
            for symbol in monomial:
                if symbol in self.faces:
                    point = face_point(self.decks.sizes, *self.faces[symbol])
                else:
                    factor = factor * self.values[symbol] % ORDER
            result = add(result, multiply(_scalar(factor), point))
        return result

    def cipher(self, masked: Masked) -> tuple[Polynomial, Polynomial]:
        """Return both halves of a masked card."""
        return masked.mask, plus({(masked.face,): 1}, times(self.joint, masked.mask))

    def _secret(self, name: str, value: Scalar | int) -> Polynomial:
        self.values[name] = value if isinstance(value, int) else number(value)
        return {(name,): 1}

    def _mine(self, seat: int, name: str, value: Scalar) -> Polynomial:
        """Return a seat's secret number: a symbol if it is the victim's, else the number."""
        return self._secret(name, value) if seat == self.victim else {(): number(value)}

    def _read(self, seat: int, kind: str, payload: object, place: Place) -> None:
        match kind:
            case "keys":
                x = self.players[seat]._key_scalar(self.decks, self.decks.epoch, place)
                key = self._mine(seat, f"x{self.decks.epoch}", x)
                if seat == self.victim:
                    self.key = key
                    self.rows.append(key)
                self.joint = key if seat == self.decks.seats[0] else plus(self.joint, key)
            case "shuffle":
                self._shuffle(seat, place)
            case "carry":
                for held in self._hand(seat):
                    r = self.players[seat]._mask(self.decks, place, b"carry", held)
                    mask = self._mine(seat, f"carry {place.slot} {held.card}", r)
                    self.carried[held.card] = Masked(self.cards[held.card].face, mask)
                    self._publish(seat, self.carried[held.card])
            case "multiply":
                self._multiply(seat, place)
            case "tags":
                self._share(seat, (times(factor, masked.mask) for factor, masked in self.chain))
            case "shares":
                wanted = (pending.card for pending in self.decks.wanted(seat))
                self._share(seat, (self.carried.get(card, self.cards[card]).mask for card in wanted))
            case "open":
                self._share(seat, (self.cards[held.card].mask for held in self._hand(seat)))
            case "leave":
                for held in self._hand(seat):
                    self._return(seat, held, place)
                lying = (*self.decks.ciphers, *self.decks.hand(seat))
                self._share(seat, (self.cards[card].mask for card in lying))
            case _:
                for seal in items(payload):
                    self._seal(seat, items(seal), place)

    def _seal(self, seat: int, seal: list[object], place: Place) -> None:
        if seal[0] not in ("reveal", "return"):
            return
        (held,) = (held for held in self._hand(seat) if list(held.card) == seal[1])
        if seal[0] == "reveal":
            self._share(seat, [self.cards[held.card].mask])
        else:
            self._return(seat, held, place)

    def _return(self, seat: int, held: Held, place: Place) -> None:
        r = self.players[seat]._mask(self.decks, place, b"return", held)
        old = self.cards[held.card]
        shift = self._mine(seat, f"return {place.slot} {held.card}", r)
        self.cards[held.card] = Masked(old.face, plus(old.mask, shift))
        self._publish(seat, self.cards[held.card])

    def _shuffle(self, seat: int, place: Place) -> None:
        decks = self.decks
        if decks.turns == 0:
            self.piles = [self._fresh(deck, pile_faces) for deck, pile_faces in self._pile_faces()]
        secret, row = self.players[seat]._secret(decks.epoch), [masked for pile in self.piles for masked in pile]
        sizes = [len(pile.cards) for pile in decks.piles]
        inputs = [cipher for pile in decks.piles for cipher in pile.ciphers]
        permuted = permute(shuffle_transcript(decks, place, seat), secret, decks.joint.total, sizes, inputs)
        moved = []
        for index, (source, r) in enumerate(zip(permuted.order, permuted.masks, strict=True)):
            old = row[source]
            if seat != self.victim:
                moved.append(Masked(old.face, plus(old.mask, {(): number(r)})))
                continue
            # The victim's fresh mask and secret order make this a new mask on an unknown face for others.
            name = f"{place.slot} {index}"
            self.faces["F" + name] = self.faces[old.face]
            mask = self._secret("m" + name, (self._evaluate(old.mask) + number(r)) % ORDER)
            moved.append(Masked("F" + name, mask))
        for masked in moved:
            self._publish(seat, masked)
        rest = iter(moved)
        self.piles = [list(islice(rest, size)) for size in sizes]

    def _pile_faces(self) -> list[tuple[int, list[int]]]:
        """Return the faces of each pile before its first shuffle, found like anybody could: by comparing points."""
        result = []
        for pile in self.decks.piles:
            sizes, joint = self.decks.sizes, self.decks.joint.total
            table = {add(face_point(sizes, pile.deck, face), joint): face for face in range(sizes[pile.deck])}
            result.append((pile.deck, [table[cipher.b] for cipher in pile.ciphers]))
        return result

    def _fresh(self, deck: int, faces: list[int]) -> list[Masked]:
        for face in faces:
            self.faces[f"M {deck} {face}"] = (deck, face)
        return [Masked(f"M {deck} {face}", ONE) for face in faces]

    def _multiply(self, seat: int, place: Place) -> None:
        if self.decks.turns == 0:
            wanted = sorted({carried.card.deck for carried in self.decks.carried})
            cards = [card for deck in wanted for card in self.decks.decks[deck]]
            hands = [self.carried[carried.card] for carried in self.decks.carried]
            self.chain = [(ONE, masked) for masked in (*(self.cards[card] for card in cards), *hands)]
        z = self._mine(seat, f"z{place.slot}", self.players[seat]._factor(self.decks, place))
        self.chain = [(times(z, factor), masked) for factor, masked in self.chain]
        if seat == self.victim:
            self.rows.append(z)
            for factor, masked in self.chain:
                self.rows += (times(factor, half) for half in self.cipher(masked))

    def _publish(self, seat: int, masked: Masked) -> None:
        if seat == self.victim:
            self.rows += self.cipher(masked)

    def _share(self, seat: int, masks: Iterable[Polynomial]) -> None:
        if seat == self.victim:
            self.rows += (times(self.key, mask) for mask in masks)

    def _settle(self, after: Decks) -> None:
        """Apply what everybody learns when a slot is closed."""
        if self.decks.kind == "shuffle" and self.decks.piles and not after.piles:
            for pile, moved in zip(self.decks.piles, self.piles, strict=True):
                self.cards |= zip(pile.cards, moved, strict=True)
        if self.decks.kind == "tags":
            self._unite(after)
        if self.decks.kind == "shares":
            self.cards |= self.carried
            self.carried = {}
        for seat in set(self.decks.seats) - set(after.seats):
            leaver = number(self.players[seat]._x(self.decks, self.decks.joint.of(seat)))
            self.joint = plus(self.joint, {(): ORDER - leaver})
        seen = [held.card for held in after.held if held.seat != self.victim]
        self.known |= {self.cards[card].face for card in (*after.faces, *seen) if card in self.cards}

    def _unite(self, after: Decks) -> None:
        """Unite symbols: equal tags show that a removed deck card and a hand card have the same face."""
        removed = [card for card in self.decks.ciphers if card not in after.ciphers]
        by_face = {self.faces[self.cards[held.card].face]: self.cards[held.card].face for held in self.decks.held}
        for card in removed:
            old = self.cards.pop(card).face
            new = by_face[self.faces[old]]
            self.rows = [
                {tuple(sorted(new if symbol == old else symbol for symbol in m)): v for m, v in row.items()}
                for row in self.rows
            ]

    def _hand(self, seat: int) -> list[Held]:
        return [held for held in self.decks.held if held.seat == seat]

    def _evaluate(self, polynomial: Polynomial) -> int:
        total = 0
        for monomial, coefficient in polynomial.items():
            for symbol in monomial:
                coefficient = coefficient * self.values[symbol] % ORDER
            total += coefficient
        return total % ORDER


def _scalar(value: int) -> Scalar:
    return Scalar(value.to_bytes(32, "little"))
