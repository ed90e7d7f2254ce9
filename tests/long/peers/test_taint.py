"""Strangers' text at a table reaches nobody's terminal raw: in the lobby, the waiting room, the game, its file."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from paho.mqtt.publish import single
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Offer, Terms
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.topics import Topic

from tests.cli.test_taint import NEEDLE, RAW, TAINT, obeyed, said_by
from tests.peers.conftest import OwnBroker
from tests.tui.reader import over
from tests.tui.terminal import Terminal, opened
from tests.tui.tiny import NAME, put_tiny_edition, tiny_rules
from wasabi_tx.games.threaded import TableThread
from wasabi_tx.net.address import Address
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.online.client import client as client_module
from wasabi_tx.online.headless import Habits, play_bot
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.tables import Wanted, join_table, open_table
from wasabi_tx.online.terms import WATCHERS_TALK, make_terms

HOSTILE = NEEDLE + "".join(RAW)


@contextmanager
def command(home: Path, *words: str) -> Iterator[Terminal]:
    put_tiny_edition(home)
    code = f"import sys; sys.argv = {['wasabi-tx', *words]!r}; from wasabi_tx.cli import run; run()"
    with opened(home, code, LC_ALL="C.UTF-8") as terminal:
        yield terminal


def said(terminal: Terminal) -> str:
    return terminal.written.decode("utf-8", errors="surrogateescape")


def publish_offer(address: Address, terms: Terms) -> None:
    """Publish another table in the lobby, with a hostile name."""
    me, salt = Identity(os.urandom(32)), os.urandom(32)
    offer = Offer(table_id(me.key, salt), me.key, salt, 1, terms, b"", HOSTILE, 1, begun=False)
    single(
        str(Topic("main", "lobby", key_text(me.key))),
        signed_message(me, offer),
        retain=True,
        hostname=address.host,
        port=address.port,
        auth={"username": address.user, "password": address.password},
    )


def test_a_hostile_table_from_the_lobby_to_the_file(
    tmp_path: Path, own_broker: OwnBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The hostile clients run here, and send whatever they like.
    monkeypatch.setattr(client_module, "clean", lambda text, _longest=0: text)
    address = own_broker("nats").address
    thread = TableThread()
    eve, plain = tmp_path / "eve", tmp_path / "plain"
    put_tiny_edition(eve)
    with ExitStack() as stack:
        stack.callback(thread.close)

        def machine(folder: str) -> Machine:
            return Machine(tmp_path / folder, os.urandom(32), HOSTILE, tiny_rules, MqttTransport)

        terms = make_terms(tiny_rules(NAME, 2), 2, 2, options=(WATCHERS_TALK,))
        host = open_table(machine("host"), address, [address], Wanted(terms))
        thread.call(host.driver.open())
        stack.callback(lambda: thread.call(host.close()))
        publish_offer(address, terms)
        words = ["lobby", address.url(), "--seconds", "2"]
        for text in said_by(eve, [words, [*words, "--json"]]):
            assert NEEDLE in text
            assert obeyed(text) == []

        screen = stack.enter_context(command(eve, "watch", host.watch_invite))
        lines = stack.enter_context(command(plain, "watch", "--plain", host.watch_invite))
        for terminal in (screen, lines):
            terminal.until(lambda rows: any(NEEDLE in row for row in rows))

        def talk(text: str) -> None:
            thread.call(host.driver.do(lambda client, _now: client.send_talk(text, time.time())))

        talk(f"room-{TAINT}")
        for terminal in (screen, lines):
            terminal.until(lambda rows: any(f"room-{NEEDLE}" in row for row in rows))
        guest = join_table(machine("guest"), read_invite(host.invite))
        thread.call(guest.driver.open())
        stack.callback(lambda: thread.call(guest.close()))
        thread.start(play_bot(guest, Habits("easy")))
        screen.until(lambda rows: any("PANTRY" in row for row in rows))
        talk(f"game-{TAINT}")
        lines.until(lambda _rows: f"game-{NEEDLE}" in said(lines))
        # This comes last, because two bots are quicker than a line of talk.
        thread.start(play_bot(host, Habits("easy")))
        screen.until(over)
        assert lines.ended() == 0
        screen.type("\x03")
        screen.ended()
    assert [one for one in RAW if one in said(screen)] == []
    assert obeyed(said(lines).replace("\r\n", "\n")) == []
    (file,) = (plain / "games").glob("*.wasabi")
    commands = [["verify", str(file)], ["verify", "--json", str(file)], ["export", str(file)]]
    verify, as_json, export = said_by(plain, commands)
    assert obeyed(verify + as_json + export) == []
    assert NEEDLE in export
