"""The proof is exact: against every placing of the unseen cards, on small decks."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.rules.books import EPPSTEIN
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import contract as make
from kiosk.rules.engine.proof import Knowledge, Move, know, re_placings, revokes

pytestmark = pytest.mark.slow

SMALL = ("HT", "HT", "CQ", "CQ", "DA", "DJ", "CA", "CA", "C9", "SA", "S9", "HA")
SEATS = (1, 2, 3, 4)
HAND = 3


def placings(
    deck: Sequence[Card], hand_size: int, known: dict[int, Sequence[Card]]
) -> Iterator[dict[int, tuple[Card, ...]]]:
    """Every way to fill the hands with the unseen cards."""
    rest = Counter(deck)
    for cards in known.values():
        rest.subtract(cards)
    unseen = sorted(rest.elements())

    def fill(seats: Sequence[int], cards: list[Card]) -> Iterator[dict[int, tuple[Card, ...]]]:
        if not seats:
            if not cards:
                yield {}
            return
        seat, *others = seats
        for chosen in set(itertools.combinations(cards, hand_size - len(known[seat]))):
            left = list(cards)
            for card in chosen:
                left.remove(card)
            for more in fill(others, left):
                yield {seat: (*known[seat], *chosen), **more}

    yield from fill(sorted(known), unseen)


@st.composite
def endings(draw: st.DrawFn) -> tuple[dict[int, list[Card]], dict[int, int], set[int]]:
    """Dealt hands, how many cards each seat has shown, which hands were scanned."""
    cards = draw(st.permutations(SMALL))
    hands = {seat: list(cards[n * HAND : (n + 1) * HAND]) for n, seat in enumerate(SEATS)}
    shown = {seat: draw(st.integers(1, HAND)) for seat in SEATS}
    scanned = draw(st.sets(st.sampled_from(SEATS), max_size=2))
    return hands, shown, scanned


@settings(deadline=None, max_examples=150)
@given(endings(), st.sampled_from(SEATS), st.sampled_from(["trump", "C", "S", "H"]), st.integers(0, 2))
def test_revoke_is_exact(ending: Any, seat: int, led: str, before: int) -> None:
    hands, numbers, scanned = ending
    normal = EPPSTEIN.normal
    contract = make("normal", suit=None, solo=False, re_card="CQ", trumps=normal.trumps, plain_ranks="ATK9", deck=SMALL)
    shown = {s: tuple(hands[s][: numbers[s]]) for s in SEATS}
    laid = shown[seat][:before]
    move = Move(event=9, seat=seat, led=led, laid_before=sum(contract.classes[c] == led for c in laid))
    known = {s: hands[s] if s in scanned else shown[s] for s in SEATS}

    def lawful(hand: Sequence[Card]) -> bool:
        left = Counter(hand)
        left.subtract(laid)
        return not any(contract.classes[card] == led for card in left.elements())

    possible = any(lawful(placing[seat]) for placing in placings(SMALL, HAND, known))
    knowledge = know(SMALL, HAND, shown, {s: tuple(hands[s]) for s in scanned})
    assert (revokes(knowledge, contract, [move]) == [move]) == (not possible)


@settings(deadline=None, max_examples=100)
@given(endings())
def test_sides_are_exact(ending: Any) -> None:
    hands, numbers, scanned = ending
    shown = {s: tuple(hands[s][: numbers[s]]) for s in SEATS}
    known = {s: hands[s] if s in scanned else shown[s] for s in SEATS}
    knowledge = know(SMALL, HAND, shown, {s: tuple(hands[s]) for s in scanned})
    expected = {frozenset(s for s in SEATS if "CQ" in placing[s]) for placing in placings(SMALL, HAND, known)}
    assert set(re_placings(knowledge, "CQ")) == expected


@settings(deadline=None, max_examples=100)
@given(endings(), st.sampled_from(SEATS), st.sampled_from(["trump", "C", "9", "CQ"]))
def test_room_is_exact(ending: Any, seat: int, what: str) -> None:
    hands, numbers, scanned = ending
    classes = EPPSTEIN.normal.classes
    wanted = {
        "trump": lambda card: classes[card] == "trump",
        "C": lambda card: classes[card] == "C",
        "9": lambda card: card[1] == "9",
        "CQ": lambda card: card == "CQ",
    }[what]
    shown = {s: tuple(hands[s][: numbers[s]]) for s in SEATS}
    known = {s: hands[s] if s in scanned else shown[s] for s in SEATS}
    knowledge = know(SMALL, HAND, shown, {s: tuple(hands[s]) for s in scanned})
    counts = [sum(map(wanted, placing[seat])) for placing in placings(SMALL, HAND, known)]
    assert knowledge.room(seat, wanted) == (min(counts), max(counts))
    assert knowledge.fewest(seat, frozenset(filter(wanted, SMALL))) == min(counts)


@settings(deadline=None, max_examples=60)
@given(endings(), st.sampled_from(SEATS), st.sets(st.sampled_from(SMALL), max_size=3), st.sets(st.sampled_from(SMALL)))
def test_what_a_hand_can_hold_is_exact(ending: Any, seat: int, held: set[Card], lacking: set[Card]) -> None:
    hands, numbers, scanned = ending
    shown = {s: tuple(hands[s][: numbers[s]]) for s in SEATS}
    known = {s: hands[s] if s in scanned else shown[s] for s in SEATS}
    knowledge = know(SMALL, HAND, shown, {s: tuple(hands[s]) for s in scanned})
    could = [placing[seat] for placing in placings(SMALL, HAND, known)]
    possible = any(held <= set(hand) and not lacking & set(hand) for hand in could)
    assert knowledge.fits(seat, held, lacking) == possible
    for card in set(SMALL):
        assert knowledge.holds(seat, card) == all(card in hand for hand in could)


@settings(deadline=None, max_examples=40)
@given(st.permutations(SMALL), st.sets(st.sampled_from(SEATS), max_size=2), st.booleans())
def test_knowledge_grows_card_by_card(cards: list[Card], scanned: set[int], misread: bool) -> None:
    """Kept up with each card it is what it would be if counted anew; a card too many is in no hand."""
    hands = {seat: tuple(cards[n * HAND : (n + 1) * HAND]) for n, seat in enumerate(SEATS)}
    if misread:
        hands[2] = (hands[1][0], hands[1][0], hands[1][0])
    scans = {seat: hands[seat] for seat in scanned}
    shown: dict[int, tuple[Card, ...]] = dict.fromkeys(SEATS, ())
    knowledge = know(SMALL, HAND, shown, scans)
    for place in range(HAND):
        for seat in SEATS:
            shown[seat] = hands[seat][: place + 1]
            if seat not in scanned:
                knowledge = knowledge.after(seat, hands[seat][place])
                assert knowledge == know(SMALL, HAND, shown, scans)


def test_nobody_holds_a_card_that_all_have_seen() -> None:
    """A scan of too many cards is used as it is: the others' hands are larger than what is left for them."""
    shown = dict.fromkeys(SEATS, ())
    knowledge = know(SMALL, HAND, shown, {1: ("HT", "HT", "CQ", "CQ", "DA", "DJ", "CA")})
    assert not knowledge.holds(2, "HT")
    assert sum(knowledge.sizes.values()) > knowledge.left


@pytest.mark.parametrize(
    ("shown", "sets"),
    [
        pytest.param({1: "HT HT", 2: "", 3: "", 4: ""}, "12 13 14 2 23 24 3 34 4", id="room for one CQ at seat 1"),
        pytest.param({1: "HT HT DA", 2: "", 3: "", 4: ""}, "2 23 24 3 34 4", id="no room at seat 1"),
        pytest.param({1: "HT HT DA", 2: "DJ CA CA", 3: "C9", 4: "SA S9"}, "3 34", id="seat 3 has one or both"),
        pytest.param({1: "HT CQ DA", 2: "", 3: "", 4: ""}, "12 13 14", id="one located"),
        pytest.param({1: "HT CQ CQ", 2: "", 3: "", 4: ""}, "1", id="both located"),
        pytest.param({1: "CQ HT HT", 2: "DA DJ CA", 3: "CA C9 SA", 4: "S9 HA HA"}, "1", id="a misread: no room left"),
        pytest.param({1: "HA HT HT", 2: "DA DJ CA", 3: "CA C9 SA", 4: "S9 HA HA"}, "", id="a misread: none located"),
    ],
)
def test_sides_left_open(shown: dict[int, str], sets: str) -> None:
    """All that can have been dealt a Kreuz Dame, in order."""
    knowledge = know(SMALL, HAND, {seat: tuple(cards.split()) for seat, cards in shown.items()}, {})
    assert [" ".join(map(str, sorted(one))) for one in re_placings(knowledge, "CQ")] == [
        " ".join(one) for one in (sets.split() or [""])
    ]


@pytest.mark.parametrize(
    ("unseen", "sizes", "expected"),
    [
        pytest.param({"CQ": 1}, {3: 1}, [{1, 3}], id="only one hand has room"),
        pytest.param({"CQ": 1, "DA": 1}, {3: 1}, [{1}, {1, 3}], id="a card was misread, perhaps this one"),
        pytest.param({"CQ": 1, "DA": 1}, {}, [{1}], id="all cards lie, one was this one"),
        pytest.param({"CQ": 2}, {3: 1, 4: 1}, [{1, 3, 4}], id="two for two"),
        pytest.param({"CQ": 2, "DA": 1}, {3: 1, 4: 1}, [{1, 3}, {1, 3, 4}, {1, 4}], id="one of two misread"),
        pytest.param({"CQ": 2, "DA": 1}, {3: 1}, [{1}, {1, 3}], id="both misread"),
    ],
)
def test_a_card_that_was_misread_is_forced_into_no_hand(
    unseen: dict[str, int], sizes: dict[int, int], expected: list[set[int]]
) -> None:
    knowledge = Knowledge(
        shown={1: ("CQ",), 2: (), 3: (), 4: ()},
        unseen=unseen,
        sizes={seat: sizes.get(seat, 0) for seat in SEATS},
        left=sum(unseen.values()),
    )
    assert sorted(re_placings(knowledge, "CQ"), key=sorted) == [frozenset(seats) for seats in expected]


class TestRevokes:
    """In a whole game; the second player of the deal revokes on a plain ace."""

    def start(self, play: Any) -> tuple[Any, int]:
        table = play()
        hands = {
            1: ["CA", "CA", "HT", "CQ", "DJ", "DJ", "SA", "SK", "HK", "H9", "D9", "D9"],
            2: ["CT", "C9", "SQ", "SQ", "CJ", "CJ", "SA", "ST", "HA", "HA", "DK", "DK"],
            3: ["CT", "CK", "CQ", "HQ", "HQ", "DA", "DA", "SK", "S9", "HK", "H9", "DT"],
            4: ["CK", "C9", "HT", "DQ", "DQ", "SJ", "SJ", "HJ", "HJ", "ST", "S9", "DT"],
        }
        assert sorted(card for hand in hands.values() for card in hand) == sorted(EPPSTEIN.deck)
        table.deal(4, hands=hands)
        table.card(1, "CA")
        return table, table.card(2, "SA")

    def test_not_proved_at_first(self, play: Any) -> None:
        table, _ = self.start(play)
        assert table.codes() == []

    def test_proved_by_the_card_itself(self, play: Any) -> None:
        table, breach = self.start(play)
        table.card(3, "CT")
        table.card(4, "C9")
        table.card(1, "SK")
        shown = table.card(2, "C9")
        assert ("revoke", breach, shown) in table.codes()
        assert table.game.offences[0].section == "eppstein 4.2.4"

    def test_proved_by_a_scan_at_once(self, play: Any) -> None:
        table = play()
        table.deal(4)
        seats = table.game.seats
        table.do("hand", seat=seats[1], cards=table.hands[seats[1]])
        table.lay()
        classes = table.game.contract.classes
        led = classes[table.game.open_trick[0].card]
        card = next(card for card in table.hands[seats[1]] if classes[card] != led)
        breach = table.card(seats[1], card)
        assert ("revoke", breach, breach) in table.codes()

    def test_proved_by_a_scan_later(self, play: Any) -> None:
        table, breach = self.start(play)
        scan = table.do("hand", seat=2, cards=["SA", *table.hands[2]])
        assert ("revoke", breach, scan) in table.codes()

    def test_proved_by_the_other_hands(self, play: Any) -> None:
        table, breach = self.start(play)
        for seat in (1, 3, 4):
            cards = list(table.hands[seat]) + (["CA"] if seat == 1 else [])
            scan = table.do("hand", seat=seat, cards=cards)
        assert table.codes() == [("revoke", breach, scan)]

    def test_a_card_taken_back_is_none(self, play: Any) -> None:
        table, breach = self.start(play)
        table.do("retract", seat=2, card="SA")
        table.hands[2].append("SA")
        table.card(2, "CT")
        table.finish()
        assert all(event != breach for _, event, _ in table.codes())

    def test_a_card_taken_back_proves(self, play: Any) -> None:
        """4.2.4: he shows a club, takes it back, and lays another suit."""
        table = play()
        table.deal(4, hands=None)
        table.hands = {}
        table.card(1, "CA")
        table.card(2, "CT")
        table.do("retract", seat=2, card="CT")
        breach = table.card(2, "SA")
        assert table.codes() == [("revoke", breach, breach)]

    def test_every_revoke_of_a_whole_game_is_found(self, play: Any) -> None:
        table, breach = self.start(play)
        table.finish()
        assert [event for code, event, _ in table.codes() if code == "revoke"] == [breach]

    def test_no_revoke_after_a_misread(self, play: Any) -> None:
        table, _ = self.start(play)
        table.card(3, "CA")
        misread = table.card(4, "CA")
        assert table.codes() == [("impossible_card", misread, misread)] and table.game.misread
        table.card(1, "SK")
        table.card(2, "C9")
        assert [code for code, _, _ in table.codes()] == ["impossible_card"]

    def test_a_contradicted_scan_is_dropped(self, play: Any) -> None:
        table = play()
        table.deal(4)
        table.hands = {}
        table.do("hand", seat=2, cards=["CT", "C9", "SQ", "SQ", "CJ", "CJ", "SA", "ST", "HA", "HA", "DK", "DK"])
        table.card(1, "CA")
        breach = table.card(2, "HK")
        assert table.codes() == [("card_not_held", breach, breach)]
        assert 2 not in table.game.hands


@pytest.mark.parametrize(
    ("cards", "entitled"),
    [
        pytest.param("S9 S9 C9 H9 D9 HT CQ SQ HQ DQ CJ SJ", True, id="3.4.2 1 five nines"),
        pytest.param("S9 S9 C9 H9 DT HT CQ SQ HQ DQ CJ SJ", False, id="four nines"),
        pytest.param("SA SA CA CA CT CT HA HA HK DA CQ SJ", True, id="3.4.2 2 two trumps and a Fuchs"),
        pytest.param("SA SA CA CA CT CT HA HA DA DA CQ SJ", True, id="3.4.2 2 two trumps and two Füchse"),
        pytest.param("SA SA CA CA CT CT HA HA HK DK CQ SJ", False, id="three trumps"),
    ],
)
@pytest.mark.parametrize("scanned_first", [True, False])
def test_schmeissen(play: Any, cards: str, entitled: bool, scanned_first: bool) -> None:
    table = play()
    table.deal(4)
    hand = cards.split()
    if scanned_first:
        table.do("hand", seat=2, cards=hand)
    declared = proved = table.do("declare", seat=2, game="schmeissen")
    if not scanned_first:
        assert table.codes() == []
        proved = table.do("hand", seat=2, cards=hand)
    assert table.codes() == ([] if entitled else [("not_entitled", declared, proved)])
    assert not table.round.running and table.round.games == ()


def test_hochzeit_without_both_queens(play: Any) -> None:
    """3.5.1."""
    table = play()
    table.deal(4)
    declared = table.do("declare", seat=1, game="hochzeit")
    table.lay(2)
    assert table.codes() == []
    other = table.do("announce", seat=1, call="kontra")  # he is Re; what is still open stays so
    assert ("wrong_side", other, other) in table.codes()
    queen = table.card(3, "CQ")
    assert ("not_entitled", declared, queen) in table.codes()
    table.lay(4)
    assert [code for code, _, _ in table.codes()].count("not_entitled") == 1
