"""Addresses of brokers: every spelling that people type is read, and no secret is printed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.net.address import PASSWORD, USER, Address, BadAddress, parse_broker_url, parse_origin

FINGERPRINT = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("mqtt://localhost", Address("localhost", 1883)),
        ("localhost", Address("localhost", 1883)),
        ("192.168.1.20:2883", Address("192.168.1.20", 2883)),
        (" mqtt://club.example:1884/ ", Address("club.example", 1884)),
        ("MQTT://Club.Example", Address("club.example", 1883)),
        ("mqtts://club.example", Address("club.example", 8883, tls=True)),
        ("ws://club.example", Address("club.example", 80, websockets=True)),
        ("wss://club.example/games/mqtt", Address("club.example", 443, True, True, path="/games/mqtt")),
        ("mqtt://[::1]:2000", Address("::1", 2000)),
        ("mqtt://[fe80::1%25eth0]", Address("fe80::1%25eth0", 1883)),
        ("mqtt://play:s3cret@h", Address("h", 1883, user="play", password="s3cret")),
        ("mqtt://play@h", Address("h", 1883, user="play")),
        ("mqtt://a%40b:p%3A%2F%23@h:1", Address("h", 1, user="a@b", password="p:/#")),
        (f"mqtts://h#fp={FINGERPRINT}", Address("h", 8883, tls=True, fingerprint=FINGERPRINT)),
        (f"mqtts://h#fp={':'.join(['AB'] * 32)}", Address("h", 8883, tls=True, fingerprint="ab" * 32)),
        ("mqtts://h#ca=/etc/my%20ca.pem", Address("h", 8883, tls=True, ca=Path("/etc/my ca.pem"))),
    ],
)
def test_an_address_is_understood_and_spelt_back(text: str, address: Address) -> None:
    assert parse_broker_url(text) == address
    assert parse_broker_url(address.url()) == address


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "letters"),
        ("mqtt://h\nx", "letters"),
        ("x" * 3_000, "letters"),
        ("http://h", "scheme"),
        ("://h", "scheme"),
        ("mqtt://", "host"),
        ("mqtt://a b", "host"),
        ("mqtt://-h", "host"),
        ("mqtt://[::1", "host"),
        ("mqtt://h:0", "port"),
        ("mqtt://h:65536", "port"),
        ("mqtt://h:x", "port"),
        ("mqtt://h:-1", "port"),
        ("mqtt://h:１", "port"),
        ("mqtt://:secret@h", "login"),
        ("mqtt://ana:sec/ret@h", "login"),
        ("mqtt://h/path", "path"),
        ("ws://h/path?x=1", "path"),
        ("mqtt://h#fp=" + FINGERPRINT, "proof"),
        ("mqtts://h#fp=" + FINGERPRINT[1:], "proof"),
        ("mqtts://h#fp", "proof"),
        ("mqtts://h#other=1", "proof"),
    ],
)
def test_a_bad_address_is_told_by_its_part(text: str, code: str) -> None:
    with pytest.raises(BadAddress) as refused:
        parse_broker_url(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "site"),
    [
        ("https://play.example", "https://play.example"),
        (" HTTPS://Play.Example:443/ ", "https://play.example"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_a_site_is_spelt_as_browsers_spell_it(text: str, site: str) -> None:
    assert parse_origin(text) == site


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "null",
        "play.example",
        "wss://x",
        "http://",
        "http://x/y",
        "http://x?y",
        "http://u@x",
        "http://x:0",
        "http://x:",
    ],
)
def test_what_is_not_a_site_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        parse_origin(text)


def test_user_and_password_may_come_from_the_environment() -> None:
    environment = {USER: "ana", PASSWORD: "pw"}
    assert parse_broker_url("h", environment) == Address("h", 1883, user="ana", password="pw")
    assert parse_broker_url("mqtt://bo@h", environment).user == "bo"
    assert parse_broker_url("h", {PASSWORD: "pw"}) == Address("h", 1883)


def test_the_password_is_neither_in_repr_nor_in_print_nor_in_errors() -> None:
    address = parse_broker_url("mqtts://play:hunter2@h:99")
    assert "hunter2" not in repr(address) + str(address)
    assert "hunter2" in address.url()
    for text in ("mqtt://play:hunter2@h:x", "mqtt://play:hunter2@ h", "mqtt://:hunter2@h", "mqtt://play:hunter2@h/p"):
        with pytest.raises(BadAddress) as refused:
            parse_broker_url(text)
        assert "hunter2" not in str(refused.value) + repr(refused.value)


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = parse_broker_url("mqtt://" + text)
    except BadAddress:
        return
    assert parse_broker_url(address.url()) == address


@given(st.text(min_size=1, max_size=30).filter(str.isprintable), st.text(max_size=30).filter(str.isprintable))
def test_any_user_and_password_survive_the_address(user: str, password: str) -> None:
    address = replace(Address("h", 1), user=user, password=password)
    assert parse_broker_url(address.url()) == address
