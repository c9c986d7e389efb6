"""A club's own book at the direction: taken in on the page, played by, and still there after a restart without it."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.rules.books import BOOKS
from tests.director.test_parcels import Hall

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
    return {one["title"]: one["name"] for one in told["books"]}


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
