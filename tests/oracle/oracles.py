"""The two oracles behind one interface, with everything the comparison needs besides the rules themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.oracle import classic, master, occasions, player, state, variants
from tests.oracle.master import laws as master_laws
from tests.oracle.master import occasions as master_occasions
from tests.oracle.master import player as master_player
from tests.oracle.master import state as master_state
from tests.oracle.master import variants as master_variants

Step = tuple[str, tuple[int, ...]]
Faces = dict[int, int]


@dataclass(frozen=True)
class Oracle:
    """An edition's rules as the oracle reads them, its players, and the editions derived from it."""

    rules: Any
    player: Callable[[Random], Any]
    attempt: Callable[[Random, Any, list[Step]], Step]
    occasions: Callable[[Any, Step, Any, list[Step]], list[str]]
    expected: frozenset[str]
    edits: list[str]
    variant: Callable[[str, str], str]
    wild: Callable[[str, Random], str]
    broken_laws: Callable[[Any], list[str]] = field(default=lambda _state: [])

    def hidden(self, position: Any, deck: int, faces: Faces) -> list[int]:
        """Return the faces of the unassigned cards of this deck and of the hands, in some order."""
        if deck == 1:
            return master_state.face_down(position)
        held = [faces[card] for seat in position.seats for card in seat.recipes if card in faces]
        return [recipe for recipe in self.guesses(position, deck) if recipe not in held]

    def guesses(self, position: Any, deck: int) -> list[int]:
        """Return the possible faces of a card of this deck: any kind, or any recipe that nobody has completed."""
        if deck == 1:
            return list(range(len(position.edition.actions)))
        completed = [recipe for seat in position.seats for recipe, _ in seat.claimed]
        strips = enumerate(position.edition.strips)
        return [recipe for recipe, strip in strips if len(strip) == deck and recipe not in completed]

    def known(self, position: Any, faces: Faces) -> Faces:
        """Return the faces that decide the next step: the mover's hand, or the card to be turned up."""
        cards = [] if position.mover is None else position.seats[position.mover].recipes
        if position.phase == "refill":
            cards = position.decks[1][:1]
        return {card: faces[card] for card in cards}


def _classic_occasions(before: state.State, step: Step, after: state.State, _earlier: list[Step]) -> list[str]:
    return occasions.occasions(before, step, after)


ORACLES = {
    "classic": Oracle(
        rules=classic,
        player=player.Player,
        attempt=player.attempt,
        occasions=_classic_occasions,
        expected=occasions.EXPECTED,
        edits=list(variants.EDITS),
        variant=variants.variant,
        wild=variants.wild,
    ),
    "master": Oracle(
        rules=master,
        player=master_player.Player,
        attempt=master_player.attempt,
        occasions=master_occasions.occasions,
        expected=master_occasions.EXPECTED,
        edits=list(master_variants.EDITS),
        variant=master_variants.variant,
        wild=master_variants.wild,
        broken_laws=master_laws.broken,
    ),
}
