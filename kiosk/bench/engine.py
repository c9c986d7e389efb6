"""Measure the time of the rules: whole rounds, requests, and proofs where they are hardest."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from random import Random
from typing import Any

from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.decide import decide
from kiosk.table.events.codec import decode, decode_request, format_body, parse
from kiosk.table.events.values import Body, CardPlayed, Event, Request, TableRequest
from kiosk.table.round.fold import Round, fold, open_round
from kiosk.table.scoresheet.spielliste import replay_data

#: Classes of rulings, in what a referee may say about a breach.
_CLASSES = ("none", "minor", "serious", "decided", "custom")


def clock() -> float:
    """Return the milliseconds of this process, without those of other processes."""
    return 1000 * time.process_time()


def best(of: int, run: Callable[[], Any]) -> float:
    """Measure the least milliseconds of several runs: the work itself, without the machine's other load."""
    spent = []
    for _ in range(of):
        begun = clock()
        run()
        spent.append(clock() - begun)
    return min(spent)


def round_lines(book: str, seed: int, games: int | None) -> list[bytes]:
    """Return the event file of a simulated round."""
    events = simulate(book, seed, games, mistakes=0.01, shorten=0.3)
    return [format_body(event).encode() for event in events]


def replayed(lines: list[bytes]) -> float:
    """Measure milliseconds from a file's lines to what ``replay --json`` prints, in this process."""
    return best(3, lambda: replay_data(fold(parse(line.decode()) for line in lines)))


@dataclass
class Requests:
    """Times of ``decide`` in ms, by kind of request; corrections fold a game anew and stand apart."""

    others: list[float] = field(default_factory=list)
    corrections: list[float] = field(default_factory=list)

    def measure(self, book: str, seed: int, games: int, every: int) -> None:
        """Measure every kind of request at each ``every``-th moment of a simulated round."""
        rng = Random(f"{book} {seed}")
        state: Round | None = None
        for number, body in enumerate(simulate(book, seed, games, mistakes=0.01)):
            event = decode(body)
            state = open_round(event) if state is None else state.apply(event)
            if number % every:
                continue
            for request in requests(state, rng):
                spent = best(3, partial(_decided, state, decode_request(request)))
                (self.corrections if request["event"] == "correct" else self.others).append(spent)


def _decided(state: Round, request: TableRequest) -> None:
    assert isinstance(request, Request)
    with suppress(Refused):
        decide(state, request)


def requests(state: Round, rng: Random) -> Iterator[Body]:
    """List every kind of request for every seat, lawful or not."""
    book, cards = state.book, sorted(state.book.normal.classes)
    last = state.log[-1][0]
    yield from ({"event": name} for name in ("release", "void", "time_up", "close"))
    yield {"event": "strike", "game": 1, "replay": True}
    for seat in state.seats:
        card = rng.choice(cards)
        yield {"event": "deal", "dealer": seat}
        yield {"event": "hand", "seat": seat, "cards": rng.sample(book.deck, book.hand_size)}
        yield from ({"event": "call", "seat": seat, "call": word} for word in book.answers)
        yield from ({"event": "bid", "seat": seat, "class": name} for name in (*book.classes, None))
        yield {"event": "leave", "seat": seat, "granted": True}
        for kind in book.kinds:
            for suit, called in product(kind.suits or (None,), kind.cards or (None,)):
                yield {"event": "declare", "seat": seat, "game": kind.game, "suit": suit, "card": called}
        yield from ({"event": "announce", "seat": seat, "call": word} for word in book.calls.words)
        yield {"event": "card", "seat": seat, "card": card}
        yield {"event": "retract", "seat": seat, "card": card}
        yield from ({"event": "claim", "seat": seat, "kind": kind} for kind in ("rest", "concede"))
        yield {"event": "object", "seat": seat, "against": seat % 4 + 1, "code": "revoke", "breach": last}
        yield from ({"event": "rule", "offender": seat, "class": name, "breach": last} for name in _CLASSES)
        yield {"event": "sign", "seat": seat}
    for number, laid in state.log[-4:]:
        if isinstance(laid, CardPlayed):
            yield {"event": "correct", "of": number, "card": rng.choice(cards), "by": "table"}


def hard_game(book: str, seed: int) -> Iterator[Body]:
    """Make a game that leaves the most open for the longest time: nobody follows suit, everybody announces.

    Hands are scanned by chance, right and wrong; cards are laid without regard to what was led, announcements made
    by everybody; in Schafkopf cards are called.
    """
    rules, rng = BOOKS[book], Random(f"{book} {seed}")
    yield {"event": "open", "format": 1, "rules": book, "players": ["A", "B", "C", "D"]}
    yield {"event": "release"}
    yield {"event": "deal", "dealer": 4}
    deck = list(rules.deck)
    rng.shuffle(deck)
    size = rules.hand_size
    hands = {seat: deck[(seat - 1) * size : seat * size] for seat in range(1, 5)}
    for seat, hand in hands.items():
        if rng.random() < 0.3:
            yield {"event": "hand", "seat": seat, "cards": list(hand)}
    kinds = [kind for kind in rules.kinds if kind.played and not kind.ends_deal]
    if rng.random() < 0.8:
        kind = rng.choice(kinds)
        named: dict[str, Any] = {"event": "declare", "seat": rng.randint(1, 4), "game": kind.game}
        for key, values in (("suit", kind.suits), ("card", kind.cards), ("condition", kind.conditions)):
            if values:
                named[key] = rng.choice(values)
        yield named
    elif rules.classes:
        yield {"event": "declare", "seat": 1, "game": "rufspiel", "card": "EA"}
    for _ in range(size):
        for seat in range(1, 5):
            if rules.calls.words and rng.random() < 0.3:
                yield {"event": "announce", "seat": seat, "call": rng.choice(rules.calls.words)}
            yield {"event": "card", "seat": seat, "card": hands[seat].pop()}


@dataclass
class Proofs:
    """Times of deriving all certain facts: ms by card laid and by game."""

    cards: list[float] = field(default_factory=list)
    games: list[float] = field(default_factory=list)
    found: int = 0  # breaches

    def measure(self, events: Iterator[Body]) -> None:
        """Apply each event and read all certain offences, as the table does; ``found`` counts them.

        The turn does not matter to what is proved, so cards come clockwise from seat 1, whoever has won.
        """
        state = open_round(decode(next(events)))
        whole = 0.0
        for body in events:
            event = decode(body)
            spent = best(3, partial(_known, state, event))
            state = state.apply(event)
            whole += spent
            if isinstance(event, CardPlayed):
                self.cards.append(spent)
        self.found += len(state.game.offences) if state.game else 0
        self.games.append(whole)


def _known(state: Round, event: Event) -> None:
    after = state.apply(event)
    if after.game is not None:
        assert after.game.offences is not None


def settle() -> None:
    """Freeze prepared objects so that no garbage collection runs over them while something is measured."""
    gc.collect()
    gc.freeze()
