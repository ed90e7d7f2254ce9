"""Spoken codes over real brokers: a host offers its invite under one, and a guest joins with it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import unicodedata
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count

from wasabi_protocol.meeting.meeting import MOST_WRONG, GuestMeeting, HostMeeting
from wasabi_protocol.meeting.messages import (
    ID_BYTES,
    MeetingWord,
    meeting_filter,
    meeting_topic,
    parse_meeting_topic,
    read_word,
    write_word,
)
from wasabi_protocol.meeting.spoken_code import MOST, SpokenCode, parse_code
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.verdicts import Verdict

from ..net.transport import Arrived, Connected, Lost, Publication, Transport
from ..text.code_words import code_words, nearest_word
from .invites import MOST_WORDS

LISTEN = 1.0
"""Seconds for which a host listens whether somebody else has its number."""
FEW = 99
"""Largest number that a host tries first: short ones are easier to say."""
MOST_GREETED = 256
"""Guests a second that a host answers; each of them has paid for its hello with work."""
MOST_VOID = 4
"""Void codes that are still answered, so that guests who use them are told."""
FIRST_PAUSE = 60.0
"""Seconds before a third code; doubled each time after that."""
REPEAT = 1.0
"""Seconds after which a guest repeats its messages."""
HOST_PATIENCE = 15.0
"""Seconds that a guest waits for any host, and then for those who replied."""
SECOND_THOUGHT = 4.0
"""Seconds in which a refusal may turn out to be somebody else's, because nobody signs it."""
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−_", "-"))
_QUOTES = str.maketrans(dict.fromkeys("\"'`´‘’‚“”„«»‹›<>()[]", " "))
_ENDS = ".,;:!?…"
_CODE = re.compile(r"(?:^|[^0-9a-z])([1-9][0-9]{0,2})-([a-z]{2,12})-([a-z]{2,12})(?![a-z-])")


class BadCode(Exception):
    """A code that leads nowhere.

    | reason      | what happened                                        |
    | words       | one of its words is not in our list                  |
    | unreachable | no broker where people meet can be reached           |
    | nobody      | nobody is there under its number                     |
    | wrong       | somebody is there, with a different code             |
    | void        | wrong words were tried too often for it              |
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        """The unknown word, or the number."""


# Reading a code


def looks_like_code(text: str) -> bool:
    """Return whether this is meant to be a code: a number and two words."""
    return next(_spellings(text), None) is not None


def read_code(text: str) -> SpokenCode:
    """Return the code in a text: typed, with blanks, or pasted from a chat with quotes, line breaks and a full stop."""
    found = list(_spellings(text))
    for number, *words in found:
        meant = [nearest_word(word) for word in words]
        if None not in meant:
            return parse_code("-".join([number, *(word for word in meant if word is not None)]))
    strange = [word for word in found[0][1:] if nearest_word(word) is None] if found else []
    raise BadCode("words", strange[0] if strange else "")


def _spellings(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield possible readings of a text: its blanks may separate words or come from a wrapped line."""
    plain = "".join(letter for letter in text if unicodedata.category(letter) != "Cf").translate(_DASHES).lower()
    words = [word for one in plain.translate(_QUOTES).split()[:MOST_WORDS] if (word := one.rstrip(_ENDS))]
    # A command or a sentence may come before it.
    words = words[next((at for at, word in enumerate(words) if word[0] in "123456789"), 0) :]
    blanks = " ".join(words).replace("- ", "-").replace(" -", "-")
    for joined in ("".join(words), blanks, "-".join(words[:3])):
        for found in _CODE.finditer(joined):
            yield found[1], found[2], found[3]


# The host


def new_code(number: int) -> SpokenCode:
    """Return a code with this number and two random words."""
    return SpokenCode(number, (secrets.choice(code_words()), secrets.choice(code_words())))


class CodeOffer:
    """A host's codes, from the search for a free number until the room closes; a void one is replaced."""

    def __init__(self, transport: Transport, invite: str, draw: Callable[[int], int] | None = None) -> None:
        """Set up the offer; `draw` picks a number from 1 to its argument."""
        self.changed: Callable[[], None] = lambda: None
        """Called whenever the code or its count of wrong guesses has changed."""
        self.voided = 0
        """Number of codes that have become void."""
        self._transport = transport
        self._invite = invite
        self._draw = draw or (lambda most: 1 + secrets.randbelow(most))
        self._meeting: HostMeeting | None = None
        self._void: deque[HostMeeting] = deque()
        self._greeted: deque[float] = deque(maxlen=MOST_GREETED)

    @property
    def code(self) -> str:
        """The code to give to friends; empty before a number is found, and after a code is void."""
        return str(self._meeting.code) if self._meeting is not None else ""

    @property
    def wrong(self) -> int:
        """Wrong guesses at the present code, or at the last one if it is void."""
        meeting = self._meeting or (self._void[-1] if self._void else None)
        return meeting.wrong if meeting is not None else 0

    @property
    def tries_left(self) -> int:
        """Wrong guesses until the code is void."""
        return MOST_WRONG - self.wrong

    @property
    def pause(self) -> float:
        """Seconds without a code after `voided` codes: none, then a minute, then twice as long each time.

        Endless guessing thus gets about sixty guesses in the first hour.
        """
        return 0.0 if self.voided < 2 else FIRST_PAUSE * 2.0 ** min(self.voided - 2, 10)

    async def run(self) -> None:
        """Offer codes until cancelled, then close the connection."""
        self._transport.open()
        try:
            events = self._transport.events()
            await _until_connected(events)
            while True:
                meeting = await self._search(events)
                await self._answer(events, meeting)
        finally:
            await self._transport.close()

    async def _search(self, events: AsyncIterator[object]) -> HostMeeting:
        """Find a number that nobody else seems to use."""
        for tries in count(1):
            number = self._draw(FEW if tries <= 4 and not self.voided else MOST)
            meeting = HostMeeting(new_code(number), self._invite)
            self._transport.subscribe([meeting_filter(number)])
            if await self._is_free(events, meeting) or tries > 8:
                break
            if all(number != old.code.number for old in self._void):
                self._transport.unsubscribe([meeting_filter(number)])
        self._meeting = meeting
        self.changed()
        return meeting

    async def _answer(self, events: AsyncIterator[object], meeting: HostMeeting) -> None:
        """Answer guests until the code is void, and then until the pause is over."""
        loop = asyncio.get_running_loop()
        until: float | None = None
        while until is None or loop.time() < until:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    item = await anext(events)
                    if isinstance(item, Arrived):
                        self._hear(item)
            if meeting.void and until is None:
                self.voided += 1
                self._meeting = None
                self._forget_old(meeting)
                until = loop.time() + self.pause
                self.changed()

    def _forget_old(self, meeting: HostMeeting) -> None:
        """Keep the last void codes, so that friends who use them are told why they fail."""
        self._void.append(meeting)
        if len(self._void) > MOST_VOID:
            number = self._void.popleft().code.number
            if all(number != old.code.number for old in self._void):
                self._transport.unsubscribe([meeting_filter(number)])

    async def _is_free(self, events: AsyncIterator[object], meeting: HostMeeting) -> bool:
        """Announce our number, and return whether no other host announces it too."""
        mine = meeting_topic(meeting.code.number, base32(meeting.host))
        ours = {b"", meeting.host, *(old.host for old in self._void)}
        for _ in range(2):
            # Twice, because one of several brokers may have been reached a little later.
            self._say(mine, MeetingWord("here", meeting.host))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LISTEN / 2):
                    async for item in events:
                        heard = _word(item, meeting.code.number)
                        if heard is not None and heard[1].host not in ours:
                            return False
        return True

    def _hear(self, item: Arrived) -> None:
        """Answer a message under the number of the present code or of a void one."""
        meetings = [*self._void, *([] if self._meeting is None else [self._meeting])]
        for meeting in meetings:
            heard = _word(item, meeting.code.number)
            if heard is None or (meeting.is_new_guest(*heard) and self._crowded()):
                continue
            before = meeting.wrong
            with contextlib.suppress(Verdict):
                answer = meeting.receive(*heard)
                if answer is not None:
                    self._say(item.topic, answer)
            if meeting.wrong != before and not meeting.void:
                self.changed()

    def _crowded(self) -> bool:
        """Count one more guest, and return whether there were too many in this second."""
        now = asyncio.get_running_loop().time()
        if len(self._greeted) == MOST_GREETED and now - self._greeted[0] < 1.0:
            return True
        self._greeted.append(now)
        return False

    def _say(self, topic: str, word: MeetingWord) -> None:
        self._transport.publish(Publication(topic, write_word(word)))


# The guest


async def meet(transport: Transport, code: SpokenCode, patience: float = HOST_PATIENCE) -> str:
    """Return the invite that a host gives for this code; raise `BadCode` with the reason if there is none."""
    transport.open()
    try:
        events = transport.events()
        try:
            async with asyncio.timeout(patience):
                await _until_connected(_let_in(events))
        except TimeoutError:
            raise BadCode("unreachable") from None
        attempt = GuestMeeting(code, base32(secrets.token_bytes(ID_BYTES)))
        # The hello costs work, done outside the loop so that a screen can show that we ask.
        await asyncio.to_thread(attempt.words)
        await _ask(transport, events, code.number, attempt, patience)
        if attempt.invite is not None:
            return attempt.invite
        raise BadCode(attempt.refused or ("wrong" if attempt.met else "nobody"), str(code.number))
    finally:
        await transport.close()


async def _ask(
    transport: Transport, events: AsyncIterator[object], number: int, attempt: GuestMeeting, patience: float
) -> None:
    """Ask until there is an invite, everybody who replied has refused, or nobody has answered in time."""
    topic = meeting_topic(number, attempt.run)
    transport.subscribe([topic])
    loop = asyncio.get_running_loop()
    try:
        limit = end = loop.time() + patience
        repeat_at, met = 0.0, False
        said: list[MeetingWord] = []
        while attempt.invite is None and (now := loop.time()) < end:
            if now >= repeat_at:
                attempt.widen()
                said, repeat_at = [], now + REPEAT
            for word in attempt.words():
                if word not in said:
                    said.append(word)
                    transport.publish(Publication(topic, write_word(word)))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(min(end, repeat_at)):
                    heard = _word(await anext(events), number)
                    if heard is not None and heard[0] == attempt.run:
                        with contextlib.suppress(Verdict):
                            attempt.receive(heard[1])
            if attempt.met and not met:
                met, limit = True, loop.time() + patience
            if not attempt.refused:
                end = limit
            elif end == limit:
                # The refusal may be somebody else's, because nobody signs it.
                end = min(limit, loop.time() + SECOND_THOUGHT)
    finally:
        transport.unsubscribe([topic])


async def _let_in(events: AsyncIterator[object]) -> AsyncIterator[object]:
    """Pass events on; raise `BadCode` once a broker wants a password, since waiting would not help."""
    async for item in events:
        if isinstance(item, Lost) and item.reason == "password":
            raise BadCode("password")
        yield item


async def _until_connected(events: AsyncIterator[object]) -> None:
    async for item in events:
        if isinstance(item, Connected):
            return


def _word(item: object, number: int) -> tuple[str, MeetingWord] | None:
    """Return the run and content of a message that arrived under this number, or None."""
    if not isinstance(item, Arrived):
        return None
    with contextlib.suppress(Verdict):
        place, run = parse_meeting_topic(item.topic)
        if place == number:
            return run, read_word(item.payload)
    return None
