"""Options that several commands share, and the sentences for what can be wrong with them."""

from __future__ import annotations

from typing import Any

import click

from ..engine.edition import EditionError
from ..engine.rules import Rules
from ..store.editions import find_rules, user_editions
from ..store.paths import find_paths
from ..text import Texts, find_language
from ..view.sentences import say_problem
from . import Failure
from .person import preferences

language_option = click.option(
    "--language",
    type=click.Choice(["en", "it"]),
    default=None,
    help="en or it; else that of settings or locale",
)
edition_option = click.option("--edition", default="classic", show_default=True, help="see `wasabi-tx editions`")
seed_option = click.option("--seed", default=None, help="any text: the same seed gives the same decks")


def texts_for(language: str | None) -> Texts:
    """In the language asked for, else that of the settings, else that of the environment."""
    return Texts(find_language(language or preferences(find_paths()).language))


def rules_by_name(edition: str, players: int, texts: Texts) -> Rules[Any]:
    """The rules, or a sentence that says why there are none."""
    folder = find_paths().editions
    try:
        return find_rules(edition, players, folder)
    except KeyError:
        from ..engine.editions import PACKAGED

        known = ", ".join([*PACKAGED, *user_editions(folder)])
        raise click.BadParameter(
            f"there is no edition {edition!r}; there are: {known}", param_hint="--edition"
        ) from None
    except EditionError as error:
        raise Failure(f"{edition}: {say_problem(texts, error.problems[0])}") from None
    except OSError as error:
        raise Failure(f"{edition}: {error.strerror or error}") from None
