"""The same secret in the same place always gives the same bytes, and different ones in any other place."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from wasabi_protocol.sealed.cards import mask
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import BASE
from wasabi_protocol.sealed.plain_values import cut
from wasabi_protocol.sealed.player import Reveal, SealedPlayer
from wasabi_protocol.sealed.secrets import Source, new_game_secret, next_secret
from wasabi_protocol.sealed.shuffle import card_point, permute, prove_shuffle
from wasabi_protocol.sealed.state import Place
from wasabi_protocol.sealed.transcript import ProofTranscript

from tests.protocol.sealed.situations import Situation, situations
from tests.protocol.sealed.table import ready_table

OWED = [
    "keys", "shuffle", "shares of one", "shares of many", "epoch keys", "epoch carry", "epoch shuffle",
    "epoch multiply", "epoch tags", "epoch shares",
]  # fmt: skip


def answer(situation: Situation, player: SealedPlayer | None = None) -> object:
    return (player or situation.player).answer(situation.decks, situation.place)


@pytest.mark.parametrize("name", OWED)
def test_a_message_made_again_is_the_same_to_the_byte(name: str) -> None:
    situation = situations()[name]
    restored = SealedPlayer(situation.player.seat, situation.player.secret, situation.player.epoch)
    assert answer(situation, restored) == situation.payload


@pytest.mark.parametrize("name", ["leave", "open"])
def test_a_free_message_made_again_is_the_same_to_the_byte(name: str) -> None:
    situation = situations()[name]
    restored = SealedPlayer.load(situation.player.dump())
    make = restored.give_up_hand if name == "leave" else restored.open
    assert make(situation.decks, situation.place) == situation.payload


def proof_fields(payload: object) -> set[bytes]:
    """Return every challenge, answer and commitment in a message; its proofs end each list of byte strings."""
    if not isinstance(payload, list) or not payload:
        return set()
    fields = set(cut(payload[-1])) if isinstance(payload[-1], bytes) else set()
    return fields.union(*(proof_fields(item) for item in payload))


@pytest.mark.parametrize("name", OWED)
def test_in_another_place_every_number_of_a_proof_is_another(name: str) -> None:
    """Answers to two challenges with one nonce would reveal the secret."""
    situation = situations()[name]
    slot, prev = situation.place
    elsewhere = [
        situation.moved(place=Place(slot + 1, prev)),
        situation.moved(place=Place(slot, bytes(32))),
        situation.moved(decks=replace(situation.decks, gid=sha256(b"another game").digest())),
    ]
    proofs = [proof_fields(situation.payload), *(proof_fields(answer(other)) for other in elsewhere)]
    assert all(len(fields) >= 2 for fields in proofs)
    assert len(set.union(*proofs)) == sum(len(fields) for fields in proofs)


def test_a_statement_that_differs_in_one_byte_gets_other_numbers() -> None:
    def numbers(secret: bytes, statement: bytes) -> list[bytes]:
        transcript = ProofTranscript(b"test")
        transcript.absorb(b"statement", statement)
        source = Source(secret, transcript)
        return [*source.scalars(b"one", 3), *source.scalars(b"two", 3), source.scalar(b"one", 5)]

    secret = sha256(b"secret").digest()
    found = [numbers(secret, b"a"), numbers(secret, b"b"), numbers(next_secret(secret), b"a")]
    assert numbers(secret, b"a") == found[0]
    assert len({number for some in found for number in some}) == 21


def test_no_secret_number_serves_twice_in_a_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two answers with one nonce would reveal the order."""
    drawn: list[tuple[bytes, bytes, int]] = []
    real = Source._wide

    def wide(source: Source, purpose: bytes, index: int, attempt: int) -> bytes:
        drawn.append((source._key, purpose, index))
        return real(source, purpose, index, attempt)

    cards = mask(map(card_point, range(5)), BASE)
    monkeypatch.setattr(Source, "_wide", wide)
    permuted = permute(ProofTranscript(b"test"), bytes(32), BASE, (2, 3), cards)
    prove_shuffle(ProofTranscript(b"test"), bytes(32), BASE, (2, 3), cards, permuted)
    assert len(set(drawn)) == len(drawn) >= 5 + 3 * 5 + 7


def test_secrets_come_from_the_system_and_lead_only_forward() -> None:
    first, second = new_game_secret(), new_game_secret()
    assert len(first) == len(second) == 32
    assert first != second
    assert next_secret(first) not in (first, next_secret(next_secret(first)))


def test_a_forgotten_epoch_stays_forgotten() -> None:
    table = ready_table(3)
    later = SealedPlayer(0, next_secret(table.players[0].secret), epoch=1)
    with pytest.raises(SealRefused, match=r"secret\.forgotten"):
        later.give_up_hand(table.decks, table.place)


def test_a_player_does_not_print_its_secret() -> None:
    player = SealedPlayer(1, sha256(b"secret").digest())
    assert repr(player) == "SealedPlayer(seat=1, epoch=0)"
    with pytest.raises(SealRefused, match=r"encoding\.shape"):
        SealedPlayer(1, b"short")


def test_a_player_reveals_only_its_own_hand() -> None:
    table = ready_table(3)
    with pytest.raises(SealRefused, match=r"card\.not-in-hand"):
        table.players[0].seals(table.decks, table.place, [Reveal(table.decks.deck(0)[0])])


def test_another_card_in_the_same_place_gets_another_mask() -> None:
    situation = situations()["return"]
    player, decks, place = situation.player, situation.decks, situation.place
    held = decks.holding(situation.seat, decks.hand(situation.seat)[0])
    elsewhere = replace(held, cipher=held.cipher._replace(a=held.cipher.b))
    masks = [player._mask(decks, place, kind, card) for kind in (b"return", b"carry") for card in (held, elsewhere)]
    assert len(set(masks)) == 4
    assert player._mask(decks, place, b"return", held) == masks[0]
