"""Only elements of the prime-order group are accepted, and every operation on them is defined."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest
from nacl import bindings
from nacl.exceptions import BadSignatureError
from wasabi_protocol.sealed import decks, group
from wasabi_protocol.sealed.errors import SealRefused, UnsafeLibrary
from wasabi_protocol.sealed.group import (
    BASE,
    IDENTITY,
    ONE,
    ORDER,
    ZERO,
    Scalar,
    add,
    add_scalars,
    hash_to_group,
    import_point,
    import_points,
    import_scalar,
    multiply,
    multiply_base,
    multiply_scalars,
    negate_scalar,
    subtract,
    sum_scalars,
    total,
    weigh,
    weigh_scalars,
)

from tests.protocol.sealed.forger import some_scalar

if TYPE_CHECKING:
    from collections.abc import Callable

FIELD = 2**255 - 19
ORDER_2 = (FIELD - 1).to_bytes(32, "little")
ORDER_4 = bytes(32)
ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")

BAD_POINTS: dict[str, object] = {
    "identity": bytes(IDENTITY),
    "order 2": ORDER_2,
    "order 4": ORDER_4,
    "order 4, other sign": bytes(31) + b"\x80",
    "order 8": ORDER_8,
    "base + order 2": bindings.crypto_core_ed25519_add(BASE, ORDER_2),
    "base + order 4": bindings.crypto_core_ed25519_add(BASE, ORDER_4),
    "base + order 8": bindings.crypto_core_ed25519_add(BASE, ORDER_8),
    "y = p": FIELD.to_bytes(32, "little"),
    "y = p + 1": (FIELD + 1).to_bytes(32, "little"),
    "y = p + 1, other sign": (FIELD + 1 + 2**255).to_bytes(32, "little"),
    "y = p + 3": (FIELD + 3).to_bytes(32, "little"),
    "identity with a sign": (1 + 2**255).to_bytes(32, "little"),
    "not on the curve": (2).to_bytes(32, "little"),
    "all ones": b"\xff" * 32,
    "short": bytes(BASE)[:31],
    "long": bytes(BASE) + b"\0",
    "empty": b"",
    "a string": "point",
    "nothing": None,
    "a number": 5,
}


BAD_BYTES = {name: raw for name, raw in BAD_POINTS.items() if isinstance(raw, bytes) and len(raw) == 32}
"""The bad points with the length of a point."""


@pytest.mark.parametrize("name", BAD_POINTS)
def test_a_bad_point_does_not_come_in(name: str) -> None:
    with pytest.raises(SealRefused, match=r"encoding\.point"):
        import_point(BAD_POINTS[name])


@pytest.mark.parametrize("name", [name for name, raw in BAD_POINTS.items() if isinstance(raw, bytes)])
@pytest.mark.parametrize("weight", [ZERO, ONE, some_scalar("weight"), Scalar((8).to_bytes(32, "little"))])
def test_importing_with_a_weight_refuses_the_same_points(name: str, weight: Scalar) -> None:
    raw = BAD_POINTS[name]
    assert isinstance(raw, bytes)
    with pytest.raises(SealRefused, match=r"encoding\.point"):
        import_points([bytes(BASE), raw], [ONE, weight])


def test_importing_with_a_weight_gives_point_and_product() -> None:
    point = multiply_base(some_scalar(1))
    weights = [some_scalar(2), ZERO]
    assert import_points([bytes(point)] * 2, weights) == ([point] * 2, [multiply(weights[0], point), IDENTITY])


@pytest.mark.parametrize("value", [ORDER, ORDER + 1, 2**252 * 2, 2**255, 2**256 - 1])
def test_a_scalar_of_the_order_or_more_does_not_come_in(value: int) -> None:
    with pytest.raises(SealRefused, match=r"encoding\.scalar"):
        import_scalar(value.to_bytes(32, "little"))


@pytest.mark.parametrize("value", [b"", bytes(31), bytes(33), None, 7, "scalar"])
def test_a_scalar_of_another_form_does_not_come_in(value: object) -> None:
    with pytest.raises(SealRefused, match=r"encoding\.scalar"):
        import_scalar(value)


@pytest.mark.parametrize("value", [0, 1, ORDER - 1])
def test_every_scalar_below_the_order_comes_in(value: int) -> None:
    raw = value.to_bytes(32, "little")
    assert import_scalar(raw) == raw


def test_zero_and_the_identity_are_defined_everywhere() -> None:
    k, point = some_scalar("k"), multiply_base(some_scalar("p"))
    assert multiply(ZERO, point) == multiply(k, IDENTITY) == multiply_base(ZERO) == IDENTITY
    assert add(point, IDENTITY) == add(IDENTITY, point) == subtract(point, IDENTITY) == point
    assert subtract(point, point) == add(point, multiply(negate_scalar(ONE), point)) == IDENTITY
    assert total([]) == weigh([], []) == IDENTITY
    assert sum_scalars([]) == ZERO
    assert multiply(k, subtract(point, point)) == IDENTITY


def test_sums_of_products_agree_with_one_product() -> None:
    weights = [some_scalar("w", i) for i in range(4)]
    scalars = [some_scalar("s", i) for i in range(4)]
    points = [multiply_base(scalar) for scalar in scalars]
    assert weigh(weights, points) == multiply_base(weigh_scalars(weights, scalars))
    assert weigh(weights, [points[0]] * 4) == multiply(sum_scalars(weights), points[0])
    left = multiply_scalars(weights[0], add_scalars(scalars[0], scalars[1]))
    assert multiply_base(left) == multiply(weights[0], add(points[0], points[1]))


def test_hash_to_group_gives_different_valid_points() -> None:
    points = {hash_to_group(bytes([label])) for label in range(50)}
    assert len(points) == 50
    assert all(import_point(bytes(point)) == point for point in points)
    assert hash_to_group(b"ab") != hash_to_group(b"a" + b"\0" + b"b")


def test_the_installed_library_passes_the_self_test() -> None:
    group.self_test()


def accept(_: bytes) -> bool:
    return True


def refuse(_: bytes) -> bool:
    return False


def careless(_: bytes, point: bytes) -> bytes:
    return point


@pytest.mark.parametrize(
    ("function", "broken"),
    [
        ("crypto_core_ed25519_is_valid_point", accept),
        ("crypto_core_ed25519_is_valid_point", refuse),
        ("crypto_scalarmult_ed25519_noclamp", careless),
    ],
)
def test_a_careless_library_fails_the_self_test(
    monkeypatch: pytest.MonkeyPatch, function: str, broken: Callable[..., object]
) -> None:
    monkeypatch.setattr(bindings, function, broken)
    with pytest.raises(UnsafeLibrary):
        group.self_test()


def test_no_game_is_opened_with_a_careless_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bindings, "crypto_core_ed25519_is_valid_point", accept)
    decks._test_once.cache_clear()
    with pytest.raises(UnsafeLibrary):
        decks.open_decks(bytes(32), {0: bytes(32), 1: bytes(32)}, (1,))


TESTED = ["order 2", "order 4", "order 8", "base + order 2", "base + order 4", "base + order 8", "y = p", "y = p + 3"]


@pytest.mark.parametrize("name", ["identity", *TESTED])
def test_accepting_a_single_bad_point_fails_the_self_test(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    real = bindings.crypto_core_ed25519_is_valid_point
    monkeypatch.setattr(
        bindings, "crypto_core_ed25519_is_valid_point", lambda raw: raw == BAD_POINTS[name] or real(raw)
    )
    with pytest.raises(UnsafeLibrary):
        group.self_test()


@pytest.mark.parametrize("name", TESTED)
def test_multiplying_a_single_bad_point_fails_the_self_test(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A careless multiplication still refuses results that are the identity."""
    real, cofactor = bindings.crypto_scalarmult_ed25519_noclamp, (8).to_bytes(32, "little")

    def multiply(scalar: bytes, point: bytes) -> bytes:
        if point != BAD_POINTS[name] or scalar == cofactor:
            return real(scalar, point)
        return point

    monkeypatch.setattr(bindings, "crypto_scalarmult_ed25519_noclamp", multiply)
    with pytest.raises(UnsafeLibrary):
        group.self_test()


def test_a_library_that_judges_signatures_times_the_cofactor_fails_the_self_test(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise R may differ from its required value by a point of small order, so that clients disagree."""
    real = bindings.crypto_sign_open

    def lenient(signed: bytes, key: bytes) -> bytes:
        return signed[64:] if signed[:32] == BAD_POINTS["base + order 8"] else real(signed, key)

    group.self_test()
    monkeypatch.setattr(bindings, "crypto_sign_open", lenient)
    with pytest.raises(UnsafeLibrary, match="signatures"):
        group.self_test()


def test_a_library_that_takes_a_signature_without_a_nonce_fails_the_self_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """The equation is satisfied, yet libsodium refuses it because R is the identity."""
    real = bindings.crypto_sign_open

    def lenient(signed: bytes, key: bytes) -> bytes:
        return signed[64:] if signed[:32] == IDENTITY else real(signed, key)

    monkeypatch.setattr(bindings, "crypto_sign_open", lenient)
    with pytest.raises(UnsafeLibrary, match="signatures"):
        group.self_test()


def test_a_library_that_refuses_a_good_signature_fails_the_self_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bindings, "crypto_sign_open", Mock(side_effect=BadSignatureError))
    with pytest.raises(UnsafeLibrary, match="signatures"):
        group.self_test()
