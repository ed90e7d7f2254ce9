"""Knocking: a guest gets the invite of the host that lets them in, nobody else does, and a flood changes little."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wasabi_protocol.signed.codec import parse_as, signed_message
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Knocked
from wasabi_protocol.table.knocking import (
    KNOCK_EVERY,
    KNOCK_LIFE,
    MOST_CHECKS_A_SECOND,
    MOST_REMEMBERED,
    MOST_STRANGERS,
    MOST_WAITING,
    Doorkeeper,
    GuestAtTheDoor,
)
from wasabi_protocol.table.private import Box, seal_to
from wasabi_protocol.verdicts import Code, Refused

from tests.protocol.sessions import identity

TABLE = "abcdefghijklmnopqrstuvwx23"
INVITE = f"wasabi:o{TABLE}aaaaaaaaaaaaaaaaaaa/192.168.7.10"
HOST, ANA, EVE = identity("host"), identity("ana"), identity("eve")


def guest(who: Identity = ANA, name: str = "Ana", n: int = 100) -> GuestAtTheDoor:
    return GuestAtTheDoor(who, name, TABLE, HOST.key, n)


def door(*known: Identity) -> Doorkeeper:
    return Doorkeeper(HOST, TABLE, [one.key for one in known])


def names(keeper: Doorkeeper) -> list[str]:
    return [one.name for one in keeper.waiting]


FORGED = bytes(64) + guest(EVE).knock()[64:]


def test_the_host_sees_a_name_and_a_key_and_the_invite_comes_sealed() -> None:
    ana, keeper = guest(), door()
    assert keeper.receive(ana.knock(), 0.0) is None
    assert [(one.key, one.name) for one in keeper.waiting] == [(ANA.key, "Ana")]
    answer = keeper.admit(ANA.key, INVITE, 1.0)
    assert answer is not None
    assert INVITE.encode() not in answer.envelope
    assert answer.guest == ANA.key
    ana.receive(answer.envelope)
    assert ana.invite == INVITE
    assert not keeper.waiting


def test_who_is_turned_away_hears_so_and_is_not_shown_again() -> None:
    ana, keeper = guest(), door()
    keeper.receive(ana.knock(), 0.0)
    answer = keeper.turn_away(ANA.key, 1.0)
    assert answer is not None
    ana.receive(answer.envelope)
    assert ana.turned_away
    assert ana.invite is None
    again = guest(n=200)
    said = keeper.receive(again.knock(), 10.0)
    assert said is not None
    again.receive(said.envelope)
    assert again.turned_away
    assert not keeper.waiting


def test_an_answer_that_was_lost_is_said_again_but_not_too_often() -> None:
    ana, keeper = guest(), door()
    keeper.receive(ana.knock(), 0.0)
    lost = keeper.admit(ANA.key, INVITE, 1.0)
    assert keeper.receive(ana.knock(), 1.5) is None
    assert keeper.receive(ana.knock(), 5.0) == lost
    assert keeper.receive(ana.knock(), 5.1) is None


def test_a_knock_lives_as_long_as_it_is_repeated_and_no_longer() -> None:
    ana, keeper = guest(), door()
    now = 0.0
    for _ in range(10):
        last = ana.knock()
        keeper.receive(last, now)
        now += KNOCK_EVERY
        keeper.expire(now)
        assert names(keeper) == ["Ana"]
    # The same bytes, replayed by somebody, do not count.
    keeper.receive(last, now)
    keeper.expire(now - KNOCK_EVERY + KNOCK_LIFE)
    assert not keeper.waiting
    assert keeper.admit(ANA.key, INVITE, now) is None


def test_who_goes_is_gone_at_once_and_is_not_brought_back() -> None:
    ana, keeper = guest(), door()
    first = ana.knock()
    keeper.receive(first, 0.0)
    keeper.receive(ana.knock(gone=True), 1.0)
    assert not keeper.waiting
    keeper.receive(first, 2.0)
    assert not keeper.waiting


# Attacks


def test_a_third_party_learns_nothing_from_the_answer_and_cannot_use_it() -> None:
    ana, eve, keeper = guest(), guest(EVE, "Eve"), door()
    keeper.receive(ana.knock(), 0.0)
    keeper.receive(eve.knock(), 0.0)
    answer = keeper.admit(ANA.key, INVITE, 1.0)
    assert answer is not None
    # Eve reads everything on the broker, but the answer is not for her and she cannot open it.
    with pytest.raises(Refused):
        eve.receive(answer.envelope)
    sealed = parse_as(Knocked, answer.envelope[SIGNATURE_BYTES:]).sealed
    with pytest.raises(Refused) as refused:
        Box().open(sealed)
    assert refused.value.code == Code.BAD_SEAL
    assert eve.invite is None


def test_nobody_answers_in_the_hosts_place() -> None:
    ana, keeper = guest(), door()
    keeper.receive(ana.knock(), 0.0)
    box = keeper.waiting[0].box
    for key in (HOST.key, EVE.key):
        forged = Knocked(TABLE, key, ANA.key, box, seal_to(box, b"wasabi:o.../evil.example"))
        with pytest.raises(Refused):
            ana.receive(signed_message(EVE, forged))
    with pytest.raises(Refused):
        ana.receive(signed_message(EVE, Knocked(TABLE, HOST.key, ANA.key, box, b"")))
    assert ana.invite is None
    assert not ana.turned_away


def test_an_answer_is_good_for_one_knock_alone() -> None:
    ana, keeper = guest(), door()
    keeper.receive(ana.knock(), 0.0)
    answer = keeper.admit(ANA.key, INVITE, 1.0)
    assert answer is not None
    later = guest(n=200)
    with pytest.raises(Refused) as refused:
        later.receive(answer.envelope)
    assert refused.value.code == Code.BAD_SEAL


def test_nobody_knocks_or_goes_in_the_name_of_another() -> None:
    ana, keeper = guest(), door()
    keeper.receive(ana.knock(), 0.0)
    forged = sign(EVE, ana.knock(gone=True)[SIGNATURE_BYTES:])
    with pytest.raises(Refused) as refused:
        keeper.receive(forged, 1.0)
    assert refused.value.code == Code.BAD_SIGNATURE
    assert names(keeper) == ["Ana"]


def test_a_flood_of_strangers_keeps_nobody_out_whom_the_host_knows() -> None:
    keeper = door(ANA)
    crowd = [identity(("crowd", number)) for number in range(400)]
    ana = guest()
    for second in range(20):
        for number, one in enumerate(crowd[20 * second : 20 * second + 20]):
            with suppress(Refused):
                keeper.receive(guest(one, f"crowd {number}").knock(), second + number / 100)
        with suppress(Refused):
            # The strangers' budget is used up; her own is not.
            keeper.receive(ana.knock(), second + 0.5)
        assert names(keeper)[0] == "Ana"
        assert len(keeper.waiting) <= MOST_WAITING
        assert sum(not one.known for one in keeper.waiting) <= MOST_STRANGERS
    answer = keeper.admit(ANA.key, INVITE, 20.0)
    assert answer is not None
    ana.receive(answer.envelope)
    assert ana.invite == INVITE


@pytest.mark.long
def test_a_host_checks_few_strangers_a_second_and_remembers_few() -> None:
    keeper, checked = door(), 0
    for number in range(2 * MOST_REMEMBERED):
        # Each uses a new key; those beyond the budget are dropped before their signature is checked.
        bent = bytearray(guest(identity(("crowd", number))).knock())
        bent[0] ^= 1
        with pytest.raises(Refused) as refused:
            keeper.receive(bytes(bent), 7.0)
        checked += refused.value.code == Code.BAD_SIGNATURE
    assert checked == MOST_CHECKS_A_SECOND
    for number in range(2 * MOST_REMEMBERED):
        with suppress(Refused):
            keeper.receive(guest(identity(("crowd", number))).knock(gone=True), 10.0 + number)
    assert len(keeper._heard) == MOST_REMEMBERED


def test_five_hundred_new_keys_a_second_do_not_keep_out_who_is_patient() -> None:
    ana, keeper, number = guest(), door(), 0
    seen = False
    for second in range(40):
        for part in range(500):
            now = second + part / 500
            if part == 100 and second % int(KNOCK_EVERY) == 0:
                with suppress(Refused):
                    keeper.receive(ana.knock(), now)
            # Knocks beyond the budget are dropped by the key they name, so they need no valid signature here.
            number += 1
            crowd = guest(identity(("crowd", number))) if part < 2 * MOST_STRANGERS else None
            with suppress(Refused):
                keeper.receive(FORGED if crowd is None else crowd.knock(), now)
        keeper.expire(second + 1.0)
        seen = seen or ANA.key in {one.key for one in keeper.waiting}
    assert seen


@given(st.binary(max_size=500))
def test_anything_else_is_refused(payload: bytes) -> None:
    keeper, ana = door(), guest()
    with pytest.raises(Refused):
        keeper.receive(payload, 0.0)
    with pytest.raises(Refused):
        ana.receive(payload)


@given(st.data())
def test_a_bent_knock_or_answer_is_refused(data: st.DataObject) -> None:
    ana, keeper = guest(), door()
    knock = ana.knock()
    keeper.receive(knock, 0.0)
    answer = keeper.admit(ANA.key, INVITE, 1.0)
    assert answer is not None

    def bent(payload: bytes) -> bytes:
        at = data.draw(st.integers(0, len(payload) - 1))
        return payload[:at] + bytes([payload[at] ^ data.draw(st.integers(1, 255))]) + payload[at + 1 :]

    with pytest.raises(Refused):
        door().receive(bent(knock), 0.0)
    with pytest.raises(Refused):
        ana.receive(bent(answer.envelope))
