"""The project's site as static files: `python -m tests.lab.site DIR`, with `pip install -e '.[site]'`.

It holds this repository's pages, the whole program in a browser tab (`play/`) and the viewer of games (`viewer/`).
Nothing on it asks another server for anything. A link that leads nowhere is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = {
    "Wasabi TX": "README.md",
    "Play": [
        {"In this browser": "play/index.html"},
        {"Open a game": "viewer/index.html"},
        {"Online": "docs/online.md"},
        {"For days": "docs/days.md"},
        {"Rulings": "docs/rulings.md"},
        {"Your own box": "docs/your-own-box.md"},
    ],
    "Operate": [
        {"A broker": "docs/operating.md"},
        {"Beyond one machine": "docs/cluster.md"},
    ],
    "Protocol": "protocol",
    "Project": [
        {"Security": "SECURITY.md"},
        {"Changes": "CHANGELOG.md"},
        {"Contributing": "CONTRIBUTING.md"},
        {"Architecture": "ARCHITECTURE.md"},
        {"Laboratory": "tests/lab/README.md"},
    ],
}
"""The tabs of the site, and the files of each; a folder stands for its numbered pages."""
BESIDE = (
    "LICENSE",
    "docs/pictures",
    *(f"protocol/{name}" for name in ("schema", "vectors", "examples", "wasabi_protocol")),
)
"""Files to which pages lead."""
UNWANTED = shutil.ignore_patterns("__pycache__", "*.md")
INSIDE = ("protocol/vectors/README.md", "tests/lab/README.md")
FENCE = re.compile(r"^(```\S+) .*$", re.MULTILINE)
"""The first line of an example whose language is given in more than one word."""
STYLE = """
[data-md-color-scheme=slate] {
  --md-hue: 40; --md-default-bg-color: #14110d; --md-default-fg-color: #f2ebda; --md-primary-fg-color: #29301a;
  --md-typeset-a-color: #b6de5a; --md-accent-fg-color: #ffcc55;
}
[data-md-color-scheme=default] {
  --md-primary-fg-color: #4e6a1f; --md-typeset-a-color: #4e6a1f; --md-accent-fg-color: #a34a1c;
}
.md-typeset h1 { color: inherit; }
"""


def pages() -> list[Path]:
    """Return the pages of this repository."""
    return [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "protocol").glob("*.md"),
        *map(ROOT.joinpath, INSIDE),
    ]


def nav() -> list[object]:
    """Return the pages in the words of MkDocs."""
    protocol = [
        {"Overview": "protocol/README.md"},
        *(f"protocol/{page.name}" for page in sorted((ROOT / "protocol").glob("[0-9]*.md"))),
        {"Vectors": "protocol/vectors/README.md"},
    ]
    return [{name: protocol if pages == "protocol" else pages} for name, pages in PAGES.items()]


def configuration(source: Path, target: Path) -> dict[str, object]:
    schemes = (("light", "default", "weather-night", "slate"), ("dark", "slate", "weather-sunny", "default"))
    palette = [
        {"media": f"(prefers-color-scheme: {kind})", "scheme": scheme, "primary": "custom", "accent": "custom",
         "toggle": {"icon": f"material/{icon}", "name": f"Show it {'dark' if kind == 'light' else 'light'}"}}
        for kind, scheme, icon, _ in schemes
    ]  # fmt: skip
    return {
        "site_name": "Wasabi TX",
        "site_description": "The sushi board game Wasabi! in the terminal",
        "docs_dir": str(source),
        "site_dir": str(target),
        # Pages are files with their names, so that any server and a folder on the disk show them.
        "use_directory_urls": False,
        "strict": True,
        "nav": nav(),
        "theme": {
            "name": "material",
            # A font of the reader's machine: no page asks a stranger for one.
            "font": False,
            "icon": {"logo": "material/fish"},
            "features": ["navigation.tabs", "navigation.top", "content.code.copy", "search.suggest"],
            "palette": palette,
        },
        "extra_css": ["site.css"],
        "extra": {"generator": False},
        "plugins": ["search"],
        "markdown_extensions": ["tables", "toc", "attr_list", "md_in_html", "admonition", "pymdownx.superfences"],
        "validation": {
            "nav": {"omitted_files": "warn", "not_found": "warn", "absolute_links": "warn"},
            "links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"},
        },
    }


def gather(source: Path, play: Path | None) -> None:
    """Copy everything that the site shows into one folder, at the places to which pages lead."""
    for path in pages():
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(FENCE.sub(r"\1", path.read_text(encoding="utf-8")), encoding="utf-8")
    for name in BESIDE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=UNWANTED, dirs_exist_ok=True)
        else:
            shutil.copy(ROOT / name, source / name)
    (source / "site.css").write_text(STYLE, encoding="utf-8")
    (source / "viewer").mkdir()
    viewer = str(source / "viewer" / "index.html")
    _run(sys.executable, "-m", "wasabi_tx", "export", "--html", viewer)
    if play is None:
        _run(sys.executable, "-m", "wasabi_tx.web", str(source / "play"))
    else:
        shutil.copytree(play, source / "play")


def _run(*words: str) -> None:
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, check=False, cwd=ROOT, env=quiet, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\n{Path(words[0]).name} failed.")


def build(target: Path, play: Path | None = None) -> None:
    """Build the site; a tab that was built before may be given."""
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "pages"
        gather(source, play)
        # YAML reads JSON.
        (Path(name) / "mkdocs.yml").write_text(json.dumps(configuration(source, target.absolute())), encoding="utf-8")
        # Its strictness counts only the warnings that it prints.
        _run(sys.executable, "-m", "mkdocs", "build", "--config-file", str(Path(name) / "mkdocs.yml"))
    _run(str(Path(sys.executable).parent / "linkchecker"), "--no-status", str(target / "index.html"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.site", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--play", type=Path, metavar="DIR", help="what `python -m wasabi_tx.web DIR` has built already")
    wished = parser.parse_args()
    build(wished.folder, wished.play)
    files = [one for one in wished.folder.rglob("*") if one.is_file()]
    print(f"{wished.folder}: {len(files)} files, {sum(one.stat().st_size for one in files) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
