"""Every number of every book at work in a replay: its default, both ends of its range and another value.

``WATCHED`` holds for each option how it is seen in a round that is replayed with it, and what must be seen with a
value. Decisions that are words have their rows, a row for each word, in the tests that ``ELSEWHERE`` names.
"""

import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.rules.book import BadOption, Option, RuleBook
from kiosk.rules.books import BOOKS
from kiosk.rules.cards import augen
from kiosk.rules.option import Value
from kiosk.table.fold import Round, fold, open_round
from kiosk.table.spielliste import list_data, replay_data

#: Seen, and what was to be seen.
Watch = Callable[[str, Any], tuple[Any, Any]]

STEPS = ("keine90", "keine60", "keine30", "schwarz")
LIMITS = ("limit_ansage", "limit_keine90", "limit_keine60", "limit_keine30", "limit_schwarz")


class Table:
    """A table of any book: deals known hands, lays lawful cards, the strongest first where asked."""

    def __init__(self, rules: str, players: int = 4, **options: Value) -> None:
        self.book = BOOKS[rules]
        opened = {"event": "open", "format": 1, "rules": rules, "players": list("ABCDE")[:players], "options": options}
        self.events: list[dict[str, Any]] = [opened]
        self.round: Round = open_round(opened)
        self.hands: dict[int, list[str]] = {}

    @property
    def game(self) -> Any:
        return self.round.game

    def do(self, event: str, **keys: Any) -> int:
        made = {"event": event, **keys}
        self.round = self.round.apply(made)
        self.events.append(made)
        return len(self.events) - 1

    def deal(self, hands_of: Mapping[int, str] | None = None, dealer: int = 4, seed: int = 1) -> "Table":
        """By default seat 1 is forehand; the two CQ go to the seats 1 and 3 unless given."""
        self.do("deal", dealer=dealer)
        seats, rest = self.game.seats, list(self.book.deck)
        hands = {seat: (hands_of or {}).get(seat, "").split() for seat in seats}
        for card in [card for cards in hands.values() for card in cards]:
            rest.remove(card)
        random.Random(seed).shuffle(rest)
        for seat in (seats[0], seats[2]):
            if "CQ" in rest and len(hands[seat]) < self.book.hand_size:
                rest.remove("CQ")
                hands[seat].append("CQ")
        for cards in hands.values():
            while len(cards) < self.book.hand_size:
                cards.append(rest.pop())
        self.hands = hands
        return self

    def scan(self, seat: int) -> None:
        self.do("hand", seat=seat, cards=list(self.hands[seat]))

    def card(self, seat: int, card: str) -> int:
        self.hands[seat].remove(card)
        return self.do("card", seat=seat, card=card)

    def lay(self, number: int = 1, strong: tuple[int, ...] = ()) -> "Table":
        """Lays lawful cards in turn; the seats of ``strong`` lead their best and follow with their least."""
        for _ in range(number):
            seat, contract = self.game.turn, self.game.contract
            hand = sorted(self.hands[seat], key=lambda card: (card == "CQ", self.hands[seat].index(card)))
            if self.game.open_trick:
                led = contract.classes[self.game.open_trick[0].card]
                hand = [card for card in hand if contract.classes[card] == led] or hand
                if contract.re_card in hand and len(hand) > 1 and not self.book.calls.words:
                    hand = [contract.re_card] if contract.classes[contract.re_card] == led else hand
                    hand = [c for c in hand if c != contract.re_card or contract.classes[c] == led] or hand
            elif contract.re_card in hand and not self.book.calls.words:
                suit = contract.re_card[0]
                hand = [c for c in hand if contract.classes[c] != suit or c == contract.re_card]
            if seat in strong:
                best = sorted(hand, key=lambda card: contract.power[card])
                hand = best if self.game.open_trick else best[::-1]
            self.card(seat, hand[0])
        return self

    def finish(self, strong: tuple[int, ...] = ()) -> "Table":
        while self.round.running:
            self.lay(strong=strong)
        return self

    def codes(self, event: int | None = None) -> list[str]:
        return [o.code for o in self.game.offences if event is None or o.event == event]


def items(round_: Round) -> dict[str, int]:
    """The reasons of the last game's value, summed."""
    found: dict[str, int] = {}
    for name, number in replay_data(round_)[-2]["value"]:
        found[name] = found.get(name, 0) + number
    return found


def again(events: list[dict[str, Any]], **options: Value) -> Round:
    """The same events, opened with these options."""
    return fold([{**events[0], "options": options}, *events[1:]])


# The frame of a round


def listed(key: str, players: int = 4, name: str = "") -> Watch:
    """A key of the list; 0 stands for none."""

    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        name_ = name or key
        return list_data(Table(rules, players, **{name_: value}).round)[key], value or None

    return watch


def games(players: int) -> Watch:
    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        name = "games_5" if players > 4 else "games"
        more = {"pflichtsoli": 0} if rules == "eppstein" else {}
        return list_data(Table(rules, players, **{name: value}, **more).round)["games_left"], value or None

    return watch


def pflichtsoli(rules: str, value: Any) -> tuple[Any, Any]:
    seen = list_data(Table(rules, pflichtsoli=value, games=200, games_5=200).round)["duties_left"]
    return seen, dict.fromkeys("1234", value) if value else {}


def first_dealer(rules: str, value: Any) -> tuple[Any, Any]:
    return Table(rules, first_dealer=value).round.next_dealer, value


def packets(rules: str, value: Any) -> tuple[Any, Any]:
    told = {
        "4x3": [3] * 4, "3x4": [4] * 3, "2x6": [6] * 2, "6x2": [2] * 6, "5x2": [2] * 5, "2x5": [5] * 2,
        "3-4-3": [3, 4, 3], "4x2": [2] * 4, "2x4": [4] * 2,
    }  # fmt: skip
    return list_data(Table(rules, dealing=value).round)["packets"], told[value]


# Finding the game


def entitled(rules: str, game: str, hand: str, **options: Value) -> bool:
    table = Table(rules, **options).deal({1: hand})
    table.scan(1)
    table.do("declare", seat=1, game=game)
    return "not_entitled" not in table.codes()


def nines(rules: str, value: Any) -> tuple[Any, Any]:
    """3.4.2: so many nines or more."""
    all_nines = ["C9", "C9", "S9", "S9", "H9", "H9", "D9", "D9"]
    trumps = ["HT", "HT", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CJ", "CJ", "SJ", "SJ"]
    hands = [" ".join([*all_nines[:n], *trumps[: 12 - n]]) for n in range(9)]
    seen = [n for n, hand in enumerate(hands) if entitled(rules, "schmeissen", hand, schmeissen_nines=value)]
    return seen, list(range(value, 9))


def few_trumps(rules: str, value: Any) -> tuple[Any, Any]:
    """eppstein 3.4.2: fewer than so many, Füchse not counted; bsv 4.1: so many or fewer."""
    book = BOOKS[rules]
    trumps = ["HT", "HT", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CJ", "CJ", "SJ", "SJ"]
    plain = ["CA", "CA", "CT", "CT", "CK", "CK", "SA", "SA", "ST", "ST", "SK", "SK"]
    game, name = {
        "eppstein": ("schmeissen", "schmeissen_trumps"),
        "bsv": ("trumpfschwach", "trumpfschwach_trumps"),
    }[rules]
    size = book.hand_size
    hands = [" ".join([*trumps[:n], *plain[: size - n]]) for n in range(size + 1)]
    seen = [n for n, hand in enumerate(hands) if entitled(rules, game, hand, **{name: value})]
    return seen, list(range(value if rules == "eppstein" else value + 1))


def klaerung(rules: str, value: Any) -> tuple[Any, Any]:
    """eppstein 3.5.3, bsv 4.2.1: he wins so many tricks himself and plays alone; the last of them settles it."""
    top = ["HT", "HT", "CQ", "CQ", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CJ", "CJ"][: BOOKS[rules].hand_size]
    table = Table(rules, klaerung_tricks=value).deal({1: " ".join(top)})
    table.do("declare", seat=1, game="hochzeit")
    table.finish(strong=(1,))
    settled = table.game.klaerung
    return (settled.trick, settled.partner), (value - 1, None)


def lost(rules: str, value: Any) -> tuple[Any, Any]:
    """II 2.2: the game after so many lost ones needs leave."""
    table, needed = Table(rules, lost_alleinspiele=value), []
    for number in range(5):
        table.deal({2: "H7 H8 H9 S7 S8 S9 G7 G8"}, dealer=table.round.next_dealer, seed=number)
        for seat in table.game.seats:
            table.do("call", seat=seat, call="spielen" if seat == 2 else "weiter")
        table.do("declare", seat=2, game="wenz")
        table.finish()
        if "no_leave" in table.codes():
            needed.append(number)
    return min(needed, default=None), value if value < 5 else None


def davonlaufen(rank: str) -> Watch:
    """II 4.1.6, 4.1.7: how many cards of the suit allow it; seat 1 leads the seven of the suit and holds the card."""

    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        name = {"A": "davonlaufen_ace", "T": "davonlaufen_ten", "K": "davonlaufen_king"}[rank]
        others = [card for card in ["E7", "E8", "E9", "EK", "ET", "EA"] if card[1] != rank]
        free = []
        for number in range(2, 7):
            table = Table(rules, **{name: value})
            trumps = ["HA", "HT", "HK", "H9", "H8", "H7"][: 8 - number]
            table.deal({1: " ".join([f"E{rank}", *others[: number - 1], *trumps])})
            table.scan(1)
            for seat in (1, 2, 3, 4):
                table.do("call", seat=seat, call="weiter")
            table.do("declare", seat=2, game="muss", card=f"E{rank}")
            table.card(1, "E7")
            if "revoke" not in table.codes():
                free.append(number)
        return free, list(range(value, 7))

    return watch


# Announcements


def limit(word: str) -> Watch:
    """The fewest cards in hand with which it is in time; all limits the same, so that they do not contradict."""

    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        fits = []
        for cards in range(1, BOOKS[rules].hand_size + 1):
            table = Table(rules, **dict.fromkeys(LIMITS, value)).deal()
            if cards < value and word != "re":
                for step in ("re", *STEPS[: STEPS.index(word)]):
                    table.do("announce", seat=1, call=step)
            table.lay(4 * (BOOKS[rules].hand_size - cards))
            said = table.do("announce", seat=1, call=word)
            if "late_announcement" not in table.codes(said):
                fits.append(cards)
        return min(fits), value

    return watch


def reply(rules: str, value: Any) -> tuple[Any, Any]:
    """5.5.4, bsv 6.5: so many cards later than Re was allowed."""
    fits = []
    for cards in range(1, BOOKS[rules].hand_size + 1):
        table = Table(rules, reply_cards=value).deal()
        table.do("announce", seat=1, call="re")
        table.lay(4 * (BOOKS[rules].hand_size - cards))
        said = table.do("announce", seat=2, call="kontra")
        if "late_announcement" not in table.codes(said):
            fits.append(cards)
    usual = int(BOOKS[rules].settle({})["limit_ansage"])
    return min(fits), max(1, usual - value)


def on_the_table(name: str, seat: int, call: str) -> Watch:
    """The most cards that may lie while a call is in time."""

    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        fits = []
        for laid in {0, 4, 8, value - 2, value - 1, value}:
            if 0 <= laid < 40:
                table = Table(rules, **{name: value}).deal().lay(laid)
                said = table.do("announce", seat=seat, call=call)
                if "late_announcement" not in table.codes(said):
                    fits.append(laid)
        return max(fits), value - 1

    return watch


def until_card(rules: str, value: Any) -> tuple[Any, Any]:
    fits = []
    for laid in range(4, 7):
        table = Table(rules, until_card=value).deal().lay(laid)
        said = table.do("announce", seat=1, call="re")
        if "late_announcement" not in table.codes(said):
            fits.append(laid)
    return max(fits), {"touches": 4, "lies": 5}[value]


def duty_augen(rules: str, value: Any) -> tuple[Any, Any]:
    """6.3.1: CA CT CT CA are 42 Augen, CK CK CA CT 29."""
    seen = []
    for points, hands in ((42, {1: "CA", 2: "CT", 3: "CT", 4: "CA"}), (29, {1: "CK", 2: "CK", 3: "CA", 4: "CT"})):
        table = Table(rules, duty_call_augen=value).deal(hands)
        for seat in (1, 2, 3, 4):
            table.card(seat, hands[seat])
        table.finish()
        if "missed_duty" in table.codes():
            seen.append(points)
    return seen, [points for points in (42, 29) if points >= value]


# Scoring


def strong_hands(book: RuleBook, seats: tuple[int, int]) -> dict[int, str]:
    """Hands with which two win every trick, the CQ with 1 and 3."""
    trumps = [card for card in book.normal.trumps for _ in "12"]
    others = [seat for seat in (1, 2, 3, 4) if seat not in seats]
    hands: dict[int, list[str]] = {seat: [] for seat in (1, 2, 3, 4)}
    for seat in (1, 3):
        hands[seat].append("CQ")
        trumps.remove("CQ")
    hands[seats[0]] += ["HT", "HT"]
    trumps = trumps[2:]
    for seat in seats:
        while len(hands[seat]) < book.hand_size and trumps:
            hands[seat].append(trumps.pop(0))
    for number, card in enumerate(trumps):
        hands[others[number % 2]].append(card)
    return {seat: " ".join(cards) for seat, cards in hands.items()}


@cache
def swept(rules: str, winners: tuple[int, int]) -> list[dict[str, Any]]:
    """A game in which one side wins all tricks and both have said everything; schnittchen: Bock too."""
    table = Table(rules).deal(strong_hands(BOOKS[rules], winners), dealer=winners[0] - 1 or 4)
    for seat, call in ((1, "re"), (2, "kontra")):
        for word in (call, *STEPS):
            table.do("announce", seat=seat, call=word)
    if "bock" in BOOKS[rules].calls.words:
        table.do("announce", seat=1, call="bock")
    table.finish(strong=winners)
    return table.events


@cache
def with_item(rules: str, name: str) -> list[dict[str, Any]]:
    """A game at random whose value has the reason."""
    for seed in range(600):
        table = Table(rules).deal(seed=seed).finish()
        if name in items(table.round):
            return table.events
    raise AssertionError(f"no game with {name}")


def value(name: str, game: Callable[[str], list[dict[str, Any]]], *reasons: str) -> Watch:
    """The number of these reasons; all others stay as they are."""

    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        events = game(rules)
        usual, seen = items(again(events)), items(again(events, **{name: value}))
        assert all(reason in usual for reason in reasons), f"{reasons} are not in {usual}"
        default = int(BOOKS[rules].settle({})[name])
        return seen, {
            reason: number // default * value if reason in reasons else number
            for reason, number in usual.items()
            if reason not in reasons or value
        }

    return watch


def all_said(winners: tuple[int, int]) -> Callable[[str], list[dict[str, Any]]]:
    return lambda rules: swept(rules, winners)


def having(name: str) -> Callable[[str], list[dict[str, Any]]]:
    return lambda rules: with_item(rules, name)


@cache
def some_games(rules: str) -> list[list[dict[str, Any]]]:
    """A few games as they come, by normal play; of schaffkopf a Rufspiel, a Muss-Spiel and Solos."""
    if rules != "schaffkopf":
        return [Table(rules).deal(seed=seed).finish().events for seed in range(12)]
    found = []
    for seed in range(16):
        table = Table(rules).deal({1: "EA", 2: "EO E7"}, seed=seed)
        game = ("rufspiel", "muss", "wenz", "solo")[seed % 4]
        for seat in (1, 2, 3, 4):
            plays = seat == 2 and game != "muss"
            table.do("call", seat=seat, call="spielen" if plays else "weiter")
        table.do("declare", seat=2, game=game, card="EA", suit="E")
        found.append(table.finish().events)
    return found


def win_points(rules: str, value: Any) -> tuple[Any, Any]:
    """Who has won, by the Augen that the replay prints; in a Muss-Spiel the other side needs them (II 5.1.3)."""
    seen, expected = [], []
    for events in some_games(rules):
        game = replay_data(again(events, win_points=value))[-2]
        attacker = "kontra" if game["kind"] == "muss" else "re"
        other = "re" if attacker == "kontra" else "kontra"
        seen.append(game["won_by"])
        expected.append(attacker if game["points"][attacker] >= value else other)
    return seen, expected


def schneider(rules: str, value: Any) -> tuple[Any, Any]:
    """II 5.1.2: the side that must reach more than half with so many or fewer, the other with fewer."""
    seen, expected = [], []
    for events in some_games(rules):
        game = replay_data(again(events, schneider_points=value))[-2]
        attacker = "kontra" if game["kind"] == "muss" else "re"
        loser = "kontra" if game["won_by"] == "re" else "re"
        seen.append("schneider" in [name for name, _ in game["value"]])
        expected.append(game["points"][loser] < value + (loser == attacker))
    return seen, expected


def base(name: str, game: str) -> Watch:
    """The value of a game of schaffkopf."""

    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        suit = {"suit": "E"} if game in ("solo", "solo-tout") else {}
        called = {"card": "EA"} if game in ("rufspiel", "muss") else {}
        hand = "EO GO HO SO EU GU HU SU" if game == "sie" else "EO E7"
        table = Table(rules, **{name: value}).deal({1: "EA", 2: hand})
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="spielen" if seat == 2 and game != "muss" else "weiter")
        table.do("leave", seat=2, granted=True)
        table.do("declare", seat=2, game=game, **suit, **called)
        table.finish()
        return items(table.round)["base"], value

    return watch


def schneider_schwarz(name: str) -> Watch:
    """Every trick to one side: Schneider and schwarz."""

    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        table = Table(rules, **{f"value_{name}": value}).deal({1: "EO GO HO SO EU GU HU SU"})
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="spielen" if seat == 1 else "recht")
        table.do("declare", seat=1, game="solo", suit="E")
        table.finish(strong=(1,))
        return items(table.round), {"base": 3, "schneider": 1, "schwarz": 1, name: value}

    return watch


def doppelkopf_augen(rules: str, value: Any) -> tuple[Any, Any]:
    seen, expected = [], []
    for events in some_games(rules)[:6]:
        both = {"losers_special_points": "set_off"} if rules in ("durchgaenge", "schnittchen") else {}
        game = replay_data(again(events, doppelkopf_augen=value, **both))[-2]
        seen.append(sum(name == "doppelkopf" for name, _ in game["value"]))
        expected.append(sum(trick["points"] >= value for trick in game["tricks"]))
    return seen, expected


def damensolo(rules: str, won: bool, **options: Value) -> dict[str, Any]:
    """A Damensolo of seat 1 that wins every trick or none, as the replay prints it."""
    size = BOOKS[rules].hand_size
    best = ["CQ", "CQ", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CA", "CA", "SA", "SA"][:size]
    worst = ["CJ", "CJ", "SJ", "SJ", "HJ", "HJ", "DJ", "DJ", "CK", "CK", "SK", "SK"][:size]
    table = Table(rules, **options).deal({1: " ".join(best if won else worst)})
    table.do("declare", seat=1, game="damensolo", duty=True)
    table.finish(strong=(1,) if won else (2, 3, 4))
    return dict(replay_data(table.round)[-2])


def factor_solo(rules: str, value: Any) -> tuple[Any, Any]:
    """eppstein 6.2.4: three times; durchgaenge 6d: three times and 5, lost 15 more."""
    won, lost_ = damensolo(rules, True, factor_solo=value), damensolo(rules, False, factor_solo=value)
    worth, cost = (sum(number for _, number in game["value"]) for game in (won, lost_))
    if rules == "eppstein":
        return (won["score"]["1"], lost_["score"]), (value * worth, {"1": 0, "2": cost, "3": cost, "4": cost})
    return (won["score"]["1"], lost_["score"]["1"]), (value * worth + 5, -value * cost - 15)


def lost_solo_bonus(rules: str, value: Any) -> tuple[Any, Any]:
    game = damensolo(rules, False, lost_solo_bonus=value)
    cost = sum(number for _, number in game["value"])
    return game["score"]["1"], -3 * cost - value


def bonus(rules: str, value: Any) -> tuple[Any, Any]:
    game = replay_data(again(some_games(rules)[0], bonus=value))[-2]
    worth = sum(number for _, number in game["value"])
    return sorted(game["score"].values()), sorted([0, 0, worth + value, worth + value])


def factor_bockrunde(rules: str, value: Any) -> tuple[Any, Any]:
    """A trick of four hearts: the next game."""
    table = Table(rules, factor_bockrunde=value).deal({1: "HA", 2: "HK", 3: "HK", 4: "HA"})
    for seat, card in ((1, "HA"), (2, "HK"), (3, "HK"), (4, "HA")):
        table.card(seat, card)
    table.finish().deal(dealer=1).finish()
    return items(table.round).get("bockrunde"), value


# Offences and money


def ruled(rules: str, kind: str, offender: int, alone: bool, calls: tuple[str, ...] = (), **more: Any) -> Table:
    table = Table(rules, **more.pop("options", {})).deal()
    if alone:
        table.do("declare", seat=1, game="damensolo", duty=True)
    for call in calls:
        table.do("announce", seat=1 if call != "kontra" else 2, call=call)
    table.do("rule", offender=offender, **{"class": kind}, **more)
    if table.round.running:
        table.finish()
    return table


def penalty(name: str, kind: str, *, alone: bool = False, steps: int = 0, **more: Any) -> Watch:
    """What a ruling adds to the scores of seats 1 to 4; seat 2 offends."""

    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        calls = ("re", "kontra", *STEPS[:steps]) if steps else ()
        given = {name: value} if not steps else {name: value, "serious_penalty": 12}
        with_it = ruled(rules, kind, 2, alone, calls, options=given, **more).round.totals
        without = ruled(rules, "none", 2, alone, calls).round.totals
        usual = {seat: with_it[seat] - (without[seat] if kind == "minor" else 0) for seat in (1, 2, 3, 4)}
        lost_ = 12 + steps * value if steps else value
        if alone:
            return usual, {1: lost_, 2: -lost_, 3: 0, 4: 0}
        return usual, {seat: -lost_ if seat == 2 else lost_ // 3 for seat in (1, 2, 3, 4)}

    return watch


def left_to_referee(watch: Watch, kind: str = "serious", alone: bool = False) -> Watch:
    """0: the ruling needs scores."""

    def watched(rules: str, value: Any) -> tuple[Any, Any]:
        if value:
            return watch(rules, value)
        name = "serious_penalty_opponent" if alone else "serious_penalty"
        with pytest.raises(Exception, match=f"option '{name}' leaves .* the ruling needs scores"):
            ruled(rules, kind, 2, alone, options={name: 0})
        return 0, 0

    return watched


def euros(name: str, alone: bool, calls: tuple[str, ...] = ()) -> Watch:
    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        fines = list_data(ruled(rules, "serious", 2, alone, calls, options={name: value}).round)["fines"]
        if alone:
            return {seat: fines.get(seat, 0) for seat in "12"}, {"1": -value, "2": value}
        return {seat: fines.get(seat, 0) for seat in "1234"}, {"1": -value, "2": 3 * value, "3": -value, "4": -value}

    return watch


LATE = ("", "_second", "_third", "_fourth")


def late(step: int, minutes: bool) -> Watch:
    """The step's first minute, and its fine; the later ones are moved so that they do not contradict."""

    def watch(rules: str, value: Any) -> tuple[Any, Any]:
        book = BOOKS[rules]
        given = {f"late_from{which}": 10 * number + 5 for number, which in enumerate(LATE)}
        given |= {f"late_euros{which}": number + 1 for number, which in enumerate(LATE)}
        if minutes:
            for number in range(4):
                given[f"late_from{LATE[number]}"] = value + number - step
        else:
            for number in range(4):
                given[f"late_euros{LATE[number]}"] = value if number >= step else min(number, value)
        options = book.settle(given)
        assert book.late_fine is not None
        start = int(options[f"late_from{LATE[step]}"])
        if minutes:
            seen = [book.late_fine(at, options) for at in (start - 1, start)]
            return (start, seen), (value, [step, step + 1])
        return book.late_fine(start, options), value

    return watch


SCORED = {
    "value_won": value("value_won", all_said((1, 3)), "won"),
    "value_against_queens": value("value_against_queens", all_said((2, 4)), "against_queens"),
    "value_under": value("value_under", all_said((1, 3)), "under90", "under60", "under30"),
    "value_schwarz": value("value_schwarz", all_said((1, 3)), "schwarz"),
    "value_absage": value("value_absage", all_said((1, 3)), *(f"said_{step}" for step in STEPS)),
    "value_reached": value("value_reached", all_said((1, 3)), "reached120", "reached90", "reached60", "reached30"),
    "value_re_kontra": value("value_re_kontra", all_said((1, 3)), "re", "kontra"),
    "factor_re_kontra": value("factor_re_kontra", all_said((1, 3)), "re", "kontra"),
    "factor_bock": value("factor_bock", all_said((1, 3)), "bock"),
    "value_doppelkopf": value("value_doppelkopf", having("doppelkopf"), "doppelkopf"),
    "value_fuchs": value("value_fuchs", having("fuchs"), "fuchs"),
    "value_karlchen": value("value_karlchen", having("karlchen"), "karlchen"),
    "value_fuchs_last": value("value_fuchs_last", having("fuchs_last"), "fuchs_last"),
    "value_dulle": value("value_dulle", having("dulle"), "dulle"),
}

WATCHED: dict[str, Watch] = {
    "rounds": listed("rounds"),
    "games": games(4),
    "games_5": games(5),
    "minutes": listed("minutes"),
    "minutes_5": listed("minutes", 5, "minutes_5"),
    "pflichtsoli": pflichtsoli,
    "first_dealer": first_dealer,
    "scorer": listed("scorer"),
    "scorer_5": listed("scorer", 5, "scorer_5"),
    "dealing": packets,
    "schmeissen_nines": nines,
    "schmeissen_trumps": few_trumps,
    "trumpfschwach_trumps": few_trumps,
    "klaerung_tricks": klaerung,
    "lost_alleinspiele": lost,
    "davonlaufen_ace": davonlaufen("A"),
    "davonlaufen_ten": davonlaufen("T"),
    "davonlaufen_king": davonlaufen("K"),
    **{name: limit(word) for name, word in zip(LIMITS, ("re", *STEPS), strict=True)},
    "reply_cards": reply,
    "re_until": on_the_table("re_until", 1, "re"),
    "others_until": on_the_table("others_until", 2, "kontra"),
    "all_until": on_the_table("all_until", 1, "re"),
    "until_card": until_card,
    "duty_call_augen": duty_augen,
    **SCORED,
    "win_points": win_points,
    "schneider_points": schneider,
    "value_schneider": schneider_schwarz("schneider"),
    "value_sie": base("value_sie", "sie"),
    "value_tout": base("value_tout", "wenz-tout"),
    "value_solo": base("value_solo", "solo"),
    "value_wenz": base("value_wenz", "wenz"),
    "value_rufspiel": base("value_rufspiel", "rufspiel"),
    "value_muss": base("value_muss", "muss"),
    "doppelkopf_augen": doppelkopf_augen,
    "factor_solo": factor_solo,
    "factor_bockrunde": factor_bockrunde,
    "bonus": bonus,
    "lost_solo_bonus": lost_solo_bonus,
    "minor_penalty": penalty("minor_penalty", "minor"),
    "minor_penalty_opponent": penalty("minor_penalty_opponent", "minor", alone=True, harms_soloist=True),
    "serious_penalty": left_to_referee(penalty("serious_penalty", "serious")),
    "serious_penalty_opponent": left_to_referee(
        penalty("serious_penalty_opponent", "serious", alone=True), alone=True
    ),
    "serious_penalty_step": penalty("serious_penalty_step", "serious", steps=2),
    "revoke_euros": euros("revoke_euros", False),
    "revoke_to_soloist": euros("revoke_to_soloist", True),
    "revoke_to_soloist_after_one": euros("revoke_to_soloist_after_one", True, ("re",)),
    "revoke_to_soloist_after_two": euros("revoke_to_soloist_after_two", True, ("re", "kontra")),
    **{f"late_from{which}": late(number, True) for number, which in enumerate(LATE)},
    **{f"late_euros{which}": late(number, False) for number, which in enumerate(LATE)},
}  # fmt: skip


def watch_of(book: RuleBook, name: str) -> Watch | None:
    """How an option is watched; schaffkopf has its own schwarz."""
    return schneider_schwarz("schwarz") if (book.name, name) == ("schaffkopf", "value_schwarz") else WATCHED.get(name)


def watched_values(option: Option) -> list[Value]:
    """All words; of numbers the default, both ends and one more."""
    if not isinstance(option.values, range):
        return list(option.values)
    numbers = [option.default, option.values[0], option.values[-1], option.values[len(option.values) // 3]]
    return list(dict.fromkeys(numbers))


ROWS = [
    (book, option, value)
    for book in BOOKS.values()
    for option in book.options
    if watch_of(book, option.name)
    for value in watched_values(option)
]


@pytest.mark.parametrize(
    ("book", "option", "value"), ROWS, ids=[f"{b.name} {o.section} {o.name}={v}" for b, o, v in ROWS]
)
def test_at_work(book: RuleBook, option: Option, value: Value) -> None:
    watch = watch_of(book, option.name)
    assert watch is not None
    seen, expected = watch(book.name, value)
    assert seen == expected


#: Where the words of a decision have their rows.
ELSEWHERE = {
    **{f"{rules} equal_places": "test_standings.py" for rules in ("eppstein", "bsv", "durchgaenge", "schnittchen")},
    "eppstein second_ht": "test_contract.py",
    "eppstein bound_side_must_reach": "test_scoring.py",
    "eppstein against_queens_in_solo": "test_scoring.py",
    "eppstein losers_special_points": "test_scoring.py",
    "bsv trumpfschwach_dealer": "test_bsv.py",
    "bsv leader_in_solo": "test_bsv.py",
    "bsv second_ht": "test_bsv.py",
    "bsv duty_call_in_hochzeit": "test_bsv.py",
    "bsv duty_call_falls_away": "test_bsv.py",
    "bsv duty_call_until": "test_bsv.py",
    "durchgaenge cards": "test_options.py",
    "durchgaenge second_ht": "test_durchgaenge.py",
    "durchgaenge leaving_out_steps": "test_durchgaenge.py",
    "durchgaenge exact_against_absage": "test_plus_minus.py",
    "durchgaenge nobody_has_won": "test_plus_minus.py",
    "durchgaenge against_queens_in_solo": "test_plus_minus.py",
    "durchgaenge losers_special_points": "test_plus_minus.py",
    "schnittchen same_dealer_after_solo": "test_schnittchen.py",
    "schnittchen karo_in_trumpfsolo": "test_schnittchen.py",
    "schnittchen bock_by": "test_schnittchen.py",
    "schnittchen second_dulle": "test_plus_minus.py",
    "schnittchen losers_special_points": "test_plus_minus.py",
    "schnittchen bockrunde": "test_schnittchen.py",
    "schaffkopf after_davonlaufen": "test_schaffkopf_called_card.py",
    "schaffkopf unlawful_davonlaufen_frees": "test_schaffkopf_called_card.py",
    "schaffkopf revoke_in_time": "test_schaffkopf_rulings.py",
}


def test_none_is_left_out() -> None:
    every = {f"{book.name} {option.name}" for book in BOOKS.values() for option in book.options}
    here = {f"{book.name} {option.name}" for book, option, _ in ROWS}
    assert every == here | set(ELSEWHERE) and not here & set(ELSEWHERE)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_lawful_options_replay(data: st.DataObject) -> None:
    """A round played by any lawful options is the same when it is replayed, and its lists are whole."""
    rules = data.draw(st.sampled_from(sorted(BOOKS)))
    book = BOOKS[rules]
    given_: dict[str, Value] = {}
    for option in data.draw(st.lists(st.sampled_from(book.options), max_size=12, unique_by=lambda one: one.name)):
        wanted = {**given_, option.name: data.draw(st.sampled_from(option.values))}
        try:
            book.settle(wanted)
        except BadOption as error:
            assert "; choose at " in str(error)  # it contradicts what was drawn before
        else:
            given_ = wanted
    players = data.draw(st.sampled_from(book.tables))
    table = Table(rules, players, **given_)
    rnd = random.Random(data.draw(st.integers(0, 999)))
    for number in range(3):
        if table.round.over:
            break
        table.deal(dealer=table.round.next_dealer, seed=rnd.randrange(999))
        if table.round.must_play is not None:
            table.do("declare", seat=table.round.must_play, game="damensolo", duty=True)
        elif book.classes:
            for seat in table.game.seats:
                table.do("call", seat=seat, call="weiter")
            table.do("declare", seat=table.game.seats[0], game="muss", card="EA")
        elif rnd.random() < 0.5:
            for _ in range(rnd.randrange(3)):
                table.do("announce", seat=rnd.choice(table.game.seats), call=rnd.choice(book.calls.words))
        if number == 1 and book.penalties.get("minor"):
            table.do("rule", offender=table.game.seats[1], **{"class": "minor"})
        table.finish()
    replayed = fold(json.loads(json.dumps(table.events)))
    assert replay_data(replayed) == replay_data(table.round)
    for game in replay_data(replayed)[:-1]:
        assert sum(game["points"].values()) == sum(map(augen, book.deck))
        if rules in ("bsv", "schnittchen", "schaffkopf"):
            assert sum(game["score"].values()) == 0
