"""A book is its file, its row in ``BOOKS`` and its words: nothing else names it, and all that there is takes it."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kiosk.demo.play import simulate
from kiosk.language.rules import book_name, rule_says
from kiosk.paper.spielliste import list_pdf
from kiosk.rules.books import BOOKS, EPPSTEIN
from kiosk.rules.describe.text import book_text, differences_text
from kiosk.rules.options.option import BadOption
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.view.book_view import book_view
from kiosk.table.view.options_view import options_view
from kiosk.table.view.show import view

ROOT = Path(__file__).parents[2]

#: Who chooses books of his own, and what for.
CHOOSES = {
    "kiosk/bench/championship/plan.py": "one championship, always the same",
    "kiosk/demo/pictures.py": "the pictures of the documents",
    "kiosk/rules/composed": "clubs compose from what the shipped books have, each piece named by the book it is from",
}


def named(path: Path) -> Iterator[str]:
    """Names of books in strings and identifiers, not in comments and docstrings."""
    pattern = re.compile(rf"(?<![a-z])({'|'.join(BOOKS)})(?![a-z])", re.IGNORECASE)
    text = path.read_text()
    if not pattern.search(text):
        return
    tree = ast.parse(text)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            text = node.value
        else:
            text = next((str(getattr(node, key)) for key in ("id", "attr", "name", "arg") if hasattr(node, key)), "")
        if pattern.search(text):
            yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {text[:60]}"


@pytest.mark.slow
def test_no_module_names_a_book() -> None:
    files = [path for folder in ("kiosk", "hw", "vision") for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(files) > 500
    left_out = [ROOT / "kiosk/rules/books", *(ROOT / path for path in CHOOSES)]
    found = [line for path in files if not {path, *path.parents} & set(left_out) for line in named(path)]
    assert not found, "\n".join(found)
    for path in CHOOSES:
        inside = [one for one in files if ROOT / path in (one, *one.parents)]
        assert any(list(named(one)) for one in inside), f"{path} is no exception any more"


def test_a_registered_book_is_taken_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Table, screen, list, paper and description work with a book that nobody has heard of, and cite it."""
    monkeypatch.setitem(BOOKS, "vereinsbuch", replace(EPPSTEIN, name="vereinsbuch", title="Das Buch des Vereins"))
    events = list(simulate("vereinsbuch", 5, 3, mistakes=0.05))
    round_ = fold(map(decode, events))
    data = list_data(round_)
    cited = [one.section for one in round_.offences] + [check["section"] for check in data["checks"]]
    assert round_.offences and all(section.startswith("vereinsbuch ") for section in cited), cited
    assert list_pdf([data]).startswith(b"%PDF")
    shown = view(round_)
    assert shown.book.name == "vereinsbuch"
    assert [one.name for one in options_view("vereinsbuch", {})]
    sentences = book_view("vereinsbuch").sentences
    assert rule_says("revoke", "de", "vereinsbuch 3.1.2", sentences) == rule_says(
        "revoke", "de", "eppstein 3.1.2", EPPSTEIN.sentences
    )
    assert book_name("vereinsbuch") == "Vereinsbuch"
    book = BOOKS["vereinsbuch"]
    assert "Das Buch des Vereins" in book_text(book, "de") and "eppstein" not in book_text(book, "de")
    with pytest.raises(BadOption, match=r"vereinsbuch 7\.5\.1"):
        book.settle({"pflichtsoli": 9})
    assert differences_text(book, BOOKS["bsv"], "de").count("bsv") >= 2
