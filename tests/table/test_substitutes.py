"""Substitutes: counted at the table, marked on the list; a change of person during a round (schaffkopf III 1.3)."""

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent, Refused
from kiosk.table.consent import BY_ALL
from kiosk.table.decide import decide
from kiosk.table.events.codec import decode, decode_request, encode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data

ROUND = list(simulate("schaffkopf", 5, games=4))
CAME = {"event": "substitute", "seat": 2, "player": "Xaver"}


def after(*events, opening=None):
    return fold(map(decode, [{**ROUND[0], **(opening or {})}, {"event": "release"}, *events]))


def with_change(place):
    return [*ROUND[:place], CAME, *ROUND[place:]]


def test_a_substitute_from_the_start():
    assert after(opening={"substitutes": [3]}).substitutes == {3}
    assert list_data(after(opening={"substitutes": [3, 1]}))["substitutes"] == [1, 3]
    with pytest.raises(BadEvent, match="unknown seat 5"):
        after(opening={"substitutes": [5]})
    with pytest.raises(BadEvent, match="a list of seats"):
        after(opening={"substitutes": ["Anna"]})


def test_a_change_of_person_changes_nothing_but_the_person():
    deals = [number for number, event in enumerate(ROUND) if event["event"] == "deal"]
    plain = fold(map(decode, ROUND))
    for place in (deals[1], deals[2] + 20):  # between two games, and in the middle of one
        changed = fold(map(decode, with_change(place)))
        assert changed.totals == plain.totals
        assert changed.players == (plain.players[0], "Xaver", *plain.players[2:])
        assert changed.substitutes == {2} and changed.left == {plain.players[1]}
    (change,) = fold(map(decode, with_change(deals[2]))).changes
    assert (change.seat, change.left, change.came, change.games) == (2, plain.players[1], "Xaver", 2)


def test_the_list_says_who_left_and_who_came():
    deals = [number for number, event in enumerate(ROUND) if event["event"] == "deal"]
    data = list_data(fold(map(decode, with_change(deals[1]))))
    assert data["changes"] == [{"seat": 2, "left": ROUND[0]["players"][1], "came": "Xaver", "games": 1}]


def test_who_left_may_come_back_and_signs_for_himself():
    bernd = ROUND[0]["players"][1]
    back = after({"event": "sign", "seat": 2}, CAME, {**CAME, "player": bernd, "ranked": True})
    assert back.players[1] == bernd and back.substitutes == frozenset() and back.left == {bernd, "Xaver"}
    assert back.signed == ()


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({**CAME, "player": ROUND[0]["players"][0]}, "sits at this table already"),
        ({**CAME, "player": " "}, "a name"),
        ({**CAME, "seat": 5}, "unknown seat 5"),
        ({"event": "substitute", "seat": 2}, "needs the key 'player'"),
    ],
)
def test_what_cannot_be(event, why):
    with pytest.raises(BadEvent, match=why):
        after(event)


def test_two_on_each_others_seats_are_put_right_at_any_time():
    a, b, c, d = ROUND[0]["players"]
    swap = {"event": "swap", "seats": [4, 2]}
    swapped = after(
        encode(decide(after(opening={"substitutes": [4]}), decode_request(swap, BY_ALL))), opening={"substitutes": [4]}
    )
    assert swapped.players == (a, d, c, b) and swapped.substitutes == {2}  # the substitute is who he is
    assert swapped.left == frozenset() and list_data(swapped)["changes"] == []
    for seats in ([1], [1, 1], [1, 2, 3], "12", [1, 9], None):
        with pytest.raises(BadEvent):
            after({"event": "swap", "seats": seats})


def test_not_after_the_list_is_handed_in():
    with pytest.raises(Refused):
        decide(after({"event": "close"}), decode_request(CAME, BY_ALL))


def test_while_play_rests():
    resting = after({"event": "deal", "dealer": 1}, {"event": "object", "seat": 3})
    assert encode(decide(resting, decode_request(CAME, BY_ALL))) == CAME
