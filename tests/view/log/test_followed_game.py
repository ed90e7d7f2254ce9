"""Following a game: what changes the log, what cuts it, and what a local game cannot do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from tests.tui.memory_games import MemoryGames, choose, play_until, seats
from wasabi_tx.engine.errors import Illegal
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.sealed_card import Card
from wasabi_tx.games.game import Can, Change, Ended, Game, Link, Rewound, Said
from wasabi_tx.games.transcript import Move
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.turn.followed_game import FollowedGame, score_race
from wasabi_tx.view.sentences import say_error


@dataclass(frozen=True)
class Seen:
    """A past game, and how much of it was seen."""

    start: Position
    moves: tuple[Move, ...]
    known: int
    faces: Mapping[Card, int] = field(default_factory=dict)


async def followed(turn: int, edition: str = "classic", people: int = 1) -> FollowedGame:
    """Return a followed game of three, up to a turn of its first seat."""
    game = MemoryGames().open(edition, seats(people, 3 - people), "sitting").game
    sitting = FollowedGame(game, Texts("en"))
    play_until(game, turn)
    async for event in game.events():
        sitting.handle(event)
        if game.position is sitting.frames[-1].position:
            break
    return sitting


@pytest.mark.parametrize("edition", ["classic", "master"])
async def test_every_move_is_a_frame_whose_position_follows_from_the_one_before(edition: str) -> None:
    sitting = await followed(4, edition)
    assert sitting.frames[-1].position is sitting.game.position
    assert len(sitting.frames) > 12
    assert {entry.turn for entry in sitting.chronicle.entries} == set(range(sitting.game.position.turn))
    assert list(sitting.race) == score_race(sitting.frames)


async def test_talk_and_connection_change_neither_log_nor_frames() -> None:
    sitting = await followed(2)
    frames, entries = list(sitting.frames), list(sitting.chronicle.entries)
    for event in (Said(0, "Ana", "hello"), Link(False, "gone")):
        assert not isinstance(event, Change)
        sitting.handle(event)
    assert (sitting.frames, sitting.chronicle.entries) == (frames, entries)


async def test_a_vote_that_cuts_moves_away_takes_them_out_of_the_log() -> None:
    sitting = await followed(3)
    kept = sitting.frames[:8]
    words = [entry for frame in kept if (entry := frame.entry)]
    sitting.handle(Rewound(kept[-1].position))
    assert sitting.frames == kept
    assert list(sitting.race) == score_race(kept)
    assert sum((entry.phrases for entry in sitting.chronicle.entries), ()) == sum((e.phrases for e in words), ())
    mine = [number for number, entry in enumerate(sitting.chronicle.entries) if entry.seat == 0]
    assert sitting.since == sitting.chronicle.entries[mine[-1] + 1 :]


async def test_who_was_away_is_told_of_all_that_they_missed_until_they_have_moved() -> None:
    """Include their own turns, which somebody else played for them."""
    sitting = await followed(4)
    game, moves = sitting.game, tuple(sitting.record.moves)
    own = [number for number, move in enumerate(moves) if move.seat == 0]
    known = own[-2] - 1
    past = Seen(sitting.frames[0].position, moves, known)
    back = FollowedGame(game, Texts("en"), past)
    assert {entry.seat for entry in back.since} == {0, 1, 2}
    assert back.frames_since[0].position == moves[known].before
    there = FollowedGame(game, Texts("en"), replace(past, known=len(moves)))
    assert {entry.seat for entry in there.since} <= {1, 2}
    assert len(there.frames_since) < len(back.frames_since)


async def test_a_vote_that_cuts_back_to_before_the_log_begins_it_anew() -> None:
    sitting = await followed(2)
    other = await followed(3)
    sitting.handle(Rewound(other.game.position))
    assert [frame.position for frame in sitting.frames] == [other.game.position]
    assert sitting.chronicle.entries == []


async def test_what_is_not_sent_has_not_happened() -> None:
    sitting = await followed(4)
    sitting.renew_plan()
    before, plan = sitting.view(), sitting.plan
    assert plan is not None
    for step in choose(plan.draft.base, "unsent").steps:
        plan.draft.add(step)
    assert plan.draft.complete
    after = sitting.view()
    assert plan.draft.position.turn > before.turn
    assert (after.turn, after.mover, after.your_turn) == (before.turn, before.mover, True)
    assert [seat.to_move for seat in after.seats] == [seat.you for seat in after.seats]


@pytest.mark.parametrize("edition", ["classic", "master"])
async def test_a_view_that_is_shown_again_is_what_a_fresh_one_would_be(edition: str) -> None:
    sitting, fresh = await followed(5, edition), await followed(5, edition)
    random, undone = Random("again"), 0
    for number in range(60):
        if number % 20 == 19:
            for one in (sitting, fresh):
                one.handle(Rewound(one.frames[-4].position))
        for one in (sitting, fresh):
            if one.plan is None:
                one.renew_plan()
        plan, other = sitting.plan, fresh.plan
        assert plan is not None
        assert other is not None
        legal = plan.draft.legal()
        if legal and random.random() < 0.6:
            step = random.choice(legal)
            assert plan.add(step) == other.add(step)
        else:
            undone += bool(plan.draft.steps)
            plan.back()
            other.back()
        fresh._views.clear()
        assert sitting.view() == fresh.view()
    assert undone > 5


async def test_a_local_game_says_what_it_cannot_do() -> None:
    game: Game = MemoryGames().open("classic", seats(1, 1), "cannot").game
    assert game.can == Can.PLAY | Can.HINT
    assert (game.people, game.viewer, game.title) == ((0,), 0, "")
    for wish in (game.send_talk("x"), game.vote(1, True), game.rematch(), game.confirm_run()):
        with pytest.raises(Illegal) as caught:
            await wish
        for language in LANGUAGES:
            assert say_error(Texts(language), caught.value).endswith(".")


async def test_the_end_is_no_move() -> None:
    sitting = await followed(999)
    frames = len(sitting.frames)
    outcome = sitting.game.position.outcome
    assert outcome is not None
    sitting.handle(Ended(outcome))
    assert len(sitting.frames) == frames
    assert sitting.over


async def test_the_face_of_a_drawn_card_is_shown_as_soon_as_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = await followed(3)
    sitting.plan = None
    known = sitting.observation
    (card, *_) = known.faces
    sealed = replace(known, faces={one: face for one, face in known.faces.items() if one != card})
    now = [sealed]
    monkeypatch.setattr(sitting.game, "seen_by", lambda _seat: now[0])
    before = sitting.view()
    assert sitting.view() is before
    now[0] = known
    assert known.position is sealed.position
    assert sitting.view().recipes != before.recipes


@pytest.mark.parametrize("edition", ["classic", "master"])
async def test_what_is_held_keeps_its_number_from_turn_to_turn(edition: str) -> None:
    """Check that kept things keep their numbers; new ones fill the gaps."""
    games = MemoryGames()
    opened = games.open(edition, seats(1, 1), "slots")
    followed = FollowedGame(opened.game, Texts("en"))
    before: dict[str, dict[int, object]] = {}
    turns = 0

    async def play() -> None:
        """Look at the hand and send one, if it is our turn."""
        nonlocal before, turns
        followed.renew_plan()
        if followed.plan is None:
            return
        view = followed.view()
        now: dict[str, dict[int, object]] = {
            "tiles": {one.key: one.code for one in view.tiles},
            "cards": {one.key: one.code for one in view.cards},
            "recipes": {one.key: one.card for one in view.recipes},
        }
        for kind, held in before.items():
            left = Counter(now[kind].values())
            for key, item in held.items():
                if left[item]:
                    left[item] -= 1
                    assert now[kind].get(key) == item, (kind, held, now[kind])
        before = now
        turns += 1
        await opened.game.submit(choose(followed.plan.draft.base, str(turns)))

    await play()
    async for event in opened.game.events():
        followed.handle(event)
        if turns > 30 or isinstance(event, Ended):
            break
        if event_is_newest(followed):
            await play()
    assert turns > 15
    await opened.game.close()


def event_is_newest(followed: FollowedGame) -> bool:
    """Return whether nothing has happened after the last event."""
    return followed.game.position is followed.frames[-1].position
