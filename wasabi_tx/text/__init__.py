"""The text of the program: every sentence by key, in each language, and short topics about the rules."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from .foreign import harmless
from .marks import Marked
from .os_problem import OsProblem, os_problem

ENGLISH = "en"
"""The language that everything is written in, and the fallback where a translation is missing."""
LANGUAGE = "WASABI_TX_LANG"
_HERE = Path(__file__).parent
_TABLE = re.compile(r"^\[([a-z.-]+)\]$", re.MULTILINE)
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def _languages() -> tuple[str, ...]:
    found = {file.stem for file in _HERE.glob("*.toml")}
    return ENGLISH, *sorted(found - {ENGLISH})


LANGUAGES = _languages()
"""The languages with a file of sentences in this folder."""

Sentence = str | dict[str, str]
"""One form, or one for `one` and another for `other` numbers, selected by the parameter `count`."""


def find_language(option: str | None = None, environment: Mapping[str, str] = os.environ) -> str:
    """Return the requested language, else the environment variable's, else the locale's, else English."""
    for wish in (option, environment.get(LANGUAGE)):
        if wish and wish[:2].lower() in LANGUAGES:
            return wish[:2].lower()
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    return locale[:2].lower() if locale[:2].lower() in LANGUAGES else ENGLISH


class Texts:
    """The sentences of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._sentences = load_sentences(language)

    def say(self, key: str, /, **params: object) -> str:
        """Return the sentence with its placeholders filled; raise `KeyError` for an unknown key or a missing parameter.

        Parameters may be foreign text, which is made harmless. An `OSError` is described in words.
        """
        sentence = self._sentences[key]
        if isinstance(sentence, dict):
            sentence = sentence["one" if params["count"] == 1 else "other"]
        return sentence.format_map({name: self._filling(value) for name, value in params.items()})

    def _filling(self, value: object) -> object:
        if isinstance(value, OSError):
            value = os_problem(value)
        if isinstance(value, OsProblem):
            return self.say(f"os.{value}")
        return value if isinstance(value, int | float | Marked) else harmless(str(value))

    def knows(self, key: str) -> bool:
        return key in self._sentences

    def words(self, prefix: str) -> dict[str, str]:
        """Return every plain sentence below a prefix, by the rest of its key."""
        start = f"{prefix}."
        return {
            key.removeprefix(start): sentence
            for key, sentence in self._sentences.below(prefix)
            if isinstance(sentence, str)
        }


class Sentences(Mapping[str, Sentence]):
    """All sentences of a language by dotted key.

    A table of the file is parsed when one of its keys is first used: parsing them all would take half of the program's
    own share of the start-up time.
    """

    def __init__(self, raw: str) -> None:
        _, *parts = _TABLE.split(raw)
        self._raw = dict(zip(parts[::2], parts[1::2], strict=True))
        self._tables: dict[str, dict[str, Sentence]] = {}

    def __getitem__(self, key: str) -> Sentence:
        for name in _beginnings(key):
            if name in self._raw and key in (table := self._table(name)):
                return table[key]
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        for name in self._raw:
            yield from self._table(name)

    def __len__(self) -> int:
        return sum(len(self._table(name)) for name in self._raw)

    def below(self, prefix: str) -> Iterator[tuple[str, Sentence]]:
        """Yield the sentences whose key begins with this prefix and a dot."""
        start, around = f"{prefix}.", set(_beginnings(prefix))
        for name in self._raw:
            if name in around or name.startswith(start):
                yield from (pair for pair in self._table(name).items() if pair[0].startswith(start))

    def _table(self, name: str) -> dict[str, Sentence]:
        if name not in self._tables:
            self._tables[name] = dict(_flat(tomllib.loads(f"[{name}]\n{self._raw[name]}"), ""))
        return self._tables[name]


def _beginnings(key: str) -> Iterator[str]:
    """Yield a dotted key, then the key without its last word, and so on."""
    while key:
        yield key
        key = key.rpartition(".")[0]


@cache
def load_sentences(language: str) -> Sentences:
    return Sentences((_HERE / f"{language}.toml").read_text(encoding="utf-8"))


def _flat(table: dict[str, object], prefix: str) -> Iterator[tuple[str, Sentence]]:
    for key, value in table.items():
        if isinstance(value, str) or (isinstance(value, dict) and set(value) == {"one", "other"}):
            yield prefix + key, value
        elif isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
