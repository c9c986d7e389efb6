"""Score a game of Doppelkopf. A score is a list of reasons; the number is computed from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from kiosk.rules.engine.announcements import ABSAGEN, KONTRA, OTHER, RE
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.tricks import Trick
from kiosk.rules.options.option import Options


class Part(Enum):
    """Effect of a reason on the value of a game."""

    BASE = "base"  # added up and doubled (eppstein 6.2.2 a, b)
    FACTOR = "factor"  # a doubling (eppstein 6.2.2 c)
    SPECIAL = "special"  # added after doubling (eppstein 6.2.3)


@dataclass(frozen=True, slots=True)
class Item:
    """One reason of a game's value."""

    name: str
    number: int  # a doubling is its factor
    part: Part


@dataclass(frozen=True, kw_only=True)  # without slots, for ``evolve``
class Tally:
    """Count at the end of a game."""

    seats: tuple[int, ...]  # the four who played
    re: frozenset[int]
    soloist: int | None  # who played alone, declared or not
    tricks: tuple[Trick, ...]  # finished ones
    complete: bool  # played to the last card: the last trick counts as the last
    points: Mapping[str, int]  # Augen by side, a claimed rest included
    taken: Mapping[str, int]  # tricks by side; a rest is at least one
    level: Mapping[str, int]  # standing call by side, see announcements.LEVEL
    options: Options
    bock: bool  # Bock was said (schnittchen 5.2)
    doubled: bool  # the game counts double in a Bockrunde (schnittchen, "Ansonsten")
    winner: str | None = None  # filled in before the scoring rules run
    game: str | None = None  # the game declared
    trumps: tuple[Card, ...] = ()  # of the game played, strongest first
    knocks: int = 0  # how many have doubled it by Klopfen
    raised: tuple[Card, ...] = ()  # above all trumps by a word: Schweinchen, which are no Füchse any more

    def side(self, seat: int) -> str:
        """Return the side of a seat."""
        return RE if seat in self.re else KONTRA


ScoreRule: TypeAlias = Callable[[Tally], Sequence[Item]]

_ALL = 240  # Augen in a deck of Doppelkopf (eppstein 1.2.2, bsv 2.2.2, schnittchen 6.1)
_TARGET = {2: 151, 3: 181, 4: 211}  # eppstein 6.1.2, 6.1.3: own Absage keine 90, 60, 30
_AGAINST = {2: 90, 3: 60, 4: 30}  # the other side's Absage


def reached(tally: Tally, side: str, base: int, bound_must_reach: bool, more: int = 0) -> bool:
    """Report whether a side has reached its target: ``base`` Augen where no Absage sets another.

    ``more``: Augen needed beyond the 90th, 60th, 30th against an Absage of the other side.
    """
    other = OTHER[side]
    own, theirs = tally.level[side], tally.level[other]
    if own >= 2:
        done = tally.taken[other] == 0 if own == 5 else tally.points[side] >= _TARGET[own]
        if done or bound_must_reach or theirs < 5:
            return done
    if theirs == 5:
        return tally.taken[side] > 0
    if theirs >= 2:
        return tally.points[side] >= _AGAINST[theirs] + more
    return tally.points[side] >= base


def number(options: Options, name: str) -> int:
    """Return an option that is a number."""
    return int(options[name])


def bases(tally: Tally) -> dict[str, int]:
    """Return the Augen each side needs where nothing was called: Re 121, Kontra 120 (eppstein 6.1, bsv 7.1)."""
    needed = number(tally.options, "win_points")
    return {RE: needed, KONTRA: _ALL + 1 - needed}


def bases_by_calls(tally: Tally) -> dict[str, int]:
    """Return these Augen, exchanged where only Kontra was announced (eppstein 6.1, bsv 7.1, schnittchen 6.1)."""
    needed = bases(tally)
    only_kontra = tally.level[KONTRA] > 0 and tally.level[RE] == 0
    return {RE: needed[KONTRA], KONTRA: needed[RE]} if only_kontra else needed


def winner_by_targets(tally: Tally) -> str | None:
    """Return the side that has won, None if both failed their Absage (eppstein 6.1)."""
    needed = bases_by_calls(tally)
    bound = bool(tally.options["bound_side_must_reach"])
    done = [side for side in (RE, KONTRA) if reached(tally, side, needed[side], bound)]
    return done[0] if len(done) == 1 else None  # both only with the option off, each with a trick against schwarz


def winner_bound(tally: Tally) -> str | None:
    """Return the side that has won; a side bound by an own Absage must reach it (bsv 7.1, schnittchen 6.1)."""
    needed = bases_by_calls(tally)
    return next((side for side in (RE, KONTRA) if reached(tally, side, needed[side], True)), None)


def won(tally: Tally) -> Sequence[Item]:
    """Score the Grundwert (eppstein 6.2.2 a)."""
    return (Item("won", number(tally.options, "value_won"), Part.BASE),) if tally.winner else ()


def against_queens(tally: Tally) -> Sequence[Item]:
    """Score "gegen die Kreuz Damen gewonnen" (eppstein 6.2.2 a)."""
    if tally.winner != KONTRA or (tally.soloist is not None and not tally.options["against_queens_in_solo"]):
        return ()
    return (Item("against_queens", number(tally.options, "value_against_queens"), Part.BASE),)


def under(tally: Tally) -> Sequence[Item]:
    """Score "unter 90, 60, 30 und schwarz gespielt" by the side that stayed under (eppstein 6.2.2 a).

    Where nobody has won, all numbers are from Re's side.
    """
    items: list[Item] = []
    each, schwarz = number(tally.options, "value_under"), number(tally.options, "value_schwarz")
    for loser in (OTHER[tally.winner],) if tally.winner else (KONTRA, RE):
        sign = -1 if tally.winner is None and loser == RE else 1
        points = tally.points[loser]
        items += [Item(f"under{limit}", sign * each, Part.BASE) for limit in (90, 60, 30) if points < limit]
        if tally.taken[loser] == 0:
            items.append(Item("schwarz", sign * schwarz, Part.BASE))
    return items


def absagen(tally: Tally) -> Sequence[Item]:
    """Score each Absage of either side with left-out steps (eppstein 6.2.2 b, 5.5.3); not if nobody has won (6.1.4)."""
    if tally.winner is None:
        return ()
    return [
        Item(f"said_{word}", number(tally.options, "value_absage"), Part.BASE)
        for level, word in enumerate(ABSAGEN, start=2)
        for side in (RE, KONTRA)
        if tally.level[side] >= level
    ]


def absagen_by_side(tally: Tally) -> Sequence[Item]:
    """Score each Absage, first all of Re, then all of Kontra (bsv 7.2 c, d)."""
    if tally.winner is None:
        return ()
    return [
        Item(f"said_{word}", number(tally.options, "value_absage"), Part.BASE)
        for side in (RE, KONTRA)
        for level, word in enumerate(ABSAGEN, start=2)
        if tally.level[side] >= level
    ]


def against_absage(tally: Tally) -> Sequence[Item]:
    """Score 120 (90, 60, 30) Augen against keine 90 (60, 30, schwarz) (bsv 7.2 e, f; schnittchen 6.2).

    All that apply. Where nobody has won, all numbers are from Re's side.
    """
    ahead = tally.winner or RE
    each = number(tally.options, "value_reached")
    return [
        Item(f"reached{needed}", each if side == ahead else -each, Part.BASE)
        for side in (RE, KONTRA)
        for level, needed in ((2, 120), (3, 90), (4, 60), (5, 30))
        if tally.level[OTHER[side]] >= level and tally.points[side] >= needed
    ]


def added_calls(tally: Tally) -> Sequence[Item]:
    """Add points for Re and Kontra (bsv 7.2 b: 2 each, durchgaenge 2a: 1 each); not if nobody has won."""
    if tally.winner is None:
        return ()
    each = number(tally.options, "value_re_kontra")
    return [Item(side, each, Part.BASE) for side in (RE, KONTRA) if tally.level[side]]


def doublings(tally: Tally) -> Sequence[Item]:
    """Double for Re and Kontra (eppstein 6.2.2 c); not if nobody has won (6.1.4)."""
    if tally.winner is None:
        return ()
    factor = number(tally.options, "factor_re_kontra")
    return [Item(side, factor, Part.FACTOR) for side in (RE, KONTRA) if tally.level[side]]


def bock_doublings(tally: Tally) -> Sequence[Item]:
    """Double everything for Re, Kontra and Bock (schnittchen 6.2 point 2); not if nobody has won."""
    if not tally.bock or tally.winner is None:
        return doublings(tally)
    return [*doublings(tally), Item("bock", number(tally.options, "factor_bock"), Part.FACTOR)]


def bockrunde(tally: Tally) -> Sequence[Item]:
    """Double a game in a Bockrunde (schnittchen, "Ansonsten"); not if nobody has won."""
    if not tally.doubled or tally.winner is None:
        return ()
    return (Item("bockrunde", number(tally.options, "factor_bockrunde"), Part.FACTOR),)


def knocked(tally: Tally) -> Sequence[Item]:
    """Double for each who has knocked on his first cards, a usual rule of clubs; not if nobody has won."""
    if tally.winner is None:
        return ()
    return [Item("klopfen", number(tally.options, "factor_klopfen"), Part.FACTOR) for _ in range(tally.knocks)]


def special_against_queens(tally: Tally) -> Sequence[Item]:
    """Score "gegen die Kreuz Damen gewonnen" as a special point, not in a solo (bsv 7.2, schnittchen 6.2)."""
    return (_special(tally, "against_queens", KONTRA),) if tally.winner == KONTRA and tally.soloist is None else ()


def second_dulle(tally: Tally) -> Sequence[Item]:
    """Score the second Herz 10 caught by the first (schnittchen 6.2 point 6).

    Both in one trick, the second from the other side; with the option ``second_dulle`` at ``any`` from any player.
    """
    items = []
    for trick in tally.tricks if tally.soloist is None else ():
        tens = [laid for laid in trick.cards if laid.card == "HT" and not laid.down]
        if len(tens) == 2:
            first, second = (tally.side(laid.seat) for laid in tens)
            if first != second or tally.options["second_dulle"] == "any":
                items.append(_special(tally, "dulle", tally.side(trick.winner)))
    return items


def doubled_too(rule: ScoreRule) -> ScoreRule:
    """Double a special point with the rest (schnittchen 6.2 point 2)."""

    def changed(tally: Tally) -> Sequence[Item]:
        return [Item(item.name, item.number, Part.BASE) for item in rule(tally)]

    return changed


def losers_ignored(rule: ScoreRule) -> ScoreRule:
    """Ignore special points of the losers unless ``losers_special_points`` is ``set_off``."""

    def changed(tally: Tally) -> Sequence[Item]:
        counts = tally.winner is None or tally.options["losers_special_points"] == "set_off"
        return [item for item in rule(tally) if counts or item.number > 0]

    return changed


def _special(tally: Tally, name: str, side: str) -> Item:
    each = number(tally.options, f"value_{name}")
    return Item(name, each if side == (tally.winner or RE) else -each, Part.SPECIAL)


def doppelkopf(tally: Tally) -> Sequence[Item]:
    """Score a trick of 40 Augen or more (eppstein 6.2.3); none in a solo (6.2.4)."""
    if tally.soloist is not None:
        return ()
    full = number(tally.options, "doppelkopf_augen")
    return [_special(tally, "doppelkopf", tally.side(trick.winner)) for trick in tally.tricks if trick.points >= full]


def fuchs(tally: Tally) -> Sequence[Item]:
    """Score a caught Karo As of the other side (eppstein 6.2.3); a Schweinchen is none."""
    if tally.soloist is not None or "DA" in tally.raised:
        return ()
    return [
        _special(tally, "fuchs", tally.side(trick.winner))
        for trick in tally.tricks
        for laid in trick.cards
        if laid.card == "DA" and not laid.down and tally.side(laid.seat) != tally.side(trick.winner)
    ]


def last_trick(card: str, name: str) -> ScoreRule:
    """Score a special point for winning the last trick with ``card`` (eppstein 6.2.3: Karlchen, Fuchs)."""

    def rule(tally: Tally) -> Sequence[Item]:
        if tally.soloist is not None or not tally.complete or not tally.tricks or card in tally.raised:
            return ()
        last = tally.tricks[-1]
        return (_special(tally, name, tally.side(last.winner)),) if last.winning_card == card else ()

    return rule


def karlchen_caught(tally: Tally) -> Sequence[Item]:
    """Score each Kreuz Bube of the other side that the last trick takes from it, a usual point of clubs.

    With the option ``karlchen_caught_by`` at ``DQ`` only where the Karo Dame takes it. Not in a solo.
    """
    if tally.soloist is not None or not tally.complete or not tally.tricks:
        return ()
    last = tally.tricks[-1]
    side = tally.side(last.winner)
    if tally.options["karlchen_caught_by"] == "DQ" and last.winning_card != "DQ":
        return ()
    caught = [laid for laid in last.cards if laid.card == "CJ" and not laid.down and tally.side(laid.seat) != side]
    return [_special(tally, "karlchen_caught", side) for _ in caught]


def herzstich(hearts: frozenset[Card]) -> ScoreRule:
    """Score a trick of four of the plain ``hearts`` for the side that takes it, a usual point of clubs; no solo."""

    def rule(tally: Tally) -> Sequence[Item]:
        if tally.soloist is not None:
            return ()
        tricks = (trick for trick in tally.tricks if all(laid.card in hearts for laid in trick.cards))
        return [_special(tally, "herzstich", tally.side(trick.winner)) for trick in tricks]

    return rule


def total(items: Sequence[Item]) -> int:
    """Compute the value of a game: base sum, doubled, plus special points; from Re's side if nobody has won."""
    value = sum(item.number for item in items if item.part is Part.BASE)
    for item in items:
        if item.part is Part.FACTOR:
            value *= item.number
    return value + sum(item.number for item in items if item.part is Part.SPECIAL)


def write_plus(tally: Tally, items: Sequence[Item]) -> dict[int, int]:
    """Write Plus points: the value to winners, 0 to losers; a soloist three times it (eppstein 6.2.2, 6.2.4).

    A negative value is credited to the other side; where nobody has won it is reckoned from Re's side.
    """
    value = total(items)
    side = tally.winner or RE
    losers = tally.options["losers_special_points"]
    factor = number(tally.options, "factor_solo")
    times = {seat: factor if seat == tally.soloist else 1 for seat in tally.seats}
    own = value
    if tally.winner is not None and losers != "set_off":
        lost = sum(max(0, -item.number) for item in items if item.part is Part.SPECIAL)
        own = value + lost
        other = lost if losers == "each_side" else 0
        return {seat: times[seat] * (own if tally.side(seat) == side else other) for seat in tally.seats}
    if own < 0:
        side, own = OTHER[side], -own
    return {seat: times[seat] * own if tally.side(seat) == side else 0 for seat in tally.seats}


def write_plus_minus(tally: Tally, items: Sequence[Item]) -> dict[int, int]:
    """Write plus and minus; a soloist once for each opponent: a row sums up to 0 (bsv 7.2, schnittchen 6.2).

    Where nobody has won, from Re's side.
    """
    value, ahead, opponents = total(items), tally.winner or RE, len(tally.seats) - 1
    return {
        seat: (value if tally.side(seat) == ahead else -value) * (opponents if seat == tally.soloist else 1)
        for seat in tally.seats
    }
