"""Every page of this repository is on the site."""

from __future__ import annotations

import re

from tests.lab.site import FENCE, PAGES, ROOT, nav, pages


def listed(entry: object) -> list[str]:
    """Return the files that an entry of the navigation names."""
    if isinstance(entry, str):
        return [entry]
    inner = entry.values() if isinstance(entry, dict) else entry
    assert isinstance(inner, list | type({}.values()))
    return [name for one in inner for name in listed(one)]


def test_the_navigation_leads_to_every_page_and_to_what_is_built() -> None:
    built = {"play/index.html", "viewer/index.html"}
    assert {str(page.relative_to(ROOT)) for page in pages()} | built == set(listed(nav()))
    assert [next(iter(one)) for one in nav() if isinstance(one, dict)] == list(PAGES)


def test_examples_of_a_kind_with_several_words_are_still_examples() -> None:
    text = "```mosquitto conf\nlistener 1883\n```\n```sh\nls -l\n```\n"
    assert FENCE.sub(r"\1", text) == "```mosquitto\nlistener 1883\n```\n```sh\nls -l\n```\n"
    for page in pages():
        assert not re.search(r"^```\S+ ", FENCE.sub(r"\1", page.read_text(encoding="utf-8")), re.MULTILINE)
