"""A scene is one moment as a table draws it: everything that its panels need, so that they never have to ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..engine.edition import Edition, Ingredient
from ..engine.position import NOBODY
from ..engine.rules import AnyRules
from ..text import Texts
from ..text.foreign import clean
from ..text.marks import mark
from ..view.log.chronicle import TurnEntry, entry_sentences
from ..view.online.surroundings import Around
from ..view.press import Do
from ..view.table.planned_hand import RecipeSlot, hand_cards, hand_tiles, recipe_strips, taken_tiles
from ..view.table.table import Cell, SeatView, TableView
from ..view.turn.action_bar import ActionBar, action_bar
from ..view.turn.plan import Plan
from ..view.turn.preview import Preview
from ..view.turn.prompt_choices import Question
from .draw.banner import Banner
from .draw.board_frame import BoardFrame, frames_around
from .draw.hand import CardInHand, TileInHand
from .draw.players import Gain, Tokens
from .draw.race import Race
from .flash import Flash
from .paints import Paints
from .tiles import Look

if TYPE_CHECKING:
    from ..view.guide import GuideView

QUIET = Around()
ALWAYS_LIT = ("guide", "keys", "notice")
"""Panels that never step back."""


@dataclass(frozen=True)
class Scene:
    rules: AnyRules
    view: TableView
    plan: Plan | None
    question: Question
    since: Sequence[TurnEntry]
    last: frozenset[int]
    """Squares of the last move."""
    cursor: int | None
    lifted: bool
    """Whether covers and stacks are lifted to look under them."""
    line: str
    """What the line is for that is being typed: `talk`, `notation`, or nothing."""
    waiting: bool
    over: bool
    replayed: bool = False
    preview: Preview | None = None
    """What Enter would do with what is held."""
    clock: str = ""
    """How long the present turn has taken, once it is worth telling."""
    around: Around = QUIET
    idle: frozenset[str] = frozenset()
    """Actions that this game does not offer."""
    flash: Flash | None = None
    """What has just happened, while it is shown."""
    note: str = ""
    """What is at the table for the first time in the life of who sits here."""
    composing: bool = False
    """Whether the plan is for a later turn."""
    unplayed: tuple[str, ...] = ()
    """Why what was left for this turn was not played, in a sentence or two."""
    plans: tuple[tuple[str, ...], ...] = ()
    """What was left for later turns: each in a line, then in ever shorter ones."""
    ways: tuple[tuple[str, Do], ...] = ()
    """What can be done about later turns while others move."""
    guide: GuideView | None = None
    """What a lesson asks for; everything that it is not about steps back."""
    race: Sequence[tuple[int, ...]] = ()
    """All totals at the end of every turn."""

    def lit(self, panel: str) -> bool:
        """Whether a panel is shown as ever: all of them are, unless a lesson is about others."""
        return self.guide is None or panel in self.guide.panels or panel in ALWAYS_LIT


_KNOWN: dict[str, dict[str, Ingredient]] = {}


def ingredients(edition: Edition) -> dict[str, Ingredient]:
    """The ingredients of an edition by code; made once."""
    found = _KNOWN.get(edition.text)
    if found is None:
        found = _KNOWN[edition.text] = {one.code: one for one in edition.ingredients}
    return found


def looks_of(scene: Scene, language: str) -> tuple[Look, ...]:
    """Every square of the board, with the tile that is held over one."""
    plan = scene.plan
    squares = plan.squares if plan is not None else frozenset()
    # A card chooses among tiles, so the others recede; a tile goes where nothing is, and lines are read from all.
    choosing = bool(squares) and plan is not None and plan.begun.verbs[:1] != ("place",)
    known = ingredients(scene.rules.edition)
    ghosts = {square: scene.rules.code(tile) for square, tile in scene.preview.ghost if tile} if scene.preview else {}
    return tuple(
        _look(cell, scene, known, language, number, number in squares, choosing, ghosts.get(number, ""))
        for number, cell in enumerate(scene.view.cells)
    )


def _look(
    cell: Cell, scene: Scene, known: dict[str, Ingredient], language: str, number: int, legal: bool, choosing: bool,
    ghost: str,
) -> Look:  # fmt: skip
    code = ghost or (cell.codes[-1] if cell.codes else "")
    one = known[code] if code else None
    lifted = scene.lifted and len(cell.codes) > 1
    landing = scene.flash is not None and number in scene.flash.landing
    return Look(
        code=code,
        category=one.category if one else "",
        name="/".join(cell.codes[-2::-1]) if lifted else one.names[language] if one else "",
        emoji=one.emoji if one else "",
        below=cell.codes if ghost else cell.codes[:-1],
        cover="" if scene.lifted and cell.codes else cell.cover,
        legal=legal,
        quiet=choosing and not legal and not ghost,
        pending=cell.pending and scene.plan is not None,
        last=number in scene.last,
        author=0 if cell.author is None else cell.author + 1,
        cursor=number == scene.cursor,
        ghost=bool(ghost),
        short=one.short.get(language, ()) if one and not lifted else (),
        settled=scene.flash.settled if scene.flash is not None and landing else 1.0,
    )


def board_frames(scene: Scene, paints: Paints) -> tuple[BoardFrame, ...]:
    """What stands out on the board: lines that would be complete or nearer, the cursor, what others did last."""
    gold, green = paints["points-shape"], paints["accent-shape"]
    plan, frames = scene.plan, []
    if scene.flash is not None and scene.flash.squares:
        return _flashing(scene.flash, scene.view.columns, gold, paints)
    if scene.guide is not None and scene.guide.squares and not (plan is not None and plan.begun):
        return tuple(BoardFrame(part, gold, "!") for part in _touching(scene.guide.squares, scene.rules))
    if plan is None:
        by = {square: cell.author for square, cell in enumerate(scene.view.cells) if square in scene.last}
        for square, author in by.items():
            if author is not None and not scene.view.cells[square].cover:
                frames.append(BoardFrame((square,), paints.seat(author + 1)))
        return tuple(frames)
    numbers = {one.recipe: str(one.key) for one in scene.view.recipes}
    if scene.preview is not None:
        frames += [BoardFrame(one.squares, green, numbers.get(one.recipe, "")) for one in scene.preview.nearer]
        frames += [BoardFrame(one.squares, gold, numbers.get(one.recipe, "")) for one in scene.preview.completes]
    elif plan.moment.prompt.completions:
        won = plan.moment.prompt.completions[0]
        frames.append(BoardFrame(won.squares, gold, numbers.get(won.recipe, "")))
    frames += [BoardFrame((n,), green) for n, cell in enumerate(scene.view.cells) if cell.pending and not cell.cover]
    if scene.cursor is not None and plan.squares:
        frames.append(BoardFrame(_cursor(scene, scene.cursor), green))
    return tuple(frames)


def _flashing(flash: Flash, columns: int, gold: int, paints: Paints) -> tuple[BoardFrame, ...]:
    """What has just happened: one frame if it is a line or a block, else one around each square."""
    colour, digit = (gold, "*") if flash.recipe else (paints.seat(flash.seat + 1), "")
    return tuple(frames_around(flash.squares, columns, colour, digit))


def shown_view(scene: Scene) -> TableView:
    """The table as of the move that is shown: it is its author who plays."""
    flash, view = scene.flash, scene.view
    if flash is None or not flash.told:
        return view
    seats = tuple(replace(seat, to_move=number == flash.seat) for number, seat in enumerate(view.seats))
    return replace(view, mover=view.seats[flash.seat].name, your_turn=False, seats=seats)


def players_of(scene: Scene) -> tuple[SeatView, ...]:
    """The seats as of the move that is shown; the own tiles lie in the own hand, not here."""
    return tuple(replace(seat, tiles=()) if seat.you else seat for seat in shown_view(scene).seats)


def banner_of(scene: Scene) -> Banner | None:
    """What an own recipe has brought, for a place beside its line."""
    flash = scene.flash
    if flash is None or not flash.recipe:
        return None
    return Banner(flash.squares, flash.recipe, f"+{flash.gained}", flash.worth, flash.sparks)


def gain_of(scene: Scene) -> Gain | None:
    """What a seat has just got, and how much of it its total does not have yet."""
    flash = scene.flash
    if flash is None or not flash.gained:
        return None
    return Gain(flash.seat, flash.gained, flash.gained - flash.counted)


def _touching(squares: tuple[int, ...], rules: AnyRules) -> list[tuple[int, ...]]:
    """The squares in groups that touch, so that a frame around each holds no other square."""
    groups: list[tuple[int, ...]] = []
    for square in squares:
        near = {square, *rules.grid.neighbours[square]}
        touched = [group for group in groups if near & set(group)]
        groups = [group for group in groups if group not in touched]
        groups.append((*(one for group in touched for one in group), square))
    return groups


def _cursor(scene: Scene, cursor: int) -> tuple[int, ...]:
    """The square of the cursor, or the four that a Wasabi! card would cover."""
    plan, grid = scene.plan, scene.rules.grid
    if plan is not None and plan.begun.verbs[:1] == ("wasabi",) and cursor in grid.blocks:
        return tuple(grid.blocks[cursor])
    return (cursor,)


def recipe_slots(scene: Scene) -> tuple[RecipeSlot, ...]:
    """The recipes of the hand, whoever is to move."""
    if scene.plan is not None:
        return recipe_strips(scene.plan, scene.view)
    return tuple(RecipeSlot(one.key, one, "", False, False, one.length) for one in scene.view.recipes)


def tiles_in_hand(scene: Scene) -> tuple[TileInHand, ...]:
    """The tiles by their numbers; one that was laid leaves its place free, and one that was taken fills it."""
    plan = scene.plan
    if not scene.rules.edition.hand_tiles:
        return ()
    if plan is None:
        return tuple(TileInHand(one.key, one.code) for one in scene.view.tiles)
    held = plan.begun.args[0] if plan.begun.verbs == ("place",) and plan.begun.args else 0
    new = taken_tiles(plan)
    found: list[TileInHand] = []
    for tile in hand_tiles(plan):
        picked = bool(held) and plan.rules.code(held) == tile.code and not any(one.held for one in found)
        if tile.key in new:
            found.append(TileInHand(tile.key, new.pop(tile.key), new=True))
        else:
            found.append(TileInHand(tile.key, tile.code, picked and not tile.went, tile.went))
    found += [TileInHand(key, code, new=True) for key, code in new.items()]
    return tuple(sorted(found, key=lambda one: one.key))


def cards_in_hand(scene: Scene, texts: Texts) -> tuple[CardInHand, ...]:
    actions = {one.code: one for one in scene.rules.edition.actions}

    def does(code: str) -> str:
        return texts.say(f"does.{actions[code].effect}")

    if scene.plan is not None:
        return tuple(
            CardInHand(one.key, one.name.partition(" (")[0], does(one.code), one.played)
            for one in hand_cards(scene.plan, texts)
        )
    names = {code: one.names[texts.language].partition(" (")[0] for code, one in actions.items()}
    return tuple(CardInHand(one.key, names[one.code], does(one.code)) for one in scene.view.cards)


def race_of(scene: Scene, texts: Texts) -> Race:
    """Everybody's totals so far, over the turns."""
    names = tuple(texts.say("tui.you") if seat.you else clean(seat.name, 20) for seat in scene.view.seats)
    own = next((number for number, seat in enumerate(scene.view.seats) if seat.you), None)
    return Race(scene.race, names, own)


def token_counts(rules: AnyRules) -> tuple[Tokens, ...]:
    return tuple(Tokens(token.length, token.count) for token in rules.edition.tokens)


def story_title(scene: Scene, texts: Texts) -> str:
    watching = scene.replayed or not any(seat.you for seat in scene.view.seats)
    return texts.say("tui.happened" if watching else "tui.since")


def before_flash(scene: Scene) -> Sequence[TurnEntry]:
    """What happened before the move that is just being shown."""
    flash, since = scene.flash, scene.since
    shown = flash is not None and flash.told and since and since[-1].seat == flash.seat
    return since[:-1] if shown else since


def story_of(scene: Scene, since: Sequence[TurnEntry], texts: Texts) -> tuple[Iterator[str], ...]:
    """What happened, the newest first: each turn as a sentence, then as shorter ones, made only if asked for.

    Cards that were turned up lie there for all to see.
    """
    return tuple(_told(scene, entry, texts) for entry in reversed(since) if entry.seat != NOBODY)


def _told(scene: Scene, entry: TurnEntry, texts: Texts) -> Iterator[str]:
    names = [clean(seat.name, 24) for seat in scene.view.seats]
    you = next((number for number, seat in enumerate(scene.view.seats) if seat.you), None)
    if you is not None and (own := texts.say("log.own")):
        names[you] = own
    elif scene.replayed:
        # Some languages say all of it differently to you; there the name stays, whoever is meant.
        you = None
    return entry_sentences(entry, names, texts, you)


def bar_of(scene: Scene, texts: Texts, *, quiet: bool = False) -> ActionBar:
    """What the action bar says; it also tells another's move, and what was just said unless it is to be `quiet`."""
    if scene.line:
        return ActionBar(f"{texts.say('tui.talk-to')} " if scene.line == "talk" else ": ")
    if scene.flash is not None and scene.flash.told:
        return ActionBar("", told=scene.flash.told)
    if scene.guide is None:
        return _table_bar(scene, texts, quiet)
    return _guided_bar(scene, scene.guide, texts, quiet)


def _table_bar(scene: Scene, texts: Texts, quiet: bool) -> ActionBar:
    if scene.plan is not None:
        bar = action_bar(scene.plan, scene.question, scene.preview, texts, quiet=quiet)
        if scene.composing and scene.plan.ready:
            lead = bar.lead if scene.plan.message else texts.say("bar.ahead", turn=scene.plan.draft.base.position.turn)
            bar = ActionBar(lead, texts.say("bar.leave"), Do("send"), more=mark("muted", texts.say("bar.undo")))
        return bar
    default = next((choice for choice in scene.question.choices if choice.default), None)
    others = tuple(choice for choice in scene.question.choices if choice is not default)
    told: tuple[str, ...] = ()
    if scene.since and (scene.replayed or not scene.over) and not scene.question.note:
        told = tuple(_told(scene, scene.since[-1], texts))
    label, press = (default.label, default.press) if default is not None else ("", None)
    return ActionBar(scene.question.title, label, press, more=scene.question.note, choices=others, told=told)


def _guided_bar(scene: Scene, guide: GuideView, texts: Texts, quiet: bool) -> ActionBar:
    """The bar of the table; it has a button only if Enter is asked for, and what the guide says it does not repeat."""
    said = scene.plan.message if scene.plan is not None else ""
    repeated = bool(said) and said in (guide.mistake, guide.words)
    bar = _table_bar(scene, texts, quiet or repeated)
    if guide.button is None:
        return bar
    if guide.button:
        asks = scene.plan is not None and (repeated or not said)
        return ActionBar("" if asks else bar.lead, guide.button, Do("accept"))
    # What Enter would have chosen is one choice among the others.
    choices = tuple(one for one in scene.question.choices if not (one.default and isinstance(one.press, Do)))
    return replace(bar, button="", press=None, more="", choices=choices)


def mover_colour(scene: Scene, paints: Paints) -> int | None:
    """The colour of the seat whose move is shown, or whose turn it is."""
    if scene.flash is not None and scene.flash.told:
        return paints.seat(scene.flash.seat + 1)
    mover = next((seat for seat in scene.view.seats if seat.to_move), None)
    return paints.seat(mover.number) if mover is not None else None
