"""Two people in two terminals, line by line, from the invite to the same signed game."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.peers.hands import play
from tests.peers.program import Programs, game_file
from tests.peers.tables import verified

PORT = "21883"
DIGEST = re.compile(r"signed by everybody; digest ([0-9a-f]{16})")


@pytest.mark.parametrize(("edition", "terminal"), [("short-classic", False), ("short-master", True)])
def test_two_people_type_a_game_to_its_end(programs: Programs, edition: str, terminal: bool) -> None:
    words = ("--plain", "--edition", edition, "--bind", "127.0.0.1", "--port", PORT, "--name", "Ann")
    host = programs.start("ann", "host", *words, typed=None, terminal=terminal)
    invite = next(word for word in host.until(lambda said: said.count("wasabi:") == 2).split() if "wasabi:" in word)
    guest = programs.start("bob", "join", "--plain", "--name", "Bob", typed=None, terminal=terminal)
    guest.type(invite + "\n")
    with ThreadPoolExecutor(2) as hands:
        ends = list(hands.map(lambda program: play(program, "signed by everybody"), (host, guest)))
    assert host.ended() == guest.ended() == 0
    for program in (host, guest):
        assert "Traceback" not in program.out + program.err
    printed = {DIGEST.search(program.out) for program in (host, guest)}
    digests = {found[1] for found in printed if found}
    (digest,) = digests
    assert all("Ann" in end and "Bob" in end for end in ends)
    files = [game_file(programs.home(name)) for name in ("ann", "bob")]
    results = verified(programs, *files)
    assert results[0] == results[1]
    assert results[0]["settled"]
    assert results[0]["digest"].startswith(digest)
