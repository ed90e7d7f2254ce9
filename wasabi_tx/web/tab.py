"""The program in a browser tab: what its page starts once Python is there."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import page
from pyodide.ffi import JsException

from ..app.failure import Failure, failures_as_sentences
from ..app.local_games import LocalGames
from ..app.machine import broker_address, this_machine
from ..app.online_tables import OnlineTables
from ..app.preferences import texts_for
from ..app.values import TableWish
from ..games.bot_process import Thinker
from ..net.address import Address
from ..online.invites import BadInvite, Ways, read_invite, ways_of
from ..online.machine import Machine
from ..online.online_table import OnlineTable
from ..online.spoken_codes import looks_like_code
from ..store.paths import find_paths
from ..store.settings import settings_file
from ..text import Texts
from .sockets import PageWorker, dial
from .transport import TabTransport

if TYPE_CHECKING:
    from ..net.discovery import Browser
    from ..net.transport import Transport

SECURE = "https:"

if not hasattr(asyncio.tasks, "_set_task_name"):
    # The loop of this Pyodide calls it wherever a task factory is set, as Textual does; its Python has it no more.
    vars(asyncio.tasks)["_set_task_name"] = lambda task, name: task.set_name(name) if name else None


async def _save() -> None:
    """Save what was written to files; a browser may refuse, as a full disk does."""
    try:
        await page.save()
    except JsException as error:
        raise OSError(errno.ENOSPC, str(error)) from None


def _connect(addresses: Sequence[Address]) -> Transport:
    return TabTransport(addresses, dial, _save)


def _tab_machine(texts: Texts, name: str | None = None) -> Machine:
    return replace(this_machine(texts, name), connect=_connect)


def within_reach(ways: Ways, secure: bool) -> bool:
    """Return whether a page can reach any of these brokers: over websockets, and from https only over TLS."""
    return any(one.websockets and (one.tls or not secure) for way in ways for one in way)


class TabTables(OnlineTables):
    """Online tables as far as a page can reach them: it has no broker of its own, and hears no local network."""

    def __init__(self) -> None:
        super().__init__(make_machine=_tab_machine)

    def _check(self, invite: str, through: Address | None, texts: Texts) -> None:
        """Raise `Failure` unless a page can reach the invite's brokers; a spoken code is asked for on relays."""
        if looks_like_code(invite):
            return
        with failures_as_sentences(texts):
            ways = ((through,),) if through is not None else ways_of(read_invite(invite))
        if not within_reach(ways, page.protocol() == SECURE):
            raise Failure(texts.say("web.no-websockets", broker=f"{ways[0][0].host}:{ways[0][0].port}"))

    async def host(self, wish: TableWish, texts: Texts) -> OnlineTable:
        named = broker_address(next(iter(wish.brokers), None), texts)
        if named is None or wish.anywhere or wish.bots:
            raise Failure(texts.say("web.no-hosting"))
        if not within_reach(((named,),), page.protocol() == SECURE):
            raise Failure(texts.say("web.no-websockets", broker=f"{named.host}:{named.port}"))
        return await super().host(wish, texts)

    async def join(self, invite: str, texts: Texts, through: Address | None = None) -> OnlineTable:
        self._check(invite, through, texts)
        return await super().join(invite, texts, through)

    async def watch(self, invite: str, texts: Texts, through: Address | None = None, saved: bool = True) -> OnlineTable:
        self._check(invite, through, texts)
        return await super().watch(invite, texts, through, saved and page.keeps())

    async def meet_anybody(self, edition: str, texts: Texts, tell: Callable[[str], None]) -> OnlineTable:
        del edition, tell
        raise Failure(texts.say("web.no-hosting"))

    def brokers(self, changed: Callable[[], None]) -> AbstractAsyncContextManager[Browser | None]:
        del changed
        return nullcontext(None)


def remembers(fragment: str) -> bool:
    """Return whether this link needs our files: all but those of watchers do, who need neither key nor name."""
    with contextlib.suppress(BadInvite):
        return not read_invite(unquote(fragment)).watch
    return True


async def run(fragment: str) -> str:
    """Run the program, beginning where the link leads; return a last sentence for the page."""
    from ..tui.app import WasabiApp

    Thinker.start = PageWorker.start
    os.environ["LANG"] = page.language()
    texts = texts_for(None)
    invite = unquote(fragment).strip()
    come: Callable[[OnlineTables], Coroutine[Any, Any, OnlineTable]] | None = None
    lobby: str | None = None
    problem = ""
    if invite:
        try:
            with failures_as_sentences(texts):
                if looks_like_code(invite) or read_invite(invite).table:
                    come = _coming(invite, texts)
                else:
                    lobby = ways_of(read_invite(invite))[0][0].url()
        except Failure as failure:
            problem = failure.sentence
    unknown = remembers(fragment) and not settings_file(find_paths().config).exists()
    newcomer = texts.say("cli.person", number=1) if unknown else None
    app = WasabiApp(LocalGames(), online=TabTables, newcomer=newcomer, lobby=lobby, come=come)
    for sentence in (problem, "" if page.keeps() or not remembers(fragment) else texts.say("web.forgets")):
        if sentence:
            app.call_later(app.notify, sentence, severity="warning", timeout=15, markup=False)
    try:
        await app.run_async()
    finally:
        await app.leave_tables()
        await _save()
    if app._exception is not None:
        raise app._exception
    return texts.say("web.ended")


def _coming(invite: str, texts: Texts) -> Callable[[OnlineTables], Coroutine[Any, Any, OnlineTable]]:
    return lambda tables: tables.join(invite, texts)
