"""An internet between homes: every packet goes through this program, which delays, loses and translates it.

Each home is a network namespace with the same private address, as homes have; outside is another one, for servers. It
needs permission to create namespaces, and no kernel module beyond those and TUN.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import heapq
import os
import selectors
import socket
import struct
import subprocess
import threading
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from types import TracebackType

from tests.lab.homes.packets import DESTINATION, SOURCE, Flow, incoming, is_routed, outgoing, with_address

PRIVATE = "192.168.1.10"
"""The address of the machine in every home."""
SERVERS = ("203.0.113.5", "203.0.113.6", "203.0.113.7")
_PUBLIC = "203.0.113.{}"
_FIRST_HOME = 101
_NEW_NETWORK = 0x40000000
_TUN, _NO_INFORMATION, _SET_INTERFACE = 1, 0x1000, 0x400454CA
_LARGEST = 65_536


class NotAllowed(Exception):
    """This machine does not let us create network namespaces; the message says what failed."""


class Internet:
    """Homes and servers that reach each other through us inside this context manager."""

    def __init__(self, homes: int, round_trip: float, loss: float, seed: int = 1) -> None:
        """Set up; `round_trip` is in seconds between a home and the servers, `loss` is per packet and direction."""
        mark = f"wsb{os.getpid()}"
        self.outside = f"{mark}-out"
        self.homes = [f"{mark}-home{number}" for number in range(1, homes + 1)]
        self.carried = self.lost = self.turned_away = 0
        self.cut: set[str] = set()
        """Servers that nobody can reach at present."""
        self._delay = round_trip / 2
        self._loss = loss
        self._chance = Random(seed)
        self._flows: list[set[Flow]] = [set() for _ in self.homes]
        self._doors: list[int] = []
        self._due: list[tuple[float, int, int, bytes]] = []
        self._numbers = count()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._carry, name="internet", daemon=True)

    def __enter__(self) -> Internet:
        try:
            for home in self.homes:
                self._doors.append(_namespace(home, f"{PRIVATE}/24"))
                _inside(home, "ip", "route", "add", "default", "dev", "tun0")
            self._doors.append(_namespace(self.outside, *(f"{server}/24" for server in SERVERS)))
        except (OSError, subprocess.CalledProcessError) as error:
            self._clean()
            raise NotAllowed(str(error)) from None
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._thread.join()
        self._clean()

    def _clean(self) -> None:
        for door in self._doors:
            os.close(door)
        self._doors = []
        for name in (*self.homes, self.outside):
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)

    def _carry(self) -> None:
        """Take packets from every door and deliver them when they are due."""
        with selectors.DefaultSelector() as selector:
            for number, door in enumerate(self._doors):
                selector.register(door, selectors.EVENT_READ, number)
            while not self._ending.is_set():
                wait = min(0.1, max(0.0, self._due[0][0] - monotonic())) if self._due else 0.1
                for key, _ in selector.select(wait):
                    self._take(int(key.data))
                while self._due and self._due[0][0] <= monotonic():
                    _, _, door, packet = heapq.heappop(self._due)
                    with contextlib.suppress(OSError):
                        os.write(self._doors[door], packet)

    def _take(self, door: int) -> None:
        while True:
            try:
                packet = os.read(self._doors[door], _LARGEST)
            except BlockingIOError:
                return
            routed = self._from_outside(packet) if door == len(self.homes) else self._from_home(door, packet)
            if routed is None:
                continue
            if self._chance.random() < self._loss:
                self.lost += 1
                continue
            self.carried += 1
            heapq.heappush(self._due, (monotonic() + self._delay, next(self._numbers), *routed))

    def _from_home(self, home: int, packet: bytes) -> tuple[int, bytes] | None:
        """Send a packet out through a home's NAT, which remembers the flow."""
        if not is_routed(packet) or (server := _text(packet, DESTINATION)) not in SERVERS or server in self.cut:
            return None
        self._flows[home].add(outgoing(packet))
        return len(self.homes), with_address(packet, SOURCE, _public(home))

    def _from_outside(self, packet: bytes) -> tuple[int, bytes] | None:
        """Let a packet in through a home's NAT, which admits only answers."""
        if not is_routed(packet) or _text(packet, SOURCE) in self.cut:
            return None
        for home, flows in enumerate(self._flows):
            if _text(packet, DESTINATION) == _public(home):
                if incoming(packet) in flows:
                    return home, with_address(packet, DESTINATION, PRIVATE)
                self.turned_away += 1
        return None


def _public(home: int) -> str:
    return _PUBLIC.format(_FIRST_HOME + home)


def _text(packet: bytes, at: int) -> str:
    return socket.inet_ntoa(packet[at : at + 4])


def _namespace(name: str, *addresses: str) -> int:
    """Create a namespace with these addresses; return the descriptor through which its packets come and go."""
    subprocess.run(["ip", "netns", "add", name], check=True, capture_output=True)
    door = _open_tun(name)
    _inside(name, "ip", "link", "set", "lo", "up")
    _inside(name, "ip", "link", "set", "tun0", "up")
    for address in addresses:
        _inside(name, "ip", "address", "add", address, "dev", "tun0")
    return door


def _inside(name: str, *command: str) -> None:
    subprocess.run(["ip", "netns", "exec", name, *command], check=True, capture_output=True)


def _open_tun(name: str) -> int:
    """Open a TUN device in a namespace, from a thread that enters it: the descriptor works everywhere."""
    found: list[int | OSError] = []

    def work() -> None:
        try:
            with (Path("/var/run/netns") / name).open("rb") as place:
                if ctypes.CDLL(None, use_errno=True).setns(place.fileno(), _NEW_NETWORK):
                    raise OSError(ctypes.get_errno(), "setns")
            door = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(door, _SET_INTERFACE, struct.pack("16sH22x", b"tun0", _TUN | _NO_INFORMATION))
            found.append(door)
        except OSError as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    (result,) = found
    if isinstance(result, OSError):
        raise result
    return result
