"""The embedded broker: a child process with a configuration that trusts nobody, watched while it runs."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import re
import shutil
import ssl
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic

from ..net.address import KNOCKER, PLAYER, Address
from ..net.tls import fingerprint_of
from ..text.os_problem import os_problem
from . import ports
from .child import OUTPUT, Child, ChildFailed
from .config import (
    CARETAKER,
    MAX_STORE,
    PASSWORD_FORM,
    PLAYERS,
    WATCHERS,
    BrokerSettings,
    new_password,
    write_configuration,
)
from .native import Caretaker, NativeFailed
from .probe import welcomes
from .program import NATS, BrokerFailed, Program, find_program
from .status import write_caretaker
from .tending import forget_erased, make_room_to_knock, prepare, tend

_logger = logging.getLogger(__name__)
START_TIMEOUT = 20.0
PROBE_EVERY = 0.01
WATCH_EVERY = 1.0
FORGET_EVERY = 20.0
"""Seconds between cleanups, after which watchers no longer find what players have erased."""
MOST_RESTARTS = 5
"""Most restarts in one minute; more means a fault that restarting does not cure."""
# The broker itself writes the start and end of a log line; names chosen by a watcher may appear in between.
TROUBLE = re.compile(
    rb"^\[\d+\] [\d/]+ [\d:.]+ \[[A-Z]{3}\] JetStream \w* ?resource limits exceeded"
    rb"|^\d+: (Error: Out of memory|Client .* disconnected due to out of memory)\.\r?$",
    re.MULTILINE,
)

READY = re.compile(rb"Server is ready|mosquitto version [\d.]+ running")

EMPTIED, RESTARTED, GONE = "emptied", "restarted", "gone"
"""Arguments of `report`: the store was emptied, the broker had died and runs again, it died too often."""


class Broker:
    """A running broker. Players log in as `user` with `password`; without one a guest can only watch."""

    user = PLAYER

    def __init__(
        self, program: Program, settings: BrokerSettings, child: Child, wish: int, report: Callable[[str], None]
    ) -> None:
        self.program = program
        self.emptied = 0
        """Times the store was emptied."""
        self._settings = settings
        self._child = child
        self._wish = wish
        self._report = report
        self._restarts: deque[float] = deque(maxlen=MOST_RESTARTS)
        self._log_read = 0
        self._fingerprint = _fingerprint(settings.certificate)
        self._watching = asyncio.create_task(self._watch())

    @classmethod
    async def start(
        cls,
        folder: Path,
        *,
        bind: str = "127.0.0.1",
        port: int = 0,
        engine: str = NATS,
        websocket_port: int | None = None,
        websocket_bind: str = "",
        origins: Sequence[str] = (),
        password: str | None = None,
        certificate: Path | None = None,
        key: Path | None = None,
        max_store: int = MAX_STORE,
        watchers: int = WATCHERS,
        players: int = PLAYERS,
        report: Callable[[str], None] = lambda _what: None,
    ) -> Broker:
        """Start a broker with its files below `folder`; return when it answers, or raise `BrokerFailed`.

        `engine` is nats, mosquitto or the path of either program. If the port is taken, the next free one is used: see
        `moved`. With a certificate and its key it uses TLS, and its addresses carry the fingerprint. Pages of `origins`
        may use its websockets, which listen on `websocket_bind`, or where everything else does.
        """
        if password is not None and not PASSWORD_FORM.fullmatch(password):
            raise BrokerFailed("password-form")
        _fingerprint(certificate)
        found = await asyncio.to_thread(find_program, engine)
        if origins and found.kind != NATS:
            raise BrokerFailed("origin-engine", engine=found.path)
        host = await asyncio.to_thread(ports.resolve_bind, bind)
        apart = await asyncio.to_thread(ports.resolve_bind, websocket_bind or bind)
        settings = BrokerSettings(
            Path(),
            host,
            0,
            password or new_password(),
            websocket_host=apart,
            origins=tuple(origins),
            certificate=certificate,
            key=key,
            max_store=max_store,
            watchers=watchers,
            players=players,
        )
        taken: set[int] = set()
        while True:
            first = ports.free_port(host, port, taken)
            second = None if websocket_port is None else ports.free_port(apart, websocket_port, taken | {first})
            third = ports.free_port("127.0.0.1", 0, taken | {first, second or 0})
            try:
                settings = replace(
                    settings, folder=_new_folder(folder), port=first, websocket_port=second, care_port=third
                )
                return cls(found, settings, await _launch(found, settings), port, report)
            except _PortTaken:
                # Another program took the port after we had found it free.
                taken |= {first, third} | ({second} if second else set())

    @property
    def host(self) -> str:
        return self._settings.host

    @property
    def port(self) -> int:
        return self._settings.port

    @property
    def websocket_port(self) -> int | None:
        return self._settings.websocket_port

    @property
    def password(self) -> str:
        return self._settings.password

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def caretaker(self) -> Caretaker | None:
        """The connection for statistics (NATS only)."""
        return caretaker_of(self._settings) if self.program.kind == NATS else None

    @property
    def moved(self) -> bool:
        """True if the requested port was taken."""
        return self._wish not in (0, self.port)

    @property
    def beyond_loopback(self) -> bool:
        """True if other machines can reach it, and so watch open tables."""
        return not ipaddress.ip_address(self.host).is_loopback

    def address(self, watch: bool = False, host: str | None = None) -> Address:
        """Return the address to play at, or watch at, from this machine or, with a host name, from another."""
        login = ("", "") if watch else (self.user, self.password)
        tls = self._settings.certificate is not None
        return Address(host or _near(self.host), self.port, tls, False, *login, fingerprint=self._fingerprint)

    def websocket_address(self, watch: bool = False, host: str | None = None) -> Address:
        """Return the same address for websockets; raise `ValueError` if it was started without a port for them."""
        if self.websocket_port is None:
            raise ValueError("this broker has no websockets")
        return replace(self.address(watch, host), port=self.websocket_port, websockets=True)

    async def stop(self) -> None:
        """Stop the broker and remove its files; no process remains afterwards."""
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        await asyncio.to_thread(self._child.stop)
        _logger.info("the broker on port %d was stopped", self.port)

    async def _watch(self) -> None:
        forgot = monotonic()
        while True:
            await asyncio.sleep(WATCH_EVERY)
            if not self._child.running():
                _logger.warning("the broker on port %d has died", self.port)
                if self._too_often:
                    _logger.error("it is given up: %d deaths in a minute", MOST_RESTARTS)
                    self._report(GONE)
                    return
                await self._again(RESTARTED)
            elif not self._too_often and await asyncio.to_thread(self._in_trouble):
                # A watcher may provoke this on purpose, so it counts towards the same limit as restarts of a dead
                # broker.
                await self._again(EMPTIED)
            elif self.caretaker is not None:
                try:
                    await make_room_to_knock(self.caretaker)
                    if monotonic() - forgot >= FORGET_EVERY:
                        forgot = monotonic()
                        await forget_erased(self.caretaker)
                except NativeFailed as failed:
                    _logger.warning("the broker was not tended: %s", failed)

    @property
    def _too_often(self) -> bool:
        return len(self._restarts) == MOST_RESTARTS and monotonic() - self._restarts[0] < 60

    async def _again(self, why: str) -> None:
        """Restart on the same port, with the same password and an empty store."""
        _logger.warning("the broker on port %d starts anew: %s", self.port, why)
        self._restarts.append(monotonic())
        await asyncio.to_thread(self._child.stop)
        self._settings = replace(self._settings, folder=_new_folder(self._settings.folder.parent))
        self._log_read = 0
        try:
            self._child = await _launch(self.program, self._settings)
        except (BrokerFailed, _PortTaken):
            # The next check finds it dead, and tries again or gives up.
            return
        self.emptied += why == EMPTIED
        self._report(why)

    def _in_trouble(self) -> bool:
        """Return whether the broker has logged trouble since the last check."""
        try:
            with self._settings.log.open("rb") as log:
                if os.fstat(log.fileno()).st_size < self._log_read:
                    self._log_read = 0
                log.seek(self._log_read)
                new = log.read(1_000_000)
                self._log_read = log.tell()
        except OSError:
            return False
        return TROUBLE.search(new) is not None


class _PortTaken(Exception):
    pass


async def _launch(program: Program, settings: BrokerSettings) -> Child:
    """Start a child that answers as the broker of these settings; raise `_PortTaken` if it could not listen."""
    try:
        words = write_configuration(program.kind, settings)
        command = [str(program.path), *words]
        if program.kind == NATS:
            write_caretaker(settings.folder, caretaker_of(settings))
        child = await asyncio.to_thread(Child.start, command, settings.folder, settings.variables)
    except OSError as error:
        shutil.rmtree(settings.folder, ignore_errors=True)
        raise BrokerFailed("folder", folder=settings.folder, reason=os_problem(error)) from None
    except ChildFailed as failed:
        raise BrokerFailed("engine-start", engine=program.path, reason=failed.problem) from None
    try:
        async with asyncio.timeout(START_TIMEOUT):
            while not await is_up(program.kind, settings):
                if not child.running():
                    raise _why_died(program, settings)
                await asyncio.sleep(PROBE_EVERY)
    except TimeoutError:
        _logger.error("%s does not answer", program.kind)
        await asyncio.to_thread(child.stop)
        raise BrokerFailed("no-answer", engine=program.path) from None
    except BaseException:
        await asyncio.to_thread(child.stop)
        raise
    _logger.info("%s listens on %s, port %d, as process %d", program.kind, settings.host, settings.port, child.pid)
    return child


async def is_up(kind: str, settings: BrokerSettings) -> bool:
    """Return whether the broker listens, by its own log, since another program could have its port.

    A NATS server is ready for play the first time this returns True.
    """
    try:
        said = await asyncio.to_thread(settings.log.read_bytes)
    except OSError:
        return False
    if READY.search(said) is None:
        return False
    here = (_near(settings.host), settings.port, settings.certificate is not None)
    try:
        if kind == NATS:
            await prepare(caretaker_of(settings))
        # With its first client of each kind, the server creates that kind's storage.
        for login in ((), (PLAYER, settings.password), (KNOCKER, KNOCKER)):
            if not await welcomes(*here, *login):
                return False
        if kind == NATS:
            await tend(caretaker_of(settings), everybody_came=True)
    except NativeFailed as failed:
        # The log line may come from an earlier process.
        _logger.info("the broker is not ready: %s", failed)
        return False
    return True


def caretaker_of(settings: BrokerSettings) -> Caretaker:
    """Return the administrative login to the NATS server of these settings."""
    return Caretaker("127.0.0.1", settings.care_port, CARETAKER, settings.care_password)


def _why_died(program: Program, settings: BrokerSettings) -> Exception:
    said = b""
    for path in (settings.folder / OUTPUT, settings.log):
        with suppress(OSError):
            said += path.read_bytes()[-4_000:]
    if b"address already in use" in said.lower() or b"only one usage of each socket" in said.lower():
        return _PortTaken()
    last = said.decode(errors="replace").strip().rpartition("\n")[2]
    return BrokerFailed("engine-died", engine=program.path, reason=last[-200:])


def _fingerprint(certificate: Path | None) -> str:
    if certificate is None:
        return ""
    try:
        first = certificate.read_text(encoding="ascii").partition(ssl.PEM_FOOTER)[0]
        begin = first.index(ssl.PEM_HEADER)
        return fingerprint_of(ssl.PEM_cert_to_DER_cert(f"{first[begin:]}{ssl.PEM_FOOTER}"))
    except OSError as error:
        raise BrokerFailed("certificate", file=certificate, reason=os_problem(error)) from None
    except ValueError:
        raise BrokerFailed("certificate-form", file=certificate) from None


def _new_folder(parent: Path) -> Path:
    try:
        parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="broker-", dir=parent))
    except OSError as error:
        raise BrokerFailed("folder", folder=parent, reason=os_problem(error)) from None


def _near(host: str) -> str:
    """Return a local address that reaches a listener on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
