"""Report the demo on the terminal: a bar, a line per game, the list, and the figures."""

import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from kiosk.language.games import game_word
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import ListRow
from kiosk.rules.engine.tricks import Laid
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.rows import rows
from kiosk.table.scoresheet.spielliste import text


@dataclass(slots=True, kw_only=True)
class Figures:
    """Counts of the demo."""

    cards: int = 0  # laid before the camera
    seen: int = 0  # read by it, clear or in doubt
    asked: int = 0  # cards that the screen asked about
    answered: int = 0  # of these, by a person
    refused: int = 0  # requests of players that the table refused
    games: int = 0
    wrong: int = 0  # rows that are not as they were played
    silent: int = 0  # games noted wrongly of which nothing is asked
    misnoted: int = 0  # cards that stand otherwise than they were laid, with nothing asked: another card, another seat
    misplaced: int = 0  # of these, cards that stand rightly in their trick, but for another seat
    accused: int = 0  # breaches that were shown at any time, and nobody had committed
    untaught: bool = False  # nobody had taught the deck
    learned_after: int = 0  # games after which a deck that nobody had taught was learned; 0: it was not
    answered_untaught: int = 0  # questions that people answered up to then
    shown: int = 0  # cards of hands laid open with a claim
    shown_read: int = 0  # of these, read rightly by the camera
    shown_wrong: int = 0  # names that it read there of cards that were not there
    people: dict[str, dict[str, Any]] = field(default_factory=dict)  # what they did besides (``kiosk.demo.manners``)
    seconds: float = 0.0

    def lines(self) -> list[str]:
        """Format the counts as lines of text."""
        return [
            f"cards laid {self.cards}, cards seen {self.seen}",
            f"doubts asked {self.asked} ({self.asked / max(1, self.games):.2f} a game), by people {self.answered}",
            *self._learning_line(),
            *self._open_hands_line(),
            f"requests refused {self.refused}",
            f"rows {self.games}, rows wrong {self.wrong}, games wrong and nothing asked {self.silent}",
            f"cards noted otherwise than laid {self.misnoted}, of these for another seat {self.misplaced}",
            f"accused at any time of what nobody did {self.accused}",
            *(_manner_line(name, row) for name, row in self.people.items()),
            f"took {self.seconds:.0f} s",
        ]

    def _open_hands_line(self) -> list[str]:
        if not self.shown:
            return []
        return [f"cards of open hands {self.shown}, read {self.shown_read}, wrong names {self.shown_wrong}"]

    def _learning_line(self) -> list[str]:
        if not self.untaught:
            return []
        after = f"after {self.learned_after} games" if self.learned_after else "not yet"
        return [f"deck learned in play {after}, by people until then {self.answered_untaught}"]


def _manner_line(name: str, row: dict[str, Any]) -> str:
    took = row["seconds"] or [0.0]
    return (
        f"people, {name}: {row['often']} times, {row['right']} cards right, {row['asked']} in doubt at first;"
        f" table and list agree after {median(took):.1f} s, {max(took):.1f} s at most"
    )


class Teller:
    """Progress on a terminal; plain lines where it is none."""

    def __init__(self, cards: int, players: Sequence[str]) -> None:
        self._console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
        self._players = players
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            MofNCompleteColumn(),
            TextColumn("cards"),
            TimeRemainingColumn(),
            console=self._console,
            auto_refresh=self._console.is_terminal,
        )
        self._task = self._bar.add_task("game 1", total=cards)
        self._told = self._silences = 0

    def __enter__(self) -> "Teller":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        self._console.print(line, markup=False)

    def cards(self, count: int) -> None:
        """Show the number of laid cards."""
        self._bar.update(self._task, completed=count)

    def games(self, round_: Round) -> None:
        """Print a line for every game that is new in the list."""
        for row in rows(round_)[self._told :]:
            self._told += 1
            scores = "  ".join(f"{name} {row.total[seat]}" for seat, name in enumerate(self._players, 1))
            self.say(f"game {row.game:2d}  {_kind(row):24s} {row.points:3d} points   {scores}")
            self._bar.update(self._task, description=f"game {row.game + 1}")

    def silences(self, seconds: Sequence[float]) -> None:
        """Say each silence of the camera's process after which the demo went on."""
        for one in seconds[self._silences :]:
            self._silences += 1
            self.say(f"vision was silent for {one:.0f} s; it goes on")

    def end(self, round_: Round, figures: Figures) -> None:
        """Print the list and the figures."""
        self.say("")
        self.say(text(round_).rstrip())
        self.say("")
        for line in figures.lines():
            self.say(line)


def _kind(row: ListRow) -> str:
    return game_word(row.kind, row.suit, row.duty, "en")


def wrong_rows(truth: Round, told: Round) -> list[str]:
    """Describe rows of a list that are not as the games were played; missing and surplus rows too."""
    played, listed = rows(truth), rows(told)
    found = []
    for number in range(max(len(played), len(listed))):
        was = played[number] if number < len(played) else None
        noted = listed[number] if number < len(listed) else None
        if was != noted:
            found.append(f"row {number + 1}: played {was}, noted {noted}")
    return found


def silent_games(truth: Round, told: Round, asked: Collection[int]) -> list[int]:
    """List the games listed otherwise than they were played about which no question is open.

    :param asked: numbers of the games of which the table asks something.
    """
    played, listed = ({row.game: row for row in rows(one)} for one in (truth, told))
    return [
        number
        for number in sorted(played.keys() | listed.keys())
        if (was := played.get(number)) is None
        or (noted := listed.get(number)) is None
        or (replace(noted, total=was.total) != was and not noted.open and number not in asked)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Misnoted:
    """A card that stands otherwise in the table's log than it was laid."""

    game: int
    trick: int
    seat: int
    laid: Card | None
    noted: Card | None
    other_seat: bool  # the trick has this card, but another seat's
    asked: bool  # the table asks about it, or about the card of its trick with which it has changed places

    def __str__(self) -> str:
        where = f"game {self.game}, trick {self.trick}, seat {self.seat}"
        return f"{where}: {self.laid or 'nothing'} laid, {self.noted or 'nothing'} noted"


def misnoted_cards(truth: Round, told: Round, asked: Collection[int] = ()) -> list[Misnoted]:
    """List the cards that stand otherwise in the table's log than they were laid.

    :param asked: events about which the table asks something.
    """
    found = []
    for played, noted in zip(truth.games, told.games, strict=False):
        laid, read = _cards(played), _cards(noted)
        for trick, seat in sorted(laid.keys() | read.keys()):
            was, became = laid.get((trick, seat)), read.get((trick, seat))
            if (was and was.card) == (became and became.card):
                continue
            there = [one for (number, _), one in read.items() if number == trick and was and one.card == was.card]
            found.append(
                Misnoted(
                    game=played.number,
                    trick=trick,
                    seat=seat,
                    laid=was.card if was else None,
                    noted=became.card if became else None,
                    other_seat=bool(there),
                    asked=any(one.event in asked for one in (became, *there) if one is not None),
                )
            )
    return found


def _cards(game: Game) -> dict[tuple[int, int], Laid]:
    """Map the numbers of trick and seat to the cards of a game."""
    tricks = [*(trick.cards for trick in game.tricks), game.open_trick]
    return {(number, laid.seat): laid for number, cards in enumerate(tricks, start=1) for laid in cards}
