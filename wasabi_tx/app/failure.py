"""The error shown to people: one sentence."""

from __future__ import annotations


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
