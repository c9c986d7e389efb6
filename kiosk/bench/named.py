"""Measure how many cards of a deck without indices are named by the look of those that people have named before."""

import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from vision.mat.layout import MatLayout
from vision.messages import CardLaid, NameFace, VisionSettings
from vision.service.frame_processor import FrameProcessor
from vision.service.message_pipe import MessagePipe
from vision.simulation.art import load_art
from vision.simulation.busy_table import BusyTable
from vision.simulation.scanned import scanned

#: mm within which what is told is the card that was laid.
SAME_PLACE_MM = 12.0


class _Table:
    """A simulated table before the camera's process, which knows no deck."""

    def __init__(self, deck: str, scans: str | None, light: str, seed: int, folder: Path) -> None:
        art = load_art(deck) if scans is None else scanned(deck, scans)
        self.labels = tuple(art.doppelkopf)
        self.camera = BusyTable(art, MatLayout(), seed, light=light)
        self.said: list[Any] = []
        pipe = MessagePipe(SimpleNamespace(send=self.said.append))  # type: ignore[arg-type]
        settings = VisionSettings(deck="", deck_folder=folder)
        self.vision = FrameProcessor(settings, MatLayout(), pipe, lambda: 0.0)
        self.wait(1.0)
        self.vision.expect(self.labels)
        self.wait(0.5)

    def wait(self, seconds: float) -> None:
        """Have the camera see what happens, and then this much more."""
        self.camera.wait(seconds)
        while self.camera.busy:
            self.vision.process(next(self.camera), lambda: 0.0, self.camera)

    def lay(self, label: str, seat: int, wait: float) -> CardLaid | None:
        """Lay a card; what is told of it, None if nothing is."""
        before = len(self.said)
        pose = self.camera.lay(label, seat).card.pose
        self.wait(wait)
        told = [one for one in self.said[before:] if isinstance(one, CardLaid)]
        near = [one for one in told if np.hypot(one.x - pose.x, one.y - pose.y) < SAME_PLACE_MM]
        return near[-1] if near else None


def measure_named(
    deck: str, seed: int, light: str, scans: str | None = None, games: int = 3, cards: int | None = None
) -> dict[str, Any]:
    """Lay a deck's cards in tricks, ``games`` times: each that is told without a label is named by a person.

    :param cards: so many of the deck's alone.
    :param scans: a folder of scans that the deck's art is made of.
    :returns: cards ``laid`` and ``told`` in the first game; ``again`` those laid in later ones, and of these ``right``,
        ``doubted``, ``wrong``, ``missed``.
    """
    rng = np.random.default_rng([seed, 78])
    count = dict.fromkeys(("laid", "told", "again", "right", "doubted", "wrong", "missed"), 0)
    with tempfile.TemporaryDirectory() as folder:
        table = _Table(deck, scans, light, seed, Path(folder))
        for game in range(games):
            order = [table.labels[n] for n in rng.permutation(len(table.labels[:cards]))]
            for number, label in enumerate(order[: len(order) // 4 * 4]):
                told = table.lay(label, 1 + number % 4, float(rng.uniform(0.9, 1.2)))
                if told is not None and told.label is None:
                    table.vision.name_face(NameFace(label=label, picture=told.picture or b""))
                count["again" if game else "laid"] += 1
                if not game:
                    count["told"] += told is not None and told.label is None
                elif told is None:
                    count["missed"] += 1
                else:
                    count["doubted" if told.label is None else "right" if told.label == label else "wrong"] += 1
                if number % 4 == 3:
                    table.camera.collect(1 + int(rng.integers(4)))
                    table.wait(1.0)
            table.camera.clear()
            table.wait(1.0)
    return count
