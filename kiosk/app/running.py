"""The loops that a kiosk runs in: without a screen, and the screen's own."""

import signal
import threading
from collections.abc import Callable
from typing import Any

from kiosk.app.doorstep import ANEW
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.watchdog import Watchdog

#: Seconds between two beats of a table without a screen; lamps and buzzer want twenty a second.
BEAT_S = 0.05


def run_headless(
    kiosk: Kiosk,
    watchdog: Watchdog | None = None,
    until: Callable[[], bool] = lambda: False,
    each_beat: Callable[[], None] = lambda: None,
) -> int:
    """Run the kiosk without a screen until SIGTERM, Ctrl-C or ``until``; ``each_beat`` is called after every beat."""
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    if watchdog is not None:
        watchdog.ready()
    while not stopped.is_set() and not kiosk.anew and not until():
        kiosk.wait(BEAT_S)
        kiosk.beat()
        each_beat()
    return ANEW if kiosk.anew else 0


def run_screen(
    kiosk: Kiosk,
    *,
    language: str,
    size: tuple[int, int] | None,
    ready: Callable[[], None] = lambda: None,
    each_beat: Callable[[], None] = lambda: None,
    **screen: Any,
) -> int:
    """Run the kiosk from the screen's loop until its window is closed.

    :param ready: called once the first picture is up.
    :param each_beat: called after every beat.
    :raises KioskError: there is no screen to be seen on.
    """
    from kiosk.ui import build_app, check_visible, show_each_picture
    from kiosk.ui.loop import Loop
    from kiosk.ui.panels import LOOK_S, watched
    from kiosk.ui.tidying import share_one_heap
    from kiosk.ui.waking import Waker, let_readers_tell

    check_visible()
    share_one_heap()
    app = build_app(
        lambda request: kiosk.deliver(Asked(request)),
        language,
        size,
        strip=kiosk.outputs.panel is not None and kiosk.outputs.panel.mock,
        on_language=kiosk.speak,
        **screen,
    )
    kiosk.outputs.screen = app
    kiosk.begin()
    from kivy.base import EventLoop
    from kivy.clock import Clock

    signal.signal(signal.SIGTERM, lambda *_: Clock.schedule_once(lambda *_: app.stop()))

    def beat() -> None:
        kiosk.beat()
        each_beat()
        if kiosk.anew:
            app.stop()

    waker = Waker()
    loop = Loop(beat, kiosk.has_news, Clock, EventLoop, waker)
    let_readers_tell(waker.wake)
    kiosk.on_news = waker.wake

    def up(_: float) -> None:
        waker.attend(EventLoop.window)
        if (panels := watched(EventLoop)) is not None:
            Clock.schedule_interval(panels.look, LOOK_S)
        loop.settled()
        ready()

    loop.begin()
    Clock.schedule_once(up, 0.5)
    show_each_picture()
    app.run()
    return ANEW if kiosk.anew else 0
