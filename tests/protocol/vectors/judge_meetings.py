"""Our code's verdicts on spoken codes, words of a meeting, and whole meetings."""

from __future__ import annotations

from collections.abc import Callable

from wasabi_protocol.meeting.meeting import GuestMeeting, HostMeeting, meeting_context
from wasabi_protocol.meeting.messages import MeetingWord, meeting_filter, meeting_topic, read_word
from wasabi_protocol.meeting.spake2 import Side
from wasabi_protocol.meeting.spoken_code import parse_code
from wasabi_protocol.verdicts import Code, Refused

from tests.protocol.vectors.vector import Input, Output


def _raw(given: Input, name: str) -> bytes:
    return bytes.fromhex(given[name])


def judge_code(given: Input) -> Output:
    code = parse_code(given["text"])
    return {
        "number": code.number,
        "password": code.password.decode(),
        "filter": meeting_filter(code.number),
        "topic": meeting_topic(code.number, "a" * 26),
    }


def judge_word(given: Input) -> Output:
    word = read_word(_raw(given, "payload"))
    parts = {name: getattr(word, name).hex() for name in ("host", "point", "work", "mac", "sealed")}
    return {"t": word.t} | {name: value for name, value in parts.items() if value}


def judge_meeting(given: Input) -> Output:
    """Run both sides from their secrets: the host judges the proof, the guest judges the host's answer."""
    code, run, at = parse_code(given["code"]), given["run"], _raw(given, "host")
    host, guest = HostMeeting(code, "", at), GuestMeeting(code, run, secret=_raw(given, "guest_secret"))
    side = Side(True, code.password, meeting_context(code.number, run, at), _raw(given, "guest_secret"))
    point = _raw(given, "guest_point") if "guest_point" in given else bytes(side.point)
    hello = MeetingWord("hello", point=point, work=_raw(given, "work"))
    reply = host.receive(run, hello, _raw(given, "host_secret"))
    if reply is None:
        raise Refused(Code.BAD_PROOF, "nobody worked for it")
    guest.receive(reply)
    answer = host.receive(run, MeetingWord("proof", at, mac=_raw(given, "mac")))
    assert answer is not None
    if answer.t != "found":
        raise Refused(Code.BAD_PROOF)
    guest.receive(MeetingWord("found", at, sealed=_raw(given, "sealed")))
    agreed = side.agree(reply.point)
    return {
        "guest_point": hello.point.hex(),
        "host_point": reply.point.hex(),
        "key": agreed.key.hex(),
        "mac": agreed.guest_mac.hex(),
        "invite": guest.invite,
    }


JUDGES: dict[str, Callable[[Input], Output]] = {"code": judge_code, "word": judge_word, "meeting": judge_meeting}
