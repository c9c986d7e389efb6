"""Cards that leave their place: taken back, taken in, pushed, or never a card."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_request
from kiosk.table.events.values import CardCorrected, CardPlayed, CardRetracted, Event
from kiosk.table.observe.missed import note_missed
from tests.table.ideal_camera import MAT, Camera, cards, encoded
from vision.mat.layout import MatLayout
from vision.messages import CardGone, HandInTheWay, Tick, TrickTaken

pytestmark = pytest.mark.slow


def test_the_last_card_taken_back_at_once_is_retracted(camera: Camera) -> None:
    camera.lay(2, "CA")
    camera.lay(3, "HT")
    camera.report(CardGone(at=camera.at + 2.5, card=1))
    camera.lay(3, "C9")
    assert cards(camera.table) == [(2, "CA"), (3, "C9")]
    assert [e["event"] for e in encoded(camera.table)[-3:]] == ["card", "retract", "card"]


def test_a_card_taken_back_and_laid_once_more_is_laid(camera: Camera) -> None:
    camera.lay(2, "CA")
    camera.lay(3, "C9")
    camera.report(CardGone(at=camera.at + 3.0, card=1))
    camera.report(Tick(at=camera.at + 5.0))
    assert cards(camera.table) == [(2, "CA")]
    camera.number = 1  # the camera knows it again
    camera.at += 5.0
    camera.lay(3, "C9")
    assert cards(camera.table) == [(2, "CA"), (3, "C9")]


def test_a_card_of_which_nothing_is_known_may_be_any_until_it_is_read(camera: Camera) -> None:
    (number,) = camera.lay(2, "CA", label=None, choices=(), margin=0.0)
    (doubt,) = camera.table.view().doubts
    assert doubt.event == number and set(doubt.choices) == set(camera.table.round.book.deck)
    camera.number = 0
    camera.lay(2, "CA")
    assert cards(camera.table) == [(2, "CA")] and not camera.table.view().doubts


NOTHING_READ: dict[str, Any] = {"label": None, "choices": (), "margin": 0.0}


def test_of_a_card_that_may_be_any_the_latest_picture_is_shown(camera: Camera) -> None:
    """Somebody has turned it up, or taken his hand off it; once it is known nothing is shown otherwise."""
    (number,) = camera.lay(2, "CA", **NOTHING_READ)
    camera.number = 0
    camera.lay(2, "CA", **NOTHING_READ, picture=b"turned up")
    (doubt,) = camera.table.view().doubts
    assert (doubt.event, doubt.picture) == (number, b"turned up")
    camera.number = 0
    camera.lay(2, "CA")
    camera.number = 0
    camera.lay(2, "CA", **NOTHING_READ, picture=b"a hand")
    assert camera.table.picture(number) == b"turned up" and cards(camera.table) == [(2, "CA")]


def test_what_went_at_once_was_no_card(camera: Camera) -> None:
    (number,) = camera.lay(2, "CA")
    camera.report(CardGone(at=camera.at + 0.2, card=0))
    camera.report(Tick(at=camera.at + 2.0))
    assert cards(camera.table) == []
    assert encoded(camera.table)[-1]["card"] is None
    assert encoded(camera.table)[-1]["of"] == number
    camera.lay(2, "CA")
    assert cards(camera.table) == [(2, "CA")]


@pytest.mark.parametrize("after_s", [0.2, 2.0], ids=["at once", "later"])
def test_a_lead_that_goes_once_the_game_is_given_up_was_laid(camera: Camera, after_s: float) -> None:
    """Before, one that lay there for a moment counted as no card, and its player's hand had one too many."""
    for seat in (2, 3, 4, 1):
        answer = {"event": "call", "seat": seat, "call": "vorbehalt" if seat == 2 else "gesund"}
        camera.table.request(decode_request(answer, BY_ALL))
    camera.table.request(decode_request({"event": "declare", "seat": 2, "game": "damensolo", "duty": True}, BY_ALL))
    camera.lay(2, "CA")
    conceded = {"event": "claim", "seat": 2, "kind": "concede", "accepted": True}
    camera.table.request(decode_request(conceded, BY_ALL))
    noted = len(camera.table.events)
    camera.report(CardGone(at=camera.at + after_s, card=0))
    camera.report(Tick(at=camera.at + 4.0))
    assert len(camera.table.events) == noted and not camera.table.notices
    game = camera.table.round.game or camera.table.round.games[-1]
    assert [(one.seat, one.card) for one in game.open_trick] == [(2, "CA")]


@pytest.mark.parametrize(
    ("seat", "card", "missed"),
    [
        pytest.param(2, "CT", 0, id="its seat lays another: taken back"),
        pytest.param(2, "CA", 0, id="it lies there again"),
        pytest.param(4, "HT", 3, id="another seat lays: the trick was not seen"),
    ],
)
def test_what_became_of_a_lead_that_went_the_next_card_tells(camera: Camera, seat: int, card: str, missed: int) -> None:
    camera.lay(2, "CA")
    camera.take()
    assert [(n.code, n.seat) for n in camera.table.view().notices] == [("card_gone", 2)]
    camera.lay(seat, card)
    assert cards(camera.table) == [(seat, card)]
    assert sum(bool(event.get("unseen")) for event in encoded(camera.table)) == missed
    assert ("card_gone", 2) not in {(n.code, n.seat) for n in camera.table.view().notices}
    retracted = [event["card"] for event in encoded(camera.table) if event["event"] == "retract"]
    assert retracted == ([] if missed or card == "CA" else ["CA"])


def test_whose_arm_lays_where_a_lead_went_counts_more_than_the_place(camera: Camera) -> None:
    """It is laid once more nearer to a neighbour's place. In a film three cards were noted as missed then."""
    camera.lay(2, "CA")
    camera.take()
    (x, y), arm = MAT[3], MatLayout("A3", 4).seat_angle(2) + 0.2
    camera.lay(2, "CA", x=x / 2, y=y / 2, arm=arm, arm_share=1.0)
    assert cards(camera.table) == [(2, "CA")]
    assert not any(event.get("unseen") for event in encoded(camera.table))


def test_a_lead_that_went_was_taken_back_where_the_seats_places_are_not_known(camera: Camera) -> None:
    camera.table.observer.centres.clear()
    camera.lay(2, "CA")
    camera.take()
    camera.lay(2, "CT")
    assert cards(camera.table) == [(2, "CT")]
    assert not any(event.get("unseen") for event in encoded(camera.table))


def test_a_lead_that_went_and_that_people_take_back_is_asked_about_no_more(camera: Camera) -> None:
    camera.lay(2, "CA")
    camera.take()
    camera.table.request(decode_request({"event": "retract", "seat": 2, "card": "CA"}, BY_ALL))
    assert camera.table.view().notices == ()
    camera.lay(2, "CT")
    assert cards(camera.table) == [(2, "CT")]
    assert [e["event"] for e in encoded(camera.table)].count("retract") == 1


def test_a_card_in_the_middle_of_a_trick_that_goes_is_asked_about(camera: Camera) -> None:
    (number,) = camera.lay(2, "CA")
    camera.lay(3, "C9")
    camera.report(CardGone(at=camera.at + 2.0, card=0))
    camera.report(Tick(at=camera.at + 4.0))
    assert cards(camera.table) == [(2, "CA"), (3, "C9")]
    assert [(n.code, n.seat, n.event) for n in camera.table.view().notices] == [("card_gone", 2, number)]


def test_a_full_trick_lifted_card_by_card_is_a_trick_taken(camera: Camera) -> None:
    for seat, card in ((2, "CA"), (3, "C9"), (4, "CK"), (1, "CT")):
        camera.lay(seat, card)
    for number in (3, 2, 1, 0):
        camera.report(CardGone(at=camera.at + 0.3, card=number))
    camera.report(Tick(at=camera.at + 3.0))
    camera.lay(2, "SA")
    assert encoded(camera.table)[-1]["card"] == "SA"
    assert len([e for e in encoded(camera.table) if e["event"] != "card"]) == 3


def test_the_fourth_card_can_be_taken_back(camera: Camera) -> None:
    for seat, card in ((2, "CA"), (3, "C9"), (4, "CK"), (1, "SA")):
        camera.lay(seat, card)
    camera.report(CardGone(at=camera.at + 2.0, card=3))
    camera.lay(1, "CT")
    assert camera.table.round.game is not None
    assert [laid.card for laid in camera.table.round.game.tricks[0].cards] == ["CA", "C9", "CK", "CT"]
    assert [e["event"] for e in encoded(camera.table)[-2:]] == ["retract", "card"]


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        pytest.param([(2, "HT")], None, id="a glint on the heap"),
        pytest.param([(2, "CK"), (3, "C9")], None, id="cards of the trick, pushed and read again"),
        pytest.param([(2, "SK"), (3, "S9"), (4, "ST")], {1}, id="the next trick, laid upon it"),
    ],
)
def test_what_goes_with_a_full_trick(camera: Camera, more: list[tuple[int, str]], asked: set[int] | None) -> None:
    """It is no card, but for several others: so many are not seen by mistake."""
    for seat, card in ((2, "CA"), (3, "C9"), (4, "CK"), (1, "CT"), *more):
        camera.lay(seat, card)
    camera.take()
    assert cards(camera.table) == []
    game = camera.table.round.game
    assert game is not None
    assert len(game.tricks) == (1 if asked is None else 2)
    assert {seat for code, seat in camera.table.notices if code == "missed_card"} == (asked or set())
    if asked is None:
        camera.lay(2, "SA")
        assert cards(camera.table) == [(2, "SA")]
    else:
        assert [(laid.seat, laid.card) for laid in game.tricks[-1].cards if not laid.doubt] == more


@pytest.mark.parametrize("later", [0, 1], ids=["at once", "after one more card"])
def test_a_card_that_was_pushed_and_told_twice_counts_once(camera: Camera, later: int) -> None:
    """A hand pushes the lead straight; it is read as a new card before the camera sees that it has left its place."""
    trick = [(2, "CA"), (3, "C9"), (4, "CK"), (1, "CT")]
    for number, (seat, card) in enumerate(trick):
        camera.lay(seat, card)
        if number == 1:
            x, y = MAT[2]
            camera.lay(2, "CA", x=x + 15, y=y + 10)
        if number == 1 + later:
            camera.report(CardGone(at=camera.at + 0.5, card=0))
            camera.lying.remove(0)
    game = camera.table.round.game
    assert game is not None
    assert [[(one.seat, one.card) for one in one.cards] for one in game.tricks] == [trick]
    camera.take()
    assert not game.open_trick and not camera.table.view().offences and not camera.table.notices


@pytest.mark.parametrize("whose", [2, 4], ids=["by who laid it", "an equal one, laid there by another"])
def test_a_card_that_is_told_twice_while_its_old_place_is_covered(camera: Camera, whose: int) -> None:
    """Whose arm was there tells a card that was pushed from an equal one that was laid beside it."""
    arms = {seat: {"arm": MatLayout("A3", 4).seat_angle(seat) + 0.2, "arm_share": 0.6} for seat in MAT}
    x, y = MAT[2]
    camera.lay(2, "CA", x=x, y=y, **arms[2])
    camera.lay(3, "C9", **arms[3])
    camera.lay(whose, "CA", x=x + 20, y=y + 5, **arms[whose])
    told = [(2, "CA"), (3, "C9")]
    for seat, card in ((4, "CK"), (1, "CT")) if whose == 2 else ((1, "CT"),):
        camera.lay(seat, card, **arms[seat])
    camera.take()
    game = camera.table.round.game
    assert game is not None
    others = [(4, "CK"), (1, "CT")] if whose == 2 else [(4, "CA"), (1, "CT")]
    assert [[(one.seat, one.card) for one in one.cards] for one in game.tricks] == [[*told, *others]]
    assert not game.open_trick and not camera.table.view().offences and not camera.table.notices


@pytest.mark.parametrize("place", range(5), ids=lambda place: f"after {place} cards")
def test_a_thing_that_was_taken_for_a_card_is_none_once_the_trick_has_gone(camera: Camera, place: int) -> None:
    """Seats and winner are right then, and the next trick is the next one."""
    trick = [(2, "CA"), (3, "C9"), (4, "CK"), (1, "CT")]
    for number in range(5):
        if number == place:
            x, y = MAT[2]
            camera.lay(2, "SA", x=1.5 * x, y=1.5 * y)
            thing = camera.number - 1
        if number < 4:
            seat, card = trick[number]
            camera.lay(seat, card, not_before=camera.at + 1.5, rested=camera.at + 1.9)
    lying = [number for number in camera.lying if number != thing]
    camera.report(CardGone(at=camera.at + 1.0, card=thing, foreign=True))
    camera.report(TrickTaken(at=camera.at + 1.5, cards=tuple(lying)))
    game = camera.table.round.game
    assert game is not None and not game.open_trick
    assert [[(one.seat, one.card) for one in one.cards] for one in game.tricks] == [trick]
    assert not camera.table.view().offences


@pytest.mark.parametrize("refused", range(1, 4), ids=lambda place: f"card {place} must stay")
def test_no_card_is_lost_where_one_before_it_cannot_be_taken_back(
    camera: Camera, monkeypatch: pytest.MonkeyPatch, refused: int
) -> None:
    """A later event may need a card that the camera thinks better of: the trick is as it was."""
    trick = [(2, "CA"), (3, "C9"), (4, "CK")]
    numbers = [camera.lay(seat, card)[0] for seat, card in trick]
    note = camera.table.note

    def refuse(event: Event, picture: bytes | None = None) -> int:
        if isinstance(event, CardCorrected) and event.of == numbers[refused - 1]:
            raise BadEvent("a claim rests on it")
        return note(event, picture)

    monkeypatch.setattr(camera.table, "note", refuse)
    camera.report(CardGone(at=camera.at + 1.0, card=0, foreign=True))
    assert cards(camera.table) == trick


@pytest.mark.parametrize(
    ("by", "late", "hand_s", "taken_back"),
    [
        pytest.param(4, 0.0, 0.4, False, id="another seat lays upon it: it is covered"),
        pytest.param(3, 0.0, 0.4, True, id="its own seat lays there: another in its place"),
        pytest.param(4, 0.5, 0.4, True, id="it had gone before: another seat lays where it was"),
        pytest.param(None, 0.0, 0.4, False, id="no arm was seen, and nobody is so quick to exchange it"),
        pytest.param(None, 0.0, 1.2, True, id="no arm was seen, and there was time to exchange it"),
        pytest.param(None, 0.0, 2.4, True, id="no arm was seen, nor whether a hand has come since"),
    ],
)
def test_a_card_that_goes_as_another_is_laid_upon_it(
    camera: Camera, by: int | None, late: float, hand_s: float, taken_back: bool
) -> None:
    """The tracker cannot tell a card that was covered and pushed from one that was taken up."""
    camera.lay(2, "CA")
    camera.lay(3, "C9")
    x, y = MAT[3]
    went = camera.at + 2.0
    camera.report(CardGone(at=went - late, card=1))
    camera.at = went - 2.0
    arm = {} if by is None else {"arm": MatLayout("A3", 4).seat_angle(by), "arm_share": 1.0}
    camera.lay(by or 4, "CK", x=x + 10, y=y + 20, not_before=went - 0.2 - hand_s, rested=went - 0.2, **arm)
    camera.report(Tick(at=camera.at + 2.0))
    told = [(2, "CA"), *([] if taken_back else [(3, "C9")]), (3 if taken_back else 4, "CK")]
    assert cards(camera.table) == told


@pytest.mark.parametrize(
    ("towards", "hand_s", "taken_back"),
    [
        pytest.param(0.4, 1.7, False, id="it is another seat's arm: the card is covered"),
        pytest.param(0.7, 1.7, True, id="half way between the two: another in its place"),
        pytest.param(0.7, 0.3, False, id="half way, and nobody is so quick to exchange it"),
        pytest.param(0.9, 0.3, True, id="nearer to its own seat, which had taken it up before"),
    ],
)
def test_who_lays_upon_a_card_lays_in_its_seat_s_place_and_his_arm_tells(
    camera: Camera, towards: float, hand_s: float, taken_back: bool
) -> None:
    """The card had been pushed just before, so that nothing tells when the other one may have come but the hand."""
    camera.lay(2, "CA")
    camera.lay(3, "C9")
    (x, y), arm = MAT[3], MatLayout("A3", 4).seat_angle(4) - towards
    went = camera.at + 2.0
    camera.report(HandInTheWay(at=went - 0.2 - hand_s, gone=False))
    camera.report(CardGone(at=went, card=1))
    camera.at = went - 2.0
    camera.lay(4, "CK", x=x - 9, y=y - 10, not_before=went - 1.9, rested=went - 0.2, arm=arm, arm_share=1.0)
    camera.report(Tick(at=camera.at + 2.0))
    told = [(2, "CA"), *([] if taken_back else [(3, "C9")]), (3 if taken_back else 4, "CK")]
    assert cards(camera.table) == told


def test_a_card_that_nobody_saw_counts_after_the_one_that_its_seat_took_back(camera: Camera) -> None:
    """Where its turn was its seat still had the other in the trick. In a film it was never noted."""
    camera.lay(2, "CA")
    camera.lay(3, "C9")
    camera.table.note(CardRetracted(seat=3, card="C9"))
    camera.table.note(CardPlayed(seat=4, card="CK"))
    event = note_missed(camera.table)
    assert event is not None and camera.table.notices["missed_card", 3] == event
    assert [seat for seat, _ in cards(camera.table)] == [2, 3, 4] and not camera.table.round.offences
