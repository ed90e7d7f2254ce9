"""`verify` on changed files: each change is found, wherever in the file it is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wasabi_protocol.game.record import read_record, write_record
from wasabi_protocol.signed.envelope import Item

from tests.online.small import small_rules
from tests.online.world import World
from wasabi_tx.online.replayed import finished_online, transcript_of
from wasabi_tx.online.result import CheckedFile, check_record
from wasabi_tx.view.record import with_winners

PLACES = 8
"""Number of places in a file that are tried, besides its first and its last ones."""


@cache
def game(seed: str, voted: bool = False) -> tuple[Item, ...]:
    """Return the file of a whole game, from which one seat is voted out if `voted`."""
    world = World(3 if voted else 2, "classic", seed, patience=20.0)
    if voted:
        world.in_play()
        world.kill("p2")
    world.run()
    person = world.people["p0"]
    person.game.ledger.flush()
    return tuple(read_record(person.disk.record)[0])


def check(*items: Item) -> CheckedFile:
    return check_record(write_record(items), small_rules)


def places(items: tuple[Item, ...]) -> list[int]:
    """Return places after genesis and start, including the last ones."""
    step = max(1, (len(items) - 2) // PLACES)
    return sorted(
        {2, 3, *range(2, len(items) - 1, step), len(items) - 4, len(items) - 3, len(items) - 2, len(items) - 1}
    )


def test_a_whole_file_holds() -> None:
    for voted in (False, True):
        items = game("whole", voted)
        checked = check(*items)
        assert checked.fault is None
        assert checked.result is not None
        assert checked.result.settled
        assert len(checked.signers) == (3 if voted else 2)


def test_a_file_without_one_of_its_entries_is_never_whole() -> None:
    """Remove each entry: if no later one needs it, the game is unsettled; otherwise there is a gap."""
    items = game("whole")
    codes = []
    for at in places(items):
        checked = check(*items[:at], *items[at + 1 :])
        assert checked.result is not None
        assert not checked.result.settled
        codes.append(None if checked.fault is None else checked.fault.code)
    assert set(codes[:-2]) == {"gap"}
    assert set(codes) <= {"gap", None}


def test_a_message_that_is_there_twice_is_named() -> None:
    items = game("whole")
    for at in places(items):
        for again in ((*items[:at], items[at], *items[at:]), (*items, items[at])):
            fault = check(*again).fault
            assert fault is not None
            assert fault.code == "doubled"
            assert fault.entry == (at + 2 if again[-1] == items[-1] and len(again) > at + 2 else len(again))


def test_a_file_that_is_cut_is_named() -> None:
    items = game("whole")
    data = write_record(items)
    for cut in (1, 10, len(items[-1][1]), len(items[-1][1]) + 20):
        fault = check_record(data[:-cut], small_rules).fault
        assert fault is not None
        assert fault.code == "torn"


def test_an_entry_of_another_game_is_named() -> None:
    items, other = game("whole"), game("another")
    for at in places(items):
        fault = check(*items[:at], other[min(at, len(other) - 1)], *items[at:]).fault
        assert fault is not None
        assert (fault.entry, fault.code) == (at + 1, "wrong-game")


def test_a_changed_bit_is_named() -> None:
    items = game("whole")
    for at in places(items):
        key, envelope = items[at]
        fault = check(*items[:at], (key, envelope[:-1] + bytes([envelope[-1] ^ 1])), *items[at + 1 :]).fault
        assert fault is not None
        assert (fault.entry, fault.code) == (at + 1, "bad-signature")


def test_a_record_reads_from_a_file_what_the_whole_game_says(tmp_path: Path) -> None:
    items = game("whole")
    path = tmp_path / "game.wasabi"
    path.write_bytes(write_record(items))
    checked = check(*items)
    assert checked.session is not None
    transcript = transcript_of(checked.session)
    assert transcript is not None
    assert transcript.last.outcome is not None
    found = finished_online(path, None)
    assert found is not None
    assert found.you is None
    recipes, ended = transcript.rules.edition.recipes, transcript.last
    expected = {
        player.name: (score, [recipes[one.recipe].id for one in seat.claimed])
        for player, seat, score in zip(transcript.players, ended.seats, transcript.last.outcome.scores, strict=True)
    }
    assert {seat.name: (seat.score, [one.recipe for one in seat.cooked]) for seat in found.seats} == expected
    winners = {transcript.players[seat].name for seat in transcript.last.outcome.winners}
    assert {seat.name for seat in with_winners(found, transcript.rules.edition).seats if seat.winner} == winners
    path.write_bytes(write_record(items[:-6]))
    assert finished_online(path, None) is None, "not over yet"
