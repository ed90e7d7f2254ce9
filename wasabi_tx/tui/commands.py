"""The command palette: every key that works on the screen below, and every theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from .app import WasabiApp
from .bindings import active_actions
from .safe_text import plain

Command = tuple[str, str, Callable[[], object]]


class ActionCommands(Provider):
    """Offers what the active bindings do, and a change of theme."""

    def _commands(self) -> Iterator[Command]:
        app, screen = self.app, self.screen
        assert isinstance(app, WasabiApp)
        for action, keys in active_actions(screen, app.texts):
            if action.listed:
                name = app.texts.say(f"tui.action.{action.id}")
                words = f"{app.texts.say(f'tui.about.{action.id}')} ({' '.join(keys)})"
                yield name[:1].upper() + name[1:], words, partial(app.run_action, action.call, screen)
        for theme in app.themes:
            name = theme.names[app.texts.language]
            yield app.texts.say("tui.theme-named", name=name), theme.id, partial(app.change, theme=theme.id)

    async def discover(self) -> Hits:
        for name, words, command in self._commands():
            yield DiscoveryHit(plain(name), command, help=words)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, words, command in self._commands():
            score = max(matcher.match(name), matcher.match(words) / 2)
            if score > 0:
                yield Hit(score, matcher.highlight(name), command, help=words)
