"""Pages of short games, honest and tampered with, and the verdicts of both judges."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from struct import unpack_from
from typing import Any

from click.testing import CliRunner
from wasabi_protocol.game.record import read_record, write_record
from wasabi_protocol.signed.envelope import Item, sign
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity

import wasabi_tx.app.game_page
from tests.online.world import World, secret
from tests.tui.tiny import NAME, tiny_rules
from wasabi_tx.app.game_page.packing import packed
from wasabi_tx.app.game_page.page import signed_page
from wasabi_tx.app.game_page.shell import in_page
from wasabi_tx.cli import wasabi_tx as program
from wasabi_tx.online.result import check_record

SCRIPTS = Path(wasabi_tx.app.game_page.__file__).parent
JUDGE = Path(__file__).with_name("judge.mjs")
GAME = re.compile(r'(<script type="application/json" id="game">)(.*?)(</script>)', re.DOTALL)


@cache
def record(seed: str = "page", seats: int = 2, vote: bool = False) -> bytes:
    """Return the file of a whole game on a small board; from the voted one a seat was sent away."""
    world = World(seats, NAME, seed, find=tiny_rules, patience=20.0 if vote else 300.0)
    if vote:
        world.in_play()
        world.kill("p2")
    world.run()
    person = world.people["p0"]
    person.game.ledger.flush()
    return person.disk.record


def page_of(data: bytes, language: str = "en") -> str:
    return signed_page(data, check_record(data, tiny_rules), language)


@cache
def honest(seed: str = "page", seats: int = 2, vote: bool = False) -> str:
    return page_of(record(seed, seats, vote))


# The contents of a page


def held(page: str) -> dict[str, Any]:
    found = GAME.search(page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[2])
    return data


def with_held(page: str, **changes: object) -> str:
    data = in_page(held(page) | changes)
    return GAME.sub(lambda found: found[1] + data + found[3], page)


def unpacked(packed_positions: bytes) -> list[bytes]:
    """Read the positions of a page as its script does."""
    found, at, before = [], 0, b""
    while at < len(packed_positions):
        (count,) = unpack_from(">H", packed_positions, at)
        at += 2
        parts = []
        for _ in range(count):
            start, length, fresh = unpack_from(">HHB", packed_positions, at)
            if start + length > len(before):
                raise ValueError
            parts += [before[start : start + length], packed_positions[at + 5 : at + 5 + fresh]]
            at += 5 + fresh
        before = b"".join(parts)
        found.append(before)
    return found


def pictures(page: str) -> list[bytes]:
    return unpacked(base64.b64decode(held(page)["pictures"]))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


# Tampering: each function changes a page at a random place

Way = Callable[[str, Random], str]


def _with_items(change: Callable[[list[Item], Random], Sequence[Item]]) -> Way:
    def tamper(page: str, chance: Random) -> str:
        items, _ = read_record(base64.b64decode(held(page)["record"]))
        return with_held(page, record=_text(write_record(change(items, chance))))

    return tamper


def _with_pictures(change: Callable[[list[bytes], Random], Sequence[bytes]]) -> Way:
    def tamper(page: str, chance: Random) -> str:
        return with_held(page, pictures=_text(packed(change(pictures(page), chance))))

    return tamper


def _bit(data: bytes, chance: Random, start: int = 0) -> bytes:
    at = chance.randrange(start, len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def _bit_of_record(page: str, chance: Random) -> str:
    return with_held(page, record=_text(_bit(base64.b64decode(held(page)["record"]), chance)))


def _bit_of_picture(shown: list[bytes], chance: Random) -> list[bytes]:
    at = chance.randrange(len(shown))
    return [*shown[:at], _bit(shown[at], chance), *shown[at + 1 :]]


def _swapped(shown: list[bytes], chance: Random) -> list[bytes]:
    """Exchange two different pictures."""
    while True:
        one, other = sorted(chance.sample(range(len(shown)), 2))
        if shown[one] != shown[other]:
            changed = list(shown)
            changed[one], changed[other] = shown[other], shown[one]
            return changed


def _without(shown: list[bytes], chance: Random) -> list[bytes]:
    at = chance.randrange(len(shown))
    return shown[:at] + shown[at + 1 :]


def _once_more(shown: list[bytes], chance: Random) -> list[bytes]:
    at = chance.randrange(len(shown))
    return shown[: at + 1] + shown[at:]


def _gap(items: list[Item], chance: Random) -> list[Item]:
    """Drop an entry that others build on; without the last ones a game would merely be unsettled."""
    at = chance.randrange(2, len(items) - 8)
    return items[:at] + items[at + 1 :]


def _doubled(items: list[Item], chance: Random) -> list[Item]:
    at = chance.randrange(len(items))
    return [*items, items[at]]


def _start_first(items: list[Item], _chance: Random) -> list[Item]:
    return [items[1], items[0], *items[2:]]


def _other_key(items: list[Item], chance: Random) -> list[Item]:
    """Replace an entry's author with another key, whose signature is valid."""
    at, other = chance.randrange(len(items)), Identity(secret("somebody else", chance.random()))
    return [*items[:at], (other.key, sign(other, items[at][1][SIGNATURE_BYTES:])), *items[at + 1 :]]


def _key_exchanged(items: list[Item], chance: Random) -> list[Item]:
    at = chance.randrange(len(items))
    other = next(key for key, _ in items if key != items[at][0])
    return [*items[:at], (other, items[at][1]), *items[at + 1 :]]


def _foreign(items: list[Item], chance: Random) -> list[Item]:
    others, _ = read_record(record("another"))
    at = chance.randrange(2, len(items))
    return [*items[:at], others[min(at, len(others) - 1)], *items[at:]]


def _cut_record(page: str, chance: Random) -> str:
    data = base64.b64decode(held(page)["record"])
    ends = set()
    at = 14
    for _, envelope in read_record(data)[0]:
        at += 36 + len(envelope)
        ends.add(at)
    # Cut between two entries near its end, it would be the beginning of an honest game.
    cut = next(one for one in iter(lambda: chance.randrange(len(data)), None) if one not in ends)
    return with_held(page, record=_text(data[:cut]))


def _cut_page(page: str, chance: Random) -> str:
    found = GAME.search(page)
    assert found is not None
    return page[: chance.randrange(found.start(2), found.end(3))]


def _cut_pictures(page: str, chance: Random) -> str:
    data = base64.b64decode(held(page)["pictures"])
    return with_held(page, pictures=_text(data[: chance.randrange(len(data))]))


def _letter(page: str, chance: Random) -> str:
    """Exchange one letter of the record's text."""
    text = held(page)["record"]
    at = chance.randrange(len(text))
    letter = chance.choice([one for one in "ABCxyz019+/=" if one != text[at]])
    return with_held(page, record=text[:at] + letter + text[at + 1 :])


def _other_edition(page: str, chance: Random) -> str:
    """Change a number of the edition: what a recipe is worth, how many tiles there are."""
    edition = held(page)["edition"]
    places = [found.start() for found in re.finditer(r"[1-8]", edition)]
    at = chance.choice(places)
    return with_held(page, edition=edition[:at] + str(int(edition[at]) + 1) + edition[at + 1 :])


def _other_record(page: str, _chance: Random) -> str:
    """Put another game's file among the pictures of this one."""
    return with_held(page, record=_text(record("another")))


WAYS: dict[str, Way] = {
    "a bit of the file": _bit_of_record,
    "a letter of the file": _letter,
    "a bit of a picture": _with_pictures(_bit_of_picture),
    "two pictures exchanged": _with_pictures(_swapped),
    "a picture left out": _with_pictures(_without),
    "a picture twice": _with_pictures(_once_more),
    "an entry left out": _with_items(_gap),
    "an entry twice": _with_items(_doubled),
    "start before genesis": _with_items(_start_first),
    "somebody else's signature": _with_items(_other_key),
    "another seat's key": _with_items(_key_exchanged),
    "an entry of another game": _with_items(_foreign),
    "the file cut off": _cut_record,
    "the pictures cut off": _cut_pictures,
    "the page cut off": _cut_page,
    "another edition": _other_edition,
    "another game's file": _other_record,
}


def tampered(count: int, seed: str) -> list[tuple[str, str]]:
    """Return this many tampered pages, each with the way it was tampered with, using every way in turn."""
    chance = Random(seed)
    names = list(WAYS)
    return [(names[n % len(names)], WAYS[names[n % len(names)]](honest(), chance)) for n in range(count)]


# The two judges


@dataclass(frozen=True)
class Verify:
    """The answers of `wasabi-tx verify` about pages."""

    code: int
    words: str


def verify(path: Path) -> Verify:
    told = CliRunner().invoke(program, ["verify", str(path)], catch_exceptions=False)
    return Verify(told.exit_code, " ".join(told.output.split()))


def judge(*words: str | Path) -> list[dict[str, Any]]:
    """Return what the script of the pages says, one verdict for each."""
    command = ["node", "--no-warnings", str(JUDGE), str(SCRIPTS), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def write_pages(folder: Path, pages: Sequence[str]) -> list[Path]:
    paths = [folder / f"{number}.html" for number in range(len(pages))]
    for path, page in zip(paths, pages, strict=True):
        path.write_text(page, encoding="utf-8", newline="\n")
    return paths
