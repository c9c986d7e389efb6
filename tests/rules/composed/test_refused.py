"""What a club's book may not be: each error names the file, the line, the key, the value and the way out."""

import re
from typing import Any

import pytest

from kiosk.rules.composed.file import LARGEST, BadBook
from kiosk.rules.composed.known import book_of_text
from tests.rules.composed.books import made, written

#: name → base, text from line 4 on, and what the error says.
REFUSED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "no TOML": ("bsv", "games = \n", ("mittwoch.toml: is not TOML", "line 4")),
    "no such base": ("skat", "", ('line 1, base = "skat"', "eppstein, bsv")),
    "an unknown key": ("bsv", 'optoins = "x"', ("line 4, optoins", "did you mean 'options'")),
    "an unknown key within": ("bsv", "[games]\nplaid = []", ("line 5, games.plaid", "did you mean 'played'")),
    "an unknown option": ("bsv", "[options]\n\nvalue_fux = 2", ("line 6, options.value_fux = 2", "'value_fuchs'")),
    "an option of another book": (
        "bsv",
        "[options]\nvalue_sie = 12",
        ("line 5, options.value_sie", "schaffkopf has it"),
    ),
    "an option that another choice reads": (
        "bsv",
        "[options]\nbock_even = true",
        ("line 5, options.bock_even = true", "it belongs to [rules] bock"),
    ),
    "a value beyond": ("bsv", "[options]\nvalue_fuchs = 100", ("line 5, options.value_fuchs = 100", "0", "99")),
    "text for a number": ("bsv", '[options]\nvalue_fuchs = "2"', ('options.value_fuchs = "2"', "whole number")),
    "a list for a section": ("bsv", "rules = []", ("line 4, rules = []", "section")),
    "no list": ("bsv", '[games]\nplayed = "hochzeit"', ("line 5, games.played", "a list is needed")),
    "no such point": ("bsv", '[rules]\nhochzeiten = "named"', ("line 5, rules.hochzeiten", "did you mean 'hochzeit'")),
    "no such choice": ("bsv", '[rules]\nhochzeit = "plain"', ('line 5, rules.hochzeit = "plain"', "first_plain")),
    "no such game": ("bsv", '[games]\nplayed = ["skat"]', ('line 5, games.played = "skat"', "there is no such game")),
    "a game twice": ("bsv", '[games]\nplayed = ["hochzeit", "hochzeit"]', ("line 5, games.played", "twice")),
    "nines without nines": (
        "bsv",
        '[games]\nplayed = ["neunersolo"]',
        ('line 5, games.played = "neunersolo"', "against line 1, base", "without nines"),
    ),
    "an order that lacks a game": (
        "bsv",
        '[games]\nplayed = ["hochzeit", "damensolo"]\norder = [["damensolo"]]',
        ("line 6, games.order", "against line 5, games.played", "it lacks hochzeit"),
    ),
    "an order of a game that is not played": (
        "bsv",
        '[games]\nplayed = ["damensolo"]\norder = [["damensolo"], ["hochzeit"]]',
        ('line 6, games.order = "hochzeit"', "against line 5, games.played"),
    ),
    "an order of a game twice": (
        "bsv",
        '[games]\nplayed = ["damensolo"]\norder = [["damensolo"], ["damensolo"]]',
        ('line 6, games.order = "damensolo"', "against line 5, games.played", "stands there twice"),
    ),
    "trumps of a solo that is not played": (
        "bsv",
        '[games]\nplayed = ["damensolo", "hochzeit"]\n[trumps]\nbubensolo = ["J"]',
        ("line 7, trumps.bubensolo", "against line 5, games.played", "there are normal, damensolo"),
    ),
    "trumps of a game that is no solo": (
        "bsv",
        '[games]\nplayed = ["damensolo", "hochzeit"]\n[trumps]\nhochzeit = ["J"]',
        ("line 7, trumps.hochzeit", "there are normal, damensolo"),
    ),
    "no card of a Farbsolo": (
        "bsv",
        '[trumps]\nfarbsolo = ["Q", "X"]',
        ('line 5, trumps.farbsolo = "X"', "a rank (A T K Q J)", "a suit (C S H D)", '"suit"'),
    ),
    "the suit of no Farbsolo": ("bsv", '[trumps]\nnormal = ["suit"]', ('line 5, trumps.normal = "suit"', "no card of")),
    "trumps of no game": ("bsv", '[trumps]\nwenz = ["J"]', ("line 5, trumps.wenz", "no solo of 'played'")),
    "no card": (
        "bsv",
        '[trumps]\nnormal = ["HT", "X"]',
        ('line 5, trumps.normal = "X"', "a rank (A T K Q J) or a suit (C S H D) is"),
    ),
    "the nines where there are none": ("bsv", '[trumps]\nnormal = ["D9"]', ('line 5, trumps.normal = "D9"',)),
    "no such special point": ("bsv", '[points]\nspecial = ["fuch"]', ('line 5, points.special = "fuch"', "'fuchs'")),
    "a fox that is no trump": (
        "bsv",
        '[trumps]\nnormal = ["HT", "Q", "J"]\n[points]\nspecial = ["fuchs"]',
        ("line 7, points.special", "against line 5, trumps.normal", "fuchs: its card is no trump"),
    ),
    "sums that are not 0": (
        "bsv",
        '[rules]\nlist = "plus_minus_winners"\nwritten = "plus"',
        ("line 5, rules.list", "against line 6, rules.written", "sum to 0"),
    ),
    "a list that is the base's": (
        "bsv",
        '[rules]\nwritten = "plus"',
        ("line 1, base", "against line 5, rules.written", "sum to 0"),
    ),
    "a duty by cards that nobody counts": (
        "bsv",
        '[rules]\nduty_call = "rich_first_trick"\ncalls = "by_table"\n[points]\ncalls = "doubled"',
        ("line 5, rules.duty_call", "against line 6, rules.calls", 'calls = "by_hand"'),
    ),
    "Bock that counts nothing": (
        "schnittchen",
        '[points]\ncalls = "added"',
        ("line 5, points.calls", "against line 1, base", "Bock"),
    ),
    "Pflichtsoli without solos": (
        "eppstein",
        '[games]\nplayed = ["hochzeit"]',
        ("line 1, base", "against line 5, games.played", "no solo is played"),
    ),
    "a Hochzeit that is not played": (
        "bsv",
        '[rules]\nhochzeit = "named"\n[games]\nplayed = ["damensolo"]',
        ("line 5, rules.hochzeit", "against line 7, games.played"),
    ),
    "limits that rise": (
        "bsv",
        "[options]\nlimit_keine90 = 4\nlimit_keine60 = 6",
        ("line 6, options.limit_keine60 = 6", "against line 5, options.limit_keine90"),
    ),
    "more Pflichtsoli than games": (
        "eppstein",
        "[options]\npflichtsoli = 5",
        ("line 1, base", "against line 5, options.pflichtsoli"),
    ),
    "five where the base has four": ("durchgaenge", "tables = [4, 5]", ("line 4, tables", "against line 1, base")),
    "a rule about nothing": (
        "bsv",
        '[[rule]]\nabout = ["fuch"]\nsection = "1"',
        ('line 5, rule.1.about = "fuch"', "did you mean"),
    ),
    "two rules about one": (
        "bsv",
        '[[rule]]\nabout = ["fuchs"]\nsection = "1"\n[[rule]]\nabout = ["fuchs"]\nsection = "2"',
        ("line 8, rule.2.about", "against line 5, rule.1.about", "two rules"),
    ),
    "a rule without a section": ("bsv", '[[rule]]\nabout = ["fuchs"]', ("rule.1.section", "missing")),
    "a text over lines": (
        "bsv",
        '[[rule]]\nabout = ["fuchs"]\nsection = "1"\ntext = "a\\nb"',
        ("line 7, rule.1.text", "one line"),
    ),
    "a long text": (
        "bsv",
        f'[[rule]]\nabout = ["fuchs"]\nsection = "1"\ntext = "{"a" * 401}"',
        ("line 7, rule.1.text", "at most 400"),
    ),
    "games of Doppelkopf in Schafkopf": (
        "schaffkopf",
        '[points]\nspecial = ["fuchs"]',
        ("line 5, points.special", "against line 1, base", "Doppelkopf alone"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_file_line_value_and_the_way_out(name: str) -> None:
    base, text, wanted = REFUSED[name]
    with pytest.raises(BadBook) as refused:
        written(text, base)
    said = str(refused.value)
    assert said.startswith("mittwoch.toml: ")
    assert [part for part in wanted if part not in said] == [], said
    assert len(said) < 700
    german = refused.value.told("de")
    assert german.startswith("mittwoch.toml: ") and german != said and "{" not in german
    assert re.findall(r"Zeile (\d+),", german) == re.findall(r"line (\d+),(?! column)", said)


def test_a_book_that_no_round_could_carry_is_refused() -> None:
    rules = "".join(f'[[rule]]\nabout = ["x{n}"]\nsection = "1"\ntext = "{"a" * 390}"\n' for n in range(40))
    with pytest.raises(BadBook, match=f"a round carries at most {LARGEST}"):
        written(rules)


@pytest.mark.parametrize("name", ["bsv", "Mittwoch", "m", "1a", "a.b", "a" * 25, "../x"])
def test_names_that_no_book_can_have(name: str) -> None:
    with pytest.raises(BadBook, match="can be no book's name"):
        written("", name=name)


def test_a_missing_title_and_an_empty_one_are_named() -> None:
    with pytest.raises(BadBook, match="title: it is missing"):
        book_of_text("mittwoch", 'base = "bsv"\nsource = "x"\n', "mittwoch.toml")
    with pytest.raises(BadBook, match="line 2, title: it is empty"):
        book_of_text("mittwoch", 'base = "bsv"\ntitle = " "\nsource = "x"\n', "mittwoch.toml")


@pytest.mark.parametrize(
    ("base", "content", "key"),
    [
        ("bsv", {"rules": {"genscher": "yes"}}, "rules.genscher"),
        ("bsv", {"games": {"played": ["ramsch", "damensolo"]}}, "games.played"),
        ("schaffkopf", {"rules": {"nobody_plays": "schieber"}}, "rules.nobody_plays"),
    ],
    ids=["Genscher", "a Ramsch in Doppelkopf", "Schieber"],
)
def test_what_cannot_be_composed_is_said_plainly(base: str, content: dict[str, Any], key: str) -> None:
    with pytest.raises(BadBook) as refused:
        made(base, **content)
    assert key in str(refused.value) and "is nothing that a table can play so" in str(refused.value)
    assert "kann der Tisch so nicht spielen" in refused.value.told("de")
