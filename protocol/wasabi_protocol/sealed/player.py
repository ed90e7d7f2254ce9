"""A player's private side: makes messages from the player's secret and the public decks, and reads the hand.

Nothing here is stored or chosen: every byte follows from the secret, the decks and the place in the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from wasabi_protocol.sealed.cards import find_face
from wasabi_protocol.sealed.epoch import carry_statement, multiply_transcript, tag_transcript
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import Point, Scalar, add, multiply, multiply_base, subtract
from wasabi_protocol.sealed.leaving import lying
from wasabi_protocol.sealed.proofs import prove_carry, prove_equal, prove_key, prove_remask
from wasabi_protocol.sealed.secrets import SECRET_SIZE, Source, next_secret
from wasabi_protocol.sealed.setup import shuffle_transcript
from wasabi_protocol.sealed.sharing import share_transcript
from wasabi_protocol.sealed.shuffle import Ciphertext, permute, prove_shuffle
from wasabi_protocol.sealed.transcript import Context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.sealed.state import Card, Decks, Held, Key, Place
    from wasabi_protocol.sealed.transcript import ProofTranscript
    from wasabi_protocol.signed.canonical import Value


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw of the top card of a deck for a seat, by default the author."""

    deck: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class TurnUp:
    """The top card of a deck, turned up for all to see."""

    deck: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """A card of the author's hand, shown to all."""

    card: Card


@dataclass(frozen=True, slots=True)
class Return:
    """A card of the author's hand, put at the bottom of its deck."""

    card: Card


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """Known cards, shuffled into a new, hidden deck."""

    deck: int
    cards: tuple[Card, ...]


Seal: TypeAlias = Draw | TurnUp | Reveal | Return | Reshuffle
Payload: TypeAlias = list["Value"]


@dataclass(frozen=True, slots=True, repr=False)
class SealedPlayer:
    """A seat with its secret, able to make messages and read cards from the secret's epoch on."""

    seat: int
    secret: bytes
    epoch: int = 0

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_SIZE:
            raise SealRefused("encoding.shape", expected="secret")

    def __repr__(self) -> str:
        return f"SealedPlayer(seat={self.seat}, epoch={self.epoch})"

    def answer(self, decks: Decks, place: Place) -> Payload | None:
        """Return the message that this seat owes in the next slot, or None if it owes none."""
        owed = decks.owed
        if self.seat not in owed.seats:
            return None
        match owed.kind:
            case "keys":
                return self._keys(decks, place)
            case "carry":
                return [self._carry(decks, place, held) for held in self._held(decks)]
            case "shuffle":
                return self._shuffle(decks, place)
            case "multiply":
                return self._multiply(decks, place)
            case "tags":
                firsts = [pair.a for pair in decks.chain]
                return self._shares(decks, tag_transcript(decks, place, self.seat), firsts)
            case _:
                wanted = decks.wanted(self.seat)
                cards = [pending.card for pending in wanted]
                transcript = share_transcript(decks, place, self.seat, b"shares", cards)
                return self._shares(decks, transcript, [pending.cipher.a for pending in wanted])

    def seals(self, decks: Decks, place: Place, wanted: Sequence[Seal]) -> Payload:
        """Return a turn's seals."""
        return [self._seal(decks, place, seal) for seal in wanted]

    def give_up_hand(self, decks: Decks, place: Place) -> Payload:
        """Return the hand to the decks, then give this seat's share of every card in them."""
        returns: Payload = []
        firsts = {card: decks.ciphers[card].a for card in lying(decks)}
        bottoms: list[list[Card]] = [list(deck) for deck in decks.decks]
        for held in self._held(decks):
            cipher, proof = self._return(decks, place, held)
            returns.append([cipher.a + cipher.b, proof])
            firsts[held.card] = cipher.a
            bottoms[held.card.deck].append(held.card)
        cards = [card for deck in bottoms for card in deck]
        transcript = share_transcript(decks, place, self.seat, b"leave", cards)
        return [returns, *self._shares(decks, transcript, [firsts[card] for card in cards])]

    def open(self, decks: Decks, place: Place) -> Payload:
        """Show the whole hand to all."""
        hand = self._held(decks)
        transcript = share_transcript(decks, place, self.seat, b"open", (held.card for held in hand))
        return self._shares(decks, transcript, [held.cipher.a for held in hand])

    def face(self, decks: Decks, card: Card) -> int:
        """Return the face of a card in this seat's hand, or of one that lies face up."""
        if card in decks.faces:
            return decks.faces[card]
        held = decks.holding(self.seat, card)
        layer = multiply(self._x(decks, held.key), held.cipher.a)
        return find_face(card, decks.sizes, subtract(held.open, layer))

    def hand(self, decks: Decks) -> dict[Card, int]:
        """Return this seat's hidden cards and their faces."""
        return {card: self.face(decks, card) for card in decks.hand(self.seat)}

    def settled(self, decks: Decks) -> SealedPlayer:
        """Return this player without the secrets of earlier epochs, once no card is under their keys any more."""
        if decks.keys is None or any(held.key.epoch != decks.epoch for held in decks.held):
            return self
        return SealedPlayer(self.seat, self._secret(decks.epoch), decks.epoch)

    def dump(self) -> bytes:
        """Return the bytes to store on disk in place of the game secret."""
        return self.seat.to_bytes(4, "big") + self.epoch.to_bytes(4, "big") + self.secret

    @classmethod
    def load(cls, raw: bytes) -> SealedPlayer:
        """Load a dumped player."""
        return cls(int.from_bytes(raw[:4], "big"), raw[8:], int.from_bytes(raw[4:8], "big"))

    def _secret(self, epoch: int) -> bytes:
        if epoch < self.epoch:
            raise SealRefused("secret.forgotten", epoch=epoch)
        secret = self.secret
        for _ in range(epoch - self.epoch):
            secret = next_secret(secret)
        return secret

    def _x(self, decks: Decks, key: Key) -> Scalar:
        return self._key_scalar(decks, key.epoch, key.place)

    def _key_scalar(self, decks: Decks, epoch: int, place: Place) -> Scalar:
        identity = decks.identity(self.seat)
        context = Context(decks.gid, epoch, place.slot, place.prev, self.seat, identity)
        return Source(self._secret(epoch), context.transcript(b"masking key")).scalar(b"x")

    def _held(self, decks: Decks) -> list[Held]:
        return [held for held in decks.held if held.seat == self.seat]

    def _keys(self, decks: Decks, place: Place) -> Payload:
        x = self._key_scalar(decks, decks.epoch, place)
        transcript = decks.context(place, self.seat).transcript(b"key")
        return [bytes(multiply_base(x)), prove_key(transcript, self._secret(decks.epoch), x)]

    def _shuffle(self, decks: Decks, place: Place) -> Payload:
        joint, secret = decks.joint.total, self._secret(decks.epoch)
        sizes = [len(pile.cards) for pile in decks.piles]
        inputs = [cipher for pile in decks.piles for cipher in pile.ciphers]
        permuted = permute(shuffle_transcript(decks, place, self.seat), secret, joint, sizes, inputs)
        transcript = shuffle_transcript(decks, place, self.seat)
        proof = prove_shuffle(transcript, secret, joint, sizes, inputs, permuted)
        return [b"".join(cipher.a + cipher.b for cipher in permuted.outputs), proof]

    def _shares(self, decks: Decks, transcript: ProofTranscript, firsts: Sequence[Point]) -> Payload:
        x = self._x(decks, decks.joint.of(self.seat))
        shares = [multiply(x, first) for first in firsts]
        return [b"".join(shares), prove_equal(transcript, self._secret(decks.epoch), x, firsts, shares)]

    def _seal(self, decks: Decks, place: Place, seal: Seal) -> Payload:
        match seal:
            case Draw(deck, seat):
                return ["draw", deck, self.seat if seat is None else seat]
            case TurnUp(deck):
                return ["up", deck]
            case Reveal(card):
                first = decks.holding(self.seat, card).cipher.a
                transcript = decks.context(place, self.seat).transcript(b"reveal", card.deck, card)
                return ["reveal", list(card), *self._shares(decks, transcript, [first])]
            case Return(card):
                cipher, proof = self._return(decks, place, decks.holding(self.seat, card))
                return ["return", list(card), cipher.a + cipher.b, proof]
            case Reshuffle(deck, cards):
                return ["reshuffle", deck, [list(card) for card in cards]]

    def _mask(self, decks: Decks, place: Place, kind: bytes, held: Held) -> Scalar:
        statement = decks.context(place, self.seat).transcript(kind, held.card.deck, held.card)
        statement.absorb(b"old", held.key.point, *held.cipher)
        return Source(self._secret(decks.epoch), statement).scalar(b"mask")

    def _factor(self, decks: Decks, place: Place) -> Scalar:
        statement = multiply_transcript(decks, place, self.seat)
        statement.absorb(b"chain", *(half for pair in decks.chain for half in pair))
        return Source(self._secret(decks.epoch), statement).scalar(b"z")

    def _return(self, decks: Decks, place: Place, held: Held) -> tuple[Ciphertext, bytes]:
        r, secret = self._mask(decks, place, b"return", held), self._secret(decks.epoch)
        transcript = decks.context(place, self.seat).transcript(b"return", held.card.deck, held.card)
        first, second, proof = prove_remask(transcript, secret, decks.joint.total, held.cipher, r)
        return Ciphertext(first, second), proof

    def _carry(self, decks: Decks, place: Place, held: Held) -> Payload:
        carry, secret = carry_statement(decks, held), self._secret(decks.epoch)
        r, x = self._mask(decks, place, b"carry", held), self._x(decks, held.key)
        second = add(subtract(carry.open, multiply(x, carry.old)), multiply(r, carry.joint))
        first = multiply_base(r)
        transcript = decks.context(place, self.seat).transcript(b"carry", held.card.deck, held.card)
        proof = prove_carry(transcript, secret, carry, x, r, first, second)
        return [first + second, proof]

    def _multiply(self, decks: Decks, place: Place) -> Payload:
        z, secret = self._factor(decks, place), self._secret(decks.epoch)
        bases = [half for pair in decks.chain for half in pair]
        images = [multiply(z, base) for base in bases]
        proof = prove_equal(multiply_transcript(decks, place, self.seat), secret, z, bases, images)
        return [bytes(multiply_base(z)), b"".join(images), proof]
