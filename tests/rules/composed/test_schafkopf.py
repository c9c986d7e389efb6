"""Schafkopf as clubs and taverns play it: Geier, Farbwenz, Bettel, Laufende, Kontra, Bockrunden, a tariff."""

import json
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import SCHAFFKOPF
from kiosk.rules.books.schafkopf_scoring import laufende, winner
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.schafkopf import ORDER
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.scoring import Tally
from kiosk.rules.engine.tricks import Laid, Trick
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data, replay_data
from tests.rules.composed.books import made
from tests.rules.composed.test_klopfen import said
from tests.rules.composed.test_ramsch import asked, laid

ALL = [*ORDER, "muss"]


def tavern(**more: Any) -> RuleBook:
    """A book with everything that clubs have."""
    rules = {"bidding": "free", "leave": "none", "calls": "kontra_re", "bock": "rounds"}
    return made("schaffkopf", games={"played": ALL}, rules=rules, points={"laufende": True}, **more)


def test_games_that_no_shipped_book_has() -> None:
    book = tavern()
    assert book.classes == tuple(reversed(ORDER))
    assert book.contracts["geier", None].trumps == ("EO", "GO", "HO", "SO")
    assert book.contracts["geier", None].plain_ranks.index("U") == 3
    farbwenz = book.contracts["farbwenz", "G"]
    assert farbwenz.trumps == ("EU", "GU", "HU", "SU", "GA", "GT", "GK", "GO", "G9", "G8", "G7")
    assert farbwenz.classes["HO"] == "H" and farbwenz.solo
    assert book.contracts["bettel", None].trumps == ()
    assert next(kind for kind in book.kinds if kind.game == "farbwenz").suits == ("E", "G", "H", "S")
    assert book.contracts["solo", "E"] == SCHAFFKOPF.contracts["solo", "E"]


def ended(book: RuleBook, game: str, re_cards: str, taken: int = 4, points: int = 70, suit: str | None = None) -> Tally:
    """A game in which seat 1 has laid these cards and seats 2 to 4 all others of the deck."""
    own = re_cards.split()
    rest = [card for card in book.deck if card not in own]
    tricks = []
    for number, card in enumerate(own):
        others = rest[3 * number : 3 * number + 3]
        laid = (Laid(1, 1, card), *(Laid(1, seat, one) for seat, one in zip((2, 3, 4), others, strict=True)))
        tricks.append(Trick(cards=laid, leader=1, winner=1, points=0))
    return Tally(
        seats=(1, 2, 3, 4),
        re=frozenset({1}),
        soloist=1,
        tricks=tuple(tricks),
        complete=True,
        points={"re": points, "kontra": 120 - points},
        taken={"re": taken, "kontra": 8 - taken},
        level={"re": 0, "kontra": 0},
        options=book.settle({}),
        bock=False,
        doubled=False,
        game=game,
        trumps=book.contracts[game, suit].trumps,
        winner="re",
    )


@pytest.mark.parametrize(
    ("game", "cards", "counted"),
    [
        ("solo", "EO GO HO EA ET EK E9 E8", 3),
        ("solo", "EO GO EU GU EA ET EK E9", 0),
        ("solo", "EO GO HO SO EU GU HU SU", 8),
        ("solo", "HU SU EA ET EK E9 E8 E7", 6),
        ("wenz", "EU GU EA ET EK E9 E8 E7", 2),
        ("wenz", "EU HU EA ET EK E9 E8 E7", 0),
        ("geier", "SO HU EA ET EK E9 E8 E7", 3),
        ("bettel", "S7 H7 G7 E7 S8 H8 G8 E8", 0),
    ],
    ids=[
        "with three",
        "with two",
        "with all",
        "without six",
        "a Wenz with two",
        "a gap",
        "a Geier without",
        "a Bettel",
    ],
)
def test_laufende_are_counted_from_the_highest_trump(game: str, cards: str, counted: int) -> None:
    found = laufende(ended(tavern(), game, cards, suit="E" if game == "solo" else None))
    assert sum(item.number for item in found) == counted


def test_laufende_by_tariff_and_from_as_many_as_the_club_wants() -> None:
    book = tavern(options={"value_laufende": 10, "laufende_from": 4})
    assert laufende(ended(book, "solo", "EO GO HO EA ET EK E9 E8", suit="E")) == ()
    (item,) = laufende(ended(book, "solo", "EO GO HO SO ET EK E9 E8", suit="E"))
    assert (item.name, item.number) == ("laufende", 40)


def test_a_bettel_is_won_without_a_trick_and_has_no_schneider() -> None:
    book = tavern()
    none = ended(book, "bettel", "S7 H7 G7 E7 S8 H8 G8 E8", taken=0, points=0)
    assert winner(none) == "re"
    assert winner(evolve(none, taken={"re": 1, "kontra": 7})) == "kontra"
    assert [item.name for rule in book.scoring for item in rule(none)] == ["base"]


def test_tout_of_every_game_needs_all_tricks() -> None:
    book = tavern()
    for game, suit in (("geier-tout", None), ("farbwenz-tout", "E")):
        tally = ended(book, game, "EO GO HO SO EA ET EK E9", taken=7, points=110, suit=suit)
        assert winner(tally) == "kontra" and winner(evolve(tally, taken={"re": 8, "kontra": 0})) == "re"


def opened(book: RuleBook) -> list[dict[str, Any]]:
    content = json.loads(json.dumps(dict(book.own.content))) if book.own else {}
    players = list("ABCD")
    return [
        {"event": "open", "format": 1, "rules": book.name, "players": players, "book": content},
        {"event": "deal", "dealer": 4},
    ]


def test_kontra_in_a_rufspiel_is_in_time_until_the_fifth_card_and_doubles() -> None:
    book = tavern()
    events = opened(book)
    events += [{"event": "call", "seat": 1, "call": "spielen"}]
    events += [{"event": "call", "seat": seat, "call": "recht"} for seat in (2, 3, 4)]
    events += [{"event": "declare", "seat": 1, "game": "rufspiel", "card": "EA"}]
    events += [{"event": "announce", "seat": 2, "call": "kontra"}]
    state = fold(map(decode, events))
    assert state.game is not None and not [one for one in state.game.offences if one.seat == 2]
    for seat, card in zip((1, 2, 3, 4, 1), ("HA", "HT", "HK", "H9", "GA"), strict=True):
        state = state.apply(decode({"event": "card", "seat": state.game.turn or seat, "card": card}))
    late = state.apply(decode({"event": "announce", "seat": 3, "call": "kontra"}))
    assert late.game is not None
    assert "late_announcement" in [one.code for one in late.game.offences if one.seat == 3]


@pytest.mark.parametrize(
    ("calls", "doubled"),
    [
        ([(3, "kontra")], [2]),
        ([(3, "kontra"), (4, "kontra")], [2]),
        ([(3, "kontra"), (1, "re")], [2, 2]),
        ([(1, "re")], [2]),
    ],
    ids=["Kontra", "by both", "Kontra and Re", "Re, which needs no Kontra"],
)
def test_each_call_doubles_once(calls: list[tuple[int, str]], doubled: list[int]) -> None:
    book = made("schaffkopf", rules={"calls": "kontra_re"}, options={"first_dealer": 4})
    state = said(
        asked(book, ("spielen", "recht", "recht", "recht")),
        {"event": "declare", "seat": 1, "game": "rufspiel", "card": "EA"},
        *({"event": "announce", "seat": seat, "call": call} for seat, call in calls),
    )
    hands = {1: "GA GT GK G9 G8 G7 EO HA", 2: "EA ET EK E9 E8 E7 GO HT", 3: "SA ST SK S9 S8 S7 HO HK"}
    done = laid(state, {**hands, 4: "SO EU GU HU SU H9 H8 H7"}).game
    assert done is not None and done.result is not None
    assert [item.number for item in done.result.value if item.name in ("kontra", "re")] == doubled


def test_anybody_may_bid_the_lowest_where_bids_are_free() -> None:
    for free, faults in ((True, []), (False, ["not_entitled"])):
        book = tavern() if free else made("schaffkopf")
        events = opened(book)
        events += [{"event": "call", "seat": seat, "call": word} for seat, word in ((1, "spielen"), (2, "auch"))]
        events += [{"event": "call", "seat": seat, "call": "recht"} for seat in (3, 4)]
        events += [{"event": "bid", "seat": 1, "class": "rufspiel"}, {"event": "bid", "seat": 2, "class": "rufspiel"}]
        state = fold(map(decode, events))
        assert state.game is not None
        assert [one.code for one in state.game.offences if one.section == "schaffkopf II 2.2"] == faults


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"games": {"played": ["solo", "rufspiel"]}}, "without muss"),
        ({"games": {"played": ["schieber", "muss"]}}, "there is no such game"),
        ({"games": {"played": ["solo", "rufspiel", "muss"]}}, "bids by place want"),
        ({"trumps": {"solo": ["EO"]}}, "Doppelkopf alone"),
        ({"rules": {"hochzeit": "named"}}, "there is no such point"),
        (
            {"games": {"played": ALL, "order": [["sie", "solo"]]}, "rules": {"bidding": "free"}},
            "each in brackets of its own",
        ),
        ({"options": {"value_geier": 3}}, "there is no such option"),
    ],
    ids=["no Muss-Spiel", "a Schieber", "by place", "other trumps", "a Hochzeit", "equal ranks", "a Geier's value"],
)
def test_what_schafkopf_is_not_put_together_of(content: dict[str, Any], says: str) -> None:
    with pytest.raises(BadBook, match=says):
        made("schaffkopf", **content)


def test_rounds_of_such_a_book_add_up_and_replay_as_they_were() -> None:
    book = tavern(options={"games": 12, "value_solo": 50, "value_rufspiel": 20})
    for seed in (1, 2):
        events = json.loads(json.dumps(list(simulate(book.name, seed, None, mistakes=0.01))))
        round_ = fold(map(decode, events))
        for row in replay_data(round_)[:-1]:
            assert sum(row["score"].values()) == 0
            if row["re"] and not row["void"]:
                assert sum(row["points"].values()) == 120
        assert list_data(fold(map(decode, events))) == list_data(round_)
