"""A screen that keeps what a desk shows and refuses, for tests of desks without one."""

from typing import Any


class DeskScreen:
    """Keeps views and refusals; nobody writes on it."""

    somebody_writes = False

    def __init__(self) -> None:
        self.views: list[Any] = []
        self.refusals: list[str] = []

    def parcels(self, view: Any) -> None:
        self.views.append(view)

    releases = parcels

    def show(self, view: Any) -> None: ...
    def notice(self, kind: str, text: str) -> None: ...
    def refused(self, code: str, section: str = "", detail: str = "", way: Any = None, request: Any = None) -> None:
        self.refusals.append(code)
