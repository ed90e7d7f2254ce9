"""Notification settings, in a file that a person writes: `calls.toml`, beside the other settings."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.toml_text import BadToml, read_toml
from ..net.webhook import is_webhook
from ..view.online.call import SHAPES
from .quiet_hours import QuietHours, parse_quiet_hours

FILE = "calls.toml"
EXAMPLE = """\
# How you are called when a decision in a game online is yours.
# `wasabi-tx keep --ring` tries it. Take away the # before what you want.

# In the terminal of the keeper, or of a screen that you do not look at.
terminal = true

# On the desktop; needs the package desktop-notifier.
# desktop = true

# Then nobody is called; a call that is still true comes afterwards.
# quiet = "22:30-07:00"

# A command of your own, as a list of words. Its environment says what it is
# about: WASABI_TX_CALL (turn, vote, guest or cut-off), WASABI_TX_CALL_TEXT,
# WASABI_TX_CALL_TABLE, WASABI_TX_CALL_NAMES, WASABI_TX_CALL_TURN.
# Strangers choose their names: in a shell, keep the quotes and printf.
# command = ["sh", "-c", 'printf "%s\\n" "$WASABI_TX_CALL_TEXT" | mail ana']

# An address on the web, and the shape of its messages: ntfy, discord, slack
# or json.
# webhook = "https://ntfy.sh/a-long-word-that-only-you-know"
# shape = "ntfy"
"""


class BadCalls(Exception):
    """The file cannot be used; `key` is the wrong key, or empty if `line` is not TOML."""

    def __init__(self, key: str = "", line: int = 0) -> None:
        super().__init__(key, line)
        self.key = key
        self.line = line

    @property
    def unknown(self) -> bool:
        """True if the key does not exist, rather than having a wrong value."""
        return bool(self.key) and self.key not in KEYS


@dataclass(frozen=True)
class CallSettings:
    """The ways in which a person is notified."""

    terminal: bool = True
    desktop: bool = False
    command: tuple[str, ...] = ()
    webhook: str = ""
    shape: str = "ntfy"
    quiet: QuietHours | None = None

    def __repr__(self) -> str:
        return "CallSettings()"


KEYS = tuple(CallSettings.__dataclass_fields__)


def parse_calls(text: str) -> CallSettings:
    """Return the settings in the file; raise `BadCalls` if anything in it is wrong."""
    try:
        raw = read_toml(text)
    except BadToml as bad:
        raise BadCalls(line=bad.line) from None
    for key in raw:
        if key not in KEYS:
            raise BadCalls(key)
    command = raw.get("command", [])
    if not isinstance(command, list) or not all(isinstance(word, str) and "\0" not in word for word in command):
        raise BadCalls("command")
    for key in ("terminal", "desktop"):
        if not isinstance(raw.get(key, False), bool):
            raise BadCalls(key)
    webhook, shape, quiet = raw.get("webhook", ""), raw.get("shape", "ntfy"), raw.get("quiet", "")
    if not isinstance(webhook, str) or (webhook and not is_webhook(webhook)):
        raise BadCalls("webhook")
    if shape not in SHAPES:
        raise BadCalls("shape")
    try:
        hours = parse_quiet_hours(quiet)
    except ValueError:
        raise BadCalls("quiet") from None
    return CallSettings(
        terminal=raw.get("terminal", True),
        desktop=raw.get("desktop", False),
        command=tuple(command),
        webhook=webhook,
        shape=shape,
        quiet=hours,
    )
