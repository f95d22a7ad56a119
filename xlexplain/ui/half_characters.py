"""Halves of characters in what a browser sends.

A text in a browser may hold half of a pair that stands for one character, after a script or a bad
paste. Streamlit sends it as it is, the server takes the message for broken and closes the
connection, and the browser connects and sends it again, twice a second. Here such a message is
mended before Streamlit reads it: a sign as long takes the place of each half.
"""

from __future__ import annotations

import re

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

SIGN = "\ufffd"
HALF = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")  # in UTF-8 three bytes, as the sign has


class HalfCharacters:
    """What stands between the connection and Streamlit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on what comes; messages of a browser mended."""

        async def receive_mended() -> Message:
            message = await receive()
            if message.get("bytes"):
                message["bytes"] = mended(message["bytes"])
            return message

        await self.app(scope, receive_mended if scope["type"] == "websocket" else receive, send)


def mended(message: bytes) -> bytes:
    """A message of a browser as it is, or without halves of characters if they break it."""
    if not HALF.search(message):
        return message
    try:
        BackMsg.FromString(message)
    except DecodeError:
        return HALF.sub(SIGN.encode(), message)
    return message
