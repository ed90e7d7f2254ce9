"""The committed vectors: made by our maker, valid by their schema, judged by our code, named by the specification."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from wasabi_protocol.signed.codec import FIELDS
from wasabi_protocol.signed.messages import TYPES, Terms

from tests.protocol.vectors.judge import KINDS, judge
from tests.protocol.vectors.make import files
from tests.protocol.vectors.vector import FOLDER, read_file, read_recordings

FILES = sorted(FOLDER.glob("*.json"))
SPECIFICATION = sorted(FOLDER.parent.glob("*.md"))
SCHEMA = read_file(FOLDER.parent / "schema" / "vectors.json")
MOST_BYTES = 1_620_000
_ID = re.compile(r"`([a-z0-9-]+/[a-z0-9-]+)`")
_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*[-|] )|\n(?=\|)")


def all_vectors() -> Iterator[dict[str, Any]]:
    for path in FILES:
        yield from read_file(path)["vectors"]


def names() -> set[str]:
    return {vector["id"] for vector in all_vectors()}


@pytest.mark.long
def test_the_files_are_what_the_maker_makes() -> None:
    made = files()
    assert sorted(made) == [path.name for path in FILES]
    for path in FILES:
        assert made[path.name] == path.read_text(encoding="utf-8"), f"{path.name}: python -m tests.protocol.vectors"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_our_code_gives_each_vector_its_result(path: Path) -> None:
    recordings = read_recordings()
    for vector in read_file(path)["vectors"]:
        judged = judge(vector["kind"], vector["input"], recordings)
        found = (judged.result, judged.code, judged.blames, judged.output)
        wanted = (vector["result"], vector.get("code"), vector.get("blames"), vector.get("output"))
        assert found == wanted, vector["id"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_fits_the_schema(path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(read_file(path))


def test_the_schema_knows_every_kind_and_each_is_used() -> None:
    vectors = list(all_vectors())
    assert sorted(SCHEMA["$defs"]["inputs"]) == KINDS
    assert sorted({vector["kind"] for vector in vectors}) == KINDS
    assert {vector["result"] for vector in vectors} == {"valid", "invalid"}


def test_a_bent_vector_does_not_fit_the_schema() -> None:
    file = read_file(FOLDER / "encoding.json")
    validator = jsonschema.Draft202012Validator(SCHEMA)
    good = file["vectors"][0]
    for bent in (
        good | {"kind": "magic"},
        good | {"result": "invalid"},
        good | {"input": {"bytes": "0"}},
        good | {"input": {"bites": "00"}},
        {name: value for name, value in good.items() if name != "output"},
    ):
        assert not validator.is_valid(file | {"vectors": [bent]})


def test_every_id_is_unique_and_the_files_are_small() -> None:
    ids = [vector["id"] for vector in all_vectors()]
    assert len(set(ids)) == len(ids)
    assert sum(path.stat().st_size for path in FILES) < MOST_BYTES


@pytest.mark.parametrize("path", SPECIFICATION, ids=lambda path: path.stem)
def test_every_must_names_a_vector_that_exists(path: Path) -> None:
    known = names()
    for block in _BLOCK.split(path.read_text(encoding="utf-8")):
        named = _ID.findall(block)
        assert set(named) <= known, f"{path.name}: {set(named) - known}"
        musts = len(re.findall(r"\bMUST\b", block))
        assert len(named) >= musts, f"{path.name}: a MUST without a vector:\n{block}"


@pytest.mark.parametrize("path", SPECIFICATION, ids=lambda path: path.stem)
def test_an_example_stands_before_the_first_must_of_every_section(path: Path) -> None:
    for section in re.split(r"\n(?=#+ )", path.read_text(encoding="utf-8")):
        before, must, _ = section.partition("MUST")
        assert not must or "\n    " in before, f"{path.name}: {section.splitlines()[0]}"


def test_the_specification_is_all_there_and_says_must() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SPECIFICATION)
    assert len(re.findall(r"\bMUST\b", text)) > 50
    index = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    for path in SPECIFICATION:
        if path.name != "README.md":
            assert f"({path.name})" in index, f"{path.name} is missing from the index"


@pytest.mark.parametrize(
    "path", [*SPECIFICATION, FOLDER / "README.md"], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target, heading in re.findall(r"\]\(([^)#]+)(?:#([^)]+))?\)", path.read_text(encoding="utf-8")):
        there = path.parent / target
        assert there.is_file(), target
        if heading:
            headings = re.findall(r"^#+ (.+)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {title.lower().replace(" ", "-") for title in headings}, (target, heading)


def test_the_message_table_lists_every_type_with_its_fields_in_their_order() -> None:
    index = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z]+)` \| ([^|]*) \|", index, re.MULTILINE))
    wanted = {name: ", ".join(FIELDS[cls]) for name, cls in TYPES.items()} | {"terms": ", ".join(FIELDS[Terms])}
    assert {name: fields.replace("`", "").strip() for name, fields in rows.items()} == wanted
