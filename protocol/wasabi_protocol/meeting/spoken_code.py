"""A spoken code: the number of a meeting place and two words, as in 7-octopus-daikon."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wasabi_protocol.verdicts import Code, Refused

MOST = 999
"""The highest number of a meeting place; the lowest is 1."""
_SHAPE = re.compile(r"([1-9][0-9]{0,2})-([a-z]{2,12})-([a-z]{2,12})")


@dataclass(frozen=True, slots=True)
class SpokenCode:
    """A meeting place and the words that prove knowledge of the code. They stay out of repr."""

    number: int
    words: tuple[str, str] = field(repr=False)

    def __str__(self) -> str:
        return "-".join((str(self.number), *self.words))

    @property
    def password(self) -> bytes:
        """The part of the code that no broker learns."""
        return "-".join(self.words).encode()


def parse_code(text: str) -> SpokenCode:
    """Parse a code in its only spelling; tolerating what people type is up to the client."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise Refused(Code.BAD_INVITE, "code")
    return SpokenCode(int(found[1]), (found[2], found[3]))
