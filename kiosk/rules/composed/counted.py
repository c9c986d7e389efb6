"""Find for what a shipped book has a game of Doppelkopf count, in the words of a club's file: by trying."""

from dataclasses import fields, replace
from functools import cache

from kiosk.rules.composed.file import PointsPart
from kiosk.rules.composed.points import shipped
from kiosk.rules.composed.scoring import SPECIAL, Counts
from kiosk.rules.describe import probe
from kiosk.rules.engine.announcements import RE
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.scoring import Item, Part, Tally

#: Tricks that bring special points: a Fuchs caught in a Doppelkopf, a second Herz 10 caught, and as the last one.
_FULL = probe.trick("DA HT CA CT", winner=2, points=42)
_DULLEN = probe.trick("HT HT CK CT", winner=1)
_LAST = (probe.trick("CJ DK CK CT", winner=1), probe.trick("DA DK CK CT", winner=1))


def counts_of(base: str, part: PointsPart) -> Counts:
    """Return for what a game counts: as the base has it where the club says nothing."""
    said = {one.name: getattr(part, one.name) for one in fields(Counts)}
    return replace(counts_of_book(base), **{name: value for name, value in said.items() if value is not None})


@cache
def counts_of_book(name: str) -> Counts:
    """Return for what a game of that book counts, as ``[points]`` of a file that stands on it would say it."""
    base = shipped(name)
    ended = [_tally(base, points, tricks=(_FULL, _DULLEN, last)) for last in _LAST for points in (140, 100)]
    found = {item.name: item for item in _items(base, ended)}
    special = tuple(one for one in found if one in SPECIAL)
    doubled = any(found[one].part is Part.BASE for one in special)
    called = {item.name: item for item in _items(base, [_tally(base, 140, levels=(1, 0))])}
    against = _items(base, [_tally(base, 140, levels=(0, 2))])
    return Counts(
        calls="doubled" if called[RE].part is Part.FACTOR else "added",
        queens=_queens(base, doubled),
        reached=any(item.name.startswith("reached") for item in against),
        special=special,
        special_doubled=doubled,
    )


def _queens(base: RuleBook, special_doubled: bool) -> str:
    """How "gegen die Kreuz Damen" counts, in a normal game and in a solo."""
    normal, alone = (
        [item for item in _items(base, [_tally(base, 100, soloist=seat)]) if item.name == "against_queens"]
        for seat in (None, 1)
    )
    if not normal:
        return "never"
    if normal[0].part is Part.BASE and not special_doubled:
        return "value"
    return "special_in_solos_too" if alone else "special"


def _tally(base: RuleBook, re_points: int, **more: object) -> Tally:
    """Make a game's end, with all that options may leave out counted."""
    wanted = {name: True for name in ("against_queens_in_solo",) if any(one.name == name for one in base.options)}
    return probe.tally(base, base.settle(wanted), re_points, **more)  # type: ignore[arg-type]


def _items(base: RuleBook, ended: list[Tally]) -> list[Item]:
    """List what each rule in turn counts of any of these games."""
    return [item for rule in base.scoring for one in ended for item in rule(one) if item.number]
