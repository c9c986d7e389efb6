"""Sample values for each phase of a table, as the screens get them."""

from dataclasses import replace
from typing import Any

import cv2
import numpy

from kiosk.rules.engine.claimed_rest import Verdict
from kiosk.rules.engine.listing import ListRow
from kiosk.table.events.codec import decode, request_for
from kiosk.table.events.values import CardCorrected, DealVoided
from kiosk.table.round.fold import fold
from kiosk.table.view.book_view import book_view
from kiosk.table.view.played_game import played_game
from kiosk.table.view.table_view import (
    CallView,
    CardView,
    ClockView,
    DoubtView,
    ListView,
    OffenceView,
    ResultView,
    RowView,
    RulingView,
    SeatView,
    TableView,
    TrickView,
    WordView,
)
from kiosk.ui.first_start.network_view import WifiLine
from kiosk.ui.parts.played_view import LookAtGame, PlayedView
from kiosk.ui.play.claim_question import CheckRest, ClaimQuestion, RestChecked, game_of

NAMES = ("Anna", "Bernd", "Cem", "Dora", "Emil")


def call(name: str, left: int, side: str | None = None) -> CallView:
    return CallView(call=name, side=side, cards_left=left)


def seat(number: int, **other: Any) -> SeatView:
    values: dict[str, Any] = {
        "seat": number,
        "name": NAMES[number - 1],
        "dealer": number == 1,
        "sits_out": False,
        "turn": False,
        "cards_left": 12,
        "tricks_won": 0,
        "side": None,
        "total": (18, 7, 23, 4, 11)[number - 1],
        "duty_open": number % 2 == 0,
        "said": (),
        "answer": None,
        "calls": (),
        "bid": None,
        "asks": (),
        "bids": (),
        "games": (),
        "claims": (),
        "covers": (),
        "owes": None,
        "ran": False,
    }
    return SeatView(**{**values, **other})


def rows(games: int, players: int = 4) -> tuple[RowView, ...]:
    """A list of so many games with plausible scores."""
    total = [0] * players
    out = []
    for game in range(1, games + 1):
        kind = {4: "damensolo", 9: "farbsolo", 11: "hochzeit", 14: "still"}.get(game, "normal")
        declarer = {4: 2, 9: 1, 11: 3}.get(game)
        points = 1 + game * 5 % 4
        score = [0] * players
        if kind in ("damensolo", "farbsolo"):
            score[(declarer or 1) - 1] = 3 * points
        else:
            score[game % players] = score[(game + 2) % players] = points
        total = [a + b for a, b in zip(total, score, strict=True)]
        out.append(
            RowView(
                game=game,
                dealer=(game - 1) % players + 1,
                kind=kind,
                declarer=declarer,
                duty=kind in ("damensolo", "farbsolo"),
                score=tuple(score),
                total=tuple(total),
                points=points,
                void=False,
                open=game == 6,
                alone=declarer if kind != "hochzeit" else None,
                listed=ListRow(
                    game=game,
                    dealer=(game - 1) % players + 1,
                    due=(game - 1) % players + 1,
                    kind=kind,
                    suit="H" if kind == "farbsolo" else None,
                    declarer=declarer,
                    duty=kind in ("damensolo", "farbsolo"),
                    alone=declarer if kind != "hochzeit" else None,
                    score=dict(enumerate(score, 1)),
                    total=dict(enumerate(total, 1)),
                    won=frozenset(),
                    points=points,
                    void=False,
                    struck=False,
                    open=game == 6,
                    solo="duty" if kind in ("damensolo", "farbsolo") else None,
                    who="",
                    own=game,
                ),
            )
        )
    return tuple(out)


def sheet(listed: tuple[RowView, ...], players: int = 4) -> ListView:
    """The list of eppstein: a cumulated column a player, value, kind."""
    seats = range(1, players + 1)
    return ListView(
        name="list",
        fields=(*(("total", number) for number in seats), ("value", None), ("game", None)),
        lines=tuple((*map(str, row.total), str(row.points), row.kind) for row in listed),
        foot=(("result", (*map(str, listed[-1].total if listed else [0] * players), "", "")),),
        wrong=(),
    )


def table(phase: str, players: int = 4, **other: Any) -> TableView:
    values: dict[str, Any] = {
        "table": 7,
        "round": 2,
        "rules": "eppstein",
        "title": "Eppstein",
        "phase": phase,
        "game": 6,
        "games_left": 11,
        "kind": None,
        "declarer": None,
        "seats": tuple(seat(number) for number in range(1, players + 1)),
        "must_play": None,
        "trick": None,
        "last_trick": None,
        "trick_number": 1,
        "lacking": 0,
        "doubts": (),
        "offences": (),
        "rows": rows(5, players),
        "objection": None,
        "signed": (),
        "clock": ClockView(running=True, remaining=4372.0, extra=0.0, over=False),
        "events": 90,
        "packets": (3, 3, 3, 3),
        "duties": 1,
    }
    values |= other
    return TableView(**{"sheet": sheet(values["rows"], players), "book": book_view(values["rules"]), **values})


def trick(*cards: tuple[int, str], first: int = 40, winner: int | None = None, **marks: Any) -> TrickView:
    doubt = marks.get("doubt", ())
    views = tuple(
        CardView(
            event=first + at,
            seat=number,
            card=card,
            doubt=first + at in doubt,
            retractable=winner is None and at == len(cards) - 1,
        )
        for at, (number, card) in enumerate(cards)
    )
    augen = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
    return TrickView(
        leader=cards[0][0] if cards else 1,
        cards=views,
        winner=winner,
        points=sum(augen[card[1]] for _, card in cards),
    )


def picture_of(card: str) -> bytes:
    """A JPEG that could be a card in bad light."""
    image = numpy.full((210, 150, 3), (196, 205, 208), numpy.uint8)
    cv2.rectangle(image, (2, 2), (147, 207), (120, 120, 120), 2)
    ink = (32, 30, 170) if card[0] in "HD" else (40, 40, 40)
    cv2.putText(image, card, (14, 70), cv2.FONT_HERSHEY_DUPLEX, 1.9, ink, 3)
    image = cv2.GaussianBlur(image, (9, 9), 3)
    return cv2.imencode(".jpg", image)[1].tobytes()


BIDS = (("keine90", 2), ("keine60", 3), ("keine30", 4), ("schwarz", 5))
EARLY = (
    call("re", 1),
    call("kontra", 1),
    *(call(name, left, side) for side in ("re", "kontra") for name, left in BIDS),
)


def waiting() -> TableView:
    return table("waiting", game=1, games_left=16, rows=())


def dealing() -> TableView:
    return table("dealing", game=1, games_left=16, rows=(), next_dealer=1, may_deal=True)


def asking() -> TableView:
    people = (
        seat(1),
        seat(2, answer="gesund"),
        seat(3, answer="vorbehalt", asks=("gesund", "vorbehalt")),
        seat(4, turn=True, asks=("gesund", "vorbehalt")),
    )
    return table("asking", seats=people)


SOLI = (
    {"game": "trumpfsolo", "duty": True},
    {"game": "damensolo", "duty": True},
    {"game": "bubensolo", "duty": True},
    {"game": "fleischlos", "duty": True},
    *({"game": "farbsolo", "suit": suit, "duty": True} for suit in "CSHD"),
    {"game": "hochzeit"},
    {"game": "schmeissen"},
)


def declaring() -> TableView:
    people = (
        seat(1, answer="gesund"),
        seat(2, answer="gesund"),
        seat(3, answer="vorbehalt", turn=True, games=SOLI),
        seat(4, answer="gesund"),
    )
    return table("declaring", seats=people)


def bidding() -> TableView:
    people = (
        seat(1, answer="recht"),
        seat(2, answer="spielen", bid="wenz"),
        seat(3, answer="auch", turn=True, bids=(None, "solo", "wenz-tout", "solo-tout", "sie")),
        seat(4, answer="recht"),
    )
    return table("bidding", rules="schaffkopf", duties=0, seats=people)


def playing() -> TableView:
    """Second trick, three cards lie, Anna is next; Re has been said."""
    people = (
        seat(1, turn=True, cards_left=11, calls=EARLY, tricks_won=0),
        seat(2, cards_left=10, said=("re",), tricks_won=1, side="re", calls=(call("keine90", 0), call("keine60", 1))),
        seat(3, cards_left=10, calls=(call("kontra", 0),)),
        seat(4, cards_left=10, tricks_won=0, calls=()),
    )
    return table(
        "playing",
        seats=people,
        kind="normal",
        trick=trick((2, "CA"), (3, "CT"), (4, "CK")),
        last_trick=trick((2, "HT"), (3, "DJ"), (4, "DA"), (1, "CQ"), first=30, winner=2),
        trick_number=2,
        spoken=(
            *(word(number, "call", seat=number - 4, call="gesund") for number in (6, 7, 8, 5)),
            word(30, "announce", seat=2, call="re", alone=2),
        ),
    )


def word(event: int, name: str, alone: int | None = None, **keys: Any) -> WordView:
    """Something that was said and stands."""
    said = {"event": name, **keys}
    return WordView(event=event, word=said, said=said, alone=alone, who="all", seats=(1, 2, 3, 4))


def doubtful() -> TableView:
    view = playing()
    doubt = DoubtView(event=41, seat=3, choices=("CT", "CK"), picture=picture_of("CT"), game=6, trick=2)
    return replace(view, trick=trick((2, "CA"), (3, "CT"), (4, "CK"), doubt=(41,)), doubts=(doubt,))


def each_others() -> TableView:
    """Two cards may each be of the other's seat."""
    doubt = DoubtView(
        event=40, seat=2, choices=("CA",), picture=picture_of("CA"), game=6, trick=2, perhaps={40: 4, 42: 2}
    )
    return replace(playing(), doubts=(doubt,))


def breach() -> TableView:
    view = playing()
    offence = OffenceView(
        code="revoke",
        seat=4,
        event=32,
        proved=42,
        section="eppstein 4.2.4",
        claimants=(1, 3),
        trick=1,
        led="CA",
        card="S9",
        shown="CK",
    )
    return replace(view, offences=(offence,), kind="normal")


def resting() -> TableView:
    return replace(breach(), phase="resting", objection={"seat": 1, "against": 4, "code": "revoke", "breach": 32})


def ruled() -> TableView:
    """Eight rulings in the round, one taken back; the table has a break."""
    said = [
        {"event": "rule", "offender": 1 + n % 4, "class": kind, "minutes": 5} for n, kind in enumerate(("minor",) * 8)
    ]
    made = tuple(
        RulingView(
            game=1 + n // 2,
            ruling=WordView(
                event=10 + n, word=word if n else None, said=word, alone=None, who="all", seats=(1, 2, 3, 4)
            ),
        )
        for n, word in enumerate(said)
    )
    return replace(playing(), rulings=made, paused="stands")


def faults() -> TableView:
    """Everything at once: play rests, the camera sees nothing, the disk takes nothing, a card is in doubt."""
    view = resting()
    return replace(view, blind="camera", unsaved=3, doubts=doubtful().doubts)


def solo() -> TableView:
    people = (
        seat(1, cards_left=4, tricks_won=1, side="kontra"),
        seat(2, cards_left=4, tricks_won=7, side="re", turn=True, said=("re", "keine90"), claims=("rest", "concede")),
        seat(3, cards_left=4, side="kontra", said=("kontra",)),
        seat(4, cards_left=4, side="kontra"),
    )
    return table("playing", seats=people, kind="damensolo", declarer=2, trick=trick(), trick_number=9)


def scored() -> TableView:
    tricks = (
        trick((2, "HT"), (3, "DJ"), (4, "DA"), (1, "CQ"), first=30, winner=2),
        trick((2, "CA"), (3, "CT"), (4, "CK"), (1, "C9"), first=40, winner=2),
    )
    result = ResultView(
        game=5,
        kind="normal",
        declarer=None,
        duty=False,
        re=(2, 4),
        points=(163, 77),
        won_by="re",
        value=(("won", 1), ("under90", 1), ("said_keine90", 1), ("re", 2), ("fuchs", 1), ("karlchen", 1)),
        factors=("re",),
        score=(0, 8, 0, 8),
        void=False,
        open=False,
        tricks=tricks,
    )
    people = (seat(1, dealer=False), seat(2, dealer=True), seat(3), seat(4))
    return table("scored", seats=people, result=result, next_dealer=2, may_deal=True)


def five() -> TableView:
    people = (
        seat(1, dealer=True, sits_out=True, cards_left=0),
        seat(2, turn=True, cards_left=11, calls=EARLY),
        seat(3, cards_left=10, said=("kontra",), tricks_won=1),
        seat(4, cards_left=10, calls=(call("re", 0),)),
        seat(5, cards_left=10, calls=(call("re", 0), call("keine90", 1, "kontra"))),
    )
    return table(
        "playing",
        5,
        seats=people,
        kind="normal",
        trick=trick((3, "SA"), (4, "S9"), (5, "DT")),
        last_trick=trick((2, "HT"), (3, "DJ"), (4, "DA"), (5, "CQ"), first=30, winner=3),
    )


def full_list() -> TableView:
    return table("playing", rows=rows(16), game=17, games_left=3)


def over() -> TableView:
    return table(
        "over",
        rows=rows(20),
        games_left=0,
        signed=(1, 3),
        may_sign=(2, 4),
        clock=ClockView(running=False, remaining=-35.0, extra=0.0, over=True),
    )


def late() -> TableView:
    return replace(playing(), clock=ClockView(running=True, remaining=312.4, extra=300.0, over=False))


PHASES = {
    make.__name__: make
    for make in (
        waiting,
        dealing,
        asking,
        declaring,
        bidding,
        playing,
        doubtful,
        each_others,
        breach,
        resting,
        faults,
        ruled,
        solo,
        scored,
        five,
        full_list,
        over,
        late,
    )
}


#: A rest claimed too early: the largest hands that others can hold.
CLAIM_LOST = ClaimQuestion(
    seat=2,
    order=(),
    hand=("CQ", "SQ", "CA", "DA"),
    game=game_of(solo()),
    agreed=frozenset((2,)),
    answer=RestChecked(
        asked=CheckRest(seat=2, hand=("CQ", "SQ", "CA", "DA"), order=(), game=game_of(solo())),
        verdict=Verdict(
            holds=False,
            hands={
                1: ("HT", "SQ", "CJ", "SJ", "DK", "CT", "SA", "ST", "SK", "HA", "HK", "H9"),
                3: ("HT", "CQ", "HQ", "DQ", "SJ", "DJ", "D9", "CT", "CK", "SA", "ST", "HA"),
                4: ("HQ", "DQ", "CJ", "DJ", "DT", "DT", "DK", "D9", "CK", "C9", "S9", "H9"),
            },
            line=((2, "CQ"), (3, "CQ"), (4, "D9"), (1, "DK"), (2, "CA"), (3, "CT"), (4, "C9"), (1, "HT")),
            taken_by=1,
            trumps_first=True,
        ),
        trick=(),
    ),
)


#: Every sheet of the registry (``kiosk.ui.sheets.KINDS``), and its view; tests fail for one missing.


def played(*, names: tuple[str, ...] = NAMES[:4], pictures: bool = True, mat: bool = True) -> PlayedView:
    """A game gone through: a call, a card by finger, one taken back, a doubt settled, a correction, a breach."""
    opened = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": list(names)}

    def card(seat: int, card: str, **keys: Any) -> dict[str, Any]:
        return {"event": "card", "seat": seat, "card": card, "margin": 0.5, "place": [1, 2], **keys}

    events: list[dict[str, Any]] = [
        opened,
        {"event": "release"},
        {"event": "deal", "dealer": 1},
        *({"event": "call", "seat": seat, "call": "gesund"} for seat in (2, 3, 4, 1)),
        {"event": "announce", "seat": 2, "call": "re"},
        card(2, "CA", doubt=["CA", "SA"], scores=[1, 0.9]),
        {"event": "correct", "of": 8, "card": "CA", "by": "composition"},
        card(3, "S9"),
        {"event": "announce", "seat": 4, "call": "kontra"},
        card(4, "HT"),
        {"event": "retract", "seat": 4, "card": "HT"},
        {"event": "card", "seat": 4, "card": "CK"},
        card(1, "CT"),
        {"event": "correct", "of": 15, "card": "C9", "by": "seat 3"},
        *(card(seat, name) for seat, name in ((2, "DA"), (3, "C9"), (4, "DQ"), (1, "DJ"))),
    ]
    round = fold(decode({"at": 1000 * n, **event}) for n, event in enumerate(events))
    game = played_game(round, 1, whole=True)
    assert game is not None
    seen = {one.event: one.card for trick in game.tricks for one in trick.cards if one.pictures}
    return PlayedView(
        asked=LookAtGame(1),
        game=game,
        names=names,
        bavarian=False,
        cards={event: picture_of(card) for event, card in seen.items()} if pictures else {},
        mats={game.tricks[0].mats[0][0]: picture_of("SA")} if mat else {},
        before=None,
        after=2,
    )


SHEETS: dict[str, tuple[str, dict[str, Any]]] = {
    "played": ("scored", {"played": played()}),
    "agree": ("full_list", {"request": request_for(DealVoided, why="Kartenzahl falsch"), "question": "Neu geben?"}),
    "badge": ("playing", {"name": "Xaver Huber"}),
    "breach": ("breach", {}),
    "call_referee": ("playing", {}),
    "change": (
        "scored",
        {"request": request_for(CardCorrected, of=41, card="CK", by="table", why="finger"), "told": "♣ 10 › ♣ K"},
    ),
    "claim": ("solo", {"seat": 2}),
    "claim_lost": ("solo", {"question": CLAIM_LOST}),
    "complain": ("playing", {}),
    "correct": ("playing", {"of": 41}),
    "deck_check": ("waiting", {}),
    "devices": ("playing", {}),
    "direction": ("waiting", {}),
    "doubt": ("doubtful", {"of": 41}),
    "evening": ("waiting", {}),
    "film": ("doubtful", {}),
    "finish": ("playing", {}),
    "last": ("playing", {}),
    "lay": ("playing", {"seat": 1}),
    "messages": ("faults", {}),
    "missing": ("playing", {"after": 41}),
    "more": ("playing", {}),
    "new_evening": ("playing", {}),
    "options": ("waiting", {}),
    "extra_time": ("resting", {}),
    "rulings": ("ruled", {}),
    "parcels": ("playing", {}),
    "put_right": ("playing", {"event": 30}),
    "referee": ("resting", {}),
    "ruling": ("resting", {}),
    "release": ("playing", {}),
    "replace": ("full_list", {}),
    "newcomer": ("full_list", {"seat": 2}),
    "screen": ("playing", {}),
    "seat_menu": ("breach", {"seat": 2}),
    "spoken": ("playing", {}),
    "stick": ("playing", {}),
    "sound_and_light": ("playing", {}),
    "strike": ("full_list", {}),
    "swap": ("waiting", {}),
    "teach": ("waiting", {"likely": "doppelkopf"}),
    "tricks": ("scored", {}),
    "void": ("asking", {}),
    "who": ("playing", {"choices": "said", "title": "said_by"}),
    "whose": ("each_others", {"event": 40, "seat": 2, "card": "CA", "asked": each_others().doubts[0]}),
}

#: Sheets of the registry that open while nobody sits at the table alone.
OTHER_SHEETS: dict[str, dict[str, Any]] = {
    "name": {"seat": 2},
    "old_names": {},
    "enrol": {},
    "about": {},
    "address": {},
    "wifi_name": {},
    "touch_check": {},
    **{kind: {"line": WifiLine(b"Halle", "Halle", 50, "wpa", known=True)} for kind in ("wifi", "wifi_password")},
}
