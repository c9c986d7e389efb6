"""Keep what people write and choose before they sit down, until their round has begun: a power cut takes none away."""

import json
import logging
from pathlib import Path
from typing import Any

from kiosk.app.kept_settings import write_whole
from kiosk.rules.books import BOOKS, settle
from kiosk.rules.engine.book import BadOption
from kiosk.ui.seats.seats_view import Written

log = logging.getLogger(__name__)

#: Name of the file in the data folder; one of before has a list of names alone.
KEPT = "names-written.json"


class KeptSeating:
    """The names on the seats, the book and its options; nothing once the round has begun, or nobody has chosen any."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEPT
        self.written = self._read()

    def keep(self, written: Written) -> None:
        """Keep this; a full disk keeps it until the program ends."""
        if written != self.written:
            self.written = written
            content = {"names": written.names, "rules": written.rules, "options": written.options}
            write_whole(self._path, json.dumps(content, ensure_ascii=False) + "\n")

    def _read(self) -> Written:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Written()
        except (OSError, ValueError) as error:
            log.error("%s cannot be read, names are written anew: %s", self._path, error)
            return Written()
        content = kept if isinstance(kept, dict) else {"names": kept}
        rules, options = _checked(content.get("rules"), content.get("options"))
        return Written(names=_names(content.get("names")), rules=rules, options=options)


def _names(kept: Any) -> tuple[str, ...]:
    fits = isinstance(kept, list) and len(kept) in (4, 5) and all(isinstance(one, str) for one in kept)
    return tuple(kept) if fits else ()


def _checked(rules: Any, options: Any) -> tuple[str, dict[str, object]]:
    """The book and its options, as far as this version of the program has them."""
    if not isinstance(rules, str) or rules not in BOOKS or not isinstance(options, dict):
        return "", {}
    try:
        settle(BOOKS[rules], options)
    except BadOption as error:
        log.error("%s: the options kept for %s are left out: %s", KEPT, rules, error)
        return rules, {}
    return rules, options
