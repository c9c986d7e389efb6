"""A deck spread out before the camera: it is read all at once, and no card of it is tracked."""

from typing import Any, cast

import pytest

from vision.camera.frame import Frame
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, HandRead, ReadHand, VisionSettings
from vision.service.frame_processor import FrameProcessor
from vision.simulation.art import load_art
from vision.simulation.fans import spread_deck

pytestmark = pytest.mark.slow

CARDS = ("CA", "CK", "SQ", "HT", "CA", "H7", "DQ", "ST")


class Pipe:
    """What a processor has sent."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, message: Any) -> None:
        self.sent.append(message)

    def tick(self, at: float, interval_s: float) -> None:
        """Nobody waits for it here."""

    def of(self, kind: type) -> list[Any]:
        return [message for message in self.sent if isinstance(message, kind)]


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "while cards are tracked"])
def test_a_spread_deck_is_read_while_its_cards_are_not_tracked(alone: bool) -> None:
    art, pipe = load_art("stichwart"), Pipe()
    processor = FrameProcessor(
        VisionSettings(deck="", faces=tuple(art.doppelkopf)), MatLayout(), cast(Any, pipe), lambda: 0.0
    )
    bare = spread_deck(5, art, ()).frame
    scene = spread_deck(5, art, CARDS, rows=2)
    at = 0.0
    for picture, times in ((bare, 12), (scene.frame, 25)):
        for _ in range(times):
            processor.process(Frame(picture, at), lambda: 0.0, cast(Any, None))
            at += 0.1
        processor.read_hand(ReadHand(faces=(*art.doppelkopf, "H7"), alone=alone))  # asked for again, too
    read = pipe.of(HandRead)[-1]
    assert sorted(card.label for card in read.cards) == sorted(CARDS) and read.by == "indices"
    assert bool(pipe.of(CardLaid)) != alone
