"""One whole game among processes, with a listener at the broker, and the promises about it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from wasabi_protocol.game.record import read_record
from wasabi_protocol.signed.identity import key_text
from wasabi_protocol.table.invite_text import parse_invite
from wasabi_protocol.table.private import read_key

from tests.peers.program import Programs
from tests.peers.tables import NAMES, WATCHERS, Table, agree, open_table, steps_of
from tests.peers.wire import Wire, recorded
from tests.tui.short import any_rules
from wasabi_tx.engine.rules import AnyRules

NATS, MOSQUITTO = "nats", "mosquitto"
SHORTEST_STEP = 7


@dataclass(frozen=True)
class Case:
    broker: str
    private: bool
    edition: str
    seats: int = 4
    watchers: int = 2

    def __str__(self) -> str:
        return f"{self.broker}-{'private' if self.private else 'open'}-{self.edition}-{self.seats}+{self.watchers}"


ALL = [Case(*each) for each in product((NATS, MOSQUITTO), (False, True), ("classic", "master"), (2, 3, 4))]
FEW = [Case(NATS, False, "short-classic"), Case(MOSQUITTO, True, "short-master")]
"""Cases in which each option has both values; the tests with a death play the other pairs."""


def play(case: Case, programs: Programs, broker: str | None) -> None:
    """Play the case and check everything that it promises."""
    # Easy bots complete no recipe at all in one short game out of 400, and then there is nothing to find on the wire.
    table = open_table(programs, case.seats, case.edition, case.private, broker, level="normal")
    with recorded(table.invite) as wire:
        table.look(*WATCHERS[: case.watchers])
        table.fill()
        agree(table)
    _check_wire(case, table, wire)


def _check_wire(case: Case, table: Table, wire: Wire) -> None:
    rules = any_rules(case.edition, case.seats)
    items, whole = read_record(table.game(NAMES[0]).read_bytes())
    assert whole
    keys = sorted({key for key, _ in items})
    assert len(keys) == case.seats
    steps = steps_of(table.game(NAMES[0]))
    if case.private:
        _nothing_to_read(table, wire, keys, steps)
    else:
        _no_hidden_face(rules, wire, keys, steps)


def _nothing_to_read(table: Table, wire: Wire, keys: list[bytes], steps: list[str]) -> None:
    """Check that a private table shows only sealed bytes under meaningless names."""
    secret = parse_invite(table.invite).play_key
    heads = [invite.removeprefix("wasabi:").partition("/")[0].encode() for invite in (table.invite, table.watch)]
    words = [
        *keys,
        *(key_text(key).encode() for key in keys),
        *(name.encode() for name in NAMES),
        *(step.encode() for step in steps if len(step) >= SHORTEST_STEP),
        *(head[start : start + 20] for head in heads for start in (1, 10, 20)),
        *(secret, read_key(secret), b"\xa4slot", b"\xa4prev", b"\xa5table", b"edition"),
    ]
    assert len(wire.letters) > len(steps)
    assert wire.holding(*words) == set()
    assert wire.readable() == [], wire.readable()
    kinds = {topic.split("/")[2] for topic, _ in wire.letters}
    assert kinds == {"t"}, "no lobby, nobody's presence"


def _no_hidden_face(rules: AnyRules, wire: Wire, keys: list[bytes], steps: list[str]) -> None:
    """Check that an open table can be read, but shows only completed recipes."""
    words = {recipe.id.encode() for recipe in rules.edition.recipes}
    names = {name.encode() for recipe in rules.edition.recipes for name in recipe.names.values()}
    completed = {word for word in words if any(step.split()[-1].encode() == word for step in steps)}
    assert completed, "somebody completed something, or this test finds nothing"
    assert wire.holding(*words) == completed
    assert wire.holding(*names - words) == set()
    # The listener does see these words where they are visible.
    assert wire.holding(*keys, *(name.encode() for name in NAMES[: len(keys)])) >= set(keys)
    assert len(wire.readable()) == sum(bool(payload) for _, payload in wire.letters)
