"""A card laid face down (durchgaenge 4b): the camera sees a back, the deck says in the end which card it was."""

from dataclasses import replace
from math import atan2
from typing import Any

import pytest

from kiosk.demo import people
from kiosk.demo.play import simulate
from kiosk.rules.engine.tricks import Laid
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import CardCorrected, CardPlayed
from kiosk.table.round.fold import Round, fold
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardGone, CardLaid, Tick, TrickTaken

PLACES = MatLayout().seat_places


class Played:
    """A script played before a table: cards as reports of the camera, words as requests."""

    def __init__(self, script: list[dict[str, Any]], unseen: bool = False, unread: bool = False) -> None:
        self.unread = unread
        self.table = Table(MemoryLog(), now=0.0, opening=decode_opening(script[0]), centres=PLACES, wall=lambda: 0)
        self.at, self.number, self.lying = 100.0, 0, []  # type: float, int, list[int]
        self.truth: Round = fold(map(decode, script[:1]))
        for event in script[1:]:
            self.truth = self.truth.apply(decode(event))
            if event["event"] == "card":
                if not (unseen and event.get("down")):
                    self.lay(event["seat"], event["card"], event.get("down", False))
                game = self.truth.game
                if game is not None and game.tricks and not game.open_trick:
                    self.take()
            elif event["event"] == "deal":
                self.at += 30
                self.table.observe(Tick(at=self.at))
            else:
                self.table.request(decode_request(event, BY_ALL))

    def lay(self, seat: int, card: str, down: bool) -> None:
        self.at += 2
        (x, y), seen = PLACES[seat], None if down else card
        choices, back = () if down else ((card, 0.9),), down and not self.unread
        self.table.observe(
            CardLaid(
                at=self.at,
                card=self.number,
                label=seen,
                margin=0.9,
                choices=choices,
                x=x,
                y=y,
                angle=0,
                face_down=back,
                picture=b"picture" if down and not back else None,
            )
        )
        self.lying.append(self.number)
        self.number += 1

    def take(self) -> None:
        self.at += 2
        self.table.observe(TrickTaken(at=self.at, cards=tuple(self.lying)))
        self.lying = []


@pytest.fixture(scope="module")
def script() -> list[dict[str, Any]]:
    """A game with a card laid face down."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(people, "RARE_HANDS", 1.0)
        rounds = (list(simulate("durchgaenge", seed, 2)) for seed in range(40))
        return next(one for one in rounds if any(event.get("down") for event in one))


@pytest.mark.parametrize(
    ("unseen", "unread"),
    [(False, False), (True, False), (False, True)],
    ids=["a back is seen", "nothing is seen", "a card is seen, and nothing of it read"],
)
@pytest.mark.slow
def test_the_deck_says_what_lay_there(script: list[dict[str, Any]], unseen: bool, unread: bool) -> None:
    played = Played(script, unseen, unread)
    told = played.table.round
    assert [game.result and game.result.score for game in told.games] == [
        game.result and game.result.score for game in played.truth.games
    ]
    covered = [event for event in list(map(encode, played.table.events)) if event.get("down")]
    assert len(covered) == 1 and covered[0]["unseen"] and "DA" not in covered[0]["doubt"]
    laid = next(event["card"] for event in script if event.get("down"))
    corrections = [
        event for event in list(map(encode, played.table.events)) if event["event"] == "correct" and "of" in event
    ]
    assert told.doubts == () and {event["card"] for event in corrections} <= {laid}


def test_nobody_is_asked_while_the_game_runs(script: list[dict[str, Any]]) -> None:
    down = next(number for number, event in enumerate(script) if event.get("down"))
    played = Played(script[: down + 1])
    assert list(map(encode, played.table.events))[-1]["down"] and played.table.view().doubts == ()


def covered(table: Table) -> list[Laid]:
    """The cards of the game that lie face down."""
    game = table.round.game
    assert game is not None
    return [one for one in (*(card for trick in game.tricks for card in trick.cards), *game.open_trick) if one.down]


#: Who says what of a card of which nothing could be read, trump or plain; whether it counts as face down then.
SAID: dict[str, tuple[list[tuple[str, str]], bool]] = {
    "the camera reads it": ([("camera", "trump")], False),
    "the camera reads it, and people name another one": ([("camera", "trump"), ("seat 1", "other trump")], False),
    "it reads one that may not lie face down": ([("camera", "plain")], False),
    "people name one that may not": ([("seat 1", "plain")], False),
    "people name one that may": ([("seat 1", "trump")], True),
    "the deck says which one it is": ([("composition", "trump")], True),
}


@pytest.mark.parametrize(("said", "down"), SAID.values(), ids=SAID)
def test_what_turns_out_to_lie_open_counts_so(
    script: list[dict[str, Any]], said: list[tuple[str, str]], down: bool
) -> None:
    number = next(number for number, event in enumerate(script) if event.get("down"))
    table = Played(script[: number + 1], unread=True).table
    (card,) = covered(table)
    assert table.picture(card.event) == b"picture"
    led = next(event["card"] for event in script[number::-1] if event["event"] == "card" and "down" not in event)
    labels = {"trump": card.doubt[0], "other trump": card.doubt[1], "plain": led}
    assert led not in card.doubt
    for by, what in said:
        table.note(CardCorrected(of=card.event, card=labels[what], by=by))
    assert [one.event for one in covered(table)] == [card.event] * down
    assert table.round.game is not None
    assert all(fault.code != "not_entitled" for fault in table.round.game.faults)


@pytest.mark.parametrize(
    ("unread", "unseen", "named", "leads", "lies_open"),
    [
        pytest.param(True, False, False, True, True, id="nothing of it was read, and its seat leads: it has won"),
        pytest.param(False, True, False, True, True, id="nobody saw it, and its seat leads"),
        pytest.param(False, False, False, True, False, id="its back was seen: who leads does so against the order"),
        pytest.param(True, False, False, False, False, id="nothing of it was read, and who has won without it leads"),
        pytest.param(True, False, True, True, False, id="people have named it before: what they say stays"),
    ],
)
def test_whose_seat_leads_next_has_not_covered_his_card(
    script: list[dict[str, Any]], unread: bool, unseen: bool, named: bool, leads: bool, lies_open: bool
) -> None:
    number = next(number for number, event in enumerate(script) if event.get("down"))
    seat = script[number]["seat"]
    trick = [event for event in script[number + 1 :] if event["event"] == "card"]
    played = Played(script[: number + 1], unread=unread, unseen=unseen)
    for event in trick:
        if played.table.round.game is not None and not played.table.round.game.open_trick:
            break
        played.lay(event["seat"], event["card"], False)
    played.take()
    if unseen:
        played.at += 2
        played.table.observe(Tick(at=played.at))
    game = played.table.round.game
    assert game is not None and game.tricks and not game.open_trick
    first = game.tricks[-1]
    assert [one.seat for one in covered(played.table)] == [seat] and first.winner != seat
    if named:
        (card,) = covered(played.table)
        played.table.note(CardCorrected(of=card.event, card=card.doubt[0], by="seat 1"))
    leader, at = seat if leads else first.winner, played.at + 2
    (x, y), card = PLACES[leader], played.number
    lead = CardLaid(at=at, card=card, label="DA", margin=0.9, choices=(("DA", 0.9),), x=x, y=y, angle=0)
    played.table.observe(replace(lead, arm=atan2(y, x), arm_share=1.0, not_before=at - 0.6, rested=at - 0.2))
    for second in range(10):
        played.table.observe(Tick(at=at + second))
    game = played.table.round.game
    assert game is not None and [one.seat for one in game.open_trick] == [leader]
    assert [one.seat for one in covered(played.table)] == ([] if lies_open else [seat])
    assert (game.tricks[-1].winner == seat) == lies_open
    accused = {(fault.code, fault.seat) for fault in game.faults}
    assert accused == ({("out_of_turn", seat)} if leads and not lies_open else set())
    if lies_open:
        (card,) = [one for one in game.tricks[-1].cards if one.seat == seat]
        assert len(card.doubt) > 1 and played.table.picture(card.event) == (b"picture" if unread else None)


def test_a_card_that_was_seen_to_lie_face_down_does_so_whatever_it_is(script: list[dict[str, Any]]) -> None:
    number = next(number for number, event in enumerate(script) if event.get("down"))
    table = Played(script[:number]).table
    event = table.note(CardPlayed(seat=script[number]["seat"], card="HJ", down=True))
    table.note(CardCorrected(of=event, card="DJ", by="seat 1"))
    assert [one.card for one in covered(table)] == ["DJ"]


def test_a_back_that_may_not_lie_there_is_no_card(script: list[dict[str, Any]]) -> None:
    first = next(number for number, event in enumerate(script) if event["event"] == "card")
    played = Played(script[: first + 1])
    before = len(played.table.events)
    played.lay(script[first]["seat"] % 4 + 1, "CA", down=True)
    assert len(played.table.events) == before


class Sloppy(Played):
    """Of each trick the card laid last is lifted after the others."""

    def take(self) -> None:
        *others, last = self.lying
        self.at += 2
        self.table.observe(TrickTaken(at=self.at, cards=tuple(others)))
        self.table.observe(CardGone(at=self.at + 1, card=last))
        self.table.observe(Tick(at=self.at + 3))
        self.at += 3
        self.lying = []


def test_the_last_card_of_a_trick_that_is_taken_in_is_not_taken_back(script: list[dict[str, Any]]) -> None:
    events = list(map(encode, Sloppy(script).table.events))
    assert all(event["event"] not in ("retract", "correct") or "of" in event for event in events)
    assert sum(event["event"] == "card" for event in events) == sum(event["event"] == "card" for event in script)
