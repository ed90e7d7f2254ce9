"""The body of the table screen: panels around the board, laid out for the terminal's size, drawn from a scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.widget import Widget

from ...text import Texts
from ...text.cells import wrap
from ...view.online.surroundings import sentence
from ...view.table.recipe_card import recipe_cards
from ...view.turn.action_bar import asking
from ...view.turn.prompt_choices import code_choice
from ..canvas import Canvas
from ..draw.action_bar import explains, paint_action_bar
from ..draw.asked import asked_fits, paint_asked
from ..draw.completed import paint_completed
from ..draw.decks import paint_decks
from ..draw.guide import paint_guide
from ..draw.hand import paint_hand
from ..draw.header import Headline, paint_header
from ..draw.keys_line import key_hints, paint_keys
from ..draw.kitchen import paint_kitchen
from ..draw.notice import paint_notice
from ..draw.pantry import paint_pantry
from ..draw.players import paint_players
from ..draw.race import race_canvas
from ..draw.recipes import paint_recipes
from ..draw.sheet import Means
from ..draw.story import longest, paint_story
from ..draw.talk import paint_talk
from ..keys import ACTIONS, key_now
from ..layout import LEAST_HEIGHT, LEAST_WIDTH, SECTIONS, Layout, Rect, choose_layout, guided
from ..paints import Paints
from ..scene import (
    Scene,
    banner_of,
    bar_of,
    before_flash,
    board_frames,
    cards_in_hand,
    gain_of,
    ingredients,
    looks_of,
    mover_colour,
    players_of,
    race_of,
    recipe_slots,
    shown_view,
    story_of,
    story_title,
    tiles_in_hand,
    token_counts,
)
from ..tiles import HUGE, LARGE
from ..wasabi_app import wasabi_app
from .board import BoardPicture, BoardWidget
from .keyboard import Keyboard, TakeKey
from .painting import Painting

PANELS = (
    "header",
    "asked",
    "recipes",
    "players",
    "race",
    "completed",
    "hand",
    "kitchen",
    "decks",
    "pantry",
    "story",
    "talk",
    "bar",
    "keys",
    "guide",
    "notice",
)

RECEDES = 0.6
"""How far a panel steps back that a lesson is not about."""
NOWHERE = Rect(0, 0, 0, 0)


class TableBody(Widget):
    """Draws scenes."""

    def __init__(self, texts: Texts, keys: Mapping[str, str], where: str, take_key: TakeKey) -> None:
        super().__init__(id="table")
        self.keyboard = Keyboard(take_key)
        self.texts = texts
        self._keys = keys
        self._where = where
        self._layout: Layout | None = None
        self._scene: Scene | None = None
        self._drawn: dict[str, tuple[object, ...]] = {}
        self._meant: dict[tuple[object, ...], Means] = {}
        self.section = SECTIONS[0]

    def compose(self) -> ComposeResult:
        yield BoardWidget()
        for name in PANELS:
            yield Painting(name)
        yield self.keyboard

    @property
    def small(self) -> bool:
        return self._layout is not None and self._layout.name == "tiny"

    def panel(self, name: str) -> Painting:
        return self.query_one(f"#{name}", Painting)

    def on_resize(self) -> None:
        self._layout = None
        if self._scene is not None:
            self.draw(self._scene)

    def redraw(self, texts: Texts, keys: Mapping[str, str]) -> None:
        """Draws everything anew: another language, other keys, another theme."""
        self.texts, self._keys, self._drawn, self._meant = texts, keys, {}, {}
        if self._scene is not None:
            self.draw(self._scene)

    def next_section(self) -> None:
        at = SECTIONS.index(self.section)
        self.section = SECTIONS[(at + 1) % len(SECTIONS)] if self.small else SECTIONS[0]
        self._layout = None
        if self._scene is not None:
            self.draw(self._scene)

    def tell_time(self, clock: str) -> None:
        """Time goes by; nothing else has changed."""
        scene = self._scene
        if scene is not None and scene.clock != clock:
            self._scene = replace(scene, clock=clock)
            if self._layout is not None:
                self._paint_header(self._scene, self._means(self._scene))

    def draw(self, scene: Scene) -> None:
        self._scene = scene
        if not self.is_attached or not self.size.width:
            return
        if self._layout is None or (scene.guide is None) == ("guide" in self._layout.rects):
            self._lay_out(scene)
        layout = self._layout
        if layout is None:
            words = self.texts.say("tui.too-small", width=LEAST_WIDTH, height=LEAST_HEIGHT)
            self.panel("notice").canvas = paint_notice(words, self._means(scene), self.size.width, self.size.height)
            return
        means = self._means(scene)
        if "board" in layout.rects:
            self._paint_board(scene, layout, means.paints)
        self._paint_header(scene, means)
        self._paint_own(scene, layout, means)
        self._paint_common(scene, layout, means)
        self._paint_foot(scene, means)

    def _show(self, name: str, inputs: tuple[object, ...], paint: Callable[[int, int], Canvas]) -> None:
        """Paints a panel if there is room for it and something of what it shows has changed."""
        rect = self._layout.rects.get(name) if self._layout is not None else None
        if rect is None:
            return
        drawn = self._drawn.get(name, ())
        lit = self._scene is None or self._scene.lit(name)
        inputs = (*inputs, lit)
        same = len(drawn) == len(inputs) and all(a is b or a == b for a, b in zip(drawn, inputs, strict=True))
        if not same:
            self._drawn[name] = inputs
            canvas = paint(rect.width, rect.height)
            if not lit:
                canvas.recede(wasabi_app(self).paints["background"], RECEDES)
            self.panel(name).canvas = canvas

    def _paint_own(self, scene: Scene, layout: Layout, means: Means) -> None:
        """What only this seat holds."""
        swaps = "" if scene.over or scene.replayed else means.keys.get("return", "")
        cards = recipe_cards(recipe_slots(scene), scene.view, scene.rules, self.texts, swaps)
        decks = () if "decks" in layout.rects else tuple(scene.view.decks)
        style = "card" if layout.recipes == "picture" and not means.paints.pixels else layout.recipes
        lit = scene.flash.card if scene.flash is not None else 0
        if not cards and style != "line":
            seats, rules = scene.view.seats, scene.rules
            self._show("recipes", (seats, decks), lambda w, h: paint_completed(seats, rules, means, w, h, decks))
        else:
            self._show(
                "recipes", (cards, decks, lit), lambda w, h: paint_recipes(cards, means, w, h, style, decks, lit)
            )
        tiles, own = tiles_in_hand(scene), cards_in_hand(scene, self.texts)
        size = {"large": LARGE, "huge": HUGE}.get(layout.name)
        watching = "" if any(seat.you for seat in scene.view.seats) else self.texts.say("tui.watching")
        self._show(
            "hand",
            (tiles, own, watching),
            lambda w, h: paint_notice(watching, means, w, h) if watching else paint_hand(tiles, own, means, w, h, size),
        )

    def _paint_common(self, scene: Scene, layout: Layout, means: Means) -> None:
        """What lies open to everybody."""
        view, around = scene.view, scene.around
        rows, rules = layout.player_rows, scene.rules
        tokens, gain, seats = token_counts(scene.rules), gain_of(scene), players_of(scene)
        self._show(
            "players", (seats, around.states, gain),
            lambda w, h: paint_players(seats, tokens, means, w, h, around.states, rows, gain),
        )  # fmt: skip
        race = race_of(scene, self.texts)
        self._show("race", (race,), lambda w, h: race_canvas(race, means, w, h))
        done = view.seats if any(seat.you for seat in view.seats) else ()
        self._show("completed", (done,), lambda w, h: paint_completed(done, rules, means, w, h))
        self._show("kitchen", (view.kitchen,), lambda w, h: paint_kitchen(view.kitchen, means, w, h))
        self._show("decks", (view.decks,), lambda w, _: paint_decks(view.decks, means, w))
        offered = tuple(scene.plan.offered_codes) if scene.plan is not None else ()
        flat = layout.name == "small"
        self._show(
            "pantry", (view.pantry, offered), lambda w, h: paint_pantry(view.pantry, means, w, h, offered, rows=flat)
        )
        told = [sentence(around.asked)] if around.asked else []
        told += [*around.notices, *scene.unplayed, *([scene.note] if scene.note else []), *view.notices]
        answers = bool(around.asked) and "answer" not in scene.idle
        plans, row = scene.plans, layout.rects.get("asked", NOWHERE).width
        if not told and plans and layout.name == "small":
            # Its story is short, and this row would be empty.
            told, plans = [longest(plans[0], row - 3)], plans[1:]
        first = told[0] if told else ""
        fits = layout.name == "small" or asked_fits(first, answers, means, row)
        # What is too long for its row is told beside what happened; a question stays where its key is, too.
        asked = first if fits or answers else ""
        self._show(
            "asked", (asked, answers, means.keys_of("answer")), lambda w, _: paint_asked(asked, answers, means, w)
        )
        notices = tuple(told[1:] if fits else told)
        remark = self._remark(scene, layout) or self._explanation(scene, layout, means)
        notices = (remark, *notices) if remark else notices
        title = self._story_title(scene, layout)
        talk = around.talk if "talk" not in layout.rects else ()
        begun = view.turn > 0
        keys = means.keys_of("log", "talk")
        # Just above the bar nobody reads again what the bar tells.
        since = scene.since if title else before_flash(scene)
        self._show(
            "story", (begun, since, notices, plans, talk, around.unread, around.muted, keys, title, scene.line),
            lambda w, h: paint_talk(around, means, w, h, titled=bool(title), typing=True)
            if scene.line == "talk"
            else paint_story(story_of(scene, since, self.texts), notices, means, w, h, title, around, begun, plans),
        )  # fmt: skip
        self._show("talk", (around, keys), lambda w, h: paint_talk(around, means, w, h))

    def _story_title(self, scene: Scene, layout: Layout) -> str:
        """Nothing where each row of the story counts: there it lies just above the bar."""
        roomy = layout.rects.get("story", NOWHERE).height >= 2 * len(scene.view.seats)
        tight = layout.name == "tiny" or (layout.name == "small" and not roomy)
        return "" if tight and self.section != "log" else story_title(scene, self.texts)

    def _remark(self, scene: Scene, layout: Layout) -> str:
        """What was just said to the person here, where the bar has no room for all of it and the story has."""
        plan, bar, story = scene.plan, layout.rects.get("bar"), layout.rects.get("story")
        if plan is None or not plan.message or bar is None or story is None:
            return ""
        button = f" Enter  {bar_of(scene, self.texts).button} "
        if cell_len(plan.message) + cell_len(button) <= bar.width - 3:
            return ""
        return self._longest([" ".join(plan.said[:count]) for count in range(len(plan.said), 0, -1)], scene, layout)

    def _longest(self, told: Sequence[str], scene: Scene, layout: Layout) -> str:
        """The first of some words, the longest first, that the story has room for; nothing if none fits."""
        story = layout.rects["story"]
        talk = scene.around.talks and story.height > 1
        rows = story.height - bool(self._story_title(scene, layout)) - talk
        return next((words for words in told if len(wrap(words, story.width)) <= rows), "")

    def _explanation(self, scene: Scene, layout: Layout, means: Means) -> str:
        """What the cards do of which one is to be taken, where neither the bar nor the kitchen has room for that."""
        rects, plan = layout.rects, scene.plan
        if plan is None or plan.begun or plan.moment.prompt.slot != "card" or "story" not in rects:
            return ""
        shown = scene.view.kitchen.offered and rects.get("kitchen", NOWHERE).height > 2
        if shown or explains(asking(plan, scene.question, None, self.texts), means, rects["bar"].width):
            return ""
        choices = (code_choice(plan, kind, number, self.texts) for kind, number in plan.offers)
        words = [f"{choice.label}: {choice.about}" for choice in choices if choice.about]
        return self._longest(["; ".join(words), *words[:1]], scene, layout)

    def _paint_foot(self, scene: Scene, means: Means) -> None:
        guide = scene.guide
        if guide is not None:
            self._show("guide", (guide, means.keys), lambda w, h: paint_guide(guide, means, w, h))
        remark = self._remark(scene, self._layout) if self._layout is not None else ""
        bar = bar_of(scene, self.texts, quiet=bool(remark))
        told = scene.flash is not None and bool(scene.flash.told)
        own = (scene.plan is not None and not told) or scene.replayed
        colour = None if own else mover_colour(scene, means.paints)
        left = scene.flash.left if scene.flash is not None and told else None
        enter = means.keys.get("accept") or means.keys.get("next", "")
        self._show(
            "bar", (bar, colour, left, means.keys), lambda w, h: paint_action_bar(bar, means, w, h, colour, enter, left)
        )
        hints = tuple(key_hints(scene, means, self._where, self.small))
        self._show("keys", (hints,), lambda w, _: paint_keys(hints, means, w))
        rect = self._layout.rects.get("bar", NOWHERE) if self._layout is not None else NOWHERE
        lead = 2 + cell_len(bar.lead)
        self.keyboard.place(lead, rect.y + (1 if rect.height > 2 else 0), rect.width - lead - 1)

    def _means(self, scene: Scene) -> Means:
        """What painters need, made once for all moments in which the same letters are typed."""
        letters = scene.plan.letters if scene.plan is not None else frozenset()
        edition, paints = scene.rules.edition, wasabi_app(self).paints
        moment = (letters, edition.text, paints)
        if moment not in self._meant:
            self._meant[moment] = Means(
                paints=paints,
                texts=self.texts,
                ingredients=ingredients(edition),
                cards={one.code: one.names[self.texts.language].partition(" (")[0] for one in edition.actions},
                keys={
                    one.id: key_now(one, self._keys, self.texts, letters) for one in ACTIONS if self._where in one.where
                },
            )
        return self._meant[moment]

    def _lay_out(self, scene: Scene) -> None:
        """Gives every panel its place for this terminal."""
        width, height, grid = self.size.width, self.size.height, scene.rules.grid
        hand = bool(scene.rules.edition.hand_tiles)
        seats = len(scene.view.seats)
        layout = choose_layout(width, height, grid.columns, grid.rows, seats, hand, self.section)
        if layout is not None and scene.guide is not None:
            layout = guided(layout, width, height)
        self._layout = layout
        self._drawn = {}
        rects = {"notice": Rect(0, 0, width, height)} if layout is None else layout.rects
        for name in ("board", *PANELS):
            panel = self.query_one(f"#{name}", Painting)
            rect = rects.get(name)
            panel.display = rect is not None
            if rect is not None:
                panel.styles.offset = (rect.x, rect.y)
                panel.styles.width, panel.styles.height = rect.width, rect.height

    def _paint_board(self, scene: Scene, layout: Layout, paints: Paints) -> None:
        looks = looks_of(scene, self.texts.language)
        frames = board_frames(scene, paints)
        banner = banner_of(scene)
        dimmed = banner is not None or not scene.lit("board")
        self.query_one(BoardWidget).show(
            BoardPicture(looks, scene.view.columns, layout.tiles, frames, paints, dimmed=dimmed, banner=banner)
        )

    def _paint_header(self, scene: Scene, means: Means) -> None:
        lifted = means.keys.get("under", "") if scene.lifted else ""
        headline = Headline(scene.over, scene.replayed, scene.composing, scene.clock, lifted)
        view = shown_view(scene)
        facts = (view.turn, view.squares_left, view.mover, view.your_turn, view.seats, view.edition)
        self._show(
            "header",
            (facts, headline, scene.around),
            lambda w, _: paint_header(view, headline, scene.around, means, w),
        )
