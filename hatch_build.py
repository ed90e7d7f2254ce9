"""What the metadata says of the outside: where the project lives, who answers, and a README that is right elsewhere.

Both are the publisher's, who gives them in the environment of a build: `PROJECT_URL`, the repository's page, and
`PROJECT_EMAIL`. A build without them names neither, and its description has words instead of links to files.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

AUTHORS = "The Wasabi TX authors"
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")
SOURCE = re.compile(r'(src|srcset)="(?!https?:)([^"]+)"')
PICTURES = re.compile(r"<picture>.*?</picture>\n*|<img [^>]*>\n*|!\[[^\]]*\]\([^)]*\)\n*", re.DOTALL)
"""Every picture, with the empty lines after it."""
IN_THIS_FOLDER = {
    ", in this folder:": ":",
    "pip install -q . &&": "pip install -q wasabi-tx &&",
    "uvx --from . wasabi-tx": "uvx wasabi-tx",
    "pipx install .": "pipx install wasabi-tx",
}
"""How the README installs from the folder around it, and how that is done from a package index."""


def described(readme: str, url: str, version: str) -> str:
    """Return the README for a place that has none of the files beside it; with a `url`, the package is on an index."""
    if not url:
        return LINK.sub(r"\1", PICTURES.sub("", readme))
    for here, there in IN_THIS_FOLDER.items():
        readme = readme.replace(here, there)
    at = f"{url}/{{}}/v{version}"
    found = SOURCE.sub(rf'\1="{at.format("raw")}/\2"', readme)
    return LINK.sub(rf"[\1]({at.format('blob')}/\2)", found)


def urls_of(url: str) -> dict[str, str]:
    pages = {
        "Repository": "",
        "Changelog": "/blob/main/CHANGELOG.md",
        "Issues": "/issues",
        "Documentation": "/tree/main/docs",
    }
    return {name: url + page for name, page in pages.items()} if url else {}


class CustomMetadataHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what a source distribution does not say already."""
        url, email = os.environ.get("PROJECT_URL", "").rstrip("/"), os.environ.get("PROJECT_EMAIL", "")
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = described(readme, url, metadata["version"])
        metadata.setdefault("readme", {"content-type": "text/markdown", "text": text})
        metadata.setdefault("authors", [{"name": AUTHORS, **({"email": email} if email else {})}])
        if url:
            metadata.setdefault("urls", urls_of(url))
