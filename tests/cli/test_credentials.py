"""A password goes to its own broker, in the way that its owner wrote down, and nowhere else."""

from __future__ import annotations

import pytest

from wasabi_tx.app.machine import BROKER, kept_back, with_credentials
from wasabi_tx.app.settings import Settings
from wasabi_tx.net.address import Address, parse_broker_url

MINE = Settings(broker="mqtts://ana:PW@club.example:8883#ca=/my/ca.pem")
SAME = Address("club.example", 8883, tls=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(BROKER, raising=False)


def test_the_same_broker_gets_it() -> None:
    found = with_credentials(SAME, MINE)
    assert (found.user, found.password) == ("ana", "PW")
    assert not kept_back(SAME, MINE)
    assert str(found.ca) == "/my/ca.pem"
    assert with_credentials(Address("Club.Example", 8883, tls=True), MINE).password == "PW"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (Address("club.example", 8883), True),
        (Address("club.example", 1883), True),
        (Address("club.example", 8884, tls=True), True),
        (Address("club.example", 8883, tls=True, websockets=True), True),
        (Address("evil.example", 8883, tls=True), False),
    ],
    ids=str,
)
def test_another_port_or_a_weaker_way_gets_nothing(address: Address, told: bool) -> None:
    assert with_credentials(address, MINE) == address
    assert kept_back(address, MINE) == told


def test_the_invite_s_own_password_comes_first() -> None:
    own = Address("club.example", 8883, user="play", password="theirs")
    assert with_credentials(own, MINE) == own
    assert not kept_back(own, MINE)


def test_the_environment_comes_before_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BROKER, "mqtts://eve:other@club.example:8883")
    assert with_credentials(SAME, MINE).user == "eve"


def test_a_fingerprint_of_the_settings_stays_the_proof() -> None:
    settings = Settings(broker=f"mqtts://ana:PW@club.example:8883#fp={'a' * 64}")
    assert with_credentials(SAME, settings) == parse_broker_url(settings.broker)


STRANGER, OURS = "b" * 64, "a" * 64


@pytest.mark.parametrize("proof", ["", "#ca=/my/ca.pem", f"#fp={OURS}"])
@pytest.mark.parametrize("scheme", ["mqtts", "wss"])
@pytest.mark.parametrize("brought", ["", OURS, STRANGER])
def test_a_password_goes_only_with_the_proof_that_it_was_stored_with(scheme: str, proof: str, brought: str) -> None:
    """Allow a public authority, a file, or that fingerprint: a certificate named by an invite unlocks nothing."""
    stored = parse_broker_url(f"{scheme}://ana:PW@club.example:8883{proof}")
    brings = Address("club.example", 8883, tls=True, websockets=scheme == "wss", fingerprint=brought)
    settings = Settings(broker=stored.url())
    found = with_credentials(brings, settings)
    if brought in ("", stored.fingerprint):
        assert found == stored
        assert not kept_back(brings, settings)
    else:
        assert found == brings
        assert kept_back(brings, settings)
