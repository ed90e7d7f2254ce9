"""Answers to what people ask about: the recipe book, the players, the rules."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.observe import Observation
from ..table.game import Player
from ..text import Texts
from ..text.topics import find_topic, find_topics
from ..view.ending import completed_words
from ..view.lines import WIDTH, columns, wrap
from ..view.recipe import short_worth
from ..view.table import extra_of


def book_lines(observation: Observation, texts: Texts) -> list[str]:
    """Every recipe of the edition by length, two side by side where they fit; completed and own ones are marked."""
    rules = observation.rules
    done = {claimed.recipe for seat in observation.position.seats for claimed in seat.claimed}
    own = set(observation.faces.values())
    cells = []
    for number, recipe in enumerate(rules.edition.recipes):
        mark = "x" if number in done else ">" if number in own else " "
        codes = " ".join(rules.code(tile) for tile in recipe.strip.tiles)
        worth = short_worth(recipe.points, extra_of(rules, recipe, texts), texts)
        cells.append((recipe.length, f"{mark} {recipe.names[texts.language]:<20} {codes} {worth}"))
    lines = wrap(texts.say("play.book"))
    for length in rules.edition.lengths:
        rows = [row for size, row in cells if size == length]
        half = -(-len(rows) // 2)
        pairs = columns(zip(rows[:half], [*rows[half:], ""], strict=False))
        lines += pairs if max(map(len, pairs), default=0) <= WIDTH else rows
    return lines


def who_lines(observation: Observation, players: Sequence[Player], texts: Texts) -> list[str]:
    """What everybody has completed."""
    lines: list[str] = []
    for player, seat in zip(players, observation.position.seats, strict=True):
        words = completed_words(observation.rules, seat, texts) or texts.say("play.who-none")
        lines += wrap(texts.say("play.seats", name=player.name, recipes=words), "  ")
    return lines


def topic_lines(wish: str, rules: str, texts: Texts) -> list[str]:
    """A topic about the rules, or the list of them."""
    topic = find_topic(texts.language, rules, wish) if wish else None
    if topic is not None:
        lines = [topic.title]
        for paragraph in topic.text.splitlines():
            lines += wrap(paragraph, "  " if paragraph.startswith("- ") else "") if paragraph else []
        return lines
    titles = ", ".join(one.title for one in find_topics(texts.language, rules))
    unknown = wrap(texts.say("play.topic-unknown", topic=wish)) if wish else []
    return [*unknown, *wrap(texts.say("play.topics", topics=titles), "  ")]
