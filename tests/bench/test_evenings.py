"""The list of evenings, and what is looked for on their screens."""

from kiosk.bench.evenings import LANGUAGES, SIZES_PX, WAYS, Evening, PlannedEvening, planned_evenings, told_in_a_line
from kiosk.rules.books import BOOKS


def test_every_book_is_played_each_way_in_every_size_and_language() -> None:
    evenings = list(planned_evenings())
    kinds = {(one.book, one.by, one.size, one.language) for one in evenings}
    assert len(kinds) == len(evenings) == len(BOOKS) * len(WAYS) * len(SIZES_PX) * len(LANGUAGES)
    assert len({one.seed for one in evenings}) == len(evenings)
    assert [one.by for one in planned_evenings(quick=True)] == list(WAYS)
    assert {one.by for one in planned_evenings(("camera",))} == {"camera"}


def test_an_evening_tells_how_to_play_it_again_and_what_was_wrong() -> None:
    one = PlannedEvening(book="bsv", by="mixed", size=(800, 480), language="en", seed=7)
    assert "--by mixed --book bsv --size 800x480 --language en --seed 7" in one.command
    told = told_in_a_line(Evening(one, games=3, rows=3, right=2, wrong=["row 2: played a, noted b"]))
    assert "rows 2 of 3 right, 1 faults" in told and told.endswith("\n  row 2: played a, noted b")
