"""Whoever reads lines can do what keys do: each action of a screen has its line or its command, or is only drawn."""

from __future__ import annotations

from wasabi_tx.cli import COMMANDS as CLI
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.tui.bindings import ACTIONS
from wasabi_tx.turn.commands import AT_TABLE, MEANWHILE, find_command

LINES = {
    "accept": "", "back": "undo", "send": "send", "return": "pass 6", "discard": "discard Ch", "notation": "Tu d3",
    "plan": "plan", "hint": "hint", "take_hint": "Tu d3", "answer": "yes", "yes": "yes", "no": "no", "under": "under",
    "book": "recipes", "who": "who", "log": "log", "since": "log", "talk": "say hello", "help": "?", "leave": "quit",
    "invites": "invite", "mute": "mute", "pause": "pause", "ready": "",
}  # fmt: skip
"""The lines of a table. Steps and answers stand for themselves; everything else is a command."""
STEPS = {"accept", "return", "discard", "notation", "take_hint", "answer", "yes", "ready"}
REPLAY = {"next": "", "previous": "b", "first": "1", "last": "60", "what_if": "t"}
"""The lines of a replay: Enter, a letter or the number of a turn; all of its recipes are open, and its end is read."""
READ_THERE = {"whose", "result", "next_point", "previous_point"}
"""What a replay or a review reads without being asked."""
QUESTIONS = {"admit": "room.may-sit", "turn_away": "room.may-sit", "begin": "room.begin-now"}
"""What the host of a table is asked line by line."""
COMMANDS = {
    "run": "replay", "replay_game": "replay", "save_page": "export", "review": "review", "continue": "resume",
    "unfinished": "resume", "learn": "learn", "puzzle": "puzzle", "record": "record", "add_bot": "host", "take": "join",
    "look_on": "watch", "new_table": "host", "invite": "join", "address": "lobby", "settings": "play",
    "theme": "themes",
}  # fmt: skip
"""What a command of its own, or one of its options, does line by line."""
ENDS = {"close", "home", "withdraw", "close_review", "leave"}
"""What the end of the output or of the input is there: nothing lies on top of anything."""
ONLY_DRAWN = {
    "drop", "cursor_up", "cursor_down", "cursor_left", "cursor_right", "panels", "pace", "palette", "board",
    "copy_result", "save_picture", "use_theme", "old_theme", "row_up", "row_down", "page_up", "page_down", "row_first",
    "row_last", "sort", "filter", "choose", "know", "value_before", "value_after", "fill_in", "copy", "copy_watch",
    "qr_code",
}  # fmt: skip
"""About what is drawn, chosen from a list, held before it is chosen, or copied from a screen: lines have none of it."""
HOLES = {"talk_lobby", "delete"}
"""Without a line: what is said in the lobby from a waiting room, and a game that is deleted before its end."""


def test_every_action_has_a_line_a_command_or_is_only_drawn() -> None:
    tables = (LINES, REPLAY, READ_THERE, QUESTIONS, COMMANDS, ENDS, ONLY_DRAWN, HOLES)
    told = set().union(*tables)
    actions = {action.id for action in ACTIONS}
    print(f"{len(actions)} actions:", ", ".join(str(len(set(one) & actions)) for one in tables))
    assert told == actions


def test_the_commands_of_a_table_are_known_in_every_language() -> None:
    for action, line in LINES.items():
        if action not in STEPS:
            assert find_command(line, Texts("en"), MEANWHILE | AT_TABLE) is not None, action
    for language in LANGUAGES:
        for command, words in Texts(language).words("command").items():
            word = words.split()[0]
            found = find_command(word, Texts(language), MEANWHILE | AT_TABLE | {"stop"})
            assert found == (command, ""), (language, word)


def test_every_question_and_command_that_stands_for_a_key_is_there() -> None:
    for language in LANGUAGES:
        assert all(Texts(language).knows(question) for question in QUESTIONS.values())
    assert set(COMMANDS.values()) <= set(CLI)
