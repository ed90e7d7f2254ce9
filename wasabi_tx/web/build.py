"""Builds the folder of static files: this package, and pinned packages of npm and PyPI, each checked by its hash."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from .. import __version__
from ..engine.toml_text import read_json
from ..store.user_files import SHIPPED
from ..text import LANGUAGES, Texts

ABI = (
    "--platform",
    "pyemscripten_2026_0_wasm32",
    "--python-version",
    "314",
    "--implementation",
    "cp",
    "--abi",
    "cp314",
)
"""The Python of the pinned Pyodide, in pip's words."""
BUILT = "built.json"
"""The file with the hash of the program that a folder was built from; it comes last."""
NOT_KEPT = ("service.js", "files.json", BUILT)
"""Files that the service worker does not cache."""
WORDS = ("loading", "failed")
"""Sentences of the page itself."""
FROM_NPM = {
    "pyodide/pyodide.mjs": "pyodide",
    "pyodide/pyodide.asm.mjs": "pyodide",
    "pyodide/pyodide.asm.wasm": "pyodide",
    "pyodide/pyodide-lock.json": "pyodide",
    "pyodide/python_stdlib.zip": "pyodide",
    "xterm.js": "@xterm/xterm/lib",
    "xterm.css": "@xterm/xterm/css",
    "addon-fit.js": "@xterm/addon-fit/lib",
    "addon-webgl.js": "@xterm/addon-webgl/lib",
    "libsodium-sumo.mjs": "libsodium-sumo/dist/modules-sumo-esm",
    "libsodium-wrappers.mjs": "libsodium-wrappers-sumo/dist/modules-sumo-esm",
}
"""The files that come from npm packages, each with its folder there."""


class BuildFailed(Exception):
    """A program that fetches packages is missing or failed; `words` are its last output."""

    def __init__(self, program: str, words: str = "") -> None:
        super().__init__(program, words)
        self.program = program
        self.words = words


def build_unless_current(folder: Path, begins: Callable[[], None] = lambda: None) -> None:
    """Build the folder if it is missing or not of this program; `begins` is called before."""
    try:
        current = read_json((folder / BUILT).read_text(encoding="utf-8")) == _sources_digest()
    except (OSError, ValueError):
        current = False
    if not current:
        begins()
        build(folder)


def build(folder: Path) -> None:
    """Write the whole folder; whatever was in it with the same names is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as made, as_file(files(__package__) / "pins") as pins:
        fetched = Path(made)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(pins / name, fetched)
        _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", at=fetched)
        wheels = fetched / "wheels"
        strict = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "--disable-pip-version-check", "--quiet")
        where = ("-r", str(pins / "requirements.txt"), "--dest", str(wheels))
        _run(sys.executable, "-m", "pip", "download", *strict, *ABI, *where, at=fetched)
        _copy(folder, fetched / "node_modules", wheels)
    with as_file(files(__package__) / "page") as page:
        for file in page.iterdir():
            shutil.copy(file, folder)
    _pack(folder / "wasabi_tx.zip")
    archives = ["wasabi_tx.zip", *(f"wheels/{one.name}" for one in sorted((folder / "wheels").iterdir()))]
    _write_json(folder / "archives.json", archives)
    words = {name: {key: Texts(name).say(f"web.{key}") for key in WORDS} for name in LANGUAGES}
    _write_json(folder / "words.json", words)
    _list_files(folder)
    _write_json(folder / BUILT, _sources_digest())


def _run(*words: str, at: Path) -> None:
    try:
        subprocess.run(words, cwd=at, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        raise BuildFailed(words[0], error.strerror or "") from None
    except subprocess.CalledProcessError as failed:
        said = (failed.stderr or failed.stdout).decode(errors="replace").strip().splitlines()
        raise BuildFailed(Path(words[0]).name, said[-1] if said else "") from None


def _copy(folder: Path, modules: Path, wheels: Path) -> None:
    """Copy what the page loads of the fetched packages, and the licences of all of them into one file."""
    (folder / "pyodide").mkdir(exist_ok=True)
    shutil.rmtree(folder / "wheels", ignore_errors=True)
    shutil.copytree(wheels, folder / "wheels")
    for name, package in FROM_NPM.items():
        shutil.copy(modules / package / Path(name).name, folder / name)
    # Workers have no import maps, so the one bare name becomes a file.
    wrappers = folder / "libsodium-wrappers.mjs"
    text = wrappers.read_text(encoding="utf-8")
    wrappers.write_text(text.replace('"libsodium-sumo"', '"./libsodium-sumo.mjs"'), encoding="utf-8")
    licences = [*_npm_licences(modules), *_wheel_licences(wheels)]
    own = f"wasabi-tx {__version__}: MIT"
    rule = "\n\n" + "-" * 78 + "\n\n"
    (folder / "LICENCES.txt").write_text(rule.join([own, *licences]) + "\n", encoding="utf-8")


def _npm_licences(modules: Path) -> Iterator[str]:
    for package in sorted({"/".join(one.split("/")[: 2 if one[0] == "@" else 1]) for one in FROM_NPM.values()}):
        about = read_json((modules / package / "package.json").read_text(encoding="utf-8"))
        texts = [one.read_text(encoding="utf-8") for one in sorted((modules / package).glob("LICEN[CS]E*"))]
        yield "\n\n".join([f"{package} {about['version']}: {about.get('license', '')}", *texts]).strip()


def _wheel_licences(wheels: Path) -> Iterator[str]:
    for wheel in sorted(wheels.iterdir()):
        with zipfile.ZipFile(wheel) as packed:
            about = next(name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
            lines = packed.read(about).decode().partition("\n\n")[0].splitlines()
            names = [one for one in packed.namelist() if "licen" in one.lower() and one.startswith(about[:-8])]
            texts = [packed.read(name).decode(errors="replace") for name in names if not name.endswith("/")]
        kinds = [line.partition(": ")[2] for line in lines if line.startswith(("License: ", "License-Expression: "))]
        yield "\n\n".join([" ".join(wheel.name.split("-")[:2]) + ": " + " ".join(kinds)[:200], *texts]).strip()


def _sources() -> list[tuple[str, Path]]:
    """Return the files of the program and its protocol, with their names in the archive."""
    package = Path(__file__).parents[1]
    found_protocol = find_spec("wasabi_protocol")
    assert found_protocol is not None
    assert found_protocol.origin is not None
    protocol = Path(found_protocol.origin).parent
    themes = next(one for one in SHIPPED if one.is_dir())
    sources = ((package, "wasabi_tx"), (themes, "wasabi_tx/themes"), (protocol, "wasabi_protocol"))
    found = {
        f"{name}/{path.relative_to(folder).as_posix()}": path
        for folder, name in sources
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    nacl = package / "web" / "nacl"
    found |= {f"nacl/{path.name}": path for path in nacl.glob("*.py")}
    return sorted(found.items())


def _sources_digest() -> str:
    digest = hashlib.sha256()
    for name, path in _sources():
        digest.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _pack(target: Path) -> None:
    """Pack the program and its protocol; the same files always make the same archive."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, path in _sources():
            packed.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)


def _list_files(folder: Path) -> None:
    """List the files that the service worker caches; its own text changes with any of them."""
    service = folder / "service.js"
    kept = [one for one in sorted(folder.rglob("*")) if one.is_file() and one.name not in NOT_KEPT]
    digest = hashlib.sha256()
    for one in kept:
        digest.update(one.relative_to(folder).as_posix().encode() + b"\0" + hashlib.sha256(one.read_bytes()).digest())
    text = service.read_text(encoding="utf-8").replace("VERSION", digest.hexdigest()[:16])
    service.write_text(text, encoding="utf-8")
    _write_json(folder / "files.json", ["./", *(one.relative_to(folder).as_posix() for one in kept)])


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
