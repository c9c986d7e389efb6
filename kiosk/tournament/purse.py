"""Divide what comes in, fees (durchgaenge, last line) and gifts, into prizes (schaffkopf III 2.1, 2.6) and reserve.

All amounts are whole cents. What is divided is what comes in, to the cent: prizes, reserve and a rest that is named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kiosk.errors import BadNote, shorten

#: The note by which fee, reserve and prizes are set; the one by which prizes are given to people.
PURSE, AWARDED = "purse", "awarded"

#: Hundredths of a percent of the whole.
WHOLE: Final = 10_000

MOST_CENTS, MOST_PRIZES, LONGEST_THING = 10_000_000, 200, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """What a place is worth: a share of what comes in, an amount, a thing, or several of them."""

    place: int
    share: int = 0  # hundredths of a percent
    cents: int = 0
    thing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """What comes in and how it is divided."""

    fees: tuple[tuple[int, int], ...] = ()  # since when (ms since the epoch) which fee
    gift: int = 0  # what somebody adds
    reserve_share: int = 0  # hundredths of a percent that stay in the cash box
    reserve_cents: int = 0
    prizes: tuple[Prize, ...] = ()

    @property
    def fee(self) -> int:
        """The entry fee for who has not paid yet."""
        return self.fees[-1][1] if self.fees else 0

    def fee_at(self, at_ms: int) -> int:
        """Return the fee at a time; who paid before any was set paid the first one."""
        return next((fee for since, fee in reversed(self.fees) if since <= at_ms), self.fees[0][1] if self.fees else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """What somebody gets."""

    place: int
    name: str
    cents: int
    things: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """What comes in, divided: ``income`` is the sum of the awards, ``reserve`` and ``rest``."""

    income: int
    reserve: int
    awards: tuple[Award, ...]
    rest: int  # rounded off, or of places that nobody has; negative: more is promised than comes in
    lots: tuple[tuple[str, ...], ...]  # people with an equal place between whom things are drawn


def divided(purse: Purse, income: int, places: Sequence[tuple[int, str]]) -> Division:
    """Divide what comes in among people by their places.

    Who shares a place shares the prizes of the places that they have together in equal parts, to the cent; things
    cannot be shared and go to them in the order given, which the lot has decided.

    :param places: place and name, best first; equal ones in the order of their lot.
    """
    worth: dict[int, int] = {}
    things: dict[int, list[str]] = {}
    for prize in purse.prizes:
        worth[prize.place] = worth.get(prize.place, 0) + prize.cents + income * prize.share // WHOLE
        if prize.thing:
            things.setdefault(prize.place, []).append(prize.thing)
    reserve = purse.reserve_cents + income * purse.reserve_share // WHOLE
    awards: list[Award] = []
    lots: list[tuple[str, ...]] = []
    for place in sorted({place for place, _ in places}):
        names = [name for one, name in places if one == place]
        covered = range(place, place + len(names))
        each = sum(worth.get(one, 0) for one in covered) // len(names)
        given = [things.get(one, []) for one in covered]
        if any(given) and len(names) > 1:
            lots.append(tuple(names))
        awards += [
            Award(place=place, name=name, cents=each, things=tuple(own))
            for name, own in zip(names, given, strict=True)
            if each or own
        ]
    rest = income - reserve - sum(one.cents for one in awards)
    return Division(income=income, reserve=reserve, awards=tuple(awards), rest=rest, lots=tuple(lots))


def noted(purse: Purse, note: Mapping[str, Any], at_ms: int) -> Purse:
    """Return the purse after the note that sets it.

    :raises BadNote: a value that cannot be, or prizes that are more than all that comes in.
    """
    prizes = note.get("prizes", [])
    if not isinstance(prizes, list) or len(prizes) > MOST_PRIZES or not all(isinstance(one, Mapping) for one in prizes):
        raise BadNote("malformed", f"prizes {shorten(prizes)}: a list of at most {MOST_PRIZES} is wanted")
    fee = _whole(note, "fee", MOST_CENTS)
    made = Purse(
        fees=purse.fees if fee == purse.fee and purse.fees else (*purse.fees, (at_ms, fee)),
        gift=_whole(note, "gift", MOST_CENTS),
        reserve_share=_whole(note, "reserve_share", WHOLE),
        reserve_cents=_whole(note, "reserve_cents", MOST_CENTS),
        prizes=tuple(_prize(one) for one in prizes),
    )
    shares = made.reserve_share + sum(one.share for one in made.prizes)
    if shares > WHOLE:
        raise BadNote("over_whole", f"shares of {shares / 100:g} % in all: more than all that comes in; lower some",
                      percent=f"{shares / 100:g}")  # fmt: skip
    return made


def _prize(said: Mapping[str, Any]) -> Prize:
    thing = said.get("thing", "")
    if not isinstance(thing, str) or len(thing) > LONGEST_THING or not thing.isprintable():
        raise BadNote("malformed", f"thing {shorten(thing)}: at most {LONGEST_THING} letters are wanted")
    place = _whole(said, "place", 1000)
    prize = Prize(
        place=place,
        share=_whole(said, "share", WHOLE),
        cents=_whole(said, "cents", MOST_CENTS),
        thing=" ".join(thing.split()),
    )
    if not place or not (prize.share or prize.cents or prize.thing):
        raise BadNote("no_prize", f"{shorten(said)} is no prize; name place and share, amount or thing")
    return prize


def _whole(said: Mapping[str, Any], key: str, most: int) -> int:
    value = said.get(key, 0)
    if type(value) is not int or not 0 <= value <= most:
        raise BadNote("number", f"{key} {shorten(value)}: a whole number from 0 to {most} is wanted", low=0, high=most)
    return value
