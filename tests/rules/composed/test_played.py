"""A round that is played by a club's book carries it: its list is folded the same wherever it comes."""

import gc
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.games import OTHERS, OWN, SOLOS
from kiosk.rules.composed.points import POINTS
from kiosk.rules.composed.schafkopf import ORDER, UNBID
from kiosk.rules.composed.schafkopf import POINTS as SCHAFKOPF
from kiosk.rules.composed.scoring import CALLS, QUEENS, SPECIAL
from kiosk.rules.describe import describe
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.scoring import write_plus_minus
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold, open_round
from kiosk.table.scoresheet.spielliste import list_data, replay_data
from tests.rules.composed.books import made, written

Event = dict[str, Any]


def played(book: RuleBook, seed: int, games: int, mistakes: float = 0.01) -> list[Event]:
    """The events of a round as they stand in its file."""
    found: list[Event] = json.loads(json.dumps(list(simulate(book.name, seed, games, mistakes=mistakes))))
    return found


def folded(events: Sequence[Event]) -> Round:
    return fold(map(decode, events))


@pytest.mark.slow
def test_the_list_is_the_same_where_nobody_knows_the_book() -> None:
    book = written('[options]\nvalue_fuchs = 3\n[rules]\nhochzeit = "first_plain"\n[points]\ncalls = "doubled"')
    events, name = played(book, 4, 4), book.name
    here = list_data(folded(events))
    del book
    gc.collect()
    assert name not in BOOKS
    there = folded(events)
    assert list_data(there) == here and there.book.name == name
    assert there.options["value_fuchs"] == 3


def test_a_round_of_a_clubs_book_without_its_content_is_refused() -> None:
    book = made()
    opening = played(book, 1, 1)[0]
    assert opening["rules"] == book.name and opening["book"]["base"] == "bsv"
    del opening["book"]
    with pytest.raises(BadEvent, match=r"its content .* goes with the round"):
        open_round(decode(opening))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"options": {"value_fuchs": 9}}, "another one than its name says"),
        ({"base": "skat"}, "another one than its name says"),
    ],
    ids=["other points", "another base"],
)
def test_content_that_somebody_has_changed_is_refused(changed: dict[str, Any], says: str) -> None:
    opening = played(made(), 1, 1)[0]
    opening["book"] |= changed
    with pytest.raises(BadEvent, match=says):
        open_round(decode(opening))


def test_a_book_that_no_version_could_play_by_is_refused_by_its_key() -> None:
    from kiosk.rules.composed.file import digest

    content = {"base": "bsv", "title": "x", "source": "y", "options": {"value_fux": 1}}
    body = {"event": "open", "format": 1, "rules": f"mittwoch.{digest(content)}", "players": list("ABCD")}
    with pytest.raises(BadEvent, match=r"open: options\.value_fux = 1: there is no such option"):
        open_round(decode({**body, "book": content}))


@st.composite
def schafkopf(draw: st.DrawFn) -> dict[str, Any]:
    """Books of Schafkopf that a club might think of; some contradict themselves."""
    names = draw(st.lists(st.sampled_from(list(SCHAFKOPF)), unique=True, max_size=6))
    rules = {name: draw(st.sampled_from(list(SCHAFKOPF[name].choices))) for name in names}
    content: dict[str, Any] = {"base": "schaffkopf", "title": "Zufall", "source": "Probe", "rules": rules}
    content["points"] = {"laufende": draw(st.booleans())}
    if draw(st.booleans()):
        some = draw(st.lists(st.sampled_from([*ORDER, *UNBID]), unique=True, min_size=3))
        content["games"] = {"played": [*dict.fromkeys(["rufspiel", "solo", *some])]}
        if draw(st.booleans()):
            content["games"]["played"].sort(key=lambda name: name == "muss")
    wanted = {"value_solo": st.integers(1, 50), "value_ramsch": st.integers(1, 9)}
    wanted["ramsch_equal"] = st.sampled_from(["tricks", "last_trick", "all"])
    name = draw(st.sampled_from(["", *wanted]))
    if name == "value_solo" or (name and rules.get("nobody_plays") == "ramsch"):
        content["options"] = {name: draw(wanted[name])}
    return content


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    """Books that a club might think of; some contradict themselves."""
    if draw(st.integers(0, 2)) == 0:
        return draw(schafkopf())
    base = draw(st.sampled_from(["eppstein", "bsv", "ddv", "durchgaenge", "schnittchen"]))
    names = draw(st.lists(st.sampled_from(list(POINTS)), unique=True, max_size=6))
    rules = {name: draw(st.sampled_from(list(POINTS[name].choices))) for name in names}
    content: dict[str, Any] = {"base": base, "title": "Zufall", "source": "Probe", "rules": rules}
    if draw(st.booleans()):
        games = draw(st.lists(st.sampled_from([*SOLOS, *OTHERS, *OWN]), unique=True, min_size=1, max_size=7))
        content["games"] = {"played": games}
    if draw(st.booleans()):
        content["points"] = {
            "calls": draw(st.sampled_from(list(CALLS))),
            "queens": draw(st.sampled_from(list(QUEENS))),
            "reached": draw(st.booleans()),
            "special": draw(st.lists(st.sampled_from(list(SPECIAL)), unique=True)),
            "special_doubled": draw(st.booleans()),
        }
    if draw(st.booleans()):
        rest = ["D", "C", "S"]
        content["trumps"] = {"normal": ["HT", *draw(st.permutations(["Q", "J"])), draw(st.sampled_from(rest))]}
    if draw(st.booleans()):
        content["options"] = {"value_won": draw(st.integers(0, 5)), "value_fuchs": draw(st.integers(0, 5))}
    if rules.get("schweinchen") == "both_in_one_hand":
        more = {"schweinchen_until": draw(st.sampled_from(["first_card", "first_of_both"]))}
        more["hyperschweinchen"] = draw(st.sampled_from(["none", "K", "T"]))
        content["options"] = content.get("options", {}) | more
    return content


def possible(content: dict[str, Any]) -> RuleBook | None:
    """The book of that content; None where it is refused, with a line that says the way out."""
    try:
        return made(**content)
    except BadBook as error:
        assert str(error).startswith("mittwoch: ") and len(str(error)) < 900
        return None


@pytest.mark.slow
@given(content=contents(), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
def test_any_book_that_can_be_put_together_can_be_played_by(content: dict[str, Any], seed: int) -> None:
    """Points add up, a replay is what was live, the book can be told, and nothing fails."""
    book = possible(content)
    if book is None:
        return
    events = played(book, seed, 3, mistakes=0.01)
    round_ = folded(events)
    for row in replay_data(round_)[:-1]:
        if not row["void"] and row["re"]:  # of a game that a ruling broke off the sides may not be known
            assert sum(row["points"].values()) == (120 if book.classes else 240)
        if book.write is write_plus_minus:
            assert sum(row["score"].values()) == 0
    again = folded(json.loads(json.dumps(events)))
    assert list_data(again) == list_data(round_)
    assert describe(book)


def test_random_books_are_mostly_possible() -> None:
    """So that the test above tries something."""
    tried = [made(base=base, rules={name: one}) for base, name, one in _single()]
    assert len(tried) > 100


def _single() -> list[tuple[str, str, str]]:
    found = []
    for base in ("eppstein", "bsv", "durchgaenge", "schnittchen"):
        for name, point in POINTS.items():
            for one in point.choices:
                try:
                    made(base=base, rules={name: one})
                except BadBook:
                    continue
                found.append((base, name, one))
    return found
