"""The page in a real browser: a table and its list grow on it, and its buttons reach the table's line."""

import json
import re
import threading
import time
from functools import cache
from typing import Any

import pytest

from kiosk.app.kiosk import Kiosk
from kiosk.demo.play import simulate
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.rules.books import BOOKS
from kiosk.sync.line import Line
from kiosk.sync.state import LineMessage, Order
from kiosk.table.events.codec import decode, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import LeaveDecided, PlayingTimeEnded, Request, RoundOpened, RoundReleased, WordCorrected
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.table import Table as RoundTable
from kiosk.table.view.show import view
from tests.director.full_hall import hall
from tests.waiting import until

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

NAME = "Herbst 2026"


@cache
def the_round() -> list[dict[str, Any]]:
    return list(simulate("eppstein", 11, table=7))


class Table:
    """A table at the end of a real line, which carries out what it is ordered."""

    def __init__(self, url: str) -> None:
        self.log, self.orders = MemoryLog(), list[Order]()
        self.line = Line(url, "t7.geheim", NAME, 7, 1, self.log, self._take, slowest=0.3)
        self.line.start()

    def _take(self, order: LineMessage) -> None:
        if not isinstance(order, Order):
            return
        self.orders.append(order)
        if isinstance(order.request, Request):
            self.log.append(encode(order.request.event))
            self.line.wake()
        self.line.answer(order.number)

    def add(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            self.log.append(event)
        assert self.line.wait_sent(30)


@pytest.fixture
def settings(tmp_path):
    return Settings(
        tournament=NAME,
        database=f"sqlite:///{tmp_path / 'director.sqlite'}",
        port=0,
        pin="2468",
        rounds=2,
    )


@pytest.fixture
def service(settings):
    with Service(settings) as running:
        running.enrol(7, "t7.geheim")
        yield running


@pytest.fixture
def table(service):
    made = Table(service.url)
    yield made
    made.line.stop()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="de-DE")
    opened = context.new_page()
    failures: list[str] = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    yield opened
    context.close()
    assert failures == []


def split(games: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The round's events up to the end of so many games, and the rest."""
    deals = [number for number, event in enumerate(the_round()) if event["event"] == "deal"]
    return the_round()[: deals[games]], the_round()[deals[games] :]


def totals(page: Any) -> list[str]:
    return [text.strip() for text in page.locator(".card[data-table='7'] .total").all_inner_texts()]


def test_a_table_and_its_list_grow_on_the_page(service, table, page):
    page.goto(service.url)
    page.get_by_text("Noch hat sich kein Tisch gemeldet.").wait_for(state="hidden")
    begun, rest = split(3)
    table.add(begun)
    expected = fold(map(decode, begun))
    playwright.expect(page.locator(".card .players li")).to_have_count(4)
    until(lambda: totals(page) == [str(expected.totals[seat]) for seat in range(1, 5)])
    page.locator(".card[data-table='7']").click()
    page.locator("table.list tr[data-game='3']").wait_for()
    assert page.locator("table.list tbody tr[data-game]").count() == 3
    page.evaluate("window.untouched = true")
    table.add(rest)
    rows = list_data(fold(map(decode, the_round())))["rows"]
    page.locator(f"table.list tr[data-game='{len(rows)}']").wait_for()
    cells = page.locator("table.list tr[data-game]").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('td.p > span:last-child')].map(one => Number(one.innerText)))"
    )
    assert cells == [[row["total"][str(seat)] for seat in range(1, 5)] for row in rows]
    assert page.evaluate("window.untouched")  # it grew without loading the page again
    assert page.locator("table.list .mark.solo").count() >= 4  # the Pflichtsoli
    assert page.locator("table.list .mark.dealer").count() == len(rows)


def test_release_and_end_of_time_reach_the_line(service, table, page):
    table.add(the_round()[:1])
    page.goto(service.url + "/#pin=2468")
    page.get_by_role("button", name="Runde freigeben").click()
    page.get_by_role("button", name="Abbrechen").click()
    page.get_by_role("button", name="Runde freigeben").click()
    page.locator("dialog").get_by_role("button", name="Runde freigeben").click()
    until(lambda: table.orders)
    assert [order.request for order in table.orders] == [
        Request(event=RoundReleased(order_number=table.orders[0].number))
    ]
    page.get_by_text("Freigabe: gesendet an einen Tisch.").wait_for()
    assert table.line.wait_sent(30)
    page.get_by_role("button", name="Ende der Spielzeit").click()
    page.locator("dialog").get_by_role("button", name="Ende der Spielzeit").click()
    until(lambda: len(table.orders) == 2)
    assert table.orders[1].request == Request(event=PlayingTimeEnded(order_number=table.orders[1].number))
    page.get_by_role("button", name="Ende der Spielzeit").wait_for(state="hidden")


def asked(order: Order) -> dict[str, Any]:
    """The body of the event that an order asks for."""
    assert isinstance(order.request, Request)
    return dict(encode(order.request.event))


def test_extra_time_and_a_ruling_go_to_one_table(service, table, page):
    begun, _ = split(2)
    offence = {"event": "object", "seat": 1, "against": 2, "code": "revoke"}
    table.add([*begun, offence])
    page.goto(service.url + "/#pin=2468")
    page.get_by_text("Schiedsrichter gerufen").first.wait_for()
    page.goto(service.url + "/#/1/7")
    page.get_by_role("button", name="Nachspielzeit").click()
    page.locator("dialog .choice span", has_text=re.compile("^10$")).click()
    page.locator("dialog button.main").click()
    until(lambda: table.orders)
    extra = asked(table.orders[0])
    assert extra.pop("order_number") == table.orders[0].number
    assert extra.pop("actor") == "PIN"
    assert extra == {"event": "rule", "offender": None, "class": "none", "minutes": 10, "answers": False}
    page.get_by_role("button", name="Entscheidung").click()
    page.locator("select[name=class]").select_option("minor")
    page.locator("select[name=offender]").select_option("2")
    page.locator("dialog button.main").click()
    until(lambda: len(table.orders) == 2)
    ruling = asked(table.orders[1])
    assert (ruling["event"], ruling["class"], ruling["offender"]) == ("rule", "minor", 2)


def test_a_call_for_the_referee_says_who_called_and_is_answered(service, table, page):
    begun, _ = split(2)
    table.add(begun)
    name = begun[0]["players"][2]
    table.line.tell({"referee": True, "called_by": 3, "coming": False})
    page.goto(service.url + "/#pin=2468")
    page.get_by_text(f"Schiedsrichter gerufen ({name})").first.wait_for()
    page.goto(service.url + "/#/1/7")
    page.get_by_role("button", name="Schiedsrichter kommt").click()
    until(lambda: table.orders)
    assert (table.orders[0].call, table.orders[0].request) == ("referee", None)
    table.line.tell({"referee": True, "called_by": 3, "coming": True})
    page.get_by_text(f"Schiedsrichter kommt ({name})").first.wait_for()
    page.get_by_role("button", name="Schiedsrichter kommt").wait_for(state="hidden")


#: Counts tones that begin and vibrations, in place of making them.
EARS = """
window.tones = 0; window.shaken = 0;
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.tones += 1; return begin.apply(this, when); };
navigator.vibrate = () => { window.shaken += 1; return true; };
"""


def test_a_call_is_heard_felt_and_read_in_the_title(service, table, page):
    begun, _ = split(2)
    table.add(begun)
    page.add_init_script(EARS)
    page.goto(service.url + "/#pin=2468")
    sound = page.get_by_role("button", name="Ton")
    assert sound.get_attribute("aria-pressed") == "true"
    page.locator("main").click(position={"x": 3, "y": 3})  # a browser allows sound once something was pressed
    page.evaluate("location.hash = '#/standings'")  # wherever one is
    page.locator("h1", has_text="Rangliste").wait_for()
    assert "ruft" not in page.title() and page.evaluate("[window.tones, window.shaken]") == [0, 0]
    table.line.tell({"referee": True, "called_by": 3, "coming": False})
    until(lambda: page.title().startswith("Tisch 7 ruft – Rangliste"))
    assert page.evaluate("[window.tones, window.shaken]") == [3, 1]
    table.line.tell({"referee": True, "called_by": 3, "coming": True})
    until(lambda: page.title().startswith("Rangliste"))
    page.evaluate("location.hash = '#/1'")
    sound.click()
    page.locator("[data-do=sound][aria-pressed=false]").wait_for()
    table.line.tell({"referee": True, "called_by": 1, "coming": False})
    until(lambda: page.title().startswith("Tisch 7 ruft"))
    assert page.evaluate("[window.tones, window.shaken]") == [3, 1]  # turned off on this device


def test_a_list_that_was_handed_in_has_no_time_left_to_end(service, table, page):
    table.add(the_round())
    page.goto(service.url + "/#pin=2468")
    page.get_by_text("Liste abgegeben").first.wait_for()
    page.goto(service.url + "/#/1/7")
    page.locator("[data-do=mend]").wait_for()  # a list that was handed in is put right, not ruled on
    assert page.locator("[data-do=rule]").count() == 0
    assert page.get_by_role("button", name="Nachspielzeit").count() == 0
    assert page.get_by_role("button", name="Spielzeit beenden").count() == 0


def test_a_list_that_was_handed_in_too_early_is_opened_again(service, table, page):
    """The direction puts right what was said, signed or handed in, with its reason."""
    table.add(the_round())
    assert the_round()[-1]["event"] == "close"
    page.goto(service.url + "/#pin=2468")
    page.get_by_text("Liste abgegeben").first.wait_for()
    page.goto(service.url + "/#/1/7")
    page.get_by_role("button", name="Richtigstellen").click()
    dialog = page.locator("dialog")
    assert dialog.locator("select[name=of]").input_value() == str(len(the_round()) - 1)  # the newest comes first
    dialog.locator("select[name=word]").select_option("null")
    dialog.locator("input[name=why]").fill("zu früh")
    dialog.locator("button.main").click()
    put_right = asked(until(lambda: table.orders)[0])
    assert put_right.pop("order_number") == table.orders[0].number
    assert put_right == {"event": "correct", "of": len(the_round()) - 1, "word": None, "why": "zu früh", "actor": "PIN"}
    page.get_by_text("nicht gesagt (zu früh)").wait_for()
    page.get_by_text("Liste ist abgegeben").first.wait_for(state="hidden")
    announced = max(number for number, event in enumerate(the_round()) if event["event"] == "announce")
    page.get_by_role("button", name="Richtigstellen").click()
    dialog.locator("select[name=of]").select_option(str(announced))
    said = the_round()[announced]
    choices = dialog.locator("select[name=word] option").evaluate_all("all => all.map(one => one.value)")
    assert {"event": "announce", "seat": said["seat"], "call": "schwarz"} in [json.loads(one) for one in choices]


#: The first game ended by a ruling, the list is handed in.
RULED = [
    {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": list("ABCD")},
    {"event": "release"},
    {"event": "deal", "dealer": 1},
    *({"event": "call", "seat": seat, "call": "gesund"} for seat in (2, 3, 4, 1)),
    {"event": "card", "seat": 2, "card": "CA"},
    {"event": "rule", "offender": 1, "class": "serious"},
    {"event": "sign", "seat": 2},
    {"event": "close"},
]  # fmt: skip
RULING = 8


@pytest.fixture
def kiosk(service):
    """A whole table without a screen, whose list was handed in; the referee has ruled on its own screen."""
    access = service.app.state.access
    device, _ = access.devices.issue(7, True, "t7.geheim")
    access.devices.change(device.id, {"rulings": True})
    access.forget_tables()
    log = MemoryLog()
    opening, *events = map(decode, RULED)
    assert isinstance(opening, RoundOpened)
    played = RoundTable(log, now=time.monotonic(), opening=opening)
    for event in events:
        played.note(event)
    made, stopping = Kiosk(played, now=time.monotonic), threading.Event()
    line = Line(service.url, "t7.geheim", NAME, 7, 1, log, made.deliver, slowest=0.3)
    made.outputs.line = line
    line.start()

    def run() -> None:
        while not stopping.is_set():
            made.wait(0.05)
            made.beat()

    loop = threading.Thread(target=run)
    loop.start()
    yield made
    stopping.set()
    loop.join(10)
    line.stop()


def put_right(page: Any, event: int, word: Any, why: str) -> None:
    page.get_by_role("button", name="Richtigstellen").click()
    dialog = page.locator("dialog")
    dialog.locator("select[name=of]").select_option(str(event))
    values = dialog.locator("select[name=word] option").evaluate_all("all => all.map(one => one.value)")
    dialog.locator("select[name=word]").select_option(next(one for one in values if word(json.loads(one))))
    dialog.locator("input[name=why]").fill(why)
    dialog.locator("button.main").click()


def test_a_ruling_is_put_right_after_the_list_was_handed_in(service, kiosk, page):
    """By the direction's form, at a whole table, which carries it out; what cannot be comes back in German."""
    page.goto(service.url + "/#pin=2468")
    page.get_by_text("Liste abgegeben").first.wait_for()
    page.goto(service.url + "/#/1/7")
    before = [row.score for row in kiosk.table.view().rows]
    put_right(page, RULING, lambda word: word and (word["class"], word["offender"]) == ("serious", 3), "verwechselt")
    until(lambda: isinstance(kiosk.table.events[-1], WordCorrected))
    noted = encode(kiosk.table.events[-1])
    assert (noted["of"], noted["by"], noted["why"]) == (RULING, "direction", "verwechselt")
    after = [row.score for row in kiosk.table.view().rows]
    assert len(after) == 1 and after[0][2] == before[0][0] != after[0][0] and kiosk.table.round.closed
    totals_now = [str(kiosk.table.round.totals[seat]).replace("-", "−") for seat in range(1, 5)]
    page.locator("table.list tr[data-game='1']", has_text=totals_now[2]).wait_for()

    events = len(kiosk.table.events)
    put_right(page, RULING, lambda word: word is None, "kein Verstoß")  # nobody signs while a game is in play
    told = page.locator(".needs li", has_text="nicht angenommen").first
    told.wait_for()
    assert len(kiosk.table.events) == events
    assert "unterschrieben" in told.inner_text() and "event" not in told.inner_text()
    assert "B unterschreibt" in told.inner_text() and "(Spiel 1)" in told.inner_text()


def test_without_the_pin_there_are_no_buttons_and_a_wrong_one_says_so(service, table, page):
    table.add(the_round()[:1])
    page.goto(service.url)
    page.locator(".card").wait_for()
    assert page.get_by_role("button", name="Runde freigeben").count() == 0
    page.get_by_role("button", name="Anmelden", exact=True).click()
    page.locator("input[name=name]").fill("PIN")
    page.locator("input[name=password]").fill("1111")
    page.keyboard.press("Enter")
    page.get_by_text("Name oder Passwort stimmt nicht.").wait_for()
    page.get_by_role("button", name="Anmelden", exact=True).click()
    page.locator("input[name=name]").fill("PIN")
    page.locator("input[name=password]").fill("2468")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Runde freigeben").wait_for()


def test_the_page_comes_back_by_itself(settings, page):
    from dataclasses import replace

    first = Service(settings).start()
    page.goto(first.url)
    page.get_by_text("Noch hat sich kein Tisch gemeldet.").wait_for()
    page.locator(".dot.on").wait_for()
    first.stop()
    page.get_by_text("Die Anzeige steht still").wait_for()
    with Service(replace(settings, port=first.port)) as second:
        page.get_by_text("Die Anzeige steht still").wait_for(state="hidden")
        second.enrol(7, "t7.geheim")
        table = Table(second.url)
        table.add(the_round()[:1])
        page.locator(".card[data-table='7']").wait_for()
        table.line.stop()
        page.get_by_text("nicht verbunden seit").first.wait_for()


def test_english_by_choice_and_kept(service, table, page):
    table.add(the_round()[:1])
    page.goto(service.url)
    page.get_by_text("nicht freigegeben").wait_for()
    page.get_by_role("button", name="English").click()
    page.get_by_text("not released", exact=True).wait_for()
    page.reload()
    page.get_by_text("not released", exact=True).wait_for()


def test_a_name_is_text_and_nothing_else(service, table, page):
    table.add([the_round()[0] | {"players": ["<img src=x onerror=alert(1)>", "B&B", "Cem", "Dora"]}])
    page.goto(service.url)
    page.get_by_text("<img src=x onerror=alert(1)>").wait_for()
    assert page.locator(".card img").count() == 0


def test_nothing_sticks_out_sideways(service, table, page):
    """On a telephone, a tablet and a television."""
    sizes = [{"width": width, "height": height} for width, height in ((390, 844), (820, 1180), (1920, 1080))]
    fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    begun, _ = split(8)
    table.add(begun)
    page.goto(service.url + "/#pin=2468")
    page.locator(".card").wait_for()
    for size in sizes:
        page.set_viewport_size(size)
        assert page.evaluate(fits), size
    page.goto(service.url + "/#/1/7")
    page.locator("tr[data-game='8']").wait_for()
    for size in sizes:
        page.set_viewport_size(size)
        assert page.evaluate(fits), size
        small = page.locator("main button:visible").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).filter(box => box.height < 40 || box.width < 40).length"
        )
        assert small == 0, size  # every button is large enough for a finger


#: Words of Doppelkopf that nobody says of a table of Schafkopf.
DOPPELKOPF = re.compile(
    r"Vorbehalt|gesund|\bRe\b|Kontra|Absage|Hochzeit|Pflicht|Lustsolo|Doppelkopf|compulsory|Bock|"
    r"Solist|Ende der Spielzeit"
)


def test_schafkopf_is_told_in_its_own_words(service, table, page):
    """Through all phases of two games, in both languages, with the director's buttons."""
    page.goto(f"{service.url}/#pin=2468")
    page.locator("header button[data-do=logOut]").wait_for()
    page.goto(f"{service.url}/#/1/7")
    events, phases, added, offered = list(simulate("schaffkopf", 4, 2, table=7)), set(), 0, set()
    for number in range(len(events)):
        phase = view(fold(map(decode, events[: number + 1]))).phase
        if phase in phases:
            continue
        phases.add(phase)
        table.add(events[added : number + 1])
        added = number + 1
        until(lambda added=added: [desk.copy.count for desk in service.app.state.hall.desks] == [added])
        for _ in range(2):
            page.locator("header button[data-do=language]").click()
            page.locator("section.table .title .state b").wait_for()
            told = page.locator("body").inner_text()
            assert "7" in told and DOPPELKOPF.findall(told) == []
        offered |= set(page.locator(".side .buttons button").evaluate_all("all => all.map(one => one.dataset.do)"))
    assert {"asking", "declaring", "playing", "scored"} <= phases
    assert page.locator("button[data-do=timeUp]").count() == 0  # the book knows no playing time
    forms = page.locator(".side .buttons button").evaluate_all("all => all.map(one => one.dataset.do)")
    assert {"rule", "strike", "putRight", "callTable"} <= set(forms) and "leave" in offered - set(forms)
    for what in forms:
        page.locator(f".side button[data-do={what}]").click()
        assert DOPPELKOPF.findall(page.locator("dialog").inner_text()) == [], what
        page.locator("dialog button[value=no]").click()


def test_every_list_is_its_books_own(page, tmp_path):
    """Columns, cells, sums and checks of every book stand on its table's page as its list has them."""
    played = [list(simulate(book, 4, 4, table=table)) for table, book in enumerate(sorted(BOOKS), 1)]
    with hall(tmp_path, played) as service:
        page.goto(service.url)
        playwright.expect(page.locator(".card")).to_have_count(len(BOOKS))
        for events in played:
            page.evaluate(f"location.hash = '#/1/{events[0]['table']}'")
            page.locator("h1", has_text=f"Tisch {events[0]['table']}").wait_for()
            page.locator("table.list tr[data-game='4']").wait_for()
            data = list_data(fold(map(decode, events)))
            assert shown_list(page, data["players"]) == told_list(data), events[0]["rules"]


def shown_list(page, players):
    heads = page.locator("table.list thead tr:first-child th").all_inner_texts()
    return {
        "heads": [name for name in heads if name in players],
        "rows": page.locator("table.list tr[data-game]").evaluate_all(
            "rows => rows.map(row => [...row.querySelectorAll('td')].map(one => "
            "(one.querySelector('span:last-child') ?? one).innerText.trim()))"
        ),
        "sums": page.locator("table.list tfoot tr").evaluate_all(
            "rows => rows.map(row => [...row.querySelectorAll('td.p, td.s')].map(one => one.innerText.trim()))"
        ),
        "right": page.locator(".checks li.right").count(),
        "name": page.locator(".panel h2").first.inner_text().lower(),
    }


def told_list(data):
    def signed(cell):
        return str(cell).replace("-", "−")

    return {
        "heads": data["players"],
        "rows": [[signed(cell) if isinstance(cell, int) else cell for cell in line] for line in data["lines"]],
        "sums": [[signed(cell) for cell in cells if cell != ""] for _, cells in data["foot"]],
        "right": sum(bool(one["ok"]) for one in data["checks"]),
        "name": data["name"].lower(),
    }


def test_schafkopf_at_the_table(service, table, page):
    """The called card on the Bavarian deck, who bid what, and the leave that is waited for."""
    names = ["Anna", "Bernd", "Cem", "Dora"]
    events = [
        {"event": "open", "format": 1, "rules": "schaffkopf", "table": 7, "round": 1, "players": names},
        {"event": "release"},
        {"event": "deal", "dealer": 4},
        {"event": "call", "seat": 1, "call": "spielen"},
        {"event": "call", "seat": 2, "call": "auch"},
        {"event": "call", "seat": 3, "call": "recht"},
        {"event": "call", "seat": 4, "call": "recht"},
        {"event": "bid", "seat": 1, "class": "rufspiel"},
        {"event": "bid", "seat": 2, "class": "sie"},
    ]
    table.add(events)
    page.goto(f"{service.url}/#pin=2468")
    page.goto(f"{service.url}/#/1/7")
    page.get_by_text("Sie von Bernd braucht die Erlaubnis der Turnierleitung").first.wait_for()
    page.get_by_role("button", name="Erlaubnis", exact=True).click()
    assert page.locator("dialog select[name=seat]").input_value() == "2"
    page.locator("dialog .choice span", has_text=re.compile("^nicht erlaubt$")).click()
    page.locator("dialog button.main").click()
    order = until(lambda: table.orders)[0]
    assert order.request == Request(event=LeaveDecided(seat=2, granted=False, order_number=order.number))
    table.add(
        [
            {"event": "bid", "seat": 2, "class": None},
            {"event": "declare", "seat": 1, "game": "rufspiel", "card": "EA"},
            {"event": "card", "seat": 1, "card": "S7"},
        ]
    )
    page.locator(".state.now .face", has_text="A").wait_for()
    assert page.locator(".state.now .face").get_attribute("title") == "Eichel A"
    assert page.locator(".seats .face").get_attribute("title") == "Schellen 7"
    assert page.get_by_text("Anna: Rufspiel ruft Eichel A").count() == 1
