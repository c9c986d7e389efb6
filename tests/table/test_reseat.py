"""Cards put to other seats: who laid them changes, what they are stays, a doubt too."""

from pathlib import Path
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent, Refused
from kiosk.rules.engine.tricks import Laid
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import NOBODY, decode, decode_opening, decode_request
from kiosk.table.events.log import Log, MemoryLog
from kiosk.table.events.log_file import LogFile
from kiosk.table.round.course import course
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.rows import rows
from kiosk.table.table import Table
from kiosk.table.taking_over import take_in
from kiosk.table.view.played_game import played_game
from kiosk.table.view.questions import questions

Event = dict[str, Any]

OPEN: Event = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCD")}
START = [OPEN, {"event": "release"}, {"event": "deal", "dealer": 1}]


def cards(text: str) -> list[Event]:
    return [{"event": "card", "seat": int(word[0]), "card": word[1:]} for word in text.split()]


def reseat(**seats: int) -> Event:
    return {"event": "correct", "seats": {key[1:]: seat for key, seat in seats.items()}, "by": "camera"}


def unsure(**perhaps: int) -> Event:
    """The third and the fourth card of ``START`` and a trick, or others, may be of other seats."""
    return {**reseat(e4=3, e5=4), "perhaps": {key[1:]: seat for key, seat in perhaps.items()}}


def test_two_cards_change_places_at_once() -> None:
    events = [*START, *cards("2CA 4CK 3C9 1CT")]
    assert [offence.code for offence in fold(map(decode, events)).offences] == ["out_of_turn"]
    round = fold(map(decode, [*events, reseat(e4=3, e5=4)]))
    assert round.game is not None
    assert [(laid.seat, laid.card) for laid in round.game.tricks[0].cards] == [
        (2, "CA"), (3, "CK"), (4, "C9"), (1, "CT"),
    ]  # fmt: skip
    assert round.offences == ()


@pytest.mark.parametrize("seen_again", [False, True], ids=["it lies there", "it lies there, its trick full"])
def test_a_card_that_was_taken_back_and_laid_once_more_is_the_same_player_s(seen_again: bool) -> None:
    """The lead was not seen, so each stands for the seat before; what was taken back would be one card too many."""
    back = {"event": "retract", "seat": 3, "card": "C9"}
    events = [*START, *cards("2CK 3C9"), back, *cards("3C9"), *(cards("4CT") if seen_again else [])]
    last = {"e7": 1} if seen_again else {}
    round = fold(map(decode, [*events, reseat(e3=3, e6=4, **last)]))
    assert round.game is not None
    told = [(3, "CK"), (4, "C9"), *([(1, "CT")] if seen_again else [])]
    assert [(laid.seat, laid.card) for laid in round.game.open_trick] == told
    assert [(laid.seat, laid.card) for _, laid in round.game.taken_back] == [(4, "C9")]
    assert [one for one in course(round, round.game) if isinstance(one, int)] == [4]
    unseen = {"event": "correct", "after": 2, "seat": 2, "card": "CA", "by": "camera"}
    whole = fold(map(decode, [*events, reseat(e3=3, e6=4, **last), unseen]))
    assert whole.offences == ()


def test_another_card_that_was_taken_back_stays_its_seat_s() -> None:
    back = {"event": "retract", "seat": 3, "card": "C9"}
    events = [*START, *cards("2CA 3C9"), back, *cards("3CT 4CK"), reseat(e6=4, e7=3)]
    round = fold(map(decode, events))
    assert round.game is not None
    assert [(laid.seat, laid.card) for _, laid in round.game.taken_back] == [(3, "C9")]


def test_cards_of_two_tricks_change_places_at_once() -> None:
    round = fold(map(decode, [*START, *cards("3CA 4CK 1C9 2CT 2ST 3SA 4SK 1S9"), reseat(e3=2, e6=3, e7=3, e8=2)]))
    assert round.game is not None
    assert [[laid.seat for laid in trick.cards] for trick in round.game.tricks] == [[2, 4, 1, 3], [3, 2, 4, 1]]


def test_a_doubt_stays_open_and_is_settled_later() -> None:
    doubtful = {"event": "card", "seat": 3, "card": "HT", "doubt": ["HT", "DT"]}
    round = fold(map(decode, [*START, doubtful, reseat(e3=2)]))
    assert [(doubt.seat, doubt.choices) for doubt in round.doubts] == [(2, ("HT", "DT"))]
    round = round.apply(decode({"event": "correct", "of": 3, "card": "DT", "by": "seat 2"}))
    assert round.game is not None
    assert [(laid.seat, laid.card) for laid in round.game.open_trick] == [(2, "DT")]


def test_a_person_s_word_about_the_seat_counts_more() -> None:
    events = [*START, *cards("2CA"), {"event": "correct", "of": 3, "card": "CA", "seat": 3, "by": "seat 3"}]
    round = fold(map(decode, [*events, reseat(e3=4)]))
    assert round.game is not None
    assert round.game.open_trick[0].seat == 3


def test_of_what_people_say_of_a_seat_the_last_counts() -> None:
    said = {"event": "correct", "of": 3, "card": "CA", "seat": 2, "by": "table"}
    round = fold(map(decode, [*START, *cards("2CA 3CK"), said, reseat(e3=3, e4=2) | {"by": "table"}]))
    assert round.game is not None
    assert [(laid.seat, laid.card) for laid in round.game.open_trick] == [(3, "CA"), (2, "CK")]


def test_a_card_that_nobody_saw_changes_places_with_one_that_was_seen() -> None:
    unseen = {"event": "correct", "after": 3, "card": "HQ", "seat": 3, "by": "camera", "doubt": ["HQ", "CK"]}
    round = fold(map(decode, [*START, *cards("2CA 4CK 1C9"), unseen, reseat(e4=3, e6=4) | {"by": "table"}]))
    assert round.game is not None
    assert [(laid.seat, laid.card) for laid in round.game.tricks[0].cards] == [
        (2, "CA"), (4, "HQ"), (3, "CK"), (1, "C9"),
    ]  # fmt: skip


def correct(of: int, card: str | None, by: str = "seat 3", **keys: Any) -> Event:
    return {"event": "correct", "of": of, "card": card, "by": by, **keys}


@pytest.mark.parametrize(
    ("events", "asked", "third"),
    [
        pytest.param([], [4], "CK", id="nobody answers"),
        pytest.param([reseat(e4=4, e5=3) | {"by": "table"}], [], "C9", id="each has laid the other's"),
        pytest.param([correct(4, "CK", seat=3)], [], "CK", id="the first is of the seat that it is noted for"),
        pytest.param([correct(5, "C9", seat=4)], [], "CK", id="the other one is"),
        pytest.param([correct(4, "CT")], [4], "CT", id="it was another card"),
        pytest.param([correct(5, "CJ", "camera")], [4], "CK", id="the camera reads the other one again"),
        pytest.param([reseat(e4=4, e5=3)], [], "C9", id="the camera knows better"),
        pytest.param([reseat(e6=1, e3=2)], [4], "CK", id="others change places"),
        pytest.param([unsure(e4=4, e5=3)], [4], "CK", id="asked twice"),
        pytest.param([*cards("2SA 3SK 4S9 1ST")], [4], "CK", id="in the next trick"),
        pytest.param([{"event": "rule", "offender": 1, "class": "serious"}], [4], "CK", id="the game is over"),
        pytest.param([{"event": "rule", "offender": 1, "class": "serious"}, {"event": "deal", "dealer": 2},
                      *cards("3SA")], [4], "CK", id="in the next game"),
        pytest.param([{"event": "void", "why": "misdealt"}], [], None, id="the deal counts for nothing"),
    ],
)  # fmt: skip
def test_it_is_asked_whose_two_cards_are_until_somebody_says_so(
    events: list[Event], asked: list[int], third: str | None
) -> None:
    """A restart folds the same log: it asks the same."""
    round = fold(map(decode, [*START, *cards("2CA 3CK 4C9 1CT"), unsure(e4=4, e5=3), *events]))
    found = questions(round)
    assert [one.event for one in found] == asked
    assert all((one.seat, one.game, one.trick, one.perhaps) == (3, 1, 1, {4: 4, 5: 3}) for one in found)
    assert all(one.choices == (third,) for one in found)
    games = [game for game in round.games_and_running if game.tricks]
    assert [{one.seat: one.card for one in game.tricks[0].cards}[3] for game in games] == [third] * len(games)
    assert [row.open for row in rows(round)] == [bool(asked)] * len(rows(round))


def at_once(asked: Event, *answers: Event) -> list[Event]:
    """The events of a trick of which nobody has seen which of two cards was laid first; then it is answered."""
    return [*START, *cards("2CA 3CK 4C9 1CT"), {**asked, "at_once": True}, *answers, *cards("2SA")]


#: The question, the answers, and what then counts as laid: who, what, and breaches.
LAID_AT_ONCE: dict[str, tuple[Event, list[Event], str, list[str]]] = {
    "nobody answers": (unsure(e4=4, e5=3), [], "2CA 3CK 4C9 1CT", []),
    "each has laid the other's: in turn": (
        unsure(e4=4, e5=3), [reseat(e4=4, e5=3) | {"by": "table"}], "2CA 3C9 4CK 1CT", [],
    ),
    "and it is taken back": (
        unsure(e4=4, e5=3), [reseat(e4=4, e5=3) | {"by": "table"}, reseat(e4=3, e5=4) | {"by": "table"}],
        "2CA 3CK 4C9 1CT", [],
    ),
    "and a card of it is corrected": (
        unsure(e4=4, e5=3), [reseat(e4=4, e5=3) | {"by": "table"}, correct(5, "HQ")], "2CA 3HQ 4CK 1CT",
        ["out_of_turn"],
    ),
    "the one who leads and the next": (
        {**unsure(e3=3, e4=2), "seats": {"3": 2, "4": 3}}, [reseat(e3=3, e4=2) | {"by": "table"}], "2CK 3CA 4C9 1CT",
        ["out_of_turn"],
    ),
    "and the third card is corrected": (
        {**unsure(e3=3, e4=2), "seats": {"3": 2, "4": 3}},
        [reseat(e3=3, e4=2) | {"by": "table"}, correct(5, "CA")], "2CK 3CA 4CA 1CT", ["out_of_turn"],
    ),
    "a third player has laid one of them": (
        unsure(e4=4, e5=3), [reseat(e4=1, e6=3) | {"by": "table"}], "2CA 1CK 4C9 3CT",
        ["out_of_turn", "out_of_turn"],
    ),
    "the camera knows better, and has seen which was first": (
        unsure(e4=4, e5=3), [reseat(e4=4, e5=3)], "2CA 4CK 3C9 1CT", ["out_of_turn"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("asked", "answers", "laid", "breaches"), LAID_AT_ONCE.values(), ids=LAID_AT_ONCE)
def test_turn_order_says_which_of_two_cards_was_first_if_nobody_has_seen_it(
    asked: Event, answers: list[Event], laid: str, breaches: list[str]
) -> None:
    """Who leads with the second card of two has led: the next trick is another's then."""
    round = fold(map(decode, at_once(asked, *answers)))
    assert round.game is not None
    assert " ".join(f"{one.seat}{one.card}" for one in round.game.tricks[0].cards) == laid
    assert [offence.code for offence in round.offences] == breaches
    played = played_game(round, 1, whole=True)
    assert played is not None
    assert [f"{one.seat}{one.card}" for one in played.tricks[0].cards] == laid.split()


#: Three cards of a trick, the fourth that nobody saw (event 6), and who has laid what by its event, before and after
#: people say that it and another one were each other's.
ONE_UNSEEN: dict[str, tuple[str, Event, str, str]] = {
    "below the other": ("2CA 4C9 1CT", {"event": "correct", "after": 3, "seat": 3}, "23 36 44 15", "23 34 46 15"),
    "as the lead": ("3C9 4CA 1CT", {"event": "correct", "after": 2, "seat": 2}, "26 33 44 15", "23 36 44 15"),
    "it came last": ("2CA 3C9 4CT", {"event": "card", "seat": 1}, "23 34 45 16", "23 34 46 15"),
}  # fmt: skip


@pytest.mark.parametrize("known", [False, True], ids=["in doubt still", "what it was is known"])
@pytest.mark.parametrize(("trick", "unseen", "before", "after"), ONE_UNSEEN.values(), ids=ONE_UNSEEN)
def test_of_two_laid_at_once_one_was_not_seen(trick: str, unseen: Event, before: str, after: str, known: bool) -> None:
    """Turn order says which was first, also once the trick has gone and the next one is led."""
    laid, other = before.split(), after.split()
    moved = {one[1]: int(one[0]) for one in other if one not in laid}
    stood = {one[1]: int(one[0]) for one in laid if one[1] in moved}
    events = [
        *START, *cards(trick), {**unseen, "card": "CK", "doubt": ["CK", "HK"], "unseen": True, "by": "camera"},
        {"event": "correct", "seats": stood, "perhaps": moved, "at_once": True, "by": "camera"},
    ]  # fmt: skip
    said = {"event": "correct", "seats": moved, "by": "table"}
    settled = {"event": "correct", "of": 6, "card": "CK", "by": "composition"}

    def told(*more: Event) -> list[str]:
        game = fold(map(decode, [*events, *([settled] if known else []), *more])).game
        assert game is not None
        assert not game.offences
        assert [one.event for one in game.tricks[0].cards if one.doubt] == ([] if known else [6])
        return [f"{one.seat}{one.event}" for one in game.tricks[0].cards]

    assert told() == laid
    assert told(said) == other
    won = next(3 + number for number, one in enumerate(trick.split()) if "CA" in one)
    led = cards(next(one[0] for one in other if one[1] == str(won)) + "SA")
    assert told(said, *led) == other


def after_a_game(log: Log) -> Table:
    """A table whose first game has been noted in a log."""
    events = list(simulate("eppstein", 3, 1))
    table = Table(log, now=0.0, opening=decode_opening(events[0]), wall=lambda: 0)
    for event in events[1:]:
        table.note(decode(event))
    return table


def test_a_restart_and_a_spare_ask_still_whose_a_card_is(tmp_path: Path) -> None:
    with LogFile(tmp_path / "table.sqlite") as file:
        table = after_a_game(file.log("cup", 1, 1))
        first, second = table.round.games[0].tricks[-1].cards[:2]
        table.note(decode(perhaps_each_others(first, second) | {"at_once": True}))
    with LogFile(tmp_path / "table.sqlite") as file:  # its power was cut
        again = Table(file.log("cup", 1, 1), now=0.0, wall=lambda: 0)
        held = [body for _, body in again.log.read()]
    spare = MemoryLog()
    take_in(spare, held, None, 0.0, "boot")
    for one in (again, Table(spare, now=0.0, wall=lambda: 0)):
        assert [(asked.event, asked.perhaps) for asked in one.view().doubts] == [
            (first.event, {first.event: second.seat, second.event: first.seat})
        ]
        swapped = {"event": "correct", "seats": {str(first.event): second.seat, str(second.event): first.seat}}
        for _ in range(2):  # two say so
            one.request(decode_request(swapped, BY_ALL))
        cards = one.round.games[0].tricks[-1].cards[:2]
        assert [(card.seat, card.event) for card in cards] == [(first.seat, second.event), (second.seat, first.event)]
        assert not one.view().doubts


def perhaps_each_others(first: Laid, second: Laid) -> Event:
    """The camera has seen two cards of which each may be of the other's seat."""
    seats = {str(first.event): first.seat, str(second.event): second.seat}
    perhaps = {str(first.event): second.seat, str(second.event): first.seat}
    return {"event": "correct", "seats": seats, "perhaps": perhaps, "by": "camera"}


def test_one_of_two_cards_that_is_taken_back_is_asked_about_no_more() -> None:
    events = [*START, *cards("2CA 3CK 4C9"), unsure(e4=4, e5=3)]
    assert questions(fold(map(decode, events)))
    assert not questions(fold(map(decode, [*events, {"event": "retract", "seat": 4, "card": "C9"}])))


def test_a_list_is_not_handed_in_while_it_is_asked_whose_a_card_is() -> None:
    table = after_a_game(MemoryLog())
    first, second = table.round.games[0].tricks[-1].cards[:2]
    table.note(decode(perhaps_each_others(first, second)))
    for said in ({"event": "time_up"}, *({"event": "sign", "seat": seat} for seat in (1, 2, 3, 4))):
        table.note(decode(said))
    with pytest.raises(Refused) as refused:
        table.request(decode_request({"event": "close"}, BY_ALL))
    assert refused.value.code == "doubts_open"
    answer = {"event": "correct", "of": first.event, "card": first.card, "seat": first.seat, "by": "table"}
    table.request(decode_request(answer, BY_ALL))
    assert table.round.signed == (1, 2, 3, 4)  # the list says what it said
    table.request(decode_request({"event": "close"}, BY_ALL))
    assert table.round.closed


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (unsure(e3=3) | {"seats": {"4": 3}}, "names a card that seats does not"),
        (unsure(e3=5) | {"seats": {"3": 2}}, "unknown seat 5"),
        (reseat(e4=2), "cannot stand"),
        (reseat(e2=3), "event 2 is no card that could be corrected"),
        (reseat(e9=3), "event 9 is no card that could be corrected"),
        (reseat(e4=5), "unknown seat 5"),
        ({"event": "correct", "seats": {}, "by": "camera"}, "seats"),
        ({"event": "correct", "seats": {"x": 3}, "by": "camera"}, "seats"),
    ],
    ids=[
        "perhaps of a card that stays",
        "perhaps of no seat",
        "two cards of a seat",
        "a deal",
        "nothing there",
        "no such seat",
        "none",
        "no number",
    ],
)
def test_what_cannot_be_is_refused(event: Event, says: str) -> None:
    with pytest.raises(BadEvent, match=says):
        fold(map(decode, [*START, *cards("2CA 3C9"), event]))


def table_with(text: str) -> Table:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), wall=lambda: 0)
    for event in (*START[1:], *cards(text)):
        table.note(decode(event))
    return table


def test_two_players_who_say_the_same_twice_say_it_once() -> None:
    table = table_with("2CA 3CK 4C9")
    for _ in range(2):
        table.request(decode_request({"event": "correct", "seats": {"4": 4, "5": 3}}, NOBODY))
    assert table.round.game is not None
    assert {laid.card: laid.seat for laid in table.round.game.open_trick} == {"CA": 2, "CK": 4, "C9": 3}


@pytest.mark.parametrize(
    ("seats", "code"),
    [({"4": 2}, "cannot_stand"), ({"2": 3}, "no_such_event"), ({"99": 3}, "no_such_event"), ({"4": 5}, "cannot_stand")],
    ids=["two cards of a seat", "a deal", "nothing there", "no such seat"],
)
def test_what_people_cannot_change_is_refused_and_nothing_is_noted(seats: dict[str, int], code: str) -> None:
    table = table_with("2CA 3CK 4C9")
    events = len(table.events)
    with pytest.raises(Refused) as refused:
        table.request(decode_request({"event": "correct", "seats": seats}, BY_ALL))
    assert (refused.value.code, len(table.events)) == (code, events)


def test_below_a_signature_one_alone_changes_no_seat() -> None:
    table = after_a_game(MemoryLog())
    first, second = table.round.games[0].tricks[-1].cards[:2]
    for event in ({"event": "time_up"}, {"event": "sign", "seat": 2}):
        table.note(decode(event))
    request = {"event": "correct", "seats": {str(first.event): second.seat, str(second.event): first.seat}}
    with pytest.raises(Refused) as refused:
        table.request(decode_request(request, NOBODY))
    assert refused.value.code == "needs_all"
    table.request(decode_request(request, BY_ALL))
    assert table.round.games[0].tricks[-1].cards[0].seat == second.seat
