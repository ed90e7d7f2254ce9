"""The log of events at an online table, for those who look for a fault: seats, slots and codes; never cards or talk."""

from __future__ import annotations

import logging

from wasabi_protocol.signed.identity import fingerprint

from ... import game
from . import events as table_events
from .client import Event

_logger = logging.getLogger(__name__)


def log_event(title: str, event: Event) -> None:
    """Notes what happened at a table, in few words."""
    if (found := _words(event)) is not None:
        level, words = found
        _logger.log(level, "%s: %s", title, words)


def _words(event: Event) -> tuple[int, str] | None:
    match event:
        case table_events.Joined(key) | table_events.Admitted(key) | table_events.Dropped(key):
            return logging.INFO, f"{type(event).__name__.lower()} {fingerprint(key)}"
        case table_events.Knocking(key):
            return logging.INFO, f"knocks: {fingerprint(key)}"
        case table_events.KnockEnded(key):
            return logging.INFO, f"knocks no more: {fingerprint(key)}"
        case table_events.TurnedAway(key):
            return logging.INFO, f"turned away: {fingerprint(key)}"
        case table_events.Withdrawn(key):
            return logging.INFO, f"closed by {fingerprint(key)}"
        case table_events.Accepted(key):
            return logging.INFO, f"ready {fingerprint(key)}"
        case table_events.Proposed(keys):
            return logging.INFO, f"a game of {len(keys)} is proposed"
        case table_events.GameBegun(names):
            return logging.INFO, f"the game of {len(names)} has begun"
        case table_events.CannotPlay(code):
            return logging.WARNING, f"cannot be played here: {code}"
        case table_events.HostBroken():
            return logging.WARNING, "the host contradicts itself"
        case table_events.Crowded():
            return logging.WARNING, "crowded with strangers"
        case table_events.CodeOffered(code, wrong):
            return logging.INFO, f"a spoken code is {'offered' if code else 'void'}, wrong so far: {wrong}"
        case table_events.Trouble(reason):
            return logging.ERROR, f"nothing can be saved: {reason}"
        case game.Link(up, reason):
            return logging.INFO, "in touch" if up else f"out of touch: {reason}"
        case game.SetupProgress(what, done, total):
            return logging.DEBUG, f"setup: {what} {done} of {total}"
        case game.Overdue(seat, kind, seconds, votable):
            late = "may be voted about" if votable else f"for {seconds} s"
            return logging.INFO if votable else logging.DEBUG, f"waiting for seat {seat}, {kind}: {late}"
        case game.Vote(out, yes, no, mine, open_):
            said = {None: "nothing", True: "yes", False: "no"}[mine]
            state = "open" if open_ else "closed"
            return logging.INFO, f"vote about seat {out}, {state}: yes {yes}, no {no}, we said {said}"
        case game.InvalidEntry(seat, slot, code):
            return logging.WARNING, f"seat {seat} signed something invalid in slot {slot}: {code}"
        case game.Played(bundle):
            return logging.DEBUG, f"seat {bundle.seat} has moved"
        case game.Left(seat):
            return logging.INFO, f"seat {seat} has left"
        case game.Excluded(seat):
            return logging.INFO, f"seat {seat} was excluded"
        case game.Rewound():
            return logging.WARNING, "moves were taken back"
        case game.OtherRun():
            return logging.WARNING, "our key is alive elsewhere"
        case game.RematchWished(seats):
            return logging.INFO, f"a rematch is wished by seats {seats}"
        case game.Ended():
            return logging.INFO, "the game is over"
    return None
