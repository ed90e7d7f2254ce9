"""Vectors of the group and of transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wasabi_protocol.sealed.group import BASE, ORDER, hash_to_group

from tests.protocol.vectors.vector import Book, Vector

FIELD = 2**255 - 19


def _le(number: int) -> str:
    return number.to_bytes(32, "little").hex()


IDENTITY = _le(1)

POINTS: dict[str, tuple[str, str, bool]] = {
    "base": ("the base point", BASE.hex(), True),
    "hashed": ("a point of the group", hash_to_group(b"x").hex(), True),
    "identity": ("the identity is never imported", _le(1), False),
    "order-2": ("order 2", _le(FIELD - 1), False),
    "order-4": ("order 4", _le(0), False),
    "order-8": ("order 8", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", False),
    "mixed-order": ("G plus a point of order 2", "95" + "99" * 31, False),
    "y-is-p": ("y = p, which is 0", _le(FIELD), False),
    "y-is-p-plus-1": ("y = p + 1, which is 1", _le(FIELD + 1), False),
    "y-is-p-plus-3": ("y = p + 3, which is 3", _le(FIELD + 3), False),
    "not-on-curve": ("y = 2 is on no point", _le(2), False),
    "short": ("31 bytes", BASE.hex()[:62], False),
    "long": ("33 bytes", BASE.hex() + "00", False),
}
SCALARS: dict[str, tuple[str, str, bool]] = {
    "zero": ("zero is a scalar", _le(0), True),
    "largest": ("L - 1", _le(ORDER - 1), True),
    "order": ("L", _le(ORDER), False),
    "order-plus-1": ("L + 1, which is 1", _le(ORDER + 1), False),
    "all-ones": ("2^256 - 1", "ff" * 32, False),
    "short": ("31 bytes", "01" * 31, False),
}


def group() -> Book:
    vectors = [
        Vector(f"point/{name}", "point", comment, {"bytes": text}, None if good else "encoding.point")
        for name, (comment, text, good) in POINTS.items()
    ]
    vectors += [
        Vector(f"scalar/{name}", "scalar", comment, {"bytes": text}, None if good else "encoding.scalar")
        for name, (comment, text, good) in SCALARS.items()
    ]
    labels = {
        "empty": b"",
        "card-0": b"card" + bytes(4),
        "card-51": b"card" + (51).to_bytes(4, "big"),
    }
    vectors += [
        Vector(f"hash-to-group/{name}", "hash-to-group", f"of {label!r}"[:60], {"label": label.hex()})
        for name, label in labels.items()
    ]
    double = {"left": BASE.hex(), "right": BASE.hex()}
    vectors.append(Vector("point/sum", "sum", "G + G", double))
    sizes = {
        "classic": ([16, 16, 12, 8], None),
        "small": ([3, 2], None),
        "with-an-empty-deck": ([2, 0, 1], None),
        "too-many": ([130, 1], "decks.sizes"),
        "none": ([], "decks.sizes"),
    }
    vectors += [
        Vector(f"params/{name}", "params", "the fixed points of such decks", {"sizes": given}, code)
        for name, (given, code) in sizes.items()
    ]
    return Book("group", "points, scalars, hash-to-group and transcripts", [*vectors, *_challenges()])


def _challenges() -> Iterator[Vector]:
    def case(name: str, comment: str, absorb: list[Any], **more: Any) -> Vector:
        given = {"label": "a label", "absorb": absorb, "challenge": "which", **more}
        return Vector(f"challenge/{name}", "challenge", comment, given)

    yield case("one", "one list of two values", [["list", ["00", "0102"]]])
    yield case("split", "the same bytes cut elsewhere: another challenge", [["list", ["0001", "02"]]])
    yield case("two-lists", "the same values in two lists: another challenge", [["list", ["00"]], ["list", ["0102"]]])
    yield case("many", "three independent ones", [["list", ["00"]]], count=3)


def books() -> list[Book]:
    return [group()]
