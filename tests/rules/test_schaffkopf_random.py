"""Properties over rounds of Schafkopf played at random, lawful and not."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.errors import BadEvent
from kiosk.rules.engine.cards import deck
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold, open_round
from kiosk.table.scoresheet.spielliste import list_data, replay_data, text

pytestmark = pytest.mark.slow

DECK = deck("EGHS", "ATKOU987", 1)
CLASSES = ("rufspiel", "wenz", "solo", "wenz-tout", "solo-tout", "sie")
CALLABLE = [suit + rank for rank in "ATK" for suit in "EGS"]


class Table:
    """Events of a round, with what really happened in the hands."""

    def __init__(self, seed: int) -> None:
        self.rnd = random.Random(seed)
        opened = {"event": "open", "format": 1, "rules": "schaffkopf", "players": list("ABCD")}
        self.events: list[dict[str, Any]] = [opened]
        self.round: Round = open_round(decode(opened))
        self.revokes: list[list[int]] = []  # of each game, cards that did not follow though they could
        self.unlawful: list[list[int]] = []  # of each game, those and breaches of the called card

    def do(self, event: str, **keys: Any) -> int:
        made = {"event": event, **keys}
        self.round = self.round.apply(decode(made))
        self.events.append(made)
        return len(self.events) - 1

    def find(self) -> None:
        """Asking, bids, a game named; sometimes nonsense."""
        game, rnd = self.round.game, self.rnd
        assert game is not None
        if rnd.random() < 0.9:
            wanting = [seat for seat in game.seats if rnd.random() < 0.35]
            for seat in game.seats:
                some = any(s in wanting for s in game.seats[: game.seats.index(seat)])
                word = ("auch" if some else "spielen") if seat in wanting else ("recht" if some else "weiter")
                self.do("call", seat=seat, call=word)
            for seat in wanting if len(wanting) > 1 else ():
                self.do("bid", seat=seat, **{"class": rnd.choice([*CLASSES, None])})
        if rnd.random() < 0.1:
            self.do("leave", seat=rnd.choice(game.seats), granted=rnd.random() < 0.7)
        name = rnd.choice(
            [*CLASSES[:5], "rufspiel", "rufspiel", "muss", "muss"] + (["sie"] if rnd.random() < 0.1 else [])
        )
        keys: dict[str, Any] = {}
        if name in ("solo", "solo-tout"):
            keys["suit"] = rnd.choice("EGHS")
        if name in ("rufspiel", "muss"):
            keys["card"] = rnd.choice(CALLABLE[: 3 if name == "rufspiel" else None])
            keys["renonce"] = rnd.random() < 0.2
        self.do("declare", seat=rnd.choice(game.seats), game=name, **keys)

    def game(self, unlawful: float, scans: float) -> None:  # noqa: C901 - a round needs every kind of event
        rnd = self.rnd
        self.do("deal", dealer=self.round.next_dealer)
        cards = list(DECK)
        rnd.shuffle(cards)
        hands = {seat: cards[8 * seat - 8 : 8 * seat] for seat in (1, 2, 3, 4)}
        for seat in hands:
            if rnd.random() < scans:
                self.do("hand", seat=seat, cards=list(hands[seat]))
        self.find()
        broken: list[int] = []
        special: list[int] = []
        free: set[int] = set()
        while self.round.running:
            game = self.round.game
            assert game is not None and game.turn is not None
            seat, called = game.turn, game.contract.re_card
            hand, classes = hands[seat], game.contract.classes
            led = classes[game.open_trick[0].card] if game.open_trick else None
            following = [card for card in hand if classes[card] == led]
            card = rnd.choice(hand if rnd.random() < unlawful or not following else following)
            wrong = bool(following) and card not in following
            special_wrong = False
            if called in hand and seat not in free and not wrong:
                of_suit = [one for one in hand if classes[one] == called[0]]
                if led is None and card in of_suit and card != called:
                    special_wrong = len(of_suit) < (3 if called[1] == "K" else 4)
                elif led == called[0]:
                    special_wrong = card != called
                elif led is not None and card == called:
                    special_wrong = len(hand) > 1
            if special_wrong and not unlawful:
                others = [one for one in following or hand if one != card]
                card = called if led == called[0] or not others else rnd.choice(others)
                if led is None:
                    card = called
                special_wrong = False
            if called in hand and led is None and classes[card] == called[0] and card != called:
                free.add(seat)
            hand.remove(card)
            number = self.do("card", seat=seat, card=card)
            broken += [number] * wrong
            special += [number] * special_wrong
        self.revokes.append(broken)
        self.unlawful.append(sorted(broken + special))


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 0.5]), st.sampled_from([0.0, 0.4, 1.0]))
def test_rounds(seed: int, unlawful: float, scans: float) -> None:
    table = Table(seed)
    for _ in range(4):
        table.game(unlawful, scans)
    state = table.round
    running = dict.fromkeys(state.seats, 0)
    for game, broken in zip(state.games, table.unlawful, strict=True):
        result = game.result
        assert result is not None
        assert sum(result.points.values()) == 120 and sum(result.score.values()) == 0
        found = {o.event: o for o in game.offences if o.code == "revoke"}
        assert sorted(found) == broken  # every lawful card is accepted, every other one certain by the game's end
        assert all(o.event <= o.proved for o in found.values())
        if scans == 1.0:
            assert all(o.event == o.proved for o in found.values())
        assert set(result.re) <= set(game.seats) and 1 <= len(result.re) <= 2
        winners = [seat for seat in game.seats if (seat in result.re) == (result.won_by == "re")]
        assert all((result.score[seat] > 0) == (seat in winners) for seat in game.seats)
        if not state.is_struck(game):
            running = {seat: running[seat] + result.score[seat] for seat in running}
    assert state.totals == running and sum(running.values()) == 0
    data = list_data(state)
    assert data["checks"][0]["ok"] and data["results"] == [running[seat] for seat in (1, 2, 3, 4)]
    assert fold(map(decode, table.events)) == state


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 10**6), st.data())
def test_cut_anywhere_replays_to_a_prefix(seed: int, data: st.DataObject) -> None:
    table = Table(seed)
    for _ in range(3):
        table.game(0.2, 0.3)
    cut = data.draw(st.integers(1, len(table.events)))
    part, whole = replay_data(fold(map(decode, table.events[:cut]))), replay_data(table.round)
    ended = len(part) - 1
    assert part[:ended] == whole[:ended]


@pytest.mark.parametrize("seed", range(8))
def test_anything(seed: int) -> None:
    """An event is applied or refused with BadEvent; the round is the fold of what was applied."""
    table = Table(seed)
    rnd = table.rnd
    table.game(0.2, 0.3)
    table.do("deal", dealer=rnd.randrange(1, 5))
    refused = 0
    for _ in range(120):
        seat, card = rnd.randrange(0, 6), rnd.choice([*DECK, "XX"])
        event = rnd.choice(
            [
                {"event": "call", "seat": seat, "call": rnd.choice(["weiter", "spielen", "auch", "gesund"])},
                {"event": "bid", "seat": seat, "class": rnd.choice([*CLASSES, None, "muss"])},
                {"event": "leave", "seat": seat, "granted": rnd.random() < 0.5},
                {"event": "declare", "seat": seat, "game": rnd.choice([*CLASSES, "muss"]), "card": "EA", "suit": "S"},
                {"event": "hand", "seat": seat, "cards": rnd.sample(DECK, 8)},
                {"event": "card", "seat": seat, "card": card},
                {"event": "card", "seat": seat, "card": card},
                {"event": "card", "seat": seat, "card": card},
                {"event": "retract", "seat": seat, "card": card},
                {"event": "claim", "seat": seat, "kind": rnd.choice(["rest", "concede"]), "order": [card]},
                {"event": "object", "seat": seat, "code": "revoke", "breach": rnd.randrange(len(table.events))},
                {
                    "event": "rule",
                    "offender": rnd.choice([None, 1, 2, 3, 4]),
                    "class": rnd.choice(["none", "minor", "serious", "decided", "custom"]),
                    "resume": rnd.random() < 0.5,
                },
                {"event": "void"},
                {"event": "deal", "dealer": seat},
                {"event": "strike", "game": rnd.randrange(4), "replay": rnd.random() < 0.5},
                {"event": "correct", "of": rnd.randrange(len(table.events)), "card": card},
            ]
        )
        try:
            table.do(**event)
        except BadEvent as error:
            refused += 1
            assert str(error)
            continue
        assert replay_data(table.round)[-1]["list"]["total"] == {str(s): p for s, p in table.round.totals.items()}
        assert text(table.round)
        game = table.round.game
        if game is not None:
            assert set(game.known_sides) <= set(game.seats)
            assert game.phase in ("asking", "bidding", "declaring", "playing", "resting", "scored")
    assert 0 < refused < 120
    assert fold(map(decode, table.events)) == table.round
