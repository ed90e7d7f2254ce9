"""A spoken code: the number of a meeting place and two words, as in 7-octopus-daikon."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wasabi_protocol.verdicts import Code, Refused

MOST = 999
"""Meeting places are numbered from 1."""
_SHAPE = re.compile(r"([1-9][0-9]{0,2})-([a-z]{2,12})-([a-z]{2,12})")


@dataclass(frozen=True, slots=True)
class SpokenCode:
    """Where to meet, and what proves that one was told. The words stay out of repr."""

    number: int
    words: tuple[str, str] = field(repr=False)

    def __str__(self) -> str:
        return "-".join((str(self.number), *self.words))

    @property
    def password(self) -> bytes:
        """The part of it that no broker learns."""
        return "-".join(self.words).encode()


def parse_code(text: str) -> SpokenCode:
    """The code in its one spelling; what people make of it is for a client to read."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise Refused(Code.BAD_INVITE, "code")
    return SpokenCode(int(found[1]), (found[2], found[3]))
