"""A lobby full of strangers: bounded work, bounded lists, and no harmful text."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from wasabi_protocol.signed.codec import open_as, signed_message
from wasabi_protocol.signed.envelope import Signed, open_envelope
from wasabi_protocol.signed.identity import Identity, fingerprint, key_text
from wasabi_protocol.signed.messages import Birth, Closed, Off, Offer, Say
from wasabi_protocol.table import lobby as listing
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.verdicts import Verdict

from tests.brokers import PATIENCE
from tests.net.memory import MemoryBroker, MemoryTransport
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.net.address import Address
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.beginnings import SeveralTables
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.lobby import LobbyClient, Spoken
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.terms import make_terms

from .world import secret

TERMS = make_terms(rules_for("classic", 2), 2, 2)
ADDRESS = Address("127.0.0.1", 1883)


class Reader:
    """A lobby whose clock a test controls."""

    def __init__(self) -> None:
        self.now = 100.0
        broker = MemoryBroker()
        home = Machine(Path(), secret("reader"), "Koi", rules_for, lambda _address: MemoryTransport(broker, "reader"))
        self.lobby = LobbyClient(home, ADDRESS, clock=lambda: self.now)

    def hear(self, kind: str, who: Identity, payload: bytes, retained: bool = False) -> object:
        try:
            return self.lobby.receive(f"wsb1/main/{kind}/{key_text(who.key)}", payload, retained)
        except Verdict:
            return None


def person(number: object) -> Identity:
    return Identity(secret("person", number))


def offer(who: Identity, n: int = 1, name: str = "Udon", begun: bool = False) -> bytes:
    salt = secret("salt", who.key)
    return signed_message(who, Offer(table_id(who.key, salt), who.key, salt, n, TERMS, b"", name, 1, begun))


@pytest.mark.parametrize(("letters", "several"), [(1, True), (25, False), (26, False)])
async def test_a_beginning_that_several_tables_have_leads_to_none_of_them(letters: int, several: bool) -> None:
    broker = MemoryBroker()
    broker.connect("hosts", None, 0.0)

    def offered(who: Identity) -> str:
        envelope = offer(who)
        broker.publish("hosts", Publication(f"wsb1/main/lobby/{key_text(who.key)}", envelope, 0, True), 0.0)
        return open_as(Offer, who.key, envelope)[1].table

    tables = [offered(person(number)) for number in range(40)]
    wanted = next(table for table in tables if sum(one[0] == table[0] for one in tables) > 1)
    home = Machine(Path(), secret("reader"), "Koi", rules_for, lambda _address: MemoryTransport(broker, "reader"))
    lobby = LobbyClient(home, ADDRESS)
    with pytest.raises(SeveralTables) if several else nullcontext():
        assert await lobby.find(wanted[:letters], PATIENCE) == wanted
    await lobby.close()


def test_an_offer_leads_to_its_table_and_its_host() -> None:
    reader, host = Reader(), person(1)
    assert reader.hear("lobby", host, offer(host)) == "list"
    (listed,) = reader.lobby.offers()
    invite = read_invite(listed.invite)
    assert invite.names_host(host.key)
    assert (invite.table, invite.carriers[0].hosts, invite.realm) == (listed.table, (("127.0.0.1", 1883),), "main")
    assert (listed.host, listed.edition, listed.seats, listed.taken, listed.fresh) == ("Udon", "classic", 2, 1, True)


def test_a_retained_offer_is_grey_until_it_is_renewed() -> None:
    reader, host = Reader(), person(1)
    reader.hear("lobby", host, offer(host), retained=True)
    assert [one.fresh for one in reader.lobby.offers()] == [False]
    reader.hear("lobby", host, offer(host, 2, begun=True))
    assert [(one.fresh, one.begun) for one in reader.lobby.offers()] == [(True, True)]


def test_an_offer_that_is_not_renewed_is_gone_after_90_seconds() -> None:
    reader, host = Reader(), person(1)
    reader.hear("lobby", host, offer(host))
    reader.now += 89
    reader.hear("lobby", host, offer(host))
    assert len(reader.lobby.offers()) == 1
    reader.now += 1
    assert reader.lobby.offers() == []


def test_only_a_signed_word_closes_an_offer() -> None:
    reader, host, other = Reader(), person(1), person(2)
    reader.hear("lobby", host, offer(host))
    table = reader.lobby.offers()[0].table
    reader.hear("lobby", host, b"")
    reader.hear("lobby", host, signed_message(other, Closed(table, other.key, 9)))
    assert len(reader.lobby.offers()) == 1
    assert reader.hear("lobby", host, signed_message(host, Closed(table, host.key, 2))) == "list"
    assert reader.lobby.offers() == []


def test_a_thousand_offers_cost_few_checks_a_second_and_500_places(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[int] = []
    real = open_envelope

    def counting(key: bytes, envelope: bytes) -> Signed:
        checks.append(1)
        return real(key, envelope)

    monkeypatch.setattr(listing, "open_envelope", counting)
    reader = Reader()
    offers = [(host := person(number), offer(host)) for number in range(1000)]
    for second in range(1, 6):
        for host, payload in offers:
            reader.hear("lobby", host, payload)
        assert len(checks) <= 2 * listing.MAX_CHECKS_A_SECOND * second
        assert len(reader.lobby.offers()) <= min(listing.MAX_CHECKS_A_SECOND * second, 500)
        reader.now += 1
    assert len(reader.lobby.offers()) <= 500


@pytest.mark.parametrize(
    "name", ["[bold red]x[/]", "\x1b[31mred\x1b[0m", "a\u202eb", "z\u200bw", "two\nlines", "\u0301" * 30, "x" * 64]
)
def test_no_name_can_do_harm(name: str) -> None:
    reader, host = Reader(), person(1)
    reader.hear("lobby", host, offer(host, name=name))
    reader.hear("who", person(2), birth(person(2), name))
    names = [one.host for one in reader.lobby.offers()]
    assert len(names) == len(reader.lobby.people) == 1
    for shown in (*names, *reader.lobby.people):
        assert shown
        assert len(shown) <= 24
        assert shown.isprintable()


@pytest.mark.parametrize("payload", [b"\x00" * 100, b"x" * 65_000, b"\xff" * 64, b""])
def test_garbage_changes_nothing(payload: bytes) -> None:
    reader = Reader()
    for kind in ("lobby", "who", "say"):
        assert reader.hear(kind, person(1), payload) is None
    assert reader.lobby.offers() == []


def test_an_offer_under_anothers_name_changes_nothing() -> None:
    reader, host, thief = Reader(), person(1), person(2)
    assert reader.hear("lobby", thief, offer(host)) is None
    assert reader.lobby.offers() == []


def birth(guest: Identity, name: str = "Bo", nonce: str = "now") -> bytes:
    return signed_message(guest, Birth(guest.key, secret(nonce)[:16], name))


def test_somebody_is_present_by_name_until_their_own_goodbye() -> None:
    reader, guest = Reader(), person(1)
    assert reader.hear("who", guest, birth(guest)) == "people"
    assert reader.lobby.people == ("Bo",)
    reader.hear("who", guest, signed_message(guest, Off(guest.key, secret("before")[:16])))
    assert reader.lobby.people == ("Bo",)
    reader.hear("who", guest, signed_message(guest, Off(guest.key, secret("now")[:16])))
    assert not reader.lobby.people


def test_whoever_has_no_name_is_known_by_the_key_and_a_new_name_counts_from_now_on() -> None:
    reader, guest = Reader(), person(1)
    reader.hear("who", guest, birth(guest, ""))
    assert reader.lobby.people == (fingerprint(guest.key)[:9],)
    assert reader.hear("who", guest, birth(guest, "Chiara", "later")) == "people"
    assert reader.lobby.people == ("Chiara",)


def test_nobody_gives_another_a_name() -> None:
    reader, guest, thief = Reader(), person(1), person(2)
    assert reader.hear("who", guest, birth(thief)) is None
    assert reader.hear("who", guest, signed_message(thief, Birth(guest.key, bytes(16), "Mallory"))) is None
    assert reader.lobby.people == ()


def test_who_talks_has_a_name_and_enough_of_the_key_that_nobody_passes_for_them() -> None:
    reader, guest, thief = Reader(), person(1), person(2)
    for one in (guest, thief):
        reader.hear("who", one, birth(one, "Bo"))
    lines = [reader.hear("say", one, signed_message(one, Say("", one.key, 1, "hello"))) for one in (guest, thief)]
    assert lines == [Spoken(f"Bo ({fingerprint(one.key)[:9]})", "hello") for one in (guest, thief)]


def test_talk_is_one_harmless_line_and_not_too_much_of_it() -> None:
    reader, guest = Reader(), person(1)
    heard = [
        reader.hear("say", guest, signed_message(guest, Say("", guest.key, n, "[b]hi\u202e\n there")))
        for n in range(20)
    ]
    lines = [line for line in heard if line is not None]
    assert len(lines) == 5
    assert all(isinstance(line, Spoken) and line.text == "[b]hi there" for line in lines)
    assert reader.hear("say", guest, signed_message(guest, Say("", guest.key, 3, "again"))) is None
