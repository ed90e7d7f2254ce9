"""Games at online tables are replayed like any other: by name, the newest, and from the list at home."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from wasabi_protocol.game.record import read_record, write_record
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, fingerprint
from wasabi_protocol.signed.messages import Ballot
from wasabi_protocol.verdicts import Refused
from wasabi_protocol.voting.poll import PERSON

from tests.app.game_page.pages import judge
from tests.brokers import PATIENCE
from tests.needs import needs
from tests.net.memory import MemoryBroker, MemoryTransport
from tests.online import cheats
from tests.online.world import Person, World, secret
from tests.tui.tiny import NAME, put_tiny_edition, tiny_rules
from wasabi_tx.app.failure import Failure
from wasabi_tx.app.local_games import LocalGames
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.net.address import Address
from wasabi_tx.online.headless import Habits, play_bot
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.result import check_record, result_of
from wasabi_tx.online.tables import Wanted, join_table, open_table
from wasabi_tx.online.terms import make_terms
from wasabi_tx.text import Texts

ADDRESS = Address("memory.example", 1883)


@pytest.fixture
async def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a game that was played to its end from this machine."""
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    put_tiny_edition(tmp_path)
    broker = MemoryBroker()

    def machine(name: str) -> Machine:
        here = Machine(
            tmp_path / "games", secret(name), name, tiny_rules, lambda _addresses: MemoryTransport(broker, name)
        )
        return here if name == "Ana" else replace(here, games=tmp_path / name)

    host = open_table(machine("Ana"), ADDRESS, [ADDRESS], Wanted(make_terms(tiny_rules(NAME, 2), 2, 2)), "easy")
    tables = [host, join_table(machine("Bo"), read_invite(host.invite), "easy")]
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(table.connect() for table in tables))
        await asyncio.gather(*(play_bot(table, Habits("easy")) for table in tables))
    for table in tables:
        await table.close()
    return Path(host.saved_as)


def run(words: Sequence[str]) -> Result:
    return CliRunner().invoke(wasabi_tx, [*words], catch_exceptions=False)


def test_a_game_online_is_replayed_by_its_name_or_as_the_newest(file: Path) -> None:
    for words in (["replay", "--steps", file.name], ["replay", "--steps"]):
        told = run(words)
        assert told.exit_code == 0, told.output
        assert "Ana" in told.output
        assert "Bo" in told.output
    session = check_record(file.read_bytes(), tiny_rules).session
    assert session is not None
    assert told.output.count("\n") > 10


def test_what_does_not_hold_is_named_and_all_before_it_is_shown(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-200] ^= 1
    file.write_bytes(data)
    told = run(["replay", "--steps", file.name])
    assert told.exit_code == 1
    assert "Ana" in told.stdout
    assert "does not hold" in told.stderr or "valid" in told.stderr


def test_it_is_in_the_list_at_home_with_its_people_and_opens_from_there(file: Path) -> None:
    games, texts = LocalGames("en"), Texts("en")
    (saved,) = games.saved(texts)
    assert saved.name == file.name
    assert saved.finished
    assert {"Ana", "Bo"} <= set(saved.words.replace(",", "").split())
    session = check_record(file.read_bytes(), tiny_rules).session
    assert session is not None
    result = result_of(session)
    by_points = sorted(zip(result.players, result.scores, strict=True), key=lambda one: -one[1])
    assert ", ".join(f"{name} {points}" for name, points in by_points) in saved.words
    transcript = games.read(saved.name, texts)
    assert {player.name for player in transcript.players} == {"Ana", "Bo"}
    assert transcript.last.outcome is not None
    assert all(one.after is other.before for one, other in zip(transcript.moves, transcript.moves[1:], strict=False))


def test_its_file_is_named_after_the_day_and_the_people(file: Path) -> None:
    session = check_record(file.read_bytes(), tiny_rules).session
    assert session is not None
    names = [join.name.casefold() for join in session.founded.joins]
    table = session.founded.genesis.table
    assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d-{'-'.join(names)}-{table[:6]}-[a-z2-7]{{16}}\.wasabi", file.name)


def test_a_game_that_was_not_played_out_is_listed_so(file: Path) -> None:
    items, _ = read_record(file.read_bytes())
    file.write_bytes(write_record(items[:-4]))
    (saved,) = LocalGames("en").saved(Texts("en"))
    assert "not played out" in saved.words
    assert {"Ana", "Bo"} <= set(saved.words.replace(",", "").split())


def test_hands_that_were_opened_at_the_end_are_open_in_the_replay(file: Path) -> None:
    transcript = LocalGames("en").read(file.name, Texts("en"))
    held = [card for seat in transcript.last.seats for card in seat.recipes]
    assert held
    assert set(held) <= transcript.faces.keys(), "bots open their hands"


def test_verify_says_who_played_and_who_won(file: Path) -> None:
    session = check_record(file.read_bytes(), tiny_rules).session
    assert session is not None
    result = result_of(session)
    told = run(["verify", file.name])
    assert told.exit_code == 0
    words = " ".join(told.output.split())
    for name, points in zip(result.players, result.scores, strict=True):
        assert f"{name} {points}" in words
    assert f"{', '.join(result.winner)} won" in words
    keys = ", ".join(fingerprint(key) for key in session.founded.keys)
    assert f"signed by the keys {keys}; whether these are different people nobody can prove" in words


def test_a_file_that_is_no_game_is_not_listed_and_not_opened(file: Path) -> None:
    file.write_bytes(b"once upon a time")
    games, texts = LocalGames("en"), Texts("en")
    assert games.saved(texts) == []
    with pytest.raises(Failure):
        games.read(file.name, texts)


def test_an_export_names_the_turn_in_which_something_was_played(file: Path) -> None:
    lines = [line for line in run(["export", file.name]).output.splitlines() if " turn " in line]
    turns = [int(line.split()[2]) for line in lines]
    assert turns == sorted(turns)
    assert turns[0] == 0, "the first tiles are chosen before the first turn"
    assert 1 in turns


def _illegal(liar: Person) -> list[bytes]:
    return [cheats.signed(liar, cheats.bundle_of(liar, ["done", "done"]))]


def _two_ballots(liar: Person) -> list[bytes]:
    log, player = liar.game.session.log, liar.game.me
    assert player is not None
    seat, base = player.player.seat, log.slots[-2]
    out = next(other for other in log.state.seats if other != seat)
    ballots = [
        Ballot(log.gid, log.state.epoch, base.number, seat, link, 1, out, PERSON) for link in (base.link, bytes(32))
    ]
    return [cheats.signed(liar, ballot) for ballot in ballots]


@pytest.fixture(params=[_illegal, _two_ballots])
def voted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """Return the file of a game of three that was settled after one of them had lied and was voted out."""
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    put_tiny_edition(tmp_path)
    world = World(3, NAME, "liar", find=tiny_rules)
    world.in_play(16)
    liar = world.mover()
    cheats.mute(liar)
    for lie in request.param(liar):
        cheats.publish(world, liar, lie)
    honest = [person for person in world.people.values() if person is not liar]
    world.until(lambda: all(person.game.session.state.epoch > 0 for person in honest), 120)
    world.wake()
    liar.asleep = True
    world.until(lambda: all(person.game.session.state.outcome is not None for person in honest), 600)
    honest[0].game.ledger.flush()
    file = tmp_path / "games" / f"{liar.name}.wasabi"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(honest[0].disk.record)
    return file


def test_a_settled_game_is_valid_although_somebody_was_voted_out_of_it(voted: Path) -> None:
    checked = check_record(voted.read_bytes(), tiny_rules)
    assert checked.session is not None
    assert checked.session.log.evidence, "the proof is in the file"
    assert checked.fault is None
    told = run(["verify", voted.name])
    words = " ".join(told.output.split())
    assert told.exit_code == 0, words
    assert "valid and settled" in words
    assert f"{voted.stem} was voted out; the proof against them is in the file" in words
    (line,) = run(["verify", "--json", voted.name]).stdout.splitlines()
    assert json.loads(line)["voted_out"] == [voted.stem]
    slots = checked.session.log.slots
    ballots = sum(len(slot.bodies) for slot in slots if slot.voted)
    assert ballots
    assert json.loads(line)["entries"] == sum(len(slot.bodies) for slot in slots) - ballots


@pytest.mark.long
@needs("node")
def test_a_page_of_such_a_game_shows_it_and_says_that_there_is_proof_beside_it(voted: Path) -> None:
    page = voted.with_suffix(".html")
    assert run(["export", voted.name, "--html", str(page)]).exit_code == 0
    (found,) = judge(page)
    assert (found["settled"], found["beside"] > 0) == (True, True)
    assert run(["verify", str(page)]).exit_code == 0


def test_the_same_file_without_the_vote_is_not_valid_and_a_ballot_is_called_so(voted: Path) -> None:
    items, _ = read_record(voted.read_bytes())
    session = check_record(voted.read_bytes(), tiny_rules).session
    assert session is not None
    (evidence,) = session.log.evidence
    liar = session.founded.keys[evidence.seat]
    kept = [item for item in items if item[0] == liar or read_kind(item[1]) not in ("ballot", "pledge")]
    assert len(kept) < len(items)
    voted.write_bytes(write_record(kept))
    told = run(["verify", voted.name])
    words = " ".join(told.output.split())
    assert told.exit_code == 3
    wrong = max(kept.index((body.key, body.envelope)) for body in evidence.bodies) + 1
    kind = "a ballot" if read_kind(evidence.bodies[0].envelope) == "ballot" else "an entry"
    assert f"message {wrong}, {kind} by" in words


def read_kind(envelope: bytes) -> str:
    """Return the type of a message; "" if it cannot be read."""
    with suppress(Refused):
        return parse(envelope[SIGNATURE_BYTES:]).t
    return ""
