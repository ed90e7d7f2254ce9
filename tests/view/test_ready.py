"""Readiness in the waiting room, and who shuffles."""

from __future__ import annotations

from wasabi_tx.games.game import SetupProgress
from wasabi_tx.online.client import events as table_events
from wasabi_tx.text import Texts
from wasabi_tx.view.online.waiting_room import WaitingRoomView

ONE, TWO = bytes([1]) * 32, bytes([2]) * 32


def test_a_seat_is_ready_once_it_signed_the_game_that_is_proposed() -> None:
    room = WaitingRoomView(ONE, Texts("en"), str)
    for event in (
        table_events.Joined(ONE, "Koi", b""),
        table_events.Joined(TWO, "Udon", b""),
        table_events.Proposed((ONE, TWO)),
    ):
        room.handle(event)
    assert [guest.ready for guest in room.seated] == [False, False]
    room.handle(table_events.Accepted(TWO))
    assert [guest.ready for guest in room.seated] == [False, True]
    assert room.said[-1] == "Udon is ready"
    room.handle(table_events.Proposed((ONE, TWO)))
    assert not any(guest.ready for guest in room.seated), "another game has to be signed anew"


def test_the_progress_names_who_shuffles() -> None:
    room = WaitingRoomView(ONE, Texts("en"), str)
    room.handle(SetupProgress("shuffle", 1, 3, "Udon"))
    assert room.progress_words == "Udon is shuffling the cards, 2 of 3; each shuffle is proved"
