"""Replayed online games: a verified file as a transcript, and its entry in a list."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from wasabi_protocol.game.chain import Header, read_header
from wasabi_protocol.game.record import found_record, read_record
from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.envelope import Item
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Bundle, End, Keys
from wasabi_protocol.table.genesis import Founded, agreed_order, seating
from wasabi_protocol.verdicts import Verdict

from ..engine.sealed_card import Card
from ..games.finished import Cooked, FinishedGame, FinishedSeat
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

CLAIMING = frozenset({"claim", "serve"})
"""The verbs of steps that complete a recipe, in every edition; the third word of such a step is the recipe."""


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


def finished_online(path: Path, seed: bytes | None) -> FinishedGame | None:
    """Return a finished game from its file; `you` is the seat of the person with this seed.

    Only the first two signatures are checked. Who has won, and with what style, is not known without playing it again.
    """
    with suppress(Verdict, OSError):
        items, _ = read_record(read_game(path))
        founded, entries = found_record(items), _entries(items)
        scores = _scores(founded, entries)
        if not scores:
            return None
        own = None if seed is None else Identity(seed).key
        seats = tuple(
            FinishedSeat(player.name, player.bot is not None, scores.get(seat, 0), None, _cooked(seat, entries))
            for seat, player in enumerate(map(player_of, founded.joins))
        )
        you = next((seat for seat, join in enumerate(founded.joins) if join.key == own), None)
        return FinishedGame(founded.genesis.terms.edition, seats, you)
    return None


def with_scores(listed: GameOnline) -> GameOnline:
    """Return the same game with its result, which needs the whole file."""
    with suppress(Verdict, OSError):
        items, _ = read_record(read_game(listed.path))
        scores = _scores(found_record(items), _entries(items))
        if len(scores) == len(listed.names):
            points = ((listed.names[seat], score) for seat, score in scores.items())
            return replace(listed, scores=tuple(sorted(points, key=lambda one: -one[1])))
    return listed


def _entries(items: Sequence[Item]) -> list[tuple[Header | None, bytes]]:
    """Return the bodies of the messages in a file, each with its header if it is an entry."""
    return [(read_header(body), body) for body in (envelope[SIGNATURE_BYTES:] for _, envelope in items)]


def _scores(founded: Founded, entries: Sequence[tuple[Header | None, bytes]]) -> dict[int, int]:
    """Return the score of each seat by the last entry in the file, in playing order; empty for an unfinished game."""
    first = [body for header, body in entries if header and header.slot == 1]
    nonces = [(keys.seat, keys.nonce) for body in first if isinstance(keys := parse(body), Keys)]
    last = [end for _, body in entries[-LAST:] if isinstance(end := parse(body), End)]
    order = seating(founded.gid, sorted(dict(nonces).items()), agreed_order(founded.genesis.terms))
    return dict(zip(order, last[-1].scores, strict=True)) if last and len(last[-1].scores) == len(order) else {}


def _cooked(seat: int, entries: Sequence[tuple[Header | None, bytes]]) -> tuple[Cooked, ...]:
    """Return the recipes that a seat has completed, by its steps."""
    own = [body for header, body in entries if header and header.seat == seat and header.type == Bundle.t]
    steps = [step.split() for body in own if isinstance(bundle := parse(body), Bundle) for step in bundle.steps]
    return tuple(Cooked(words[2]) for words in steps if len(words) > 2 and words[0] in CLAIMING)
