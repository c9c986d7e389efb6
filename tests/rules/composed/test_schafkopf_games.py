"""Games of Schafkopf that a club may play: trumps and ranks of each, their order, what each is worth."""

from collections import Counter
from typing import Any

import pytest

from kiosk.rules.books import schaffkopf, schafkopf_scoring
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.points import shipped
from kiosk.rules.composed.schafkopf import ORDER
from kiosk.rules.describe import describe
from kiosk.rules.describe.told import tell
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.ramsch import jungfrauen
from kiosk.rules.engine.scoring import bockrunde, doublings, knocked
from tests.rules.composed.books import made

FREE = {"bidding": "free"}
EVERY = [*ORDER, "hochzeit", "muss"]
OBER, UNTER = "EO GO HO SO", "EU GU HU SU"


def club(*played: str, **more: Any) -> RuleBook:
    games = {"games": {"played": list(played)}} if played else {}
    return made("schaffkopf", **{"rules": FREE, **games, **more})


@pytest.mark.parametrize(
    ("game", "suit", "trumps", "plain"),
    [
        ("geier", None, OBER, "ATKU987"),
        ("geier-tout", None, OBER, "ATKU987"),
        ("farbwenz", "S", f"{UNTER} SA ST SK SO S9 S8 S7", "ATKO987"),
        ("farbwenz-tout", "E", f"{UNTER} EA ET EK EO E9 E8 E7", "ATKO987"),
        ("bettel", None, "", "ATKOU987"),
        ("hochzeit", None, f"{OBER} {UNTER} HA HT HK H9 H8 H7", "ATK987"),
        ("solo", "G", f"{OBER} {UNTER} GA GT GK G9 G8 G7", "ATK987"),
        ("wenz", None, UNTER, "ATKO987"),
    ],
)
def test_trumps_and_the_order_of_the_others(game: str, suit: str | None, trumps: str, plain: str) -> None:
    contract = club(*EVERY).contracts[game, suit]
    assert (contract.game, contract.suit, contract.solo) == (game, suit, game != "hochzeit")
    assert contract.trumps == tuple(trumps.split()) and contract.re_card is None
    for letter in "EGHS":
        if letter == suit or (game == "hochzeit" and letter == "H"):
            continue
        own = [letter + rank for rank in plain]
        assert sorted(own, key=lambda card: contract.power[card], reverse=True) == own
        assert {contract.classes[card] for card in own} == {letter}


def test_there_is_a_contract_for_each_game_and_suit() -> None:
    found = Counter(game for game, _ in club(*EVERY).contracts)
    four = {"solo-tout", "farbwenz-tout", "solo", "farbwenz"}
    assert found == {game: 4 if game in four else 1 for game in EVERY}
    assert {game for game, _ in club().contracts} == {game for game, _ in shipped("schaffkopf").contracts}


@pytest.mark.parametrize(
    ("played", "order", "ranked"),
    [
        (None, None, ["sie", "solo-tout", "wenz-tout", "solo", "wenz", "rufspiel", "muss"]),
        (["muss", "hochzeit", "rufspiel", "bettel", "solo", "geier"], None,
         ["solo", "geier", "bettel", "rufspiel", "hochzeit", "muss"]),
        (["rufspiel", "solo", "muss", "wenz"], [["wenz"], ["rufspiel"], ["solo"]],
         ["wenz", "rufspiel", "solo", "muss"]),
        (["rufspiel", "solo", "muss", "hochzeit"], [["muss"], ["rufspiel"], ["solo"]],
         ["rufspiel", "solo", "hochzeit", "muss"]),
    ],
    ids=["the base's", "as they usually go", "as the club has it", "a Muss-Spiel is last though"],
)  # fmt: skip
def test_the_highest_goes_first(played: list[str] | None, order: list[list[str]] | None, ranked: list[str]) -> None:
    games = {key: value for key, value in (("played", played), ("order", order)) if value}
    book = made("schaffkopf", rules=FREE, games=games)
    assert [(kind.game, kind.rank) for kind in book.kinds] == list(zip(ranked, range(1, 99), strict=False))
    assert book.classes == tuple(reversed([game for game in ranked if game not in ("muss", "hochzeit")]))
    for kind in book.kinds:
        assert kind.exchange == (kind.game == "hochzeit")
        assert kind.suits == (("E", "G", "H", "S") if kind.game in ("solo-tout", "solo") else ())


#: Each game that may be left out → its option, what it is where the club says nothing.
WORTH = {
    "geier": ("value_geier", 3),
    "farbwenz": ("value_farbwenz", 3),
    "bettel": ("value_bettel", 3),
    "hochzeit": ("value_hochzeit", 1),
}


@pytest.mark.parametrize("game", WORTH)
def test_what_a_game_of_clubs_is_worth(game: str) -> None:
    name, default = WORTH[game]
    option = club("rufspiel", "solo", "muss", game).option(name)
    assert (option.default, option.values, option.section) == (default, range(1, 1001), "")
    assert name not in club("rufspiel", "solo", "muss").settle({})


@pytest.mark.parametrize(
    ("played", "values"),
    [
        (["rufspiel", "solo", "muss"], "value_muss value_rufspiel value_solo"),
        (["rufspiel", "solo", "muss", "wenz", "sie"], "value_muss value_rufspiel value_sie value_solo value_wenz"),
        (["rufspiel", "solo", "muss", "geier-tout"], "value_muss value_rufspiel value_solo value_tout"),
    ],
    ids=["none else", "Wenz and Sie", "a Tout"],
)
def test_games_that_are_not_played_are_worth_nothing(played: list[str], values: str) -> None:
    of_games = set(schafkopf_scoring.VALUE_OF.values())
    assert {one.name for one in club(*played).options} & of_games == set(values.split())


def test_any_value_may_be_a_taverns_cents() -> None:
    book = club(*EVERY, points={"laufende": True})
    wide = {one.name for one in book.options if one.values == range(1, 1001)}
    assert wide == {one.name for one in book.options if one.name.startswith("value_")} >= {"value_schwarz", "value_sie"}


def test_laufende_bring_their_options() -> None:
    book, without = club(points={"laufende": True}), club(points={"laufende": False})
    for name, default, values in (
        ("value_laufende", 1, range(1, 1001)),
        ("laufende_from", 3, range(1, 9)),
        ("laufende_from_wenz", 2, range(1, 5)),
    ):
        option = book.option(name)
        assert (option.default, option.values, option.section) == (default, values, "")
        assert name not in without.settle({})


@pytest.mark.parametrize(
    ("content", "rules"),
    [
        ({}, []),
        ({"points": {"laufende": True}}, [schafkopf_scoring.laufende]),
        ({"rules": {"calls": "kontra_re"}}, [doublings]),
        ({"rules": {"bock": "rounds"}}, [bockrunde]),
        ({"rules": {"klopfen": "before_the_asking"}}, [knocked]),
        ({"rules": {"nobody_plays": "ramsch"}}, [jungfrauen]),
        (
            {"rules": {"nobody_plays": "ramsch", "bock": "rounds", "klopfen": "before_the_asking"}},
            [jungfrauen, knocked, bockrunde],
        ),
    ],
    ids=["nothing", "Laufende", "Kontra", "Bockrunden", "Klopfen", "a Ramsch", "several, Bock last"],
)
def test_what_else_a_game_counts_by(content: dict[str, Any], rules: list[Any]) -> None:
    own = shipped("schaffkopf").scoring
    assert made("schaffkopf", **content).scoring == (*own, *rules)


@pytest.mark.parametrize("ramsch", [True, False])
def test_tens_and_kings_are_called_in_a_muss_spiel_alone(ramsch: bool) -> None:
    book = made("schaffkopf", rules={"nobody_plays": "ramsch" if ramsch else "muss"})
    assert ("muss" in [kind.game for kind in book.kinds]) != ramsch
    for name in ("davonlaufen_ten", "davonlaufen_king"):
        assert (name in book.settle({})) != ramsch
    assert "davonlaufen_ace" in book.settle({})


#: name → content, key, value and key of what contradicts it, words of the error
REFUSED: dict[str, tuple[dict[str, Any], tuple[Any, ...], Any, tuple[Any, ...], str]] = {
    "a Ramsch as a game": ({"played": ["ramsch"]}, ("games", "played"), "ramsch", (), 'nobody_plays = "ramsch"'),
    "no such game": (
        {"played": ["solo", "wenzz"]}, ("games", "played"), "wenzz", (), "did you mean 'wenz'"),
    "what may be played": ({"played": ["x"]}, ("games", "played"), "x", (), f"there are {', '.join(EVERY)}"),
    "twice": ({"played": ["solo", "solo"]}, ("games", "played"), "solo", (), "stands there twice"),
    "no Rufspiel": ({"played": ["solo", "muss"]}, ("games", "played"), None, (), "without rufspiel"),
    "no Solo": ({"played": ["rufspiel", "muss"]}, ("games", "played"), None, (), "without solo"),
    "an order that lacks one": (
        {"played": ["solo", "rufspiel", "muss"], "order": [["solo"]]},
        ("games", "order"), None, ("games", "played"), "each game of 'played' but hochzeit, muss once"),
    "an order of another": (
        {"played": ["solo", "rufspiel", "muss"], "order": [["solo"], ["rufspiel"], ["wenz"]]},
        ("games", "order"), None, ("games", "played"), "each in brackets of its own"),
    "equal ones": (
        {"played": ["solo", "rufspiel", "muss"], "order": [["solo", "rufspiel"]]},
        ("games", "order"), None, ("games", "played"), "each in brackets of its own"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_names_both(name: str) -> None:
    games, key, given, with_key, says = REFUSED[name]
    with pytest.raises(BadBook) as refused:
        made("schaffkopf", rules=FREE, games=games)
    error = refused.value
    assert (error.key, error.given, error.with_key) == (key, given, with_key)
    assert says in error.told("en")


def test_a_muss_spiel_beside_a_ramsch_names_the_rule() -> None:
    with pytest.raises(BadBook) as refused:
        made("schaffkopf", rules={"nobody_plays": "ramsch"}, games={"played": ["solo", "rufspiel", "muss"]})
    error = refused.value
    assert (error.key, error.given, error.with_key) == (("games", "played"), "muss", ("rules", "nobody_plays"))


@pytest.mark.parametrize("rules", [{}, {"bidding": "by_place"}], ids=["as the base has it", "as the club says"])
def test_bids_by_place_want_the_games_they_name(rules: dict[str, str]) -> None:
    with pytest.raises(BadBook) as refused:
        made("schaffkopf", rules=rules, games={"played": ["rufspiel", "solo", "wenz", "muss"]})
    error = refused.value
    assert (error.key, error.with_key) == (("games", "played"), ("rules", "bidding") if rules else ("base",))
    assert error.fields == (("games", "played"), ("rules", "bidding"))
    assert "rufspiel, wenz, solo, wenz-tout" in error.told("en")
    made("schaffkopf", rules=rules, games={"played": [*schaffkopf.DEMANDED, "muss"]})


def facts(book: RuleBook) -> dict[str, str]:
    return {fact.key: tell(fact.value, "en") for part in describe(book) for fact in part.facts}


def test_kontra_and_re_are_told_by_the_cards_that_lie() -> None:
    told = facts(made("schaffkopf", rules={"calls": "kontra_re"}, options={"others_until": 9}))
    assert told["until_kontra"] == told["until_re"] and "8 cards lie" in told["until_kontra"]
