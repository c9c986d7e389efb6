"""Every number of every book at work in a replay: its default, both ends of its range and another value.

``WATCHED`` holds for each option how it is seen in a round that is replayed with it, and what must be seen with a
value. Decisions that are words have their rows, a row for each word, in the tests that ``ELSEWHERE`` names.
"""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import BadOption, Option, RuleBook
from kiosk.rules.engine.cards import augen
from kiosk.rules.engine.scoring import write_plus_minus
from kiosk.rules.options.option import Value
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data, replay_data

#: Seen, and what was to be seen.
Watch = Callable[[Any, str, Any], tuple[Any, Any]]

#: Makes a table: the class behind the fixture ``sit``.
Sit = Any

STEPS = ("keine90", "keine60", "keine30", "schwarz")
LIMITS = ("limit_ansage", "limit_keine90", "limit_keine60", "limit_keine30", "limit_schwarz")


# The frame of a round


def listed(key: str, players: int = 4, name: str = "") -> Watch:
    """A key of the list; 0 stands for none."""

    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        name_ = name or key
        return list_data(sit(rules, players, **{name_: value}).round)[key], value or None

    return watch


def games(players: int) -> Watch:
    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        name = "games_5" if players > 4 else "games"
        more = {"pflichtsoli": 0} if "pflichtsoli" in BOOKS[rules].settle({}) else {}
        return list_data(sit(rules, players, **{name: value}, **more).round)["games_left"], value or None

    return watch


def pflichtsoli(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    seen = list_data(sit(rules, pflichtsoli=value, games=200, games_5=200).round)["duties_left"]
    return seen, dict.fromkeys("1234", value) if value else {}


def first_dealer(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    return sit(rules, first_dealer=value).round.next_dealer, value


def packets(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    told = {
        "4x3": [3] * 4, "3x4": [4] * 3, "2x6": [6] * 2, "6x2": [2] * 6, "5x2": [2] * 5, "2x5": [5] * 2,
        "3-4-3": [3, 4, 3], "4x2": [2] * 4, "2x4": [4] * 2,
    }  # fmt: skip
    return list_data(sit(rules, dealing=value).round)["packets"], told[value]


# Finding the game


def entitled(sit: Sit, rules: str, game: str, hand: str, **options: Value) -> bool:
    table = sit(rules, **options).deal({1: hand})
    table.scan(1)
    table.do("declare", seat=1, game=game)
    return "not_entitled" not in table.codes()


def nines(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    """3.4.2: so many nines or more."""
    all_nines = ["C9", "C9", "S9", "S9", "H9", "H9", "D9", "D9"]
    trumps = ["HT", "HT", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CJ", "CJ", "SJ", "SJ"]
    hands = [" ".join([*all_nines[:n], *trumps[: 12 - n]]) for n in range(9)]
    seen = [n for n, hand in enumerate(hands) if entitled(sit, rules, "schmeissen", hand, schmeissen_nines=value)]
    return seen, list(range(value, 9))


def few_trumps(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
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
    seen = [n for n, hand in enumerate(hands) if entitled(sit, rules, game, hand, **{name: value})]
    return seen, list(range(value if rules == "eppstein" else value + 1))


def klaerung(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    """eppstein 3.5.3, bsv 4.2.1: he wins so many tricks himself and plays alone; the last of them settles it."""
    top = ["HT", "HT", "CQ", "CQ", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CJ", "CJ"][: BOOKS[rules].hand_size]
    table = sit(rules, klaerung_tricks=value).deal({1: " ".join(top)})
    table.do("declare", seat=1, game="hochzeit")
    table.finish(strong=(1,))
    settled = table.game.klaerung
    return (settled.trick, settled.partner), (value - 1, None)


def lost(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    """II 2.2: the game after so many lost ones needs leave."""
    table, needed = sit(rules, lost_alleinspiele=value), []
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

    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        name = {"A": "davonlaufen_ace", "T": "davonlaufen_ten", "K": "davonlaufen_king"}[rank]
        others = [card for card in ["E7", "E8", "E9", "EK", "ET", "EA"] if card[1] != rank]
        free = []
        for number in range(2, 7):
            table = sit(rules, **{name: value})
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

    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        fits = []
        for cards in range(1, BOOKS[rules].hand_size + 1):
            table = sit(rules, **dict.fromkeys(LIMITS, value)).deal()
            if cards < value and word != "re":
                for step in ("re", *STEPS[: STEPS.index(word)]):
                    table.do("announce", seat=1, call=step)
            table.lay(4 * (BOOKS[rules].hand_size - cards))
            said = table.do("announce", seat=1, call=word)
            if "late_announcement" not in table.codes(said):
                fits.append(cards)
        return min(fits), value

    return watch


def reply(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    """5.5.4, bsv 6.5: so many cards later than Re was allowed."""
    fits = []
    for cards in range(1, BOOKS[rules].hand_size + 1):
        table = sit(rules, reply_cards=value).deal()
        table.do("announce", seat=1, call="re")
        table.lay(4 * (BOOKS[rules].hand_size - cards))
        said = table.do("announce", seat=2, call="kontra")
        if "late_announcement" not in table.codes(said):
            fits.append(cards)
    usual = int(BOOKS[rules].settle({})["limit_ansage"])
    return min(fits), max(1, usual - value)


def on_the_table(name: str, seat: int, call: str) -> Watch:
    """The most cards that may lie while a call is in time."""

    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        fits = []
        for laid in {0, 4, 8, value - 2, value - 1, value}:
            if 0 <= laid < 40:
                table = sit(rules, **{name: value}).deal().lay(laid)
                said = table.do("announce", seat=seat, call=call)
                if "late_announcement" not in table.codes(said):
                    fits.append(laid)
        return max(fits), value - 1

    return watch


def until_card(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    fits = []
    for laid in range(4, 7):
        table = sit(rules, until_card=value).deal().lay(laid)
        said = table.do("announce", seat=1, call="re")
        if "late_announcement" not in table.codes(said):
            fits.append(laid)
    return max(fits), {"touches": 4, "lies": 5}[value]


def duty_augen(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    """6.3.1: CA CT CT CA are 42 Augen, CK CK CA CT 29."""
    seen = []
    for points, hands in ((42, {1: "CA", 2: "CT", 3: "CT", 4: "CA"}), (29, {1: "CK", 2: "CK", 3: "CA", 4: "CT"})):
        table = sit(rules, duty_call_augen=value).deal(hands)
        for seat in (1, 2, 3, 4):
            table.card(seat, hands[seat])
        table.finish()
        if "missed_duty" in table.codes():
            seen.append(points)
    return seen, [points for points in (42, 29) if points >= value]


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
}


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
    if option.name in WATCHED
    for value in watched_values(option)
]


@pytest.mark.parametrize(
    ("book", "option", "value"), ROWS, ids=[f"{b.name} {o.section} {o.name}={v}" for b, o, v in ROWS]
)
def test_at_work(sit: Any, book: RuleBook, option: Option, value: Value) -> None:
    seen, expected = WATCHED[option.name](sit, book.name, value)
    assert seen == expected


#: Where the words of a decision have their rows.
ELSEWHERE = {
    **{
        f"{rules} equal_places": "test_standings.py"
        for rules, book in BOOKS.items()
        if "equal_places" in book.settle({})
    },
    **{f"{rules} deduction_most": "tests/tournament/test_berichtigung.py" for rules in BOOKS},
    **{f"{rules} appeal_minutes": "tests/tournament/test_appeal.py" for rules in BOOKS},
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
    **{f"{rules} words_back": "tests/table/test_taking_back.py" for rules in BOOKS},
    **{f"{rules} break_stops_clock": "tests/table/test_break.py" for rules in BOOKS},
    **{f"{rules} tell_{what}": "tests/table/test_help.py" for rules in BOOKS for what in ("augen", "tricks", "sides")},
    **{f"{rules} look_back": "tests/table/test_played_game.py" for rules in BOOKS},
    "schaffkopf after_davonlaufen": "test_schaffkopf_called_card.py",
    "schaffkopf unlawful_davonlaufen_frees": "test_schaffkopf_called_card.py",
    "schaffkopf revoke_in_time": "test_schaffkopf_rulings.py",
}


def test_none_is_left_out() -> None:
    every = {
        f"{book.name} {option.name}"
        for book in BOOKS.values()
        for option in book.options
        if option.type != "number" or option.chapter not in ("scoring", "offences", "money")
    }
    here = {f"{book.name} {option.name}" for book, option, _ in ROWS}
    others = every - here - set(ELSEWHERE)  # in the tests of the book itself
    tests = {book: Path(__file__).with_name(f"test_{book}.py") for book in BOOKS}
    assert not [one for one in others if f'"{one.split()[1]}"' not in tests[one.split()[0]].read_text()]
    assert set(ELSEWHERE) <= every and not here & set(ELSEWHERE)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.slow
def test_any_lawful_options_replay(sit: Any, data: st.DataObject) -> None:  # noqa: C901 - a round needs every kind of event
    """A round played by any lawful options is the same when it is replayed, and its lists are whole."""
    rules = data.draw(st.sampled_from(sorted(BOOKS)))
    book = BOOKS[rules]
    given_: dict[str, Value] = {}
    for option in data.draw(st.lists(st.sampled_from(book.options), max_size=12, unique_by=lambda one: one.name)):
        wanted = {**given_, option.name: data.draw(st.sampled_from(option.values))}
        try:
            book.settle(wanted)
        except BadOption as error:
            assert error.reason.code == "clash"  # it contradicts what was drawn before
        else:
            given_ = wanted
    players = data.draw(st.sampled_from(book.tables))
    table = sit(rules, players, **given_)
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
    replayed = fold(map(decode, json.loads(json.dumps(table.events))))
    assert replay_data(replayed) == replay_data(table.round)
    for game in replay_data(replayed)[:-1]:
        assert sum(game["points"].values()) == sum(map(augen, book.deck))
        if book.write is write_plus_minus:
            assert sum(game["score"].values()) == 0
