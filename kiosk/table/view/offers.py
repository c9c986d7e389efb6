"""List what each seat may do now without breaking a rule: answers, games to name, calls with their time left.

Offered is what everybody at the table can know to be lawful. Hands that a scanner has read are not used: a button that
vanished would tell the others what somebody holds.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kiosk.rules.engine.announcements import (
    BOCK,
    KLOPFEN,
    KONTRA,
    LEVEL,
    OTHER,
    RE,
    CallRules,
    Moment,
    Said,
    counts_in_time,
    judge,
)
from kiosk.rules.engine.book import Kind
from kiosk.rules.engine.game import Game, moment
from kiosk.rules.engine.schweinchen import UNTIL, may_say
from kiosk.rules.engine.values import Bid, Declaration, Lapsed, Leave
from kiosk.table.view.forms import forms
from kiosk.table.view.table_view import CallView, DutyView, LeaveView


def answers(game: Game, seat: int) -> tuple[str, ...]:
    """List answers open to the seat: its first one in turn, later the other one while allowed (eppstein 3.1.2)."""
    if game.ended or game.objection or seat not in game.seats or game.cards_laid or game.said:
        return ()
    if game.declaration and not game.ahead:
        return ()
    if seat == game.must_play:
        return ()  # who is vorgeführt has nothing to answer, only to name his solo (eppstein 3.2.3)
    standing = game.spoken.get(seat)
    words = game.book.answers
    implied = seat in game.implied
    if standing is not None and game.book.classes and not (implied or _refused(game, seat) or _annulled(game)):
        return ()
    if len(words) > 2:
        before = game.seats[: game.seats.index(seat)] if implied else game.seats
        words = words[2:] if any(other != seat and other in before for other in game.reserved) else words[:2]
    return tuple(one for one in words if one != standing and not game.book.late_answer(game, seat, one))


def bids(game: Game, seat: int) -> tuple[str | None, ...]:
    """List classes of games the seat may bid now, None: no higher one (schaffkopf II 2.1.3)."""
    book = game.book
    if not book.classes or game.phase not in ("bidding", "declaring") or seat not in game.reserved:
        return ()
    standing = {other: bid_of(game, other) for other in game.reserved}
    own = standing.pop(seat)
    named: tuple[str | None, ...]
    if len(standing) and _refused(game, seat):
        named = tuple(name for name in book.classes if own is None or name != own.game)  # it must go lower (II 2.2)
    elif game.phase == "bidding" and game.turn == seat:
        ranks = [book.classes.index(bid.game) for bid in standing.values() if bid is not None and bid.game]
        named = (None, *book.classes[max(ranks, default=-1) + 1 :])
    else:
        return ()
    made = [Bid(game.last_event + 1, seat, name) for name in named]
    return tuple(bid.game for bid in made if not book.bid_fault(game, bid)[0])


def bid_of(game: Game, seat: int) -> Bid | None:
    """Return the last class that a seat has bid, else that it has no higher one."""
    made = [bid for bid in game.bids if bid.seat == seat]
    return next((bid for bid in reversed(made) if bid.game is not None), made[-1] if made else None)


def _last_leave(game: Game, seat: int) -> Leave | None:
    return next((leave for leave in reversed(game.leaves) if leave.seat == seat), None)


def _refused(game: Game, seat: int) -> bool:
    """Whether the direction has refused the seat its game and nothing else was bid since (II 2.2)."""
    last, bid = _last_leave(game, seat), bid_of(game, seat)
    return last is not None and not last.granted and (bid is None or bid.event < last.event)


def _annulled(game: Game) -> bool:
    """Whether somebody plays no more because of a refused leave: then the others may revise what they said."""
    return any(not leave.granted and leave.seat not in game.reserved for leave in game.leaves)


def _leave_section(game: Game, seat: int, kind: Kind) -> str:
    """The section by which a class of games needs the direction's leave, "" if it does not."""
    if game.book.needs_leave is None:
        return ""
    return game.book.needs_leave(game, _declaration(game, seat, forms(kind, False)[0]))


def leave(game: Game) -> LeaveView | None:
    """Return the leave that the game named or bid needs; None if it needs none, or play has begun."""
    book = game.book
    if book.needs_leave is None or game.ended or game.cards_laid:
        return None
    named = game.declaration
    if named is not None:
        seat, name, since = named.seat, named.game, -1
        section = book.needs_leave(game, named)
    else:
        phase, due = book.finding(game)
        bid = bid_of(game, due) if phase == "declaring" and due is not None else None
        if bid is None or bid.game is None:
            return None
        seat, name, since = bid.seat, bid.game, bid.event
        section = _leave_section(game, seat, next(kind for kind in book.kinds if kind.game == name))
    if not section:
        return None
    last = _last_leave(game, seat)
    state = "asked"
    if last is not None and (last.granted or last.event > since):
        state = "granted" if last.granted else "refused"
    return LeaveView(seat=seat, game=name, section=book.cite(section), state=state)


def games(game: Game, seat: int) -> tuple[dict[str, Any], ...]:
    """List games the seat may name now, as keys of ``declare``: those that rank before the game named so far.

    Several Vorbehalte: the higher rank goes first, among equals who sits further forward; a Hochzeit never
    (eppstein 3.1.5, 3.1.6). The highest may be named at once (3.1.7).
    """
    named = game.declaration.event if game.declaration else None
    called = any(said.event != named for said in game.said)  # but for the calls that raise a solo
    if game.ended or game.objection or game.cards_laid or called:
        return ()
    if game.book.classes:
        return _of_the_spielmacher(game, seat)
    if seat not in game.reserved and seat != game.must_play:
        return ()
    asking = len(game.spoken) < len(game.seats)
    offered: list[dict[str, Any]] = []
    for kind in game.book.kinds:
        for duty in (True, False) if kind.solo else (False,):
            if asking and not _highest(game, duty, seat):
                continue
            raised = next(
                (level for level in range(len(kind.raises) + 1) if _goes_first(game, kind, duty, seat, level)), None
            )
            if raised is not None:
                offered += [
                    {**form, **({"raise": [kind.raises[raised - 1]]} if raised else {})}
                    for form in forms(kind, duty, _others(game, seat))
                ]
    return tuple(offered)


def _others(game: Game, seat: int) -> tuple[int, ...]:
    """The other players, the left neighbour first."""
    place = game.seats.index(seat)
    return game.seats[place + 1 :] + game.seats[:place]


def _of_the_spielmacher(game: Game, seat: int) -> tuple[dict[str, Any], ...]:
    """What the highest bidder may name; if nobody wants to play, what anyone may (who holds Eichel Ober does)."""
    phase, due = game.book.finding(game)
    if phase == "asking":
        return _ahead(game, seat)
    waits, refused = leave(game), _refused(game, seat)
    if (
        (phase != "declaring" and not game.each_alone)
        or (game.reserved and due != seat)
        or (game.declaration is not None and not refused)
    ):
        return ()  # what is named binds (II 3.2)
    if (waits is not None and waits.state == "asked") or (refused and len(game.reserved) > 1):
        return ()  # the direction is asked; or something else must be bid first (II 2.2)
    last, bid = _last_leave(game, seat), bid_of(game, seat)
    offered = []
    for kind in game.book.kinds:
        if refused and bid is not None and bid.game == kind.game:
            continue
        named = [
            form
            for form in forms(kind, False, _others(game, seat))
            if not game.book.duty_refused(game, _declaration(game, seat, form))
        ]
        if named and not (last is not None and last.granted) and _leave_section(game, seat, kind):
            named = [{"game": kind.game, "leave": True}]  # which suit is said once it is granted (II 2.3)
        offered += named
    return tuple(offered)


def _ahead(game: Game, seat: int) -> tuple[dict[str, Any], ...]:
    """What a seat may say in one go while the others are still asked: that it plays, and what.

    Nobody else may want to play; what needs the direction's leave goes the long way. The others may still say that
    they play, too, until the first card (schaffkopf II 2).
    """
    passed = game.spoken.get(seat) not in (None, *game.book.wanting)
    if passed or any(other != seat for other in game.reserved) or leave(game) is not None:
        return ()
    named: list[dict[str, Any]] = []
    for kind in game.book.kinds:
        if kind.game in game.book.classes and not _leave_section(game, seat, kind):
            named += [{**form, "ahead": True} for form in forms(kind, False)]
    return tuple(named)


def _declaration(game: Game, seat: int, form: Mapping[str, Any]) -> Declaration:
    return Declaration(
        event=game.last_event + 1,
        seat=seat,
        game=form["game"],
        suit=form.get("suit"),
        duty=False,
        condition=None,
        card=form.get("card"),
        renonce=form.get("renonce", False),
        raised=(),
        partner=form.get("partner"),
    )


def _goes_first(game: Game, kind: Kind, duty: bool, seat: int, raised: int) -> bool:
    """Whether it comes before the game named so far; ``raised``: steps by which a solo is raised.

    A solo raised further beats any other (durchgaenge 5b, schnittchen 4).
    """
    if game.must_play is not None and not (duty and seat == game.must_play):
        return False  # nobody can take it from him (eppstein 3.2.3)
    if kind.solo and duty != (seat in game.duties_open):
        return False  # the Pflichtsolo comes before any Lustsolo (eppstein 3.3.1)
    if kind.game == "hochzeit" and len(game.reserved) > 1:
        return False
    named = game.declaration
    if named is None or named.seat == seat:
        return True
    standing = next(one for one in game.book.kinds if one.game == named.game)
    place = game.seats.index
    level = max((LEVEL[call] for call in named.raised), default=0)
    return (-raised, _rank(kind, duty), place(seat)) < (-level, _rank(standing, named.duty), place(named.seat))


def _rank(kind: Kind, duty: bool) -> int:
    return 1 if duty else kind.rank


def _highest(game: Game, duty: bool, seat: int) -> bool:
    """Whether nobody can come before it, so that the asking need not be finished."""
    if seat == game.must_play:
        return True
    before = game.seats[: game.seats.index(seat)]
    return duty and not any(other in game.duties_open and other in game.reserved for other in before)


def calls(game: Game) -> dict[int, tuple[CallView, ...]]:
    """List calls that each seat may still make, as the book allows them at this moment."""
    offered: dict[int, tuple[CallView, ...]] = dict.fromkeys(game.seats, ())
    for seat in game.may_knock if not game.objection else ():
        offered[seat] = (CallView(call=KLOPFEN, side=None, cards_left=0, counted="asking"),)
    if game.book.classes and game.phase != "playing" and not game.ended:
        return offered  # before the game is named there is nothing to double yet
    if game.objection or not game.found or game.each_alone:
        return offered
    sides = game.known_sides
    levels = judge(game.calls, game.seats, sides, game.said)[1].level
    for seat in game.seats:
        if _may_speak(game, seat):
            offered[seat] = (*_calls(game, seat, sides, levels), *_raising(game, seat))
    return offered


def _raising(game: Game, seat: int) -> tuple[CallView, ...]:
    """The words with which the seat may raise both copies of a card; how long is written in words."""
    until = "own_card" if game.options.get(UNTIL) == "first_of_both" else "first_card"
    return tuple(CallView(call=call, side=None, cards_left=0, counted=until) for call in may_say(game, seat))


def _calls(game: Game, seat: int, sides: Mapping[int, str], levels: Mapping[str, int]) -> tuple[CallView, ...]:
    now = moment(game, seat)
    if now.early:
        return ()
    known = sides.get(seat)
    said = {(one.call, one.side) for one in game.said if one.seat == seat}
    offered = []
    for word in game.book.calls.words:
        for side in _sides(word, known, levels):
            real = side or known or (word if LEVEL.get(word) == 1 else _only(levels))
            if word == BOCK:
                if any(one.call == BOCK for one in game.said):
                    continue
            elif real is None or levels[real] >= LEVEL[word] or (word, side) in said:
                continue
            left = _cards_left(game, now, seat, word, side, sides)
            if left is not None:
                offered.append(CallView(call=word, side=side, cards_left=left, counted=game.calls.counted))
    return tuple(offered)


def _may_speak(game: Game, seat: int) -> bool:
    if not game.ended:
        return True
    # After a claim the other side may still answer, directly (eppstein 4.3.7).
    claim = game.claim
    if game.ended != "claim" or claim is None or seat == claim.seat:
        return False
    return game.last_event in (claim.event, game.said[-1].event if game.said else -1)


def _only(levels: Mapping[str, int]) -> str | None:
    standing = [side for side, level in levels.items() if level]
    return standing[0] if len(standing) == 1 else None


def _sides(word: str, known: str | None, levels: Mapping[str, int]) -> tuple[str | None, ...]:
    """List the sides to be named with a call; None: none need be (eppstein 5.5.5)."""
    if LEVEL.get(word) == 1:
        return (None,) if known in (None, word) else ()
    if known is not None:
        return (None,)
    only = _only(levels)
    return (RE, KONTRA) if only is None else (None, OTHER[only])


def _cards_left(
    game: Game, now: Moment, seat: int, word: str, side: str | None, sides: Mapping[int, str]
) -> int | None:
    """How many more cards may be laid before the call is too late, as the book counts; None: it is not lawful now."""
    left: int | None = None
    own = game.calls.counted == "hand"
    for later in range(now.hand + 1 if own else now.hand * len(game.seats) + 1):
        then = replace(now, hand=now.hand - later) if own else replace(now, laid=now.laid + later)
        call = Said(event=game.last_event + 1, seat=seat, call=word, side=side, together=False, moment=then)
        verdict = judge(game.calls, game.seats, sides, (*game.said, call))[0][-1]
        if verdict.code or (verdict.side is None and word != BOCK):
            break
        left = later
    return left


def limits(calls: CallRules, hand_size: int) -> tuple[tuple[str, int], ...]:
    """List until when each call is in time by itself, as the book counts.

    By cards in hand the fewest with which it may be said; by cards on the table the one until which it may be.
    """
    found = []
    for word in calls.words:
        times = counts_in_time(calls, word, hand_size)
        if times:
            found.append((word, min(times) if calls.counted == "hand" else max(times) + 1))
    return tuple(found)


def duty(game: Game) -> tuple[int, DutyView] | None:
    """Find the publicly known duty to announce and its limit (bsv 6.3.1, durchgaenge 2c)."""
    rule = game.book.must_announce
    if rule is None or game.ended or game.objection or game.lapsed:
        return None
    owed = rule.owed(game)
    if owed is None or owed.left < 0:
        return None
    known = game.known_sides
    verdicts = judge(game.calls, game.seats, known, game.said)[0]
    would = Lapsed(event=game.last_event + 1, seat=owed.seat, trick=owed.trick, said=len(verdicts))
    side = known.get(owed.seat)
    met = [rule.met(would, one, verdicts, game.options) for one in ((side,) if side else (RE, KONTRA))]
    if all(met):
        return None
    return owed.seat, DutyView(trick=owed.trick + 1, cards_left=owed.left, counted=owed.counted, certain=not any(met))


def claims(game: Game, seat: int) -> tuple[str, ...]:
    """List the ways in which the seat may shorten the game."""
    if game.phase != "playing" or seat not in game.seats or game.each_alone:
        return ()
    return tuple(kind for kind in ("rest", "concede") if game.book.may_claim(game, kind, (), seat))
