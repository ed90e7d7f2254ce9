"""Sentences for everything that can be wrong: a step, a position, an edition file, a transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.errors import RulesError

if TYPE_CHECKING:
    from ..engine.edition import Problem
    from ..games.transcript import Broken
    from ..text import Texts


def say_code(texts: Texts, code: str) -> str:
    """Return in few words why the protocol refuses something."""
    key = f"verdict.{code}"
    return texts.say(key if texts.knows(key) else "verdict.other")


def say_error(texts: Texts, error: RulesError) -> str:
    """Say which step the rules refuse, and why."""
    params: dict[str, object] = dict(error.where)
    if "now" in params:
        params["now"] = texts.say(f"phase.{params['now']}")
    if error.code == "not-now":
        params["reason"] = say_code(texts, str(params["reason"]))
    if error.code == "position":
        params["reason"] = texts.say(f"position.{params['problem']}")
    return texts.say(f"error.{error.code}", **params)


def say_problem(texts: Texts, problem: Problem) -> str:
    """Return one problem of an edition file, with its place."""
    sentence = texts.say(f"problem.{problem.code}", where=problem.where, found=problem.found)
    return sentence if problem.found else sentence.replace(" .", ".")


def say_broken(texts: Texts, broken: Broken) -> str:
    """Say what is wrong with the first invalid line of a transcript."""
    cause = broken.__cause__
    detail = say_error(texts, cause) if isinstance(cause, RulesError) else broken.detail
    return texts.say(f"broken.{broken.problem}", line=broken.line, detail=detail)
