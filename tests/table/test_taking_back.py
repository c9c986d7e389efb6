"""Who may take back or put right what was said: each kind of word, when, by whom."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kiosk.errors import Refused
from kiosk.table.consent import BY_ALL
from kiosk.table.decide import decide
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.values import Consent, Request, WordCorrected
from kiosk.table.round.fold import Round, fold
from kiosk.table.round.taking_back import alone, stands_so, take_back
from kiosk.table.scoresheet.spielliste import list_data, text
from kiosk.table.scoresheet.written import as_csv
from kiosk.table.table import Table

Body = dict[str, Any]

RELEASE: Body = {"event": "release"}
DEAL: Body = {"event": "deal", "dealer": 1}
CLOSE: Body = {"event": "close"}
NOBODY, ALL = Consent(), Consent(seats=frozenset({1, 2, 3, 4}))
THREE, REFEREE, DIRECTION = Consent(seats=frozenset({1, 2, 3})), Consent(referee=True), Consent(direction=True)


def opening(rules: str, **options: Any) -> Body:
    return {
        "event": "open", "format": 1, "rules": rules, "table": 1, "round": 1, "players": list("ABCD"),
        "options": options,
    }  # fmt: skip


def call(seat: int, word: str) -> Body:
    return {"event": "call", "seat": seat, "call": word}


def say(seat: int, word: str) -> Body:
    return {"event": "announce", "seat": seat, "call": word}


def declare(seat: int, game: str, **other: Any) -> Body:
    return {"event": "declare", "seat": seat, "game": game, **other}


def cards(text: str) -> list[Body]:
    return [{"event": "card", "seat": int(word[0]), "card": word[1:]} for word in text.split()]


GESUND = [call(seat, "gesund") for seat in (2, 3, 4, 1)]
SOLO = [*(call(seat, "gesund") for seat in (2, 3, 4)), call(1, "vorbehalt"), declare(1, "damensolo", duty=True)]
SPIELEN = [call(2, "spielen"), call(3, "spielen"), call(4, "weiter"), call(1, "weiter")]


@dataclass(frozen=True, kw_only=True)
class Said:
    """A kind of word at a table where it was said last."""

    book: str
    said: list[Body]
    seat: int = 1  # who said it
    own: bool = True  # it may be taken back by that seat alone
    then: list[Body] | None = None  # what somebody does next; None: it makes no difference
    over: list[Body] | None = None  # what ends the game, so that the list can be handed in
    closed: str = "direction"  # what the direction's correction comes to once the list is handed in


VOID: Body = {"event": "void"}

WORDS = {
    "gesund": Said(book="eppstein", said=[DEAL, call(2, "gesund")], seat=2, then=[call(3, "gesund")], over=[VOID]),
    "Vorbehalt": Said(book="bsv", said=[DEAL, call(2, "vorbehalt")], seat=2, then=[call(3, "gesund")], over=[VOID]),
    "naming": Said(book="eppstein", said=[DEAL, *SOLO], then=cards("1CA"), over=[VOID]),
    "Re": Said(
        book="eppstein", said=[DEAL, *GESUND, *cards("2CA"), say(3, "re")], seat=3, then=cards("3C9"), over=[VOID]),
    "Re, and a word after it": Said(
        book="schnittchen", said=[DEAL, *GESUND, say(3, "re")], seat=3, then=[say(1, "kontra")], over=[VOID]),
    "claim": Said(
        book="eppstein", said=[DEAL, *SOLO, {"event": "claim", "seat": 1, "kind": "concede"}],
        then=[say(2, "kontra")], closed="signature_in_the_way"),  # without it the game still runs
    "Reklamation": Said(
        book="eppstein", said=[DEAL, *GESUND, *cards("2CA"), {"event": "object", "seat": 4}], seat=4,
        then=cards("3C9"), over=[VOID]),
    "signature": Said(
        book="eppstein", said=[{"event": "sign", "seat": 2}], seat=2, then=[{"event": "sign", "seat": 3}]),
    "bid": Said(
        book="schaffkopf", said=[DEAL, *SPIELEN, {"event": "bid", "seat": 2, "class": "rufspiel"}], seat=2, own=False,
        over=[VOID]),
    "spielen": Said(
        book="schaffkopf", said=[DEAL, call(2, "spielen")], seat=2, own=False, then=[call(3, "weiter")], over=[VOID]),
    "Neu geben": Said(book="eppstein", said=[DEAL, *GESUND, VOID], own=False, closed="signature_in_the_way"),
    "dealt": Said(book="eppstein", said=[DEAL], own=False, over=[VOID], closed="cannot_stand"),
}  # fmt: skip

#: Who asks → what it says of itself, who stands behind it, and what comes of it: while nobody has acted since, later,
#: and once the list is handed in.
ASKS = {
    "the seat": ("own", NOBODY, ("own", "needs_all", "needs_direction")),
    "another seat": ("other", NOBODY, ("needs_all", "needs_all", "needs_direction")),
    "a finger": ("table", NOBODY, ("needs_all", "needs_all", "needs_direction")),
    "three of four": ("table", THREE, ("needs_all", "needs_all", "needs_direction")),
    "all four": ("table", ALL, ("all", "all", "needs_direction")),
    "who only says he is the referee": ("referee", NOBODY, ("needs_all", "needs_all", "needs_direction")),
    "the referee": ("table", REFEREE, ("referee", "referee", "needs_direction")),
    "the direction": ("table", DIRECTION, ("direction", "direction", "direction")),
}
TIMES = ("at once", "later", "handed in")


def at_table(*bodies: Body) -> Round:
    return fold(map(decode, bodies))


def asked(of: int, by: str, consent: Consent = NOBODY, word: Body | None = None) -> Request:
    event = decode({"event": "correct", "of": of, "word": word, "by": by, "why": "slipped"})
    return Request(event=event, consent=consent)


def answer(round_: Round, request: Request) -> str:
    """Who has put it right, else the code of the refusal."""
    try:
        event = decide(round_, request)
    except Refused as refusal:
        return refusal.code
    assert isinstance(event, WordCorrected)
    assert event.agreed == ((1, 2, 3, 4) if event.by == "all" else ())
    assert encode(event)["why"] == "slipped"
    round_.apply(event)
    return event.by


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("who", ASKS)
@pytest.mark.parametrize("kind", WORDS)
def test_who_may(kind: str, who: str, time: str) -> None:
    one = WORDS[kind]
    by, consent, answers = ASKS[who]
    after = {"at once": [], "later": one.then or [], "handed in": [*(one.over or []), CLOSE]}[time]
    round_ = at_table(opening(one.book), RELEASE, *one.said, *after)
    expected = answers[TIMES.index(time)] if time != "later" or one.then is not None else answers[0]
    if expected == "own":
        expected = f"seat {one.seat}" if one.own else "needs_all"
    if expected == "direction" and time == "handed in":
        expected = one.closed
    name = {"own": f"seat {one.seat}", "other": f"seat {one.seat % 4 + 1}"}.get(by, by)
    assert answer(round_, asked(1 + len(one.said), name, consent)) == expected


def test_the_list_handed_in_by_mistake() -> None:
    """Only the direction opens it again."""
    round_ = at_table(opening("eppstein"), RELEASE, CLOSE)
    assert [answer(round_, asked(2, "table", who)) for who in (ALL, REFEREE, DIRECTION)] == [
        *("needs_direction", "needs_direction"), "direction"]  # fmt: skip
    event = decide(round_, asked(2, "table", DIRECTION))
    assert not round_.apply(event).closed


@pytest.mark.parametrize(
    "judged",
    [
        pytest.param({"event": "rule", "class": "minor", "offender": 2}, id="ruling"),
        pytest.param({"event": "leave", "seat": 2, "granted": True}, id="leave"),
        pytest.param({"event": "void"}, id="deal void"),
    ],
)
@pytest.mark.parametrize(
    ("order", "answers"),
    [
        pytest.param({}, ("needs_all", "all", "referee", "direction"), id="at the table"),
        pytest.param({"order_number": 3}, ("needs_referee", "needs_referee", "referee", "direction"), id="ordered"),
    ],
)
def test_what_the_direction_has_ordered_the_four_do_not_undo(
    judged: Body, order: Body, answers: tuple[str, ...]
) -> None:
    round_ = at_table(opening("schaffkopf"), RELEASE, DEAL, {**judged, **order})
    assert tuple(answer(round_, asked(3, "table", who)) for who in (NOBODY, ALL, REFEREE, DIRECTION)) == answers


@pytest.mark.parametrize(
    ("book", "options", "word", "then", "seat"),
    [
        # eppstein 3.1.2: until the next has spoken; who speaks last, until a card lies
        pytest.param("eppstein", {}, call(1, "vorbehalt"), [], 1, id="eppstein: nobody has spoken since"),
        pytest.param("eppstein", {}, say(2, "re"), cards("2CA"), None, id="eppstein: a card lies"),
        pytest.param("bsv", {}, say(2, "re"), [], 2, id="bsv 4.1"),
        # durchgaenge 7a: an announcement as long as the trick lies open on the table
        pytest.param("durchgaenge", {}, say(2, "re"), cards("2CA 3CK 4CT 1CJ"), 2, id="durchgaenge: a full trick lies"),
        pytest.param(
            "durchgaenge", {}, say(2, "re"), cards("2CA 3CK 4CT 1CJ 1SA"), None, id="durchgaenge: the next is led"),
        pytest.param(
            "durchgaenge", {}, say(2, "re"), cards("2CA 3CK 4CT 1CJ 1SA 2SK 3ST 4SQ"), None,
            id="durchgaenge: the next is full"),
        pytest.param("durchgaenge", {}, call(1, "vorbehalt"), [say(2, "re")], None, id="durchgaenge: an answer"),
        # schaffkopf II 2.2: what is said binds
        pytest.param("schaffkopf", {}, call(2, "spielen"), [], None, id="schaffkopf II 2.2"),
        pytest.param("schaffkopf", {"words_back": "next"}, call(2, "spielen"), [], 2, id="schaffkopf, as an option"),
        pytest.param("eppstein", {"words_back": "never"}, say(2, "re"), [], None, id="eppstein, never"),
        pytest.param("eppstein", {"words_back": "trick"}, say(2, "re"), cards("2CA"), 2, id="eppstein, while it lies"),
    ],
)  # fmt: skip
def test_how_long_a_seat_may_alone(
    book: str, options: dict[str, Any], word: Body, then: list[Body], seat: int | None
) -> None:
    asking = [] if book == "schaffkopf" else GESUND[:3]
    round_ = at_table(opening(book, **options), RELEASE, DEAL, *asking, word, *then)
    assert alone(round_, 3 + len(asking)) == seat


def test_what_was_taken_back_is_no_act() -> None:
    """Kontra said on a Re and taken back again leaves Re to its seat; a card that there was not is none either."""
    round_ = at_table(opening("eppstein"), RELEASE, DEAL, *GESUND, say(2, "re"), say(3, "kontra"))
    assert (alone(round_, 7), alone(round_, 8)) == (None, 3)
    back = round_.apply(decide(round_, asked(8, "seat 3")))
    assert (alone(back, 7), alone(back, 8)) == (2, None)
    phantom = back.apply(decode(cards("2CA")[0]))
    assert alone(phantom, 7) is None
    assert alone(phantom.apply(decode({"event": "correct", "of": 10, "card": None})), 7) == 2


def test_nobody_puts_a_word_to_another_seat_alone() -> None:
    round_ = at_table(opening("eppstein"), RELEASE, DEAL, *GESUND, say(2, "re"))
    assert answer(round_, asked(7, "seat 2", NOBODY, say(2, "kontra"))) == "seat 2"
    assert answer(round_, asked(7, "seat 2", NOBODY, say(3, "re"))) == "needs_all"
    assert answer(round_, asked(7, "seat 2", ALL, say(3, "re"))) == "all"


@pytest.mark.parametrize(
    ("said", "consent", "directed", "code", "section", "detail"),
    [
        pytest.param(
            [DEAL, call(2, "gesund"), call(3, "gesund")], Consent(seats=frozenset({2, 4})), True, "needs_all",
            "eppstein 3.1.2", "seats 1, 3 have not agreed; all of them, or the referee, can put this right",
            id="a word"),
        pytest.param(
            [DEAL, {"event": "object", "seat": 4}, *cards("2CA")], THREE, True, "needs_all", "",
            "seats 4 have not agreed; all of them, or the referee, can put this right", id="what no book binds"),
        pytest.param(
            [{"event": "rule", "class": "none", "minutes": 5}], THREE, True, "needs_all", "",
            "seats 4 have not agreed; all of them, or the referee, can put this right", id="what is no seat's"),
        pytest.param(
            [{"event": "rule", "class": "none", "minutes": 5, "order_number": 1}], ALL, True, "needs_referee", "",
            "the direction has ordered it, or it ends the time: the referee or the direction can put it right",
            id="ordered"),
        pytest.param(
            [CLOSE], REFEREE, True, "needs_direction", "",
            "the list is handed in: only the direction can put this right", id="handed in"),
        pytest.param(
            [CLOSE], THREE, False, "needs_all", "",
            "seats 4 have not agreed; all of them, or the referee, can put this right", id="handed in to nobody"),
    ],
)  # fmt: skip
def test_a_refusal_says_who_can(
    said: list[Body], consent: Consent, directed: bool, code: str, section: str, detail: str
) -> None:
    round_ = at_table(opening("eppstein"), RELEASE, *said)
    of = next(number for number in (3, 2) if number < round_.events and said[number - 2]["event"] != "deal")
    with pytest.raises(Refused) as refused:
        decide(round_, asked(of, "table", consent), directed)
    assert (refused.value.code, refused.value.section, refused.value.detail) == (code, section, detail)


def test_what_was_taken_back_is_taken_back_once_more_by_all() -> None:
    """The section is that of a word: where nothing counts any more there is none."""
    round_ = at_table(opening("eppstein"), RELEASE, DEAL, say(2, "re"), {"event": "correct", "of": 3, "word": None})
    with pytest.raises(Refused) as refused:
        decide(round_, asked(3, "seat 2", NOBODY, say(2, "kontra")))
    assert (refused.value.code, refused.value.section) == ("needs_all", "")


CONTESTED: Body = {"event": "claim", "seat": 1, "kind": "rest", "accepted": False, "contested": 3}


@pytest.mark.parametrize(
    ("of", "by", "word", "answered"),
    [
        pytest.param({}, 3, None, "seat 3", id="who said no"),
        pytest.param({}, 1, None, "needs_all", id="who claimed"),
        pytest.param({}, 2, None, "needs_all", id="another"),
        pytest.param({}, 3, {**CONTESTED, "accepted": True, "contested": None}, "needs_all", id="as a yes"),
        pytest.param({}, 3, {"event": "claim", "seat": 3, "kind": "rest"}, "needs_all", id="as his own claim"),
        pytest.param({"contested": None}, 3, None, "needs_all", id="nobody knows who"),
        pytest.param({"accepted": True, "contested": None}, 3, None, "needs_all", id="a yes"),
    ],
)
def test_who_said_no_to_a_rest_takes_it_back(of: Body, by: int, word: Body | None, answered: str) -> None:
    """The question stands as before then: the claim was not decided, and the game goes on."""
    claim = {key: value for key, value in {**CONTESTED, **of}.items() if value is not None}
    word = word and {key: value for key, value in word.items() if value is not None}
    round_ = at_table(opening("eppstein"), RELEASE, DEAL, *SOLO, claim)
    assert answer(round_, asked(round_.events - 1, f"seat {by}", word=word)) == answered


def test_a_no_stands_once_somebody_has_acted() -> None:
    round_ = at_table(opening("eppstein"), RELEASE, DEAL, *SOLO, CONTESTED, {"event": "deal", "dealer": 2})
    assert alone(round_, round_.events - 2) is None
    later = at_table(opening("eppstein"), RELEASE, DEAL, *SOLO, CONTESTED)
    assert alone(later, later.events - 1) == 3


def test_a_word_put_right_to_what_breaks_a_rule_is_refused_unless_it_was_said_so() -> None:
    round_ = at_table(opening("eppstein"), RELEASE, DEAL, *SOLO, say(1, "re"))
    assert answer(round_, asked(8, "seat 1", NOBODY, say(1, "kontra"))) == "wrong_side"
    assert answer(round_, asked(8, "table", ALL, say(1, "kontra"))) == "wrong_side"
    assert answer(round_, asked(8, "table", REFEREE, say(1, "kontra"))) == "referee"  # he says what was said


def test_of_five_the_four_who_play_agree() -> None:
    five = opening("eppstein") | {"players": list("ABCDE")}
    round_ = at_table(five, RELEASE, DEAL, say(2, "re"), *cards("2CA"), {"event": "void"}, {"event": "sign", "seat": 1})
    four = Consent(seats=frozenset({2, 3, 4, 5}))
    event = decide(round_, asked(3, "table", four))
    assert isinstance(event, WordCorrected) and event.agreed == (2, 3, 4, 5)
    signed = round_.apply(decode({"event": "sign", "seat": 2}))
    assert answer(signed, asked(6, "table", four)) == "needs_all"  # a signature is the whole table's


def table(log: Any = None) -> Table:
    """A table in its first game: seat 2 has said Re."""
    made = Table(log or MemoryLog(), now=0.0, opening=decode_opening(opening("eppstein")), wall=lambda: 5)
    for number, body in enumerate([RELEASE, *GESUND, say(2, "re")]):
        made.request(decode_request(body, BY_ALL), float(number))
    return made


def test_twice_at_once_is_once() -> None:
    made = table()
    assert made.request(asked(7, "seat 2"), 9.0) == [8]
    assert made.request(asked(7, "seat 2"), 9.1) == []
    assert made.round.game is not None and not made.round.game.said
    assert made.request(asked(7, "seat 2", ALL, say(2, "re")), 9.2) == [9]  # said after all
    assert made.request(asked(7, "seat 2", ALL, say(2, "re")), 9.3) == []
    assert [one.call for one in made.round.game.said] == ["re"]


@pytest.mark.parametrize(
    ("of", "word", "stands"),
    [
        pytest.param(1, {"event": "sign", "seat": 2}, True, id="as it was noted"),
        pytest.param(1, {"event": "sign", "seat": 3}, False, id="otherwise"),
        pytest.param(1, None, False, id="not said"),
        pytest.param(9, None, False, id="what has not happened"),
        pytest.param(2, {"event": "rule", "class": "none", "minutes": 5}, True, id="ordered, and signed anew for it"),
    ],
)
def test_what_counts_so_already(of: int, word: Body | None, stands: bool) -> None:
    ordered = {"event": "rule", "class": "none", "minutes": 5, "order_number": 3, "sign_anew": True, "at": 8}
    round_ = at_table(opening("eppstein"), {"event": "sign", "seat": 2, "at": 7}, ordered)
    correction = asked(of, "table", ALL, word).event
    assert isinstance(correction, WordCorrected) and stands_so(round_, correction) is stands


def test_two_at_once_the_first_counts() -> None:
    """Seat 3 answers the Re that seat 2 takes back at the same moment: whichever comes first."""
    first = table()
    first.request(decode_request(say(3, "kontra"), BY_ALL), 9.0)
    with pytest.raises(Refused, match="have not agreed") as refusal:
        first.request(asked(7, "seat 2"), 9.0)
    assert (refusal.value.code, refusal.value.section) == ("needs_all", "eppstein 3.1.2")
    second = table()
    second.request(asked(7, "seat 2"), 9.0)
    second.request(decode_request(say(3, "kontra"), BY_ALL), 9.0)
    assert second.round.game is not None and [one.call for one in second.round.game.said] == ["kontra"]


def test_the_power_goes_after_it(tmp_path: Path) -> None:
    """What was put right stays so, and can be put right again."""
    path = tmp_path / "table.sqlite"
    with LogFile(path) as file:
        made = table(file.log("t", 1, 1))
        made.request(asked(7, "table", ALL, say(2, "kontra")), 9.0)
        before = made.view()
    with LogFile(path) as file:
        again = Table(file.log("t", 1, 1), now=20.0)
        assert again.round == made.round
        assert again.view().seats == before.seats
        assert encode(again.events[8]) == {
            "event": "correct", "of": 7, "word": say(2, "kontra"), "by": "all", "agreed": [1, 2, 3, 4],
            "why": "slipped", "at": 5,
        }  # fmt: skip
        again.request(asked(7, "table", REFEREE), 21.0)
        assert again.round.game is not None and not again.round.game.said


def test_an_order_is_the_directions() -> None:
    made = table()
    made.request(decode_request({"event": "void"}, BY_ALL), 9.0)
    made.request(decode_request(CLOSE, BY_ALL), 9.0)
    order = decode_request({"event": "correct", "of": 9, "word": None, "why": "handed in too early", "order_number": 4})
    assert isinstance(order, Request)
    assert made.order(order, 10.0) == [10] and not made.round.closed
    assert made.order(order, 11.0) == []  # carried out before
    assert encode(made.events[10])["by"] == "direction"


def test_nachspielzeit_put_right_moves_the_clock() -> None:
    made = table()
    made.order(decode_request({"event": "rule", "class": "none", "minutes": 15, "order_number": 1}), 10.0)
    left = made.view(10.0).clock
    made.order(
        decode_request({"event": "correct", "of": 8, "word": {"event": "rule", "class": "none", "minutes": 5}}), 10.0
    )
    now = made.view(10.0).clock
    assert (left.remaining - now.remaining, left.extra, now.extra) == (600.0, 900.0, 300.0)
    made.order(decode_request({"event": "correct", "of": 8, "word": None}), 10.0)
    assert made.view(10.0).clock.extra == 0.0


@pytest.mark.parametrize("ordered", [False, True], ids=["at the table", "ordered"])
def test_the_end_of_the_time_is_the_referees_and_gives_the_time_back(ordered: bool, tmp_path: Path) -> None:
    """eppstein 7.4.1, bsv 8.5: the time is the whole hall's, so that the four do not lengthen it by themselves."""
    with LogFile(tmp_path / "table.sqlite") as file:
        made = table(file.log("t", 1, 1))
        ends = decode_request({"event": "time_up", **({"order_number": 1} if ordered else {})}, BY_ALL)
        assert isinstance(ends, Request)
        assert (made.order(ends, 600.0) if ordered else made.request(ends, 600.0)) == [8]
        assert made.round.time_up and made.view(700.0).clock.over
        for who in (NOBODY, ALL):
            assert answer(made.round, asked(8, "table", who)) == "needs_referee"
        assert made.round.words == {}
    with LogFile(tmp_path / "table.sqlite") as file:  # the power went meanwhile
        made = Table(file.log("t", 1, 1), now=800.0)
        order = decode_request({"event": "correct", "of": 8, "word": None, "order_number": 2})
        assert made.order(order, 900.0) == [9]
        clock = made.view(900.0).clock
        assert not made.round.time_up and not clock.over and 6200 < clock.remaining <= 6500
        assert made.order(decode_request({"event": "time_up", "order_number": 3}), 1000.0) == [10]  # now it is over
        assert made.round.time_up and made.view(1000.0).clock.over


def test_the_end_of_the_time_is_no_act_on_a_word() -> None:
    """Whoever has spoken just before the clock ran out may take it back as before (eppstein 3.1.2)."""
    made = table()
    made.order(decode_request({"event": "time_up", "order_number": 1}), 10.0)
    assert answer(made.round, asked(7, "seat 2")) == "seat 2"


def test_the_list_counts_what_was_put_right() -> None:
    """Its foot on paper and in the spreadsheet, with the games that it was about; its data say by whom and why."""
    made = table()
    assert "Richtiggestellt" not in text(made.round) and list_data(made.round)["corrections"] == []
    made.request(asked(7, "table", ALL, say(2, "kontra")), 9.0)
    made.request(asked(7, "table", REFEREE), 9.0)
    assert "\nRichtiggestellt: 2 (Spiel 1)\n" in text(made.round)
    assert "\nPut right: 2 (Game 1)\n" in text(made.round, "en")
    assert as_csv(list_data(made.round)).endswith(";Richtiggestellt: 2 (Spiel 1)\r\n")
    first, second = list_data(made.round)["corrections"]
    assert first == {
        "event": 8, "of": 7, "game": 1, "by": "all", "agreed": [1, 2, 3, 4], "why": "slipped", "at": 5,
    }  # fmt: skip
    assert (second["event"], second["by"], second["agreed"]) == (9, "referee", [])
    assert made.view().corrected == 2


def test_a_signature_taken_back_is_not_printed() -> None:
    round_ = at_table(opening("eppstein"), RELEASE, {"event": "sign", "seat": 2, "at": 7})
    assert list_data(round_)["signed_at"]["2"] == 7
    back = round_.apply(decide(round_, asked(2, "seat 2")))
    assert list_data(back)["signed_at"]["2"] is None and back.signed == ()
    assert list_data(back)["corrections"][0]["game"] is None


def test_what_was_said_is_shown() -> None:
    """Of the game in play, in order, with what counts now and who may put it right."""
    made = table()
    made.request(asked(7, "table", ALL), 9.0)
    made.request(decode_request(say(3, "kontra"), BY_ALL), 10.0)
    shown = made.view().spoken
    assert [(one.event, one.said["event"], one.alone) for one in shown] == [
        (2, "deal", None), *((number, "call", None) for number in (3, 4, 5, 6)), (7, "announce", None),
        (9, "announce", 3),
    ]  # fmt: skip
    assert (shown[-2].word, shown[-2].said, shown[-2].who) == (None, say(2, "re"), "all")
    assert shown[-1].word == say(3, "kontra") and shown[-1].seats == (1, 2, 3, 4)
    made.request(decode_request({"event": "void"}, BY_ALL), 11.0)
    made.request(decode_request(CLOSE, BY_ALL), 12.0)
    assert {one.who for one in made.view().spoken} == {"direction"}


def test_what_the_direction_has_ordered_is_shown_as_the_referees() -> None:
    made = table()
    made.order(decode_request({"event": "rule", "class": "none", "minutes": 15, "order_number": 1}), 10.0)
    assert [(one.said["event"], one.who) for one in made.view().spoken[-2:]] == [
        ("announce", "all"),
        ("rule", "referee"),
    ]


def test_a_key_takes_back_what_its_seat_has_said() -> None:
    """The screen's request: it is the seat's own, and nobody else is asked."""
    made = table()
    assert made.request(take_back(7, 2, "slipped"), 9.0) == [8]
    assert made.round.game is not None and not made.round.game.said
    assert (encode(made.events[8])["by"], encode(made.events[8])["why"]) == ("seat 2", "slipped")
