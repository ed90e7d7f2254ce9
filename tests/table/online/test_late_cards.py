"""Late cards: play goes on while a recipe is on its way, and it is there when its holder is to move again."""

from __future__ import annotations

import pytest

from wasabi_tx.net.memory import Faults
from wasabi_tx.table import game
from wasabi_tx.table.online.replayed import transcript_of
from wasabi_tx.table.online.terms import LATE_SHARES, QUICK_START

from .test_told import ToldWorld
from .world import Person

EDITIONS = ("classic", "master")


class LateWorld(ToldWorld):
    """Checks at each move which of the own recipes are known; that each card is told of is checked as everywhere."""

    def __init__(self, **settings: object) -> None:
        self.unknown = 0
        """How often somebody moved while one of their recipes was on its way."""
        self._turns: dict[str, int] = {}
        super().__init__(options=(LATE_SHARES, QUICK_START), **settings)

    def move(self, person: Person) -> None:
        playing = person.client.playing
        if playing is None or playing.sealed is None or not playing.may_move or person.asleep:
            return
        view = playing.observation()
        assert view.seat is not None
        turn = view.position.turn
        if view.position.seats[view.seat].recipes and view.faces.keys() != {*view.position.seats[view.seat].recipes}:
            self.unknown += 1
            assert not turn or self._turns.get(person.name) == turn, "they begin a turn without a card of theirs"
        self._turns[person.name] = turn
        super().move(person)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [2, 3])
def test_a_whole_game_is_played_with_cards_on_their_way(edition: str, seats: int) -> None:
    world = LateWorld(seats=seats, edition=edition, seed="late")
    world.run()
    world.finished()
    assert world.arrivals > 3
    assert world.unknown or edition == "master", "turned-up cards bring the others, too"


def test_cards_are_late_also_where_words_are_lost_repeated_and_delayed() -> None:
    world = LateWorld(seats=2, seed="late badly", faults=Faults(drop=0.1, duplicate=0.1, delay=(0.0, 1.0)))
    world.run(3600)
    world.finished()


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_card_that_was_on_its_way_comes_though_somebody_is_voted_out(edition: str) -> None:
    world = LateWorld(seats=3, edition=edition, seed="late and out", patience=30.0)
    world.in_play()
    world.kill("p2")
    world.until(lambda: all(person.told(game.Excluded) for person in world.people.values()))
    world.run()
    world.finished()


def test_the_drawer_may_close_while_the_other_moves_and_finds_the_card() -> None:
    world = LateWorld(seats=2, seed="late and closed")
    world.until(lambda: all(person.game_or_none is not None for person in world.people.values()), 60)
    drawer = world.people["p0"]

    def waits() -> bool:
        playing = drawer.game
        pending = playing.session.state.decks.pending
        return playing.me is not None and any(one.seat == playing.me.player.seat for one in pending)

    world.until(lambda: drawer.game.sealed is not None and drawer.game.sealed.position.turn > 1 and waits())
    turn = drawer.game.observation().position.turn
    world.kill("p0")
    other = world.people["p1"]
    world.until(lambda: other.game.observation().position.turn > turn, 60)
    back = world.revive("p0")
    back.asleep = True
    world.until(lambda: back.game.may_move, 60)
    view = back.game.observation()
    assert view.seat is not None
    assert view.faces.keys() == {*view.position.seats[view.seat].recipes}
    world.wake()
    world.run()
    world.finished()


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_file_of_such_a_game_is_replayed_with_every_face(edition: str) -> None:
    world = LateWorld(seats=2, edition=edition, seed="late file")
    world.in_play(14)
    early = transcript_of(world.record("p0").session)
    assert early is not None
    assert early.moves, "also before all of its cards have come"
    world.run()
    found = transcript_of(world.record("p1").session)
    assert found is not None
    assert found.last.outcome is not None
    held = {card for move in found.moves for seat in move.after.seats for card in seat.recipes}
    assert held
    assert {card for seat in found.last.seats for card in seat.recipes} <= found.faces.keys()
