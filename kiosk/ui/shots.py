"""Take pictures of the screens for the pages: ``python -m kiosk.ui.shots EVENTS FOLDER [WIDTHxHEIGHT] [de|en]``.

The events are those of a recorded or simulated round; each kind of moment is taken once, as it came.
"""

import os
import sys
from pathlib import Path

from kiosk.table.events.codec import parse
from kiosk.table.round.fold import Round, open_round
from kiosk.table.view.show import view
from kiosk.table.view.table_view import ClockView, TableView


def moment(shown: TableView) -> str | None:
    """Name a view that is worth a picture; None for others."""
    if shown.leave is not None and not shown.trick:
        return "leave-" + shown.leave.state
    if shown.phase == "playing":
        if any(offence.claimants for offence in shown.offences):
            return "breach"
        if shown.trick is None or len(shown.trick.cards) != 3 or shown.trick_number < 2:
            return None
        return f"play-{shown.kind}"
    return shown.phase


def _clock(round: Round, left: float) -> ClockView:
    limited = round.minutes is not None
    return ClockView(running=limited and left > 0, remaining=left, extra=0.0, over=round.time_up, limited=limited)


def main() -> None:
    """Replay the round before the screen and take its pictures."""
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    events, folder = Path(sys.argv[1]), Path(sys.argv[2])
    width, height = map(int, (sys.argv[3] if len(sys.argv) > 3 else "800x480").split("x"))
    language = sys.argv[4] if len(sys.argv) > 4 else "de"
    folder.mkdir(parents=True, exist_ok=True)
    from kiosk.ui import build_app

    app = build_app(lambda request: None, language, (width, height))
    from kiosk.ui.stage import Stage

    stage = Stage(app).up()
    stage.picture(folder / "seats.png")
    taken: set[str] = set()
    round = None
    for line in events.read_text(encoding="utf-8").splitlines():
        event = parse(line)
        round = open_round(event) if round is None else round.apply(event)
        left = 7200.0 - 6.0 * round.events
        shown = view(round, clock=_clock(round, left))
        app.show(shown)
        stage.step()
        name = moment(shown)
        if name is None or name in taken:
            continue
        taken.add(name)
        stage.picture(folder / f"{name}.png")
        if name == "breach":
            app.sheets.open("breach")
            stage.picture(folder / "breach-proof.png")
            app.sheets.close()
    app.go("list")
    stage.picture(folder / "list.png")
    if round is not None and round.minutes is not None:
        app.go("clock")
        stage.picture(folder / "clock.png")


if __name__ == "__main__":
    main()
