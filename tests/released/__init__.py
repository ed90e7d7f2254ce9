"""What a released version wrote or named, kept for ever: `python -m tests.released` writes the folder of this version.

Such a folder is never changed: `test_released.py` holds that every later version still reads what is in it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from click.testing import CliRunner
from wasabi_protocol.table.invite_text import parse_invite

from tests.online.world import World
from tests.transcripts import GAMES, golden
from wasabi_tx import __version__
from wasabi_tx.app.game_page.page import signed_page
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.engine.edition_file import read_edition
from wasabi_tx.engine.editions import PACKAGED, edition_text, rules_for
from wasabi_tx.online.result import check_record

FOLDER = Path(__file__).parent
VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
TABLES = {"open-classic-4": ("classic", 4), "open-master-3": ("master", 3), "open-classic-2": ("classic", 2)}
"""Games online, each by the name of its file."""
LOCAL = ("classic-2-greedy-random", "master-2-greedy-random")


def played_online(edition: str, seats: int, seed: str) -> bytes:
    """Return the file of a whole game of bots."""
    world = World(seats, edition, seed, find=rules_for)
    world.run(3000)
    person = world.people["p0"]
    person.game.ledger.flush()
    return person.disk.record


def vector_digests() -> dict[str, str]:
    """Return the digest of what each vector says, by its file and name."""
    found = {}
    for path in sorted(VECTORS.glob("*.json")):
        for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]:
            text = json.dumps(vector, sort_keys=True, ensure_ascii=False)
            found[f"{path.stem} {vector['id']}"] = hashlib.sha256(text.encode()).hexdigest()
    return found


def place_of(invite: str) -> dict[str, object]:
    """Return where an invite leads."""
    found = parse_invite(invite)
    hosts = [[one.scheme, one.relay, *(f"{name}:{port}" for name, port in one.hosts)] for one in found.carriers]
    return {"table": found.table, "realm": found.realm, "watch": found.watch, "carriers": hosts}


def invites() -> dict[str, dict[str, object]]:
    """Return every valid invite of the vectors, with where it leads."""
    vectors = json.loads((VECTORS / "invites.json").read_text(encoding="utf-8"))["vectors"]
    texts = [one["input"]["text"] for one in vectors if one["kind"] == "invite" and one["result"] == "valid"]
    return {text: place_of(text) for text in texts}


def verified(path: Path) -> dict[str, object]:
    """Return what `verify` says of a file, with its exit code."""
    done = CliRunner().invoke(wasabi_tx, ["verify", "--json", str(path)])
    return {"exit": done.exit_code, **json.loads(done.stdout)}


def write(folder: Path) -> None:
    """Write everything of this version."""
    (folder / "editions").mkdir(parents=True)
    for name, (edition, seats) in TABLES.items():
        (folder / f"{name}.wasabi").write_bytes(played_online(edition, seats, name))
    data = (folder / "open-classic-2.wasabi").read_bytes()
    page = signed_page(data, check_record(data, rules_for), "en")
    (folder / "open-classic-2.html").write_text(page, encoding="utf-8", newline="\n")
    for name in LOCAL:
        assert name in GAMES
        (folder / f"{name}.txt").write_text(golden(name), encoding="utf-8", newline="\n")
    for name in PACKAGED:
        (folder / "editions" / f"{name}.toml").write_text(edition_text(name), encoding="utf-8", newline="\n")
    games = sorted([*folder.glob("*.wasabi"), *folder.glob("*.txt")])
    expected = {
        "results": {path.name: verified(path) for path in games},
        "editions": {name: read_edition(edition_text(name)).hash for name in PACKAGED},
        "invites": invites(),
        "vectors": vector_digests(),
    }
    text = json.dumps(expected, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / "expected.json").write_text(text + "\n", encoding="utf-8", newline="\n")


def main() -> None:
    folder = FOLDER / __version__
    if folder.exists():
        raise SystemExit(f"{folder} is there already, and what was released does not change")
    write(folder)
    print(folder)
