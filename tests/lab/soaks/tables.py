"""Every broker, kind of table, edition and number of seats, whole games: `python -m tests.lab.soaks.tables [WORD ...]`.

Words select the cases whose names contain all of them, for example `mosquitto private`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import monotonic

from tests.brokers import RealBroker
from tests.peers.matrix import ALL, MOSQUITTO, play
from tests.peers.program import programs_below


def main(words: list[str]) -> int:
    for case in ALL:
        if not all(word in str(case) for word in words):
            continue
        started = monotonic()
        with tempfile.TemporaryDirectory() as folder, programs_below(Path(folder)) as programs:
            broker = RealBroker(MOSQUITTO, Path(folder) / "broker") if case.broker == MOSQUITTO else None
            if broker is not None:
                broker.start()
            try:
                play(case, programs, None if broker is None else broker.address.url())
            finally:
                if broker is not None:
                    broker.stop()
        print(f"{case}: the same verified game everywhere, {monotonic() - started:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
