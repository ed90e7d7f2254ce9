"""A screen that shows a table: it composes one, and shows moments on it."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult

from ...views.moment import TableMoment
from ...widgets.line import Line
from ...widgets.table.table import Table
from ..base import WasabiScreen


class ShownTable(WasabiScreen[None]):
    """Shows what `moment` returns; call `refresh_table` when that has changed."""

    CSS_PATH = Path(__file__).with_name("table.tcss")

    def __init__(self) -> None:
        super().__init__()
        self.line = Line(self.run_key)

    def compose(self) -> ComposeResult:
        self.table = Table(self.where, self.line, self.wasabi.settings.keys)
        self.table.show(self.moment())
        yield self.table

    def on_mount(self) -> None:
        self.line.focus()

    def moment(self) -> TableMoment:
        """Return everything to show now."""
        raise NotImplementedError

    def refresh_table(self) -> None:
        """Show the table as it is now."""
        if self.is_running:
            self.table.show(self.moment())

    def on_resize(self) -> None:
        """Arrange the panels for another size.

        Waiting for them here would lose a size that comes meanwhile: Textual
        tells the screen of each layout once more, and of two sizes that wait
        it takes the later.
        """
        self.table.fit()

    def on_screen_resume(self) -> None:
        """Arrange the panels for the size that the terminal has by now."""
        self.table.fit()
