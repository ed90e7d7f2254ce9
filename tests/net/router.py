"""A router in a few lines: it answers a search for gateways (SSDP) and forwards ports on request (SOAP).

It forwards nothing really: it notes what it was asked, as a table that tests read.
"""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import randrange
from types import TracebackType

GROUP, PORT = "239.255.255.250", 1900
SERVICE = "urn:schemas-upnp-org:service:WANIPConnection:1"
_DESCRIPTION = f"""<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor></specVersion><device>
<deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><friendlyName>router</friendlyName>
<manufacturer>tests</manufacturer><modelName>router</modelName><UDN>uuid:1</UDN><deviceList><device>
<deviceType>urn:schemas-upnp-org:device:WANDevice:1</deviceType><friendlyName>WAN</friendlyName><UDN>uuid:2</UDN>
<serviceList><service><serviceType>urn:schemas-upnp-org:service:WANCommonInterfaceConfig:1</serviceType>
<serviceId>urn:upnp-org:serviceId:WANCommonIFC1</serviceId><controlURL>/common</controlURL><eventSubURL>/e</eventSubURL>
<SCPDURL>/s.xml</SCPDURL></service></serviceList><deviceList><device>
<deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType><friendlyName>C</friendlyName>
<UDN>uuid:3</UDN><serviceList><service><serviceType>{SERVICE}</serviceType>
<serviceId>urn:upnp-org:serviceId:WANIPConn1</serviceId><controlURL>/control</controlURL><eventSubURL>/e</eventSubURL>
<SCPDURL>/s.xml</SCPDURL></service></serviceList></device></deviceList></device></deviceList></device></root>"""


@dataclass(frozen=True)
class Entry:
    """One port that is forwarded."""

    host: str
    port: int
    lease: int


@dataclass
class FakeRouter:
    """Answers those who look for it from its own address, while it is entered; so many can be on one machine."""

    address: str = field(default_factory=lambda: f"127.{randrange(1, 255)}.{randrange(1, 255)}.{randrange(1, 255)}")
    outside: str = "198.41.0.4"
    """An address of the internet: nothing is ever sent there."""
    taken: tuple[int, ...] = ()
    """Ports outside that others have."""
    for_ever_only: bool = False
    table: dict[int, Entry] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    held: threading.Event = field(default_factory=threading.Event)
    """Until this is set, no request to forward is answered."""
    adding: threading.Event = field(default_factory=threading.Event)
    """Set by the first such request."""

    def __enter__(self) -> FakeRouter:
        self.held.set()
        router = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(200, _DESCRIPTION)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._answer(*router.control(self.headers["SOAPAction"].strip('"').partition("#")[2], body))

            def _answer(self, status: int, text: str) -> None:
                data = text.encode()
                with contextlib.suppress(OSError):
                    self.send_response(status)
                    self.send_header("Content-Type", "text/xml")
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)

            def log_message(self, *_args: object) -> None:
                pass

        self._web = ThreadingHTTPServer((self.address, 0), Handler)
        self._search = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._search.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._search.bind((GROUP, PORT))
        member = struct.pack("4s4s", socket.inet_aton(GROUP), socket.inet_aton(self.address))
        self._search.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._web.serve_forever, self._listen)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.held.set()
        self._web.shutdown()
        self._web.server_close()
        with contextlib.suppress(OSError):
            self._search.shutdown(socket.SHUT_RDWR)
        self._search.close()
        for thread in self._threads:
            thread.join()

    def _listen(self) -> None:
        """Tells everybody who looks for a gateway where to read about us."""
        with contextlib.suppress(OSError):
            while True:
                data, who = self._search.recvfrom(2_000)
                wanted = re.search(rb"^ST: *(\S+)", data, re.MULTILINE | re.IGNORECASE)
                if not data:
                    return
                if who[0] != self.address or wanted is None or b"InternetGateway" not in wanted[1]:
                    continue
                where = f"http://{self.address}:{self._web.server_address[1]}/root.xml"
                lines = ["HTTP/1.1 200 OK", "CACHE-CONTROL: max-age=60", "EXT:", f"LOCATION: {where}", "SERVER: tests"]
                lines += [f"ST: {wanted[1].decode()}", f"USN: uuid:1::{wanted[1].decode()}", "", ""]
                self._search.sendto("\r\n".join(lines).encode(), who)

    def control(self, action: str, body: str) -> tuple[int, str]:
        """The answer to one request."""
        self.asked.append(action)

        def of(name: str) -> str:
            found = re.search(f"<{name}[^>]*>([^<]*)</{name}>", body)
            return found[1] if found is not None else ""

        match action:
            case "GetStatusInfo":
                return _said(
                    action, NewConnectionStatus="Connected", NewLastConnectionError="ERROR_NONE", NewUptime="9"
                )
            case "GetExternalIPAddress":
                return _said(action, NewExternalIPAddress=self.outside)
            case "AddPortMapping":
                self.adding.set()
                self.held.wait()
                port, lease = int(of("NewExternalPort")), int(of("NewLeaseDuration"))
                if self.for_ever_only and lease:
                    return _fault(725, "OnlyPermanentLeasesSupported")
                if port in self.taken:
                    return _fault(718, "ConflictInMappingEntry")
                self.table[port] = Entry(of("NewInternalClient"), int(of("NewInternalPort")), lease)
                return _said(action)
            case "DeletePortMapping":
                self.table.pop(int(of("NewExternalPort")), None)
                return _said(action)
        return _fault(401, "Invalid Action")


def _envelope(inside: str) -> str:
    start = '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
    return f'{start}s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>{inside}</s:Body></s:Envelope>'


def _said(action: str, **values: str) -> tuple[int, str]:
    inside = "".join(f"<{name}>{value}</{name}>" for name, value in values.items())
    return 200, _envelope(f'<u:{action}Response xmlns:u="{SERVICE}">{inside}</u:{action}Response>')


def _fault(code: int, words: str) -> tuple[int, str]:
    detail = f"<errorCode>{code}</errorCode><errorDescription>{words}</errorDescription>"
    error = f'<UPnPError xmlns="urn:schemas-upnp-org:control-1-0">{detail}</UPnPError>'
    return 500, _envelope(
        f"<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>{error}</detail></s:Fault>"
    )
