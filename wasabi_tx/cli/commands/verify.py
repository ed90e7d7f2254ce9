"""`wasabi-tx verify`: check every signature, proof and rule of a game file, or of the game in a page."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ...app.failure import Failure
from ...app.game_page.files import read_page
from ...app.game_page.page import SUFFIXES, NoGame, game_in, is_whole, language_of, local_page, signed_page
from ...app.online_files import check_game, check_game_data
from ...app.output import echo, emit
from ...app.preferences import texts_for
from ...app.saved_games import find_saved, rules_finder
from ...games.transcript import Broken, Transcript, read_transcript
from ...online.result import CheckedFile, OnlineResult
from ...store.games import SUFFIX
from ...store.paths import short_path
from ...store.transcripts import read_text
from ...text import Texts
from ...view.sentences import say_broken, say_code
from .. import show_failure
from ..options import json_option, language_option
from ..running import result_json

INVALID = 3


@click.command()
@click.argument("files", metavar="FILE...", type=click.Path(path_type=Path), nargs=-1, required=True)
@json_option
@language_option
def verify(files: tuple[Path, ...], as_json: bool, language: str | None) -> None:
    """Check game files: every signature, every proof, every rule. Exit code 3 if anything in one is invalid.

    Of a page that `export --html` wrote, the game is taken out and checked; nothing else in it is believed.
    The cryptography that seals the cards of online games has not been audited by anyone outside the project.
    """
    texts = texts_for(language)
    codes = []
    for file in files:
        path = find_saved(file)
        try:
            valid = _verify(path, as_json, texts)
        except Failure as failure:
            show_failure(str(failure))
            codes.append(failure.exit_code)
        else:
            codes.append(0 if valid else INVALID)
    raise click.exceptions.Exit(max(codes))


def _verify(path: Path, as_json: bool, texts: Texts) -> bool:
    if path.suffix in SUFFIXES:
        return _verify_page(path, as_json, texts)
    if path.suffix == SUFFIX:
        return _verify_game(path, check_game(path, texts), {}, as_json, texts)
    return _verify_text(path, read_saved_text(path, texts), {}, as_json, texts)


def _verify_page(path: Path, as_json: bool, texts: Texts) -> bool:
    """Check the game in a page, and whether the page is the one that this program makes of it."""
    page = read_page(path, texts)
    try:
        game = game_in(page)
    except NoGame:
        raise Failure(texts.say("verify.no-game", file=short_path(path))) from None
    language = language_of(page)
    if isinstance(game, str):
        try:
            ours = page == local_page(game, read_transcript(game, rules_finder(texts)), language)
        except Broken:
            ours = False
        valid = _verify_text(path, game, {"page": ours}, as_json, texts)
    else:
        checked = check_game_data(game, texts)
        ours = is_whole(checked) and page == signed_page(game, checked, language)
        valid = _verify_game(path, checked, {"page": ours}, as_json, texts)
    if valid and not as_json:
        echo(f"  {texts.say('verify.page' if ours else 'verify.other-page')}")
    return valid and ours


def _verify_game(path: Path, checked: CheckedFile, about: dict[str, bool], as_json: bool, texts: Texts) -> bool:
    if as_json:
        fault = None if checked.fault is None else asdict(checked.fault)
        emit({**result_json(checked.result), **about, "fault": fault})
    else:
        echo(say_checked(path, checked, texts))
        if checked.result is not None and checked.result.players:
            echo(f"  {say_result(checked.result, texts)}")
        if checked.result is not None and checked.result.voted_out:
            echo(f"  {say_voted_out(checked.result, texts)}")
        if checked.fault is None:
            echo(f"  {texts.say('verify.signers', keys=', '.join(checked.signers))}")
    return checked.fault is None


def say_checked(path: Path, checked: CheckedFile, texts: Texts) -> str:
    """Return a sentence about what a file proves, or about its first fault."""
    file, fault, result = short_path(path), checked.fault, checked.result
    if checked.foreign:
        return texts.say("verify.no-game", file=file)
    if fault is not None:
        who = fault.author or "-"
        key = "verify.fault-ballot" if fault.ballot else "verify.fault"
        return texts.say(key, file=file, entry=fault.entry, author=who, code=say_code(texts, fault.code))
    assert result is not None
    key = "verify.settled" if result.settled else "verify.unsettled"
    return texts.say(key, file=file, entries=result.entries, digest=result.digest[:16])


def say_result(result: OnlineResult, texts: Texts) -> str:
    """Return a sentence with the players, their points, and the winner."""
    points = zip(result.players, result.scores, strict=True)
    players = ", ".join(texts.say("verify.player", name=name, points=score) for name, score in points)
    if not result.over:
        return texts.say("verify.going-on", players=players)
    if not result.winner:
        return texts.say("verify.nobody-won", players=players)
    return texts.say("verify.won", players=players, names=", ".join(result.winner), count=len(result.winner))


def say_voted_out(result: OnlineResult, texts: Texts) -> str:
    """Return a sentence about who was voted out, and whether by proof."""
    proof = set(result.voted_out) == set(result.proved)
    key = "verify.voted-out-proved" if proof else "verify.voted-out"
    return texts.say(key, names=", ".join(result.voted_out), count=len(result.voted_out))


def check_text(path: Path, texts: Texts) -> Transcript:
    """Read and check a local game from the first line to the last; raise `Broken` with the first invalid line."""
    return read_transcript(read_saved_text(path, texts), rules_finder(texts))


def read_saved_text(path: Path, texts: Texts) -> str:
    try:
        return read_text(path)
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(path), reason=error)) from None


def text_json(transcript: Transcript) -> dict[str, Any]:
    """Return the result of a local game, which has no signatures."""
    last = transcript.last
    digest = transcript.rules.digest(last).hex()
    return {"digest": digest, "verified": True, "signed": False, "settled": last.outcome is not None}


def _verify_text(path: Path, text: str, about: dict[str, bool], as_json: bool, texts: Texts) -> bool:
    try:
        result = text_json(read_transcript(text, rules_finder(texts)))
    except Broken as broken:
        if as_json:
            emit({"verified": False, **about, "fault": {"entry": broken.line, "code": broken.problem}})
        else:
            echo(f"{short_path(path)}: {say_broken(texts, broken)}")
        return False
    if as_json:
        emit({**result, **about, "fault": None})
    else:
        echo(texts.say("verify.unsigned", file=short_path(path), digest=result["digest"][:16]))
    return True
