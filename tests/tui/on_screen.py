"""What is on the screen of an app: its table, and the words on it."""

from __future__ import annotations

from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.page import TextPage
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.spans import text_of
from wasabi_tx.tui.widgets.painting import Painting
from wasabi_tx.tui.widgets.panel import Panel


def table_of(app: WasabiApp) -> TableScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))


def shown(app: WasabiApp, name: str) -> str:
    """The words of one panel of the table."""
    return table_of(app).query_one(f"#{name}", Painting).words


def table_words(table: TableScreen) -> str:
    """Everything on a table, with one blank between words."""
    return " ".join(" ".join(panel.words for panel in table.query(Painting) if panel.display).split())


def rows(app: WasabiApp) -> str:
    """The lines of a screen of rows."""
    return "".join(text_of(panel.lines) for panel in app.screen.query(Panel) if panel.id == "rows")


def every_word(app: WasabiApp) -> str:
    """The whole screen in one line."""
    seen = app.screen
    if isinstance(seen, TableScreen):
        return table_words(seen)
    shown_on = [seen] if isinstance(seen, TextPage) else seen.query(Panel)
    return " ".join(" ".join(text_of(one.lines) for one in shown_on).split())
