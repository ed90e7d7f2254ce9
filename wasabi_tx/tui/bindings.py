"""All actions of keys: one list for bindings, footer, command palette, help and remapping.

A screen takes its part with `BINDINGS = bindings_on(NAME)`. Each binding runs the action `act`, which calls the method
`action_ID` of the screen, or of one of its parts (`WasabiScreen`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from textual.binding import Binding, BindingType
from textual.keys import format_key
from textual.screen import Screen

from ..text import Texts


@dataclass(frozen=True)
class KeyAction:
    """`tui.action.ID` is its short name for the footer, `tui.about.ID` says what it does."""

    id: str
    keys: str
    """Names of keys with commas between, as Textual writes them; can be changed in the settings file."""
    where: tuple[str, ...]
    """The screens on which it works."""
    footer: int = 0
    """Its place in the footer; 0 if there is none for it."""
    listed: bool = True
    """True if the command palette offers it."""
    needs: str = ""
    """The member of `Can` that a game must have for this action; without it the action does nothing."""

    @property
    def call(self) -> str:
        """The action as Textual runs it."""
        return f"act('{self.id}')"


ACTIONS: tuple[KeyAction, ...] = (
    KeyAction("accept", "enter", ("table",), footer=1, needs="PLAY"),
    KeyAction("back", "backspace,u", ("table",), footer=2, needs="PLAY"),
    KeyAction("send", "space", ("table",), footer=3, needs="PLAY"),
    KeyAction("drop", "escape", ("table",), listed=False, needs="PLAY"),
    KeyAction("cursor_up", "up,k", ("table",), listed=False, needs="PLAY"),
    KeyAction("cursor_down", "down,j", ("table",), listed=False, needs="PLAY"),
    KeyAction("cursor_left", "left,h", ("table",), listed=False, needs="PLAY"),
    KeyAction("cursor_right", "right,l", ("table",), listed=False, needs="PLAY"),
    KeyAction("return", "p", ("table",), needs="PLAY"),
    KeyAction("discard", "s,ctrl+s", ("table",), needs="PLAY"),
    KeyAction("notation", "colon", ("table",), needs="PLAY"),
    KeyAction("plan", "n", ("table",), needs="PLAN"),
    KeyAction("hint", "i", ("table",), needs="HINT"),
    KeyAction("take_hint", "plus", ("table",), needs="HINT"),
    KeyAction("answer", "x", ("table",), needs="VOTE"),
    KeyAction("pause", "f4", ("table",), needs="VOTE"),
    KeyAction("invites", "f5", ("table",), needs="INVITE"),
    KeyAction("mute", "m", ("table",), needs="CHAT"),
    KeyAction("yes", "y,s", ("asked",), footer=1, listed=False),
    KeyAction("no", "n", ("asked",), footer=2, listed=False),
    KeyAction("under", "v,ctrl+v", ("table",)),
    KeyAction("book", "r,ctrl+r", ("table", "replay")),
    KeyAction("who", "w,ctrl+w", ("table", "replay")),
    KeyAction("log", "o,ctrl+o", ("table", "replay")),
    KeyAction("since", "y,ctrl+y", ("table",)),
    KeyAction("panels", "tab", ("table",), footer=4),
    KeyAction("next", "right,space,enter,l", ("replay",), footer=1),
    KeyAction("previous", "left,backspace,h", ("replay",), footer=2),
    KeyAction("whose", "v", ("replay",), footer=3),
    KeyAction("run", "p", ("replay",), footer=3),
    KeyAction("what_if", "t", ("replay", "review"), footer=4),
    KeyAction("first", "home", ("replay",), listed=False),
    KeyAction("last", "end", ("replay",), listed=False),
    KeyAction("result", "s", ("replay",), footer=4),
    KeyAction("replay_game", "w", ("ending",), listed=False),
    KeyAction("board", "b", ("ending",), listed=False),
    KeyAction("copy_result", "c", ("ending",), listed=False),
    KeyAction("save_picture", "s", ("ending",), listed=False),
    KeyAction("save_page", "m", ("ending", "replay")),
    KeyAction("review", "r", ("ending",), listed=False),
    KeyAction("next_point", "enter,right,down,l,j,tab,space", ("review",), listed=False),
    KeyAction("previous_point", "left,up,h,k,shift+tab", ("review",), listed=False),
    KeyAction("close_review", "escape,q", ("review",), listed=False),
    KeyAction("use_theme", "enter,space", ("themes",), listed=False),
    KeyAction("old_theme", "escape,q", ("themes",), listed=False),
    KeyAction("home", "escape,q", ("ending",), listed=False),
    KeyAction("close", "escape,q", ("page", "replay", "curtain"), footer=7, listed=False),
    KeyAction("ready", "enter,space", ("curtain",), listed=False),
    KeyAction("row_up", "up,k,shift+tab", ("home", "room", "lobby", "ending", "themes", "form"), listed=False),
    KeyAction("row_down", "down,j,tab", ("home", "room", "lobby", "ending", "themes", "form"), listed=False),
    KeyAction("page_up", "pageup", ("room", "lobby", "ending"), listed=False),
    KeyAction("page_down", "pagedown", ("room", "lobby", "ending"), listed=False),
    KeyAction("row_first", "home", ("room", "lobby", "ending"), listed=False),
    KeyAction("row_last", "end", ("room", "lobby", "ending"), listed=False),
    KeyAction("sort", "o", ("lobby",)),
    KeyAction("filter", "v", ("lobby",)),
    KeyAction("withdraw", "escape", ("lobby", "room")),
    KeyAction("choose", "enter,space", ("home", "ending"), listed=False),
    KeyAction("continue", "c", ("home",)),
    KeyAction("unfinished", "u", ("home",)),
    KeyAction("learn", "l", ("home",)),
    KeyAction("know", "n", ("home",)),
    KeyAction("puzzle", "p", ("home",)),
    KeyAction("delete", "delete,x", ("unfinished",), listed=False),
    KeyAction("record", "r", ("home",)),
    KeyAction("value_before", "left,h", ("form",), listed=False),
    KeyAction("value_after", "right,l,space", ("form",), listed=False),
    KeyAction("fill_in", "enter", ("form",), listed=False),
    KeyAction("admit", "enter", ("room",), footer=1),
    KeyAction("turn_away", "backspace,delete", ("room",)),
    KeyAction("add_bot", "n", ("room",), footer=2),
    KeyAction("begin", "s", ("room",), footer=3),
    KeyAction("copy", "y", ("room", "invites"), footer=4),
    KeyAction("copy_watch", "w", ("room", "invites")),
    KeyAction("qr_code", "x", ("room",)),
    KeyAction("talk_lobby", "l", ("room",)),
    KeyAction("take", "enter", ("lobby",), footer=1),
    KeyAction("look_on", "w", ("lobby",), footer=2),
    KeyAction("new_table", "n", ("lobby",), footer=3),
    KeyAction("invite", "i", ("lobby",), footer=4),
    KeyAction("address", "u", ("lobby",), footer=4),
    KeyAction("talk", "t,ctrl+t", ("room", "lobby", "table"), footer=5, needs="CHAT"),
    KeyAction("settings", "f2", ("table", "home", "room", "lobby")),
    KeyAction("theme", "f3", ("table", "home", "replay", "room", "lobby")),
    KeyAction("pace", "f6", ("table",)),
    KeyAction("palette", "ctrl+p", ("table", "home"), footer=5, listed=False),
    KeyAction("help", "question_mark", ("table", "home", "room", "lobby", "replay"), footer=6),
    KeyAction("leave", "q", ("table", "home", "room", "lobby"), footer=8),
)
BY_ID = {action.id: action for action in ACTIONS}


def actions_on(where: str) -> list[KeyAction]:
    return [action for action in ACTIONS if where in action.where]


def bindings_on(where: str, *, priority: bool = False) -> list[BindingType]:
    """Return the BINDINGS of a screen; with `priority`, they come before the widget that has the focus."""
    return [
        Binding(action.keys, action.call, action.id, show=False, priority=priority, id=action.id)
        for action in actions_on(where)
        # Textual binds the palette by itself, for every screen.
        if action.id != "palette"
    ]


@lru_cache(maxsize=1024)
def translated(binding: Binding, language: str) -> Binding:
    """Return a binding with its description and tooltip in a language."""
    if binding.id not in BY_ID:
        return binding
    say = Texts(language).say
    return replace(binding, description=say(f"tui.action.{binding.id}"), tooltip=say(f"tui.about.{binding.id}"))


def active_actions(screen: Screen[Any], texts: Texts) -> Iterator[tuple[KeyAction, list[str]]]:
    """Yield each action of the list that works on a screen now, with the names of the keys that run it."""
    keys: dict[str, list[str]] = {}
    for key, active in screen.active_bindings.items():
        if active.enabled and active.binding.id in BY_ID:
            keys.setdefault(active.binding.id, []).append(_shown(key, texts))
    for action in ACTIONS:
        if action.id in keys:
            yield action, keys[action.id]


def footer_on(where: str) -> list[KeyAction]:
    return sorted((action for action in actions_on(where) if action.footer), key=lambda action: action.footer)


def shown_keys(action: KeyAction, remapped: Mapping[str, str], texts: Texts) -> list[str]:
    """Return the action's keys as they are shown to people."""
    return [_shown(key, texts) for key in keys_of(action, remapped)]


def key_now(action: KeyAction, remapped: Mapping[str, str], texts: Texts, letters: Collection[str]) -> str:
    """Return the first key of the action that works while these letters are typed, as shown to people."""
    keys = keys_of(action, remapped)
    return _shown(next((key for key in keys if key not in letters), keys[0]), texts)


def keys_of(action: KeyAction, remapped: Mapping[str, str]) -> list[str]:
    """Return the action's keys by Textual's names."""
    return [key.strip() for key in remapped.get(action.id, action.keys).split(",")]


def _shown(key: str, texts: Texts) -> str:
    """Format a key for people: `r`, `Ctrl+R`, `F2`, and in Italian `Invio`."""
    *held, last = key.split("+")
    name = texts.say(f"tui.key.{last}") if texts.knows(f"tui.key.{last}") else format_key(last)
    if held or len(name) > 1:
        name = name[:1].upper() + name[1:]
    return "+".join([*(one.capitalize() for one in held), name])


def wrong_keys(remapped: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Yield impossible remappings: of no action, or to a key that is taken or used for typing a move."""
    for name, keys in remapped.items():
        if name not in BY_ID:
            yield name, ""
            continue
        for key in (one.strip() for one in keys.split(",")):
            plays = len(key) == 1 and key in "abcdefg0123456789"
            if not key or plays or not _owners(key, BY_ID[name]) <= set(remapped):
                yield name, key


def _owners(key: str, action: KeyAction) -> set[str]:
    """Return the other actions that use a key on one of the action's screens."""
    others = (one for one in ACTIONS if one.id != action.id and set(one.where) & set(action.where))
    return {one.id for one in others if key in one.keys.split(",")}
