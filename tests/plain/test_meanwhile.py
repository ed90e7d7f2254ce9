"""While others move at a table online, a turn can be composed line by line, left, seen and taken back."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from tests.brokers import PATIENCE
from tests.tui.scripted import TALKING, ScriptedGame, others_move, waiting_game
from wasabi_tx.engine.errors import Illegal
from wasabi_tx.engine.position import Outcome
from wasabi_tx.games.game import Ended, PlanDropped, Played, Said
from wasabi_tx.games.plans import NO_PLANS, NotPlayed, Plans
from wasabi_tx.online.rules_adapter.history import History
from wasabi_tx.online.terms import make_terms
from wasabi_tx.plain.console import Console
from wasabi_tx.plain.session import PlainSession
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.turn.commands import LATER, MEANWHILE
from wasabi_tx.view.log.chronicle import Chronicle, with_plans
from wasabi_tx.view.table.plain_table import WIDTH

OVER = Ended(Outcome("given-up", (), (0, 0, 0)))


class Desk:
    """Somebody who plays line by line at a scripted table, over a real pipe."""

    def __init__(self, game: ScriptedGame, language: str) -> None:
        self.game = game
        self.texts = Texts(language)
        self.said: list[str] = []
        read, self._write = os.pipe()
        self._source = os.fdopen(read)
        self._screen = io.StringIO()
        chronicle = Chronicle(game.rules, game.players, self.texts)
        console = Console(self._source, self._screen)
        self.react: Callable[[str], object] = lambda _line: None
        """Called with each line as soon as it appears, to let something happen at the table."""
        self._session = PlainSession(game, console, self.texts, chronicle, "FILE", self._talk)
        self._running: asyncio.Task[bool] | None = None

    @property
    def words(self) -> str:
        """Return everything that was printed, with single spaces between words."""
        return " ".join(self._screen.getvalue().split())

    @property
    def widest(self) -> int:
        return max(map(len, self._screen.getvalue().splitlines()))

    def say(self, key: str, **params: object) -> str:
        return self.texts.say(key, **params)

    def _talk(self, line: str) -> None:
        self.said.append(line)
        self.react(line)

    async def sit(self) -> None:
        self._running = asyncio.create_task(self._session.run())
        await self.until(lambda: len(self.words) > 0)

    async def until(self, condition: Callable[[], bool]) -> None:
        assert self._running is not None
        async with asyncio.timeout(PATIENCE):
            while not condition():
                assert not self._running.done(), self.words
                await asyncio.sleep(0)

    async def type(self, *lines: str) -> str:
        """Type these lines at once, wait until all are answered, and return the answer."""
        before, count = len(self._screen.getvalue()), len(self.said)
        self.write(*lines, "say that is all")
        await self.until(lambda: "that is all" in self.said[count:])
        return " ".join(self._screen.getvalue()[before:].split())

    def write(self, *lines: str) -> None:
        os.write(self._write, "".join(f"{line}\n" for line in lines).encode())

    def hang_up(self) -> None:
        if self._write >= 0:
            os.close(self._write)
        self._write = -1

    async def ended(self) -> bool:
        assert self._running is not None
        async with asyncio.timeout(PATIENCE):
            return await self._running

    def close(self) -> None:
        self.hang_up()
        self._source.close()


@contextmanager
def desk(game: ScriptedGame | None = None, language: str = "en") -> Iterator[Desk]:
    table = Desk(game or waiting_game(), language)
    try:
        yield table
    finally:
        table.close()


def their_turn(game: ScriptedGame, line: str = "go on") -> None:
    """Let the others move until it is the turn of this screen's seat."""
    while line == "go on" and game.position.mover != game.viewer:
        game.happens(others_move(game))


TURN = ("Ri f4; Tu", "")
"""Return the lines of a whole turn of Bo, who is next, followed by Enter."""
AFTER = ("Ye f5; Sa", "")


@pytest.mark.parametrize(("language", "plan"), [("en", "plan"), ("it", "prepara"), ("it", "n")])
async def test_a_turn_is_composed_and_left(language: str, plan: str) -> None:
    with desk(language=language) as table:
        game, turn = table.game, table.game.position.turn + 1
        await table.sit()
        assert table.words.count(table.say("play.meanwhile")) == 1
        answer = await table.type(plan, *TURN)
        assert table.say("play.planning", turn=turn) in answer
        assert table.say("prompt.send-later", turn=turn) in answer
        assert table.say("prompt.send-how") not in answer
        assert table.say("plans.plan", turn=turn, steps="").rstrip(" .") in answer
        (one,) = game.plans.turns
        assert (one.turn, one.steps) == (turn, "place Ri f4; done; tile Tu")
        assert game.asked == [("save_plans", 1)], "nothing is sent"
        assert table.words.count(table.say("play.meanwhile")) == 1, "how to do it is said once"
        assert table.widest <= WIDTH


async def test_plans_are_seen_and_taken_back_one_by_one() -> None:
    with desk() as table:
        await table.sit()
        for word in ("plans", "undo", "back"):
            assert (await table.type(word)).endswith("You have no plan for later turns.")
        await table.type("n", *TURN)
        await table.type("n", *AFTER)
        answer = await table.type("plans")
        assert "Your plan for turn 10: put Rice on f4, take Tuna. Played then if nothing has changed" in answer
        assert "Your plan for turn 13: put Yellowtail on f5, take Salmon." in answer
        answer = await table.type("undo")
        assert "Taken back: turn 13, put Yellowtail on f5, take Salmon. Your plan for turn 10: put Rice on f4" in answer
        assert (await table.type("undo")).endswith("Taken back: turn 10, put Rice on f4, take Tuna.")
        assert table.game.plans == NO_PLANS


async def test_the_turn_after_is_composed_on_what_was_left() -> None:
    with desk() as table:
        await table.sit()
        await table.type("plan", *TURN)
        answer = await table.type("plan", *AFTER)
        assert "You are planning turn 13" in answer
        assert [one.turn for one in table.game.plans.turns] == [10, 13]


async def test_a_turn_that_draws_a_card_is_asked_for_to_its_end() -> None:
    with desk() as table:
        await table.sit()
        answer = await table.type("plan", "pass 6 7", "2", "3", "")
        assert answer.count("You are planning turn 10") == 1
        assert answer.count("Draw a recipe") == 2
        (one,) = table.game.plans.turns
        assert one.steps.endswith("draw 2; draw 3")


async def test_planning_can_be_stopped_and_nothing_is_left() -> None:
    with desk() as table:
        await table.sit()
        answer = await table.type("plan", "Ri f4", "stop")
        assert answer.endswith("You have stopped planning ahead.")
        assert table.game.asked == []
        assert "Ri f4" not in await table.type("plans")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_help_and_enter_say_how(language: str) -> None:
    texts = Texts(language)
    how = texts.say("play.meanwhile-all")
    for command in MEANWHILE | {"undo"}:
        assert f"{texts.words('command')[command].split()[0]}," in how
    assert texts.words("command")["plan"].split()[0] in texts.say("play.meanwhile")
    for command in LATER:
        assert texts.words("command")[command].split()[0] in texts.say("play.planning", turn=1)
    with desk(language=language) as table:
        await table.sit()
        answer = await table.type("?")
        assert how in answer
        assert texts.words("command")["plan"].split()[0] in answer
        assert texts.words("command")["hint"].split()[0] not in answer, "there is no hint for another's turn"
        answer = await table.type("")
        assert f"{texts.say('header.playing', name='Ana')}. {texts.say('play.meanwhile')}" in answer
        for line in ("Ri f4", "hint", "no", "finish", "\x1b[A"):
            assert texts.say("error.not-your-turn") in await table.type(line)
        assert table.widest <= WIDTH


async def test_the_table_is_looked_at_and_talked_at_while_others_move() -> None:
    with desk() as table:
        await table.sit()
        answer = await table.type("show", "who", "recipes", "rules goal", "codes", "log", "say Take your time")
        assert "Ana to move" in answer
        assert "Carrot Top" in answer
        assert "Nothing has happened yet." in answer
        assert table.said[0] == "Take your time"


async def test_what_happens_is_told_and_the_lines_after_it_are_still_heard() -> None:
    with desk() as table:
        await table.sit()
        table.game.happens(Said(0, "", "hello"))
        await table.until(lambda: "Ana: hello" in table.words)
        assert "Ana is playing." in await table.type("")


async def test_what_was_composed_is_at_hand_when_the_turn_comes_meanwhile() -> None:
    with desk() as table:
        game = table.game
        table.react = partial(their_turn, game)
        await table.sit()
        table.write("plan", "say go on", "Ri f5; Tu", "", "finish")
        await table.until(lambda: ("submit", game.viewer) in game.asked)
        assert ("save_plans", 1) not in game.asked
        assert "Ready: put Rice on f5, took Tuna." in table.words.split("It is your turn now")[1]


async def test_a_step_that_can_no_longer_be_taken_is_told_and_the_turn_asked_for() -> None:
    with desk() as table:
        game = table.game
        (place,) = [step for step in others_move(game).bundle.steps if step.verb == "place"]
        square = game.rules.grid.names[place.args[1]]
        table.react = partial(their_turn, game)
        await table.sit()
        table.write("plan", "say go on", f"Ri {square}; Tu", "", "quit")
        assert not await table.ended()
        after = table.words.split("It is your turn now")[1]
        assert f"{square} is taken. Place a tile" in after
        assert "The turn that you had not ended" not in after


async def test_who_comes_back_hears_what_is_left_and_why_it_was_not_played() -> None:
    game = waiting_game()
    with desk(game) as table:
        await table.sit()
        await table.type("plan", *TURN)
    with desk(game) as table:
        await table.sit()
        assert "Your plan for turn 10: put Rice on f4, take Tuna." in table.words
    their_turn(game)
    why = NotPlayed(game.position.turn, "square", "f4")
    game.plans = Plans((), why)
    with desk(game) as table:
        game.happens(PlanDropped(why))
        table.write("quit")
        await table.sit()
        await table.ended()
        assert table.words.count("Your plan was not played: f4 has changed.") == 1


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (("gone", "", "tile Ro"), "Your plan was not played: the Roe that you wanted is gone."),
        (("gone", "", "take Sp"), "Your plan was not played: the Spicy! that you wanted is gone."),
        (("gone", "", "draw 3"), "was not played: the recipe of 3 tiles that you wanted is gone."),
        (("gone", "", "nonsense"), "Your plan was not played: it is no longer possible."),
        (("square", "f4", "", (13,)), "f4 has changed. Your plan for turn 13 is dropped too."),
        (("illegal", "", "", (13, 16)), "no longer possible. Your plans for turns 13, 16 are dropped too."),
    ],
)
async def test_on_the_own_turn_one_can_ask_why_a_plan_was_not_played(why: tuple[Any, ...], told: str) -> None:
    game = waiting_game()
    their_turn(game)
    game.plans = Plans((), NotPlayed(game.position.turn, *why))
    with desk(game) as table:
        table.write("plans", "quit")
        await table.sit()
        await table.ended()
        assert table.words.count(told) == 2, "as soon as one looks, and once more"


async def test_on_the_own_turn_one_can_ask_what_is_planned() -> None:
    game = waiting_game()
    their_turn(game)
    with desk(game) as table:
        table.write("plans", "quit")
        await table.sit()
        await table.ended()
        assert "You have no plan for later turns." in table.words


async def test_what_cannot_be_left_gets_a_sentence() -> None:
    with desk() as table:
        await table.sit()
        table.game.refusal = Illegal("not-here")
        assert table.say("error.not-here") in await table.type("plan", *TURN)
        assert table.game.plans == NO_PLANS
        table.game.can = TALKING
        assert (await table.type("plan")).endswith("Nothing can be planned ahead now.")


async def test_leaving_for_good_is_asked_twice_while_others_move_too() -> None:
    with desk() as table:
        await table.sit()
        assert "Leave for good?" in await table.type("leave")
        assert table.game.asked == []
        await table.type("leave", "leave")
        assert table.game.asked == [("leave", table.game.viewer)]


async def test_quitting_while_others_move_and_while_planning() -> None:
    with desk() as table:
        await table.sit()
        table.write("quit")
        assert not await table.ended()
        assert "Your game is saved as FILE." in table.words
        assert "that you had not ended" not in table.words
    with desk() as table:
        await table.sit()
        table.write("plan", "Ri f4", "quit")
        assert not await table.ended()
        assert "The turn that you had not ended is not saved." in table.words


async def test_the_end_of_a_script_ends_nothing_before_it_is_asked() -> None:
    with desk() as table:
        await table.sit()
        table.hang_up()
        table.game.happens(Said(0, "", "hello"))
        await table.until(lambda: "Ana: hello" in table.words)
        their_turn(table.game)
        assert not await table.ended()
        assert "Place a tile" in table.words


async def test_a_game_that_ends_while_others_move_is_over_here_too() -> None:
    with desk() as table:
        await table.sit()
        table.game.happens(OVER)
        assert await table.ended()


async def test_without_others_nothing_is_heard_before_it_is_asked() -> None:
    game = ScriptedGame(waiting_game().viewer, can=TALKING)
    with desk(game) as table:
        table.write("quit")
        await table.sit()
        game.happens(Said(0, "", "hello"))
        await table.until(lambda: "Ana: hello" in table.words)
        assert table.say("play.meanwhile") not in table.words
        their_turn(game)
        assert not await table.ended()
        assert "Place a tile" in table.words


def test_who_comes_back_is_told_what_they_missed_and_nothing_that_they_know() -> None:
    game, texts, out = waiting_game(), Texts("en"), io.StringIO()
    moves: list[Played] = []
    start = game.position
    while len(moves) < 3 or game.position.mover == game.viewer:
        moves.append(others_move(game))
        game.position = moves[-1].after
    game.plans = Plans(played=(start.turn + 1,))
    terms = make_terms(game.rules, 3, 3)
    history = History(terms=terms, players=game.players, start=start, changes=tuple(moves), known=1, outcome=None)
    chronicle = Chronicle(game.rules, game.players, texts)
    session = PlainSession(game, Console(io.StringIO(), out), texts, chronicle, "FILE", history=history)
    game.happens(Said(0, "", "hello"), OVER)
    asyncio.run(session.run())
    said = " ".join(out.getvalue().split())
    assert f"You are back in turn {game.position.turn}. Type ? at any time. While you were away:" in said
    told = said.split("While you were away:")[1].split("Ana: hello")[0]
    unseen = [with_plans(entry, game.viewer, game.plans) for entry in chronicle.entries if entry.turn > start.turn]
    for entry in unseen:
        assert " ".join(chronicle.line(entry, game.viewer).split()) in told
    assert "You (as planned) put" in told
    assert game.viewer in {entry.seat for entry in unseen}, "a turn of theirs that was played for them too"
    assert "You drew" not in said, "what they hold is not news"
