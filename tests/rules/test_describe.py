"""Descriptions of the books: they follow the engine, so that a changed value is a changed description."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from kiosk.errors import BadConfig
from kiosk.language import LANGUAGES
from kiosk.rules.books import BOOKS
from kiosk.rules.books.doppelkopf import forehand, soloist_leads
from kiosk.rules.describe import compare, data, describe
from kiosk.rules.describe.command import named, run
from kiosk.rules.describe.text import LEAST_WIDTH_COLUMNS, WIDTH_COLUMNS, book_text, books_text, differences_text
from kiosk.rules.describe.told import tell, value_told
from kiosk.rules.engine.book import BadOption, Option, RuleBook
from kiosk.rules.options.words import Text
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import open_round

EVERY = [(book, option) for book in BOOKS.values() for option in book.options]


def told(book: RuleBook, **options: Any) -> dict[tuple[str, str], Text]:
    """Facts by chapter and key."""
    settled = book.settle(options)
    return {(c.key, f.key): f.value for c in describe(book, settled) for f in c.facts}


@cache
def told_by_itself(rules: str) -> dict[tuple[str, str], Text]:
    """What is told of a book where nothing is decided otherwise."""
    return told(BOOKS[rules])


def another(book: RuleBook, option: Option) -> list[Any]:
    """Values that are not the default and go together with the other defaults: all words, some numbers."""
    values = [value for value in option.values if value != option.default]
    if isinstance(option.values, range) and len(values) > 4:
        near = values.index(min(values, key=lambda value: abs(int(value) - int(option.default))))
        values = [values[0], values[near], values[-1]]
    lawful = []
    for value in values:
        try:
            book.settle({option.name: value})
        except BadOption:
            continue
        lawful.append(value)
    return lawful


@pytest.mark.parametrize(("book", "option"), EVERY, ids=[f"{b.name} {o.name}" for b, o in EVERY])
@pytest.mark.slow
def test_each_value_of_an_option_is_told(book: RuleBook, option: Option) -> None:
    """The chapters tell what the engine does with the option, not only that there is one."""
    usual = told_by_itself(book.name)
    for value in another(book, option):
        if (book.name, option.name, value) == ("bsv", "second_ht", "any_trump"):
            continue  # where Herz 10 is trump in bsv it is the highest: the same as the default
        changed = told(book, **{option.name: value})
        assert changed != usual, f"{option.name} = {value!r} is not told"


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_facts(book: RuleBook) -> None:
    for chapter in describe(book):
        keys = [fact.key for fact in chapter.facts]
        assert len(set(keys)) == len(keys)
        for fact in chapter.facts:
            assert all(tell(text, language) for text in (fact.label, fact.value) for language in LANGUAGES), fact
    used = {f.key for c in describe(book) for f in c.facts}
    assert len(used) > 30


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("width", [WIDTH_COLUMNS, LEAST_WIDTH_COLUMNS])
def test_text(book: RuleBook, language: str, width: int) -> None:
    text = book_text(book, language, width)
    assert max(map(len, text.splitlines())) <= width
    for option in book.options:
        assert f"  {option.name} → {value_told(option, option.default, language)}" in text
        assert "".join(f"[{option.section}]".split()) in "".join(text.split())
    assert book.title.split()[0] in text
    assert ("Rahmen der Runde" in text) == (language == "de")


@pytest.mark.parametrize(
    ("rules", "changed", "key", "says"),
    [
        ("bsv", {"leader": soloist_leads}, "leads_solo", "der Solospieler"),
        ("eppstein", {"leader": forehand}, "leads_solo", "der linke Nachbar des Gebers"),
        ("eppstein", {"partner_may_claim": True}, "partner_may_claim", "ja"),
        ("eppstein", {"hand_size": 10}, "hand", "10"),
        ("eppstein", {"tables": (4,)}, "tables", "4"),
        ("schaffkopf", {"same_dealer": lambda game: True}, "same_dealer", "nach jedem"),
        ("durchgaenge", {"face_down": BOOKS["bsv"].face_down}, "face_down", "nie"),
        ("durchgaenge", {"klaerung": BOOKS["schnittchen"].klaerung}, "hochzeit_alone", "sobald er den ersten"),
        ("bsv", {"equal_order": BOOKS["eppstein"].equal_order}, "equal_cards", "die zuerst gelegte"),
        ("bsv", {"may_claim": BOOKS["eppstein"].may_claim}, "shorten", "beanspruchen"),
        ("bsv", {"write": BOOKS["eppstein"].write}, "written_solo_lost", "Solospieler 0"),
        ("bsv", {"winner": BOOKS["durchgaenge"].winner}, "needed_only_kontra", "Re 121, Kontra 120"),
        ("eppstein", {"retractable": BOOKS["durchgaenge"].retractable}, "take_back", "jede Karte"),
        ("durchgaenge", {"same_dealer": lambda game: game.contract.solo}, "same_dealer", "nach einem Solo"),
    ],
)  # fmt: skip
def test_a_changed_function_is_a_changed_fact(rules: str, changed: dict[str, Any], key: str, says: str) -> None:
    book = BOOKS[rules]
    extra = {o.name: o for other in BOOKS.values() for o in other.options}
    own = {o.name for o in book.options}
    borrowed = replace(
        book,
        **changed,
        options=(*book.options, *(o for name, o in extra.items() if name not in own)),
        contradictions=(),
    )

    def fact(one: RuleBook) -> str:
        return next(tell(f.value, "de") for c in describe(one) for f in c.facts if f.key == key)

    assert says in fact(borrowed)
    assert fact(borrowed) != fact(book)


@pytest.mark.parametrize(
    ("rules", "chapter", "key", "says", "section"),
    [
        ("eppstein", "calls", "until_re", "mit mindestens 11 Karten in der Hand", "5.2.2"),
        ("eppstein", "calls", "until_schwarz", "mit mindestens 7 Karten in der Hand", "5.3.4"),
        ("eppstein", "calls", "reply", "mit mindestens 10, 9, 8, 7, 6 Karten", "5.5.4"),
        (
            "eppstein",
            "finding",
            "named_schmeissen",
            "höchstens 2 Trümpfe (♦A nicht mitgezählt) oder mind",
            "3.4.2",
        ),
        ("eppstein", "offences", "serious", "−12, den anderen je +4; nach 1 bis 4 Absagen der anderen −15 (+5)", "8.6"),
        ("eppstein", "round", "same_dealer", "nach einem Pflichtsolo, nach Schmeißen", "2.2.1, 3.2.5, 3.4.3"),
        ("bsv", "games", "farbsolo_h", "Trumpf (22): ♥ 10 · Damen ♣ ♠ ♥ ♦ · Buben ♣ ♠ ♥ ♦ · ♥ A K", "2.3.5"),
        ("bsv", "calls", "must_announce", "mit 30 oder mehr Augen macht, mit mindestens 9 Karten", "6.3.1"),
        ("bsv", "scoring", "needed_only_kontra", "Re 120, Kontra 121", "7.1"),
        ("durchgaenge", "scoring", "written_solo_lost", "Solospieler −21, die anderen je +7", "6d"),
        ("durchgaenge", "play", "face_down", "nicht ♦A", "4b"),
        ("durchgaenge", "calls", "must_announce", "wer den ersten Stich macht, vor der nächsten Karte", "2c"),
        ("schnittchen", "calls", "until_re", "solange höchstens 4 Karten liegen", "5.1"),
        ("schnittchen", "calls", "until_kontra", "solange höchstens 8 Karten liegen", "5.1"),
        ("schnittchen", "money", "late_fine", "ab 5 Minuten 20 €, ab 16 Minuten 30 €, ab 31", "Strafen für"),
        ("schnittchen", "round", "bockrunde", "zu viert 4, zu fünft 5", "6.2"),
        ("schnittchen", "offences", "serious_euros_soloist", "3 / 4 / 6 € an den Solospieler", "Regelverstösse"),
        (
            "schaffkopf",
            "offences",
            "serious_falls",
            "nach falschem Bedienen der Stich des Verstoßes und alles",
            "II 4.2",
        ),
        ("eppstein", "offences", "decided_falls", "der offene Stich und die übrigen Karten", "8.5"),
        ("bsv", "offences", "decided_falls", "der Stich des Verstoßes und alles danach", "9.4"),
        ("schaffkopf", "finding", "least", "der 1. Rufspiel, der 2. Wenz, der 3. Solo, der 4. Wenz-Tout", "II 2"),
        ("schaffkopf", "finding", "leave", "Sie, Solo-Tout, Wenz-Tout, nach 3 verlorenen jedes Alleinspiel", "II 2.2"),
        ("schaffkopf", "scoring", "schneider_solo", "Spielerpartei bis 30 Augen, die anderen bis 29", "II 5.1.2"),
        ("schaffkopf", "scoring", "schneider_muss", "Spielerpartei bis 29 Augen, die anderen bis 30", "II 5.1.3"),
        ("schaffkopf", "scoring", "value_muss", "Wert 1; zum Gewinnen Spielerpartei 60, die anderen 61", "II 4.1.7"),
        ("schaffkopf", "games", "wenz", "Unter Eichel Gras Herz Schellen", "II 4.1.5"),
        ("schaffkopf", "play", "davonlaufen_king", "ab 3 Karten der Ruffarbe", "II 4.1.7"),
    ],
)
def test_what_the_books_say(rules: str, chapter: str, key: str, says: str, section: str) -> None:
    fact = next(f for c in describe(BOOKS[rules]) if c.key == chapter for f in c.facts if f.key == key)
    assert says in tell(fact.value, "de") and section in fact.section


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_printed_options_mean_the_defaults(book: RuleBook) -> None:
    """What ``rules BOOK --json`` prints as ``options`` can be given to ``open``."""
    printed = json.loads(json.dumps(data(book, "de")))
    opened = {"event": "open", "format": 1, "rules": book.name, "players": list("ABCD")}
    state = open_round(decode({**opened, "options": printed["options"]}))
    assert state.options == open_round(decode(opened)).options
    assert [one["name"] for one in printed["about_options"]] == list(printed["options"])
    for one in printed["about_options"]:
        allowed = one["values"] if "values" in one else range(one["range"]["from"], one["range"]["to"] + 1)
        assert one["default"] in allowed and one["meaning"] and one["section"] and one["chapter"]


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.slow
def test_what_differs(language: str) -> None:
    names = list(BOOKS)
    for first in names:
        for second in names:
            found = compare(BOOKS[first], BOOKS[second])
            assert (not found) == (first == second)
            for one in found:
                assert (one.first is None) or (one.second is None) or one.first.value != one.second.value
            text = differences_text(BOOKS[first], BOOKS[second], language, LEAST_WIDTH_COLUMNS)
            assert max(map(len, text.splitlines())) <= LEAST_WIDTH_COLUMNS
    text = differences_text(BOOKS["eppstein"], BOOKS["bsv"], "de")
    assert "16 [7.4.1]" in text and "24 [8.5]" in text
    assert not [one for one in compare(BOOKS["eppstein"], BOOKS["bsv"]) if one.key == "needed_nothing"]


@pytest.mark.slow
def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert run([], "de", False) == 0
    assert capsys.readouterr().out == books_text(BOOKS.values(), "de")
    assert run(["bsv"], "en", False) == 0
    assert "Announcements" in capsys.readouterr().out
    assert run([], "de", True) == 0
    books = json.loads(capsys.readouterr().out)["books"]
    assert [(one["name"], one["players"], one["cards"]) for one in books] == [
        (name, list(book.tables), len(book.deck)) for name, book in BOOKS.items()
    ]
    assert run(["eppstein", "schaffkopf"], "de", True) == 0
    differences = json.loads(capsys.readouterr().out)["differences"]
    games = next(one for one in differences if one["key"] == "games")
    assert games["values"] == {"eppstein": "16", "schaffkopf": "32"}
    assert games["sections"] == {"eppstein": "7.4.1", "schaffkopf": "III 2"}
    assert run(["eppstein"], "en", True) == 0
    assert json.loads(capsys.readouterr().out)["options"]["games"] == 16


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["epstein"], "'epstein' is not known; there are eppstein, bsv, .*; did you mean 'eppstein'"),
        (["Schafkopf"], "did you mean 'schaffkopf'"),
        (["skat"], f"'skat' is not known; there are {', '.join(BOOKS)}$"),
        (["bsv", "bsv"], "bsv was named twice"),
        (["bsv", "eppstein", "schaffkopf"], "3 books were named"),
    ],
)
def test_refused(names: list[str], says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        run(names, "de", False)


def test_named() -> None:
    assert named("bsv") is BOOKS["bsv"]


@pytest.mark.parametrize("book", [book for book in BOOKS.values() if not book.classes], ids=lambda book: book.name)
def test_who_leads(book: RuleBook) -> None:
    """Who leads a solo is asked of the book, a Pflichtsolo apart from a Lustsolo where there are any (ddv 4.2, 4.3)."""
    told = {fact.key: str(fact.value) for chapter in describe(book) for fact in chapter.facts}
    soloist, neighbour = "the_soloist", "the_dealers_left_neighbour"
    by_book = {"eppstein": (soloist, soloist), "ddv": (soloist, neighbour), "schnittchen": (None, soloist)}
    expected = by_book.get(book.name, (None, neighbour))
    assert told["leads"] == neighbour
    assert (told.get("leads_pflichtsolo"), told["leads_solo"]) == expected
    changed = replace(book, leader=lambda game: 3)
    told = {fact.key: str(fact.value) for chapter in describe(changed) for fact in chapter.facts}
    assert {told[key] for key in told if key.startswith("leads")} == {soloist}


def test_what_a_book_does_once_the_time_is_up() -> None:
    """eppstein 7.4.1, ddv 8.5; what clears a partnership: ddv 5.5."""
    told = {
        name: {fact.key: str(fact.value) for chapter in describe(book) for fact in chapter.facts}
        for name, book in BOOKS.items()
    }
    assert told["eppstein"]["redeals_after_time"] == "a_begun_game_is_repeated"
    assert told["ddv"]["redeals_after_time"] == "no_game_is_repeated"
    assert "redeals_after_time" not in told["durchgaenge"]
    assert "discards" in told["ddv"]["clear_by"] and "discards" not in told["bsv"]["clear_by"]
    assert "clear_by" not in told["schaffkopf"]
