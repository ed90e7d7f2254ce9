"""Invites as people paste them: in a command, from a chat, broken over lines, with quotes and a full stop."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wasabi_protocol.table.invite import Carrier, Invite, host_key_hash
from wasabi_protocol.table.invite_text import format_invite
from wasabi_protocol.table.private import PrivateTable, read_key

from wasabi_tx.net.address import Address, parse_broker_url
from wasabi_tx.net.relays import packaged_relays
from wasabi_tx.online.invites import BadInvite, carrier_at, read_invite, watch_invite, ways_of, ways_through

from .world import secret

PLAY = secret("play")[:16]
HERE = Carrier((("192.168.7.10", 1883), ("10.8.0.2", 1883)), password="a-Word.1")
PRIVATE = Invite((HERE,), "main", PrivateTable(read_key(PLAY)).table, PLAY, b"", host_key_hash(secret("host"))[:16])
OPEN = Invite((HERE, Carrier(relay=2)), "main", "b" * 26, ticket_key=b"t" * 10)


@pytest.mark.parametrize("invite", [PRIVATE, OPEN])
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "wasabi-tx {}",
        "  wasabi-tx join {}  ",
        "'{}'",
        '"{}".',
        "“{}”",
        "<{}>",
        "`{}`",
        "{}.",
        "({}),",
        "Ana: tonight at nine? wasabi-tx {} see you!",
        "\u200b{}\u200e",
    ],
)
def test_an_invite_is_found_in_what_was_pasted(invite: Invite, around: str) -> None:
    line = format_invite(invite)
    assert read_invite(around.format(line)) == invite
    for at in (9, 40, len(line) - 1):
        for gap in ("\n", "\r\n", " \n  ", "\\\n"):
            assert read_invite(around.format(line[:at] + gap + line[at:])) == invite


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 400), max_size=5), st.text(max_size=20), st.text(max_size=20))
def test_an_invite_survives_line_breaks_wherever_they_are(breaks: list[int], before: str, after: str) -> None:
    line = format_invite(PRIVATE)
    for at in breaks:
        line = f"{line[: at % len(line)]}\n{line[at % len(line) :]}" if at % len(line) > 7 else line
    if "wasabi" not in before.lower():
        assert read_invite(f"{before}\n{line}\n{after}") == PRIVATE


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "\u200b"])
def test_nothing_is_no_invite(text: str) -> None:
    with pytest.raises(BadInvite) as bad:
        read_invite(text)
    assert bad.value.code == "empty"


def test_half_of_an_invite_is_told_apart_from_none() -> None:
    with pytest.raises(BadInvite) as bad:
        read_invite(format_invite(PRIVATE)[:50])
    assert bad.value.code == "whole"


def test_an_invite_to_watch_has_no_secret_of_players() -> None:
    for invite in (PRIVATE, OPEN):
        watch = watch_invite(invite)
        assert read_invite(format_invite(watch)) == watch
        assert watch.watch
        assert (watch.play_key, watch.ticket_key) == (b"", b"")
        assert not any(one.password for one in watch.carriers)


def test_all_addresses_of_a_broker_travel_in_the_invite() -> None:
    addresses = tuple(Address(host, 1883, user="play", password="a-Word.1") for host in ("192.168.7.10", "10.8.0.2"))
    assert carrier_at(addresses) == HERE
    assert ways_of(PRIVATE) == (addresses,)


def test_another_way_to_a_broker_gets_the_invite_s_password_unless_it_has_its_own() -> None:
    (way,) = ways_through(PRIVATE, parse_broker_url("mqtt://203.0.113.9:41883"))
    assert [(one.host, one.port, one.user, one.password) for one in way] == [("203.0.113.9", 41883, "play", "a-Word.1")]
    (way,) = ways_through(PRIVATE, parse_broker_url("mqtt://me:mine@203.0.113.9"))
    assert (way[0].user, way[0].password) == ("me", "mine")


def test_relays_are_known_by_their_numbers_and_an_unknown_one_is_passed_over() -> None:
    known = packaged_relays()[1].addresses
    assert ways_of(replace(PRIVATE, carriers=(Carrier(relay=1), Carrier(relay=999)))) == (known,)
    assert carrier_at(known) == Carrier(relay=1)
    with pytest.raises(BadInvite) as bad:
        ways_of(replace(PRIVATE, carriers=(Carrier(relay=999),)))
    assert bad.value.code == "relay"
