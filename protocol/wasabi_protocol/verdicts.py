"""Verdicts about input that the library does not accept: one family of errors with stable codes."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """The reason for a refusal; the text of a code never changes."""

    # The bytes
    TOO_LONG = "too-long"
    TOO_SHORT = "too-short"
    BAD_SIGNATURE = "bad-signature"
    BAD_ENCODING = "bad-encoding"
    BAD_FIELD = "bad-field"
    UNKNOWN_VERSION = "unknown-version"
    UNKNOWN_TYPE = "unknown-type"
    # Authors and places
    NOT_A_SEAT = "not-a-seat"
    WRONG_SEAT = "wrong-seat"
    WRONG_KEY = "wrong-key"
    WRONG_GAME = "wrong-game"
    WRONG_TABLE = "wrong-table"
    WRONG_TOPIC = "wrong-topic"
    # The log
    HOLD_FULL = "hold-full"
    NOT_OWED = "not-owed"
    WRONG_EPOCH = "wrong-epoch"
    WRONG_TYPE = "wrong-type"
    WRONG_CONTENT = "wrong-content"
    WRONG_DIGEST = "wrong-digest"
    WRONG_WISH = "wrong-wish"
    BAD_PROOF = "bad-proof"
    ILLEGAL_STEPS = "illegal-steps"
    EQUIVOCATION = "equivocation"
    # Ballots
    BALLOT_OUT = "ballot-out"
    BOUND_BY_BALLOT = "bound-by-ballot"
    ROUND_OPEN = "round-open"
    # Before the game
    BAD_TERMS = "bad-terms"
    BAD_JOIN = "bad-join"
    BAD_PASS = "bad-pass"
    REPEATED_KEY = "repeated-key"
    REPEATED_COMMITMENT = "repeated-commitment"
    MISSING_JOIN = "missing-join"
    MISSING_ACCEPT = "missing-accept"
    OLD_ATTEMPT = "old-attempt"
    TWO_STATEMENTS = "two-statements"
    TABLE_VOID = "table-void"
    BAD_NONCE = "bad-nonce"
    # Addresses and secrets
    BAD_TOPIC = "bad-topic"
    BAD_INVITE = "bad-invite"
    BAD_SEAL = "bad-seal"
    BAD_KEY = "bad-key"
    BAD_FILE = "bad-file"
    # Our own actions
    ALREADY_WRITTEN = "already-written"
    OTHER_RUN = "other-run"
    NOT_PLAYING = "not-playing"


class Verdict(Exception):
    """The only error that leaves this package: a stable code, and the seat whose fault it proves, if any."""

    def __init__(self, code: Code, detail: str = "", seat: int | None = None) -> None:
        super().__init__(code, detail, seat)
        self.code = code
        self.detail = detail
        self.seat = seat

    def __str__(self) -> str:
        where = "" if self.seat is None else f" (seat {self.seat})"
        return f"{self.code}{where}" + (f": {self.detail}" if self.detail else "")


class Refused(Verdict):
    """The input was dropped: nothing changed and nobody is blamed."""


class Invalid(Verdict):
    """A seat signed something wrong against the log that it names: proof against that seat."""

    def __init__(self, code: Code, seat: int, detail: str = "") -> None:
        super().__init__(code, detail, seat)
        self.seat: int = seat


class Forbidden(Verdict):
    """The caller asked for something that this client's own promises rule out."""
