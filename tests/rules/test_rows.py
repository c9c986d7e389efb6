"""What stands in the rows of the books, read off the books themselves: sections, numbers, ranks of games, options."""

from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.describe.told import refusal_named
from kiosk.rules.engine.book import BadOption
from kiosk.rules.engine.contract import TRUMP

# By section of the book what is judged by it; "" is what the book does not have.
SECTIONS = {
    "eppstein": {
        "1.2.1": "impossible_card",
        "2.2.8": "void_shown",
        "2.2.9": "void_count",
        "2.2.11": "void_dealer",
        "3.1.2": "answer",
        "3.2.3": "led_up",
        "3.3.1": "trumpfsolo damensolo bubensolo farbsolo fleischlos",
        "3.4.2": "schmeissen",
        "3.5.1": "hochzeit",
        "4.1.1": "first_lead",
        "4.1.2": "lead",
        "4.2.1": "face_down",
        "4.2.4": "revoke",
        "4.2.5": "take_back",
        "4.2.7": "follow",
        "4.3.2": "shorten",
        "5.2.1": "early",
        "5.2.2": "late_call wrong_side",
        "5.3.2": "unfounded",
        "5.3.4": "late_absage",
        "5.4.1": "card_not_held",
        "5.5.3": "skipped",
        "5.5.4": "late_reply unfounded_reply",
        "5.5.8": "repeated",
        "7.3.1": "seats",
        "7.4.1": "release",
        "8.4": "minor",
        "8.5": "decided",
        "8.6": "serious",
        "8.8.1": "claim",
        "8.8.5": "rest",
        "8.8.6": "claim_over",
        "": "duty fives substitutes court standing lot_alone",
    },
    "bsv": {
        "2.2.1": "impossible_card",
        "3.3": "void_count void_shown",
        "4.1": "answer farbsolo trumpfsolo damensolo bubensolo fleischlos trumpfschwach",
        "4.2": "hochzeit",
        "5.1": "first_lead lead",
        "5.2": "face_down revoke follow take_back",
        "5.4": "shorten",
        "6.1.1": "card_not_held",
        "6.3": "early late_call wrong_side",
        "6.3.1": "duty",
        "6.4": "late_absage unfounded",
        "6.5": "late_reply unfounded_reply skipped repeated",
        "7.3": "serious",
        "8.3": "fives",
        "8.4": "seats",
        "8.5": "release",
        "9.3": "minor",
        "9.4": "decided",
        "9.6": "rest claim claim_over void_dealer court",
        "": "led_up substitutes standing lot_alone",
    },
    "durchgaenge": {
        "1a": "seats",
        "1b": "void_dealer",
        "1c": "card_not_held impossible_card void_count",
        "1d": "first_lead lead follow",
        "2b": "unfounded unfounded_reply skipped",
        "2c": "early repeated duty",
        "2d": "late_call late_reply late_absage",
        "4a": "hochzeit",
        "4b": "face_down",
        "5a": "trumpfsolo damensolo bubensolo",
        "7a": "revoke take_back serious wrong_side",
        "7c": "claim",
        "": "answer release led_up rest claim_over shorten void_shown fives substitutes court standing lot_alone",
    },
    "schnittchen": {
        "1": "card_not_held impossible_card",
        "3": "face_down revoke",
        "3.3": "hochzeit",
        "4": "answer first_lead lead follow void_count trumpfsolo damensolo bubensolo",
        "5.1": "early late_call late_reply wrong_side",
        "5.2": "late_absage unfounded unfounded_reply skipped repeated",
        "Regelverstösse": "claim take_back serious",
        "Pokale": "standing",
        "": "duty release led_up rest claim_over shorten void_shown void_dealer seats fives "
        "substitutes court lot_alone",
    },
    "schaffkopf": {
        "I 2.1": "impossible_card",
        "I 3.2": "face_down",
        "II 1": "void_dealer",
        "II 1.1.3": "void_count void_shown",
        "II 2.2": "answer",
        "II 3.1.2": "solo-tout",
        "II 3.1.3": "wenz-tout",
        "II 3.1.4": "solo",
        "II 3.1.5": "wenz",
        "II 3.1.6": "rufspiel",
        "II 3.1.7": "muss",
        "II 4.1.1": "sie",
        "II 4.2": "serious",
        "II 4.2.1": "shorten",
        "II 4.2.3": "first_lead lead follow take_back",
        "II 4.2.5": "revoke claim",
        "II 4.2.7": "card_not_held",
        "III 1.3": "substitutes",
        "III 2.2": "seats",
        "III 2.4": "lot_alone",
        "III 2.6": "standing",
        "": "claim_over duty release led_up rest fives court",
    },
}


@pytest.mark.parametrize("name", SECTIONS)
def test_sections(name: str) -> None:
    book = BOOKS[name]
    has = {
        "answer": book.answer_section,
        "face_down": book.covering_section,
        "revoke": book.revoke_section,
        "duty": book.must_announce.section if book.must_announce else "",
        "standing": book.standing.section,
        "seats": book.seating.section,
        "lot_alone": book.seating.lot_alone,
        "fives": book.seating.fives_section,
        "substitutes": book.seating.substitutes_section,
        "court": book.seating.court_section,
        **{kind.game: kind.section for kind in book.kinds},
    }
    for sections in (book.turn_sections, book.card_sections, book.calls.sections, book.rulings, book.sections):
        has.update(sections)
    assert has == {word: section for section, words in SECTIONS[name].items() for word in words.split()}


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
        assert not BOOKS[name].late_answer(nothing, 1)
    calls = BOOKS["schaffkopf"].calls
    assert calls.left(nothing, 1, "re") < 0 and calls.silent(nothing)
    assert BOOKS["schaffkopf"].thrown_in_same_dealer({})


# Name, default, all it may be, where the book has the number, or is silent: what a director may set.
OPTIONS = {
    "eppstein": """
        rounds 0 0..99 7.3.1
        games 16 1..200 7.4.1
        games_5 20 1..200 7.4.1
        minutes 120 0..999 7.4.1
        minutes_5 120 0..999 7.4.1
        break_stops_clock False False|True 7.4.1
        pflichtsoli 1 0..10 7.5.1
        first_dealer 1 1..4 2.2.1
        scorer 4 1..4 6.3.1
        scorer_5 5 1..5 6.3.1
        equal_places shared shared|lot|games_won 7.4.1
        deduction_most 12 0..999 8.7.2
        appeal_minutes 0 0..10080 8.2.2
        dealing 4x3 4x3|3x4|2x6|6x2 2.2.6
        schmeissen_nines 5 1..9 3.4.2
        schmeissen_trumps 3 0..12 3.4.2
        klaerung_tricks 3 1..12 3.5.3
        second_ht highest_trump highest_trump|any_trump|never 4.4.2
        words_back next next|trick|never 3.1.2
        tell_augen False False|True 8.1.3
        tell_tricks False False|True 4.4.7
        tell_sides False False|True 1.4.5
        limit_ansage 11 1..12 5.2.2
        limit_keine90 10 1..12 5.3.4
        limit_keine60 9 1..12 5.3.4
        limit_keine30 8 1..12 5.3.4
        limit_schwarz 7 1..12 5.3.4
        reply_cards 1 0..11 5.5.4
        win_points 121 91..150 6.1.2
        bound_side_must_reach True True|False 6.1.4
        value_won 1 0..99 6.2.2
        value_against_queens 1 0..99 6.2.2
        against_queens_in_solo False False|True 6.2.2
        value_under 1 0..99 6.2.2
        value_schwarz 1 0..99 6.2.2
        value_absage 1 0..99 6.2.2
        factor_re_kontra 2 1..9 6.2.2
        doppelkopf_augen 40 1..44 6.2.3
        value_doppelkopf 1 0..99 6.2.3
        value_fuchs 1 0..99 6.2.3
        value_karlchen 1 0..99 6.2.3
        value_fuchs_last 1 0..99 6.2.3
        losers_special_points set_off set_off|ignored|each_side 6.2.3
        factor_solo 3 1..9 6.2.4
        minor_penalty 3 0..99/3 8.4.2
        minor_penalty_opponent 3 0..99 8.4.3
        serious_penalty 12 0..300/3 8.6.2
        serious_penalty_opponent 12 0..300 8.6.2
        serious_penalty_step 3 0..99/3 8.6.2
    """,
    "bsv": """
        rounds 0 0..99 8.4
        games 24 1..200 8.5
        games_5 30 1..200 10.1
        minutes 120 0..999 8.5
        minutes_5 140 0..999 10.1
        break_stops_clock False False|True 8.5
        first_dealer 1 1..4 3.3
        scorer 4 1..4 3.1
        scorer_5 5 1..5 10.1
        equal_places shared shared|lot|games_won 8.5
        deduction_most 0 0..999 9.5
        appeal_minutes 0 0..10080 8.5
        dealing 5x2 5x2|2x5|3-4-3 3.3
        trumpfschwach_dealer same same|next 4.1
        trumpfschwach_trumps 3 0..10 4.1
        klaerung_tricks 3 1..10 4.2.1
        leader_in_solo forehand forehand|soloist 5.1
        second_ht highest_trump highest_trump|any_trump|never 5.3
        words_back next next|trick|never 4.1
        tell_augen False False|True 9.1
        tell_tricks False False|True 5.3
        tell_sides False False|True 2.4.1
        limit_ansage 9 1..10 6.3
        limit_keine90 8 1..10 6.4
        limit_keine60 7 1..10 6.4
        limit_keine30 6 1..10 6.4
        limit_schwarz 5 1..10 6.4
        reply_cards 1 0..9 6.5
        duty_call_augen 30 1..44 6.3.1
        duty_call_in_hochzeit klaerungsstich klaerungsstich|first_trick|none 6.3.1
        duty_call_falls_away True True|False 6.3.1
        duty_call_until limit limit|next_card 6.3.1
        win_points 121 91..150 7.1
        value_won 1 0..99 7.2
        value_under 1 0..99 7.2
        value_schwarz 1 0..99 7.2
        value_re_kontra 2 0..99 7.2
        value_absage 1 0..99 7.2
        value_reached 1 0..99 7.2
        value_against_queens 1 0..99 7.2
        doppelkopf_augen 40 1..44 7.2
        value_doppelkopf 1 0..99 7.2
        value_fuchs 1 0..99 7.2
        value_karlchen 1 0..99 7.2
        minor_penalty 3 0..99/3 7.3
        minor_penalty_opponent 3 0..99 7.3
        serious_penalty 0 0|15|21 7.3
    """,
    "durchgaenge": """
        rounds 3 0..99 1a
        games 12 1..200 1a
        minutes 0 0..999 1a
        break_stops_clock False False|True 7c
        scorer 4 1..4 1b
        equal_places shared shared|lot|games_won 6
        cards 40 40 1c
        deduction_most 999 0..999 Schlusssatz
        appeal_minutes 0 0..10080 Schlusssatz
        dealing 2x5 2x5|5x2|3-4-3 1c
        second_ht never never|highest_trump|any_trump 6
        words_back trick trick|next|never 7a
        tell_augen True True|False 7c
        tell_tricks True True|False 7c
        tell_sides True True|False 7c
        all_until 5 5..40 2d
        until_card touches touches|lies 2d
        leaving_out_steps True True|False 2b
        win_points 121 91..150 6a
        exact_against_absage True True|False 6b
        nobody_has_won nothing nothing|net 6b
        value_won 1 0..99 6c
        value_under 1 0..99 6a
        value_schwarz 1 0..99 6a
        value_re_kontra 1 0..99 2a
        value_absage 1 0..99 2b
        doppelkopf_augen 40 1..44 3a
        value_doppelkopf 1 0..99 3a
        value_fuchs 1 0..99 3a
        value_fuchs_last 1 0..99 3a
        value_against_queens 1 0..99 3b
        against_queens_in_solo True True|False 3b
        losers_special_points ignored ignored|set_off 6c
        bonus 5 0..100 6c
        factor_solo 3 1..9 6d
        lost_solo_bonus 15 0..300 6d
        serious_penalty 24 0..300/3 7a
        serious_penalty_opponent 24 0..300 7b
    """,
    "schnittchen": """
        rounds 1 0..99 6
        games 0 0..200 6
        games_5 0 0..200 6
        minutes 0 0..999 6
        minutes_5 0 0..999 6
        break_stops_clock False False|True 6
        first_dealer 1 1..4 4
        scorer 4 1..4 6
        scorer_5 4 1..5 6
        equal_places shared shared|lot|games_won Pokale
        deduction_most 999 0..999 6
        appeal_minutes 0 0..10080 Pokale
        dealing 3-4-3 3-4-3|2x5|5x2 4
        same_dealer_after_solo four_players four_players|never 4
        karo_in_trumpfsolo True True|False 3.2.3
        words_back next next|trick|never 5.1
        tell_augen True True|False 4
        tell_tricks True True|False 4
        tell_sides True True|False 2
        re_until 5 1..40 5.1
        others_until 9 1..40 5.1
        until_card touches touches|lies 5.1
        bock_by either either|first_side 5.2
        win_points 121 91..150 6.1
        value_won 1 0..99 6.2
        factor_re_kontra 2 1..9 6.2
        factor_bock 2 1..9 6.2
        value_under 1 0..99 6.2
        value_schwarz 1 0..99 6.2
        value_absage 1 0..99 6.2
        value_reached 1 0..99 6.2
        value_against_queens 1 0..99 6.2
        doppelkopf_augen 40 1..44 6.2
        value_doppelkopf 1 0..99 6.2
        value_fuchs 1 0..99 6.2
        value_karlchen 1 0..99 6.2
        value_dulle 1 0..99 6.2
        second_dulle other_side other_side|any 6.2
        losers_special_points set_off set_off|ignored 6.2
        bockrunde table table|four|none 6.2
        factor_bockrunde 2 1..9 6.2
        revoke_euros 1 0..100 Regelverstösse
        revoke_to_soloist 3 0..100 Regelverstösse
        revoke_to_soloist_after_one 4 0..100 Regelverstösse
        revoke_to_soloist_after_two 6 0..100 Regelverstösse
        late_from 5 1..237 Strafen für 'Zu-Spät-Kommen'
        late_from_second 16 2..238 Strafen für 'Zu-Spät-Kommen'
        late_from_third 31 3..239 Strafen für 'Zu-Spät-Kommen'
        late_from_fourth 46 4..240 Strafen für 'Zu-Spät-Kommen'
        late_euros 20 0..1000 Strafen für 'Zu-Spät-Kommen'
        late_euros_second 30 0..1000 Strafen für 'Zu-Spät-Kommen'
        late_euros_third 40 0..1000 Strafen für 'Zu-Spät-Kommen'
        late_euros_fourth 50 0..1000 Strafen für 'Zu-Spät-Kommen'
    """,
    "schaffkopf": """
        rounds 2 1..99 III 2
        games 32 1..200 III 2
        minutes 0 0..999 III 2.3
        break_stops_clock False False|True III 2.3
        first_dealer 1 1..4 III 2.3
        scorer 1 1..4 III 3.1
        deduction_most 999 0..999 III 1.2
        appeal_minutes 0 0..10080 III 2.6
        dealing 4x2 4x2|2x4 II 1.1.3
        lost_alleinspiele 3 1..100 II 2.2
        words_back never never|next II 2.2
        tell_augen False False|True II 4.2.4
        tell_tricks False False|True II 4.2.4
        tell_sides True True|False II 4.2.4
        after_davonlaufen free free|lay_only II 4.1.6
        unlawful_davonlaufen_frees True True|False II 4.1.6
        davonlaufen_ace 4 2..6 II 4.1.6
        davonlaufen_ten 4 2..6 II 4.1.7
        davonlaufen_king 3 2..6 II 4.1.7
        win_points 61 2..120 II 5.1.2
        schneider_points 30 1..59 II 5.1.2
        value_schneider 1 1..99 II 5.1.2
        value_schwarz 1 1..99 II 5.1.2
        value_sie 12 1..99 II 5.2
        value_tout 6 1..99 II 5.2
        value_solo 3 1..99 II 5.2
        value_wenz 3 1..99 II 5.2
        value_rufspiel 1 1..99 II 5.2
        value_muss 1 1..99 II 4.1.7
        revoke_in_time next_card next_card|fourth_card II 4.2.5
    """,
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options(name: str) -> None:
    found = []
    for option in BOOKS[name].options:
        values = option.values
        if isinstance(values, range):
            steps = f"/{values.step}" if values.step > 1 else ""
            allowed = f"{values[0]}..{values[-1]}{steps}"
        else:
            allowed = "|".join(map(str, values))
        found.append(f"{option.name} {option.default} {allowed} {option.section}")
    assert found == [line.strip() for line in OPTIONS[name].strip().splitlines()]


@pytest.mark.parametrize(
    ("name", "given", "section"),
    [
        ("eppstein", {"limit_keine90": 12}, "(eppstein 5.3.4)"),
        ("eppstein", {"pflichtsoli": 5}, "(eppstein 7.5.1)"),
        ("bsv", {"limit_keine90": 10}, "(bsv 6.4)"),
        ("schnittchen", {"late_from": 16}, "(schnittchen Strafen für 'Zu-Spät-Kommen')"),
        ("schnittchen", {"late_euros": 31}, "(schnittchen Strafen für 'Zu-Spät-Kommen')"),
    ],
)
def test_contradictions_name_their_section(name: str, given: dict[str, int], section: str) -> None:
    with pytest.raises(BadOption) as refused:
        BOOKS[name].settle(given)
    assert section in refusal_named(refused.value)
