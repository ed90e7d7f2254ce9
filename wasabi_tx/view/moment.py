"""One state of a draft: what is asked, and what may be chosen."""

from __future__ import annotations

from functools import cached_property

from ..engine.step import Step
from ..table.draft import Draft
from ..text import Texts
from .prompt import Prompt, ask, reachable


class Moment:
    """What is asked at one state of a draft, worked out when somebody wants to know."""

    def __init__(self, draft: Draft, texts: Texts, declined: bool) -> None:
        self._draft = draft
        self._texts = texts
        self._declined = declined

    @cached_property
    def prompt(self) -> Prompt:
        return ask(self._draft, self._texts, self._declined)

    @cached_property
    def steps(self) -> list[Step]:
        return reachable(self._draft)
