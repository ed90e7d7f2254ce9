"""A person's settings file: written and read without loss, and never fatal."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from wasabi_tx.app.local_games import LocalGames
from wasabi_tx.app.settings import EXPLAINED, Settings, change_settings, parse_settings
from wasabi_tx.text import LANGUAGES
from wasabi_tx.view.names import clean_name

ONLINE = Settings(name="Zoë 🍣", broker="mqtts://me:s%40f@club.example:8884", realm="friday-2", share_hand=False)
NOTES = dict.fromkeys(EXPLAINED, "It is so.")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@pytest.mark.parametrize("notes", [{}, NOTES])
@hypothesis_settings(deadline=None)
@given(
    name=TEXT.map(lambda text: clean_name(text) or ""),
    realm=st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True),
    share_hand=st.booleans(),
    keys=st.dictionaries(TEXT, TEXT.filter(bool), max_size=3),
)
def test_settings_survive_being_written_and_read(
    notes: dict[str, str], name: str, realm: str, share_hand: bool, keys: dict[str, str]
) -> None:
    settings = Settings(name=name, realm=realm, share_hand=share_hand, keys=keys)
    assert parse_settings(change_settings("", settings, notes)) == (settings, [])


@pytest.mark.parametrize("notes", [{}, NOTES])
def test_how_one_plays_online_survives_too(notes: dict[str, str]) -> None:
    text = change_settings("", ONLINE, notes)
    assert parse_settings(text) == (ONLINE, [])
    assert set(tomllib.loads(text)) == set(EXPLAINED)


def test_every_field_but_the_keys_is_written() -> None:
    changed = Settings(
        "it", "washi", "emoji", True, "slow", True, False, False, "Zoë", "localhost", "other", False, {"book": "z"},
        "off",
    )  # fmt: skip
    assert set(tomllib.loads(change_settings("", changed))) == {field.name for field in fields(Settings)}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ('""', ""),
        ('"  Zoë  "', "Zoë"),
        ('"Ana\\u001b[31m"', "Ana [31m"),
        ('"Ana\\u202eBo"', "AnaBo"),
        ('"abcdefghijklmnop"', "abcdefghijkl"),
    ],
)
def test_a_name_is_cleaned(value: str, name: str) -> None:
    assert parse_settings(f"name = {value}\n") == (Settings(name=name), [])


@pytest.mark.parametrize(
    "broker",
    ["", "broker.example", "localhost:1884", "mqtt://[::1]:1883", "wss://me:secret@club.example/mqtt"],
)
def test_a_broker_is_an_address_or_nothing(broker: str) -> None:
    assert parse_settings(f'broker = "{broker}"') == (Settings(broker=broker), [])


@pytest.mark.parametrize(
    ("text", "line", "key", "found"),
    [
        ('bell = true\nname = "  "\n', 2, "name", "'  '"),
        ("name = 7", 1, "name", "7"),
        ('\nbroker = "http://example.org"', 2, "broker", "'http://example.org'"),
        ('broker = "mqtt://"', 1, "broker", "'mqtt://'"),
        ("broker = true", 1, "broker", "True"),
        ('bell = true\n[broker]\nurl = "localhost"', 2, "broker", "{'url': 'localhost'}"),
        ('realm = ""', 1, "realm", "''"),
        ('realm = "Main"', 1, "realm", "'Main'"),
        ('realm = "a/b"', 1, "realm", "'a/b'"),
        ('realm = "main\\n"', 1, "realm", r"'main\n'"),
        (f'realm = "{"a" * 33}"', 1, "realm", f"'{'a' * 33}'"),
        ('share_hand = "yes"', 1, "share_hand", "'yes'"),
        ("share_hand = 1", 1, "share_hand", "1"),
        ('# name = 3\n[keys]\n"name" = 3', 3, "keys.name", "3"),
        ('name = "Ana"\n[keys]\nname = 3', 3, "keys.name", "3"),
        ('theme = "a\u2028b"\nbell = 2', 2, "bell", "2"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_ignored(text: str, line: int, key: str, found: str) -> None:
    settings, wrong = parse_settings(text)
    last = wrong[-1]
    assert (last.line, last.key, last.found) == (line, key, found)
    if "." not in key:
        assert getattr(settings, key) == getattr(Settings(), key)


def test_what_is_right_holds_beside_what_is_wrong() -> None:
    settings, wrong = parse_settings('realm = "A"\nname = "Ana"\nbroker = 3\nshare_hand = false\n')
    assert settings == Settings(name="Ana", share_hand=False)
    assert [(one.line, one.key) for one in wrong] == [(1, "realm"), (3, "broker")]


@pytest.mark.parametrize(
    "line",
    [
        'broker = "http://me:secret@example.org"',
        'broker = "mqtt://me:secret@"',
        'broker = "mqtt://me:sec@ret@"',
        """broker = "mqtt://me:'secret@" """,
        'broker = "me:secret@"',
        'broker = ["mqtt://me:secret@example.org"]',
        'brokr = "mqtt://me:secret@example.org"',
        'keys = { broker = ["mqtt://me:secret@example.org"] }',
    ],
)
def test_a_password_is_never_shown(line: str) -> None:
    _, (wrong,) = parse_settings(line)
    assert "sec" not in wrong.found
    assert "…@" in wrong.found


MINE = """# My settings.
bell   =  false   # the cat sleeps

[keys]  # as in vi
"book" = 'b'
# hint = "z"
hint = "ctrl+h"
"""


def test_a_person_s_comments_order_and_spelling_survive() -> None:
    settings, wrong = parse_settings(MINE)
    assert wrong == []
    assert change_settings(MINE, settings, NOTES) == MINE
    changed = change_settings(MINE, replace(settings, bell=True, theme="washi", keys={"hint": "h", "log": "l"}), NOTES)
    assert changed == MINE.replace("false", "true").replace("\n\n[", '\ntheme = "washi"\n\n[').replace(
        "\"book\" = 'b'\n", ""
    ).replace('"ctrl+h"\n', '"h"\nlog = "l"\n')
    assert change_settings(changed, settings).replace('theme = "omakase"\n', "").count("\n") == MINE.count("\n")


def test_what_cannot_be_is_taken_out_and_the_rest_stays() -> None:
    text = '# Mine.\nrealm = "A"\nname = "Ana" # me\n[keys]\nbook = 1\nhint = "z"\n'
    settings, wrong = parse_settings(text)
    assert [one.key for one in wrong] == ["realm", "keys.book"]
    assert change_settings(text, settings) == '# Mine.\nname = "Ana" # me\n[keys]\nhint = "z"\n'


def test_what_was_explained_is_changed_where_it_stands() -> None:
    text = change_settings("", Settings(bell=False), NOTES)
    assert change_settings(text, ONLINE, NOTES).count("\n") == text.count("\n")


@hypothesis_settings(deadline=None)
@given(text=st.text(st.sampled_from('ab="[]\n#. 1{}'), max_size=40), theme=st.from_regex(r"[a-z]{1,5}", fullmatch=True))
def test_whatever_the_file_says_the_settings_are_kept(text: str, theme: str) -> None:
    settings = replace(parse_settings(text)[0], theme=theme)
    assert parse_settings(change_settings(text, settings)) == (settings, [])


def test_a_password_is_not_in_what_a_bug_report_shows() -> None:
    assert "s%40f" not in repr(ONLINE)


def test_what_no_screen_asks_for_is_explained_in_the_file() -> None:
    assert change_settings("", Settings("it", name="Ana", keys={"book": "z"}), NOTES) == (
        'language = "it"\n'
        '\n# It is so.\nname = "Ana"\n'
        '\n# It is so.\n# broker = ""\n'
        '\n# It is so.\n# realm = "main"\n'
        "\n# It is so.\n# share_hand = true\n"
        '\n[keys]\nbook = "z"\n'
    )
    assert change_settings("", Settings()) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_desk_explains_it_in_one_s_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    file = tmp_path / "config" / "settings.toml"
    LocalGames(language).save_settings(ONLINE)
    assert LocalGames(language).settings() == (ONLINE, [])
    asked = file.read_text(encoding="utf-8")
    LocalGames("en").save_settings(Settings(language=language))
    lines = file.read_text(encoding="utf-8").splitlines()
    assert f'language = "{language}"' in lines
    notes = [line for line in lines if line.startswith("# ") and " = " not in line]
    assert len(notes) == len(EXPLAINED)
    assert all(note in asked for note in notes)
    assert ("# What others at a table see" in asked) is (language == "en")


def test_what_was_mistyped_is_kept_beside_the_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    file, old = tmp_path / "config" / "settings.toml", tmp_path / "config" / "settings.toml.old"
    desk = LocalGames("en")
    desk.save_settings(ONLINE)
    desk.save_settings(Settings())
    assert not old.exists()
    mistyped = 'broker = "mqtt://me:secret@club.example\nbell = false\n'
    file.write_text(mistyped)
    settings, problems = desk.settings()
    assert len(problems) == 1
    desk.save_settings(settings)
    assert old.read_text() == mistyped
    assert desk.settings() == (Settings(), [])
