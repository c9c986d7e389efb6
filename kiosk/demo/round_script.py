"""Simulate a round: every event from ``open`` to the list that is handed in."""

from collections.abc import Iterator

from kiosk.demo import slips
from kiosk.demo.people import Event, People

#: Games of a round that its book leaves open.
OPEN_ROUND = 16


def play_round(people: People) -> Iterator[Event]:
    """Yield all events, from ``open`` on."""
    yield people.opening
    yield people.say({"event": "release"})
    left = people.round.games_left
    games = OPEN_ROUND if people.games is None and left is None else people.games
    ends = people.rng.uniform(0.5, 0.85) * (games or left or OPEN_ROUND) if people.habits.time_up else None
    while not people.round.over and (games is None or len(people.round.games) < games):
        late = ends is not None and len(people.round.games) >= ends and not people.round.time_up
        yield from _play_game(people, time_up=late)
        yield from slips.after_a_game(people)
    if people.round.over or (people.games is None and left is None):
        for seat in people.round.seats:
            yield people.say({"event": "sign", "seat": seat})
        yield people.say({"event": "close"})
        yield from slips.after_the_round(people)


def _play_game(people: People, time_up: bool) -> Iterator[Event]:
    if time_up:
        yield people.say({"event": "rule", "offender": None, "class": "none", "minutes": people.rng.choice([3, 5])})
    yield people.say({"event": "deal", "dealer": people.round.next_dealer})
    hands = people.cards_dealt()
    people.hands = dict(zip(people.game.seats, hands, strict=True))
    people.dealt = {seat: tuple(hand) for seat, hand in people.hands.items()}
    people.judged = set()
    if people.rng.random() < people.habits.mishaps / 2:
        yield people.say({"event": "void", "why": "misdealt"})
        return
    yield from people.find()
    signal = people.rng.randrange(2, 4 * people.round.book.hand_size - 2) if time_up else None
    thrown_open = people.rng.randrange(1, 9) if people.rng.random() < people.habits.mishaps / 2 else None
    while not people.game.ended:
        if people.game.cards_laid == thrown_open:
            yield people.say({"event": "void", "why": "a hand has fallen open"})
            return
        if signal is not None and people.game.cards_laid >= signal and not people.round.time_up:
            yield people.say({"event": "time_up"})
        yield from people.speak()
        yield from people.shorten()
        if people.game.ended:
            break
        yield from _lay_next(people)
        yield from slips.noticed(people)
    if time_up and not people.round.time_up:
        yield people.say({"event": "time_up"})


def _lay_next(people: People) -> Iterator[Event]:
    seat = people.game.next_to_lay
    covered = people.covering(seat)
    if covered is not None and people.rng.random() < 0.8:
        yield from people.lay(seat, covered, down=True)
        return
    if people.rng.random() < people.habits.offences:
        done = list(slips.mistake(people, seat))
        yield from done
        if done:
            return
    yield from people.lay(seat, people.chosen(seat))
