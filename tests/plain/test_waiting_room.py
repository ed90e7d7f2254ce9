"""The waiting room, line by line."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from wasabi_protocol.signed.messages import Offer

from tests.protocol.sessions import terms
from wasabi_tx.cli.running import trouble_teller
from wasabi_tx.online.client import events as table_events
from wasabi_tx.online.client.talk import fingerprint
from wasabi_tx.online.terms import HINTS, QUICK_START
from wasabi_tx.plain.console import Console
from wasabi_tx.plain.waiting_room import PlainWaitingRoom
from wasabi_tx.text import Texts

ME, BOT, BO, EVE = (bytes([number]) * 32 for number in range(4))
OFFER = Offer("a" * 26, BO, BO, 1, terms(), b"", "Bo", 1, False)


def test_a_host_is_asked_about_guests_but_not_about_itself_and_its_own_bots() -> None:
    out, seated = io.StringIO(), list[bytes]()
    console = Console(io.StringIO("y\nn\n"), out)
    waiting = PlainWaitingRoom(console, Texts("en"), str, lambda key: key in (ME, BOT), seated.append)
    for key, name, runner in ((ME, "Nina", b""), (BOT, "Udon", ME), (BO, "Bo", b""), (EVE, "Eve", b"")):
        waiting.show_event(table_events.Joined(key, name, runner))
    assert seated == [ME, BOT, BO]
    assert out.getvalue().count("May they sit?") == 2


@pytest.mark.parametrize(("answers", "begun"), [("n\ny\n", 1), ("y\n", 1), ("n\nn\n", 0)])
def test_a_host_is_asked_whether_to_begin_as_soon_as_enough_seats_are_taken(answers: str, begun: int) -> None:
    out, begins = io.StringIO(), list[bool]()

    def begin() -> None:
        begins.append(True)
        waiting.show_event(table_events.GameBegun(("Nina", "Bo")))

    console = Console(io.StringIO(answers), out)
    waiting = PlainWaitingRoom(console, Texts("en"), str, lambda _: True, None, lambda _: None, begin)
    waiting.show_event(table_events.Offered(OFFER))
    for seated in ((ME,), (ME, BO), (ME, BO), (ME, BO, BOT), (ME, BO, BOT, EVE)):
        waiting.show_event(table_events.SeatsGiven(seated))
    assert len(begins) == begun
    asked = [Texts("en").say("room.begin-now", count=count) for count in (2, 3, 4)]
    assert [" ".join(out.getvalue().split()).count(one) for one in asked] == [1, int(answers[0] == "n"), 0]


def test_whoever_plays_online_is_told_that_nobody_has_audited_how_cards_are_sealed() -> None:
    out = io.StringIO()
    PlainWaitingRoom(Console(io.StringIO(), out), Texts("en"), str, lambda _: False).show_event(
        table_events.GameBegun(("Nina", "Bo"))
    )
    told = " ".join(out.getvalue().split())
    assert Texts("en").say("room.unaudited") in told
    assert "audited" in told


@pytest.mark.parametrize(
    ("names", "words"),
    [({"toy": "Toy edition"}, "Bo offers a table: Toy edition, 4 seats"), ({}, "Bo offers a table: toy, 4 seats")],
    ids=["known", "unknown"],
)
def test_an_offer_calls_its_edition_by_its_name_if_it_is_known_here(names: dict[str, str], words: str) -> None:
    out = io.StringIO()
    waiting = PlainWaitingRoom(
        Console(io.StringIO(), out), Texts("en"), lambda one: names.get(one, one), lambda _: False
    )
    waiting.show_event(table_events.Offered(OFFER))
    assert words in " ".join(out.getvalue().split())


def test_an_offer_is_told_with_all_its_terms() -> None:
    out = io.StringIO()
    offered = replace(terms(), least=4, clock=86_400, options=(HINTS, QUICK_START))
    waiting = PlainWaitingRoom(Console(io.StringIO(), out), Texts("en"), str, lambda _: False)
    waiting.show_event(table_events.Offered(replace(OFFER, terms=offered)))
    told = " ".join(out.getvalue().split())
    assert told.endswith(
        "starts when all 4 seats are taken; by correspondence, 24 hours a turn; starting tiles and first recipes are "
        "dealt; hints allowed"
    )


def test_an_offer_is_told_once_and_people_by_their_names() -> None:
    out = io.StringIO()
    waiting = PlainWaitingRoom(Console(io.StringIO(), out), Texts("en"), str, lambda _: False)
    for event in (
        table_events.Offered(OFFER),
        table_events.Joined(BO, "Bo", b""),
        table_events.Offered(OFFER),
        table_events.Admitted(BO),
        table_events.Joined(BO, "Bo", b""),
        table_events.Accepted(BO),
        table_events.Accepted(EVE),
    ):
        waiting.show_event(event)
    assert out.getvalue().splitlines() == [
        "Bo offers a table: toy, 4 seats",
        "starts with 4, or with 2 if the host wants; no clock",
        f"Bo is hosting; fingerprint {fingerprint(BO)}",
        "Bo has a seat",
        "Bo is ready",
        f"{fingerprint(EVE)[:9]} is ready",
    ]


def test_a_host_who_does_not_answer_is_told_line_by_line_and_without_a_screen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, silence = io.StringIO(), table_events.NoAnswer("no-table")
    PlainWaitingRoom(Console(io.StringIO(), out), Texts("en"), str, lambda _: False).show_event(silence)
    trouble_teller(Texts("en"))(silence)
    for told in (out.getvalue(), capsys.readouterr().err):
        assert "No such table answers on this broker." in " ".join(told.split())
