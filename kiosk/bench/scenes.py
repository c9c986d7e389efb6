"""Read simulated scenes with a learned deck and count what was right, as plain numbers."""

import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np

from kiosk.bench.burnt_out import burnt_out
from kiosk.bench.detection_count import SceneCount
from kiosk.bench.tracking import track_film
from kiosk.table.inference.doubts import Observation
from kiosk.table.inference.open_hand import cards_of_hand
from kiosk.table.inference.position import Position, position
from vision.deck.deck import Deck
from vision.indices.hand import FaceIndices, read_hand_by_indices
from vision.indices.hand_print import read_beside_indices
from vision.indices.on_mat import MatIndexReader
from vision.indices.reading import LABELS
from vision.messages import CardLaid, Report
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.recognise import recognise
from vision.service.open_hand import mean_of, shown
from vision.service.untaught import UNTAUGHT
from vision.simulation.art import load_art
from vision.simulation.artwork import BACK, Art
from vision.simulation.fans import random_fan, spread_deck
from vision.simulation.geometry import SIZE
from vision.simulation.learning import kept_deck
from vision.simulation.paint import EVERYDAY, IMAGING
from vision.simulation.scanned import scanned
from vision.simulation.scene import random_scene
from vision.simulation.things import OBJECTS
from vision.simulation.wear import WEAR, worn
from vision.teaching.from_play import PlayedDeck
from vision.teaching.from_scans import learn_from_folder
from vision.tracking.tracker import Tracker


@cache
def _art(name: str, scans: str | None) -> Art:
    return load_art(name) if scans is None else scanned(name, scans)


@cache
def _deck(name: str, scans: str | None) -> Deck:
    if scans is None:
        return kept_deck(name)
    with tempfile.TemporaryDirectory() as folder:
        return learn_from_folder(name, scans, folder, size_mm=_art(name, scans).size_mm)


@cache
def _features(name: str, scans: str | None, played: int | None = None) -> DeckFeatures:
    return DeckFeatures(_deck(name, scans) if played is None else played_deck(name, played))


def played_deck(name: str, seed: int) -> Deck:
    """Learn a deck that nobody has taught from a film of a game, as its cards are read by their indices.

    :raises DeckError: not all faces were learned: a card was in doubt, or its pictures do not agree
    """
    art, labels = load_art(name), dict[int, str]()
    pictures: dict[int, bytes | None] = {}

    def heard(tracker: Tracker, reports: list[Report]) -> None:
        labels.update({one.card: one.label for one in reports if isinstance(one, CardLaid) and one.label is not None})
        pictures.update({card.number: card.later_picture or card.picture for card in tracker.state.cards})

    blank = Deck(UNTAUGHT, art.size_mm, {})
    tricks = 2 * len(art.doppelkopf) // 4
    track_film(blank, art, seed, tricks, reader=lambda _: MatIndexReader(art.doppelkopf), observe=heard)
    learned = PlayedDeck(name, art.doppelkopf, 2, art.size_mm)
    for _ in learned.learn((label, pictures.get(card) or b"") for card, label in labels.items()):
        pass
    return learned.deck()


def measure_scenes(
    deck: str,
    condition: str,
    first: int,
    number: int,
    *,
    light: str | None = None,
    wear: str | None = None,
    things: int = 0,
    backs: int = 0,
    scans: str | None = None,
    played: int | None = None,
    size: Sequence[int] = SIZE,
    **options: Any,
) -> dict[str, Any]:
    """Read the scenes of the seeds from ``first`` on and count.

    :param light: one of ``IMAGING``; by default all kinds of light as they come.
    :param wear: one of ``WEAR`` came over the cards after the deck was learned.
    :param things: number of foreign objects on the mat.
    :param backs: number of cards face down; a name given to one is false.
    :param scans: a folder of scans that the deck is taught from; the scenes show printed and used cards of it.
    :param played: seed of a film from which the deck is learned in play, instead of one picture a face.
    :param size: width and height of the picture in pixels.
    :param options: of ``random_scene``.
    :returns: counts of scenes and cards, ``doubts`` shown where no name was given, ``seconds`` of each scene, ``notes``
        of what went wrong.
    """
    art, features = _art(deck, scans), _features(deck, scans, played)
    if wear is not None or scans is not None:
        art = worn(art, WEAR[wear or "printed"], first)
    look = EVERYDAY if light is None else IMAGING[light]
    count = count_scenes(
        features,
        art,
        condition,
        range(first, first + number),
        things=things,
        imaging=look,
        backs=backs,
        size=(size[0], size[1]),
        **options,
    )
    return {"scenes": number, **count.plain()}


def count_scenes(
    features: DeckFeatures, art: Art, condition: str, seeds: Iterable[int], *, things: int = 0, **options: Any
) -> SceneCount:
    """Read one random scene of ``condition`` a seed, the mat's view known to about a pixel, on one thread.

    :param things: number of foreign objects, drawn anew for each scene.
    :param options: of ``random_scene``.
    """
    count = SceneCount()
    with one_thread():
        for seed in seeds:
            objects = [str(name) for name in np.random.default_rng([seed, 4]).choice(OBJECTS, things)]
            scene = random_scene(seed, art, condition, objects=objects, **options)
            start = time.process_time()
            seen = recognise(scene.frame, features, scene.view)
            count.seconds.append(round(time.process_time() - start, 4))
            truth = [(card.label, card.quad) for card in scene.cards if card.label != BACK]
            count.add([card for card in seen if not card.face_down], truth, f"{art.name} {condition} {seed}")
    return count


def measure_hands(deck: str, first: int, number: int, *, learned: bool) -> dict[str, Any]:
    """Read the simulated open hands of the seeds from ``first`` on, and count their cards by label.

    Each is seen in four pictures, as a camera of ten a second has it, and in a game in which each of four has so many
    cards left: what was laid is known.

    :param learned: with the deck learned; otherwise by its indices alone.
    :returns: ``right`` of ``cards``, ``wrong`` names, ``asked`` doubts, ``clean`` of ``hands`` with just their cards;
        with what the game knows, ``known`` cards, ``whole`` hands, and ``false`` ones of these: a claim would be judged
        by other cards than lie there. ``burnt`` cards show no index at all, and ``of_burnt`` of these were read.
    """
    what = ("cards", "right", "wrong", "asked", "clean", "known", "whole", "false", "burnt", "of_burnt")
    art, count = _art(deck, None), dict.fromkeys(what, 0)
    taught = FaceIndices(_deck(deck, None).faces)
    features = _features(deck, None) if learned else None
    seconds, notes = [], []
    with one_thread():
        for seed in range(first, first + number):
            scene = random_fan(seed, art, looks=4)
            start = time.process_time()
            frame = mean_of(scene.looks)
            seen = read_hand_by_indices(frame, scene.view, art.doppelkopf, taught if learned else None)
            few = sum(card.label is not None for card in seen) < len(scene.cards)
            if features is not None and (few or not taught.patches):  # as at the table
                if taught.patches:
                    seen = read_beside_indices(frame, scene.view, features, taught, seen)
                else:
                    seen = [card for card in recognise(frame, features, scene.view) if not card.face_down]
            seconds.append(round(time.process_time() - start, 4))
            truth = Counter(card.label for card in scene.cards)
            named = Counter(card.label for card in seen if card.label is not None)
            at_table = cards_of_hand([shown(card) for card in seen], _in_a_game(seed, art, truth), (), truth.total())
            known = Counter(one.card for one in at_table if one.card is not None)
            count["known"] += (truth & known).total()
            count["whole"] += truth.total() == len(at_table) == known.total()
            count["false"] += truth.total() == len(at_table) == known.total() and truth != known
            burnt = Counter(burnt_out(scene, frame, art, taught))
            count["burnt"] += burnt.total()
            count["of_burnt"] += (burnt - (truth - named)).total()
            count["cards"] += truth.total()
            count["right"] += (truth & named).total()
            count["wrong"] += (named - truth).total()
            count["asked"] += sum(card.label is None for card in seen)
            count["clean"] += truth == named
            if named - truth:
                notes.append(f"{deck} hand {seed}: {', '.join(named - truth)} not there")
    return {"hands": number, **count, "seconds": seconds, "notes": notes}


def _in_a_game(seed: int, art: Art, hand: Counter[str]) -> Position:
    """Draw what was laid before each of four has as many cards left as a hand."""
    deck = art.doppelkopf * 2
    left = sorted((Counter(deck) - hand).elements())
    laid = np.random.default_rng([seed, 31]).permutation(left)[: len(deck) - 4 * hand.total()]
    seen = [
        Observation(event=n, card=str(card), choices=(), unseen=False, fixed=False, margin=1.0, seat=1)
        for n, card in enumerate(laid)
    ]
    return replace(position(None, tuple(deck), False, ()), seen=tuple(seen))


def measure_spread(deck: str, first: int, number: int) -> dict[str, Any]:
    """Read simulated decks of forty cards spread out in rows, of the seeds from ``first`` on, the deck learned.

    Every other deck has a nine in the place of a card.

    :returns: ``right`` of ``cards``, ``wrong`` names, ``asked`` doubts, ``clean`` of ``decks`` with just their cards.
    """
    art, count = _art(deck, None), dict.fromkeys(("cards", "right", "wrong", "asked", "clean"), 0)
    played = [label for label in art.doppelkopf if label[1] != "9"]
    known = _deck(deck, None).faces
    faces = FaceIndices({label: known[label] for label in played})  # a deck of forty was learned without nines
    seconds, notes = [], []
    with one_thread():
        for seed in range(first, first + number):
            cards = [*played, *played]
            if seed % 2:
                cards[seed // 2 % len(cards)] = "CSHD"[seed // 2 % 4] + "9"
            scene = spread_deck(seed, art, cards)
            start = time.process_time()
            seen = read_hand_by_indices(scene.frame, scene.view, LABELS, faces)
            seconds.append(round(time.process_time() - start, 4))
            truth = Counter(cards)
            named = Counter(card.label for card in seen if card.label is not None)
            count["cards"] += truth.total()
            count["right"] += (truth & named).total()
            count["wrong"] += (named - truth).total()
            count["asked"] += sum(card.label is None for card in seen)
            count["clean"] += truth == named and len(seen) == len(cards)
            if named - truth:
                notes.append(f"{deck} spread {seed}: {', '.join(named - truth)} not there")
    return {"decks": number, **count, "seconds": seconds, "notes": notes}


@contextmanager
def one_thread() -> Iterator[None]:
    """Let OpenCV use one thread, as at a table."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)
