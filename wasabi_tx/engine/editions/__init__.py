"""The editions that come with the package, and which rules play which edition."""

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


def read_playable(text: str) -> Edition:
    """The edition in this text, if some rules can play it; else an `EditionError`."""
    edition = read_edition(text)
    rules = RULES.get(edition.rules)
    if rules is None:
        raise EditionError((Problem("rules", "unknown-rules", edition.rules),))
    problems = rules.check(edition) + board_problems(edition)
    if problems:
        raise EditionError(tuple(problems))
    return edition


def edition_text(name: str) -> str:
    return files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")


@cache
def packaged_edition(name: str) -> Edition:
    """`KeyError` if no edition of this name comes with the package."""
    if name not in PACKAGED:
        raise KeyError(name)
    return read_playable(edition_text(name))


def make_rules(edition: Edition, players: int) -> AnyRules:
    return RULES[edition.rules](edition, players)


@cache
def rules_for(name: str, players: int) -> AnyRules:
    """The rules of a packaged edition."""
    return make_rules(packaged_edition(name), players)


@cache
def rules_from_text(text: str, players: int) -> AnyRules:
    """The rules of any edition, from its file's text."""
    return make_rules(read_playable(text), players)
