"""Whole games, line by line."""

from __future__ import annotations

import asyncio
import io
from itertools import pairwise

import pytest

from tests.plain.typist import Sitting, Typist, good, load, sit_down
from tests.tui.scripted import ScriptedGame
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.position import Outcome
from wasabi_tx.engine.step import Step
from wasabi_tx.games.game import Can, Ended, Excluded, Overdue, Player, Said, SeatState, SeatStates
from wasabi_tx.plain.console import Console
from wasabi_tx.plain.session import PlainSession
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.log.chronicle import Chronicle
from wasabi_tx.view.table.plain_table import WIDTH

ALONE = (Player("Ana"), Player("Udon", "normal"))
TWO = (Player("Ana"), Player("Bo"))
MIXED = (Player("Ana"), Player("Bo"), Player("Udon", "random"))


def checked(followed: Sitting) -> Sitting:
    """Check that the game is over, that it is saved whole, and that no line was too wide."""
    assert followed.ended
    assert load(followed.transcript).last.outcome is not None
    assert max(map(len, followed.lines)) <= WIDTH
    assert "\x1b" not in followed.output
    return followed


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_against_a_bot(language: str) -> None:
    followed = checked(sit_down(ALONE, "7", language=language, advice=good))
    position = load(followed.transcript).last
    assert position.outcome is not None
    texts = Texts(language)
    assert position.outcome.winners == (0,)
    mine, best = position.outcome.scores
    assert texts.say("ending.you-win", mine=mine, best=best) in followed.output
    assert texts.say("ending.nothing") not in followed.output
    recipe = position.seats[0].claimed[0].recipe
    assert rules_for("classic", 2).edition.recipes[recipe].names[language] in followed.output


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_at_one_keyboard(language: str, edition: str) -> None:
    checked(sit_down(TWO, "3", language=language, edition=edition))


@pytest.mark.parametrize(("language", "drew"), [("en", "You drew "), ("it", "Hai pescato ")])
def test_a_short_recipe_of_the_second_edition_is_drawn_with_the_card_that_it_gives(language: str, drew: str) -> None:
    texts, edition = Texts(language), rules_for("master", 2).edition
    output = " ".join(sit_down(TWO, "3", language=language, edition="master").output.split())
    drawn = [one for one in edition.recipes if f"{drew}{one.names[language]}: " in output]
    assert {one.length for one in drawn} > {2}
    for one in drawn:
        strip = " ".join(edition.ingredients[tile - 1].code for tile in one.strip.tiles)
        key = "play.drawn-card" if one.length == 2 else "play.drawn-style"
        name = one.names[language]
        assert texts.say(key, recipe=name, strip=strip, points=one.points, style=one.style) in output


def test_what_is_typed_liberally_plays_the_same_game() -> None:
    strict = checked(sit_down(TWO, "4", language="it"))
    liberal = checked(sit_down(TWO, "4", language="it", liberal=True))
    assert strict.transcript == liberal.transcript
    assert strict.typed != liberal.typed


def test_the_same_lines_from_a_pipe_play_the_same_game() -> None:
    first = checked(sit_down(MIXED, "5"))
    again = checked(sit_down(MIXED, "5", typed="\n".join(first.typed) + "\n"))
    assert first.transcript == again.transcript


def test_bots_moves_are_told_in_a_line_each() -> None:
    followed = sit_down(ALONE, "7", most=20)
    told = [line for line in followed.lines if line.startswith("  Udon ")]
    assert len(told) >= 3
    assert any(" to you" in line for line in told)


def test_nothing_secret_is_printed_for_other_eyes() -> None:
    """Check every printed line against the hands of all who do not sit at the keyboard."""
    names = [recipe.names["en"] for recipe in rules_for("classic", 3).edition.recipes]
    checks = 0

    def watch(typist: Typist, said: str) -> None:
        nonlocal checks
        assert typist.game is not None
        reader = typist.reader(" ".join(said.splitlines()[-3:]))
        game = typist.game
        seated = game.position.mover if reader is ... else reader
        for seat in (0, 1):
            if seat != seated:
                faces = game.seen_by(seat).faces.values()
                assert not [names[face] for face in faces if names[face] in said]
                checks += len(faces)

    checked(sit_down(MIXED, "8", watch=watch))
    assert checks > 200


def test_before_the_first_curtain_nobody_sees_a_hand() -> None:
    followed = sit_down(TWO, "1", most=0)
    assert "Hand" not in followed.output
    assert "Pass the keyboard to" in followed.output


def test_a_curtain_falls_between_people_and_only_then() -> None:
    followed = checked(sit_down(TWO, "3"))
    transcript = load(followed.transcript)
    movers = [move.seat for move in transcript.moves]
    changes = sum(one != other for one, other in pairwise(movers)) + 1
    assert followed.output.count("press Enter when you are ready") == changes
    assert "press Enter when you are ready" not in sit_down(ALONE, "7", most=12).output


def test_the_end_of_input_at_any_line_leaves_a_game_that_goes_on_the_same() -> None:
    whole = checked(sit_down(TWO, "9"))
    for lines in (*range(24), 40, 61, 90):
        cut = sit_down(TWO, "9", most=lines)
        assert not cut.ended
        assert "wasabi-tx resume" in " ".join(cut.lines[-2:])
        assert whole.transcript.startswith(cut.transcript)
        later = sit_down(TWO, "9", most=8, earlier=cut.transcript)
        assert whole.transcript.startswith(later.transcript)
        assert len(later.transcript) > len(cut.transcript)


def test_a_game_with_bots_goes_on_the_same_after_it_was_closed() -> None:
    whole = checked(sit_down(MIXED, "5"))
    cut = sit_down(MIXED, "5", most=31)
    assert checked(sit_down(MIXED, "5", earlier=cut.transcript)).transcript == whole.transcript


def test_a_game_whose_file_was_cut_anywhere_goes_on_the_same() -> None:
    whole = checked(sit_down(TWO, "9"))
    start = whole.transcript.index("--- turn 0") + 60
    for size in range(start, len(whole.transcript), len(whole.transcript) // 23):
        later = sit_down(TWO, "9", most=8, earlier=whole.transcript[:size])
        assert whole.transcript.startswith(later.transcript)


def test_quitting_says_what_is_lost() -> None:
    followed = sit_down(ALONE, "7", typed="\n\nquit\n")
    assert not followed.ended
    assert "The turn that you had not ended is not saved." in followed.output
    assert "Your game is saved as FILE." in followed.output


def test_quitting_works_at_a_curtain() -> None:
    followed = sit_down(TWO, "1", typed="esci\nquit\n", language="it")
    assert followed.lines[-1] == "La partita è salvata in FILE. Per continuarla: wasabi-tx resume --plain"
    assert followed.output.count("> ") == 1


def test_leaving_is_asked_twice_and_ends_a_game_of_two() -> None:
    followed = sit_down(ALONE, "7", typed="leave\n\nleave\nleave\n")
    assert followed.ended
    assert "Udon wins." in followed.output
    assert "That ends the game." in followed.output
    assert "The bots finish the game." not in followed.output
    assert load(followed.transcript).last.outcome is not None


def test_when_the_only_person_leaves_the_bots_finish_the_game() -> None:
    players = (Player("Ana"), Player("Udon", "random"), Player("Miso", "random"))
    followed = checked(sit_down(players, "7", typed="leave\nleave\n"))
    assert "The bots finish the game." in followed.output
    assert "Ana (left)" in followed.output


def test_who_is_waited_for_is_said_once_and_two_are_asked_what_it_means_for_two() -> None:
    texts, out, game = Texts("en"), io.StringIO(), ScriptedGame(seat=2)
    console = Console(io.StringIO("n\ny\n"), out)
    session = PlainSession(game, console, texts, Chronicle(game.rules, game.players, texts), "FILE")
    alone = game.rules.apply(game.position, Step("exclude", (0,)))
    game.happens(
        *(Overdue(1, "away", seconds) for seconds in range(2, 30)), Overdue(1, "away", 0),
        *(Overdue(1, "away", seconds) for seconds in range(2, 12)), Overdue(1, "away", 60, votable=True),
        Overdue(1, "away", 0), Excluded(0, (1, 2), alone), Overdue(1, "clock", 60, votable=True),
        Ended(Outcome("given-up", (), (0, 0, 0))),
    )  # fmt: skip
    assert asyncio.run(session.run())
    said = " ".join(out.getvalue().split())
    assert said.count(texts.say("news.waiting-away", name="Bo")) == 2, "again only when something changed"
    assert said.count(texts.say("play.vote", name="Bo")) == 1
    assert said.count(texts.say("play.give-up", name="Bo")) == 1
    assert game.asked == [("vote", 1, True)]


def test_what_others_are_doing_is_said_line_by_line_and_composing_once_a_turn() -> None:
    texts, out, game = Texts("en"), io.StringIO(), ScriptedGame(seat=2)
    session = PlainSession(game, Console(io.StringIO(), out), texts, Chronicle(game.rules, game.players, texts), "FILE")
    here = SeatState.HERE
    for state in ("composing", "here", "composing", "paused", "here", "reconnecting", "here", "closed", "away", "here"):
        game.happens(SeatStates((SeatState(state), here, here)))
    game.happens(SeatStates((here, here, SeatState.PAUSED)), Ended(Outcome("given-up", (), (0, 0, 0))))
    assert asyncio.run(session.run())
    said = out.getvalue().splitlines()
    told = [key for line in said for key in ("composing", "paused", "reconnecting", "closed", "back")
            if line == texts.say(f"news.seat-{key}", name="Ana")]  # fmt: skip
    assert told == ["composing", "paused", "back", "reconnecting", "back", "closed", "back"]
    assert not any("Chiara" in line for line in said[2:] if "paused" in line), "nobody is told of themselves"


def test_others_see_that_a_turn_is_begun_and_nothing_of_it() -> None:
    texts, game = Texts("en"), ScriptedGame()
    game.viewer = game.position.mover
    place = game.rules.grammar.format(game.observation.legal()[0])
    shown: list[SeatState] = []
    chronicle = Chronicle(game.rules, game.players, texts)
    console = Console(io.StringIO(f"show\n{place}\nundo\n{place}\nquit\n"), io.StringIO())
    session = PlainSession(game, console, texts, chronicle, "FILE", doing=shown.append)
    assert not asyncio.run(session.run())
    assert shown == [SeatState.COMPOSING, SeatState.HERE, SeatState.COMPOSING]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pause_the_invites_and_muted_talk_have_lines(language: str) -> None:
    texts, game, out = Texts(language), ScriptedGame(can=Can.PLAY | Can.CHAT | Can.VOTE | Can.INVITE), io.StringIO()
    game.viewer = game.position.mover
    place = game.rules.grammar.format(game.observation.legal()[0])
    words = {command: texts.say(f"command.{command}").split()[0] for command in ("pause", "invite", "mute")}
    typed = (words["pause"], "", place, words["pause"], "anything", words["invite"], "?", words["mute"], "quit")
    shown: list[SeatState] = []
    session = PlainSession(
        game, Console(io.StringIO("\n".join(typed) + "\n"), out), texts, Chronicle(game.rules, game.players, texts),
        "FILE", doing=shown.append, invites=("to play: wasabi:abc",),
    )  # fmt: skip
    assert not asyncio.run(session.run())
    paused, here, composing = SeatState.PAUSED, SeatState.HERE, SeatState.COMPOSING
    assert shown == [paused, here, composing, paused, composing], "a pause ends as it began"
    said = " ".join(out.getvalue().split())
    assert said.count(texts.say("play.paused")) == 2
    assert "to play: wasabi:abc" in said
    assert texts.say("play.muted") in said
    unknown = [word for word in words.values() if f" {word}," not in said and f" {word}." not in said]
    assert unknown == [], "? lists them"


def test_muted_talk_is_not_read_until_it_is_wanted_again() -> None:
    texts, out, game = Texts("en"), io.StringIO(), ScriptedGame()
    game.viewer = game.position.mover
    session = PlainSession(
        game, Console(io.StringIO("mute\nmute\nquit\n"), out), texts, Chronicle(game.rules, game.players, texts), "FILE"
    )
    session._mute()
    game.happens(Said(1, "Bo", "psst"), Ended(Outcome("given-up", (), (0, 0, 0))))
    game.viewer = 2
    assert asyncio.run(session.run())
    assert "psst" not in out.getvalue()
    assert texts.say("play.muted") in out.getvalue()


def test_at_a_table_without_others_there_is_nobody_to_pause_for() -> None:
    out = sit_down(ALONE, "7", typed="pause\nmute\ninvite\nquit\n").output
    for word in ("pause", "mute", "invite"):
        assert Texts("en").say("typed.nothing", text=word) in " ".join(out.split())


def test_the_others_play_on_when_one_of_several_people_leaves() -> None:
    players = (Player("Ana"), Player("Bo"), Player("Chiara"))
    first = load(sit_down(players, "2", most=0).transcript).start.mover
    followed = sit_down(players, "2", typed="\nleave\nleave\n\n\nshow\n")
    transcript = load(followed.transcript)
    assert transcript.last.seats[first].gone
    assert transcript.last.mover not in (first, -1)


def test_undo_twice_takes_the_last_turn_back_and_it_can_be_played_again() -> None:
    begun = [
        "give Pi; give Cr; give Ye",
        "",
        "draw 2",
        "",
        "draw 3",
        "",
        "draw 4",
        "",
        "place Ye c6; done; tile To",
        "",
    ]
    turn = ["place Sc b2; done; tile Ye", ""]
    plain = sit_down(ALONE, "7", typed="\n".join([*begun, *turn, "quit\n"]))
    told = sit_down(ALONE, "7", typed="\n".join([*begun, *turn, "undo", "undo", *turn, "log", "undo", "no", "quit\n"]))
    words = " ".join(told.output.split())
    assert words.count("Type undo again to take back your last turn") == 2
    assert words.count("Taken back: it is turn") == 1
    assert told.transcript == plain.transcript
    log = words[words.index("Taken back") :]
    assert log.count("Ana put Scallop on b2") == 1, "it is in the log once"


def test_after_the_first_turn_only_what_has_changed_is_read() -> None:
    """The board is drawn once; whoever wants it again asks for it."""
    read = sit_down(ALONE, "7", most=26, liberal=True, advice=good).output
    grids = [line for line in read.splitlines() if line.split() == list("abcde")]
    assert len(grids) == 1
    turns = [line for line in read.splitlines() if line.startswith("  First edition - turn ") or " - your turn" in line]
    assert len(turns) > 3
    assert read.count("Cards: none") <= 2, "said once, and again when it has become true again"
