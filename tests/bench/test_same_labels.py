"""What two machines read of the same pictures: what is the same, what differs and by how much."""

import json
from typing import Any

import pytest

from kiosk.bench.same_labels import compare


def card(label: str | None, margin: float = 0.5, x: float = 10.0) -> dict[str, Any]:
    return {"label": label, "margin": margin, "choices": [["HK", margin]], "at": [x, 20.0]}


def lines(*cases: list[dict[str, Any]]) -> list[str]:
    return [json.dumps({"case": f"case {n}", "readings": readings}) for n, readings in enumerate(cases)]


@pytest.mark.parametrize(
    ("other", "labels", "bits", "margin", "place", "notes"),
    [
        (lines([card("HK"), card("SQ")]), 2, 2, 0.0, 0.0, []),
        (lines([card("HK", 0.5 + 2**-40), card("SQ")]), 2, 1, 2**-40, 0.0, []),
        (lines([card("HK"), card("SQ", x=10.25)]), 2, 1, 0.0, 0.25, []),
        (lines([card("HK"), card("CQ")]), 1, 1, 0.0, 0.0, ["case 0: HK SQ / HK CQ"]),
        (lines([card("HK"), card(None)]), 1, 1, 0.0, 0.0, ["case 0: HK SQ / HK ?"]),
        (lines([card("HK")]), 1, 1, 0.0, 0.0, ["case 0: HK SQ / HK"]),
        (lines([]), 0, 0, 0.0, 0.0, ["case 0: HK SQ / nothing"]),
    ],
    ids=["the same", "the last bits", "a place", "another label", "in doubt", "one fewer", "nothing"],
)
def test_what_differs_is_told(
    other: list[str], labels: int, bits: int, margin: float, place: float, notes: list[str]
) -> None:
    found = compare(lines([card("HK"), card("SQ")]), other)
    assert (found.readings, found.same_labels, found.same_bits, found.notes) == (2, labels, bits, notes)
    assert (found.margin, found.place) == (margin, place)
    assert found.same_cases == (bits == 2)


def test_reports_of_a_film_are_compared_with_what_they_are_of() -> None:
    mine = lines(
        [{"report": "CardLaid", "label": "HK", "x": 1.0, "y": 2.0}, {"report": "TrickTaken", "x": None, "y": 1.0}]
    )
    assert compare(mine, mine).same_bits == 2
    gone = lines([{"report": "CardLaid", "label": "HK", "x": 1.0, "y": 2.0}, {"report": "CardGone"}])
    assert compare(mine, gone).notes == ["case 0: CardLaid HK TrickTaken ? / CardLaid HK CardGone ?"]


def test_a_machine_that_ended_early_is_no_match() -> None:
    with pytest.raises(ValueError, match="shorter"):
        compare(lines([card("HK")], [card("SQ")]), lines([card("HK")]))
