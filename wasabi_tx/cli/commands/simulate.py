"""`wasabi-tx simulate`: many games between bots."""

from __future__ import annotations

import time
from pathlib import Path

import click

from ...app.editions import rules_by_name
from ...app.failure import Failure
from ...app.output import echo, emit
from ...app.preferences import texts_for
from ...bots.levels import KINDS, LEVELS
from ...games.arena import Tally, tournament
from ...text import Texts
from .. import Misuse
from ..options import edition_option

MOST = 4


def _bots(text: str, players: int | None, texts: Texts) -> tuple[str, ...]:
    """Return one bot per seat; the last one fills the remaining seats. Without `players`, seats follow the names."""
    known = [*KINDS, *LEVELS]
    bots = [word.strip() for word in text.split(",")]
    for bot in bots:
        if bot not in known:
            raise Misuse(texts.say("cli.no-bot", bot=bot, known=", ".join(known)))
    players = players or min(max(len(bots), 2), MOST)
    if len(bots) > players:
        raise Misuse(texts.say("cli.many-bots", bots=len(bots), seats=players))
    return (*bots, *[bots[-1]] * (players - len(bots)))


@click.command()
@click.option("--games", type=click.IntRange(1, 10_000_000), default=100, show_default=True)
@click.option("--players", type=click.IntRange(2, MOST), default=None, help="number of seats (default: one per bot)")
@click.option("--bots", default="greedy,random", show_default=True, help="kinds or levels, one per seat")
@click.option("--seed", default="1", show_default=True, help="any text; the same seed gives the same games")
@click.option("--transcripts", type=click.Path(path_type=Path), help="folder in which to write each game as text")
@click.option(
    "--workers", type=click.IntRange(1, 256), default=None, help="number of processes (default: one per core)"
)
@click.option("--json", "as_json", is_flag=True, help="print JSON, one object per line")
@edition_option
def simulate(
    games: int,
    players: int | None,
    bots: str,
    seed: str,
    transcripts: Path | None,
    workers: int | None,
    as_json: bool,
    edition: str,
) -> None:
    """Play many games between bots without a network, on all cores."""
    texts = texts_for(None)
    seats = _bots(bots, players, texts)
    rules = rules_by_name(edition, len(seats), texts)
    tally = Tally(len(seats))
    started = time.perf_counter()
    try:
        if transcripts is not None:
            transcripts.mkdir(parents=True, exist_ok=True)
        for result in tournament(rules, seats, seed, games, transcripts is not None, workers):
            tally.add(result)
            if transcripts is not None:
                path = transcripts / f"game-{result.number + 1:0{len(str(games))}}.txt"
                path.write_text(result.transcript, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Failure(texts.say("cli.unwritable", folder=transcripts, reason=error)) from None
    summary = {
        "edition": rules.edition.id,
        "games": tally.games,
        "players": len(seats),
        "bots": list(seats),
        "wins": tally.wins,
        "wins_by_turn_order": tally.wins_by_turn_order,
        "draws": tally.draws,
        "mean_turns": round(tally.turns / tally.games, 2),
        "endings": dict(sorted(tally.endings.items())),
        "mean_scores": [round(score / tally.games, 2) for score in tally.scores],
        "seconds": round(time.perf_counter() - started, 3),
    }
    if as_json:
        emit(summary)
    else:
        _print(summary, tally, seats)


def _print(summary: dict[str, object], tally: Tally, seats: tuple[str, ...]) -> None:
    echo(f"{tally.games} games of {summary['edition']}, {len(seats)} players, {summary['seconds']} s")
    for seat, bot in enumerate(seats):
        share = 100 * tally.wins[seat] / tally.games
        mean = tally.scores[seat] / tally.games
        echo(f"  seat {seat + 1}  {bot:8} wins {tally.wins[seat]:6} ({share:5.1f} %)  mean score {mean:5.1f}")
    order = " / ".join(f"{100 * wins / tally.games:.1f}" for wins in tally.wins_by_turn_order)
    echo(f"  wins by turn order {order} %")
    endings = ", ".join(f"{ending} {count}" for ending, count in sorted(tally.endings.items()))
    echo(f"  draws {tally.draws}, mean turns {summary['mean_turns']}, endings: {endings}")
