"""The list as data, key by key: rounds of a few events, and all that is told of them (docs/protocol.md)."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.berichtigung import ListNote, counted
from kiosk.table.scoresheet.counted import Apart, CountedList, as_written
from kiosk.table.scoresheet.rows import rows
from kiosk.table.scoresheet.spielliste import (
    duties_left,
    game_data,
    games_left,
    list_data,
    list_words,
    mended_data,
    own_columns,
    played_out,
    replay_data,
    text,
)

NAMES = ["Anna", "Bernd", "Cem", "Dora"]
Body = dict[str, Any]


def cards(laid: str) -> list[Body]:
    """``2CA 3S9``: seat and card."""
    return [{"event": "card", "seat": int(one[0]), "card": one[1:]} for one in laid.split()]


def by_seat(*values: Any) -> dict[str, Any]:
    return {str(seat): value for seat, value in enumerate(values, start=1)}


#: A revoke that is ruled, a Pflichtsolo that the referee scores, somebody leaves, a call that was none, the time's end.
EPPSTEIN: list[Body] = [
    {"event": "open", "format": 1, "rules": "eppstein", "table": 3, "round": 2, "players": NAMES, "at": 1795186800000,
     "tournament": "Herbst", "substitutes": [4], "minutes": 90},
    {"event": "release"},
    {"event": "deal", "dealer": 1},
    *cards("2CA 3S9 4CK 1C9 2SA 3CK"),
    {"event": "rule", "offender": 3, "class": "serious", "breach": 4, "minutes": 2, "why": "gesehen",
     "at": 1795186900000},
    {"event": "deal", "dealer": 1},
    {"event": "declare", "seat": 3, "game": "damensolo", "duty": True},
    *cards("3CA"),
    {"event": "object", "seat": 3, "against": 4, "code": "card_shown"},
    {"event": "rule", "offender": 4, "class": "custom", "scores": {"3": 9, "4": 0}, "fines": {"4": 2.5}},
    {"event": "substitute", "seat": 1, "player": "Gerd"},
    {"event": "deal", "dealer": 1},
    {"event": "announce", "seat": 2, "call": "re"},
    {"event": "correct", "of": 17, "word": None, "by": "all", "agreed": [1, 2, 3, 4], "why": "verhört",
     "at": 1795187000000},
    {"event": "void"},
    {"event": "time_up"},
    {"event": "rule", "class": "none", "fines": {"4": -1, "2": 1}},
    {"event": "sign", "seat": 2, "at": 1795190000000},
]  # fmt: skip

#: What is alike in the two rows of EPPSTEIN.
PLAIN = {
    "dealer": 1, "void": True, "suit": None, "open": False, "points": 0, "struck": False, "bock": False,
    "leave": False, "marks": [], "typed": False,
}  # fmt: skip

TOLD: Body = {
    "language": "de",
    "rules": "eppstein",
    "title": "Doppelkopf-Turnierregeln der Schachvereinigung 1932 Eppstein im Taunus e.V.",
    "tournament": "Herbst",
    "table": 3,
    "round": 2,
    "date": 1795186800000,
    "players": ["Gerd", "Bernd", "Cem", "Dora"],
    "substitutes": [1, 4],
    "changes": [{"seat": 1, "left": "Anna", "came": "Gerd", "games": 2}],
    "rounds": None,
    "minutes": 90,
    "packets": [3, 3, 3, 3],  # 2.2.4
    "scorer": 4,
    "total": by_seat(4, 4, -3, 4),
    "played": 1,
    "games_left": 3,
    "duties_left": by_seat(1, 1, 0, 1),
    "next_dealer": 1,
    "rows": [
        {
            **PLAIN, "game": 1, "score": by_seat(4, 4, -12, 4), "total": by_seat(4, 4, -12, 4), "kind": "normal",
            "declarer": None, "duty": False, "alone": None, "solo": None,
        },
        {
            **PLAIN, "game": 2, "score": by_seat(0, 0, 9, 0), "total": by_seat(4, 4, -3, 4), "kind": "damensolo",
            "declarer": 3, "duty": True, "alone": 3, "solo": "duty",
        },
    ],
    "name": "Spielliste",
    "columns": ["Gerd", "Bernd", "Cem", "Dora", "Punkte dieses Spiels", "Art des Spiels (Solo)"],
    "fields": [*({"kind": "total", "seat": seat} for seat in (1, 2, 3, 4)), {"kind": "value", "seat": None},
               {"kind": "game", "seat": None}],
    "lines": [
        [4, 4, -12, 4, "", "abgebrochen nach Entscheid"],
        [4, 4, -3, 4, "", "Damensolo (Pflicht) Cem, abgebrochen nach Entscheid"],
    ],
    "foot": [["Ergebnis", [4, 4, -3, 4, "", ""]]],
    "sums": [4, 4, -3, 4],
    "solos": [{"game": 2, "seat": 3, "kind": "damensolo", "duty": True}],
    "checks": [
        {"check": "cumulated", "section": "eppstein 6.3.5", "ok": True},
        {"check": "dealers", "section": "eppstein 6.3.5", "ok": True, "games": []},
    ],
    "mended": [],
    "paper": False,
    "disqualified": [],
    "rulings": [
        {
            "event": 9, "game": 1, "offender": 3, "class": "serious", "code": "revoke", "section": "eppstein 4.2.4",
            "scores": by_seat(4, 4, -12, 4), "minutes": 2, "fines": {}, "why": "gesehen", "at": 1795186900000,
        },
        {
            "event": 14, "game": 2, "offender": 4, "class": "custom", "code": "card_shown", "section": "",
            "scores": {"3": 9}, "minutes": 0, "fines": {"4": 2.5}, "why": "", "at": None,
        },
        {
            "event": 21, "game": None, "offender": None, "class": "none", "code": None, "section": "", "scores": {},
            "minutes": 0, "fines": {"2": 1, "4": -1}, "why": "", "at": None,
        },
    ],
    "offences": [
        {"game": 1, "code": "revoke", "seat": 3, "event": 4, "proved": 8, "section": "eppstein 4.2.4"},
    ],
    "corrections": [
        {"event": 18, "of": 17, "game": 3, "by": "all", "agreed": [1, 2, 3, 4], "why": "verhört", "at": 1795187000000},
    ],
    "bock_left": 0,
    "fines": {"2": 1, "4": 1.5},
    "extra_minutes": 2,
    "time_up": True,
    "signatures": by_seat(False, True, False, False),
    "signed_at": by_seat(None, 1795190000000, None, None),
    "sign_anew": False,
    "closed": False,
}  # fmt: skip


def eppstein() -> Round:
    return fold(map(decode, EPPSTEIN))


def test_all_that_is_told_of_a_list() -> None:
    assert list_data(eppstein()) == TOLD
    assert list(list_data(eppstein())["rulings"][2]["fines"]) == ["2", "4"], "by seat"


def test_all_that_is_told_of_its_games() -> None:
    """A game broken off has the points of its finished tricks, by sides as far as they are known."""
    first, second, last = replay_data(eppstein())
    assert first == {
        "game": 1, "dealer": 1, "kind": "normal", "duty": False, "declarer": None, "re": [], "void": True,
        "tricks": [{"seats": [2, 3, 4, 1], "cards": ["CA", "S9", "CK", "C9"], "winner": 2, "points": 15}],
        "points": {"re": 0, "kontra": 15}, "won_by": None, "value": [], "score": by_seat(4, 4, -12, 4),
        "total": by_seat(4, 4, -12, 4),
        "offences": [{"code": "revoke", "seat": 3, "event": 4, "proved": 8, "section": "eppstein 4.2.4"}],
    }  # fmt: skip
    assert (second["kind"], second["declarer"], second["duty"], second["re"]) == ("damensolo", 3, True, [3])
    assert last == {"list": TOLD}


@pytest.mark.parametrize(("winner", "points"), [(3, (11, 0)), (4, (0, 11))], ids=["Re", "Kontra"])
def test_whose_finished_tricks_of_a_game_broken_off(winner: int, points: tuple[int, int]) -> None:
    """In a Fleischloser of seat 3 he or seat 4 takes the first trick with an ace."""
    laid = "2CK 3CA 4C9 1C9" if winner == 3 else "2CK 3C9 4CA 1C9"
    events = [
        *EPPSTEIN[:3],
        {"event": "declare", "seat": 3, "game": "fleischlos"},
        *cards(laid),
        {"event": "rule", "offender": 1, "class": "custom", "scores": {}},
    ]
    round_ = fold(map(decode, events))
    printed = game_data(round_.games[0], rows(round_)[0])
    assert printed["void"] and printed["tricks"][0]["points"] == 15
    assert printed["points"] == {"re": 15 if points[0] else 0, "kontra": 15 if points[1] else 0}


def test_the_rest_of_a_game_given_up_counts_until_the_game_is_struck() -> None:
    """4.3.6: the others take what is left."""
    events = [
        *EPPSTEIN[:3],
        {"event": "declare", "seat": 3, "game": "fleischlos"},
        *cards("2CK 3CA 4C9 1C9"),
        {"event": "claim", "seat": 3, "kind": "concede"},
    ]
    round_ = fold(map(decode, events))
    assert game_data(round_.games[0], rows(round_)[0])["points"] == {"re": 15, "kontra": 225}
    struck = round_.apply(decode({"event": "strike", "game": 1, "replay": False}))
    assert game_data(struck.games[0], rows(struck)[0])["points"] == {"re": 15, "kontra": 0}


# what the direction has put right


def noted(what: str, number: int = 0, **more: Any) -> ListNote:
    body = {"note": "berichtigung", "of": 1795186800000, "what": what, "reason": "x", "actor": "Eva", **more}
    return ListNote(number=number, at=5, body=body)


def test_games_go_by_the_numbers_that_they_have_on_the_list() -> None:
    """A forgotten game is put in before the first: what is told of the others goes with them, not what is of none."""
    forgotten = noted("row", game=1, insert=True, after={"score": by_seat(2, 2, 0, 0)})
    events = [*EPPSTEIN, {"event": "correct", "of": 5, "card": "CT"}]
    told = list_data(counted(fold(map(decode, events)), [forgotten]))
    assert [one["game"] for one in told["rows"]] == [1, 2, 3] and told["played"] == 2
    assert [one["game"] for one in told["rulings"]] == [2, 3, None]
    assert [one["game"] for one in told["offences"]] == [2]
    assert [one["games"] for one in told["changes"]] == [3], "he left after what is game 3 now"
    assert [one["game"] for one in told["corrections"]] == [3], "a deal that is not on the list has no other number"
    assert [one["marks"] for one in told["rows"]] == [[1], [], []]
    assert told["rows"][2]["solo"] == "duty" and told["signatures"] == by_seat(False, True, False, False)


def test_what_is_told_of_a_berichtigung() -> None:
    first = noted("penalty", 3, seat=2, after=-4, section="eppstein 8.7.2", late=True)
    second = noted("points", 4, game=1, after=by_seat(0, 0, 0, 0), before=by_seat(1, 0, 0, 0))
    gone = noted("strike", 6, game=7)
    expected = {
        "mark": 1, "number": 3, "what": "penalty", "game": None, "seat": 2, "before": None, "after": -4, "reason": "x",
        "section": "eppstein 8.7.2", "actor": "Eva", "at": 5, "late": True, "found": None,
    }  # fmt: skip
    told = mended_data(counted(eppstein(), [first, second, gone]))
    assert told == [
        expected,
        {**expected, "mark": 2, "number": 4, "what": "points", "game": 1, "seat": None, "before": by_seat(1, 0, 0, 0),
         "after": by_seat(0, 0, 0, 0), "section": "", "late": False, "found": by_seat(4, 4, -12, 4)},
        {**expected, "mark": None, "number": 6, "what": "strike", "game": 7, "seat": None, "after": None,
         "section": "", "late": False},
    ]  # fmt: skip


def test_what_counts_beside_the_games_stands_below_them() -> None:
    """A mark goes to each deduction in turn, whatever else was put right between them."""
    notes = [
        noted("name", 1, seat=3, after="Cemil"),
        noted("penalty", 2, seat=2, after=-4),
        noted("name", 3, seat=3, after="Cem"),
        noted("penalty", 4, seat=2, after=-5),
    ]
    told = list_data(counted(eppstein(), notes))
    assert told["foot"] == [
        ["Ergebnis", [4, 4, -3, 4, "", ""]],
        ["Punktabzug *2", [0, -4, 0, 0, "", ""]],
        ["Punktabzug *4", [0, -5, 0, 0, "", ""]],
        ["Endergebnis", [4, -5, -3, 4, "", ""]],
    ]
    result = replace(as_written(eppstein()), apart=(Apart(what="result", score={1: 7, 2: 0, 3: 0, 4: -7}),))
    words = list_words("de")
    assert own_columns(result, words)["foot"][1:] == [
        ["laut Liste", [7, 0, 0, -7, "", ""]],
        ["Endergebnis", [11, 4, -3, -3, "", ""]],
    ]
    marked = replace(result, mends=counted(eppstein(), notes[1:2]).mends)
    assert own_columns(marked, words)["foot"][1][0] == "laut Liste", "the mark is the deduction's, not the result's"
    assert own_columns(as_written(eppstein()), words)["foot"] == TOLD["foot"]


def test_with_a_column_for_plus_and_one_for_minus_the_end_result_stands_in_plus() -> None:
    opening = {"event": "open", "format": 1, "rules": "schaffkopf", "players": NAMES}
    listed = replace(
        as_written(fold([decode(opening)])), apart=(Apart(what="result", score={1: 7, 2: 0, 3: 0, 4: -7}),)
    )
    assert own_columns(listed, list_words("de"))["foot"][-1] == ["Endergebnis", [7, "", 0, "", 0, "", -7, "", ""]]


def on_paper(*score: int, duty: int | None = None, rules: str = "eppstein", **options: Any) -> CountedList:
    """A list on paper with rows of these points of seat 1; ``duty``: each was a Pflichtsolo of that seat."""
    opening = {"event": "open", "format": 1, "rules": rules, "players": NAMES, "options": options}
    alone = {} if duty is None else {"alone": duty, "how": "duty"}
    notes = [
        ListNote(number=n, at=5, body={
            "note": "paper_row", "of": None, "game": n, "row": {"score": by_seat(one, 0, 0, 0), **alone},
        })
        for n, one in enumerate(score, start=1)
    ]  # fmt: skip
    return counted(fold([decode(opening)]), notes)


def struck(listed: CountedList, game: int) -> CountedList:
    found = (replace(row, struck=True) if row.game == game else row for row in listed.rows)
    return replace(listed, rows=tuple(found))


def test_games_and_duties_left_of_a_list_on_paper() -> None:
    assert (games_left(on_paper()), duties_left(on_paper())) == (16, {1: 1, 2: 1, 3: 1, 4: 1})
    three = on_paper(2, 2, 2)
    assert games_left(three) == 13 and games_left(struck(three, 2)) == 14
    solo = on_paper(9, 9, duty=2)
    assert duties_left(solo) == {1: 1, 2: 0, 3: 1, 4: 1} and games_left(solo) == 14
    assert duties_left(struck(struck(solo, 1), 2)) == {1: 1, 2: 1, 3: 1, 4: 1}
    assert games_left(on_paper(*[2] * 13)) == 4, "who owes a Pflichtsolo plays it in any case (7.5.1)"
    assert games_left(on_paper(*[2] * 20)) == 4
    assert games_left(on_paper(*[2] * 20, pflichtsoli=0)) == 0
    assert games_left(on_paper(2, 2, rules="schnittchen")) is None, "this book leaves it open"
    told = list_data(three)
    assert (told["played"], told["games_left"], told["next_dealer"]) == (3, 13, None)
    assert [row["typed"] for row in told["rows"]] == [True, True, True] and told["paper"]
    late = replace(three, typed=frozenset({2}), paper=False)
    assert [row["typed"] for row in list_data(late)["rows"]] == [False, True, False]
    assert list_data(late)["next_dealer"] == 1


def test_when_nothing_is_left_to_be_dealt() -> None:
    done = on_paper(*[2] * 16, pflichtsoli=0)
    assert played_out(done) and not played_out(on_paper(*[2] * 15, pflichtsoli=0))
    assert list_data(replace(done, paper=False))["next_dealer"] is None
    assert list_data(replace(on_paper(2), paper=False, closed=True))["next_dealer"] is None
    opening = {"event": "open", "format": 1, "rules": "eppstein", "players": NAMES, "options": {"pflichtsoli": 0}}
    running = fold(map(decode, [opening, {"event": "deal", "dealer": 1}, {"event": "time_up"}]))
    added = replace(done, written=running)
    assert games_left(added) == 0 and not played_out(added), "a game is dealt, which comes to its end"


# rulings


def ruled(*bodies: Body, rules: str = "eppstein") -> list[dict[str, Any]]:
    """The rulings told of a round in which a card was laid before these events."""
    opening = {"event": "open", "format": 1, "rules": rules, "players": NAMES}
    events = [opening, {"event": "release"}, {"event": "deal", "dealer": 1}, *cards("2CA"), *bodies]
    return list(list_data(fold(map(decode, events)))["rulings"])


SERIOUS: Body = {"event": "rule", "offender": 3, "class": "serious"}


@pytest.mark.parametrize(
    ("bodies", "codes"),
    [
        pytest.param([SERIOUS], [None], id="nobody has said what for"),
        pytest.param([{"event": "object", "seat": 1, "code": "card_shown"}, SERIOUS], ["card_shown"], id="as was said"),
        pytest.param([{"event": "object", "seat": 1}, SERIOUS], [None], id="a Reklamation that names nothing"),
        pytest.param(
            [
                {"event": "object", "seat": 1, "code": "talk"},
                {"event": "object", "seat": 4, "code": "card_shown"},
                SERIOUS,
            ],
            ["card_shown"],
            id="the last Reklamation",
        ),
        pytest.param([SERIOUS, {"event": "object", "seat": 1, "code": "talk"}], [None], id="a later Reklamation"),
        pytest.param(
            [{"event": "object", "seat": 1, "code": "talk"}, {"event": "rule", "class": "none"}, SERIOUS],
            [None, "talk"],
            id="no breach",
        ),
        pytest.param(
            [{"event": "rule", "class": "none", "minutes": 3}, SERIOUS | {"minutes": 2}],
            [None, None],
            id="both are told",
        ),
    ],
)
def test_what_a_ruling_is_about(bodies: list[Body], codes: list[str | None]) -> None:
    found = ruled(*bodies)
    assert [one["code"] for one in found] == codes and [one["section"] for one in found] == [""] * len(codes)


def test_of_rulings_that_end_a_game_the_last_is_told_and_others_beside_it() -> None:
    told = ruled(
        {"event": "rule", "class": "minor", "offender": 2},
        SERIOUS,
        {"event": "rule", "class": "decided", "offender": 4},
        {"event": "rule", "class": "none", "minutes": 3, "answers": False},
        {"event": "rule", "class": "none", "fines": {"1": 0.5}, "offender": 1},
    )
    assert [(one["event"], one["class"], one["game"], one["offender"]) for one in told] == [
        (4, "minor", 1, 2),
        (6, "decided", 1, 4),
        (7, "none", None, None),
        (8, "none", 1, 1),
    ]
    assert [one["minutes"] for one in told] == [0, 0, 3, 0] and told[3]["fines"] == {"1": 0.5}


def test_fines_of_a_ruling_are_told_with_it_those_of_the_book_and_its_own() -> None:
    """schnittchen 5.1 has who errs pay each of the others; a later ruling of the game takes that back."""
    (one,) = ruled(SERIOUS, rules="schnittchen")
    assert one["fines"] == by_seat(-1, -1, 3, -1)
    first, second = ruled({"event": "rule", "class": "none", "fines": {"3": 2}}, SERIOUS, rules="schnittchen")
    assert (first["fines"], second["fines"]) == ({"3": 2}, by_seat(-1, -1, 3, -1))


def test_a_round_without_times_and_with_nothing_to_tell() -> None:
    opening = {"event": "open", "format": 1, "rules": "bsv", "players": NAMES}
    told = list_data(fold(map(decode, [opening, {"event": "release", "at": 1795186800000}])))
    assert told["date"] == 1795186800000, "of the first event that has one"
    assert list_data(fold([decode(opening)]))["date"] is None
    assert told["rulings"] == told["corrections"] == told["offences"] == told["mended"] == told["changes"] == []
    assert told["signed_at"] == by_seat(None, None, None, None)


def test_words_put_right_in_a_deal_that_counts_and_before_any() -> None:
    opening = {"event": "open", "format": 1, "rules": "eppstein", "players": NAMES}
    events = [
        opening,
        {"event": "sign", "seat": 2},
        {"event": "correct", "of": 1, "word": None},
        {"event": "deal", "dealer": 1},
        {"event": "announce", "seat": 2, "call": "re"},
        {"event": "correct", "of": 4, "word": None},
        {"event": "correct", "of": 3, "word": {"event": "deal", "dealer": 2}},
    ]
    told = list_data(fold(map(decode, events)))["corrections"]
    assert [(one["event"], one["of"], one["game"], one["why"], one["by"]) for one in told] == [
        (2, 1, None, "", "table"),
        (5, 4, 1, "", "table"),
        (6, 3, 1, "", "table"),
    ]


def test_signatures_that_were_given_before_the_list_was_changed() -> None:
    listed = as_written(eppstein())
    closed = replace(listed, signed=frozenset({1, 2, 3, 4}))
    told = list_data(closed)
    assert told["signatures"] == by_seat(True, True, True, True)
    assert told["signed_at"] == by_seat(None, 1795190000000, None, None)
    assert list_data(replace(listed, signed=frozenset()))["signed_at"] == by_seat(None, None, None, None)


@pytest.mark.parametrize(
    ("changed", "again", "anew"),
    [
        pytest.param(False, (), False, id="as it was signed"),
        pytest.param(True, (), True, id="changed, and nobody has signed since"),
        pytest.param(True, (1, 2, 4), True, id="one is missing"),
        pytest.param(True, (1, 2, 3, 4), False, id="all have signed since"),
    ],
)
def test_when_a_list_is_to_be_signed_anew(changed: bool, again: tuple[int, ...], anew: bool) -> None:
    opening = {"event": "open", "format": 1, "rules": "eppstein", "players": NAMES}
    signs = [{"event": "sign", "seat": seat} for seat in again]
    round_ = fold(
        map(decode, [opening, {"event": "sign", "seat": 1}, {"event": "release", "sign_anew": changed}, *signs])
    )
    assert as_written(round_).sign_anew is anew and list_data(round_)["sign_anew"] is anew


def test_in_german_unless_it_is_asked_for_otherwise() -> None:
    assert "Dora zahlt 1,50 €" in text(eppstein()) and "3 games" in text(eppstein(), "en")
    assert list_data(eppstein(), "en")["language"] == "en"
