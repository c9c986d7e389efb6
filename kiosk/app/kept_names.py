"""Keep the names that people write before they sit down, until their round has begun: a power cut takes none away."""

import json
import logging
from pathlib import Path

from kiosk.app.kept_settings import write_whole

log = logging.getLogger(__name__)

#: Name of the file in the data folder.
KEPT = "names-written.json"


class KeptNames:
    """The names on the seats, seat 1 first; () once the round has begun, or where nobody has written any."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEPT
        self.names = self._read()

    def keep(self, names: tuple[str, ...]) -> None:
        """Keep these names; a full disk keeps them until the program ends."""
        if names != self.names:
            self.names = names
            write_whole(self._path, json.dumps(names, ensure_ascii=False) + "\n")

    def _read(self) -> tuple[str, ...]:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as error:
            log.error("%s cannot be read, names are written anew: %s", self._path, error)
            return ()
        fits = isinstance(kept, list) and len(kept) in (4, 5) and all(isinstance(one, str) for one in kept)
        return tuple(kept) if fits else ()
