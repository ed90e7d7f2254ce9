"""The preferences of the person at this machine: settings, language, name."""

from __future__ import annotations

import getpass

from ..store.paths import Paths, find_paths
from ..store.settings import read_settings
from ..text import Texts, find_language
from ..view.names import clean_name
from .settings import Settings, parse_settings


def texts_for(language: str | None) -> Texts:
    """Return the sentences in the given language, or the one in the settings, or the locale's."""
    return Texts(find_language(language or preferences(find_paths()).language))


def preferences(paths: Paths) -> Settings:
    """Read the settings file as far as it is valid; screens report the rest."""
    try:
        return parse_settings(read_settings(paths.config))[0]
    except OSError:
        return Settings()


def own_name() -> str | None:
    """Return the name from the settings, or the login name."""
    return clean_name(preferences(find_paths()).name or _login())


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
