"""What a club's book is put together of: its head, tables, sections, and what changes for what a game counts."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.composed.points import shipped
from kiosk.rules.describe import probe
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.known import KNOWN
from tests.rules.composed.books import made

OF_FIVE = {"games_5", "minutes_5", "scorer_5"}


def names(book: RuleBook) -> set[str]:
    return {one.name for one in book.options}


@pytest.mark.parametrize(
    ("head", "source"),
    [({}, "Aushang"), ({"date": "2026"}, "Aushang, 2026"), ({"source": "Brief", "date": "1. Mai"}, "Brief, 1. Mai")],
    ids=["without a date", "with one", "another"],
)
def test_the_head_of_a_book(head: dict[str, str], source: str) -> None:
    book = made("ddv", **head)
    assert (book.title, book.source) == ("Hausregeln", source)
    assert book.own is not None and (book.own.name, book.own.base) == ("mittwoch", "ddv")
    assert book.own.content == {"base": "ddv", "title": "Hausregeln", "source": "Aushang"} | head
    short, _, digits = book.name.partition(".")
    assert short == "mittwoch" and len(digits) == 12 and int(digits, 16) >= 0


def test_options_stand_in_the_order_of_all_books() -> None:
    taken = made("bsv", rules={"hochzeit": "first_plain", "bock": "rounds", "coming_late": "euros"})
    assert [one.name for one in taken.options] == [name for name in KNOWN if name in names(taken)]


@pytest.mark.parametrize(
    ("base", "tables", "wanted", "five"),
    [
        ("bsv", None, (4, 5), True),
        ("bsv", [4], (4,), False),
        ("bsv", [5], (5,), True),
        ("eppstein", [5, 4, 5], (4, 5), True),
        ("durchgaenge", [4], (4,), False),
    ],
)
def test_numbers_of_players(base: str, tables: list[int] | None, wanted: tuple[int, ...], five: bool) -> None:
    book = made(base, **({} if tables is None else {"tables": tables}))
    assert book.tables == wanted
    assert names(book) & OF_FIVE == (names(shipped(base)) & OF_FIVE if five else set())
    assert "games" in names(book)


def test_sections_of_all_books_are_known_to_each() -> None:
    book = made("bsv")
    for name in BOOKS.shipped:
        assert shipped(name).sentences.items() <= book.sentences.items()


@pytest.mark.parametrize("base", ["bsv", "eppstein", "schnittchen"])
def test_a_rule_of_another_book_leaves_the_sections_of_the_others(base: str) -> None:
    book, own = made(base, rules={"taking_back": "open_trick"}), shipped(base)
    assert book.sections.keys() == own.sections.keys()
    changed = {key for key, where in book.sections.items() if where != own.sections[key]}
    assert changed == {"take_back"} and book.sections["take_back"].startswith("durchgaenge ")
    assert book.fact_sections == own.fact_sections


@pytest.mark.parametrize(
    ("base", "played", "gone"),
    [
        ("bsv", ["damensolo", "hochzeit"], {"farbsolo", "bubensolo", "fleischlos"}),
        ("durchgaenge", ["bubensolo"], {"damensolo"}),
        ("eppstein", ["schmeissen", "farbsolo"], {"damensolo", "trumpfsolo"}),
    ],
)
def test_games_that_are_not_played_are_told_of_nowhere(base: str, played: list[str], gone: set[str]) -> None:
    book, own = made(base, games={"played": played}), shipped(base)
    assert {f"game_{name}" for name in gone} <= own.fact_sections.keys() | set()
    left = own.fact_sections.keys() - book.fact_sections.keys()
    assert left == {key for key in own.fact_sections if key.startswith("game_")} - {
        "game_normal", *(f"game_{name}" for name in played)}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "option"),
    [
        ({}, True),
        ({"trumps": {"damensolo": ["Q", "J"]}}, True),
        ({"trumps": {"trumpfsolo": ["HT", "Q"]}}, False),
        ({"trumps": {"normal": ["HT", "Q", "J", "D", "SA"]}}, False),
        ({"games": {"played": ["damensolo"]}}, False),
        ({"games": {"played": ["trumpfsolo"]}}, True),
    ],
    ids=["as the base", "another solo's trumps", "its trumps", "a normal game's trumps", "not played", "played"],
)
def test_whether_a_trumpfsolo_goes_by_its_option(content: dict[str, Any], option: bool) -> None:
    book = made("schnittchen", **content)
    assert ("karo_in_trumpfsolo" in names(book)) == option
    assert (book.contract_by is shipped("schnittchen").contract_by) == option


@pytest.mark.parametrize(
    ("base", "played", "name", "section"),
    [
        ("eppstein", ["schmeissen"], "schmeissen_nines", "eppstein 3.4.2"),
        ("ddv", ["schmeissen"], "schmeissen_nines", "eppstein 3.4.2"),
        ("bsv", ["trumpfschwach"], "trumpfschwach_trumps", "bsv 4.1"),
        ("ddv", ["trumpfschwach"], "trumpfschwach_trumps", "bsv 4.1"),
    ],
)
def test_options_of_a_game_are_the_bases_or_anothers(base: str, played: list[str], name: str, section: str) -> None:
    book = made(base, games={"played": ["damensolo", *played]})
    assert book.option(name).section.startswith(section)
    assert book.option(name).default == shipped(section.split()[0]).option(name).default
    assert name not in names(made(base, games={"played": ["damensolo"]}))


@pytest.mark.parametrize(
    ("base", "content", "anew"),
    [
        ("bsv", {}, False),
        ("bsv", {"rules": {"hochzeit": "named"}, "games": {"played": ["damensolo", "hochzeit"]}}, False),
        ("bsv", {"trumps": {"damensolo": ["Q", "J"]}}, False),
        ("bsv", {"points": {"reached": True}}, True),
        ("bsv", {"points": {"special_doubled": False}}, True),
        ("bsv", {"rules": {"bock": "rounds"}}, True),
        ("bsv", {"rules": {"calls": "by_hand"}}, True),
        ("bsv", {"rules": {"written": "plus_minus"}}, True),
        ("bsv", {"trumps": {"normal": ["HT", "Q", "J", "D", "SA"]}}, True),
    ],
    ids=["nothing", "a rule of another kind", "a solo's trumps", "a reason", "a false one", "Bockrunden", "calls",
         "what is written", "a normal game's trumps"],
)  # fmt: skip
def test_when_for_what_a_game_counts_is_put_together_anew(base: str, content: dict[str, Any], anew: bool) -> None:
    assert (made(base, **content).scoring is not shipped(base).scoring) == anew


@pytest.mark.parametrize(
    ("base", "value", "counts"),
    [
        ("eppstein", None, True),
        ("ddv", "net", True),
        ("ddv", "nothing", False),
        ("durchgaenge", "net", True),
        ("durchgaenge", "nothing", False),
    ],
)
def test_a_game_that_nobody_has_won_goes_by_the_bases_option(base: str, value: str | None, counts: bool) -> None:
    book = made(base, points={"special": ["fuchs"]})
    options = book.settle({"nobody_has_won": value} if value else {})
    assert ("nobody_has_won" in options) == (value is not None)
    ended = probe.tally(book, options, 120, levels=(3, 3), tricks=(probe.trick("DQ DA DK SJ", 1),))
    assert ended.winner is None and ("fuchs" in [item.name for item in probe.items(book, ended)]) == counts


@pytest.mark.parametrize(
    ("rules", "bock", "factors"),
    [({}, True, {"factor_re_kontra", "factor_bock"}), ({"calls": "by_hand"}, False, {"factor_re_kontra"})],
    ids=["Bock is said", "it is not"],
)
def test_bock_doubles_where_it_is_said(rules: dict[str, str], bock: bool, factors: set[str]) -> None:
    book = made("schnittchen", rules=rules, points={"calls": "doubled"})
    assert names(book) & {"factor_re_kontra", "factor_bock", "value_re_kontra"} == factors
    ended = replace(probe.tally(book, book.settle({}), 130, levels=(1, 1)), bock=True)
    assert ("bock" in [item.name for item in probe.items(book, ended)]) == bock


@pytest.mark.parametrize("rounds", [True, False])
def test_bockrunden_double(rounds: bool) -> None:
    book = made("bsv", rules={"bock": "rounds" if rounds else "none"})
    ended = replace(probe.tally(book, book.settle({}), 130), doubled=True)
    assert ("bockrunde" in [item.name for item in probe.items(book, ended)]) == rounds
