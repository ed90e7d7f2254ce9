"""The surroundings of a table: the connection, who is away, what went wrong, playing again."""

from __future__ import annotations

import pytest

from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position import Outcome
from wasabi_tx.engine.step import Step
from wasabi_tx.games.game import (
    Delivery,
    Ended,
    Excluded,
    InvalidEntry,
    Link,
    OtherRun,
    Overdue,
    Played,
    RematchWished,
    Rewound,
    Said,
    SeatState,
    SeatStates,
    SetupProgress,
    Vote,
    Watchers,
)
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.ending import EndPage, EndPicture
from wasabi_tx.tui.widgets.painted import Painted

from .memory_games import choose
from .scripted import AWAY, HERE, ScriptedGame, at_table


async def test_the_connection_shows_in_one_place_of_the_header_and_the_board_stays() -> None:
    async with at_table(ScriptedGame()) as seen:
        assert seen.panel("header").endswith("●")
        assert "table koi" in seen.panel("header")
        players = seen.panel("players")
        await seen.hear(Link(False, "timeout"))
        assert seen.panel("header").endswith("○ reconnecting…")
        assert "No connection: the broker does not answer" in seen.words
        assert seen.panel("players") == players
        await seen.press("1")
        assert seen.table.followed.plan is not None
        assert seen.table.followed.plan.begun, "one can plan without a connection"
        await seen.hear(Link(True))
        assert seen.panel("header").endswith("●")
        assert "No connection" not in seen.words


async def test_without_a_connection_nobody_is_said_to_be_thinking() -> None:
    async with at_table(ScriptedGame((ScriptedGame().position.mover + 1) % 3)) as seen:
        assert "It is Ana's turn." in seen.words
        await seen.hear(Link(False, "unreachable", 1))
        assert "Bo has stepped away; the game goes on when Bo is back." in seen.words
        await seen.hear(Link(False, "unreachable"))
        assert "The table is offline; your game is kept." in seen.words
        assert "Ana's turn" not in seen.words
        await seen.hear(Link(True))
        assert "It is Ana's turn." in seen.words


async def test_how_far_the_own_moves_have_come_is_shown_quietly() -> None:
    async with at_table(ScriptedGame()) as seen:
        for delivery, words in (
            (Delivery(3, 2, 2), "● sending…"),
            (Delivery(3, 3, 2), "● arrived"),
            (Delivery(3, 3, 3), "●"),
        ):
            await seen.hear(delivery)
            assert seen.panel("header").endswith(words)
        assert seen.told == []


async def test_who_is_away_has_a_ring_and_who_left_a_cross() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(SeatStates((HERE, HERE, AWAY)))
        rows = seen.panel("players").splitlines()
        assert [row[2:8].rstrip()[-1] for row in rows[1:4]] == ["u", "o", "○"]
        position = seen.game.position
        after = seen.game.rules.apply(position, Step("exclude", (2,)))
        await seen.hear(Excluded(2, (0, 1), after))
        assert "×" in seen.panel("players").splitlines()[3]
        assert "was voted out" in seen.words
        await seen.pilot.resize_terminal(40, 15)
        await seen.pilot.pause()
        assert "×" in seen.panel("players").splitlines()[2]


async def test_how_many_look_on() -> None:
    async with at_table(ScriptedGame(), size=(120, 40)) as seen:
        await seen.hear(Watchers(2))
        assert "2 watch" in seen.panel("header")
        await seen.hear(Watchers(0))
        assert "watch" not in seen.panel("header")


async def test_it_says_who_is_waited_for_to_open_a_card() -> None:
    game = ScriptedGame()
    async with at_table(game) as seen:
        game.awaiting = True
        seen.table.followed.renew_plan()
        await seen.hear(Overdue(1, "shares", 6))
        assert "Waiting for Bo to open your card." in seen.panel("bar")
        game.awaiting = False
        await seen.hear(Overdue(2, "shuffle", 9), SetupProgress("shuffle", 1, 3))
        assert "Waiting for Chiara's program." in seen.panel("bar")
        await seen.hear(Overdue(2, "shuffle", 0))
        assert "Chiara" not in seen.panel("bar")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("away", "Waiting for Chiara, who is away."),
        ("closed", "Waiting for Chiara, who has stepped away."),
        ("clock", "Chiara is taking longer than this table's clock allows."),
    ],
)
async def test_it_says_why_somebody_is_waited_for_and_which_key_decides(kind: str, words: str) -> None:
    async with at_table(ScriptedGame(seat=1)) as seen:
        await seen.hear(Overdue(2, kind, 30))
        assert words in seen.panel("bar")
        assert "x answer" not in seen.panel("asked")
        await seen.hear(Overdue(2, kind, 60, votable=True))
        assert "You may now vote to continue without Chiara." in seen.panel("asked")
        assert "x answer" in seen.panel("asked")
        await seen.hear(Vote(2, (1,), (), True, open=True))
        assert "x answer" not in seen.panel("asked"), "who has voted is not asked again"
        await seen.hear(Overdue(2, kind, 0))
        assert "Chiara" not in seen.panel("bar")


async def test_an_invalid_entry_is_named_with_its_evidence_and_nobody_is_insulted() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(InvalidEntry(1, 12, "bad-proof", "games/koi.wasabi"))
        (words,) = seen.told
        assert words.startswith("Invalid entry by Bo")
        assert "games/koi.wasabi" in words
        assert "Invalid entry by Bo" in seen.words
        assert "cheat" not in (words + seen.words).lower()
        for seat in range(100):
            seen.game.happens(InvalidEntry(seat % 3, seat, "bad-proof", "x"))
        await seen.until(seen.game._events.empty)
        assert len(seen.table.around.now.notices) <= 4


async def test_moves_that_a_vote_made_void_are_gone_from_board_and_log() -> None:
    async with at_table(ScriptedGame()) as seen:
        earlier = seen.table.followed.frames[0].position
        rules = seen.game.rules
        after = rules.apply(seen.game.position, Step("exclude", (1,)))
        await seen.hear(Excluded(1, (0, 2), after))
        assert seen.table.followed.chronicle.entries
        await seen.hear(Rewound(earlier))
        assert seen.table.followed.frames[-1].position == earlier
        assert "The last moves are void" in seen.words


@pytest.mark.parametrize("bell", [True, False])
async def test_your_turn_rings_and_stands_in_the_terminals_title(bell: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(WasabiApp, "_write", lambda _, text: written.append(text))
    monkeypatch.setattr(WasabiApp, "bell", lambda _: written.append("\x07"))
    game = ScriptedGame(seat=1)
    async with at_table(game, bell=bell) as seen:
        assert written[-1].endswith("\x1b]2;WASABI!\x07")
        # Whoever looks at the table needs no bell.
        seen.table.app.app_focus = False
        while game.position.mover == 0:
            bundle = choose(observe(game.rules, game.position, 0, game.faces), "ring")
            before = game.position
            await seen.hear(Played(bundle, before, game.rules.apply_bundle(before, bundle)))
        assert seen.table.followed.plan is not None
        assert ("\x07" in written) == bell
        assert written[-1] == "\x1b]2;WASABI! YOUR TURN\x07"
        assert seen.app.screen is seen.table, "nothing covers the board"
    assert written[-1] == "\x1b[23;2t", "the title is given back"


@pytest.mark.usefixtures("looked_at")
async def test_at_the_end_everybody_is_asked_for_another_game() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(Ended(Outcome("board", (0,), (9, 5, 4))))
        await seen.until(lambda: isinstance(seen.app.screen, EndPage))
        await seen.press("enter")
        await seen.until(lambda: bool(seen.game.asked))
        assert seen.game.asked == [("rematch",)]
        await seen.hear(RematchWished((0, 1)), Said(1, "Bo", "again!"))
        assert "Would like a rematch: Ana, Bo." in seen.words
        assert "again!" in seen.words, "people talk on"
        await seen.hear(SeatStates((HERE, HERE, SeatState.CLOSED)))
        assert "will be without Chiara." in seen.words
        await seen.hear(RematchWished((0, 1, 2)))
        assert "Would like a rematch: Ana, Bo, Chiara." in seen.words, "who wished is only ahead there"
        assert "will be without" not in seen.words


async def test_whoever_is_left_by_all_others_reads_that_there_is_no_rematch() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(Ended(Outcome("board", (0,), (9, 5, 4))))
        await seen.until(lambda: isinstance(seen.app.screen, EndPage))
        await seen.press("enter")
        await seen.hear(RematchWished((0,)), SeatStates((HERE, AWAY, SeatState.CLOSED)))
        assert "Bo is not there any more, so there is no rematch." in seen.words


async def test_whoever_stayed_alone_is_not_offered_another_game_that_would_never_begin() -> None:
    async with at_table(ScriptedGame()) as seen:
        seen.game.ends()
        await seen.until(lambda: isinstance(seen.app.screen, EndPage))
        end = seen.app.screen
        assert isinstance(end, EndPage)
        assert end.ways == ("replay_game", "board")


async def test_a_game_that_stops_without_an_end_by_its_rules_has_an_end_page_too() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(Ended(Outcome("given-up", (), (0, 0, 0))))
        await seen.until(lambda: isinstance(seen.app.screen, EndPage))
        end = seen.app.screen
        assert isinstance(end, EndPage)
        assert "Nobody wins." in end.query_one(EndPicture).words
        assert seen.table.followed.plan is None


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 15)])
async def test_everything_at_once_is_drawn_within_the_screen(size: tuple[int, int]) -> None:
    async with at_table(ScriptedGame(), size=size, language="it") as seen:
        await seen.hear(
            Link(False, "refused"), SeatStates((HERE, AWAY, AWAY)), Watchers(12), Delivery(9, 8, 7),
            Overdue(1, "tags", 40), Vote(1, (2,), (), None, open=True), InvalidEntry(2, 5, "equivocation", "x" * 300),
            OtherRun(), RematchWished((1, 2)), Said(2, "Chiara", "ciao " * 60),
        )  # fmt: skip
        for panel in seen.table.query(Painted):
            if panel.display:
                assert (panel.canvas.width, panel.canvas.height) == (panel.size.width, panel.size.height), panel.id
        assert size == (40, 15) or seen.panel("asked").startswith("▸")
