"""The command palette: every action of the screen below, and every theme."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from .app import WasabiApp
from .keys import actions_on, shown_keys
from .safe_text import plain
from .screens.base import ActionScreen


class ActionCommands(Provider):
    """Offers every action of the screen below, and every theme."""

    def _commands(self) -> Iterator[tuple[str, str, object]]:
        app, screen = self.app, self.screen
        assert isinstance(app, WasabiApp)
        if isinstance(screen, ActionScreen):
            for action in actions_on(screen.where):
                if action.listed and screen.offers(action):
                    keys = " ".join(shown_keys(action, app.settings.keys, app.texts))
                    words = f"{app.texts.say(f'tui.about.{action.id}')} ({keys})"
                    name = app.texts.say(f"tui.action.{action.id}")
                    yield name[:1].upper() + name[1:], words, partial(screen.action_act, action.id)
        for theme in app.themes:
            name = theme.names[app.texts.language]
            yield app.texts.say("tui.theme-named", name=name), theme.id, partial(app.change, theme=theme.id)

    async def discover(self) -> Hits:
        for name, words, command in self._commands():
            yield DiscoveryHit(plain(name), command, help=words)  # type: ignore[arg-type]

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, words, command in self._commands():
            score = max(matcher.match(name), matcher.match(words) / 2)
            if score > 0:
                yield Hit(score, matcher.highlight(name), command, help=words)  # type: ignore[arg-type]
