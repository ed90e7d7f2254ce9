"""A person's record over all finished games, whatever the order in which they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..engine.edition import Edition
from ..engine.editions import PRINTED
from ..games.finished import FinishedGame, FinishedSeat
from ..text import Texts
from ..text.foreign import clean


@dataclass(frozen=True, order=True)
class Opponent:
    """An opponent, and how often the person finished ahead, level and behind."""

    name: str
    bot: bool
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True)
class Shelf:
    """The recipes of an edition by length, each with how often it was cooked."""

    edition: str
    rows: tuple[tuple[int, tuple[tuple[str, int], ...]], ...]

    @property
    def cooked(self) -> int:
        return sum(times > 0 for _, row in self.rows for _, times in row)

    @property
    def size(self) -> int:
        return sum(len(row) for _, row in self.rows)


@dataclass(frozen=True, order=True)
class BestScore:
    edition: str
    players: int
    score: int


@dataclass(frozen=True)
class PuzzleDays:
    """Results of the daily puzzles."""

    streak: int = 0
    """Consecutive days with a star."""
    yesterday: str = ""
    """The stars of yesterday, or ""."""


@dataclass(frozen=True)
class Record:
    games: int
    won: int
    opponents: tuple[Opponent, ...]
    """Everybody the person has played, most frequent first."""
    shelves: tuple[Shelf, ...]
    best: tuple[BestScore, ...]
    styled: int
    """Recipes completed with style."""
    could_be_styled: int
    """Completed recipes that could have had style, where the file tells."""
    days: PuzzleDays


def record_of(games: Iterable[FinishedGame], editions: Mapping[str, Edition], days: PuzzleDays, texts: Texts) -> Record:
    """Return the person's record over these games; every edition has a shelf, even an empty one."""
    base = {printed: name for name, printed in PRINTED.items()}
    count = won = styled = possible = 0
    met: dict[tuple[str, bool], Counter[str]] = {}
    cooked: dict[str, Counter[str]] = {name: Counter() for name in editions}
    best: dict[tuple[str, int], int] = {}
    for game in games:
        edition, you = base.get(game.edition, game.edition), game.you
        if you is None or edition not in editions:
            continue
        seats = with_winners(game, editions[edition]).seats
        own, recipes = seats[you], {one.id: one for one in editions[edition].recipes}
        count, won = count + 1, won + bool(own.winner)
        for seat, other in enumerate(seats):
            if seat != you:
                met.setdefault((clean(other.name, 20), other.bot), Counter())[_against(own, other)] += 1
        for one in own.cooked:
            if one.recipe in recipes:
                cooked[edition][one.recipe] += 1
                if one.style is not None and recipes[one.recipe].style:
                    styled, possible = styled + one.style, possible + 1
        key = (edition, len(seats))
        best[key] = max(own.score, best.get(key, own.score))
    opponents = [Opponent(name, bot, one["won"], one["drawn"], one["lost"]) for (name, bot), one in met.items()]
    names = {name: edition.names[texts.language] for name, edition in editions.items()}
    return Record(
        count,
        won,
        tuple(sorted(opponents, key=lambda one: (-one.games, one))),
        tuple(_shelf(edition, cooked[name], texts) for name, edition in editions.items()),
        tuple(BestScore(names[name], players, score) for (name, players), score in sorted(best.items())),
        styled,
        possible,
        days,
    )


def with_winners(game: FinishedGame, edition: Edition) -> FinishedGame:
    """Return the game with its winners: whoever has placed every token, or else the seats with the most points."""
    if all(seat.winner is not None for seat in game.seats):
        return game
    tokens = sum(token.count for token in edition.tokens)
    done = [tokens > 0 and len(seat.cooked) >= tokens for seat in game.seats]
    best = max(seat.score for seat in game.seats)
    winners = done if any(done) else [seat.score == best for seat in game.seats]
    seats = tuple(replace(seat, winner=winner) for seat, winner in zip(game.seats, winners, strict=True))
    return replace(game, seats=seats)


def _against(own: FinishedSeat, other: FinishedSeat) -> str:
    """Compare the person with another player: a winner is ahead, otherwise whoever has more points."""
    mine, theirs = (bool(own.winner), own.score), (bool(other.winner), other.score)
    if own.winner and other.winner:
        return "drawn"
    return "won" if mine > theirs else "lost" if mine < theirs else "drawn"


def _shelf(edition: Edition, times: Counter[str], texts: Texts) -> Shelf:
    rows = tuple(
        (
            length,
            tuple((one.names[texts.language], times[one.id]) for one in edition.recipes if one.length == length),
        )
        for length in edition.lengths
    )
    return Shelf(edition.names[texts.language], rows)


def opponent_line(opponent: Opponent, texts: Texts) -> str:
    """Return `You and Mochi: 3 – 2`, with draws if there were any."""
    key = "record.opponent-drawn" if opponent.drawn else "record.opponent"
    return texts.say(key, name=opponent.name, won=opponent.won, lost=opponent.lost, drawn=opponent.drawn)


def brief_line(record: Record, texts: Texts) -> str:
    """Return the record in one sentence."""
    shelves = [one for one in record.shelves if one.cooked] or record.shelves[:1]
    words = [texts.say("record.won", won=record.won, count=record.games)]
    words += [texts.say("record.cooked", edition=one.edition, count=one.cooked, of=one.size) for one in shelves[:2]]
    if record.days.streak:
        words.append(texts.say("puzzle.days", count=record.days.streak))
    return "; ".join(words)


def after_game_line(record: Record, game: FinishedGame | None, texts: Texts) -> str:
    """Return the record against the players of a game whom the person had met before."""
    if game is None or game.you is None:
        return ""
    others = {(clean(one.name, 20), one.bot) for seat, one in enumerate(game.seats) if seat != game.you}
    again = [one for one in record.opponents if (one.name, one.bot) in others and one.games > 1]
    words = (texts.say("record.standing", name=one.name, won=one.won, lost=one.lost) for one in again)
    return texts.say("record.so-far", others=", ".join(words)) if again else ""


def record_lines(record: Record, texts: Texts) -> list[tuple[str, list[str]]]:
    """Return the whole record as titled paragraphs."""
    say = texts.say
    if not record.games and not record.days.streak and not record.days.yesterday:
        return [(say("record.title"), [say("record.empty")])]
    sums = [say("record.won", won=record.won, count=record.games) + "."]
    if record.could_be_styled:
        percent = round(100 * record.styled / record.could_be_styled)
        sums.append(say("record.style", count=record.styled, of=record.could_be_styled, percent=percent))
    sums += [
        say("record.best", edition=one.edition, players=one.players, score=say("worth.points", count=one.score))
        for one in record.best
    ]
    if record.days.streak:
        sums.append(say("record.puzzles", days=say("puzzle.days", count=record.days.streak)))
    if record.days.yesterday:
        sums.append(say("record.yesterday", stars=record.days.yesterday))
    found = [(say("record.title"), sums)]
    if record.opponents:
        found.append((say("record.opponents"), [opponent_line(one, texts) for one in record.opponents]))
    for shelf in record.shelves:
        title = say("record.cooked", edition=shelf.edition, count=shelf.cooked, of=shelf.size)
        found.append((title, [_row(length, row, texts) for length, row in shelf.rows]))
    return found


def _row(length: int, row: tuple[tuple[str, int], ...], texts: Texts) -> str:
    known = ", ".join(name if times == 1 else f"{name} ×{times}" for name, times in row if times)
    left = sum(not times for _, times in row)
    key = "record.row" if known and left else "record.row-full" if known else "record.row-empty"
    return texts.say(key, length=length, names=known, count=left)
