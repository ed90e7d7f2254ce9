"""Another group of the same order, ristretto255 from another library, gives the same verdicts.

The package is loaded a second time on top of it: everything above the group is then the same algebra over other points,
so a verdict that depended on an accident of one encoding or implementation would differ.
"""

from __future__ import annotations

import sys
from functools import cache
from hashlib import sha256, sha512
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
import rbcl
from nacl import bindings
from nacl.exceptions import BadSignatureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def _valid(raw: bytes) -> bool:
    return raw != bytes(32) and bool(rbcl.crypto_core_ristretto255_is_valid_point(raw))


def _from_uniform(half: bytes) -> bytes:
    return bytes(rbcl.crypto_core_ristretto255_from_hash(sha512(half).digest()))


def _multiply(scalar: bytes, point: bytes) -> bytes:
    try:
        return bytes(rbcl.crypto_scalarmult_ristretto255(scalar, point))
    except RuntimeError as error:
        raise ValueError("not a point") from error


def _open(signed: bytes, key: bytes) -> bytes:
    """Check Ed25519's equation over these points."""
    commitment, answer, message = signed[:32], signed[32:64], signed[64:]
    challenge = rbcl.crypto_core_ristretto255_scalar_reduce(sha512(commitment + key + message).digest())
    left = rbcl.crypto_scalarmult_ristretto255_base(answer)
    if rbcl.crypto_core_ristretto255_sub(left, _multiply(challenge, key)) != commitment:
        raise BadSignatureError
    return message


RISTRETTO: dict[str, Callable[..., object]] = {
    "crypto_core_ed25519_is_valid_point": _valid,
    "crypto_core_ed25519_from_uniform": _from_uniform,
    "crypto_core_ed25519_add": rbcl.crypto_core_ristretto255_add,
    "crypto_core_ed25519_sub": rbcl.crypto_core_ristretto255_sub,
    "crypto_core_ed25519_scalar_add": rbcl.crypto_core_ristretto255_scalar_add,
    "crypto_core_ed25519_scalar_mul": rbcl.crypto_core_ristretto255_scalar_mul,
    "crypto_core_ed25519_scalar_negate": rbcl.crypto_core_ristretto255_scalar_negate,
    "crypto_core_ed25519_scalar_reduce": rbcl.crypto_core_ristretto255_scalar_reduce,
    "crypto_scalarmult_ed25519_noclamp": _multiply,
    "crypto_sign_open": _open,
    "crypto_scalarmult_ed25519_base_noclamp": rbcl.crypto_scalarmult_ristretto255_base,
}
ABOVE_THE_GROUP = ("wasabi_protocol.sealed", "tests.protocol.sealed")


def game_verdicts() -> list[str]:
    """Play a small game and return facts that do not depend on the group."""
    tables = import_module("tests.protocol.sealed.table")
    player = import_module("wasabi_protocol.sealed.player")
    table = tables.ready_table(3, (3, 3, 2))
    story = []

    def tell(*facts: object) -> None:
        story.append(repr((table.decks.kind, table.decks.seats, table.decks.epoch, *facts)))

    for seat in range(3):
        table.bundle(seat, player.Draw(seat % 2), player.Draw(1 - seat % 2))
        tell(sorted((card, face) for card, face in table.faces().items()) != [])
    card, other = table.decks.hand(1)
    table.bundle(1, player.Return(card), player.Reveal(other), player.TurnUp(2))
    tell(tuple(card), tuple(other), len(table.decks.faces), [len(deck) for deck in table.decks.decks])
    before = table.players[0].hand(table.decks)
    table.vanish(2)
    tell(table.players[0].hand(table.decks) == before, sum(len(deck) for deck in table.decks.decks))
    table.leave(1)
    tell(table.players[0].hand(table.decks) == before, tables.spectate(table) == table.decks)
    return story


def message_verdicts() -> list[str]:
    """Return the verdicts on honest messages of every kind, and on the same ones spoiled in every field."""
    situations = import_module("tests.protocol.sealed.situations")
    verdicts = []
    for name, situation in situations.situations().items():
        verdicts.append(f"{name}: {situations.verdict(situation)}")
        for path, leaf in situations.leaves(situation.payload):
            if not isinstance(leaf, bytes):
                continue
            for field in range(0, len(leaf), 96):
                # Swapping two fields or using too large a scalar is wrong in the same way in both groups.
                for wrong in (b"\xff" * 32, bytes(32), leaf[-32:]):
                    spoiled = leaf[:field] + wrong + leaf[field + 32 :]
                    if spoiled != leaf:
                        verdict = situations.verdict(situation, situations.put(situation.payload, path, spoiled))
                        verdicts.append(f"{name} {path} {field}: {'accepted' if verdict == 'accepted' else 'refused'}")
    return verdicts


def forger_verdicts() -> list[str]:
    """Return the verdicts on forged shuffles."""
    forger = import_module("tests.protocol.sealed.forger")
    cards = import_module("wasabi_protocol.sealed.cards")
    group = import_module("wasabi_protocol.sealed.group")
    shuffle = import_module("wasabi_protocol.sealed.shuffle")
    transcript = import_module("wasabi_protocol.sealed.transcript").ProofTranscript
    errors = import_module("wasabi_protocol.sealed.errors")
    joint = group.multiply_base(forger.some_scalar("joint"))
    inputs = cards.mask(map(shuffle.card_point, range(4)), joint)
    masks = [forger.some_scalar("mask", index) for index in range(4)]
    verdicts = []
    for order in ([2, 0, 3, 1], [2, 0, 3, 2], [0, 0, 0, 0]):
        outputs = [forger.remask(joint, inputs[j], r) for j, r in zip(order, masks, strict=True)]
        for told in (outputs, outputs[::-1], [shuffle.Ciphertext(outputs[1].a, outputs[0].b), *outputs[1:]]):
            proof = forger.forge(transcript(b"x"), joint, inputs, forger.Forgery(order, masks, told))
            raw = b"".join(pair.a + pair.b for pair in told)
            try:
                forger.verify_shuffle(transcript(b"x"), joint, inputs, raw, proof)
            except errors.SealRefused as refused:
                verdicts.append(refused.code)
            else:
                verdicts.append("accepted")
    return verdicts


STORIES = {"game": game_verdicts, "messages": message_verdicts, "forgers": forger_verdicts}


def fingerprint() -> bytes:
    """Return a value that does depend on the group."""
    return sha256(import_module("wasabi_protocol.sealed.group").hash_to_group(b"which")).digest()


@cache
def edwards(name: str) -> list[str]:
    """Return the facts computed with the real group."""
    return STORIES[name]()


@pytest.fixture
def ristretto(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Switch to the other group for a test, whatever is imported; yield the real group's facts."""
    told = edwards(request.node.callspec.params["name"])
    ours = fingerprint()
    for name, function in RISTRETTO.items():
        monkeypatch.setattr(bindings, name, function)
    own = sys.modules[__name__]
    for name in [name for name in sys.modules if name.startswith(ABOVE_THE_GROUP)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, __name__, own)
    assert fingerprint() != ours
    # The self-test's bad points belong to the other curve.
    monkeypatch.setattr(import_module("wasabi_protocol.sealed.group"), "self_test", bool)
    yield told
    for name in [name for name in sys.modules if name.startswith(ABOVE_THE_GROUP)]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize("name", STORIES)
def test_both_groups_tell_the_same_story(name: str, ristretto: list[str]) -> None:
    told = STORIES[name]()
    assert told == ristretto
    assert len(set(told)) > 1


def test_the_forgers_are_refused() -> None:
    assert edwards("forgers") == ["accepted", *["proof.shuffle"] * 8]
