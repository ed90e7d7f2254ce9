"""Editions by name: the packaged ones, and those that a person added from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..store.paths import find_paths, short_path
from ..store.user_files import add_edition, find_rules, user_editions
from ..text import Texts
from .failure import BadChoice, Failure

if TYPE_CHECKING:
    from ..engine.edition import Edition
    from ..engine.rules import AnyRules


def added_edition(path: Path, texts: Texts) -> Edition:
    """Add the edition in a file to the user's own editions and return it."""
    from ..engine.edition import EditionError
    from ..view.sentences import say_problem

    try:
        return add_edition(path, find_paths().editions)
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=path, reason=error)) from None
    except EditionError as error:
        raise Failure(f"{path}: {say_problem(texts, error.problems[0])}") from None
    except ValueError as error:
        raise Failure(texts.say("cli.packaged-id", file=path, edition=error)) from None


def rules_by_name(edition: str, players: int, texts: Texts) -> AnyRules:
    """Return the rules of an edition for this many players."""
    from ..engine.edition import EditionError
    from ..engine.editions import PACKAGED
    from ..view.sentences import say_problem

    folder = find_paths().editions
    try:
        return find_rules(edition, players, folder)
    except KeyError:
        known = ", ".join([*PACKAGED, *user_editions(folder)])
        raise BadChoice(texts.say("cli.no-edition", edition=edition, known=known)) from None
    except EditionError as error:
        raise Failure(f"{edition}: {say_problem(texts, error.problems[0])}") from None
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=edition, reason=error)) from None


def refused_level(level: str, rules: AnyRules, texts: Texts) -> str:
    """Return the reason why a level is not offered at this table; "" if it is."""
    from ..bots.level_names import is_offered

    if is_offered(level, rules.name, rules.players):
        return ""
    name, word = rules.edition.names[texts.language], texts.say(f"tui.level.{level}")
    return texts.say("cli.level-not-offered", edition=name, seats=rules.players, level=word)


def check_level(level: str, rules: AnyRules, texts: Texts) -> None:
    """Raise `BadChoice` if a level is not offered at this table."""
    if refusal := refused_level(level, rules, texts):
        raise BadChoice(refusal)


def edition_notes(edition: Edition, texts: Texts) -> list[str]:
    """Return notices for a host about an edition of their own: nobody can join without its file."""
    from ..engine.editions import RESERVED

    if edition.id in RESERVED:
        return []
    file = short_path(find_paths().editions / f"{edition.id}.toml")
    return [texts.say("online.own-edition", edition=edition.names[texts.language], file=file)]
