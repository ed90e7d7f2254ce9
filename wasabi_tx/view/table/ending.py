"""The ending of a game: who won and why, how every seat scored, and a card to send to others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...engine.position import Outcome, Position, Seat
from ...engine.rules import AnyRules
from ...games.game import Player
from ...text import Texts
from ...text.cells import fit
from ...text.foreign import clean
from ..log.phrases import worth_words
from .plain_table import wrap
from .recipe import recipe_name


class Completed(NamedTuple):
    """A recipe that a seat completed."""

    name: str
    points: int
    cubes: int
    """The cubes for style."""

    @property
    def worth(self) -> str:
        """The points as `5+2`, or `5` without style."""
        return f"{self.points}+{self.cubes}" if self.cubes else str(self.points)


@dataclass(frozen=True)
class SeatEnding:
    seat: int
    name: str
    gone: bool
    winner: bool
    place: int
    """The place, from 1; equal seats share one."""
    recipes: tuple[Completed, ...]
    points: int
    cubes: int
    total: int


class Lead(NamedTuple):
    """The player who was alone ahead for the longest, and for how many turns."""

    seat: int
    turns: int


@dataclass(frozen=True)
class Ending:
    edition: str
    ending: str
    winners: tuple[str, ...]
    by_cubes: bool
    """True if others have as many points in total but fewer cubes."""
    results: tuple[SeatEnding, ...]
    """The results in seat order."""
    turns: int
    race: tuple[tuple[int, ...], ...] = ()
    """All totals at the end of every turn, if they are known."""
    you: int | None = None
    """The reader's seat."""

    @property
    def ranked(self) -> list[SeatEnding]:
        """The best first."""
        return sorted(self.results, key=lambda one: (one.place, one.seat))

    @property
    def you_win(self) -> bool:
        """True if the reader alone has won."""
        return [one.seat for one in self.results if one.winner] == [self.you]

    @property
    def you_left(self) -> bool:
        """True if the game is over because the reader left it."""
        return self.ending == "abandoned" and self.you is not None and self.results[self.you].gone

    @property
    def best_recipe(self) -> tuple[Completed, SeatEnding] | None:
        """The recipe worth most (on a tie, the best player's), and who completed it."""
        found = [(recipe, result) for result in self.ranked for recipe in result.recipes]
        return max(found, key=lambda one: one[0].points + one[0].cubes, default=None)

    @property
    def most_cubes(self) -> SeatEnding | None:
        """The seat that alone has the most style cubes; None if several do."""
        most = max(one.cubes for one in self.results)
        holders = [one for one in self.results if one.cubes == most]
        return holders[0] if most and len(holders) == 1 else None

    @property
    def longest_lead(self) -> Lead | None:
        leaders = [totals.index(max(totals)) for totals in self.race if totals.count(max(totals)) == 1]
        counted = [Lead(one.seat, leaders.count(one.seat)) for one in self.results]
        best = max(counted, key=lambda lead: lead.turns)
        return best if best.turns else None

    def called(self, result: SeatEnding, texts: Texts) -> str:
        """Return a seat's name as shown to the reader."""
        return texts.say("tui.you") if result.seat == self.you else clean(result.name, 20)


def end_view(
    rules: AnyRules,
    position: Position,
    players: Sequence[Player],
    texts: Texts,
    outcome: Outcome | None = None,
    *,
    race: Sequence[tuple[int, ...]] = (),
    you: int | None = None,
) -> Ending:
    """Describe the end of a game; `outcome` is needed for one that stopped where the rules would go on."""
    outcome = position.outcome or outcome
    assert outcome is not None, "the game goes on"
    ranks = [(number not in outcome.winners, seat.gone, -seat.score) for number, seat in enumerate(position.seats)]
    results = tuple(
        SeatEnding(
            seat=number,
            name=player.name,
            gone=seat.gone,
            winner=number in outcome.winners,
            place=1 + sum(rank < ranks[number] for rank in ranks),
            recipes=tuple(
                Completed(recipe_name(rules, texts, done.recipe), rules.edition.recipes[done.recipe].points, done.cubes)
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
    return Ending(
        edition=rules.edition.names[texts.language],
        ending=outcome.ending,
        winners=tuple(result.name for result in results if result.winner),
        by_cubes=scored and tied,
        results=results,
        turns=position.turn,
        race=tuple(race),
        you=you,
    )


def winner_words(view: Ending, texts: Texts) -> str:
    """Return one sentence that names the winners."""
    names = [clean(name, 20) for name in view.winners]
    others = [result.total for result in view.results if not result.winner]
    if not names:
        return texts.say("tui.no-winner")
    if len(names) > 1:
        return texts.say("ending.draw", names=", ".join(names))
    if view.by_cubes:
        return texts.say("ending.you-by-cubes" if view.you_win else "ending.by-cubes", name=names[0])
    if view.you_win and others:
        return texts.say("ending.you-win", mine=view.ranked[0].total, best=max(others))
    return texts.say("ending.winner", name=names[0])


CARD_BAR = 16
"""Columns of the longest bar on a card."""


def result_card(view: Ending, texts: Texts) -> str:
    """Return the result as a few lines of text to send to others: everybody by name, the best first."""
    say, top = texts.say, max(1, *(result.total for result in view.results))
    lines = [f"Wasabi TX · {view.edition} · {say('table.turns', count=view.turns)}"]
    for result in view.ranked:
        bar = "█" * max(1, round(CARD_BAR * result.total / top)) if result.total > 0 else ""
        made = say("ending.recipes", count=len(result.recipes))
        cubes = f", {say('worth.cubes', count=result.cubes)}" if result.cubes else ""
        name = fit(clean(result.name, 12), 12)
        lines.append(f"{result.place}. {name} {result.total:>3} {bar:<{CARD_BAR}} {made}{cubes}".rstrip())
    best = view.best_recipe
    if best is not None:
        recipe, result = best
        worth = say("worth.points", count=recipe.points + recipe.cubes)
        lines.append(f"{say('ending.best')} {recipe.name}, {worth} ({clean(result.name, 12)})")
    return "\n".join(lines)


def ends_without_one(position: Position) -> bool:
    """Return True if the game is over as soon as somebody leaves."""
    return len(position.playing) <= 2


def bots_play_on(position: Position, players: Sequence[Player]) -> bool:
    """Return True if only bots are left in a game that goes on."""
    left = [player for player, seat in zip(players, position.seats, strict=True) if not seat.gone]
    return position.outcome is None and all(player.bot is not None for player in left)


def completed_words(rules: AnyRules, seat: Seat, texts: Texts) -> str:
    """Return a seat's completed recipes with their points and style cubes."""
    return ", ".join(
        f"{recipe_name(rules, texts, done.recipe)} {rules.edition.recipes[done.recipe].points}"
        + (f"+{done.cubes}★" if done.cubes else "")
        for done in seat.claimed
    )


def ending_lines(view: Ending, texts: Texts) -> list[str]:
    lines = wrap(texts.say("ending.you-left" if view.you_left else f"ending.{view.ending}"))
    if view.winners:
        lines += wrap(winner_words(view, texts))
    for result in view.ranked:
        gone = f" ({texts.say('seat.gone')})" if result.gone else ""
        sums = texts.say("ending.sum", total=result.total, worth=worth_words(texts, result.points, result.cubes))
        lines += wrap(f"{result.name}{gone}: {sums}", "  ")
        words = [f"{one.name} {one.worth}" + ("★" if one.cubes else "") for one in result.recipes]
        lines += wrap("  " + (", ".join(words) or texts.say("ending.nothing")), "  ")
    return lines
