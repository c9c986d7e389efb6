"""The called card (schaffkopf II 4.1.6, 4.1.7): what its holder may lay, and when a breach is certain."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.rules.engine.cards import deck
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round

DECK = deck("EGHS", "ATKOU987", 1)

# Seat 2 plays with the Eichel-As, which seat 3 holds; seat 2 leads trick 1 after dealer 1, seat 3 after dealer 2.
PARTNER = "EA ET GA G7 H7 S7 S8 EU"
CALLER = "E7 EO GO G8 HA HT S9 SK"


def rufspiel(play: Any, dealer: int = 1, partner: str = PARTNER, scan: bool = True, card: str = "EA") -> Any:
    play.deal_hands({2: CALLER, 3: partner}, dealer=dealer)
    if scan:
        play.scan()
    play.alone(2, "rufspiel", card=card)
    return play


def revokes(play: Any) -> list[tuple[int, int, int]]:
    return [(seat, event, proved) for code, seat, event, proved, _ in play.offences() if code == "revoke"]


class TestHolder:
    def test_section(self, schafkopf: Any) -> None:
        """II 4.2.5: all breaches around the called card are falsches Bedienen."""
        play = rufspiel(schafkopf())
        play.card(2, "E7")
        number = play.card(3, "ET")
        assert play.offences() == [("revoke", 3, number, number, "II 4.2.5")]

    @pytest.mark.parametrize(("card", "lawful"), [("EA", True), ("ET", False), ("S7", False), ("EU", False)])
    def test_must_play_it_when_its_suit_is_led(self, schafkopf: Any, card: str, lawful: bool) -> None:
        play = rufspiel(schafkopf())
        play.card(2, "E7")
        number = play.card(3, card)
        assert revokes(play) == ([] if lawful else [(3, number, number)])

    @pytest.mark.parametrize(
        ("doubt", "certain"),
        [(["ET", "S7"], True), (["ET", "EA"], False), (["S7", "S8"], True)],
        ids=["the wrong one or none of the suit", "the called one", "none of the suit"],
    )
    def test_a_card_in_doubt_that_breaks_one_rule_or_another(
        self, schafkopf: Any, doubt: list[str], certain: bool
    ) -> None:
        play = rufspiel(schafkopf())
        play.card(2, "E7")
        number = play.card(3, doubt[0], doubt=doubt)
        assert revokes(play) == ([(3, number, number)] if certain else [])

    def test_may_lead_it(self, schafkopf: Any) -> None:
        play = rufspiel(schafkopf(), dealer=2)
        play.card(3, "EA")
        assert revokes(play) == []

    @pytest.mark.parametrize(
        ("cards", "lawful"),
        [("EA ET EK E9", True), ("EA ET EK", False), ("EA ET", False), ("EA ET EK E9 E8", True)],
        ids=["four", "three", "two", "five"],
    )
    def test_davonlaufen(self, schafkopf: Any, cards: str, lawful: bool) -> None:
        """II 4.1.6: with four cards of the suit or more, the ace included."""
        play = rufspiel(schafkopf(), dealer=2, partner=cards + " H7 S7 S8")
        number = play.card(3, "ET")
        assert revokes(play) == ([] if lawful else [(3, number, number)])

    @pytest.mark.parametrize(("limit", "lawful"), [(3, True), (4, False)])
    def test_davonlaufen_option(self, schafkopf: Any, limit: int, lawful: bool) -> None:
        play = rufspiel(schafkopf(davonlaufen_ace=limit), dealer=2, partner="EA ET EK H7 S7 S8 G7")
        play.card(3, "ET")
        assert (revokes(play) == []) == lawful

    @pytest.mark.parametrize("card", ["H7", "S7", "GA", "EU"])
    def test_may_lead_any_other_card(self, schafkopf: Any, card: str) -> None:
        play = rufspiel(schafkopf(), dealer=2)
        play.card(3, card)
        assert revokes(play) == []

    def test_may_not_be_discarded(self, schafkopf: Any) -> None:
        """Certain at once, without any scan: he held it and laid it on another suit."""
        play = rufspiel(schafkopf(), partner="EA ET G9 GK G7 GT H7 H8", scan=False)
        play.card(2, "S9")
        number = play.card(3, "EA")
        assert revokes(play) == [(3, number, number)]

    @pytest.mark.parametrize(("scan", "taken_back"), [(True, True), (False, True)])
    def test_must_play_what_he_has_shown(self, schafkopf: Any, scan: bool, taken_back: bool) -> None:
        """He showed the ace and took it back: where it is is known."""
        play = rufspiel(schafkopf(), scan=scan)
        play.card(2, "E7")
        play.card(3, "EA")
        play.do("retract", seat=3, card="EA")
        number = play.card(3, "ET")
        assert revokes(play) == [(3, number, number)]

    def test_davonlaufen_counts_the_cards_in_hand(self, schafkopf: Any) -> None:
        """II 4.1.6, "in der Hand": what he has discarded of the suit before is not there any more."""
        for fourth, lawful in (("E8", True), ("S7", False)):
            play = schafkopf()
            play.deal_hands({2: "EO GA G8 G9 HT HK H9 H8", 3: f"EA ET EK E9 {fourth} HA GO SU"}, dealer=1)
            play.scan()
            play.alone(2, "rufspiel", card="EA")
            play.card(2, "GA")
            play.card(3, "E9")
            play.lay(2)
            for card in ("G8", "HA"):
                play.card(play.game.turn if card == "HA" else 2, card)
                while play.game.turn == 4 or play.game.turn == 1:
                    play.lay()
            number = play.card(3, "ET")
            assert revokes(play) == ([] if lawful else [(3, number, number)])

    @pytest.mark.parametrize("frees", [True, False])
    def test_davonlaufen_after_a_trick_of_another_suit(self, schafkopf: Any, frees: bool) -> None:
        """Four in hand when he leads, and free after it, whatever lay before."""
        play = schafkopf(unlawful_davonlaufen_frees=frees)
        play.deal_hands({2: "EO E7 E8 G8 S9 HA HT HK", 3: "EA ET E9 EK GA G7 H7 S7", 4: "GT", 1: "GK"}, dealer=1)
        play.scan()
        play.alone(2, "rufspiel", card="EA")
        for seat, card in ((2, "G8"), (3, "GA"), (4, "GT"), (1, "GK"), (3, "ET")):
            play.card(seat, card)
        assert revokes(play) == []
        play.lay(2)
        play.card(2, "EO")  # a revoke of seat 2, so that he leads
        play.card(2, "E7")
        play.card(3, "EK")
        assert not [one for one in revokes(play) if one[0] == 3]

    def test_with_two_cards_left_it_may_not_be_discarded(self, schafkopf: Any) -> None:
        """II 4.1.6: only as his last card."""
        play = schafkopf()
        play.deal_hands({2: "EO GO HO SO EU GU HU E7", 3: "EA G7 G8 G9 GK GT GA S7"}, dealer=1)
        play.scan()
        play.alone(2, "rufspiel", card="EA")
        for card in ("EO", "GO", "HO", "SO", "EU", "GU"):
            play.card(2, card)
            play.lay(3)
        play.card(2, "HU")
        number = play.card(3, "EA")
        assert revokes(play) == [(3, number, number)]

    def test_last_card(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: "S9 SK SA ST S8 S7 E7 HA", 3: "EA G7 G8 G9 GK GT GA H7", 4: "EK", 1: "ET"}, dealer=1)
        play.scan()
        play.alone(2, "rufspiel", card="EA")
        for card in ("S9", "SK", "SA", "ST", "S8", "S7", "HA"):
            while play.game.turn != 2:
                play.lay()
            play.card(2, card)
        play.finish()
        assert play.game.tricks[-1].card_of(3) == "EA"
        assert not [one for one in revokes(play) if one[0] == 3]


class TestAfterDavonlaufen:
    """D altogether: the card is free, also after an unlawful one."""

    THREE = "EA ET E9 EU GA G7 H7 S7"  # three and an Unter: unlawful in truth
    FOUR = "EA ET E9 EK GA G7 H7 S7"

    @pytest.mark.parametrize(
        ("options", "partner", "card", "lawful"),
        [
            pytest.param({}, FOUR, "ET", True, id="free: another card on its suit"),
            pytest.param({}, FOUR, "EA", True, id="free: it on its suit"),
            pytest.param({"after_davonlaufen": "lay_only"}, FOUR, "ET", False, id="lay_only: must still be played"),
            pytest.param({"unlawful_davonlaufen_frees": False}, FOUR, "ET", True, id="lawful frees"),
            pytest.param({}, THREE, "ET", True, id="unlawful frees"),
            pytest.param({"unlawful_davonlaufen_frees": False}, THREE, "ET", False, id="unlawful frees not"),
        ],
    )
    def test_when_led_by_another(
        self, schafkopf: Any, options: dict[str, Any], partner: str, card: str, lawful: bool
    ) -> None:
        play = schafkopf(**options)
        play.deal_hands({3: partner, 2: "EO E7 E8 SK S9 HA HT HK"}, dealer=2)
        play.scan()
        play.alone(2, "rufspiel", card="EA")
        play.card(3, "E9")
        play.lay(2)
        play.card(2, "EO")  # a revoke of seat 2, so that he leads
        play.card(2, "E7")
        number = play.card(3, card)
        assert ((3, number, number) in revokes(play)) != lawful

    @pytest.mark.parametrize(
        ("options", "lawful"),
        [({}, True), ({"after_davonlaufen": "lay_only"}, True), ({"unlawful_davonlaufen_frees": False}, True)],
    )
    def test_it_may_be_discarded(self, schafkopf: Any, options: dict[str, Any], lawful: bool) -> None:
        play = schafkopf(**options)
        play.deal_hands({3: "EA ET E9 EK GA G7 G8 G9", 2: "EO E7 SK S9 HA HT HK SU"}, dealer=2)
        play.scan()
        play.alone(2, "rufspiel", card="EA")
        play.card(3, "E9")
        play.lay(2)
        play.card(2, "EO")
        play.card(2, "S9")
        number = play.card(3, "EA")
        assert ((3, number, number) not in revokes(play)) == lawful


class TestMuss:
    """II 4.1.7: the ten as the ace; the king with three cards of the suit."""

    @pytest.mark.parametrize(
        ("called", "cards", "led", "lawful"),
        [
            ("ET", "ET EK E9 E8 G7 G8 S7 S8", "EK", True),
            ("ET", "ET EK E9 S9 G7 G8 S7 S8", "EK", False),
            ("EK", "EK E9 E8 S9 G7 G8 S7 S8", "E9", True),
            ("EK", "EK E9 S9 H9 G7 G8 S7 S8", "E9", False),
        ],
    )
    def test_davonlaufen(self, schafkopf: Any, called: str, cards: str, led: str, lawful: bool) -> None:
        play = schafkopf()
        aces = "EO EA GA SA" + (" ET GT ST" if called == "EK" else "")
        play.deal_hands({2: aces, 3: cards}, dealer=2)
        play.scan()
        play.ask(*["weiter"] * 4)
        play.do("declare", seat=2, game="muss", card=called)
        number = play.card(3, led)
        assert revokes(play) == ([] if lawful else [(3, number, number)])

    def test_the_called_ten_must_be_played(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: "EO EA GA SA", 3: "ET E9 E8"}, dealer=1)
        play.scan()
        play.ask(*["weiter"] * 4)
        play.do("declare", seat=2, game="muss", card="ET")
        play.card(2, "EA")
        number = play.card(3, "E9")
        assert revokes(play) == [(3, number, number)]
        play.finish()
        assert play.game.result.re == (2, 3)


class TestUnscanned:
    def test_proved_when_the_ace_is_shown(self, schafkopf: Any) -> None:
        play = rufspiel(schafkopf(), scan=False)
        play.card(2, "E7")
        number = play.card(3, "ET")
        assert revokes(play) == []
        play.lay(2)
        shown = None
        while shown is None:
            seat = play.game.turn
            if seat == 3:
                shown = play.card(3, "EA")
            else:
                play.lay()
        assert (3, number, shown) in revokes(play)
        play.lay(2)
        assert revokes(play) == [(3, number, shown)]  # once

    def test_only_what_lies_is_proved(self, schafkopf: Any) -> None:
        """Another's card taken back between leaves the breach, his own taken back undoes it."""
        for own in (False, True):
            play = rufspiel(schafkopf(), scan=False)
            play.card(2, "E7")
            number = play.card(3, "ET")
            if own:
                play.do("retract", seat=3, card="ET")
                play.card(3, "EA")
                assert revokes(play) == []
            else:
                play.hands[4] = ["G9"]
                play.card(4, "G9")
                play.do("retract", seat=4, card="G9")
                play.card(4, "H9")
                shown = play.do("claim", seat=3, kind="concede", order=["EA"])
                assert revokes(play) == [(3, number, shown)]

    def test_davonlaufen_proved_by_counting(self, schafkopf: Any) -> None:
        """The others show so many of the suit that he cannot have had four."""
        play = schafkopf()
        play.deal_hands({3: "EA ET G7 H7 S7 S8 S9 SK", 4: "EK HA", 1: "E9 HT", 2: "E8 E7 HK"}, dealer=2)
        play.alone(2, "rufspiel", card="EA")
        number = play.card(3, "ET")
        for seat, card in ((4, "EK"), (1, "E9"), (2, "E8")):
            play.card(seat, card)
        assert revokes(play) == []  # where the ace is nobody knows
        lead = play.card(3, "EA")
        assert revokes(play) == [(3, number, lead)]  # of A T K 9 8 7 he can hold A T 7 only

    def test_seen_with_another_nothing_remains(self, schafkopf: Any) -> None:
        play = rufspiel(schafkopf(), scan=False)
        play.card(2, "E7")
        play.card(3, "EA")
        play.finish()
        assert revokes(play) == []

    def test_a_card_taken_back_is_none(self, schafkopf: Any) -> None:
        play = rufspiel(schafkopf(), scan=True)
        play.card(2, "E7")
        play.card(3, "ET")
        play.do("retract", seat=3, card="ET")
        play.hands[3].append("ET")
        play.card(3, "EA")
        assert revokes(play) == []

    def test_a_run_taken_back_frees_nothing(self, schafkopf: Any) -> None:
        play = rufspiel(schafkopf(), dealer=2, partner="EA ET E9 EK GA G7 H7 S7")
        play.card(3, "ET")
        play.do("retract", seat=3, card="ET")
        play.hands[3].append("ET")
        play.card(3, "G7")
        while play.game.turn != 2:
            play.lay()
        play.card(2, "E7")
        if play.game.turn == 3:
            number = play.card(3, "ET")
            assert (3, number, number) in revokes(play)


# Against all placings


def lawful(hand: frozenset[str], plays: list[tuple[str | None, str]], called: str) -> list[bool]:
    """Whether each card a hand laid was lawful, read off the book: (card led, None if he led himself; card laid)."""
    suit = {called[0] + rank for rank in "ATK987"}
    trumps = {card for card in DECK if card[1] in "OU" or card[0] == "H"}
    held, free, verdicts = set(hand), False, []

    def group(card: str) -> set[str]:
        return trumps if card in trumps else {one for one in DECK if one[0] == card[0]} - trumps

    for led, card in plays:
        ok = True
        bound = called in held and not free
        if led is None:
            if bound and card in suit and card != called:
                ok = len(held & suit) >= (3 if called[1] == "K" else 4)
                free = True
        else:
            fitting = held & group(led)
            if fitting and card not in fitting:
                ok = False
            elif bound and group(led) == suit:
                ok = card == called
            elif bound and card == called:
                ok = len(held) == 1
        verdicts.append(ok)
        held.discard(card)
    return verdicts


def placings(unseen: list[str], sizes: list[tuple[int, int]]) -> Iterator[dict[int, frozenset[str]]]:
    if not sizes:
        yield {}
        return
    (seat, size), *rest = sizes
    for chosen in combinations(unseen, size):
        left = [card for card in unseen if card not in chosen]
        for others in placings(left, rest):
            yield {seat: frozenset(chosen), **others}


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["EA", "GT", "SK"]))
@pytest.mark.slow
def test_proofs_against_all_placings(seed: int, called: str) -> None:
    rnd = random.Random(seed)
    state: Round = open_round(decode({"event": "open", "format": 1, "rules": "schaffkopf", "players": list("ABCD")}))
    state = state.apply(decode({"event": "deal", "dealer": rnd.randrange(1, 5)}))
    cards = list(DECK)
    rnd.shuffle(cards)
    hands = {seat: cards[8 * seat - 8 : 8 * seat] for seat in (1, 2, 3, 4)}
    dealt = {seat: frozenset(hand) for seat, hand in hands.items()}
    scanned = rnd.sample((1, 2, 3, 4), rnd.choice([0, 1, 2]))
    for seat in scanned:
        state = state.apply(decode({"event": "hand", "seat": seat, "cards": sorted(dealt[seat])}))
    state = state.apply(decode({"event": "declare", "seat": rnd.randrange(1, 5), "game": "muss", "card": called}))
    plays: dict[int, list[tuple[str | None, str]]] = {seat: [] for seat in hands}
    events: dict[int, list[int]] = {seat: [] for seat in hands}
    certain: dict[int, int] = {}
    while state.running:
        game = state.game
        assert game is not None and game.turn is not None
        seat, led = game.turn, game.open_trick[0].card if game.open_trick else None
        classes = game.contract.classes
        fitting = [card for card in hands[seat] if led and classes[card] == classes[led]]
        card = rnd.choice(fitting if fitting and rnd.random() < 0.7 else hands[seat])
        hands[seat].remove(card)
        plays[seat].append((led, card))
        events[seat].append(state.events)
        number = state.events
        state = state.apply(decode({"event": "card", "seat": seat, "card": card}))
        known = {s: dealt[s] if s in scanned else frozenset(card for _, card in plays[s]) for s in hands}
        unseen = [card for card in DECK if not any(card in one for one in known.values())]
        if len(unseen) > (9 if len(scanned) == 2 else 7):
            continue
        ever: dict[int, bool] = {}
        for placing in placings(unseen, [(s, 8 - len(known[s])) for s in hands]):
            for s in hands:
                for event, ok in zip(events[s], lawful(known[s] | placing[s], plays[s], called), strict=True):
                    ever[event] = ever.get(event, False) or ok
        for event, possible in ever.items():
            if not possible:
                certain.setdefault(event, number)
        game = state.game
        assert game is not None
        found = {o.event: o.proved for o in game.offences if o.code == "revoke"}
        assert set(found) == set(certain)
        first = min(certain.values(), default=number)
        assert all(proved == certain[event] for event, proved in found.items() if certain[event] > first)
