"""Read what a request brings."""

import json
from typing import Any

from fastapi import Request

from kiosk.director.refusals import NotAnEvent, TooLarge

_LARGEST_BYTES = 8 * 1024 * 1024  # bytes; a whole round is about 150 kB


async def read_object(request: Request) -> dict[str, Any]:
    """Read the JSON object of a request.

    :raises TooLarge: it is larger than anything a table or page has to say.
    :raises NotAnEvent: it is none.
    """
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > _LARGEST_BYTES:
            raise TooLarge(f"more than {_LARGEST_BYTES} bytes at once; send fewer events in one message")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise NotAnEvent(f"the message is no JSON: {error}") from None
    if not isinstance(body, dict):
        raise NotAnEvent(f"the message is {str(body)[:80]!r}; an object is wanted")
    return body
