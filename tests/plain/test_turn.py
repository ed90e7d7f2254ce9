"""Every command of a turn, and all other input."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.observe import Observation
from wasabi_tx.plain.console import Console, InputEnded
from wasabi_tx.plain.turn import LeaveGame, PlainTurn
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.turn.commands import find_command
from wasabi_tx.view.log.chronicle import Chronicle
from wasabi_tx.view.table.plain_table import WIDTH

MINE = "tiles Tu Av Ri | cards Ch Wa | recipes tekkamaki crunchy-tuna green-dragon"


class Desk:
    """A turn together with what was printed."""

    def __init__(self, observation: Observation, language: str = "en", online: bool = False) -> None:
        self.said: list[str] = []
        texts, self._screen = Texts(language), io.StringIO()
        players = PLAYERS[: observation.rules.players]
        chronicle = Chronicle(observation.rules, players, texts)
        talk = self.said.append if online else None
        console = Console(io.StringIO(), self._screen)
        self.turn = PlainTurn(observation, players, chronicle, console, texts, hints=not online, talk=talk)

    def type(self, *lines: str) -> str:
        """Return the answer to the last of these lines."""
        for line in lines:
            before = len(self._screen.getvalue())
            self.turn.run_line(line)
        return self._screen.getvalue()[before:]

    @property
    def steps(self) -> str:
        return self.turn.draft.base.rules.format(self.turn.draft.steps)


def desk(language: str = "en", mine: str = MINE) -> Desk:
    return Desk(seen("b3=Te c3=Ma", mine=mine), language)


def test_steps_are_chosen_and_undone() -> None:
    table = desk()
    assert table.type("Tu d3") == "Chosen: put Tuna on d3.\n"
    assert table.type("undo") == "Undone: put Tuna on d3.\n"
    assert table.steps == ""
    assert table.type("undo") == "There is nothing to undo.\n"


def test_a_part_of_the_table_is_read_on_request() -> None:
    table = desk()
    assert "b3 Tempura, c3 Maki" in table.type("board")
    assert "b3 Tempura, c3 Maki" in table.type("line 3")
    assert table.type("what is c3") == "c3: Maki\n"
    assert "1 Rice, 2 Tuna" in table.type("hand")
    assert "Tuna " in table.type("pantry")
    assert "points" in table.type("points")
    assert "what is d3" in table.type("what is it")
    assert "line b" in table.type("line")
    assert desk("it").type("cosa c'è in b3").startswith("b3: ")


def test_enter_takes_the_default_and_then_sends() -> None:
    table = desk()
    table.type("Tu d3", "", "", "", "", "", "")
    assert table.steps.startswith("place Tu d3; claim ")
    assert table.turn.draft.complete
    assert not table.turn.sent
    table.type("")
    assert table.turn.sent


def test_enter_without_a_default_says_so() -> None:
    assert "Enter chooses nothing here" in desk().type("")


def test_several_steps_on_a_line_are_taken_together_or_not_at_all() -> None:
    table = desk()
    assert "already placed" in table.type("Ri a1; Tu b4")
    assert "b3 is taken" in table.type("Tu b3")
    assert table.steps == ""
    table.type("Tu e6; cu")
    assert table.steps == "place Tu e6; done; tile Cu"


def test_a_complete_part_takes_nothing_more() -> None:
    assert "end it, or undo" in desk().type("Tu e6; cu", "Ri a1")


def test_sending_needs_something_to_send() -> None:
    table = desk()
    assert "still something to choose" in table.type("finish")
    assert "still something to choose" in table.type("send"), "its older name"
    table.type("Tu e6; cu", "send")
    assert table.turn.sent


def test_the_steps_of_a_line_may_end_with_the_command_that_sends_them() -> None:
    table = desk()
    table.type("Tu e6; cu; finish")
    assert table.turn.sent
    assert table.steps == "place Tu e6; done; tile Cu"
    refused = desk()
    assert "already placed" in refused.type("Ri a1; Tu b4; finish")
    assert refused.steps == ""
    assert not refused.turn.sent


@pytest.mark.parametrize("word", ["yes", "+", ""])
def test_yes_is_enter(word: str) -> None:
    table = desk()
    table.type("Tu e6; cu", word)
    assert table.turn.sent


def test_what_would_be_lost_is_said_once() -> None:
    table = desk()
    said = table.type("Tu d3", "cu")
    assert "You would lose Crunchy Tuna, Tekkamaki" in said
    assert table.steps == "place Tu d3"
    table.type("cu")
    assert table.steps == "place Tu d3; done; tile Cu"


def test_declining_what_is_offered() -> None:
    table = desk()
    table.type("Tu d3", "no", "cu")
    assert table.steps == "place Tu d3; done; tile Cu"
    assert "nothing to decline" in desk().type("no")
    full = Desk(seen(turn="7, seat 1, restock", mine="tiles Tu Av Ri | cards Ch St", more="this turn: rewards 1"))
    full.type("0")
    assert full.steps == "forgo"


def test_help_sums_up_what_may_be_done_and_explains_it() -> None:
    said = desk().type("?")
    assert "place Ri Tu Av | a1-e1" in said
    assert "chop b3 c3" in said
    assert "Placing" in said
    assert "Commands: yes, board, codes, hand, ?, hint" in said
    assert len(said.splitlines()) < 24


def test_the_table_shows_what_was_chosen_as_this_turns_change() -> None:
    said = desk().type("Tu d3", "show")
    assert "Tu?" in said
    assert "your turn" in said
    complete = desk().type("Tu e6; cu", "show")
    assert "your turn" in complete


def test_the_recipe_book_marks_own_and_completed_recipes() -> None:
    table = Desk(seen(mine=MINE, theirs="tiles Cu Cr Eg | claimed carrot-top"))
    said = table.type("recipes")
    assert "> Crunchy Tuna " in said
    assert "x Carrot Top" in said
    assert len(said.splitlines()) < 32


@pytest.mark.parametrize(
    ("language", "done", "words"),
    [("en", "done", "went on to the rest of the turn."), ("it", "fine", "ha proseguito con il resto del turno.")],
)
def test_ending_a_part_of_the_turn_does_not_say_that_the_turn_ends(language: str, done: str, words: str) -> None:
    hand, more = "cards Ch | recipes mirugai sake-avo-maki", "display: Ch Sw St\nthis turn: serving"
    serving = seen(turn="7, seat 1, serve", mine=hand, theirs="cards -", more=more, edition="master")
    table = Desk(serving, language)
    assert table.type(done).endswith(f": {words}\n")
    assert table.type("undo").endswith(f": {words}\n")


def test_ending_the_turn_is_called_so() -> None:
    table = desk(mine="tiles Tu Av Ri | cards Ch | recipes tekkamaki crunchy-tuna green-dragon")
    assert table.type("chop b3 b3", "done", "undo") == "Undone: ended the turn.\n"


def test_the_recipe_book_tells_what_each_recipe_is_worth() -> None:
    assert "Crunchy Tuna         Te Ma Tu 3★1" in desk().type("recipes")
    hand, display = "cards - | recipes mirugai", "display: Ch Sw St"
    for language, words in (("en", "recipes"), ("it", "ricette")):
        master = Desk(seen(mine=hand, theirs="cards -", more=display, edition="master"), language)
        said = master.type(words)
        assert f"Cl Ri 2+{'card' if language == 'en' else 'carta'}" in said
        assert "Tu Cu Oc Ri 8★2" in said
        assert "Cl Ri Oc Sc Pi 10★3" in said
        assert max(map(len, said.splitlines())) <= WIDTH


def test_topics_of_the_rules() -> None:
    assert "Topics: Goal, The rules on one page, Setup" in desk().type("rules")
    told = desk().type("rules wasabi")
    assert told.startswith("Wasabi!\n")
    assert "Type wasabi and the top left square, such as wasabi c2." in told, "here words are typed"
    assert "There is no topic soup." in desk().type("rules soup")
    assert desk("it").type("regole stile").startswith("Completare con stile\n")


def test_the_other_answers() -> None:
    assert "Tu Tuna" in desk().type("codes")
    assert desk().type("under") == "There is nothing underneath.\n"
    assert desk().type("log") == "Nothing has happened yet.\n"
    assert "Ana: nothing completed yet" in desk().type("who")
    for words in ("hint", "i"):
        assert "I would play: place Tu d3; claim 7" in desk().type(words)


def test_a_hint_looks_at_what_was_chosen_already() -> None:
    assert "I would play: claim" in desk().type("Tu d3", "hint")


def test_leaving_and_quitting() -> None:
    table = desk()
    assert "Leave for good?" in table.type("leave")
    table.type("show")
    table.type("leave")
    with pytest.raises(LeaveGame):
        table.type("leave")
    with pytest.raises(InputEnded):
        desk().type("quit")


def test_commands_work_in_both_languages_on_an_italian_screen() -> None:
    for word in ("annulla", "undo"):
        assert desk("it").type("Tu d3", word) == "Annullato: ha piazzato Tonno in d3.\n"
    assert find_command("annulla", Texts("en")) is None


def test_a_command_followed_by_words_is_no_command_unless_it_takes_some() -> None:
    assert find_command("leave 2", Texts("en")) is None
    assert find_command("rules end", Texts("en")) == ("rules", "end")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_answer_is_wider_than_the_screen(language: str) -> None:
    texts = Texts(language)
    table = desk(language)
    table.turn.run_line("Tu d3")
    for command, words in texts.words("command").items():
        if command not in ("quit", "leave", "undo", "send", "no"):
            assert max(map(len, table.type(words.split()[0]).splitlines())) <= WIDTH


WORDS = st.sampled_from(
    [
        *(
            "Tu",
            "tu",
            "Av",
            "Ri",
            "d3",
            "a1",
            "e6",
            "z9",
            "3",
            "6",
            "7",
            "99",
            "2.3",
            "@",
            "-1",
            "é",
            "{}",
            "%s",
            "\u202e",
        ),
        *(
            "place",
            "claim",
            "pass",
            "done",
            "chop",
            "wasabi",
            "draw",
            "tile",
            "take",
            "swap",
            "forgo",
            "crunchy",
            "tuna",
        ),
        *("Wa", "Ch", "all", ";", ";;", "undo", "no", "send", "show", "leave", "?", "rules", "hint", "log", "★"),
    ]
)
LINES = st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=9).map(" ".join))


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=6))
def test_nothing_that_is_typed_raises_or_changes_the_game(lines: list[str]) -> None:
    table = desk()
    base = table.turn.draft.base
    digest = base.rules.digest(base.position)
    for line in lines:
        try:
            table.type("".join(char if char.isprintable() else " " for char in line))
        except (InputEnded, LeaveGame):
            break
    assert base.rules.digest(base.position) == digest
    if table.turn.sent:
        base.rules.apply_bundle(base.position, table.turn.draft.bundle())


def test_what_is_said_reaches_the_others_as_it_was_typed() -> None:
    table = Desk(seen("b3=Te c3=Ma", mine=MINE), online=True)
    assert table.type("say Nice ONE, Ana!") == ""
    assert table.said == ["Nice ONE, Ana!"]
    assert desk().type("say hello") == "There is nobody here to talk to.\n"


def test_a_table_without_hints_gives_none() -> None:
    assert Desk(seen("b3=Te c3=Ma", mine=MINE), online=True).type("hint") == "There are no hints at this table.\n"
