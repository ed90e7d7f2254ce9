"""Every state in which a person can wait, read from the code: its sentence, what ends it, after how many seconds.

`pytest -s` prints the table.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from wasabi_protocol.table.lobby import OFFER_LIFE
from wasabi_protocol.voting.voter import AUTOMATIC_IN_SLOT

from wasabi_tx.app.online_tables import A_MINUTE, TO_BEGIN
from wasabi_tx.net.relays import PROBE_TIMEOUT
from wasabi_tx.online.client.client import SAVE_EVERY
from wasabi_tx.online.client.duties import TELL_WAITING
from wasabi_tx.online.client.patience import AWAY_AFTER, AWAY_FOR, SETUP_PATIENCE
from wasabi_tx.online.client.waiting_room import ACCEPT_WAIT, FIRST_ANSWER, NEXT_ANSWER
from wasabi_tx.online.online_table import FIRST_CONNECTION
from wasabi_tx.online.spoken_codes import HOST_PATIENCE
from wasabi_tx.online.terms import CLOCK

ROOT = Path(__file__).parents[2]
TEXT = ROOT / "wasabi_tx" / "text"

SAYING = {
    "app/online_tables.py": ("_ask_host",),
    "cli/commands/host.py": ("host",),
    "cli/commands/join.py": ("join",),
    "cli/commands/play.py": ("_met_anybody",),
    "tui/app.py": ("_come", "_meet_anybody"),
    "tui/screens/lobby.py": ("_why_empty", "_door_words"),
    "tui/screens/table/result.py": ("_rematch",),
    "tui/screens/waiting_room.py": ("_terms_words",),
    "turn/waits_for.py": ("waits_for",),
    "view/online/event_lines.py": ("waiting_line", "state_line", "progress_line", "unsaved_line"),
    "view/online/surroundings.py": ("_rematch",),
    "view/online/waiting_room.py": ("waits", "room_line"),
}
"""The functions that say what is waited for, by file."""


@dataclass(frozen=True)
class Wait:
    """A state in which somebody waits."""

    ends: str
    """What ends it."""
    after: float = 0.0
    """Seconds after which another sentence takes its place; 0 where the awaited alone ends it, and one can go."""
    then: str = ""
    """The key of that sentence."""
    held_by: str = ""
    """The test that waits for it, as a file in `tests/` and a name."""


ANSWER, RELAYS, CONNECTION = "the host answers", "a relay answers", "the connection is back: tried again and again"
MOVE, PROGRAM, BACK = "the player moves", "the player's program answers", "the player is back"
MAY_VOTE = "news.may-vote"
GONE = "online/test_doings.py::test_who_vanishes_is_reconnecting_and_then_away_and_then_back"
VOTE = "online/test_out_of_turn.py::test_a_clock_allows_a_vote_about_one_who_only_thinks"
SILENT = "online/test_unanswered.py::test_whoever_waits_with_a_seat_is_told_when_the_host_falls_silent"
UNKNOWN = "online/test_unanswered.py::test_where_nobody_knows_the_table_a_guest_is_told"
DRAWN = "online/test_out_of_turn.py::test_one_who_vanishes_before_the_seats_are_drawn_has_none"
LIFE = "online/test_lobby.py::test_an_offer_that_is_not_renewed_is_gone_after_90_seconds"

WAITS: dict[str, Wait] = {
    # On the way to a table
    "lobby.connecting": Wait("the broker answers", FIRST_CONNECTION, "online.lost.timeout",
                             "tui/test_waiting_room.py::test_a_broker_out_of_reach_gives_a_sentence_and_leaves_no_seat"),
    **{f"online.lost.{why}": Wait(CONNECTION) for why in
       ("certificate", "closed", "password", "refused", "timeout", "unreachable", "watch-only")},
    "cli.trying-relays": Wait(RELAYS, PROBE_TIMEOUT, "online.no-relay",
                              "tui/test_anybody.py::test_a_machine_without_relays_says_so"),
    "cli.asking-relays": Wait(ANSWER, HOST_PATIENCE, "online.bad-code.nobody",
                              "online/test_spoken_codes.py::test_nobody_there_is_told_apart_from_no_way_there"),
    "lobby.knocking": Wait(ANSWER, OFFER_LIFE, "online.bad-knock.closed", LIFE),
    "lobby.waits-at-door": Wait(ANSWER, OFFER_LIFE, "online.bad-knock.closed", LIFE),
    "seek.relays": Wait(RELAYS, PROBE_TIMEOUT, "online.no-relay",
                        "tui/test_anybody.py::test_a_machine_without_relays_says_so"),
    "seek.seeking": Wait("somebody else seeks", A_MINUTE, "seek.nobody",
                         "tui/test_anybody.py::test_a_bot_plays_if_nobody_comes_within_a_minute"),
    "seek.met": Wait("the game begins", TO_BEGIN, "seek.seeking",
                     "tui/test_anybody.py::test_a_stranger_who_does_not_come_is_given_up_and_leaves_nothing"),
    # In the waiting room
    "room.no-offer": Wait(ANSWER, FIRST_ANSWER, "room.no-answer.no-table", UNKNOWN),
    "room.no-answer.no-table": Wait("the host opens it"),
    "room.no-answer.not-carried": Wait("the broker lets us speak"),
    "room.no-answer.host-away": Wait("the host is back"),
    "room.wait-for-host": Wait("the host decides", NEXT_ANSWER, "room.wait-for-silent", SILENT),
    "room.wait-for-others": Wait("the host begins", NEXT_ANSWER, "room.wait-for-silent", SILENT),
    "room.wait-for-silent": Wait("the host is back"),
    "room.proposed": Wait("everybody accepts", ACCEPT_WAIT, "room.unseated",
                          "online/test_seated.py::test_a_guest_who_falls_silent_before_it_accepts_holds_up_nobody"),
    **{f"room.progress-{what}": Wait(PROGRAM, SETUP_PATIENCE, "news.vote-yes", DRAWN) for what in
       ("carry", "keys", "multiply", "shares", "shuffle", "tags")},
    # At the table
    "tui.waits": Wait(MOVE, CLOCK, "news.waiting-clock", VOTE),
    "tui.awaits": Wait(PROGRAM, TELL_WAITING, "news.waiting-shares", GONE),
    "tui.unreached": Wait(CONNECTION),
    "tui.unsaved": Wait(f"there is room: tried every {SAVE_EVERY:g} s"),
    "news.unsaved": Wait(f"there is room: tried every {SAVE_EVERY:g} s"),
    "news.seat-composing": Wait(MOVE, CLOCK, "news.waiting-clock", VOTE),
    "news.seat-paused": Wait(MOVE, CLOCK, "news.waiting-clock", VOTE),
    "news.seat-reconnecting": Wait(BACK, AWAY_AFTER, "news.waiting-away", GONE),
    "news.seat-closed": Wait(BACK, CLOCK, MAY_VOTE, VOTE),
    "news.waiting-closed": Wait(BACK, CLOCK, MAY_VOTE, VOTE),
    "news.waiting-away": Wait(BACK, CLOCK, MAY_VOTE,
                              "online/test_patience.py::test_a_table_with_a_clock_gives_that_time_to_one_who_is_gone_too"),
    "news.waiting-clock": Wait(f"{MOVE}, or a vote"),
    **{f"news.waiting-{what}": Wait(PROGRAM, AUTOMATIC_IN_SLOT, MAY_VOTE,
                                    "online/test_out_of_turn.py::test_people_are_asked_before_anybody_is_sent_away")
       for what in ("mine", "shares", "work")},
    # After the game
    "tui.wished-again": Wait("all who are there wish for it"),
    "news.rematch-without": Wait("all who are there wish for it"),
}  # fmt: skip
OUTCOMES = {
    "lobby.nowhere", "lobby.none", "lobby.none-here", "news.rematch-closed", "news.saved-again", "play.over",
    "room.begun", "room.code-offered", "room.code-tried", "room.code-void", "room.crowded", "room.host-broken",
    "room.the-host", "seek.bots", "seek.nobody", "tui.home.anybody", "wait.title",
    "web.own-broker", "lobby.no-broker", "cli.anywhere-or-broker", "cli.no-seat-left", "news.seat-back",
}  # fmt: skip
"""What the same functions say besides: the end of a wait, a title, a way out of it."""
SPEAKS_OF_WAITING = re.compile(r"\bwaiting (for|to)\b|…$|reconnecting$|does not answer now|is working on|paused for")
OTHERWISE = re.compile(r"^(tui\.(search|thinking|emote|asked|state|rim)|web|page|play|broker|unfinished|room\.free)\b")
"""Sentences with such words about work on this machine, or about something that is said elsewhere."""


def texts(language: str) -> dict[str, str]:
    """Return every sentence of a language by its key."""

    def flat(path: str, value: object) -> Iterator[tuple[str, str]]:
        if isinstance(value, dict) and "other" not in value:
            for key, inner in value.items():
                yield from flat(f"{path}.{key}" if path else key, inner)
        else:
            yield path, str(value["other"]) if isinstance(value, dict) else str(value)

    return dict(flat("", tomllib.loads((TEXT / f"{language}.toml").read_text(encoding="utf-8"))))


def said() -> set[str]:
    """Return the keys of all sentences in the functions that say what is waited for."""
    known, found = set(texts("en")), set[str]()
    for file, names in SAYING.items():
        tree = ast.parse((ROOT / "wasabi_tx" / file).read_text(encoding="utf-8"))
        functions = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in names
        ]
        assert {function.name for function in functions} == set(names), file
        for node in (each for function in functions for each in ast.walk(function)):
            if isinstance(node, ast.Constant) and node.value in known:
                found.add(str(node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = [re.escape(str(one.value)) if isinstance(one, ast.Constant) else "[^.]+" for one in node.values]
                found |= {key for key in known if re.fullmatch("".join(parts), key)}
    return {key for key in found if not key.startswith("online.cannot-play.")}


def test_every_wait_in_the_code_is_in_the_table_and_no_other() -> None:
    found = said()
    assert found - WAITS.keys() - OUTCOMES == set(), "said while somebody waits, and not in the table"
    assert (WAITS.keys() | OUTCOMES) - found == set(), "in the table, and never said"
    english, italian = texts("en"), texts("it")
    for key, wait in WAITS.items():
        after = f", after {wait.after:g} s: {english[wait.then]}" if wait.then else ""
        print(f"\n{english[key]}\n{italian[key]}\n    ends when {wait.ends}{after}")


def test_no_sentence_speaks_of_waiting_that_is_not_in_the_table() -> None:
    for key, sentence in texts("en").items():
        if SPEAKS_OF_WAITING.search(sentence) and not OTHERWISE.search(key):
            assert key in WAITS or key.startswith("online."), (key, sentence)


@pytest.mark.parametrize("key", sorted(WAITS))
def test_a_wait_has_its_sentence_and_an_end(key: str) -> None:
    wait, english, italian = WAITS[key], texts("en"), texts("it")
    assert english[key] != italian[key]
    assert bool(wait.after) == bool(wait.then) == bool(wait.held_by)
    if wait.then:
        assert wait.then in english
        assert wait.then != key
        file, _, name = wait.held_by.partition("::")
        assert f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), wait.held_by
    decided = (MOVE, BACK, ANSWER, "the host decides", "the host begins", "somebody else seeks")
    if wait.ends not in decided:
        assert wait.after <= AWAY_FOR, "a program or a network is not waited for that long"
