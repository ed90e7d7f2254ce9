"""Our code's verdicts on points, scalars, proofs, shuffles and whole sealed decks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from wasabi_protocol.sealed.cards import params_hash
from wasabi_protocol.sealed.decks import begin_epoch, check, close, open_decks
from wasabi_protocol.sealed.group import Point, add, hash_to_group, import_point, import_scalar
from wasabi_protocol.sealed.player import SealedPlayer
from wasabi_protocol.sealed.proofs import CarryStatement, verify_carry, verify_equal, verify_key, verify_remask
from wasabi_protocol.sealed.shuffle import ShuffleClaim, cut_pairs, verify_shuffles
from wasabi_protocol.sealed.state import Decks, Place
from wasabi_protocol.sealed.transcript import NO_DECK, Context, ProofTranscript
from wasabi_protocol.signed.canonical import Value, decode

from tests.protocol.vectors.vector import Input, Output, Recordings, hexed


def _raw(given: Input, name: str) -> bytes:
    return bytes.fromhex(given[name])


def _point(given: Input, name: str) -> Point:
    return import_point(_raw(given, name))


def judge_point(given: Input) -> Output:
    return {"point": import_point(_raw(given, "bytes")).hex()}


def judge_scalar(given: Input) -> Output:
    return {"scalar": import_scalar(_raw(given, "bytes")).hex()}


def judge_sum(given: Input) -> Output:
    return {"point": add(_point(given, "left"), _point(given, "right")).hex()}


def judge_hash_to_group(given: Input) -> Output:
    return {"point": hash_to_group(_raw(given, "label")).hex()}


def judge_params(given: Input) -> Output:
    return {"params": params_hash(given["sizes"]).hex()}


def judge_challenge(given: Input) -> Output:
    transcript = ProofTranscript(given["label"].encode())
    for label, values in given["absorb"]:
        transcript.absorb(label.encode(), *(bytes.fromhex(value) for value in values))
    if "count" in given:
        several = transcript.challenges(given["challenge"].encode(), given["count"])
        return {"scalars": [scalar.hex() for scalar in several]}
    return {"scalar": transcript.challenge(given["challenge"].encode()).hex()}


def _transcript(place: Input) -> ProofTranscript:
    """Return the transcript at a proof's place."""
    context = Context(
        _raw(place, "gid"),
        place["epoch"],
        place["slot"],
        _raw(place, "prev"),
        place["seat"],
        _raw(place, "identity"),
        tuple((seat, import_point(bytes.fromhex(key))) for seat, key in place["keys"]),
        _point(place, "joint") if place["joint"] else None,
    )
    return context.transcript(place["kind"].encode(), place.get("deck", NO_DECK), place["index"])


def judge_key_proof(given: Input) -> Output:
    verify_key(_transcript(given["place"]), _raw(given, "key"), _raw(given, "proof"))
    return {}


def judge_equality_proof(given: Input) -> Output:
    bases = [import_point(bytes.fromhex(base)) for base in given["bases"]]
    images = [bytes.fromhex(image) for image in given["images"]]
    verify_equal(_transcript(given["place"]), _point(given, "key"), bases, images, _raw(given, "proof"))
    return {}


def judge_carry_proof(given: Input) -> Output:
    carry = CarryStatement(*(_point(given, name) for name in ("key", "old", "open", "joint")))
    pair = _raw(given, "first"), _raw(given, "second")
    verify_carry(_transcript(given["place"]), carry, *pair, _raw(given, "proof"))
    return {}


def judge_remask_proof(given: Input) -> Output:
    old = _point(given, "old_a"), _point(given, "old_b")
    pair = _raw(given, "first"), _raw(given, "second")
    verify_remask(_transcript(given["place"]), _point(given, "joint"), old, *pair, _raw(given, "proof"))
    return {}


def _claim(given: Input) -> ShuffleClaim:
    inputs = [(bytes.fromhex(a), bytes.fromhex(b)) for a, b in given["inputs"]]
    return ShuffleClaim(
        _transcript(given["place"]), given["sizes"], inputs, _raw(given, "outputs"), _raw(given, "proof")
    )


def judge_shuffle_proof(given: Input) -> Output:
    verify_shuffles(_point(given, "joint"), [_claim(given)])
    return {}


def judge_shuffle_row(given: Input) -> Output:
    joint, claims = _point(given["shuffles"][0], "joint"), [_claim(shuffle) for shuffle in given["shuffles"]]
    for before, after in pairwise(claims):
        assert after.inputs == cut_pairs(before.outputs), "each shuffles what the one before left"
    verify_shuffles(joint, claims)
    return {}


JUDGES: dict[str, Callable[[Input], Output]] = {
    "point": judge_point,
    "scalar": judge_scalar,
    "sum": judge_sum,
    "hash-to-group": judge_hash_to_group,
    "params": judge_params,
    "challenge": judge_challenge,
    "key-proof": judge_key_proof,
    "equality-proof": judge_equality_proof,
    "carry-proof": judge_carry_proof,
    "remask-proof": judge_remask_proof,
    "shuffle-proof": judge_shuffle_proof,
    "shuffle-row": judge_shuffle_row,
}


# Recorded tables


def played(table: Input, taken: int | None = None) -> Decks:
    """Return the decks of a recorded table after this many of its moments."""
    identities = {seat: bytes.fromhex(key) for seat, key in table["identities"]}
    decks = open_decks(_raw(table, "gid"), identities, table["sizes"])
    for moment in table["log"][:taken]:
        decks = begin_epoch(decks, moment["out"], decks.epoch + 1) if "out" in moment else _closed(decks, moment)
    return decks


def _payload(text: str) -> Value:
    return decode(bytes.fromhex(text))


def _closed(decks: Decks, moment: Input) -> Decks:
    place = Place(moment["slot"], _raw(moment, "prev"))
    checked = [check(decks, place, seat, kind, _payload(payload)) for seat, kind, payload in moment["entries"]]
    return close(decks, checked)


def public(decks: Decks) -> Output:
    """Return everything public about the cards."""
    return {
        "epoch": decks.epoch,
        "seats": list(decks.seats),
        "owed": [decks.owed.kind, list(decks.owed.seats)],
        "decks": [[list(card) for card in deck] for deck in decks.decks],
        "hands": [[seat, [list(card) for card in decks.hand(seat)]] for seat in decks.seats],
        "faces": [[list(card), face] for card, face in sorted(decks.faces.items())],
    }


def judge_sealed(given: Input, recordings: Recordings) -> Output:
    decks = played(recordings.tables[given["table"]], given["taken"])
    return public(_closed(decks, given))


def judge_sealed_entry(given: Input, recordings: Recordings) -> Output:
    decks = played(recordings.tables[given["table"]], given["taken"])
    place = Place(given["slot"], _raw(given, "prev"))
    check(decks, place, given["seat"], given["message"], _payload(given["payload"]))
    return {}


def judge_sealed_table(given: Input, recordings: Recordings) -> Output:
    return public(played(recordings.tables[given["table"]]))


def judge_answer(given: Input, recordings: Recordings) -> Output:
    decks = played(recordings.tables[given["table"]], given["taken"])
    player = SealedPlayer(given["seat"], _raw(given, "secret"))
    answer: Any = player.answer(decks, Place(given["slot"], _raw(given, "prev")))
    return {"payload": hexed(answer)}


def judge_hand(given: Input, recordings: Recordings) -> Output:
    decks = played(recordings.tables[given["table"]], given["taken"])
    hand = SealedPlayer(given["seat"], _raw(given, "secret")).hand(decks)
    return {"hand": [[list(card), face] for card, face in hand.items()]}


TABLE_JUDGES: dict[str, Callable[[Input, Recordings], Output]] = {
    "sealed": judge_sealed,
    "sealed-entry": judge_sealed_entry,
    "sealed-table": judge_sealed_table,
    "answer": judge_answer,
    "hand": judge_hand,
}
