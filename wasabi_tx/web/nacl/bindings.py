"""Functions of `nacl.bindings` over libsodium.js, with the sizes that they demand and the errors that they raise."""

from collections.abc import Callable

from page import sodium
from pyodide.ffi import JsException, to_js

from . import exceptions as exc

_SEAL, _NONCE, _KEY, _TAG, _SIGNATURE = 48, 24, 32, 16, 64


def _call(name: str, *values: bytes) -> bytes:
    return bytes(getattr(sodium, name)(*map(to_js, values)).to_bytes())


def _sized(name: str, *sizes: int) -> Callable[..., bytes]:
    """Return a function of byte strings of these sizes."""

    def function(*values: bytes) -> bytes:
        if [len(one) if isinstance(one, bytes) else -1 for one in values] != [*sizes]:
            raise exc.TypeError(f"{name} takes byte strings of {sizes}")
        try:
            return _call(name, *values)
        except JsException as error:
            raise exc.RuntimeError(f"Unexpected library error: {error}") from None

    return function


crypto_core_ed25519_add = _sized("crypto_core_ed25519_add", 32, 32)
crypto_core_ed25519_sub = _sized("crypto_core_ed25519_sub", 32, 32)
crypto_core_ed25519_from_uniform = _sized("crypto_core_ed25519_from_uniform", 32)
crypto_core_ed25519_scalar_add = _sized("crypto_core_ed25519_scalar_add", 32, 32)
crypto_core_ed25519_scalar_mul = _sized("crypto_core_ed25519_scalar_mul", 32, 32)
crypto_core_ed25519_scalar_negate = _sized("crypto_core_ed25519_scalar_negate", 32)
crypto_core_ed25519_scalar_reduce = _sized("crypto_core_ed25519_scalar_reduce", 64)
crypto_scalarmult_ed25519_noclamp = _sized("crypto_scalarmult_ed25519_noclamp", 32, 32)
crypto_scalarmult_ed25519_base_noclamp = _sized("crypto_scalarmult_ed25519_base_noclamp", 32)


def crypto_core_ed25519_is_valid_point(point: bytes) -> bool:
    if not isinstance(point, bytes) or len(point) != 32:
        raise exc.TypeError("a point has 32 bytes")
    return bool(sodium.crypto_core_ed25519_is_valid_point(to_js(point)))


def crypto_sign_seed_keypair(seed: bytes) -> tuple[bytes, bytes]:
    return _pair("crypto_sign_seed_keypair", seed)


def crypto_box_seed_keypair(seed: bytes) -> tuple[bytes, bytes]:
    return _pair("crypto_box_seed_keypair", seed)


def _pair(name: str, seed: bytes) -> tuple[bytes, bytes]:
    if len(seed) != 32:
        raise exc.ValueError("Invalid seed")
    pair = getattr(sodium, name)(to_js(seed))
    return pair.publicKey.to_bytes(), pair.privateKey.to_bytes()


def crypto_sign(message: bytes, secret: bytes) -> bytes:
    return _call("crypto_sign", message, secret)


def crypto_sign_open(signed: bytes, key: bytes) -> bytes:
    try:
        if len(signed) >= _SIGNATURE and len(key) == _KEY:
            return _call("crypto_sign_open", signed, key)
    except JsException:
        pass
    raise exc.BadSignatureError("Signature was forged or corrupt")


def crypto_box_seal(message: bytes, key: bytes) -> bytes:
    if len(key) != _KEY:
        raise exc.ValueError("Invalid public key")
    return _call("crypto_box_seal", message, key)


def crypto_box_seal_open(sealed: bytes, key: bytes, secret: bytes) -> bytes:
    if len(key) != _KEY or len(secret) != _KEY:
        raise exc.ValueError("Invalid key")
    if len(sealed) < _SEAL:
        raise exc.TypeError(f"Input ciphertext must be at least {_SEAL} long")
    return _opened("crypto_box_seal_open", sealed, key, secret)


def crypto_secretbox(message: bytes, nonce: bytes, key: bytes) -> bytes:
    _check_box(nonce, key)
    return _call("crypto_secretbox_easy", message, nonce, key)


def crypto_secretbox_open(sealed: bytes, nonce: bytes, key: bytes) -> bytes:
    _check_box(nonce, key)
    if len(sealed) < _TAG:
        raise exc.CryptoError("Decryption failed. Ciphertext failed verification")
    return _opened("crypto_secretbox_open_easy", sealed, nonce, key)


def _check_box(nonce: bytes, key: bytes) -> None:
    if len(key) != _KEY or len(nonce) != _NONCE:
        raise exc.ValueError("Invalid key or nonce")


def _opened(name: str, *values: bytes) -> bytes:
    try:
        return _call(name, *values)
    except JsException:
        raise exc.CryptoError("An error occurred trying to decrypt the message") from None
