"""Every attack by itself: `python -m tests.lab.soaks.attacks [NAME …] [--seed S] [--engine mosquitto]`.

Each one is tried on programs in separate processes and a real broker. The honest game ends settled, or waits and
reports why; only the liar is blamed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

from tests.attacks.attack import ATTACKS, attack
from tests.attacks.scene import Failed
from tests.brokers import KINDS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*ATTACKS, []], metavar="NAME", help=", ".join(ATTACKS))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--engine", choices=KINDS, default="nats")
    given = parser.parse_args()
    # The attacker's own client would log its opinion of itself.
    logging.disable(logging.CRITICAL)
    failed = 0
    for name in given.names or ATTACKS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="wasabi-attack-") as folder:
            try:
                came = asyncio.run(attack(name, Path(folder), given.engine, given.seed))
            except (Failed, AssertionError, TimeoutError) as harm:
                failed += 1
                came = f"HARM: {str(harm) or type(harm).__name__}"
        sys.stdout.write(f"{name} ({time.monotonic() - began:.0f} s): {came}\n")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
