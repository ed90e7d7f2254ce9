"""Translations of one text, such as the name of a card, by language; English where one is missing."""

from __future__ import annotations

ENGLISH = "en"


class Names(dict[str, str]):
    """One text by language; English where a language is missing."""

    def __missing__(self, language: str) -> str:
        if language == ENGLISH:
            raise KeyError(language)
        return self[ENGLISH]
