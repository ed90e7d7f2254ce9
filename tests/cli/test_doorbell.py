"""Strangers at the door of a kept table: their host is notified once for all of them."""

from __future__ import annotations

from wasabi_tx.app.doorbell import MOST, PAUSE, Doorbell
from wasabi_tx.text import Texts
from wasabi_tx.view.online.call import Call, say_call


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_the_first_guest_rings_and_those_who_come_soon_after_it_ring_together() -> None:
    door = Doorbell("abcdefgh")
    assert door.ring(0.0) is None
    door.came(key(1), "Bo")
    assert door.ring(0.0) == Call("guest", "abcdefgh", ("Bo",))
    for number in range(2, 42):
        door.came(key(number), f"guest {number}")
        assert door.ring(1.0) is None
    assert door.ring(PAUSE - 1) is None
    assert door.ring(PAUSE) == Call("guest", "abcdefgh", ("guest 41",), guests=41)
    assert door.ring(9 * PAUSE) is None, "nobody else came"


def test_who_has_gone_before_anybody_was_called_rings_no_more() -> None:
    door = Doorbell("abcdefgh")
    door.came(key(1), "Bo")
    door.gone(key(1))
    door.gone(key(2))
    assert door.ring(0.0) is None
    door.came(key(1), "Bo")
    door.came(key(2), "Chiara")
    door.gone(key(2))
    assert door.ring(0.0) == Call("guest", "abcdefgh", ("Bo",))


def test_what_a_screen_has_taken_over_rings_no_more_and_the_pause_stays() -> None:
    door = Doorbell("abcdefgh")
    door.came(key(1), "Bo")
    assert door.ring(0.0) is not None
    door.came(key(2), "Chiara")
    door.forget_guests()
    assert door.ring(PAUSE) is None
    door.came(key(1), "Bo")
    assert door.ring(PAUSE - 1) is None
    assert door.ring(PAUSE) == Call("guest", "abcdefgh", ("Bo",))


def test_a_crowd_is_counted_up_to_what_a_room_holds() -> None:
    door = Doorbell("abcdefgh")
    for number in range(1000):
        door.came(key(number), "Bo")
    call = door.ring(0.0)
    assert call is not None
    assert call.guests == MOST


def test_a_call_says_how_many_wait() -> None:
    one, many = Call("guest", "abcdefgh", ("Bo",)), Call("guest", "abcdefgh", ("Bo",), guests=3)
    assert say_call(one, Texts("en")) == "Bo asks for a seat at your table"
    assert say_call(many, Texts("en")) == "3 guests ask for a seat at your table"
