"""What goes wrong at a simulated table: breaches and their rulings, struck games."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kiosk.rules.announcements import OTHER
from kiosk.rules.rights import claimants
from kiosk.rules.values import Offence

if TYPE_CHECKING:
    from kiosk.demo.people import People

Event = dict[str, Any]

#: Of the breaches that somebody may claim, so many are claimed.
_CLAIMED = 0.5


def mistake(people: "People", seat: int) -> Iterator[Event]:
    """A breach by the seat that is to lay, if it can commit one; its card is laid with it."""
    rng, game = people.rng, people.game
    says = bool(game.calls.words)
    kind = rng.choice(["revoke", "put_right", "out_of_turn", *(["late", "wrong_side"] if says else ["revoke"])])
    wrong = [card for card in people.hands[seat] if card not in people.legal(seat)]
    if kind == "revoke" and wrong:
        yield from people.lay(seat, rng.choice(wrong))
    elif kind == "put_right" and wrong and len(game.open_trick) < len(game.seats) - 1:
        yield from _put_right(people, seat, rng.choice(wrong))
    elif kind == "out_of_turn" and game.open_trick and len(game.open_trick) < 3:
        start = game.seats.index(seat)
        hasty = (game.seats[start:] + game.seats[:start])[1]
        yield from people.lay(hasty, people.chosen(hasty))
        yield from people.lay(seat, people.chosen(seat))
    elif kind in ("late", "wrong_side"):
        side = people.side(seat)
        call = OTHER[side] if side and kind == "wrong_side" else side
        late = len(game.tricks) > game.book.hand_size // 2 - 1
        known = seat in game.known_sides
        again = any(said.seat == seat and said.call == call for said in game.said)
        if call and (late if kind == "late" else not known) and not again:
            yield people.say({"event": "announce", "seat": seat, "call": call})
            yield from people.lay(seat, people.chosen(seat))


def _put_right(people: "People", seat: int, card: str) -> Iterator[Event]:
    """A wrong card, taken back: at once, or where the book allows it once the next has laid (durchgaenge 7a)."""
    yield from people.lay(seat, card)
    back = {"event": "retract", "seat": seat, "card": card}
    following = people.game.next_to_lay
    if people.rng.random() < 0.5:
        laid = people.chosen(following)
        after = people.round.apply({"event": "card", "seat": following, "card": laid}).game
        if after is not None and after.book.retractable(after, seat, card) and after.open_trick:
            yield from people.lay(following, laid)
    if people.can_be(back):
        yield people.say(back)
        people.hands[seat].append(card)
        yield from people.lay(seat, people.chosen(seat))


def noticed(people: "People") -> Iterator[Event]:
    """Somebody who may objects to a breach that has just become certain; the referee rules."""
    if not people.habits.offences:
        return
    new = [one for one in people.game.offences if (one.event, one.code) not in people.judged]
    people.judged |= {(one.event, one.code) for one in new}
    claimable = [(one, seats) for one in new if (seats := claimants(people.game, one))]
    if not claimable or people.rng.random() >= _CLAIMED:
        return
    offence, seats = people.rng.choice(claimable)
    made = {
        "event": "object",
        "seat": people.rng.choice(seats),
        "against": offence.seat,
        "code": offence.code,
        "breach": offence.event,
    }
    if people.can_be(made):
        yield people.say(made)
        yield people.say(_ruling(people, offence))


def _ruling(people: "People", offence: Offence) -> Event:
    rng, book = people.rng, people.round.book
    grave = offence.code in ("revoke", "wrong_side") or not book.penalties
    kinds = ["serious", "serious", "serious", "decided", "none"] if grave else ["minor", "minor", "none"]
    kind = rng.choice([kind for kind in kinds if kind in book.penalties or kind in ("serious", "none")] or ["none"])
    ruling: Event = {"event": "rule", "offender": offence.seat, "class": kind, "breach": offence.event}
    if kind == "minor" and people.game.soloist not in (None, offence.seat):
        ruling["harms_soloist"] = rng.random() < 0.5
    if rng.random() < 0.1:  # the referee has a penalty of his own, and play goes on
        ruling.update({"class": "custom", "resume": True, "scores": _points(people, offence.seat, -6)})
    if _has_playing_time(people):
        ruling["minutes"] = rng.choice([0, 2, 5])
    if not people.can_be(ruling):  # the book leaves the points to the referee (bsv 7.3)
        ruling["scores"] = _points(people, offence.seat, -15)
    return ruling


def _points(people: "People", offender: int, points: int) -> dict[str, int]:
    return {str(seat): points if seat == offender else -points // 3 for seat in people.game.seats}


def _has_playing_time(people: "People") -> bool:
    return people.round.minutes is not None


def after_a_game(people: "People") -> Iterator[Event]:
    """A breach comes to light once all cards are known; or an older game was noted wrongly (eppstein 8.2)."""
    if people.game.ended not in ("void", "dealt_again"):
        yield from noticed(people)
    if people.rng.random() < people.habits.mishaps / 3 and (struck := _strikable(people)):
        yield people.say({"event": "strike", "game": people.rng.choice(struck), "replay": True})


def after_the_round(people: "People") -> Iterator[Event]:
    """Found too late: struck without replacement (eppstein 8.2.2)."""
    if people.rng.random() < people.habits.mishaps and (struck := _strikable(people)):
        yield people.say({"event": "strike", "game": people.rng.choice(struck), "replay": False})


def _strikable(people: "People") -> list[int]:
    played = [game for game in people.round.games if game.result is not None and not game.result.void]
    return [game.number for game in played if game.number not in people.round.struck]
