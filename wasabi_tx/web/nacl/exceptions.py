"""The errors of PyNaCl."""

import builtins


class CryptoError(Exception):
    pass


class BadSignatureError(CryptoError):
    pass


class RuntimeError(builtins.RuntimeError, CryptoError):  # noqa: A001 - its name there
    pass


class TypeError(builtins.TypeError, CryptoError):  # noqa: A001 - its name there
    pass


class ValueError(builtins.ValueError, CryptoError):  # noqa: A001 - its name there
    pass
