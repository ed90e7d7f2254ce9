"""The page around a game: its words, colours and pictures, its style and its script; the same for every game."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from html import escape
from importlib.resources import files

from ...engine.edition import Edition
from ...engine.editions import RESERVED, packaged_edition
from ...store.user_files import read_theme, shipped
from ...text import Texts, load_sentences
from ...text.foreign import clean
from ..colour import ink_on, luminance
from ..pictures import PLATE, parse_pictures
from ..theme import parse_theme

DARK, LIGHT = "omakase", "hinoki"
SCRIPTS = (
    "msgpack", "signed", "chain", "record", "pictures", "position", "game", "sentences", "drawing", "viewer",
)  # fmt: skip
"""The parts of the script; each uses only those before it."""
TABLES = ("log", "worth", "page", "ending.short")
WORDS = (
    "legend.stack", "legend.wasabi", "replay.beginning", "seat.bot", "seat.cards", "seat.gone", "seat.tiles",
    "seat.total", "table.display", "table.kitchen", "table.pool", "table.turn",
)  # fmt: skip
"""Sentences for the script, in addition to those of whole tables of the file."""
NAME = 40
SHORT = 7
"""Letters that fit on a tile on a telephone."""
BLACK, PALE = 0.2, 0.55
"""Luminance: seaweed is black below the first, a background pale from the second."""
_MODULE = re.compile(r"^import [^;]*;\n|^export (?=\w)", re.MULTILINE)
_BLANK = re.compile(r"^\s*//.*\n|^\s*\n|^ +", re.MULTILINE)
_PLACE = re.compile(r"\{([a-z][a-z_.-]*)\}")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@cache
def shell(language: str) -> tuple[str, str]:
    """Return the page before and after the data of its game."""
    texts = Texts(language)
    style = _part("page.css") + _colours()
    script = "".join(_MODULE.sub("", _part(f"{name}.mjs")) for name in SCRIPTS)
    own = {
        "language": language,
        "style": _BLANK.sub("", style),
        "script": f'"use strict";\n{_BLANK.sub("", script)}',
        "shell": in_page(_shell_data(texts)),
    }
    hashes = {f"{name}_hash": _hash(own[name]) for name in ("style", "script")}
    before, _, after = _part("page.html").partition("{game}")
    known = own | hashes

    def filled(part: str) -> str:
        return _PLACE.sub(lambda found: known[found[1]] if found[1] in known else escape(texts.say(found[1])), part)

    return filled(before), filled(after)


def in_page(data: object) -> str:
    """Return data as JSON that cannot close an HTML element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def names_of(edition: Edition, language: str) -> dict[str, object]:
    """Return the names that an edition gives its tiles and cards; no digest covers them."""
    return {
        "edition": clean(edition.names[language], NAME),
        "ingredients": {one.code: clean(one.names[language], NAME) for one in edition.ingredients},
        "short": {
            one.code: _short(one.names[language], one.short.get(language, ()), one.code) for one in edition.ingredients
        },
        "actions": {one.code: clean(one.names[language].partition(" (")[0], NAME) for one in edition.actions},
        "effects": {one.effect: clean(one.names[language].partition(" (")[0], NAME) for one in edition.actions},
        "recipes": {one.id: clean(one.names[language], NAME) for one in edition.recipes},
    }


def _short(name: str, shorter: tuple[str, ...], code: str) -> str:
    return next((clean(one, NAME) for one in (name, *shorter) if len(one) <= SHORT), code)


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _shell_data(texts: Texts) -> dict[str, object]:
    sentences = load_sentences(texts.language)
    editions = [packaged_edition(name) for name in RESERVED]
    return {
        "words": {key: sentence for table in TABLES for key, sentence in sentences.below(table)}
        | {key: sentences[key] for key in WORDS},
        "editions": {edition.hash: names_of(edition, texts.language) for edition in editions},
        "pictures": _sprites(),
    }


def _sprites() -> dict[str, object]:
    """Return the pictures of ingredients as rows of letters, one for each colour."""
    large = parse_pictures(read_theme(shipped("pictures/ingredients.toml"))).large
    colours = sorted({pixel for picture in large.values() for row in picture for pixel in row if pixel is not None})
    letters = dict(zip(colours, _LETTERS, strict=False))
    sprites = {
        code: ["".join(PLATE if pixel is None else letters[pixel] for pixel in row) for row in picture]
        for code, picture in large.items()
    }
    return {"palette": {letter: f"#{colour:06x}" for colour, letter in letters.items()}, "sprites": sprites}


def _colours() -> str:
    """Return the colours of two themes of the app: the reader's light or dark mode chooses one."""
    dark, light = (parse_theme(name, read_theme(shipped(f"{name}.toml"))) for name in (DARK, LIGHT))
    base, other = dark.whole_base, light.whole_base
    lines = [f":root{{{''.join(f'--{name}:light-dark({other[name]},{base[name]});' for name in base)}}}"]
    for number in range(1, 5):
        seat = f"seat-{number}"
        ink = f"light-dark({ink_on(other[seat])},{ink_on(base[seat])})"
        lines.append(f".{seat}{{--seat:var(--{seat});--on-seat:{ink}}}")
    editions = [packaged_edition(name) for name in RESERVED]
    seaweed = {one.code for edition in editions for one in edition.ingredients if one.category == "base"}
    for code in dark.tiles:
        grounds = light.tiles.get(code, dark.tiles[code]), dark.tiles[code]
        inks = [ink_on(ground) for ground in grounds]
        plates = _light_plate(grounds[0]), _dark_plate(grounds[1], code in seaweed)
        parts = {"ground": grounds, "ink": inks, "plate": plates}
        pairs = "".join(f"--{name}:light-dark({pair[0]},{pair[1]});" for name, pair in parts.items())
        lines.append(f".tile-{code}{{{pairs}--edge:color-mix(in srgb,var(--ground) 58%,#000)}}")
    return "\n".join([*lines, ""])


def _dark_plate(ground: str, base: bool) -> str:
    """Return the ground of a picture in the dark: dark behind food, but light behind black seaweed."""
    black = base and luminance(ground) < BLACK
    return f"color-mix(in srgb,{ground} {'55%,#e8dcc4' if black else '42%,#120d09'})"


def _light_plate(ground: str) -> str:
    pale = luminance(ground) >= PALE
    return f"color-mix(in srgb,{ground} {'72%,#8a6a3c' if pale else '38%,#fff6e4'})"
