"""Replayed online games: a verified file as a transcript, and its entry in a list."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.game.record import found_record, read_record
from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import End, Keys
from wasabi_protocol.table.genesis import agreed_order, seating
from wasabi_protocol.verdicts import Verdict

from ..engine.sealed_card import Card
from ..games.transcript import Transcript, moves_of
from ..store.games import list_games, read_beginning, read_game
from .client.talk import player_of
from .rules_adapter.history import changes_of
from .rules_adapter.log_events import sealed_of
from .rules_adapter.sealed_position import SealedPosition

HEAD = 65_536
"""Bytes of a file that contain its genesis and its start."""
LAST = 16
"""Messages at the end of a file that include the last entries of a finished game."""


@dataclass(frozen=True)
class GameOnline:
    """A game's file in a list; only its first two signatures were checked."""

    path: Path
    edition: str
    names: tuple[str, ...]
    scores: tuple[tuple[str, int], ...] = ()
    """Players and points, the most first, by the last entry in the file; empty if the game was not finished."""


def transcript_of(session: Session[SealedPosition]) -> Transcript | None:
    """Return an online game as a transcript; None if its seats were never drawn.

    Hands are open in it as far as their players opened them with their last entry.
    """
    known = [sealed for slot in session.log.slots if (sealed := sealed_of(slot)) is not None]
    if not known:
        return None
    first, outcome = known[0], session.state.outcome
    faces: dict[Card, int] = {}
    for sealed in known:
        faces |= sealed.known({} if outcome is None else outcome.faces)
    start, changes, _ = changes_of(session, 0)
    players = tuple(player_of(session.founded.joins[seat]) for seat in first.order)
    return Transcript(
        rules=first.rules,
        players=players,
        first=0,
        seed="",
        faces=faces,
        start=start,
        moves=moves_of(start, changes),
        lines=0,
        torn=False,
        owes_turn=False,
    )


def games_online(folder: Path) -> list[GameOnline]:
    """Return the games in a folder whose files begin correctly, the newest first."""
    found = []
    for path in list_games(folder):
        with suppress(Verdict, OSError):
            items, _ = read_record(read_beginning(path, HEAD))
            founded = found_record(items)
            names = tuple(player_of(join).name for join in founded.joins)
            found.append(GameOnline(path, founded.genesis.terms.edition, names))
    return found


def with_scores(listed: GameOnline) -> GameOnline:
    """Return the same game with its result, which needs the whole file."""
    with suppress(Verdict, OSError):
        items, _ = read_record(read_game(listed.path))
        bodies = [envelope[SIGNATURE_BYTES:] for _, envelope in items]
        headers = [read_header(body) for body in bodies]
        first = [body for body, header in zip(bodies, headers, strict=True) if header and header.slot == 1]
        nonces = [(keys.seat, keys.nonce) for body in first if isinstance(keys := parse(body), Keys)]
        last = [end for body in bodies[-LAST:] if isinstance(end := parse(body), End)]
        founded = found_record(items)
        order = seating(founded.gid, sorted(dict(nonces).items()), agreed_order(founded.genesis.terms))
        if last and len(last[-1].scores) == len(order) == len(listed.names):
            points = zip((listed.names[seat] for seat in order), last[-1].scores, strict=True)
            return replace(listed, scores=tuple(sorted(points, key=lambda one: -one[1])))
    return listed
