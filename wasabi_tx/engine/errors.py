"""Errors of the rules: three kinds of bad input, each with a stable code and parameters. `view` makes sentences."""

from __future__ import annotations


class RulesError(Exception):
    """Input that the rules refuse; nothing has changed."""

    def __init__(self, code: str, **where: str | int) -> None:
        super().__init__(code, where)
        self.code = code
        self.where = where

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.code, self.where)

    def __str__(self) -> str:
        details = ", ".join(f"{name} {value}" for name, value in self.where.items())
        return f"{self.code} ({details})" if details else self.code


class Malformed(RulesError):
    """Nonsense: it could not be a step, a position or an edition in any game."""


class Illegal(RulesError):
    """A step that is well formed but not allowed now."""


class Stale(RulesError):
    """A step meant for another position."""


def _rebuild(kind: type[RulesError], code: str, where: dict[str, str | int]) -> RulesError:
    return kind(code, **where)
