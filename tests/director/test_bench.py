"""The measurements measure: figures come out for what was really stored and shown."""

from itertools import islice

from kiosk.demo.play import simulate
from kiosk.director.bench import post_to_page, stored_per_second


def test_figures_come_out(tmp_path):
    events = list(islice(simulate("eppstein", 1, table=3), 12))
    assert stored_per_second(tmp_path, events) > 0
    times = post_to_page(tmp_path, events)
    assert len(times) == 11
    assert all(0 < seconds < 10 for seconds in times)
