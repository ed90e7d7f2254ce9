"""The panels of a table are complete at every size, for any players with any names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts import FOLDER
from tests.view.tables import PLAYERS, seen
from wasabi_tx.app.settings import Settings
from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.games.game import Player
from wasabi_tx.games.transcript import read_transcript
from wasabi_tx.text import Texts
from wasabi_tx.text.cells import cut, fit, wrap
from wasabi_tx.text.foreign import clean
from wasabi_tx.text.marks import unmarked
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.bindings import actions_on
from wasabi_tx.tui.draw.sheet import Means, told_rows
from wasabi_tx.tui.paints import Paints
from wasabi_tx.tui.safe_text import plain
from wasabi_tx.tui.textual_theme import textual_theme
from wasabi_tx.tui.views.board_view import ingredients
from wasabi_tx.tui.views.panel_views import HeaderView, PlayersView, token_counts
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table.board import Board
from wasabi_tx.tui.widgets.table.header import paint_header
from wasabi_tx.tui.widgets.table.players import paint_players
from wasabi_tx.tui.widgets.table.race import NONE, curves, digits, name_rows
from wasabi_tx.tui.widgets.table.story import Story, paint_story
from wasabi_tx.turn.followed_game import FollowedGame
from wasabi_tx.turn.plan import Plan
from wasabi_tx.turn.prompt_choices import question_of
from wasabi_tx.view.log.chronicle import Chronicle, entry_sentences
from wasabi_tx.view.online.surroundings import Around
from wasabi_tx.view.press import PickCode
from wasabi_tx.view.table.plain_table import table_lines
from wasabi_tx.view.table.table import describe_table

from .memory_games import MemoryGames, app_at, played, seats
from .on_screen import shown, table_of, table_words

ENGLISH = Texts("en")
SIZES = ((40, 15), (80, 24), (100, 32), (120, 40), (200, 50))
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


def at_turn(turn: int, edition: str, language: str, players: tuple[Player, ...] | None = None) -> WasabiApp:
    return app_at(turn, edition=edition, language=language, seed="draw", players=players)


@pytest.mark.grid
@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.long
async def test_every_size_says_what_a_turn_needs(edition: str, language: str) -> None:
    """These are the player to move, the question, all recipe names, everybody's total, the hand and the help key."""
    app, texts = at_turn(16, edition, language), Texts(language)
    async with app.run_test(size=SIZES[0]) as pilot:
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            table = table_of(app)
            view, words = table.followed.view(), table_words(table)
            assert texts.say("tui.your-turn") in words
            assert f"? {texts.say('tui.action.help')}" in shown(app, "keys")
            assert shown(app, "bar").strip("▌ \n")
            for recipe in view.recipes:
                assert recipe.name[:8] in words, size
            for seat in view.seats:
                assert str(seat.total) in shown(app, "players")
            for held in view.tiles:
                assert f"{held.key}" in shown(app, "hand")


@pytest.mark.grid
@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.long
async def test_what_lies_beside_the_board_is_shown_at_every_size_but_the_smallest(edition: str, language: str) -> None:
    app = at_turn(12, edition, language)
    async with app.run_test(size=(80, 24)) as pilot:
        for size in SIZES[1:]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            view = table_of(app).followed.view()
            pantry = shown(app, "pantry")
            for item in view.pantry:
                assert f"{item.code} {item.count or '–'}" in pantry, size
            for card in view.kitchen.cards:
                names = (card.name, card.name.rstrip("!"), f"{card.code} {card.count}")
                assert not card.count or any(name in shown(app, "kitchen") for name in names), size
            for deck in view.decks:
                assert f"{deck.length}×{deck.count}" in table_words(table_of(app)), size


async def test_the_smallest_size_shows_pantry_kitchen_and_log_by_tab() -> None:
    app = at_turn(12, "classic", "en")
    async with app.run_test(size=(40, 15)) as pilot:
        await pilot.press("tab")
        assert "Ri " in shown(app, "pantry")
        assert "TO DRAW" in shown(app, "decks")
        assert not table_of(app).query(Board)
        await pilot.press("tab")
        assert " put " in shown(app, "story")
        await pilot.press("tab")
        await pilot.pause()
        assert table_of(app).query(Board)


@pytest.mark.grid
@pytest.mark.parametrize("name", HOSTILE, ids=[f"name-{n}" for n in range(len(HOSTILE))])
async def test_hostile_names_move_no_cursor_and_push_nothing_away(name: str) -> None:
    app = at_turn(4, "classic", "en", (Player("Ana"), Player(name, "normal"), Player(name[:50], "easy")))
    async with app.run_test(size=(80, 24)) as pilot:
        for size in SIZES[:4]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            for panel in table_of(app).query(Painted):
                assert all(line.isprintable() for line in panel.words.splitlines())
            totals = [str(seat.total) for seat in table_of(app).followed.view().seats]
            assert all(total in shown(app, "players") for total in totals)


async def test_moves_of_others_are_told_in_whole_sentences() -> None:
    app = at_turn(16, "classic", "en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        story = " ".join(shown(app, "story").split())
        assert re.search(r"(Udon|Mochi|Miso) put \w+ on [a-g][1-6]", story), story
        assert "\ue000" not in story


async def test_a_tile_over_a_square_shows_what_it_would_bring() -> None:
    app = app_at(turn=21, seed="picture")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter")
        bar = shown(app, "bar")
        assert "You hold" in bar
        assert "Place on" in bar
        assert "completes" in bar
        plan = table_of(app).followed.plan
        assert plan is not None
        await pilot.press("enter")
        assert plan.draft.steps[0].verb == "place"
        assert "Complete " in shown(app, "bar")


async def test_enter_alone_plays_a_whole_turn() -> None:
    app = app_at(turn=21, seed="picture")
    async with app.run_test(size=(80, 24)) as pilot:
        table = table_of(app)
        game: Any = table.opened.game
        before = game.position.turn
        for _ in range(30):
            await pilot.press("enter")
            await pilot.pause()
            if game.position.turn != before:
                break
        assert game.position.turn != before


@pytest.mark.parametrize("size", SIZES[1:])
async def test_two_action_cards_are_whole_beside_a_narrow_board(size: tuple[int, int]) -> None:
    app = app_at(26, bots=1, seed="picture")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        own = table_of(app).followed.view().seats[0].cards
        assert len(own) == 2
        assert all(f"{name}!" in shown(app, "hand") for name in ("Spicy", "Switch"))


@pytest.mark.parametrize("language", ["en", "it"])
async def test_the_tiles_of_everybody_are_shown_beside_any_two_cards(language: str) -> None:
    app = app_at(22, language=language, seed="picture")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        others = [seat for seat in table_of(app).followed.view().seats if not seat.you]
        assert any(len(seat.cards) == 2 for seat in others)
        rows = shown(app, "players").splitlines()
        for seat in others:
            at = next(number for number, row in enumerate(rows) if seat.name in row)
            assert " ".join(rows[at + 1].split()).endswith(" ".join(seat.tiles))


async def test_a_reward_is_offered_by_the_names_of_the_cards() -> None:
    app = app_at(21, seed="picture")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("3", "f", "3", "enter")
        await pilot.pause()
        assert "take a card:  Enter  Chop!   Stack!  Switch!" in shown(app, "bar")
        await pilot.press("s", "t")
        plan = table_of(app).followed.plan
        assert plan is not None
        assert [plan.rules.grammar.format(step) for step in plan.draft.steps][-1] == "take St"


@pytest.mark.parametrize("theme", ["monochrome", "terminal", "omakase"])
async def test_without_shadows_a_needed_tile_has_brackets(theme: str) -> None:
    app = app_at(21, seed="picture", settings=Settings("en", theme, reduced_motion=True, bell=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        recipes = shown(app, "recipes")
    found = re.findall(r"\[(\w\w)\]", recipes)
    assert found == ([] if theme == "omakase" else ["Av", "Sh"])


@pytest.mark.grid
@pytest.mark.parametrize("size", SIZES[1:])
async def test_a_completed_recipe_is_struck_out_under_its_name_alone(size: tuple[int, int]) -> None:
    app = app_at(21, seed="picture")
    async with app.run_test(size=size) as pilot:
        await pilot.press("3", "f", "3", "enter")
        await pilot.pause()
        names = {recipe.names["en"] for recipe in table_of(app).opened.game.rules.edition.recipes}
        canvas = table_of(app).query_one("#recipes", Painted).canvas
        assert canvas is not None
        struck = [one.text for y in range(canvas.height) for one in canvas.strip(y) if one.style and one.style.strike]
        assert len(struck) == 1
        assert struck[0] in names


@pytest.mark.parametrize(("language", "card"), [("en", "+card"), ("it", "+carta")])
async def test_a_recipe_tells_what_it_gives_beside_its_points(language: str, card: str) -> None:
    app = at_turn(8, "master", language)
    async with app.run_test(size=(80, 24)) as pilot:
        for size in SIZES[1:]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            words = shown(app, "recipes")
            for recipe in table_of(app).followed.view().recipes:
                assert (card if len(recipe.strip) == 2 else f"+{recipe.style}■") in words, size


@pytest.mark.parametrize("language", ["en", "it"])
def test_notes_fit_the_smallest_whole_table(language: str) -> None:
    texts = Texts(language)
    assert all(len(words) <= 80 for words in texts.words("tui.note").values())
    why = texts.say("why.few", count=10)
    assert len(texts.say("tui.note.default", choice="Ri", why=why) + " " + texts.say("tui.note.gift")) <= 80


def test_cleaned_text_keeps_brackets_and_drops_what_moves_a_cursor() -> None:
    assert clean("[/bad] \x1b[31mx\u202e") == "[/bad] [31mx"
    assert plain("[/bad]\n[b]x").plain == "[/bad]\n[b]x"
    assert len(clean("x" * 10_000)) == 200
    assert cut("寿司寿司", 5) == "寿司…"
    assert fit("寿司寿司", 6) == "寿司… "
    assert fit("ab", 4) == "ab  "


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


@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "Move the teacup to which square?"), ("it", "In quale casella sposti la tazza?")],
)
def test_a_cup_that_is_held_is_called_a_teacup(language: str, title: str) -> None:
    texts = Texts(language)
    observation = seen(mine="cards -", theirs="cards -", more="display: Ch Sw St", edition="master")
    plan = Plan(observation, texts)
    plan.pick_square(observation.rules.grid.parse_square("b2"))
    assert question_of(plan, describe_table(observation, PLAYERS[:2], texts), texts).title == title


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


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
async def test_a_tile_whose_name_does_not_spell_its_code_shows_both_in_the_hand(size: tuple[int, int]) -> None:
    app = app_at(20, language="it")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        hand = " ".join(shown(app, "hand").split())
        assert "Gambero" in hand
        assert "Sh" in hand, "no letters of Gambero"
        assert "Sc" in hand, "no letters of Capasanta"


def test_a_spectator_sees_no_hand() -> None:
    followed = sitting_at(8, "classic", seats(2, 0), "en")
    rules, position = followed.game.rules, followed.game.position
    view = describe_table(observe(rules, position, None, {}), followed.game.players, Texts("en"))
    assert not view.recipes
    assert followed.seated is None
    assert followed.view().recipes == (), "nobody has sat down yet"


def test_the_race_in_digits_has_everybody_and_the_leader_on_top() -> None:
    dots = digits([(n, n // 2, 0) for n in range(40)], 60, 10)
    assert [len(row) for row in dots.signs] == [60] * 10
    assert {sign for row in dots.signs for sign in row} == {" ", "1", "2", "3"}
    assert dots.seats[0][-1] == 0, "the best total is in the first row, at the end"
    assert dots.seats[-1][-1] == 2, "who has nothing stays in the last row"


@pytest.mark.parametrize(
    ("language", "title", "card"),
    [("en", "Serve a recipe?", "+card"), ("it", "Servi una Ricetta?", "+carta")],
)
def test_the_second_edition_says_serve_as_its_book_does(language: str, title: str, card: str) -> None:
    texts, hand, display = Texts(language), "cards - | recipes mirugai", "display: Ch Sw St"
    observation = seen("a1=Ri", mine=hand, theirs="cards -", more=display, edition="master")
    plan = Plan(observation, texts)
    assert plan.add(observation.rules.parse("place Cl a2")[0])
    question = question_of(plan, describe_table(plan.draft.observation, PLAYERS[:2], texts), texts)
    assert question.title == title
    assert question.choices[0].label == f"4 Mirugai a1–a2 +2 {card}"


async def test_turns_are_told_shorter_where_there_is_little_room_and_never_all_by_the_newest() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)):
        means = table_of(app).query_one(Story).means
    long = f"Ana {'put a tile on the board ' * 9}and took another one."

    def told(*turns: tuple[str, ...], height: int = 2) -> list[str]:
        canvas = paint_story(turns, (), means, 40, height, "", Around())
        return [canvas.words(y) for y in range(height)]

    whole, short = "Bo put a tile on d3, took one and drew a recipe.", "Bo put a tile on d3."
    assert told((whole, short)) == ["Bo put a tile on d3, took one and drew a", "recipe."]
    assert told((whole, short), height=1) == [short]
    assert told((whole, short), ("Ana passed.",)) == [short, "Ana passed."]
    assert told(("Bo passed.",), (long,)) == ["Bo passed.", ""], "an older one is told whole or not at all"
    assert told((whole,), ("Ana passed.",))[0].startswith("Bo put"), "what has no shorter form takes what it needs"
    first, second = told((long,), ("Bo passed.",))
    assert first.startswith("Ana put")
    assert second.endswith("…")
    assert max(map(len, (first, second))) <= 40


def test_curves_end_at_the_height_of_their_totals_and_the_own_one_lies_on_top() -> None:
    dots = curves([(0, 0), (2, 2), (8, 2)], 1, 22, 5)
    assert (len(dots.signs), len(dots.signs[0])) == (5, 22)
    assert dots.seats[-1][0] == 1, "both begin with nothing; the own curve hides the other"
    assert dots.seats[0][-1] == 0
    assert dots.seats[0][0] == NONE


@pytest.mark.parametrize(
    ("totals", "rows"),
    [
        ((8, 2), {0: 0, 3: 1}),
        ((8, 8), {0: 0, 1: 1}),
        ((0, 0, 8), {0: 2, 3: 0, 4: 1}),
        ((1, 0, 0, 0), {0: 0, 2: 1, 3: 2, 4: 3}),
    ],
)
def test_names_at_the_ends_of_curves_are_moved_apart(totals: tuple[int, ...], rows: dict[int, int]) -> None:
    assert name_rows(totals, max(totals), 5) == rows


@pytest.mark.grid
@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("bots", [1, 2, 3])
@pytest.mark.long
async def test_the_cards_to_take_and_the_pool_leave_one_another_room(bots: int, language: str) -> None:
    app, texts = app_at(6, bots=bots, edition="master", language=language), Texts(language)
    async with app.run_test(size=(80, 24)) as pilot:
        for size in ((100, 40), (110, 40), (120, 40), (140, 44), (200, 50)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            kitchen = table_of(app).followed.view().kitchen
            words = shown(app, "kitchen")
            for card in kitchen.cards:
                assert words.count(card.name) >= card.count, (size, words)
            pool = texts.say("worth.cubes", count=kitchen.pool or 0)
            assert pool in words or f"{kitchen.pool}■" in words, (size, words)


async def test_while_nobody_can_move_the_header_says_that_cards_are_dealt() -> None:
    opened = MemoryGames().open("master", seats(1, 1), "dealt")
    assert opened.game.position.mover == NOBODY
    texts = Texts("en")
    view = describe_table(opened.game.observation, opened.game.players, texts)
    assert "dealing cards" in table_lines(view, opened.game.rules, texts)[0]
    means = Means(Paints(textual_theme(MemoryGames().themes()[0][0]), "letters"), texts, {}, {}, {})
    header = HeaderView(view.edition, 0, 42, view.mover, view.your_turn, view.seats, Around())
    assert "dealing cards" in paint_header(header, means, 80).words(0)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_replay_names_each_key_once(size: tuple[int, int]) -> None:
    _, transcript = played(6, "master", seats(1, 1), "keys")
    app = WasabiApp(MemoryGames(), language="en", replay=transcript)
    async with app.run_test(size=size) as pilot:
        await pilot.press("right")
        bar = " ".join(app.screen.query_one("#bar", Painted).words.split())
        assert bar.startswith("▌ Step 2 of "), bar
        assert ": → next ← back" in bar, bar


@pytest.mark.parametrize("turn", [0, 8])
def test_only_a_game_that_has_not_begun_says_that_nothing_has_happened(turn: int) -> None:
    means = Means(Paints(textual_theme(MemoryGames().themes()[0][0]), "letters"), Texts("en"), {}, {}, {})
    words = paint_story((), (), means, 80, 2, "", Around(), begun=turn > 0).words(0)
    assert words == ("" if turn else "Nothing has happened yet.")


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("transcript", sorted(FOLDER.glob("*-greedy.txt")), ids=lambda path: path.stem)
def test_every_turn_of_others_is_told_whole_in_the_bar_of_every_size(transcript: Path, language: str) -> None:
    found = read_transcript(transcript.read_text(encoding="utf-8"), rules_for)
    texts = Texts(language)
    chronicle = Chronicle(found.rules, found.players, texts)
    chronicle.follow(found)
    for width, rows in ((117, 1), (77, 1), (37, 2)):
        for entry in chronicle.entries:
            told = list(entry_sentences(entry, ["Ana", "Udon", "Mochi", "Ponzu"], texts))
            assert told_rows(told, width, rows), (width, unmarked(told[-1]))


@pytest.mark.grid
@pytest.mark.parametrize("bots", [1, 2, 3])
@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.long
async def test_nothing_beside_the_board_is_cut_at_sizes_in_between(edition: str, bots: int) -> None:
    app = app_at(12, bots=bots, edition=edition)
    async with app.run_test(size=(80, 24)) as pilot:
        view = table_of(app).followed.view()
        for size in ((90, 30), (100, 40), (110, 36), (120, 30), (140, 45), (160, 50), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            pantry = shown(app, "pantry")
            for item in view.pantry:
                assert f"{item.code} {item.count or '–'}" in pantry, (size, pantry)
            for card in view.kitchen.cards:
                assert not card.count or card.name.rstrip("!") in shown(app, "kitchen"), size
            for seat in view.seats:
                assert (ENGLISH.say("tui.you") if seat.you else seat.name) in shown(app, "players"), size


@pytest.mark.parametrize(
    ("language", "heads"),
    [
        ("en", ("PLAYERS", "points", "recipes of 2", "● completed", "○ to do", "2 recipe", "■ cubes")),
        ("it", ("GIOCATORI", "punti", "Ricette da 2", "● completate", "○ da fare", "in mano", "■ Cubetti")),
    ],
)
@pytest.mark.long
async def test_the_signs_of_the_players_are_explained(language: str, heads: tuple[str, ...]) -> None:
    for bots in (1, 2, 3):
        app = app_at(12, bots=bots, language=language)
        async with app.run_test(size=(120, 40)):
            words = " ".join(shown(app, "players").split())
            for head in heads:
                assert head in words, words


async def test_a_turn_in_the_log_begins_with_the_number_that_its_squares_carry_and_the_newest_is_first() -> None:
    app = app_at(12)
    async with app.run_test(size=(120, 40)):
        title, *rows = shown(app, "story").splitlines()
        assert "SINCE YOUR TURN" in title
        assert "newest first" in title
        view = table_of(app).followed.view()
        numbers = [row.split()[0] for row in rows if row[:1].isdigit()]
        assert numbers == sorted(numbers, reverse=True)
        for seat in view.seats[1:]:
            assert any(row.startswith(f"{seat.number} {seat.name} ") for row in rows), rows


@pytest.mark.parametrize(("language", "words"), [("en", "Ri a pantry code"), ("it", "Ri dalla Dispensa")])
async def test_the_keys_say_that_tiles_of_the_pantry_are_typed_by_their_code(language: str, words: str) -> None:
    app = app_at(9, edition="master", language=language)
    async with app.run_test(size=(80, 24)):
        assert words in shown(app, "keys")


async def test_the_header_names_all_who_follow_at_80_columns_and_the_turn_at_40() -> None:
    app = app_at(12)
    async with app.run_test(size=(80, 24)) as pilot:
        for seat in table_of(app).followed.view().seats[1:]:
            assert seat.name in shown(app, "header")
        await pilot.resize_terminal(40, 15)
        await pilot.pause()
        assert re.search(r"turn \d+ · \d+ left", shown(app, "header")), shown(app, "header")


async def test_decks_of_the_second_edition_say_what_a_draw_gives() -> None:
    app = app_at(9, edition="master")
    async with app.run_test(size=(80, 24)):
        assert re.search(r"3×\d+ pool \+1■  4×\d+ pool \+2■  5×\d+ you \+1■, pool \+1■", shown(app, "decks"))
        assert "TAKE ONE" in shown(app, "kitchen")
        assert re.search(r"POOL \d+■", shown(app, "kitchen"))


async def test_every_action_card_says_what_it_does_in_both_languages() -> None:
    for language in ("en", "it"):
        app = app_at(9, bots=2, edition="master", language=language)
        async with app.run_test(size=(120, 40)):
            view = table_of(app).followed.view()
            words = shown(app, "kitchen")
            for card in view.kitchen.cards:
                assert all(word in words for word in card.does.split()), (language, words)


@pytest.mark.parametrize(
    ("language", "width", "cards"),
    [
        ("en", 60, " Spicy   Wasabi "),
        ("en", 44, " Spicy Wasabi "),
        ("en", 40, " Sp   Wa "),
        ("it", 44, " Spicy Wasabi "),
    ],
)
def test_cards_of_others_are_called_by_name_where_that_fits_beside_their_tiles(
    language: str, width: int, cards: str
) -> None:
    observation, texts = seen(theirs="tiles Ee Te To | cards Sp Wa"), Texts(language)
    edition = observation.rules.edition
    names = {action.code: action.names[language].partition(" (")[0] for action in edition.actions}
    means = Means(
        Paints(textual_theme(MemoryGames().themes()[0][0]), "letters"), texts, ingredients(edition), names, {}
    )
    players = PlayersView(describe_table(observation, PLAYERS[:2], texts).seats, token_counts(edition))
    canvas = paint_players(players, means, width, 6)
    row = next(line for line in map(canvas.words, range(6)) if "Ee" in line)
    assert cards in row, row
    assert row.split()[-3:] == ["Ee", "Te", "To"], row
