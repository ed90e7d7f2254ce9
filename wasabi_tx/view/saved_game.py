"""A saved game of this machine in a few words: with whom, which turn, and how it stands or ended."""

from __future__ import annotations

from ..engine.scores import all_scores
from ..table.transcript import Transcript
from ..text import Texts
from .log.followed_game import lone_person


def partners(game: Transcript) -> str:
    """With whom the first person plays."""
    return ", ".join(game.players[seat].name for seat in _order(game)[1:])


def turn_words(game: Transcript, texts: Texts) -> str:
    """In which turn it is."""
    return texts.say("table.turn", turn=game.last.turn) if game.last.turn else texts.say("table.setup")


def points_words(game: Transcript) -> str:
    """`17 : 12 : 9`, the first person's points before the others'."""
    scores = all_scores(game.last)
    return " : ".join(str(scores[seat]) for seat in _order(game))


def left_hints(game: Transcript, texts: Texts) -> tuple[str, ...]:
    """How a game stands that somebody left, in ever fewer words."""
    turn, points = turn_words(game, texts), points_words(game)
    return f"{partners(game)}, {turn}, {points}", f"{turn}, {points}", points


def standing(game: Transcript, texts: Texts) -> str:
    """The edition, the turn, and everybody's points by name."""
    you, scores = lone_person(_people(game)), all_scores(game.last)
    names = {seat: texts.say("tui.you") if seat == you else game.players[seat].name for seat in _order(game)}
    points = ", ".join(f"{name} {scores[seat]}" for seat, name in names.items())
    return f"{game.rules.edition.names[texts.language]}, {turn_words(game, texts)}: {points}"


def _people(game: Transcript) -> list[int]:
    return [seat for seat, player in enumerate(game.players) if player.bot is None]


def _order(game: Transcript) -> list[int]:
    """All seats, the first person's before the others."""
    first = next(iter(_people(game)), 0)
    return [first, *(seat for seat in range(len(game.players)) if seat != first)]
