"""Refusals: the reasons that keep somebody from a table, as one sentence for a command or a screen."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ..text import Texts
from ..view.online.refusals import REFUSALS, say_refusal
from .failure import Failure


@contextlib.contextmanager
def failures_as_sentences(texts: Texts) -> Iterator[None]:
    """Turn everything that can keep somebody from a table into a `Failure` with one sentence."""
    try:
        yield
    except REFUSALS as error:
        raise Failure(say_refusal(error, texts)) from None
