"""A notification daemon in place of the desktop's: it runs a command on its bus and prints what that shows."""

from __future__ import annotations

import asyncio
import sys

from dbus_fast import Message
from dbus_fast.aio import MessageBus

NAME = "org.freedesktop.Notifications"
DESCRIBED = f"""
<node><interface name="{NAME}">
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
<arg type="s" direction="out"/><arg type="s" direction="out"/></method>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
<signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
<signal name="NotificationReplied"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""


def answer(message: Message) -> Message | None:
    match message.member:
        case "Introspect" if message.path == "/org/freedesktop/Notifications":
            return Message.new_method_return(message, "s", [DESCRIBED])
        case "Notify":
            _, _, _, summary, body, *_ = message.body
            print(f"shown: {summary} | {body}", flush=True)
            return Message.new_method_return(message, "u", [1])
        case "GetCapabilities":
            return Message.new_method_return(message, "as", [["body"]])
        case "GetServerInformation":
            return Message.new_method_return(message, "ssss", ["tests", "tests", "1", "1.2"])
    return None


async def main() -> int:
    bus = await MessageBus().connect()
    bus.add_message_handler(answer)
    await bus.request_name(NAME)
    child = await asyncio.create_subprocess_exec(*sys.argv[1:])
    return await child.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
