"""Numbers of scoring, offences and money at work in a replay: default, both ends of the range and another value.

As ``test_options_watched.py`` does with the numbers of the round, of finding the game, of play and announcements.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import Option, RuleBook
from kiosk.rules.options.option import Value
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.spielliste import list_data, replay_data

pytestmark = pytest.mark.slow

#: Seen, and what was to be seen.
Watch = Callable[[Any, str, Any], tuple[Any, Any]]

#: Makes a table: the class behind the fixture ``sit``.
Sit = Any

STEPS = ("keine90", "keine60", "keine30", "schwarz")
LIMITS = ("limit_ansage", "limit_keine90", "limit_keine60", "limit_keine30", "limit_schwarz")


def items(round_: Round) -> dict[str, int]:
    """The reasons of the last game's value, summed."""
    found: dict[str, int] = {}
    for name, number in replay_data(round_)[-2]["value"]:
        found[name] = found.get(name, 0) + number
    return found


def again(events: list[dict[str, Any]], **options: Value) -> Round:
    """The same events, opened with these options."""
    return fold(map(decode, [{**events[0], "options": options}, *events[1:]]))


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
def swept(sit: Sit, rules: str, winners: tuple[int, int]) -> list[dict[str, Any]]:
    """A game in which one side wins all tricks and both have said everything; schnittchen: Bock too."""
    table = sit(rules).deal(strong_hands(BOOKS[rules], winners), dealer=winners[0] - 1 or 4)
    for seat, call in ((1, "re"), (2, "kontra")):
        for word in (call, *STEPS):
            table.do("announce", seat=seat, call=word)
    if "bock" in BOOKS[rules].calls.words:
        table.do("announce", seat=1, call="bock")
    table.finish(strong=winners)
    return table.events


@cache
def with_item(sit: Sit, rules: str, name: str) -> list[dict[str, Any]]:
    """A game at random whose value has the reason."""
    for seed in range(600):
        table = sit(rules).deal(seed=seed).finish()
        if name in items(table.round):
            return table.events
    raise AssertionError(f"no game with {name}")


def value(name: str, game: Callable[[Sit, str], list[dict[str, Any]]], *reasons: str) -> Watch:
    """The number of these reasons; all others stay as they are."""

    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        events = game(sit, rules)
        usual, seen = items(again(events)), items(again(events, **{name: value}))
        assert all(reason in usual for reason in reasons), f"{reasons} are not in {usual}"
        default = int(BOOKS[rules].settle({})[name])
        return seen, {
            reason: number // default * value if reason in reasons else number
            for reason, number in usual.items()
            if reason not in reasons or value
        }

    return watch


def all_said(winners: tuple[int, int]) -> Callable[[Sit, str], list[dict[str, Any]]]:
    return lambda sit, rules: swept(sit, rules, winners)


def having(name: str) -> Callable[[Sit, str], list[dict[str, Any]]]:
    return lambda sit, rules: with_item(sit, rules, name)


@cache
def some_games(sit: Sit, rules: str) -> list[list[dict[str, Any]]]:
    """A few games as they come, by normal play; of schaffkopf a Rufspiel, a Muss-Spiel and Solos."""
    if rules != "schaffkopf":
        return [sit(rules).deal(seed=seed).finish().events for seed in range(12)]
    found = []
    for seed in range(16):
        table = sit(rules).deal({1: "EA", 2: "EO E7"}, seed=seed)
        game = ("rufspiel", "muss", "wenz", "solo")[seed % 4]
        for seat in (1, 2, 3, 4):
            plays = seat == 2 and game != "muss"
            table.do("call", seat=seat, call="spielen" if plays else "weiter")
        table.do("declare", seat=2, game=game, card="EA", suit="E")
        found.append(table.finish().events)
    return found


def win_points(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    """Who has won, by the Augen that the replay prints; in a Muss-Spiel the other side needs them (II 5.1.3)."""
    seen, expected = [], []
    for events in some_games(sit, rules):
        game = replay_data(again(events, win_points=value))[-2]
        attacker = "kontra" if game["kind"] == "muss" else "re"
        other = "re" if attacker == "kontra" else "kontra"
        seen.append(game["won_by"])
        expected.append(attacker if game["points"][attacker] >= value else other)
    return seen, expected


def schneider(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    """II 5.1.2: the side that must reach more than half with so many or fewer, the other with fewer."""
    seen, expected = [], []
    for events in some_games(sit, rules):
        game = replay_data(again(events, schneider_points=value))[-2]
        attacker = "kontra" if game["kind"] == "muss" else "re"
        loser = "kontra" if game["won_by"] == "re" else "re"
        seen.append("schneider" in [name for name, _ in game["value"]])
        expected.append(game["points"][loser] < value + (loser == attacker))
    return seen, expected


def base(name: str, game: str) -> Watch:
    """The value of a game of schaffkopf."""

    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        suit = {"suit": "E"} if game in ("solo", "solo-tout") else {}
        called = {"card": "EA"} if game in ("rufspiel", "muss") else {}
        hand = "EO GO HO SO EU GU HU SU" if game == "sie" else "EO E7"
        table = sit(rules, **{name: value}).deal({1: "EA", 2: hand})
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="spielen" if seat == 2 and game != "muss" else "weiter")
        table.do("leave", seat=2, granted=True)
        table.do("declare", seat=2, game=game, **suit, **called)
        table.finish()
        return items(table.round)["base"], value

    return watch


def schneider_schwarz(name: str) -> Watch:
    """Every trick to one side: Schneider and schwarz."""

    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        table = sit(rules, **{f"value_{name}": value}).deal({1: "EO GO HO SO EU GU HU SU"})
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="spielen" if seat == 1 else "recht")
        table.do("declare", seat=1, game="solo", suit="E")
        table.finish(strong=(1,))
        return items(table.round), {"base": 3, "schneider": 1, "schwarz": 1, name: value}

    return watch


def doppelkopf_augen(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    seen, expected = [], []
    for events in some_games(sit, rules)[:6]:
        both = {"losers_special_points": "set_off"} if rules in ("durchgaenge", "schnittchen") else {}
        game = replay_data(again(events, doppelkopf_augen=value, **both))[-2]
        seen.append(sum(name == "doppelkopf" for name, _ in game["value"]))
        expected.append(sum(trick["points"] >= value for trick in game["tricks"]))
    return seen, expected


def damensolo(sit: Sit, rules: str, won: bool, **options: Value) -> dict[str, Any]:
    """A Damensolo of seat 1 that wins every trick or none, as the replay prints it."""
    size = BOOKS[rules].hand_size
    best = ["CQ", "CQ", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CA", "CA", "SA", "SA"][:size]
    worst = ["CJ", "CJ", "SJ", "SJ", "HJ", "HJ", "DJ", "DJ", "CK", "CK", "SK", "SK"][:size]
    table = sit(rules, **options).deal({1: " ".join(best if won else worst)})
    table.do("declare", seat=1, game="damensolo", duty=True)
    table.finish(strong=(1,) if won else (2, 3, 4))
    return dict(replay_data(table.round)[-2])


def factor_solo(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    """eppstein 6.2.4: three times; durchgaenge 6d: three times and 5, lost 15 more."""
    won, lost_ = damensolo(sit, rules, True, factor_solo=value), damensolo(sit, rules, False, factor_solo=value)
    worth, cost = (sum(number for _, number in game["value"]) for game in (won, lost_))
    if rules == "eppstein":
        return (won["score"]["1"], lost_["score"]), (value * worth, {"1": 0, "2": cost, "3": cost, "4": cost})
    return (won["score"]["1"], lost_["score"]["1"]), (value * worth + 5, -value * cost - 15)


def lost_solo_bonus(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    game = damensolo(sit, rules, False, lost_solo_bonus=value)
    cost = sum(number for _, number in game["value"])
    return game["score"]["1"], -3 * cost - value


def bonus(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    game = replay_data(again(some_games(sit, rules)[0], bonus=value))[-2]
    worth = sum(number for _, number in game["value"])
    return sorted(game["score"].values()), sorted([0, 0, worth + value, worth + value])


def factor_bockrunde(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
    """A trick of four hearts: the next game."""
    table = sit(rules, factor_bockrunde=value).deal({1: "HA", 2: "HK", 3: "HK", 4: "HA"})
    for seat, card in ((1, "HA"), (2, "HK"), (3, "HK"), (4, "HA")):
        table.card(seat, card)
    table.finish().deal(dealer=1).finish()
    return items(table.round).get("bockrunde"), value


# Offences and money


def ruled(sit: Sit, rules: str, kind: str, offender: int, alone: bool, calls: tuple[str, ...] = (), **more: Any) -> Any:
    table = sit(rules, **more.pop("options", {})).deal()
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

    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        calls = ("re", "kontra", *STEPS[:steps]) if steps else ()
        given = {name: value} if not steps else {name: value, "serious_penalty": 12}
        with_it = ruled(sit, rules, kind, 2, alone, calls, options=given, **more).round.totals
        without = ruled(sit, rules, "none", 2, alone, calls).round.totals
        usual = {seat: with_it[seat] - (without[seat] if kind == "minor" else 0) for seat in (1, 2, 3, 4)}
        lost_ = 12 + steps * value if steps else value
        if alone:
            return usual, {1: lost_, 2: -lost_, 3: 0, 4: 0}
        return usual, {seat: -lost_ if seat == 2 else lost_ // 3 for seat in (1, 2, 3, 4)}

    return watch


def left_to_referee(watch: Watch, kind: str = "serious", alone: bool = False) -> Watch:
    """0: the ruling needs scores."""

    def watched(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        if value:
            return watch(sit, rules, value)
        name = "serious_penalty_opponent" if alone else "serious_penalty"
        with pytest.raises(Exception, match=f"option '{name}' leaves .* the ruling needs scores"):
            ruled(sit, rules, kind, 2, alone, options={name: 0})
        return 0, 0

    return watched


def euros(name: str, alone: bool, calls: tuple[str, ...] = ()) -> Watch:
    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
        fines = list_data(ruled(sit, rules, "serious", 2, alone, calls, options={name: value}).round)["fines"]
        if alone:
            return {seat: fines.get(seat, 0) for seat in "12"}, {"1": -value, "2": value}
        return {seat: fines.get(seat, 0) for seat in "1234"}, {"1": -value, "2": 3 * value, "3": -value, "4": -value}

    return watch


LATE = ("", "_second", "_third", "_fourth")


def late(step: int, minutes: bool) -> Watch:
    """The step's first minute, and its fine; the later ones are moved so that they do not contradict."""

    def watch(sit: Sit, rules: str, value: Any) -> tuple[Any, Any]:
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
    if option.type == "number" and option.chapter in ("scoring", "offences", "money")
    for value in watched_values(option)
]


@pytest.mark.parametrize(
    ("book", "option", "value"), ROWS, ids=[f"{b.name} {o.section} {o.name}={v}" for b, o, v in ROWS]
)
def test_at_work(sit: Any, book: RuleBook, option: Option, value: Value) -> None:
    watch = watch_of(book, option.name)
    assert watch is not None
    seen, expected = watch(sit, book.name, value)
    assert seen == expected
