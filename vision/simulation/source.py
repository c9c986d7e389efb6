"""Open the simulated table as a source of frames: ``sim:``, ``sim:lattmann``, ``sim:stichwart,learn,light=dim``."""

import numpy as np

from vision.camera.frame import Frame
from vision.camera.source import Source
from vision.errors import CameraError, DeckError
from vision.mat.layout import MatLayout
from vision.messages import SimSettings
from vision.simulation.art import load_art
from vision.simulation.artwork import Art
from vision.simulation.busy_table import BusyTable
from vision.simulation.film import SimCamera
from vision.simulation.geometry import LENSES, SIZE, CardPose
from vision.simulation.lights import LIGHTS
from vision.simulation.wear import WEAR, worn

#: How to write it, for messages.
FORM = "sim:DECK[,learn][,seed=N][,light=NAME][,wear=NAME][,lens=NAME], for example sim:stichwart,learn"


class SimTable(Source):
    """A table where tricks are played without end, or each face of a deck is shown once (``learn``)."""

    def __init__(self, name: str, camera: SimCamera, learn: bool, seed: int) -> None:
        self.name = name
        self.camera = camera
        self._learn = learn
        self._rng = np.random.default_rng([seed, 2])
        self._rest: list[str] = list(camera.art.doppelkopf) if learn else []

    def __next__(self) -> Frame:
        if not self.camera.busy:
            self._go_on()
        return next(self.camera)

    def _go_on(self) -> None:
        if self._learn:
            if not self._rest:
                raise StopIteration
            self.show(self._rest.pop(0))
            return
        if len(self._rest) < 4:
            labels = [label for label in self.camera.art.doppelkopf for _ in (0, 1)]
            self._rest = [labels[n] for n in self._rng.permutation(len(labels))]
            self.camera.clear()
        for seat in range(1, 5):
            self.camera.lay(self._rest.pop(), seat)
            self.camera.wait(float(self._rng.uniform(0.2, 1.5)))
        self.camera.wait(1.0)
        self.camera.collect(int(self._rng.integers(1, 5)))

    def show(self, label: str, seconds: float = 1.5) -> None:
        """Show one face in the middle for a while, then take it away."""
        pose = CardPose(self._rng.normal(0, 15), self._rng.normal(0, 10), self._rng.normal(0, 0.15))
        self.camera.lay(label, 1, pose=pose)
        self.camera.wait(seconds)
        self.camera.take_back(label, 1)


def open_sim(rest: str, *, size: tuple[int, int] = SIZE, fps: float = 15.0) -> SimTable:
    """Return the simulated table that ``sim:`` and ``rest`` name.

    :raises CameraError: for an unknown deck, light or word.
    """
    name, *words = rest.split(",")
    learn, seed, light, wear, lens = False, 0, "lamp", "", "none"
    for word in words:
        key, _, value = word.strip().partition("=")
        if key == "learn" and not value:
            learn = True
        elif key == "seed" and value.isdecimal():
            seed = int(value)
        elif key == "light" and value in LIGHTS:
            light = value
        elif key == "wear" and value in WEAR:
            wear = value
        elif key == "lens" and value in LENSES:
            lens = value
        else:
            raise CameraError(
                f"camera 'sim:{rest}': {word!r} means nothing; write {FORM}; lights: {', '.join(LIGHTS)};"
                f" wear: {', '.join(WEAR)}; lenses: {', '.join(LENSES)}"
            )
    try:
        art: Art = load_art(name or "stichwart")
    except DeckError as error:
        raise CameraError(f"camera 'sim:{rest}': {error}") from error
    if wear:
        art = worn(art, WEAR[wear], seed)
    camera = SimCamera(art, MatLayout(), seed, light=light, fps=fps, size=size, lens=lens, name=f"sim:{rest}")
    return SimTable(f"sim:{rest}", camera, learn, seed)


def open_table(asked: SimSettings, layout: MatLayout, size: tuple[int, int], fps: float) -> BusyTable:
    """Open the simulated table of a demo or benchmark, where nothing is laid yet.

    :raises DeckError: unknown art
    """
    art = load_art(asked.art)
    return BusyTable(
        worn(art, WEAR[asked.wear], asked.seed) if asked.wear else art,
        layout,
        asked.seed,
        light=asked.light,
        size=size,
        lens=asked.lens,
        jpeg=asked.jpeg,
        fps=fps,
        won_on_mat=asked.won_on_mat,
    )
