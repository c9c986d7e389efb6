"""Lay hands open before the simulated camera in the middle of simulated games, and see what the table makes of it.

A game is played up to some trick without a camera. Then who leads lays his hand open, before or after he says that he
claims the rest; it is read; he thinks better of it, takes it up, and a whole trick is played. So a few cards show what
a hand laid open does to the game, and what of it is read. A claim at any trick nearly never holds, so every other one
comes at a trick at which it does.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from kiosk.bench.figure import FigureLines
from kiosk.bench.intervals import at_most, share
from kiosk.bench.pieces import Piece, PieceResult, summed
from kiosk.bench.seeds import HELD_OUT
from kiosk.bench.vision_rows import FigureRow
from kiosk.demo.decks import fitting, simulated_deck_file
from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.claimed_rest import Verdict, as_all_know, judge_rest
from kiosk.table.events.codec import decode, decode_opening
from kiosk.table.events.log import MemoryLog
from kiosk.table.inference.open_hand import SeenCard, cards_of_hand
from kiosk.table.table import Table
from vision.camera.frame import Frame
from vision.deck.deck import Deck
from vision.mat.layout import MatLayout
from vision.messages import HandRead, SimSettings, Tick
from vision.service.open_hand import OpenHand
from vision.simulation.source import open_table
from vision.tracking.tracker import Tracker

#: Hands that are laid open for each book.
CLAIMS = 20
#: Games that are searched for a claim that holds.
GAMES_SEARCHED = 100
#: Cards that a hand laid open has at least and at most.
CARDS = (2, 8)
LAMPS = ("lamp", "day", "dim", "cold")
#: Seconds of the camera's time: until something is said or done next, and until what lies there has been read.
SPEAK_S, READ_S = 1.5, 4.0


class Claim:
    """A game in its last tricks, before a camera; ``events``: those of its script."""

    def __init__(self, rules: str, deck: str, seed: int, light: str, cards: int, holds: bool = False) -> None:
        self.events, cards = _holding(rules, seed) if holds else (list(simulate(rules, seed, 1)), cards)
        self._begin(cards)
        layout = MatLayout()
        file = simulated_deck_file(deck, BOOKS[rules])
        self._camera = open_table(SimSettings(art=deck, seed=seed, light=light), layout, (1280, 720), 15.0)
        self._tracker = Tracker(Deck.load(deck, file.parent), layout)
        self.table = _opened(self.events[0], layout)
        for event in self.events[1 : self._cut]:
            self.table.note(decode(event))
        self._reader: OpenHand | None = None
        self.read: HandRead | None = None
        self._seen: tuple[SeenCard, ...] = ()
        self._verdict: Verdict | None = None  # by what was read, once that is a whole hand, and by what lies there
        self._true: Verdict | None = None
        self.accused: set[tuple[int, str]] = set()
        self.notices: set[str] = set()

    def _begin(self, cards: int) -> None:
        """Find where the trick begins before which so many cards are left to each."""
        laid = [n for n, event in enumerate(self.events) if event["event"] == "card"]
        self._cut = laid[-4 * cards]
        self.seat: int = self.events[self._cut]["seat"]
        self.trick = [self.events[n] for n in laid[-4 * cards :][:4]]
        self.hand: tuple[Card, ...] = tuple(
            self.events[n]["card"] for n in laid[-4 * cards :] if self.events[n]["seat"] == self.seat
        )

    def play(self, *, first: bool, up_to: float = 120.0) -> dict[str, Any]:
        """Let it happen; ``first``: the hand lies open before it is said."""
        told = self._laid()
        steps = self._steps(first)
        due: float | None = next(steps)
        while due is not None and self._camera.now < up_to:
            frame = next(self._camera)
            self._see(frame)
            if frame.at >= due:
                due = next(steps, None)
        game = self.table.round.game
        assert game is not None
        wanted = [*told, *((event["seat"], event["card"]) for event in self.trick)]
        seen = self._seen
        named = Counter(one.card for one in seen if one.card is not None)
        hand = Counter(self.hand)
        doubted = {one.event for one in self.table.position().seen if one.open}
        return {
            "hands": 1,
            "cards": hand.total(),
            "right": (hand & named).total(),
            "wrong": (named - hand).total(),
            "whole": int(hand == named and len(seen) == len(self.hand)),
            "by": {self.read.by if self.read is not None else "": 1},
            "misnoted": int(self._laid() != wanted),
            "judged": int(self._verdict is not None),
            "holds": int(self._true is not None and self._true.holds is True),
            "misjudged": int(self._verdict is not None and _holds(self._verdict) != _holds(self._true)),
            "doubted": len(doubted),
            "accused": len(self.accused),
            "notices": dict(Counter(self.notices)),
            "notes": [f"{self._laid()[len(told) :]} for {wanted[len(told) :]}"] if self._laid() != wanted else [],
        }

    def _laid(self) -> list[tuple[int, Card]]:
        game = self.table.round.game
        assert game is not None
        tricks = [*(trick.cards for trick in game.tricks), game.open_trick]
        return [(card.seat, card.card) for trick in tricks for card in trick]

    def _see(self, frame: Frame) -> None:
        for report in (*self._tracker.process(frame), Tick(at=frame.at)):
            self.table.observe(report, frame.at)
        if self._reader is not None and (read := self._reader.read(frame, self._tracker)) is not None:
            self.read = read
            self.table.hand_read(read, self.seat, frame.at)
            self._seen = cards_of_hand(read.cards, self.table.position(), self.table.observer.lying, len(self.hand))
            self._judge()
        game = self.table.round.game
        if game is not None:  # what people see of it
            self.accused |= {(one.seat, one.code) for one in self.table.view(frame.at).offences} - self._before
        self.notices |= {code for code, _ in self.table.notices}

    def _judge(self) -> None:
        """Have the engine judge the claim as at a table: by the hand that was read, if it is known whole."""
        game, cards = self.table.round.game, tuple(one.card for one in self._seen if one.card is not None)
        self._verdict = self._true = None
        if game is not None and len(cards) == len(self._seen) == len(self.hand):
            known = as_all_know(game)
            self._verdict, self._true = (judge_rest(known, self.seat, hand) for hand in (cards, self.hand))

    def _steps(self, first: bool) -> Iterator[float]:
        """Yield the time of the camera up to which nothing else is done."""
        game = self.table.round.game
        assert game is not None
        self._before = {(one.seat, one.code) for one in game.offences}
        labels = " ".join(self.hand)
        yield SPEAK_S
        if first:
            yield self._camera.open_hand(self.seat, labels).end + SPEAK_S
        self.table.show_hand(True, self._camera.now)
        self._reader = OpenHand(tuple(dict.fromkeys(self.table.round.book.deck)), cards=len(self.hand))
        if not first:
            yield self._camera.now + SPEAK_S
            yield self._camera.open_hand(self.seat, labels).end
        yield self._camera.now + READ_S
        self.table.show_hand(False, self._camera.now)
        self._reader = None
        yield self._camera.now + SPEAK_S
        self._camera.clear()
        yield self._camera.free_at + SPEAK_S
        for event in self.trick:
            yield self._camera.lay(event["card"], event["seat"]).end + 0.3
        yield self._camera.now + SPEAK_S


def _opened(event: dict[str, Any], layout: MatLayout) -> Table:
    opening = decode_opening(event)
    return Table(MemoryLog(), now=0.0, opening=opening, centres=layout.seat_places, wall=lambda: 0)


def _holding(rules: str, seed: int) -> tuple[list[dict[str, Any]], int]:
    """Find a game with a trick at which who leads claims the rest by right: its events, and how many cards each has."""
    for number in range(GAMES_SEARCHED):
        events = list(simulate(rules, seed + number * 1_000_000, 1))
        laid = [n for n, event in enumerate(events) if event["event"] == "card"]
        table, noted = _opened(events[0], MatLayout()), 1
        for cards in range(min(CARDS[1], len(laid) // 4 - 1), CARDS[0] - 1, -1):
            begins = laid[-4 * cards]
            for event in events[noted:begins]:
                table.note(decode(event))
            noted, seat, game = begins, events[begins]["seat"], table.round.game
            hand = tuple(events[n]["card"] for n in laid[-4 * cards :] if events[n]["seat"] == seat)
            if game is not None and judge_rest(as_all_know(game), seat, hand).holds:
                return events, cards
    raise LookupError(f"of {GAMES_SEARCHED} games of {rules} from seed {seed} on none has a claim that holds")


def _holds(verdict: Verdict | None) -> tuple[bool | None, str] | None:
    """What people are told, whatever way to lose it was found first."""
    return (verdict.holds, verdict.why) if verdict is not None else None


def measure_claim(rules: str, deck: str, seed: int, light: str, first: bool, holds: bool) -> dict[str, Any]:
    """Play one claim of these values; its counts."""
    cards = Random(seed).randint(*CARDS)
    return Claim(rules, deck, seed, light, cards, holds).play(first=first)


def _pieces(quick: bool) -> list[Piece]:
    pieces = []
    for place, rules in enumerate(sorted(BOOKS)):
        decks = fitting(BOOKS[rules])
        for number in range(1 if quick else CLAIMS):
            asked = {
                "rules": rules,
                "deck": decks[(number + place) % len(decks)],
                "seed": HELD_OUT + 200_000 + 1000 * place + number,
                "light": LAMPS[(number + place) % len(LAMPS)],
                "first": number % 2 == 0,
                "holds": number % 4 >= 2,
            }
            what = f"{asked['deck']}, laid open {'before' if asked['first'] else 'after'} it is said"
            pieces.append(Piece("rounds-claims", what, "kiosk.bench.claims:measure_claim", asked))
    return pieces


def claim_lines(done: Sequence[PieceResult]) -> FigureLines:
    """Count what of open hands was laid, who was accused, and what was read of them."""
    if not done:
        return
    for how in ("before", "after"):
        results = [one.result for one in done if one.piece.what.endswith(f"{how} it is said")]
        all_ = summed({**result, "by": 0, "notices": 0, "notes": 0} for result in results)
        if not results:
            continue
        what = f"laid open {how} it is said"
        yield f"{what}: tricks noted otherwise", at_most(all_["misnoted"], all_["hands"]), "none", not all_["misnoted"]
        yield f"{what}: accused at any time", str(all_["accused"]), "none", not all_["accused"]
        yield f"{what}: cards in doubt", str(all_["doubted"]), "", None
    for by, words in (("indices", "read by indices"), ("faces", "read by faces")):
        all_ = summed({**one.result, "by": 0, "notices": 0, "notes": 0} for one in done if by in one.result["by"])
        if all_:
            yield f"{words}: cards", share(all_["right"], all_["cards"]), "", None
            yield f"{words}: wrong names", at_most(all_["wrong"], all_["cards"]), "none", not all_["wrong"]
            yield f"{words}: hands known whole", share(all_["whole"], all_["hands"]), "", None
            judged, holds = all_["judged"], all_["holds"]
            yield f"{words}: claims judged, and of these hold", f"{judged}, {holds}", "", None
            yield (
                f"{words}: judged otherwise than the true hand",
                at_most(all_["misjudged"], judged),
                "none",
                not all_["misjudged"],
            )
    for one in done:
        if one.result["misnoted"]:
            yield f"{one.piece.what}, seed {one.piece.options['seed']}", "; ".join(one.result["notes"]), "", None


CLAIM_ROW = FigureRow("rounds-claims", "hands laid open with a claim, and taken up again", _pieces, claim_lines)
