"""Spoken codes over real brokers: a host offers its invite under one, and a guest comes by it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import unicodedata
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator

from wasabi_protocol.meeting.meeting import MOST_WRONG, GuestMeeting, HostMeeting
from wasabi_protocol.meeting.spoken_code import MOST, SpokenCode, parse_code
from wasabi_protocol.meeting.words import (
    ID_BYTES,
    MeetingWord,
    meeting_filter,
    meeting_topic,
    parse_meeting_topic,
    read_word,
    write_word,
)
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.verdicts import Verdict

from ...net.transport import Arrived, Connected, Lost, Publication, Transport
from ...text.code_words import code_words, nearest_word
from .invites import MOST_WORDS

LISTEN = 1.0
"""Seconds in which a host hears whether somebody else has its number."""
FEW = 99
"""Numbers among which a host draws first: short ones are easier to say."""
MOST_GREETED = 32
"""Guests a second to whom a host replies: that costs it more than it costs a stranger."""
REPEAT = 1.0
"""Seconds after which a guest says the same again."""
HOST_PATIENCE = 15.0
"""Seconds that a guest waits for anybody, and then for the host that replied."""
SECOND_THOUGHT = 2.0
"""Seconds in which a refusal may turn out to be somebody else's: nobody signs it."""
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−_", "-"))
_QUOTES = str.maketrans(dict.fromkeys("\"'`´‘’‚“”„«»‹›<>()[]", " "))
_ENDS = ".,;:!?…"
_CODE = re.compile(r"(?:^|[^0-9a-z])([1-9][0-9]{0,2})-([a-z]{2,12})-([a-z]{2,12})(?![a-z-])")


class BadCode(Exception):
    """A code that leads nowhere.

    | reason      | what happened                                        |
    | words       | one of its words is none of ours                     |
    | unreachable | no broker where people meet can be reached           |
    | nobody      | nobody is there under its number                     |
    | wrong       | somebody is there, with a different code             |
    | void        | somebody guessed three times, and it is void         |
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        """The word or the number in question."""


# Reading one


def looks_like_code(text: str) -> bool:
    """Whether this is meant to be a code: a number and two words."""
    return next(_spellings(text), None) is not None


def read_code(text: str) -> SpokenCode:
    """The code in a text: typed, said with blanks, or pasted from a chat with quotes, line breaks and a full stop."""
    found = list(_spellings(text))
    for number, *words in found:
        meant = [nearest_word(word) for word in words]
        if None not in meant:
            return parse_code("-".join([number, *(word for word in meant if word is not None)]))
    strange = [word for word in found[0][1:] if nearest_word(word) is None] if found else []
    raise BadCode("words", strange[0] if strange else "")


def _spellings(text: str) -> Iterator[tuple[str, str, str]]:
    """What a text could mean, whether its blanks are where words end or where a line was broken."""
    plain = "".join(letter for letter in text if unicodedata.category(letter) != "Cf").translate(_DASHES).lower()
    words = [word for one in plain.translate(_QUOTES).split()[:MOST_WORDS] if (word := one.rstrip(_ENDS))]
    # A command or a sentence may stand before it.
    words = words[next((at for at, word in enumerate(words) if word[0] in "123456789"), 0) :]
    blanks = " ".join(words).replace("- ", "-").replace(" -", "-")
    for joined in ("".join(words), blanks, "-".join(words[:3])):
        for found in _CODE.finditer(joined):
            yield found[1], found[2], found[3]


# The host


def new_code(number: int) -> SpokenCode:
    """A code with this number and two words by chance."""
    return SpokenCode(number, (secrets.choice(code_words()), secrets.choice(code_words())))


class CodeOffer:
    """A host's code, from the search for a free number until the room closes or somebody has guessed too often."""

    def __init__(self, transport: Transport, invite: str, draw: Callable[[int], int] | None = None) -> None:
        """`draw` a number from 1 to the one given."""
        self.changed: Callable[[], None] = lambda: None
        """Called whenever the rest has changed."""
        self._transport = transport
        self._invite = invite
        self._draw = draw or (lambda most: 1 + secrets.randbelow(most))
        self._meeting: HostMeeting | None = None
        self._settled = False
        self._greeted: deque[float] = deque(maxlen=MOST_GREETED)

    @property
    def code(self) -> str:
        """What to say to friends; nothing before a number is found, and none once it is void."""
        return str(self._meeting.code) if self._meeting is not None and self._settled and not self.void else ""

    @property
    def wrong(self) -> int:
        """How often somebody has tried with wrong words."""
        return self._meeting.wrong if self._meeting is not None else 0

    @property
    def left(self) -> int:
        """How often wrong words may still be tried before it is void."""
        return MOST_WRONG - self.wrong

    @property
    def void(self) -> bool:
        return self._meeting is not None and self._meeting.void

    async def run(self) -> None:
        """Offers until it is cancelled; then the connection is closed."""
        self._transport.open()
        reader = asyncio.create_task(self._search_and_read())
        try:
            await reader
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            await self._transport.close()

    async def _search_and_read(self) -> None:
        events = self._transport.events()
        await _until_connected(events)
        tries = 0
        while not self._settled:
            tries += 1
            number = self._draw(FEW if tries <= 4 else MOST)
            meeting = self._meeting = HostMeeting(new_code(number), self._invite)
            self._transport.subscribe([meeting_filter(number)])
            if await self._is_free(events, meeting) or tries > 8:
                self._settled = True
                self.changed()
            else:
                self._transport.unsubscribe([meeting_filter(number)])
        async for item in events:
            if isinstance(item, Arrived):
                self._hear(item)

    async def _is_free(self, events: AsyncIterator[object], meeting: HostMeeting) -> bool:
        """Says that we are here, and listens whether another host says so too."""
        mine = meeting_topic(meeting.code.number, base32(meeting.host))
        for _ in range(2):
            # Twice: one of several brokers may have been reached a little later.
            self._say(mine, MeetingWord("here", meeting.host))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LISTEN / 2):
                    async for item in events:
                        heard = _word(item, meeting.code.number)
                        if heard is not None and heard[1].host not in (b"", meeting.host):
                            return False
        return True

    def _hear(self, item: Arrived) -> None:
        meeting = self._meeting
        assert meeting is not None
        heard = _word(item, meeting.code.number)
        if heard is None or (heard[1].t == "hello" and self._crowded()):
            return
        before = meeting.wrong
        with contextlib.suppress(Verdict):
            answer = meeting.receive(*heard)
            if answer is not None:
                self._say(item.topic, answer)
        if meeting.wrong != before:
            self.changed()

    def _crowded(self) -> bool:
        """Counts one more guest; whether there were too many in this second."""
        now = asyncio.get_running_loop().time()
        if len(self._greeted) == MOST_GREETED and now - self._greeted[0] < 1.0:
            return True
        self._greeted.append(now)
        return False

    def _say(self, topic: str, word: MeetingWord) -> None:
        self._transport.publish(Publication(topic, write_word(word)))


# The guest


async def meet(transport: Transport, code: SpokenCode, patience: float = HOST_PATIENCE) -> str:
    """The invite that a host gives for this code; `BadCode` says why there is none."""
    transport.open()
    try:
        events = transport.events()
        try:
            async with asyncio.timeout(patience):
                await _until_connected(_let_in(events))
        except TimeoutError:
            raise BadCode("unreachable") from None
        avoid: set[bytes] = set()
        reason = "nobody"
        for _ in range(MOST_WRONG):
            attempt = GuestMeeting(code, base32(secrets.token_bytes(ID_BYTES)), avoid)
            # Somebody is there already: whoever else has this number would have replied by now.
            await _try(transport, events, code.number, attempt, patience if not avoid else patience / 3)
            if attempt.invite is not None:
                return attempt.invite
            reason = attempt.refused or (reason if attempt.host is None else "wrong")
            if attempt.host is None:
                break
            avoid.add(attempt.host)
        raise BadCode(reason, str(code.number))
    finally:
        await transport.close()


async def _let_in(events: AsyncIterator[object]) -> AsyncIterator[object]:
    """The same events; `BadCode` as soon as a broker wants a password, since waiting would not help."""
    async for item in events:
        if isinstance(item, Lost) and item.reason == "password":
            raise BadCode("password")
        yield item


async def _try(
    transport: Transport, events: AsyncIterator[object], number: int, attempt: GuestMeeting, patience: float
) -> None:
    """One attempt: ends with an invite, a refusal, or when nobody has answered for long."""
    topic = meeting_topic(number, attempt.run)
    transport.subscribe([topic])
    loop = asyncio.get_running_loop()
    try:
        limit, said, repeat_at = loop.time() + patience, None, 0.0
        while attempt.invite is None and (now := loop.time()) < limit:
            word = attempt.say()
            if word != said or now >= repeat_at:
                limit = now + patience if word != said else limit
                transport.publish(Publication(topic, write_word(word)))
                said, repeat_at = word, now + REPEAT
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(min(limit, repeat_at)):
                    heard = _word(await anext(events), number)
                    if heard is not None and heard[0] == attempt.run:
                        with contextlib.suppress(Verdict):
                            attempt.receive(heard[1])
            if attempt.refused:
                limit = min(limit, now + SECOND_THOUGHT)
    finally:
        transport.unsubscribe([topic])


async def _until_connected(events: AsyncIterator[object]) -> None:
    async for item in events:
        if isinstance(item, Connected):
            return


def _word(item: object, number: int) -> tuple[str, MeetingWord] | None:
    """The run and the word of something that arrived under this number."""
    if not isinstance(item, Arrived):
        return None
    with contextlib.suppress(Verdict):
        place, run = parse_meeting_topic(item.topic)
        if place == number:
            return run, read_word(item.payload)
    return None
