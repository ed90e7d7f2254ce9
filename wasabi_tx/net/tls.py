"""TLS that authenticates the server: by authorities, by a file of them, or by its certificate's fingerprint."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ssl
from contextlib import suppress
from dataclasses import replace

from .address import Address

ASK_TIMEOUT = 5.0
"""Seconds to wait for a server's certificate."""


def fingerprint_of(certificate: bytes) -> str:
    """Return the SHA-256 of a DER certificate in hexadecimal, the `fp` of invites."""
    return hashlib.sha256(certificate).hexdigest()


def client_context(address: Address) -> ssl.SSLContext:
    """Return a context whose handshake fails for any other server; raise `OSError` if the CA file is unusable."""
    if address.fingerprint:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    else:
        context = ssl.create_default_context(cafile=address.ca)
    context.sslsocket_class = _careful_socket(address.fingerprint)
    return context


async def with_proof(address: Address) -> Address:
    """Return an address with the fingerprint of its server's certificate, if a file of trusted ones vouches for it.

    If the server cannot be asked now, the address stays as it is: whoever connects learns why.
    """
    if not address.tls or address.ca is None or address.fingerprint:
        return address
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(ASK_TIMEOUT):
            _, writer = await asyncio.open_connection(address.host, address.port, ssl=client_context(address))
        shown: ssl.SSLObject = writer.get_extra_info("ssl_object")
        writer.transport.abort()
        return replace(address, fingerprint=fingerprint_of(shown.getpeercert(binary_form=True) or b""))
    return address


def _careful_socket(fingerprint: str) -> type[ssl.SSLSocket]:
    class CarefulSocket(ssl.SSLSocket):
        """Compares the certificate within the handshake, so that not a byte reaches another server."""

        def do_handshake(self, block: bool = False) -> None:
            try:
                super().do_handshake(block)
                certificate = self.getpeercert(binary_form=True) or b""
                if fingerprint and not hmac.compare_digest(fingerprint_of(certificate), fingerprint):
                    raise ssl.SSLCertVerificationError("the certificate has another fingerprint")
            except BaseException:
                self.close()
                raise

    return CarefulSocket
