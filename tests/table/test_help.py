"""What a screen tells beyond a real table: an option of each book, off where the book forbids it."""

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.view.show import help_told, view

#: Where books forbid what.
FORBIDDEN = {
    "eppstein": {"augen": "8.1.3", "tricks": "4.4.7", "sides": "1.4.5"},
    "bsv": {"augen": "9.1", "tricks": "5.3", "sides": "2.4.1"},
    "ddv": {"augen": "9.1", "tricks": "5.3", "sides": "2.3.1"},
    "durchgaenge": {},
    "schnittchen": {},
    "schaffkopf": {"augen": "II 4.2.4", "tricks": "II 4.2.4"},
}
TOLD = ("augen", "tricks", "sides")


def running(rules: str, options: dict[str, object]) -> Round:
    """A round of a book in which sides are proved, some tricks into a game."""
    found, round = None, None
    for body in simulate(rules, 5, games=4, mistakes=0):
        round = fold([decode({**body, "options": options})]) if round is None else round.apply(decode(body))
        if round.running and round.game and len(round.game.tricks) > 2 and round.game.clear and round.game.open_trick:
            found = round
            break
    assert found is not None
    return found


@pytest.mark.parametrize("rules", BOOKS)
def test_defaults(rules: str) -> None:
    """The screen tells what the book does not forbid."""
    told = {what for what in TOLD if BOOKS[rules].option(f"tell_{what}").default}
    assert help_told(running(rules, {})) == told
    assert all(BOOKS[rules].option(f"tell_{what}").section for what in TOLD if what not in told)


@pytest.mark.parametrize("rules", FORBIDDEN)
def test_where_it_is_forbidden(rules: str) -> None:
    off = [what for what in TOLD if not BOOKS[rules].option(f"tell_{what}").default]
    assert {what: BOOKS[rules].option(f"tell_{what}").section for what in off} == FORBIDDEN[rules]


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("what", ["augen", "tricks", "sides"])
@pytest.mark.parametrize("rules", BOOKS)
def test_the_view_leaves_out_what_is_off(rules: str, what: str, on: bool) -> None:
    options = {f"tell_{name}": on if name == what else not on for name in ("augen", "tricks", "sides")}
    round = running(rules, options)
    shown = view(round)
    assert shown.trick is not None and shown.last_trick is not None and round.game is not None
    seen = {
        "augen": {trick.points is not None for trick in (shown.trick, shown.last_trick)},
        "tricks": {seat.tricks_won is not None for seat in shown.seats},
        "sides": {seat.side is not None for seat in shown.seats},
    }
    assert seen == {name: {options[f"tell_{name}"]} for name in seen}
    whole = view(round, whole=True)
    assert whole.last_trick is not None and whole.last_trick.points == round.game.tricks[-1].points
    assert [seat.side for seat in whole.seats] == [round.game.known_sides[seat] for seat in round.seats]


def test_a_stilles_solo_is_shown_where_sides_are_told() -> None:
    """Both queens from one hand: players see it themselves (eppstein 3.5.5, 1.4.5)."""
    opened = {"event": "open", "format": 1, "rules": "eppstein", "players": list("ABCD")}
    played = ["2CQ", "3DJ", "4DK", "1DA", "2CQ", "3DJ", "4DK", "1DA"]
    cards = [{"event": "card", "seat": int(one[0]), "card": one[1:]} for one in played]
    before = [{"event": "release"}, {"event": "deal", "dealer": 1}]
    kinds = {}
    for told in (True, False):
        events = [opened | {"options": {"tell_sides": told}}, *before, *cards]
        kinds[told] = view(fold(map(decode, events))).kind
    assert kinds == {True: "still", False: "normal"}


@pytest.mark.parametrize("rules", BOOKS)
def test_all_is_told_once_the_game_is_over(rules: str) -> None:
    round = fold(map(decode, simulate(rules, 5, games=1, mistakes=0)))
    shown = view(round)
    assert not round.running and shown.result is not None
    assert all(trick.points is not None for trick in shown.result.tricks)
    assert shown.last_trick is None or shown.last_trick.points is not None
