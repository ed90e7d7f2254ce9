"""Any input gets one of this package's verdicts, and the decks stay unchanged."""

from __future__ import annotations

from random import Random

import pytest
from wasabi_protocol.sealed.errors import SealedError

from tests.protocol.sealed.situations import NAMES, leaves, put, situations

GARBAGE: list[object] = [
    None, True, 0, -1, 2**63, 2**70, 1.5, "", "draw", b"", bytes(31), bytes(32), bytes(64), b"\xff" * 32, [], [[]],
    [None], {}, {"a": 1}, [b"", b""], [bytes(32), bytes(96)], [[bytes(64), bytes(96)]] * 3, [[], b"", bytes(96)],
    ["draw", 0, 0], [["draw", 0]], [["reveal", [0, 0, 0], bytes(32), bytes(96)]], [["up", 2**40]], [[["up"]]],
    [["return", None, None, None]], [["reshuffle", 0, [[0, 0, "x"]]]], [["reshuffle", 0, [None]]], "x" * 1000,
]  # fmt: skip


def mutate(payload: object, chance: Random) -> object:
    """Return the message with one fault somewhere."""
    path, leaf = chance.choice(list(leaves(payload)))
    path = path[: chance.randrange(len(path) + 1)] if chance.random() < 0.2 else path
    if isinstance(leaf, bytes) and leaf and chance.random() < 0.6:
        place = chance.randrange(len(leaf))
        changed: object = chance.choice(
            [
                leaf[:place] + bytes([leaf[place] ^ (1 << chance.randrange(8))]) + leaf[place + 1 :],
                leaf[:place],
                leaf + leaf[:place],
                leaf[32:] + leaf[:32],
                chance.randbytes(len(leaf)),
                bytes(len(leaf)),
            ]
        )
    else:
        changed = chance.choice(GARBAGE)
    return put(payload, path, changed)


@pytest.mark.parametrize("name", NAMES)
def test_every_message_gets_a_verdict(name: str) -> None:
    situation = situations()[name]
    chance = Random(name)
    before = situation.decks.digest()
    accepted = 0
    for payload in [*GARBAGE, *(mutate(situation.payload, chance) for _ in range(130))]:
        for _ in range(chance.randrange(2)):
            payload = mutate(payload, chance) if isinstance(payload, list) and list(leaves(payload)) else payload
        try:
            situation.check(payload)
        except SealedError:
            continue
        accepted += payload != situation.payload and situation.kind != "seals"
    assert accepted == 0
    assert situation.decks.digest() == before


@pytest.mark.parametrize("name", NAMES)
def test_a_message_of_one_kind_is_none_of_another(name: str) -> None:
    situation = situations()[name]
    for other in situations().values():
        if other.kind == situation.kind and other.decks is situation.decks:
            continue
        if other.payload == situation.payload or (other.kind == "seals" and situation.kind == "seals"):
            continue
        with pytest.raises(SealedError):
            situation.check(other.payload)
