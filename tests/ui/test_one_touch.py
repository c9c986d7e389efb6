"""Nothing binding is one touch away, a double tap says nothing, two fingers are two seats: at every key there is."""

import importlib.util
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.consent import ACTS, OTHERS, Need
from kiosk.table.events.codec import decode
from kiosk.table.events.values import AnswerForRest, AskingAnswered, FinishGame, Request, RoundOpened
from kiosk.table.round.fold import open_round
from kiosk.table.view.show import view as view_of
from kiosk.table.view.table_view import TableView


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


views, measure = _load("views"), _load("measure")

pytestmark = pytest.mark.render

#: Time between the two touches of a double tap, seconds.
DOUBLE_TAP_S = 0.15

#: Between frames while nobody has a finger down, seconds.
LOOK_S = 0.25

#: All sheets that there are: they stand in one place, and ``test_every_sheet_is_tapped`` compares it with the registry.
SHEETS: dict[str, tuple[str, dict[str, Any]]] = views.SHEETS


def binds(request: object, view: TableView) -> bool:
    """Whether what was asked for wants more than a touch."""
    if isinstance(request, FinishGame | AnswerForRest):
        return OTHERS[type(request)] is not Need.PLAIN
    if not isinstance(request, Request):
        return False  # of those who set the table up
    if isinstance(request.event, AskingAnswered) and view.book.classes:
        return True
    return request.anyway or ACTS[type(request.event)].usual is not Need.PLAIN


class Table:
    """One state of the screen, which can be had again before every touch.

    :param sheet: what is open, on a screen that lies flat turned towards the seat ``reader``.
    """

    def __init__(
        self, hand: Any, view: TableView, screen: str = "play", sheet: str = "", reader: int = 0, **what: Any
    ) -> None:
        self.hand, self.stage, self.app, self.reader = hand, hand.stage, hand.app, reader
        self.view, self.screen, self.sheet, self.what = view, screen, sheet, what

    def again(self) -> None:
        from kiosk.ui.play.key_faces import KeyFace
        from kiosk.ui.play.seat_panel import TAKE_BACK_S

        app = self.app
        if app.language != "de":
            app.speak("de")
        if app.view is not self.view:
            app.show(self.view)
            self.stage.step()
            self.stage.wait(TAKE_BACK_S + 0.5, TAKE_BACK_S / 2)  # keys that take a word back go by themselves
        app.go(self.screen)
        play = app.screen("play")
        for seat, holder in list(play._unfolded.items()):
            unfolded = holder.content
            if self.sheet == "claim_answer" or (unfolded.kind, unfolded._page) != (self.sheet, 0):
                play.fold(seat)
        play.claiming = None
        if self.sheet == "claim_answer":  # who claims has shown his cards: all are asked
            play.ask_claim(2, ())
            play.act(2, KeyFace("", "", ("claim_yes",)))
        elif self.sheet in CHOICES:
            for seat in self.view.seats:
                if seat.seat not in play._unfolded:
                    play.unfold(seat.seat, self.sheet)
        elif self.sheet:
            app.sheets.open(self.sheet, self.reader, **self.what)
        self.stage.step(3)
        self.clear()

    def clear(self) -> None:
        """Take away what was refused and forget what was asked."""
        self.app.refusal.hide()
        self.hand.sent.clear()
        self.hand.asked.clear()

    def keys(self) -> list[Any]:
        """All that can be touched now; of the cards that a sheet lays out to be picked the first of each suit."""
        from kiosk.ui.parts.cards import CardKey
        from kiosk.ui.parts.touchable import Touchable

        sheet, rail = self.app.sheets.current, self.app.root.rail
        shown = below(self.app.root) if sheet is None else (*below(sheet), *below(rail))
        found = [one for one in shown if isinstance(one, Touchable) and measure.visible(one) and one.width]
        return [one for one in found if not isinstance(one, CardKey) or one is one.parent.children[-1]]

    def in_rail(self, key: Any) -> bool:
        while key is not None and key.parent is not key:  # the window is its own parent
            if key is self.app.root.rail:
                return True
            key = key.parent
        return False

    def double_tap(self, key: Any) -> list[object]:
        place = self.stage.middle_of(key)
        self.stage.wait(0.5, LOOK_S)
        self.stage.lift(self.stage.put(*place))
        self.stage.wait(DOUBLE_TAP_S, DOUBLE_TAP_S)
        self.stage.lift(self.stage.put(*place))
        self.stage.wait(0.2, LOOK_S)
        return list(self.hand.asked)


def below(root: Any) -> Iterator[Any]:
    """A widget and all that is in it, as Kivy's ``walk`` has it, which asks again at each level for each widget."""
    waiting = [root]
    while waiting:
        widget = waiting.pop()
        yield widget
        waiting += reversed(widget.children)


def offers(keys: list[Any]) -> list[tuple[int, str]]:
    """Tell the keys: which widgets, and what they say, in large letters or small ones."""
    return [(one.uid, getattr(one, "text", "").lower()) for one in keys]


CHOICES = ("answers", "bid", "calls", "claim", "claim_answer", "declare", "said")


def check_double_taps(table: Table, tapped: set[tuple[bool, str, str, str]] | None = None) -> int:
    """Touch every key twice in a moment; none may say anything binding.

    The state is had again wherever a tap has left other keys, or other words on them. Where it has not (a letter was
    typed), whoever taps goes on where he is: what can be said then is more, not less.

    :param tapped: books and phases with keys of the rail that were tapped in them and are not again: it is the same
        rail beside each screen, in each moment of a phase, and beside any sheet. Those that are tapped now are put
        there.
    """
    table.again()
    keys = table.keys()
    count, left = len(keys), offers(keys)
    for number in range(count):
        if tapped is not None and number < len(keys) and table.in_rail(keys[number]):
            of_rail = bool(table.sheet), table.view.rules, table.view.phase, getattr(keys[number], "text", "")
            if of_rail in tapped:
                continue
            tapped.add(of_rail)
        if number and offers(keys := table.keys()) != left:
            table.again()
            keys = table.keys()
            left = offers(keys)
        table.clear()
        assert len(keys) >= count - 4, "the same screen, but for keys that take a word back"
        if number >= len(keys):
            break
        text = getattr(keys[number], "text", "") or type(keys[number]).__name__
        asked = table.double_tap(keys[number])
        said = [one for one in asked if binds(one, table.view)]
        assert not said, f"two quick taps at {text!r} say {said}"
    table.again()
    return count


@cache
def states(rules: str) -> tuple[TableView, ...]:
    """The first view of each kind in simulated rounds of a book: its phase, and what the seats may do in it."""
    seen: dict[object, TableView] = {}
    round: Any = None
    for body in simulate(rules, 1, 2, mistakes=0.03, mishaps=0.2):
        event = decode(body)
        round = open_round(event) if isinstance(event, RoundOpened) else round.apply(event)
        shown = view_of(round)
        offers = ("asks", "bids", "games", "calls", "claims")
        may = {name for seat in shown.seats for name in offers if getattr(seat, name)}
        seen.setdefault((shown.phase, frozenset(may), shown.may_close), shown)
    return tuple(seen.values())


@pytest.mark.parametrize("phase", ["asking", "playing"])
def test_a_double_tap_at_any_key_says_nothing_binding(hand: Any, phase: str) -> None:
    assert check_double_taps(Table(hand, views.PHASES[phase]())) > 5


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
def test_in_no_phase_of_a_book(hand: Any, rules: str) -> None:
    """Every phase that simulated rounds reach, on the table's screen and on the list."""
    phases, tapped = set(), set()
    for view in states(rules):
        phases.add(view.phase)
        check_double_taps(Table(hand, view), tapped)
        if view.phase in ("scored", "over"):
            check_double_taps(Table(hand, view, "list"), tapped)
    assert phases >= {"dealing", "asking", "playing", "scored"}


@pytest.mark.slow
@pytest.mark.parametrize("phase", [phase for phase in views.PHASES if phase not in ("asking", "playing")])
def test_in_no_other_phase(hand: Any, phase: str) -> None:
    view, tapped = views.PHASES[phase](), set()
    check_double_taps(Table(hand, view), tapped)
    check_double_taps(Table(hand, view, "list"), tapped)


@pytest.fixture(scope="module")
def tapped_beside() -> set[Any]:
    """What was tapped of the rail beside sheets, and beside what unfolds."""
    return set()


def test_every_sheet_is_tapped(hand: Any) -> None:
    from kiosk.ui.sheets import KINDS

    assert {*SHEETS, *views.OTHER_SHEETS} == set(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS)
def test_on_no_sheet(hand: Any, sheet: str, tapped_beside: set[Any]) -> None:
    phase, what = SHEETS[sheet]
    assert check_double_taps(Table(hand, views.PHASES[phase](), "play", sheet, **what), tapped_beside) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("phase", "choices"),
    [("playing", "calls"), ("playing", "said"), ("solo", "claim"), ("solo", "claim_answer"),
     ("asking", "answers"), ("declaring", "declare"),
     ("bidding", "bid"), ("five", "calls")],
)  # fmt: skip
def test_on_nothing_that_unfolds(hand: Any, phase: str, choices: str, tapped_beside: set[Any]) -> None:
    assert check_double_taps(Table(hand, views.PHASES[phase](), "play", choices), tapped_beside) > 0


# --- on a screen that lies flat


@pytest.mark.parametrize("phase", ["playing"])
def test_on_a_flat_screen_neither(flat: Any, phase: str) -> None:
    """Each turned panel has its keys and the one to the seat's menu."""
    from kiosk.ui.play.seat_menu import SeatMenuKey

    table = Table(flat, views.PHASES[phase]())
    assert check_double_taps(table) > 5
    keys = table.keys()
    assert sum(isinstance(key, SeatMenuKey) for key in keys) == 3


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["asking", "scored", "five"])
def test_on_a_flat_screen_in_no_other_phase(flat: Any, phase: str) -> None:
    check_double_taps(Table(flat, views.PHASES[phase]()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "seat"),
    [("seat_menu", 2), ("seat_menu", 3), ("more", 4), ("agree", 2), ("agree", 3), ("breach", 3), ("void", 4),
     ("change", 2), ("finish", 3), ("put_right", 4)],
)  # fmt: skip
def test_on_no_turned_sheet(flat: Any, sheet: str, seat: int) -> None:
    """Those that binding keys stand on, or are opened from, towards each side."""
    phase, what = SHEETS[sheet]
    assert check_double_taps(Table(flat, views.PHASES[phase](), "play", sheet, seat, **what)) > 0


@pytest.mark.slow
def test_two_fingers_are_two_seats_acts_on_a_flat_screen(flat: Any) -> None:
    assert check_pairs(flat, views.playing()) > 8


# --- several fingers


def seat_keys(table: Table, seat: int) -> list[Any]:
    return list(table.app.screen("play").panels[seat].ids.key_box.children)


def outcome(table: Table) -> tuple[list[str], list[tuple[int, str]]]:
    """What was asked for, and what has unfolded where."""
    unfolded = table.app.screen("play")._unfolded
    return sorted(map(str, table.hand.sent)), sorted((seat, one.content.kind) for seat, one in unfolded.items())


def hold_together(table: Table, places: list[tuple[int, int]], apart: float) -> tuple[Any, Any]:
    """Hold the keys of these seats, each a little later than the one before."""
    table.again()
    table.stage.wait(0.5)
    fingers = []
    for seat, number in places:
        fingers.append(table.stage.put(*table.stage.middle_of(seat_keys(table, seat)[number])))
        table.stage.wait(apart)
    table.stage.wait(0.8)
    for finger in fingers:
        table.stage.lift(finger)
        table.stage.wait(0.1)
    return outcome(table)


def check_pairs(hand: Any, view: TableView, every: int = 1) -> int:
    """Two seats' fingers at once do what each would do alone; ``every`` so many pairs are tried."""
    table = Table(hand, view)
    table.again()
    keys = [(seat.seat, number) for seat in view.seats for number in range(len(seat_keys(table, seat.seat)))]
    alone = {one: hold_together(table, [one], 0.0) for one in keys}
    checked = 0
    for one, other in [pair for pair in combinations(keys, 2) if pair[0][0] != pair[1][0]][::every]:
        both = hold_together(table, [one, other], 0.3)
        sent, unfolded = (sorted(alone[one][part] + alone[other][part]) for part in (0, 1))
        assert both == (sent, unfolded), (one, other)
        checked += 1
    table.again()
    return checked


@pytest.mark.parametrize("phase", ["playing"])
def test_two_fingers_are_two_seats_acts(hand: Any, phase: str) -> None:
    assert check_pairs(hand, views.PHASES[phase]()) > 8


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["asking", "declaring", "bidding", "solo", "five", "doubtful", "late"])
def test_two_fingers_in_other_phases(hand: Any, phase: str) -> None:
    check_pairs(hand, views.PHASES[phase]())


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
def test_two_fingers_in_rounds_of_every_book(hand: Any, rules: str) -> None:
    firsts = {view.phase: view for view in reversed(states(rules))}
    assert sum(check_pairs(hand, firsts[phase], every=4) for phase in ("asking", "playing")) > 0


# --- what was found at a table


def test_a_hold_goes_on_where_another_opens_his_calls(hand: Any) -> None:
    """Bernd's touch at his own key once said Kontra for Cem, because Cem's sheet had come over it."""
    table = Table(hand, views.playing())
    table.again()
    bernd = table.stage.middle_of(next(key for key in seat_keys(table, 2) if "90" in key.text))
    table.stage.wait(0.5)
    table.stage.lift(table.stage.put(*bernd))
    table.app.screen("play").unfold(3, "calls")
    table.stage.wait(0.1)
    table.stage.lift(table.stage.put(*bernd))
    assert hand.sent == []
    table.stage.wait(2.0)
    finger = table.stage.put(*bernd)
    table.stage.wait(0.8)
    table.stage.lift(finger)
    assert hand.sent == [{"event": "announce", "seat": 2, "call": "keine90"}]
    assert list(table.app.screen("play")._unfolded) == [3], "Cem still chooses"


def test_a_double_tap_on_absagen_announces_nothing(hand: Any) -> None:
    """It once said keine 60: another key had appeared under the finger."""
    table = Table(hand, views.playing())
    table.again()
    assert table.double_tap(next(key for key in seat_keys(table, 1) if "Absagen" in key.text)) == []
    assert list(table.app.screen("play")._unfolded) == [1]


def test_a_double_tap_on_gesund_is_no_vorbehalt(hand: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key turned into *doch Vorbehalt* under the finger once the answer was noted."""
    from dataclasses import replace

    table = Table(hand, views.asking())
    table.again()
    send = hand.app._send

    def noted(request: Any) -> None:
        send(request)
        dora = replace(views.asking().seats[3], answer=request.event.call, asks=("vorbehalt",), turn=False)
        hand.app.show(replace(views.asking(), seats=(*views.asking().seats[:3], dora)))

    monkeypatch.setattr(hand.app, "_send", noted)
    table.double_tap(next(key for key in seat_keys(table, 4) if "gesund" in key.text))
    assert hand.sent == [{"event": "call", "seat": 4, "call": "gesund"}]
    assert any("doch" in key.text for key in seat_keys(table, 4)), "the key has changed indeed"


def test_a_finger_that_rests_while_its_sheet_goes_does_nothing(hand: Any) -> None:
    hand.show(views.breach())
    hand.app.sheets.open("breach")
    hand.stage.wait(0.5)
    key = hand.app.sheets.current.ids.key_box.children[0]
    finger = hand.stage.put(*hand.stage.middle_of(key))
    hand.stage.wait(0.4)
    hand.show(views.playing())  # there is no breach any more
    hand.stage.wait(1.0)
    hand.stage.lift(finger)
    assert hand.app.sheets.current is None and hand.sent == []
