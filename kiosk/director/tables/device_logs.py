"""Keep the log bundles that were asked of devices, until somebody has fetched them; in memory, the newest of each."""

import time

#: Devices whose bundle is kept, seconds for which one is awaited, and for which it is kept.
_MOST, _AWAITED_S, _KEPT_S = 40, 300.0, 3600.0


class DeviceLogs:
    """Log bundles by device; nothing comes in that nobody has asked for."""

    def __init__(self) -> None:
        self._awaited: dict[str, float] = {}  # device → monotonic seconds when it was asked
        self._kept: dict[str, tuple[float, int, bytes]] = {}  # … when it came, also as ms since the epoch

    def awaited(self, device: str) -> None:
        """Note that a device was asked for its log."""
        self._awaited[device] = time.monotonic()
        self._kept.pop(device, None)

    def take_in(self, device: str, bundle: bytes) -> None:
        """Take in what a device sends, if it was asked for it."""
        asked = self._awaited.pop(device, None)
        if asked is None or time.monotonic() - asked > _AWAITED_S:
            return
        while len(self._kept) >= _MOST:
            del self._kept[next(iter(self._kept))]
        self._kept[device] = time.monotonic(), int(time.time() * 1000), bundle

    def came(self, device: str) -> int | None:
        """Return when a device's log came, ms since the epoch; None: there is none."""
        kept = self._kept.get(device)
        if kept is None or time.monotonic() - kept[0] > _KEPT_S:
            self._kept.pop(device, None)
            return None
        return kept[1]

    def get(self, device: str) -> bytes | None:
        """Return a device's log bundle; None: there is none (any more)."""
        return self._kept[device][2] if self.came(device) is not None else None
