"""Our code's verdicts on positions and steps of both editions."""

from __future__ import annotations

from collections.abc import Callable

from tests.protocol.vectors.vector import Input, Output
from wasabi_tx.engine.editions import packaged_edition, rules_for
from wasabi_tx.engine.position_text import parse_position


def judge_position(given: Input) -> Output:
    rules, position, _ = parse_position(given["text"], rules_for)
    return {"canonical": rules.canonical(position).hex(), "digest": rules.digest(position).hex()}


def judge_step(given: Input) -> Output:
    step = rules_for(given["edition"], given["players"]).grammar.parse(given["text"])
    return {"verb": step.verb, "args": list(step.args)}


def judge_play(given: Input) -> Output:
    """Return the digest after each step, or the verdict on the last one."""
    rules, position, _ = parse_position(given["text"], rules_for)
    digests = []
    for text in given["steps"]:
        position = rules.apply(position, rules.grammar.parse(text))
        digests.append(rules.digest(position).hex())
    return {"digests": digests}


def judge_edition(given: Input) -> Output:
    edition = packaged_edition(given["edition"])
    return {"canonical": edition.canonical, "hash": edition.hash}


JUDGES: dict[str, Callable[[Input], Output]] = {
    "position": judge_position,
    "step": judge_step,
    "play": judge_play,
    "edition": judge_edition,
}
