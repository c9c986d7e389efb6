"""List rows of ``bench vision`` for the generic reader: French cards of any deck, without a learned one."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from kiosk.bench.figure import SHARED, FigureLines, by_line, share_line
from kiosk.bench.pieces import Piece, PieceResult, summed
from kiosk.bench.seeds import HELD_OUT

#: Decks that nothing was tuned on, for simulated pictures.
DECKS = ("rheinland", "dondorf", "anglo", "standard", "white")
WANTED_RECALL = 0.93
WANTED_PRECISION = 0.985
#: What publicly known recognisers reach on these photographs, all sets together.
PUBLIC = "public recognisers"


def photograph_pieces(quick: bool) -> list[Piece]:
    """List all sets of photographs, in pieces of forty; quick: twelve of each set."""
    from kiosk.bench.photographs import entries, photo_sets

    pieces = []
    for folder in photo_sets(SHARED / "data" / "photos"):
        whole = 12 if quick else len(entries(folder))
        for start in range(0, whole, 40):
            options = {"folder": str(folder), "start": start, "number": min(40, whole - start)}
            pieces.append(Piece("photographs", folder.name, "kiosk.bench.photographs:measure_photo_set", options))
    return pieces


def simulated_pieces(quick: bool) -> list[Piece]:
    """List pictures as a phone may take them, of decks that nothing was tuned on."""
    number, size = (12, 12) if quick else (120, 40)
    return [
        Piece(
            "generic",
            deck,
            "kiosk.bench.photographs:measure_simulated_photographs",
            {"deck": deck, "first": HELD_OUT + n, "number": size},
        )
        for deck in DECKS
        for n in range(0, number, size)
    ]


def photograph_lines(done: Sequence[PieceResult]) -> FigureLines:
    """Format all sets together, then set by set, then every false name."""
    if not done:
        yield "left out", f"{SHARED / 'data'} is not here", "", None
        return
    lines = by_line(done)
    whole = summed(lines.values())
    what = "photographs of all sets, no deck learned"
    yield from _counts(what, whole, f"{PUBLIC} 0.09–0.33", f"{PUBLIC} 0.92–0.98")
    for name, count in sorted(lines.items()):
        yield from _line(name, count)
    for note in whole["notes"]:
        if " missed" not in note:
            yield "false name", note, "", None


def simulated_lines(done: Sequence[PieceResult]) -> FigureLines:
    """Format all decks together, then deck by deck."""
    if not done:
        return
    lines = by_line(done)
    yield from _counts("simulated photographs, held-out decks, no deck learned", summed(lines.values()))
    for name, count in sorted(lines.items()):
        yield from _line(name, count)


def _counts(what: str, count: Mapping[str, Any], recall: str = "", precision: str = "") -> FigureLines:
    right, missed, wrong = count["right"], count["missed"], _wrong(count)
    yield share_line(f"{what}: recall" + (f" ({recall})" if recall else ""), right, right + missed, WANTED_RECALL)
    yield share_line(
        f"{what}: precision" + (f" ({precision})" if precision else ""), right, right + wrong, WANTED_PRECISION
    )
    kinds = f"{count['misread']} misread, {count['twice']} named twice, {count['phantom']} where no card is labelled"
    yield f"{what}: false names", f"{wrong} ({kinds})", "", None
    yield f"{what}: asked, without a name", str(count["doubts"]), "", None
    yield (
        f"{what}: s a picture, median / worst",
        f"{median(count['seconds']):.2f} / {max(count['seconds']):.2f}",
        "",
        None,
    )


def _line(name: str, count: Mapping[str, Any]) -> FigureLines:
    right, missed, wrong = count["right"], count["missed"], _wrong(count)
    yield share_line(f"{name}: recall", right, right + missed, None)
    yield share_line(f"{name}: precision", right, right + wrong, None)


def _wrong(count: Mapping[str, Any]) -> int:
    return int(count["misread"] + count["twice"] + count["phantom"])
