"""A saved game of this machine in a few words: the opponents, the turn, and its score or result."""

from __future__ import annotations

from ..engine.position import Outcome
from ..engine.scores import all_scores
from ..games.game import lone_person
from ..games.transcript import Transcript
from ..text import Texts


def partners(game: Transcript) -> str:
    """Return the names of the first person's opponents."""
    return ", ".join(game.players[seat].name for seat in _order(game)[1:])


def turn_words(game: Transcript, texts: Texts) -> str:
    """Return the turn that the game has reached."""
    return texts.say("table.turn", turn=game.last.turn) if game.last.turn else texts.say("table.setup")


def points_words(game: Transcript) -> str:
    """Return `17 : 12 : 9`, the first person's points before the others'."""
    scores = all_scores(game.last)
    return " : ".join(str(scores[seat]) for seat in _order(game))


def unfinished_hints(game: Transcript, texts: Texts) -> tuple[str, ...]:
    """Describe an unfinished game, in ever fewer words."""
    turn, points = turn_words(game, texts), points_words(game)
    return f"{partners(game)}, {turn}, {points}", f"{turn}, {points}", points


def standing(game: Transcript, texts: Texts) -> str:
    """Return the edition, the turn, and everybody's points by name."""
    points = _points_by_name(game, texts.say("tui.you"))
    return f"{game.rules.edition.names[texts.language]}, {turn_words(game, texts)} · {points}"


def saved_line(game: Transcript, texts: Texts) -> str:
    """Return a game's line for a list: the edition, the opponents, and its result or its turn."""
    you, outcome = lone_person(_people(game)), game.last.outcome
    words = [game.rules.edition.names[texts.language]]
    words += [partners(game)] if you is not None else [_points_by_name(game)]
    if outcome is None:
        words.append(turn_words(game, texts))
    if you is not None:
        points = points_words(game)
        words.append(points if outcome is None else texts.say(f"saved.{_ended(outcome, you)}", points=points))
    return ", ".join(words)


def _ended(outcome: Outcome, seat: int) -> str:
    if seat not in outcome.winners:
        return "lost"
    return "won" if len(outcome.winners) == 1 else "draw"


def _points_by_name(game: Transcript, you: str = "") -> str:
    """Return everybody's points; `you` replaces the name of the only person."""
    own, scores = lone_person(_people(game)), all_scores(game.last)
    names = {seat: you if you and seat == own else game.players[seat].name for seat in _order(game)}
    return ", ".join(f"{name}: {scores[seat]}" for seat, name in names.items())


def _people(game: Transcript) -> list[int]:
    return [seat for seat, player in enumerate(game.players) if player.bot is None]


def _order(game: Transcript) -> list[int]:
    """Return all seats, the first person's before the others."""
    first = next(iter(_people(game)), 0)
    return [first, *(seat for seat in range(len(game.players)) if seat != first)]
