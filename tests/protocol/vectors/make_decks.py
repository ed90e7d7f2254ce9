"""Vectors of whole sealed decks: draws, returns, leaving, new epochs, from recorded tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wasabi_protocol.sealed.epoch import carry_statement
from wasabi_protocol.sealed.group import (
    Point,
    Scalar,
    add,
    add_scalars,
    multiply,
    multiply_base,
    negate_scalar,
    public_scalar,
    subtract,
)
from wasabi_protocol.sealed.player import Draw, Reshuffle, Return, Reveal, TurnUp
from wasabi_protocol.sealed.proofs import prove_carry, prove_key, prove_remask
from wasabi_protocol.sealed.setup import shuffle_transcript
from wasabi_protocol.sealed.shuffle import Ciphertext, Permuted, permute, prove_shuffle
from wasabi_protocol.signed.canonical import encode

from tests.protocol.sealed.forger import remask, some_scalar
from tests.protocol.sealed.table import Exclusion, Table, new_table, ready_table, unpack
from tests.protocol.sessions import secret
from tests.protocol.vectors.vector import Book, Vector

SECRET = secret("attacker")


def recorded(table: Table) -> dict[str, Any]:
    """Return a table's messages as stored in a file."""
    log: list[dict[str, Any]] = []
    for moment in table.log:
        if isinstance(moment, Exclusion):
            log.append({"out": list(moment.out)})
            continue
        entries = [[seat, kind, encode(unpack(raw)).hex()] for seat, kind, raw in moment.entries]  # type: ignore[arg-type]
        log.append({"slot": moment.place.slot, "prev": moment.place.prev.hex(), "entries": entries})
    return {
        "gid": table.decks.gid.hex(),
        "identities": [[seat, key.hex()] for seat, key in table.decks.identities],
        "sizes": list(table.decks.sizes),
        "log": log,
    }


class Recorder:
    """Cases based on one recorded table."""

    def __init__(self, name: str, table: Table) -> None:
        self.name = name
        self.table = table
        self.vectors: list[Vector] = []

    def _here(self) -> dict[str, Any]:
        table = self.table
        return {
            "table": self.name,
            "taken": len(table.log),
            "slot": table.place.slot,
            "prev": table.place.prev.hex(),
        }

    def entry(self, id_: str, comment: str, seat: int, kind: str, payload: Any, code: str | None = None) -> None:
        """Add a case of one message in the next slot."""
        given = {**self._here(), "seat": seat, "message": kind, "payload": encode(payload).hex()}
        self.vectors.append(Vector(id_, "sealed-entry", comment, given, code))

    def slot(self, id_: str, comment: str, *entries: Any, code: str | None = None, blames: int | None = None) -> None:
        """Add a case of a whole slot."""
        given = {**self._here(), "entries": [[seat, kind, encode(payload).hex()] for seat, kind, payload in entries]}
        self.vectors.append(Vector(id_, "sealed", comment, given, code, blames))

    def answer(self, id_: str, comment: str, seat: int) -> None:
        """Add a case of the answer determined by one seat's secret and this place."""
        given = {**self._here(), "seat": seat, "secret": self.table.players[seat].secret.hex()}
        self.vectors.append(Vector(id_, "answer", comment, given))

    def hand(self, id_: str, comment: str, seat: int) -> None:
        given = {"table": self.name, "taken": len(self.table.log), "seat": seat}
        secret_ = {"secret": self.table.players[seat].secret.hex()}
        self.vectors.append(Vector(id_, "hand", comment, given | secret_))

    def owed(self, seat: int) -> Any:
        return self.table.players[seat].answer(self.table.decks, self.table.place)

    def whole(self, id_: str, comment: str) -> None:
        self.vectors.append(Vector(id_, "sealed-table", comment, {"table": self.name}))


def _key(recorder: Recorder, seat: int, x: Scalar) -> list[bytes]:
    table = recorder.table
    transcript = table.decks.context(table.place, seat).transcript(b"key")
    return [bytes(multiply_base(x)), prove_key(transcript, SECRET, x)]


def _shuffled(table: Table, seat: int, secret_: bytes) -> Permuted:
    """Return how a seat with this secret would shuffle the table's piles."""
    transcript = shuffle_transcript(table.decks, table.place, seat)
    return permute(transcript, secret_, table.decks.joint.total, *_piles(table))


def _proved(table: Table, seat: int, wanted: Permuted) -> list[bytes]:
    """Return a real shuffle with the wanted order and masks, honestly proved."""
    joint, (sizes, cards) = table.decks.joint.total, _piles(table)
    outputs = [remask(joint, cards[j], r) for j, r in zip(wanted.order, wanted.masks, strict=True)]
    transcript = shuffle_transcript(table.decks, table.place, seat)
    proof = prove_shuffle(transcript, SECRET, joint, sizes, cards, replace(wanted, outputs=outputs))
    return [b"".join(cipher.a + cipher.b for cipher in outputs), proof]


def _piles(table: Table) -> tuple[list[int], list[Ciphertext]]:
    piles = table.decks.piles
    return [len(pile.cards) for pile in piles], [cipher for pile in piles for cipher in pile.ciphers]


def _one_mask(table: Table, across: bool = False) -> list[bytes]:
    """Return a shuffle by the first seat that gives one mask to all cards of a deck, or to one card of each."""
    honest, first = _shuffled(table, 0, SECRET), len(table.decks.piles[0].cards)
    alike = {0, first} if across else set(range(first))
    masks = [some_scalar("one mask") if i in alike else mask for i, mask in enumerate(honest.masks)]
    return _proved(table, 0, replace(honest, masks=masks))


def _setup() -> tuple[Recorder, Table]:
    table = new_table(3, (3, 2), "vectors: a table")
    at = Recorder("play", table)
    x = some_scalar("a key")
    mine = [(seat, "keys", at.owed(seat)) for seat in range(3)]
    at.slot("keys/good", "three keys", *mine)
    at.entry("keys/not-owed", "a shuffle while keys are owed", 0, "shuffle", [], "state.not-owed")
    at.entry("keys/shape", "a key without a proof", 0, "keys", [bytes(32)], "encoding.shape")
    at.answer("keys/same-bytes", "one slot always gives the same bytes", 1)
    copies = [mine[0], *((seat, "keys", _key(at, seat, x)) for seat in (1, 2))]
    at.slot("keys/duplicate", "two seats with one key", *copies, code="keys.duplicate", blames=2)
    two = Recorder("pair", new_table(2, (2,), "vectors: a pair"))
    pair = [(seat, "keys", _key(two, seat, x if seat == 0 else negate_scalar(x))) for seat in (0, 1)]
    two.slot("keys/identity", "keys that cancel", *pair, code="keys.identity", blames=1)
    at.vectors += two.vectors
    table.answer_slot()
    at.slot("shuffle/good", "the first seat shuffles both decks", (0, "shuffle", at.owed(0)))
    at.entry("shuffle/other-seat", "the second seat before its turn", 1, "shuffle", at.owed(0), "state.not-owed")
    first = table.players[0].answer(replace(table.decks, piles=table.decks.piles[:1]), table.place)
    at.entry("shuffle/one-deck", "one deck of two", 0, "shuffle", first, "encoding.shape")
    equal = _one_mask(table)
    at.entry("shuffle/mask-repeated", "two cards under one mask", 0, "shuffle", equal, "mask.repeated")
    across = _one_mask(table, across=True)
    at.entry("shuffle/mask-across-decks", "cards of two decks under one", 0, "shuffle", across, "mask.repeated")
    at.answer("shuffle/same-bytes", "the permutation too follows from secret and place", 0)
    table.answer()
    return at, two.table


def _play(at: Recorder) -> None:
    table = at.table
    draw = table.players[0].seals(table.decks, table.place, [Draw(0), Draw(1)])
    at.slot("draw/good", "the top cards of two decks for seat 0", (0, "seals", draw))
    at.entry("draw/no-such-deck", "deck 5", 0, "seals", [["draw", 5, 0]], "encoding.shape")
    at.entry("draw/too-many", "three cards of a deck of two", 0, "seals", [["draw", 1, 0]] * 3, "deck.empty")
    at.entry("draw/for-nobody", "for a seat that is not there", 0, "seals", [["draw", 0, 3]], "state.not-seated")
    at.entry("seal/unknown", "a seal that does not exist", 0, "seals", [["peek", 0]], "encoding.shape")
    table.write([(0, "seals", draw)])
    at.slot("shares/good", "everybody but the drawer", *((seat, "shares", at.owed(seat)) for seat in (1, 2)))
    at.entry("shares/drawer", "the drawer keeps its own share", 0, "shares", at.owed(1), "state.not-owed")
    wrong = [at.owed(2)[0], at.owed(1)[1]]
    at.entry("shares/other-seat", "another seat's shares", 1, "shares", wrong, "proof.equality")
    short = [at.owed(1)[0][:32], at.owed(1)[1]]
    at.entry("shares/short", "one share for two cards", 1, "shares", short, "encoding.shape")
    at.entry("shares/while-owed", "no bundle while shares are owed", 0, "seals", [], "state.not-owed")
    at.answer("shares/same-bytes", "shares follow from secret and place", 1)
    table.answer()
    at.hand("draw/hand", "what the drawer reads", 0)


def _returns(at: Recorder) -> None:
    table = at.table
    card, other = table.decks.hand(0)
    player, decks, place = table.players[0], table.decks, table.place
    back = player.seals(decks, place, [Return(card)])
    at.slot("return/good", "to the bottom under a fresh mask", (0, "seals", back))
    held = decks.holding(0, card)

    def remasked(r: Scalar, joint: Point) -> Any:
        transcript = decks.context(place, 0).transcript(b"return", card.deck, card)
        first, second, proof = prove_remask(transcript, SECRET, joint, held.cipher, r)
        return [["return", list(card), first + second, proof]]

    joint = decks.joint.total
    zero = remasked(Scalar(bytes(32)), joint)
    at.entry("return/same-mask", "without a new mask", 0, "seals", zero, "return.same-mask")
    own = remasked(some_scalar("r"), decks.joint.of(0).point)
    at.entry("return/own-key", "masked under one key only", 0, "seals", own, "proof.equality")
    at.entry("return/not-mine", "a card of another hand", 1, "seals", back, "card.not-in-hand")
    at.entry("return/twice", "one card twice", 0, "seals", back * 2, "card.not-in-hand")
    shown = player.seals(decks, place, [Reveal(other)])
    at.slot("reveal/good", "a card of one's own for everybody", (0, "seals", shown))
    at.entry("reveal/not-mine", "by another seat", 1, "seals", shown, "card.not-in-hand")
    assert isinstance(shown[0], list)
    bent = [["reveal", list(card), *shown[0][2:]]]
    at.entry("reveal/other-card", "the share of another card", 0, "seals", bent, "proof.equality")
    up = player.seals(decks, place, [TurnUp(1)])
    table.write([(0, "seals", up)])
    at.slot("up/good", "everybody's share turns it up", *((seat, "shares", at.owed(seat)) for seat in range(3)))
    table.answer()
    held_card = [["reshuffle", 1, [list(other)]]]
    at.entry("reshuffle/hidden", "a card of a hand", 0, "seals", held_card, "card.not-open")
    table.bundle(0, Reveal(other))
    names = tuple(card for card in table.decks.faces if card.deck == 1)
    again = player.seals(table.decks, table.place, [Reshuffle(1, names)])
    at.slot("reshuffle/good", "known cards become a hidden deck", (0, "seals", again))
    twice = [["reshuffle", 1, [list(names[0]), list(names[0])]]]
    at.entry("reshuffle/twice", "one card twice", 0, "seals", twice, "reshuffle.cards")
    foreign = [["reshuffle", 1, [[0, 0, 0]]]]
    at.entry("reshuffle/other-deck", "a card of another deck", 0, "seals", foreign, "card.not-open")
    at.entry("reshuffle/not-empty", "a deck with cards", 0, "seals", [["reshuffle", 0, []]], "deck.not-empty")
    table.bundle(0, Reshuffle(1, names))


def _brought_back() -> Recorder:
    """Record a card that its owner returns, draws again, and would return under its first mask."""
    table = ready_table(3, (1, 1), "vectors: a mask brought back")
    at = Recorder("mask", table)
    table.bundle(1, Draw(0))
    (card,) = table.decks.hand(1)

    def back(r: Scalar) -> Any:
        transcript = table.decks.context(table.place, 1).transcript(b"return", card.deck, card)
        old = table.decks.holding(1, card).cipher
        first, second, proof = prove_remask(transcript, SECRET, table.decks.joint.total, old, r)
        return [["return", list(card), first + second, proof]]

    table.write([(1, "seals", back(some_scalar("r")))])
    table.bundle(1, Draw(0))
    again = back(negate_scalar(some_scalar("r")))
    at.entry("return/mask-repeated", "shares under it are public", 1, "seals", again, "mask.repeated")
    return at


def _known_table(name: str) -> tuple[Table, list[Scalar]]:
    """Return two decks of one card each, shuffled by seats that share everything, so that both masks are known."""
    table = new_table(2, (1, 1), name)
    table.until("shuffle")
    known = [public_scalar(1)] * 2
    for seat in (0, 1):
        permuted = _shuffled(table, seat, table.players[seat]._secret(0))
        known = [add_scalars(old, new) for old, new in zip(known, permuted.masks, strict=True)]
        table.answer_slot()
    return table, known


def _mask_on_its_way() -> Recorder:
    """Record a card returned under the mask of one that the same bundle draws: its shares would open both."""
    table, (drawn, held) = _known_table("vectors: a mask on its way")
    at = Recorder("on its way", table)
    table.bundle(0, Draw(1))
    (card,) = table.decks.hand(0)
    transcript = table.decks.context(table.place, 0).transcript(b"return", card.deck, card)
    old, r = table.decks.holding(0, card).cipher, add_scalars(drawn, negate_scalar(held))
    first, second, proof = prove_remask(transcript, SECRET, table.decks.joint.total, old, r)
    seals = [["draw", 0, 0], ["return", list(card), first + second, proof]]
    at.entry("return/mask-on-its-way", "the mask of a card on its way", 0, "seals", seals, "mask.repeated")
    return at


def _known_masks() -> Recorder:
    """Record a one-card deck shuffled again by seats that know both masks."""
    table, known = _known_table("vectors: known masks")
    at = Recorder("known", table)
    table.bundle(0, TurnUp(1))
    again = table.players[0].seals(table.decks, table.place, [Reshuffle(1, tuple(table.decks.faces))])
    table.write([(0, "seals", again)])

    def under(mask: Scalar) -> list[bytes]:
        r = add_scalars(mask, negate_scalar(public_scalar(1)))
        return _proved(table, 0, replace(_shuffled(table, 0, SECRET), masks=[r]))

    at.slot("shuffle/mask-new", "another shuffle in mid-game", (0, "shuffle", under(some_scalar("r"))))
    lies, spent = map(under, known)
    at.entry("shuffle/mask-in-deck", "the mask of a card in another deck", 0, "shuffle", lies, "mask.repeated")
    at.entry("shuffle/mask-spent", "shares under it are public", 0, "shuffle", spent, "mask.repeated")
    return at


def _carried(at: Recorder, seat: int, r: Scalar) -> list[list[bytes]]:
    """Return a hand carried over, honestly proved, all under one mask."""
    decks, player = at.table.decks, at.table.players[seat]
    told = []
    for held in decks.held:
        if held.seat == seat:
            carry, x = carry_statement(decks, held), player._x(decks, held.key)
            second = add(subtract(carry.open, multiply(x, carry.old)), multiply(r, carry.joint))
            transcript = decks.context(at.table.place, seat).transcript(b"carry", held.card.deck, held.card)
            proof = prove_carry(transcript, SECRET, carry, x, r, multiply_base(r), second)
            told.append([multiply_base(r) + second, proof])
    return told


def _leaving(at: Recorder) -> None:
    table = at.table
    table.bundle(1, Draw(0))
    leave = table.players[1].give_up_hand(table.decks, table.place)
    at.slot("leave/good", "the hand goes back, the layer comes off", (1, "leave", leave))
    returns, shares, proof = leave
    at.entry("leave/keeps-hand", "without its hand", 1, "leave", [[], shares, proof], "encoding.shape")
    assert isinstance(shares, bytes)
    at.entry("leave/short", "a share too few", 1, "leave", [returns, shares[32:], proof], "encoding.shape")
    at.entry("leave/other-seat", "for somebody else", 0, "leave", leave, "proof.equality")
    table.leave(1)
    table.bundle(0, Draw(1))
    shown = table.players[0].open(table.decks, table.place)
    at.slot("open/good", "a hand shown at the end", (0, "open", shown))
    at.entry("open/other", "by another seat", 2, "open", shown, "encoding.shape")
    table.bundle(0, Return(table.decks.hand(0)[0]))
    at.whole("table/play", "setup, draws, a return, a reveal, a reshuffle, a leave, a return after it")


def _epoch() -> Recorder:
    table = ready_table(3, (3, 2), "vectors: an epoch")
    table.bundle(0, Draw(0), Draw(1))
    table.bundle(1, Draw(0))
    at = Recorder("epoch", table)
    old = table.players[0]._x(table.decks, table.decks.joint.of(0))
    table.exclude(2)
    at.entry("epoch/key-reused", "the key of an earlier epoch", 0, "keys", _key(at, 0, old), "keys.reused")
    at.slot("epoch/keys", "new keys", *((seat, "keys", at.owed(seat)) for seat in (0, 1)))
    table.answer_slot()
    carried = [(seat, "carry", at.owed(seat)) for seat in (0, 1)]
    at.slot("epoch/carry", "hands under the new keys", *carried)
    at.entry("epoch/carry-swapped", "two cards of a hand exchanged", 0, "carry", carried[0][2][::-1], "proof.carry")
    one_mask = _carried(at, 0, some_scalar("r"))
    at.entry("epoch/carry-repeated", "two cards under one mask", 0, "carry", one_mask, "mask.repeated")
    at.entry("epoch/carry-short", "a card left behind", 0, "carry", carried[0][2][:1], "encoding.shape")
    table.until("multiply")
    at.slot("epoch/multiply", "a secret factor on every card", (0, "multiply", at.owed(0)))
    factor, points, proof = at.owed(0)
    turned = [factor, points[64:128] + points[:64] + points[128:], proof]
    at.entry("epoch/multiply-swapped", "two cards exchanged", 0, "multiply", turned, "proof.equality")
    table.until("tags")
    at.slot("epoch/tags", "equal tags show which deck cards are in hands", *((s, "tags", at.owed(s)) for s in (0, 1)))
    at.entry("epoch/tags-other", "another seat's shares", 0, "tags", at.owed(1), "proof.equality")
    table.until("shares")
    shares = [(seat, "shares", at.owed(seat)) for seat in (0, 1)]
    at.slot("epoch/shares", "a hand card again lacks one layer only", *shares)
    table.answer()
    at.hand("epoch/hand", "the same hand as before", 0)
    table.bundle(0, Reveal(table.decks.hand(0)[0]))
    at.whole("table/epoch", "a vanished seat, a new epoch, then a reveal")
    return at


def books() -> list[Book]:
    at, pair = _setup()
    _play(at)
    _returns(at)
    _leaving(at)
    others = [_brought_back(), _mask_on_its_way(), _known_masks(), _epoch()]
    tables = {"play": recorded(at.table), "pair": recorded(pair)}
    tables |= {other.name: recorded(other.table) for other in others}
    vectors = [*at.vectors, *(vector for other in others for vector in other.vectors)]
    return [Book("decks", "sealed decks from recorded tables", vectors, tables=tables)]
