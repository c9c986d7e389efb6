"""Read the same pictures on two machines and say where their readings differ.

``python -m kiosk.bench.same_labels CASES`` reads what :func:`save_cases` has drawn and prints a line of JSON a case; a
number is printed so that it comes back as the same 64 bits. ``kiosk.bench.arm64`` runs it on this processor and on an
emulated one. Pictures and decks are made once, here: only the reading is compared.
"""

import json
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.camera.frame import JpegFrame
from vision.camera.jpeg import encode_jpeg
from vision.deck.deck import Deck
from vision.geometry.projection import PlaneProjection
from vision.images import read_picture
from vision.indices.generic_reader import read_cards
from vision.mat.layout import MatLayout
from vision.recognition.card_reading import CardReading
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.recognise import recognise
from vision.tracking.tracker import Tracker

#: Seeds of the scenes, of films too; ``bench vision`` has others.
FIRST_SEED = 64_000
#: Of an illustrated French deck, a plain one and a Bavarian one.
DECKS = ("lattmann", "stichwart", "stichwart-bavarian")
#: Pictures a second and JPEG quality of the film.
RATE, QUALITY = 15, 90


@dataclass(frozen=True, slots=True)
class Case:
    """What is read.

    :param pictures: files' bytes, one, or those of a film.
    :param deck: name of its file; None: by indices.
    :param view: None where it is not known.
    """

    name: str
    pictures: tuple[bytes, ...]
    deck: str | None = None
    view: PlaneProjection | None = None


def save_cases(folder: Path, scenes: int, tricks: int, photographs: Sequence[Path] = ()) -> int:
    """Draw cases into a folder, with the decks that they need; return their number.

    :param scenes: of each deck and each way of lying.
    :param tricks: of the film.
    """
    from vision.simulation.learning import kept_deck

    for name in DECKS:
        kept_deck(name).save(folder)
    cases = [*_scenes(scenes), _film(tricks)]
    cases += [Case(f"photograph {path.parent.name}/{path.name}", (path.read_bytes(),)) for path in photographs]
    (folder / "cases").write_bytes(pickle.dumps(cases))
    return len(cases)


def _scenes(number: int) -> Iterator[Case]:
    from vision.simulation.art import load_art
    from vision.simulation.scene import CONDITIONS, random_scene

    for deck in DECKS:
        art = load_art(deck)
        for condition in CONDITIONS:
            for seed in range(FIRST_SEED, FIRST_SEED + number):
                scene = random_scene(seed, art, condition)
                picture = (cv2.imencode(".png", scene.frame)[1].tobytes(),)
                yield Case(f"{deck} {condition} {seed}", picture, deck, scene.view)
                if condition == "touching" and seed == FIRST_SEED:
                    yield Case(f"{deck} {condition} {seed}, no view", picture, deck)
                    yield Case(f"{deck} {condition} {seed}, by indices", picture)


def _film(tricks: int) -> Case:
    from kiosk.bench.tracking import deal
    from vision.simulation.art import load_art
    from vision.simulation.film import SimCamera

    art = load_art(DECKS[1])
    camera = SimCamera(art, MatLayout(), FIRST_SEED, light="day", fps=RATE)
    pack = deal(art, np.random.default_rng(FIRST_SEED))
    camera.wait(1.0)
    for trick in range(tricks):
        for seat in (1, 2, 3, 4):
            camera.lay(pack.pop(), seat)
        camera.wait(0.8)
        camera.collect(trick % 4 + 1)
    camera.wait(1.0)
    pictures = []
    while camera.busy:
        pictures.append(encode_jpeg(next(camera).image, QUALITY))
    return Case(f"film of {tricks} tricks, {len(pictures)} pictures", tuple(pictures), DECKS[1])


def read_cases(folder: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Read all cases of a folder, on one thread; return each one's name and its readings, or a film's reports."""
    cv2.setNumThreads(1)
    cases: list[Case] = pickle.loads((folder / "cases").read_bytes())
    known: dict[str, DeckFeatures] = {}
    for case in cases:
        if len(case.pictures) > 1:
            yield case.name, _followed(case, folder)
            continue
        reader = read_cards if case.deck is None else _reader(case.deck, folder, known, case.view)
        yield case.name, [_plain(card) for card in reader(_decoded(case.pictures[0], folder))]


def _reader(
    deck: str, folder: Path, known: dict[str, DeckFeatures], view: PlaneProjection | None
) -> Callable[[Any], Sequence[CardReading]]:
    if deck not in known:
        known[deck] = DeckFeatures(Deck.load(deck, folder))
    return lambda picture: recognise(picture, known[deck], view)


def _decoded(content: bytes, folder: Path) -> Any:
    """A picture, read as its file would be, shrunk where it is large."""
    file = folder / "picture"
    file.write_bytes(content)
    return read_picture(file)


def _plain(card: CardReading) -> dict[str, Any]:
    return {
        "label": card.label,
        "margin": float(card.margin),
        "choices": [[label, float(share)] for label, share in card.choices],
        "at": [float(number) for number in card.quad.ravel()],
    }


def _followed(case: Case, folder: Path) -> list[dict[str, Any]]:
    """What the tracker reports of a film."""
    assert case.deck is not None
    tracker = Tracker(Deck.load(case.deck, folder), MatLayout())
    reports: list[dict[str, Any]] = []
    for number, picture in enumerate(case.pictures):
        for report in tracker.process(JpegFrame(picture, number / RATE, "film")):
            told = {key: value for key, value in asdict(report).items() if not isinstance(value, bytes)}
            reports.append({"report": type(report).__name__, **told})
    return reports


@dataclass(slots=True)
class Compared:
    """What two machines read of the same cases."""

    cases: int = 0
    same_cases: int = 0  # to the last bit
    readings: int = 0
    same_labels: int = 0
    same_bits: int = 0
    margin: float = 0.0  # the greatest difference, where the label is the same
    place: float = 0.0  # of a corner's coordinate, px; of a film's reports, mm
    notes: list[str] = field(default_factory=list)  # cases whose labels are others


def compare(one: Sequence[str], other: Sequence[str]) -> Compared:
    """Compare the lines that two machines printed of the same cases; they come in the same order.

    :raises ValueError: one ended early.
    """
    found = Compared()
    for mine, its in zip(map(json.loads, one), map(json.loads, other), strict=True):
        found.cases += 1
        found.same_cases += mine == its
        found.readings += max(len(mine["readings"]), len(its["readings"]))
        if [_name(card) for card in mine["readings"]] != [_name(card) for card in its["readings"]]:
            names = [" ".join(map(_name, side["readings"])) for side in (mine, its)]
            found.notes.append(f"{mine['case']}: {names[0] or 'nothing'} / {names[1] or 'nothing'}")
        for card, again in zip(mine["readings"], its["readings"], strict=False):
            if _name(card) == _name(again):
                found.same_labels += 1
                found.same_bits += card == again
                found.margin = max(found.margin, _apart(card.get("margin"), again.get("margin")))
                found.place = max(found.place, *(_apart(*pair) for pair in zip(_at(card), _at(again), strict=True)))
    return found


def _name(card: dict[str, Any]) -> str:
    """A label, or what a report is of."""
    told = str(card.get("label") or "?")
    return f"{card['report']} {told}" if "report" in card else told


def _at(card: dict[str, Any]) -> list[Any]:
    return list(card["at"]) if "choices" in card and "report" not in card else [card.get("x"), card.get("y")]


def _apart(one: float | None, other: float | None) -> float:
    if one is None or other is None:
        return 0.0 if one is other else float("inf")
    return abs(one - other)


def main(folder: Path) -> None:
    """Read all cases and print them."""
    for name, readings in read_cases(folder):
        print(json.dumps({"case": name, "readings": readings}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
