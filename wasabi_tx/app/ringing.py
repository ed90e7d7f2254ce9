"""Notifying a person: in every configured way, once for each occasion, never in quiet hours."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from ..net.webhook import WebhookFailed, send_webhook
from ..online.saved.situation import Situation, known_games
from ..store.paths import find_paths, short_path
from ..store.seat_notes import CALLED, SITUATION, read_note, remove_note, write_note
from ..store.transcripts import read_text
from ..text import Texts
from ..view.online.call import (
    BRAND,
    Call,
    call_facts,
    call_message,
    call_of,
    desktop_call,
    say_call,
    terminal_call,
)
from .call_settings import FILE, KEYS, BadCalls, CallSettings, parse_calls
from .failure import Failure
from .output import writable

_logger = logging.getLogger(__name__)

COMMAND_SECONDS = 30.0
OURS = "WASABI_TX_"
"""Prefix of variables that may contain a password or an invite: a command gets only the notification's own."""
JUST_BEFORE = 60.0
"""Seconds for which a notified person needs no second notification, even if they could not go on meanwhile."""
TEST = Call("test", "test", ("Ana", "Bo"), 9)


def call_settings(texts: Texts) -> CallSettings:
    """Return the settings in this person's file; raise `Failure` with the place of an error in it."""
    path = find_paths().config / FILE
    try:
        return parse_calls(read_text(path, limit=100_000))
    except FileNotFoundError:
        return CallSettings()
    except BadCalls as bad:
        words = "keep.no-key" if bad.unknown else "keep.bad-key" if bad.key else "keep.bad-line"
        said = texts.say(words, file=short_path(path), key=bad.key, line=bad.line, keys=", ".join(KEYS))
        raise Failure(said) from None
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(path), reason=error)) from None


class ChangedCalls:
    """Notices when the person has changed the file."""

    def __init__(self) -> None:
        self._path = find_paths().config / FILE
        self._written = self._when()

    def has_changed(self) -> bool:
        """Return whether the file has changed since the last look."""
        before, self._written = self._written, self._when()
        return self._written != before

    def _when(self) -> int:
        try:
            return self._path.stat().st_mtime_ns
        except OSError:
            return 0


def write_to_terminal(text: str) -> None:
    """Write directly to the terminal, if standard output is one."""
    if sys.stdout.isatty():
        sys.stdout.write(writable(text, sys.stdout.encoding))
        sys.stdout.flush()


@contextmanager
def _complaints(library: str) -> Iterator[list[str]]:
    """Collect what a library only logs when it fails, and keep it off the terminal."""
    said: list[str] = []

    class Collect(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            error = record.exc_info[1] if record.exc_info else None
            said.append(str(error or record.getMessage()).partition("\n")[0])

    logger, handler = logging.getLogger(library), Collect(logging.WARNING)
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield said
    finally:
        logger.removeHandler(handler)
        logger.propagate = True


def _brief(error: Exception) -> str:
    """Return the error for the log, without the words of a command, which may be secret."""
    match error:
        case subprocess.CalledProcessError(returncode=code):
            return f"exit code {code}"
        case WebhookFailed(reason=reason):
            return reason
        case OSError(strerror=str(problem)):
            return problem
    return type(error).__name__


class Ringer:
    """Notifies one person. It works in its own thread, so that nobody waits for it."""

    def __init__(
        self,
        settings: CallSettings,
        games: Path,
        texts: Texts,
        write: Callable[[str], None] = write_to_terminal,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self.settings = settings
        """May be replaced when the person has changed the file."""
        self._games = games
        self._texts = texts
        self._write = write
        self._now = now
        self._waiting: dict[str, Call] = {}
        """Notifications that wait for the end of quiet hours, by seat."""
        self._queued: dict[str, Call] = {}
        """Notifications not sent yet, by seat: a newer one replaces an older one."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="calls")

    def ring(self, call: Call) -> bool:
        """Send this notification, unless it was sent before; return whether it is sent now."""
        if call.kind == "cut-off":
            # The keeper knows how long this remains true, and asks again.
            return not self._quiet and self._start(call)
        if call.kind != "guest" and self._called(call):
            return False
        if self._quiet:
            self._waiting[call.seat] = call
            return False
        self.seen(call)
        return self._start(call)

    def _start(self, call: Call) -> bool:
        self._queued[call.seat] = call
        self._thread.submit(self._make_call, call.seat)
        return True

    def seen(self, call: Call) -> None:
        """Note that the person knows: no notification is sent for this any more."""
        self._waiting.pop(call.seat, None)
        with suppress(OSError):
            write_note(self._games, call.seat, CALLED, call.occasion)

    def tick(self) -> None:
        """Send, after quiet hours, the notifications that are still due."""
        if not self._waiting or self._quiet:
            return
        waiting, self._waiting = self._waiting, {}
        # Plans for the turn are in the notification, but in no list of games.
        found = (call_of(one.seat, one.situation) for one in known_games(self._games))
        still = {(call.seat, call.occasion) for call in found if call is not None}
        for call in waiting.values():
            if call.kind == "guest" or (call.seat, call.occasion) in still:
                self.ring(call)

    def close(self) -> None:
        """Wait for the notification being sent; the others are for the next keeper."""
        self._thread.shutdown(cancel_futures=True)
        for seat in self._queued:
            with suppress(OSError):
                remove_note(self._games, seat, CALLED)

    @property
    def _quiet(self) -> bool:
        hours = self.settings.quiet
        return hours is not None and hours.cover(self._now().time())

    def _called(self, call: Call) -> bool:
        """Return whether this was sent since the decision became our person's, or just before."""
        try:
            occasion, when = read_note(self._games, call.seat, CALLED)
        except OSError:
            return False
        return occasion == call.occasion and when >= self._decided_since(call.seat) - JUST_BEFORE

    def _decided_since(self, seat: str) -> float:
        """Return when a seat's game came to our person, which can happen more than once in a turn."""
        try:
            text, since = read_note(self._games, seat, SITUATION)
        except OSError:
            return 0.0
        situation = Situation.load(text)
        # A screen may learn of it before it is saved.
        return since if situation is None or situation.mine else time.time()

    def ways(self, call: Call) -> list[tuple[str, Callable[[], None]]]:
        """Return the name and the action of each way to send a notification."""
        settings = self.settings
        found: list[tuple[str, Callable[[], None]]] = []
        if settings.terminal:
            found.append(("terminal", lambda: self._ring_terminal(call)))
        if settings.desktop:
            found.append(("desktop", lambda: self._ring_desktop(call)))
        if settings.command:
            found.append(("command", lambda: self._run_command(call)))
        if settings.webhook:
            found.append(("webhook", lambda: self._send(call)))
        return found

    def _make_call(self, seat: str) -> None:
        call = self._queued.pop(seat, None)
        for way, act in [] if call is None else self.ways(call):
            self._try(way, act)

    def _try(self, way: str, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            # Other people's libraries may raise anything: one failure must not stop the others.
            _logger.warning("the call by %s failed: %s", way, _brief(error))

    def _ring_terminal(self, call: Call) -> None:
        text = say_call(call, self._texts)
        self._write(terminal_call(text, os.environ.get("TERM", ""), "TMUX" in os.environ))

    def _ring_desktop(self, call: Call) -> None:
        from desktop_notifier import DesktopNotifier

        async def send() -> None:
            await DesktopNotifier(app_name=BRAND).send(BRAND, desktop_call(say_call(call, self._texts), sys.platform))

        with _complaints("desktop_notifier") as complaints:
            asyncio.run(send())
        if complaints:
            raise OSError(complaints[0])

    def _run_command(self, call: Call) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        encoding, facts = sys.getfilesystemencoding(), call_facts(call, self._texts)
        subprocess.run(
            self.settings.command,
            env=kept | {name: writable(fact, encoding) for name, fact in facts.items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=COMMAND_SECONDS,
            check=True,
        )

    def _send(self, call: Call) -> None:
        send_webhook(self.settings.webhook, *call_message(self.settings.shape, call, self._texts))
