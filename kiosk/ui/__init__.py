"""Show the table on the touchscreen (Kivy): a function of a ``TableView``; touches go up as requests.

    from kiosk.ui import build_app, check_visible
    check_visible()                            # raises KioskError where nobody could see the window
    app = build_app(send, "de", size=None)     # None: the whole screen
    app.show(view); app.refused(code, section, detail); app.notice("scanner", text)   # on the screen's thread
    app.run()                                  # until the window closes; app.stop() ends it

Kivy is imported only when ``build_app`` is called.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from kiosk.errors import shorten
from kiosk.language import languages
from kiosk.ui.display import check_visible, prepare, show_each_picture
from kiosk.ui.mat.spectator import Spectator
from kiosk.ui.parts.places import ScreenPlace
from kiosk.ui.seats.seats_view import SeatsView

if TYPE_CHECKING:
    from kiosk.ui.app import KioskApp
    from kiosk.ui.requests import ScreenRequest
    from kiosk.ui.seats.old_names import SeatingKept

__all__ = ["ScreenPlace", "SeatsView", "Spectator", "build_app", "check_visible", "show_each_picture"]


def build_app(
    send: Callable[["ScreenRequest"], None],
    language: str = "de",
    size: tuple[int, int] | None = None,
    *,
    seating: SeatsView | None = None,
    gate: str = "hold",
    strip: bool = False,
    on_language: Callable[[str], None] | None = None,
    spectator: Spectator | None = None,
    backlight: Callable[[int], bool] | None = None,
    place: ScreenPlace | None = None,
    on_place: Callable[[ScreenPlace], None] | None = None,
    kept_seating: "SeatingKept | None" = None,
    turned: int = 0,
    touch_map: str = "",
    title: str = "Stichwart",
) -> "KioskApp":
    """Build the app; it does not run yet.

    ``send`` gets every request of a person, on the screen's thread, and must not block. ``size`` is in pixels; None
    takes the whole screen. ``seating`` is what is known before people sit down. ``gate`` is what opens
    the referee's form: ``code``, his code; ``hold``, a touch of two seconds; ``shut``, nothing, the director's page
    rules. ``strip`` draws lamps, display and buzzer below. ``on_language`` hears the language that people
    choose. ``spectator`` puts the mat as the camera sees it beside the table.
    ``backlight`` sets the screen's own light in percent and returns whether it did; else the window is darkened.
    ``place`` is how the screen stands at the table, ``on_place`` hears how people have set it.
    ``turned`` is by how many degrees the picture is turned, counterclockwise, ``touch_map`` how the touch panel lies on
    it (``kiosk.ui.standing``).
    ``kept_seating`` keeps what people write and choose before they sit down.
    """
    prepare(size)
    from kiosk.ui.app import KioskApp

    if language not in languages():
        raise ValueError(f"unknown language {shorten(language)}: one of {', '.join(languages())}")
    app = KioskApp(
        send,
        language,
        seating=seating,
        gate=gate,
        strip=strip,
        on_language=on_language,
        spectator=spectator,
        backlight=backlight,
        place=place,
        on_place=on_place,
        kept_seating=kept_seating,
        turned=turned,
        touch_map=touch_map,
    )
    app.title = title
    return app
