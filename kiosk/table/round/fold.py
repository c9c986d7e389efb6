"""Fold a round's events into its value.

``open_round`` starts with the first event, ``Round.apply`` gives the round after the next one, ``fold`` runs through a
whole list. A round keeps its events; a correction folds them anew with the corrected facts, so that everything after
counts as if they had always been so.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kiosk.errors import BadEvent, CannotStand, shorten
from kiosk.rules.books import settle
from kiosk.rules.describe.told import refusal_named
from kiosk.rules.engine.book import BadOption
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.values import Impossible, Offence
from kiosk.table.events.values import (
    WORDS,
    AskingAnswered,
    BidMade,
    BreakBegun,
    BreakEnded,
    CallAnnounced,
    CardCorrected,
    CardInserted,
    CardPlayed,
    CardRetracted,
    CardSeen,
    CardsReseated,
    DealVoided,
    Event,
    GameClaimed,
    GameDealt,
    GameDeclared,
    GameStruck,
    HandScanned,
    LeaveDecided,
    ListHandedIn,
    ListSigned,
    ObjectionRaised,
    PlayerSubstituted,
    PlayingTimeEnded,
    RoundOpened,
    RoundReleased,
    RulingGiven,
    SeatNamed,
    SeatsSwapped,
    WordCorrected,
)
from kiosk.table.round import judging, people, playing
from kiosk.table.round.book_played import book_of
from kiosk.table.round.bounds import card_of, seat_of, with_game
from kiosk.table.round.record import CountsAs, RoundRecord
from kiosk.table.round.state import RoundState

#: Events of a round's log that are copied with each new one, at most.
_LATELY = 64

#: What can still happen once the list is handed in.
_AFTER_CLOSING = (GameStruck, CardCorrected, CardInserted, CardsReseated, WordCorrected, ListSigned, PlayingTimeEnded)


@dataclass(frozen=True, kw_only=True)
class Round(RoundState):
    """A table's round after some events."""

    def apply(self, event: Event, number: int | None = None) -> "Round":
        """Apply the next event; ``number`` is its line if lines were left out before it.

        :raises BadEvent: if it cannot happen here; the round is unchanged.
        """
        number = self.events if number is None else number
        if isinstance(event, RoundOpened):
            raise BadEvent("open: a round is opened only once; another round belongs into a file of its own")
        if self.closed and not isinstance(event, _AFTER_CLOSING):
            raise BadEvent(f"{event.name}: the list is handed in; only strike, correct, sign and time_up are possible")
        noted = evolve(self, **self._noting(number, event), events=number + 1)
        try:
            after = _STEPS[type(event)](noted, number, event)
        except (Impossible, BadEvent) as error:
            raise BadEvent(f"{event.name}: {error}") from error
        return evolve(after, signed=(), signed_from=number) if event.sign_anew else after

    def _noting(self, number: int, event: Event) -> dict[str, Any]:
        """What changes in the round's log with one more event."""
        if len(self.lately) < _LATELY or not isinstance(self.earlier, tuple):  # what is packed stays so
            return {"lately": (*self.lately, (number, event))}
        return {"earlier": self.log, "lately": ((number, event),)}


def _corrected(round: Round, number: int, event: CardCorrected) -> Round:
    """Put a misread card right, or take a phantom out; what follows is folded anew."""
    if event.card is not None:
        card_of(round, event.card)
    if event.seat is not None:
        seat_of(round, event.seat)
    target = dict(round.log).get(event.of)
    if not isinstance(target, CardSeen):
        raise BadEvent(f"event {shorten(event.of)} is no card that could be corrected; name the line of a card")
    if event.card is None or event.seat is not None:
        round = evolve(round, perhaps=_without(round.perhaps, {event.of}))
    after = _with_card(round, event.of, CountsAs(event.card, event.seat, event.by == "camera"))
    settles = bool(target.doubt) and event.of not in round.corrections
    return _telling(after, {**after.told, **_come_to_light(round, after, number)}) if settles else after


def _come_to_light(before: Round, after: Round, number: int) -> dict[tuple[str, int, int], int]:
    """The breaches that nobody could be told of before a doubt was settled, with the event that settled it.

    As long as a card lay there in doubt the table said nothing, so the time to object runs from then on.
    """
    if before.game is None or after.game is None or before.game.number != after.game.number:
        return {}
    known = {_breach(one) for one in before.game.faults}
    return {_breach(one): number for one in after.game.faults if _breach(one) not in known}


def _breach(offence: Offence) -> tuple[str, int, int]:
    return offence.code, offence.seat, offence.event


def _telling(round: Round, told: Mapping[tuple[str, int, int], int]) -> Round:
    """The round with the times from which its breaches could be told of."""
    game = round.game
    round = evolve(round, told=told)
    if game is None or not any(_breach(one) in told for one in game.faults):
        return round
    faults = tuple(replace(one, told=told.get(_breach(one), one.told)) for one in game.faults)
    return with_game(round, evolve(game, faults=faults))


def _with_card(round: Round, number: int, counts_as: CountsAs) -> Round:
    """The round in which the card of an event counts as another one; the seat last named stays, and that it is read."""
    before = round.corrections.get(number)
    if before is not None:
        seat = before.seat if counts_as.seat is None else counts_as.seat
        counts_as = CountsAs(counts_as.card, seat, counts_as.readable or before.readable)
    return _again(evolve(round, corrections={**round.corrections, number: counts_as}), _place(round, number))


def _place(round: Round, number: int) -> int:
    """Find the event from which on a card counts; one that was inserted after another such counts where that does."""
    while isinstance(card := round.noted(number), CardInserted):
        number = card.after
    return number


def _inserted(round: Round, number: int, event: CardInserted) -> Round:
    """Lay a card that nobody saw right after another event; what follows is folded anew."""
    card_of(round, event.card)
    seat_of(round, event.seat)
    if event.after >= number or event.after not in dict(round.log):
        raise BadEvent(f"there is no event {shorten(event.after)} before it")
    place = _place(round, event.after)
    there = round.inserted.get(place, ())
    index = there.index(event.after) + 1 if event.after in there else len(there)
    return _again(evolve(round, inserted={**round.inserted, place: (*there[:index], number, *there[index:])}), place)


def _reseated(round: Round, number: int, event: CardsReseated) -> Round:
    """Put cards to other seats than it seemed; what they are stays as it is, a doubt too.

    Of what people have said of a seat the last counts, and the camera changes nothing of it.
    """
    if not event.perhaps.keys() <= event.seats.keys():
        raise BadEvent(f"perhaps: {shorten(dict(event.perhaps))} names a card that seats does not")
    known, places, corrections = dict(round.log), [], dict(round.corrections)
    seats = _with_taken_back(round, event.seats)
    for card, seat in sorted(seats.items()):
        target = known.get(card)
        if not isinstance(target, CardSeen):
            raise BadEvent(f"event {card} is no card that could be corrected; name the line of a card")
        places.append(_place(round, card))
        if card in corrections and corrections[card].seat is not None and event.by_person:
            corrections[card] = replace(corrections[card], seat=seat_of(round, seat))
    reseated = {**round.reseated, **{card: seat_of(round, seat) for card, seat in seats.items()}}
    perhaps = _without(round.perhaps, event.seats)
    if event.perhaps:
        perhaps = (*perhaps, {card: seat_of(round, seat) for card, seat in event.perhaps.items()})
    at_once, order = round.at_once, round.order
    if event.at_once:
        at_once = (*_without(at_once, event.seats), event.seats)
    elif event.by_person:
        order = {**order, **_in_turn(event.seats, at_once)}
    changed = evolve(round, reseated=reseated, corrections=corrections, perhaps=perhaps, at_once=at_once, order=order)
    return _again(changed, min(places))


def _with_taken_back(round: Round, seats: Mapping[int, int]) -> dict[int, int]:
    """Add to cards that are put to other seats the equal ones that were taken back before: they were laid once more."""
    found = dict(seats)
    for game in (*round.games, *([round.game] if round.game is not None else [])):
        tricks = [*(trick.cards for trick in game.tricks), game.open_trick]
        for number, back in game.taken_back:
            for one in tricks[number]:
                if one.event in seats and (one.seat, one.card) == (back.seat, back.card):
                    found[back.event] = seats[one.event]
    return found


def _in_turn(seats: Mapping[int, int], at_once: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Put cards that came at once in the order in which their seats had to lay, now that people say whose they are."""
    for turns in at_once:
        cards = {seat: card for card, seat in seats.items() if card in turns}
        if cards.keys() == {*turns.values()}:
            return {place: cards[seat] for place, seat in turns.items()}
    return {}


def _without(perhaps: Sequence[Mapping[int, int]], cards: Collection[int]) -> tuple[Mapping[int, int], ...]:
    """Leave out the questions about any of these cards: the answer about one of them settles the others."""
    return tuple(one for one in perhaps if one.keys().isdisjoint(cards))


def _word_corrected(round: Round, number: int, event: WordCorrected) -> Round:
    """Put a word right, or take it out; what follows is folded anew."""
    said = round.noted(event.of)
    if not isinstance(said, WORDS):
        raise BadEvent(
            f"event {shorten(event.of)} is nothing that was said; "
            "name the line of a word, or of what was ruled or signed"
        )
    if event.word is not None and event.word.name != said.name:
        raise BadEvent(f"event {event.of} is {said.name}; it can have been another {said.name}, or nothing (null)")
    for seat in event.agreed:
        seat_of(round, seat)
    words = {**round.words, event.of: event.word}
    return _again(evolve(round, words=words, corrected=round.corrected + 1), event.of)


def nearest(round: Round, place: int) -> tuple[int, Round]:
    """Find the last event up to ``place`` that led a trick or dealt, and the round before it; else the opening."""
    at: RoundRecord = round
    while at.before is not None:
        for kept in (*reversed(at.leads), at.before):
            if kept[0] <= place:
                number, found = kept
                assert isinstance(found, Round)
                return number, found
        at = at.before[1]
    number, opening = next(round.in_order)
    return number, open_round(opening, number)


def _again(round: Round, place: int) -> Round:
    """The round folded anew with its corrections, from the trick or deal on in which event ``place`` happened."""
    first, start = nearest(round, place)
    result = evolve(
        start,
        earlier=round.earlier,
        lately=round.lately,
        corrections=round.corrections,
        reseated=round.reseated,
        perhaps=round.perhaps,
        at_once=round.at_once,
        order=round.order,
        inserted=round.inserted,
        words=round.words,
        corrected=round.corrected,
        told=round.told,
        signed_from=round.signed_from,
        signed=() if round.signed_from > first else start.signed,
    )
    result = repeated(result, (one for one in round.log if one[0] >= first))
    return _telling(evolve(result, events=round.events), round.told)


def repeated(round: Round, events: Iterable[tuple[int, Event]]) -> Round:
    """Fold events of its log into a round once more, as its corrections have them.

    :raises CannotStand: one of them cannot have happened so.
    """
    for place, noted in events:
        number, event = place, round.words.get(place, noted)
        try:
            if isinstance(event, CardPlayed):
                number, card = _laid_at(round, place)
                round = playing.played(round, number, card)
            elif event is not None and (step := _FACTS.get(type(event))):
                round = step(round, number, event)
            for insertion in round.inserted.get(place, ()):
                number, card = _laid_at(round, insertion)
                round = playing.lay(round, number, card)
        except (BadEvent, Impossible) as error:
            raise CannotStand(number, noted.name, error) from error
    return round


def _laid_at(round: Round, place: int) -> tuple[int, CardSeen]:
    """Find the card, with its event, that counts in the place of another one that came at once with it."""
    number = round.order.get(place, place)
    card = round.noted(number)
    assert isinstance(card, CardSeen)
    return number, card


_Step = Callable[[Round, int, Any], Round]

#: What happened at the table, event by event.
_FACTS: Mapping[type, _Step] = {
    RoundReleased: people.released,
    GameDealt: playing.dealt,
    HandScanned: playing.scanned,
    AskingAnswered: playing.answered,
    BidMade: playing.bid,
    LeaveDecided: playing.leave,
    GameDeclared: playing.declared,
    CallAnnounced: playing.announced,
    CardPlayed: playing.played,
    CardRetracted: playing.retracted,
    GameClaimed: playing.claimed,
    ObjectionRaised: judging.objected,
    RulingGiven: judging.ruled,
    DealVoided: playing.voided,
    GameStruck: judging.struck,
    PlayingTimeEnded: people.time_ended,
    ListSigned: people.signed,
    PlayerSubstituted: people.substituted,
    SeatNamed: people.named,
    SeatsSwapped: people.swapped,
    BreakBegun: people.break_begun,
    BreakEnded: people.break_ended,
    ListHandedIn: people.handed_in,
}

#: Those, and what puts them right.
_STEPS: Mapping[type, _Step] = {
    **_FACTS,
    CardCorrected: _corrected,
    CardInserted: _inserted,
    CardsReseated: _reseated,
    WordCorrected: _word_corrected,
}


def open_round(event: Event, number: int = 0) -> Round:
    """Compute the round after its first event.

    :raises BadEvent: if it is no ``open`` event, or names a book, number of players or option that does not exist.
    """
    if not isinstance(event, RoundOpened):
        raise BadEvent(f"{event.name}: the first event must be open")
    book, players = book_of(event), event.players
    if len(players) not in book.tables:
        allowed = " or ".join(map(str, book.tables))
        raise BadEvent(f"open: {event.rules} is played by {allowed} at a table, not {len(players)}")
    try:
        options = settle(book, event.options)
    except BadOption as error:
        raise BadEvent(f"open: {refusal_named(error)}") from error
    for seat in event.substitutes:
        if seat > len(players):
            raise BadEvent(f"open: unknown seat {seat}; this table has seats 1 to {len(players)}")
    return Round(
        book=book,
        options=options,
        table=event.table,
        round=event.round,
        players=players,
        substitutes=frozenset(event.substitutes),
        lately=((number, event),),
        events=number + 1,
        struck={},
        rotation=book.first_dealer(options),
        corrections={},
        reseated={},
        order={},
        inserted={},
        words={},
        told={},
    )


def fold(events: Iterable[Event]) -> Round:
    """Compute the round after all events.

    :raises BadEvent: at the first that cannot happen.
    """
    result: Round | None = None
    for event in events:
        result = open_round(event) if result is None else result.apply(event)
    if result is None:
        raise BadEvent("no events; a round starts with open")
    return result
