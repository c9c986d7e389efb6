"""Keep which camera a source is and how its lens is set, in a small JSON file: a restart need not focus on a hand."""

import json
import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from vision.camera.identity import UsbIdentity

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCamera:
    """A camera as it was used last."""

    identity: UsbIdentity | None = None  # None: not a USB camera, or not to be told
    focus: float | None = None  # as its driver counts; None: none kept


class CameraMemory:
    """What is kept of each source, by its name.

    :param path: the file; None keeps nothing beyond this process.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._kept = self._read()

    def of(self, source: str) -> KeptCamera:
        """Return what is kept of a source; an empty row if nothing."""
        return self._kept.get(source, KeptCamera())

    def keep(self, source: str, camera: KeptCamera) -> None:
        """Keep this; a disk that takes nothing keeps it until the process ends."""
        if camera == self.of(source):
            return
        self._kept[source] = camera
        if self._path is None:
            return
        fresh = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with fresh.open("w", encoding="utf-8") as file:
                json.dump({name: asdict(one) for name, one in self._kept.items()}, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            log.error("%s cannot be written, the camera's settings are kept until the end: %s", self._path, error)

    def _read(self) -> dict[str, KeptCamera]:
        if self._path is None:
            return {}
        try:
            return {name: _camera(row) for name, row in json.loads(self._path.read_text(encoding="utf-8")).items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            log.error("%s cannot be read, the camera is set anew: %s", self._path, error)
            return {}


def _camera(row: dict[str, object]) -> KeptCamera:
    identity, focus = row["identity"], row["focus"]
    if focus is not None and not isinstance(focus, int | float):
        raise ValueError(f"focus {focus!r} is no number")
    if isinstance(identity, dict):
        return KeptCamera(identity=UsbIdentity(id=str(identity["id"]), path=str(identity["path"])), focus=focus)
    return KeptCamera(focus=focus)
