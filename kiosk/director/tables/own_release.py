"""Take a release for the direction itself: laid by root as at a table, and started when somebody presses *restart*."""

import asyncio
import os
import secrets
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kiosk.director.tables.releases import Bundle, NoRelease
from kiosk.release.bundle import BadBundle
from kiosk.release.incoming import ENDING, answered, lay_down
from kiosk.release.layout import Layout, this_machine
from kiosk.release.take import check_lasts, check_version

#: Seconds until the service ends once a restart is asked for: whoever asked shall have the answer.
_END_S = 0.5


class OwnRelease:
    """The release of the direction's own machine.

    :param layout: where it lies; None: a checkout runs, which takes none.
    :param end: ends the program in good order; systemd starts it again.
    """

    def __init__(
        self, layout: Layout | None, end: Callable[[], None] = lambda: os.kill(os.getpid(), signal.SIGTERM)
    ) -> None:
        self.layout, self.end = layout, end
        self._laid = ""  # the bundle that root has, by its file's name

    @property
    def kind(self) -> tuple[str, str] | None:
        """For which machine and Python it takes releases; None: for none."""
        return this_machine() if self.layout is not None and self.layout.incoming.is_dir() else None

    def told(self) -> dict[str, Any]:
        """Say what runs, what waits for a restart, and what becomes of the one that is taken."""
        layout = self.layout
        if layout is None:
            return {"takes": None, "runs": "", "waits": "", "failed": ""}
        answer = answered(layout)
        told: dict[str, Any] = {"takes": self.kind, "runs": layout.current, "failed": layout.failed}
        told["waits"] = self._waiting()
        if self._laid and answer.file == self._laid and answer.state != "ready":
            told |= {"state": answer.state, "percent": round(100 * answer.share)}
            told |= {"code": answer.code, "values": dict(answer.values)} if answer.code else {}
        elif self._laid and answer.file != self._laid:
            told |= {"state": "check"}
        return told

    async def take(self, bundle: Bundle, path: Path) -> None:
        """Lay a bundle down for root.

        :raises NoRelease: this machine takes none, or not this one.
        """
        layout = self.layout
        if layout is None or self.kind is None:
            raise NoRelease("bundle_nobody", "this machine takes no releases; run systemd/install.sh again")
        name = f"own-{secrets.token_hex(4)}{ENDING}"
        try:
            check_lasts(layout)
            check_version(bundle.version, bundle.made, layout)
            if not layout.is_ready(bundle.version):
                await asyncio.to_thread(_hand_over, path, layout, name)
                self._laid = name
            else:
                layout.want(bundle.version)
        except BadBundle as error:
            raise NoRelease(error.code, str(error), **error.values) from error
        except OSError as error:
            why = error.strerror or str(error)
            raise NoRelease("bundle_disk", f"{layout.state}: {why}", why=why) from error

    def restart(self) -> None:
        """End the program, and have the release that is laid started in its place.

        :raises NoRelease: nobody would start it again.
        """
        if self.layout is None:
            raise NoRelease("no_service", "this is no installed service: nobody would start it again")
        if waits := self._waiting():
            self.layout.want(waits)
        asyncio.get_running_loop().call_later(_END_S, self.end)

    def _waiting(self) -> str:
        """The release that a restart starts; "": the same again."""
        layout = self.layout
        if layout is None:
            return ""
        answer = answered(layout)
        laid = answer.release if self._laid and answer.file == self._laid and answer.state == "ready" else ""
        waits = laid or layout.wanted
        return waits if waits != layout.current and layout.is_ready(waits) else ""


def _hand_over(path: Path, layout: Layout, name: str) -> None:
    part = layout.state / "fetching" / "own.part"
    part.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, part)
    lay_down(part, layout, name)
