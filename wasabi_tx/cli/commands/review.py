"""`wasabi-tx review`: what would have been better in a game that you played."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ...app.failure import Failure
from ...app.output import echo, emit
from ...app.preferences import texts_for
from ...app.saved_games import find_saved, read_saved
from ...games.game import first_person
from ...games.review import CannotReview, ReviewedTurn, lucky_draws, review_turns, turns_of
from ...games.transcript import Transcript
from ...store.paths import short_path
from ...text import Texts
from ...view.review import ReviewWords
from ...view.table.plain_table import wrap
from ..options import json_option, language_option


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--seat", type=click.IntRange(1, 4), default=None, help="player whose turns to review (default: first person)"
)
@json_option
@language_option
def review(file: Path, seat: int | None, as_json: bool, language: str | None) -> None:
    """Review a game: what each turn gave away, what would have been better and why, and how lucky the draws were.

    Every turn is compared with what the bots would have done, by playing on from there in many worlds that agree with
    what its player could know. The same file gives everybody the same review.
    """
    texts = texts_for(language)
    path = find_saved(file)
    transcript = read_saved(path, texts)
    chosen = first_person(transcript.players) if seat is None else seat - 1
    if chosen >= len(transcript.players):
        raise Failure(texts.say("review.no-seat", seat=chosen + 1))
    try:
        _tell(transcript, chosen, as_json, texts)
        if not as_json and transcript.last.outcome is not None:
            for line in wrap(texts.say("review.what-if", file=path.name), "  "):
                echo(line)
    except CannotReview:
        raise Failure(texts.say("review.impossible", file=short_path(path))) from None


def _tell(transcript: Transcript, seat: int, as_json: bool, texts: Texts) -> None:
    draws = list(lucky_draws(transcript.record, seat))
    turns = list(_with_progress(transcript, seat, texts))
    words = ReviewWords(transcript.record, seat, texts)
    if as_json:
        rules = transcript.rules
        for turn in turns:
            better = rules.format(turn.better) if turn.better else None
            figures = {"lost": round(turn.lost, 2), "doubt": round(turn.doubt, 2), "better": better}
            emit({"turn": turn.move.before.turn, "played": rules.format(turn.move.steps), **figures})
        emit({"lost": round(sum(turn.lost for turn in turns), 2), "luck": round(sum(draw.luck for draw in draws), 2)})
        return
    for line in (*words.head(), "", *(line for turn in turns for line in words.turn(turn)), ""):
        echo(line)
    for line in words.ending(turns, draws):
        echo(line)


def _with_progress(transcript: Transcript, seat: int, texts: Texts) -> Iterator[ReviewedTurn]:
    """Yield the turns, with a progress bar on standard error if it is a terminal."""
    count = len(turns_of(transcript.record, seat))
    found = review_turns(transcript.record, seat)
    if not sys.stderr.isatty():
        yield from found
        return
    with click.progressbar(found, length=count, label=texts.say("review.busy"), file=sys.stderr) as bar:
        yield from bar
