"""Measure whether a club's own words fit the smallest screen: moments and sheets of a few books, drawn unseen."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kiosk.demo.play import simulate
from kiosk.language.catalogue import Entry, shipped
from kiosk.language.own_words import Fault, take_words
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round
from kiosk.table.view.show import view
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.markup import plain_words
from kiosk.ui.parts.shown import labels
from kiosk.ui.parts.whole import cut

#: The smallest screen (docs/hardware.md).
SIZE_PX = (800, 480)

#: Sheets that open at any moment of a round.
ANYTIME = (
    *("call_referee", "complain", "devices", "finish", "messages", "more", "replace", "rulings", "screen", "spoken"),
    *("strike", "swap", "void"),
)
#: Frames until all words have found their size.
_SETTLED = 3
#: Of a simulated round: seed, games, chance of a slip an action. So that each phase, a breach and a ruling are in it.
_SEED, _GAMES, _MISTAKES = 7, 2, 0.04


def unseen_stage(language: str) -> Any:
    """Build the app in a window that nobody sees; a process has one."""
    os.environ["SDL_VIDEODRIVER"] = "offscreen"
    from kiosk.ui import build_app
    from kiosk.ui.display import prepare

    prepare(SIZE_PX)
    from kiosk.ui.stage import Stage

    return Stage(build_app(lambda request: None, language, SIZE_PX), still=True).up()


def with_all_words() -> list[str]:
    """List few books that together have every word of a table, the one with most of them first."""
    words = {
        name: {*(kind.game for kind in book.kinds), *book.answers, *book.calls.words, *book.classes}
        for name, book in BOOKS.items()
    }
    left, found = set().union(*words.values()), []
    while left:
        found.append(max(words, key=lambda name: len(words[name] & left)))
        left -= words[found[-1]]
    return found


def moments(rules: str) -> list[TableView]:
    """List the first moment of each phase of a simulated round, with and without a breach."""
    folded: Round | None = None
    found: dict[tuple[str, bool], TableView] = {}
    for event in map(decode, simulate(rules, _SEED, _GAMES, mistakes=_MISTAKES)):
        folded = open_round(event) if folded is None else folded.apply(event)
        shown = view(folded)
        found.setdefault((shown.phase, bool(shown.offences)), shown)
    return list(found.values())


def cut_texts(stage: Any, language: str, books: Sequence[str] = ()) -> list[str]:
    """List every text of the table's screens that is cut in a language, in the books named or in enough of them."""
    stage.app.speak(language)
    found: dict[str, None] = {}
    for number, rules in enumerate(books or with_all_words()):
        for _ in _shown(stage, moments(rules), with_sheets=number == 0):
            found.update({plain_words(label.text): None for label in labels(stage.app.root) if cut(label)})
    return list(found)


def _shown(stage: Any, views: Sequence[TableView], with_sheets: bool) -> Iterator[None]:
    """Show each moment on each screen, with each seat's choices; of one book, the first with all sheets."""
    from kiosk.ui.play.choices import CHOICES

    app = stage.app
    for number, shown in enumerate(views):
        app.show(shown)
        for screen in ("list", "clock", "play"):
            app.go(screen)
            stage.step(_SETTLED)
            yield
        play = app.screen("play")
        for kind in CHOICES:
            for seat in shown.seats:
                play.unfold(seat.seat, kind)
            stage.step(_SETTLED)
            yield
            for seat in shown.seats:
                play.fold(seat.seat)
        for name in ANYTIME if with_sheets and not number else ():
            app.sheets.open(name)
            stage.step(_SETTLED)
            yield
            app.sheets.close()


def measure(path: Path) -> list[str] | None:
    """List the texts that are cut with a club's catalogue, in a process of its own; None where nothing can be drawn."""
    command = [sys.executable, "-m", "kiosk.app.fitting", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found: list[str] | None = json.loads(ran.stdout.splitlines()[-1]) if ran.returncode == 0 else None
    return found


def misfits(path: Path, entries: Sequence[Entry], texts: Sequence[str]) -> list[Fault]:
    """Name the entries of a club's catalogue, longer than those shipped, whose words stand in texts that are cut."""
    longer = [entry for entry in entries if len(str(entry.text)) > len(str(shipped("de")[entry.subject][entry.code]))]
    found: dict[int, Fault] = {}
    for text in texts:
        for entry in _in_it(text, longer):
            values = {"name": f"{entry.subject} / {entry.code}", "text": " ".join(text.split())}
            fault = Fault(path=path, code="does_not_fit", line=entry.line, values=values)
            found.setdefault(entry.line, fault)
    return [found[line] for line in sorted(found)]


def _in_it(text: str, entries: Sequence[Entry]) -> list[Entry]:
    """Those that a text is made of: the one that it is, else all that stand in it as whole words."""
    whole = [entry for entry in entries if any(re.fullmatch(one, text) for one in _patterns(entry))]
    return whole or [entry for entry in entries if any(re.search(rf"\b{one}\b", text) for one in _patterns(entry))]


def _patterns(entry: Entry) -> list[str]:
    """What a text looks like once its places are filled in."""
    forms = [entry.text] if isinstance(entry.text, str) else list(entry.text)
    parts = [re.split(r"\{[^}]*\}", plain_words(form)) for form in forms]
    return [".+?".join(map(re.escape, one)) for one in parts if any(re.search(r"\w", part) for part in one)]


def main() -> None:
    """Print the texts that are cut with the catalogue that is named, as JSON."""
    path = Path(sys.argv[1])
    take_words(path.parent)
    print(json.dumps(cut_texts(unseen_stage(path.stem), path.stem)))


if __name__ == "__main__":
    main()
