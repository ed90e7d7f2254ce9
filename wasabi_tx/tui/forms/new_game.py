"""A new game on this machine: the edition, how many play, who they are, and how well the bots do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...app.values import GameWish
from ...bots.level_names import LEVEL_NAMES, is_offered
from ...text import Texts
from ...text.foreign import clean
from ...view.names import BY_LOT, PERSON
from .choices import edition_about, next_rival, rival_field, rival_name
from .form import Field, FieldGroup, Form, following

MOST = 4


class NewGameForm(Form[GameWish]):
    def __init__(self, wish: GameWish, editions: Sequence[tuple[str, str]]) -> None:
        self._editions = dict(editions)
        self.result = wish
        self._away = (BY_LOT,) * (MOST - 1 - len(wish.others))
        """The rivals who sit down if more are to play."""
        self._keep_level()

    def title(self, texts: Texts) -> str:
        return texts.say("new-game.title")

    def button(self, texts: Texts) -> str:
        return texts.say("new-game.start")

    def summary(self, texts: Texts) -> str:
        others = [texts.say("tui.you"), *(rival_name(one, texts) for one in self.result.others)]
        return " · ".join([self._edition(), *others])

    def groups(self, texts: Texts) -> list[FieldGroup]:
        say, wish = texts.say, self.result
        fields = [
            Field("edition", say("hosting.edition"), self._edition(), edition_about(wish.edition, texts)),
            Field("seats", say("new-game.seats"), str(1 + len(wish.others)), say("new-game.about-seats")),
        ]
        if wish.people <= len(wish.others):
            about = say(f"new-game.about-level.{wish.level}")
            if len(self._levels) < len(LEVEL_NAMES):
                about += " " + say("new-game.no-better")
            fields.append(Field("level", say("hosting.level"), say(f"tui.level.{wish.level}"), about))
        value = say("tui.yes" if wish.as_printed else "tui.no")
        fields.append(Field("as-printed", say("hosting.as-printed"), value, say("hosting.about.as-printed")))
        you = Field("you", say("new-game.seat"), say("tui.you"), "", say("tui.you"), 1, PERSON, fixed=True)
        others = (
            rival_field(f"seat {number}", say("new-game.seat"), one, texts, number + 2)
            for number, one in enumerate(wish.others)
        )
        seats = (you, *others)
        return [FieldGroup(say("new-game.game"), tuple(fields)), FieldGroup(say("new-game.table"), seats)]

    def _edition(self) -> str:
        return clean(self._editions.get(self.result.edition, self.result.edition), 30)

    @property
    def _levels(self) -> list[str]:
        wish = self.result
        return [one for one in LEVEL_NAMES if is_offered(one, wish.edition, 1 + len(wish.others))]

    def _keep_level(self) -> None:
        """Replace a level that is not offered at such a table with the best one that is."""
        if self.result.level not in self._levels:
            self.result = replace(self.result, level=self._levels[-1])

    def turn(self, field: str, by: int) -> None:
        wish = self.result
        match field.split():
            case ["edition"]:
                wish = replace(wish, edition=following(list(self._editions), wish.edition, by))
            case ["seats"]:
                everybody = (*wish.others, *self._away)
                count = following(range(1, MOST), len(wish.others), by)
                wish, self._away = replace(wish, others=everybody[:count]), everybody[count:]
            case ["as-printed"]:
                wish = replace(wish, as_printed=not wish.as_printed)
            case ["level"]:
                wish = replace(wish, level=following(self._levels, wish.level, by))
            case ["seat", number]:
                at, others = int(number), wish.others
                before, after = others[:at], others[at + 1 :]
                chosen = next_rival(others[at], by, (*before, *after), (PERSON,))
                self._away = tuple(BY_LOT if one == chosen else one for one in self._away)
                wish = replace(wish, others=(*before, chosen, *after))
        self.result = wish
        self._keep_level()
