"""Bent messages for the fuzzer: flipped, cut, spliced, restructured, hostile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgpack

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

HOSTILE = (
    b"\x91" * 20_000 + b"\x90",
    b"\x81\xa1v" * 9_000 + b"\x01",
    b"\xdd\xff\xff\xff\xff" * 3_000,
    b"\xdf\xff\xff\xff\xff",
    b"\xdb\x7f\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x01",
    b"\xdc\xff\xff" + b"\x01" * 20_000,
    b"\x8f" + b"\xa1v\x01" * 15,
    b"\xc1",
)


def odd_value(rng: random.Random) -> object:
    """Return a value that no field expects, or only within other bounds."""
    return rng.choice(
        [
            None,
            1.5,
            float("nan"),
            True,
            -1,
            0,
            2**31,
            2**63,
            -(2**63),
            "",
            "x" * 300,
            "\u202e★\x00",
            b"",
            b"\x00" * 32,
            rng.randbytes(32),
            rng.randbytes(rng.randrange(2_000)),
            [],
            [[]],
            [[[[[[[[]]]]]]]],
            {},
            {"a": {"b": 1}},
            msgpack.ExtType(5, b"x"),
            msgpack.Timestamp(1),
        ]
    )


def bend_value(value: object, rng: random.Random) -> object:
    """Return the value with one part changed, moved, doubled or removed."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        if rng.random() < 0.1:
            return {key: item for key, item in value.items() if key != name}
        return {key: bend_value(item, rng) if key == name else item for key, item in value.items()}
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = rng.randrange(len(value))
        changed = [*value[:place], bend_value(value[place], rng), *value[place + 1 :]]
        return rng.choice([changed, changed, value + value[:1], value[:-1], value[::-1]])
    if isinstance(value, bytes) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        flipped = value[:place] + bytes([value[place] ^ 1 << rng.randrange(8)]) + value[place + 1 :]
        return rng.choice([flipped, flipped, value[:-1], value + b"\x00"])
    if type(value) is int and rng.random() < 0.7:
        return value + rng.choice([-1, 1, 7])
    return odd_value(rng)


def bend_body(body: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Return a body changed in its structure or in its bytes."""
    how = rng.randrange(8)
    if how <= 3:
        value = bend_value(msgpack.unpackb(body, raw=False), rng)
        packed: bytes = msgpack.packb(value)
        return packed
    if how == 4:
        return bend_bytes(body, rng)
    if how == 5:
        other = rng.choice(others)
        return body[: rng.randrange(len(body))] + other[rng.randrange(len(other)) :]
    if how == 6:
        return rng.choice(HOSTILE)
    return rng.randbytes(rng.randrange(400))


def bend_bytes(data: bytes, rng: random.Random) -> bytes:
    """Return the data with a few bits flipped, or with its end cut or extended."""
    how = rng.randrange(4)
    if how == 0:
        return data[: rng.randrange(len(data) + 1)]
    if how == 1:
        return data + rng.randbytes(rng.randrange(1, 40))
    bent = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        bent[rng.randrange(len(bent))] ^= 1 << rng.randrange(8)
    return bytes(bent)
