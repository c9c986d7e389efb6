"""Slow down whoever guesses: after a few wrong tries each further one waits twice as long as the one before."""

import ipaddress
from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How wrong tries of one kind are slowed down."""

    free: int  # wrong tries that cost nothing
    first: float  # seconds after the next one; doubled by each further one
    longest: float  # seconds at most
    forget: float  # seconds without a wrong try after which all is forgotten


#: For each address: a phone in the hall, or who guesses at all accounts in turn.
ADDRESS = Pace(free=8, first=2.0, longest=900.0, forget=3600.0)

#: For each account, from wherever: shorter, for nobody may lock the director out by guessing at his name.
ACCOUNT = Pace(free=4, first=1.0, longest=30.0, forget=900.0)


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    last: float = 0.0  # seconds
    until: float = 0.0  # seconds: no try is looked at before


class Limits:
    """Wrong tries by key, of one kind.

    :param most: keys that are remembered; the one that was wrong longest ago goes first.
    """

    def __init__(self, pace: Pace, most: int = 10_000) -> None:
        self._pace, self._most = pace, most
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    def wait(self, key: str, now: float) -> float:
        """Return the seconds until a try of this key is looked at; 0: now."""
        tries = self._tries.get(key)
        return max(0.0, tries.until - now) if tries is not None else 0.0

    def count(self, key: str, now: float) -> None:
        """Count a try as wrong, before it is looked at; ``right`` takes it back."""
        tries = self._tries.get(key)
        if tries is None or now - tries.last > self._pace.forget:
            tries = self._tries[key] = _Tries()
        self._tries.move_to_end(key)
        tries.wrong, tries.last = tries.wrong + 1, now
        over = tries.wrong - self._pace.free
        if over > 0:
            tries.until = now + min(self._pace.longest, self._pace.first * 2.0 ** min(over - 1, 20))
        while len(self._tries) > self._most:
            self._tries.popitem(last=False)

    def take_back(self, key: str) -> None:
        """Take back the last try, which was right, and leave those before: one's own account washes no guesses away."""
        tries = self._tries.get(key)
        if tries is not None:
            tries.wrong, tries.until = max(0, tries.wrong - 1), 0.0

    def right(self, key: str) -> None:
        """Forget the wrong tries of a key: the right word was said."""
        self._tries.pop(key, None)


def address_key(host: str) -> str:
    """Return whom an address stands for: IPv4 itself, of IPv6 the network of 64 bits, which one machine fills."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
