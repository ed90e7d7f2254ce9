"""The invites of a table whose game has begun: to copy, to read out, and for a camera."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.binding import BindingType

from ...text import Texts
from ...view.online.waiting_room import command_for, command_rows, link_rows
from ..bindings import BY_ID, bindings_on, shown_keys
from ..draw.qr_code import qr_lines
from ..text_lines import TextLine
from .page import TextPage

BESIDE = 6
"""Columns of a page beside its text: border, padding and a bar to scroll."""


class InvitesPage(TextPage):
    """Shows the invites for watchers and for players who come back; a key copies each."""

    where = "invites"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("invites")

    def __init__(
        self,
        invite: str,
        watch_invite: str,
        site: str,
        texts: Texts,
        *,
        width: int,
        on_dark: bool,
        remapped: Mapping[str, str],
    ) -> None:
        """Make the page for a screen of this width; a watcher has no `invite` to play, few tables have a `site`."""
        self._invites = {"copy": invite, "copy_watch": watch_invite}
        say, width = texts.say, max(20, width - BESIDE)
        ways = [("invite-watch", "copy_watch"), *([("invite-again", "copy")] if invite else [])]
        lines = []
        for heading, action in ways:
            one, key = self._invites[action], shown_keys(BY_ID[action], remapped, texts)[0]
            lines.append(TextLine(f"{say(f'room.{heading}')}  ({say('room.copies', key=key)})", "bold"))
            lines += [TextLine(row, "$accent") for row in command_rows(command_for(one), width)]
            lines.append(TextLine())
        if site:
            lines.append(TextLine(say("room.open-link"), "bold"))
            link = site + (invite or watch_invite)
            lines += [*(TextLine(row, "$accent") for row in link_rows(link, width)), TextLine()]
        lines += [TextLine(say("room.qr-watch"), "bold"), *qr_lines(site + watch_invite, on_dark)]
        super().__init__(say("tui.action.invites"), lines)

    def action_copy(self) -> None:
        self._copy(self._invites["copy"] or self._invites["copy_watch"])

    def action_copy_watch(self) -> None:
        self._copy(self._invites["copy_watch"])

    def _copy(self, invite: str) -> None:
        self.app.copy_to_clipboard(command_for(invite))
        self.show_notice(self.texts.say("room.copied"))
