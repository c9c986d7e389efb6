"""Properties over rounds played at random, lawful and not."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.rules.engine.cards import FRENCH_SUITS, deck
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold, open_round
from kiosk.table.scoresheet.spielliste import replay_data

pytestmark = pytest.mark.slow

DECK = deck(FRENCH_SUITS, "ATKQJ9", 2)


def random_round(  # noqa: C901 - a round needs every kind of event
    seed: int, games: int, unlawful: float, scans: float, talk: float = 0.06
) -> tuple[list[dict[str, Any]], list[Any]]:
    """Events of some games and, for each, its true revokes: cards that did not follow though they could."""
    rnd = random.Random(seed)
    players = rnd.choice([4, 5])
    events: list[dict[str, Any]] = [
        {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCDE")[:players]}
    ]
    state = open_round(decode(events[0]))
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
        cards = list(DECK)
        rnd.shuffle(cards)
        hands = {seat: sorted(cards[n * 12 : n * 12 + 12]) for n, seat in enumerate(game.seats)}
        dealt = {seat: list(hand) for seat, hand in hands.items()}
        for seat in game.seats:
            if rnd.random() < scans:
                do("hand", seat=seat, cards=dealt[seat])
        if rnd.random() < 0.4:
            name = rnd.choice(["hochzeit", "trumpfsolo", "damensolo", "bubensolo", "farbsolo", "fleischlos"])
            more = {"suit": rnd.choice("CSHD")} if name == "farbsolo" else {}
            do("declare", seat=rnd.choice(game.seats), game=name, duty=rnd.random() < 0.7, **more)
        revokes = []
        while state.running:
            game = state.game
            assert game is not None and game.turn is not None
            if rnd.random() < talk:
                call = rnd.choice(["re", "kontra", "keine90", "keine60", "keine30", "schwarz"])
                do("announce", seat=rnd.choice(game.seats), call=call, together=rnd.random() < 0.1)
            seat = game.turn if rnd.random() > unlawful / 3 else rnd.choice(game.seats)
            if any(laid.seat == seat for laid in game.open_trick) or len(hands[seat]) < 12 - len(game.tricks):
                seat = game.turn
            hand = hands[seat]
            classes = game.contract.classes
            led = classes[game.open_trick[0].card] if game.open_trick else None
            following = [card for card in hand if classes[card] == led]
            card = rnd.choice(hand if rnd.random() < unlawful or not following else following)
            hand.remove(card)
            event = do("card", seat=seat, card=card)
            if led and classes[card] != led and following:
                if rnd.random() < 0.3 and state.running:
                    do("retract", seat=seat, card=card)
                    hand.append(card)
                else:
                    revokes.append(event)
        truth.append(revokes)
    return events, truth


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 0.5]), st.sampled_from([0.0, 0.4, 1.0]))
def test_rounds(seed: int, unlawful: float, scans: float) -> None:
    events, truth = random_round(seed, 3, unlawful, scans)
    state = fold(map(decode, events))
    running = dict.fromkeys(state.seats, 0)
    for game, revokes in zip(state.games, truth, strict=True):
        result = game.result
        assert result is not None
        assert sum(result.points.values()) == 240
        found = {o.event: o for o in game.offences if o.code == "revoke"}
        assert sorted(found) == revokes  # all lawful cards are accepted, every revoke is found by the game's end
        assert all(o.event <= o.proved for o in found.values())
        if not unlawful:
            assert not [o for o in game.offences if o.code in ("revoke", "out_of_turn", "card_not_held")]
        if scans == 1.0:
            assert all(o.event == o.proved for o in found.values())
        assert set(result.re) <= set(game.seats) and 1 <= len(result.re) <= 2
        if result.value and result.won_by:
            winners = [seat for seat in game.seats if (seat in result.re) == (result.won_by == "re")]
            assert len({result.score[seat] for seat in winners}) == 1
        for seat, points in result.score.items():
            running[seat] += points
            assert points >= 0
    assert state.totals == running


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 10**6), st.data())
def test_cut_anywhere_replays_to_a_prefix(seed: int, data: st.DataObject) -> None:
    events, _ = random_round(seed, 2, 0.1, 0.3)
    states: list[Round] = [open_round(decode(events[0]))]
    for event in events[1:]:
        states.append(states[-1].apply(decode(event)))
    cut = data.draw(st.integers(1, len(events)))
    assert fold(map(decode, events[:cut])) == states[cut - 1]
    whole, part = replay_data(states[-1]), replay_data(states[cut - 1])
    ended = len(part) - 1
    assert part[:ended] == whole[:ended] or states[cut - 1].game is not None
    assert [game["tricks"] for game in part[:ended]] == [game["tricks"] for game in whole[:ended]]


@settings(deadline=None, max_examples=8)
@given(st.integers(0, 10**6), st.data())
def test_a_misread_put_right_is_as_if_never_read(seed: int, data: st.DataObject) -> None:
    events, _ = random_round(seed, 1, 0.05, 0.3)
    last = max(n for n, event in enumerate(events) if event["event"] == "card")
    numbers = [n for n, event in enumerate(events) if event["event"] == "card" and n != last]
    retracted = {(event["seat"], event["card"]) for event in events if event["event"] == "retract"}
    numbers = [n for n in numbers if (events[n]["seat"], events[n]["card"]) not in retracted]
    wrong = data.draw(st.sampled_from(numbers))
    read = {**events[wrong], "card": data.draw(st.sampled_from(sorted(set(DECK)))), "doubt": ["CA", "CT"]}
    when = data.draw(st.integers(wrong + 1, len(events)))
    correction = {"event": "correct", "of": wrong, "card": events[wrong]["card"], "by": "referee", "why": "misread"}
    changed = [*events[:wrong], read, *events[wrong + 1 :]]
    state = fold(map(decode, changed[:when])).apply(decode(correction))
    for event in changed[when:]:
        state = state.apply(decode(event))
    assert state.doubts == ()

    def facts(round_: Round) -> list[Any]:
        games = replay_data(round_)
        for printed in (*games[:-1], games[-1]["list"]):
            for offence in printed["offences"]:
                offence["event"] -= offence["event"] >= when
                offence["proved"] -= offence["proved"] >= when
        return games

    expected = replay_data(fold(map(decode, events)))
    got = facts(state)
    assert got == expected


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_round_is_folded_once(seed: int) -> None:
    """Sixteen games, about nine hundred events: the fold's work grows with the events, not with their square."""
    events, _ = random_round(seed, 2, 0.1, 0.2)
    state = fold(map(decode, events))
    assert state.events == len(events)
    assert [number for number, _ in state.log] == list(range(len(events)))
