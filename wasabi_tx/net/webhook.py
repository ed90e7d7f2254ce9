"""A webhook: one short message to a web address that the user has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

SECONDS = 10.0
ENOUGH = 65_536
"""Most bytes of a response to read; they are ignored."""


class WebhookFailed(Exception):
    """The message was not delivered; `reason` explains why, without the address."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _NoRedirect(HTTPRedirectHandler):
    """Refuses redirects: an address that the user chose leads to no other."""

    def redirect_request(self, *_args: object, **_kwargs: object) -> None:
        return None


def is_webhook(url: str) -> bool:
    """Return whether a message can be sent to this URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def send_webhook(url: str, headers: Mapping[str, str], body: bytes) -> None:
    """Send a message and wait for the response, blocking; raise `WebhookFailed` if that does not work."""
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
        # Their messages may quote the address, which may be secret.
        raise WebhookFailed(type(error).__name__) from None
