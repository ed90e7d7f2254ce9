"""Attacks by an invite: hosts and brokers that mean harm."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace

from wasabi_protocol.sealed.cards import params_hash
from wasabi_protocol.signed.codec import signed_message, write
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Offer
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.invite import Carrier, Invite
from wasabi_protocol.table.invite_text import format_invite, parse_invite
from wasabi_protocol.table.private import door_identity
from wasabi_protocol.table.topics import Topic

from tests.attacks.scene import GUESTS, Scene, hold, player_at, unharmed
from tests.attacks.strangers import connected
from tests.cli.test_taint import NEEDLE, RAW
from tests.lab.bench.strangers import MOST_MEGABYTES, flood, megabytes
from tests.net.fake_broker import FakeBroker
from tests.net.test_tls import fingerprint, make_certificate, server_context
from tests.online.test_strangers import genesis_of
from tests.tui.short import any_rules
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.invites import carrier_at, invite_to, watch_invite
from wasabi_tx.online.terms import make_terms

PASSWORD = "correct-horse"
LASTS = 10.0
"""Seconds of an attack that has no end of its own."""
LARGE = 256_000_000
TABLE = "b" * 26
COMMANDS = (("bot", "--json"), ("watch", "--headless", "--json"), ("watch", "--plain"), ("join", "--plain"))


def _invite_to(broker: FakeBroker, certificate: str = "") -> str:
    scheme = "mqtts" if certificate else "mqtt"
    carrier = Carrier((("127.0.0.1", broker.address.port),), scheme=scheme, certificate=certificate)
    return format_invite(Invite((carrier,), "main", TABLE))


async def password(scene: Scene) -> str:
    """Invite the victim to another port, without TLS, of a host whose password it knows."""
    async with FakeBroker() as broker:
        mine = f"mqtts://ana:{PASSWORD}@127.0.0.1:{broker.address.port + 1}"
        return await _nobody_sends(scene, broker, _invite_to(broker), mine)


async def certificate(scene: Scene) -> str:
    """Invite the victim to the very broker whose password it knows, with the certificate of a stranger in between."""
    scene.folder.mkdir(parents=True, exist_ok=True)
    files = make_certificate(scene.folder)
    async with FakeBroker(tls=server_context(*files)) as broker:
        mine = f"mqtts://ana:{PASSWORD}@127.0.0.1:{broker.address.port}#fp={'a' * 64}"
        return await _nobody_sends(scene, broker, _invite_to(broker, fingerprint(files[0])), mine)


async def _nobody_sends(scene: Scene, broker: FakeBroker, invite: str, mine: str) -> str:
    """Let each command follow the invite, and check that none sends the password of the address `mine`."""
    for number, words in enumerate(COMMANDS):
        # The second line is the name that the program asks for.
        broker.received = b""
        victim = scene.programs.start(f"victim {number}", *words, typed=invite + "\n\n", broker=mine)
        async with asyncio.timeout(60):
            while b"MQTT" not in broker.received and victim.running:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        hold(b"MQTT" in broker.received, f"{words} did not even connect: {victim.err}")
        hold(PASSWORD.encode() not in broker.received, f"{words} sent the password")
        hold(PASSWORD not in victim.out + victim.err + victim.trace, f"{words} told the password")
        unharmed(victim)
        if victim.running:
            await asyncio.to_thread(victim.kill)
    return f"{len(COMMANDS)} commands connected, none sent the password"


async def escapes(scene: Scene) -> str:
    """Offer an edition whose name contains terminal control codes."""
    host, salt, address = Identity(secrets.token_bytes(32)), secrets.token_bytes(32), scene.broker.address
    terms = make_terms(any_rules("classic", 2), 2, 2)
    table = table_id(host.key, salt)
    invite = format_invite(invite_to([carrier_at([address])], "main", table, host.key))
    victims = [
        scene.programs.start(f"victim {number}", *words, typed=None, terminal=True)
        for number, words in enumerate([words for words in COMMANDS if "--json" not in words] + [("bot",)])
    ]
    for victim in victims:
        # The second line is the name that the program asks for.
        victim.type(invite + "\n\n")
    topic = str(Topic("main", "mv", key_text(host.key), table))
    async with connected(address) as hostile:
        for n in range(1, 2 * len(RAW) + 1):
            raw = RAW[n % len(RAW)]
            offer = Offer(table, host.key, salt, n, replace(terms, edition=raw), b"", raw, 1, begun=False)
            hostile.publish(Publication(topic, sign(host, write(offer)), 1, retain=True))
            await asyncio.sleep(0.5)
        # A valid offer shows that they were listening all the time.
        last = Offer(table, host.key, salt, 99, replace(terms, edition=NEEDLE), b"", "koi", 1, begun=False)
        hostile.publish(Publication(topic, signed_message(host, last), 1, retain=True))
        for victim in victims:
            await asyncio.to_thread(victim.ended)
    for victim in victims:
        hold(NEEDLE in victim.out, f"{victim.words} did not hear the host: {victim.out}")
        hold(not any(raw in victim.out for raw in RAW), f"{victim.words} printed it raw")
        hold("Traceback" not in victim.out + victim.trace, f"{victim.words} raised: {victim.trace}")
    return f"{len(victims)} programs on terminals said that they do not know the edition; nothing raw was printed"


async def large_packet(scene: Scene) -> str:
    """Send one message of 256 megabytes."""
    head = bytes([0x30, 0x80 | (LARGE & 127), 0x80 | (LARGE >> 7 & 127), 0x80 | (LARGE >> 14 & 127), LARGE >> 21])
    most = 0.0
    async with FakeBroker(head + bytes(1_000_000)) as broker:
        guest = scene.programs.start("guest", "bot", "--json", typed=_invite_to(broker) + "\n")
        for _ in range(int(LASTS * 10)):
            for writer in list(broker._guests):
                if broker.received and writer.transport.get_write_buffer_size() < 1 << 22:
                    writer.write(bytes(1 << 20))
            await asyncio.sleep(0.1)
            if guest.running:
                most = max(most, megabytes(guest.pid))
        unharmed(guest)
    hold(most < MOST_MEGABYTES, f"a guest took {most:.0f} MB")
    return f"the guest takes at most {most:.0f} MB"


async def full_speed(scene: Scene) -> str:
    """Send from the broker as fast as a guest reads."""
    most, sent = await flood(scene.programs, LASTS)
    hold(most < MOST_MEGABYTES, f"a guest took {most:.0f} MB")
    return f"{sent:.0f} MB in {LASTS:.0f} s, the guest takes at most {most:.0f} MB"


async def other_decks(scene: Scene) -> str:
    """Begin a game with other decks than its host offered, while watchers follow."""
    address = scene.broker.address
    terms = make_terms(any_rules("classic", 2), 2, 2)
    decks = (1, *terms.decks[1:])
    others = replace(terms, decks=decks, params=params_hash(decks))
    came = []
    for first in (True, False):
        host, salt = Identity(secrets.token_bytes(32)), secrets.token_bytes(32)
        table = table_id(host.key, salt)
        offer = Offer(table, host.key, salt, 1, terms, b"", "koi", 1, begun=False)
        words = [signed_message(host, offer)] if first else []
        words += genesis_of(replace(offer, terms=others), [host, Identity(secrets.token_bytes(32))])
        invite = format_invite(watch_invite(invite_to([carrier_at([address])], "main", table, host.key)))
        name = f"watcher {first}"
        watcher = scene.programs.start(name, "watch", "--headless", "--json", typed=invite + "\n")
        topic = str(Topic("main", "mv", key_text(host.key), table))
        async with connected(address) as hostile:
            for _ in range(int(LASTS)):
                for word in words:
                    hostile.publish(Publication(topic, word, 1))
                await asyncio.sleep(1)
        unharmed(watcher)
        came.append("waits" if watcher.running else watcher.err.strip())
        if watcher.running:
            await asyncio.to_thread(watcher.kill)
    return "; ".join(came)


async def impostor(scene: Scene) -> str:
    """Impersonate the host of an open table with a door that it does not have."""
    table = await scene.open(2)
    found = parse_invite(table.watch)
    thief, door = Identity(secrets.token_bytes(32)), door_identity(secrets.token_bytes(32))
    terms = make_terms(any_rules("short-classic", 2), 2, 2)
    offer = Offer(found.table, thief.key, secrets.token_bytes(32), 9, terms, door.key, "koi", 1, begun=False)
    words = [signed_message(thief, offer), *genesis_of(offer, [thief, Identity(secrets.token_bytes(32))], door)]
    topic = str(Topic(found.realm, "mv", key_text(thief.key), found.table))
    table.watch = format_invite(replace(found, host_key_hash=""))
    async with connected(player_at(table.invite)) as hostile:
        table.look("watcher-1")
        for _ in range(int(LASTS)):
            for word in words:
                hostile.publish(Publication(topic, word, 1, retain=True))
            await asyncio.sleep(1)
        table.join(GUESTS[0])
        return f"{await scene.settled(table)}, and the watcher saw the true game"


ATTACKS = {
    "password": password,
    "certificate": certificate,
    "escapes": escapes,
    "large-packet": large_packet,
    "full-speed": full_speed,
    "other-decks": other_decks,
    "impostor": impostor,
}
