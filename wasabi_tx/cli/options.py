"""Options that several commands share, and the sentences for what can be wrong with them."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..store.paths import Paths, find_paths
from ..store.settings import read_settings
from ..store.user_files import add_edition, find_rules, user_editions
from ..text import LANGUAGES, Texts, find_language
from ..view.names import RIVALS, clean_name
from ..view.settings import Settings, parse_settings
from . import Failure, Misuse

if TYPE_CHECKING:
    from ..engine.edition import Edition
    from ..engine.rules import AnyRules

language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=None,
    help="else that of settings or locale",
)


def _edition_name(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    """The name of an edition; given a file, adds it to the user's own editions first."""
    return added_edition(Path(value), texts_for(None)).id if value.endswith(".toml") else value


edition_option = click.option(
    "--edition",
    callback=_edition_name,
    default="classic",
    show_default=True,
    help="one of `wasabi-tx editions`, or your own FILE.toml",
)
rival_option = click.option(
    "--rival",
    "rivals",
    type=click.Choice(list(RIVALS), case_sensitive=False),
    multiple=True,
    help="a bot by name; else by lot",
)
seed_option = click.option("--seed", default=None, help="any text: the same seed gives the same decks")


def added_edition(path: Path, texts: Texts) -> Edition:
    """The edition in a file, which is from now on among the user's own; or a sentence that says why not."""
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


def texts_for(language: str | None) -> Texts:
    """In the language asked for, else that of the settings, else that of the environment."""
    return Texts(find_language(language or preferences(find_paths()).language))


def refused_level(level: str, rules: AnyRules, texts: Texts) -> str:
    """Why the level is not offered at such a table; nothing if it is."""
    from ..bots.level_names import is_offered

    if is_offered(level, rules.name, rules.players):
        return ""
    name, word = rules.edition.names[texts.language], texts.say(f"tui.level.{level}")
    return texts.say("cli.level-not-offered", edition=name, seats=rules.players, level=word)


def check_rivals(rivals: tuple[str, ...], bots: int, texts: Texts) -> None:
    """Refuses more rivals than there are bots, and one twice."""
    if len(rivals) > bots or len(set(rivals)) < len(rivals):
        raise Misuse(texts.say("cli.rivals", count=bots))


def check_level(level: str, rules: AnyRules, texts: Texts) -> None:
    """Refuses a level that is not offered at such a table."""
    if refusal := refused_level(level, rules, texts):
        raise Misuse(refusal)


def rules_by_name(edition: str, players: int, texts: Texts) -> AnyRules:
    """The rules, or a sentence that says why there are none."""
    from ..engine.edition import EditionError
    from ..engine.editions import PACKAGED
    from ..view.sentences import say_problem

    folder = find_paths().editions
    try:
        return find_rules(edition, players, folder)
    except KeyError:
        known = ", ".join([*PACKAGED, *user_editions(folder)])
        raise Misuse(texts.say("cli.no-edition", edition=edition, known=known)) from None
    except EditionError as error:
        raise Failure(f"{edition}: {say_problem(texts, error.problems[0])}") from None
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=edition, reason=error)) from None


def preferences(paths: Paths) -> Settings:
    """The settings file as far as it holds; screens report what does not."""
    try:
        return parse_settings(read_settings(paths.config))[0]
    except OSError:
        return Settings()


def own_name() -> str | None:
    """The name that was chosen, or the login where none was."""
    return clean_name(preferences(find_paths()).name or _login())


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
