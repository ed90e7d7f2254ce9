"""Meetings under a spoken code: who knows it gets the invite, and nobody else learns anything."""

from __future__ import annotations

import hashlib
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wasabi_protocol.meeting.meeting import MOST_RUNS, MOST_WRONG, GuestMeeting, HostMeeting
from wasabi_protocol.meeting.spake2 import M, N, Side
from wasabi_protocol.meeting.spoken_code import SpokenCode, parse_code
from wasabi_protocol.meeting.words import MeetingWord, read_word, write_word
from wasabi_protocol.sealed.group import Point, import_point, multiply, reduce_scalar, subtract
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.verdicts import Refused

from wasabi_tx.text.code_words import code_words

CODE = parse_code("7-octopus-daikon")
INVITE = "wasabi:pvfxkomvkw7mivl42hcupgvorouywpvm2nnq43yns6ra5k/1"


def run_id(number: object) -> str:
    return base32(hashlib.sha256(str(number).encode()).digest()[:16])


def talk(host: HostMeeting, guest: GuestMeeting) -> list[bytes]:
    """Lets the two speak until the guest has an answer; everything that a broker carries of it."""
    carried: list[bytes] = []
    while guest.invite is None and not guest.refused:
        word = guest.say()
        carried.append(write_word(word))
        answer = host.receive(guest.run, read_word(write_word(word)))
        if answer is None:
            break
        carried.append(write_word(answer))
        guest.receive(answer)
    return carried


@given(st.integers(1, 999), st.sampled_from(code_words()), st.sampled_from(code_words()))
@settings(max_examples=20, deadline=None)
def test_whoever_knows_the_code_gets_the_invite(number: int, one: str, two: str) -> None:
    code = SpokenCode(number, (one, two))
    host = HostMeeting(code, INVITE)
    for name in range(3):
        guest = GuestMeeting(code, run_id(name))
        assert len(talk(host, guest)) == 4
        assert guest.invite == INVITE
    assert (host.met, host.wrong) == (3, 0)


def test_three_wrong_guesses_make_the_code_void_for_good() -> None:
    host = HostMeeting(CODE, INVITE)
    for number in range(MOST_WRONG):
        guest = GuestMeeting(parse_code("7-octopus-wasabi"), run_id(number))
        talk(host, guest)
        assert guest.invite is None
        assert guest.refused == ("void" if number == MOST_WRONG - 1 else "wrong")
    assert host.void
    friend = GuestMeeting(CODE, run_id("friend"))
    talk(host, friend)
    assert (friend.invite, friend.refused) == (None, "void")
    assert host.met == 0


def test_a_guest_who_proved_itself_before_keeps_its_answer_when_the_code_is_void() -> None:
    host, friend = HostMeeting(CODE, INVITE), GuestMeeting(CODE, run_id("friend"))
    talk(host, friend)
    for number in range(MOST_WRONG):
        talk(host, GuestMeeting(parse_code("7-miso-tofu"), run_id(number)))
    again = host.receive(friend.run, friend.say())
    assert again is not None
    assert again.t == "found"


def test_a_word_that_comes_twice_counts_once() -> None:
    host, guess = HostMeeting(CODE, INVITE), GuestMeeting(parse_code("7-miso-tofu"), run_id(1))
    (reply,) = {host.receive(guess.run, guess.say()) for _ in range(5)}
    assert reply is not None
    assert reply.t == "reply"
    guess.receive(reply)
    for _ in range(5):
        host.receive(guess.run, guess.say())
    assert host.wrong == 1


def test_one_run_tests_one_guess_even_for_somebody_who_tries_others_in_it() -> None:
    """With the secret of one hello, words other than those that made it prove nothing, right ones included."""
    host = HostMeeting(CODE, INVITE)
    secret = hashlib.sha512(b"guess").digest()
    guess = GuestMeeting(parse_code("7-miso-tofu"), run_id(1), secret=secret)
    reply = host.receive(guess.run, guess.say())
    assert reply is not None
    late = GuestMeeting(CODE, run_id(1), secret=secret)
    late.receive(reply)
    answer = host.receive(late.run, late.say())
    assert answer is not None
    assert answer.t == "wrong"


def test_two_hosts_with_one_number_both_keep_their_codes() -> None:
    """A stray guest costs the other host one attempt at most, and finds its own on the next."""
    mine, other = HostMeeting(CODE, INVITE), HostMeeting(parse_code("7-miso-tofu"), "wasabi:other")
    avoid: set[bytes] = set()
    for attempt in range(2):
        guest = GuestMeeting(CODE, run_id(attempt), avoid)
        replies = [host.receive(guest.run, guest.say()) for host in (other, mine)]
        for reply in replies:
            assert reply is not None
            guest.receive(reply)
        for host in (other, mine):
            answer = host.receive(guest.run, guest.say())
            if answer is not None:
                guest.receive(answer)
        if guest.invite is not None:
            break
        assert guest.host is not None
        avoid.add(guest.host)
    assert guest.invite == INVITE
    assert (mine.wrong, other.wrong) == (0, 1)
    assert not other.void


def test_a_host_answers_only_to_the_question_whether_its_number_is_taken() -> None:
    host, other = HostMeeting(CODE, INVITE), HostMeeting(parse_code("7-miso-tofu"), INVITE)
    question = MeetingWord("here", other.host)
    answer = host.receive(base32(other.host), question)
    assert answer == MeetingWord("here", host.host)
    assert other.receive(base32(other.host), answer) is None
    assert host.receive(base32(host.host), MeetingWord("here", host.host)) is None


def test_strangers_who_say_hello_take_bounded_room() -> None:
    host = HostMeeting(CODE, INVITE)
    for number in range(3 * MOST_RUNS):
        host.receive(run_id(number), GuestMeeting(CODE, run_id(number)).say())
    assert len(host._runs) == MOST_RUNS


# What a broker sees


def test_the_transcript_holds_neither_words_nor_invite() -> None:
    host, guest = HostMeeting(CODE, INVITE), GuestMeeting(CODE, run_id(1))
    carried = b"".join(talk(host, guest))
    for secret in (*CODE.words, INVITE, INVITE[8:20]):
        assert secret.encode() not in carried


def test_the_transcript_fits_every_pair_of_words() -> None:
    """For each guess there are secrets that would have made the same points: nothing tells the right one apart."""
    host, guest = HostMeeting(CODE, INVITE), GuestMeeting(CODE, run_id(1))
    hello, reply, proof, found = (read_word(each) for each in talk(host, guest))
    chance = Random(7)
    for _ in range(200):
        words = f"{chance.choice(code_words())}-{chance.choice(code_words())}"
        weight = reduce_scalar(hashlib.sha512(b"wsb1 code" + words.encode()).digest())
        for point, mask in ((hello.point, M), (reply.point, N)):
            import_point(subtract(Point(point), multiply(weight, mask)))
    assert proof.mac
    assert found.sealed


def test_an_eavesdropper_with_the_right_words_still_cannot_open_the_invite() -> None:
    host, guest = HostMeeting(CODE, INVITE), GuestMeeting(CODE, run_id(1))
    carried = [read_word(each) for each in talk(host, guest)]
    spy = GuestMeeting(CODE, run_id(1))
    spy.receive(carried[1])
    with pytest.raises(Refused):
        spy.receive(carried[3])
    assert spy.invite is None


def test_a_broker_between_the_two_tests_one_guess_with_each() -> None:
    """It answers the guest as host and the host as guest, with words of its own: both notice, nobody gets anything."""
    host, guest = HostMeeting(CODE, INVITE), GuestMeeting(CODE, run_id(1))
    false_host, false_guest = (
        HostMeeting(parse_code("7-miso-tofu"), "wasabi:trap"),
        GuestMeeting(parse_code("7-miso-tofu"), run_id(1)),
    )
    talk(false_host, guest)
    talk(host, false_guest)
    assert guest.invite is None
    assert false_guest.invite is None
    assert (host.wrong, false_host.wrong) == (1, 1)


# The construction


def test_the_constants_are_made_as_the_rfc_makes_them() -> None:
    """Hashed from a sentence until it is a point of the group: nobody chose them."""
    for letter, constant in (("M", M), ("N", N)):
        found = hashlib.sha256(f"edwards25519 point generation seed ({letter})".encode()).digest()
        while True:
            try:
                import_point(found)
                break
            except Exception:
                found = hashlib.sha256(found).digest()
        assert found == constant


@pytest.mark.parametrize("changed", ["password", "context", "role"])
def test_both_sides_agree_only_on_the_same_words_place_and_roles(changed: str) -> None:
    guest = Side(True, b"octopus-daikon", b"here", hashlib.sha512(b"x").digest())
    host = Side(
        changed == "role",
        b"octopus-wasabi" if changed == "password" else b"octopus-daikon",
        b"there" if changed == "context" else b"here",
        hashlib.sha512(b"y").digest(),
    )
    assert guest.agree(host.point).guest_mac != host.agree(guest.point).guest_mac
