"""Try a rule book on simulated games: how often each of its rules counts, and what its games are worth."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from kiosk.demo.people import PLAUSIBLE, Habits
from kiosk.demo.play import checked_book, opening_of, people_at
from kiosk.demo.round_script import play_round
from kiosk.language import say
from kiosk.language.rules import section_word
from kiosk.language.table import word as breach_word
from kiosk.rules.engine.announcements import RE
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.game import Game

#: A row of what is told of a trial: what it is about, and its cells.
Row: TypeAlias = Sequence[str]

#: Games of one simulated round where the book leaves them open.
_OF_A_ROUND = 50


@dataclass(slots=True)
class KindTried:
    """What came of one kind of game."""

    games: int = 0
    re_won: int = 0
    winners: int = 0
    points: int = 0  # of all winners


@dataclass(slots=True)
class Trial:
    """What came of all games of a trial."""

    games: int = 0
    thrown_in: int = 0
    doubled: int = 0
    nobody: int = 0
    kinds: dict[str, KindTried] = field(default_factory=dict)
    raised: Counter[str] = field(default_factory=Counter)  # words that raised cards
    reasons: Counter[str] = field(default_factory=Counter)  # how often
    numbers: Counter[str] = field(default_factory=Counter)  # their numbers in sum
    breaches: Counter[tuple[str, str]] = field(default_factory=Counter)  # by code and section

    def count(self, game: Game) -> None:
        """Count an ended game."""
        self.breaches.update({(one.code, one.section) for one in game.offences})
        result = game.result
        if result is None or result.void:
            return
        self.games += 1
        self.doubled += game.doubled
        self.nobody += result.won_by is None
        self.raised.update(one.call for one in game.raised)
        kind = self.kinds.setdefault(result.kind, KindTried())
        won = [points for points in result.score.values() if points > 0]
        kind.games += 1
        kind.re_won += result.won_by == RE
        kind.winners += len(won)
        kind.points += sum(won)
        for item in result.value:
            self.reasons[item.name] += 1
            self.numbers[item.name] += item.number


def tried(
    book: RuleBook,
    games: int,
    seed: int = 1,
    players: int = 4,
    habits: Habits = PLAUSIBLE,
    told: Callable[[int], None] = lambda games: None,
) -> Trial:
    """Play at least so many games by a book, in as many rounds as it takes, and count what came of them.

    :param told: is called after each round with the number of games that were played.
    """
    found, number = Trial(), seed
    each = book.games(players, book.settle({})) or _OF_A_ROUND
    thrown_in = {kind.game for kind in book.kinds if kind.ends_deal}
    while found.games < games:
        people = people_at(opening_of(book.name, players), number, min(each, games - found.games), habits)
        for event in play_round(people):
            found.thrown_in += event["event"] == "declare" and event["game"] in thrown_in
        for game in people.round.games:
            found.count(game)
        number += 1
        told(found.games)
    return found


def trial_rows(trial: Trial, language: str) -> list[list[Row]]:
    """List what came of a trial as three lists with a head each: kinds of games, for what they counted, breaches."""

    def word(code: str) -> str:
        return say("rulebook", code, language)

    per = 100 / max(1, trial.games)

    def often(number: int) -> tuple[str, str]:
        return str(number), f"{per * number:.1f}"

    kinds: list[Row] = [(word("trial_kinds"), "", word("trial_per_100"), word("trial_re_won"), word("trial_points"))]
    for name, one in sorted(trial.kinds.items(), key=lambda pair: -pair[1].games):
        won, points = f"{100 * one.re_won / one.games:.0f} %", f"{one.points / max(1, one.winners):.2f}"
        kinds.append((say("games", name, language), *often(one.games), won, points))
    beside = (("trial_thrown_in", trial.thrown_in), ("trial_doubled", trial.doubled), ("trial_nobody", trial.nobody))
    kinds += [(word(code), *often(number)) for code, number in beside if number]
    kinds += [(say("calls", call, language), *often(number)) for call, number in trial.raised.most_common()]
    reasons: list[Row] = [(word("trial_reasons"), "", word("trial_per_100"), word("trial_value"))]
    for name, number in trial.reasons.most_common():
        reasons.append((say("values", name, language), *often(number), f"{trial.numbers[name] / number:.2f}"))
    breaches: list[Row] = [(word("trial_breaches"), "", word("trial_per_100"))]
    for (code, section), number in trial.breaches.most_common():
        where = f" ({section_word(section, language)})" if section else ""
        breaches.append((f"{breach_word(code, language)}{where}", *often(number)))
    return [one for one in (kinds, reasons, breaches) if len(one) > 1]


def trial_text(book: RuleBook, trial: Trial, seed: int, language: str) -> str:
    """Format a trial: kinds of games, for what they counted, breaches."""
    lines = [say("rulebook", "trial_head", language, games=trial.games, title=book.title, seed=seed)]
    for rows in trial_rows(trial, language):
        lines += ["", *(_row(*row) for row in rows)]
    return "\n".join(lines) + "\n"


def _row(label: str, *cells: str) -> str:
    return (label.ljust(58) + "".join(cell.rjust(10 if place < 2 else 20) for place, cell in enumerate(cells))).rstrip()


def run(rules: str, games: int, seed: int, players: int, habits: Habits, language: str) -> int:
    """Print a trial of a book.

    :raises BadConfig: there is no such book, or it is not played by so many.
    """
    book = checked_book(rules, players)
    sys.stdout.write(trial_text(book, tried(book, games, seed, players, habits), seed, language))
    return 0
