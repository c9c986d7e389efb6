"""Measure the proof of breaches: accusations that are false, how soon true ones come, and what a card takes."""

import gc
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from kiosk.bench.proof_games import Named, Noise, Played, folded, play
from kiosk.rules.books import BOOKS
from kiosk.table.inference.certain import certain

GAMES, SOME = 600, 60
#: Processor time that a card may take.
WANTED_MS = 1.0

#: Far more at once than a table ever sees: what proves a breach is then often itself misread.
EVERYTHING = Noise(
    misread=0.01, evidence=True, scans=0.3, wrong_scans=1.0, doubt=0.08, unseen=0.02, retracted=0.02, calls=0.08
)

#: What a game accuses somebody of by what the cards are.
ACCUSED = ("revoke", "out_of_turn", "wrong_side", "not_entitled")


@dataclass(slots=True)
class Told:
    """What was shown of one game."""

    false: set[Named] = field(default_factory=set)  # at any time
    standing: set[Named] = field(default_factory=set)  # at its end
    when: dict[int, int] = field(default_factory=dict)  # true revokes, with the event after which they were shown
    spent: list[float] = field(default_factory=list)  # ms of the processor for each card


def told(game: Played) -> Told:
    """Fold a game, and compare what is shown after each event with the truth."""
    found = Told()
    last = len(game.events) - 1
    rounds = folded(game.events)
    while True:
        begun = time.process_time()
        step = next(rounds, None)
        if step is None:
            return found
        number, round = step
        shown = certain(round) if round.game else ()
        took = 1000 * (time.process_time() - begun)
        if number in game.true:
            found.spent.append(took)
        for one in shown:
            if one.code == "revoke" and one.event in game.revoked:
                found.when.setdefault(one.event, number)
            elif one.code in ACCUSED:
                found.false.add((one.code, one.seat, one.event))
                if number == last:
                    found.standing.add((one.code, one.seat, one.event))


def games(noise: Noise, number: int) -> Iterator[Told]:
    """Play and judge so many games, by all books in turn."""
    books = sorted(BOOKS)
    for seed in range(number):
        game = play(books[seed % len(books)], seed, noise)
        gc.collect(1)
        gc.disable()  # a search for dead objects takes as long as all else of the program makes it
        try:
            yield told(game)
        finally:
            gc.enable()


def wrongly_read(quick: bool) -> Iterator[tuple[str, str, str, bool | None]]:
    """Measure what was read wrongly in some way each: what, the figure, what is wanted, whether it is met."""
    number = SOME if quick else GAMES
    clear = list(games(Noise(), number))
    yield _of(f"{number} games read right: false at any time", sum(bool(one.false) for one in clear), 0)
    for name, noise, standing, shown in (
        ("1 % of clear cards misread, with the camera's evidence", Noise(misread=0.01, evidence=True), 1, 5),
        ("1 % of clear cards misread, without any evidence", Noise(misread=0.01), 1, None),
        ("30 % of hands scanned, with one wrong card", Noise(scans=0.3, wrong_scans=1.0), 0, None),
        ("8 % of cards in doubt, 2 % not seen, 2 % taken back", Noise(doubt=0.08, unseen=0.02, retracted=0.02), 0, 0),
        ("3 % of cards in doubt, a call before 8 %", Noise(doubt=0.03, calls=0.08), 0, 0),
        ("all of these at once", EVERYTHING, None, None),
    ):
        found = list(games(noise, number))
        yield _of(f"{name}: games with a false one at the end", sum(bool(one.standing) for one in found), standing)
        yield _of("… at any time", sum(bool(one.false) for one in found), shown)
        yield "… true revokes shown", f"{sum(len(one.when) for one in found)}", "", None
        spent = sorted(took for one in found for took in one.spent)
        mean, high = sum(spent) / len(spent), spent[len(spent) * 99 // 100]
        above = f"{sum(took > WANTED_MS for took in spent)} of {len(spent)}"
        times = f"{mean:.2f}, {high:.2f}, {spent[-1]:.1f}; {above}"
        yield "… ms a card: mean, 99 %, most; above 1 ms", times, "99 % ≤ 1", high <= WANTED_MS


def _of(what: str, value: int, most: int | None) -> tuple[str, str, str, bool | None]:
    return what, str(value), "" if most is None else f"≤ {most}", None if most is None else value <= most
