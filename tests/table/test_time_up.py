"""The end of the playing time in every book: what is finished, what is still played, what is struck."""

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold

ENDED = {"event": "rule", "offender": 1, "class": "custom", "scores": {}}  # breaks the game off
UP = {"event": "time_up"}


def deal(dealer=1):
    return {"event": "deal", "dealer": dealer}


def after(rules, *events, players=4, options=None):
    opening = {"event": "open", "format": 1, "rules": rules, "table": 1, "round": 1,
               "players": list("ABCDE"[:players]), "options": options or {}}  # fmt: skip
    return fold(map(decode, [opening, {"event": "release"}, *events]))


def no_duties(rules):
    """The options of a round without Pflichtsoli."""
    return {"pflichtsoli": 0} if BOOKS[rules].duties(BOOKS[rules].settle({})) else {}


@pytest.mark.parametrize(("rules", "players"), [(name, n) for name, book in BOOKS.items() for n in book.tables])
def test_a_game_begun_is_finished_and_outstanding_ones_are_struck(rules, players):
    """eppstein 7.4.1, bsv 8.5; where a book has no playing time the direction's end does the same."""
    running = after(rules, deal(), UP, players=players, options=no_duties(rules))
    assert (running.games_left, running.over) == (1, False)
    done = running.apply(decode(ENDED))
    assert done.over and done.games_left == 0
    with pytest.raises(BadEvent):
        done.apply(decode(deal(2)))


@pytest.mark.parametrize("rules", BOOKS)
def test_without_an_end_of_time_the_number_of_games_counts(rules):
    assert after(rules).games_left == BOOKS[rules].games(4, BOOKS[rules].settle({}))


@pytest.mark.parametrize(
    ("rules", "thrown"),
    [
        ("eppstein", {"event": "declare", "seat": 2, "game": "schmeissen"}),
        ("bsv", {"event": "declare", "seat": 2, "game": "trumpfschwach"}),
        *((rules, {"event": "void", "why": "a card was exposed"}) for rules in BOOKS),
    ],
)
def test_a_game_begun_in_time_is_dealt_again_after_it(rules, thrown):
    """With the dealing a game has begun, and it is played to its end: dealt again as often as it takes.

    Where the book says that no game is repeated then (ddv 8.5), the round is over.
    """
    again = after(rules, deal(), UP, thrown, options=no_duties(rules))
    if not BOOKS[rules].redeals_after_time:
        assert (again.games_left, again.over) == (0, True)
        return
    assert (again.games_left, again.over) == (1, False)
    twice = again.apply(decode(deal())).apply(decode(thrown))
    assert twice.games_left == 1
    assert twice.apply(decode(deal())).apply(decode(ENDED)).over


VOID = {"event": "void", "why": ""}
FINED = {"event": "rule", "offender": None, "class": "none", "fines": {"1": 1}}


@pytest.mark.parametrize("later", [(), (FINED,)], ids=["at once", "somebody is fined later"])
@pytest.mark.parametrize("rules", BOOKS)
def test_a_deal_that_did_not_count_before_the_end_is_not_dealt_again(rules, later):
    assert after(rules, deal(), VOID, UP, *later, options=no_duties(rules)).over


@pytest.mark.parametrize("rules", [rules for rules, book in BOOKS.items() if book.redeals_after_time])
def test_the_end_signalled_twice_takes_no_game_away(rules):
    """The time ended while a game ran; the direction's second signal comes when its deal did not count."""
    assert after(rules, deal(), UP, VOID, UP, options=no_duties(rules)).games_left == 1


def test_a_struck_game_that_was_to_be_played_again_is_struck_at_the_end():
    """eppstein 8.2.1: it is played as the next game, which is an outstanding normal game (7.4.1)."""
    done = after("bsv", deal(), ENDED, {"event": "strike", "game": 1, "replay": True})
    assert done.games_left == 24 and done.next_dealer == 1
    assert done.apply(decode(UP)).over


def test_pflichtsoli_are_led_up_in_order_after_the_end():
    """eppstein 7.5.1, 3.2.3: next left of the dealer first; the game that was begun comes before them."""
    table = after("eppstein", deal(), UP)
    assert (table.games_left, table.must_play) == (5, None)
    table = table.apply(decode({"event": "void", "why": ""}))
    assert (table.games_left, table.must_play) == (5, None)  # dealt again as what it was
    table = table.apply(decode(deal())).apply(decode(ENDED))
    assert (table.games_left, table.next_dealer, table.must_play) == (4, 1, 2)  # broken off: it has used up no turn


@pytest.mark.parametrize("rules", [name for name, book in BOOKS.items() if book.minutes(4, book.settle({}))])
def test_nachspielzeit_after_the_end_lets_games_go_on(rules):
    given = {"event": "rule", "offender": None, "class": "none", "minutes": 5, "answers": False}
    open_again = after(rules, deal(), ENDED, UP, given)
    assert not open_again.time_up and open_again.games_left == BOOKS[rules].games(4, BOOKS[rules].settle({}))
    assert not open_again.apply(decode(deal(2))).over
