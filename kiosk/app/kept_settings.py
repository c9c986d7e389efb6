"""Keep what people set on the screen beside what the table's file says: a small JSON file in the data folder.

Only what differs from the file is kept, so that a later change of the file counts wherever the screen said nothing.
Between the two stands what the direction has given (``kiosk.app.given``).
"""

import json
import logging
import os
from collections.abc import Collection
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from kiosk.app.toml_file import Checked
from kiosk.errors import shorten

log = logging.getLogger(__name__)

Section = TypeVar("Section")

#: Name of the file in the data folder.
KEPT = "screen-settings.json"


class KeptSettings:
    """What the screen has set, by section and key.

    :param folder: None keeps nothing beyond this process.
    """

    #: What the direction has given, below the data folder.
    GIVEN = Path("given") / "settings.json"

    def __init__(self, folder: Path | None) -> None:
        self._path = folder / KEPT if folder is not None else None
        self._kept = _read(self._path)
        self._given = _read(folder / self.GIVEN if folder is not None else None)

    def over(self, name: str, configured: Section) -> Section:
        """Return a section of the configuration as the screen has set it; what cannot be any more is left out."""
        return self._laid_over(name, self._laid_over(name, configured, self._given), self._kept)

    def _laid_over(self, name: str, section: Section, told: dict[str, Any]) -> Section:
        keys = told.get(name)
        if not isinstance(keys, dict):
            return section
        try:
            return replace(section, **_as_configured(keys, section))  # type: ignore[type-var]
        except ValueError as error:
            log.error("%s: section %s is left out: %s", self._path, name, error)
            return section

    def keep(self, name: str, configured: object, chosen: object) -> None:
        """Keep a section as it was chosen on the screen; a full disk keeps it for this evening only."""
        before = self._laid_over(name, configured, self._given)
        differs = {
            item.name: getattr(chosen, item.name)
            for item in fields(configured)  # type: ignore[arg-type]
            if getattr(chosen, item.name) != getattr(before, item.name)
        }
        self._keep({**self._kept, name: differs})

    def forget(self, name: str, keys: Collection[str]) -> None:
        """Forget what the screen has set of these keys: something else counts from now on."""
        kept = self._kept.get(name)
        if isinstance(kept, dict) and kept.keys() & set(keys):
            self._keep({**self._kept, name: {key: value for key, value in kept.items() if key not in keys}})

    def _keep(self, kept: dict[str, Any]) -> None:
        self._kept = kept
        if self._path is not None:
            write_whole(self._path, json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def _read(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        log.error("%s cannot be read, the table's file alone counts: %s", path, error)
        return {}
    return kept if isinstance(kept, dict) else {}


def _as_configured(kept: dict[str, Any], section: object) -> dict[str, Any]:
    """Take what a section knows of what was kept, each of its kind and within its limits.

    :raises ValueError: a value cannot be.
    """
    hints = get_type_hints(type(section), include_extras=True)
    found = {}
    for key in kept.keys() & hints.keys():
        value = tuple(kept[key]) if isinstance(kept[key], list) else kept[key]
        if type(value) is not type(getattr(section, key)):
            raise ValueError(f"{key} = {shorten(value)} is no {type(getattr(section, key)).__name__}")
        for check in getattr(hints[key], "__metadata__", ()):
            if isinstance(check, Checked):
                check.passed(value)
        found[key] = value
    return found


def write_whole(path: Path, text: str) -> bool:
    """Write a file so that it is whole or as before, whatever happens; report whether it could be written."""
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        log.error("%s cannot be kept: %s", path, error)
        return False
    return True
