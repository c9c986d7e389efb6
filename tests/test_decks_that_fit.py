"""A table's camera goes by a deck that has the cards of the book, whichever the direction chooses."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kiosk.app.decks import choose_deck, chosen_deck, faces_of, fitting_deck, new_name
from kiosk.app.watching import fit_deck
from kiosk.rules.books import BOOKS
from vision.deck.deck import Deck

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three decks, of pictures that are told apart."""
    where = tmp_path_factory.mktemp("decks")
    rng = np.random.default_rng(1)
    kinds = {"klein": BOOKS["bsv"].deck, "gross": BOOKS["eppstein"].deck, "bayern": BOOKS["schaffkopf"].deck}
    for name, cards in kinds.items():
        faces = {label: rng.integers(0, 255, (120, 80, 3), dtype=np.uint8) for label in dict.fromkeys(cards)}
        Deck.learn(name, faces, (59.0, 91.0), copies=2).save(where)
    (where / "kaputt.npz").write_bytes(b"nothing")
    return where


@pytest.mark.parametrize(
    ("book", "name", "fits"),
    [
        ("eppstein", "gross", "gross"), ("eppstein", "klein", "gross"), ("bsv", "gross", "gross"),
        ("bsv", "klein", "klein"), ("schaffkopf", "klein", "bayern"), ("bsv", "kaputt", "gross"),
    ],
)  # fmt: skip
def test_the_tables_own_deck_comes_first(folder, book, name, fits):
    assert fitting_deck(BOOKS[book], name, folder) == fits


def test_the_camera_changes_its_deck_or_learns_one_in_play(folder, tmp_path):
    done: list[Any] = []
    vision: Any = SimpleNamespace(
        settings=SimpleNamespace(deck="klein", deck_folder=folder),
        take_deck=done.append,
        expect=done.append,
        forget_deck=lambda: done.append("forgotten"),
    )
    fit_deck(vision, "klein", BOOKS["bsv"])
    assert done == []
    fit_deck(vision, "klein", BOOKS["schaffkopf"])
    assert done == ["bayern"]
    vision.settings.deck_folder = tmp_path
    fit_deck(vision, "klein", BOOKS["schaffkopf"])
    assert done == ["bayern", tuple(dict.fromkeys(BOOKS["schaffkopf"].deck)), "forgotten"]


def test_the_choice_on_the_screen_outlives_a_restart(folder, tmp_path):
    assert chosen_deck(folder, "klein") == "klein"
    choose_deck(folder, "gross")
    assert chosen_deck(folder, "klein") == "gross"
    choose_deck(folder, "weg")
    assert chosen_deck(folder, "klein") == "klein"
    assert chosen_deck(tmp_path / "nothing", "klein") == ""


@pytest.mark.parametrize(("book", "faces"), [
    ("eppstein", "doppelkopf"), ("bsv", "doppelkopf-40"), ("schaffkopf", "schafkopf"),
])  # fmt: skip
def test_the_faces_that_a_book_needs(book, faces):
    assert faces_of(BOOKS[book]) == faces


def test_a_deck_learned_on_the_screen_gets_a_name_that_is_free(folder, tmp_path):
    assert new_name("doppelkopf", "vereinsblatt", folder) == "vereinsblatt"
    assert new_name("doppelkopf", "klein", folder) == "doppelkopf"
    (tmp_path / "doppelkopf.npz").touch()
    assert new_name("doppelkopf", "", tmp_path) == "doppelkopf-2"
