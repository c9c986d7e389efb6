"""Cameras of 10 to 30 pictures a second: what the tracker waits for is counted in seconds, so that all see the same."""

import pytest

from tests.vision.tracking.test_track import Table, Truth, art, deck, laid, only  # noqa: F401 - two are fixtures
from vision.deck.deck import Deck
from vision.messages import CardLaid, TrickTaken
from vision.simulation.artwork import Art
from vision.simulation.film import SimCamera
from vision.tracking.tracker import Tracker

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("fps", [10.0, 15.0, 25.0, 30.0])
def test_a_trick_is_seen_at_every_rate(art: Art, deck: Deck, fps: float) -> None:  # noqa: F811 - the fixtures
    camera = SimCamera(art, seed=4, fps=fps)
    table = Table(camera, Tracker(deck, camera.layout, recogniser=Truth(camera)))
    assert table.watch(0.5) == []
    late = []
    for seat, label in ((1, "HT"), (2, "SA"), (3, "D9"), (4, "CK")):
        act = camera.lay(label, seat)
        reports = table.watch(0.5)
        assert laid(reports) == [label]
        (first,) = (report.at for report in reports if isinstance(report, CardLaid))
        late.append(first - act.at_rest)
    camera.wait(0.6)
    camera.collect(2)
    reports = table.watch(0.5)
    (taken,) = only(TrickTaken, reports)
    assert isinstance(taken, TrickTaken) and len(taken.cards) == 4
    # What is waited for takes the same time; only the step to the next picture differs.
    assert all(0.1 <= seconds <= 0.55 + 2 / fps for seconds in late), late
