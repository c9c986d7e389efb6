"""Compute the result of an ended game: sides, Augen, winner, value and the score of each seat."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from kiosk.rules.engine import announcements
from kiosk.rules.engine.announcements import KONTRA, OTHER, RE
from kiosk.rules.engine.book import Breach
from kiosk.rules.engine.cards import augen
from kiosk.rules.engine.ramsch import apart
from kiosk.rules.engine.scoring import Item, Tally
from kiosk.rules.engine.values import Impossible, Result, Ruling

if TYPE_CHECKING:
    from kiosk.rules.engine.game import Game


def score(game: "Game") -> Result:
    """Score an ended game with all its rulings."""
    ending = game.book.standing_ruling(game)
    ramsch = apart(game, ending.offender if ending else None) if game.each_alone else None
    re, soloist = (ramsch.seats, _alone(ramsch.seats)) if ramsch else _sides(game)
    scored = ending is None or ending.kind in game.book.scored_rulings
    repeated = game.book.repeated(game, re)
    is_void = game.dealt_again or repeated or not scored
    fall = None if is_void else _fall(game, re, ending)
    tally = _tally(game, re, soloist, fall)
    booked = dict.fromkeys(game.seats, 0)
    instead = None  # points that replace those of the game
    for ruling in game.rulings:
        if ruling.ends and ruling is not ending:
            continue  # the Schiedsgericht has decided otherwise (eppstein 8.8.7)
        if ruling is ending and scored and ruling.kind not in game.book.penalties and ruling.scores is not None:
            instead = ruling.scores
            continue
        for seat, points in penalty(game, ruling).items():
            booked[seat] = booked.get(seat, 0) + points
    counted = True
    value: tuple[Item, ...] = ()
    won_by = None
    written: Mapping[int, int] = {}
    if is_void:
        counted = ending is not None and not (game.dealt_again or repeated) and _counts(game, ending)
    elif re:
        won_by = ramsch.winner if ramsch else game.book.winner(tally)
        tally = replace(tally, winner=won_by)
        value = tuple(item for rule in game.book.scoring for item in rule(tally) if item.number)
        written = game.book.write(tally, value)
    itself = written if instead is None or is_void else instead
    won = itself if ending is None or not (is_void and counted) else penalty(game, ending)
    for seat, points in itself.items():
        booked[seat] = booked.get(seat, 0) + points
    declared = game.declaration
    return Result(
        kind="ramsch" if ramsch else declared.game if declared else "still" if soloist is not None else "normal",
        duty=declared is not None and declared.duty,
        declarer=declared.seat if declared else None,
        re=tuple(sorted(re)),
        points=tally.points,
        won_by=won_by,
        value=value,
        score=booked,
        void=is_void,
        counted=counted,
        won=frozenset(seat for seat, points in won.items() if points > 0),
        struck=bool(game.leave_missing),
    )


def _sides(game: "Game") -> tuple[frozenset[int], int | None]:
    """The Re side, empty if it cannot be known, and who of it plays alone."""
    if game.ruled is not None:
        return game.ruled, _alone(game.ruled)
    card = game.contract.re_card
    if card is None:
        return frozenset(), None
    knowledge = game.known
    placings = game.re_sides
    if len(placings) != 1:
        return frozenset(), None
    re = placings[0]
    if game.declaration is not None:
        return re, _alone(re)
    located = sum(list(cards).count(card) for cards in knowledge.shown.values())
    if any(knowledge.sizes.values()):  # forced into the only hand with room; else a misread has hidden it
        located += knowledge.unseen[card]
    return re, _alone(re) if located >= 2 else None


def _alone(re: frozenset[int]) -> int | None:
    return next(iter(re)) if len(re) == 1 else None


def _fall(game: "Game", re: frozenset[int], ending: Ruling | None) -> tuple[int, str] | None:
    """From which trick on all cards fall to which side; a ruling comes before a claim (eppstein 8.5.1, 4.3)."""
    if not re:
        return None
    if game.each_alone:  # what was not played any more goes to whose breach has ended it
        return None if game.ended == "cards" else (len(game.tricks), RE)
    if ending is not None and ending.offender is not None:
        first = game.book.falls_from(game, ending)
        if first is not None:
            return first, OTHER[RE if ending.offender in re else KONTRA]
    if game.ended == "not_played":
        return len(game.tricks), RE
    if game.claim is not None:
        side = RE if game.claim.seat in re else KONTRA
        return len(game.tricks), side if game.claim.kind == "rest" and game.claim.accepted else OTHER[side]
    return None


def _tally(game: "Game", re: frozenset[int], soloist: int | None, fall: tuple[int, str] | None) -> Tally:
    points = {RE: 0, KONTRA: 0}
    taken = {RE: 0, KONTRA: 0}
    kept = len(game.tricks) if fall is None else fall[0]
    for trick in game.tricks[:kept]:
        side = RE if trick.winner in re else KONTRA
        points[side] += trick.points
        taken[side] += 1
    if fall is not None:
        points[fall[1]] += sum(map(augen, game.book.deck)) - sum(points.values())
        taken[fall[1]] += 1
    _, state = announcements.judge(game.calls, game.seats, game.certain_sides, game.said)
    return Tally(
        seats=game.seats,
        re=re,
        soloist=soloist,
        tricks=game.tricks[:kept],
        complete=game.ended == "cards" and kept == len(game.tricks),
        points=points,
        taken=taken,
        level=state.level,
        options=game.options,
        bock=state.bock,
        doubled=game.doubled,
        game="ramsch" if game.each_alone else game.declaration.game if game.declaration else None,
        trumps=game.contract.trumps,
        knocks=len(game.knocks),
        raised=game.contract.raised,
    )


def breach_of(game: "Game", ruling: Ruling) -> Breach:
    """Return the breach of a ruling.

    :raises Impossible: if it names no offender who plays in the game.
    """
    offender = ruling.offender
    if offender not in game.seats or offender is None:
        raise Impossible(f"a ruling of class {ruling.kind} needs an offender who plays in this game, or scores")
    said = [one for one in game.said if one.event <= ruling.breach]
    _, state = announcements.judge(game.calls, game.seats, game.certain_sides, said)
    side = game.certain_sides.get(offender) or state.told.get(offender)
    return Breach(
        offender=offender,
        seats=game.seats,
        soloist=game.soloist_at(ruling.breach),
        absagen=max(0, state.level[OTHER[side]] - 1) if side else 0,
        ansagen=sum(level > 0 for level in state.level.values()),
        harms_soloist=ruling.harms_soloist,
        options=game.options,
    )


def penalty(game: "Game", ruling: Ruling) -> dict[int, int]:
    """Compute the points that a ruling books by seat, without the game's own."""
    if ruling.kind == "none":
        return {}
    if ruling.scores is not None:
        return dict(ruling.scores)
    if ruling.kind == "custom":
        return {}
    breach = breach_of(game, ruling)
    preset = game.book.penalties.get(ruling.kind)
    return preset(breach) if preset else {}


def payments(game: "Game") -> dict[int, dict[int, float]]:
    """Compute the euros that the book has seats pay (negative: get), by event of the ruling; no referee's fines."""
    paid: dict[int, dict[int, float]] = {}
    ending = game.book.standing_ruling(game)
    for ruling in game.rulings:
        payment = game.book.payments.get(ruling.kind)
        if payment is None or ruling.fines or (ruling.ends and ruling is not ending):
            continue
        if ruling.offender in game.seats:
            paid[ruling.event] = payment(breach_of(game, ruling))
    return paid


def _counts(game: "Game", ruling: Ruling) -> bool:
    return game.book.counts_when_ended(breach_of(game, ruling) if ruling.offender in game.seats else None)
