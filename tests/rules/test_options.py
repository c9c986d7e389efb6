"""Numbers and open decisions of the books: each an option with values, default and section; what is refused and how."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.language import say, texts
from kiosk.rules.books import BOOKS, settle
from kiosk.rules.composed import games as composed_games
from kiosk.rules.composed import schafkopf
from kiosk.rules.composed.points import POINTS
from kiosk.rules.composed.scoring import OWN
from kiosk.rules.describe.told import (
    allowed_told,
    option_told,
    refusal_named,
    refusal_told,
    tell,
    value_told,
    values_with_words,
)
from kiosk.rules.engine.book import BadOption, Option, RuleBook
from kiosk.rules.options.known import CHAPTERS, KNOWN
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import open_round

EVERY = [(book, option) for book in BOOKS.values() for option in book.options]
IDS = [f"{book.name} {option.name}" for book, option in EVERY]


def opened(book: RuleBook, **options: object) -> dict[str, object]:
    return {"event": "open", "format": 1, "rules": book.name, "players": list("ABCD"), "options": options}


@pytest.mark.parametrize(("book", "option"), EVERY, ids=IDS)
def test_an_option(book: RuleBook, option: Option) -> None:
    assert option.section and (option.chapter, option.unit) == KNOWN[option.name]
    assert option.default in option.values and book.settle({})[option.name] == option.default
    for value in option.values:
        assert option.takes(value)
        try:
            assert open_round(decode(opened(book, **{option.name: value}))).options[option.name] == value
        except BadEvent as error:  # with the others at their defaults it contradicts one of them
            assert "cannot be" in str(error) and "; choose at " in str(error)
    for wrong in ("nonsense", -7, 2.5, None, [1], {}, 10**30, float("nan")):
        with pytest.raises(BadEvent, match=f"option '{option.name}' cannot be") as refused:
            open_round(decode(opened(book, **{option.name: wrong})))
        assert tell(option.choices(), "en") in str(refused.value)
        assert f"{option.name!r}: {option_told(option, 'en')[:-1]}" in str(refused.value)
        assert f"{book.name} {option.section}" in str(refused.value)


@pytest.mark.parametrize(("book", "option"), EVERY, ids=IDS)
def test_what_people_read(book: RuleBook, option: Option) -> None:
    for language in ("de", "en"):
        assert option_told(option, language).endswith(".") and option_told(option, language)[0].isupper()
        assert allowed_told(option, language)
        shown = [value_told(option, value, language) for value in option.values]
        assert len(set(shown)) == len(shown) and all(shown)
    if option.type == "choice" and not any(str(value)[0].isdigit() for value in option.values):
        assert set(option.values) <= set(values_with_words(option))
    assert option_told(option, "de") != option_told(option, "en")


def every_option() -> list[Option]:
    """All of the books, and those that clubs alone have in theirs."""
    points = (*POINTS.values(), *schafkopf.POINTS.values())
    rounds = [option for point in points for choice in point.choices.values() for option in choice.options]
    games = [option for options in schafkopf.OWN.values() for option in options]
    games += [option for _, options in composed_games.OWN.values() for option in options]
    return [*(option for book in BOOKS.values() for option in book.options), *rounds, *OWN, *games]


def test_every_option_is_known_and_told() -> None:
    every = every_option()
    assert set(KNOWN) == {option.name for option in every} == set(texts("de")["options"])
    assert set(texts("de")["option_units"]) == {option.unit for option in every if option.unit}


def test_every_word_for_a_value_is_of_a_value() -> None:
    values = {f"{option.name} {value}" for option in every_option() for value in option.values}
    assert set(texts("de")["option_values"]) - values == set()


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_names_are_unique_and_in_chapters(book: RuleBook) -> None:
    names = [option.name for option in book.options]
    assert len(set(names)) == len(names)
    chapters = [list(CHAPTERS).index(option.chapter) for option in book.options]
    assert chapters == sorted(chapters)


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_options_of_other_books_are_refused(book: RuleBook) -> None:
    own = {option.name for option in book.options}
    for other in BOOKS.values():
        for option in other.options:
            if option.name not in own:
                with pytest.raises(BadEvent) as refused:
                    open_round(decode(opened(book, **{option.name: option.default})))
                text = str(refused.value)
                assert text.startswith(f"open: unknown option '{option.name}' of {book.name}; it belongs to ")
                assert other.name in text


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"gamse": 3}, "unknown option 'gamse' of bsv; did you mean 'games'?"),
        ({"xyzzy": 3}, "unknown option 'xyzzy' of bsv; it has rounds, games"),
        ([1], "must be a table of names and values, not [1]"),
        ({"lost_alleinspiele": 3}, "it has rounds, games"),  # a book alone does not know the others
    ],
    ids=["nearly", "nothing like it", "a list", "of another book"],
)
def test_unknown_options(given: Any, says: str) -> None:
    with pytest.raises(BadOption) as refused:
        BOOKS["bsv"].settle(given)
    assert says in refusal_named(refused.value)


def test_the_option_of_another_book_is_named_by_whom_knows_the_others() -> None:
    bsv = BOOKS["bsv"]
    with pytest.raises(BadOption) as refused:
        settle(bsv, {"lost_alleinspiele": 3})
    assert "of bsv; it belongs to schaffkopf" in refusal_named(refused.value)
    assert "sie gehört zu schaffkopf" in refusal_told(refused.value, "de")
    assert settle(bsv, {"games": 12}) == bsv.settle({"games": 12})


def test_true_is_no_number() -> None:
    with pytest.raises(BadEvent, match="cannot be True"):
        open_round(decode(opened(BOOKS["schnittchen"], scorer=True)))
    with pytest.raises(BadEvent, match="whole number from 1 to 4"):
        open_round(decode(opened(BOOKS["schnittchen"], scorer=5)))
    with pytest.raises(BadEvent, match="cannot be 1; choose one of"):
        open_round(decode(opened(BOOKS["eppstein"], bound_side_must_reach=1)))


@pytest.mark.parametrize(
    ("rules", "given", "says"),
    [
        ("bsv", {"limit_keine60": 9}, "'limit_keine60' cannot be 9 with 'limit_keine90' at 8"),
        ("bsv", {"limit_ansage": 7}, "choose at most 7 for 'limit_keine90', or at least 8 for 'limit_ansage'"),
        ("eppstein", {"games": 3}, "'games' cannot be 3 with 'pflichtsoli' at 1: 4 players must play 4 Pflichtsoli"),
        ("eppstein", {"pflichtsoli": 5}, "choose at least 20 for 'games', or at most 4 for 'pflichtsoli'"),
        ("eppstein", {"games_5": 9, "pflichtsoli": 2}, "'games_5' cannot be 9 with 'pflichtsoli' at 2: 5 players"),
    ],
)
def test_contradictions(rules: str, given: dict[str, int], says: str) -> None:
    with pytest.raises(BadOption) as refused:
        BOOKS[rules].settle(given)
    assert says in refusal_named(refused.value) and rules in refusal_named(refused.value)


@pytest.mark.parametrize(
    ("rules", "given", "text"),
    [
        (
            "eppstein",
            {"limit_keine90": 12},
            "option 'limit_keine90' cannot be 12 with 'limit_ansage' at 11: the time for a step would end before that "
            "of the step below it (eppstein 5.3.4); choose at most 11 for 'limit_keine90', or at least 12 for "
            "'limit_ansage'; 'limit_ansage': The fewest cards in hand with which Re or Kontra may be said; "
            "'limit_keine90': The fewest cards in hand with which keine 90 may be said",
        ),
        (
            "eppstein",
            {"pflichtsoli": 5},
            "option 'games' cannot be 16 with 'pflichtsoli' at 5: 4 players must play 20 Pflichtsoli in it (eppstein "
            "7.5.1); choose at least 20 for 'games', or at most 4 for 'pflichtsoli'; 'games': Games of a round at a "
            "table of four; 'pflichtsoli': Pflichtsoli that each player must play in a round",
        ),
        (
            "schnittchen",
            {"late_from": 16},
            "option 'late_from_second' cannot be 16 with 'late_from' at 16: the next fine is due later (schnittchen "
            "Strafen für 'Zu-Spät-Kommen'); choose at least 17 for 'late_from_second', or at most 15 for 'late_from'; "
            "'late_from': Whole minutes late from which on the first fine is due; "
            "'late_from_second': Whole minutes late from which on the second fine is due",
        ),
        (
            "schnittchen",
            {"late_euros": 31},
            "option 'late_euros_second' cannot be 30 with 'late_euros' at 31: who comes later would pay less "
            "(schnittchen Strafen für 'Zu-Spät-Kommen'); choose at least 31 for 'late_euros_second', or at most 30 "
            "for 'late_euros'; 'late_euros': The first fine for coming late, to the club; "
            "'late_euros_second': The second fine for coming late, to the club",
        ),
        (
            "bsv",
            {"gamse": 3},
            "unknown option 'gamse' of bsv; did you mean 'games'? (stichwart rules bsv explains all it has)",
        ),
        (
            "bsv",
            {"factor_re_kontra": 3},
            "unknown option 'factor_re_kontra' of bsv; it belongs to eppstein, schnittchen (stichwart rules bsv "
            "explains all it has)",
        ),
    ],
)
def test_whole_texts(rules: str, given: dict[str, int], text: str) -> None:
    """What is wrong and the way out, with the values that would do."""
    with pytest.raises(BadOption) as refused:
        settle(BOOKS[rules], given)
    assert refusal_named(refused.value) == text


FROM_1 = "a whole number from 1 to 200"


@pytest.mark.parametrize(
    ("rules", "name", "value", "told", "allowed", "choices"),
    [
        ("eppstein", "games", 16, ("16 Spiele", "16 games"), ("1 bis 200", "1 to 200"), FROM_1),
        ("eppstein", "games", 1, ("1 Spiel", "1 game"), ("1 bis 200", "1 to 200"), FROM_1),
        (
            "eppstein",
            "minutes",
            0,
            ("keine", "none"),
            ("0 bis 999; 0: keine", "0 to 999; 0: none"),
            "a whole number from 0 to 999",
        ),
        (
            "eppstein",
            "minor_penalty",
            3,
            ("3 Punkte", "3 points"),
            ("0 bis 99 in Schritten von 3", "0 to 99 in steps of 3"),
            "a whole number from 0 to 99 in steps of 3",
        ),
        (
            "bsv",
            "serious_penalty",
            15,
            ("15 Punkte", "15 points"),
            (
                "was der Schiedsrichter einträgt / 15 Punkte / 21 Punkte",
                "what the referee enters / 15 points / 21 points",
            ),
            "one of 0, 15, 21",
        ),
        (
            "durchgaenge",
            "cards",
            40,
            ("40 Karten", "40 cards"),
            ("40 Karten", "40 cards"),
            "40, the only value it has",
        ),
        (
            "eppstein",
            "bound_side_must_reach",
            True,
            ("ja", "yes"),
            ("ja / nein", "yes / no"),
            "one of True, False",
        ),
        ("eppstein", "factor_solo", 3, ("mal 3", "times 3"), ("1 bis 9", "1 to 9"), "a whole number from 1 to 9"),
        (
            "eppstein",
            "second_ht",
            "never",
            ("nirgends", "nowhere"),
            (
                "wo sie der höchste Trumpf ist / wo sie Trumpf ist / nirgends",
                "where it is the highest trump / where it is any trump / nowhere",
            ),
            "one of 'highest_trump', 'any_trump', 'never'",
        ),
    ],
)
def test_values_in_words(
    rules: str, name: str, value: Any, told: tuple[str, str], allowed: tuple[str, str], choices: str
) -> None:
    option = next(option for option in BOOKS[rules].options if option.name == name)
    for number, language in enumerate(("de", "en")):
        assert value_told(option, value, language) == told[number]
        assert allowed_told(option, language) == allowed[number]
    assert tell(option.choices(), "en") == choices
    assert (option_told(option), value_told(option, value), allowed_told(option)) == (
        option_told(option, "de"),
        told[0],
        allowed[0],
    )
    types = {"minutes": "number", "factor_solo": "number", "bound_side_must_reach": "yes_no", "second_ht": "choice"}
    assert option.type == types.get(name, "number")


def test_chapters() -> None:
    names = "Rahmen der Runde", "Spielfindung", "Spielverlauf", "An- und Absagen", "Wertung", "Regelverstöße", "Kasse"
    assert [say("chapters", chapter, "de") for chapter in CHAPTERS] == list(names)


@pytest.mark.parametrize(
    ("rules", "given", "german", "english"),
    [
        (
            "eppstein",
            {"games": 3},
            "kann nicht 3 sein, wenn „Pflichtsoli",
            "cannot be 3 with “Pflichtsoli",
        ),
        ("bsv", {"limit_keine60": 9}, "möglich: höchstens 8 für „", "choose at most 8 for “"),
        ("schnittchen", {"late_from_second": 5}, "möglich: mindestens 6 für „", "choose at least 6 for “"),
        ("schnittchen", {"late_euros_second": 5}, "wer später kommt, würde weniger zahlen", "would pay less"),
        ("schnittchen", {"scorer": 9}, "möglich: eine ganze Zahl von 1 bis 4", "choose a whole number from 1 to 4"),
        ("schnittchen", {"gammes": 9}, "ist 'games' gemeint?", "did you mean 'games'?"),
    ],
    ids=["duties", "limits", "late from", "late euros", "value", "name"],
)
def test_what_people_are_told_of_options_that_cannot_be(
    rules: str, given: dict[str, int], german: str, english: str
) -> None:
    """Both languages, and options by what they mean: nobody at the direction's page sees their names."""
    with pytest.raises(BadOption) as refused:
        BOOKS[rules].settle(given)
    assert german in refusal_told(refused.value, "de") and english in refusal_told(refused.value, "en")
    assert not any(f"'{name}'" in refusal_told(refused.value, "de") for name in given if name != "gammes")


def test_no_contradiction() -> None:
    assert (
        BOOKS["bsv"].settle(dict.fromkeys(("limit_ansage", "limit_keine90", "limit_keine60"), 8))["limit_ansage"] == 8
    )
    assert BOOKS["eppstein"].settle({"games": 4, "games_5": 5})["games"] == 4
    assert BOOKS["eppstein"].settle({"games": 1, "pflichtsoli": 0})["pflichtsoli"] == 0
