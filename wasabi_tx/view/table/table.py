"""A table as plain data: board, seats, own hand, recipes, pantry, decks; any screen can draw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...bots.level_names import character_of
from ...engine.board import stack_tiles
from ...engine.edition import Recipe
from ...engine.observe import Observation
from ...engine.position import Position
from ...engine.rules import AnyRules
from ...engine.sealed_card import deck_of
from ...games.game import Player
from ...text import Texts
from ..editions import sight_of
from ..editions.edition_view import KitchenView, Stock
from .defaults import missing_tiles
from .hand import EMPTY, Hand, hand_of
from .recipe import Completion, recipe_name
from .recipe_progress import RecipeProgress, complete_line, completions, find_progress, openings, under_cover


class Cell(NamedTuple):
    """One square of the board."""

    name: str
    codes: tuple[str, ...]
    """The tiles from the bottom to the top."""
    cover: str
    """The cover of the square: "", `wasabi` or `cup`."""
    author: int | None
    """The seat that changed it since the viewer's last turn."""
    pending: bool
    """True if it was changed in the present turn."""


@dataclass(frozen=True)
class SeatView:
    number: int
    """The seat's number, from 1 as people count."""
    name: str
    bot: bool
    character: str
    """The preference of a bot besides points; "" for most players."""
    you: bool
    to_move: bool
    gone: bool
    total: int
    cubes: int
    tokens: tuple[tuple[int, int], ...]
    """Unassigned tokens by length; empty in editions without tokens."""
    tiles: tuple[str, ...]
    cards: tuple[str, ...]
    lengths: tuple[int, ...]
    """The lengths of the recipes in hand."""
    claimed: tuple[int, ...]


@dataclass(frozen=True)
class HandTile:
    """A tile in our hand, or the place of one, with the number that picks it."""

    key: int
    code: str
    """Empty where a tile will be taken."""
    held: bool = False
    went: str = ""
    """The square where it was put in this turn."""
    new: bool = False
    """True if it was chosen from the pantry in this turn."""


@dataclass(frozen=True)
class HandCard:
    """An action card in our hand, or one on offer, with the number that picks it."""

    key: int
    code: str
    name: str = ""
    does: str = ""
    played: bool = False
    """True if it is played or discarded in this turn."""
    new: bool = False
    """True if it was earned in this turn, and can be played in the next one."""


@dataclass(frozen=True)
class RecipeView:
    """A recipe in our hand."""

    key: int
    card: int
    recipe: int | None
    """None while its face is not known."""
    length: int
    name: str
    strip: tuple[str, ...]
    points: int
    style: int
    extra: str
    """Gain besides the points for completing it."""
    playable: bool
    """True if a token for it is left."""
    progress: RecipeProgress | None
    claim: Completion | None
    """The gain of claiming it now."""
    opening: tuple[str, str] | None
    """The tile and the square that would complete it."""
    covered: RecipeProgress | None
    """The progress on a covered line, if it has no other."""
    waits: tuple[int, ...] = ()
    """The squares where it already lies complete, while the tile of the turn has to be placed first."""


@dataclass(frozen=True)
class PantryItem:
    code: str
    count: int
    missing: bool
    """True if the player's own recipes lack it."""
    category: str
    """The name of its category."""


@dataclass(frozen=True)
class DeckView:
    """The recipes of a length that are left, and the cubes that the back of one gives to its drawer and to the pool."""

    length: int
    count: int
    gain: int = 0
    pool: int = 0


@dataclass(frozen=True)
class TableView:
    edition: str
    turn: int
    squares_left: int
    mover: str
    your_turn: bool
    columns: int
    cells: tuple[Cell, ...]
    seats: tuple[SeatView, ...]
    tiles: tuple[HandTile, ...]
    cards: tuple[HandCard, ...]
    recipes: tuple[RecipeView, ...]
    pantry: tuple[PantryItem, ...]
    decks: tuple[DeckView, ...]
    stocks: tuple[Stock, ...]
    kitchen: KitchenView
    notices: tuple[str, ...] = field(default=())


def describe_table(
    observation: Observation,
    players: Sequence[Player],
    texts: Texts,
    authors: Mapping[int, int] | None = None,
    base: Observation | None = None,
    hand: Hand = EMPTY,
) -> TableView:
    """Describe the table as the observation shows it.

    `authors` names who changed which square since the viewer's turn. `base` is what everybody sees if the observation
    is only planned within the same turn. `hand` is the viewer's previous hand, whose numbers stay.
    """
    rules, position = observation.rules, observation.position
    shared = (base or observation).position
    sight, hand = sight_of(rules), hand_of(observation, hand)
    lacking = {tile for tile, _ in missing_tiles(observation)}
    categories = {one.id: one.names[texts.language] for one in rules.edition.categories}
    return TableView(
        edition=rules.edition.names[texts.language],
        turn=shared.turn,
        squares_left=sum(position.board.free),
        mover=players[shared.mover].name if shared.mover >= 0 else "",
        your_turn=observation.seat is not None and observation.seat == shared.mover,
        columns=rules.grid.columns,
        cells=_cells(observation, sight.cover, authors or {}),
        seats=tuple(_seat(observation, number, player, shared.mover) for number, player in enumerate(players)),
        tiles=tuple(HandTile(key, rules.code(tile)) for key, tile in hand.tiles.items()),
        cards=tuple(named_card(rules, key, card, texts) for key, card in hand.cards.items()),
        recipes=recipes_in_hand(observation, texts, hand),
        pantry=tuple(
            PantryItem(ingredient.code, position.pantry[tile], tile in lacking, categories[ingredient.category])
            for tile, ingredient in enumerate(rules.edition.ingredients, 1)
        ),
        decks=_decks(rules, position),
        stocks=tuple(sight.stocks(observation, texts)),
        kitchen=sight.kitchen(observation, texts),
        notices=(*_last_tokens(observation, players, texts), *sight.notices(position, texts)),
    )


def named_card(rules: AnyRules, key: int, card: int, texts: Texts, *, played: bool = False) -> HandCard:
    """Return an action card by its number in the edition, with its name and what it does."""
    action = rules.edition.actions[card]
    name = action.names[texts.language].partition(" (")[0]
    return HandCard(key, action.code, name, texts.say(f"does.{action.effect}"), played)


def _decks(rules: AnyRules, position: Position) -> tuple[DeckView, ...]:
    backs = {back.length: (back.gain, back.pool) for back in rules.edition.decks}
    return tuple(
        DeckView(length, len(position.decks[length]), *backs.get(length, (0, 0))) for length in rules.edition.lengths
    )


def _cells(observation: Observation, cover: str, authors: Mapping[int, int]) -> tuple[Cell, ...]:
    rules, position = observation.rules, observation.position
    return tuple(
        Cell(
            name=name,
            codes=tuple(rules.code(tile) for tile in stack_tiles(position.board.stacks[square])),
            cover=cover if square in position.board.blocked else "",
            author=authors.get(square),
            pending=bool(position.changed >> square & 1),
        )
        for square, name in enumerate(rules.grid.names)
    )


def _seat(observation: Observation, number: int, player: Player, mover: int) -> SeatView:
    rules, position = observation.rules, observation.position
    seat = position.seats[number]
    return SeatView(
        number=number + 1,
        name=player.name,
        bot=player.bot is not None,
        character=character_of(player.bot or ""),
        you=number == observation.seat,
        to_move=number == mover,
        gone=seat.gone,
        total=seat.score,
        cubes=seat.cubes,
        tokens=tuple((token.length, seat.tokens[token.length]) for token in rules.edition.tokens),
        tiles=tuple(rules.code(tile) for tile in seat.tiles),
        cards=tuple(rules.card_code(card) for card in seat.cards),
        lengths=tuple(deck_of(card) for card in seat.recipes),
        claimed=tuple(done.recipe for done in seat.claimed),
    )


def recipes_in_hand(observation: Observation, texts: Texts, hand: Hand) -> tuple[RecipeView, ...]:
    """Describe the viewer's own recipes; return none for a watcher."""
    if observation.seat is None:
        return ()
    rules, position = observation.rules, observation.position
    seat = position.seats[observation.seat]
    claims = {one.recipe: one for one in completions(observation)}
    opens = {one.recipe: step for step, one in reversed(openings(observation))}
    owes_tile = observation.my_turn and "place" in rules.outlook(position)
    found = []
    for key, card in hand.recipes.items():
        face, length = observation.faces.get(card), deck_of(card)
        playable = not seat.tokens or bool(seat.tokens[length])
        if face is None:
            found.append(RecipeView(key, card, None, length, "?", (), 0, 0, "", playable, None, None, None, None))
            continue
        recipe = rules.edition.recipes[face]
        opening = opens.get(face)
        claim = claims.get(face)
        found.append(
            RecipeView(
                key=key,
                card=card,
                recipe=face,
                length=length,
                name=recipe_name(rules, texts, face),
                strip=tuple(rules.code(tile) for tile in recipe.strip.tiles),
                points=recipe.points,
                style=recipe.style,
                extra=extra_of(rules, recipe, texts),
                playable=playable,
                progress=find_progress(rules, position, face, seat.tiles),
                claim=claim,
                covered=under_cover(rules, position, face),
                waits=complete_line(rules, position, face) if owes_tile and claim is None else (),
                opening=None if opening is None else (rules.code(opening.args[0]), rules.grid.names[opening.args[1]]),
            )
        )
    return tuple(found)


def extra_of(rules: AnyRules, recipe: Recipe, texts: Texts) -> str:
    """Return what a recipe gives besides points: `★2` with style, or a card where not every recipe gives one."""
    if sight_of(rules).gives_card(recipe):
        return texts.say("recipe.card")
    return f"★{recipe.style}" if recipe.style else ""


def _last_tokens(observation: Observation, players: Sequence[Player], texts: Texts) -> list[str]:
    """Warn about everybody with one token left, who may end the game at any moment."""
    if observation.position.outcome is not None:
        return []
    return [
        texts.say("notice.your-last-token")
        if number == observation.seat
        else texts.say("notice.last-token", name=player.name)
        for number, (player, seat) in enumerate(zip(players, observation.position.seats, strict=True))
        if sum(seat.tokens) == 1 and not seat.gone
    ]
