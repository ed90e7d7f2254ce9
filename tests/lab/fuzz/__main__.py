"""Coverage-guided fuzzing with atheris: `python -m tests.lab.fuzz TARGET --runs N`.

TARGET is judge, client, files or invites. It starts with the repository's corpus; findings go to a temporary folder
unless `--keep` names one. The exit code is 0 if there were only expected results.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import atheris

CORPUS = Path(__file__).parent / "corpus"
TARGETS = ("judge", "client", "files", "invites")
MAX_INPUT = 256
LONGEST_SECONDS = 60
MOST_MEGABYTES = 1_024
TELL_EVERY = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="0 for another one each time")
    parser.add_argument("--keep", type=Path, help="where what leads further is kept")
    arguments = parser.parse_args()
    with atheris.instrument_imports(include=["wasabi_protocol", "wasabi_tx"]):
        from tests.lab.fuzz import client, files, invites, judge
    run = {
        "judge": judge.judge,
        "client": client.client,
        "files": files.files,
        "invites": invites.invites,
    }[arguments.target]
    # Games are played once for it, which takes longer than any input may.
    run(b"")
    seen: Counter[str] = Counter()
    count, began = 0, time.monotonic()

    def one_input(data: bytes) -> None:
        nonlocal count
        count += 1
        seen[run(data)] += 1
        # The fuzzer ends the process itself: nothing after it would run.
        if count == arguments.runs or count % TELL_EVERY == 0:
            spent = time.monotonic() - began
            most = ", ".join(f"{what} {times}" for what, times in seen.most_common(12))
            sys.stdout.write(f"{arguments.target}: {count} runs in {spent:.0f} s, nothing but the expected: {most}\n")
            sys.stdout.flush()

    with tempfile.TemporaryDirectory() as moment:
        kept = arguments.keep or Path(moment)
        kept.mkdir(parents=True, exist_ok=True)
        options = {
            "runs": arguments.runs,
            "max_len": MAX_INPUT,
            "timeout": LONGEST_SECONDS,
            "rss_limit_mb": MOST_MEGABYTES,
            "seed": arguments.seed,
            "verbosity": 0,
            "artifact_prefix": f"{kept}/",
        }
        words = [f"-{name}={value}" for name, value in options.items()]
        atheris.Setup([sys.argv[0], *words, str(kept), str(CORPUS / arguments.target)], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
