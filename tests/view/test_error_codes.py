"""Errors: every code of every family has a sentence in every language, which never shows the code."""

from __future__ import annotations

import ast
import errno
import os
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wasabi_protocol.table.invite import InviteFault
from wasabi_protocol.verdicts import Code

import wasabi_tx
from tests.invites import open_invite
from wasabi_tx.broker.native import NativeProblem
from wasabi_tx.broker.program import BrokerFailed
from wasabi_tx.net.address import AddressFault, BadAddress, parse_broker_url
from wasabi_tx.online.beginnings import SeveralTables
from wasabi_tx.online.client.events import CannotPlay, HostBroken
from wasabi_tx.online.headless import CannotGoOn
from wasabi_tx.online.invites import BadInvite, check_table, read_invite
from wasabi_tx.online.knocking import BadKnock
from wasabi_tx.online.online_table import Unreachable
from wasabi_tx.online.saved.seat import SeatBroken
from wasabi_tx.online.spoken_codes import BadCode
from wasabi_tx.online.terms import Unplayable
from wasabi_tx.store.identity import IdentityBroken
from wasabi_tx.store.seats import SeatTaken
from wasabi_tx.text import LANGUAGES, Texts, load_sentences
from wasabi_tx.text.os_problem import OsProblem, os_problem
from wasabi_tx.view.online.refusals import REFUSALS, say_refusal
from wasabi_tx.view.sentences import say_code

PACKAGE = Path(wasabi_tx.__file__).parent
KINDS_OF_INVITE = ("empty", "no-table", "only-to-watch", "relay")


@cache
def calls() -> dict[str, list[ast.Call]]:
    """Read the code once, and return every call with a first argument by the name of what is called."""
    found: dict[str, list[ast.Call]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                match node.func:
                    case ast.Name(name) | ast.Attribute(attr=name):
                        found.setdefault(name, []).append(node)
    return found


def raised(name: str) -> Iterator[tuple[str, set[str]]]:
    """Yield every code with which an error of this name is raised in the code, and the names of its parameters."""
    for call in calls()[name]:
        for one in ast.walk(call.args[0]):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value, {keyword.arg for keyword in call.keywords if keyword.arg}


REASONS = sorted(Texts("en").words("online.lost"))
"""Reasons for a missing connection."""


def gaps(key: str) -> set[str]:
    sentence = load_sentences("en")[key]
    assert isinstance(sentence, str)
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def below(prefix: str) -> set[str]:
    return set(Texts("en").words(prefix))


@pytest.mark.long
def test_every_code_of_an_invite_has_a_sentence() -> None:
    asked = {code for code, _ in raised("BadInvite")}
    assert asked == set(KINDS_OF_INVITE)
    assert below("online.bad-invite") == {*InviteFault, *KINDS_OF_INVITE}


def test_every_reason_why_a_spoken_code_leads_nowhere_has_a_sentence() -> None:
    asked = {code for code, _ in raised("BadCode")}
    # A host gives the other two.
    assert below("online.bad-code") == asked | {"wrong", "void", "nobody"}


def test_every_reason_why_nobody_lets_us_in_has_a_sentence() -> None:
    assert below("online.bad-knock") == {code for code, _ in raised("BadKnock")}


def test_every_code_of_an_address_has_a_sentence() -> None:
    assert below("online.bad-address") == set(AddressFault)


def test_every_code_of_a_broker_has_a_sentence_with_its_parameters() -> None:
    found = dict(raised("BrokerFailed"))
    assert len(found) >= 9
    for code, params in found.items():
        assert gaps(f"broker.{code}") <= params, code


def test_every_code_of_an_unplayable_table_has_a_sentence_with_its_parameters() -> None:
    found = dict(raised("Unplayable")) | dict(raised("CannotPlay"))
    assert set(found) == below("online.cannot-play")
    for code, params in raised("Unplayable"):
        assert gaps(f"online.cannot-play.{code}") == params, code


def test_every_way_to_lose_a_connection_has_its_sentences() -> None:
    lost = {*REASONS} - {"watch-only"}
    """A connection where one may only watch is never lost: the table finds it out."""
    assert {code for code, _ in raised("Lost")} == lost
    assert {code for code, _ in raised("Unreachable")} >= {"watch-only"}
    assert {key.removeprefix("link-") for key in below("news") if key.startswith("link-")} == {*lost, "up"}


def test_every_verdict_of_the_protocol_has_words() -> None:
    assert below("verdict") == {*map(str, Code), "doubled", "gap", "torn", "other"}
    for language in LANGUAGES:
        words = [say_code(Texts(language), code) for code in Code]
        assert len(set(words)) == len(words)
        assert say_code(Texts(language), "of-tomorrow") == Texts(language).say("verdict.other")


def test_every_problem_of_the_system_has_words() -> None:
    assert below("os") == set(OsProblem)
    for number in errno.errorcode:
        for language in LANGUAGES:
            texts, error = Texts(language), OSError(number, os.strerror(number))
            said = texts.say("cli.unreadable", file="x", reason=error)
            assert said == f"x: {texts.say(f'os.{os_problem(error)}')}"


def test_every_problem_with_a_server_of_nats_has_words() -> None:
    assert below("broker.native") == set(NativeProblem)


EXAMPLES: tuple[Exception, ...] = (
    *(BadInvite(code) for code in (*InviteFault, *KINDS_OF_INVITE)),
    *(BadAddress(code, "x") for code in AddressFault),
    *(BadKnock(reason) for reason in ("turned-away", "password", "unreachable", "elsewhere", "closed")),
    *(BadCode(reason, "7") for reason in ("words", "unreachable", "nobody", "wrong", "void")),
    SeatTaken("a"),
    SeatBroken(),
    SeveralTables(["abcdefgh", "abcdefgi"]),
    *(Unreachable(reason, "host:1") for reason in REASONS),
    Unreachable("password", "host:1", kept_back=True),
    Unreachable("password", "host:1", hosted="abcdef"),
    CannotGoOn(HostBroken()),
    CannotGoOn(CannotPlay("not-seated")),
    Unplayable("order-differs"),
    Unplayable("rules-version", theirs=2, ours=1),
    BrokerFailed("folder", folder="/x", reason=OsProblem.FULL),
    IdentityBroken(Path("x"), "identity-size"),
    OSError(errno.ENOSPC, "No space left on device"),
)


def test_every_refusal_is_among_the_examples() -> None:
    assert {type(one) for one in EXAMPLES} == set(REFUSALS)


ENGLISH = re.compile(
    r"\b(the|this|and|not|of|is|are|no|an|with|there|to play|file or directory|denied|space left|expected|invalid)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("error", EXAMPLES, ids=repr)
def test_an_italian_reads_no_english(error: Exception) -> None:
    said = say_refusal(error, Texts("it"))
    assert said
    assert said != say_refusal(error, Texts("en"))
    assert ENGLISH.search(said) is None, said


WHOLE = open_invite("host", 2883, password="S3cr")
PIECES = st.lists(
    st.sampled_from(
        [*"/:.#&=?@% \n", "wasabi:", "o", "p", "mqtts", "://", "host", "main", "a" * 26, "a" * 16, ".pS3cr", "0"]
    )
).map("".join)


@given(st.integers(0, len(WHOLE)).map(lambda n: WHOLE[:n]) | PIECES | st.text(max_size=40))
def test_every_malformed_invite_is_an_italian_sentence_without_its_words(text: str) -> None:
    try:
        check_table(read_invite(text))
    except BadInvite as bad:
        said = say_refusal(bad, Texts("it"))
    else:
        return
    assert said in Texts("it").words("online.bad-invite").values()
    assert ENGLISH.search(said) is None


@given(PIECES | st.text(max_size=40) | PIECES.map(lambda text: f"mqtt://ana:S3cr{text}"))
def test_every_malformed_address_is_an_italian_sentence_without_its_password(text: str) -> None:
    try:
        parse_broker_url(text)
    except BadAddress as bad:
        said = say_refusal(bad, Texts("it"))
    else:
        return
    assert ENGLISH.search(said) is None or "://" in text
    assert "S3cr" not in said or "S3cr" in text.partition("://")[0]


@pytest.mark.parametrize(
    "address",
    [
        "mqtt://ana:S3cr/etPass@host",
        "mqtt://ana:S3cr?etPass@host",
        "mqtt://ana:S3cr#etPass@host",
        "mqtt://ana:S3cr@etPass@ho st",
        "mqtt://:S3cr@host",
        "ana:S3cr@host://x",
        "mqtt://ana:S3cr",
        "mqtt://host:S3cr",
    ],
)
def test_no_part_of_a_password_is_in_a_message(address: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_broker_url(address)
    for language in LANGUAGES:
        said = say_refusal(caught.value, Texts(language))
        assert not [part for part in ("S3cr", "etPass", "ana") if part in said], said
    assert "S3cr" not in repr(caught.value)
