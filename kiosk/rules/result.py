"""The result of a game that ended: sides, Augen, winner, value and what each seat is written."""

from typing import TYPE_CHECKING

from kiosk.rules import announcements
from kiosk.rules.announcements import KONTRA, OTHER, RE
from kiosk.rules.book import Breach
from kiosk.rules.cards import augen
from kiosk.rules.proof import re_placings
from kiosk.rules.scoring import Tally
from kiosk.rules.values import Impossible, Result, Ruling

if TYPE_CHECKING:
    from kiosk.rules.game import Game


def score(game: "Game") -> Result:
    """The result of an ended game with all its rulings."""
    re, soloist = _sides(game)
    ending = next((ruling for ruling in reversed(game.rulings) if ruling.ends), None)
    rest_to = _rest(game, re, ending)
    is_void = game.dealt_again or (ending is not None and ending.voids)
    tally = _tally(game, re, soloist, None if is_void else rest_to)
    booked = dict.fromkeys(game.seats, 0)
    counted = True
    for ruling in game.rulings:
        if ruling.ends and ruling is not ending:
            continue  # the Schiedsgericht has decided otherwise (eppstein 8.8.7)
        for seat, points in _penalty(game, ruling).items():
            booked[seat] = booked.get(seat, 0) + points
    value: tuple = ()
    won_by = None
    if is_void:
        counted = ending is not None and not game.dealt_again and _counts(game, ending)
    elif re:
        won_by = game.book.winner(tally)
        tally = _tally(game, re, soloist, rest_to, won_by)
        value = tuple(item for rule in game.book.scoring for item in rule(tally))
        for seat, points in game.book.write(tally, value).items():
            booked[seat] += points
    declared = game.declaration
    return Result(
        kind=declared.game if declared else "still" if soloist is not None else "normal",
        duty=declared is not None and declared.duty,
        declarer=declared.seat if declared else None,
        re=tuple(sorted(re)),
        points=tally.points,
        won_by=won_by,
        value=value,
        score=booked,
        void=is_void,
        counted=counted,
    )


def _sides(game: "Game") -> tuple[frozenset[int], int | None]:
    """The Re side, empty if it cannot be known, and who of it plays alone."""
    if game.ruled is not None:
        return game.ruled, min(game.ruled) if len(game.ruled) == 1 else None
    if game.declaration is not None:
        return frozenset(), None
    knowledge = game.knowledge()
    card = game.contract.re_card
    if card is None:
        return frozenset(), None
    placings = re_placings(knowledge, card)
    if len(placings) != 1:
        return frozenset(), None
    re = placings[0]
    located = sum(list(cards).count(card) for cards in knowledge.shown.values())
    if any(knowledge.sizes.values()):  # forced into the only hand with room; else a misread has hidden it
        located += knowledge.unseen.get(card, 0)
    return re, min(re) if len(re) == 1 and located >= 2 else None


def _rest(game: "Game", re: frozenset[int], ending: Ruling | None) -> str | None:
    """The side that open trick and unplayed cards go to; a ruling comes before a claim (eppstein 8.5.1, 4.3)."""
    if game.ended != "cards" and ending is not None and ending.kind == "decided" and ending.offender is not None:
        return OTHER[RE if ending.offender in re else KONTRA] if re else None
    if game.claim is not None:
        side = RE if game.claim.seat in re else KONTRA
        return side if game.claim.kind == "rest" and game.claim.accepted else OTHER[side]
    return None


def _tally(
    game: "Game", re: frozenset[int], soloist: int | None, rest_to: str | None, winner: str | None = None
) -> Tally:
    points = {RE: 0, KONTRA: 0}
    taken = {RE: 0, KONTRA: 0}
    for trick in game.tricks:
        side = RE if trick.winner in re else KONTRA
        points[side] += trick.points
        taken[side] += 1
    if rest_to is not None:
        points[rest_to] += sum(map(augen, game.book.deck)) - sum(points.values())
        taken[rest_to] += 1
    sides = {seat: RE if seat in re else KONTRA for seat in game.seats} if re else game.certain_sides()
    _, state = announcements.judge(game.book.calls, game.seats, sides, game.said)
    return Tally(
        seats=game.seats,
        re=re,
        soloist=soloist,
        tricks=game.tricks,
        complete=game.ended == "cards",
        points=points,
        taken=taken,
        level=state.level,
        options=game.options,
        winner=winner,
    )


def breach_of(game: "Game", ruling: Ruling) -> Breach:
    """What a ruling is about.

    :raises Impossible: if it names no offender who plays in the game.
    """
    offender = ruling.offender
    if offender not in game.seats or offender is None:
        raise Impossible(f"a ruling of class {ruling.kind} needs an offender who plays in this game, or scores")
    said = [one for one in game.said if one.event <= ruling.breach]
    re, _ = _sides(game)
    sides = {seat: RE if seat in re else KONTRA for seat in game.seats} if re else game.certain_sides()
    _, state = announcements.judge(game.book.calls, game.seats, sides, said)
    side = sides.get(offender) or state.told.get(offender)
    return Breach(
        offender=offender,
        seats=game.seats,
        soloist=game.soloist_at(ruling.breach),
        absagen=max(0, state.level[OTHER[side]] - 1) if side else 0,
        harms_soloist=ruling.harms_soloist,
    )


def _penalty(game: "Game", ruling: Ruling) -> dict[int, int]:
    if ruling.kind == "none":
        return {}
    if ruling.scores is not None:
        return dict(ruling.scores)
    if ruling.kind == "custom":
        return {}
    return game.book.penalties[ruling.kind](breach_of(game, ruling))


def _counts(game: "Game", ruling: Ruling) -> bool:
    if ruling.offender not in game.seats:
        return False
    return game.book.counts_when_ended(breach_of(game, ruling))
