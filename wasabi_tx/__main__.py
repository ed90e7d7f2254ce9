"""`python -m wasabi_tx` is `wasabi-tx`."""

from __future__ import annotations

import gc


def main() -> None:
    # Starting makes many objects that stay: looking through them again and again would cost a tenth of the start.
    gc.set_threshold(20_000)
    from .cli import run

    run()


if __name__ == "__main__":
    main()
