"""A book that is being written: all that is wrong with it, and what is made of the rest."""

from typing import Any

import pytest

from kiosk.rules.composed.draft import drafted
from kiosk.rules.composed.file import Key

HEAD = {"base": "bsv", "title": "Hausregeln", "source": "Aushang"}
BASE = ("base",)
RULES = [{"about": [name], "section": str(number)} for number, name in enumerate(("fuchs", "karlchen", "doppelkopf"))]
LONG = [{"about": ["fuchs"], "section": str(number), "text": "a" * 390} for number in range(40)]

#: content → where errors stand, and what is left of what was written
DRAFTS: dict[str, tuple[dict[str, Any], list[Key], dict[str, Any]]] = {
    "nothing is wrong": ({"options": {"games": 20}}, [], {"options": {"games": 20}}),
    "no title, no source": ({"title": "", "source": " "}, [("title",), ("source",)], {"title": "–", "source": "–"}),
    "an option and a rule": (
        {"options": {"games": 20, "value_fux": 1}, "rules": {"bock": "x", "calls": "by_hand"}},
        [("rules", "bock"), ("options", "value_fux")], {"options": {"games": 20}, "rules": {"calls": "by_hand"}}),
    "the second of three own rules": (
        {"rule": [RULES[0], {"about": ["fuch"], "section": "1"}, RULES[2]]},
        [("rule", 1, "about")], {"rule": RULES[:1]}),
    "the first": ({"rule": [{"about": [], "section": "1"}, *RULES]}, [("rule", 0, "about")], {"rule": []}),
    "the last": ({"rule": [*RULES, RULES[0]]}, [("rule", 3, "about")], {"rule": RULES}),
    "rules that are none": ({"rule": 5}, [("rule",)], {}),
    "a value of no kind": ({"games": {"played": 3, "order": None}}, [("games", "played")], {"games": {"order": None}}),
    "a section of no kind": ({"points": 3}, [("points",)], {}),
    "an object for a word": ({"rules": {"bock": {"x": {}}}}, [("rules", "bock")], {"rules": {}}),
    "a key that nobody knows": ({"rulez": {"a": 1}}, [("rulez",)], {}),
    "one error that another brings": (
        {"rules": {"list": "plus_minus_winners", "written": "plus"}}, [("rules", "list")], {"rules": {}}),
    "two that exclude each other": (
        {"options": {"limit_keine90": 4, "limit_keine60": 6}}, [("options", "limit_keine60")], {"options": {}}),
    "what the base has against it": ({"rules": {"written": "plus"}}, [("base",)], {"rules": {}}),
    "the second of two is no rule": ({"rule": [RULES[0], 5]}, [("rule", 1)], {"rule": RULES[:1]}),
    "a word over two lines": (
        {"games": {"played": ["a\nb"], "order": None}}, [("games", "played", 0)], {"games": {"order": None}}),
    "a word of a list in a list": ({"games": {"order": [["a\nb"]]}}, [("games", "order", 0, 0)], {"games": {}}),
    "an object over two lines": (
        {"rules": {"bock": {"x": "a\nb"}, "list": "plus_minus"}},
        [("rules", "bock", "x"), ("rules", "bock")], {"rules": {"list": "plus_minus"}}),
    "two that the base has against it": (
        {"rules": {"written": "plus"}, "options": {"limit_keine90": 4}}, [BASE, BASE], {"rules": {}, "options": {}}),
    "too much of it": ({"rule": LONG, "date": "2026"}, [()], {"date": "2026"}),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAFTS)
def test_what_is_wrong_is_left_out_and_the_rest_tried_again(name: str) -> None:
    content, keys, left = DRAFTS[name]
    draft = drafted("mittwoch", HEAD | content)
    assert [error.key for error in draft.errors] == keys
    assert draft.done == (not keys) and draft.book is not None and draft.book.own is not None
    assert draft.book.own.content == HEAD | left and draft.book.own.name == "mittwoch"


@pytest.mark.parametrize("name", ["", "Mittwoch", "bsv", "a" * 60])
def test_a_name_that_cannot_be_is_one_error(name: str) -> None:
    draft = drafted(name, HEAD | {"options": {"value_fux": 1}})
    assert [error.key for error in draft.errors] == [(), ("options", "value_fux")] and not draft.done
    assert draft.errors[0].source.name == name[:40] == draft.errors[1].source.name
    assert "a" * 41 not in draft.errors[0].told("en")
    assert draft.book is not None and draft.book.own is not None and draft.book.own.name == "buch"


@pytest.mark.parametrize("base", ["skat", ["bsv"], None], ids=["no such base", "no name", "nothing"])
def test_without_a_base_there_is_no_book(base: object) -> None:
    draft = drafted("mittwoch", HEAD | {"base": base, "options": {"value_fux": 1}})
    assert draft.book is None and not draft.done and [error.key for error in draft.errors] == [("base",)]


def test_a_base_that_is_none_is_told_beside_the_name() -> None:
    draft = drafted("Mittwoch", HEAD | {"base": "skat"})
    assert draft.book is None and [error.key for error in draft.errors] == [(), BASE]


def test_what_was_written_stays_as_it_is() -> None:
    content = HEAD | {"options": {"value_fux": 1}, "rule": [{"about": ["x"], "section": "1"}]}
    drafted("mittwoch", content)
    assert content == HEAD | {"options": {"value_fux": 1}, "rule": [{"about": ["x"], "section": "1"}]}
