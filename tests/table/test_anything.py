"""Whatever people touch and the camera says, the table goes on: only refusals, always a view, always foldable."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.round.fold import fold
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import Blind, CardGone, CardLaid, HandInTheWay, Tick, TrickTaken

pytestmark = pytest.mark.slow

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}


def a_request(rng: random.Random, table: Table, cards: list[str]) -> dict[str, Any]:
    """Something that a finger can ask for, sensible or not."""
    book = table.round.book
    shown = table.view()
    seat = rng.choice([1, 2, 3, 4, *[s.seat for s in shown.seats if s.turn] * 6])
    at = shown.seats[seat - 1]
    event = rng.randrange(max(1, shown.events))
    offered: list[dict[str, Any]] = [{"event": "declare", "seat": seat, **game} for game in at.games[:6]]
    offered += [{"event": "call", "seat": seat, "call": word} for word in at.asks] * 3
    offered += [{"event": "announce", "seat": seat, "call": one.call, "side": one.side} for one in at.calls]
    wild: list[dict[str, Any]] = [
        {"event": "release"},
        {"event": "deal", "dealer": rng.randint(1, 4)},
        {"event": "call", "seat": seat, "call": rng.choice(book.answers)},
        {"event": "declare", "seat": seat, "game": rng.choice(book.kinds).game, "card": rng.choice(cards)},
        {"event": "bid", "seat": seat, "class": rng.choice([*book.classes, None])},
        {"event": "leave", "seat": seat, "granted": rng.random() < 0.5},
        {"event": "announce", "seat": seat, "call": rng.choice(["re", "kontra", "keine90", "schwarz"]), "anyway": True},
        {"event": "card", "seat": seat, "card": rng.choice(cards), "anyway": True},
        {"event": "correct", "of": event, "card": rng.choice([*cards, None]), "by": "table"},
        {"event": "correct", "of": event, "card": rng.choice(cards), "seat": seat, "by": "seat 1"},
        {"event": "correct", "after": event, "seat": seat, "card": rng.choice(cards), "by": "referee"},
        {"event": "correct", "of": event, "word": None, "by": f"seat {seat}"},
        {"event": "correct", "of": event, "word": {"event": "announce", "seat": seat, "call": "re"}},
        {"event": "retract", "seat": seat, "card": rng.choice(cards)},
        {"event": "claim", "seat": seat, "kind": rng.choice(["rest", "concede"])},
        {"event": "object", "seat": seat, "against": None, "code": "revoke", "breach": event},
        {"event": "rule", "offender": rng.choice([None, 1, 2]), "class": rng.choice(["none", "minor", "serious"])},
        {"event": "rule", "offender": 3, "class": "decided", "minutes": rng.randint(0, 5)},
        {"event": "void", "why": "so"},
        {"event": "strike", "game": 1, "replay": rng.random() < 0.5},
        {"event": "sign", "seat": seat},
        {"event": "nonsense"},
    ]
    return rng.choice(offered) if offered and rng.random() < 0.6 else rng.choice(wild)


def a_report(rng: random.Random, at: float, cards: list[str]) -> Any:
    """Something that the camera can say, likely or not."""
    choices = tuple((card, round(rng.random(), 2)) for card in rng.sample(cards, rng.randint(0, 3)))
    laid = CardLaid(
        at=at,
        card=rng.randrange(80),
        label=rng.choice([*cards, None, None]),
        margin=rng.random(),
        choices=choices,
        x=rng.gauss(0, 60),
        y=rng.gauss(0, 60),
        angle=0.0,
        face_down=rng.random() < 0.05,
        picture=b"jpeg",
    )
    others = [
        CardGone(at=at, card=rng.randrange(80)),
        TrickTaken(at=at, cards=tuple(rng.sample(range(80), rng.randint(1, 5)))),
        HandInTheWay(at=at, gone=rng.random() < 0.5),
        Blind(at=at, why=rng.choice(["", "dark"])),
        Tick(at=at),
    ]
    return laid if rng.random() < 0.7 else rng.choice(others)


@pytest.mark.parametrize("name", BOOKS)
@given(seed=st.integers(0, 100_000))
@settings(deadline=None, max_examples=4)
def test_whatever_happens_the_table_goes_on(name: str, seed: int) -> None:
    rng = random.Random(seed)
    opening, centres = {**OPEN, "rules": name}, MatLayout("A3", 4).seat_places
    cards = sorted(set(BOOKS[name].deck))
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(opening), centres=centres, wall=lambda: 0, boot="b")
    table.request(decode_request({"event": "release"}, BY_ALL))
    now = 0.0
    for _ in range(160):
        now += rng.choice([0.1, 1.0, 15.0])
        try:
            if rng.random() < 0.5:
                table.observe(a_report(rng, now, cards), now)
            else:
                table.request(decode_request(a_request(rng, table, cards), BY_ALL), now)
        except Refused as refusal:
            assert refusal.code
        table.tick(now)
        assert table.view(now).events == len(table.events)
    assert fold(table.events) == table.round
    assert Table(table.log, now=now, boot="b").view(now).rows == table.view(now).rows
