"""A club's own book at the direction: taken in or made there, tried, played by, given, and still there afterwards."""

import asyncio
import gc
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.director.pages import book_routes, book_trial
from kiosk.director.storage.parcel_store import KEPT_STATES
from kiosk.director.storage.store import Store
from kiosk.rules.books import BOOKS
from kiosk.tournament.overtaken import Overtaken
from tests.director.test_parcels import Hall
from tests.waiting import LONGEST_S

pytestmark = pytest.mark.slow

BOOK = 'base = "bsv"\ntitle = "{title}"\nsource = "Aushang"\n[options]\ngames = {games}\n'


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(tmp_path)
    yield made
    made.end()
    BOOKS.take_away("mittwoch")


def offered(hall: Hall) -> dict[str, str]:
    told = hall.page.get("/api/t/setup?language=de").json()
    return {one["title"]: one["name"] for one in told["books"] if not one["earlier"]}


def test_a_book_is_uploaded_chosen_and_stays_with_the_tournament(hall: Hall) -> None:
    assert "Hausregeln" not in offered(hall)
    hall.upload("book", "mittwoch", BOOK.format(title="Hausregeln", games=20).encode())
    name = offered(hall)["Hausregeln"]
    answer = hall.page.post("/api/t/notes", json={"note": "setup", "rules": name, "options": {}})
    assert answer.status_code == 200, answer.text
    hall.upload("book", "mittwoch", BOOK.format(title="Neue Hausregeln", games=30).encode())
    assert offered(hall).keys() >= {"Neue Hausregeln"} and "Hausregeln" not in offered(hall)
    told = hall.page.get("/api/t/setup?language=de").json()
    assert (told["book"]["name"], told["book"]["title"]) == (name, "Hausregeln")  # what was chosen holds
    hall.end()
    BOOKS.take_away("mittwoch")
    gc.collect()
    hall.begin()
    told = hall.page.get("/api/t/setup?language=de").json()
    assert (told["book"]["name"], told["book"]["title"]) == (name, "Hausregeln")
    assert "Neue Hausregeln" in offered(hall)


def test_a_book_with_a_fault_is_not_taken_in_and_the_way_out_is_told(hall: Hall) -> None:
    content = BOOK.format(title="Hausregeln", games=0).encode()
    answer = hall.page.post("/api/parcels", params={"kind": "book", "name": "mittwoch"}, content=content)
    assert answer.status_code == 400
    assert "mittwoch.toml: line 5, options.games = 0" in answer.text and "parcel_book" in answer.text


CONTENT = {"base": "bsv", "title": "Hausregeln", "source": "Aushang"}


def keep(hall: Hall, seen: int, name: str = "mittwoch", **more: Any) -> httpx.Response:
    content = {**CONTENT, **more.pop("content", {})}
    return hall.page.post("/api/books/save", json={"name": name, "content": content, "seen": seen, **more})


def kept(hall: Hall, name: str = "mittwoch") -> dict[str, Any]:
    told = hall.page.get("/api/books").json()["books"]
    return next(one for one in told if one["name"] == name)


def test_a_book_that_is_made_is_offered_changed_and_what_was_chosen_stays(hall: Hall) -> None:
    first = keep(hall, 0).json()
    assert offered(hall)["Hausregeln"] == first["full"]
    note = {"note": "setup", "rules": first["full"], "options": {}}
    assert hall.page.post("/api/t/notes", json=note).status_code == 200
    second = keep(hall, first["number"], content={"options": {"games": 30}}).json()
    assert second["full"] != first["full"] and offered(hall)["Hausregeln"] == second["full"]
    assert keep(hall, first["number"], content={"options": {"games": 30}}).json()["number"] == second["number"]  # twice
    setup = hall.page.get("/api/t/setup").json()
    assert setup["book"]["name"] == first["full"]
    assert [one["name"] for one in setup["books"] if one["earlier"]] == [first["full"]]  # it can be seen to be chosen
    assert hall.page.get(f"/api/book/{first['full']}").json()["name"] == first["full"]
    told = kept(hall)
    assert [one["number"] for one in told["states"]] == [second["number"], first["number"]]
    assert told["rounds"] == [1, 2, 3] and told["states"][0]["actor"] == "PIN"
    earlier = hall.page.get(f"/api/books/{first['number']}").json()
    assert earlier["content"] == CONTENT
    assert keep(hall, second["number"], content={}).json()["full"] == first["full"]  # an earlier state counts again
    hall.end()
    hall.begin()
    assert kept(hall)["full"] == first["full"] and len(kept(hall)["states"]) == 3


def test_who_comes_second_is_told_and_nothing_is_overwritten(hall: Hall) -> None:
    number = keep(hall, 0).json()["number"]
    assert keep(hall, number, content={"title": "Eins"}).status_code == 200
    for seen in (number, 0):
        refused = keep(hall, seen, content={"title": "Zwei"})
        assert refused.status_code == 400 and refused.json()["code"] == "overtaken"
        assert refused.json()["values"]["name"] == "PIN" and refused.json()["values"]["number"] == kept(hall)["number"]
    assert kept(hall)["title"] == "Eins"
    assert keep(hall, refused.json()["values"]["number"], content={"title": "Zwei"}).status_code == 200


def test_a_contradiction_is_not_stored_and_is_told_in_both_languages(hall: Hall) -> None:
    refused = keep(hall, 0, content={"rules": {"written": "plus"}}).json()
    assert refused["code"] == "parcel_book" and "sum to 0" in refused["values"]["why_en"]
    assert "ergibt" in refused["values"]["why_de"]
    assert hall.page.get("/api/books").json()["books"] == []


def test_a_book_that_tables_have_is_renamed_deleted_and_brought_back(hall: Hall) -> None:
    table = hall.device(1)
    number = keep(hall, 0).json()["number"]
    assert hall.post(f"{number}/give", tables="all").status_code == 200
    order = table.has("mittwoch").order
    assert kept(hall)["given"] == {"0": True}
    renamed = keep(hall, number, "dienstag", instead_of="mittwoch").json()
    assert renamed["name"] == "dienstag" and kept(hall)["gone"]
    order = table.has(after=order).order  # the one of the other name is taken back
    assert keep(hall, number, "montag", instead_of="mittwoch").json()["code"] == "overtaken"
    assert hall.post(f"{renamed['number']}/give", tables=[1]).status_code == 200
    table.has("dienstag", after=order)
    gone = hall.page.post("/api/books/remove", json={"name": "dienstag", "seen": renamed["number"]}).json()
    assert gone["gone"] and gone["title"] == "Hausregeln" and gone["given"] == {}
    table.has(after=order + 1)
    assert "Hausregeln" not in offered(hall)
    assert keep(hall, gone["number"], "dienstag").json()["gone"] is False
    assert "Hausregeln" in offered(hall)
    again = {"name": "freitag", "seen": 1}
    assert hall.page.post("/api/books/remove", json=again).status_code == 404


def test_books_of_one_direction_are_not_those_of_another(hall: Hall, tmp_path: Path) -> None:
    """As clubs of one service are: in one process, with one shelf of the program's own books."""
    (tmp_path / "other").mkdir()
    other = Hall(tmp_path / "other")
    try:
        full = keep(hall, 0).json()["full"]
        assert keep(other, 0, content={"title": "Andere"}).status_code == 200
        assert keep(other, 0, "freitag", content={"title": "Freitags"}).status_code == 200
        assert offered(other).keys() >= {"Andere", "Freitags"} and "Hausregeln" not in offered(other)
        assert offered(hall).keys() & {"Hausregeln", "Andere", "Freitags"} == {"Hausregeln"}
        assert other.page.get(f"/api/book/{full}").status_code == 400
        assert hall.page.get(f"/api/book/{full}").json()["own"]["content"] == CONTENT
    finally:
        other.end()


def test_comments_of_an_uploaded_file_stay(hall: Hall) -> None:
    text = "# Versammlung 2025\n" + BOOK.format(title="Hausregeln", games="20  # wie immer")
    hall.upload("book", "mittwoch", text.encode())
    told = hall.page.get("/api/books").json()["books"][0]
    content = hall.page.get(f"/api/books/{told['number']}").json()["content"]
    content["options"]["value_fuchs"] = 2
    body = {"name": "mittwoch", "content": content, "seen": told["number"]}
    assert hall.page.post("/api/books/save", json=body).status_code == 200
    number = hall.page.get("/api/books").json()["books"][0]["number"]
    kept = hall.page.get(f"/api/books/{number}/book.toml").text
    assert kept.startswith("# Versammlung 2025\n") and "= 20  # wie immer\n" in kept and '"value_fuchs" = 2' in kept


def test_its_files_are_to_be_had(hall: Hall) -> None:
    number = keep(hall, 0, content={"rule": [{"about": ["fuchs"], "section": "4", "text": "Er zählt."}]}).json()[
        "number"
    ]
    files = {kind: hall.page.get(f"/api/books/{number}/book.{kind}") for kind in ("toml", "html", "pdf", "exe")}
    assert (
        files["toml"].text.startswith('base = "bsv"')
        and "mittwoch.toml" in files["toml"].headers["content-disposition"]
    )
    assert "Er zählt." in files["html"].text and files["pdf"].content.startswith(b"%PDF")
    assert files["exe"].status_code == 404
    again = hall.upload("book", "freitag", files["toml"].content)
    assert kept(hall, "freitag")["number"] == again["number"]


def tried(hall: Hall, content: dict[str, Any]) -> list[dict[str, Any]]:
    with hall.page.stream(
        "POST", "/api/books/try", json={"name": "mittwoch", "content": content}, timeout=LONGEST_S
    ) as answer:
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.iter_lines()]


def test_it_is_tried_in_a_process_one_after_the_other(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_routes, "_GAMES", 2)
    lines = tried(hall, CONTENT)
    assert lines[0] == {"games": 2} and lines[-1]["games"] == 2
    heads = [rows[0][0] for rows in lines[-1]["rows"]]
    assert heads[:2] == ["Spiele", "Wofür sie zählten"] and lines[-1]["rows"][1][1][0] == "gewonnen"
    monkeypatch.setattr(book_trial, "_SIGN_S", 0.05)
    monkeypatch.setattr(book_routes, "_GAMES", 100_000)
    body = {"name": "mittwoch", "content": CONTENT}
    with hall.page.stream("POST", "/api/books/try", json=body, timeout=LONGEST_S) as first:
        running = first.iter_lines()
        assert "games" in json.loads(next(running))
        with (
            httpx.Client(base_url=hall.service.url, cookies=hall.page.cookies, timeout=LONGEST_S) as http,
            http.stream("POST", "/api/books/try", json=body) as second,
        ):
            assert json.loads(next(second.iter_lines())) == {"waiting": True}
    refused = {**CONTENT, "rules": {"written": "plus"}}
    assert "ergibt" in tried(hall, refused)[-1]["refused"]  # those that nobody waits for any more have ended
    assert book_trial._queue == []


def test_more_than_a_few_trials_are_refused(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_trial, "_queue", [object()] * (book_trial.MOST_WAITING + 1))
    refused = hall.page.post("/api/books/try", json={"name": "mittwoch", "content": CONTENT})
    assert refused.status_code == 400 and refused.json()["code"] == "trial_many"


def test_a_trial_that_dies_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_trial, "MODULE", "kiosk.no_such_module")

    async def lines() -> list[bytes]:
        return [line async for line in book_trial.trial_lines({})]

    assert asyncio.run(lines()) == [b'{"failed": true}\n'] and book_trial._queue == []


def test_states_are_stored_all_or_none_and_the_last_ones_are_kept(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'd.sqlite'}")
    about = {"title": "x"}
    with pytest.raises(Overtaken):  # a name that is taken by somebody else meanwhile: the other one stays as it is
        store.keep_books({"eins": (b"a", about), "zwei": (b"b", about)}, {"eins": 0, "zwei": 7})
    assert store.parcels() == []
    for number in range(KEPT_STATES + 5):
        store.keep_books({"eins": (str(number).encode(), about)}, {"eins": None})
        if number == 0:
            store.note_gifts([(1, "book/eins", store.parcels()[0].number)])
    numbers = [one.number for one in store.parcels()]
    assert len(numbers) == KEPT_STATES + 1 and numbers[0] == 1  # what was given to a table is there for it
    assert numbers[-1] == KEPT_STATES + 5
    store.close()
