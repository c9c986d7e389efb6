"""List the rows of ``stichwart bench vision``: recall, precision and cost on decks and seeds that nothing was tuned on.

A row is made up of pieces; pieces of the same line are added up. Misses and false names are counted apart. A card
without a name, because it is in doubt, is a miss here: it costs a question, but no trust.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median
from typing import Any
from zlib import crc32

from kiosk.bench import index_reader_rows
from kiosk.bench.figure import SHARED, Figure, FigureLines, by_line, share_line
from kiosk.bench.intervals import at_most, share
from kiosk.bench.pieces import Piece, PieceResult, summed
from kiosk.bench.seeds import HELD_OUT
from kiosk.bench.tracking import percentile
from vision.simulation.geometry import LENSES, SIZES
from vision.simulation.lights import LIGHTS
from vision.simulation.wear import WEAR

#: Decks that nothing was tuned on, and that the network was not trained on.
FRENCH = ("berlin", "rheinland", "dondorf", "anglo", "standard", "white")
BAVARIAN = ("bavarian-scans",)
#: German-suited and tuned on, with scenes that were not.
TUNED = ("xskat-german", "stichwart-bavarian")
#: Lights in which decks without indices are named: as in most rooms, and the worst.
NAMED_LIGHTS = ("lamp", "day", "hall", "candle", "side", "varnish", "sun")
#: What decks are, in a word.
KINDS = {"French": FRENCH, "Bavarian scans": BAVARIAN, "German-suited, tuned on other scenes": TUNED}


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A row of the table: its pieces, whole and quick, and the lines made of their results."""

    name: str
    what: str
    pieces: Callable[[bool], list[Piece]]
    lines: Callable[[Sequence[PieceResult]], FigureLines]

    def figures(self, done: Sequence[PieceResult]) -> Iterator[Figure]:
        """Format the lines of the table, with a line for each piece that was left out."""
        for piece in done:
            if reason := piece.result.get("left_out"):
                met = False if piece.result.get("failed") else None
                yield Figure(self.name, f"{piece.piece.what}: left out", reason, met=met)
        for what, value, wanted, met in self.lines([piece for piece in done if "left_out" not in piece.result]):
            yield Figure(self.name, what, value, wanted, met)


# --- scenes ----------------------------------------------------------------------------------------------------------


def _scenes(row: str, what: str, deck: str, condition: str, number: int, **options: Any) -> list[Piece]:
    """So many scenes in pieces of forty; each line has seeds of its own, for cards lie the same for the same seed."""
    first = HELD_OUT + 1000 * (crc32(f"{row}, {what}, {deck}".encode()) % 100_000)
    size = 40
    if deck in BAVARIAN:
        scans = SHARED / "data" / deck
        if not scans.exists():
            return []
        options["scans"] = str(scans)
    return [
        Piece(
            row,
            what,
            "kiosk.bench.scenes:measure_scenes",
            {"deck": deck, "condition": condition, "first": first + n, "number": min(size, number - n), **options},
        )
        for n in range(0, number, size)
    ]


def _wanted(
    recall: float | None, precision: float | None, scene: float | None
) -> Callable[[Sequence[PieceResult]], FigureLines]:
    """Recall, precision and whole scenes of every kind of deck, then deck by deck."""

    def lines_of(done: Sequence[PieceResult]) -> FigureLines:
        lines = by_line(done)
        for kind, decks in KINDS.items():
            here = [lines[what] for what in lines if what.partition(",")[0] in decks]
            if here:
                yield from _counts(kind, summed(here), recall, precision, scene)
        yield "scenes wholly right by deck", _shares(lines, "clean", "scenes"), "", None

    return lines_of


def _counts(
    kind: str, count: Mapping[str, Any], recall: float | None, precision: float | None, scene: float | None
) -> FigureLines:
    right, wrong, missed = count["right"], count["wrong"], count["missed"]
    yield share_line(f"{kind}: recall", right, right + missed, recall)
    yield share_line(f"{kind}: precision", right, right + wrong, precision)
    yield f"{kind}: false names", at_most(wrong, right + wrong), "", None
    yield share_line(f"{kind}: scenes wholly right", count["clean"], count["scenes"], scene)
    yield f"{kind}: ms a scene, median", f"{1000 * median(count['seconds']):.0f}", "", None


def _shares(lines: Mapping[str, Mapping[str, Any]], part: str, whole: str) -> str:
    return "; ".join(f"{what} {count[part]}/{count[whole]}" for what, count in sorted(lines.items()))


def _played(quick: bool) -> list[Piece]:
    """The same scenes by a deck that was taught and by one that was learned in play."""
    pieces = []
    for deck in FRENCH[:1] if quick else FRENCH:
        first = HELD_OUT + 1000 * (crc32(f"played, {deck}".encode()) % 100_000)
        options = {"deck": deck, "condition": "overlapping", "first": first, "number": 4 if quick else 40}
        for how, played in (("taught", None), ("learned in play", first)):
            what = f"{deck}, {how}"
            pieces.append(Piece("played", what, "kiosk.bench.scenes:measure_scenes", {**options, "played": played}))
    return pieces


def _named_in_play(quick: bool) -> list[Piece]:
    """Decks without indices; the scans as far as they are here."""
    folders = {deck: SHARED / "data" / deck for deck in BAVARIAN}
    decks = [*TUNED, *(deck for deck, folder in folders.items() if folder.exists())]
    return [
        Piece(
            "named",
            f"{deck}, {light}",
            "kiosk.bench.named:measure_named",
            {
                "deck": deck,
                "seed": HELD_OUT + 700 + n,
                "light": light,
                "scans": str(folders[deck]) if deck in folders else None,
            },
        )
        for n, (deck, light) in enumerate(product(decks, NAMED_LIGHTS[:1] if quick else NAMED_LIGHTS))
    ]


def _named_lines(done: Sequence[PieceResult]) -> FigureLines:
    for piece in done:
        result, what = piece.result, piece.piece.what
        yield f"{what}: cards told in the first game", share(result["told"], result["laid"]), "", None
        yield f"{what}: named by their look from then on", share(result["right"], result["again"]), "", None
        yield f"{what}: named wrongly", str(result["wrong"]), "0", result["wrong"] == 0


def _played_lines(done: Sequence[PieceResult]) -> FigureLines:
    recalls = {}
    for how in ("taught", "learned in play"):
        here = [piece.result for piece in done if piece.piece.what.endswith(how)]
        if not here:
            return
        count = summed(here)
        right, there = count["right"], count["right"] + count["missed"]
        recalls[how] = right / there
        yield share_line(f"overlapping cards, {how}: recall", right, there, None)
        wrong = count["wrong"]
        yield f"overlapping cards, {how}: false names", at_most(wrong, right + wrong), "", None
    lost = recalls["taught"] - recalls["learned in play"]
    yield "recall lost by learning in play", f"{lost:.4f}", "≤ 0.003", lost <= 0.003


def _single(quick: bool) -> list[Piece]:
    french, german = (4, 4) if quick else (120, 160)
    pieces = []
    for condition in ("isolated", "touching"):
        for deck in FRENCH[:2] if quick else FRENCH:
            pieces += _scenes("single", f"{deck}, {condition}", deck, condition, french)
        for deck in (*BAVARIAN, *TUNED):
            pieces += _scenes("single", f"{deck}, {condition}", deck, condition, german)
    return pieces


def _overlapping(row: str, number: int, **options: Any) -> Callable[[bool], list[Piece]]:
    def pieces(quick: bool) -> list[Piece]:
        decks = (*(FRENCH[:2] if quick else FRENCH), *BAVARIAN, *TUNED)
        counts = {deck: 4 if quick else 3 * number if deck in BAVARIAN else number for deck in decks}
        return [piece for deck in decks for piece in _scenes(row, deck, deck, "overlapping", counts[deck], **options)]

    return pieces


#: Decks for what is measured in many lights.
_IN_LIGHTS = ("berlin", "dondorf", *BAVARIAN)


def _named(row: str, option: str, names: Iterable[str]) -> Callable[[bool], list[Piece]]:
    def pieces(quick: bool) -> list[Piece]:
        chosen = list(names)[:2] if quick else list(names)
        return [
            piece
            for name in chosen
            for deck in (_IN_LIGHTS[:1] if quick else _IN_LIGHTS)
            for piece in _scenes(row, name, deck, "overlapping", 2 if quick else 20, **{option: name})
        ]

    return pieces


def _cameras(quick: bool) -> list[Piece]:
    pieces = []
    for size, lens, deck in product(
        SIZES[:2] if quick else SIZES, ("none", "wide") if quick else LENSES, _IN_LIGHTS[:1] if quick else _IN_LIGHTS
    ):
        what, number = f"{size[0]} × {size[1]}, lens {lens}", 2 if quick else 20
        pieces += _scenes("cameras", what, deck, "overlapping", number, size=list(size), lens=lens)
    return pieces


def _things(quick: bool) -> list[Piece]:
    number = 2 if quick else 80
    pieces = []
    for deck in _IN_LIGHTS[:1] if quick else _IN_LIGHTS:
        pieces += _scenes("things", "no card, three things", deck, "isolated", number, count=0, things=3)
        pieces += _scenes("things", "cards and three things", deck, "overlapping", number, things=3)
        pieces += _scenes("things", "two cards of four face down", deck, "overlapping", number, count=4, backs=2)
    return pieces


def _each_line(done: Sequence[PieceResult]) -> FigureLines:
    """Recall, false names and whole scenes of every line, all of them together at the end."""
    lines = by_line(done)
    for what, count in lines.items():
        right, wrong, missed = count["right"], count["wrong"], count["missed"]
        value = f"recall {share(right, right + missed)}; false names {wrong}; scenes {count['clean']}/{count['scenes']}"
        yield what, value, "", None
    if lines:
        yield from _counts("all", summed(lines.values()), None, None, None)


# --- open hands ------------------------------------------------------------------------------------------------------


def _hands(quick: bool) -> list[Piece]:
    """Two thousand hands of decks that nothing was tuned on: with the deck learned, and by the indices alone.

    They take turns, so that of a run that is cut short every deck has its share.
    """
    decks = FRENCH[:2] if quick else FRENCH
    return [
        Piece(
            "hands",
            f"{deck}, {'deck learned' if learned else 'no deck learned'}",
            "kiosk.bench.scenes:measure_hands",
            {
                "deck": deck,
                "first": HELD_OUT + 10_000_000 + 1000 * (2 * n + learned) + start,
                "number": min(10, number - start),
                "learned": learned,
            },
        )
        for start in range(0, 220, 10)
        for learned, number in ((True, 2 if quick else 220), (False, 2 if quick else 114))
        for n, deck in enumerate(decks)
        if start < number
    ]


def _hands_lines(done: Sequence[PieceResult]) -> FigureLines:
    for how in ("deck learned", "no deck learned"):
        here = {what: count for what, count in by_line(done).items() if what.endswith(f", {how}")}
        if not here:
            continue
        all_ = summed(here.values())
        yield share_line(f"{how}: cards read", all_["right"], all_["cards"], None)
        yield share_line(f"{how}: cards known by reading and game", all_["known"], all_["cards"], 0.995)
        shown = all_["cards"] - all_["burnt"]
        read = all_["right"] - all_["of_burnt"]
        yield share_line(f"{how}: cards read of those that show an index", read, shown, None)
        yield f"{how}: wrong names", at_most(all_["wrong"], all_["cards"]), "0", all_["wrong"] == 0
        yield f"{how}: asked for by finger", str(all_["asked"]), "", None
        yield share_line(f"{how}: hands with just their cards", all_["clean"], all_["hands"], None)
        yield share_line(f"{how}: hands known whole, whose claim is judged at once", all_["whole"], all_["hands"], None)
        yield f"{how}: claims judged by other cards", at_most(all_["false"], all_["whole"]), "0", all_["false"] == 0
        yield f"{how}: by deck", _shares(here, "right", "cards"), "", None
        yield f"{how}: s a hand, median", f"{median(all_['seconds']):.2f}", "", None


def _spread(quick: bool) -> list[Piece]:
    """Decks spread out in rows, of those that nothing was tuned on."""
    number = 2 if quick else 20
    return [
        Piece(
            "spread",
            deck,
            "kiosk.bench.scenes:measure_spread",
            {"deck": deck, "first": HELD_OUT + 11_000_000 + 1000 * n, "number": number},
        )
        for n, deck in enumerate(FRENCH[:2] if quick else FRENCH)
    ]


def _spread_lines(done: Sequence[PieceResult]) -> FigureLines:
    if not done:
        return
    lines = by_line(done)
    all_ = summed(lines.values())
    yield share_line("cards read", all_["right"], all_["cards"], None)
    yield "wrong names", at_most(all_["wrong"], all_["cards"]), "0", all_["wrong"] == 0
    yield "in doubt", str(all_["asked"]), "", None
    yield share_line("decks told whole, or what is wrong with them, at once", all_["clean"], all_["decks"], None)
    yield "by deck", _shares(lines, "right", "cards"), "", None
    yield "s a deck, median", f"{median(all_['seconds']):.2f}", "", None


# --- films -----------------------------------------------------------------------------------------------------------

#: Decks of the films, and lights as they are in most rooms.
_FILMS = ("berlin", "dondorf", "anglo", "stichwart-bavarian")
_EVERYDAY = ("lamp", "day", "dim", "hard")
_OTHER = tuple(light for light in LIGHTS if light not in _EVERYDAY)


def _films(row: str, lights: Sequence[str], tricks: int, **more: int) -> Callable[[bool], list[Piece]]:
    """Films of so many tricks with hands; each has a seed of its own."""

    def pieces(quick: bool) -> list[Piece]:
        films = product(_FILMS[1:2], lights[:2]) if quick else product(_FILMS, lights)
        return [
            Piece(
                row,
                f"{deck}, {light}",
                "kiosk.bench.tracking:measure_film",
                {"deck": deck, "seed": HELD_OUT + 100 * n, "tricks": 2 if quick else tricks, "light": light, **more},
            )
            for n, (deck, light) in enumerate(films)
        ]

    return pieces


def _newest(done: Sequence[PieceResult]) -> FigureLines:
    if not done:
        return
    all_ = summed(piece.result for piece in done)
    cards, wrong = all_["cards"], len(all_["wrong"])
    yield share_line("newly laid cards right in the end", all_["right"], cards, 0.999)
    met = wrong / cards <= 1e-4
    yield "wrong and accepted", at_most(wrong, cards), "≤ 1 in 10000", met
    often = 96 * all_["asked"] / cards
    yield "questions in two games of 48 cards", f"{often:.2f} ({all_['asked']} of {cards})", "≤ 1", often <= 1
    yield "in doubt at the end", at_most(all_["doubted"], cards), "", None
    yield "missed", at_most(len(all_["missed"]), cards), "", None
    yield "cards that were none", at_most(len(all_["phantom"]), cards), "", None
    yield "tricks taken in with just their cards", share(all_["tricks_right"], all_["tricks"]), "", None
    yield "right by deck and light", _shares(by_line(done), "right", "cards"), "", None
    for times, what in (("label_ms", "card at rest to its label"), ("fourth_ms", "the same with a trick lying")):
        spent = sorted(all_[times])
        if spent:
            value, late = median(spent), spent[min(len(spent) - 1, int(0.99 * len(spent)))]
            shown = f"{value:.0f} / {late:.0f} / {spent[-1]:.0f} ({len(spent)})"
            yield f"{what}, ms of one thread, median / 99 % / worst", shown, "≤ 60 / 120", value <= 60 and late <= 120
    yield "ms a frame of the film", f"{all_['frame_ms'] / max(1, all_['frames']):.1f}", "", None


def _unpromised(done: Sequence[PieceResult]) -> FigureLines:
    for what, value, _, _ in _newest(done):
        yield what, value, "", None


# --- photographs -----------------------------------------------------------------------------------------------------


def _tricks(quick: bool) -> list[Piece]:
    folder = SHARED / "data" / "photos" / "german-index-baize"
    return (
        [Piece("tricks", "tricks", "kiosk.bench.photographs:measure_tricks", {"folder": str(folder)})]
        if folder.exists()
        else []
    )


def _tricks_lines(done: Sequence[PieceResult]) -> FigureLines:
    if not done:
        yield "left out", f"{SHARED / 'data'} is not here", "", None
    for piece in done:
        count = piece.result
        right, wrong, missed = count["right"], count["wrong"], count["missed"]
        yield share_line("photographs of tricks, recall (public recognisers at best 0.16)", right, right + missed, 0.98)
        yield share_line("photographs of tricks, precision", right, right + wrong, 1.0)
        yield "s a picture, median", f"{median(count['seconds']):.1f}", "", None
        for note in count["notes"]:
            yield "not right", note, "", None


# --- what it takes ---------------------------------------------------------------------------------------------------


def _one(row: str, call: str) -> Callable[[bool], list[Piece]]:
    return lambda quick: [Piece(row, row, call)]


def _gate_lines(done: Sequence[PieceResult]) -> FigureLines:
    for piece in done:
        value = median(piece.result["ms"])
        yield "change gate, ms a frame of 1280 × 720", f"{value:.2f}", "≤ 0.3", value <= 0.3


def _process_lines(done: Sequence[PieceResult]) -> FigureLines:
    for piece in done:
        share_, peak = piece.result["idle_share"], piece.result["peak_mb"]
        shown = f"{100 * share_:.1f} %"
        yield "table at rest, of one core at 15 frames a second, decoding included", shown, "≤ 5 %", share_ <= 0.05
        yield "memory of the vision process at most, MB", f"{peak:.0f}", "≤ 250", peak <= 250
        card, mat = piece.result["card_kb"], piece.result["mat_kb"]
        yield "picture of a card, of the mat after a trick, on average, kB", f"{card:.1f}, {mat:.1f}", "", None
        evening = 20 * (48 * card + 12 * mat) / 1000
        yield "pictures kept of 20 games of 48 cards, MB", f"{evening:.0f}", "≤ 200", evening <= 200


def _quarter(quick: bool) -> list[Piece]:
    films = (("standard", 15.0),) if quick else (("standard", 15.0), ("berlin", 30.0), ("xskat-german", 15.0))
    return [
        Piece(
            "quarter",
            f"{deck}, {fps:.0f} pictures a second",
            "kiosk.bench.quarter:measure_quarter",
            {"deck": deck, "seed": HELD_OUT + 900 + n, "tricks": 8 if quick else 40, "fps": fps},
        )
        for n, (deck, fps) in enumerate(films)
    ]


def _quarter_lines(done: Sequence[PieceResult]) -> FigureLines:
    for piece in done:
        result, what = piece.result, piece.piece.what
        ms = sorted(result["label_ms"])
        middle, late = percentile(ms, 50), percentile(ms, 99)
        value, met = f"{middle:.0f} / {late:.0f} / {ms[-1]:.0f} ({len(ms)})", middle <= 120 and late <= 250
        yield f"{what}: picture of a card at rest to its label, ms, median / 99 % / worst", value, "≤ 120 / 250", met
        value = f"{percentile(result['late_ms'], 99):.0f} / {max(result['late_ms']):.0f}"
        yield f"{what}: a picture is looked at late by, ms, 99 % / worst", value, "", None
        yield f"{what}: time for which pictures would be left out, ms", f"{result['behind_ms']:.0f}", "", None
        yield f"{what}: cards right", share(result["right"], result["laid"]), "", result["right"] == result["laid"]
        met = result["peak_mb"] <= 250
        yield f"{what}: memory of the vision process at most, MB", f"{result['peak_mb']:.0f}", "≤ 250", met


def _network_lines(done: Sequence[PieceResult]) -> FigureLines:
    for piece in done:
        size = sum(piece.result["bytes"])
        names = " + ".join(piece.result["names"]) or "there is none"
        yield "networks, kB", f"{size / 1000:.0f} ({names})", "≤ 1000", size <= 1_000_000


ROWS = {
    row.name: row
    for row in (
        FigureRow("single", "single and touching cards", _single, _wanted(0.9995, 1.0, None)),
        FigureRow("overlapping", "overlapping cards", _overlapping("overlapping", 100), _wanted(0.995, 0.999, 0.985)),
        FigureRow("eight", "eight cards overlapping", _overlapping("eight", 40, count=8), _wanted(None, None, 0.9)),
        FigureRow("small", "cards 75 px wide", _overlapping("small", 40, card_px=75.0), _wanted(None, None, None)),
        FigureRow("lights", "in every light", _named("lights", "light", LIGHTS), _each_line),
        FigureRow("wear", "worn, sleeved and bent cards", _named("wear", "wear", WEAR), _each_line),
        FigureRow("played", "overlapping cards, deck learned in play", _played, _played_lines),
        FigureRow("named", "Bavarian decks, named by people in play", _named_in_play, _named_lines),
        FigureRow("things", "foreign objects and backs", _things, _each_line),
        FigureRow("cameras", "lenses and sizes of pictures", _cameras, _each_line),
        FigureRow("hands", "hands laid open as a fan or in a row", _hands, _hands_lines),
        FigureRow("spread", "decks spread out in rows, to be checked", _spread, _spread_lines),
        FigureRow("newest", "newly laid cards in films with hands", _films("newest", _EVERYDAY * 7, 24), _newest),
        FigureRow(
            "jpeg", "some of these as a camera's JPEG pictures", _films("jpeg", _EVERYDAY * 2, 24, jpeg=90), _newest
        ),
        FigureRow("films", "the same in all other lights", _films("films", _OTHER, 12), _unpromised),
        FigureRow("tricks", "photographs, learned deck", _tricks, _tricks_lines),
        FigureRow(
            "photographs",
            "photographs, no deck learned",
            index_reader_rows.photograph_pieces,
            index_reader_rows.photograph_lines,
        ),
        FigureRow(
            "generic",
            "simulated photographs, no deck learned",
            index_reader_rows.simulated_pieces,
            index_reader_rows.simulated_lines,
        ),
        FigureRow("gate", "change gate", _one("gate", "kiosk.bench.tracking:measure_change_detection"), _gate_lines),
        FigureRow(
            "process",
            "the vision process",
            _one("process", "kiosk.bench.vision_process:measure_process"),
            _process_lines,
        ),
        FigureRow("quarter", "the vision process with a quarter of a core", _quarter, _quarter_lines),
        FigureRow(
            "network",
            "size of networks",
            _one("network", "kiosk.bench.vision_process:measure_networks"),
            _network_lines,
        ),
    )
}
