"""Values that are cheap to copy: the engine makes one or two at every step."""

from __future__ import annotations

from typing import Self


class Value:
    """A record that never changes once it has been handed out.

    To get a different one, call `evolve()` and fill in the differences before anything else sees the copy. Copying is
    compiled from the slots, because replacing a frozen dataclass costs fourteen times as much. The same applies to its
    lists: a changed copy of a list costs a quarter of a tuple's. Slots that start with an underscore cache what is
    derived from the others; a copy starts without them.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        names = [name for base in reversed(cls.__mro__) for name in getattr(base, "__slots__", ())]
        lines = [f"    new.{name} = {'None' if name.startswith('_') else f'self.{name}'}" for name in names]
        source = "\n".join(["def evolve(self):", "    new = cls()", *lines, "    return new"])
        scope: dict[str, object] = {"cls": cls}
        exec(source, scope)
        cls.evolve = scope["evolve"]  # type: ignore[method-assign, assignment]

    def evolve(self) -> Self:
        """Return a copy that the caller may still fill in."""
        raise NotImplementedError
