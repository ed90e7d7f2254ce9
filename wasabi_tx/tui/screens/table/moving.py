"""Animation at a table: other players' moves as they happen, and the user's own choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....app.settings import PACES
from ....games.game import Played
from ....text.foreign import clean
from ....view.log.chronicle import entry_sentences
from ....view.log.feat import Feat, feat_of
from ....view.log.happening import happening_of
from ....view.table.recipe import recipe_name
from ...beats import move_beats, own_beats, seconds_of
from ...forms.form import following
from ...motion import Motion

if TYPE_CHECKING:
    from ....games.game import Change
    from ....turn.plan import Plan
    from .screen import TableScreen


class Moving:
    """Starts animations; `motion` shows one, which ends by itself or with the next key."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table
        self.motion = Motion(table.refresh_table)
        self._drawn: tuple[Plan | None, int] = (None, 0)
        """The plan that was drawn last, and how many steps it had."""

    @property
    def _seconds(self) -> float:
        settings = self._table.wasabi.settings
        return seconds_of(settings.pace, settings.reduced_motion)

    @property
    def celebrates(self) -> bool:
        """True while a recipe that was completed here is celebrated."""
        flash = self.motion.flash
        return flash is not None and bool(flash.recipe)

    def action_pace(self) -> None:
        """Switch to the next pace of showing other players' moves."""
        table = self._table
        table.wasabi.change(pace=following(PACES, table.wasabi.settings.pace))
        table.remark(table.texts.say("tui.pace-now", pace=table.texts.say(f"tui.pace.{table.wasabi.settings.pace}")))

    def show_move(self, event: Change) -> None:
        """Begin to show another player's move, unless the game has already gone on."""
        followed, game = self._table.followed, self._table.opened.game
        if not isinstance(event, Played) or event.bundle.seat == followed.seated or not event.before.turn:
            return
        if (game.position.turn, game.position.mover) != (event.after.turn, event.after.mover):
            return
        happening = happening_of(game.rules, event.bundle.seat, event.before, event.bundle.steps)
        entry = followed.frames[-1].entry
        assert entry is not None, "the move has just been heard"
        names = [clean(player.name, 24) for player in game.players]
        told = tuple(entry_sentences(entry, names, self._table.texts, followed.seated))
        self.motion.begin(move_beats(happening, told, self._seconds))

    async def let_look(self, event: Change) -> None:
        """Wait until the user has seen a bot's move."""
        if isinstance(event, Played) and self._table.opened.game.players[event.bundle.seat].bot is not None:
            await self.motion.ended()

    def notice_step(self) -> None:
        """Animate what was chosen here since the last time: a tile settles, a recipe is celebrated."""
        plan = self._table.followed.plan
        (last, count), self._drawn = self._drawn, (plan, len(plan.draft.steps) if plan is not None else 0)
        if plan is None or plan is not last or len(plan.draft.steps) <= count:
            return
        rules, new = plan.rules, plan.draft.steps[count:]
        assert plan.draft.base.seat is not None
        happening = happening_of(rules, plan.draft.base.seat, plan.draft.after(count), new)
        card, recipe, feat = 0, "", Feat()
        if happening.completed:
            won = happening.completed[-1]
            feat = feat_of(rules.edition, plan.draft.after(len(plan.draft.steps)).seats[plan.draft.base.seat].claimed)
            card = plan.hand.recipe_key(won.step.args[0]) or 0
            recipe = recipe_name(rules, self._table.texts, won.recipe)
        self.motion.begin(own_beats(happening, card, recipe, feat, self._table.texts, self._seconds))
