"""The error shown to people: one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..text import Texts


class Failure(Exception):
    """Something failed for a reason a person can understand; its only argument is one sentence.

    A command ends with it, and a screen shows it.
    """

    exit_code = 1

    @property
    def sentence(self) -> str:
        """The sentence with a capital letter, for use without a command's name before it."""
        words = str(self)
        return words[:1].upper() + words[1:]


class BadChoice(Failure):
    """The requested name or number does not exist here."""

    exit_code = 2


@contextmanager
def failures_as_sentences(texts: Texts) -> Iterator[None]:
    """Turn everything that can keep somebody from a table into a `Failure` with one sentence."""
    # Imported here, because most commands need nothing of the network.
    from ..view.online.refusals import REFUSALS, say_refusal

    try:
        yield
    except REFUSALS as error:
        raise Failure(say_refusal(error, texts)) from None
