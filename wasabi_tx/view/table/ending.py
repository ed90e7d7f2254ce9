"""How a game ended: who won and why, and what every seat's points are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.position import Outcome, Position, Seat
from ...engine.rules import AnyRules
from ...table.game import Player
from ...text import Texts
from ..log.phrases import worth_words
from .plain_table import wrap
from .recipe import recipe_name


@dataclass(frozen=True)
class SeatEnding:
    name: str
    gone: bool
    winner: bool
    recipes: tuple[tuple[str, int, int], ...]
    """Name, points and style cubes of each completed recipe."""
    points: int
    cubes: int
    total: int


@dataclass(frozen=True)
class Ending:
    ending: str
    winners: tuple[str, ...]
    by_cubes: bool
    """Whether others have as many points in all, and fewer cubes."""
    results: tuple[SeatEnding, ...]


def end_view(
    rules: AnyRules, position: Position, players: Sequence[Player], texts: Texts, outcome: Outcome | None = None
) -> Ending:
    """The end of a game that is over; `outcome` tells it of one that stopped where the rules would go on."""
    outcome = position.outcome or outcome
    assert outcome is not None, "the game goes on"
    results = tuple(
        SeatEnding(
            name=player.name,
            gone=seat.gone,
            winner=number in outcome.winners,
            recipes=tuple(
                (recipe_name(rules, texts, done.recipe), rules.edition.recipes[done.recipe].points, done.cubes)
                for done in seat.claimed
            ),
            points=seat.points,
            cubes=seat.cubes,
            total=seat.score,
        )
        for number, (player, seat) in enumerate(zip(players, position.seats, strict=True))
    )
    best = {position.seats[winner].score for winner in outcome.winners}
    tied = any(result.total in best and not result.winner and not result.gone for result in results)
    scored = outcome.ending not in ("tokens", "abandoned")
    return Ending(outcome.ending, tuple(r.name for r in results if r.winner), scored and tied, results)


def ends_without_one(position: Position) -> bool:
    """Whether the game is over as soon as somebody leaves."""
    return len(position.playing) <= 2


def bots_play_on(position: Position, players: Sequence[Player]) -> bool:
    """Whether only bots are left in a game that goes on."""
    left = [player for player, seat in zip(players, position.seats, strict=True) if not seat.gone]
    return position.outcome is None and all(player.bot is not None for player in left)


def completed_words(rules: AnyRules, seat: Seat, texts: Texts) -> str:
    """A seat's completed recipes with their points and style cubes."""
    return ", ".join(
        f"{recipe_name(rules, texts, done.recipe)} {rules.edition.recipes[done.recipe].points}"
        + (f"+{done.cubes}★" if done.cubes else "")
        for done in seat.claimed
    )


def ending_lines(view: Ending, texts: Texts) -> list[str]:
    lines = wrap(texts.say(f"ending.{view.ending}"))
    if len(view.winners) == 1:
        key = "ending.by-cubes" if view.by_cubes else "ending.winner"
        lines += wrap(texts.say(key, name=view.winners[0]))
    elif view.winners:
        lines += wrap(texts.say("ending.draw", names=", ".join(view.winners)))
    for result in sorted(view.results, key=lambda one: (not one.winner, -one.total)):
        gone = f" ({texts.say('seat.gone')})" if result.gone else ""
        sums = texts.say("ending.sum", total=result.total, worth=worth_words(texts, result.points, result.cubes))
        lines += wrap(f"{result.name}{gone}: {sums}", "  ")
        words = [f"{name} {points}" + (f"+{cubes}★" if cubes else "") for name, points, cubes in result.recipes]
        lines += wrap("  " + (", ".join(words) or texts.say("ending.nothing")), "  ")
    return lines
