"""Send what is large to a few devices at once: the hall's network belongs to the evening."""

from typing import ClassVar

from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

#: Devices that fetch the same kind at once; the others come again a moment later.
MOST = 4


class FewAtOnce(Response):
    """A response that counts, with the others of its class, until it is sent or the other side has gone."""

    sent: ClassVar[int] = 0  # at once, now

    def __init_subclass__(cls) -> None:
        cls.sent = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        type(self).sent += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            type(self).sent -= 1

    @classmethod
    def busy(cls) -> Response | None:
        """Return the answer to one too many: to come again; None where there is room."""
        if cls.sent < MOST:
            return None
        return JSONResponse({"error": "later", "message": "others fetch now"}, 503, {"Retry-After": "15"})
