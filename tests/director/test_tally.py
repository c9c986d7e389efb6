"""Standing, cash book and the year's ranking at the service: what is asked, noted, refused and to take away."""

import re
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.demo.play import simulate
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.rules.engine.standings import draw
from kiosk.table.events.chain import START
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.tournament.tournament import begin

pytestmark = pytest.mark.slow

NAME = "Freitag"
PEOPLE = ["Anna", "Bernd", "Cem", "Dora"]


def run(tmp_path: Path, name: str = NAME, **begins: Any) -> Service:
    return Service(
        Settings(
            tournament=name,
            database=f"sqlite:///{tmp_path / 'director.sqlite'}",
            port=0,
            pin="2468",
            begins=begin(name, **begins) if begins else None,
        )
    )


class Direction:
    """A page at a service, logged in or not."""

    def __init__(self, service: Service, pin: str = "2468") -> None:
        self.service = service
        self.http = httpx.Client(
            base_url=service.url, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
        )
        if pin:
            assert self.http.post("/api/login", json={"pin": pin}).status_code == 200

    def send(self, events: list[dict[str, Any]], tournament: str = NAME) -> None:
        """A table's whole list, and wait until it is folded."""
        number, table = events[0]["round"], events[0]["table"]
        content = {"after": -1, "chain": START, "events": events}
        shown = {"Authorization": f"Bearer {self.service.enrol(table)}"}
        self.service.app.state.access.devices.change(shown["Authorization"][7:].partition(".")[0], {"rulings": True})
        answer = self.http.post(f"/line/{tournament}/{number}/{table}/events", json=content, headers=shown)
        assert answer.status_code == 200, answer.text
        hall, end = self.service.app.state.hall, time.monotonic() + 30
        while time.monotonic() < end:
            for key in hall.keys(tournament, number):
                if key.table == table and hall.desks[key].copy.count == len(events):
                    return
            time.sleep(0.01)
        raise AssertionError("the events were not folded")

    def get(self, path: str) -> Any:
        return self.http.get(path).json()

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.http.post(path, json=body)

    def note(self, **body: Any) -> None:
        self.service.app.state.hall.office.note(body)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Direction]:
    """An evening of schnittchen that began at 19:30."""
    day = datetime(2026, 11, 20, 19, 30)
    with run(tmp_path, rules="schnittchen", start=day.time(), day=day.date()) as service:
        yield Direction(service)


def played(rules: str, number: int = 1, table: int = 1, at: datetime | None = None, **opening: Any) -> list[dict]:
    events = list(simulate(rules, number, table=table, round_number=number, games=2))
    events[0] |= {"players": PEOPLE, **opening}
    if at is not None:
        events[0]["at"] = round(at.timestamp() * 1000)
    return events


def empty(rules: str, number: int, table: int = 1, players: list[str] | None = None) -> list[dict]:
    """A list on which nothing was played: everybody is equal."""
    opened = {"event": "open", "format": 1, "rules": rules, "round": number, "table": table}
    return [{**opened, "players": players or PEOPLE}, {"event": "close"}]


class TestStanding:
    @pytest.fixture
    def schaffkopf(self, tmp_path: Path) -> Iterator[Direction]:
        with run(tmp_path, rules="schaffkopf") as service:
            yield Direction(service)

    def test_the_lot_is_drawn_noted_and_explained(self, schaffkopf: Direction) -> None:
        """schaffkopf III 2.6: it can be checked by its seed, and is not drawn twice."""
        for number in (1, 2):
            schaffkopf.send(empty("schaffkopf", number))
        before = schaffkopf.get(f"/api/{NAME}/standings.json")
        assert before["to_draw"] == [PEOPLE] and before["final"]
        drawn = schaffkopf.post(f"/api/{NAME}/lot", names=PEOPLE).json()
        assert tuple(drawn["order"]) == draw(PEOPLE, drawn["seed"])
        after = schaffkopf.get(f"/api/{NAME}/standings.json")
        assert [one["name"] for one in after["places"]] == drawn["order"]
        assert [one["place"] for one in after["places"]] == [1, 2, 3, 4] and after["to_draw"] == []
        assert [(one["seed"], one["order"]) for one in after["draws"]] == [(drawn["seed"], drawn["order"])]
        refused = schaffkopf.post(f"/api/{NAME}/lot", names=PEOPLE)
        assert (refused.status_code, refused.json()["code"]) == (400, "no_lot")

    def test_a_lot_drawn_by_hand(self, schaffkopf: Direction) -> None:
        schaffkopf.send(empty("schaffkopf", 1))
        wrong = schaffkopf.post(f"/api/{NAME}/lot", names=PEOPLE, order=["Anna", "Anna", "Cem", "Dora"])
        assert (wrong.status_code, wrong.json()["code"]) == (400, "lot_order")
        order = ["Cem", "Dora", "Anna", "Bernd"]
        assert schaffkopf.post(f"/api/{NAME}/lot", names=PEOPLE, order=order).json()["seed"] == ""
        standing = schaffkopf.get(f"/api/{NAME}/standings.json")
        assert [one["name"] for one in standing["places"]] == order
        assert not standing["final"]  # a round is to come (III 2)

    def test_who_has_no_place(self, schaffkopf: Direction) -> None:
        """III 1.3: substitutes, and whom they replaced; under today's names."""
        schaffkopf.note(note="enter", names=PEOPLE)
        schaffkopf.note(note="mark", name="Dora", substitute=True)
        schaffkopf.note(note="substituted", round=2, table=1, seat=1, left="Anna", came="Zoe")
        schaffkopf.note(note="rename", name="Bernd", to="Bernhard")
        for number in (1, 2):
            schaffkopf.send(empty("schaffkopf", number))
        standing = schaffkopf.get(f"/api/{NAME}/standings.json")
        assert {one["name"]: one["out"] for one in standing["places"]} == {
            "Anna": "left",
            "Bernhard": "",
            "Cem": "",
            "Dora": "substitute",
        }

    def test_a_table_by_another_book_is_named_and_left_out(self, schaffkopf: Direction) -> None:
        schaffkopf.send(empty("schaffkopf", 1))
        schaffkopf.send(played("bsv", table=2, players=["E", "F", "G", "H"]))
        standing = schaffkopf.get(f"/api/{NAME}/standings.json")
        assert standing["other_books"] == [{"round": 1, "table": 2, "rules": "bsv"}]
        assert [one["name"] for one in standing["places"]] == PEOPLE

    def test_only_the_direction_draws(self, schaffkopf: Direction) -> None:
        schaffkopf.send(empty("schaffkopf", 1))
        assert Direction(schaffkopf.service, pin="").post(f"/api/{NAME}/lot", names=PEOPLE).status_code == 403
        assert schaffkopf.http.get("/api/Nirgends/standings.json").status_code == 404

    def test_to_take_away(self, schaffkopf: Direction) -> None:
        schaffkopf.send(empty("schaffkopf", 1))
        text = schaffkopf.http.get(f"/api/{NAME}/standings.txt").text
        assert "Rangliste (Schaffkopf Abschnitt III 2.6)" in text and "Das Los muss entscheiden" in text
        assert schaffkopf.http.get(f"/api/{NAME}/standings.csv?language=en").text.startswith("\ufeffPlace;Name;Points;")


class TestCash:
    def test_late_by_check_in(self, evening: Direction) -> None:
        """ "Strafen für 'Zu-Spät-Kommen'", from the check-in."""
        evening.note(note="enter", names=PEOPLE)
        for name, minute, second in (("Anna", 34, 59), ("Bernd", 35, 0), ("Cem", 46, 0)):
            came = datetime(2026, 11, 20, 19, minute, second)
            evening.note(note="check_in", name=name, came=round(came.timestamp() * 1000))
        book = evening.get(f"/api/{NAME}/cash.json")
        assert [(one["payer"], one["payee"], one["cents"], one["minutes"]) for one in book["entries"]] == [
            ("Bernd", None, 2000, 5),
            ("Cem", None, 3000, 16),
        ]
        assert book["club"] == {"due": 5000, "paid": 0} and book["start"] == "19:30"

    def test_payments(self, evening: Direction) -> None:
        events = played("schnittchen")
        ruled = {"event": "rule", "class": "none", "offender": None, "fines": {"2": 3, "1": -1, "3": -1}}
        evening.send([*events[:2], ruled])
        owed = evening.get(f"/api/{NAME}/cash.json")
        assert owed["open"] == [
            {"payer": "Bernd", "payee": "Anna", "cents": 100},
            {"payer": "Bernd", "payee": "Cem", "cents": 100},
            {"payer": "Bernd", "payee": None, "cents": 100},
        ]
        for payee, cents in (("Anna", 100), (None, 40)):
            assert evening.post(f"/api/{NAME}/paid", payer="Bernd", payee=payee, cents=cents).status_code == 200
        book = evening.get(f"/api/{NAME}/cash.json")
        assert (book["balance"], book["club"]) == (160, {"due": 100, "paid": 40})
        assert [one["kind"] for one in book["entries"]].count("paid") == 2
        again = evening.post(f"/api/{NAME}/paid", payer="Bernd", payee="Anna", cents=1)
        assert (again.status_code, again.json()["code"]) == (400, "no_debt")
        number = book["payments"][1]["number"]
        assert evening.post(f"/api/{NAME}/paid/{number}/back").status_code == 200
        assert evening.get(f"/api/{NAME}/cash.json")["balance"] == 200
        twice = evening.post(f"/api/{NAME}/paid/{number}/back")
        assert (twice.status_code, twice.json()["code"]) == (400, "no_payment")
        assert "Bernd" in evening.http.get(f"/api/{NAME}/cash.txt").text
        assert ";1,00;" in evening.http.get(f"/api/{NAME}/cash.csv").text

    @pytest.mark.parametrize("cents", [0, -5, 1.5, True, "100", None, 10**9])
    def test_no_such_payment(self, evening: Direction, cents: object) -> None:
        evening.send(
            [played("schnittchen")[0], {"event": "rule", "class": "none", "offender": None, "fines": {"2": 3}}]
        )
        assert evening.post(f"/api/{NAME}/paid", payer="Bernd", payee=None, cents=cents).status_code == 400

    @pytest.mark.parametrize(
        ("euros", "status"), [(3, 200), (2.5, 200), (-0.05, 200), (0.001, 422), ("1", 422), (True, 422)]
    )
    def test_a_referee_fines_to_the_cent(self, evening: Direction, euros: object, status: int) -> None:
        evening.send(played("schnittchen")[:2])
        body = {"event": "rule", "class": "none", "offender": None, "fines": {"2": euros}}
        answer = evening.post(f"/api/{NAME}/1/orders", table=1, body=body)
        assert answer.status_code == status, answer.text

    def test_it_is_the_directions(self, evening: Direction) -> None:
        other = Direction(evening.service, pin="")
        assert other.http.get(f"/api/{NAME}/cash.json").status_code == 403
        assert other.post(f"/api/{NAME}/paid", payer="Bernd", payee=None, cents=1).status_code == 403
        assert other.post(f"/api/{NAME}/paid/1/back").status_code == 403
        assert other.post(f"/api/{NAME}/counts", counts=False).status_code == 403

    def test_which_pages_there_are(self, tmp_path: Path) -> None:
        with run(tmp_path) as service:
            page = Direction(service)
            assert (page.get("/api/me")["money"], page.get("/api/me")["years"]) == (False, False)
            page.send(played("eppstein"))
            assert (page.get("/api/me")["money"], page.get("/api/me")["years"]) == (False, False)
            page.send(played("schnittchen", table=2))
            assert (page.get("/api/me")["money"], page.get("/api/me")["years"]) == (True, True)


class TestYear:
    def test_evenings_of_a_year(self, tmp_path: Path) -> None:
        """ "Pokale": the Jahreswertung over the tournaments of the store; a rehearsal may be left out."""
        first = played("schnittchen", 1, at=datetime(2026, 11, 20, 20))
        second = played("schnittchen", 2, at=datetime(2026, 12, 4, 20))
        trial = played("schnittchen", 3, at=datetime(2026, 12, 4, 18))
        for name, events in (("Erster", first), ("Probe", trial)):
            with run(tmp_path, name) as service:
                Direction(service).send(events, name)
        with run(tmp_path) as service:
            page = Direction(service)
            page.send(second)
            assert page.get("/years.json") == [2026]
            end = time.monotonic() + 30
            while len(page.get("/years/2026.json")["tournaments"]) < 3 and time.monotonic() < end:
                time.sleep(0.05)
            year = page.get("/years/2026.json")
            assert [one["day"] for one in year["days"]] == ["2026-11-20", "2026-12-04"]
            assert {one["tournament"]: one["counts"] for one in year["tournaments"]} == {
                "Erster": True,
                NAME: True,
                "Probe": True,
            }
            assert page.post("/api/Probe/counts", counts=False).status_code == 200
            assert page.post("/api/Probe/counts", counts="no").status_code == 400
            year = page.get("/years/2026.json")
            totals = [fold(map(decode, events)).totals for events in (first, second)]
            assert {one["name"]: one["points"] for one in year["places"]} == {
                name: sum(total[seat] for total in totals) for seat, name in enumerate(PEOPLE, start=1)
            }
            assert "Jahreswertung 2026" in page.http.get("/years/2026.txt").text
            assert page.http.get("/years/2026.csv").text.startswith("\ufeffPlatz;Name;20.11.;04.12.;Punkte")
            assert page.http.get("/years/1999.json").status_code == 404


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="de-DE")
    opened = context.new_page()
    failures: list[str] = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    yield opened
    context.close()
    assert failures == []


def names_on(page: Any) -> list[str]:
    return [str(one.get_attribute("data-name")) for one in page.locator(".standings tbody tr").all()]


class TestPage:
    def test_the_lot_by_its_button(self, tmp_path: Path, page: Any) -> None:
        with run(tmp_path, rules="schaffkopf") as service:
            direction = Direction(service)
            for number in (1, 2):
                direction.send(empty("schaffkopf", number))
            page.goto(f"{service.url}/#/standings")
            page.get_by_text("Das Los muss entscheiden zwischen Anna, Bernd, Cem, Dora.").wait_for()
            assert page.get_by_role("button", name="Losen").count() == 0  # nobody is logged in
            assert page.get_by_role("link", name="Kasse").count() == 0
            page.goto("about:blank")
            page.goto(f"{service.url}/#pin=2468")
            page.get_by_role("link", name="Rangliste", exact=True).click()
            page.get_by_role("button", name="Losen").click()
            page.locator("dialog").get_by_role("button", name="Losen").click()
            page.locator(".lots", has_text="Nachprüfen").wait_for()
            seed = re.search("Startwert (\\w+)", page.locator(".lots").inner_text())
            assert seed is not None and tuple(names_on(page)) == draw(PEOPLE, seed[1])
            assert page.locator(".standings thead").inner_text().split("\t")[-1].strip() == "Los"
            assert page.get_by_role("button", name="Losen").count() == 0

    def test_a_lot_drawn_by_hand(self, tmp_path: Path, page: Any) -> None:
        with run(tmp_path, rules="schaffkopf", rounds=1) as service:
            Direction(service).send(empty("schaffkopf", 1))
            page.goto(f"{service.url}/#pin=2468")
            page.get_by_role("link", name="Rangliste", exact=True).click()
            page.get_by_role("button", name="Von Hand gelost").click()
            page.locator("dialog select[name=place0]").select_option("Bernd")
            page.locator("dialog").get_by_role("button", name="Von Hand gelost").click()
            page.get_by_text("Jeder Name muss genau einmal vorkommen.").wait_for()
            page.get_by_role("button", name="Von Hand gelost").click()
            page.locator("dialog select[name=place0]").select_option("Bernd")
            page.locator("dialog select[name=place1]").select_option("Anna")
            page.locator("dialog").get_by_role("button", name="Von Hand gelost").click()
            page.get_by_text("von Hand gezogen").wait_for()
            assert names_on(page) == ["Bernd", "Anna", "Cem", "Dora"]

    def test_payments_by_their_buttons(self, evening: Direction, page: Any) -> None:
        fined = {"event": "rule", "class": "none", "offender": None, "fines": {"2": 3, "1": -1}}
        evening.send([played("schnittchen")[0], fined])
        page.goto(f"{evening.service.url}/#pin=2468")
        page.get_by_role("link", name="Kasse").click()
        page.locator(".debts li").first.get_by_text("Bernd → Anna").wait_for()
        page.locator(".debts li").first.get_by_role("button", name="hat bezahlt").click()
        page.locator("dialog input").fill("1,5")
        page.locator("dialog").get_by_role("button", name="hat bezahlt").click()
        page.get_by_text("So viel ist nicht offen: 1,00").wait_for()
        page.locator("dialog input").fill("1")  # what was typed stays to be mended
        page.locator("dialog").get_by_role("button", name="hat bezahlt").click()
        page.locator(".debts li", has_text="Bernd → Anna").get_by_role("button", name="zurücknehmen").wait_for()
        page.locator(".debts li", has_text="Bernd → Kasse").get_by_role("button", name="hat bezahlt").click()
        page.locator("dialog input").fill("0,25")
        page.locator("dialog").get_by_role("button", name="hat bezahlt").click()
        page.locator(".debts li b", has_text="1,75").wait_for()
        assert page.locator(".cash tbody tr.paid").count() == 2
        page.get_by_text("bisher hat sie 0,25 € eingenommen").wait_for()
        page.get_by_role("button", name="zurücknehmen").last.click()
        page.locator("dialog").get_by_role("button", name="zurücknehmen").click()
        page.get_by_text("bisher hat sie 0,00 € eingenommen").wait_for()
        assert evening.get(f"/api/{NAME}/cash.json")["balance"] == 200

    def test_the_year(self, tmp_path: Path, page: Any) -> None:
        with run(tmp_path, "Probe") as service:
            Direction(service).send(played("schnittchen", 3, at=datetime(2026, 12, 4, 18)), "Probe")
        with run(tmp_path) as service:
            Direction(service).send(played("schnittchen", 1, at=datetime(2026, 11, 20, 20)))
            page.goto(f"{service.url}/#pin=2468")
            page.get_by_role("link", name="Jahr", exact=True).click()
            page.get_by_role("heading", name="Jahreswertung 2026").wait_for()
            page.locator("thead th", has_text="04.12.").wait_for()
            page.locator(".debts li", has_text="Probe").get_by_role("button", name="nicht zählen").click()
            page.locator("thead th", has_text="04.12.").wait_for(state="detached")
            assert page.locator("thead th", has_text="20.11.").count() == 1
