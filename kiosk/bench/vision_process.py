"""Measure the processor time and the memory of the vision process, and the size of its networks."""

import os
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kiosk.bench.tracking import deal
from vision.deck.deck import Deck
from vision.mat.layout import MatLayout
from vision.messages import AskRecording, CardLaid, Improve, Recording, Tick, VisionSettings
from vision.service.stepped import SteppedVision
from vision.simulation.art import load_art
from vision.simulation.artwork import Art
from vision.simulation.film import SimCamera, play_tricks, write_video


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessFigures:
    """Processor time and memory of the vision process with a video file (MJPEG, 1280 × 720) for a camera."""

    idle_share: float  # of one core at 15 frames a second, three cards lying still; decoding included
    peak_mb: float  # greatest resident memory while tricks were played, and the deck adapted to what was seen
    cards: int  # read meanwhile
    card_kb: float  # the picture of a card that comes with its report, on average
    mat_kb: float  # that of the whole mat, asked for after each trick, on average


def process_figures(deck: Deck, art: Art, seed: int = 0, idle: float = 40.0) -> ProcessFigures:
    """Measure the vision process on a film of six tricks, a pause for adapting the deck, and a table at rest.

    The rest lasts ``idle`` seconds of film; the last seconds are kept as at a table.

    :raises CameraError: if the process fails
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        replace(deck, name="measured").save(path)
        camera = SimCamera(art, MatLayout(), seed)
        camera.wait(1.0)
        labels = deal(art, np.random.default_rng(seed))
        play_tricks(camera, labels, 6, np.random.default_rng(seed))
        camera.wait(15.0)
        adapting = camera.free_at - 14.0
        for seat in range(1, 4):
            camera.lay(labels[7 + seat], seat)
        played = camera.free_at + 4.0  # sure cards have had their second look, the mat is found again
        write_video(camera, path / "film.avi", int((played + idle) * camera.fps))
        source = f"file:{path / 'film.avi'}"
        settings = VisionSettings(deck="measured", deck_folder=path, source=source, speed=1000.0, recent=20.0)
        cards: dict[int, tuple[str, bytes]] = {}
        adapted, at_rest, last, peak = False, 0.0, 0.0, 0.0
        mats: list[int] = []
        with SteppedVision(settings) as process:
            for message in process.until(played + idle - 0.5):
                if isinstance(message, CardLaid) and message.label and message.picture:
                    cards[message.card] = message.label, message.picture
                    if len(cards) % 4 == 0:  # as a table does for whoever goes through the game later
                        process.send(AskRecording(name=str(len(cards)), latest=True))
                if isinstance(message, Recording):
                    mats += [len(jpeg) for _, jpeg in message.pictures]
                if isinstance(message, Tick):
                    if message.at >= adapting and not adapted:
                        adapted = True
                        process.send(Improve(cards=tuple(cards.values())))
                    spent, peak = _spent(process.pid), max(peak, peak_mb(process.pid))
                    at_rest = at_rest or (spent if message.at >= played else 0.0)
                    last = spent
    return ProcessFigures(
        idle_share=(last - at_rest) / idle,
        peak_mb=peak,
        cards=len(cards),
        card_kb=sum(len(jpeg) for _, jpeg in cards.values()) / max(1, len(cards)) / 1000,
        mat_kb=sum(mats) / max(1, len(mats)) / 1000,
    )


def _spent(pid: int | None) -> float:
    """CPU seconds that a process has used so far."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def peak_mb(pid: int | None) -> float:
    """Greatest resident memory of a process so far, in millions of bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) * 1024 / 1e6


def measure_process() -> dict[str, Any]:
    """Measure the vision process on the project's own deck; plain numbers."""
    from kiosk.demo.decks import simulated_deck_file

    deck = Deck.load("stichwart", simulated_deck_file("stichwart").parent)
    return {name: round(value, 4) for name, value in asdict(process_figures(deck, load_art("stichwart"))).items()}


def measure_networks() -> dict[str, Any]:
    """Measure the size of each network of the recognition, in bytes."""
    import vision

    root = Path(vision.__path__[0])
    files = sorted(root.rglob("*.onnx"))
    return {"names": [path.name for path in files], "bytes": [path.stat().st_size for path in files]}
