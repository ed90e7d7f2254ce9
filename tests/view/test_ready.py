"""Who is ready in the waiting room, and who shuffles."""

from __future__ import annotations

from wasabi_tx.table.game import Progress
from wasabi_tx.table.online import news
from wasabi_tx.text import Texts
from wasabi_tx.view.waiting_room import WaitingRoom

ONE, TWO = bytes([1]) * 32, bytes([2]) * 32


def test_a_seat_is_ready_once_it_signed_the_game_that_is_proposed() -> None:
    room = WaitingRoom(ONE, Texts("en"), str)
    for event in (news.Joined(ONE, "Koi", b""), news.Joined(TWO, "Nori", b""), news.Proposed((ONE, TWO))):
        room.take(event)
    assert [guest.ready for guest in room.seated] == [False, False]
    room.take(news.Accepted(TWO))
    assert [guest.ready for guest in room.seated] == [False, True]
    assert room.said[-1] == "Nori is ready"
    room.take(news.Proposed((ONE, TWO)))
    assert not any(guest.ready for guest in room.seated), "another game has to be signed anew"


def test_the_progress_names_who_shuffles() -> None:
    room = WaitingRoom(ONE, Texts("en"), str)
    room.take(Progress("shuffle", 1, 3, "Nori"))
    assert room.progress_words == "Nori is shuffling the cards, 2 of 3; each shuffle is proved"
