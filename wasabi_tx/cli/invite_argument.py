"""The invite of a command: an argument, the environment, or standard input; and the guest's name."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import replace

from ..app.failure import Failure, failures_as_sentences
from ..app.output import echo
from ..app.preferences import own_name
from ..online.invites import BadInvite, read_invite
from ..online.spoken_codes import BadCode, looks_like_code, read_code
from ..plain.console import read_line
from ..store.paths import find_paths
from ..store.settings import settings_file
from ..text import Texts
from ..view.names import clean_name
from ..view.online.refusals import say_refusal
from . import on_terminal

INVITE = "WASABI_TX_INVITE"
MOST_LINES = 8
"""Most lines that an invite may be broken into."""


def given_invite(argument: str | None) -> str | None:
    """Return the invite from the command line or the environment, removed there so that child processes do not inherit
    it.
    """
    return argument or os.environ.pop(INVITE, None)


def invite_from(text: str | None, texts: Texts) -> str:
    """Return the given invite, or read it from standard input, which no list of processes shows."""
    if text not in (None, "-"):
        return str(text)
    if sys.stdin.isatty():
        echo(texts.say("hosting.paste"), err=True)
    given = ""
    for _ in range(MOST_LINES):
        line = read_line(sys.stdin, 2_000)
        given += line
        if not line.strip():
            break
        # A chat or a narrow window may have broken it: the next line is read only if this one is incomplete.
        with contextlib.suppress(BadInvite, BadCode):
            (read_code if looks_like_code(given) else read_invite)(given)
            break
    if not given.strip():
        raise Failure(say_refusal(BadInvite("empty"), texts))
    return given


def check_invite(text: str, texts: Texts) -> None:
    """Say at once what is wrong with an invite or a code, before anything else is asked for it."""
    with failures_as_sentences(texts):
        (read_code if looks_like_code(text) else read_invite)(text)


def name_for(wish: str | None, texts: Texts) -> str | None:
    """Return the name for a table; ask for it and save it on first use at a terminal."""
    config = find_paths().config
    if wish or not on_terminal() or settings_file(config).exists():
        return wish
    login = own_name() or ""
    echo(texts.say("online.your-name", name=login), err=True)
    chosen = clean_name(read_line(sys.stdin, 200)) or login
    from ..app.local_games import LocalGames

    games = LocalGames(texts.language)
    games.save_settings(replace(games.settings()[0], name=chosen))
    return chosen
