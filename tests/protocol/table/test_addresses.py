"""Topics, invites and private tables: one spelling each, within the limits of real brokers, and no secret is shown."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wasabi_protocol.signed.envelope import MAX_ENVELOPE, MAX_PAYLOAD
from wasabi_protocol.signed.identity import base32, key_text
from wasabi_protocol.signed.messages import Message, Say
from wasabi_protocol.table.invite import Carrier, Invite, InviteFault, broker_password, host_key_hash
from wasabi_protocol.table.invite_text import format_invite, parse_invite
from wasabi_protocol.table.private import PrivateTable, door_identity, new_play_key, read_key
from wasabi_protocol.table.topics import (
    MAX_SLASHES,
    Topic,
    check_message,
    log_filters,
    parse_topic,
    room_filters,
    table_filters,
)
from wasabi_protocol.verdicts import Code, Refused

from tests.protocol.samples import ME, SAMPLES, TABLE
from tests.protocol.sessions import identity, secret

AUTHOR = key_text(ME.key)

# Topics


@pytest.mark.parametrize(
    "topic",
    [
        Topic("home", "lobby", AUTHOR),
        Topic("home", "who", AUTHOR),
        Topic("my-club", "say", AUTHOR),
        *(Topic("home", kind, AUTHOR, TABLE) for kind in ("mv", "head", "ask", "ans", "say")),
        Topic("home", "log", AUTHOR, TABLE, 0),
        Topic("home", "log", AUTHOR, TABLE, 123),
        Topic("home", "mv", "abcdefghijklmnopqrstuvwx23", TABLE),
    ],
)
def test_topics_come_back_as_they_were_built(topic: Topic) -> None:
    text = str(topic.check())
    assert parse_topic(text) == topic
    assert text.count("/") <= MAX_SLASHES
    assert all(letter in "abcdefghijklmnopqrstuvwxyz0123456789-/" for letter in text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "wsb1",
        "wsb2/home/lobby/" + AUTHOR,
        "wsb1/home/nowhere/" + AUTHOR,
        "wsb1/Home/lobby/" + AUTHOR,
        "wsb1//lobby/" + AUTHOR,
        "wsb1/home/lobby/" + AUTHOR.upper(),
        "wsb1/home/lobby/" + AUTHOR + "/",
        "wsb1/home/lobby/" + AUTHOR[:-1],
        "wsb1/home/lobby/+",
        "wsb1/home/mv/" + AUTHOR,
        f"wsb1/home/t/{TABLE}/lobby/{AUTHOR}",
        f"wsb1/home/t/{TABLE}/log/{AUTHOR}",
        f"wsb1/home/t/{TABLE}/log/{AUTHOR}/01",
        f"wsb1/home/t/{TABLE}/log/{AUTHOR}/-1",
        f"wsb1/home/t/{TABLE}/log/{AUTHOR}/1/2",
        f"wsb1/home/t/{TABLE}/mv/{AUTHOR}/1",
        f"wsb1/home/t/{TABLE[:-1]}/mv/{AUTHOR}",
        f"wsb1/home/t//mv/{AUTHOR}",
        f"wsb1/home/t/{TABLE}/mv/{AUTHOR}\n",
    ],
)
def test_other_topics_are_refused(text: str) -> None:
    with pytest.raises(Refused) as verdict:
        parse_topic(text)
    assert verdict.value.code is Code.BAD_TOPIC


ROWS = {"head": "head", "doing": "head", "chunk": "log", "ask": "ask", "answer": "ans", "say": "say"}


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: message.t)
def test_every_message_has_its_topics_and_no_others(message: Message) -> None:
    realm = {"offer": {"lobby"}, "closed": {"lobby"}, "birth": {"who"}, "off": {"who"}}.get(message.t, set())
    table = set() if message.t in ("birth", "off", "knock", "knocked", "seek") else {ROWS.get(message.t, "mv")}
    for kind in ("lobby", "who"):
        assert fits(Topic("home", kind, AUTHOR), message) == (kind in realm)
    for kind in ("mv", "head", "log", "ask", "ans", "say"):
        topic = Topic("home", kind, AUTHOR, TABLE, 0 if kind == "log" else None)
        assert fits(topic, message) == (kind in table)


def fits(topic: Topic, message: Message) -> bool:
    try:
        check_message(topic, ME.key, message)
    except Refused:
        return False
    return True


def test_a_message_under_the_wrong_table_or_author_is_refused() -> None:
    topic = Topic("home", "say", AUTHOR, TABLE)
    assert fits(topic, Say(TABLE, ME.key, 1, "hi"))
    assert not fits(topic, Say("", ME.key, 1, "hi"))
    assert not fits(topic, Say("b" * 26, ME.key, 1, "hi"))
    assert not fits(topic, Say(TABLE, secret("other"), 1, "hi"))
    assert fits(Topic("home", "say", AUTHOR), Say("", ME.key, 1, "hi"))


def test_a_client_never_subscribes_to_a_whole_table() -> None:
    authors = [AUTHOR, "b" * 52]
    filters = [*table_filters("home", TABLE, authors), *log_filters("home", TABLE, authors)]
    assert len(filters) == 6
    assert not any(pattern.endswith(("#", "+/+")) for pattern in filters)


def test_a_private_table_needs_two_filters_at_any_moment() -> None:
    assert len(room_filters("home", TABLE, private=True)) == 2
    assert len([*table_filters("home", TABLE, None), *log_filters("home", TABLE, None)]) == 2


# Invites

PLAY = secret("play")[:16]
SECRET = secret("play")
PIN = host_key_hash(ME.key)[:16]
HERE = Carrier((("example.org", 12345), ("10.0.0.7", 1883), ("2001:db8::7", 99)), "mqtt", "pass-word", "0f" * 32)
FULL = Invite((HERE,), "home", PrivateTable(read_key(PLAY)).table, PLAY, b"", PIN)
SECURE = replace(HERE, scheme="wss", hosts=(("mqtt", 443), ("p-server", 1)), password="")


@pytest.mark.parametrize(
    "invite",
    [
        FULL,
        replace(FULL, carriers=(Carrier(relay=1), HERE, Carrier(relay=999)), realm="main"),
        replace(FULL, carriers=(replace(HERE, password=broker_password(PLAY)), SECURE)),
        replace(FULL, play_key=b"", read_key=read_key(PLAY), watch=True),
        Invite((Carrier((("mqtt", 1883),)),)),
        Invite((SECURE,), "home"),
        Invite((HERE,), "home", TABLE),
        Invite((HERE,), "main", TABLE, ticket_key=b"t" * 10),
        Invite((HERE,), "main", TABLE, watch=True),
    ],
)
def test_invites_come_back_as_they_were_written(invite: Invite) -> None:
    text = format_invite(invite)
    assert parse_invite(text) == invite
    assert parse_invite(f"  {text}\n") == invite
    assert parse_invite("W" + text[1:]) == invite
    assert re.fullmatch(r"[A-Za-z0-9._~:/-]+", text), "nothing that a shell, a chat or a line break spoils"


def test_an_invite_to_a_private_table_on_a_relay_takes_less_than_a_line() -> None:
    assert len(format_invite(replace(FULL, carriers=(Carrier(relay=1),), realm="main"))) <= 70


@pytest.mark.parametrize("invite", [FULL, Invite((HERE,), "main", TABLE, ticket_key=b"t" * 10)])
def test_an_invite_that_is_cut_or_misspelt_is_refused(invite: Invite) -> None:
    """Check letters miss one of 32,768 mistakes, and none of these."""
    text = format_invite(invite)
    broken = [text[:end] for end in range(7, len(text))]
    broken += [text[:at] + text[at + 1 :] for at in range(7, len(text))]
    broken += [text[:at] + ("a" if text[at] != "a" else "b") + text[at + 1 :] for at in range(7, len(text))]
    for line in broken:
        with pytest.raises(Refused) as verdict:
            parse_invite(line)
        assert verdict.value.code is Code.BAD_INVITE


def with_check(rest: str) -> str:
    """Return an invite with correct check letters, whatever its content."""
    head, slash, carriers = rest.partition("/")
    check = base32(hashlib.sha256(b"wsb1 invite" + rest.encode()).digest())[:3]
    return f"wasabi:{head}{check}{slash}{carriers}"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", InviteFault.LETTERS),
        (" ", InviteFault.LETTERS),
        ("x" * 2_000, InviteFault.LETTERS),
        ("wasabi:p\u202e", InviteFault.LETTERS),
        ("localhost", InviteFault.SCHEME),
        ("10.1.2.3:4444", InviteFault.SCHEME),
        ("mqtt://localhost", InviteFault.SCHEME),
        ("wasabi:", InviteFault.WHOLE),
        (f"wasabi://host/home/{TABLE}#k={key_text(SECRET)}&h={'a' * 26}", InviteFault.WHOLE),
        (with_check(f"x{TABLE}/host"), InviteFault.KIND),
        (with_check(f"v{TABLE}{'a' * 16}/host"), InviteFault.KIND),
        (with_check(f"p{key_text(SECRET)}{PIN}/host"), InviteFault.KEY),
        (with_check(f"o{TABLE}{'a' * 26}/host"), InviteFault.KEY),
        (with_check(f"v{TABLE}/-host"), InviteFault.HOST),
        (with_check(f"v{TABLE}/1--2--3.ip6"), InviteFault.HOST),
        (with_check(f"v{TABLE}/host:70000"), InviteFault.HOST),
        (with_check(f"v{TABLE}/host:1883"), InviteFault.WHOLE),
    ],
)
def test_other_invites_are_refused_without_a_word_of_their_secrets(text: str, fault: InviteFault) -> None:
    with pytest.raises(Refused) as verdict:
        parse_invite(text)
    assert verdict.value.code is Code.BAD_INVITE
    assert verdict.value.detail == fault
    assert key_text(SECRET) not in str(verdict.value)


def test_secrets_stay_out_of_sight() -> None:
    shown = repr(FULL)
    for hidden in (key_text(SECRET), repr(PLAY), "pass-word"):
        assert hidden not in shown
    assert repr(PrivateTable(PLAY)) == "PrivateTable()"
    assert FULL.names_host(ME.key)
    assert not FULL.names_host(identity("other").key)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    for parse in (parse_invite, parse_topic):
        try:
            found = parse(text)
        except Refused:
            continue
        if isinstance(found, Invite):
            assert parse_invite(format_invite(found)) == found
        else:
            assert str(found) == text


# Private tables


def test_sealed_payloads_open_for_those_who_hold_the_key_and_for_nobody_else() -> None:
    table, other = PrivateTable(read_key(PLAY)), PrivateTable(read_key(secret("other")))
    payload = table.seal(b"envelope")
    assert table.open(payload) == b"envelope"
    assert table.seal(b"envelope") != payload
    assert len(table.seal(bytes(MAX_ENVELOPE))) == MAX_PAYLOAD
    bent = payload[:-1] + bytes([payload[-1] ^ 1])
    for wrong in (payload[:-1], payload[1:], b"", bent, payload + b"\x00", bytes(50)):
        with pytest.raises(Refused):
            table.open(wrong)
    with pytest.raises(Refused) as verdict:
        other.open(payload)
    assert verdict.value.code is Code.BAD_SEAL
    with pytest.raises(Refused):
        table.seal(bytes(MAX_ENVELOPE + 1))
    with pytest.raises(Refused):
        table.open(bytes(MAX_PAYLOAD + 1))


def test_a_watcher_cannot_make_the_key_of_the_door() -> None:
    play = new_play_key()
    assert len(play) == len(read_key(play)) == 16
    assert door_identity(play).key != door_identity(read_key(play)).key
    assert read_key(play) != play


def test_topics_of_a_private_table_tell_nobody_whose_they_are() -> None:
    table = PrivateTable(read_key(PLAY))
    name = table.author(ME.key)
    assert name != PrivateTable(read_key(secret("other"))).author(ME.key)
    assert parse_topic(str(Topic("home", "mv", name, table.table))).author == name
