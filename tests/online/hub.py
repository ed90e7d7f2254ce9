"""All seats of a game around one log, without a network: each seat's entries, judged once."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from wasabi_protocol.game.heads import Heads
from wasabi_protocol.game.session import Me, Session
from wasabi_protocol.sealed.player import Seal, SealedPlayer
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import Bundle, Offer
from wasabi_protocol.table.genesis import Founded, table_id
from wasabi_protocol.table.waiting_room import WaitingRoom
from wasabi_protocol.verdicts import Invalid
from wasabi_protocol.voting.poll import PERSON
from wasabi_protocol.voting.voter import Voter

from wasabi_tx.bots.bot import assemble
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine import step as engine
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.sealed_card import Card
from wasabi_tx.online.rules_adapter.sealed_position import SealedPosition
from wasabi_tx.online.rules_adapter.umpire import Umpire, bundle_position
from wasabi_tx.online.terms import FindRules, make_terms

from .small import small_rules
from .world import secret


@dataclass(frozen=True)
class Opened:
    founded: Founded
    me: dict[int, Me]


def found(edition: str, seats: int, seed: str, find: FindRules = small_rules) -> Opened:
    """Found a game, from the offer to the start."""
    people = [Identity(secret(seed, number)) for number in range(seats)]
    host, salt = people[0], secret(seed, "salt")
    table = table_id(host.key, salt)
    rooms = {who.key: WaitingRoom(table, host.key, who) for who in people}

    def say(who: Identity, envelope: bytes) -> None:
        for room in rooms.values():
            room.receive(who.key, envelope)

    terms = make_terms(find(edition, seats), 2, seats)
    say(host, signed_message(host, Offer(table, host.key, salt, 1, terms, b"", "p0", 1, False)))
    nonces = {who.key: secret(seed, "nonce", number) for number, who in enumerate(people)}
    for who in people:
        say(who, rooms[who.key].join(nonces[who.key]))
    say(host, rooms[host.key].propose([who.key for who in people]))
    for who in people:
        say(who, rooms[who.key].accept())
    say(host, rooms[host.key].start())
    founded = rooms[host.key].game
    assert founded is not None
    me = {}
    for number, who in enumerate(people):
        seat = founded.keys.index(who.key)
        me[seat] = Me(who, SealedPlayer(seat, secret(seed, "game", number)), nonces[who.key])
    return Opened(founded, me)


def _gaining(view: Observation, rng: Random) -> engine.Step:
    """Take every possible action card, so that their deck is soon reshuffled."""
    legal = view.legal()
    wanted = [step for step in legal if step.verb in ("gain", "discard")]
    return rng.choice(wanted or [step for step in legal if step.verb == "place"] or legal)


class Hub:
    """Every seat's session, all of them over one log."""

    def __init__(self, opened: Opened, edition: str, seed: str = "koi", find: FindRules = small_rules) -> None:
        self.opened, self.edition, self.seed, self.find = opened, edition, seed, find
        self.umpire = Umpire(lambda seats: find(edition, seats))
        self.view: Session[SealedPosition] = Session(opened.founded, self.umpire)
        self.sessions = {seat: self._session(seat) for seat in opened.me}
        self.bundles = 0

    def _session(self, seat: int) -> Session[SealedPosition]:
        session: Session[SealedPosition] = Session(self.opened.founded, self.umpire, self.opened.me[seat])
        session.log, session.wishes = self.view.log, self.view.wishes
        session.ballots, session.heads = Voter(self.view.log, seat), Heads(self.view.log, seat, bytes(16))
        return session

    def fork(self) -> Hub:
        """Return a separate copy of the game from here on."""
        other = Hub(self.opened, self.edition, self.seed, self.find)
        log, mine = other.view.log, self.view.log
        log.slots, log.open = list(mine.slots), dict(mine.open)
        log._bodies = {place: list(bodies) for place, bodies in mine._bodies.items()}
        log.ballots._said = {place: list(said) for place, said in mine.ballots._said.items()}
        other.bundles = self.bundles
        return other

    # State

    @property
    def sealed(self) -> SealedPosition:
        sealed = self.view.state.position
        assert sealed is not None
        return sealed

    @property
    def over(self) -> bool:
        return not self.view.state.owed

    def faces(self, seat: int) -> dict[Card, int]:
        decks = self.view.state.decks
        player = self.opened.me[seat].player
        known = {card: player.face(decks, card) for card in decks.hand(seat)} if decks.kind == "play" else {}
        return self.sealed.known(known)

    def observation(self, seat: int) -> Observation:
        sealed = self.sealed
        return observe(sealed.rules, sealed.position, sealed.order.index(seat), self.faces(seat))

    def check(self) -> None:
        """Check the law: rules and sealed decks never disagree about how many cards lie where."""
        sealed, decks = self.view.state.position, self.view.state.decks
        if sealed is None or decks.kind != "play" or sealed.owed or sealed.position.outcome is not None:
            return
        position = sealed.position
        for deck in sorted(sealed.rules.deck_numbers):
            assert len(position.decks[deck]) == len(decks.decks[sealed.deck_index(deck)]), (deck, position.phase)
        for place, seat in enumerate(sealed.order):
            if seat in decks.seats:
                held = [sealed.hands[card] for card in position.seats[place].recipes]
                assert sorted(held) == sorted(decks.hand(seat)), (seat, position.phase)
        assert len(sealed.hands) == sum(len(seat.recipes) for seat in position.seats)

    # Actions

    def say(self, seat: int, envelope: bytes) -> None:
        self.view.receive(self.opened.founded.keys[seat], envelope)
        assert not self.view.log.evidence, self.view.log.evidence
        self.check()

    def automatic(self) -> bool:
        """Write one slot without a person; return False if a person is to move or the game is over."""
        state = self.view.state
        if not state.owed:
            return False
        if state.automatic:
            for seat in state.owed:
                answer = self.sessions[seat].answer()
                assert answer is not None
                self.say(seat, answer)
        elif state.kinds == ("leave",):
            self.leave(state.owed[0])
        elif state.kinds == ("end",):
            for seat in state.owed:
                self.say(seat, self.sessions[seat].end(open_keys=True, show_hand=True))
        elif self.sealed.owed:
            seat = self.sealed.dealer
            self.say(seat, self.sessions[seat].bundle([], self.sealed.owed))
        else:
            return False
        return True

    def settle(self) -> None:
        while self.automatic():
            pass

    def choose(self, level: str = "random") -> engine.Bundle:
        (seat,) = self.view.state.owed
        rng = Random(f"{self.seed} {self.bundles}")
        if level == "gain":
            return assemble(self.observation(seat), lambda view: (_gaining(view, rng),))
        return find_bot(level).choose(self.observation(seat), rng, 1000)

    def play(self, bundle: engine.Bundle) -> None:
        sealed = self.sealed
        seat = sealed.order[bundle.seat]
        after = bundle_position(sealed, seat, bundle.steps)
        steps = [sealed.rules.grammar.format(step) for step in bundle.steps]
        self.say(seat, self.sessions[seat].bundle(steps, sealed.seals(bundle.seat, bundle.steps, after)))
        self.bundles += 1

    def turn(self, level: str = "random") -> None:
        self.play(self.choose(level))

    def leave(self, seat: int) -> None:
        self.say(seat, self.sessions[seat].quit(open_keys=True))

    def exclude(self, out: int) -> None:
        """Let the others vote out a seat that owes an entry."""
        others = [seat for seat in self.view.state.seats if seat != out]
        for seat in others:
            self.say(seat, self.sessions[seat].vote(out, PERSON))
        while words := [(seat, word) for seat in others if (word := self.sessions[seat].word()) is not None]:
            for seat, word in words:
                self.say(seat, word)
        assert out not in self.view.state.seats

    def finish(self, level: str = "greedy", bundles: int = 400) -> None:
        """Play on to the signed end."""
        self.settle()
        while not self.over and bundles:
            bundles -= 1
            self.turn(level)
            self.settle()

    # Illegal bundles

    def verdict(self, seat: int, steps: list[str], seals: list[Seal]) -> Invalid | None:
        """Return the others' verdict on this bundle of a seat, whatever digest it carries."""
        session = self.sessions[seat]
        work = self.opened.me[seat].player.seals(session.state.decks, session.place, seals)
        entry = Bundle(*session._header(), tuple(steps), work, (), bytes(32))
        try:
            session.state.digest_after(entry)
        except Invalid as verdict:
            return verdict
        return None
