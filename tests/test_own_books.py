"""A club's own book on its way: beside a configuration, in notes and plans of the direction, into a table's list."""

import gc
import io
import json
import pickle
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from kiosk.app.config import load_director, load_table
from kiosk.app.given import GivenFolder
from kiosk.app.opener import book_is_known
from kiosk.director.tables.folds import _Pickler, _Unpickler
from kiosk.errors import BadConfig, BadNote
from kiosk.parcel.parcel import Parcel
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.known import put_books
from kiosk.table.events.codec import decode_opening
from kiosk.table.round.book_played import with_its_book
from kiosk.table.round.fold import open_round
from kiosk.tournament.own_books import with_books
from kiosk.tournament.plan import plan_for
from kiosk.tournament.tournament import begin
from tests.rules.composed.books import written

BOOK = 'base = "bsv"\ntitle = "Hausregeln"\nsource = "Aushang"\n[options]\ngames = {games}\n'


@pytest.fixture(autouse=True)
def _shelf() -> Iterator[None]:
    yield
    for name in [book.own.name for book in list(BOOKS.values()) if book.own]:
        BOOKS.take_away(name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "mittwoch.toml").write_text(BOOK.format(games=20), encoding="utf-8")
    (tmp_path / "decks").mkdir()
    return tmp_path


def test_a_directions_file_names_a_book_beside_it(folder: Path) -> None:
    path = folder / "director.toml"
    path.write_text('tournament = "Turnier"\nrules = "mittwoch"\n')
    config = load_director(path)
    assert config.rules is not None and config.rules.startswith("mittwoch.")
    assert BOOKS[config.rules].settle({})["games"] == 20
    path.write_text('tournament = "Turnier"\nrules = "mitwoch"\n')
    with pytest.raises(BadConfig, match=r"rules = .*did you mean 'mittwoch"):
        load_director(path)


def test_what_is_wrong_with_the_book_is_said_by_its_line(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "books" / "mittwoch.toml").write_text(BOOK.format(games=0), encoding="utf-8")
    path = folder / "director.toml"
    path.write_text('tournament = "Turnier"\nrules = "mittwoch"\n')
    with pytest.raises(BadConfig, match=r"mittwoch\.toml: line 5, options\.games = 0"):
        load_director(path)
    path.write_text('tournament = "Turnier"\nrules = "bsv"\n')
    assert load_director(path).rules == "bsv"  # who plays by another book is not kept from it
    assert "mittwoch.toml: line 5" in caplog.text


def test_a_tables_file_takes_it_too(folder: Path) -> None:
    path = folder / "table.toml"
    path.write_text('table = 1\n[round]\nrules = "mittwoch"\n[deck]\nname = "x"\n')
    config = load_table(path)
    assert BOOKS[config.round.rules].title == "Hausregeln" and config.minutes == 120


def test_notes_carry_the_book_to_a_director_that_has_no_file() -> None:
    book = written("[options]\ngames = 20")
    BOOKS.put(book)
    note = json.loads(json.dumps(with_books({"note": "setup", "rules": "mittwoch", "options": {}})))
    name = next(iter(note["books"]))
    assert name == book.name
    note["rules"] = name
    BOOKS.take_away("mittwoch")
    del book
    gc.collect()
    assert name not in BOOKS
    tournament = begin("Turnier").after(note, 0, 1)
    assert tournament.book.settle({})["games"] == 20 and tournament.book.title == "Hausregeln"
    plan = plan_for(tournament, 1)
    assert plan is not None and plan["rules"] == name and plan["book"]["options"] == {"games": 20}


def test_a_programme_of_several_books_carries_them_all() -> None:
    BOOKS.put(written("[options]\ngames = 20"))
    note = with_books({"note": "programme", "rounds": [{"rules": "mittwoch"}, {"rules": "bsv"}, {}]})
    assert [name.split(".")[0] for name in note["books"]] == ["mittwoch"]
    assert with_books({"note": "programme", "rounds": [{"rules": "bsv"}]}) == {
        "note": "programme",
        "rounds": [{"rules": "bsv"}],
    }


@pytest.mark.parametrize("books", [[1], {"mittwoch.000000000000": {"base": "bsv"}}, {"mittwoch": {}}, {"x": 1}])
def test_notes_with_a_book_that_is_none_are_refused(books: Any) -> None:
    with pytest.raises(BadNote):
        begin("Turnier").after({"note": "setup", "rules": "bsv", "books": books}, 0, 1)


def test_a_table_takes_the_book_of_a_plan_and_refuses_one_that_is_none(caplog: pytest.LogCaptureFixture) -> None:
    book = written("[options]\ngames = 22")
    plan = {"rules": book.name, "book": dict(book.own.content) if book.own else {}}
    del book
    gc.collect()
    assert plan["rules"] not in BOOKS
    assert book_is_known(plan) and plan["rules"] in BOOKS
    assert not book_is_known({**plan, "book": {"base": "bsv"}})
    assert "cannot be played by here" in caplog.text
    assert book_is_known({"rules": "bsv"}) and book_is_known(None)


def test_an_opening_carries_the_book_once() -> None:
    book = written("[options]\ngames = 23")
    BOOKS.put(book)
    opening = decode_opening({"event": "open", "format": 1, "rules": "mittwoch", "players": list("ABCD")})
    carried = with_its_book(opening)
    assert carried.rules == book.name and with_its_book(carried) is carried
    assert open_round(carried).book is book
    plain = decode_opening({"event": "open", "format": 1, "rules": "bsv", "players": list("ABCD")})
    assert with_its_book(plain) is plain


def test_a_kept_fold_has_the_book_with_it() -> None:
    book = written("[options]\ngames = 24")
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump((book, BOOKS["bsv"]))
    name = book.name
    del book
    gc.collect()
    assert name not in BOOKS
    found, shipped = _Unpickler(io.BytesIO(file.getvalue())).load()
    assert found.name == name and found.settle({})["games"] == 24 and shipped is BOOKS["bsv"]


def test_a_given_book_is_laid_where_it_is_read_and_taken_away_again(tmp_path: Path) -> None:
    given = GivenFolder(tmp_path, tmp_path / "decks")
    content = BOOK.format(games=26).encode()
    digest = sha256(content).hexdigest()
    given.part(digest).write_bytes(content)
    given.take(given.part(digest), digest)
    parcel = Parcel(kind="book", name="mittwoch", sha256=digest, size=len(content))
    assert given.name((parcel,)) and given.lay() == (parcel,)
    assert put_books(given.books) == [] and BOOKS["mittwoch"].settle({})["games"] == 26
    assert given.name(()) and given.lay() == ()
    assert list(given.books.iterdir()) == []
