"""Which cards go back to the camera's process as certain."""

from typing import Any

import pytest

from kiosk.app.confirm import Confirmer, confirmed
from kiosk.demo.play import simulate
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.round.fold import fold
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, Improve, Tick, TrickTaken

PLACES = MatLayout("A3", 4).seat_places
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}


def script() -> list[dict[str, Any]]:
    """A game played to its last card."""
    for seed in range(50):
        events = list(simulate("eppstein", seed, 1))
        if fold(map(decode, events)).games[0].ended == "cards":
            return events
    raise AssertionError("no game is played to its last card")


def played(events: list[dict[str, Any]], *, doubt: int = -1, misread: int = -1) -> tuple[Table, list[Improve]]:
    """The game before a camera; the n-th card read in doubt, or as another one."""
    table, sent = (
        Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=PLACES, wall=lambda: 0),
        list[Improve](),
    )
    Confirmer(sent.append).sit(table)
    truth, at, lying, number = fold(map(decode, events[:1])), 100.0, list[int](), -1
    for event in events[1:]:
        tricks = len(truth.game.tricks) if truth.game else 0
        truth = truth.apply(decode(event))
        at += 30.0 if event["event"] == "deal" else 2.0
        if event["event"] == "deal":
            table.observe(Tick(at=at))
        elif event["event"] != "card":
            table.request(decode_request(event, BY_ALL))
        else:
            number += 1
            card, (x, y) = event["card"], PLACES[event["seat"]]
            other = "D9" if card != "D9" else "DK"
            label = None if number == doubt else other if number == misread else card
            choices = ((other, 5.0), (card, 4.9)) if number in (doubt, misread) else ((card, 5.0), (other, 3.0))
            picture = f"{card} {number}".encode()
            table.observe(
                CardLaid(
                    at=at, card=number, label=label, margin=0.5 if label else 0.02, choices=choices, x=x, y=y,
                    angle=0.0, picture=picture,
                )
            )  # fmt: skip
            lying.append(number)
            if truth.game is not None and len(truth.game.tricks) != tricks:
                table.observe(TrickTaken(at=at + 1.0, cards=tuple(lying)))
                lying = []
    return table, sent


def right(cards: tuple[tuple[str, bytes], ...]) -> bool:
    return all(picture.decode().split()[0] == card for card, picture in cards)


def test_a_game_seen_clearly_confirms_all_its_cards_once() -> None:
    table, sent = played(script())
    assert len(sent) == 1
    assert len(sent[0].cards) == 48 and right(sent[0].cards)
    assert confirmed(table, table.round.games[0]) == sent[0].cards


@pytest.mark.parametrize("number", [0, 20, 47])
def test_a_doubt_that_the_deck_settles_is_confirmed_as_what_it_was(number: int) -> None:
    _, sent = played(script(), doubt=number)
    assert len(sent) == 1
    assert len(sent[0].cards) == 48 and right(sent[0].cards)


def test_a_contradiction_confirms_nothing_until_it_is_answered() -> None:
    events = script()
    table, sent = played(events, misread=5)
    assert sent == []
    truth = [event["card"] for event in events if event["event"] == "card"]
    while table.view().doubts:
        asked = table.view().doubts[0].event
        number = [n for n, event in enumerate(list(map(encode, table.events))) if event["event"] == "card"].index(asked)
        table.request(
            decode_request(
                {"event": "correct", "of": asked, "card": truth[number], "by": "table", "why": "asked"}, BY_ALL
            )
        )
    assert len(sent) == 1
    assert right(sent[0].cards)
