"""The browser's websockets, and the worker in which a tab's bots think."""

from __future__ import annotations

import asyncio

import js
import page
from pyodide.ffi import JsProxy, create_proxy, to_js

_CLOSED = object()


class PageSocket:
    """One websocket of the browser; opened by `dial`."""

    def __init__(self, url: str) -> None:
        self._arrived: asyncio.Queue[object] = asyncio.Queue()
        self._opened = asyncio.get_running_loop().create_future()
        self._socket = js.WebSocket.new(url, "mqtt")
        self._socket.binaryType = "arraybuffer"
        self._proxies = {
            "open": create_proxy(self._on_open),
            "message": create_proxy(self._on_message),
            "close": create_proxy(self._on_close),
        }
        for name, proxy in self._proxies.items():
            self._socket.addEventListener(name, proxy)

    async def opened(self) -> None:
        try:
            await self._opened
        except BaseException:
            self.close()
            raise

    def _on_open(self, _event: JsProxy) -> None:
        if not self._opened.done():
            self._opened.set_result(None)

    def _on_message(self, event: JsProxy) -> None:
        self._arrived.put_nowait(event.data.to_bytes())

    def _on_close(self, event: JsProxy) -> None:
        if not self._opened.done():
            self._opened.set_exception(ConnectionRefusedError(f"code {event.code}"))
        self._arrived.put_nowait(_CLOSED)

    def send(self, data: bytes) -> None:
        self._socket.send(to_js(data))

    async def receive(self) -> bytes:
        data = await self._arrived.get()
        if not isinstance(data, bytes):
            raise ConnectionResetError("the websocket was closed")
        return data

    def close(self) -> None:
        for name, proxy in self._proxies.items():
            self._socket.removeEventListener(name, proxy)
            proxy.destroy()
        self._proxies.clear()
        self._socket.close()


async def dial(url: str) -> PageSocket:
    """Open a websocket for MQTT; a page learns no more about a failure than that there was one."""
    try:
        socket = PageSocket(url)
    except Exception as error:
        # A page over https may not open an insecure websocket, and the browser refuses at once.
        raise ConnectionRefusedError(str(error)) from None
    await socket.opened()
    return socket


class PageWorker:
    """A web worker with a Python of its own: a browser's stand-in for the bot process."""

    def __init__(self) -> None:
        self._answers: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._ended = False
        self._proxy = create_proxy(self._on_answer)
        self._worker = page.startWorker(self._proxy)

    @classmethod
    async def start(cls) -> PageWorker:
        return cls()

    def _on_answer(self, answer: JsProxy | None) -> None:
        self._answers.put_nowait(None if answer is None else answer.to_bytes())

    @property
    def ended(self) -> bool:
        return self._ended

    async def send(self, request: bytes) -> None:
        self._worker.postMessage(to_js(request))

    async def receive(self) -> bytes:
        answer = await self._answers.get()
        if answer is None:
            self.stop()
            raise ConnectionResetError("the worker failed")
        return answer

    def stop(self) -> None:
        if not self._ended:
            self._ended = True
            self._worker.terminate()
            self._proxy.destroy()

    async def close(self) -> None:
        self.stop()
