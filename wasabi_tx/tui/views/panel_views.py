"""The contents of each panel around the board, as frozen values made from a moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...engine.edition import Edition
from ...engine.position import NOBODY
from ...engine.rules import AnyRules
from ...games.game import SeatState
from ...text import Texts
from ...text.foreign import clean
from ...turn.planned_hand import RecipeSlot, hand_cards, hand_tiles, recipe_strips
from ...turn.recipe_card import RecipeCard, recipe_cards
from ...view.log.chronicle import TurnEntry, entry_sentences
from ...view.online.surroundings import Around
from ...view.table.recipe import recipe_name
from ...view.table.table import DeckView, HandCard, HandTile, PantryItem, SeatView, TableView
from .moment import QUIET, TableMoment


@dataclass(frozen=True)
class HeaderView:
    """The contents of the header."""

    edition: str
    turn: int
    squares_left: int
    mover: str
    your_turn: bool
    seats: tuple[SeatView, ...]
    around: Around
    over: bool = False
    replayed: bool = False
    composing: bool = False
    clock: str = ""
    lifted: bool = False
    """True if something is lifted that a key puts back."""


def header_view(moment: TableMoment) -> HeaderView:
    view = shown_view(moment)
    return HeaderView(
        view.edition, view.turn, view.squares_left, view.mover, view.your_turn, view.seats, moment.around,
        moment.over, moment.replayed, moment.composing, moment.clock, moment.lifted,
    )  # fmt: skip


def shown_view(moment: TableMoment) -> TableView:
    """Return the table as of the move that is shown: it is its author who plays."""
    flash, view = moment.flash, moment.view
    if flash is None or not flash.told:
        return view
    seats = tuple(replace(seat, to_move=number == flash.seat) for number, seat in enumerate(view.seats))
    return replace(view, mover=view.seats[flash.seat].name, your_turn=False, seats=seats)


@dataclass(frozen=True)
class HandView:
    """The own hand; for a watcher, who has none, a notice."""

    tiles: tuple[HandTile, ...] = ()
    cards: tuple[HandCard, ...] = ()
    watching: bool = False


def hand_view(moment: TableMoment, texts: Texts) -> HandView:
    plan, view = moment.plan, moment.view
    if moment.watching:
        return HandView(watching=True)
    tiles = view.tiles if plan is None else hand_tiles(plan)
    cards = view.cards if plan is None else hand_cards(plan, texts)
    return HandView(tiles if moment.rules.edition.hand_tiles else (), cards)


class ServedRecipe(NamedTuple):
    name: str
    codes: tuple[str, ...]


@dataclass(frozen=True)
class CompletedSeat:
    number: int
    name: str
    you: bool
    to_move: bool
    recipes: tuple[ServedRecipe, ...]
    """Their completed recipes, the last one first."""


@dataclass(frozen=True)
class CompletedView:
    """Everybody's completed recipes."""

    seats: tuple[CompletedSeat, ...] = ()


def completed_view(moment: TableMoment, texts: Texts) -> CompletedView:
    return CompletedView(tuple(_completed_seat(seat, moment.rules, texts) for seat in moment.view.seats))


def _completed_seat(seat: SeatView, rules: AnyRules, texts: Texts) -> CompletedSeat:
    done = (
        ServedRecipe(
            recipe_name(rules, texts, one), tuple(rules.code(tile) for tile in rules.edition.recipes[one].strip.tiles)
        )
        for one in reversed(seat.claimed)
    )
    return CompletedSeat(seat.number, seat.name, seat.you, seat.to_move, tuple(done))


@dataclass(frozen=True)
class RecipesView:
    """The recipes in our own hand; for a watcher, all completed recipes."""

    cards: tuple[RecipeCard, ...] = ()
    decks: tuple[DeckView, ...] = ()
    """The decks, if no other panel shows them."""
    won: int = 0
    """The number of the recipe that was just completed."""
    completed: CompletedView = CompletedView()


def recipes_view(moment: TableMoment, texts: Texts, swap_key: str) -> RecipesView:
    """Return the recipes; `swap_key` is the key that returns some of them."""
    swaps = "" if moment.over or moment.replayed else swap_key
    cards = recipe_cards(_slots(moment), moment.view, moment.rules, texts, swaps)
    won = moment.flash.card if moment.flash is not None else 0
    completed = CompletedView() if cards else completed_view(moment, texts)
    return RecipesView(cards, moment.view.decks, won, completed)


def _slots(moment: TableMoment) -> tuple[RecipeSlot, ...]:
    """Return the recipes of the hand, whoever is to move."""
    if moment.plan is not None:
        return recipe_strips(moment.plan, moment.view)
    return tuple(RecipeSlot(one.key, one, "", False, False, one.length) for one in moment.view.recipes)


class Gain(NamedTuple):
    """The points that a seat, from 0, has just got, and how many of them its total does not include yet."""

    seat: int
    gained: int
    ahead: int


class Tokens(NamedTuple):
    """The number of tokens of a length that a player begins with."""

    length: int
    each: int


@dataclass(frozen=True)
class PlayersView:
    seats: tuple[SeatView, ...]
    tokens: tuple[Tokens, ...] = ()
    states: tuple[SeatState, ...] = ()
    gain: Gain | None = None


def players_view(moment: TableMoment) -> PlayersView:
    """Return the seats as of the move that is shown; our own tiles are in the hand panel, not here."""
    flash = moment.flash
    seats = tuple(replace(seat, tiles=()) if seat.you else seat for seat in shown_view(moment).seats)
    gain = Gain(flash.seat, flash.gained, flash.gained - flash.counted) if flash is not None and flash.gained else None
    return PlayersView(seats, token_counts(moment.rules.edition), moment.around.states, gain)


def token_counts(edition: Edition) -> tuple[Tokens, ...]:
    """Return the tokens that everybody begins with; none in editions without them."""
    return tuple(Tokens(token.length, token.count) for token in edition.tokens)


@dataclass(frozen=True)
class PantryView:
    items: tuple[PantryItem, ...]
    offered: frozenset[str] = frozenset()
    """The codes that can be chosen now."""


def pantry_view(moment: TableMoment) -> PantryView:
    return PantryView(
        moment.view.pantry, frozenset(moment.plan.offered_codes) if moment.plan is not None else frozenset()
    )


@dataclass(frozen=True)
class DecksView:
    decks: tuple[DeckView, ...]


@dataclass(frozen=True)
class RaceView:
    scores: tuple[tuple[int, ...], ...]
    """All totals at the end of every turn."""
    names: tuple[str, ...]
    own: int | None
    """The seat whose curve lies on top of the others."""


def race_view(moment: TableMoment, texts: Texts) -> RaceView:
    seats = moment.view.seats
    names = tuple(texts.say("tui.you") if seat.you else clean(seat.name, 20) for seat in seats)
    return RaceView(tuple(moment.race), names, next((n for n, seat in enumerate(seats) if seat.you), None))


@dataclass(frozen=True)
class AskedView:
    """A question, or news that everybody should know."""

    words: str = ""
    answers: bool = False
    """True if the user may answer."""


@dataclass(frozen=True)
class StoryView:
    """The log of the game and the notices beside it."""

    title: str
    seats: tuple[str, ...]
    """The names in the order of their seats."""
    you: int | None
    """The seat that sentences speak to."""
    turns: tuple[TurnEntry, ...] = ()
    """The oldest first."""
    told: bool = False
    """True if the bar shows the newest of them."""
    notices: tuple[str, ...] = ()
    plans: tuple[tuple[str, ...], ...] = ()
    around: Around = QUIET
    begun: bool = True
    """True once anything can have happened."""
    typing: bool = False
    """True while the user types a line of talk and reads the last ones."""

    def sentences(self, entry: TurnEntry, texts: Texts) -> Iterator[str]:
        """Yield a turn as a sentence, then as shorter ones."""
        return entry_sentences(entry, self.seats, texts, self.you)


def story_view(moment: TableMoment, texts: Texts) -> StoryView:
    """Return what happened; the caller, which knows how much room there is, adds notices and plans."""
    names, you = _speaking(moment, texts)
    since, flash = [entry for entry in moment.since if entry.seat != NOBODY], moment.flash
    told = flash is not None and bool(flash.told) and bool(moment.since) and moment.since[-1].seat == flash.seat
    return StoryView(
        title=texts.say("tui.happened" if moment.replayed or moment.watching else "tui.since"),
        seats=names, you=you, turns=tuple(since), told=told, around=moment.around, begun=moment.view.turn > 0,
        typing=moment.line == "talk",
    )  # fmt: skip


def _speaking(moment: TableMoment, texts: Texts) -> tuple[tuple[str, ...], int | None]:
    """Return the names in sentences about turns, and the seat that they speak to."""
    names = [clean(seat.name, 24) for seat in moment.view.seats]
    you = next((number for number, seat in enumerate(moment.view.seats) if seat.you), None)
    if you is not None and (own := texts.say("log.own")):
        names[you] = own
    elif moment.replayed:
        # Some languages say all of it differently to you; there the name stays, whoever is meant.
        you = None
    return tuple(names), you


def last_turn(moment: TableMoment, texts: Texts) -> tuple[str, ...]:
    """Return the newest turn as a sentence, then as shorter ones."""
    names, you = _speaking(moment, texts)
    return tuple(entry_sentences(moment.since[-1], names, texts, you))
