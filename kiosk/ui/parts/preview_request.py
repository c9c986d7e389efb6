"""Asking what a request would change in the list."""

from dataclasses import dataclass

from kiosk.table.events.values import Request


@dataclass(frozen=True, slots=True)
class ShowPreview:
    """What a request would change in the list is wanted; nothing is noted."""

    request: Request
