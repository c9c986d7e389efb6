"""Measure everything but the recognition: each part in a process of its own, ``python -m kiosk.bench.parts PART``."""

import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path

from kiosk.bench.figure import Figure

SEEDS = (1, 2, 3, 4, 5)


def replay(quick: bool) -> Iterable[Figure]:
    """Measure a round of every book from its lines to the printed text, in one process, start not counted."""
    from kiosk.bench import engine
    from kiosk.rules.books import BOOKS

    for book, row in BOOKS.items():
        games, wanted = (32, "≤ 60") if row.classes else (16, "≤ 50")
        files = [engine.round_lines(book, seed, games) for seed in (SEEDS[:2] if quick else SEEDS)]
        engine.settle()
        spent = [engine.replayed(lines) for lines in files for _ in range(5)]
        yield Figure("replay", f"{book}, {games} games, ms, median / worst", _spread(spent, ".1f"), wanted)


def files(quick: bool) -> Iterable[Figure]:
    """Measure one call for a folder of rounds of all books, its start counted."""
    from kiosk.bench import engine
    from kiosk.rules.books import BOOKS

    with tempfile.TemporaryDirectory() as folder:
        games = 0
        for book, seed in product(BOOKS, range(2 if quick else 20)):
            lines = engine.round_lines(book, seed, None)
            games += sum(b'"deal"' in line for line in lines)
            (Path(folder) / f"{book}-{seed}.jsonl").write_bytes(b"\n".join(lines))
        paths = [str(path) for path in sorted(Path(folder).iterdir())]
        begun, used = time.monotonic(), _children_seconds()
        command = [sys.executable, "-m", "kiosk.cli", "replay", *paths, "--json"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        spent, used = time.monotonic() - begun, _children_seconds() - used
    what = f"replay of {len(paths)} files in one call, {games} deals; a second, by the clock / of processor time"
    yield Figure("files", what, f"{games / spent:.0f} / {games / used:.0f}", "≥ 300")


def decide(quick: bool) -> Iterable[Figure]:
    """Measure every kind of request at many moments of a round of every book."""
    from kiosk.bench import engine
    from kiosk.rules.books import BOOKS

    for book in BOOKS:
        found = engine.Requests()
        engine.settle()
        found.measure(book, SEEDS[0], 2 if quick else 8, 8 if quick else 3)
        what = f"{book}, {len(found.others)} requests, ms, median / worst"
        yield Figure("decide", what, _spread(found.others, ".3f"), "≤ 0.5")
        what = f"{book}, correction of a card just laid"
        yield Figure("decide", what, _spread(found.corrections, ".3f"), "≤ 0.5")


def proof(quick: bool) -> Iterable[Figure]:
    """Measure proofs after each card, where nobody follows suit, everybody announces and hands are scanned.

    And who is accused wrongly in games of random cards that were read wrongly in some way.
    """
    from kiosk.bench import engine
    from kiosk.bench.proof import wrongly_read
    from kiosk.rules.books import BOOKS

    for book in BOOKS:
        found = engine.Proofs()
        engine.settle()
        for seed in range(20 if quick else 200):
            found.measure(engine.hard_game(book, seed))
        yield Figure("proof", f"{book}, a card, ms, median / worst", _spread(found.cards, ".3f"), "≤ 1")
        what = f"{book}, a whole game ({found.found // len(found.games)} breaches on average)"
        yield Figure("proof", what, _spread(found.games, ".1f"), "≤ 20")
    for what, value, wanted, met in wrongly_read(quick):
        yield Figure("proof", what, value, wanted, met)


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _spread(values: Sequence[float], form: str) -> str:
    """Median and worst."""
    return f"{statistics.median(values):{form}} / {max(values):{form}}"


def director(quick: bool) -> Iterable[Figure]:
    """Measure the director's store and page."""
    from kiosk.bench.director import hall, post_to_page, stored_per_second
    from kiosk.demo.play import simulate
    from kiosk.rules.books import BOOKS, DEFAULT

    events = list(simulate(DEFAULT, 1, 2))
    with tempfile.TemporaryDirectory() as folder:
        yield Figure("director", "events stored a second, one by one", f"{stored_per_second(Path(folder), events):.0f}")
        times = sorted(post_to_page(Path(folder), events))
        value = f"{1000 * statistics.median(times):.0f} / {1000 * times[int(0.99 * len(times))]:.0f}"
        yield Figure("director", "from the table's message to the page, ms, median / 99 %", value)
        tables = [
            list(simulate(book, number, 1 if quick else 2, mistakes=0.01, shorten=0.5, table=10 * number + place))
            for number in range(1, 3 if quick else 6)
            for place, book in enumerate(BOOKS)
        ]
        taken = sorted(hall(Path(folder), tables))
        value = f"{len(taken) / sum(taken):.0f}; {1000 * statistics.median(taken):.1f} / {1000 * taken[-1]:.0f}"
        yield Figure("director", f"{len(tables)} tables of every book: events a second; ms, median / worst", value)


def hall(quick: bool) -> Iterable[Figure]:
    """Measure a hall of up to a thousand tables."""
    from kiosk.bench import hall, several_directors

    yield from hall.figures(quick)
    yield from several_directors.figures(quick)


def attack(quick: bool) -> Iterable[Figure]:
    """Attack a director with ten thousand bad requests while tables play."""
    from kiosk.bench.attack import figures

    yield from figures(1000 if quick else 10_000)


#: Rows of the lists that are opened: few, one that fills the screen, and a long one.
LISTS = (5, 16, 50)


def screen(quick: bool) -> Iterable[Figure]:
    """Measure the screen drawn at full speed while views come, and how a list opens."""
    from kiosk.bench import lists
    from kiosk.bench.screen import measure
    from kiosk.demo.play import simulate
    from kiosk.rules.books import BOOKS
    from kiosk.table.events.codec import decode
    from kiosk.table.round.fold import fold
    from kiosk.table.view.show import view

    games = [list(simulate(book, 1, 1)) for book in BOOKS]
    views = [view(fold(map(decode, events[:count]))) for events in games for count in range(1, len(events) + 1)]
    for size in ((800, 480), (1280, 720)):
        frames = measure(views, size, 3 if quick else 10)
        yield Figure(
            "screen", f"{size[0]} × {size[1]} ({frames.driver}), frames a second", f"{frames.per_second:.0f}", "≥ 30"
        )
    opened = [lists.measure(views[-1], rows) for rows in LISTS]
    yield Figure(
        "screen",
        f"a list of {' / '.join(map(str, LISTS))} rows opens, ms of the processor (until it is drawn)",
        " / ".join(f"{used:.0f} ({waited:.0f})" for used, waited in opened),
        "as many for 50 as for 16",
    )


def latency(quick: bool) -> Iterable[Figure]:
    """Measure a game at its own pace: from a card at rest to disk and page, with the screen drawn meanwhile."""
    from kiosk.bench.latency import measure
    from kiosk.demo.demo_table import Demo

    found = measure(Demo(seed=SEEDS[0], games=1, speed=1.0), 40 if quick else 120)
    for what, times, wanted in (
        ("card at rest → event on disk", found.rest_to_disk, "≤ 500"),
        ("card at rest → director's page", found.rest_to_page, "≤ 1000"),
    ):
        ms = sorted(1000 * seconds for seconds in times) or [float("nan")]
        value = f"{statistics.median(ms):.0f} / {ms[int(0.95 * (len(ms) - 1))]:.0f} / {ms[-1]:.0f}"
        yield Figure("latency", f"{what}, ms, median / 95 % / worst of {len(times)}", value, wanted)
    yield Figure("latency", "frames a second meanwhile", f"{found.frames_a_second:.0f}", "≥ 30")


def touch(quick: bool) -> Iterable[Figure]:
    """Measure how soon the screen answers a finger while a game is played before the camera."""
    from kiosk.bench.touch import measure
    from kiosk.demo.demo_table import Demo

    found = measure(Demo(seed=SEEDS[0], games=20, speed=1.0), 30 if quick else 240)
    for what, times, wanted in (
        ("touch → the key is dark", found.to_dark, 50),
        ("letting go → its sheet or screen is there", found.to_sheet, 120),
    ):
        ms = sorted(1000 * seconds for seconds in times) or [float("nan")]
        high = ms[int(0.95 * (len(ms) - 1))]
        value = f"{statistics.median(ms):.0f} / {high:.0f} / {ms[-1]:.0f}"
        yield Figure(
            "touch", f"{what}, ms, median / 95 % / worst of {len(times)}", value, f"95 % ≤ {wanted}", high <= wanted
        )
    yield Figure("touch", f"touches without an answer, {found.cards} cards read meanwhile", str(found.lost), "0")


def rest(quick: bool, minutes: float = 0.0) -> Iterable[Figure]:
    """Measure the screen's processor time at rest, and its memory over an evening, or so many minutes of rounds."""
    from kiosk.bench.rest import SIZE_PX, measure

    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), 20 if quick else 60, 1 if quick else 6, minutes)
    size = f"{SIZE_PX[0]} × {SIZE_PX[1]} ({found.driver})"
    yield Figure("rest", f"{size}, a game in play, nobody moves: share of a core", f"{found.share:.1%}", "≤ 3 %")
    memory = ", ".join(f"{value:.0f}" for value in (found.first_mb, *found.rounds_mb))
    peak = max(found.first_mb, *found.rounds_mb)
    what = "memory at rest, and ten seconds after each round of 16 games in fast motion, MB"
    yield Figure("rest", what, memory, "≤ 220", peak <= 220)
    yield Figure("rest", "memory at the end of such a round, before it is given back, MB", f"{found.highest_mb:.0f}")
    if minutes:
        what = f"memory each minute while {len(found.rounds_mb)} rounds were played at a fifth of a core, MB"
        yield Figure("rest", what, ", ".join(f"{value:.0f}" for value in found.minutes_mb))


def evenings(quick: bool, ways: Sequence[str] = ()) -> Iterable[Figure]:
    """Play whole evenings on the screen by finger, camera or mixed; not quick: every book, size and language."""
    from kiosk.bench.evenings import WAYS, planned_evenings, play_evenings, told_in_a_line

    for told in play_evenings(list(planned_evenings(ways or WAYS, quick=quick))):
        one = told.planned
        print(told_in_a_line(told), file=sys.stderr, flush=True)
        what = f"{one.book}, by {one.by}, {one.size[0]} × {one.size[1]}, {one.language}, seed {one.seed}: "
        what += f"{told.games} games, {told.touches} touches, {told.memory_mb:.0f} MB; rows right, faults"
        value = f"{told.right} of {told.rows}, {len(told.wrong)}"
        yield Figure("evenings", what, value, "all, 0", bool(told.rows) and not told.wrong)


def draws(quick: bool) -> Iterable[Figure]:
    """Measure draws of new company: how often people meet again, and what a draw takes."""
    from kiosk.bench.draws import evenings as of_new_company

    for what, value, wanted, met in of_new_company(quick):
        yield Figure("draws", what, value, wanted, met)


def faults(quick: bool, seed: int | None = None) -> Iterable[Figure]:
    """Play an evening of eight tables while two hundred things fail; the same seed fails the same."""
    from kiosk.bench.faults.evening import evening
    from kiosk.bench.faults.outcome import figures
    from kiosk.bench.faults.plan import Evening

    chosen = random.randrange(1_000_000) if seed is None else seed
    plan = Evening.short(chosen) if quick else Evening(seed=chosen)
    outcome = evening(plan)
    for line in (*outcome.notes, *outcome.wrong):
        print(line, file=sys.stderr, flush=True)
    yield from figures(plan, outcome)


def fuzz(quick: bool) -> Iterable[Figure]:
    """Feed every reader of strangers' data with inputs that coverage leads to."""
    from kiosk.bench.fuzz.measure import fuzz_all

    for one in fuzz_all(5 if quick else 60):
        value = f"{one.tried:,}, {', '.join(one.found) or '0'}"
        yield Figure("fuzz", f"{one.target}: inputs tried, found", value, "0 found", bool(one.tried) and not one.found)


def seats(quick: bool) -> Iterable[Figure]:
    """Count cards noted for another seat, and accusations of an order that nobody has seen."""
    from kiosk.bench.sighted import judged

    for what, value, wanted, met in judged(6 if quick else 60):
        yield Figure("seats", what, value, wanted, None if quick else met)


PARTS: dict[str, Callable[..., Iterable[Figure]]] = {
    part.__name__: part
    for part in (
        replay,
        files,
        decide,
        proof,
        screen,
        director,
        hall,
        attack,
        latency,
        touch,
        rest,
        evenings,
        draws,
        faults,
        fuzz,
        seats,
    )
}


def _main() -> None:
    name, quick = sys.argv[1], "--quick" in sys.argv
    ways = [argument.removeprefix("--by=") for argument in sys.argv if argument.startswith("--by=")]
    minutes = [float(one.removeprefix("--minutes=")) for one in sys.argv if one.startswith("--minutes=")]
    seeds = [int(one.removeprefix("--seed=")) for one in sys.argv if one.startswith("--seed=")]
    further = [ways] if ways else minutes or seeds
    for figure in PARTS[name](quick, *further):
        print(json.dumps(asdict(figure)), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        json.dumps(
            asdict(Figure(name, "peak memory, MB, this process / largest child", f"{peak:.0f} / {children:.0f}"))
        )
    )


if __name__ == "__main__":
    _main()
