"""TLS that authenticates the server: by authorities, by a file of them, or by its certificate's fingerprint."""

from __future__ import annotations

import hashlib
import hmac
import ssl

from .address import Address


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
