"""Nothing that decides is cut: at every prompt of whole games, points, style, ways out and names can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from tests.speeds import budget
from tests.view.tables import PLAYERS
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.engine.step import Bundle
from wasabi_tx.games.local import seeded_shuffle
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.text.marks import pieces_of
from wasabi_tx.tui.bindings import BY_ID, shown_keys
from wasabi_tx.tui.draw.sheet import Means
from wasabi_tx.tui.paints import Paints
from wasabi_tx.tui.textual_theme import textual_theme
from wasabi_tx.tui.widgets.table.action_bar import paint_action_bar
from wasabi_tx.turn.action_bar import ActionBar, action_bar
from wasabi_tx.turn.plan import Plan
from wasabi_tx.turn.preview import preview_of
from wasabi_tx.turn.prompt_choices import Choice, question_of
from wasabi_tx.view.press import Do, PickCode, PickNumber, PickSquare, Press
from wasabi_tx.view.table.table import describe_table

from .memory_games import MemoryGames
from .player import turn_presses

BARS = {(80, 24): (80, 1), (120, 40): (120, 3), (40, 15): (40, 2)}
"""Room for the bar on each screen."""


def games(edition: str, count: int) -> Iterator[tuple[Plan, Bundle]]:
    """Play games of bots; return each turn as it is planned, and its bundle."""
    for number in range(count):
        rules, seed = rules_for(edition, 2 + number % 3), f"prompt {number}"
        dealer, bot, whims = Dealer(rules, seeded_shuffle(seed)), find_bot("greedy"), Random(seed)
        position = rules.start(number % rules.players)
        while position.outcome is None:
            if position.mover == NOBODY:
                dealt = dealer.supply(position)
                assert dealt is not None
                position = rules.apply(position, dealt)
                continue
            seen = observe(rules, position, position.mover, dealer.faces)
            bundle = bot.choose(seen, whims, 1000)
            yield Plan(seen, Texts("en")), bundle
            position = rules.apply_bundle(position, bundle)


def do(plan: Plan, press: Press) -> None:
    match press:
        case PickNumber(number):
            plan.pick_number(number)
        case PickCode(number):
            plan.pick_code(number)
        case PickSquare(square):
            plan.pick_square(square)
        case Do("accept"):
            plan.accept()
        case Do("return"):
            plan.begin_return()
        case Do("discard"):
            plan.begin_discard()


def moments(plan: Plan, bundle: Bundle) -> Iterator[None]:
    """Choose the turn press by press; yield at each question."""
    for press in turn_presses(plan, bundle):
        yield
        do(plan, press)
    yield


def words_of(sentence: str) -> str:
    return " ".join("".join(piece.text for piece in pieces_of(sentence)).split())


def missing(bar: ActionBar, means: Means, width: int, height: int) -> list[str]:
    """Return the words that matter for the decision and are not readable."""
    canvas = paint_action_bar(bar, means, width, height)
    read = " ".join(" ".join(canvas.words(row).replace("▌", " ") for row in range(height)).split())
    gone = [] if words_of(bar.button) in read else [f"button {bar.button}"]
    gone += [
        f"choice {choice.label}"
        for choice in bar.choices
        if not choice.seen and not any(words_of(label) in read for label in (choice.label, choice.brief) if label)
    ]
    if bar.decides and not any(words_of(told) in read for told in (bar.more, *bar.shorter)):
        gone.append(f"worth {words_of(bar.more)}")
    if not bar.button and words_of(bar.lead) not in read:
        gone.append(f"question {words_of(bar.lead)}")
    return gone


def test_a_worth_stands_beside_the_button_where_the_choices_fill_the_other_row() -> None:
    worth = ("\ue000points\ue001\ue0012 punti\ue002", "\ue000points\ue001\ue001+2\ue002")
    choices = (
        Choice("5 Fresco di giornata c3–d3 +2 +carta", PickNumber(5), brief="5 +2 +carta"),
        Choice("6 Chele e tabacchi c2–c3 +2 +carta", PickNumber(6), brief="6 +2 +carta"),
        Choice("0 non ora", PickNumber(0)),
    )
    bar = ActionBar("Servi una Ricetta?", "Servi De guscibus", PickNumber(4), "", f"per {worth[0]}", worth, choices)
    paints = Paints(textual_theme(MemoryGames().themes()[0][0]), "letters")
    means = Means.of(paints, Texts("it"), rules_for("master", 2).edition, {})
    assert missing(bar, means, 40, 2) == []


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_nothing_that_decides_is_cut_at_any_size(edition: str) -> None:
    paints = Paints(textual_theme(MemoryGames().themes()[0][0]), "letters")
    prompts, cut, shown = Counter[str](), Counter[str](), set[ActionBar]()
    for plan, bundle in games(edition, budget(2, 40)):
        for _ in moments(plan, bundle):
            for language in LANGUAGES:
                texts = Texts(language)
                seats = PLAYERS[: plan.rules.players]
                view = describe_table(plan.draft.observation, seats, texts, base=plan.draft.base)
                bar = action_bar(plan, question_of(plan, view, texts), preview_of(plan), texts, quiet=True)
                if bar in shown:
                    continue
                shown.add(bar)
                keys = {name: shown_keys(BY_ID[name], {}, texts)[0] for name in ("return", "accept")}
                means = Means.of(paints, texts, plan.rules.edition, keys)
                for size, (width, height) in BARS.items():
                    prompts[f"{size} {language}"] += 1
                    for gone in missing(bar, means, width, height):
                        cut[f"{size} {language}: {gone}"] += 1
    print(edition, dict(prompts), "cut:", cut.total())
    assert not cut, cut.most_common(12)
