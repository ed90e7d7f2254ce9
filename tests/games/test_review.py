"""A review: the same for everybody, blind to what its player could not know, and fair to luck."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from statistics import fmean

import pytest

from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.sealed_card import deck_of
from wasabi_tx.games.arena import play_out
from wasabi_tx.games.local import seeded_shuffle
from wasabi_tx.games.review import CannotReview, lucky_draws, review_turns, turns_of
from wasabi_tx.games.transcript import Transcript, read_transcript

EDITIONS = pytest.mark.parametrize("edition", ["classic", "master"])
FEW = 6
"""Number of worlds: enough to see that it works."""


@cache
def played(edition: str, bots: tuple[str, ...] = ("random", "normal"), seed: str = "review") -> Transcript:
    text = play_out(rules_for(edition, len(bots)), bots, seed, 0, record=True).transcript
    return read_transcript(text, rules_for)


def early(transcript: Transcript, turns: int) -> Transcript:
    """Return the game as if it had ended there."""
    return replace(transcript, moves=tuple(move for move in transcript.moves if move.before.turn <= turns))


@EDITIONS
def test_an_imagined_world_agrees_with_all_that_is_known(edition: str) -> None:
    transcript = played(edition)
    rules = transcript.rules
    for move in turns_of(transcript.record, 0):
        known = observe(rules, move.before, 0, transcript.faces).faces
        worlds = [Dealer.imagined(rules, move.before, known, seeded_shuffle(str(n))).faces for n in range(2)]
        hidden = [card for seat in move.before.seats[1:] for card in seat.recipes]
        hidden += [card for deck in rules.deck_numbers for card in move.before.decks[deck]]
        for faces in worlds:
            assert faces.keys() == known.keys() | set(hidden)
            assert all(faces[card] == face for card, face in known.items())
            for deck in rules.deck_numbers:
                here = [faces[card] for card in hidden if deck_of(card) == deck]
                truth = [transcript.faces[card] for card in hidden if deck_of(card) == deck]
                assert sorted(here) == sorted(truth), "the same cards, in another order"


@EDITIONS
def test_everybody_computes_the_same_review_and_better_turns_are_legal(edition: str) -> None:
    transcript = early(played(edition), 5)
    first, second = (list(review_turns(transcript.record, 0, FEW)) for _ in range(2))
    assert first == second
    assert len(first) == len(turns_of(transcript.record, 0)) > 1
    for turn in first:
        assert bool(turn.better) == (turn.lost > turn.doubt >= 0)
        position = turn.move.before
        for step in turn.better:
            assert step in list(transcript.rules.legal(position, transcript.faces))
            position = transcript.rules.apply(position, step)


@pytest.mark.long
@EDITIONS
def test_whoever_plays_at_random_gives_away_much_more_than_a_good_player(edition: str) -> None:
    bad, good = (early(played(edition, (bot, "normal")), 8) for bot in ("random", "hard"))
    assert sum(turn.lost for turn in review_turns(bad.record, 0, FEW)) > 3
    assert [turn.lost for turn in review_turns(good.record, 0, FEW)] == [0.0] * len(turns_of(good.record, 0))


def test_a_review_knows_nothing_that_its_player_could_not_know() -> None:
    transcript = early(played("classic"), 6)
    mine = {card for move in transcript.moves for card in move.before.seats[0].recipes}
    mine |= set(transcript.last.seats[0].recipes)
    blind = replace(transcript, faces={card: transcript.faces[card] for card in mine})
    assert list(review_turns(blind.record, 0, FEW)) == list(review_turns(transcript.record, 0, FEW))
    with pytest.raises(CannotReview):
        list(review_turns(blind.record, 1, FEW))


@EDITIONS
def test_luck_is_what_a_draw_was_worth_beside_the_average_one(edition: str) -> None:
    """Check that over all recipes that could have been drawn, a draw's luck adds up to zero."""
    transcript = played(edition)
    draw = next(one for one in lucky_draws(transcript.record, 1) if one.move.before.turn > 3)
    (card,) = set(draw.move.after.seats[1].recipes) - set(draw.move.before.seats[1].recipes)
    known = {one: transcript.faces[one] for one in draw.move.after.seats[1].recipes if one != card}
    luck = []
    for face in transcript.rules.unseen(draw.move.after, deck_of(card), known):
        other = replace(transcript, moves=(draw.move,), faces=transcript.faces | {card: face})
        luck += [one.luck for one in lucky_draws(other.record, 1)]
    assert draw.luck in luck
    assert max(luck) > 0
    assert abs(fmean(luck)) < 1e-9
