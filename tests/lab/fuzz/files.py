"""Files as a target: games, editions, themes, transcripts, settings and seats are read, or refused properly."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wasabi_protocol.game.record import read_record, replay, write_record
from wasabi_protocol.verdicts import Refused

from tests.online.small import small_rules
from tests.online.world import World
from tests.protocol.mutations import bend_bytes
from wasabi_tx.app.settings import change_settings, parse_settings
from wasabi_tx.app.theme import ThemeError, parse_theme
from wasabi_tx.engine.edition import EditionError
from wasabi_tx.engine.editions import edition_text, read_playable, rules_for
from wasabi_tx.engine.errors import RulesError
from wasabi_tx.games.transcript import Broken, read_transcript
from wasabi_tx.online.rules_adapter.umpire import Umpire
from wasabi_tx.online.saved.seat import SavedSeat, SeatBroken

from .chance import Chosen

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
THEMES = Path(__file__).parents[3] / "themes"


@cache
def _game() -> bytes:
    """Return the beginning of a signed game: few entries, so that a run is short."""
    world = World(2, "classic", "fuzz file")
    world.in_play(1)
    items, _ = read_record(world.people["p0"].disk.record)
    return write_record(items[:6])


@cache
def _texts() -> dict[str, list[bytes]]:
    transcript = min(TRANSCRIPTS.glob("*.txt"), key=lambda path: path.stat().st_size)
    return {
        "edition": [edition_text(name).encode() for name in ("classic", "master")],
        "theme": [path.read_bytes() for path in sorted(THEMES.glob("*.toml"))],
        "transcript": [b"".join(transcript.read_bytes().splitlines(keepends=True)[:60])],
        "settings": [b'name = "Koi"\nlanguage = "it"\ntheme = "lagoon"\n\n[broker]\nurl = "mqtt://example.org"\n'],
    }


KINDS = ("game", "edition", "theme", "transcript", "settings", "seat")


def files(data: bytes) -> str:
    """Read one file of a kind, mutated or made only of these bytes; return the result in a word."""
    chance = Chosen(data)
    kind = chance.choice(KINDS)
    if kind in ("game", "seat"):
        good = _game() if kind == "game" else SavedSeat("wasabi:x", "Koi", b"", bytes(32), bytes(32)).dump()
    else:
        good = chance.choice(_texts()[kind])
    raw = chance.rest if chance.random() < 0.2 else _bent(good, chance)
    text = raw.decode("utf-8", errors="replace")
    try:
        match kind:
            case "game":
                items, _ = read_record(raw)
                if len(items) >= 2:
                    replay(raw, Umpire(lambda seats: small_rules("classic", seats)))
            case "edition":
                read_playable(text)
            case "theme":
                parse_theme("mine", text)
            case "transcript":
                read_transcript(text, rules_for)
            case "settings":
                settings, _ = parse_settings(text)
                change_settings(text, settings)
            case "seat":
                SavedSeat.load(raw)
    except (Refused, EditionError, ThemeError, Broken, SeatBroken, RulesError) as error:
        return f"{kind}: {type(error).__name__}"
    return f"{kind}: taken"


def _bent(good: bytes, chance: Chosen) -> bytes:
    """Flip a few places of a good file, or overwrite them with other parts of it or the fuzzer's bytes."""
    bent = good
    for _ in range(1 + chance.randrange(4)):
        at = chance.getrandbits(24) % (len(bent) + 1)
        length = chance.randrange(40)
        how = chance.randrange(4)
        if how == 0:
            bent = bend_bytes(bent, chance) if bent else bent
        elif how == 1:
            bent = bent[:at] + bent[at + length :]
        elif how == 2:
            other = chance.getrandbits(24) % (len(good) + 1)
            bent = bent[:at] + good[other : other + length] + bent[at:]
        else:
            bent = bent[:at] + chance.randbytes(chance.randrange(12)) + bent[at + length :]
    return bent
