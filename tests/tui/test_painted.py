"""A painted widget: it follows its view, its size, the theme and the language, and refreshes only what differs."""

from __future__ import annotations

from textual.geometry import Region

from wasabi_tx.text import Texts
from wasabi_tx.tui.canvas import Canvas
from wasabi_tx.tui.draw.sheet import Sheet
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.view.press import PickNumber

from .alone import Alone, paints_of


class Sample(Painted[str]):
    painted = 0

    def paint(self, view: str, width: int, height: int) -> Canvas:
        self.painted += 1
        sheet = Sheet(self.means, width, height)
        sheet.write(0, 0, view)
        sheet.write(0, 1, sheet.say("tui.key.enter"))
        sheet.canvas.click(0, 0, 3, 1, PickNumber(1))
        return sheet.canvas


async def test_it_follows_its_view_its_size_the_theme_and_the_language() -> None:
    sample = Sample("one")
    app = Alone(sample)
    async with app.run_test(size=(20, 4)) as pilot:
        assert sample.words == "one\nEnter\n\n"
        sample.view = "two"
        assert sample.words.startswith("two")
        app.texts = Texts("it")
        assert "Invio" in sample.words
        await pilot.resize_terminal(10, 2)
        await pilot.pause()
        assert sample.words == "two\nInvio"
        before = sample.render_line(0)
        app.paints = paints_of("hinoki")
        await pilot.pause()
        assert sample.render_line(0) != before


async def test_it_is_painted_when_it_is_looked_at_and_once_for_each_view() -> None:
    sample = Sample("one")
    async with Alone(sample).run_test(size=(20, 4)) as pilot:
        await pilot.pause()
        assert sample.painted == 1
        sample.view = "one"
        assert sample.painted == 1, "the same view is the same picture"
        sample.view = "two"
        sample.display = False
        sample.view = "three"
        await pilot.pause()
        assert sample.painted == 2, "nobody sees it"
        sample.display = True
        await pilot.pause()
        assert sample.words.startswith("three")


async def test_only_the_columns_that_differ_are_refreshed() -> None:
    sample = Sample("a line of words")
    async with Alone(sample).run_test(size=(20, 4)) as pilot:
        await pilot.pause()
        refreshed: list[Region] = []
        sample.refresh = lambda *regions, **_: refreshed.extend(regions)  # type: ignore[method-assign, assignment]
        sample.view = "a line in words"
        assert refreshed == [Region(7, 0, 2, 1)]


async def test_what_is_clicked_is_posted() -> None:
    app = Alone(Sample("one"))
    async with app.run_test(size=(20, 4)) as pilot:
        await pilot.click(offset=(1, 0))
        await pilot.click(offset=(5, 0))
        await pilot.pause()
        assert app.pressed == [PickNumber(1)]


async def test_it_keeps_within_a_border_and_at_any_size() -> None:
    sample = Sample("one")
    sample.styles.border = ("round", "red")
    app = Alone(sample)
    async with app.run_test(size=(10, 4)) as pilot:
        assert sample.words == "one\nEnter"
        await pilot.click(offset=(1, 1))
        await pilot.pause()
        assert app.pressed == [PickNumber(1)]
        for size in ((1, 1), (2, 2), (3, 3), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert (sample.canvas.width, sample.canvas.height) == (max(0, size[0] - 2), max(0, size[1] - 2))
