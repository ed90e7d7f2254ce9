"""All languages say the same things, and nothing in the code asks for a sentence that does not exist."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

import wasabi_tx
from wasabi_tx.engine.editions import RULES, packaged_edition
from wasabi_tx.text import ENGLISH, LANGUAGES, Texts, find_language, load_sentences
from wasabi_tx.text.topics import ORDER, find_topic, find_topics

PACKAGE = Path(wasabi_tx.__file__).parent


def gaps(sentence: str | dict[str, str]) -> set[str]:
    forms = [sentence] if isinstance(sentence, str) else list(sentence.values())
    found = [{name for _, name, _, _ in string.Formatter().parse(form) if name} for form in forms]
    return set().union(*found)


TRANSLATED = [language for language in LANGUAGES if language != ENGLISH]


def test_languages_are_the_files_that_exist() -> None:
    assert {path.stem for path in (PACKAGE / "text").glob("*.toml")} == set(LANGUAGES)
    assert LANGUAGES[0] == ENGLISH


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_parsed_table_by_table_are_those_of_the_whole_file(language: str) -> None:
    whole = tomllib.loads((PACKAGE / "text" / f"{language}.toml").read_text(encoding="utf-8"))
    sentences = load_sentences(language)
    assert len(sentences) == len(set(sentences)) == sum(1 for _ in leaves(whole))
    for key in sentences:
        assert sentences[key] == reduce(lambda table, word: table[word], key.split("."), whole)


def leaves(table: dict[str, Any]) -> Iterator[str]:
    """Yield the sentences in a parsed file, at any depth."""
    for value in table.values():
        if isinstance(value, str):
            yield value
        elif set(value) == {"one", "other"}:
            yield value["other"]
        else:
            yield from leaves(value)


def test_words_below_a_prefix_are_all_that_begin_with_it() -> None:
    sentences = load_sentences("en")
    for prefix in ("tui", "tui.emote", "cli.usage", "lobby"):
        expected = {key: one for key, one in sentences.items() if key.startswith(f"{prefix}.")}
        assert dict(sentences.below(prefix)) == expected
        assert expected


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_language_says_the_same_things(language: str) -> None:
    english, other = load_sentences(ENGLISH), load_sentences(language)
    assert list(english) == list(other)
    assert {key: gaps(one) for key, one in english.items()} == {key: gaps(one) for key, one in other.items()}
    assert [isinstance(one, dict) for one in english.values()] == [isinstance(one, dict) for one in other.values()]


def test_a_number_chooses_the_form() -> None:
    texts = Texts("it")
    assert texts.say("table.squares-left", count=1) == "1 casella libera"
    assert texts.say("table.squares-left", count=7) == "7 caselle libere"


def test_what_fills_a_gap_is_never_read_as_a_gap() -> None:
    assert Texts("en").say("ending.winner", name="{points} {0}") == "{points} {0} wins."


@pytest.mark.parametrize(
    ("option", "environment", "language"),
    [
        ("it", {"LANG": "en_GB.UTF-8"}, "it"),
        (None, {"WASABI_TX_LANG": "it", "LC_ALL": "en_US"}, "it"),
        (None, {"LC_ALL": "it_IT.UTF-8", "LANG": "en_US"}, "it"),
        (None, {"LC_MESSAGES": "it_CH", "LANG": "en_US"}, "it"),
        (None, {"LANG": "it_IT@euro"}, "it"),
        (None, {"LC_ALL": "C", "LANG": "it_IT"}, "en"),
        (None, {"LC_ALL": "", "LANG": "it_IT"}, "it"),
        (None, {"LANG": "fr_FR.UTF-8"}, "en"),
        (None, {"WASABI_TX_LANG": "xx", "LANG": "it_IT"}, "it"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_asked_for_or_found(option: str | None, environment: dict[str, str], language: str) -> None:
    assert find_language(option, environment) == language


FIXED = (
    "prompt.",
    "play.",
    "replay.",
    "puzzle.type-",
    "learn.enter",
    "online.",
    "broker.",
    "lobby.waits-at-door",
    "page.",
)
"""Sentences of the line-by-line screen, of commands and of pages: Enter ends a line there, Ctrl+C a program."""
TYPED = ("tui.typing-how", "hosting.paste")
"""Sentences about typed lines, which Enter submits and Esc drops."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_the_screen_names_a_key_that_can_be_another(language: str) -> None:
    sentences = load_sentences(language)
    names = "|".join(str(word) for key, word in sentences.items() if key.startswith("tui.key."))
    named = re.compile(rf"\b({names}|Backspace|Ctrl|F\d+)\b")
    wrong = {
        key: one
        for key, one in sentences.items()
        if not key.startswith((*FIXED, *TYPED, "tui.key.")) and named.search(str(one))
    }
    assert wrong == {}


def asked_keys() -> Iterator[tuple[str, bool]]:
    """Return the keys that the code uses: whole ones, and the prefixes of those that it composes."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if name not in ("say", "_say"):
                continue
            choices = [node.args[0]]
            if isinstance(choices[0], ast.IfExp):
                choices = [choices[0].body, choices[0].orelse]
            for key in choices:
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and "." in key.value:
                    yield key.value, True
                elif isinstance(key, ast.JoinedStr) and isinstance(key.values[0], ast.Constant):
                    yield str(key.values[0].value), False


def test_every_sentence_that_the_code_asks_for_exists() -> None:
    keys = load_sentences("en")
    asked = list(asked_keys())
    assert len(asked) > 80
    for key, whole in asked:
        assert key in keys if whole else any(one.startswith(key) for one in keys), key


def written_words() -> Iterator[str]:
    """Yield every string in the code, and the beginning of every one that is put together."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    for path in (PACKAGE / "app" / "game_page").iterdir():
        if path.suffix in (".html", ".mjs"):
            yield from re.findall(r'["`{]([a-z][a-z.-]*)', path.read_text(encoding="utf-8"))


def test_no_sentence_is_left_over() -> None:
    """Each key occurs in the code, whole or by a prefix, or belongs to a table of words."""
    words = set(written_words())
    beginnings = tuple(
        {word for word in words if word.endswith((".", "-")) and "." in word} | {"command.", "why.", "tui.emote."}
    )
    unused = [key for key in load_sentences("en") if key not in words and not key.startswith(beginnings)]
    assert unused == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("rules", sorted(RULES))
def test_every_edition_has_the_same_topics_in_every_language(rules: str, language: str) -> None:
    english, other = find_topics(ENGLISH, rules), find_topics(language, rules)
    assert [topic.name for topic in english] == [topic.name for topic in other]
    assert len(english) >= 12
    for topic in (*english, *other):
        assert topic.title
        assert topic.text
        assert topic.name in ORDER


@pytest.mark.parametrize("rules", sorted(RULES))
def test_no_topic_file_is_forgotten_by_the_order(rules: str) -> None:
    for language in LANGUAGES:
        files = {path.stem for path in (PACKAGE / "text" / "rules" / language / rules).glob("*.md")}
        assert files == {topic.name for topic in find_topics(language, rules)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_second_editions_topic_on_the_end_tells_after_how_many_turns_it_comes(language: str) -> None:
    edition, topic = packaged_edition("master"), find_topic(language, "master", "end")
    assert edition.setup is not None
    assert topic is not None
    assert f" {edition.setup.final_turns_after} " in topic.text


def test_a_topic_is_found_by_its_name_its_title_or_the_start_of_a_word() -> None:
    for wish in ("claiming", "Completare con stile", "stile", "comple"):
        topic = find_topic("it", "classic", wish)
        assert topic is not None
        assert topic.name == "claiming"
    assert find_topic("it", "classic", "zuppa") is None
    assert find_topic("it", "classic", "") is None


def test_rules_that_nobody_wrote_about_have_no_topics() -> None:
    assert find_topics("en", "unheard-of") == ()


@pytest.mark.parametrize("rules", sorted(RULES))
def test_the_page_of_rulings_says_what_the_topic_says(rules: str) -> None:
    topic = find_topic(ENGLISH, rules, "rulings")
    assert topic is not None
    page = " ".join((PACKAGE.parent / "docs" / "rulings.md").read_text(encoding="utf-8").split())
    rulings = [line for line in topic.text.splitlines() if line.startswith("- ")]
    assert len(rulings) > 15
    for ruling in rulings:
        assert " ".join(ruling.split()) in page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", sorted(RULES))
def test_topics_mark_what_is_ours_and_tell_where_that_is_explained(rules: str, language: str) -> None:
    mark, word = {"en": ("(ours", "rulings"), "it": ("(nostro", "decisioni")}[language]
    topics = find_topics(language, rules)
    assert sum(mark in topic.text for topic in topics) >= 8
    assert word in topics[0].text.casefold()
    found = find_topic(language, rules, word)
    assert found is not None
    assert found.name == "rulings"


CHANGED = {"classic": {"setup": 1, "open": 1}, "master": {"setup": 2, "restock": 1, "open": 1}}
"""How many rules of a topic are other than the book's on purpose."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", sorted(RULES))
def test_topics_mark_what_is_changed_on_purpose_where_the_rulings_list_it(rules: str, language: str) -> None:
    mark = {"en": "(changed on purpose", "it": "(cambiato apposta"}[language]
    topics = {topic.name: topic.text for topic in find_topics(language, rules)}
    marked = {name: count for name, text in topics.items() if (count := text.count(mark))}
    assert marked == CHANGED[rules]
    heading = {"en": "Changed on purpose", "it": "Cambiato apposta"}[language]
    listed = [line for line in topics["rulings"].partition(f"\n{heading}\n")[2].splitlines() if line.startswith("- ")]
    assert len(listed) == sum(marked.values()), "each is marked once, and each mark is explained"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_topic_on_recipes_tells_the_backs_of_both_orders(language: str) -> None:
    topic = find_topic(language, "master", "restock")
    assert topic is not None
    length, to_nobody, *others = {
        "en": ("length", "none", "one to the pool", "two to the pool", "one to you and one to the pool"),
        "it": ("lunghezza", "nessuno", "uno al piatto", "due al piatto", "uno a te e uno al piatto"),
    }[language]
    words = dict(zip([(0, 0), (0, 1), (0, 2), (1, 1)], [to_nobody, *others], strict=True))
    told, _, printed = topic.text.partition("--as-printed")
    for name, text in (("master", told), ("master-printed", f"{told[: told.index(';')]}{printed}")):
        for deck in packaged_edition(name).decks:
            assert f"{length} {deck.length} {words[deck.gain, deck.pool]}" in text, (name, deck.length)


def test_the_topic_on_tokens_tells_what_the_edition_says() -> None:
    for language in LANGUAGES:
        topic = find_topic(language, "classic", "tokens")
        assert topic is not None
        for token in packaged_edition("classic").tokens:
            assert str(token.points) in topic.text
