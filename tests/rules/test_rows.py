"""What stands in the rows of the books, read off the books themselves: games and their ranks, numbers, words."""

from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.contract import TRUMP

RAISES = "re keine90 keine60 keine30 schwarz"


@pytest.mark.parametrize(
    ("name", "games", "more"),
    [
        pytest.param(
            "eppstein",
            "trumpfsolo 2, damensolo 2, bubensolo 2, farbsolo 2, fleischlos 2, schmeissen 3, hochzeit 4",
            {"farbsolo": "suits C S H D", "schmeissen": "ends", "hochzeit": "conditions first plain trump"},
            id="eppstein 3.1.5; a Pflichtsolo goes before",
        ),
        pytest.param(
            "bsv",
            "farbsolo 1, trumpfsolo 1, damensolo 1, bubensolo 1, fleischlos 1, trumpfschwach 2, hochzeit 3",
            {"farbsolo": "suits C S H D", "trumpfschwach": "ends"},
            id="bsv 4.1",
        ),
        pytest.param(
            "durchgaenge",
            "trumpfsolo 1, damensolo 2, bubensolo 3, hochzeit 4",
            dict.fromkeys(("trumpfsolo", "damensolo", "bubensolo"), f"raises {RAISES}"),
            id="durchgaenge 5a, 5b",
        ),
        pytest.param(
            "schnittchen",
            "trumpfsolo 1, damensolo 2, bubensolo 3, hochzeit 4",
            dict.fromkeys(("trumpfsolo", "damensolo", "bubensolo"), f"raises {RAISES}"),
            id="schnittchen 4",
        ),
        pytest.param(
            "schaffkopf",
            "sie 1, solo-tout 2, wenz-tout 3, solo 4, wenz 5, rufspiel 6, muss 7",
            {
                "sie": "unplayed",
                "solo-tout": "suits E G H S",
                "solo": "suits E G H S",
                "rufspiel": "cards EA GA SA",
                "muss": "cards EA GA SA ET GT ST EK GK SK",
            },
            id="schaffkopf II 2, 3.1",
        ),
    ],
)
def test_games_and_their_ranks(name: str, games: str, more: dict[str, str]) -> None:
    kinds = BOOKS[name].kinds
    assert ", ".join(f"{kind.game} {kind.rank}" for kind in kinds) == games
    found = {}
    for kind in kinds:
        words = [
            " ".join((field, *values))
            for field in ("suits", "cards", "conditions", "raises")
            if (values := getattr(kind, field))
        ]
        words += ["ends"] * kind.ends_deal + ["unplayed"] * (not kind.played)
        if words:
            found[kind.game] = ", ".join(words)
        assert kind.solo == (name != "schaffkopf" and kind.game.endswith(("solo", "fleischlos")))
    assert found == more


ROWS = {
    "eppstein": ("30.11.2001", 48, 12, (4, 5), 26, "CQ"),  # 1.2.1, 2.2.6, 7.2.1, 1.3.4, 1.4.4
    "bsv": ("22.04.2010", 40, 10, (4, 5), 24, "CQ"),  # 2.2.1, 3.3, 8.3, 2.3.4, 2.4.1
    "durchgaenge": ("ohne Datum", 40, 10, (4,), 24, "CQ"),  # 1c; 4a
    "schnittchen": ("2022", 40, 10, (4, 5), 24, "CQ"),  # 1, 4, 2, 3.1
    "schaffkopf": ("2006", 32, 8, (4,), 14, None),  # I 2, II 1.1.3, I 1.3, II 4.1.6
}


@pytest.mark.parametrize("name", ROWS)
def test_frame(name: str) -> None:
    book = BOOKS[name]
    source, cards, hand, tables, trumps, re_card = ROWS[name]
    assert (book.name, len(book.deck), book.hand_size, book.tables) == (name, cards, hand, tables)
    assert source in book.source
    assert sum(book.normal.classes[card] == TRUMP for card in book.deck) == trumps
    assert (book.normal.game, book.normal.re_card, book.normal.solo) == ("normal", re_card, False)
    for (game, suit), contract in book.contracts.items():
        assert (contract.game, contract.suit, contract.re_card) == (game, suit, None)
        kind = next(kind for kind in book.kinds if kind.game == game)
        assert contract.solo == (game not in ("hochzeit", "rufspiel", "muss"))
        assert (suit in kind.suits) if kind.suits else suit is None
    assert {game for game, _ in book.contracts} == {kind.game for kind in book.kinds if not kind.ends_deal}


@pytest.mark.parametrize(
    ("name", "penalties", "payments", "scored", "partner_may_claim"),
    [
        ("eppstein", "minor serious decided", "", "decided", False),  # 8.4 to 8.6, 8.5.1, 8.8.1
        ("bsv", "minor serious", "", "decided", False),  # 7.3, 9.4, 9.6
        ("durchgaenge", "serious", "", "decided", True),  # 7a, 7c
        ("schnittchen", "serious", "serious", "decided", True),  # Regelverstösse
        ("schaffkopf", "", "", "decided serious", True),  # II 4.2
    ],
)
def test_rulings(name: str, penalties: str, payments: str, scored: str, partner_may_claim: bool) -> None:
    book = BOOKS[name]
    assert (" ".join(book.penalties), " ".join(book.payments)) == (penalties, payments)
    assert (" ".join(sorted(book.scored_rulings)), book.partner_may_claim) == (scored, partner_may_claim)


@pytest.mark.parametrize(
    ("name", "words", "counted", "answers", "wanting"),
    [
        ("eppstein", "re kontra keine90 keine60 keine30 schwarz", "hand", "gesund vorbehalt", "vorbehalt"),
        ("bsv", "re kontra keine90 keine60 keine30 schwarz", "hand", "gesund vorbehalt", "vorbehalt"),
        ("durchgaenge", "re kontra keine90 keine60 keine30 schwarz", "table", "gesund vorbehalt", "vorbehalt"),
        ("schnittchen", "re kontra keine90 keine60 keine30 schwarz bock", "table", "gesund vorbehalt", "vorbehalt"),
        ("schaffkopf", "", "hand", "weiter spielen recht auch", "auch spielen"),
    ],
    ids=["eppstein 5.2.2, 5.3.1", "bsv 6.3, 6.4", "durchgaenge 2a, 2b", "schnittchen 5.1, 5.2", "schaffkopf II 2, 5.2"],
)
def test_words(name: str, words: str, counted: str, answers: str, wanting: str) -> None:
    book = BOOKS[name]
    assert (" ".join(book.calls.words), book.calls.counted, " ".join(book.answers)) == (words, counted, answers)
    assert " ".join(sorted(book.wanting)) == wanting


@pytest.mark.parametrize(
    ("name", "bock_by_first", "absage_needs_call", "leaving_out", "repeated_raises", "repeated_offends"),
    [
        ("eppstein", False, False, True, True, {True}),  # 5.5.3, 5.5.7, 5.5.8
        ("bsv", False, False, True, False, {True, False}),  # 6.5
        ("durchgaenge", False, False, True, False, set()),  # 2b
        ("schnittchen", False, True, False, False, set()),  # 5.2
        ("schaffkopf", False, False, False, False, set()),  # II 5.2
    ],
)
def test_how_calls_are_judged(
    name: str,
    bock_by_first: bool,
    absage_needs_call: bool,
    leaving_out: bool,
    repeated_raises: bool,
    repeated_offends: set[bool],
) -> None:
    calls = BOOKS[name].calls
    assert (calls.bock_by_first, calls.absage_needs_call, calls.leaving_out) == (
        bock_by_first, absage_needs_call, leaving_out
    )  # fmt: skip
    assert (calls.repeated_raises, calls.repeated_offends) == (repeated_raises, repeated_offends)


@pytest.mark.parametrize(
    ("name", "game", "suit", "trumps"),
    [
        ("eppstein", "farbsolo", "S", "SA ST SK SQ SJ S9"),  # 1.3.8
        ("eppstein", "damensolo", None, "CQ SQ HQ DQ"),  # 1.3.6
        ("eppstein", "bubensolo", None, "CJ SJ HJ DJ"),  # 1.3.7
        ("eppstein", "fleischlos", None, ""),  # 1.3.9
        ("bsv", "farbsolo", "S", "HT CQ SQ HQ DQ CJ SJ HJ DJ SA ST SK"),  # 2.3.5
        ("bsv", "farbsolo", "H", "HT CQ SQ HQ DQ CJ SJ HJ DJ HA HK"),  # 2.3.5, by its list
        ("bsv", "trumpfsolo", None, "HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT DK"),  # 2.3.5
        ("bsv", "damensolo", None, "CQ SQ HQ DQ"),  # 2.3.6
        ("bsv", "bubensolo", None, "CJ SJ HJ DJ"),  # 2.3.6
        ("bsv", "fleischlos", None, ""),  # 2.3.7
        ("durchgaenge", "trumpfsolo", None, "HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT DK"),  # 5a
        ("durchgaenge", "damensolo", None, "CQ SQ HQ DQ"),  # 5a
        ("durchgaenge", "bubensolo", None, "CJ SJ HJ DJ"),  # 5a
        ("schnittchen", "hochzeit", None, "HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT DK"),  # 3.3
        ("schnittchen", "damensolo", None, "CQ SQ HQ DQ"),  # 3.2.1
        ("schnittchen", "bubensolo", None, "CJ SJ HJ DJ"),  # 3.2.2
        ("schaffkopf", "sie", None, "EO GO HO SO EU GU HU SU"),  # II 4.1.1
        ("schaffkopf", "wenz", None, "EU GU HU SU"),  # II 4.1.5
        ("schaffkopf", "wenz-tout", None, "EU GU HU SU"),  # II 4.1.3
        ("schaffkopf", "solo", "G", "EO GO HO SO EU GU HU SU GA GT GK G9 G8 G7"),  # II 4.1.4
        ("schaffkopf", "solo-tout", "E", "EO GO HO SO EU GU HU SU EA ET EK E9 E8 E7"),  # II 4.1.2
        ("schaffkopf", "rufspiel", None, "EO GO HO SO EU GU HU SU HA HT HK H9 H8 H7"),  # II 4.1.6
        ("schaffkopf", "muss", None, "EO GO HO SO EU GU HU SU HA HT HK H9 H8 H7"),  # II 4.1.7
    ],
)
def test_trumps(name: str, game: str, suit: str | None, trumps: str) -> None:
    assert " ".join(BOOKS[name].contracts[game, suit].trumps) == trumps


@pytest.mark.parametrize(
    ("name", "game", "suit", "plain"),
    [
        ("bsv", "fleischlos", None, "ATKQJ"),  # 2.3.7
        ("bsv", "damensolo", None, "ATKJ"),  # 2.3.6
        ("bsv", "bubensolo", None, "ATKQ"),  # 2.3.6
        ("durchgaenge", "damensolo", None, "ATKJ"),
        ("schnittchen", "damensolo", None, "ATKJ"),  # 3.2.1
        ("schnittchen", "bubensolo", None, "ATKQ"),  # 3.2.2
        ("schaffkopf", "wenz", None, "ATKO987"),  # II 4.1.5
        ("schaffkopf", "wenz-tout", None, "ATKO987"),  # II 4.1.3
        ("schaffkopf", "solo", "H", "ATK987"),  # II 4.1.4
    ],
)
def test_plain_order(name: str, game: str, suit: str | None, plain: str) -> None:
    power = BOOKS[name].contracts[game, suit].power
    ranks = [power["S" + rank] for rank in plain]
    assert ranks == sorted(ranks, reverse=True) and len(set(ranks)) == len(ranks)


def test_what_a_book_does_not_ask() -> None:
    """Every field of a row has its function; where the book has nothing, that says so."""
    nothing: Any = None
    for name in ("eppstein", "bsv", "schnittchen", "schaffkopf"):
        assert not any(BOOKS[name].covering_needs_none(nothing, card) for card in BOOKS[name].deck)
    for name in ("eppstein", "bsv", "durchgaenge", "schnittchen"):
        book = BOOKS[name]
        assert not book.classes and book.bid_fault(nothing, nothing) == ("", "")
    for name in ("eppstein", "bsv", "durchgaenge", "schaffkopf"):
        assert BOOKS[name].bock_games(nothing, 4) == 0
    for name in ("durchgaenge", "schnittchen"):
        assert not BOOKS[name].late_answer(nothing, 1, "gesund")
    calls = BOOKS["schaffkopf"].calls
    assert calls.left(nothing, 1, "re") < 0 and calls.silent(nothing)
    assert BOOKS["schaffkopf"].thrown_in_same_dealer({})
