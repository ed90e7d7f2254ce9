"""The Wasabi app that a widget or a screen belongs to, with its own type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.message_pump import MessagePump

    from .app import WasabiApp


def wasabi_app(node: MessagePump) -> WasabiApp:
    """Return the running app; our screens and widgets run in no other."""
    from .app import WasabiApp

    app = node.app
    assert isinstance(app, WasabiApp)
    return app
