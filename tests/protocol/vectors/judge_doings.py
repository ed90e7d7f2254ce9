"""Our code's verdicts on doings, the seats' reports of their activity."""

from __future__ import annotations

from collections.abc import Callable

from wasabi_protocol.game.doings import Doings
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.envelope import open_envelope
from wasabi_protocol.signed.messages import Doing, Head

from tests.protocol.vectors.vector import Input, Output


def judge_doing(given: Input) -> Output:
    keys = tuple(bytes.fromhex(key) for key in given["keys"])
    doings = Doings(given["table"], keys)
    asked: list[list[float]] = []
    for heard in given["then"]:
        key = bytes.fromhex(heard["key"])
        message = parse(open_envelope(key, bytes.fromhex(heard["envelope"])).body)
        if isinstance(message, Head):
            doings.head(message.seat, message.run)
        else:
            assert isinstance(message, Doing)
            doings.receive(key, message)
        asked += [[heard["now"], seat] for seat in doings.questions(heard["now"])]
    return {"asked": asked, "doing": [doings.word(seat, given["slot"], given["now"]) for seat in range(len(keys))]}


JUDGES: dict[str, Callable[[Input], Output]] = {"doing": judge_doing}
