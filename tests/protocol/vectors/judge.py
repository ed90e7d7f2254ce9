"""One verdict for one input: every result of our code, in the words of the vectors."""

from __future__ import annotations

from wasabi_protocol.sealed.errors import SealRefused as SealRefused
from wasabi_protocol.sealed.errors import SealsStopped
from wasabi_protocol.verdicts import Invalid, Verdict

from tests.protocol.vectors import (
    judge_bytes,
    judge_doings,
    judge_games,
    judge_knocks,
    judge_meetings,
    judge_places,
    judge_positions,
    judge_sealed,
)
from tests.protocol.vectors.vector import Input, Judged, Output, Recordings
from wasabi_tx.engine.errors import RulesError

ALONE = judge_bytes.JUDGES | judge_places.JUDGES | judge_meetings.JUDGES | judge_knocks.JUDGES
ALONE |= judge_doings.JUDGES | judge_sealed.JUDGES | judge_positions.JUDGES
WITH_RECORDINGS = judge_games.GAME_JUDGES | judge_sealed.TABLE_JUDGES
KINDS = sorted((*ALONE, *WITH_RECORDINGS))


def judge(kind: str, given: Input, recordings: Recordings) -> Judged:
    """Return a valid output, or the stable code and, if proved, the seat at fault."""
    try:
        return Judged(None, output=_judge(kind, given, recordings))
    except Invalid as verdict:
        return Judged(str(verdict.code), verdict.seat)
    except Verdict as verdict:
        return Judged(str(verdict.code))
    except SealRefused as refused:
        return Judged(refused.code, refused.seat)
    except (SealsStopped, RulesError, *judge_games.ERRORS) as error:
        return Judged(error.code)


def _judge(kind: str, given: Input, recordings: Recordings) -> Output:
    if kind in ALONE:
        return ALONE[kind](given)
    return WITH_RECORDINGS[kind](given, recordings)
