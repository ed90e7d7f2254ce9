"""A webhook: one short message to an address on the web that a person has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

SECONDS = 10.0
ENOUGH = 65_536
"""Bytes of an answer that are read; nobody looks at them."""


class WebhookFailed(Exception):
    """The message did not get there; `reason` says why, without the address."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _NoRedirect(HTTPRedirectHandler):
    """An address that a person has chosen leads to no other."""

    def redirect_request(self, *_args: object, **_kwargs: object) -> None:
        return None


def is_webhook(url: str) -> bool:
    """Whether a message can be sent there."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def send_webhook(url: str, headers: Mapping[str, str], body: bytes) -> None:
    """Sends it and waits for the answer, in a thread of the caller's; `WebhookFailed` if that does not work."""
    request = Request(url, body, dict(headers), method="POST")
    try:
        with build_opener(_NoRedirect()).open(request, timeout=SECONDS) as answer:
            answer.read(ENOUGH)
    except HTTPError as error:
        error.close()
        raise WebhookFailed(f"HTTP {error.code}") from None
    except URLError as error:
        raise WebhookFailed(str(error.reason)) from None
    except OSError as error:
        raise WebhookFailed(str(error) or type(error).__name__) from None
    except (HTTPException, ValueError) as error:
        # What they say may quote the address, which may be secret.
        raise WebhookFailed(type(error).__name__) from None
