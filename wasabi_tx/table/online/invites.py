"""Invites: reading one, writing the ones to a table, and the broker that one leads to."""

from __future__ import annotations

from dataclasses import replace

from wasabi_protocol.table.invite import Invite, InviteFault, host_key_hash, parse_invite
from wasabi_protocol.table.private import read_key
from wasabi_protocol.verdicts import Refused

from ...net.address import PLAYER, Address


class BadInvite(Exception):
    """An invite that leads nowhere; `code` is an `InviteFault`, or says what kind of invite is needed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_invite(text: str) -> Invite:
    """The invite that this text is; `BadInvite` if it is none."""
    try:
        return parse_invite(text)
    except Refused as refusal:
        raise BadInvite(InviteFault(refusal.detail)) from None


def check_table(invite: Invite) -> None:
    """`BadInvite` unless it names a table: any word can be the name of a host, so only a realm makes it a lobby's."""
    if not invite.table:
        raise BadInvite("no-table" if invite.realm else "only-host")


def invite_to(
    public: Address, realm: str, table: str, host: bytes, play_key: bytes = b"", ticket_key: bytes = b""
) -> Invite:
    """The way to a table on a broker, for those who are to play; with a ticket they come before strangers."""
    scheme = ("wasabis" if public.tls else "wasabi") + ("+ws" if public.websockets else "")
    return Invite(
        host=public.host,
        port=public.port,
        scheme=scheme,
        realm=realm,
        table=table,
        play_key=play_key,
        read_key=b"",
        password=public.password if public.user == PLAYER else "",
        host_key_hash=host_key_hash(host),
        certificate=public.fingerprint,
        ticket_key=ticket_key,
    )


def watch_invite(invite: Invite) -> Invite:
    """The way to the same table for those who may only look."""
    read = read_key(invite.play_key) if invite.play_key else invite.read_key
    return replace(invite, play_key=b"", read_key=read, password="", ticket_key=b"")


def address_of(invite: Invite) -> Address:
    """The broker that an invite leads to."""
    return Address(
        host=invite.host,
        port=invite.port,
        tls=invite.tls,
        websockets=invite.websockets,
        user=invite.user,
        password=invite.password,
        fingerprint=invite.certificate,
    )


def address_through(invite: Invite, through: Address | None) -> Address:
    """The invite's broker, or another way to it, with the invite's password unless that way has its own."""
    if through is None:
        return address_of(invite)
    if through.user or not invite.password:
        return through
    return replace(through, user=PLAYER, password=invite.password)
