"""The lobby: an offer stays listed while its host renews it, and nobody else can end it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wasabi_protocol.signed.codec import signed_message, write
from wasabi_protocol.signed.messages import Birth, Closed, Off, Offer
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.lobby import (
    MAX_CHECKS_A_KEY,
    MAX_CHECKS_A_SECOND,
    MAX_OFFERS,
    NEW_PLACES,
    OFFER_LIFE,
    Checks,
    Lobby,
    Presence,
)
from wasabi_protocol.verdicts import Code, Refused

from tests.protocol.sessions import identity, secret, terms

if TYPE_CHECKING:
    from wasabi_protocol.signed.identity import Identity

HOST = identity("lobby host")
NONCE = b"0123456789abcdef"


def offer(who: Identity = HOST, n: int = 1) -> Offer:
    salt = secret("lobby", who.key)
    return Offer(table_id(who.key, salt), who.key, salt, n, terms(), b"", "koi", 1, False)


def put(lobby: Lobby, message: Offer | Closed, now: float, who: Identity = HOST, retained: bool = False) -> bool:
    return lobby.receive(who.key, signed_message(who, message), retained, now)


def test_an_offer_lives_90_seconds_after_the_last_new_counter() -> None:
    lobby = Lobby()
    assert put(lobby, offer(n=1), 0)
    assert put(lobby, offer(n=2), 30)
    assert not put(lobby, offer(n=2), 100)
    assert [listed.offer.n for listed in lobby.offers(30 + OFFER_LIFE - 1)] == [2]
    assert lobby.offers(30 + OFFER_LIFE) == []
    assert not put(lobby, offer(n=2), 300)


def test_a_retained_offer_is_grey_until_renewed() -> None:
    lobby = Lobby()
    put(lobby, offer(n=1), 0, retained=True)
    assert [listed.fresh for listed in lobby.offers(1)] == [False]
    put(lobby, offer(n=2), 2)
    assert [listed.fresh for listed in lobby.offers(3)] == [True]


def test_empty_unsigned_or_older_payloads_never_replace_a_verified_one() -> None:
    lobby = Lobby()
    put(lobby, offer(n=5), 0)
    assert not lobby.receive(HOST.key, b"", False, 1)
    with pytest.raises(Refused):
        lobby.receive(HOST.key, b"x" * 200, False, 1)
    assert not put(lobby, offer(n=4), 1)
    stranger = identity("stranger")
    with pytest.raises(Refused):
        put(lobby, Closed(offer().table, HOST.key, 9), 1, who=stranger)
    assert len(lobby.offers(2)) == 1


def test_a_signed_word_closes_an_offer_and_older_offers_do_not_bring_it_back() -> None:
    lobby = Lobby()
    put(lobby, offer(n=5), 0)
    assert put(lobby, Closed(offer().table, HOST.key, 6), 1)
    assert lobby.offers(2) == []
    assert not put(lobby, offer(n=6), 3)


def test_private_tables_are_not_listed() -> None:
    with pytest.raises(Refused):
        put(Lobby(), replace(offer(), table="a" * 26, door=secret("door")), 0)


def test_a_flood_is_bounded_and_known_hosts_come_first() -> None:
    lobby = Lobby([HOST.key])
    others = [identity(("flood", number)) for number in range(MAX_CHECKS_A_SECOND + 1)]
    for who in others[:MAX_CHECKS_A_SECOND]:
        put(lobby, offer(who), 0, who=who)
    with pytest.raises(Refused) as verdict:
        put(lobby, offer(others[-1]), 0.9, who=others[-1])
    assert verdict.value.code is Code.HOLD_FULL
    assert put(lobby, offer(), 0.9)
    assert put(lobby, offer(others[-1]), 1.0, who=others[-1])
    assert lobby.offers(2)[0].offer.key == HOST.key
    assert len(lobby.offers(2)) <= MAX_OFFERS


def full_lobby(known: list[bytes]) -> tuple[Lobby, list[Identity]]:
    """Return a list filled by strangers, one offer per key."""
    lobby = Lobby(known)
    strangers = [identity(("full", number)) for number in range(MAX_OFFERS)]
    for number, who in enumerate(strangers):
        put(lobby, offer(who), number // MAX_CHECKS_A_SECOND, who=who)
    return lobby, strangers


def test_a_lobby_full_of_strangers_still_shows_a_known_host_and_whoever_comes() -> None:
    lobby, strangers = full_lobby([HOST.key])
    newcomer = identity("newcomer")
    assert put(lobby, offer(), 10)
    assert put(lobby, offer(newcomer), 10, who=newcomer)
    listed = {one.offer.key for one in lobby.offers(11)}
    assert {HOST.key, newcomer.key} <= listed
    assert len(listed) == MAX_OFFERS
    assert {who.key for who in strangers[: MAX_OFFERS - NEW_PLACES - 1]} <= listed, "the first ones stay"


def test_a_flood_of_new_hosts_takes_only_the_places_of_new_hosts() -> None:
    lobby, strangers = full_lobby([])
    for number in range(2 * NEW_PLACES):
        who = identity(("late", number))
        put(lobby, offer(who), 10 + number // 100, who=who)
    listed = {one.offer.key for one in lobby.offers(13)}
    assert {who.key for who in strangers[: MAX_OFFERS - NEW_PLACES]} <= listed
    assert len(listed) == MAX_OFFERS


def test_nobody_s_topic_gets_more_than_a_few_checks_a_second_not_even_a_known_one() -> None:
    lobby = Lobby([HOST.key])
    codes = []
    for _ in range(MAX_CHECKS_A_KEY + 2):
        with pytest.raises(Refused) as verdict:
            lobby.receive(HOST.key, forged(HOST), False, 0)
        codes.append(verdict.value.code)
    assert codes == [Code.BAD_SIGNATURE] * MAX_CHECKS_A_KEY + [Code.HOLD_FULL] * 2


def forged(host: Identity) -> bytes:
    """Return an offer that its host has not signed."""
    return bytes(64) + write(offer(host))


@pytest.mark.parametrize(
    "noise", [b"x" * 20, b"x" * 200, forged(HOST), bytes(64) + write(Birth(HOST.key, bytes(16), ""))]
)
def test_twenty_messages_a_second_under_a_hosts_own_topic_do_not_hide_its_table(noise: bytes) -> None:
    lobby = Lobby()
    for number in range(20):
        with suppress(Refused):
            lobby.receive(HOST.key, noise, False, number / 20)
    assert put(lobby, offer(HOST), 0.99)


@pytest.mark.parametrize("noise", [b"x" * 200, bytes(64) + write(Birth(bytes(32), bytes(16), ""))])
def test_what_does_not_name_a_host_uses_up_none_of_its_checks(noise: bytes) -> None:
    lobby = Lobby()
    for _ in range(10 * MAX_CHECKS_A_KEY):
        with suppress(Refused):
            lobby.receive(HOST.key, noise, False, 0.5)
    assert put(lobby, offer(HOST), 0.5)


def test_new_keys_without_end_do_not_hide_a_host_that_was_there_before() -> None:
    lobby = Lobby()
    assert put(lobby, offer(HOST, n=1), 0)
    for number in range(2 * MAX_CHECKS_A_SECOND):
        who = identity(("crowd", number))
        with suppress(Refused):
            lobby.receive(who.key, forged(who), False, 5)
    assert put(lobby, offer(HOST, n=2), 5)


def test_presence_and_offers_are_checked_within_one_budget() -> None:
    checks = Checks()
    lobby, presence = Lobby(checks=checks), Presence(checks=checks)
    people = [identity(("one budget", number)) for number in range(MAX_CHECKS_A_SECOND)]
    for who in people:
        presence.receive(who.key, signed_message(who, Birth(who.key, NONCE, "")), 0)
    with pytest.raises(Refused) as verdict:
        put(lobby, offer(), 0)
    assert verdict.value.code is Code.HOLD_FULL
    assert put(lobby, offer(), 1)


def test_only_an_off_with_the_same_nonce_ends_a_presence() -> None:
    presence = Presence()
    presence.receive(HOST.key, signed_message(HOST, Birth(HOST.key, NONCE, "")), 0)
    presence.receive(HOST.key, signed_message(HOST, Off(HOST.key, bytes(16))), 1)
    presence.receive(HOST.key, b"", 1)
    assert presence.here == {HOST.key}
    presence.receive(HOST.key, signed_message(HOST, Off(HOST.key, NONCE)), 2)
    assert presence.here == frozenset()


def test_a_live_client_repeats_its_birth_at_most_once_in_5_seconds() -> None:
    presence = Presence(HOST.key, NONCE)
    will = signed_message(HOST, presence.will())
    assert presence.receive(HOST.key, will, 0)
    assert not presence.receive(HOST.key, b"", 4)
    assert presence.receive(HOST.key, b"", 5)
    assert not presence.receive(HOST.key, signed_message(HOST, presence.birth()), 20)


def test_whatever_lies_where_our_birth_should_makes_us_repeat_it() -> None:
    presence = Presence(HOST.key, NONCE)
    earlier = Presence(HOST.key, bytes(16))
    assert presence.receive(HOST.key, b"not even signed", 0)
    assert presence.receive(HOST.key, signed_message(HOST, earlier.birth()), 10)


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=20))
def test_no_birth_or_off_does_anything_again(words: list[tuple[int, bool]]) -> None:
    """At every moment, all earlier messages about somebody's presence are replayed."""
    presence, said = Presence(checks=Checks(a_second=10**9)), list[bytes]()
    for second, (number, born) in enumerate(words):
        nonce = bytes([number]) * 16
        word = Birth(HOST.key, nonce, str(number)) if born else Off(HOST.key, nonce)
        said.append(signed_message(HOST, word))
        presence.receive(HOST.key, said[-1], 100.0 * second)
        before = presence.names
        for place, old in enumerate(said):
            presence.receive(HOST.key, old, 100.0 * second + 1 + place)
            assert presence.names == before


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_no_offer_or_closing_does_anything_again(words: list[bool]) -> None:
    lobby, said = Lobby(), list[bytes]()
    for n, opens in enumerate(words):
        message = offer(n=n) if opens else Closed(offer().table, HOST.key, n)
        said.append(signed_message(HOST, message))
        lobby.receive(HOST.key, said[-1], False, 1.0 * n)
        before = lobby.offers(1.0 * n)
        for place, old in enumerate(said):
            # The budget allows one check of this key per second.
            assert not lobby.receive(HOST.key, old, False, 1_000.0 * (n + 1) + place)
        assert [one.offer for one in before] == [one.offer for one in lobby._listed.values()]
