"""Steps as phrases of the log, in plain words here."""

from __future__ import annotations

import pytest

from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.observe import Observation
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import unmarked
from wasabi_tx.view.log.phrases import phrase, phrases
from wasabi_tx.view.table.recipe import completion_of, window_name

CRUNCHY = "tiles Tu Av Ri | recipes crunchy-tuna tekkamaki"


def words(observation: Observation, text: str, language: str = "en") -> str:
    rules = observation.rules
    steps = rules.parse(text)
    return unmarked(
        ", ".join(one.words for one in phrases(Texts(language), rules, PLAYERS, observation.position, steps))
    )


def test_a_plain_turn() -> None:
    assert (
        words(seen(), "place Tu d3; done; tile Cu; draw 3") == "put Tuna on d3, took Cucumber, drew a recipe of 3 tiles"
    )


def test_a_turn_in_italian() -> None:
    assert (
        words(seen(), "place Tu d3; done; tile Cu; draw 3", "it")
        == "ha piazzato Tonno in d3, ha preso Cetriolo, ha pescato una Ricetta di lunghezza 3"
    )


def test_a_completed_recipe_with_its_length_its_style_and_its_points() -> None:
    observation = seen("b3=Te c3=Ma", mine=CRUNCHY)
    card = next(card for card, face in observation.faces.items() if observation.rules.strips[face].tiles[2:])
    rules = observation.rules
    claim = rules.grammar.format(rules.parse(f"claim {card >> 8}.{card & 255} crunchy-tuna")[0])
    told = words(observation, f"place Tu d3; {claim}; done; take Ch; tile Cu; draw 3")
    recipe = rules.edition.recipes[rules.edition.recipe_numbers["crunchy-tuna"]]
    exact = [rules.code(tile) for tile in recipe.strip.tiles] in (["Te", "Ma", "Tu"], ["Tu", "Ma", "Te"])
    won = " with style: 3 points and 1 cube" if exact else ": 3 points"
    rest = "took Chop!, took Cucumber, drew a recipe of 3 tiles"
    assert told == f"put Tuna on d3, completed Crunchy Tuna{won}, {rest}"


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("chop d3", "used Chop! on d3"),
        ("chop d3 e4", "used Chop! to move a tile from d3 to e4"),
        ("switch d3 e3", "used Switch! on d3 and e3"),
        ("wasabi a5", "covered four squares from a5 with Wasabi!"),
        ("stack; place Ri d3", "used Stack!, put Rice on d3, over Tuna"),
        ("spicy; place Ri a1; place Av a2", "used Spicy!, put Rice on a1, put Avocado on a2"),
    ],
)
def test_action_cards(step: str, told: str) -> None:
    card = {"chop": "Ch", "switch": "Sw", "wasabi": "Wa", "stack": "St", "spicy": "Sp"}[step.split()[0].rstrip(";")]
    observation = seen("d3=Tu", mine=f"tiles Tu Av Ri | cards {card}")
    assert words(observation, step) == told


def test_a_reward_off_the_board_and_an_exchange_of_cards() -> None:
    more = "wasabi: a5\nthis turn: rewards 1"
    room = seen(turn="7, seat 1, restock", mine="tiles Tu Av Ri | cards Ch", more=more)
    assert words(room, "take Wa a5") == "took Wasabi! off the board at a5"
    full = seen(turn="7, seat 1, restock", mine="tiles Tu Av Ri | cards Ch St", more=more)
    assert words(full, "discard Ch; take Wa a5") == "discarded Chop!, took Wasabi! off the board at a5"
    assert words(full, "discard Ch; take Sp") == "discarded Chop!, took Spicy!"
    assert words(full, "forgo") == "took no new card"


def test_passing_tells_lengths_and_never_names() -> None:
    observation = seen(mine=CRUNCHY)
    cards = " ".join(f"{card >> 8}.{card & 255}" for card in observation.position.seats[0].recipes)
    assert words(observation, f"pass {cards}; draw 2") == "passed and returned recipes (3 2), drew a recipe of 2 tiles"


def test_a_gift_names_its_receiver() -> None:
    start = seen("", mine="tiles -", theirs="tiles -", turn="0, seat 1, give")
    step = start.rules.parse("give Tu")[0]
    assert unmarked(phrase(Texts("en"), start.rules, PLAYERS, start.position, step).words) == "gave Tuna to Bo"


def test_leaving_is_told() -> None:
    assert words(seen(players=3), "leave 2", "it") == "ha lasciato la partita"


def test_the_second_edition_has_words_of_its_own() -> None:
    observation = seen(
        "a1=Ri",
        edition="master",
        mine="cards Sp St | recipes mirugai",
        theirs="cards - | recipes crab-and-go",
        more="display: Ch Sw St",
    )
    told = words(observation, "cup b2 c2; spicy Tu b2; stack Av a1; place To d2; pool")
    assert told == (
        "moved a cup from b2 to c2, used Spicy to put Tuna on b2, used Stack to put Avocado on a1, over Rice, "
        "put Tofu on d2, took the pool (+1)"
    )


def test_cards_are_called_as_their_edition_calls_them_without_what_stands_in_brackets() -> None:
    mine, more = "cards Ch Sw | recipes mirugai", "display: Ch Sw St"
    second = seen("d3=Tu", mine=mine, theirs="cards -", more=more, edition="master")
    assert words(second, "switch d3 e3; chop e3") == "used Switch on d3 and e3, used Chop on e3"
    assert words(second, "switch d3 e3; chop e3", "it") == "ha giocato Switch su d3 e e3, ha giocato Chop su e3"
    first = seen("d3=Tu", mine="tiles Tu Av Ri | cards Ch")
    assert words(first, "chop d3", "it") == "ha giocato Chop! su d3"


def test_a_draw_tells_what_the_back_of_the_card_gave_and_the_pool_how_much_was_in_it() -> None:
    hand, more = "cards - | recipes sake-avo-maki", "display: Ch Sp St\npool: 4"
    observation = seen("a1=Sa b1=Av", mine=hand, theirs="cards -", more=more, edition="master")
    served = "place No c1; serve 3.0 sake-avo-maki; done; "
    for length, told in (("2", ""), ("3", " (pool +1)"), ("4", " (pool +2)"), ("5", " (+1, pool +1)")):
        assert words(observation, f"{served}draw {length}").endswith(f", drew a recipe of {length} tiles{told}")
    assert words(observation, f"{served}draw 3", "it").endswith(", ha pescato una Ricetta di lunghezza 3 (piatto +1)")
    assert (
        words(observation, "place Tu e1; exchange 3.0; draw 3")
        == "put Tuna on e1, returned recipes (3), drew a recipe of 3 tiles"
    )
    assert words(observation, "place Tu e1; pool") == "put Tuna on e1, took the pool (+4)"


def test_a_claim_is_worth_what_applying_it_gives_and_lies_where_it_matches() -> None:
    observation = seen("b3=Te c3=Ma d3=Tu", mine=CRUNCHY, more="laid: d3")
    claim = next(step for step in observation.legal() if step.verb == "claim" and step.args[0] >> 8 == 3)
    won = completion_of(observation.rules, observation.position, claim)
    assert window_name(observation.rules, won.squares) == "b3–d3"
    assert won.points == 3
