"""Simulate mistakes at a table: breaches and their rulings, struck games."""

from collections.abc import Callable, Iterator
from typing import Any

from kiosk.demo.people import People
from kiosk.rules.engine.announcements import OTHER
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.rights import claimants
from kiosk.rules.engine.values import Offence

Event = dict[str, Any]

#: Who comes in for a player who must leave.
SUBSTITUTE = "Frieda"

#: Of the breaches that somebody may claim, so many are claimed.
_CLAIM_PROBABILITY = 0.5


def mistake(people: People, seat: int) -> Iterator[Event]:
    """Commit a breach by the seat that is to lay, if it can commit one; its card is laid with it."""
    kinds: list[Callable[[People, int], Iterator[Event]]] = [_revoke, _put_right, _out_of_turn]
    if people.game.calls.words:
        kinds += [_late, _wrong_side]
    for kind in people.rng.sample(kinds, len(kinds)):
        done = list(kind(people, seat))
        if done:
            yield from done
            return


def _wrong_cards(people: People, seat: int) -> list[Card]:
    allowed = people.legal(seat)
    return [card for card in people.hands[seat] if card not in allowed]


def _revoke(people: People, seat: int) -> Iterator[Event]:
    wrong = _wrong_cards(people, seat)
    if wrong:
        yield from people.lay(seat, people.rng.choice(wrong))


def _out_of_turn(people: People, seat: int) -> Iterator[Event]:
    """The next one lays before him."""
    game = people.game
    if not 0 < len(game.open_trick) < 3:
        return
    start = game.seats.index(seat)
    hasty = (game.seats[start:] + game.seats[:start])[1]
    yield from people.lay(hasty, people.chosen(hasty))
    yield from people.lay(seat, people.chosen(seat))


def _late(people: People, seat: int) -> Iterator[Event]:
    if len(people.game.tricks) >= people.game.book.hand_size // 2:
        yield from _say_anyway(people, seat, people.side(seat))


def _wrong_side(people: People, seat: int) -> Iterator[Event]:
    side = people.side(seat)
    if side and seat not in people.game.known_sides and people.rng.random() < 0.3:
        yield from _say_anyway(people, seat, OTHER[side])


def _say_anyway(people: People, seat: int, call: str | None) -> Iterator[Event]:
    if call and not any(said.seat == seat and said.call == call for said in people.game.said):
        yield people.say({"event": "announce", "seat": seat, "call": call})
        yield from people.lay(seat, people.chosen(seat))


def _put_right(people: People, seat: int) -> Iterator[Event]:
    """A wrong card, taken back: at once, or where the book allows it once the next has laid (durchgaenge 7a)."""
    wrong = _wrong_cards(people, seat)
    if not wrong or len(people.game.open_trick) == len(people.game.seats) - 1:
        return
    card = people.rng.choice(wrong)
    yield from people.lay(seat, card)
    back = {"event": "retract", "seat": seat, "card": card}
    following = people.game.next_to_lay
    if people.rng.random() < 0.5:
        laid = people.chosen(following)
        after = people.after({"event": "card", "seat": following, "card": laid}).game
        if after is not None and after.book.retractable(after, seat, card) and after.open_trick:
            yield from people.lay(following, laid)
    if people.can_be(back):
        yield people.say(back)
        people.hands[seat].append(card)
        yield from people.lay(seat, people.chosen(seat))


def noticed(people: People) -> Iterator[Event]:
    """Object to a breach that has just become certain; the referee rules."""
    if not people.habits.offences:
        return
    new = [one for one in people.game.offences if (one.event, one.code) not in people.judged]
    people.judged |= {(one.event, one.code) for one in new}
    claimable = [(one, seats) for one in new if (seats := claimants(people.game, one))]
    if not claimable or people.rng.random() >= _CLAIM_PROBABILITY:
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


def _ruling(people: People, offence: Offence) -> Event:
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


def _points(people: People, offender: int, points: int) -> dict[str, int]:
    return {str(seat): points if seat == offender else -points // 3 for seat in people.game.seats}


def _has_playing_time(people: People) -> bool:
    return people.round.minutes is not None


def after_a_game(people: People) -> Iterator[Event]:
    """Simulate events after a game: a breach comes to light, an older game is struck, somebody must leave.

    eppstein 8.2, schaffkopf III 1.3.
    """
    if people.game.ended not in ("void", "dealt_again"):
        yield from noticed(people)
    if people.rng.random() < people.habits.mishaps / 3 and (struck := _strikable(people)):
        yield people.say({"event": "strike", "game": people.rng.choice(struck), "replay": True})

    if not people.round.over and people.rng.random() < people.habits.mishaps / 5 and not people.round.changes:
        seat = people.rng.choice(list(people.round.seats))
        yield people.say({"event": "substitute", "seat": seat, "player": SUBSTITUTE, "ranked": False})


def after_the_round(people: People) -> Iterator[Event]:
    """Strike a game found wrong too late, without replacement (eppstein 8.2.2)."""
    if people.rng.random() < people.habits.mishaps and (struck := _strikable(people)):
        yield people.say({"event": "strike", "game": people.rng.choice(struck), "replay": False})


def _strikable(people: People) -> list[int]:
    played = [game for game in people.round.games if game.result is not None and not game.result.void]
    return [game.number for game in played if game.number not in people.round.struck]
