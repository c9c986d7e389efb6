"""Put off what is to be drawn until the next frame, and draw of each state only the newest."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, ParamSpec, cast

from kivy.clock import Clock

_P = ParamSpec("_P")


class NextFrame:
    """Calls that are carried out in their order before the next frame; all on the screen's thread."""

    def __init__(self) -> None:
        self._calls: list[Callable[[], None]] = []
        self._states: dict[str, Callable[[], None]] = {}
        self._wake = Clock.create_trigger(self._draw, -1)

    def put(self, call: Callable[[], None], state: str = "") -> None:
        """Have a call carried out.

        :param state: what it shows the newest state of; of several that wait only the last is carried out, after all
            other calls.
        """
        if state:
            self._states[state] = call
        else:
            self._calls.append(call)
        self._wake()

    def _draw(self, *_: object) -> None:
        calls, self._calls = self._calls, []
        states, self._states = self._states, {}
        for call in (*calls, *states.values()):
            call()


def before_next_frame(*, newest: bool = False) -> Callable[[Callable[_P, None]], Callable[_P, None]]:
    """Let a method of an object with a ``next_frame`` run before the next frame, when the widgets stand.

    :param newest: it shows a state: of several calls that wait only the last is carried out.
    """

    def decorate(method: Callable[_P, None]) -> Callable[_P, None]:
        @wraps(method)
        def later(*args: _P.args, **kwargs: _P.kwargs) -> None:
            frame: NextFrame = cast(Any, args[0]).next_frame
            frame.put(partial(method, *args, **kwargs), method.__name__ if newest else "")

        return later

    return decorate
