"""Play a truth before a table as an ideal or an imperfect camera reports it."""

import contextlib
import random
from typing import Any

from kiosk.errors import Refused
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.round.fold import Round, fold
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardGone, CardLaid, Report, Tick, TrickTaken

MAT = MatLayout("A3", 4).seat_places
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}


def new_table(opening: dict[str, Any] = OPEN, **other: Any) -> Table:
    return Table(MemoryLog(), now=0.0, opening=decode_opening(opening), centres=MAT, wall=lambda: 0, **other)


class Camera:
    """Plays a truth before the table: cards as reports, everything else as requests."""

    def __init__(self, table: Table, rng: random.Random | None = None) -> None:
        self.table, self.rng = table, rng or random.Random(0)
        self.at, self.number = 100.0, 0
        self.lying: list[int] = []
        self.full: list[int] = []
        self.doubt, self.flicker, self.misread, self.spread = 0.0, 0.0, 0.0, 10.0
        self.hidden: frozenset[int] = frozenset()  # events of the truth that it sees nothing of
        self.insists = True  # every word is heard
        self.taken = "together"  # or "one by one": how tricks go; or "late": that they have gone, with the next card

    def report(self, report: Report) -> list[int]:
        self.at = max(self.at, report.at)
        return self.table.observe(report)

    def lay(self, seat: int, card: str, **other: Any) -> list[int]:
        self.at += 2.0
        if self.taken == "late":
            self._gone()
        x, y = MAT[seat]
        pull = self.rng.uniform(0.7, 1.1) if self.spread else 1.0
        place = {"x": pull * x + self.rng.gauss(0, self.spread), "y": pull * y + self.rng.gauss(0, self.spread)}
        fields = {"label": card, "margin": 0.5, "choices": ((card, 0.9),), "picture": b"jpeg", **place, **other}
        report = CardLaid(at=self.at, card=self.number, angle=0.0, **fields)
        self.lying.append(self.number)
        self.number += 1
        return self.report(report)

    def take(self) -> list[int]:
        self.at += 2.0
        taken = tuple(self.lying)
        self.lying = []
        return self.report(TrickTaken(at=self.at, cards=taken))

    def _gone(self) -> None:
        for number in self.full:
            self.report(CardGone(at=self.at, card=number))
        self.full = []

    def _take_full(self) -> None:
        """A trick that was full is taken in, as far as it was seen."""
        if self.taken == "together" and self.lying:
            self.take()
            return
        self.at += 2.0
        self.full, self.lying = self.lying, []
        if self.taken == "one by one":
            self._gone()
            self.report(Tick(at=self.at + 1.5))

    def _over(self) -> None:
        self.table.request(decode_request({"event": "finish"}, BY_ALL))

    def play(self, events: list[dict[str, Any]]) -> None:
        """People say that a game is over if the table does not know it."""
        round: Round | None = None
        for number, event in enumerate(events[1:], start=1):
            round = fold(map(decode, events[:1])) if round is None else round
            tricks = len(round.game.tricks) if round.game else 0
            round = round.apply(decode(event))
            if event["event"] == "card":
                if number not in self.hidden:
                    self._card(event)
                if round.game is not None and len(round.game.tricks) != tricks:
                    self._take_full()
                if not round.running and self.table.round.running:
                    self._over()
            elif event["event"] == "deal":
                self.at += 30.0
                self.report(Tick(at=self.at))
            else:
                with contextlib.nullcontext() if self.insists else contextlib.suppress(Refused):
                    self.table.request(decode_request(event, BY_ALL))

    def _card(self, event: dict[str, Any]) -> None:
        seat, card = event["seat"], event["card"]
        if self.rng.random() < self.misread:
            wrong = self.rng.choice([c for c in sorted(set(self.table.round.book.deck)) if c != card])
            self.lay(seat, card, label=wrong, margin=0.2)
            return
        if self.rng.random() < self.doubt:
            other = self.rng.choice([c for c in self.table.round.book.deck if c != card])
            pair = [(card, 0.6), (other, 0.6 - self.rng.uniform(0.0, 0.3))]
            if self.rng.random() < 0.3:
                pair = [(other, 0.6), (card, 0.6 - self.rng.uniform(0.0, 0.2))]
            self.lay(seat, card, label=None, choices=tuple(pair), margin=0.02)
        else:
            self.lay(seat, card)
        if self.rng.random() < self.flicker:
            self.at += 0.3
            self.report(
                CardLaid(
                    at=self.at, card=self.number, label="HT", margin=0.3, choices=(("HT", 0.5),), x=0, y=0, angle=0
                )
            )
            self.report(CardGone(at=self.at + 0.3, card=self.number))
            self.report(Tick(at=self.at + 2.0))
            self.number += 1


def answer_doubts(table: Table, truth: list[dict[str, Any]]) -> None:
    """Answer all that the table asks about single cards, as a seat that has seen each card laid."""
    laid = [event["card"] for event in truth if event["event"] == "card"]
    read = [number for number, event in enumerate(encoded(table)) if event["event"] == "card"]
    answers = dict(zip(read, laid, strict=True))
    while table.view().doubts:
        of = table.view().doubts[0].event
        said = {"event": "correct", "of": of, "card": answers[of], "by": "seat 1"}
        table.request(decode_request(said, BY_ALL))


def encoded(table: Table) -> list[dict[str, Any]]:
    return list(map(encode, table.events))


def cards(table: Table) -> list[tuple[int, str]]:
    assert table.round.game is not None
    return [(laid.seat, laid.card) for laid in table.round.game.open_trick]


def the_list(round: Round) -> list[tuple[object, ...]]:
    return [(game.kind, game.result and game.result.score) for game in round.games]
