"""TLS: a server is trusted by authority, by file or by fingerprint; any other server gets no byte from us."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.broker.running import running
from tests.brokers import EACH_KIND, RealBroker
from tests.net.conftest import Opener
from tests.net.fake_broker import FakeBroker
from tests.net.reading import connected, lost, payloads
from wasabi_tx.broker.broker import Broker
from wasabi_tx.broker.program import BrokerFailed
from wasabi_tx.net.address import Address, parse_broker_url
from wasabi_tx.net.tls import fingerprint_of, with_proof
from wasabi_tx.net.transport import Publication


def make_certificate(folder: Path, names: str = "DNS:localhost,IP:127.0.0.1") -> tuple[Path, Path]:
    """Create a self-signed certificate, by default for this machine, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    words = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    command = [*words.split(), "-addext", f"subjectAltName={names}", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


def fingerprint(certificate: Path) -> str:
    return fingerprint_of(ssl.PEM_cert_to_DER_cert(certificate.read_text()))


@pytest.fixture(scope="module", params=EACH_KIND)
def secure_broker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealBroker]:
    folder = tmp_path_factory.mktemp("tls")
    broker = RealBroker(request.param, folder, *make_certificate(folder))
    broker.start()
    yield broker
    broker.stop()


def proofs(broker: RealBroker) -> list[Address]:
    """Return the broker's address with each correct proof."""
    certificate = broker.settings.certificate
    assert certificate is not None
    secure = replace(broker.address, tls=True)
    return [replace(secure, ca=certificate), replace(secure, fingerprint=fingerprint(certificate))]


@pytest.mark.parametrize("websockets", [False, True])
@pytest.mark.parametrize("proof", [0, 1])
async def test_the_right_certificate_is_trusted(
    secure_broker: RealBroker, transport: Opener, realm: str, proof: int, websockets: bool
) -> None:
    address = proofs(secure_broker)[proof]
    if websockets:
        address = replace(address, port=secure_broker.websockets.port, websockets=True)
    here = transport(address)
    here.subscribe([f"wsb1/{realm}/x"])
    events = await connected(here)
    # Large enough that TLS delivers it in several records.
    here.publish(Publication(f"wsb1/{realm}/x", bytes(20_000)))
    assert await payloads(events, 1) == [bytes(20_000)]


@pytest.mark.parametrize("proof", [0, 1])
async def test_friends_who_lack_a_file_of_ours_get_the_fingerprint_of_its_server(
    secure_broker: RealBroker, proof: int
) -> None:
    address = proofs(secure_broker)[proof]
    assert (await with_proof(address)).fingerprint == proofs(secure_broker)[1].fingerprint
    for other in (secure_broker.address, replace(secure_broker.address, tls=True)):
        assert await with_proof(other) == other, "nothing of ours vouches for it"
    nobody = replace(address, port=1, fingerprint="")
    assert await with_proof(nobody) == nobody


async def test_a_broker_without_tls_has_no_certificate(nats_broker: RealBroker, transport: Opener) -> None:
    here = transport(replace(nats_broker.address, tls=True, fingerprint="00" * 32))
    here.open()
    assert await lost(here.events()) in ("certificate", "closed", "timeout")


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def other_certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("other"))


@pytest.mark.parametrize("proof", ["authorities", "file", "fingerprint"])
async def test_another_server_is_told_nothing_at_all(
    certificate: tuple[Path, Path], other_certificate: tuple[Path, Path], transport: Opener, proof: str
) -> None:
    async with FakeBroker(tls=server_context(*certificate)) as fake:
        address = replace(fake.address, user="play", password="hunter2")
        if proof == "file":
            address = replace(address, ca=other_certificate[0])
        elif proof == "fingerprint":
            address = replace(address, fingerprint=fingerprint(other_certificate[0]))
        here = transport(address)
        here.open()
        assert await lost(here.events()) == "certificate"
        await here.close()
        assert fake.received == b""


async def test_a_certificate_for_another_name_is_refused(transport: Opener, tmp_path: Path) -> None:
    elsewhere = make_certificate(tmp_path, "DNS:elsewhere.example")
    async with FakeBroker(tls=server_context(*elsewhere)) as fake:
        here = transport(replace(fake.address, ca=elsewhere[0], user="play", password="hunter2"))
        here.open()
        assert await lost(here.events()) == "certificate"
        await here.close()
        assert fake.received == b""


async def test_the_same_server_with_its_own_fingerprint_gets_the_password(
    certificate: tuple[Path, Path], transport: Opener
) -> None:
    async with FakeBroker(tls=server_context(*certificate)) as fake:
        address = replace(fake.address, user="play", password="hunter2", fingerprint=fingerprint(certificate[0]))
        await connected(transport(address))
        assert b"hunter2" in fake.received


async def test_a_missing_file_of_authorities_is_told(transport: Opener, tmp_path: Path) -> None:
    here = transport(Address("127.0.0.1", 1, tls=True, ca=tmp_path / "none.pem"))
    here.open()
    assert await lost(here.events()) == "certificate"


async def test_an_embedded_broker_with_a_certificate_puts_its_fingerprint_into_its_addresses(
    certificate: tuple[Path, Path], transport: Opener, tmp_path: Path
) -> None:
    async with running(tmp_path, certificate=certificate[0], key=certificate[1], websocket_port=0) as broker:
        for address in (broker.address(), broker.websocket_address()):
            assert parse_broker_url(address.url()) == address
            assert address.fingerprint == fingerprint(certificate[0])
            await connected(transport(address))


async def test_a_key_that_is_not_the_certificates_gives_a_sentence(
    certificate: tuple[Path, Path], other_certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    with pytest.raises(BrokerFailed) as failed:
        await Broker.start(tmp_path, certificate=certificate[0], key=other_certificate[1])
    assert failed.value.code == "engine-died"
    assert "private key does not match" in str(failed.value.params["reason"])
