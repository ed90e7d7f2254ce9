"""A reader in another language, with other libraries, agrees about every envelope and every chain of slots."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from wasabi_protocol.game.record import write_record

from tests.protocol.game import test_late_shares as late
from tests.protocol.vectors.vector import FOLDER, read_file

READER = Path(__file__).parent / "reader.mjs"
FILES = ("encoding", "envelopes", "slots", "games", "classic", "master")
KINDS = ("decode", "envelope", "link", "record", "position", "edition")


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("node is required here")
        pytest.skip("node is not installed")
    return found


def run(node: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([node, str(READER), str(folder)], capture_output=True, text=True, check=False, timeout=120)


def test_it_agrees_with_every_vector_that_it_understands(node: str) -> None:
    result = run(node, FOLDER)
    assert result.returncode == 0, result.stderr
    counts = json.loads(result.stdout)
    vectors = [vector for name in FILES for vector in read_file(FOLDER / f"{name}.json")["vectors"]]
    good = Counter(vector["kind"] for vector in vectors if vector["result"] == "valid" and vector["kind"] in KINDS)
    assert set(counts) == set(KINDS)
    for kind, least in good.items():
        assert counts[kind] >= least


def test_it_follows_a_game_with_late_shares_and_a_vote_to_its_end(node: str, tmp_path: Path) -> None:
    world = late.voted_game(3, own=True)
    file = tmp_path / "game"
    file.write_bytes(write_record([*world.opening.file_head, *world.spectator.items()]))
    script = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ follow }} from {json.dumps((READER.parent / "game.mjs").as_uri())};
        const head = follow(readFileSync({json.dumps(str(file))}));
        console.log(head.slot, head.link.toString("hex"));
    """
    command = [node, "--input-type=module", "-e", script]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    head = world.spectator.log.head
    assert result.stdout.split() == [str(head.number), head.link.hex()], result.stderr


@pytest.mark.parametrize(
    ("name", "field"),
    [("games", "link"), ("envelopes", "body_hash"), ("classic", "digest"), ("encoding", "value"), ("master", "hash")],
)
def test_it_notices_a_bent_vector(node: str, tmp_path: Path, name: str, field: str) -> None:
    for file in FILES:
        shutil.copy(FOLDER / f"{file}.json", tmp_path)
    bent = read_file(tmp_path / f"{name}.json")
    vector = next(vector for vector in bent["vectors"] if field in vector.get("output", {}))
    vector["output"][field] = "00"
    (tmp_path / f"{name}.json").write_text(json.dumps(bent), encoding="utf-8")
    result = run(node, tmp_path)
    assert result.returncode != 0
    assert vector["id"] in result.stderr
