"""Values that are cheap to copy: the engine makes one or two at every step."""

from __future__ import annotations

from typing import Self


class Value:
    """A record that is never changed once it has been handed out.

    To get a different one, take `evolve()` and fill in the difference before anything else sees it. The copy is
    compiled from the slots, because a frozen dataclass costs fourteen times as much to replace. Its lists are held
    to the same: a changed copy of a list costs a quarter of a tuple's. Slots that start with an underscore hold what
    has been worked out of the others; a copy starts without them.
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
        """A copy that the caller may still fill in."""
        raise NotImplementedError
