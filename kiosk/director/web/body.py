"""Read what a request brings."""

import asyncio
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect

from kiosk.director.refusals import NotAnEvent, TooLarge, TooSlow
from kiosk.errors import shorten
from kiosk.table.events.json_text import parsed

#: Bytes of a message from somebody who is not known yet.
SMALL = 16 * 1024

_PATIENCE_S = 30.0  # seconds for a whole message
_LARGEST_BYTES = 8 * 1024 * 1024  # bytes; a whole round is about 150 kB


async def read_object(request: Request, largest: int = _LARGEST_BYTES, optional: bool = False) -> dict[str, Any]:
    """Read the JSON object of a request.

    :param optional: a request that brings nothing means an empty one.
    :raises TooSlow: it does not come to an end.
    :raises TooLarge: it is larger than anything a table or page has to say.
    :raises NotAnEvent: it is none.
    """
    content = await read_bytes(request, largest)
    try:
        body = parsed(content) if content or not optional else {}
    except ValueError as error:
        raise NotAnEvent(f"the message is no JSON: {error}") from None
    if not isinstance(body, dict):
        raise NotAnEvent(f"the message is {shorten(body)}; an object is wanted")
    return body


async def read_bytes(request: Request, largest: int) -> bytes:
    """Read what a request brings, as it is.

    :raises TooSlow: it does not come to an end.
    :raises TooLarge: it is larger than that.
    """
    content = bytearray()
    try:
        async with asyncio.timeout(_PATIENCE_S):
            async for part in request.stream():
                content += part
                if len(content) > largest:
                    raise TooLarge(f"more than {largest} bytes at once; send fewer events in one message")
    except ClientDisconnect:
        raise TooSlow("the message was cut off; send it again") from None
    except TimeoutError:
        raise TooSlow(f"the message was not here after {_PATIENCE_S:.0f} seconds; send it again") from None
    return bytes(content)
