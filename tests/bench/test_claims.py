"""Hands laid open with a claim: which are planned, what is told of them, and one through all of it."""

from typing import Any

import pytest

from kiosk.bench.claims import CLAIM_ROW, CLAIMS, measure_claim
from kiosk.bench.pieces import PieceResult
from kiosk.bench.seeds import HELD_OUT
from kiosk.rules.books import BOOKS

RESULT: dict[str, Any] = {
    "hands": 1, "cards": 6, "right": 6, "wrong": 0, "whole": 1, "by": {"indices": 1}, "misnoted": 0, "doubted": 0,
    "judged": 1, "holds": 1, "misjudged": 0, "accused": 0, "notices": {}, "notes": [],
}  # fmt: skip


def test_each_book_has_its_claims() -> None:
    pieces = CLAIM_ROW.pieces(False)
    assert len(pieces) == CLAIMS * len(BOOKS) and {piece.options["rules"] for piece in pieces} == set(BOOKS)
    assert len({piece.key for piece in pieces}) == len(pieces)
    assert min(piece.options["seed"] for piece in pieces) >= HELD_OUT
    assert sum(piece.options["first"] for piece in pieces) == len(pieces) / 2
    assert sum(piece.options["first"] and piece.options["holds"] for piece in pieces) == len(pieces) / 4


def told(*changes: dict[str, Any]) -> dict[str, tuple[str, bool | None]]:
    pieces = [piece for piece in CLAIM_ROW.pieces(False) if piece.options["first"]]
    done = [PieceResult(piece, {**RESULT, **change}, "x") for piece, change in zip(pieces, changes, strict=False)]
    return {figure.what: (figure.value, figure.met) for figure in CLAIM_ROW.figures(done)}


def test_what_is_told_of_claims() -> None:
    lines = told({}, {"right": 4, "wrong": 1, "whole": 0, "misnoted": 1, "accused": 2, "notes": ["HT for H9"]})
    assert lines["laid open before it is said: tricks noted otherwise"][1] is False
    assert lines["laid open before it is said: accused at any time"] == ("2", False)
    assert lines["read by indices: cards"][0].startswith("0.833 (10/12, ")
    assert lines["read by indices: wrong names"][1] is False
    assert lines["read by indices: judged otherwise than the true hand"][1] is True
    assert any("HT for H9" in value for value, _ in lines.values())
    assert "read by faces: cards" not in told({})


@pytest.mark.slow
def test_a_hand_laid_open_and_taken_up_leaves_the_game_as_it_is() -> None:
    """Through pixels, at a trick at which its claim holds, opened before it is said; then a whole trick is played."""
    found = measure_claim("eppstein", "stichwart", 1001, "lamp", True, True)
    assert (found["misnoted"], found["right"], found["wrong"], found["whole"]) == (0, found["cards"], 0, 1)
    assert (found["judged"], found["holds"], found["misjudged"]) == (1, 1, 0)
