"""What one seat of a table can try against the others."""

from __future__ import annotations

import asyncio
import signal
from itertools import count

from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.messages import Shares

from tests.attacks.scene import GUESTS, HASTY, HOST, LONGEST, Scene, hold, session_of
from tests.net.proxy import Mode, Proxy
from tests.peers.kills import resume
from tests.peers.tables import Table
from wasabi_tx.table.online.client.client import Client

CLOCK = 20
PROOFS = 400
LARGEST_FILE = 2_000_000
LONG = 27_000


async def long_words(scene: Scene) -> str:
    """Contradictions as long as a message may be, and longer; then one who was killed resumes the game."""
    table, liar = await scene.with_liar(3, 20)
    await liar.long_words()
    await asyncio.to_thread(table.others[GUESTS[0]].kill)
    resume(table, GUESTS[0])
    return await scene.settled(table, liar, seats_left=2)


async def long_words_to_one(scene: Scene) -> str:
    """The same of two: the other stops with proof, and its file says so."""
    table, liar = await scene.with_liar(2, 20)
    await liar.long_words()
    hold(await asyncio.to_thread(table.host.ended, LONGEST) == 0, "the honest program gave up")
    session = session_of(table.game(HOST))
    broken = session.log.broken
    hold(broken is not None, "the file does not say that it was broken off")
    hold(broken is not None and broken.seat == session.founded.seat_of(liar.table.me.key), "somebody honest is blamed")
    return "broken off with proof, the liar named"


async def late_bundle(scene: Scene) -> str:
    """Two ballots that contradict each other on an earlier slot, and then the entries that are owed."""
    table, liar = await scene.with_liar(3, 20)
    await liar.two_ballots()
    return await scene.settled(table, liar, seats_left=2)


async def late_bundle_past_one(scene: Scene) -> str:
    """The same while one of the others hears nothing, so that its messages reach the two in another order."""
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
    """A contradiction on a slot of long ago takes back nothing that all seats had signed past."""
    table, liar = await scene.with_liar(3, 30)
    log = session_of(table.game(HOST)).log
    settled = max(number for number in range(len(log.slots)) if log.signed_past(number))
    links = [slot.link for slot in log.slots[: settled + 1]]
    # It moves no more, or the game may be over before the others have voted.
    await liar.stop()
    await liar.say(lambda client: liar.contradict(client, back=12))
    ended = await scene.settled(table, liar, seats_left=2)
    for name in (HOST, GUESTS[0]):
        after = session_of(table.game(name)).log.slots
        hold([slot.link for slot in after[: settled + 1]] == links, f"{name} lost what was confirmed")
    return f"{ended}, {settled} confirmed slots kept"


async def away_for_a_moment(scene: Scene) -> str:
    """An honest seat is stopped until another votes about it; the third never answers, so the voter stays bound."""
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
            await _until_a_vote(liar.table.driver._client)
    finally:
        victim.signal(signal.SIGCONT)
    return await scene.settled(table, liar, seats_left=3)


async def _until_a_vote(client: Client) -> None:
    """Waits for a ballot against somebody; nobody tells of it, since our own client is silent."""
    while client.playing is None or not any(  # noqa: ASYNC110
        not choice.stay for choices in client.playing.session.log.poll.ballots.values() for choice in choices
    ):
        await asyncio.sleep(0.2)


async def mute(scene: Scene) -> str:
    """A seat answers everything and never moves."""
    liar = await scene.hosting_liar(3, CLOCK)
    invite = liar.table.invite
    first = scene.programs.start(HOST, "bot", "--level", "easy", "--name", HOST, "--json", *HASTY, typed=invite + "\n")
    table = Table(scene.programs, 3, invite, "", first, host_lines=1, words=HASTY)
    table.join(GUESTS[0])
    await scene.came_to(liar, 20)
    await liar.stop()
    return await scene.settled(table, liar, seats_left=2)


async def many_proofs(scene: Scene) -> str:
    """Eleven megabytes of second bodies: the others' files stay small, so that the game can always be resumed."""
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
    """A seat vanishes in the middle of a turn."""
    table, liar = await scene.with_liar(4, 24)
    await liar.gone()
    return await scene.settled(table, liar, seats_left=3)


async def anything(scene: Scene) -> str:
    """Bent words, words of others in its name, words made up."""
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
    "many-proofs": many_proofs,
    "gone": gone,
    "anything": anything,
}
