"""Make a book of a club's file: the base's row, point by point as the club has it."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Any

from kiosk.rules.books import BOOKS, schaffkopf
from kiosk.rules.books.doppelkopf import LIMITS
from kiosk.rules.composed import counted, games, schafkopf, scoring
from kiosk.rules.composed.file import NAME, BadBook, BookFile, Key, Source, digest, known, read, wrong
from kiosk.rules.composed.own_rules import numbered
from kiosk.rules.composed.points import (
    ALWAYS,
    LATE_EUROS,
    LATE_FROM,
    POINTS,
    Point,
    book_of,
    fitting,
    of_deck,
    options_of,
    shipped,
)
from kiosk.rules.engine.announcements import SCHWEINCHEN
from kiosk.rules.engine.book import OwnBook, RuleBook
from kiosk.rules.engine.listing import Columns, ListWords
from kiosk.rules.engine.schweinchen import card_of, raising_calls
from kiosk.rules.engine.scoring import write_plus, write_plus_minus
from kiosk.rules.options.known import KNOWN
from kiosk.rules.options.option import (
    BadOption,
    Contradiction,
    Option,
    Options,
    ascending,
    descending,
    pflichtsoli_fit,
    rising,
)
from kiosk.rules.options.words import Text, join

#: All options in the order in which they are shown.
_ORDER = list(KNOWN)

#: Options of a table of five.
_OF_FIVE = ("games_5", "minutes_5", "scorer_5")


def compose(name: str, content: object, source: Source) -> RuleBook:
    """Make the book of that name.

    Its full name ends in digits of its content: two books of one name that differ are two.

    :param content: as ``file.read_text`` returns it, or a round's ``open`` carries it.
    :raises BadBook: it cannot be played by.
    """
    check_name(name, source)
    file, kept = read(content, source)
    if file.base not in BOOKS.shipped:
        raise source.bad(("base",), known(file.base, BOOKS.shipped, "no_such_base"), given=file.base)
    for key in ("title", "source"):
        if not getattr(file, key).strip():
            raise source.bad((key,), wrong("empty_title"))
    return _Making(name, file, source).book(kept)


def check_name(name: str, source: Source) -> None:
    """:raises BadBook: no club's book can be called so."""
    if not NAME.fullmatch(name) or name in BOOKS.shipped:
        raise BadBook(source, wrong("bad_name", name=repr(name[:40])))


def points_for(base: RuleBook) -> Mapping[str, Point]:
    """Return the points on which books upon this one may differ."""
    return schafkopf.POINTS if base.classes else POINTS


class _Making:
    """A book while it is put together: the row's fields and its options."""

    def __init__(self, name: str, file: BookFile, source: Source) -> None:
        self.name, self.file, self.source = name, file, source
        self.base = shipped(file.base)
        self.points = points_for(self.base)
        self.row: dict[str, Any] = {one.name: getattr(self.base, one.name) for one in fields(RuleBook)}
        self.options = {option.name: option for option in self.base.options}

    def book(self, content: Mapping[str, Any]) -> RuleBook:
        """Put everything together.

        :raises BadBook: something of it is not to be had, or contradicts something else.
        """
        self._take_tables()
        self._take_points()
        if self.base.classes:
            self._only_for_doppelkopf()
            self._take_schafkopf()
        else:
            self._take_games()
            self._take_counts()
            self._check_together()
        self._take_values()
        file, full = self.file, f"{self.name}.{digest(content)}"
        made = replace(
            self.base,
            **self.row
            | {
                "name": full,
                "title": file.title,
                "source": ", ".join(filter(None, (file.source, file.date))),
                "options": tuple(sorted(self.options.values(), key=lambda one: _ORDER.index(one.name))),
                "contradictions": self._contradictions(),
                "sentences": _sentences(),
                "own": OwnBook(name=self.name, base=file.base, content=content, sentences=MappingProxyType({})),
            },
        )
        made = numbered(made, file.rule, self.source)
        self._check_values(made)
        return made

    # --- what is taken

    def _take_tables(self) -> None:
        tables = self.file.tables
        if tables is None:
            return
        if not tables or not set(tables) <= set(self.base.tables):
            why = wrong("tables", base=self.file.base, may=", ".join(map(str, self.base.tables)))
            raise self.source.bad(("tables",), why, given=tables, with_key=("base",))
        self.row["tables"] = tuple(sorted(set(tables)))
        if 5 not in tables:
            self.options = {name: option for name, option in self.options.items() if name not in _OF_FIVE}

    def _only_for_doppelkopf(self) -> None:
        """:raises BadBook: a Schafkopf book asks for what only books of Doppelkopf can be put together of."""
        file = self.file
        asked: dict[Key, object] = {("trumps", game): trumps for game, trumps in file.trumps.items()}
        said = {("points", one.name): getattr(file.points, one.name) for one in fields(file.points)}
        asked |= {key: value for key, value in said.items() if value is not None and key != ("points", "laufende")}
        for where, value in asked.items():
            raise self.source.bad(where, wrong("for_doppelkopf", base=file.base), given=value, with_key=("base",))

    def _take_schafkopf(self) -> None:
        file, row = self.file, self.row
        ramsch = row["normal"].each_alone
        kinds, contracts = schafkopf.games_of(file, self.base, self.source, ramsch)
        names = [kind.game for kind in kinds]
        row["kinds"], row["contracts"] = kinds, MappingProxyType(dict(contracts))
        row["classes"] = tuple(reversed([name for name in names if name not in schafkopf.UNBID]))
        places = row["bid_fault"] == self.base.bid_fault
        if places and any(name not in names for name in schaffkopf.DEMANDED):
            why = wrong("bids_by_place", games=", ".join(schaffkopf.DEMANDED))
            bidding: Key = ("rules", "bidding")
            between = (("games", "played"), bidding)
            raise self.source.bad(("games", "played"), why, with_key=self._said(bidding), between=between)
        if ramsch:  # only in a Muss-Spiel a ten or a king is called
            self.options.pop("davonlaufen_ten")
            self.options.pop("davonlaufen_king")
        laufende = bool(file.points.laufende)
        gone, new = schafkopf.values_of(names, self.base, laufende)
        self.options = {
            name: replace(option, values=schafkopf.TARIFF) if name.startswith("value_") else option
            for name, option in self.options.items()
            if name not in gone
        }
        self.options |= {option.name: option for option in new}
        row["scoring"] = schafkopf.rules_of(
            self.base,
            laufende=laufende,
            kontra=bool(row["calls"].words),
            rounds="bockrunde" in self.options,
            ramsch=ramsch,
            knocks="klopfen_most" in self.options,
        )

    def _take_points(self) -> None:
        for name, chosen in self.file.rules.items():
            key = ("rules", name)
            point = self.points.get(name)
            if point is None:
                raise self.source.bad(key, join([wrong("no_such_point"), known(name, list(self.points))], " "))
            choice = point.choices.get(chosen)
            if choice is None:
                raise self.source.bad(key, known(chosen, list(point.choices)), given=chosen)
            of = book_of(choice, self.base.hand_size)
            taken = {field: getattr(of, field) for field in point.fields} if of else {}
            self.row |= taken | dict(choice.fields)
            if of is not None:
                for part in ("sections", "fact_sections"):
                    own, theirs = self.row[part], getattr(of, part)
                    kept = {one: where for one, where in own.items() if one not in point.sections}
                    found = {one: theirs[one] for one in point.sections if one in theirs}
                    self.row[part] = MappingProxyType(kept | found)
            for option in point.options:
                self.options.pop(option, None)
            for brought in options_of(point, choice, self.base.hand_size):
                self.options[brought.name] = of_deck(brought, self.base.deck)

    def _take_games(self) -> None:
        file, row = self.file, self.row
        hochzeit = None
        if "hochzeit" in file.rules:
            of = book_of(POINTS["hochzeit"].choices[file.rules["hochzeit"]], self.base.hand_size)
            hochzeit = next(kind for kind in of.kinds if kind.game == "hochzeit") if of else None
        kinds = games.kinds_of(file, self.base, hochzeit, self.source)
        names = [kind.game for kind in kinds]
        if hochzeit is not None and "hochzeit" not in names:
            raise self.source.bad(("rules", "hochzeit"), wrong("no_hochzeit"), with_key=("games", "played"))
        row["kinds"] = kinds
        row["normal"], contracts = games.contracts_of(file, self.base, names, self.source)
        row["contracts"] = MappingProxyType(dict(contracts))
        if {"normal", "trumpfsolo"} & file.trumps.keys() or "trumpfsolo" not in names:
            row["contract_by"] = ALWAYS["contract_by"]
            self.options.pop("karo_in_trumpfsolo", None)
        for game, (of_book, read_by_it) in games.OTHERS.items():
            for option in read_by_it:
                has = self.options.pop(option, None)
                if game in names:
                    book = shipped(of_book)
                    self.options[option] = has or fitting(book.option(option), self.base.hand_size, book.hand_size)
        for name in names:
            self.options |= {option.name: option for option in games.OWN.get(name, (None, ()))[1]}
        known = {f"game_{name}" for name in (*games.SOLOS, *games.OTHERS)} - {f"game_{name}" for name in names}
        row["fact_sections"] = MappingProxyType(
            {key: where for key, where in row["fact_sections"].items() if key not in known}
        )

    def _take_counts(self) -> None:
        file, row = self.file, self.row
        points = file.points
        said = any(getattr(points, one.name) is not None for one in fields(points))
        if not said and not {"bock", "calls", "written"} & file.rules.keys() and "normal" not in file.trumps:
            return
        self._check_counts()
        counts = counted.counts_of(file.base, points)
        plus = row["write"] is write_plus
        beside = scoring.Beside(
            bock="bock" in row["calls"].words,
            rounds="bockrunde" in self.options,
            undecided="nobody_has_won" in self.options,
            plus=plus,
        )
        row["scoring"] = scoring.rules_of(counts, row["normal"], beside)
        brought = scoring.options_for(counts, replace(self.base, options=tuple(self.options.values())), beside)
        for option in scoring.read_by_any():
            self.options.pop(option, None)
        self.options |= {option.name: option for option in brought}

    def _check_counts(self) -> None:
        """:raises BadBook: a word is none that the engine counts by."""
        points, bad = self.file.points, self.source.bad
        for key, there in (("calls", list(scoring.CALLS)), ("queens", list(scoring.QUEENS))):
            said = getattr(points, key)
            if said is not None and said not in there:
                raise bad(("points", key), known(said, there), given=said)
        for name in points.special or ():
            if name not in scoring.SPECIAL:
                raise bad(("points", "special"), known(name, list(scoring.SPECIAL)), given=name)
            if (points.special or ()).count(name) > 1:
                raise bad(("points", "special"), wrong("twice"), given=name)

    def _take_values(self) -> None:
        """Let the club's values be the book's.

        :raises BadBook: there is no such option, or it cannot have that value.
        """
        for name, value in self.file.options.items():
            option = self.options.get(name)
            if option is None:
                raise self.source.bad(("options", name), self._no_option(name), given=value)
            if not option.takes(value):
                raise self.source.bad(("options", name), option.choices(), given=value)
            self.options[name] = replace(option, default=value)

    def _no_option(self, name: str) -> Text:
        others = [book.name for book in BOOKS.values() if any(one.name == name for one in book.options)]
        points = [point for point, of in self.points.items() if name in of.options]
        if points:
            return wrong("read_by_point", point=points[0])
        if others:
            return wrong("read_by_books", books=", ".join(others))
        near = get_close_matches(name, list(self.options), 1)
        way = wrong("did_you_mean", name=repr(near[0])) if near else wrong("shown_by_rules")
        return join([wrong("no_such_option"), way], " ")

    # --- what goes together

    def _check_together(self) -> None:
        """:raises BadBook: two choices contradict each other; both are named."""
        counts = counted.counts_of(self.file.base, self.file.points)
        row, options = self.row, self.options
        clashes: list[tuple[bool, Key, Key, Text]] = [
            (
                _wants_sums_of_0(row["columns"]) and row["write"] is not write_plus_minus,
                ("rules", "list"),
                ("rules", "written"),
                wrong("sums_of_0"),
            ),
            (
                row["must_announce"] is not None and _missing(self._read_by_duty(), options),
                ("rules", "duty_call"),
                ("rules", "calls"),
                wrong("duty_needs_calls"),
            ),
            (
                "bock" in row["calls"].words and counts.calls != "doubled",
                ("points", "calls"),
                ("rules", "calls"),
                wrong("bock_doubles"),
            ),
            (
                bool(scoring.missing_cards(counts.special, row["normal"])),
                ("points", "special"),
                ("trumps", "normal"),
                wrong("no_trump", names=", ".join(scoring.missing_cards(counts.special, row["normal"]))),
            ),
            (
                "pflichtsoli" in options and not any(kind.solo for kind in row["kinds"]),
                ("rules", "pflichtsoli"),
                ("games", "played"),
                wrong("no_solo"),
            ),
        ]
        for clash, one, other, why in clashes:
            if clash:
                raise self.source.bad(self._said(one), why, with_key=self._said(other), between=(one, other))

    def _said(self, key: Key) -> Key:
        """The key, or where the club says nothing of it the base, which then has it so."""
        section, name = key
        part: Any = getattr(self.file, str(section))
        has = name in part if isinstance(part, Mapping) else getattr(part, str(name)) is not None
        return key if has else ("base",)

    def _read_by_duty(self) -> tuple[str, ...]:
        """The options by which the chosen duty to announce counts."""
        chosen = self.file.rules.get("duty_call")
        by_windows = chosen == "first_trick" or (chosen is None and "all_until" in _names(self.base))
        return ("all_until", "until_card") if by_windows else ("limit_ansage",)

    def _contradictions(self) -> tuple[Contradiction, ...]:
        """What of the options cannot go together."""
        found: list[Contradiction] = []
        options = self.options
        if not _missing(LIMITS, options):
            found.append(_cited(options["limit_keine90"].section, lambda where: descending(where, LIMITS)))
        if "pflichtsoli" in options:
            found.append(_cited(options["pflichtsoli"].section, pflichtsoli_fit))
        if not _missing((*LATE_FROM, *LATE_EUROS), options):
            where = options[LATE_FROM[0]].section
            found.append(_cited(where, lambda where: ascending(where, LATE_FROM, "next_fine_is_later")))
            found.append(_cited(where, lambda where: rising(where, LATE_EUROS)))
        return tuple(found)

    def _check_values(self, book: RuleBook) -> None:
        """:raises BadBook: values contradict each other; both are named."""
        settled = book.settle({})
        self._check_raised(book, settled)
        for contradiction in book.contradictions:
            reason = contradiction(self.name, settled)
            if reason is None:
                continue
            fill = dict(reason.fill)
            names = [str(fill[place]).strip("'") for place in ("one", "other")]
            keys: list[Key] = [("options", name) if name in self.file.options else ("base",) for name in names]
            why = BadOption(reason, book.options)
            raise self.source.bad(
                keys[0],
                why,
                given=settled.get(names[0]),
                with_key=keys[1],
                between=tuple(("options", name) for name in names),
            )

    def _check_raised(self, book: RuleBook, settled: Options) -> None:
        """:raises BadBook: Schweinchen would be made of cards that are no trumps of a normal game."""
        for call in raising_calls(settled):
            card = card_of(call, settled)
            if card not in book.normal.trumps:
                first = call == SCHWEINCHEN
                one: Key = ("rules", "schweinchen") if first else ("options", "hyperschweinchen")
                other: Key = ("trumps", "normal")
                why = wrong("raises_no_trump", call=call, card=card)
                raise self.source.bad(one, why, with_key=self._said(other), between=(one, other))


@cache
def _sentences() -> Mapping[str, str]:
    """What the sections of all books say that a club's may be made of."""
    return MappingProxyType({key: said for name in BOOKS.shipped for key, said in shipped(name).sentences.items()})


def _cited(section: str, make: Callable[[str], Contradiction]) -> Contradiction:
    """A check that names the book in which its section stands, whoever plays by it."""
    of, _, number = section.partition(" ")
    check = make(number)
    return lambda _book, options: check(of, options)


def _names(book: RuleBook) -> list[str]:
    return [option.name for option in book.options]


def _missing(names: tuple[str, ...], options: Mapping[str, Option]) -> bool:
    return any(name not in options for name in names)


#: Words of a list, of which its checks need none.
_NO_WORDS = ListWords(word=lambda code: "", game=lambda row: "")


def _wants_sums_of_0(columns: Columns) -> bool:
    """Whether a list checks that each row sums up to 0."""
    return any(check["check"] == "row_sums" for check in columns(("", "", "", ""), (), _NO_WORDS)["checks"])
