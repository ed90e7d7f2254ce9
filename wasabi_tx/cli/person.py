"""Whoever sits at this machine: what they prefer, and what they are called."""

from __future__ import annotations

import getpass

from ..store.paths import Paths, find_paths
from ..store.settings import read_settings
from ..view.names import clean_name
from ..view.settings import Settings, parse_settings


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
