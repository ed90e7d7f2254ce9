"""Panels never write beyond their width, whoever sits at the table and whatever they are called."""

from __future__ import annotations

import re

import pytest

from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.table.game import Player
from wasabi_tx.text import Texts
from wasabi_tx.tui.draw.hand import hand_line, recipe_lines
from wasabi_tx.tui.draw.header import footer_line, header_line
from wasabi_tx.tui.draw.log import since_lines
from wasabi_tx.tui.draw.pages import book_lines, race_lines
from wasabi_tx.tui.draw.seats import seat_lines
from wasabi_tx.tui.draw.stocks import pantry_lines, stock_lines
from wasabi_tx.tui.draw.turn import note_line, question_lines, row_line, said_lines
from wasabi_tx.tui.keys import actions_on
from wasabi_tx.tui.safe_text import clean, cut, fit, plain, wrap
from wasabi_tx.tui.scene import ingredients
from wasabi_tx.tui.spans import Line, line_width, text_of
from wasabi_tx.view.log.followed_game import FollowedGame
from wasabi_tx.view.press import PickCode
from wasabi_tx.view.table.table import look
from wasabi_tx.view.table.turn_row import turn_row
from wasabi_tx.view.turn.plan import Plan
from wasabi_tx.view.turn.prompt_choices import Choice, Question, question_of

from .memory_games import MemoryGames, played, seats

HOSTILE = (
    "[/bad]",
    "[bold red]x",
    "\x1b[31mred\x1b[0m",
    "\u202eevil\u202c",
    "a\u0300\u0301\u0302\u0303\u0304",
    "寿司寿司寿司寿司寿司",
    "👩‍👩‍👧‍👦 family",
    "\n\r\t\x00\x07",
    "x" * 10_000,
    "",
)


def sitting_at(turn: int, edition: str, players: tuple[Player, ...], language: str) -> FollowedGame:
    opened = MemoryGames().take_up(*played(turn, edition, players, "draw"))
    followed = FollowedGame(opened.game, Texts(language), opened.earlier)
    followed.renew_plan()
    return followed


def all_lines(followed: FollowedGame, texts: Texts, left: int, side: int) -> list[tuple[int, Line]]:
    """Every line of the table with the room that it has."""
    view, rules, whole = followed.view(), followed.game.rules, left + 1 + side
    assert followed.plan is not None
    names = ingredients(rules.edition)
    question = question_of(followed.plan, view, texts)
    lines = [(side, line) for line in seat_lines(view, texts, side, rules.hand_recipes)]
    lines += [(side, line) for line in stock_lines(view, texts, side)]
    lines += [(side, line) for line in pantry_lines(view, texts, side, names, side > 48, ())]
    lines += [(side, line) for line in since_lines(followed.since, view.notices, texts, side, 9, "o")]
    lines += [(left, hand_line(followed.plan, texts, left, names if left > 56 else None))]
    lines += [(left, line) for line in recipe_lines(followed.plan, view, texts, left, roomy=left > 56)]
    lines += [(whole, header_line(view, texts, whole, over=False)), (whole, footer_line("table", texts, whole, {}))]
    lines += [(whole, line) for line in question_lines(question, whole, 1)]
    lines += [(whole, note_line(question, False, whole))]
    return [*lines, (whole, row_line(turn_row(followed.plan, followed.game.players, texts), whole))]


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.parametrize("room", [(44, 35), (58, 61), (24, 15)])
def test_no_line_is_wider_than_its_panel(edition: str, language: str, room: tuple[int, int]) -> None:
    for turn in (1, 12, 24):
        followed = sitting_at(turn, edition, seats(1, 3), language)
        for width, line in all_lines(followed, Texts(language), *room):
            assert line_width(line) <= width, text_of([line])


@pytest.mark.parametrize("rows", [1, 2])
def test_choices_that_do_not_fit_are_told_and_the_default_is_never_among_them(rows: int) -> None:
    codes = ("Av", "Ri", "Ma", "Cu", "Sa", "Tu", "Ee", "Na", "Fl", "Pi")
    choices = tuple(Choice(code, PickCode(number), code == "Pi") for number, code in enumerate(codes))
    for width in range(20, 60):
        shown = text_of(question_lines(Question("Take a tile:", choices, ""), width, rows))
        assert " Pi" in shown
        assert all(f" {choice.label}" in shown for choice in choices) != shown.endswith(" …")


@pytest.mark.parametrize("language", ["en", "it"])
def test_notes_fit_the_smallest_whole_table(language: str) -> None:
    texts = Texts(language)
    assert all(len(words) <= 80 for words in texts.words("tui.note").values())
    why = texts.say("why.few", count=10)
    assert len(texts.say("tui.note.default", choice="Ri", why=why) + " " + texts.say("tui.note.gift")) <= 80


@pytest.mark.parametrize("name", HOSTILE, ids=[f"name-{n}" for n in range(len(HOSTILE))])
def test_hostile_names_stay_within_their_panel_and_move_no_cursor(name: str) -> None:
    followed = sitting_at(4, "classic", (Player("Ana"), Player(name, "normal"), Player(name[:50], "easy")), "en")
    for width, line in all_lines(followed, Texts("en"), 44, 35):
        assert line_width(line) <= width
        text = "".join(span.text for span in line)
        assert all(char.isprintable() for char in text), repr(text)


def test_cleaned_text_keeps_brackets_and_drops_what_moves_a_cursor() -> None:
    assert clean("[/bad] \x1b[31mx\u202e") == "[/bad] [31mx"
    assert plain("[/bad]\n[b]x").plain == "[/bad]\n[b]x"
    assert len(clean("x" * 10_000)) == 200
    assert cut("寿司寿司", 5) == "寿司…"
    assert fit("寿司寿司", 6) == "寿司… "
    assert fit("ab", 4) == "ab  "


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_footer_always_says_how_to_leave_and_where_help_is(language: str, width: int) -> None:
    texts = Texts(language)
    line = text_of([footer_line("table", texts, width, {}, without=("talk",))])
    assert line.endswith(f"q {texts.say('tui.action.leave')}")
    assert f"? {texts.say('tui.action.help')}" in line
    assert f"{texts.say('tui.key.space')} {texts.say('tui.action.send')}" in line


def test_a_turn_that_takes_tiles_from_the_pantry_offers_those_that_the_recipes_miss() -> None:
    followed = sitting_at(8, "master", seats(1, 3), "en")
    assert followed.plan is not None
    question = question_of(followed.plan, followed.view(), Texts("en"))
    missing = [item.code for item in followed.view().pantry if item.missing and item.count]
    assert missing
    assert [choice.label for choice in question.choices][: len(missing)] == missing
    press = question.choices[0].press
    assert isinstance(press, PickCode)
    followed.plan.pick_code(press.number)
    assert followed.plan.begun
    assert followed.plan.squares


@pytest.mark.parametrize(("language", "card"), [("en", "+card"), ("it", "+carta")])
def test_a_recipe_tells_what_it_gives_beside_its_points_at_every_size(language: str, card: str) -> None:
    texts, hand = Texts(language), "cards - | recipes mirugai sake-avo-maki happy-as-a-clam"
    squares = "a1=Cl b1=Ri c1=Oc d1=Sc"
    observation = seen(squares, mine=hand, theirs="cards -", more="display: Ch Sw St", edition="master")
    plan, view = Plan(observation, texts), look(observation, PLAYERS[:2], texts)
    short = text_of(recipe_lines(plan, view, texts, 44, roomy=False)).splitlines()
    assert [f"2{card}  Cl Ri" in short[0], "4★1  Sa Av No" in short[1]] == [True, True]
    assert "10★3  Cl Ri Oc Sc Pi  Pi e1!" in short[2]
    roomy = text_of(recipe_lines(plan, view, texts, 44, roomy=True))
    assert f"2 pt {card}" in roomy
    assert "4 pt ★1" in roomy
    assert "★0" not in roomy
    book = text_of(book_lines(observation, texts))
    assert f"Cl Ri           2 pt {card}" in book
    assert "Sa Av No        4 pt ★1" in book


@pytest.mark.parametrize(
    ("language", "slot", "title", "card"),
    [("en", "serve", "Serve a recipe?", "+card"), ("it", "servi", "Servi una Ricetta?", "+carta")],
)
def test_the_second_edition_says_serve_as_its_book_does(language: str, slot: str, title: str, card: str) -> None:
    texts, hand, display = Texts(language), "cards - | recipes mirugai", "display: Ch Sw St"
    observation = seen("a1=Ri", mine=hand, theirs="cards -", more=display, edition="master")
    plan = Plan(observation, texts)
    assert plan.add(observation.rules.parse("place Cl a2")[0])
    assert [part.words for part in turn_row(plan, PLAYERS[:2], texts) if part.state == "now"] == [slot]
    question = question_of(plan, look(plan.draft.observation, PLAYERS[:2], texts), texts)
    assert question.title == title
    assert question.choices[0].label == f"4 Mirugai a1-a2 +2 {card}"


@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "Cup on b2: which square?"), ("it", "Tazza in b2: in quale casella?")],
)
def test_a_cup_that_is_held_is_called_a_cup(language: str, title: str) -> None:
    texts = Texts(language)
    observation = seen(mine="cards -", theirs="cards -", more="display: Ch Sw St", edition="master")
    plan = Plan(observation, texts)
    plan.pick_square(observation.rules.grid.parse_square("b2"))
    assert question_of(plan, look(observation, PLAYERS[:2], texts), texts).title == title


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_keys_of_a_table_mention_no_card_and_no_step_that_an_edition_lacks(language: str) -> None:
    texts = Texts(language)
    shown = [texts.say(f"tui.about.{action.id}") for action in actions_on("table")]
    for edition in PACKAGED:
        rules = rules_for(edition, 2)
        cards = {action.names["en"].rstrip("!") for action in rules.edition.actions}
        for words in shown:
            assert not {"Wasabi", "Chop", "Spicy", "Stack", "Switch"} & set(re.findall(r"\w+", words)) - cards, words
        assert rules.parse(texts.say("tui.about.notation").partition(": ")[2])


def test_text_is_wrapped_by_cells_and_not_by_letters() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("one two", 7, used=4) == ["one", "two"]
    assert wrap("one", 4, used=3) == ["", "one"]
    assert wrap("寿司寿司 x", 5) == ["寿司", "寿司", "x"]
    assert wrap("", 5) == [""]


def test_the_table_of_four_players_is_drawn_as_designed() -> None:
    """The columns of the seats: mark, number, name, total, cubes, tokens left, cards, recipes."""
    followed = sitting_at(20, "classic", seats(1, 3), "en")
    lines = text_of(seat_lines(followed.view(), Texts("en"), 35, 3)).splitlines()
    assert lines[0] == " seat      total ★ left  cards  rec"
    seat = followed.view().seats[0]
    expected = f"►1 You      {seat.total:>3}{seat.cubes:>3} {''.join(str(n) for _, n in seat.tokens)}"
    assert lines[1].startswith(expected)
    assert lines[1][32:] == "".join(map(str, seat.lengths))
    assert lines[2][3:11] == "Nori bot"


def test_a_spectator_sees_no_hand() -> None:
    followed = sitting_at(8, "classic", seats(2, 0), "en")
    rules, position = followed.game.rules, followed.game.position
    view = look(observe(rules, position, None, {}), followed.game.players, Texts("en"))
    assert not view.recipes
    assert followed.seated is None
    assert followed.view().recipes == (), "nobody has sat down yet"


@pytest.mark.parametrize("language", ["en", "it"])
def test_what_lies_beside_the_board_is_never_cut_off(language: str) -> None:
    view = sitting_at(8, "master", seats(1, 3), language).view()
    line = text_of(stock_lines(view, Texts(language), 35)[:1])
    assert all(stock.items in line for stock in view.stocks)


@pytest.mark.parametrize(("language", "label"), [("en", "Pool"), ("it", "Piatto")])
@pytest.mark.parametrize("pool", ["1", "12"])
def test_the_pool_has_its_whole_word_and_a_blank_before_its_number(language: str, label: str, pool: str) -> None:
    texts, more = Texts(language), f"display: Ch Sw St\npool: {pool}"
    observation = seen(mine="cards -", theirs="cards -", more=more, edition="master")
    view = look(observation, PLAYERS[:2], texts)
    assert f"Ch St Sw (+13) {label} {pool}" in text_of(stock_lines(view, texts, 35)[:1])
    whole = texts.say("table.pool")
    assert f"Ch St Sw (+13) {whole} {pool} ─" in text_of(stock_lines(view, texts, 75)[:1])


def test_a_wasabi_card_on_the_board_has_a_blank_before_its_square() -> None:
    texts = Texts("en")
    view = look(seen(mine="tiles Tu Av Ri", more="wasabi: d3"), PLAYERS[:2], texts)
    assert "Wasabi! on d3 ─" in text_of(stock_lines(view, texts, 60)[:1])
    assert " Wa d3 ─" in text_of(stock_lines(view, texts, 35)[:1])


def test_a_long_hint_takes_the_rows_of_the_question_and_no_more() -> None:
    for rows in (1, 2, 3):
        lines = said_lines("place Tu d3 because it completes Crunchy Tuna " * 9, False, 40, rows)
        assert len(lines) == rows
        assert all(line_width(line) <= 40 for line in lines)
    assert text_of(said_lines("short", False, 40, 2)) == "short\n"


def test_the_race_has_a_line_for_everybody_and_fits() -> None:
    scores = [(n, n // 2, 0) for n in range(40)]
    lines = race_lines(scores, 60, 10)
    assert len(lines) == 11
    assert all(line_width(line) <= 60 for line in lines)
    assert {"1", "2", "3"} <= set(text_of(lines))
    assert race_lines([], 60, 10) == []
