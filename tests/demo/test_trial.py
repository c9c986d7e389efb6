"""A book tried on simulated games: what is counted is what the games came to."""

from pathlib import Path

import pytest

from kiosk.cli import main
from kiosk.demo.people import Habits
from kiosk.demo.trial import Trial, trial_text, tried
from kiosk.rules.books import BSV
from tests.rules.composed.books import made

BOOK = """base = "bsv"
title = "Hausregeln"
source = "Aushang"
[options]
bockrunde = "four"
[rules]
bock = "rounds"
[games]
played = ["hochzeit", "damensolo", "schmeissen"]
"""


def test_every_game_is_counted_once_by_kind_and_reason() -> None:
    found = tried(BSV, 30, seed=2, habits=Habits())
    assert found.games == 30 == sum(one.games for one in found.kinds.values())
    assert found.reasons["won"] + found.nobody == 30
    assert found.numbers["won"] == found.reasons["won"]
    assert found.thrown_in and not found.doubled and not found.breaches
    assert all(0 <= one.re_won <= one.games and one.winners >= one.games - found.nobody for one in found.kinds.values())


def test_the_same_seed_tells_the_same() -> None:
    assert trial_text(BSV, tried(BSV, 6, 3), 3, "de") == trial_text(BSV, tried(BSV, 6, 3), 3, "de")


def test_breaches_are_told_with_their_sections() -> None:
    text = trial_text(BSV, tried(BSV, 12, 1, habits=Habits(offences=0.02)), 1, "de")
    assert "(BSV Abschnitt " in text


def test_words_that_raise_cards_are_told() -> None:
    """Those said in games that were scored."""
    book = made("bsv", rules={"schweinchen": "both_in_one_hand"})
    found = tried(book, 12, 3, habits=Habits())
    assert found.raised["schweinchen"] >= 1
    assert "Schweinchen" in trial_text(book, found, 3, "de")


@pytest.mark.slow
def test_a_clubs_book_is_tried_from_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mittwoch.toml"
    path.write_text(BOOK, encoding="utf-8")
    assert main(["simulate", str(path), "--games", "120", "--tell", "--seed", "5"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("120 Spiele nach Hausregeln, Saat 5\n")
    assert "neu gegeben" in told and "in einer Bockrunde" in told and "Damensolo" in told
    assert "Bubensolo" not in told and "Trumpfschwach" not in told


def test_nothing_tried_is_told_without_a_failure() -> None:
    assert trial_text(BSV, Trial(), 1, "en").startswith("0 games by ")
