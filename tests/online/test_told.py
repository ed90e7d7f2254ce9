"""Events for a screen: whenever its seat may move, and each card that arrives."""

from __future__ import annotations

import pytest
from wasabi_protocol.sealed.state import Card

from tests.net.memory import Faults
from wasabi_tx.games import game

from .world import Person, World

WAKES = game.Change | game.CardsArrived | game.Ready | game.Rewound
"""Events after which a screen checks whether its person may move."""


class ToldWorld(World):
    """Checks after every change that a screen which only follows events would know of it."""

    def __init__(self, **settings: object) -> None:
        self.may_move: dict[int, bool] = {}
        self.read: dict[int, frozenset[Card]] = {}
        self.arrivals = self.readies = 0
        super().__init__(**settings)  # type: ignore[arg-type]

    def _settle(self, person: Person) -> None:
        known = len(person.events)
        super()._settle(person)
        told = person.events[known:]
        playing = person.client.playing
        if playing is None or playing.sealed is None:
            return
        run = id(person.client)
        before, now = self.may_move.get(run, False), playing.may_move
        self.may_move[run] = now
        resumed = run not in self.read and playing.restored > 0
        if now and not before and not resumed:
            assert any(isinstance(event, WAKES) for event in told), person.name
        # A card that we put back keeps its sealed name, and so its face, when we draw it again.
        read = frozenset(playing._hand)
        if run in self.read and read != self.read[run]:
            arrived = [event for event in told if isinstance(event, game.CardsArrived)]
            assert any(playing.seat in event.seats for event in arrived), person.name
            self.arrivals += 1
        self.read[run] = read
        self.readies += sum(isinstance(event, game.Ready) for event in told)


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_a_screen_is_told_of_each_card_and_each_turn(edition: str) -> None:
    world = ToldWorld(seats=2, edition=edition, seed="told")
    world.run()
    world.finished()
    assert world.arrivals > 3


def test_a_screen_is_told_also_where_words_are_lost_repeated_and_late() -> None:
    world = ToldWorld(seats=2, seed="told badly", faults=Faults(drop=0.1, duplicate=0.1, delay=(0.0, 1.0)))
    world.run(3600)
    world.finished()
    assert world.arrivals > 3


def test_somebody_who_comes_back_is_told_when_their_seat_may_move_again() -> None:
    world = ToldWorld(seats=2, seed="told later")
    world.in_play()
    mover = world.mover()
    world.kill(mover.name)
    world.wait(5)
    back = world.revive(mover.name)
    back.asleep = True
    assert not back.game.may_move, "the others may know more"
    world.until(lambda: back.game.may_move, 60)
    assert back.told(game.Ready)
    world.wake()
    world.run()
    world.finished()


def test_the_end_is_told_once_and_last_of_all_changes() -> None:
    world = ToldWorld(seats=2, seed="told once", watchers=1)
    world.run()
    for person in world.people.values():
        ends = [number for number, event in enumerate(person.events) if isinstance(event, game.Ended)]
        changes = [number for number, event in enumerate(person.events) if isinstance(event, game.Change)]
        assert len(ends) == 1
        assert ends[0] > max(changes)


def test_a_screen_is_told_when_cards_are_sealed_anew_without_somebody() -> None:
    world = ToldWorld(seats=3, seed="told again", patience=30.0)
    world.in_play()
    world.kill("p2")
    world.until(lambda: all(person.told(game.Excluded) for person in world.people.values()))
    world.run()
    world.finished()


def test_somebody_whose_clock_was_ahead_is_heard_again_when_it_is_right() -> None:
    world = World.begun(bots=False)
    one, other = world.people.values()
    one.client.send_talk("from the future", 2_000_000_000.0)
    world.wait(1)
    world.kill(one.name)
    world.wait(1)
    one = world.revive(one.name)
    world.wait(3)
    one.client.send_talk("from today", 1_700_000_000.0)
    world.wait(1)
    assert [event.text for event in other.told(game.Said)] == ["from the future", "from today"]
