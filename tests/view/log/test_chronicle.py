"""The log, and the authors of changed squares."""

from __future__ import annotations

import pytest

from tests.transcripts import FOLDER
from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.position import NOBODY, Position
from wasabi_tx.engine.step import Bundle
from wasabi_tx.games.game import Excluded, Played, SeatLeft
from wasabi_tx.games.plans import Plans
from wasabi_tx.games.transcript import move_of, read_transcript
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import mark, unmarked
from wasabi_tx.view.log.chronicle import (
    Chronicle,
    TurnEntry,
    changed_squares,
    entry_sentence,
    entry_sentences,
    with_plans,
)
from wasabi_tx.view.log.phrases import Phrase

OPEN = "tiles Tu Av Ri | cards Ch Wa | recipes tekkamaki crunchy-tuna"


def play(chronicle: Chronicle, observation: Observation, position: Position, text: str) -> Position:
    rules = observation.rules
    bundle = Bundle(position.mover, rules.parse(text))
    after: Position = rules.apply_bundle(position, bundle)
    chronicle.add(move_of(Played(bundle, position, after), position))
    return after


def new(observation: Observation) -> Chronicle:
    return Chronicle(observation.rules, PLAYERS[: observation.rules.players], Texts("en"))


def test_one_turn_is_one_entry_however_many_bundles_it_had() -> None:
    observation = seen(mine="tiles Tu Av Ri | recipes tekkamaki")
    chronicle = new(observation)
    position = play(chronicle, observation, observation.position, "place Tu d3; done; tile Cu; draw 3")
    play(chronicle, observation, position, "draw 2")
    assert [chronicle.line(entry) for entry in chronicle.entries] == [
        "Ana put Tuna on d3, took Cucumber and drew recipes of 3 and 2 tiles."
    ]


def test_a_turn_is_one_entry_also_if_a_card_is_turned_up_in_the_middle_of_it() -> None:
    transcript = read_transcript((FOLDER / "master-4-greedy.txt").read_text(encoding="utf-8"), rules_for)
    chronicle = Chronicle(transcript.rules, transcript.players, Texts("en"))
    chronicle.follow(transcript)
    turns = [entry.turn for entry in chronicle.entries if entry.seat != NOBODY and entry.turn]
    assert turns == sorted(set(turns))
    assert len(turns) < sum(move.seat != NOBODY and move.before.turn > 0 for move in transcript.moves)


def test_shorter_sentences_leave_out_what_fills_a_hand_before_what_was_done_before_what_scores() -> None:
    observation = seen("b3=Te c3=Ma", mine="tiles Tu Av Ri | cards Ch | recipes tekkamaki crunchy-tuna")
    chronicle, rules = new(observation), observation.rules
    card = next(card for card, face in observation.faces.items() if rules.strips[face].tiles[2:])
    steps = f"place Tu d3; claim {card >> 8}.{card & 255} crunchy-tuna; done; take Sp; tile Cu; draw 3"
    play(chronicle, observation, observation.position, steps)
    won = "completed Crunchy Tuna with style: 3 points and 1 cube"
    told = list(entry_sentences(chronicle.entries[0], ["Ana", "Bo"], Texts("en")))
    assert [unmarked(one) for one in told] == [
        f"Ana put Tuna on d3, {won}, took Spicy!, took Cucumber and drew a recipe of 3 tiles.",
        f"Ana put Tuna on d3, {won}, took Spicy! and took Cucumber.",
        f"Ana put Tuna on d3, {won} and took Spicy!",
        f"Ana put Tuna on d3 and {won}.",
        f"Ana {won}.",
        "Ana completed Crunchy Tuna: +4.",
    ]
    assert told[0] == entry_sentence(chronicle.entries[0], ["Ana", "Bo"], Texts("en"))


def test_a_sentence_tells_all_of_a_kind_or_nothing() -> None:
    observation = seen(mine="tiles Tu Av Ri | recipes tekkamaki")
    chronicle = new(observation)
    position = play(chronicle, observation, observation.position, "place Tu d3; done; tile Cu; draw 3")
    play(chronicle, observation, position, "draw 2")
    told = [unmarked(one) for one in entry_sentences(chronicle.entries[0], ["Ana", "Bo"], Texts("en"))]
    assert {one.count("drew recipes of 3 and 2 tiles") for one in told} == {1, 0}
    assert not any("drew a recipe" in one for one in told)
    gifts = tuple(Phrase(f"gave {tile}", kind="give") for tile in ("Egg", "Tuna", "Eel"))
    only = list(entry_sentences(TurnEntry(0, 1, gifts), ["Ana", "Bo"], Texts("en")))
    assert [unmarked(one) for one in only] == [
        "Bo gave Egg, gave Tuna and gave Eel.",
        "Bo gave 3 tiles.",
    ]


def test_changes_are_known_to_all_others_until_their_own_turn_ends() -> None:
    observation = seen(mine=OPEN + " green-dragon", theirs="tiles Cu Cr Eg | recipes carrot-top")
    chronicle = new(observation)
    rules, position = observation.rules, observation.position
    position = play(chronicle, observation, position, "place Tu d3; wasabi a5; done; tile Cu")
    d3, a5 = rules.grid.parse_square("d3"), rules.grid.parse_square("a5")
    assert chronicle.authors(1)[d3] == 0
    assert set(rules.grid.blocks[a5]) <= set(chronicle.authors(1))
    assert chronicle.authors(0) == {}
    position = play(chronicle, observation, position, "place Cu e3; done; tile Da; draw 2")
    assert chronicle.authors(1)[d3] == 0
    play(chronicle, observation, position, "draw 2")
    assert chronicle.authors(1) == {}
    assert chronicle.authors(0) == {rules.grid.parse_square("e3"): 1}
    assert chronicle.authors(None) == {}


def test_a_square_that_is_only_uncovered_has_no_author() -> None:
    observation = seen("a1=Tu b1=Te", mine=OPEN, players=3)
    rules, bare = observation.rules, observation.position
    a1, b1, c1 = (rules.grid.parse_square(name) for name in ("a1", "b1", "c1"))
    chronicle = new(observation)

    def change(seat: int, before: Position, covered: tuple[int, ...], laid: int | None = None) -> Position:
        after = before.evolve()
        after.board = before.board.with_blocked(covered)
        if laid is not None:
            after.board = after.board.with_stack(laid, rules.edition.tile_numbers["Cu"])
        chronicle.add(move_of(Played(Bundle(seat, ()), before, after), before))
        return after

    now = change(1, bare, (), laid=c1)
    now = change(1, now, (a1, b1, c1))
    assert chronicle.authors(0) == {a1: 1, b1: 1, c1: 1}, "a card that covers them shows"
    change(2, now, ())
    assert chronicle.authors(0) == {c1: 1}, "the first two are as they were, the third was laid before"


def test_nothing_is_new_to_whoever_ends_a_turn_even_if_a_card_is_turned_up_last() -> None:
    transcript = read_transcript((FOLDER / "master-4-greedy.txt").read_text(encoding="utf-8"), rules_for)
    chronicle = Chronicle(transcript.rules, transcript.players, Texts("en"))
    mover, ended_by_dealer = NOBODY, 0
    for move in transcript.moves:
        chronicle.add(move)
        mover = mover if move.seat == NOBODY else move.seat
        if move.before.turn and move.after.turn != move.before.turn:
            assert chronicle.authors(mover) == {}
            ended_by_dealer += move.seat == NOBODY
    assert ended_by_dealer


def test_leaving_and_exclusion_are_in_the_log() -> None:
    observation = seen(players=3)
    chronicle = new(observation)
    step = observation.rules.parse("leave 2")[0]
    after = observation.rules.apply(observation.position, step)
    entry = chronicle.add(move_of(SeatLeft(1, after), observation.position))
    assert chronicle.line(entry) == "Bo left the game."
    last = observation.rules.apply(after, observation.rules.parse("exclude 3")[0])
    entry = chronicle.add(move_of(Excluded(2, (0,), last), after))
    assert chronicle.line(entry) == "Chiara was voted out."


def test_squares_change_by_tiles_and_by_covers() -> None:
    observation = seen("b3=Te c3=Te", mine=OPEN)
    rules, position = observation.rules, observation.position
    after = rules.apply(position, rules.parse("chop b3")[0])
    assert changed_squares(position, after) == [rules.grid.parse_square("b3")]
    assert changed_squares(position, position) == []


def test_a_tile_that_is_given_to_the_reader_is_given_to_you() -> None:
    entry = TurnEntry(0, 1, (Phrase(f"gave {mark('tile', 'Eel', 'Ee')} to {mark('who', 'Ana', '1')}"),))
    sentence = entry_sentence(entry, ["Ana", "Bo"], Texts("en"), you=0)
    assert unmarked(sentence) == "Bo gave Eel to you."
    assert unmarked(entry_sentence(entry, ["Ana", "Bo"], Texts("en"))) == "Bo gave Eel to Ana."


@pytest.mark.parametrize(
    ("language", "done", "own", "planned"),
    [
        ("en", "took Eel", "You took Eel.", "You (as planned) took Eel."),
        ("it", "ha preso Anguilla", "Bo ha preso Anguilla.", "Bo (come previsto) ha preso Anguilla."),
    ],
)
def test_a_turn_of_the_reader_says_you_and_whether_it_was_played_as_planned(
    language: str, done: str, own: str, planned: str
) -> None:
    entry, texts = TurnEntry(4, 1, (Phrase(done),)), Texts(language)
    for played, words in (((), own), ((4,), planned), ((3, 5), own)):
        told = with_plans(entry, 1, Plans(played=played))
        assert unmarked(entry_sentence(told, ["Ana", "Bo"], texts, you=1)) == words
    assert with_plans(entry, 0, Plans(played=(4,))) == entry, "it is another's turn"
