"""Show the code by which the direction admits this device, to be typed or photographed on the direction's page."""

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import segno
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from kiosk.table.enrolment import spoken
from kiosk.ui.parts.look import Sheet, kv, plain

_TOLD = {"": "enrol_how", "away": "enrol_away", "refused": "enrol_refused", "false": "enrol_false"}


class EnrolSheet(Sheet):
    """The code in large letters and as QR code of the direction's page; what is wrong while it does not answer."""

    code = StringProperty("")
    told = StringProperty("")
    where = StringProperty("")
    wrong = BooleanProperty(False)
    picture = ObjectProperty(None, allownone=True)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.draw()

    def draw(self) -> None:
        """Draw what is known of the direction by now."""
        text, view = self.app.words, self.app.enrolling
        changed = view.changed and not view.trouble
        self.title = text[_title(view.changed, sits=self.app.view is not None)]
        self.code, self.wrong = spoken(view.code), bool(view.trouble)
        self.told = text["enrol_only_if" if changed else _TOLD[view.trouble]].format(why=plain(view.why))
        self.where = plain(view.address)
        reached = not view.trouble and not _is_loopback(view.address)
        self.picture = qr_texture(f"{view.address}/#/access/{view.code}") if reached else None

    def show(self, view: Any) -> None:
        self.draw()


def _title(changed: bool, sits: bool) -> str:
    if changed:
        return "enrol_changed"
    return "enrol_again" if sits else "enrol_title"


def qr_texture(text: str) -> Texture:
    """Draw a QR code (ISO/IEC 18004) with its margin, one pixel a module, to be scaled without smoothing."""
    rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=4)]
    texture = Texture.create(size=(len(rows[0]), len(rows)), colorfmt="luminance", mipmap=False)
    texture.mag_filter = texture.min_filter = "nearest"
    pixels = bytes(0 if dark else 255 for row in rows for dark in row)
    texture.blit_buffer(pixels, colorfmt="luminance", bufferfmt="ubyte")
    texture.flip_vertical()
    return texture


def _is_loopback(address: str) -> bool:
    """Report whether only this machine itself reaches the address: no telephone does."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


kv(__file__)
