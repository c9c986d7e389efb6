"""The pieces of which the figures of the recognition are made up; each returns plain numbers, texts and lists."""

from pathlib import Path
from typing import Any


def film(
    deck: str, seed: int, tricks: int, light: str, wear: str | None = None, jpeg: int | None = None
) -> dict[str, Any]:
    """A film of tricks with hands, tracked."""
    from dataclasses import asdict

    from kiosk.demo.decks import learned
    from vision.bench_track import track_film
    from vision.deck import Deck
    from vision.sim.art import load_art
    from vision.sim.wear import WEAR, worn

    art = load_art(deck)
    shown = art if wear is None else worn(art, WEAR[wear], seed)
    path = learned(deck)
    figures = asdict(track_film(Deck.load(deck, path.parent), shown, seed, tricks, light=light, jpeg=jpeg))
    figures["frames"], figures["frame_ms"] = len(figures["work"]), round(sum(figures.pop("work").values()), 1)
    figures["where"] = [f"{deck}, {light}, seed {seed}"] * (
        len(figures["wrong"]) + len(figures["missed"]) + len(figures["phantom"])
    )
    return {key: _rounded(value) for key, value in figures.items()}


def _rounded(value: object) -> object:
    return [round(one, 3) if isinstance(one, float) else one for one in value] if isinstance(value, list) else value


def tricks(folder: str) -> dict[str, Any]:
    """Photographs of tricks read with the deck learned from photographs of single cards."""
    from vision.bench import measure_photographs

    return measure_photographs(Path(folder)).plain()


def gate() -> dict[str, Any]:
    """Processor time of the change gate, ms a frame."""
    from vision.bench_track import gate_ms

    return {"ms": [round(gate_ms(seed=seed), 3) for seed in range(3)]}


def process() -> dict[str, Any]:
    """What the vision process takes at a table at rest, and at most."""
    from dataclasses import asdict

    from kiosk.demo.decks import learned
    from vision.bench_track import process_figures
    from vision.deck import Deck
    from vision.sim.art import load_art

    deck = Deck.load("stichwart", learned("stichwart").parent)
    return {name: round(value, 4) for name, value in asdict(process_figures(deck, load_art("stichwart"))).items()}


def network() -> dict[str, Any]:
    """Bytes of each network that the recognition brings."""
    import vision

    root = Path(vision.__path__[0])
    files = sorted(root.rglob("*.onnx"))
    return {"names": [path.name for path in files], "bytes": [path.stat().st_size for path in files]}
