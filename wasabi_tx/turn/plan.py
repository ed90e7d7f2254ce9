"""The plan of a turn, as keys and clicks build it: numbers, codes, squares, undo. It needs no screen.

Nothing here plays anything: a plan only fills a draft, and its owner sends the draft's bundle.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..engine.errors import Illegal, RulesError
from ..engine.notation import Kind
from ..engine.observe import Observation
from ..engine.step import Step
from ..games.draft import Draft
from ..text import Texts
from ..view.editions.edition_view import FORGO
from ..view.press import OFF, SUGGEST
from ..view.sentences import say_error
from ..view.table.defaults import best_square, needed_most, own_seat, tile_default
from ..view.table.hand import EMPTY, Hand, hand_of, keys_of
from ..view.table.recipe import recipe_name
from ..view.table.recipe_progress import find_progress
from .partial_step import CODES, SQUARES, PartialStep, returns_recipes
from .prompt import Moment, lost_by

DISCARD = PartialStep(("discard",))
TOLD = 8
"""Most choices listed for somebody who chose none of them."""


class Plan:
    """The turn that one seat is choosing."""

    def __init__(
        self, observation: Observation, texts: Texts, hand: Hand = EMPTY, *, later: bool = False, enter: str = SUGGEST
    ) -> None:
        """Start a plan; `hand` is the earlier one, whose numbers stay. A `later` turn is planned to its end."""
        self.draft = Draft(observation, whole=later)
        self.hand = hand_of(observation, hand)
        """The hand before anything was chosen: its numbers stay until something is sent."""
        self.rules = observation.rules
        self.begun = PartialStep()
        self.typed = ""
        """The first letter of a code or a square."""
        self.said: tuple[str, ...] = ()
        """The last message to the person here, sentence by sentence."""
        self.wrong = False
        """True if the message is a refusal."""
        grid = observation.rules.grid
        self.cursor = grid.rows // 2 * grid.columns + grid.columns // 2
        self._texts = texts
        self._declined = False
        self._warned: Step | None = None
        self._enter = enter
        self._moment = Moment(self.draft, texts, declined=False, enter=enter)

    @property
    def enter(self) -> str:
        """The effect of Enter, one of `ENTERS`."""
        return self._enter

    @enter.setter
    def enter(self, enter: str) -> None:
        if enter != self._enter:
            self._enter = enter
            self._renew()

    @property
    def suggests(self) -> bool:
        return self._enter == SUGGEST

    @property
    def moment(self) -> Moment:
        return self._moment

    @property
    def squares(self) -> frozenset[int]:
        """Squares where the held thing may go."""
        coming = self.coming
        return frozenset(square for kind in SQUARES for square in coming.get(kind, ()))

    @property
    def coming(self) -> Mapping[Kind, Sequence[int]]:
        """Arguments that may come next, by kind; empty if nothing is held."""
        return self._moment.coming(self.begun) if self.begun else {}

    @property
    def offered_codes(self) -> dict[str, int]:
        """Codes that can be typed now."""
        return {self.code_of(kind, number): number for kind, number in self.offers}

    @property
    def letters(self) -> frozenset[str]:
        """Small letters that begin a square or a code now, and so are not commands."""
        columns = "abcdefghijklmnopqrstuvwxyz"[: self.rules.grid.columns]
        return frozenset(columns) | {code[0].lower() for code in self.offered_codes}

    @property
    def offers(self) -> Sequence[tuple[Kind, int]]:
        """The tiles and action cards that can now be chosen by their codes."""
        return self._moment.offers(self.begun)

    def code_of(self, kind: Kind, number: int) -> str:
        return self.rules.code(number) if kind is Kind.TILE else self.rules.card_code(number)

    # Input

    def type_char(self, char: str) -> bool:
        """Handle a letter or a digit; return False if it means nothing to a plan."""
        typed = self.typed
        self._hush()
        if typed:
            self._finish_typed(typed + char)
            return True
        if char.isascii() and char.isdigit():
            self.pick_number(int(char))
            return True
        if char.lower() in self.letters:
            self.typed = char
            return True
        return False

    def _finish_typed(self, text: str) -> None:
        codes = {code.lower(): number for code, number in self.offered_codes.items()}
        if text.lower() in codes:
            self.pick_code(codes[text.lower()])
            return
        try:
            square = self.rules.grid.parse_square(text.lower())
        except RulesError:
            self._refuse_typed(text)
            return
        self.pick_square(square)

    def _refuse_typed(self, text: str) -> None:
        """Explain what could have been typed: a tile, a card or a square."""
        edition, offers = self.rules.edition, self.offers
        if text[-1:].isdigit() or not offers:
            names = self.rules.grid.names
            self._complain("tui.no-such-square", text=text, first=names[0], last=names[-1])
            return
        kind, number = offers[0]
        every = edition.ingredients if kind is Kind.TILE else edition.actions
        known = next((one.names[self._texts.language] for one in every if one.code.lower() == text.lower()), "")
        if known:
            self._complain("tui.code-not-now", name=known)
        else:
            key = "tui.no-such-tile" if kind is Kind.TILE else "tui.no-such-code-card"
            self._complain(key, text=text, example=self.code_of(kind, number))

    def pick_code(self, number: int) -> None:
        """Choose a tile of the pantry or an action card, whatever is asked for."""
        self._hush()
        if self.begun:
            self._extend(number)
            return
        steps = [s for s in self._moment.prompt.choices if s.args and s.args[0] == number] or [
            s for s in self._moment.steps if s.verb == "gain" and s.args[0] == number
        ]
        verbs = tuple(dict.fromkeys(step.verb for step in steps if self.rules.verbs[step.verb][0] in CODES))
        self._begin(PartialStep(verbs, (number,)))

    def pick_square(self, square: int) -> None:
        """Put the held thing there; with nothing held, begin a step there, or move the cursor."""
        self._hush()
        self.cursor = square
        if self.begun and square in self.squares:
            self._extend(square)
        elif self.begun and self.in_the_way(square):
            self._begin(replace(self._cup(square), aside=self.begun))
            self.cursor = self._nearest(self._unwanted() or self.squares)
        elif self.begun and Kind.CARDS not in self.rules.verbs[self.begun.verbs[0]]:
            self._refuse(square)
        elif not self.begun and (cup := self._cup(square)):
            self._begin(cup)

    def _cup(self, square: int) -> PartialStep:
        """Return the step of moving a cup off a square; empty if there is none."""
        verbs = {s.verb for s in self._moment.steps if self.rules.slots.get(s.verb) == "cup" and s.args[0] == square}
        return PartialStep(tuple(sorted(verbs)), (square,)) if verbs else PartialStep()

    def in_the_way(self, square: int) -> bool:
        """Return whether only a movable cup keeps the held thing from a square."""
        cup = self._cup(square)
        if not cup or not self.squares or self.begun.verbs == cup.verbs:
            return False
        # Anything that may go to every square free for the cup could go to the cup's square too.
        return self.squares >= {number for numbers in self._moment.coming(cup).values() for number in numbers}

    def _unwanted(self) -> frozenset[int]:
        """Return squares for the held thing that no recipe in hand needs."""
        observation = self.draft.observation
        seat, faces = own_seat(observation), observation.faces
        found = (find_progress(self.rules, observation.position, faces[card]) for card in seat.recipes if card in faces)
        return self.squares.difference(*(one.squares for one in found if one.have))

    def _nearest(self, squares: Collection[int]) -> int:
        columns = self.rules.grid.columns
        here = divmod(self.cursor, columns)
        return min(squares, key=lambda one: (abs(one // columns - here[0]) + abs(one % columns - here[1]), one))

    def _refuse(self, square: int) -> None:
        """Say why the held thing cannot go there, in the words of the rules if they have any."""
        try:
            Draft(self.draft.observation).add(Step(self.begun.verbs[0], (*self.begun.args, square)))
        except RulesError as error:
            stays = error.code == "square-has-cup" and not self._cup(square)
            self.refuse(say_error(self._texts, Illegal("cup-moved-before", **error.where) if stays else error))
        else:
            self._complain("tui.not-there", square=self.rules.grid.names[square])

    def pick_number(self, number: int) -> None:
        """Choose a thing in hand or a length of recipes; 0 means no."""
        self._hush()
        prompt, keys = self._moment.prompt, keys_of(self.rules)
        lengths = {step.args[0] for step in prompt.choices if step.verb == "draw"}
        if number == 0:
            self.decline()
        elif number in lengths and not self.begun:
            self.add(Step("draw", (number,)))
        elif lengths and not self.begun:
            self._complain_of(number, [str(length) for length in sorted(lengths)])
        elif number < keys.cards:
            self._pick_tile(self.hand.tiles.get(number, 0))
        elif number < keys.recipes:
            self._pick_card(number)
        else:
            self._pick_recipe(number)

    def can_pick_tile(self, tile: int) -> bool:
        """Return whether a number picks up a tile, with nothing held."""
        return not self.begun and bool(self._moment.fitting(PartialStep(("place",), (tile,))))

    def can_pick_card(self, card: int) -> bool:
        """Return whether an action card's number plays it now, or gives it away."""
        if self.begun:
            return self.begun == DISCARD
        play = PartialStep((self.rules.edition.actions[card].effect,))
        return bool(self._moment.fitting(play)) or Step("discard", (card,)) in self._moment.prompt.choices

    def _pick_tile(self, tile: int) -> None:
        self._begin(PartialStep(("place",), (tile,)) if tile else PartialStep())

    def _pick_card(self, number: int) -> None:
        card = self.hand.cards.get(number)
        if card is None:
            self._complain("tui.no-such-card")
            return
        if self.begun == DISCARD:
            self._extend(card)
            return
        play = PartialStep((self.rules.edition.actions[card].effect,))
        # A playable card is played; to trade it for another one, type its code.
        if self._moment.fitting(play) or card not in self.offered_codes.values():
            self._begin(play)
        else:
            self.pick_code(card)

    def _pick_recipe(self, number: int) -> None:
        card = self.hand.recipes.get(number)
        if card is None and self.begun and not returns_recipes(self.rules, self.begun):
            self._complain_of(
                number, [*self.offered_codes, *(self.rules.grid.names[one] for one in sorted(self.squares))]
            )
            return
        if card is None:
            self._complain("tui.no-such-recipe")
            return
        if returns_recipes(self.rules, self.begun):
            args = self.begun.args
            chosen = tuple(one for one in args if one != card) if card in args else (*args, card)
            self.begun = PartialStep(self.begun.verbs, chosen)
            return
        claims = [s for s in self._moment.steps if s.verb in self.rules.claiming and s.args[0] == card]
        if claims:
            self.add(claims[0])
        else:
            self._complain("tui.not-complete")

    def begin_return(self) -> None:
        """Begin to pass or to exchange recipes, whatever the edition calls it."""
        self._hush()
        verbs = {step.verb for step in self._moment.steps if Kind.CARDS in self.rules.verbs[step.verb]}
        if not verbs:
            self._complain("tui.no-return")
        elif returns_recipes(self.rules, self.begun):
            self.begun = PartialStep()
        else:
            self.begun = PartialStep(tuple(verbs))

    def begin_discard(self) -> None:
        """Begin to discard an action card; the second time, cancel."""
        self._hush()
        if self.begun == DISCARD:
            self.begun = PartialStep()
        elif self._moment.fitting(DISCARD):
            self.begun = DISCARD
        else:
            self._complain("tui.no-discard")

    # Decisions

    def _begin(self, begun: PartialStep) -> None:
        if begun and self._moment.fitting(begun):
            self._settle(begun)
        else:
            self._complain("tui.not-now")

    def _extend(self, number: int) -> None:
        self._settle(self.begun.with_arg(number))

    def _settle(self, begun: PartialStep) -> None:
        """Choose the step if only one is possible; otherwise wait for more."""
        found = self._moment.fitting(begun)
        if not found:
            self._complain("tui.not-now")
        elif len(found) == 1 and set(self.rules.verbs[found[0].verb][len(begun.args) :]) <= {Kind.OPTIONAL_SQUARE}:
            self.add(found[0])
        else:
            self.begun = begun
            self._aim()

    def _aim(self) -> None:
        """Move the cursor to the best or nearest square for the thing taken up; not once a square is chosen."""
        begun = self.begun
        if not SQUARES.isdisjoint(self.rules.verbs[begun.verbs[0]][: len(begun.args)]):
            return
        places = self.suggests and begun.verbs == ("place",) and bool(begun.args)
        best = self._best_square(begun.args[0]) if places else None
        if best is not None and (best in self.squares or self.in_the_way(best)):
            self.cursor = best
        elif self.cursor not in self.squares and self.squares:
            self.cursor = self._nearest(self.squares)

    def _best_square(self, tile: int) -> int | None:
        """Return the square where a tile completes a recipe, or brings one nearer."""
        completing = (step.args[1] for step, _ in self._moment.openings if step.args[0] == tile)
        return next(completing, best_square(self.draft.observation, tile))

    def accept(self) -> None:
        """Take the default of the moment, unless something is half typed; never send."""
        typed = self.typed
        self._hush()
        if typed:
            self.typed = typed
            self._complain("tui.half-typed")
            return
        if self.begun:
            self._accept_begun()
            return
        prompt = self._moment.prompt
        if self.swaps:
            self.begin_return()
            self.begun = PartialStep(self.begun.verbs, self._moment.hopeless)
        elif prompt.default is not None:
            self.add(prompt.default.step)
        elif prompt.slot == "extra" and self._enter != OFF:
            self.decline()
        elif tile := self.suggested:
            self._begin(PartialStep(("place",), (tile,)))
        else:
            self._complain("tui.no-default")

    @property
    def ready(self) -> bool:
        """True if nothing remains but to send the turn."""
        return not self.begun and not self.typed and self._moment.prompt.slot == "send" and self._enter != OFF

    @property
    def suggested(self) -> int:
        """The tile that Enter picks up with nothing held, because it completes or advances a recipe; 0 if none."""
        if self.begun or self._moment.prompt.slot != "place" or not self.suggests:
            return 0
        if self._moment.openings:
            return self._moment.openings[0][0].args[0]
        offered = {step.args[0] for step in self._moment.prompt.choices if step.verb == "place"}
        if self.rules.edition.hand_tiles:
            held = [tile for tile in self.hand.tiles.values() if tile in offered]
            useful = (tile for tile in held if best_square(self.draft.observation, tile) is not None)
            return next(useful, needed_most(self.draft.observation, held) if held else 0)
        wanted = tile_default(self.draft.observation, self._texts, "place") if offered else None
        return wanted.step.args[0] if wanted is not None else 0

    @property
    def swaps(self) -> bool:
        """True if Enter returns all recipes with nothing held, because none of them can be completed."""
        prompt = self._moment.prompt
        if self.begun or prompt.slot not in ("place", "prep") or not self.suggests:
            return False
        return any(Kind.CARDS in self.rules.verbs[verb] for verb in prompt.verbs) and bool(self._moment.hopeless)

    @property
    def pool_instead(self) -> Step | None:
        """The step of taking the pool, where 0 chooses it because Enter does not."""
        prompt = self._moment.prompt
        pool = next((step for step in prompt.choices if step.verb == "pool"), None)
        return pool if self.swaps or prompt.default is None else None

    def _accept_begun(self) -> None:
        found = self._moment.fitting(self.begun)
        exact = Step(self.begun.verbs[0], self.begun.args)
        if returns_recipes(self.rules, self.begun) or exact in found:
            self.add(exact)
        elif self.cursor in self.squares:
            self._extend(self.cursor)
        elif self.in_the_way(self.cursor):
            self.pick_square(self.cursor)
        else:
            self._complain("tui.no-default")

    def decline(self) -> None:
        """Decline what is offered."""
        prompt = self._moment.prompt
        if prompt.slot in ("claim", "extra"):
            self._declined = True
            self._renew()
        elif FORGO in prompt.choices:
            self.add(FORGO)
        elif (pool := self.pool_instead) is not None:
            self.add(pool)
        else:
            self._complain("play.nothing-to-decline")

    def add(self, step: Step) -> bool:
        """Choose a step; one that would lose a completed recipe has to be chosen twice."""
        try:
            lost = [] if self._declined or self._warned == step else lost_by(self.draft, step)
            if lost:
                self._warned = step
                names = ", ".join(recipe_name(self.rules, self._texts, one.recipe) for one in lost)
                self._complain("tui.would-lose", recipe=names)
                return False
            self.draft.add(step)
        except RulesError as error:
            self.refuse(say_error(self._texts, error))
            return False
        self._declined, self._warned = False, None
        aside = self.begun.aside if step.verb in self.begun.verbs else None
        self.begun = PartialStep()
        self._renew()
        if aside is not None and self._moment.fitting(aside):
            self.begun, self.cursor = aside, step.args[0]
        return True

    def back(self) -> None:
        """Undo the last thing: a letter, what is held, a step."""
        typed = self.typed
        self._hush()
        if typed:
            return
        if self.begun:
            self.begun = self.begun.without_last()
            if not self.begun.args and not self._chosen_alone(self.begun):
                self.begun = PartialStep()
        elif self._declined or self.draft.undo():
            self._declined, self._warned = False, None
            self._renew()
        else:
            self._complain("play.nothing-to-undo")

    @property
    def untouched(self) -> bool:
        """True if there is nothing to undo."""
        return not (self.typed or self.begun or self._declined or self.draft.steps)

    def _chosen_alone(self, begun: PartialStep) -> bool:
        """Return whether the verb was chosen before its arguments: a card to play, recipes to return."""
        return returns_recipes(self.rules, begun) or (bool(begun) and self.rules.slots[begun.verbs[0]] == "action")

    def drop(self) -> None:
        """Drop what is held; chosen steps stay."""
        self._hush()
        self.begun = PartialStep()

    @property
    def message(self) -> str:
        """The whole last message."""
        return " ".join(self.said)

    def set_message(self, *sentences: str) -> None:
        """Set the message, the most important sentence first."""
        self.said, self.wrong = sentences, False

    def refuse(self, text: str) -> None:
        """Set a message that says why something cannot be done."""
        self.said, self.wrong = (text,), True

    def _renew(self) -> None:
        self._moment = Moment(self.draft, self._texts, self._declined, self._enter)

    def _hush(self) -> None:
        """Clear the message and half-typed text: another key was pressed."""
        self.said, self.wrong, self.typed = (), False, ""

    def _complain_of(self, number: int, choices: list[str]) -> None:
        """Refuse a number that means nothing now, and list some that do."""
        more = " …" if len(choices) > TOLD else ""
        self._complain("tui.no-such-number", number=number, choices=" ".join(choices[:TOLD]) + more)

    def _complain(self, key: str, **params: object) -> None:
        self.refuse(self._texts.say(key, **params))
