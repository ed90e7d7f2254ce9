"""Impossible position texts: the line and its problem are named, and nothing worse happens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.games import moment_of
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.position_text import format_position, parse_position

GOOD = """\
position: classic, 2 players
turn: 9, seat 1, play, first 2
board:
     a      b      c      d      e
1    Te     .      Tu     .      .
2    Pi     Da     .      Ri     Ri
3    Cu     .      Ma/Av  .      Sa
4    .      Ye     .      .      .
5    .      .      .      .      .
6    .      .      .      .      .
laid: a1
this turn: played St, rewards 1, passes 2
wasabi: d5
kitchen: Ch1 St1 Sw1
seat 1 | tiles Ma Cu | cards Sp | recipes 2.0=tekkamaki 3.0 | claimed carrot-top | left 3 3 2 1 | points 2 | cubes 1
seat 2 | tiles Ri Ri Av | cards - | recipes 3.1=pickle-barrel 4.0 4.1 | claimed - | left 4 3 2 1 | points 0 | cubes 0
pantry: Ri5 Ma7 Tu2 Sa2 Ye2 Ee3 Sh3 Cr3 Sc3 Oc3 Av1 Cu1 Ca3 Da2 Eg3 Te2 To3 Pi2 Ro1 Ur1 Sq1 Wk1 Na1 Fl1
deck 2: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
deck 3: 2 3 4 5 6 7 8 9 10 11 12 13 14
deck 4: 2 3 4 5 6 7 8 9
deck 5: 0 1 2 3 4 5
"""

OVER = "turn: 9, nobody, over, first 2"
PLAYED = "this turn: played St, rewards 1, passes 2"

BROKEN = [
    ("position: classic, 2 players", "position: klassic, 2 players", "unknown-edition"),
    ("position: classic, 2 players", "position: ../classic, 2 players", "unknown-edition"),
    ("position: classic, 2 players", "position: classic, 5 players", "number"),
    ("position: classic, 2 players", "position: classic, two players", "number"),
    ("position: classic, 2 players", "position: classic", "missing-part"),
    ("turn: 9,", "turn: nine,", "number"),
    ("turn: 9,", "turn: -9,", "number"),
    ("turn: 9,", "turn: 65536,", "number"),
    ("turn: 9,", "turn: ٩,", "number"),
    ("seat 1, play", "seat 3, play", "number"),
    ("seat 1, play", "somebody, play", "missing-part"),
    ("turn: 9, seat 1, play, first 2", "turn: 9, seat 1", "missing-part"),
    ("play, first 2", "dance, first 2", "phase"),
    ("play, first 2", "play, first 0", "number"),
    ("play, first 2", "play, first 2, epoch 10000", "number"),
    ("play, first 2", "over, first 2", "changed"),
    ("1    Te     .  ", "1    Te        ", "board-row"),
    ("1    Te     .  ", "1    Te . .    ", "board-row"),
    ("1    Te     .  ", "7    Te     .  ", "board-row"),
    ("1    Te     .  ", "1    Xx     .  ", "unknown-word"),
    ("Ma/Av", "Ma//Av", "unknown-word"),
    ("Ma/Av", "Ma/av", "unknown-word"),
    (PLAYED, "this turn: played Xx", "unknown-word"),
    (PLAYED, "this turn: sleeping", "unknown-word"),
    (PLAYED, "this turn: rewards 0", "number"),
    (PLAYED, "this turn: passes 1000", "number"),
    ("wasabi: d5", "wasabi: e5", "wasabi-does-not-fit"),
    ("wasabi: d5", "wasabi: d5 d4", "wasabi-does-not-fit"),
    ("kitchen: Ch1 St1 Sw1", "kitchen: Ch1 St1 Sw2", "kitchen"),
    ("kitchen: Ch1 St1 Sw1", "kitchen: Ch1 St1", "kitchen"),
    ("kitchen: Ch1 St1 Sw1", "kitchen: Ch1 St1 Sw1 Xx1", "unknown-word"),
    ("kitchen: Ch1 St1 Sw1", "kitchen: Ch1 St1 Sw", "count"),
    ("seat 1 | tiles Ma Cu", "seat 1 | tiles Ma Cu Cu Sa", "hand-too-large"),
    ("seat 1 | tiles Ma Cu", "seat 1 | tiles Ma Xx", "unknown-word"),
    ("seat 1 | tiles Ma Cu", "seat 1 | tiles Ma | tiles Cu", "twice"),
    ("seat 1 | tiles Ma Cu", "seat 1 | tiles Ma Cu | hats 3", "unknown-part"),
    ("cards Sp", "cards Xx", "unknown-word"),
    ("cards Sp", "cards Sp Ch St Sw", "hand-too-large"),
    ("recipes 2.0=tekkamaki", "recipes 2.0=sushi", "unknown-word"),
    ("recipes 2.0=tekkamaki", "recipes 3.4=tekkamaki", "recipe"),
    ("recipes 2.0=tekkamaki", "recipes 2.0=carrot-top", "recipe"),
    ("recipes 2.0=tekkamaki", "recipes sushi", "recipe"),
    ("recipes 2.0=tekkamaki", "recipes 2.0=tekkamaki 2.1 2.2", "hand-too-large"),
    ("recipes 3.1=pickle-barrel", "recipes 3.1=pickle-barrel pickle-barrel", "hand-too-large"),
    ("claimed carrot-top", "claimed sushi", "unknown-word"),
    ("claimed carrot-top", "claimed carrot-top+x", "number"),
    ("claimed carrot-top", "claimed carrot-top+256", "number"),
    ("claimed carrot-top", "claimed tuna-turner over-the-rainbow", "no-token"),
    ("left 3 3 2 1", "left 4 3 2 1", "tokens"),
    ("points 2", "points 3", "points"),
    ("cubes 1", "cubes one", "number"),
    ("cubes 1", "cubes 65536", "number"),
    ("cubes 1", "cubes 1 | gone", "seat-gone"),
    ("pantry: Ri5", "pantry: Ri6", "pantry"),
    ("pantry: Ri5", "pantry: Ri", "count"),
    ("pantry: Ri5", "pantry: Xx5", "unknown-word"),
    ("deck 5: 0 1", "deck 5: 0 0", "deck"),
    ("deck 5: 0 1", "deck 5: 1", "deck"),
    ("deck 5: 0 1", "deck 5: 0 1 8", "deck"),
    ("deck 3: 2 3", "deck 3: 0 3", "deck"),
    ("deck 5: 0 1", "deck 5: 0 x", "card"),
    ("deck 5: 0 1", "deck 5: 0 01", "card"),
]

MOVED = {"changed": "turn:", "seat-gone": "turn:", "wasabi-does-not-fit": "wasabi:"}
"""The line reported for a fault between two lines: the one read last."""


def fault(text: str) -> dict[str, str | int]:
    with pytest.raises(Malformed) as caught:
        parse_position(text, rules_for)
    assert caught.value.code == "position"
    return caught.value.where


def test_the_good_position_is_good() -> None:
    rules, position, faces = parse_position(GOOD, rules_for)
    assert format_position(rules, position, faces) == GOOD


@pytest.mark.parametrize(("old", "new", "problem"), BROKEN, ids=[f"{p}: {new}" for _, new, p in BROKEN])
def test_each_kind_of_broken_line_is_named(old: str, new: str, problem: str) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    found = fault(text)
    assert found["problem"] == problem
    line = text.splitlines()[int(found["line"]) - 1]
    assert new.splitlines()[0].rstrip() in line or line.startswith(MOVED.get(problem, "?"))
    assert str(found["text"]) in line


@pytest.mark.parametrize("key", ["position", "turn", "board", "seat 1", "seat 2"])
def test_a_missing_line_is_named(key: str) -> None:
    kept = [line for line in GOOD.splitlines() if not line.startswith((f"{key}:", f"{key} |"))]
    found = fault("\n".join(kept))
    assert found["problem"] in ("missing-line", "unknown-line")
    assert found["line"] or found["text"] == key


@pytest.mark.parametrize("line", ["seat 3 | tiles Ri", "deck 6: 1 2", "weather: fine", "deck 2: 1"])
def test_a_line_too_many_is_named(line: str) -> None:
    found = fault(GOOD + line + "\n")
    assert (found["line"], found["problem"] in ("unknown-line", "twice")) == (len(GOOD.splitlines()) + 1, True)


def test_a_line_before_any_other_is_named() -> None:
    assert fault("hello\n" + GOOD) == {"line": 1, "problem": "unknown-line", "text": "hello"}


def test_a_row_too_many_or_too_few_is_named() -> None:
    rows = GOOD.splitlines(keepends=True)
    assert fault("".join(rows[:9] + rows[10:])) == {"line": 3, "problem": "rows", "text": ""}
    assert fault("".join(rows[:10] + rows[9:]))["problem"] == "rows"


def test_a_tile_too_many_is_named() -> None:
    assert fault(GOOD.replace("Ma/Av", "Fl/Fl"))["problem"] == "too-many-tiles"


def test_a_card_too_many_is_named() -> None:
    text = GOOD.replace("kitchen: Ch1 St1 Sw1\n", "").replace("cards -", "cards Sp")
    assert fault(text)["problem"] == "kitchen"


def test_a_position_in_which_the_turn_cannot_be_finished_is_refused() -> None:
    text = GOOD.replace(PLAYED, "this turn: owed, played Sw").replace("tiles Ma Cu", "tiles -")
    text = "\n".join(line for line in text.splitlines() if not line.startswith(("pantry", "laid")))
    assert fault(text)["problem"] == "phase"


def test_flags_of_step_1_belong_to_step_1() -> None:
    text = GOOD.replace("seat 1, play", "seat 1, restock").replace(PLAYED, "this turn: owed, extra")
    assert fault(text)["problem"] == "phase"


@pytest.mark.parametrize(
    ("turn", "outcome", "problem"),
    [
        (OVER, "", "outcome"),
        (OVER, "outcome: lightning, winners 1", "outcome"),
        (OVER, "outcome: turns, winners 1", "outcome"),
        (OVER, "outcome: board", "missing-part"),
        (OVER, "outcome: board, winners 3", "unknown-word"),
        ("turn: 9, seat 1, over, first 2", "outcome: board, winners 1", "outcome"),
        ("turn: 9, seat 1, play, first 2", "outcome: board, winners 1", "outcome"),
    ],
)
def test_an_outcome_belongs_to_a_game_that_is_over_and_names_winners(turn: str, outcome: str, problem: str) -> None:
    text = (
        GOOD.replace("turn: 9, seat 1, play, first 2", turn).replace(PLAYED, "this turn: -").replace("laid: a1\n", "")
    )
    assert fault(text + outcome)["problem"] == problem


def test_a_text_cut_at_any_byte_is_read_or_refused_and_never_worse() -> None:
    whole = GOOD.encode()
    for length in range(len(whole)):
        try:
            parse_position(whole[:length].decode(errors="replace"), rules_for)
        except Malformed as error:
            assert error.where  # noqa: PT017


MOMENTS = [moment_of(2, 1, 60), moment_of(3, 2, 90), moment_of(4, 3, 120)]
LONG = [format_position(moment.rules, moment.after, moment.faces) for moment in MOMENTS]
SNIPPETS = ["-", "0", "99999999", "Ri", "a1", "2.0", "over", "nobody", ": ", " | ", "\n"]
pieces = st.text(max_size=6) | st.sampled_from(SNIPPETS)


@given(st.sampled_from(LONG), st.data())
@settings(max_examples=150, deadline=None)
def test_a_text_with_arbitrary_changes_is_read_or_refused_and_never_worse(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 12))
        text = text[:start] + data.draw(pieces) + text[end:]
    try:
        parse_position(text, rules_for)
    except Malformed as error:
        assert error.code  # noqa: PT017


@pytest.mark.parametrize("text", ["", "\n\n", ":", "|", "position:", "# nothing\n", "position: classic, 2 players"])
def test_next_to_nothing_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse_position(text, rules_for)


@pytest.mark.parametrize("players", [-1, 0, 1, 5, 99])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(Malformed) as caught:
        rules_for("classic", players)
    assert (caught.value.code, caught.value.where) == ("players", {"players": players})


def test_a_shuffle_that_loses_or_doubles_cards_is_refused() -> None:
    rules = rules_for("classic", 2)
    for shuffle in (lambda _, pile: pile[1:], lambda _, pile: [pile[0], *pile[:-1]], lambda _, pile: [*pile, 0]):
        with pytest.raises(Malformed, match="deck-order"):
            Dealer(rules, shuffle)
