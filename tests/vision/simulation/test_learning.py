"""Decks of the simulated camera: learned once for all programs of this machine, as long as nothing changes them."""

from pathlib import Path

import numpy as np
import pytest

from vision.errors import DeckError
from vision.simulation import learning
from vision.simulation.art import load_art

pytestmark = pytest.mark.slow

LABELS = ("HT", "SA")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "stichwart" / "demo-decks"


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...] | None]:
    """Faces of each deck that is learned from now on."""
    asked: list[tuple[str, ...] | None] = []
    learn = learning.learn_simulated_deck

    def counted(art, seed=0, labels=None):
        asked.append(labels)
        return learn(art, seed, labels)

    monkeypatch.setattr(learning, "learn_simulated_deck", counted)
    return asked


def test_a_kept_deck_is_the_one_that_was_learned(cache: Path, learned: list[tuple[str, ...] | None]) -> None:
    fresh = learning.learn_simulated_deck(load_art("stichwart"), labels=LABELS)
    for _ in range(2):
        kept = learning.kept_deck("stichwart", LABELS)
        assert (kept.name, kept.size_mm, kept.copies, kept.back) == (fresh.name, fresh.size_mm, fresh.copies, None)
        assert kept.labels == LABELS and all(np.array_equal(kept.faces[one], fresh.faces[one]) for one in LABELS)
    assert learned == [LABELS, LABELS]  # the fresh one, and one to be kept


def test_other_faces_or_another_program_are_another_deck(
    cache: Path, learned: list[tuple[str, ...] | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert learning.kept_deck("stichwart", ("HT", "CA")).labels == ("HT", "CA")
    assert learning.kept_deck("stichwart", LABELS).labels == LABELS
    monkeypatch.setattr(learning, "_state", lambda: "changed")
    learning.kept_deck("stichwart", LABELS)
    assert learned == [("HT", "CA"), LABELS, LABELS]


@pytest.mark.parametrize("change", ["source", "package"])
def test_what_draws_or_learns_is_in_the_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    (tmp_path / "deep").mkdir()
    source = tmp_path / "deep" / "paint.py"
    source.write_text("GLARE = 0.5\n")
    monkeypatch.setattr(learning.vision, "__path__", [str(tmp_path)])
    before = learning._state.__wrapped__()
    assert learning._state.__wrapped__() == before
    if change == "source":
        source.write_text("GLARE = 0.4\n")
    else:
        monkeypatch.setattr(learning, "version", lambda package: "99")
    assert learning._state.__wrapped__() != before


def test_decks_of_programs_long_gone_are_removed(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "learn_simulated_deck", lambda art, labels: type("Deck", (), {"save": lambda *_: 0}))
    for number in range(learning.STATES_KEPT + 3):
        monkeypatch.setattr(learning, "_state", lambda number=number: f"state {number:02}")
        learning.kept_deck_file("stichwart")
    assert len(list(cache.iterdir())) == learning.STATES_KEPT
    assert (cache / f"state {learning.STATES_KEPT + 2:02}").exists()


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(DeckError, match="file/stichwart/demo-decks"):
        learning.kept_deck("stichwart", LABELS)
