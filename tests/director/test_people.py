"""Lists of people taken in over the service: nothing counts unseen, nothing in half, and only by the entry desk."""

import httpx
import pytest

from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from tests.tournament.intake.test_table import bomb, xlsx

pytestmark = pytest.mark.slow

LIST = "Name;Vorname;Verein;Nr.;bezahlt\nOtt;Anna;SV;1;x\nUhl;Bernd;;;\nOtt;Anna;TV;;\n;;SV;;\n"
WHERE = "/api/t/people"


@pytest.fixture
def service(tmp_path):
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin="2468")
    with Service(settings) as running:
        yield running


@pytest.fixture
def desk(service):
    """Somebody with an account of the entry desk."""
    with httpx.Client(base_url=service.url) as client:
        assert client.post("/api/login", json={"pin": "2468"}).status_code == 200
        for name, role in (("Erika", "desk"), ("Rolf", "referee")):
            made = {"name": name, "role": role, "password": "Kreuzbube9"}
            assert client.post("/api/accounts", json=made).status_code == 200
    with httpx.Client(base_url=service.url) as client:
        assert client.post("/api/login", json={"name": "Erika", "password": "Kreuzbube9"}).status_code == 200
        yield client


def people(service):
    return service.app.state.hall.office.tournament.people


def look(client, content=LIST, **chosen):
    answer = client.post(f"{WHERE}/preview", params=chosen, content=content)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_list_is_looked_at_then_taken_in_once(service, desk):
    told = look(desk)
    assert [(one["line"], one["what"]) for one in told["lines"]] == [(2, "new"), (3, "new"), (4, "doubt"), (5, "doubt")]
    assert [one["use"] for one in told["columns"]] == ["last", "first", "club", "number", "paid"]
    assert not people(service)  # looking takes nothing in
    answer = desk.post(f"{WHERE}/import", params={"stamp": told["stamp"], "take": "4,5"}, content=LIST)
    assert answer.json()["people"] == 3
    assert list(people(service)) == ["Anna Ott", "Bernd Uhl", "Anna Ott (TV)"]
    assert people(service)["Anna Ott"].paid_ms and people(service)["Anna Ott"].number == 1
    again = desk.post(f"{WHERE}/import", params={"stamp": told["stamp"]}, content=LIST)  # pressed twice
    assert (again.status_code, again.json()["code"]) == (400, "list_changed")
    told = look(desk)
    assert {one["what"] for one in told["lines"]} == {"same", "doubt"}
    again = desk.post(f"{WHERE}/import", params={"stamp": told["stamp"], "take": "4,5"}, content=LIST)
    assert again.json()["code"] == "nothing_new"
    assert desk.post("/api/t/undo", json={"number": answer.json()["number"]}).status_code == 200
    assert not people(service)


def test_a_workbook_and_columns_as_somebody_chose_them(service, desk):
    book = xlsx([("wer", "von wo", "Start"), ("Anna Ott", "SV", 7), ("Bernd Uhl", "TV", 8)])
    chosen = {"uses": "name,club,number", "headed": "1", "sheet": "Liste"}
    told = look(desk, book, **chosen)
    assert told["sheets"] == ["Leer", "Liste"] and told["columns"][2] == {
        "use": "number",
        "head": "Start",
        "sample": "7",
    }
    answer = desk.post(f"{WHERE}/import", params={**chosen, "stamp": told["stamp"]}, content=book)
    assert answer.json()["people"] == 2
    assert [(one.club, one.number) for one in people(service).values()] == [("SV", 7), ("TV", 8)]


@pytest.mark.parametrize(("content", "status", "code"), [
    (b"", 400, "empty_table"), (b"\x89PNG\r\n\x1a\n" + bytes(99), 400, "no_text"), (b"PK\x03\x04", 400, "no_workbook"),
    (b"A;B\n" * 2_000_000, 413, None),
], ids=["nothing", "a picture", "half a workbook", "too much"])  # fmt: skip
def test_what_is_no_list(desk, content, status, code):
    answer = desk.post(f"{WHERE}/preview", content=content)
    assert (answer.status_code, answer.json().get("code")) == (status, code)


def test_what_would_fill_the_machine_is_refused_and_the_service_goes_on(service, desk):
    assert desk.post(f"{WHERE}/preview", content=bomb(), timeout=60).json()["code"] == "no_workbook"
    assert look(desk)["lines"]


@pytest.mark.parametrize("name", ["Rolf", None])
def test_nobody_else_takes_lists_in(service, desk, name):
    with httpx.Client(base_url=service.url) as other:
        if name:
            assert other.post("/api/login", json={"name": name, "password": "Kreuzbube9"}).status_code == 200
        for path in ("preview", "import?stamp=x"):
            assert other.post(f"{WHERE}/{path}", content=LIST).status_code == 403
    assert desk.post("/api/other/people/preview", content=LIST).status_code == 400


@pytest.mark.parametrize("query", [
    "uses=" + ",".join(["name"] * 60), "uses=nonsense,,,", "headed=7", "headed=1&uses=number", "sheet=nowhere",
    "uses=%00&take=-1,x,9999999999999999999999",
])  # fmt: skip
def test_odd_wishes_are_answered(desk, query):
    assert desk.post(f"{WHERE}/preview?{query}", content=LIST).status_code in (200, 400, 422)
    assert desk.post(f"{WHERE}/import?stamp=x&{query}", content=LIST).status_code in (400, 422)


def test_badges_and_seat_cards_are_printed_for_the_desk_alone(service, desk):
    names = ["Anna Ott", "Bernd Uhl", "Cem Öz", "Dora"]
    office = service.app.state.hall.office
    office.note({"note": "enter", "names": names})
    badges = {"what": "badges", "form": "3474"}
    assert desk.get("/api/t/labels.pdf", params=badges).json()["code"] == "no_labels"
    assert desk.post("/api/t/notes", json={"note": "numbers"}).status_code == 200
    printed = desk.get("/api/t/labels.pdf", params={**badges, "numbers": "1,3", "start": 7})
    assert printed.headers["content-type"] == "application/pdf" and printed.content.startswith(b"%PDF")
    assert len(printed.content) < len(desk.get("/api/t/labels.pdf", params=badges).content)
    seats = {"what": "seats", "form": "tents4", "code": "none", "language": "en"}
    assert desk.get("/api/t/labels.pdf", params=seats).json()["code"] == "no_plan"
    office.note({"note": "draw", "round": 1, "seats": {"1": names}})
    assert desk.get("/api/t/labels.pdf", params=seats).content.startswith(b"%PDF")
    for odd in ({**badges, "form": "A5"}, {**badges, "what": "all"}, {**badges, "start": 0}, {**badges, "code": "ean"}):
        assert desk.get("/api/t/labels.pdf", params=odd).status_code in (400, 422)
    with httpx.Client(base_url=service.url) as stranger:
        assert stranger.get("/api/t/labels.pdf", params=badges).status_code == 403
