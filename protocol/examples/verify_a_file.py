"""Verify a game file: every signature, every proof and every rule, without trusting anyone who handed it over.

python protocol/examples/verify_a_file.py GAME.wasabi
"""

from __future__ import annotations

import sys
from pathlib import Path

from wasabi_protocol import Refused, record, replay

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.online.rules_adapter.umpire import Umpire
from wasabi_tx.online.terms import FindRules, rules_of


def verify(file: Path, find: FindRules = rules_for) -> str:
    """Return what a file proves, in one line."""
    data = file.read_bytes()
    try:
        terms = record.found_record(record.read_record(data)[0]).genesis.terms
        game = replay(data, Umpire(rules_of(terms, find)))
    except Refused as reason:
        return f"no game at all: {reason}"
    if not game.valid:
        return f"not what was played: {game.refused or game.session.log.evidence or 'a part is missing'}"
    outcome = game.session.state.outcome
    return "every entry holds, unfinished" if outcome is None else f"every entry holds, scores {outcome.scores}"


if __name__ == "__main__":
    print(verify(Path(sys.argv[1])))
