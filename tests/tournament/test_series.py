"""Series over evenings, for every book: sums, the best so many evenings, clubs."""

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadNote
from kiosk.paper.series import series_pdf
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.tournament.notes import Noted
from kiosk.tournament.people import Person
from kiosk.tournament.series import all_series, club_sums, results, series_csv, series_note, series_of, series_text
from kiosk.tournament.tally import standing
from kiosk.tournament.tournament import begin, folded

FOUR = ["Anna", "Bernd", "Cem", "Dora"]
EVENINGS = {
    "März": {"Anna": 10, "Bernd": -4, "Cem": 8},
    "April": {"Anna": -20, "Bernd": 9},
    "Mai": {"Anna": 5, "Cem": 1},
}
CLUBS = {"Anna": "Skat 09", "Bernd": "Skat 09", "Cem": "TSV"}


@pytest.mark.parametrize(
    ("best", "points"),
    [
        pytest.param(None, {"Anna": -5, "Bernd": 5, "Cem": 9}, id="all"),
        pytest.param(2, {"Anna": 15, "Bernd": 5, "Cem": 9}, id="the best two of three"),
        pytest.param(1, {"Anna": 10, "Bernd": 9, "Cem": 8}, id="the best one"),
        pytest.param(9, {"Anna": -5, "Bernd": 5, "Cem": 9}, id="more than there are"),
    ],
)
def test_the_best_evenings_count(best, points):
    found = results(EVENINGS, CLUBS, best)
    assert {one.name: one.points for one in found} == points
    anna = found[0]
    assert anna.points == sum(anna.evenings[evening] for evening in anna.counting)


@pytest.mark.parametrize(("best", "sums"), [(None, {"Skat 09": 20, "TSV": 9}), (1, {"Skat 09": 15, "TSV": 9})])
def test_the_best_people_of_a_club_count(best, sums):
    assert club_sums(results(EVENINGS, CLUBS, 2), best) == sums


def evening(name, book, seed, at, *, best=None, series="Saison"):
    """One evening of one table, noted as belonging to a series."""
    events = [dict(one) for one in simulate(book, seed, options={"games": 4} if book == "bsv" else None)]
    events[0]["players"] = FOUR
    made = begin(name, rules=book, rounds=None, people=[Person(name=one, club=CLUBS.get(one, "")) for one in FOUR])
    note = Noted(number=0, at=at, body=series_note({"name": series, "best": best, "club_best": 1}))
    return folded(made, [note]), [fold([decode(one) for one in events])], [note]


@pytest.mark.slow
def test_a_series_sums_up_evenings_by_several_books():
    evenings = [
        evening("Zwei", "bsv", 2, 20),
        evening("Eins", "schnittchen", 1, 10, best=1),
        evening("Fremd", "bsv", 3, 1, series=""),
    ]
    found = all_series(evenings)
    assert list(found) == ["Saison"]
    data = found["Saison"]
    assert [one["tournament"] for one in data["evenings"]] == ["Eins", "Zwei"]
    assert data["best"] is None  # what was noted last counts for all evenings
    single = [{one["name"]: one["points"] for one in standing(*one)["places"]} for one in evenings[:2]]
    assert {one["name"]: one["points"] for one in data["places"]} == {
        name: single[0].get(name, 0) + single[1].get(name, 0) for name in FOUR
    }
    assert data["clubs"][0]["place"] == 1 and {one["club"] for one in data["clubs"]} == {
        "Skat 09",
        "TSV",
    }
    assert "Saison" in series_text(data) and series_csv(data, "en").splitlines()[0].startswith("Place")
    assert series_pdf(data).startswith(b"%PDF") and series_pdf(data) == series_pdf(data)


@pytest.mark.parametrize(
    "note", [{"name": "x" * 41}, {"name": "S", "best": 0}, {"name": "S", "club_best": "4"}], ids=str
)
def test_what_cannot_be_noted(note):
    with pytest.raises(BadNote):
        series_note(note)


def test_an_evening_may_leave_its_series():
    notes = [Noted(number=n, at=n, body=series_note({"name": name})) for n, name in enumerate(["S", ""])]
    assert series_of(notes[:1]) is notes[0] and series_of(notes) is None
