"""Take the pictures of the screens for ``docs/screens.md``: ``python -m kiosk.demo.pictures docs/screens``.

A simulated round goes before the screen; small PNGs with a palette, so that a page with all of them is quickly there.
Pictures of other documents (``table``, ``evening``, ``schafkopf``, ``setup``) go into the folder above.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from kiosk.demo.play import simulate
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round
from kiosk.table.view.show import view
from kiosk.table.view.table_view import ClockView, TableView

#: Of the smallest screen, and colours of a picture: with so many nobody sees a difference.
SIZE_PX, COLOURS = (800, 480), 160

#: After so long all is drawn, also the rows of a list, and a list's bar has faded, seconds.
SETTLED_S = 2.0

#: A full round's playing time, and what an event takes of it, seconds.
ROUND_S, EVENT_S = 7200.0, 9.0


def rounds(book: str, seed: int, **chances: float) -> Iterator[TableView]:
    """Yield what a simulated round shows after each event."""
    folded: Round | None = None
    for number, event in enumerate(map(decode, simulate(book, seed, **chances))):  # type: ignore[arg-type]
        folded = open_round(event) if folded is None else folded.apply(event)
        limited = folded.minutes is not None
        clock = ClockView(
            running=False, remaining=max(0.0, ROUND_S - EVENT_S * number), extra=0.0, over=False, limited=limited
        )
        yield view(folded, clock=clock)


def first(views: Iterator[TableView], wanted: Callable[[TableView], bool]) -> TableView:
    """Return the first view that is wanted.

    :raises StopIteration: the round has none.
    """
    return next(shown for shown in views if wanted(shown))


def in_trick(shown: TableView, cards: int) -> bool:
    """Whether a trick later than the first has so many cards."""
    return (
        shown.phase == "playing" and shown.trick_number > 1 and len(shown.trick.cards if shown.trick else ()) == cards
    )


class Photographer:
    """The app on a stage, and where its pictures go."""

    def __init__(self, folder: Path, language: str) -> None:
        from kiosk.ui import build_app
        from kiosk.ui.display import prepare

        prepare(SIZE_PX)
        from kiosk.ui.stage import Stage

        self.folder = folder
        self.app = build_app(lambda request: None, language, SIZE_PX)
        self.stage = Stage(self.app, still=True).up()

    def table(self, shown: TableView, *, flat: bool = False) -> Any:
        """Show a view on the table, and return that screen."""
        from kiosk.ui import ScreenPlace

        self.app.place = ScreenPlace(flat=flat)
        self.app.show(shown)
        self.stage.step(2)
        self.app.go("play")
        return self.app.screen("play")

    def take(self, name: str, folder: Path | None = None, *, photograph: bool = False) -> None:
        """Write what is shown, with a palette; of a photograph the colours that it has most of."""
        from PIL import Image

        self.stage.wait(SETTLED_S)
        width, height, rows = self.stage.frame()
        image = Image.frombytes("RGB", (width, height), rows)
        place = (folder or self.folder) / f"{name}.png"
        if photograph:
            image = image.quantize(256, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.FLOYDSTEINBERG)
        else:
            image = image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
        image.save(place, optimize=True)


def main() -> None:
    """Take all pictures."""
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    folder, language = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "en"
    folder.mkdir(parents=True, exist_ok=True)
    at = Photographer(folder, language)
    app = at.app
    at.take("seats")

    at.table(first(rounds("eppstein", 3), lambda shown: shown.phase == "asking"))
    at.take("finding")
    playing = first(rounds("eppstein", 3), lambda shown: in_trick(shown, 3) and any(one.calls for one in shown.seats))
    play = at.table(playing)
    play.unfold(next(seat.seat for seat in playing.seats if seat.calls), "calls")
    at.take("announcing")
    at.table(playing, flat=True)
    at.take("flat")
    at.table(playing)
    for sheet in ("more", "spoken"):
        app.sheets.open(sheet)
        at.take({"more": "more", "spoken": "put-right"}[sheet])
        app.sheets.close()

    at.table(first(rounds("eppstein", 5, mistakes=0.05), lambda shown: any(one.claimants for one in shown.offences)))
    app.sheets.open("breach")
    at.take("breach")
    app.sheets.close()
    at.table(first(rounds("eppstein", 3), lambda shown: shown.phase == "scored"))
    at.take("scored")
    *_, handed_in = rounds("eppstein", 3)
    at.table(handed_in)
    app.go("list")
    at.take("list")

    shown = first(rounds("schaffkopf", 2), lambda shown: shown.phase == "asking")
    play = at.table(shown)
    play.unfold(next(seat.seat for seat in shown.seats if seat.turn), "declare")
    at.take("schafkopf-game")
    _take_others(at, handed_in)


def _take_others(at: Photographer, handed_in: TableView) -> None:
    """Take the pictures of other documents: a table in play, an evening without a direction, Schafkopf."""
    from kiosk.ui import SeatsView
    from kiosk.ui.earlier.stick_view import StickView

    app, folder = at.app, at.folder.parent
    at.table(first(rounds("eppstein", 3), lambda shown: in_trick(shown, 3) and shown.kind == "normal"))
    at.take("table", folder)
    app.sit_down(SeatsView(alone=True, evening="2026-11-22 Vereinsabend"))
    app.stick(StickView())
    at.table(replace(handed_in, evening="2026-11-22 Vereinsabend"))
    app.go("list")
    at.take("evening", folder)
    at.table(first(rounds("schaffkopf", 2), lambda shown: in_trick(shown, 3)))
    at.take("schafkopf", folder)
    app.camera(_seen_while_set_up())
    app.go("camera")
    at.take("setup", folder, photograph=True)


def _seen_while_set_up() -> Any:
    """Three cards on a mat with a reflex, as the camera's process shows them to people who set a table up."""
    from kiosk.app.setup import PICTURE_WIDTH_PX
    from kiosk.ui.camera.camera_view import CameraView
    from vision.mat.layout import MatLayout
    from vision.messages import AskSnapshot, CameraSetting, CameraState
    from vision.service.guide import Guide
    from vision.simulation.art import load_art
    from vision.simulation.film import SimCamera
    from vision.simulation.learning import kept_deck
    from vision.simulation.lights import Light
    from vision.tracking.tracker import Tracker

    camera = SimCamera(load_art("stichwart"), MatLayout(), seed=1, light=Light(warm=0.06, slope=0.2, glare=190.0))
    tracker = Tracker(kept_deck("stichwart"), camera.layout)
    camera.wait(1.0)
    for seat, label in ((1, "HT"), (2, "CQ"), (4, "DA")):
        camera.lay(label, seat)
    camera.wait(2.0)
    while camera.busy:
        tracker.process(frame := next(camera))
    seen = Guide(camera.layout).snapshot(frame, AskSnapshot(width=PICTURE_WIDTH_PX), tracker)
    held = (("focus", 35.0), ("exposure", 30.0), ("white", 4000.0), ("mains", 50.0))
    settings = tuple(CameraSetting(code=code, held=True, value=value) for code, value in held)
    return CameraView(
        picture=seen.picture,
        findings=seen.findings,
        cards=seen.cards,
        card_px=seen.card_px,
        deck="vereinsblatt",
        decks=("vereinsblatt", "zweitblatt"),
        camera=CameraState(name="HD Webcam C920", socket="1", size=camera.size, fps=camera.fps, settings=settings),
    )


if __name__ == "__main__":
    main()
