"""Every target of the fuzzer accepts its corpus, and random bytes, without raising anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from .client import client
from .files import KINDS as FILES
from .files import files
from .invites import KINDS as LINES
from .invites import invites
from .judge import judge

CORPUS = Path(__file__).parent / "corpus"
RUNS = {"judge": 300, "client": 40, "files": 300, "invites": 1_000}
TARGETS: dict[str, Callable[[bytes], str]] = {"judge": judge, "client": client, "files": files, "invites": invites}


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_but_the_expected_comes_out(name: str) -> None:
    run, rng = TARGETS[name], Random(f"{name} again")
    kept = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]
    assert kept
    seen = Counter(run(data) for data in kept)
    seen.update(run(rng.randbytes(rng.randrange(200))) for _ in range(RUNS[name]))
    if name in ("files", "invites"):
        kinds = FILES if name == "files" else LINES
        assert {what.partition(":")[0] for what in seen} == set(kinds)
    else:
        assert len(seen) >= 4, seen
