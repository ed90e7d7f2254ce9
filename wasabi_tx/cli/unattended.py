"""What commands without a screen say about themselves: only what keeps them from going on, on standard error."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import click

from ..table.online import news
from ..table.online.client import Event
from ..table.online.headless import CannotGoOn
from ..text import Texts
from ..view.room import room_line
from . import Failure


def trouble_teller(texts: Texts) -> Callable[[Event], None]:
    """Tells when this machine cannot save the game any further."""

    def tell(event: Event) -> None:
        if isinstance(event, news.Trouble):
            click.echo(f"wasabi-tx: {room_line(event, texts)}", err=True)

    return tell


@contextlib.contextmanager
def one_sentence(texts: Texts) -> Iterator[None]:
    """A table at which there will be no game for us."""
    try:
        yield
    except CannotGoOn as reason:
        raise Failure(room_line(reason.event, texts) or "") from None
