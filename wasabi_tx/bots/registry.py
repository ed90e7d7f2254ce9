"""Every bot by its name: what it is, or how well it plays."""

from __future__ import annotations

from wasabi_tx.engine.editions.classic.rules import ClassicRules
from wasabi_tx.engine.editions.master.rules import MasterRules
from wasabi_tx.engine.errors import Malformed

from .bot import Bot
from .classic.planner import ClassicPlanner
from .greedy import Greedy, Planner
from .master.planner import MasterPlanner
from .mistakes import Mistaken
from .random_legal import RandomLegal

PLANNERS: dict[str, Planner] = {ClassicRules.name: ClassicPlanner(), MasterRules.name: MasterPlanner()}
"""The experts, by the name of the rules that they know."""

GREEDY = Greedy(PLANNERS)
"""Also the one to ask for a hint."""

KINDS: dict[str, Bot] = {"greedy": GREEDY, "random": RandomLegal()}
LEVELS: dict[str, Bot] = {"easy": Mistaken(GREEDY), "normal": GREEDY}


def find_bot(name: str) -> Bot:
    """The bot of this kind or level. Bots remember nothing, so one can play at any number of seats."""
    bot = KINDS.get(name) or LEVELS.get(name)
    if bot is None:
        raise Malformed("bot", text=name[:40])
    return bot
