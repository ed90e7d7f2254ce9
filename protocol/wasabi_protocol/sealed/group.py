"""The group: the prime-order subgroup of edwards25519, as libsodium computes it.

A `Point` or a `Scalar` exists only if it came through this module: imported from foreign bytes, or computed.
Both are their 32 canonical bytes, so equal elements are equal bytes. Every operation is total: the zero scalar
and the identity, for which libsodium reports an error, are defined here.
"""

from __future__ import annotations

from hashlib import sha512
from typing import TYPE_CHECKING, NewType

from nacl import bindings as sodium
from nacl.exceptions import CryptoError
from nacl.exceptions import RuntimeError as SodiumError

from wasabi_protocol.sealed.errors import SealRefused, UnsafeLibrary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Point = NewType("Point", bytes)
Scalar = NewType("Scalar", bytes)

SIZE = 32
SIGNATURE_SIZE = 2 * SIZE
ORDER = 2**252 + 27742317777372353535851937790883648493
ZERO = Scalar(bytes(SIZE))
ONE = Scalar((1).to_bytes(SIZE, "little"))
BASE = Point(sodium.crypto_scalarmult_ed25519_base_noclamp(ONE))
IDENTITY = Point(sodium.crypto_core_ed25519_sub(BASE, BASE))


def import_point(raw: object) -> Point:
    """Import a point from its canonical encoding; raise SealRefused otherwise, and for the identity."""
    if not isinstance(raw, bytes) or len(raw) != SIZE or not sodium.crypto_core_ed25519_is_valid_point(raw):
        raise SealRefused("encoding.point")
    return Point(raw)


def import_points(raws: Sequence[bytes], weights: Sequence[Scalar]) -> tuple[list[Point], list[Point]]:
    """Import points and multiply each by its weight, at the cost of the products alone.

    libsodium's multiplication refuses exactly what `import_point` refuses (`self_test` makes sure of it).
    """
    points: list[Point] = []
    products: list[Point] = []
    for index, (raw, weight) in enumerate(zip(raws, weights, strict=True)):
        if weight == ZERO:
            points.append(import_point(raw))
            products.append(IDENTITY)
            continue
        try:
            product = sodium.crypto_scalarmult_ed25519_noclamp(weight, raw)
        except (CryptoError, TypeError, ValueError) as error:
            raise SealRefused("encoding.point", index=index) from error
        points.append(Point(raw))
        products.append(Point(product))
    return points, products


def import_scalar(raw: object) -> Scalar:
    """Import a scalar from its canonical encoding, little endian and below the order."""
    if not isinstance(raw, bytes) or len(raw) != SIZE or int.from_bytes(raw, "little") >= ORDER:
        raise SealRefused("encoding.scalar")
    return Scalar(raw)


def public_scalar(number: int) -> Scalar:
    """Return a number mod the order; secret scalars are never Python numbers."""
    return Scalar((number % ORDER).to_bytes(SIZE, "little"))


def multiply(scalar: Scalar, point: Point) -> Point:
    """Return scalar · point."""
    if scalar == ZERO or point == IDENTITY:
        return IDENTITY
    return Point(sodium.crypto_scalarmult_ed25519_noclamp(scalar, point))


def multiply_base(scalar: Scalar) -> Point:
    """Return scalar · G."""
    if scalar == ZERO:
        return IDENTITY
    return Point(sodium.crypto_scalarmult_ed25519_base_noclamp(scalar))


def add(left: Point, right: Point) -> Point:
    """Return left + right."""
    return Point(sodium.crypto_core_ed25519_add(left, right))


def subtract(left: Point, right: Point) -> Point:
    """Return left − right."""
    return Point(sodium.crypto_core_ed25519_sub(left, right))


def total(points: Iterable[Point]) -> Point:
    """Return the sum of the points; the identity if there are none."""
    result: Point | None = None
    for point in points:
        result = point if result is None else add(result, point)
    return IDENTITY if result is None else result


def weigh(weights: Sequence[Scalar], points: Sequence[Point]) -> Point:
    """Return Σ weight · point."""
    return total(multiply(weight, point) for weight, point in zip(weights, points, strict=True))


def add_scalars(left: Scalar, right: Scalar) -> Scalar:
    """Return left + right mod the order."""
    return Scalar(sodium.crypto_core_ed25519_scalar_add(left, right))


def multiply_scalars(left: Scalar, right: Scalar) -> Scalar:
    """Return left · right mod the order."""
    return Scalar(sodium.crypto_core_ed25519_scalar_mul(left, right))


def negate_scalar(scalar: Scalar) -> Scalar:
    """Return −scalar mod the order."""
    return Scalar(sodium.crypto_core_ed25519_scalar_negate(scalar))


def sum_scalars(scalars: Iterable[Scalar]) -> Scalar:
    """Return the sum of the scalars, zero if there are none."""
    result = ZERO
    for scalar in scalars:
        result = add_scalars(result, scalar)
    return result


def weigh_scalars(weights: Iterable[Scalar], scalars: Iterable[Scalar]) -> Scalar:
    """Return Σ weight · scalar."""
    return sum_scalars(map(multiply_scalars, weights, scalars))


def reduce_scalar(wide: bytes) -> Scalar:
    """Reduce 64 uniform bytes to a scalar without bias."""
    return Scalar(sodium.crypto_core_ed25519_scalar_reduce(wide))


def signature_challenge(key: Point, commitment: bytes, message: bytes) -> Scalar:
    """Return the challenge of an Ed25519 signature."""
    return reduce_scalar(sha512(commitment + key + message).digest())


def signature_holds(key: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether libsodium accepts it: S < L, no small-order or non-canonical key, SG = R + challenge · key.

    This makes checking that the author knows a logarithm cheaper than one product.
    """
    if len(key) != SIZE or len(signature) != SIGNATURE_SIZE:
        return False
    try:
        sodium.crypto_sign_open(signature + message, key)
    except (CryptoError, ValueError):
        return False
    return True


def hash_to_group(label: bytes) -> Point:
    """Return a point fixed by its label whose logarithm nobody knows."""
    wide = sha512(b"wsb1 hash to group" + len(label).to_bytes(4, "big") + label).digest()
    halves = (sodium.crypto_core_ed25519_from_uniform(half) for half in (wide[:SIZE], wide[SIZE:]))
    return total(Point(half) for half in halves)


# Points libsodium must refuse: the identity, orders 2, 4 and 8, G + a point of each of these, and y = p, p + 1, p + 3
# written without reduction, which decode to valid curve points if the encoding is not compared.
_FIELD = 2**255 - 19
_BAD_POINTS: tuple[tuple[str, bytes], ...] = (
    ("identity", bytes(IDENTITY)),
    ("order 2", (_FIELD - 1).to_bytes(SIZE, "little")),
    ("order 4", bytes(SIZE)),
    ("order 8", bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")),
    ("mixed order, 2", bytes.fromhex("9599999999999999999999999999999999999999999999999999999999999999")),
    ("mixed order, 4", bytes.fromhex("5252cc0a7f208133b620acbd4537eba2a4123bf0a8c2e4f980c3b31bb69765ea")),
    ("mixed order, 8", bytes.fromhex("98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819")),
    ("y = p", _FIELD.to_bytes(SIZE, "little")),
    ("y = p + 1", (_FIELD + 1).to_bytes(SIZE, "little")),
    ("y = p + 3", (_FIELD + 3).to_bytes(SIZE, "little")),
)


def self_test() -> None:
    """Raise `UnsafeLibrary` unless libsodium refuses every bad point, in every function that accepts one."""
    for name, raw in _BAD_POINTS:
        if sodium.crypto_core_ed25519_is_valid_point(raw) or _multiplies(raw):
            raise UnsafeLibrary(f"libsodium accepts a point that it must refuse: {name}")
    if not sodium.crypto_core_ed25519_is_valid_point(BASE) or not _multiplies(BASE):
        raise UnsafeLibrary("libsodium refuses the base point")
    mixed = dict(_BAD_POINTS)["mixed order, 8"]
    if not _signs(BASE, ONE) or _signs(mixed, ONE) or _signs(IDENTITY, ZERO):
        raise UnsafeLibrary("libsodium judges signatures otherwise than it must")
    if multiply_base(Scalar((ORDER - 1).to_bytes(SIZE, "little"))) != subtract(IDENTITY, BASE):
        raise UnsafeLibrary("libsodium does not compute in the group that it should")


def _multiplies(raw: bytes) -> bool:
    try:
        # Multiply by 1, because a multiple of the cofactor would turn a small order into the identity, which is refused
        # anyway.
        sodium.crypto_scalarmult_ed25519_noclamp(ONE, raw)
    except SodiumError:
        return False
    return True


def _signs(commitment: bytes, nonce: Scalar) -> bool:
    """Return whether a signature under G with this nonce is accepted.

    The commitment must be nonce · G exactly; a cofactored check would also accept nonce · G plus a small-order point.
    The identity is never accepted.
    """
    message = b"self-test"
    answer = add_scalars(nonce, signature_challenge(BASE, commitment, message))
    return signature_holds(BASE, commitment + answer, message)
