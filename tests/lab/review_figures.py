"""Figures about reviews: how luck adds up, how stable verdicts are, and how much CPU a whole game takes.

`python -m tests.lab.review_figures > tests/lab/review_figures.txt` saves them.

Luck must add up to zero on average, and a verdict that a turn gave away three points or more must remain when ten times
as many worlds are tried. Seats play as easy bots, which make mistakes as people do.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean, stdev
from time import process_time

from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.games.arena import play_out
from wasabi_tx.games.review import MUCH, WORLDS, ReviewWish, lucky_draws, review_game, review_turns
from wasabi_tx.games.transcript import Transcript, read_transcript

SEATS = (2, 3, 4)


def games(edition: str, seats: int, count: int) -> Iterator[Transcript]:
    for number in range(count):
        bots = ("easy",) * seats
        text = play_out(rules_for(edition, seats), bots, f"figures {edition} {number}", 0, record=True).transcript
        yield read_transcript(text, rules_for)


def luck_of(edition: str, count: int) -> str:
    lucks = [sum(draw.luck for draw in lucky_draws(game.record, 0)) for game in games(edition, 2, count)]
    margin = 1.96 * stdev(lucks) / len(lucks) ** 0.5
    return f"{edition}: luck a game {fmean(lucks):+.2f} ± {margin:.2f} points over {len(lucks)} games"


def verdicts_of(edition: str, count: int) -> str:
    said = held = 0
    for game in games(edition, 2, count):
        for turn in review_turns(game.record, 0):
            if turn.mistake:
                again = replace(game, moves=(turn.move,))
                (more,) = review_turns(again.record, 0, 10 * WORLDS)
                said += 1
                held += more.lost >= MUCH
    return f"{edition}: {held} of {said} verdicts of {MUCH:.0f} points or more hold in ten times as many worlds"


def cost_of(edition: str, seats: int, count: int) -> str:
    times = []
    for game in games(edition, seats, count):
        began = process_time()
        found = sum(1 for _ in review_game(ReviewWish(game.record, 0)))
        times.append(process_time() - began)
        assert found
    return f"{edition}, {seats} seats: {max(times):.1f} s of CPU for a whole game, the longest of {count}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="for luck")
    parser.add_argument("--reviewed", type=int, default=10, help="for verdicts, which take longer")
    parser.add_argument("--timed", type=int, default=3, help="for CPU, with each number of seats")
    options = parser.parse_args()
    for edition in PACKAGED:
        if options.games:
            print(luck_of(edition, options.games), flush=True)
        if options.reviewed:
            print(verdicts_of(edition, options.reviewed), flush=True)
        for seats in SEATS if options.timed else ():
            print(cost_of(edition, seats, options.timed), flush=True)


if __name__ == "__main__":
    main()
