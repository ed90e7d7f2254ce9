"""The oracle of the second edition: `read`, `start`, `legal`, `apply`, `digest`."""

from tests.oracle.alike import Faces, Outcome, Step
from tests.oracle.master.course import Refused, apply, start
from tests.oracle.master.digest import digest
from tests.oracle.master.edition import Edition, read
from tests.oracle.master.legal import legal
from tests.oracle.master.state import State

__all__ = ["Edition", "Faces", "Outcome", "Refused", "State", "Step", "apply", "digest", "legal", "read", "start"]
