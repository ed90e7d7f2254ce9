"""Editions on a form: what each is like."""

from __future__ import annotations

from ...text import Texts


def edition_about(edition: str, texts: Texts) -> str:
    key = f"new-game.about-edition.{edition}"
    return texts.say(key if texts.knows(key) else "new-game.about-edition.own")
