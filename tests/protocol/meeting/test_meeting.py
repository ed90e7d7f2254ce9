"""Meetings under a spoken code: whoever knows it gets the invite, and nobody else learns anything."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from wasabi_protocol.meeting import meeting, work
from wasabi_protocol.meeting.meeting import MOST_CANDIDATES, MOST_PROOFS, MOST_WRONG, GuestMeeting, HostMeeting
from wasabi_protocol.meeting.messages import MeetingWord, read_word, write_word
from wasabi_protocol.meeting.spake2 import M, N, Side
from wasabi_protocol.meeting.spoken_code import SpokenCode, parse_code
from wasabi_protocol.sealed.group import Point, import_point, multiply, reduce_scalar, subtract
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.verdicts import Refused

from wasabi_tx.text.code_words import code_words

CODE = parse_code("7-octopus-daikon")
INVITE = "wasabi:pvfxkomvkw7mivl42hcupgvorouywpvm2nnq43yns6ra5k/1"


def run_id(number: object) -> str:
    return base32(hashlib.sha256(str(number).encode()).digest()[:16])


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the work to a few bits, which suffice to test it."""
    monkeypatch.setattr(work, "WORK_BITS", 6)


def talk(host: HostMeeting, guest: GuestMeeting) -> list[bytes]:
    """Let the two talk until the guest has an answer; return everything that the broker carried."""
    carried: list[bytes] = []
    told: list[MeetingWord] = []
    while guest.invite is None and not guest.refused:
        new = [word for word in guest.words() if word not in told]
        if not new:
            break
        for word in new:
            told.append(word)
            carried.append(write_word(word))
            answer = host.receive(guest.run, read_word(write_word(word)))
            if answer is not None:
                carried.append(write_word(answer))
                guest.receive(answer)
    return carried


def hello(guest: GuestMeeting) -> MeetingWord:
    return guest.words()[0]


def proof(guest: GuestMeeting) -> MeetingWord:
    return guest.words()[-1]


@given(st.integers(1, 999), st.sampled_from(code_words()), st.sampled_from(code_words()))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whoever_knows_the_code_gets_the_invite(number: int, one: str, two: str) -> None:
    code = SpokenCode(number, (one, two))
    host = HostMeeting(code, INVITE)
    for name in range(3):
        guest = GuestMeeting(code, run_id(name))
        assert len(talk(host, guest)) == 4
        assert guest.invite == INVITE
    assert (host.met, host.wrong) == (3, 0)


def test_wrong_guesses_make_the_code_void_for_good() -> None:
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
    again = host.receive(friend.run, proof(friend))
    assert again is not None
    assert again.t == "found"


# The cost of an attempt


def test_a_hello_without_work_costs_the_host_nothing() -> None:
    host = HostMeeting(CODE, INVITE)
    idle = GuestMeeting(CODE, run_id(1))
    nonces = (number.to_bytes(8, "big") for number in range(1_000))
    none = next(nonce for nonce in nonces if not work.holds_work(7, idle.run, hello(idle).point, nonce))
    bare = replace(hello(idle), work=none)
    assert not host.is_new_guest(idle.run, bare)
    assert host.receive(idle.run, bare) is None
    assert not host._runs


def test_work_is_good_for_one_number_one_run_and_one_point() -> None:
    guest = GuestMeeting(CODE, run_id(1))
    point, nonce = hello(guest).point, hello(guest).work
    assert work.holds_work(7, guest.run, point, nonce)
    others = [(7, run_id(2), point), (8, guest.run, point), (7, guest.run, bytes(32))]
    # With few bits, one of them could pass by chance.
    held = [
        work.holds_work(*other, work.find_work(7, run_id(number), point)) for number in range(64) for other in others
    ]
    assert sum(held) < 20


def test_the_work_takes_many_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "WORK_BITS", 12)
    nonces = [int.from_bytes(work.find_work(7, run_id(number), bytes(32)), "big") for number in range(64)]
    assert 2_000 < sum(nonces) / len(nonces) < 8_000


def test_a_word_that_comes_twice_counts_once() -> None:
    host, guess = HostMeeting(CODE, INVITE), GuestMeeting(parse_code("7-miso-tofu"), run_id(1))
    (reply,) = {host.receive(guess.run, hello(guess)) for _ in range(5)}
    assert reply is not None
    assert reply.t == "reply"
    guess.receive(reply)
    for _ in range(5):
        host.receive(guess.run, proof(guess))
    assert host.wrong == 1


def test_a_stranger_who_speaks_in_a_friends_run_takes_nothing_from_it() -> None:
    """Proofs by a stranger need no work; together they count as one guess, and as none once the friend has proved
    itself.
    """
    host, friend = HostMeeting(CODE, INVITE), GuestMeeting(CODE, run_id("friend"))
    reply = host.receive(friend.run, hello(friend))
    assert reply is not None
    for number in range(5 * MOST_WRONG):
        host.receive(friend.run, MeetingWord("proof", host.host, mac=bytes([number]) * 32))
    assert (host.wrong, host.void) == (1, False)
    friend.receive(reply)
    answer = host.receive(friend.run, proof(friend))
    assert answer is not None
    friend.receive(answer)
    assert friend.invite == INVITE
    assert host.wrong == 0


def test_one_run_tests_one_guess_even_for_somebody_who_tries_others_in_it() -> None:
    """With the secret of one hello, words other than those that made it prove nothing, not even the right ones."""
    host = HostMeeting(CODE, INVITE)
    secret = hashlib.sha512(b"guess").digest()
    guess = GuestMeeting(parse_code("7-miso-tofu"), run_id(1), secret=secret)
    reply = host.receive(guess.run, hello(guess))
    assert reply is not None
    late = GuestMeeting(CODE, run_id(1), secret=secret)
    late.receive(reply)
    answer = host.receive(late.run, proof(late))
    assert answer is not None
    assert answer.t == "wrong"


# Several who reply


def test_two_hosts_with_one_number_both_keep_their_codes() -> None:
    """A stray guest costs the other host one guess, and finds its own host in the same run."""
    mine, other = HostMeeting(CODE, INVITE), HostMeeting(parse_code("7-miso-tofu"), "wasabi:other")
    guest = GuestMeeting(CODE, run_id(1))
    for host in (other, mine):
        reply = host.receive(guest.run, hello(guest))
        assert reply is not None
        guest.receive(reply)
    guest.widen()
    for word in guest.words():
        for host in (other, mine):
            answer = host.receive(guest.run, word)
            if answer is not None:
                guest.receive(answer)
    assert guest.invite == INVITE
    assert (mine.wrong, other.wrong) == (0, 1)
    assert not other.void


def false_reply(name: object, host: bytes = b"") -> MeetingWord:
    side = Side(False, b"miso-tofu", b"", hashlib.sha512(str(name).encode()).digest())
    return MeetingWord("reply", host or hashlib.sha256(str(name).encode()).digest()[:16], point=side.point)


@pytest.mark.parametrize("pretends", [False, True])
def test_false_hosts_who_are_faster_keep_no_guest_from_its_host(pretends: bool) -> None:
    """Seven refusing replies come first, perhaps under the host's own name."""
    host, guest = HostMeeting(CODE, INVITE), GuestMeeting(CODE, run_id(1))
    false = [false_reply(number, host.host if pretends else b"") for number in range(MOST_PROOFS - 1)]
    for word in false:
        guest.receive(word)
    reply = host.receive(guest.run, hello(guest))
    assert reply is not None
    guest.receive(reply)
    for _ in range(MOST_PROOFS):
        guest.widen()
        for word in guest.words()[1:]:
            answer = host.receive(guest.run, word)
            if answer is not None:
                guest.receive(answer)
        for word in false:
            guest.receive(MeetingWord("wrong", word.host))
    assert guest.invite == INVITE
    assert host.wrong == 0


@pytest.mark.long
def test_a_guest_proves_itself_to_a_few_of_many_each_by_chance() -> None:
    chosen: Counter[bytes] = Counter()
    for number in range(60):
        guest = GuestMeeting(CODE, run_id(number), draw=Random(number).randrange)
        for name in range(4 * MOST_CANDIDATES):
            guest.receive(false_reply(name % 128))
        assert len(guest._replies) <= MOST_CANDIDATES
        for _ in range(2 * MOST_PROOFS):
            guest.widen()
        assert len(guest.words()) == 1 + MOST_PROOFS
        chosen.update(word.host for word in guest.words()[2:])
    late = [false_reply(name).host for name in range(64, 128)]
    assert sum(chosen[host] for host in late) > 60


def test_a_host_answers_only_to_the_question_whether_its_number_is_taken() -> None:
    host, other = HostMeeting(CODE, INVITE), HostMeeting(parse_code("7-miso-tofu"), INVITE)
    question = MeetingWord("here", other.host)
    answer = host.receive(base32(other.host), question)
    assert answer == MeetingWord("here", host.host)
    assert other.receive(base32(other.host), answer) is None
    assert host.receive(base32(host.host), MeetingWord("here", host.host)) is None


def test_strangers_who_say_hello_take_bounded_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "MOST_RUNS", 16)
    host = HostMeeting(CODE, INVITE)
    for number in range(48):
        host.receive(run_id(number), hello(GuestMeeting(CODE, run_id(number))))
    assert len(host._runs) == 16


# The broker's view


def test_the_transcript_holds_neither_words_nor_invite() -> None:
    host, guest = HostMeeting(CODE, INVITE), GuestMeeting(CODE, run_id(1))
    carried = b"".join(talk(host, guest))
    for secret in (*CODE.words, INVITE, INVITE[8:20]):
        assert secret.encode() not in carried


def test_the_transcript_fits_every_pair_of_words() -> None:
    """Each guess has secrets that would have made the same points, so nothing distinguishes the right one."""
    host, guest = HostMeeting(CODE, INVITE), GuestMeeting(CODE, run_id(1))
    asked, reply, proved, found = (read_word(each) for each in talk(host, guest))
    chance = Random(7)
    for _ in range(200):
        words = f"{chance.choice(code_words())}-{chance.choice(code_words())}"
        weight = reduce_scalar(hashlib.sha512(b"wsb1 code" + words.encode()).digest())
        for point, mask in ((asked.point, M), (reply.point, N)):
            import_point(subtract(Point(point), multiply(weight, mask)))
    assert proved.mac
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
    """A broker that plays both sides with its own words is noticed by both, and nobody gets anything."""
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
    """The constants are hashed from a sentence until they are points of the group, so nobody chose them."""
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
