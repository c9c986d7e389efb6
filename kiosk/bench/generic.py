"""Rows of ``bench vision`` for the generic reader: French cards of any deck, without a learned one."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from kiosk.bench.told import SHARED, Told, by_line, held
from kiosk.bench.work import Done, Piece, together
from vision.bench import HELD_OUT

#: Decks that nothing was tuned on, for simulated pictures.
DECKS = ("rheinland", "dondorf", "anglo", "standard", "white")
RECALL, PRECISION = 0.93, 0.985
#: What publicly known recognisers reach on these photographs, all sets together.
PUBLIC = "public recognisers"


def photographs(quick: bool) -> list[Piece]:
    """All sets of photographs, in pieces of forty; quick: twelve of each set."""
    from vision.bench_photos import entries, photo_sets

    pieces = []
    for folder in photo_sets(SHARED / "data" / "photos"):
        whole = 12 if quick else len(entries(folder))
        for start in range(0, whole, 40):
            options = {"folder": str(folder), "start": start, "number": min(40, whole - start)}
            pieces.append(Piece("photographs", folder.name, "vision.bench_photos:photographs", options))
    return pieces


def simulated(quick: bool) -> list[Piece]:
    """Pictures as a phone may take them, of decks that nothing was tuned on."""
    number, size = (12, 12) if quick else (120, 40)
    return [
        Piece("generic", deck, "vision.bench_photos:simulated", {"deck": deck, "first": HELD_OUT + n, "number": size})
        for deck in DECKS
        for n in range(0, number, size)
    ]


def tell_photographs(done: Sequence[Done]) -> Told:
    """All sets together, then set by set, then every false name."""
    if not done:
        yield "left out", f"{SHARED / 'data'} is not here", "", None
        return
    lines = by_line(done)
    whole = together(lines.values())
    what = "photographs of all sets, no deck learned"
    yield from _counts(what, whole, f"{PUBLIC} 0.09–0.33", f"{PUBLIC} 0.92–0.98")
    for name, count in sorted(lines.items()):
        yield from _line(name, count)
    for note in whole["notes"]:
        if " missed" not in note:
            yield "false name", note, "", None


def tell_simulated(done: Sequence[Done]) -> Told:
    """All decks together, then deck by deck."""
    if not done:
        return
    lines = by_line(done)
    yield from _counts("simulated photographs, held-out decks, no deck learned", together(lines.values()))
    for name, count in sorted(lines.items()):
        yield from _line(name, count)


def _counts(what: str, count: Mapping[str, Any], recall: str = "", precision: str = "") -> Told:
    right, missed, wrong = count["right"], count["missed"], _wrong(count)
    yield held(f"{what}: recall" + (f" ({recall})" if recall else ""), right, right + missed, RECALL)
    yield held(f"{what}: precision" + (f" ({precision})" if precision else ""), right, right + wrong, PRECISION)
    kinds = f"{count['misread']} misread, {count['twice']} named twice, {count['phantom']} where no card is labelled"
    yield f"{what}: false names", f"{wrong} ({kinds})", "", None
    yield f"{what}: asked, without a name", str(count["doubts"]), "", None
    yield (
        f"{what}: s a picture, median / worst",
        f"{median(count['seconds']):.2f} / {max(count['seconds']):.2f}",
        "",
        None,
    )


def _line(name: str, count: Mapping[str, Any]) -> Told:
    right, missed, wrong = count["right"], count["missed"], _wrong(count)
    yield held(f"{name}: recall", right, right + missed, None)
    yield held(f"{name}: precision", right, right + wrong, None)


def _wrong(count: Mapping[str, Any]) -> int:
    return int(count["misread"] + count["twice"] + count["phantom"])
