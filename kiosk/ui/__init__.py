"""The table's touchscreen (Kivy): a function of ``kiosk.table.view.TableView``; what people touch goes up as requests.

    from kiosk.ui import build_app, check_visible
    check_visible()                            # raises KioskError where nobody could see the window
    app = build_app(send, "de", size=None)     # None: the whole screen
    app.show(view); app.refused(code, section, detail); app.notice("scanner", text)   # from any thread
    app.run()                                  # until the window closes; app.stop() ends it

Kivy is imported only when ``build_app`` is called.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kiosk.ui.display import check_visible, keep_drawing, prepare
from kiosk.ui.seating import Seating

if TYPE_CHECKING:
    from kiosk.ui.app import KioskApp

__all__ = ["Seating", "build_app", "check_visible", "keep_drawing"]


def build_app(
    send: Callable[[dict[str, object]], None],
    language: str = "de",
    size: tuple[int, int] | None = None,
    *,
    seating: Seating | None = None,
    referee_pin: str | None = None,
    strip: bool = False,
    on_language: Callable[[str], None] | None = None,
    title: str = "Stichwart",
) -> "KioskApp":
    """The app, not running yet.

    ``send`` gets every request of a person, on the screen's thread, and must not block. ``size`` is in pixels; None
    takes the whole screen. ``seating`` is what is known before people sit down. ``referee_pin`` are the digits that
    open the referee's form; None: a touch of two seconds does; "": nothing does, the director's page rules. ``strip``
    draws lamps, display and buzzer below. ``on_language`` hears the language that people choose.
    """
    prepare(size)
    from kiosk.ui.app import KioskApp

    if language not in ("de", "en"):
        raise ValueError(f"unknown language {language!r}: de or en")
    chosen: Any = language
    app = KioskApp(send, chosen, seating=seating, referee_pin=referee_pin, strip=strip, on_language=on_language)
    app.title = title
    return app
