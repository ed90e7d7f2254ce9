"""`python -m wasabi_tx` is `wasabi-tx`."""

from __future__ import annotations


def main() -> None:
    from .cli import run

    run()


if __name__ == "__main__":
    main()
