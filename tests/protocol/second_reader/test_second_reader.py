"""A reader in another language, with other libraries, agrees about every envelope and every chain of slots."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.needs import needs
from tests.protocol.vectors.vector import FOLDER, read_file

READER = Path(__file__).parent / "reader.mjs"
FILES = ("encoding", "envelopes", "slots", "games", "classic", "master")
KINDS = ("decode", "envelope", "link", "record", "position", "edition")

pytestmark = needs("node")


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["node", str(READER), str(folder)], capture_output=True, text=True, check=False, timeout=120)


def test_it_agrees_with_every_vector_that_it_understands() -> None:
    result = run(FOLDER)
    assert result.returncode == 0, result.stderr
    counts = json.loads(result.stdout)
    vectors = [vector for name in FILES for vector in read_file(FOLDER / f"{name}.json")["vectors"]]
    good = Counter(vector["kind"] for vector in vectors if vector["result"] == "valid" and vector["kind"] in KINDS)
    assert set(counts) == set(KINDS)
    for kind, least in good.items():
        assert counts[kind] >= least


@pytest.mark.parametrize(
    ("name", "field"),
    [("games", "link"), ("envelopes", "body_hash"), ("classic", "digest"), ("encoding", "value"), ("master", "hash")],
)
def test_it_notices_a_bent_vector(tmp_path: Path, name: str, field: str) -> None:
    for file in FILES:
        shutil.copy(FOLDER / f"{file}.json", tmp_path)
    bent = read_file(tmp_path / f"{name}.json")
    vector = next(vector for vector in bent["vectors"] if field in vector.get("output", {}))
    vector["output"][field] = "00"
    (tmp_path / f"{name}.json").write_text(json.dumps(bent), encoding="utf-8")
    result = run(tmp_path)
    assert result.returncode != 0
    assert vector["id"] in result.stderr
