"""Play simulated games before the simulated camera in this process, without a director: all that people do besides.

Recognition, tracking and table are those of the hall, so that a game takes seconds instead of minutes.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import median
from typing import Any

from kiosk.bench.figure import FigureLines
from kiosk.bench.intervals import at_most, share
from kiosk.bench.pieces import Piece, PieceResult, summed
from kiosk.bench.seeds import HELD_OUT
from kiosk.bench.vision_rows import FigureRow
from kiosk.demo.accused import Accused
from kiosk.demo.decks import fitting, simulated_deck_file
from kiosk.demo.manners import MANNERS, Manners, When, manners_named
from kiosk.demo.people import PLAUSIBLE
from kiosk.demo.play import simulate
from kiosk.demo.report import misnoted_cards, silent_games, wrong_rows
from kiosk.demo.stage import DemoStage
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.cards import Card
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import CardSeen
from kiosk.table.table import Table
from vision.deck.deck import Deck
from vision.mat.layout import MatLayout
from vision.messages import ActArgument, SimSettings, Tick
from vision.simulation.source import open_table
from vision.tracking.tracker import Tracker

#: Cameras that are looked through in turn: width and height in px, pictures a second.
CAMERAS = (((1280, 720), 15.0), ((640, 480), 10.0), ((960, 540), 25.0))
LAMPS = ("lamp", "day", "dim", "candle", "hard", "cold")
#: Games that are played of each manner.
GAMES = 12
QUICK_MANNERS = ("thrown", "gathered-early")
#: Games with a breach at one card in ten.
BREACH_GAMES, BREACHES = 120, 0.1
#: Games looked through for one in which a hand is laid open.
LOOKED_THROUGH = 80
#: Seconds of the camera's time that a game may take.
LONGEST_S = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A game to be played: the same values play the same game."""

    rules: str
    deck: str
    seed: int
    people: str | None = None
    light: str = "lamp"
    size: tuple[int, int] = (1280, 720)
    fps: float = 15.0
    jpeg: int | None = None
    games: int | None = 1  # None: the whole round
    players: int = 4
    offences: float = 0.0


class WatchedTable:
    """A table whose people play a script before a camera."""

    def __init__(self, asked: Watched) -> None:
        self.asked = asked
        self.notes: list[str] = []  # what was not as it was played, in words
        self.questions: Counter[str] = Counter()  # notices that were ever shown, by code
        self.accused = Accused()

    def play(self) -> dict[str, Any]:
        """Play it; the counts of ``kiosk.demo.report.Figures`` that are known here."""
        one = self.asked
        self.script = list(
            simulate(one.rules, one.seed, one.games, one.players, one.offences, shorten=PLAUSIBLE.shorten)
        )
        layout = MatLayout(seats=one.players)
        settings = SimSettings(art=one.deck, seed=one.seed, light=one.light, jpeg=one.jpeg)
        self._camera = open_table(settings, layout, one.size, one.fps)
        tracker = Tracker(_deck(one.deck, one.rules), layout)
        opening = decode_opening(self.script[0])
        self.table = Table(MemoryLog(), now=0.0, opening=opening, centres=layout.seat_places, wall=lambda: 0)
        self.table.request(decode_request({"event": "release"}, BY_ALL))
        manners = Manners(manners_named(one.people), one.seed) if one.people is not None else None
        self.stage = DemoStage(self.script, self, self._ask, self._ask, self.table, one.seed, manners, self._claims)
        seen: set[tuple[str, int | None, int | None]] = set()
        while not self.stage.done and self._camera.now < LONGEST_S * (1 + len(self.stage.truth.games)):
            frame = next(self._camera)
            for report in (*tracker.process(frame), Tick(at=frame.at)):
                self.table.observe(report, frame.at)
            self.stage.step(frame.at)
            if manners is not None:
                manners.watch(self.stage.truth, self.table.round, frame.at)
            for (code, seat), event in self.table.notices.items():
                seen.add((code, seat, event))
            self.accused.watch(self.table, self.stage.truth, frame.at)
        self.questions = Counter(code for code, _, _ in seen)
        return self._counted(manners)

    def _counted(self, manners: Manners | None) -> dict[str, Any]:
        truth, told = self.stage.truth, self.table.round
        view = self.table.view()
        open_ = {of for doubt in view.doubts for of in (doubt.event, *doubt.perhaps)}
        open_ |= {one.event for one in view.notices if one.event is not None}
        misnoted = misnoted_cards(truth, told, open_)
        doubted = {number for number, one in told.log if isinstance(one, CardSeen) and one.doubt}
        wrong = wrong_rows(truth, told)
        silent = silent_games(truth, told, {doubt.game for doubt in view.doubts})
        falsely = self.accused.falsely()
        self.notes += [*map(str, misnoted), *wrong, *falsely]
        places = {(one.game, one.trick, one.seat) for one in misnoted}
        return {
            "cards": self.stage.cards,
            "games": len(truth.games),
            "wrong": len(wrong),
            "silent": len(silent),
            "misnoted": sum(not card.asked for card in misnoted),
            "misplaced": sum(card.other_seat and not card.asked for card in misnoted),
            "asked": len(doubted),
            "answered": self.stage.answered,
            "questions": dict(self.questions),
            "accused": falsely,
            "people": manners.figures(told, places, doubted) if manners is not None else {},
            "notes": self.notes,
        }

    # --- as hands, and as the screen

    def act(self, name: str, *arguments: ActArgument, **named: ActArgument) -> None:
        """Let somebody do something at the simulated table, and say when."""
        done = getattr(self._camera, name)(*arguments, **named)
        end = getattr(done, "end", self._camera.free_at)
        self.stage.acted(getattr(done, "uncovered", end), end)

    def _claims(self, seat: int, cards: tuple[Card, ...]) -> None:
        """A player claims the rest on the screen."""
        self.table.show_hand(True)

    def _ask(self, request: dict[str, Any]) -> None:
        try:
            self.table.request(decode_request(request, BY_ALL))
        except Refused as error:
            self.notes.append(f"refused: {error}")


@cache
def _deck(name: str, rules: str) -> Deck:
    file = simulated_deck_file(name, BOOKS[rules])
    return Deck.load(name, file.parent)


def play_game(**asked: Any) -> dict[str, Any]:
    """Play one game of :class:`Watched` with these values; its counts.

    Where hands are to be laid open with claims, it is the next seed's in which there is a claim.
    """
    game = Watched(**{**asked, "size": tuple(asked["size"])})
    if game.people is not None and MANNERS[game.people].when is When.CLAIM:
        game = replace(game, seed=_with_a_claim(game.rules, game.seed))
    return WatchedTable(game).play()


def _planned(row: str, people: str | None, number: int, offences: float = 0.0) -> Piece:
    books = sorted(BOOKS)
    rules = books[number % len(books)]
    decks = fitting(BOOKS[rules])
    size, fps = CAMERAS[number % len(CAMERAS)]
    place = 0 if people is None else 1 + list(MANNERS).index(people)
    seed = HELD_OUT + 20_000 + (LOOKED_THROUGH * GAMES) * place + LOOKED_THROUGH * number
    asked = {
        "rules": rules,
        "deck": decks[(number + place) % len(decks)],
        "seed": seed,
        "people": people,
        "light": LAMPS[(number + place) % len(LAMPS)],
        "size": list(size),
        "fps": fps,
        "offences": offences,
        "jpeg": 90 if number % 4 == 3 else None,
    }
    return Piece(row, people or "breaches at one card in ten", "kiosk.bench.watched:play_game", asked)


def _with_a_claim(rules: str, first: int) -> int:
    """Find the next seed of a game that is ended by a hand laid open."""
    for seed in range(first, first + LOOKED_THROUGH):
        if any(event["event"] == "claim" and event.get("order") for event in _game(rules, seed)):
            return seed
    return first


def _game(rules: str, seed: int) -> Iterator[dict[str, Any]]:
    return simulate(rules, seed, 1, shorten=PLAUSIBLE.shorten)


def _manner_pieces(quick: bool) -> list[Piece]:
    names = QUICK_MANNERS if quick else tuple(MANNERS)
    return [_planned("rounds-manners", name, number) for number in range(1 if quick else GAMES) for name in names]


def _breach_pieces(quick: bool) -> list[Piece]:
    return [_planned("rounds-breaches", None, number, BREACHES) for number in range(1 if quick else BREACH_GAMES)]


def manner_lines(done: Sequence[PieceResult]) -> FigureLines:
    """Count by manner: how often, cards right, questions, and seconds until table and truth agreed."""
    for name in dict.fromkeys(piece.piece.what for piece in done):
        results = [piece.result for piece in done if piece.piece.what == name]
        all_ = summed({**result, "people": 0, "questions": 0} for result in results)
        row = summed(result["people"].get(name, {}) for result in results)
        often, took = row.get("often", 0), sorted(row.get("seconds", [])) or [0.0]
        if often:
            yield f"{name}: cards right", share(row["right"], often), "≥ 0.995", row["right"] >= 0.995 * often
            value = f"{median(took):.1f} / {took[-1]:.1f} s; {row['asked']} in doubt at first"
            yield f"{name}: agreed after, median / most", value, "", None
        asked = summed(Counter(result["questions"]) for result in results)
        value = f"{all_['answered']} and {sum(asked.values())} in {all_['games']} games, {all_['cards']} cards"
        yield f"{name}: answered, other questions", value, "≤ 1 in two games", 2 * all_["answered"] <= all_["games"]
        yield f"{name}: rows wrong, nothing asked", at_most(all_["silent"], all_["games"]), "none", not all_["silent"]
        yield f"{name}: accused of what nobody did", str(len(all_["accused"])), "none", not all_["accused"]
    for piece in done:
        if piece.result["wrong"] or piece.result["misnoted"] or piece.result["accused"]:
            yield (
                f"{piece.piece.what}, seed {piece.piece.options['seed']}",
                "; ".join(piece.result["notes"][:6]),
                "",
                None,
            )


def breach_lines(done: Sequence[PieceResult]) -> FigureLines:
    """Count cards noted for another seat where people make many mistakes."""
    if not done:
        return
    all_ = summed({**piece.result, "people": 0, "questions": 0} for piece in done)
    cards, wrong = all_["cards"], all_["misplaced"]
    yield "cards for another seat, nothing asked", at_most(wrong, cards), "≤ 1 in 10,000", wrong <= cards / 10_000
    yield "cards noted otherwise than laid, nothing asked", at_most(all_["misnoted"], cards), "", None
    yield "questions answered", f"{all_['answered']} in {all_['games']} games", "", None
    for piece in done:
        if piece.result["misnoted"]:
            yield f"seed {piece.piece.options['seed']}", "; ".join(piece.result["notes"][:6]), "", None


WATCHED = {
    row.name: row
    for row in (
        FigureRow("rounds-manners", "games with one manner each", _manner_pieces, manner_lines),
        FigureRow("rounds-breaches", "games with a breach at one card in ten", _breach_pieces, breach_lines),
    )
}
