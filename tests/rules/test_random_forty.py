"""Properties over games of the books with plus and minus, played at random, lawful and not."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.scoring import write_plus_minus
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold, open_round
from kiosk.table.scoresheet.spielliste import replay_data

pytestmark = pytest.mark.slow

NAMES = [name for name, book in BOOKS.items() if name != "eppstein" and not book.classes]  # test_random_games.py


def random_round(  # noqa: C901 - a round needs every kind of event
    name: str, seed: int, games: int, unlawful: float, scans: float, talk: float
) -> tuple[list[dict[str, Any]], list[list[int]]]:
    """Events of some games and, for each, its true revokes."""
    rnd = random.Random(f"{name} {seed}")
    book = BOOKS[name]
    players = rnd.choice(book.tables)
    opened = {"event": "open", "format": 1, "rules": name, "players": list("ABCDE")[:players]}
    events: list[dict[str, Any]] = [opened]
    state = open_round(decode(opened))
    truth = []

    def do(event: str, **keys: Any) -> int:
        nonlocal state
        made = {"event": event, **keys}
        state = state.apply(decode(made))
        events.append(made)
        return len(events) - 1

    for _ in range(games):
        do("deal", dealer=state.next_dealer)
        game = state.game
        assert game is not None
        cards, size = list(book.deck), book.hand_size
        rnd.shuffle(cards)
        hands = {seat: sorted(cards[n * size : n * size + size]) for n, seat in enumerate(game.seats)}
        for seat in game.seats:
            if rnd.random() < scans:
                do("hand", seat=seat, cards=list(hands[seat]))
        if rnd.random() < 0.5:
            kind = rnd.choice([kind for kind in book.kinds if not kind.ends_deal])
            more: dict[str, Any] = {"suit": rnd.choice(kind.suits)} if kind.suits else {}
            if kind.raises and rnd.random() < 0.4:
                more["raise"] = [rnd.choice(kind.raises)]
            do("declare", seat=rnd.choice(game.seats), game=kind.game, **more)
        revokes = []
        while state.running:
            game = state.game
            assert game is not None and game.turn is not None
            if rnd.random() < talk:
                do("announce", seat=rnd.choice(game.seats), call=rnd.choice(book.calls.words))
            seat = game.turn if rnd.random() > unlawful / 3 else rnd.choice(game.seats)
            if any(laid.seat == seat for laid in game.open_trick) or len(hands[seat]) < size - len(game.tricks):
                seat = game.turn
            classes = game.contract.classes
            led = classes[game.open_trick[0].card] if game.open_trick else None
            following = [card for card in hands[seat] if classes[card] == led]
            card = rnd.choice(hands[seat] if rnd.random() < unlawful or not following else following)
            hands[seat].remove(card)
            event = do("card", seat=seat, card=card)
            if led and classes[card] != led and following:
                try:
                    if rnd.random() < 0.3 and state.running:
                        do("retract", seat=seat, card=card)
                        hands[seat].append(card)
                        continue
                except BadEvent:
                    pass
                revokes.append(event)
        truth.append(revokes)
    return events, truth


@settings(deadline=None, max_examples=8)
@given(
    st.integers(0, 10**6),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.sampled_from([0.0, 0.4, 1.0]),
    st.sampled_from([0.02, 0.2]),
)
@pytest.mark.parametrize("name", NAMES)
def test_rounds(name: str, seed: int, unlawful: float, scans: float, talk: float) -> None:
    events, truth = random_round(name, seed, 3, unlawful, scans, talk)
    state = fold(map(decode, events))
    totals = dict.fromkeys(state.seats, 0)
    for game, revokes in zip(state.games, truth, strict=True):
        result = game.result
        assert result is not None and sum(result.points.values()) == 240
        found = {o.event: o for o in game.offences if o.code == "revoke"}
        assert sorted(found) == revokes
        assert all(o.event <= o.proved for o in found.values())
        if scans == 1.0:
            assert all(o.event == o.proved for o in found.values())
        if BOOKS[name].write is write_plus_minus:
            assert sum(result.score.values()) == 0
            parities = {points % 2 for points in result.score.values()}
            assert len(parities) == 1
        elif result.won_by is None:
            assert set(result.score.values()) == {0} and result.value == ()
        assert 1 <= len(result.re) <= 2
        missed = Counter(o.code for o in game.offences)["missed_duty"]
        assert missed <= (0 if name == "schnittchen" else 1)
        for seat, points in result.score.items():
            totals[seat] += points
    assert state.totals == totals


@settings(deadline=None, max_examples=3)
@given(st.integers(0, 10**6), st.data())
@pytest.mark.parametrize("name", NAMES)
def test_cut_anywhere_replays_to_a_prefix(name: str, seed: int, data: st.DataObject) -> None:
    events, _ = random_round(name, seed, 2, 0.1, 0.3, 0.1)
    states: list[Round] = [open_round(decode(events[0]))]
    for event in events[1:]:
        states.append(states[-1].apply(decode(event)))
    cut = data.draw(st.integers(1, len(events)))
    assert fold(map(decode, events[:cut])) == states[cut - 1]
    whole, part = replay_data(states[-1]), replay_data(states[cut - 1])
    assert [game["tricks"] for game in part[:-1]] == [game["tricks"] for game in whole[: len(part) - 1]]


def test_what_any_event_does() -> None:
    """An event is applied or refused with BadEvent, in any book."""
    rnd = random.Random(7)
    for name in NAMES:
        events, _ = random_round(name, 3, 2, 0.1, 0.3, 0.1)
        state = fold(map(decode, events[: len(events) // 2]))
        refused = 0
        for _ in range(150):
            event = {**rnd.choice(events[1:]), "seat": rnd.randrange(1, 6)}
            event = rnd.choice(
                [
                    event,
                    {
                        "event": "rule",
                        "offender": rnd.choice([None, 1, 2]),
                        "class": rnd.choice(["none", "minor", "serious", "decided", "custom"]),
                        "resume": rnd.random() < 0.5,
                    },
                    {"event": "claim", "seat": rnd.randrange(1, 5), "kind": "concede"},
                    {"event": "declare", "seat": rnd.randrange(1, 5), "game": rnd.choice(["wenz", "trumpfsolo"])},
                    {"event": "announce", "seat": rnd.randrange(1, 5), "call": "bock", "side": "re"},
                    {"event": "strike", "game": 1, "replay": rnd.random() < 0.5},
                ]
            )
            try:
                state = state.apply(decode(event))
            except BadEvent as error:
                refused += 1
                assert str(error)
                continue
            last = replay_data(state)[-1]["list"]
            assert last["total"] == {str(seat): points for seat, points in state.totals.items()}
        assert 0 < refused < 150
        assert fold([event for _, event in state.log]) == state
