"""Describe the director's end of a table's socket."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, slots=True)
class LineEnd:
    """The director's end of one table's socket."""

    device: str
    send: Callable[[dict[str, Any]], Awaitable[None]]
    replace: Callable[[], Awaitable[None]]  # another socket of this table has come
    since: int  # ms since the epoch
    holder: str = ""  # id of the device whose secret was shown
    rulings: bool = False  # a referee may rule on its screen
    close: Callable[[], Awaitable[None]] | None = None  # its table's rights have changed: it shall come again
    sent: set[int] = field(default_factory=set)  # numbers of the orders that went over this socket
    plans: bool = False  # it has asked for the plan, and is informed when it changes
    plan: dict[str, Any] | bool | None = False  # the plan sent last; False: none yet
    lists: bool = False  # it has asked what was put right of its lists, and is informed when that changes
    told: dict[str, Any] | None = None  # what it was told of them last; None: nothing yet
    takes: tuple[str, str] | None = None  # machine and Python of the releases that its device takes; None: none
    tasks: tuple[str, ...] = ()  # what may be asked of its device
    offered: dict[str, Any] | bool | None = False  # the release offered last; False: nothing said of it yet
    parcels: tuple[str, ...] = ()  # kinds of parcels that its device takes
    given: Mapping[str, Any] | None = None  # the parcels that it was told of last; None: nothing said yet
    pictures: bool = False  # its device keeps pictures of cards, and may be asked for them
    heard: float = 0.0  # monotonic seconds
    waits: asyncio.Timeout | None = None  # while its next word is waited for
