"""The demo from its first card to its verdict, through pixels, line and director."""

import pytest

from kiosk.demo.run import Demo, run


def test_a_schafkopf_game_on_the_bavarian_deck(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(Demo(rules="schaffkopf", seed=9, games=1, headless=True)) == 0
    said = capsys.readouterr().out
    assert "deck stichwart-bavarian" in said and "rows 1, rows wrong 0" in said and "requests refused 0" in said
