"""The timing of animations at a table: another player's move, our own recipe, a tile that is placed."""

from __future__ import annotations

from math import ceil

from ..text import Texts
from ..view.log.feat import Feat, feat_words
from ..view.log.happening import Happening
from ..view.log.phrases import worth_words
from .motion import FOR_EVER, Beat
from .views.flash import Flash

TICK = 0.1
"""Seconds between two pictures: more than twelve a second would be too much for a slow line."""
COMPLETING = 1.2
"""Seconds for an own recipe, at the usual pace."""
LANDING = 0.06
SECONDS = {"none": 0.0, "fast": 0.4, "normal": 0.9, "slow": 1.8, "key": FOR_EVER}
"""Seconds for another player's move, by the name of the setting."""
SPARKS = 4
MORE_SPARKS, LONGER = 2, 0.3
"""What each grade of a feat adds to a celebration: pictures of sparks, and seconds at the usual pace."""


def seconds_of(pace: str, reduced: bool) -> float:
    """Return how long another player's move is shown, in seconds."""
    return 0.0 if reduced else SECONDS[pace]


def move_beats(happening: Happening, told: tuple[str, ...], seconds: float) -> tuple[Beat, ...]:
    """Animate another player's move: the changed squares, then each completed line, while the total counts up."""
    if not seconds:
        return ()
    waits = seconds == FOR_EVER
    count = max(3, round((SECONDS["normal"] if waits else seconds) / TICK))
    stages = [happening.changed, *(one.squares for one in happening.completed)]
    beats = []
    for number in range(count):
        stage = number * len(stages) // count
        done, last = (number + 1) / count, stage == len(stages) - 1
        flash = Flash(
            seat=happening.seat,
            squares=stages[stage],
            told=told,
            remaining=1.0 if waits else 1 - number / count,
            gained=happening.gained if last else 0,
            counted=round(happening.gained * done) if last else 0,
            landing=happening.changed if not number else (),
            settled=0.0 if not number else 1.0,
        )
        beats.append(Beat(flash, TICK))
    if waits:
        beats[-1] = beats[-1]._replace(seconds=FOR_EVER)
    return tuple(beats)


def own_beats(
    happening: Happening, card: int, recipe: str, feat: Feat, texts: Texts, seconds: float
) -> tuple[Beat, ...]:
    """Animate the user's own move: a completed recipe is celebrated, the more the greater the feat; a tile settles."""
    if not seconds:
        return ()
    if not happening.completed:
        landing = happening.changed
        steps = (0.0, 0.5) if landing else ()
        return tuple(Beat(Flash(happening.seat, landing=landing, settled=share), LANDING) for share in steps)
    won, grade = happening.completed[-1], feat.grade
    gained, pictures = won.points + won.cubes, SPARKS + MORE_SPARKS * grade

    def flash(sparks: int, counted: int) -> Flash:
        return Flash(
            happening.seat, won.squares, gained=gained, counted=counted, card=card, recipe=recipe,
            worth=worth_words(texts, won.points, won.cubes), feat=feat_words(feat, texts), grade=grade, sparks=sparks,
        )  # fmt: skip

    beats = [Beat(flash(number, ceil(gained * number / pictures)), TICK) for number in range(1, pictures + 1)]
    usual = SECONDS["normal"]
    rest = (COMPLETING + LONGER * grade) * (1 if seconds == FOR_EVER else seconds / usual) - pictures * TICK
    return (*beats, Beat(flash(0, gained), max(TICK, rest)))
