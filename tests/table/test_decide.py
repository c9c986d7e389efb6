"""What people may ask for and what is refused, with the section that does not allow it."""

from typing import Any

import pytest

from kiosk.errors import Refused
from kiosk.table.decide import decide
from kiosk.table.events.codec import decode, decode_request, encode
from kiosk.table.round.fold import Round, fold

Event = dict[str, Any]

OPEN: Event = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCD")}
RELEASE: Event = {"event": "release"}
DEAL: Event = {"event": "deal", "dealer": 1}


def call(seat: int, word: str) -> Event:
    return {"event": "call", "seat": seat, "call": word}


def say(seat: int, word: str, **other: Any) -> Event:
    return {"event": "announce", "seat": seat, "call": word, **other}


def declare(seat: int, game: str, **other: Any) -> Event:
    return {"event": "declare", "seat": seat, "game": game, **other}


def cards(text: str) -> list[Event]:
    """``2CA 3C9`` as card events."""
    return [{"event": "card", "seat": int(word[0]), "card": word[1:]} for word in text.split()]


DEALT = [OPEN, RELEASE, DEAL]
GESUND = [*DEALT, *(call(seat, "gesund") for seat in (2, 3, 4, 1))]
ONE_TRICK = [*GESUND, *cards("2CA 3C9 4CK 1CT")]
TWO_TRICKS = [*ONE_TRICK, *cards("2SA 3S9 4SK 1ST")]
THREE_TRICKS = [*TWO_TRICKS, *cards("2HA 3H9 4HK 1H9")]
SOLO = [*DEALT, *(call(seat, "gesund") for seat in (2, 3, 4)), call(1, "vorbehalt"), declare(1, "damensolo", duty=True)]
HOCHZEIT = [*DEALT, *(call(seat, "gesund") for seat in (2, 3, 4)), call(1, "vorbehalt"), declare(1, "hochzeit")]
OBJECTED = [*ONE_TRICK, {"event": "object", "seat": 2, "against": 3, "code": "revoke", "breach": 8}]
RULED = [*OBJECTED, {"event": "rule", "offender": 3, "class": "minor"}]

REFUSED = {
    "a word before the release": ([OPEN, DEAL], call(2, "gesund"), "not_released", "eppstein 7.4.1"),
    "an announcement before the release": ([OPEN, DEAL], say(2, "re"), "not_released", "eppstein 7.4.1"),
    "an answer out of turn": (DEALT, call(3, "gesund"), "call_out_of_turn", "eppstein 3.1.2"),
    "an answer taken back after the next has spoken": (
        [*DEALT, call(2, "gesund"), call(3, "gesund")], call(2, "vorbehalt"), "call_out_of_turn", "eppstein 3.1.2"),
    "Re before the game is known": ([*DEALT, call(2, "gesund")], say(2, "re"), "early_announcement", "eppstein 5.2.1"),
    "Re in a Hochzeit before the Klaerungsstich": (HOCHZEIT, say(1, "re"), "early_announcement", "eppstein 5.2.1"),
    "Re with ten cards": (TWO_TRICKS, say(2, "re"), "late_announcement", "eppstein 5.2.2"),
    "keine 90 with nine cards": (
        [*ONE_TRICK, say(2, "re"), *cards("2SA 3S9 4SK 1ST 2HA 3H9 4HK 1H9")],
        say(2, "keine90"), "late_announcement", "eppstein 5.3.4"),
    "keine 90 without Re, too late for Re": (
        TWO_TRICKS, say(2, "keine90", side="re"), "unfounded_announcement", "eppstein 5.3.2"),
    "keine 60 when keine 90 is over": (
        [*ONE_TRICK, say(2, "re"), *cards("2SA 3S9 4SK 1ST 2HA 3H9 4HK 1H9")],
        say(2, "keine60"), "skipped_step", "eppstein 5.5.3"),
    "Kontra by the soloist": (SOLO, say(1, "kontra"), "wrong_side", "eppstein 5.2.2"),
    "a Lustsolo before the own Pflichtsolo": (
        [*DEALT, call(2, "vorbehalt")], declare(2, "damensolo"), "not_entitled", "eppstein 3.3.1"),
    "gesund by who is vorgefuehrt": (
        [OPEN, RELEASE, {"event": "time_up"}, DEAL], call(2, "gesund"), "missed_duty", "eppstein 3.2.3"),
    "a card out of turn by finger": (GESUND, cards("3CA")[0], "out_of_turn", "eppstein 4.1.1"),
    "a deal while a game runs": (GESUND, {"event": "deal", "dealer": 2}, "game_runs", ""),
    "an announcement between the games": ([OPEN, RELEASE], say(2, "re"), "no_game", ""),
    "a claim in a normal game": (
        ONE_TRICK, {"event": "claim", "seat": 2, "kind": "rest"}, "no_claim", "eppstein 4.3.2"),
    "a card while play rests": (OBJECTED, cards("2SA")[0], "resting", "eppstein 8.8.5"),
    "a word while play rests": (OBJECTED, say(2, "re"), "resting", "eppstein 8.8.5"),
    "a card that the deck does not have": (
        ONE_TRICK, {"event": "correct", "of": 7, "card": "C7", "by": "seat 2"}, "no_such_card", ""),
    "a correction of what is no card": (
        ONE_TRICK, {"event": "correct", "of": 2, "card": "CA", "by": "seat 2"}, "no_such_event", ""),
    "a correction that what followed contradicts": (
        ONE_TRICK, {"event": "correct", "of": 7, "card": "CA", "seat": 3}, "cannot_stand", ""),
    "a correction without a place": (ONE_TRICK, {"event": "correct", "card": "CA"}, "bad_request", ""),
    **{
        f"{who} after the ruling": ([*RULED], request, "already_ruled", "eppstein 8.8.1")
        for who, request in {
            "the same breach claimed again": {
                "event": "object", "seat": 4, "against": 3, "code": "revoke", "breach": 8},
            "the same ruling again": {"event": "rule", "offender": 3, "class": "minor"},
            "another class for the same breach": {"event": "rule", "offender": 3, "class": "serious"},
            "the same breach named": {"event": "rule", "offender": 3, "class": "minor", "breach": 8},
        }.items()
    },
    "a ruling of its own twice": (
        [*ONE_TRICK, {"event": "rule", "offender": 3, "class": "minor"}],
        {"event": "rule", "offender": 3, "class": "serious"}, "already_ruled", "eppstein 8.8.1"),
    "something unknown": (ONE_TRICK, {"event": "dance"}, "bad_request", ""),
    "opening again": (ONE_TRICK, OPEN, "bad_request", ""),
    "taking back a card that is covered": (
        ONE_TRICK, {"event": "retract", "seat": 2, "card": "CA"}, "lies", "eppstein 4.2.5"),
    "signing while a game runs": (GESUND, {"event": "sign", "seat": 2}, "not_now", ""),
    "handing in while a game runs": (GESUND, {"event": "close"}, "not_now", ""),
    "striking a game that is not on the list": (ONE_TRICK, {"event": "strike", "game": 1}, "not_now", ""),
}  # fmt: skip


@pytest.mark.parametrize(("before", "request_", "code", "section"), REFUSED.values(), ids=REFUSED)
def test_refused(before: list[Event], request_: Event, code: str, section: str) -> None:
    with pytest.raises(Refused) as refused:
        decide(fold(map(decode, before)), decode_request(request_))
    assert (refused.value.code, refused.value.section) == (code, section)
    assert refused.value.detail


ALLOWED = {
    "forehand is gesund": (DEALT, call(2, "gesund")),
    "the answer taken back at once": ([*DEALT, call(2, "gesund")], call(2, "vorbehalt")),
    "the last seat's answer taken back": (GESUND, call(1, "vorbehalt")),
    "Re with eleven cards": (ONE_TRICK, say(2, "re")),
    "Kontra as a reply with ten cards": ([*ONE_TRICK, say(2, "re"), *cards("2SA 3S9 4SK 1ST")], say(3, "kontra")),
    "keine 60 leaving out keine 90": ([*ONE_TRICK, say(2, "re")], say(2, "keine60")),
    "a Pflichtsolo": ([*DEALT, call(2, "vorbehalt")], declare(2, "damensolo", duty=True)),
    "the card whose turn it is": (GESUND, cards("2CA")[0]),
    "the last card taken back": ([*GESUND, *cards("2CA")], {"event": "retract", "seat": 2, "card": "CA"}),
    "a card corrected": (ONE_TRICK, {"event": "correct", "of": 7, "card": "CT", "by": "seat 2"}),
    "a card put to another seat": ([*GESUND, *cards("2CA")], {"event": "correct", "of": 7, "card": "CA", "seat": 3}),
    "a card that was none": ([*GESUND, *cards("2CA")], {"event": "correct", "of": 7, "card": None, "by": "table"}),
    "a card nobody saw": (
        [*GESUND, *cards("2CA 4CK")], {"event": "correct", "after": 7, "seat": 3, "card": "C9", "by": "seat 3"}),
    "the soloist claims the rest": (SOLO, {"event": "claim", "seat": 1, "kind": "rest"}),
    "a Reklamation": (ONE_TRICK, {"event": "object", "seat": 2, "against": 3, "code": "revoke", "breach": 8}),
    "the referee's ruling": (OBJECTED, {"event": "rule", "offender": 3, "class": "minor"}),
    "another breach after a ruling": (
        RULED, {"event": "object", "seat": 2, "against": 4, "code": "revoke"}),
    "a ruling on another breach": (
        [*RULED, {"event": "object", "seat": 2, "against": 4, "code": "revoke"}],
        {"event": "rule", "offender": 4, "class": "minor"}),
    "somebody else ruled on of oneself": (
        [*ONE_TRICK, {"event": "rule", "offender": 3, "class": "minor"}],
        {"event": "rule", "offender": 4, "class": "minor"}),
    "extra time after a ruling": (RULED, {"event": "rule", "offender": None, "class": "none", "minutes": 5}),
    "no breach after a ruling": (RULED, {"event": "rule", "offender": None, "class": "none"}),
    "a deal that does not count": (GESUND, {"event": "void", "why": "elf Karten"}),
    "time is up": (GESUND, {"event": "time_up"}),
}  # fmt: skip


@pytest.mark.parametrize(("before", "request_"), ALLOWED.values(), ids=ALLOWED)
def test_allowed(before: list[Event], request_: Event) -> None:
    round = fold(map(decode, before))
    event = decide(round, decode_request({**request_, "at": 5}))
    assert encode(event) == request_  # the time is the table's own
    assert isinstance(round.apply(event), Round)


def test_what_has_been_said_aloud_can_be_recorded_anyway() -> None:
    """eppstein 3.1.2: gesund corrected to Hochzeit after the next has spoken is possible, and a minor offence."""
    round = fold(map(decode, [*DEALT, call(2, "gesund"), call(3, "gesund")]))
    event = decide(round, decode_request({**call(2, "vorbehalt"), "anyway": True}))
    assert encode(event) == call(2, "vorbehalt")
    after = round.apply(event)
    assert [offence.code for offence in after.offences] == ["call_out_of_turn"]


def test_a_list_with_open_doubts_is_not_handed_in() -> None:
    doubtful = [*GESUND, {"event": "card", "seat": 2, "card": "HT", "doubt": ["HT", "DT"]}]
    round = fold(map(decode, [*doubtful, {"event": "rule", "offender": 3, "class": "serious"}]))
    with pytest.raises(Refused) as refused:
        decide(round, decode_request({"event": "close"}))
    assert refused.value.code == "doubts_open"
    settled = round.apply(decode({"event": "correct", "of": 7, "card": "HT", "by": "seat 2"}))
    assert encode(decide(settled, decode_request({"event": "close"}))) == {"event": "close"}


def people(rules: str, *said: str) -> list[Event]:
    opened = {"event": "open", "format": 1, "rules": rules, "players": list("ABCD")}
    answers = [call(seat, word) for seat, word in zip((2, 3, 4, 1), said, strict=False)]
    return [opened, RELEASE, DEAL, *answers]


HEALTHY = ("gesund",) * 4
CLUBS = cards("2CA 3CK 4CT 1CK")
BY_BOOK = {
    "bsv: a word before the release": ([people("bsv")[0], DEAL], call(2, "gesund"), "not_released", "bsv 8.5"),
    "bsv: the rest cannot be claimed": (
        people("bsv", *HEALTHY), {"event": "claim", "seat": 2, "kind": "rest"}, "no_claim", "bsv 5.4"),
    "bsv: a card that is covered": (
        [*people("bsv", *HEALTHY), *CLUBS, *cards("2SA")], {"event": "retract", "seat": 2, "card": "CA"},
        "lies", "bsv 5.2"),
    "bsv: Re with eight cards": (
        [*people("bsv", *HEALTHY), *CLUBS, *cards("2SA")], say(2, "re"), "late_announcement", "bsv 6.3"),
    "bsv: a card while play rests": (
        [*people("bsv", *HEALTHY), *CLUBS, {"event": "object", "seat": 2}], cards("2SA")[0], "resting", "bsv 9.6"),
    "durchgaenge: a call during the trick": (
        [*people("durchgaenge", *HEALTHY), *cards("2CA")], say(2, "re"), "early_announcement", "durchgaenge 2c"),
    "durchgaenge: a call after the next card": (
        [*people("durchgaenge", *HEALTHY), *CLUBS, *cards("2SA")], say(2, "re"), "late_announcement",
        "durchgaenge 2d"),
    "durchgaenge: a card of a trick that is covered": (
        [*people("durchgaenge", *HEALTHY), *CLUBS, *cards("2SA")], {"event": "retract", "seat": 2, "card": "CA"},
        "lies", "durchgaenge 7a"),
    "schnittchen: keine 60 without keine 90": (
        [*people("schnittchen", *HEALTHY), say(2, "re")], say(2, "keine60"), "skipped_step", "schnittchen 5.2"),
    "schnittchen: Bock without Kontra": (
        [*people("schnittchen", *HEALTHY), say(2, "re")], say(2, "bock"), "unfounded_announcement", "schnittchen 5.2"),
    "schnittchen: Re with the fifth card": (
        [*people("schnittchen", *HEALTHY), *CLUBS, *cards("2SA")], say(2, "re"), "late_announcement",
        "schnittchen 5.1"),
    "schaffkopf: an answer out of turn": (
        people("schaffkopf"), call(4, "weiter"), "call_out_of_turn", "schaffkopf II 2.2"),
    "schaffkopf: a bid before one's turn": (
        people("schaffkopf", "spielen", "auch", "recht", "recht"), {"event": "bid", "seat": 3, "class": "wenz"},
        "call_out_of_turn", "schaffkopf II 2.1.3"),
    "schaffkopf: too low a bid": (
        [*people("schaffkopf", "spielen", "auch", "recht", "recht"), {"event": "bid", "seat": 2, "class": "rufspiel"}],
        {"event": "bid", "seat": 3, "class": "rufspiel"}, "not_entitled", "schaffkopf II 2.2"),
    "schaffkopf: another than the Spielmacher": (
        people("schaffkopf", "spielen", "recht", "recht", "recht"), declare(3, "wenz"), "not_entitled",
        "schaffkopf II 2.1.2"),
    "schaffkopf: a Tout without leave": (
        people("schaffkopf", "spielen", "recht", "recht", "recht"), declare(2, "wenz-tout"), "no_leave",
        "schaffkopf II 4.1.3"),
    "schaffkopf: a Rufspiel where nobody wants to play": (
        people("schaffkopf", "weiter", "weiter", "weiter", "weiter"), declare(2, "rufspiel", card="EA"),
        "not_entitled", "schaffkopf II 2.1.1"),
    "schaffkopf: a card out of turn": (
        [*people("schaffkopf", "spielen", "recht", "recht", "recht"), declare(2, "wenz")], cards("3EA")[0],
        "out_of_turn", "schaffkopf II 4.2.3"),
    "schaffkopf: a card that is covered": (
        [*people("schaffkopf", "spielen", "recht", "recht", "recht"), declare(2, "wenz"),
         *cards("2EA 3E7 4E8 1E9 2GA")],
        {"event": "retract", "seat": 3, "card": "E7"}, "lies", "schaffkopf II 4.2.3"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "request_", "code", "section"), BY_BOOK.values(), ids=BY_BOOK)
def test_each_book_names_its_own_section(before: list[Event], request_: Event, code: str, section: str) -> None:
    with pytest.raises(Refused) as refused:
        decide(fold(map(decode, before)), decode_request(request_))
    assert (refused.value.code, refused.value.section) == (code, section)


def test_a_bid_is_a_request() -> None:
    before = people("schaffkopf", "spielen", "auch", "recht", "recht")
    assert (
        encode(decide(fold(map(decode, before)), decode_request({"event": "bid", "seat": 2, "class": "wenz"})))["class"]
        == "wenz"
    )
