"""The measurements measure: figures come out for what was really stored and shown."""

from itertools import islice

import pytest

from kiosk.bench.director import hall, post_to_page, stored_per_second
from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS


@pytest.mark.slow
def test_figures_come_out(tmp_path):
    events = list(islice(simulate("eppstein", 1, table=3), 12))
    assert stored_per_second(tmp_path, events) > 0
    times = post_to_page(tmp_path, events)
    assert len(times) == 11
    assert all(0 < seconds < 10 for seconds in times)


@pytest.mark.slow
def test_a_hall_of_every_book(tmp_path):
    tables = [list(islice(simulate(book, 1, table=number), 9)) for number, book in enumerate(BOOKS, start=1)]
    times = hall(tmp_path, tables)
    assert len(times) == 9 * len(BOOKS)
    assert all(0 < seconds < 10 for seconds in times)
