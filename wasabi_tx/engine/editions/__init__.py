"""The editions that come with the package, and the rules that play each of them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ..edition import Edition, EditionError, Problem
from ..edition_file import read_edition
from ..rules import AnyRules, board_problems
from .classic.rules import ClassicRules
from .master.rules import MasterRules

RULES: dict[str, type[AnyRules]] = {rules.name: rules for rules in (ClassicRules, MasterRules)}
PACKAGED = ("classic", "master")
PRINTED = {"master": "master-printed"}
"""The editions that change something on purpose, each with its edition as the book prints it."""
RESERVED = (*PACKAGED, *PRINTED.values())
"""The names that no edition of a user's own can have."""


def read_playable(text: str) -> Edition:
    """Return the edition in this text; raise `EditionError` if no rules can play it."""
    edition = read_edition(text)
    rules = RULES.get(edition.rules)
    if rules is None:
        raise EditionError((Problem("rules", "unknown-rules", edition.rules),))
    problems = rules.check(edition) + board_problems(edition)
    if problems:
        raise EditionError(tuple(problems))
    return edition


def edition_text(name: str) -> str:
    for changed, printed in PRINTED.items():
        if name == printed:
            return f"as_printed = true\n{edition_text(changed)}"
    return files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")


@cache
def packaged_edition(name: str) -> Edition:
    """Return the edition with this name; raise `KeyError` if the package has none."""
    if name not in RESERVED:
        raise KeyError(name)
    return read_playable(edition_text(name))


def make_rules(edition: Edition, players: int) -> AnyRules:
    return RULES[edition.rules](edition, players)


@cache
def rules_for(name: str, players: int) -> AnyRules:
    """Return the rules of a packaged edition."""
    return make_rules(packaged_edition(name), players)


@cache
def rules_from_text(text: str, players: int) -> AnyRules:
    """Return the rules of any edition, from the text of its file."""
    return make_rules(read_playable(text), players)
