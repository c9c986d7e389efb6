"""A club's book: what it takes from which book, what it numbers itself, and that its content is its name."""

import gc
from typing import Any

import pytest

from kiosk.rules.books import BOOKS, BSV, DURCHGAENGE, EPPSTEIN, SCHNITTCHEN
from kiosk.rules.composed.counted import counts_of_book
from kiosk.rules.composed.file import Source
from kiosk.rules.composed.known import book_by_content
from kiosk.rules.composed.make import compose
from kiosk.rules.composed.points import POINTS
from kiosk.rules.describe import compare, describe
from kiosk.rules.describe.told import tell
from kiosk.rules.engine.book import RuleBook
from kiosk.table.scoresheet.written import section_number
from kiosk.table.view.explanation import plays_bavarian
from tests.rules.composed.books import made, written

DOPPELKOPF = ("eppstein", "bsv", "durchgaenge", "schnittchen")


def facts(book: RuleBook) -> dict[str, tuple[str, str]]:
    return {f.key: (tell(f.value, "de"), f.section) for chapter in describe(book) for f in chapter.facts}


@pytest.mark.parametrize("base", ["eppstein", "bsv", "durchgaenge", "schnittchen", "schaffkopf"])
def test_a_club_that_says_nothing_plays_as_its_base_and_cites_it(base: str) -> None:
    book = made(base)
    assert compare(book, BOOKS[base]) == ()
    assert book.settle({}) == BOOKS[base].settle({})
    for option in book.options:
        own = BOOKS[base].option(option.name).section
        assert option.section.split(", ")[0] == BOOKS[base].cite(own).split(", ")[0]
    assert book.cite(book.revoke_section) == BOOKS[base].cite(BOOKS[base].revoke_section)


def test_values_of_the_club_are_the_books() -> None:
    book = written("[options]\ngames = 20\nvalue_fuchs = 2\nsecond_ht = 'never'")
    settled = book.settle({})
    assert (settled["games"], settled["value_fuchs"], settled["second_ht"]) == (20, 2, "never")
    assert book.settle({"games": 24})["games"] == 24  # and a direction may still decide otherwise


def test_each_choice_of_each_point_is_what_the_named_book_has() -> None:
    for name, point in POINTS.items():
        for chosen, choice in point.choices.items():
            for of in choice.of:
                assert all(hasattr(BOOKS[of], field) for field in point.fields), (name, chosen)
            assert set(choice.fields) <= set(point.fields)
            assert {one.name for one in choice.options} <= set(point.options)


def test_a_hochzeit_taken_from_another_book_cites_it() -> None:
    told = facts(written('[rules]\nhochzeit = "first_plain"'))
    theirs = facts(DURCHGAENGE)
    for key in ("klaerung", "hochzeit_alone", "face_down"):
        assert told[key][0] == theirs[key][0]
        assert told[key][1].startswith("durchgaenge 4")


def test_limits_move_with_the_size_of_hands() -> None:
    book = written('[rules]\ncalls = "by_hand_raising"')
    assert [book.settle({})[name] for name in ("limit_ansage", "limit_schwarz")] == [9, 5]
    assert book.option("limit_ansage").values == range(1, 11)


def test_own_sections_and_sentences_stand_where_the_rule_is_cited() -> None:
    book = written(
        '[[rule]]\nabout = ["fuchs", "revoke", "hochzeit", "standing"]\nsection = "§ 4"\ntext = "Zwei Punkte."'
    )
    assert book.option("value_fuchs").section == "mittwoch § 4"
    assert book.cite(book.revoke_section) == "mittwoch § 4"
    assert next(kind for kind in book.kinds if kind.game == "hochzeit").section == "mittwoch § 4"
    assert book.fact_sections["klaerung"] == book.standing.section == "mittwoch § 4"
    assert book.own is not None and book.own.sentences == {"mittwoch § 4": "Zwei Punkte."}
    assert book.option("value_karlchen").section == "bsv 7.2"


def test_solos_with_other_trumps_and_another_order() -> None:
    book = written(
        '[games]\nplayed = ["damensolo", "koenigssolo", "farbsolo", "schmeissen", "hochzeit"]\n'
        'order = [["farbsolo"], ["damensolo", "koenigssolo"], ["schmeissen"], ["hochzeit"]]\n'
        '[trumps]\nfarbsolo = ["suit"]\n'
    )
    ranks = {kind.game: kind.rank for kind in book.kinds}
    assert ranks == {"farbsolo": 1, "damensolo": 2, "koenigssolo": 2, "schmeissen": 3, "hochzeit": 4}
    assert book.contracts["koenigssolo", None].trumps == ("CK", "SK", "HK", "DK")
    assert book.contracts["farbsolo", "H"].trumps == ("HA", "HT", "HK", "HQ", "HJ")
    assert book.contracts["damensolo", None] == BSV.contracts["damensolo", None]
    assert {name for name, _ in book.contracts} == {"damensolo", "koenigssolo", "farbsolo", "hochzeit"}
    assert "trumpfschwach_trumps" not in book.settle({}) and "schmeissen_trumps" in book.settle({})


def test_other_trumps_of_a_normal_game_are_those_of_hochzeit_and_trumpfsolo() -> None:
    book = made("eppstein", trumps={"normal": ["Q", "J", "D"]})
    trumps = book.normal.trumps
    assert trumps[:8] == (*EPPSTEIN.contracts["damensolo", None].trumps, *EPPSTEIN.contracts["bubensolo", None].trumps)
    assert trumps[8:] == ("DA", "DT", "DK", "D9")
    assert book.contracts["hochzeit", None].trumps == book.contracts["trumpfsolo", None].trumps == trumps
    assert book.normal.re_card == "CQ" and book.contracts["hochzeit", None].re_card is None


@pytest.mark.parametrize(
    ("base", "calls", "queens", "reached", "doubled", "special"),
    [
        ("eppstein", "doubled", "value", False, False, "doppelkopf fuchs karlchen fuchs_last"),
        ("bsv", "added", "special", True, False, "doppelkopf fuchs karlchen"),
        ("ddv", "added", "special", True, False, "doppelkopf fuchs karlchen"),
        ("durchgaenge", "added", "special_in_solos_too", False, False, "fuchs fuchs_last doppelkopf"),
        ("schnittchen", "doubled", "special", True, True, "doppelkopf fuchs karlchen dulle"),
    ],
)
def test_for_what_a_shipped_book_counts_is_found(
    base: str, calls: str, queens: str, reached: bool, doubled: bool, special: str
) -> None:
    found = counts_of_book(base)
    assert (found.calls, found.queens, found.reached, found.special_doubled) == (calls, queens, reached, doubled)
    assert sorted(found.special) == sorted(special.split())


@pytest.mark.parametrize("base", DOPPELKOPF)
def test_counts_written_out_are_those_of_the_base(base: str) -> None:
    """What is found of a shipped row, in the words of a file, makes rules by which made-up games count the same."""
    book = made(base, points={"special": list(counts_of_book(base).special)})
    assert book.scoring != BOOKS[base].scoring
    differing = {(one.chapter, one.key) for one in compare(book, BOOKS[base])}
    assert differing <= {("options", "losers_special_points")}


def test_special_points_and_calls_that_the_base_has_not() -> None:
    book = made("bsv", points={"calls": "doubled", "special": ["fuchs", "herzstich", "karlchen_caught", "dulle"]})
    told = facts(book)
    assert told["value_re"][0].startswith("mal 2")
    assert {"value_herzstich", "value_karlchen_caught", "value_dulle", "value_fuchs"} <= told.keys()
    assert "value_karlchen" not in told and "value_karlchen" not in book.settle({})


def test_bockrunden_by_events() -> None:
    book = written('[options]\nbockrunde = "four"\nbock_even = true\n[rules]\nbock = "rounds"')
    assert facts(book)["bockrunde"][0] == "zu viert 4, zu fünft 4"
    assert book.settle({})["factor_bockrunde"] == 2 and "bock_even" not in BSV.settle({})
    assert made("schnittchen", rules={"bock": "none"}).bock_games is BSV.bock_games


def test_tables_of_five_can_be_left_out() -> None:
    book = written("tables = [4]")
    assert book.tables == (4,) and "games_5" not in book.settle({})


def test_a_books_name_tells_its_content_and_comments_do_not_count() -> None:
    one, same = written("# so\n[options]\ngames = 20\n"), written("[options]\n\ngames = 20 # zwanzig")
    other = written("[options]\ngames = 21")
    assert one.name == same.name != other.name
    assert one.name.startswith("mittwoch.")
    assert BOOKS[one.name].settle({})["games"] == 20 and BOOKS[other.name].settle({})["games"] == 21


@pytest.mark.slow
def test_a_book_is_found_as_long_as_somebody_plays_by_it() -> None:
    book = written("[options]\ngames = 77")
    name = book.name
    assert name in BOOKS and name not in list(BOOKS)
    del book
    gc.collect()
    assert name not in BOOKS and BOOKS.get(name) is None
    with pytest.raises(KeyError):
        BOOKS[name]


def test_a_listed_book_is_found_by_the_clubs_name_and_replaced_by_a_newer_one() -> None:
    first, second = written("[options]\ngames = 20"), written("[options]\ngames = 21")
    try:
        BOOKS.put(first)
        BOOKS.put(second)
        assert BOOKS["mittwoch"] is second and [name for name in BOOKS if "." in name] == [second.name]
        assert BOOKS[first.name] is first  # a round that is played by it goes on
    finally:
        BOOKS.take_away("mittwoch")
    assert "mittwoch" not in BOOKS and list(BOOKS) == list(BOOKS.shipped)


def test_content_that_is_not_what_its_name_says_is_refused() -> None:
    content: dict[str, Any] = {"base": "bsv", "title": "x", "source": "y"}
    name = compose("mittwoch", content, Source("x")).name
    assert book_by_content(name, content, "open").name == name
    with pytest.raises(ValueError, match="another one than its name says"):
        book_by_content(name, {**content, "title": "z"}, "open")
    with pytest.raises(ValueError, match="another one than its name says"):
        book_by_content("mittwoch", content, "open")


def test_schnittchens_trumpfsolo_goes_by_its_option_or_by_the_clubs_trumps() -> None:
    assert "karo_in_trumpfsolo" in made("schnittchen").settle({})
    own = made("schnittchen", trumps={"trumpfsolo": ["HT", "Q"]})
    assert "karo_in_trumpfsolo" not in own.settle({})
    contract = own.contract_by(own.contracts["trumpfsolo", None], own.settle({}))
    assert contract.trumps == ("HT", "CQ", "SQ", "HQ", "DQ")
    assert SCHNITTCHEN.own is None


def test_an_own_section_tells_which_cards_are_meant_and_stands_whole_beside_others() -> None:
    book = made("schaffkopf", rule=[{"about": ["revoke"], "section": "1", "text": "Bedienen."}])
    assert book.revoke_section == "mittwoch 1" and plays_bavarian("mittwoch") and not plays_bavarian("keins")
    assert section_number("mittwoch § 1", book.name) == "§ 1"
    assert section_number("schaffkopf II 4.2.5", book.name) == "schaffkopf II 4.2.5"
    assert section_number("eppstein 6.3.5", "eppstein") == section_number("eppstein 6.3.5") == "6.3.5"
