"""TOML and JSON from anywhere: any text is read within bounds or refused with its line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.app.call_settings import BadCalls, parse_calls
from wasabi_tx.app.game_page.page import NoGame, game_in
from wasabi_tx.app.pictures import PictureError, parse_pictures
from wasabi_tx.app.record import parse_memory
from wasabi_tx.app.settings import Settings, parse_settings
from wasabi_tx.app.theme import ThemeError, parse_theme
from wasabi_tx.engine.edition import EditionError
from wasabi_tx.engine.edition_file import read_edition
from wasabi_tx.engine.toml_text import DEEPEST, LARGEST, MOST_CHARACTERS, BadJson, BadToml, read_json, read_toml
from wasabi_tx.games.plans import UNREADABLE, Plans
from wasabi_tx.lessons.progress import Progress, parse_progress
from wasabi_tx.net.relays import BadRelays, parse_relays
from wasabi_tx.online.saved.situation import Situation

HOSTILE = {
    "deep": "relay = " + "[" * 500 + "]" * 500,
    "deep over lines": "relay = " + "[\n" * 5_000 + "]\n" * 5_000,
    "deep tables": "a = " + "{a = " * 200 + "1" + "}" * 200,
    "many digits": "relay = " + "9" * 900,
    "too many digits": "relay = [\n" + "9" * 5_000 + "\n]",
    "hexadecimal": "relay = 0x" + "f" * 900,
    "no end": "relay = inf",
    "no number": "relay = nan",
    "long line": 'relay = "' + "x" * 2_000 + '"',
    "long": "# a\n" * (MOST_CHARACTERS // 4 + 1),
    "dotted": "a." * 450 + "a = 1",
    "cut": 'relay = "',
    "nothing": "\x00",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_toml_is_refused_with_a_line_by_every_reader(text: str) -> None:
    with pytest.raises(BadToml) as bad:
        read_toml(text)
    assert 1 <= bad.value.line <= text.count("\n") + 1
    with pytest.raises(BadRelays) as relays:
        parse_relays(text)
    assert relays.value.line == bad.value.line
    with pytest.raises(PictureError):
        parse_pictures(text)
    with pytest.raises(ThemeError):
        parse_theme("mine", text)
    with pytest.raises(EditionError):
        read_edition(text)
    settings, wrong = parse_settings(text)
    assert settings == Settings()
    assert [one.line for one in wrong] == [bad.value.line]
    with pytest.raises(BadCalls):
        parse_calls(text)


def test_the_line_of_a_number_that_is_too_large_is_named() -> None:
    text = f"# numbers\na = {LARGEST}\nb = [1,\n 2]\nc = {LARGEST + 1}\nd = 3\n"
    with pytest.raises(BadToml) as bad:
        read_toml(text)
    assert bad.value.line == 5
    assert read_toml(text.replace(str(LARGEST + 1), "4"))["c"] == 4


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2),
        '{"turn": ' + "9" * 5_000 + "}",
        f'{{"turn": {LARGEST + 1}}}',
        '{"turn": NaN}',
        '{"turn": 1e999}',
        '"' + "x" * MOST_CHARACTERS + '"',
        "{",
        "",
    ],
    ids=range(9),
)
def test_hostile_json_is_refused_by_every_reader(text: str) -> None:
    with pytest.raises(BadJson):
        read_json(text)
    assert parse_progress(text) == Progress()
    assert Situation.load(text) is None
    assert Plans.load(text) == UNREADABLE
    assert parse_memory(text) == {}
    with pytest.raises(NoGame):
        game_in(f'<script type="application/json" id="game">{text}</script>')


VALUES = st.recursive(
    st.integers(-LARGEST, LARGEST) | st.booleans() | st.text(max_size=20) | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def test_a_memory_with_an_endless_score_is_forgotten() -> None:
    game = {"edition": "classic", "seats": [{"name": "Ana", "bot": False, "score": 1, "cooked": []}], "you": 0}
    text = json.dumps({"a": ["1 2", game]})
    assert list(parse_memory(text)) == ["a"]
    assert parse_memory(text.replace('"score": 1', '"score": 1e999')) == {}


@given(VALUES)
def test_what_this_program_writes_it_reads(value: object) -> None:
    assert read_json(json.dumps(value)) == value
