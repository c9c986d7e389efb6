"""Where a club's own section stands, by what its rule is about; and how each book's sections are cited elsewhere."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.points import shipped
from kiosk.rules.composed.quoting import quoted, quoting
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.listing import ListWords
from tests.rules.composed.books import made

BY_KEY = ("turn_sections", "card_sections", "rulings", "berichtigung", "sections", "fact_sections")


def places(book: RuleBook) -> dict[str, str]:
    """All sections of a book by where they stand."""
    found = {name: getattr(book, f"{name}_section") for name in ("answer", "covering", "revoke")}
    found |= {f"{name} {key}": where for name in BY_KEY for key, where in getattr(book, name).items()}
    found |= {f"calls {key}": where for key, where in book.calls.sections.items()}
    found |= {f"option {one.name}": one.section for one in book.options}
    found |= {f"kind {one.game}": one.section for one in book.kinds}
    found["standing"] = book.standing.section
    return found | ({"duty": book.must_announce.section} if book.must_announce else {})


@pytest.mark.parametrize(
    ("base", "about", "where"),
    [
        ("bsv", "answer", "answer"),
        ("durchgaenge", "covering", "covering"),
        ("bsv", "revoke", "revoke"),
        ("bsv", "lead", "turn_sections lead"),
        ("eppstein", "card_not_held", "card_sections card_not_held"),
        ("bsv", "minor", "rulings minor"),
        ("bsv", "take_back", "sections take_back"),
        ("bsv", "klaerung", "fact_sections klaerung"),
        ("bsv", "early", "calls early"),
        ("bsv", "duty_call", "duty, option duty_call_augen, option duty_call_falls_away, "
                             "option duty_call_in_hochzeit, option duty_call_until"),
        ("bsv", "standing", "standing"),
        ("bsv", "normal", "fact_sections game_normal"),
        ("bsv", "game_normal", "fact_sections game_normal"),
        ("bsv", "value_fuchs", "option value_fuchs"),
        ("bsv", "fuchs", "option value_fuchs"),
        ("bsv", "games", "option games"),
        ("bsv", "damensolo", "kind damensolo, fact_sections game_damensolo"),
        ("bsv", "trumpfschwach", "kind trumpfschwach"),
        ("bsv", "hochzeit", "kind hochzeit, fact_sections game_hochzeit, fact_sections klaerung, "
                                    "option klaerung_tricks"),
        ("schaffkopf", "wenz", "kind wenz, fact_sections game_wenz, option value_wenz"),
        ("schaffkopf", "leave", "option lost_alleinspiele"),
        ("schaffkopf", "bidding", "fact_sections least"),
    ],
)  # fmt: skip
def test_where_a_section_of_the_clubs_own_stands(base: str, about: str, where: str) -> None:
    before = places(made(base))
    book = made(base, rule=[{"about": [about], "section": " 4 "}])
    changed = {place: section for place, section in places(book).items() if section != before.get(place)}
    assert set(changed.values()) == {"mittwoch 4"}
    assert sorted(changed) == sorted(where.split(", "))


@pytest.mark.parametrize(
    ("base", "about", "key"),
    [("bsv", "koenigssolo", "koenigssolo"), ("durchgaenge", "normal", "normal"), ("bsv", "hochzeit", "hochzeit")],
)
def test_a_game_without_a_section_gets_one(base: str, about: str, key: str) -> None:
    played = {"played": ["damensolo", "koenigssolo", "hochzeit"]}
    book = made(base, games=played, rule=[{"about": [about], "section": "4"}])
    assert book.fact_sections[f"game_{key}"] == "mittwoch 4"
    assert all(kind.section == "mittwoch 4" for kind in book.kinds if kind.game == about)


def test_sections_of_the_berichtigung_are_the_clubs_as_well() -> None:
    for base in BOOKS.shipped:
        for key in shipped(base).berichtigung:
            assert made(base, rule=[{"about": [key], "section": "9"}]).berichtigung[key] == "mittwoch 9"


def test_sentences_of_one_section_stand_one_behind_the_other() -> None:
    rules = [
        {"about": ["fuchs"], "section": "4", "text": "Ein Punkt."},
        {"about": ["karlchen"], "section": "4", "text": "Noch einer."},
        {"about": ["doppelkopf"], "section": "5", "text": " "},
    ]
    book = made("bsv", rule=rules)
    assert book.own is not None and book.own.sentences == {"mittwoch 4": "Ein Punkt. Noch einer."}
    assert book.option("value_karlchen").section == "mittwoch 4" and book.option("value_doppelkopf").section[-1] == "5"


RULE = {"about": ["fuchs"], "section": "1"}


@pytest.mark.parametrize(
    ("base", "rules", "key", "with_key", "given", "says"),
    [
        ("bsv", [RULE | {"section": " "}], ("rule", 0, "section"), (), None, "it is empty; name one"),
        ("bsv", [RULE, RULE | {"about": []}], ("rule", 1, "about"), (), None, "it is empty; name one"),
        ("bsv", [RULE | {"about": ["fuch"]}], ("rule", 0, "about"), (), "fuch", "did you mean 'fuchs'? It is about an"),
        ("bsv", [RULE | {"about": ["zzz"]}], ("rule", 0, "about"), (), "zzz", "about: It is about an option"),
        ("eppstein", [RULE | {"about": ["duty_call"]}], ("rule", 0, "about"), (), "duty_call", "It is about"),
        ("eppstein", [RULE | {"about": ["game_schmeissen"]}], ("rule", 0, "about"), (), "game_schmeissen", "It is"),
        ("bsv", [RULE | {"about": ["leave"]}], ("rule", 0, "about"), (), "leave", "It is about an option"),
        ("schaffkopf", [RULE | {"about": ["normal"]}], ("rule", 0, "about"), (), "normal", "It is about an option"),
        ("bsv", [RULE | {"about": ["games"]}, RULE, RULE], ("rule", 2, "about"), ("rule", 1, "about"), "fuchs", "two"),
    ],
    ids=[
        *("no section", "about nothing", "nearly", "not at all", "no duty", "no contract", "Schafkopf's"),
        *("no section to tell", "twice"),
    ],
)  # fmt: skip
def test_what_a_rule_may_not_be(
    base: str, rules: list[dict[str, Any]], key: Any, with_key: Any, given: Any, says: str
) -> None:
    with pytest.raises(BadBook) as refused:
        made(base, rule=rules)
    error = refused.value
    told = error.told("en").replace(f' = "{given}"', "")
    assert (error.key, error.with_key, error.given) == (key, with_key, given) and says in told


# --- as other books cite it


@pytest.mark.parametrize("name", BOOKS.shipped)
def test_each_section_names_its_book(name: str) -> None:
    book = BOOKS[name]
    cited = quoted(book)

    def cite(section: str) -> str:
        return ", ".join(f"{name} {one}" for one in section.split(", ")) if section else ""

    assert places(cited) == {place: cite(section) for place, section in places(book).items()}
    assert [getattr(cited.seating, one.name) for one in fields(cited.seating)] == [
        cite(getattr(book.seating, one.name)) for one in fields(book.seating)
    ]
    own, theirs = (
        one.columns(("", "", "", ""), (), ListWords(word=lambda code: "", game=lambda row: "")) for one in (book, cited)
    )
    assert [one["section"] for one in theirs["checks"]] == [cite(one["section"]) for one in own["checks"]]
    assert {**theirs, "checks": None} == {**own, "checks": None}
    assert len(cited.sentences) == len(book.sentences)
    for key, said in book.sentences.items():
        code, _, rest = key.partition(" ")
        with_code = f"{code} {cite(rest)}" if code.islower() and code.isidentifier() and rest else cite(key)
        assert cited.sentences[with_code] == said
    assert quoted(made(name)).sentences == made(name).sentences


@pytest.mark.parametrize(
    ("field", "function", "found"),
    [
        ("face_down", lambda game: "4b", "bsv 4b"),
        ("face_down", lambda game: "", ""),
        ("duty_refused", lambda game: "3.2, 3.3", "bsv 3.2, bsv 3.3"),
        ("needs_leave", lambda game: "II 4", "bsv II 4"),
        ("bid_fault", lambda game: ("not_entitled", "II 2"), ("not_entitled", "bsv II 2")),
        ("bid_fault", lambda game: ("", ""), ("", "")),
    ],
)
def test_so_does_what_a_function_returns(field: str, function: Callable[[Any], Any], found: object) -> None:
    bsv = BOOKS["bsv"]
    assert getattr(quoted(replace(bsv, **{field: function})), field)(None) == found
    assert quoting(function, bsv)(None) == found


def test_a_clubs_own_book_cites_already() -> None:
    book = made("bsv")
    assert quoted(book) is book and BOOKS["bsv"].needs_leave is None is quoted(BOOKS["bsv"]).needs_leave
