"""Somebody without an invite knocks at a table on a real broker, sits down and plays; in separate processes."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic

import pytest
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.table.knocking import GuestAtTheDoor
from wasabi_protocol.table.topics import knock_topic

from tests.broker.raw import Raw, packet, text
from tests.brokers import EACH_KIND
from tests.needs import needs
from tests.peers.conftest import OwnBroker
from tests.peers.hands import play
from tests.peers.program import Program, Programs, game_file
from tests.peers.tables import verified

ASKED = "May they sit?"


def host(programs: Programs, url: str) -> tuple[Program, str]:
    """Return a host who asks about everybody, line by line, and the name of the table."""
    words = ("--plain", "--edition", "short-classic", "--broker", url, "--name", "Ann")
    program = programs.start("ann", "host", *words, typed=None)
    program.until(lambda said: said.count("wasabi:") == 2)
    offered = programs.start("spy", "lobby", url, "--json", "--seconds", "3")
    assert offered.ended() == 0
    (table,) = [one["table"] for one in offered.json]
    return program, table


@pytest.mark.parametrize("kind", EACH_KIND)
def test_the_lobby_names_the_line_with_which_one_can_come(programs: Programs, own_broker: OwnBroker, kind: str) -> None:
    broker = own_broker(kind)
    _, table = host(programs, broker.address.url())
    lines = []
    for address in (broker.address, broker.watching):
        listed = programs.start("spy", "lobby", address.url(), "--seconds", "4")
        assert listed.ended() == 0
        lines.append(listed.out.splitlines()[-1].strip())
    assert lines[0].startswith("wasabi-tx wasabi:o")
    assert lines[1] == f"wasabi-tx join {table[:6]} --broker {broker.watching}"


@pytest.mark.parametrize("kind", EACH_KIND)
def test_who_knocks_is_let_in_and_plays_to_the_end(programs: Programs, own_broker: OwnBroker, kind: str) -> None:
    broker = own_broker(kind)
    ann, table = host(programs, broker.address.url())
    # Bob only has the address at which anybody may watch.
    words = ("--plain", "--broker", broker.watching.url(), "--name", "Bob")
    bob = programs.start("bob", "join", table[:6], *words, typed=None)
    ann.until(lambda said: "Bob knocks at the door" in said and "May they sit?" in said)
    ann.type("y\n")
    with ThreadPoolExecutor(2) as hands:
        ends = list(hands.map(lambda program: play(program, "signed by everybody"), (ann, bob)))
    assert ann.ended() == bob.ended() == 0
    assert all("Ann" in end and "Bob" in end for end in ends)
    assert ann.out.count("May they sit?") == 1, "who was let in is not asked about again"
    results = verified(programs, *(game_file(programs.home(name)) for name in ("ann", "bob")))
    assert results[0] == results[1]
    assert results[0]["settled"]
    for program in (ann, bob):
        assert "Traceback" not in program.out + program.err


@pytest.mark.parametrize("kind", EACH_KIND)
def test_who_is_turned_away_ends_with_a_sentence(programs: Programs, own_broker: OwnBroker, kind: str) -> None:
    broker = own_broker(kind)
    ann, table = host(programs, broker.address.url())
    words = ("--plain", "--broker", broker.watching.url(), "--name", "Eve\x1b[2J")
    eve = programs.start("eve", "join", table[:6], *words)
    ann.until(lambda said: "knocks at the door" in said)
    assert "\x1b" not in ann.out
    ann.type("n\n")
    assert eve.ended() == 1
    assert "you were turned away from this table" in eve.err


def _answer_at_the_door(ann: Program, friend: str) -> None:
    """Let the friend sit, and turn everybody else away."""
    answered = 0
    while True:
        said = ann.until(lambda said, least=answered: said.count(ASKED) > least)  # type: ignore[misc]
        answered += 1
        who = said.split(ASKED)[answered - 1]
        # The question follows the line that names who is there, after the prompt of the last one.
        sits = friend in who.splitlines()[-1]
        ann.type("y\n" if sits else "n\n")
        if sits:
            return


@pytest.mark.parametrize("kind", EACH_KIND)
def test_an_invited_friend_is_seen_while_five_hundred_a_second_knock(
    programs: Programs, own_broker: OwnBroker, kind: str
) -> None:
    broker = own_broker(kind)
    ann, table = host(programs, broker.address.url())
    invite = ann.out.split("wasabi-tx wasabi:")[1].split()[0]
    over = Event()

    def knock_without_end() -> None:
        with Raw(broker.settings.port, "knock", "knock") as raw:
            began, sent = monotonic(), 0
            while not over.is_set():
                crowd = [GuestAtTheDoor(Identity(secrets.token_bytes(32)), "x", table, bytes(32), 1) for _ in range(50)]
                raw.socket.sendall(b"".join(packet(0x30, text(knock_topic(table)) + one.knock()) for one in crowd))
                sent += len(crowd)
                over.wait(max(0.0, began + sent / 500 - monotonic()))

    with ThreadPoolExecutor(2) as hands:
        noise = hands.submit(knock_without_end)
        try:
            ann.until(lambda said: "knocks at the door" in said)
            bob = programs.start("bob", "join", "--plain", "--name", "Bob", typed=None)
            bob.type(f"wasabi:{invite}\n")
            _answer_at_the_door(ann, "Bob")
            bob.until(lambda said: "the game begins" in said)
        finally:
            over.set()
            noise.result()
    assert "Traceback" not in ann.out + ann.err


@needs("mosquitto")
def test_a_table_that_nobody_offers_is_said_so(programs: Programs, own_broker: OwnBroker) -> None:
    url = own_broker("mosquitto").watching.url()
    bob = programs.start("bob", "join", "zzzzzz", "--plain", "--broker", url)
    assert bob.ended() == 1
    assert "not offered" in bob.err
