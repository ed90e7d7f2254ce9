"""Our code's verdicts on logs, ballots and whole recorded games."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from wasabi_protocol.game.events import Blamed, Event
from wasabi_protocol.game.record import found_record, read_record, replay
from wasabi_protocol.game.session import Session
from wasabi_protocol.game.state import GameState
from wasabi_protocol.signed.codec import write
from wasabi_protocol.verdicts import Invalid, Refused
from wasabi_protocol.voting.voter import Voter

from tests.protocol.toy import Position
from tests.protocol.vectors.drill import Drill
from tests.protocol.vectors.vector import Input, Output, Recordings, from_pairs


def event_name(event: object) -> str:
    """Convert EntryAccepted to entry-accepted."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(event).__name__).lower()


def _watch(given: Input, recordings: Recordings) -> Session[Position]:
    """Return a spectator that has received the first envelopes of a recorded game."""
    game = recordings.games[given["game"]]
    items, _ = read_record(bytes.fromhex(game["file"]))
    session = Session(found_record(items), Drill(game["passes"]))
    for item in items[2 : 2 + given["taken"]]:
        session.receive(*item)
    return session


def _stand(session: Session[Position]) -> Output:
    log = session.log
    return {
        "slot": log.head.number,
        "link": log.head.link.hex(),
        "epoch": log.state.epoch,
        "seats": list(log.state.seats),
        "owed": list(log.missing),
        "held": log.waiting,
    }


def judge_log(given: Input, recordings: Recordings) -> Output:
    """Return the verdict on the last envelope, after all others."""
    session = _watch(given, recordings)
    *before, last = from_pairs(given["then"])
    for item in before:
        with suppress(Refused):
            session.receive(*item)
    events = session.receive(*last)
    _raise_blame(events)
    return {"events": [event_name(event) for event in events], **_stand(session)}


def _raise_blame(events: list[Event[GameState[Position]]]) -> None:
    for event in events:
        if isinstance(event, Blamed):
            raise Invalid(event.evidence.code, event.evidence.seat)


def _voter(given: Input, recordings: Recordings) -> Voter[GameState[Position]]:
    """Return one seat's voter after it received these messages."""
    session = _watch(given, recordings)
    for item in from_pairs(given["then"]):
        with suppress(Refused):
            session.receive(*item)
    return Voter(session.log, given["seat"])


def judge_duty(given: Input, recordings: Recordings) -> Output:
    """Return the seat's automatic vote, whether it is bound, and the question for its person."""
    voter = _voter(given, recordings)
    word = voter.word()
    return {
        "word": "" if word is None else write(word).hex(),
        "bound": voter.bound(),
        "question": voter.question(),
    }


def judge_cast(given: Input, recordings: Recordings) -> Output:
    return {"body": write(_voter(given, recordings).ballot(given["out"], given["by"])).hex()}


def judge_record(given: Input, recordings: Recordings) -> Output:
    """Check a whole file; the code of an invalid one is its evidence, the first refusal, `cut` or `gap`."""
    game = recordings.games[given["game"]]
    result = replay(bytes.fromhex(given.get("file", game["file"])), Drill(game["passes"]))
    log, state = result.session.log, result.session.state
    if log.evidence:
        raise Invalid(log.evidence[0].code, log.evidence[0].seat)
    if result.refused:
        raise result.refused[0][1]
    if not result.valid:
        raise _Unfinished("gap" if result.whole else "cut")
    outcome = state.outcome
    return {
        **_stand(result.session),
        "settled": result.settled,
        "digest": "" if state.position is None else result.session.game.digest(state.position).hex(),
        "scores": [] if outcome is None else list(outcome.scores),
        "open": outcome is not None and outcome.open,
    }


class _Unfinished(Exception):
    """A file that proves nothing against anybody, and yet is not a whole game."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


GAME_JUDGES: dict[str, Callable[[Input, Recordings], Output]] = {
    "log": judge_log,
    "duty": judge_duty,
    "cast": judge_cast,
    "record": judge_record,
}
ERRORS = (_Unfinished,)
