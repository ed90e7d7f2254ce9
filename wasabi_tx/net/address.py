"""The address of a broker, with the credentials of both sides: `mqtt://`, `mqtts://`, `ws://`, `wss://`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

# scheme: (TLS, websockets, default port)
SCHEMES = {
    "mqtt": (False, False, 1883),
    "mqtts": (True, False, 8883),
    "ws": (False, True, 80),
    "wss": (True, True, 443),
}
USER = "WASABI_TX_BROKER_USER"
PASSWORD = "WASABI_TX_BROKER_PASSWORD"
PLAYER = "play"
"""The user of an embedded broker who may publish; the invite contains the password."""
KNOCKER = "knock"
"""The user name, and password, of guests who may only ask to be let in."""
WEBSOCKET_PATH = "/mqtt"
_MAX_LETTERS = 2_000
_HOST = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?\.?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9._-]+)?")
_PATH = re.compile(r"(/[A-Za-z0-9._~!$&'()*+,;=:%-]*)+")
_PROOFS = ("ca=", "fp=")
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")


class AddressFault(StrEnum):
    """The faulty part of a broker's address."""

    LETTERS = "letters"
    SCHEME = "scheme"
    HOST = "host"
    LOGIN = "login"
    PORT = "port"
    PATH = "path"
    PROOF = "proof"


class BadAddress(Exception):
    """An unusable broker address; `found` is the faulty part, if it cannot contain a password."""

    def __init__(self, code: AddressFault, found: str = "") -> None:
        super().__init__(code, found)
        self.code = code
        self.found = found


@dataclass(frozen=True, slots=True)
class Address:
    """A broker. With a fingerprint (SHA-256 of the certificate, in hexadecimal), only that identifies the server."""

    host: str
    port: int
    tls: bool = False
    websockets: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None
    fingerprint: str = ""
    path: str = ""
    relay: int = 0
    """The broker's number in the list of relays, whose traffic is limited; 0 for any other broker."""

    @property
    def scheme(self) -> str:
        return next(name for name, (tls, ws, _) in SCHEMES.items() if (tls, ws) == (self.tls, self.websockets))

    def __str__(self) -> str:
        """Return the address without its password, safe to print."""
        return self._format(f"{quote(self.user, safe='')}@" if self.user else "")

    def url(self) -> str:
        """Return the whole address with its password; `parse_broker_url` reads it back."""
        login = quote(self.user, safe="")
        if self.password:
            login += ":" + quote(self.password, safe="")
        return self._format(f"{login}@" if login else "")

    def _format(self, login: str) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == SCHEMES[self.scheme][2] else f":{self.port}"
        proofs = {"ca": quote(str(self.ca)) if self.ca else "", "fp": self.fingerprint}
        fragment = "&".join(f"{name}={value}" for name, value in proofs.items() if value)
        return f"{self.scheme}://{login}{host}{port}{self.path}" + (f"#{fragment}" if fragment else "")


def parse_broker_url(text: str, environment: Mapping[str, str] | None = None) -> Address:
    """Parse a broker's address or a bare host[:port]; user and password may come from the environment instead.

    After a `#` may follow `ca=` with a file of certificates to trust, or `fp=` with the one certificate's fingerprint.
    """
    text = text.strip()
    if not text or len(text) > _MAX_LETTERS or not text.isprintable():
        raise BadAddress(AddressFault.LETTERS)
    if "://" not in text:
        text = "mqtt://" + text
    scheme = text.partition("://")[0].lower()
    if scheme not in SCHEMES:
        raise BadAddress(AddressFault.SCHEME, "" if "@" in scheme else scheme[:20])
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        raise BadAddress(AddressFault.HOST) from None
    if "@" in parts.path + parts.query or ("@" in parts.fragment and not parts.fragment.startswith(_PROOFS)):
        # The password contains / ? or #: the part before that would be taken for a port, and shown.
        raise BadAddress(AddressFault.LOGIN)
    if not _HOST.fullmatch(host):
        raise BadAddress(AddressFault.HOST)
    tls, websockets, standard = SCHEMES[scheme]
    address = Address(host, _port(parts.netloc, standard), tls, websockets)
    if parts.username or parts.password:
        address = replace(address, user=unquote(parts.username or ""), password=unquote(parts.password or ""))
    elif environment is not None and environment.get(USER):
        address = replace(address, user=environment[USER], password=environment.get(PASSWORD, ""))
    if address.password and not address.user:
        raise BadAddress(AddressFault.LOGIN)
    if parts.query or (parts.path not in ("", "/") and not (websockets and _PATH.fullmatch(parts.path))):
        raise BadAddress(AddressFault.PATH)
    return _with_proofs(replace(address, path=parts.path.rstrip("/")), parts.fragment)


def parse_origin(text: str) -> str:
    """Parse the site of a web page as a browser names it: `https://`, a host, and a port unless it is the usual one."""
    scheme, _, rest = text.strip().lower().rstrip("/").partition("://")
    usual = {"http": 80, "https": 443}.get(scheme)
    if usual is None:
        raise BadAddress(AddressFault.SCHEME)
    try:
        host = urlsplit(f"//{rest}").hostname or ""
    except ValueError:
        raise BadAddress(AddressFault.HOST) from None
    port = _port(rest, usual)
    site = f"[{host}]" if ":" in host else host
    if not _HOST.fullmatch(host) or rest not in (site, f"{site}:{port}"):
        raise BadAddress(AddressFault.HOST)
    return f"{scheme}://{site}" + ("" if port == usual else f":{port}")


def _port(netloc: str, standard: int) -> int:
    digits = re.search(r":([^:\]]*)$", netloc.rpartition("@")[2])
    if digits is None or not digits[1]:
        return standard
    if not re.fullmatch(r"[0-9]{1,5}", digits[1]) or not 0 < int(digits[1]) < 65_536:
        raise BadAddress(AddressFault.PORT)
    return int(digits[1])


def _with_proofs(address: Address, fragment: str) -> Address:
    for part in fragment.split("&") if fragment else []:
        name, _, value = part.partition("=")
        if not address.tls or not value or name not in ("ca", "fp"):
            raise BadAddress(AddressFault.PROOF)
        if name == "ca":
            address = replace(address, ca=Path(unquote(value)))
            continue
        fingerprint = value.lower().replace(":", "")
        if not _FINGERPRINT.fullmatch(fingerprint):
            raise BadAddress(AddressFault.PROOF)
        address = replace(address, fingerprint=fingerprint)
    return address
