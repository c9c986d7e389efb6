"""Describe winning and values by scoring made-up games."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kiosk.language import pair
from kiosk.rules.describe import probe
from kiosk.rules.describe.fact import NONE, Fact, Sections, game_text, join, plain, signed
from kiosk.rules.engine.announcements import KONTRA, OTHER, RE
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.scoring import Item, Part, Tally
from kiosk.rules.engine.tricks import Laid, Trick
from kiosk.rules.options.option import Options, Text

#: Calls of Re and Kontra for which the Augen needed are told.
_CALLED: Sequence[tuple[str, Text, tuple[int, int]]] = (
    ("nothing", ("nötige Augen ohne Ansage", "Augen needed, nothing announced"), (0, 0)),
    ("only_re", ("mit Re", "with Re"), (1, 0)),
    ("both", ("mit Re und Kontra", "with Re and Kontra"), (1, 1)),
    ("only_kontra", ("nur mit Kontra", "only with Kontra"), (0, 1)),
    *((f"re_keine{n}", (f"Re keine {n}", f"Re no {n}"), (level, 0)) for level, n in ((2, 90), (3, 60), (4, 30))),
    *(
        (f"kontra_keine{n}", (f"Kontra keine {n}", f"Kontra no {n}"), (0, level))
        for level, n in ((2, 90), (3, 60), (4, 30))
    ),
)

#: The option whose section says where a reason of the value stands.
_OPTION = {
    "won": "value_won",
    "under90": "value_under",
    "under60": "value_under",
    "under30": "value_under",
    "schwarz": "value_schwarz",
    "base": "value_solo",
}


def scoring(book: RuleBook, options: Options) -> list[Fact]:
    """List needed Augen, reasons of the value and written points as facts."""
    return _schafkopf(book, options) if book.classes else _doppelkopf(book, options)


def _needed(book: RuleBook, options: Options, levels: tuple[int, int], game: str | None = None) -> Text:
    """The fewest Augen with which each side wins; more never lose what fewer won."""
    total = probe.whole(book)
    names = {RE: ("Re", "Re"), KONTRA: ("Kontra", "Kontra")}
    if book.classes:
        names = {RE: ("Spielerpartei", "playing side"), KONTRA: ("die anderen", "the others")}
    parts = []
    for side in (RE, KONTRA):
        won = _Wins(book, options, side, total, levels, game)
        least = bisect_left(won, True)
        if least <= total:
            parts.append((f"{names[side][0]} {least}", f"{names[side][1]} {least}"))
    return join(parts)


@dataclass(frozen=True, slots=True)
class _Wins(Sequence[bool]):
    """By number of Augen whether a side wins with so many."""

    book: RuleBook
    options: Options
    side: str
    total: int
    levels: tuple[int, int]
    game: str | None

    def __len__(self) -> int:
        return self.total + 1

    def __getitem__(self, augen: Any) -> Any:
        re_points = augen if self.side == RE else self.total - augen
        return probe.tally(self.book, self.options, re_points, levels=self.levels, game=self.game).winner == self.side


def _doppelkopf(book: RuleBook, options: Options) -> list[Fact]:
    section = Sections(book)
    facts = [
        Fact(
            key=f"needed_{key}",
            label=label,
            value=_needed(book, options, levels),
            section=section("win_points" if max(levels) < 2 else "exact_against_absage") or section("win_points"),
        )
        for key, label, levels in _CALLED
    ]
    facts.append(
        Fact(
            key="bound",
            label=("selbst gebunden gegen schwarz", "bound by an own Absage against schwarz"),
            value=_bound(book, options),
            section=section("bound_side_must_reach") or section("win_points"),
        )
    )
    facts += _reasons(book, options)
    facts += _written(book, options)
    return facts


def _bound(book: RuleBook, options: Options) -> Text:
    """Who wins if Re has said keine 90 and Kontra schwarz, and Re has a trick but not what it said."""
    ended = probe.tally(book, options, 100, levels=(2, 5))
    if ended.winner == RE:
        return "der erste Stich gewinnt", "the first trick wins"
    return "nur das eigene Ziel gewinnt", "only the own aim wins"


def _reasons(book: RuleBook, options: Options) -> list[Fact]:
    """What each reason counts, in a solo too, and where nobody has won."""
    section = Sections(book)
    found: dict[str, Item] = {}
    in_solo: set[str] = set()
    undecided: set[str] = set()
    for ended in _endings(book, options):
        for item in probe.items(book, ended):
            if ended.winner is None:
                undecided.add(item.name)
            elif ended.soloist is not None:
                in_solo.add(item.name)
            elif item.number > 0:
                found.setdefault(item.name, item)
    facts = [
        Fact(
            key=f"value_{name}",
            label=pair("values", name),
            value=_counted(item, in_solo=name in in_solo, undecided=name in undecided),
            section=section(_option_behind(item, section)),
        )
        for name, item in found.items()
    ]
    least = _doppelkopf_augen(book, options)
    facts.append(
        Fact(
            key="doppelkopf_augen",
            label=("ein Doppelkopf hat mindestens", "a Doppelkopf has at least"),
            value=(f"{least} Augen", f"{least} Augen") if least else NONE,
            section=section("doppelkopf_augen"),
        )
    )
    if "dulle" in found:
        own = "dulle" in _names(book, probe.tally(book, options, 200, tricks=(probe.trick("HT CA HT CK", 1, 30),)))
        facts.append(
            Fact(
                key="second_dulle",
                label=("gefangene Dulle", "Dulle caught"),
                value=("auch von der eigenen Partei", "of one's own side too")
                if own
                else ("nur von der Gegenpartei", "only of the other side"),
                section=section("second_dulle"),
            )
        )
    return facts


def _counted(item: Item, *, in_solo: bool, undecided: bool) -> Text:
    """What a reason counts, and when."""
    if item.part is Part.FACTOR:
        value = (f"mal {item.number}", f"times {item.number}")
    else:
        value = (
            f"{item.number} {('Punkte', 'Punkt')[item.number == 1]}",
            f"{item.number} {('points', 'point')[item.number == 1]}",
        )
    if item.part is Part.SPECIAL or not in_solo:
        value = join((value, ("auch im Solo", "in a solo too") if in_solo else ("nicht im Solo", "not in a solo")))
    if undecided:
        value = join((value, ("auch wenn niemand gewonnen hat", "also where nobody has won")))
    return value


def _option_behind(item: Item, section: Sections) -> str:
    """The option that sets what a reason counts; "" if there is none."""
    name = item.name
    if name in (RE, KONTRA):
        return "factor_re_kontra" if item.part is Part.FACTOR else "value_re_kontra"
    if name in _OPTION:
        return _OPTION[name]
    if name.startswith("said_"):
        return "value_absage"
    if name.startswith("reached"):
        return "value_reached"
    return next((option for option in (f"value_{name}", f"factor_{name}") if section(option)), "")


def _names(book: RuleBook, ended: Tally) -> set[str]:
    return {item.name for item in probe.items(book, ended)}


def _endings(book: RuleBook, options: Options) -> list[Tally]:
    """Games in which everything happens that can count: won by either side, as a solo, by nobody."""
    endings = []
    for winner in (KONTRA, RE):
        first, other = (1, 2) if winner == RE else (2, 1)
        tricks = [
            probe.trick("HT HT CA CA", first, 44),
            probe.trick("DA DA DK DK", first, 30),
            probe.trick("DK DK CJ CJ", first, 8),
            probe.trick("CJ CJ DK DK", first, 8),
        ]
        cards = [replace(t, leader=first, cards=_from(t, first, other)) for t in tricks]
        last = probe.trick("DA DA DK DK", first, 30)
        fox = replace(last, leader=first, cards=_from(last, first, other))
        for order in (cards, [*cards, fox]):
            for points in (probe.whole(book) if winner == RE else 0, 120):
                for soloist in (None, 1 if winner == RE else 3):
                    ended = probe.tally(
                        book,
                        options,
                        points,
                        levels=(5, 5),
                        tricks=order,
                        soloist=soloist,
                        taken=(9, 0) if winner == RE else (0, 9),
                    )
                    if soloist is not None:
                        ended = replace(ended, re=frozenset({soloist}))
                    if points == 120:
                        ended = replace(ended, taken={RE: 5, KONTRA: 5})
                    endings.append(replace(ended, winner=winner, bock=True, doubled=True))
    return [*endings, *(replace(one, winner=None) for one in endings if one.soloist is None)]


def _from(trick: Trick, first: int, other: int) -> tuple[Laid, ...]:
    """The cards, laid by a player of the winning side, one of the other, and so on."""
    seats = (first, other, first + 2, other + 2)
    return tuple(replace(laid, seat=seat) for laid, seat in zip(trick.cards, seats, strict=True))


def _doppelkopf_augen(book: RuleBook, options: Options) -> int | None:
    for augen in range(1, 45):
        ended = probe.tally(book, options, 200, tricks=(probe.trick("CK CA CT CK", 1, augen),))
        if "doppelkopf" in _names(book, ended):
            return augen
    return None


def _written(book: RuleBook, options: Options) -> list[Fact]:
    """What each is written for a game that is worth two points, won and lost, as a solo, by nobody."""
    section = Sections(book)
    worth = (Item("won", 2, Part.BASE),)
    facts = []
    for key, label, points, soloist in (
        ("written", ("ein Spiel zu 2 Punkten", "a game worth 2 points"), 200, None),
        ("written_solo_won", ("ein gewonnenes Solo zu 2", "a solo worth 2, won"), 200, 1),
        ("written_solo_lost", ("ein verlorenes Solo zu 2", "a solo worth 2, lost"), 20, 1),
    ):
        ended = probe.tally(book, options, points, soloist=soloist)
        score = book.write(ended, worth)
        facts.append(Fact(key=key, label=label, value=_score(score, ended), section=section(key)))
    caught = probe.tally(book, options, 130, tricks=(probe.trick("DA CA CT CK", 2, 20),))
    facts.append(
        Fact(
            key="losers_special_points",
            label=(
                "Re gewinnt mit 130 Augen, Kontra fängt einen Fuchs",
                "Re wins with 130 Augen, Kontra catches a fox",
            ),
            value=_score(book.write(caught, probe.items(book, caught)), caught),
            section=section("losers_special_points") or section("written"),
        )
    )
    nobody = probe.tally(book, options, 130, levels=(2, 2), tricks=(probe.trick("DK DA CT CK", 1, 20),))
    facts.append(
        Fact(
            key="nobody_has_won",
            label=(
                "beide verfehlen keine 90, Re 130 Augen und ein Fuchs",
                "both miss no 90, Re has 130 Augen and a fox",
            ),
            value=_score(book.write(nobody, probe.items(book, nobody)), nobody)
            if nobody.winner is None
            else plain("–"),
            section=section("nobody_has_won"),
        )
    )
    return facts


def _score(score: Mapping[int, int], ended: Tally) -> Text:
    if ended.soloist is not None:
        own, others = score[ended.soloist], score[next(seat for seat in ended.seats if seat != ended.soloist)]
        return (
            f"Solospieler {signed(own)}, die anderen je {signed(others)}",
            f"soloist {signed(own)}, the others {signed(others)} each",
        )
    first = next(seat for seat in ended.seats if ended.side(seat) == RE)
    second = next(seat for seat in ended.seats if ended.side(seat) == KONTRA)
    text = f"Re {signed(score[first])}, Kontra {signed(score[second])}"
    if ended.winner == KONTRA:
        text = f"Kontra {signed(score[second])}, Re {signed(score[first])}"
    return f"{text} je Spieler", f"{text} each"


def _schafkopf(book: RuleBook, options: Options) -> list[Fact]:
    """Values of the games, Augen needed, Schneider and schwarz, what is written."""
    section, total, facts = Sections(book), probe.whole(book), []
    for kind in book.kinds:
        value = next(
            i.number for i in probe.items(book, probe.tally(book, options, total, game=kind.game)) if i.name == "base"
        )
        tricks = probe.tally(book, options, total, game=kind.game).winner != RE
        needed = ("alle Stiche", "every trick") if tricks else _needed(book, options, (0, 0), kind.game)
        names = _option_of(kind.game)
        text = (f"Wert {value}; zum Gewinnen {needed[0]}", f"value {value}; to win {needed[1]}")
        facts.append(
            Fact(key=f"value_{kind.game}", label=game_text(book, kind.game), value=text, section=section(names))
        )
    for game in ("solo", "muss"):
        limits = []
        for loser in (RE, KONTRA):
            most = max(
                n for n in range(total // 2) if "schneider" in _names(book, _lost(book, options, game, loser, n))
            )
            limits.append(most)
        facts.append(
            Fact(
                key=f"schneider_{game}",
                label=join((("Schneider,", "Schneider,"), game_text(book, game)), (" ", " ")),
                value=(
                    f"Spielerpartei bis {limits[0]} Augen, die anderen bis {limits[1]}",
                    f"playing side up to {limits[0]} Augen, the others up to {limits[1]}",
                ),
                section=section(f"schneider_{game}"),
            )
        )
    lost = _lost(book, options, "solo", KONTRA, 0)
    schwarz = {item.name: item.number for item in probe.items(book, replace(lost, taken={RE: 8, KONTRA: 0}))}
    for name in ("schneider", "schwarz"):
        number = schwarz[name]
        facts.append(
            Fact(
                key=f"value_{name}",
                label=pair("values", name),
                value=(f"{number} dazu", f"{number} more"),
                section=section(f"value_{name}"),
            )
        )
    for key, label, points in (
        ("written_solo_won", ("ein gewonnenes Alleinspiel zu 3", "an Alleinspiel worth 3, won"), 100),
        ("written_solo_lost", ("ein verlorenes Alleinspiel zu 3", "an Alleinspiel worth 3, lost"), 20),
    ):
        ended = probe.tally(book, options, points, game="solo", soloist=1)
        told = _score(book.write(ended, (Item("base", 3, Part.BASE),)), ended)
        facts.append(Fact(key=key, label=label, value=told, section=section(key)))
    ended = probe.tally(book, options, 100, game="rufspiel")
    score = book.write(ended, (Item("base", 1, Part.BASE),))
    both = f"{signed(score[1])} / {signed(score[2])}"
    facts.append(
        Fact(
            key="written",
            label=("ein Rufspiel zu 1", "a Rufspiel worth 1"),
            value=plain(both),
            section=section("written"),
        )
    )
    return facts


def _lost(book: RuleBook, options: Options, game: str, loser: str, augen: int) -> Tally:
    re_points = augen if loser == RE else probe.whole(book) - augen
    return replace(probe.tally(book, options, re_points, game=game), winner=OTHER[loser])


def _option_of(game: str) -> str:
    return "value_tout" if game.endswith("-tout") else f"value_{game}"
