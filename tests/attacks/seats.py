"""Attacks by one seat of a table on the others."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from itertools import count

from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.messages import Shares
from wasabi_protocol.verdicts import Forbidden
from wasabi_protocol.voting.poll import PERSON

from tests.attacks.scene import GUESTS, HASTY, HOST, LONGEST, Scene, hold, session_of
from tests.net.proxy import Mode, Proxy
from tests.peers.kills import resume
from tests.peers.tables import Table
from wasabi_tx.online.client.client import Client

CLOCK = 20
PROOFS = 400
LARGEST_FILE = 2_000_000
LONG = 27_000


async def long_words(scene: Scene) -> str:
    """Send contradictions as long as a message may be, and longer; then resume a killed bot's game."""
    table, liar = await scene.with_liar(3, 20)
    await liar.long_words()
    await asyncio.to_thread(table.others[GUESTS[0]].kill)
    resume(table, GUESTS[0])
    return await scene.settled(table, liar, seats_left=2)


async def long_words_to_one(scene: Scene) -> str:
    """Do the same in a game of two: the other stops with proof, and its file shows it."""
    table, liar = await scene.with_liar(2, 20)
    await liar.long_words()
    hold(await asyncio.to_thread(table.host.ended, LONGEST) == 0, "the honest program gave up")
    session = session_of(table.game(HOST))
    broken = session.log.broken
    hold(broken is not None, "the file does not say that it was broken off")
    hold(broken is not None and broken.seat == session.founded.seat_of(liar.table.me.key), "somebody honest is blamed")
    return "broken off with proof, the liar named"


async def late_bundle(scene: Scene) -> str:
    """Cast two contradictory ballots on an earlier slot, then write the owed entries."""
    table, liar = await scene.with_liar(3, 20)
    await liar.two_ballots()
    return await scene.settled(table, liar, seats_left=2)


async def late_bundle_past_one(scene: Scene) -> str:
    """Do the same while one of the others hears nothing, so that the two get the messages in a different order."""
    proxy = await scene.stack.enter_async_context(Proxy(scene.broker.address))
    table = await scene.open(3, "classic")
    words = ("--level", "easy", "--json", *HASTY, "--broker", proxy.address.url())
    table.others[GUESTS[0]] = scene.programs.start(GUESTS[0], "bot", *words, typed=table.invite + "\n")
    liar = await scene.liar(table.invite)
    await scene.came_to(liar, 20)
    await liar.table.until(lambda now: now.my_turn or now.over)
    await proxy.set(Mode.BLACK_HOLE)
    await liar.say(liar.contradict)
    await asyncio.sleep(8)
    await proxy.set(Mode.PASS)
    return await scene.settled(table, liar, seats_left=2)


async def undone(scene: Scene) -> str:
    """Contradict an old slot: what all seats had signed after it stays."""
    table, liar = await scene.with_liar(3, 30)
    log = session_of(table.game(HOST)).log
    settled = max(number for number in range(len(log.slots)) if log.signed_past(number))
    links = [slot.link for slot in log.slots[: settled + 1]]
    # It stops moving, or the game may be over before the others have voted.
    await liar.stop()
    await liar.say(lambda client: liar.contradict(client, back=12))
    ended = await scene.settled(table, liar, seats_left=2)
    for name in (HOST, GUESTS[0]):
        after = session_of(table.game(name)).log.slots
        hold([slot.link for slot in after[: settled + 1]] == links, f"{name} lost what was confirmed")
    return f"{ended}, {settled} confirmed slots kept"


async def away_for_a_moment(scene: Scene) -> str:
    """Stop an honest seat until another votes on it; the third never answers, so the voter stays bound."""
    table, liar = await scene.with_liar(3, 20)

    def in_no_vote(_now: float) -> None:
        return None

    def be_silent(client: Client) -> None:
        assert client.duties is not None
        client.duties._ballot = in_no_vote  # type: ignore[assignment, method-assign]

    await liar.say(be_silent)
    victim = table.others[GUESTS[0]]
    victim.signal(signal.SIGSTOP)
    try:
        async with asyncio.timeout(LONGEST):
            await _until_a_vote(liar.client)
    finally:
        victim.signal(signal.SIGCONT)
    return await scene.settled(table, liar, seats_left=3)


async def _until_a_vote(client: Client) -> None:
    """Poll for a ballot against somebody; there is no event for it, since our own client is silent."""
    while client.playing is None or not any(  # noqa: ASYNC110
        not choice.stay for choices in client.playing.session.log.poll.ballots.values() for choice in choices
    ):
        await asyncio.sleep(0.2)


async def mute(scene: Scene) -> str:
    """Answer everything with a seat that never moves."""
    liar = await scene.hosting_liar(3, CLOCK)
    invite = liar.table.invite
    first = scene.programs.start(HOST, "bot", "--level", "easy", "--name", HOST, "--json", *HASTY, typed=invite + "\n")
    table = Table(scene.programs, 3, invite, "", first, host_lines=1, words=HASTY)
    table.join(GUESTS[0])
    await scene.came_to(liar, 20)
    await liar.stop()
    return await scene.settled(table, liar, seats_left=2)


async def one_ballot(scene: Scene) -> str:
    """Sign one ballot against a thinking person, where bots could make the majority: they check their own clock."""
    table = await scene.open(4, "classic")
    table.join(GUESTS[0])
    victim, liar = await scene.person(table.invite, "victim"), await scene.person(table.invite, "liar")
    await scene.came_to(victim, 24)
    await victim.stop()
    async with asyncio.timeout(LONGEST):
        await victim.table.until(lambda now: now.my_turn or now.over)
    seat = victim.client.playing.founded.seat_of(victim.table.me.key) if victim.client.playing is not None else None
    assert seat is not None

    def vote(client: Client, now: float) -> None:
        assert client.playing is not None
        with suppress(Forbidden):
            client.playing.write(client.playing.session.vote(seat, PERSON), now)

    said = 0
    for _ in range(5):
        await liar.table.driver.do(vote)
        await asyncio.sleep(3)
        said += 1
        for client in (victim.client, liar.client):
            assert client.playing is not None
            hold(seat in client.playing.session.state.seats, f"the victim is out after {said} ballots")
    victim.play_on()
    return f"{await scene.settled(table, liar, seats_left=4)} after {said} ballots"


async def leaves_in_a_vote(scene: Scene) -> str:
    """Let a mute seat leave when one of the other two has voted yes: that one is free again, and both play on."""
    proxy = await scene.stack.enter_async_context(Proxy(scene.broker.address))
    liar = await scene.hosting_liar(3, CLOCK)
    invite = liar.table.invite
    first = scene.programs.start(HOST, "bot", "--level", "easy", "--name", HOST, "--json", *HASTY, typed=invite + "\n")
    table = Table(scene.programs, 3, invite, "", first, host_lines=1, words=HASTY)
    words = ("--level", "easy", "--name", GUESTS[0], "--json", *HASTY, "--broker", proxy.address.url())
    table.others[GUESTS[0]] = scene.programs.start(GUESTS[0], "bot", *words, typed=invite + "\n")
    await scene.came_to(liar, 20)
    await liar.stop()
    async with asyncio.timeout(LONGEST):
        await liar.table.until(lambda now: now.my_turn or now.over)
        # The other one hears nothing of it.
        await proxy.set(Mode.BLACK_HOLE)
        await _until_a_vote(liar.client)
    await liar.table.driver.do(lambda client, now: client.quit(now))
    await asyncio.sleep(2)
    await proxy.set(Mode.PASS)
    return await scene.settled(table, liar)


async def many_proofs(scene: Scene) -> str:
    """Send eleven megabytes of second bodies: the others' files stay small, so that the game can always be resumed."""
    table, liar = await scene.with_liar(3, 30)
    numbers = count()

    def second_bodies(client: Client) -> None:
        assert client.playing is not None
        log, me = client.playing.session.log, liar.table.me
        seat = client.playing.founded.seat_of(me.key)
        assert seat is not None
        own = [slot for slot in log.slots if seat in slot.seats]
        for number in range(20):
            slot = own[number % len(own)]
            filling = f"{next(numbers)} ".ljust(LONG, "x")
            entry = Shares(log.gid, slot.epoch, slot.number, seat, log.slots[slot.number - 1].link, filling)
            liar.publish(signed_message(me, entry))

    for _ in range(PROOFS // 20):
        await liar.say(second_bodies)
        await asyncio.sleep(0.2)
    ended = await scene.settled(table, liar, seats_left=2)
    sizes = [table.game(name).stat().st_size for name in (HOST, GUESTS[0])]
    hold(max(sizes) < LARGEST_FILE, f"the file of a game has {max(sizes)} bytes")
    return f"{ended}, files of {max(sizes) / 1000:.0f} kB"


async def gone(scene: Scene) -> str:
    """Vanish in the middle of a turn."""
    table, liar = await scene.with_liar(4, 24)
    await liar.gone()
    return await scene.settled(table, liar, seats_left=3)


async def anything(scene: Scene) -> str:
    """Send mutated messages, others' messages in its name, and invented ones."""
    table, liar = await scene.with_liar(4, 24)
    await liar.anything()
    return await scene.settled(table, liar)


ATTACKS = {
    "long-words": long_words,
    "long-words-to-one": long_words_to_one,
    "late-bundle": late_bundle,
    "late-bundle-past-one": late_bundle_past_one,
    "undone": undone,
    "away-for-a-moment": away_for_a_moment,
    "mute": mute,
    "one-ballot": one_ballot,
    "leaves-in-a-vote": leaves_in_a_vote,
    "many-proofs": many_proofs,
    "gone": gone,
    "anything": anything,
}
