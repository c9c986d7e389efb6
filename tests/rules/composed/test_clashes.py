"""What excludes each other in a club's book: both keys, as the file has them, or the base that has it so."""

from typing import Any

import pytest

from kiosk.rules.composed.file import BadBook, Key
from tests.rules.composed.books import made

LIST, WRITTEN, DUTY, CALLS = ("rules", "list"), ("rules", "written"), ("rules", "duty_call"), ("rules", "calls")
PLAYED, NORMAL, BASE = ("games", "played"), ("trumps", "normal"), ("base",)
COUNTED, SPECIAL, PFLICHT = ("points", "calls"), ("points", "special"), ("rules", "pflichtsoli")
PIG, HYPER = ("rules", "schweinchen"), ("options", "hyperschweinchen")


def option(name: str) -> Key:
    return ("options", name)


#: base, content → the key of the error, what contradicts it, the fields at which it stands, a value, words of it
CLASHES: dict[str, tuple[str, dict[str, Any], Key, Key, tuple[Key, ...], object, str]] = {
    "a list that sums to 0": (
        "bsv", {"rules": {"list": "plus_minus_winners", "written": "plus"}},
        LIST, WRITTEN, (LIST, WRITTEN), None, "sum to 0"),
    "the base's list": ("bsv", {"rules": {"written": "plus"}}, BASE, WRITTEN, (LIST, WRITTEN), None, "sum to 0"),
    "what the base writes": (
        "eppstein", {"rules": {"list": "plus_minus_places"}}, LIST, BASE, (LIST, WRITTEN), None, "sum to 0"),
    "a duty by cards": (
        "eppstein", {"rules": {"duty_call": "rich_first_trick", "calls": "by_table"}},
        DUTY, CALLS, (DUTY, CALLS), None, 'calls = "by_hand"'),
    "a duty by windows": (
        "bsv", {"rules": {"duty_call": "first_trick"}}, DUTY, BASE, (DUTY, CALLS), None, "first_trick"),
    "the base's duty by windows": (
        "durchgaenge", {"rules": {"calls": "by_hand"}}, BASE, CALLS, (DUTY, CALLS), None, "two_windows"),
    "the base's duty by cards": (
        "bsv", {"rules": {"calls": "two_windows"}}, BASE, CALLS, (DUTY, CALLS), None, "by_hand"),
    "the base's Bock": ("schnittchen", {"points": {"calls": "added"}}, COUNTED, BASE, (COUNTED, CALLS), None, "Bock"),
    "Bock where the base adds": (
        "ddv", {"rules": {"calls": "by_table"}}, BASE, CALLS, (COUNTED, CALLS), None, "Bock"),
    "a Fuchs that is no trump": (
        "bsv", {"points": {"special": ["fuchs", "dulle"]}, "trumps": {"normal": ["Q", "J"]}},
        SPECIAL, NORMAL, (SPECIAL, NORMAL), None, "fuchs, dulle"),
    "the base's Fuchs": (
        "bsv", {"trumps": {"normal": ["Q", "J"]}}, BASE, NORMAL, (SPECIAL, NORMAL), None, "fuchs: its card"),
    "the base's Pflichtsoli": (
        "eppstein", {"games": {"played": ["hochzeit"]}}, BASE, PLAYED, (PFLICHT, PLAYED), None, "no solo"),
    "Pflichtsoli": (
        "bsv", {"rules": {"pflichtsoli": "each_player"}, "games": {"played": ["hochzeit"]}},
        PFLICHT, PLAYED, (PFLICHT, PLAYED), None, "no solo"),
    "limits": (
        "bsv", {"options": {"limit_keine90": 4, "limit_keine60": 6}},
        option("limit_keine60"), option("limit_keine90"), (option("limit_keine60"), option("limit_keine90")),
        6, "(bsv 6.4)"),
    "a limit against the base's": (
        "bsv", {"options": {"limit_keine90": 4}},
        BASE, option("limit_keine90"), (option("limit_keine60"), option("limit_keine90")), 7, "cannot be 7"),
    "more Pflichtsoli than games": (
        "eppstein", {"options": {"pflichtsoli": 6, "games": 23}},
        option("games"), option("pflichtsoli"), (option("games"), option("pflichtsoli")), 23, "24"),
    "a later fine that comes sooner": (
        "schnittchen", {"options": {"late_from": 20}},
        BASE, option("late_from"), (option("late_from_second"), option("late_from")), 16, "cannot be 16"),
    "a later fine that is less": (
        "schnittchen", {"options": {"late_euros": 90}},
        BASE, option("late_euros"), (option("late_euros_second"), option("late_euros")), 30, "cannot be 30"),
    "Schweinchen of no trump": (
        "bsv",
        {"rules": {"schweinchen": "both_in_one_hand"}, "trumps": {"normal": ["HT", "Q"]}, "points": {"special": []}},
        PIG, NORMAL, (PIG, NORMAL), None, "DA"),
    "a Hyperschweinchen of no trump": (
        "bsv", {"rules": {"schweinchen": "both_in_one_hand"}, "options": {"hyperschweinchen": "K"},
                "trumps": {"normal": ["HT", "DA", "Q"]}, "points": {"special": []}},
        HYPER, NORMAL, (HYPER, NORMAL), None, "DK"),
    "tables the base has not": ("durchgaenge", {"tables": [4, 5]}, ("tables",), BASE, (("tables",), BASE), (4, 5), "4"),
    "no table at all": ("bsv", {"tables": []}, ("tables",), BASE, (("tables",), BASE), (), "4, 5"),
    "a Hochzeit that is not played": (
        "bsv", {"rules": {"hochzeit": "named"}, "games": {"played": ["damensolo"]}},
        ("rules", "hochzeit"), PLAYED, (("rules", "hochzeit"), PLAYED), None, ""),
    "trumps in Schafkopf": (
        "schaffkopf", {"trumps": {"solo": ["EO"]}},
        ("trumps", "solo"), BASE, (("trumps", "solo"), BASE), ("EO",), "alone"),
    "points in Schafkopf": (
        "schaffkopf", {"points": {"laufende": True, "queens": "never"}},
        ("points", "queens"), BASE, (("points", "queens"), BASE), "never", "alone"),
    "no way to count calls": (
        "bsv", {"points": {"calls": "double"}}, COUNTED, (), (COUNTED,), "double", "'doubled'"),
    "no way to count the queens": (
        "bsv", {"points": {"queens": "x"}},
        ("points", "queens"), (), (("points", "queens"),), "x", "special_in_solos_too"),
    "no special point": ("bsv", {"points": {"special": ["x"]}}, SPECIAL, (), (SPECIAL,), "x", "herzstich"),
    "a special point twice": (
        "bsv", {"points": {"special": ["fuchs", "fuchs"]}}, SPECIAL, (), (SPECIAL,), "fuchs", "twice"),
    "an option of two books": (
        "bsv", {"options": {"value_tout": 3}},
        option("value_tout"), (), (option("value_tout"),), 3, "schaffkopf has it"),
    "an option of several books": (
        "schaffkopf", {"options": {"value_fuchs": 3}},
        option("value_fuchs"), (), (option("value_fuchs"),), 3, "eppstein, bsv, ddv, durchgaenge, schnittchen has it"),
    "an option of a rule": (
        "schaffkopf", {"options": {"factor_klopfen": 3}},
        option("factor_klopfen"), (), (option("factor_klopfen"),), 3, "belongs to [rules] klopfen"),
    "an option like one": (
        "bsv", {"options": {"value_fux": 2}}, option("value_fux"), (), (option("value_fux"),), 2,
        "there is no such option; did you mean 'value_fuchs'?"),
    "an option like none": (
        "bsv", {"options": {"zzz": 2}},
        option("zzz"), (), (option("zzz"),), 2, "no such option; 'stichwart rules NAME'"),
    "a value beyond": (
        "bsv", {"options": {"value_fuchs": 100}}, option("value_fuchs"), (), (option("value_fuchs"),), 100, "99"),
    "no such point": (
        "schaffkopf", {"rules": {"klopf": "none"}}, ("rules", "klopf"), (), (("rules", "klopf"),), None,
        "did you mean 'klopfen'"),
    "no such choice": (
        "bsv", {"rules": {"bock": "round"}}, ("rules", "bock"), (), (("rules", "bock"),), "round", "'rounds'"),
    "no such base": ("skat", {}, BASE, (), (BASE,), "skat", "eppstein, bsv"),
    "an empty title": ("bsv", {"title": " "}, ("title",), (), (("title",),), None, "it is empty"),
    "an empty source": ("bsv", {"source": ""}, ("source",), (), (("source",),), None, "it is empty"),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASHES)
def test_a_clash_names_both(name: str) -> None:
    base, content, key, with_key, fields, given, says = CLASHES[name]
    with pytest.raises(BadBook) as refused:
        made(base, **content)
    error = refused.value
    assert (error.key, error.with_key, error.fields) == (key, with_key, fields)
    assert error.given == given and says in error.told("en")


#: base, content: what looks alike and goes together
TOGETHER: dict[str, tuple[str, dict[str, Any]]] = {
    "a list of sums without the check": ("eppstein", {"rules": {"list": "plus_minus"}}),
    "both plus and minus": ("eppstein", {"rules": {"list": "plus_minus_winners", "written": "plus_minus"}}),
    "a duty by cards with calls by hand": ("eppstein", {"rules": {"duty_call": "rich_first_trick"}}),
    "a duty by windows with them": ("eppstein", {"rules": {"duty_call": "first_trick", "calls": "two_windows"}}),
    "no duty": ("bsv", {"rules": {"duty_call": "none", "calls": "two_windows"}}),
    "Bock that doubles": ("ddv", {"rules": {"calls": "by_table"}, "points": {"calls": "doubled"}}),
    "no Bock and calls that are added": ("schnittchen", {"rules": {"calls": "by_hand"}, "points": {"calls": "added"}}),
    "no solo and no Pflichtsoli": ("eppstein", {"rules": {"pflichtsoli": "none"}, "games": {"played": ["hochzeit"]}}),
    "limits that fall": ("bsv", {"options": {"limit_keine60": 6, "limit_keine30": 6}}),
    "Schweinchen of trumps": (
        "ddv", {"rules": {"schweinchen": "both_in_one_hand"}, "options": {"hyperschweinchen": "9"}}),
    "one table of two": ("bsv", {"tables": [5]}),
}  # fmt: skip


@pytest.mark.parametrize("name", TOGETHER)
def test_what_goes_together(name: str) -> None:
    base, content = TOGETHER[name]
    book = made(base, **content)
    assert book.own is not None and book.own.base == base
