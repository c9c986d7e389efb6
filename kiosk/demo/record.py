"""Record the demo as an animation: the table's screen and, beside it, the mat as the camera sees it.

Everything runs in granted time, so the animation is the same on a slow machine as on a fast one.
"""

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from kiosk.app.inbox import Asked
from kiosk.demo.demo_table import DemoTable
from kiosk.errors import KioskError

if TYPE_CHECKING:
    from kiosk.ui import Spectator

#: Size that is drawn, and of the animation, px.
DRAWN_PX, RECORDED_PX = (1600, 900), (1280, 720)
#: Pictures a second: hands are seen to move, and a page that shows it loads in a moment.
PICTURES_PER_S = 7.5
#: Quality of its pictures, 0 … 100.
WEBP_QUALITY = 75
#: Endings of files that hold more than one picture.
KINDS = (".webp", ".gif", ".png", ".avif")
#: Bytes that the animation may have: it opens a page.
LARGEST_BYTES = 3_000_000


def check_kind(path: Path) -> None:
    """Check that OpenCV writes animations of this kind.

    :raises KioskError: it does not.
    """
    if path.suffix not in KINDS or not cv2.haveImageWriter(str(path)):
        raise KioskError(f"no animation can be written to {path}; name a file that ends in .webp or .gif")


def record(table: DemoTable, spectator: "Spectator", path: Path, seconds: float) -> int:
    """Write an animation of the round from its first card on; return 0, or 1 where it became too large.

    :raises KioskError: the file cannot be written.
    """
    from kiosk.ui import build_app

    app = build_app(
        lambda request: table.kiosk.deliver(Asked(request)),
        table.demo.language,
        DRAWN_PX,
        strip=True,
        spectator=spectator,
    )
    from kiosk.ui.stage import Stage

    stage = Stage(app).up()
    table.kiosk.outputs.screen = app
    table.begin()
    while not table.stage.cards and not table.stage.done:
        table.advance(table.now + 1 / PICTURES_PER_S)
    pictures = []
    for number in itertools.count():
        if number >= seconds * PICTURES_PER_S or table.stage.done:
            break
        table.advance(table.now + 1 / PICTURES_PER_S)
        width, height, rows = stage.frame()
        drawn = np.frombuffer(rows, np.uint8).reshape(height, width, 3)
        pictures.append(cv2.cvtColor(cv2.resize(drawn, RECORDED_PX, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2BGR))
    animation = cv2.Animation()
    animation.frames, animation.durations = pictures, [round(1000 / PICTURES_PER_S)] * len(pictures)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY]):
        raise KioskError(f"the animation could not be written to {path}")
    size = path.stat().st_size
    print(f"{path}: {len(pictures)} pictures, {size / 1e6:.1f} MB")
    return int(size > LARGEST_BYTES)
