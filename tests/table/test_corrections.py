"""Misread cards put right: as if they had been read so from the start."""

import random
import re
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS, EPPSTEIN
from kiosk.rules.engine.evolve import evolve
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.view.played_game import played_game

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}
DEAL = {"event": "deal", "dealer": 4}


def cards(*laid: str) -> list[dict[str, Any]]:
    """Cards as "1 CA"."""
    return [{"event": "card", "seat": int(one[0]), "card": one[2:]} for one in laid]


def on_table(round_: Round) -> list[tuple[int, str]]:
    assert round_.game is not None
    game = round_.game
    return [(laid.seat, laid.card) for trick in game.tricks for laid in trick.cards] + [
        (laid.seat, laid.card) for laid in game.open_trick
    ]


def start(*laid: str) -> Round:
    return fold(map(decode, [OPEN, DEAL, *cards(*laid)]))  # the cards are events 2, 3, …


def test_another_card() -> None:
    """The winner changes, and with him whose turn it is."""
    round_ = start("1 CA", "2 CT", "3 CK", "4 C9", "1 SA")
    assert round_.game is not None and not round_.game.offences
    changed = round_.apply(decode({"event": "correct", "of": 3, "card": "CJ", "by": "seat 2", "why": "a jack"}))
    assert changed.game is not None
    assert changed.game.tricks[0].winner == 2
    assert [(o.code, o.seat, o.event) for o in changed.game.offences] == [("out_of_turn", 1, 6)]
    assert changed.events == 8
    assert round_.game.tricks[0].winner == 1  # the value before is untouched


def test_the_later_correction_counts() -> None:
    round_ = start("1 CA", "2 CT")
    for card in ("CJ", "CK"):
        round_ = round_.apply(decode({"event": "correct", "of": 3, "card": card}))
    assert on_table(round_) == [(1, "CA"), (2, "CK")]


def test_phantom() -> None:
    round_ = start("1 CA", "2 CT", "3 CK").apply(decode({"event": "correct", "of": 4, "card": None, "by": "camera"}))
    assert on_table(round_) == [(1, "CA"), (2, "CT")]
    assert round_.game is not None and round_.game.turn == 3


def test_another_seat() -> None:
    round_ = start("1 CA", "3 CK").apply(decode({"event": "correct", "of": 3, "card": "CK", "seat": 2}))
    assert on_table(round_) == [(1, "CA"), (2, "CK")]
    assert round_.game is not None and not round_.game.offences


def test_inserted() -> None:
    round_ = start("1 CA", "3 CK", "4 C9")
    round_ = round_.apply(decode({"event": "correct", "after": 2, "seat": 2, "card": "CT", "by": "referee"}))
    assert on_table(round_) == [(1, "CA"), (2, "CT"), (3, "CK"), (4, "C9")]
    assert round_.game is not None and not round_.game.offences
    assert [laid.event for laid in round_.game.tricks[0].cards] == [2, 5, 3, 4]
    again = round_.apply(decode({"event": "correct", "of": 5, "card": "C9"}))
    assert on_table(again)[1] == (2, "C9")


@pytest.mark.parametrize(
    ("laid", "inserted"),
    [
        pytest.param(["1 CA", "4 C9"], [(2, "2 CT"), (4, "3 CK")], id="both before one that was seen"),
        pytest.param(["1 CA"], [(2, "2 CT"), (2, "4 C9"), (3, "3 CK")], id="between two that were inserted"),
    ],
)
def test_a_card_is_inserted_after_one_that_was_inserted(laid: list[str], inserted: list[tuple[int, str]]) -> None:
    round_ = start(*laid)
    for after, one in inserted:
        round_ = round_.apply(decode({"event": "correct", "after": after, "seat": int(one[0]), "card": one[2:]}))
    assert on_table(round_) == [(1, "CA"), (2, "CT"), (3, "CK"), (4, "C9")]
    assert round_.game is not None and not round_.game.offences
    shown = played_game(round_, 1, whole=True)
    assert shown is not None
    assert [card.card for trick in shown.tricks for card in trick.cards] == ["CA", "CT", "CK", "C9"]
    (number,) = [card.event for trick in round_.game.tricks for card in trick.cards if card.seat == 3]
    again = round_.apply(decode({"event": "correct", "of": number, "card": "C9"}))
    assert on_table(again)[2] == (3, "C9")


def test_doubt_is_settled_even_by_the_same_card() -> None:
    doubtful = {"event": "card", "seat": 2, "card": "CT", "doubt": ["CT", "C9"]}
    round_ = fold(map(decode, [OPEN, DEAL, *cards("1 CA"), doubtful]))
    assert [(doubt.event, doubt.choices, doubt.game, doubt.trick) for doubt in round_.doubts] == [
        (3, ("CT", "C9"), 1, 1)
    ]
    assert round_.apply(decode({"event": "correct", "of": 3, "card": "CT", "by": "composition"})).doubts == ()


def test_proof_goes_by_the_corrected_card() -> None:
    """A revoke that was a misread is none; a card taken back stays taken back under its corrected name."""
    round_ = start("1 CA", "2 SA", "3 CK", "4 C9", "1 SK", "2 CT")
    assert round_.game is not None
    assert [(o.code, o.event, o.proved) for o in round_.game.offences] == [("revoke", 3, 7)]
    fixed = round_.apply(decode({"event": "correct", "of": 3, "card": "C9"}))
    assert fixed.game is not None
    # Seat 2 followed with C9 and now throws a club on spades, which nothing proves unlawful.
    assert not fixed.game.offences
    taken = start("1 CA", "2 SA").apply(decode({"event": "retract", "seat": 2, "card": "SA"}))
    again = taken.apply(decode({"event": "correct", "of": 3, "card": "ST"}))
    assert again.game is not None
    assert again.game.shown[2] == ("ST",) and on_table(again) == [(1, "CA")]


def test_of_an_earlier_game() -> None:
    """The row of that game changes, the game in play goes on."""
    half = sorted(set(EPPSTEIN.deck))
    hands = {seat: half[(seat - 1) * 6 : seat * 6] * 2 for seat in (1, 2, 3, 4)}  # not lawful play, but play
    round_ = fold(map(decode, [OPEN, DEAL]))
    while round_.running:
        assert round_.game is not None and round_.game.turn is not None
        seat = round_.game.turn
        round_ = round_.apply(decode({"event": "card", "seat": seat, "card": hands[seat].pop()}))
    before = round_.games[0].result
    round_ = round_.apply(decode({"event": "deal", "dealer": 1}))
    trick = round_.games[0].tricks[3]
    winning = next(laid for laid in trick.cards if laid.seat == trick.winner)
    other = "D9" if winning.card != "D9" else "C9"
    changed = round_.apply(decode({"event": "correct", "of": winning.event, "card": other, "by": "referee"}))
    assert changed.games[0].result != before
    assert changed.running and changed.game is not None and changed.game.number == 2
    assert fold([event for _, event in changed.log]) == changed


@pytest.mark.parametrize(
    ("event", "says"),
    [
        pytest.param({"of": 1, "card": "CA"}, "no card", id="of a deal"),
        pytest.param({"of": 9, "card": "CA"}, "no card", id="of nothing"),
        pytest.param({"of": 2, "card": "C8"}, "'C8'", id="unknown card"),
        pytest.param({"of": 2, "card": "CA", "seat": 5}, "seat 5", id="unknown seat"),
        pytest.param({"card": "CA"}, "either", id="neither of nor after"),
        pytest.param({"of": 2, "after": 2, "card": "CA"}, "either", id="both of and after"),
        pytest.param({"after": 2, "card": "CA"}, "needs its seat", id="insertion without a seat"),
        pytest.param({"after": 2, "seat": 2, "card": None}, "needs its seat", id="insertion without a card"),
        pytest.param({"after": 40, "seat": 2, "card": "CA"}, "no event 40", id="after the future"),
        pytest.param({"of": 3, "card": "CT", "seat": 1}, "event 3 cannot stand", id="a second card of a seat"),
        pytest.param({"of": 2, "card": "CA", "by": "seat 9"}, "'by'", id="by nobody"),
    ],
)
def test_refused(event: dict[str, Any], says: str) -> None:
    with pytest.raises(BadEvent, match=says):
        start("1 CA", "2 CT").apply(decode({"event": "correct", **event}))


def whose(state: Round, rng: random.Random) -> list[dict[str, Any]]:
    """That two cards came at once, one after the other in a trick, and that each was laid by the other's player."""
    tricks = [trick.cards for game in state.games_and_running for trick in game.tricks]
    if not tricks:
        return []
    cards, first = rng.choice(tricks[-3:]), rng.randrange(3)
    one, two = cards[first : first + 2]
    seats = {str(one.event): one.seat, str(two.event): two.seat}
    others = {str(one.event): two.seat, str(two.event): one.seat}
    asked = {"event": "correct", "seats": seats, "perhaps": others, "at_once": True, "by": "camera"}
    turns = [dict(zip(map(str, one), rng.sample([*one.values()], len(one)), strict=True)) for one in state.at_once]
    return [asked, *({"event": "correct", "seats": seats} for seats in turns)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("book", BOOKS)
def test_folding_from_the_nearest_trick_is_folding_from_the_start(book: str, seed: int) -> None:
    """Corrections upon corrections, of new cards and old ones, each against a fold of everything."""
    rng = random.Random(f"{book} {seed}")
    deck = sorted(set(BOOKS[book].deck))
    events = list(simulate(book, seed, 2, mistakes=0.05))
    state = fold(map(decode, events[: rng.randrange(30, len(events))]))
    stood = 0
    for _ in range(30):
        number = rng.choice([rng.randrange(state.events), max(0, state.events - rng.randrange(1, 12))])
        correction = rng.choice(
            [
                {"event": "correct", "of": number, "card": rng.choice([*deck, None])},
                {"event": "correct", "after": number, "seat": rng.randint(1, 4), "card": rng.choice(deck)},
                {"event": "correct", "seats": {str(number): rng.randint(1, 4)}},
                {"event": "correct", "of": number, "word": rng.choice([None, dict(state.log)[number].body])},
                *whose(state, rng),
            ]
        )
        try:
            near = state.apply(decode(correction))
        except BadEvent as error:
            with pytest.raises(BadEvent, match=re.escape(str(error))):
                evolve(state, leads=(), before=None).apply(decode(correction))
            continue
        assert near == evolve(state, leads=(), before=None).apply(decode(correction))
        state, stood = near, stood + 1
    assert stood and (state.order or seed)  # cards have changed their places at least in the first of each book
