"""The form of a club's own book: everything that a file may set stands on it, with its errors at the fields."""

from dataclasses import fields as dataclass_fields
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk.language import LANGUAGES, has
from kiosk.rules.books import BOOKS
from kiosk.rules.composed import games, schafkopf, scoring
from kiosk.rules.composed.draft import drafted
from kiosk.rules.composed.file import BookFile, GamesPart, PointsPart
from kiosk.rules.composed.make import points_for
from kiosk.rules.composed.sheet import choice_of, sheet
from tests.rules.composed.books import made
from tests.rules.composed.test_played import contents

HEAD = {"title": "Hausregeln", "source": "Aushang"}


def form(base: str = "bsv", language: str = "de", **content: Any) -> dict[str, Any]:
    return sheet("mittwoch", {"base": base, **HEAD, **content}, language)


def fields(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {field["key"]: field for view in told["views"] for field in view["fields"]}


@pytest.mark.parametrize("base", BOOKS.shipped)
def test_everything_that_can_be_set_stands_on_it(base: str) -> None:
    told, book = form(base), BOOKS[base]
    found = fields(told)
    assert (told["errors"], told["differences"]) == ([], [])
    assert found.keys() >= {f"rules.{name}" for name in points_for(book)}
    assert found.keys() >= {f"options.{one.name}" for one in book.options if len(one.values) > 1}
    assert found.keys() >= {"title", "source", "date", "games.played", "games.order", "rule"}
    for name, point in points_for(book).items():
        assert [value for value, _ in found[f"rules.{name}"]["values"]] == ["", *point.choices]
    there = {value for value, _ in found["games.played"]["values"]}
    if book.classes:
        assert there == {*schafkopf.ORDER, *schafkopf.UNBID} and "points.laufende" in found
    else:
        nines = any(card[1] == "9" for card in book.deck)
        assert there == {*games.SOLOS, *games.OTHERS, *games.OWN} - (set() if nines else {"neunersolo"})
        assert {value for value, _ in found["points.special"]["values"]} == set(scoring.SPECIAL)
        assert "trumps.normal" in found and "points.laufende" not in found
    assert len({view["id"] for view in told["views"]}) == len(told["views"])


@pytest.mark.parametrize("base", BOOKS.shipped)
def test_a_choice_that_is_said_to_be_the_bases_changes_nothing(base: str) -> None:
    for name, point in points_for(BOOKS[base]).items():
        chosen = choice_of(point, base)
        if chosen:
            book = made(base, rules={name: chosen})
            assert book.settle({}).items() >= BOOKS[base].settle({}).items(), (name, chosen)


def test_every_key_of_points_and_its_values_has_words() -> None:
    codes = [f"points_{one.name}" for one in dataclass_fields(PointsPart)]
    codes += [f"points_calls_{name}" for name in scoring.CALLS] + [f"points_queens_{name}" for name in scoring.QUEENS]
    assert [code for code in codes if not has("book_form", code)] == []


def test_no_section_of_a_file_is_missing_on_it() -> None:
    found = {key for base in ("eppstein", "schaffkopf") for key in fields(form(base))}
    assert {key.partition(".")[0] for key in found} | {"base"} == {one.name for one in dataclass_fields(BookFile)}
    for part, kind in (("games", GamesPart), ("points", PointsPart)):
        assert {key for key in found if key.startswith(f"{part}.")} == {
            f"{part}.{one.name}" for one in dataclass_fields(kind)
        }


def test_trumps_as_the_form_writes_them_are_the_bases() -> None:
    for base in BOOKS.shipped:
        for key, field in fields(form(base)).items():
            if field["kind"] == "tokens":
                book = made(base, trumps={key.partition(".")[2]: field["base"]})
                assert book.contracts == made(base).contracts and book.normal.trumps == BOOKS[base].normal.trumps, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_contradiction_stands_at_both_fields_and_the_rest_goes_on(language: str) -> None:
    told = form(language=language, rules={"written": "plus"}, options={"limit_keine90": 4}, points={"special": []})
    keys = [one["keys"] for one in told["errors"]]
    assert keys == [["rules.list", "rules.written"], ["options.limit_keine60", "options.limit_keine90"]]
    assert fields(told).keys() >= {key for one in keys for key in one}
    assert fields(told)["rules.written"]["value"] == "plus" and fields(told)["options.limit_keine90"]["value"] == 4
    assert told["full"] == "" and any("Doppelkopf" in one["label"] for one in told["differences"])
    assert form(language=language)["full"].startswith("mittwoch.")
    said = form(language=language, rules={"list": "plus_minus_winners", "written": "plus"})
    assert [one["keys"] for one in said["errors"]] == keys[:1]  # the base's list would contradict it again


def test_what_belongs_to_a_chosen_rule_stands_under_it() -> None:
    found = list(fields(form(rules={"bock": "rounds"})))
    place = found.index("rules.bock")
    assert found[place + 1 : place + 3] == ["options.bockrunde", "options.bock_herzstich"]
    assert "options.bockrunde" not in fields(form())
    assert "muss" not in fields(form("schaffkopf", rules={"nobody_plays": "ramsch"}))["games.played"]["value"]


@pytest.mark.parametrize("name", ["", "Mittwoch", "bsv"])
def test_a_name_that_cannot_be_is_told_beside_the_rest(name: str) -> None:
    told = sheet(name, {"base": "bsv", **HEAD}, "de")
    assert [one["keys"] for one in told["errors"]] == [[]] and len(told["views"]) > 5


@pytest.mark.parametrize(
    "content",
    [
        {"base": "skat"},
        {"base": ["bsv"]},
        {"base": "bsv", "title": None, "source": 3, "rules": [], "rule": 5, "date": None},
        {"base": "bsv", "rules": {"bock": {"x": {}}}, "options": {"games": None}, "trumps": {"normal": {"a": 1}}},
        {"base": "bsv", "rule": [{"about": ["fuch"], "section": "1"}, {"about": "x"}], "unknown": {"a": 1}},
        {"base": "bsv", "games": {"played": 3, "order": [["x"], 4]}, "tables": "x", "points": {"special": 1}},
    ],
    ids=["no such base", "a base of no kind", "no texts", "objects", "rules", "lists"],
)
def test_nothing_that_is_sent_breaks_it(content: dict[str, Any]) -> None:
    told = sheet("mittwoch", content, "de")
    assert told["errors"] and told["full"] == ""
    assert bool(told["views"]) is (content["base"] == "bsv")


def test_a_book_that_is_too_long_can_be_shortened() -> None:
    rules = [{"about": ["fuchs"], "section": str(number), "text": "a" * 390} for number in range(40)]
    told = form(rule=rules)
    assert "höchstens 12000" in told["errors"][0]["told"] and fields(told)["rule"]["value"] == rules


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=contents(), language=st.sampled_from(LANGUAGES))
def test_of_any_book_the_best_is_made(content: dict[str, Any], language: str) -> None:
    """Without errors it is the book; with them, leaving out what they are about makes one."""
    told, draft = sheet("mittwoch", content, language), drafted("mittwoch", content)
    assert draft.book is not None and bool(told["full"]) is draft.done is not bool(told["errors"])
    if draft.done:
        assert told["full"] == made(**content).name
    named = {key for one in told["errors"] for key in one["keys"]}
    assert all(key in fields(told) or key.partition(".")[0] in content for key in named)


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(
    ("content", "no", "words"),
    [
        ({"rules": {"list": "plus_minus_winners", "written": "plus"}}, "plus_minus", {}),
        ({"rules": {"duty_call": "first_trick"}}, "rich_first_trick", {}),
        ({"points": {"special": ["fuchs"]}, "trumps": {"normal": ["HT"]}}, "fuchs",
         {"de": "Fuchs", "en": "fox caught"}),
        ({"rules": {"schweinchen": "both_in_one_hand"}, "trumps": {"normal": ["HT"]}, "points": {"special": []}},
         "DA", {"de": "Karo As"}),
        ({"games": {"played": ["damensolo", "hochzeit"], "order": [["hochzeit"]]}}, "damensolo",
         {"de": "Damensolo", "en": "queen solo"}),
    ],
    ids=["a list that sums to 0", "a duty", "a special point", "Schweinchen", "an order"],
)  # fmt: skip
def test_who_sees_the_form_reads_no_name_of_a_file(
    content: dict[str, Any], no: str, words: dict[str, str], language: str
) -> None:
    errors = sheet("mittwoch", {"base": "bsv", "title": "t", "source": "s", **content}, language)["errors"]
    assert errors and words.get(language, "") in errors[0]["told"]
    assert not any(no in one["told"] or '"' in one["told"] for one in errors)
