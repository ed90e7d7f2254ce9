"""Refusals: everything that can prevent a person from reaching an online table, as one sentence each."""

from __future__ import annotations

from ...broker.program import BrokerFailed
from ...net.address import BadAddress
from ...online.beginnings import SeveralTables
from ...online.headless import CannotGoOn
from ...online.invites import BadInvite
from ...online.knocking import BadKnock
from ...online.online_table import Unreachable
from ...online.saved.seat import SeatBroken
from ...online.spoken_codes import BadCode
from ...online.terms import Unplayable
from ...store.identity import IdentityBroken
from ...store.paths import find_paths, short_path
from ...store.seats import SeatTaken
from ...text import Texts
from .waiting_room import room_line

REFUSALS = (
    BadInvite,
    BadCode,
    BadKnock,
    SeveralTables,
    SeatTaken,
    SeatBroken,
    Unplayable,
    Unreachable,
    CannotGoOn,
    BadAddress,
    BrokerFailed,
    IdentityBroken,
    OSError,
)
"""The errors that have a sentence here."""
INVITED = ("certificate", "password")
"""Reasons that a new invite may mend."""


def say_refusal(error: Exception, texts: Texts) -> str:
    """Return the sentence for one of `REFUSALS`."""
    match error:
        case BadInvite(code=code):
            return texts.say(f"online.bad-invite.{code}")
        case BadCode(reason=reason, detail=detail):
            return texts.say(f"online.bad-code.{reason}", what=detail)
        case BadKnock(reason=reason):
            return texts.say(f"online.bad-knock.{reason}")
        case SeveralTables(beginnings=beginnings):
            return texts.say("online.several-tables", tables=", ".join(beginnings))
        case SeatTaken():
            return texts.say("online.seat-taken")
        case SeatBroken():
            return texts.say("online.seat-broken")
        case Unplayable(code=code, params=params):
            return texts.say(f"online.cannot-play.{code}", **params)
        case Unreachable() as lost:
            return _say_unreachable(lost, texts)
        case CannotGoOn(event=event):
            return room_line(event, texts) or ""
        case BadAddress(code=code, found=found):
            return texts.say(f"online.bad-address.{code}", found=found)
        case BrokerFailed(code=code, params=params):
            return texts.say(f"broker.{code}", **params)
        case IdentityBroken(path=path):
            return texts.say("online.identity", file=short_path(path))
        case OSError():
            return texts.say("cli.unwritable", folder=short_path(find_paths().games), reason=error)
    raise error


def _say_unreachable(error: Unreachable, texts: Texts) -> str:
    """Return why a broker cannot be used; only those who were invited are sent to whoever invited them."""
    words = f"lost.{error.reason}"
    if error.reason in INVITED and error.invited:
        words = f"invited.{error.reason}"
    elif error.reason == "password" and error.hosted:
        words = "host-password"
    lost = texts.say(f"online.{words}", broker=error.broker, table=error.hosted)
    return f"{lost}; {texts.say('online.password-kept-back', broker=error.broker)}" if error.kept_back else lost
