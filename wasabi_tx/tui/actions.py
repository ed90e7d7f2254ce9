"""Everything that a key does: one list for bindings, footer, command palette, help and remapping."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from textual.binding import Binding
from textual.keys import format_key

from ..text import Texts


@dataclass(frozen=True)
class Action:
    """`tui.action.ID` is its short name for the footer, `tui.about.ID` says what it does."""

    id: str
    keys: str
    """Names of keys with commas between, as Textual writes them; can be changed in the settings file."""
    where: tuple[str, ...]
    """The screens on which it works."""
    footer: int = 0
    """Its place in the footer; 0 if there is none for it."""
    listed: bool = True
    """Whether the command palette offers it."""
    needs: str = ""
    """What a game must let its screen do, by the name in `Can`; what is not offered does nothing."""


ACTIONS: tuple[Action, ...] = (
    Action("accept", "enter", ("table",), footer=1, needs="PLAY"),
    Action("back", "backspace,u", ("table",), footer=2, needs="PLAY"),
    Action("send", "space", ("table",), footer=3, needs="PLAY"),
    Action("drop", "escape", ("table",), listed=False, needs="PLAY"),
    Action("cursor_up", "up,k", ("table",), listed=False, needs="PLAY"),
    Action("cursor_down", "down,j", ("table",), listed=False, needs="PLAY"),
    Action("cursor_left", "left,h", ("table",), listed=False, needs="PLAY"),
    Action("cursor_right", "right,l", ("table",), listed=False, needs="PLAY"),
    Action("return", "p", ("table",), needs="PLAY"),
    Action("notation", "colon", ("table",), needs="PLAY"),
    Action("hint", "i", ("table",), needs="HINT"),
    Action("answer", "x", ("table",), needs="VOTE"),
    Action("pause", "f4", ("table",), needs="VOTE"),
    Action("mute", "m", ("table",), needs="CHAT"),
    Action("yes", "y,s", ("asked",), footer=1, listed=False),
    Action("no", "n", ("asked",), footer=2, listed=False),
    Action("under", "v,ctrl+v", ("table",)),
    Action("book", "r,ctrl+r", ("table", "replay")),
    Action("who", "w,ctrl+w", ("table", "replay")),
    Action("log", "o,ctrl+o", ("table", "replay")),
    Action("since", "y,ctrl+y", ("table",)),
    Action("panels", "tab", ("table",), footer=4),
    Action("next", "right,space,enter,l", ("replay",), footer=1),
    Action("previous", "left,backspace,h", ("replay",), footer=2),
    Action("first", "home", ("replay",), listed=False),
    Action("last", "end", ("replay",), listed=False),
    Action("close", "escape,q", ("page", "replay"), footer=7, listed=False),
    Action("admit", "enter", ("room",), footer=1),
    Action("add_bot", "n", ("room",), footer=2),
    Action("begin", "s", ("room",), footer=3),
    Action("copy", "y", ("room",), footer=4),
    Action("copy_watch", "w", ("room",)),
    Action("take", "enter", ("lobby",), footer=1),
    Action("look_on", "w", ("lobby",), footer=2),
    Action("new_table", "n", ("lobby",), footer=3),
    Action("invite", "i", ("lobby",), footer=4),
    Action("talk", "t,ctrl+t", ("room", "lobby", "table"), footer=5, needs="CHAT"),
    Action("settings", "f2", ("table", "home", "room", "lobby")),
    Action("theme", "f3", ("table", "home", "replay", "room", "lobby", "first")),
    Action("palette", "ctrl+p", ("table", "home"), footer=5, listed=False),
    Action("help", "question_mark", ("table", "home", "room", "lobby", "replay"), footer=6),
    Action("leave", "q", ("table", "home", "room", "lobby", "first"), footer=8),
)
BY_ID = {action.id: action for action in ACTIONS}


def actions_on(where: str) -> list[Action]:
    return [action for action in ACTIONS if where in action.where]


def bindings_on(where: str) -> list[Binding]:
    """For a screen's BINDINGS; descriptions are made when they are shown, in the language of the moment."""
    return [
        Binding(action.keys, f"act('{action.id}')", action.id, show=False, id=action.id)
        for action in actions_on(where)
        if action.id != "palette"
    ]


def footer_on(where: str) -> list[Action]:
    return sorted((action for action in actions_on(where) if action.footer), key=lambda action: action.footer)


def shown_keys(action: Action, remapped: Mapping[str, str], texts: Texts) -> list[str]:
    """The action's keys as one reads them."""
    return [_shown(key, texts) for key in _keys(action, remapped)]


def key_now(action: Action, remapped: Mapping[str, str], texts: Texts, letters: Collection[str]) -> str:
    """The first key of the action that works while these letters are typed; as one reads it."""
    keys = _keys(action, remapped)
    return _shown(next((key for key in keys if key not in letters), keys[0]), texts)


def _keys(action: Action, remapped: Mapping[str, str]) -> list[str]:
    return [key.strip() for key in remapped.get(action.id, action.keys).split(",")]


def _shown(key: str, texts: Texts) -> str:
    """`r`, `Ctrl+R`, `F2`, and in Italian `Invio`."""
    *held, last = key.split("+")
    name = texts.say(f"tui.key.{last}") if texts.knows(f"tui.key.{last}") else format_key(last)
    if held or len(name) > 1:
        name = name[:1].upper() + name[1:]
    return "+".join([*(one.capitalize() for one in held), name])


def wrong_keys(remapped: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Remappings that cannot be: of no action, or to a key that another has or that plays (a letter, a digit)."""
    for name, keys in remapped.items():
        if name not in BY_ID:
            yield name, ""
            continue
        for key in (one.strip() for one in keys.split(",")):
            plays = len(key) == 1 and key in "abcdefg0123456789"
            if not key or plays or not _owners(key, BY_ID[name]) <= set(remapped):
                yield name, key


def _owners(key: str, action: Action) -> set[str]:
    """Other actions that have a key on one of the action's screens."""
    others = (one for one in ACTIONS if one.id != action.id and set(one.where) & set(action.where))
    return {one.id for one in others if key in one.keys.split(",")}
