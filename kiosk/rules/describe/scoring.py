"""Describe winning and values by scoring made-up games."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kiosk.rules.describe import probe
from kiosk.rules.describe.fact import NONE, Fact, Sections, game_text, signed, words
from kiosk.rules.engine.announcements import KONTRA, OTHER, RE
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.scoring import Item, Part, Tally
from kiosk.rules.engine.tricks import Laid, Trick
from kiosk.rules.options.option import Options
from kiosk.rules.options.words import Text, Words, join

#: Calls of Re and Kontra for which the Augen needed are told.
_CALLED: Sequence[tuple[str, Text, tuple[int, int]]] = (
    ("nothing", words("augen_needed_nothing_announced"), (0, 0)),
    ("only_re", words("with_re"), (1, 0)),
    ("both", words("with_re_and_kontra"), (1, 1)),
    ("only_kontra", words("only_with_kontra"), (0, 1)),
    *((f"re_keine{n}", words("re_no", n=n), (level, 0)) for level, n in ((2, 90), (3, 60), (4, 30))),
    *((f"kontra_keine{n}", words("kontra_no", n=n), (0, level)) for level, n in ((2, 90), (3, 60), (4, 30))),
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
    names = {RE: words("re"), KONTRA: words("kontra")}
    if book.classes:
        names = {RE: words("playing_side"), KONTRA: words("the_others")}
    parts = []
    for side in (RE, KONTRA):
        won = _Wins(book, options, side, total, levels, game)
        least = bisect_left(won, True)
        if least <= total:
            parts.append(join((names[side], str(least)), " "))
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
            label=words("bound_by_an_own_absage"),
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
        return words("the_first_trick_wins")
    return words("only_the_own_aim_wins")


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
            label=Words("values", name),
            value=_counted(item, in_solo=name in in_solo, undecided=name in undecided),
            section=section(_option_behind(item, section)),
        )
        for name, item in found.items()
    ]
    least = _doppelkopf_augen(book, options)
    facts.append(
        Fact(
            key="doppelkopf_augen",
            label=words("a_doppelkopf_has_at_least"),
            value=words("so_many_augen", least=least) if least else NONE,
            section=section("doppelkopf_augen"),
        )
    )
    if "dulle" in found:
        own = "dulle" in _names(book, probe.tally(book, options, 200, tricks=(probe.trick("HT CA HT CK", 1, 30),)))
        facts.append(
            Fact(
                key="second_dulle",
                label=words("dulle_caught"),
                value=words("of_ones_own_side_too") if own else words("only_of_the_other_side"),
                section=section("second_dulle"),
            )
        )
    return facts


def _counted(item: Item, *, in_solo: bool, undecided: bool) -> Text:
    """What a reason counts, and when."""
    if item.part is Part.FACTOR:
        value: Text = words("times", number=item.number)
    else:
        value = Words("option_units", "points", (("n", item.number),))
    if item.part is Part.SPECIAL or not in_solo:
        value = join((value, words("in_a_solo_too") if in_solo else words("not_in_a_solo")))
    if undecided:
        value = join((value, words("also_where_nobody_has_won")))
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
            probe.trick("HA HK HA HK", first, 30),
            probe.trick("CJ CJ DK DK", first, 8),
        ]
        cards = [replace(t, leader=first, cards=_from(t, first, other)) for t in tricks]
        last = probe.trick("DA DA DK DK", first, 30)
        fox = replace(last, leader=first, cards=_from(last, first, other))
        lady = probe.trick("DQ CJ DK DK", first, 13)
        karlchen = replace(lady, leader=first, cards=_from(lady, first, other))
        for order in (cards, [*cards, fox], [*cards, karlchen]):
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
                        ended = evolve(ended, re=frozenset({soloist}))
                    if points == 120:
                        ended = evolve(ended, taken={RE: 5, KONTRA: 5})
                    endings.append(evolve(ended, winner=winner, bock=True, doubled=True))
    return [*endings, *(evolve(one, winner=None) for one in endings if one.soloist is None)]


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
        ("written", words("a_game_worth_2_points"), 200, None),
        ("written_solo_won", words("a_solo_worth_2_won"), 200, 1),
        ("written_solo_lost", words("a_solo_worth_2_lost"), 20, 1),
    ):
        ended = probe.tally(book, options, points, soloist=soloist)
        score = book.write(ended, worth)
        facts.append(Fact(key=key, label=label, value=_score(score, ended), section=section(key)))
    caught = probe.tally(book, options, 130, tricks=(probe.trick("DA CA CT CK", 2, 20),))
    facts.append(
        Fact(
            key="losers_special_points",
            label=words("re_wins_with_130_augen"),
            value=_score(book.write(caught, probe.items(book, caught)), caught),
            section=section("losers_special_points") or section("written"),
        )
    )
    nobody = probe.tally(book, options, 130, levels=(2, 2), tricks=(probe.trick("DK DA CT CK", 1, 20),))
    facts.append(
        Fact(
            key="nobody_has_won",
            label=words("both_miss_no_90_re"),
            value=_score(book.write(nobody, probe.items(book, nobody)), nobody) if nobody.winner is None else "–",
            section=section("nobody_has_won"),
        )
    )
    return facts


def _score(score: Mapping[int, int], ended: Tally) -> Text:
    if ended.soloist is not None:
        own, others = score[ended.soloist], score[next(seat for seat in ended.seats if seat != ended.soloist)]
        return words("soloist_the_others_each", points=signed(own), others=signed(others))
    first = next(seat for seat in ended.seats if ended.side(seat) == RE)
    second = next(seat for seat in ended.seats if ended.side(seat) == KONTRA)
    re, kontra = signed(score[first]), signed(score[second])
    if ended.winner == KONTRA:
        return words("kontra_re_each", kontra=kontra, re=re)
    return words("re_kontra_each", re=re, kontra=kontra)


def _schafkopf(book: RuleBook, options: Options) -> list[Fact]:
    """Values of the games, Augen needed, Schneider and schwarz, what is written."""
    section, total, facts = Sections(book), probe.whole(book), []
    for kind in book.kinds:
        value = next(
            i.number for i in probe.items(book, probe.tally(book, options, total, game=kind.game)) if i.name == "base"
        )
        tricks = probe.tally(book, options, total, game=kind.game).winner != RE
        none = kind.game == "bettel"
        needed = (
            words("no_trick") if none else words("every_trick") if tricks else _needed(book, options, (0, 0), kind.game)
        )
        names = _option_of(kind.game)
        text = words("value_to_win", value=value, needed=needed)
        facts.append(
            Fact(key=f"value_{kind.game}", label=game_text(book, kind.game), value=text, section=section(names))
        )
    for game in ("solo", *(kind.game for kind in book.kinds if kind.game == "muss")):
        limits = []
        for loser in (RE, KONTRA):
            most = max(
                n for n in range(total // 2) if "schneider" in _names(book, _lost(book, options, game, loser, n))
            )
            limits.append(most)
        playing, others = limits
        facts.append(
            Fact(
                key=f"schneider_{game}",
                label=join((words("schneider"), game_text(book, game)), " "),
                value=words("playing_side_up_to_augen", playing=playing, others=others),
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
                label=Words("values", name),
                value=words("more", number=number),
                section=section(f"value_{name}"),
            )
        )
    for key, label, points in (
        ("written_solo_won", words("an_alleinspiel_worth_3_won"), 100),
        ("written_solo_lost", words("an_alleinspiel_worth_3_lost"), 20),
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
            label=words("a_rufspiel_worth_1"),
            value=both,
            section=section("written"),
        )
    )
    return facts


def _lost(book: RuleBook, options: Options, game: str, loser: str, augen: int) -> Tally:
    re_points = augen if loser == RE else probe.whole(book) - augen
    return evolve(probe.tally(book, options, re_points, game=game), winner=OTHER[loser])


def _option_of(game: str) -> str:
    return "value_tout" if game.endswith("-tout") else f"value_{game}"
