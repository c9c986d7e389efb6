"""Measure the vision process as slow as on a Raspberry Pi 4: with a quarter of one core.

The kernel gives the process a quarter of each 5 ms (the CPU bandwidth controller, cgroup version 1 or 2), so that 20 ms
of work take 72 to 77, and long work 4.4 times as long. A film as a webcam gives it runs before it in its own time.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from kiosk.bench.tracking import deal
from kiosk.bench.vision_process import peak_mb
from vision.deck.deck import Deck
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, Tick, VisionSettings
from vision.service.stepped import SteppedVision
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera, play_tricks, write_video

#: Share of a core, and for how long each part of it is granted: short, or a card would wait for the next one.
SHARE, PERIOD_US = 0.25, 5_000
#: Tricks of a pack at most.
PACK = 10
#: s of film before the first card: the mat is found, and the process has loaded all it needs.
BEFORE_S = 15.0
#: s of film in which a late process catches up; else the film had to stand still, as a camera leaves pictures out.
CAUGHT_UP_S = 3.0
#: Where the kernel shows its controllers: version 1 and 2, with the files of each.
_GROUPS = Path("/sys/fs/cgroup")


class NoQuota(Exception):
    """This machine lets nobody limit a process; the reason."""


@contextmanager
def cpu_quota(pid: int, share: float) -> Iterator[None]:
    """Give a process so much of one core.

    :raises NoQuota: there is no such controller, or this user may not use it
    """
    old, group = _GROUPS / "cpu" / "cpu.cfs_period_us", f"stichwart-{pid}"
    parent = old.parent if old.exists() else _GROUPS
    home = parent / group
    quota = int(share * PERIOD_US)
    try:
        home.mkdir()
    except OSError as error:
        raise NoQuota(f"no group of processes can be made in {parent} ({error}); run it as root") from error
    try:
        if old.exists():
            (home / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (home / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (parent / "cgroup.subtree_control").write_text("+cpu")
            (home / "cpu.max").write_text(f"{quota} {PERIOD_US}")
        (home / "cgroup.procs").write_text(str(pid))
        yield
    except OSError as error:
        raise NoQuota(f"processes cannot be limited in {home} ({error})") from error
    finally:
        for left in (home / "cgroup.procs").read_text().split():
            (parent / "cgroup.procs").write_text(left)
        home.rmdir()


def measure_quarter(deck: str, seed: int, tricks: int, fps: float) -> dict[str, Any]:
    """Play a film before a vision process that has a quarter of a core.

    :returns: ms from the moment at which the picture that shows a card at rest was due to the card's label, by card;
        ms that pictures were late; ms for which the film stood still in all; cards, and of them right; greatest memory
        in MB. ``left_out`` if nothing can be limited.
    """
    from kiosk.demo.decks import simulated_deck_file

    art = load_art(deck)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        replace(Deck.load(deck, simulated_deck_file(deck).parent), name="measured").save(path)
        camera = SimCamera(art, MatLayout(), seed, fps=fps)
        rng = np.random.default_rng(seed)
        camera.wait(BEFORE_S)
        laid: list[str] = []
        while tricks > 0:
            pack = deal(art, rng)
            played = min(PACK, len(pack) // 4, tricks)
            laid += [label for _, label in play_tricks(camera, pack, played, rng)]
            tricks -= played
            camera.clear()
            camera.wait(1.0)
        end = camera.free_at + 1.0
        write_video(camera, path / "film.avi", int(end * fps) + 1)
        source = f"file:{path / 'film.avi'}"
        settings = VisionSettings(deck="measured", deck_folder=path, source=source, speed=1.0, fps=fps, recent=20.0)
        with SteppedVision(settings) as process:
            try:
                return {"laid": len(laid), **_watched(process, end - 1.0 / fps, laid)}
            except NoQuota as error:
                return {"left_out": str(error)}


def _watched(process: SteppedVision, end: float, laid: list[str]) -> dict[str, Any]:
    """Note when each word of the process came, with the time of the picture that it is about."""
    ticks: list[tuple[float, float]] = []
    first: dict[int, tuple[float, float]] = {}  # card → time of the picture by which it was told, and of the word
    label: dict[int, str | None] = {}  # as it was told last
    for message in process.until(BEFORE_S / 2):
        if isinstance(message, Tick):
            ticks.append((message.at, time.monotonic()))
    assert process.pid is not None
    with cpu_quota(process.pid, SHARE):
        peak = 0.0
        for message in process.until(end, timeout=60):
            came = time.monotonic()
            if isinstance(message, Tick):
                ticks.append((message.at, came))
                peak = max(peak, peak_mb(process.pid))
            elif isinstance(message, CardLaid):
                first.setdefault(message.card, (message.at, came))
                label[message.card] = message.label
    begun = _began(ticks)
    return {
        "label_ms": [1000 * (came - at - begun(at)) for at, came in first.values()],
        "late_ms": [1000 * (came - at - begun(at)) for at, came in ticks],
        "behind_ms": 1000 * (begun(end) - begun(0.0)),
        "cards": len(first),
        "right": sum(told == true for told, true in zip(label.values(), laid, strict=False)),
        "peak_mb": peak,
    }


def _began(ticks: list[tuple[float, float]]) -> Callable[[float], float]:
    """Compute when a film would have begun by which the picture of a time is due: later once it had to stand still."""

    def began(at: float) -> float:
        soon = [came - when for when, came in ticks if at <= when <= at + CAUGHT_UP_S]
        return min(soon or [came - when for when, came in ticks[-10:]])

    return began
