"""The live picture of the mat: what it says of the cards, how often it is made, and that it costs nothing unasked."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.service.worker_run import messages_over
from vision.camera.frame import Frame
from vision.deck.deck import Deck
from vision.geometry.projection import card_corners
from vision.mat.layout import MatLayout
from vision.messages import MatPicture, WatchMat
from vision.service.live_view import LiveView
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.simulation.geometry import CardPose
from vision.tracking.tracker import Tracker


class Watching:
    """A table with a card on it that is watched, its clock moved by hand."""

    def __init__(self, width: int) -> None:
        faces = load_art("stichwart").faces
        plain = {one: np.ascontiguousarray(faces[one][..., :3]) for one in ("CA", "HQ", "DT")}
        self.tracker = Tracker(Deck("club", (59.0, 91.0), plain), MatLayout())
        self.camera = SimCamera(load_art("stichwart"), MatLayout(), 3)
        self.now = 0.0
        self.view = LiveView(width, lambda: self.now)

    def step(self, seconds: float) -> MatPicture | None:
        """One more frame, so many seconds of the clock after the one before."""
        self.now += seconds
        frame = next(self.camera)
        self.tracker.process(frame)
        return self.view.picture(frame, self.tracker)


@pytest.mark.slow
def test_cards_stand_where_the_picture_shows_them() -> None:
    watching = Watching(640)
    watching.camera.lay("HQ", 1, pose=CardPose(20, -10, 0.1))
    pictures = [watching.step(1 / 15) for _ in range(36)]
    made = [picture for picture in pictures if picture is not None]
    assert any(picture.changed for picture in made) and any(picture.moving for picture in made)
    last = made[-1]
    assert last.size == (640, 360) and last.fps == pytest.approx(15, abs=0.1)
    shown = cv2.imdecode(np.frombuffer(last.picture, np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape == (360, 640, 3)
    (card,) = last.cards
    assert (card.card, card.label, card.doubt, card.face_down) == (1, "HQ", False, False)
    assert card.margin > 0.3 and (card.x, card.y) == pytest.approx((20, -10), abs=1.5)
    calibration = watching.tracker.state.calibration
    assert calibration is not None
    corners = calibration.view.project(card_corners((card.x, card.y, card.angle), (59.0, 91.0)))
    assert np.allclose(np.array(card.quad), corners / 2, atol=0.1)


@pytest.mark.slow
def test_pictures_come_ten_times_a_second_at_most() -> None:
    watching = Watching(320)
    assert sum(watching.step(0.02) is not None for _ in range(50)) == 10


def test_without_a_deck_the_mat_is_seen_all_the_same() -> None:
    frame = next(SimCamera(load_art("stichwart"), MatLayout(), 3))
    picture = LiveView(320).picture(frame, None)
    assert picture is not None and picture.cards == () and picture.picture
    assert LiveView(5000).picture(Frame(frame.image, 1.0), None).size == frame.size  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("commands", "sent"), [((WatchMat(),), True), ((), False), ((WatchMat(), WatchMat(on=False)), False)]
)
def test_a_worker_sends_it_while_it_is_asked_for(tmp_path: Path, commands: tuple[WatchMat, ...], sent: bool) -> None:
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((90, 160, 3), 90, np.uint8))
    heard = messages_over(tmp_path, commands)
    assert any(isinstance(message, MatPicture) for message in heard) is sent
