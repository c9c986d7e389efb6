"""The decisions left to the direction: each an option with values, default and section; what is refused and how."""

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.book import Option, RuleBook
from kiosk.rules.books import BOOKS
from kiosk.table.fold import open_round

EVERY = [(book, option) for book in BOOKS.values() for option in book.options]


def opened(book: RuleBook, **options: object) -> dict[str, object]:
    return {"event": "open", "format": 1, "rules": book.name, "players": list("ABCD"), "options": options}


@pytest.mark.parametrize(("book", "option"), EVERY, ids=[f"{b.name} {o.name}" for b, o in EVERY])
def test_an_option(book: RuleBook, option: Option) -> None:

    assert option.section and option.meaning.endswith(".")
    assert book.settle({})[option.name] == option.default
    for value in option.values:
        assert open_round(opened(book, **{option.name: value})).options[option.name] == value
    for wrong in ("nonsense", -7, 2.5, None, [1]):
        with pytest.raises(BadEvent, match=f"option '{option.name}' cannot be"):
            open_round(opened(book, **{option.name: wrong}))


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_options_of_other_books_are_refused(book: RuleBook) -> None:
    own = {option.name for option in book.options}
    others = {option.name: option.default for other in BOOKS.values() for option in other.options} | {"x": 1}
    for name, value in others.items():
        if name not in own:
            with pytest.raises(BadEvent, match=f"unknown option '{name}' of {book.name}; it has"):
                open_round(opened(book, **{name: value}))


def test_true_is_no_number() -> None:
    with pytest.raises(BadEvent, match="cannot be True"):
        open_round(opened(BOOKS["schnittchen"], scorer=True))
    with pytest.raises(BadEvent, match="whole number from 1 to 4"):
        open_round(opened(BOOKS["schnittchen"], scorer=5))
