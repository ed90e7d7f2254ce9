"""Write the folder of this version: `python -m tests.released`."""

from __future__ import annotations

from tests.released import main

if __name__ == "__main__":
    main()
