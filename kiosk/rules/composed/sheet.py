"""Describe a book that is being written for a form: everything that may be set, in short views, in words.

A field is a plain object: ``key`` as in the file (``options.games``), ``label``, ``kind`` (``choice``, ``yes_no``,
``number``, ``many``, ``ranks``, ``tokens``, ``text``, ``numbers``), ``value`` as it stands, ``base`` what holds where
the club says nothing, ``about`` the name by which a rule of the club's own speaks of it. All of it is made of what the
points, options and games of this package declare, so that a new one stands on the form by itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from kiosk.language import has, say
from kiosk.language.games import value_word
from kiosk.language.rules import book_name
from kiosk.rules.books import BOOKS
from kiosk.rules.composed import counted, games, schafkopf, scoring
from kiosk.rules.composed.card_tokens import tokens_for, tokens_of
from kiosk.rules.composed.draft import Draft, drafted
from kiosk.rules.composed.file import BadBook, PointsPart
from kiosk.rules.composed.make import points_for
from kiosk.rules.composed.page_words import error_words
from kiosk.rules.composed.points import Choice, Point, shipped
from kiosk.rules.describe import compare
from kiosk.rules.describe.told import allowed_told, option_told, tell, value_told
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.known import CHAPTERS, KNOWN
from kiosk.rules.options.option import Option

#: Where a point stands that is not told by the first of its options; without one it stands under "play".
_CHAPTER_OF = {
    **dict.fromkeys(("asking", "bidding", "nobody_plays"), "finding"),
    **dict.fromkeys(("after_time", "standing", "list"), "round"),
}

Field = dict[str, Any]


def sheet(name: str, content: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Describe the form of a book: its errors, its views with their fields, and what differs from its base."""
    draft = drafted(name, content)
    base = content.get("base")
    told: dict[str, Any] = {
        "errors": [error_told(error, language) for error in draft.errors],
        "full": draft.book.name if draft.book is not None and draft.done else "",
        "base": {"name": base, "short": book_name(str(base), language)} if base in BOOKS.shipped else None,
        "views": [],
        "differences": [],
    }
    if draft.book is not None:
        told["views"] = _Views(draft, content, language).all()
        told["differences"] = differences(draft.book, language)
    return told


def error_told(error: BadBook, language: str) -> dict[str, Any]:
    """Tell an error and at which fields it stands."""
    keys = [".".join(map(str, key)) for key in error.fields]
    return {"keys": keys, "told": error_words(error, language)}


def differences(book: RuleBook, language: str) -> list[dict[str, Any]]:
    """List what differs between a club's book and its base, as ``rules FILE base`` prints it."""
    assert book.own is not None
    found = []
    for one in compare(book, BOOKS[book.own.base]):
        sides = [(tell(fact.value, language), fact.section) if fact else ("–", "") for fact in (one.first, one.second)]
        (mine, at), (theirs, there) = sides
        chapter, label = tell(one.title, language), tell(one.label, language)
        found.append({"chapter": chapter, "label": label, "mine": mine, "at": at, "theirs": theirs, "there": there})
    return found


class _Views:
    """The views of a form while they are put together."""

    def __init__(self, draft: Draft, content: Mapping[str, Any], language: str) -> None:
        assert draft.book is not None and draft.book.own is not None
        self.book, self.content, self.language = draft.book, content, language
        self.base = shipped(draft.book.own.base)
        self.points = points_for(self.base)
        # what holds where the club sets no value, no order and no trumps
        unset = {key: part for key, part in draft.book.own.content.items() if key not in ("options", "trumps", "rule")}
        self.unset = drafted(draft.book.own.name, unset).book or draft.book
        usual = {key: part for key, part in unset.items() if key != "games"}
        self.usual_games = [kind.game for kind in (drafted(draft.book.own.name, usual).book or draft.book).kinds]

    def all(self) -> list[dict[str, Any]]:
        """List the views, each with its fields."""
        by_chapter: dict[str, list[Field]] = {chapter: [] for chapter in CHAPTERS}
        placed: set[str] = set()
        for name, point in self.points.items():
            own = [one for one in self.book.options if one.name in point.options and _is_open(one)]
            usual = KNOWN[point.options[0]][0] if point.options else "play"
            chapter = _CHAPTER_OF.get(name, usual)
            by_chapter[chapter] += [self._point(name, point), *(self._option(one, under=name) for one in own)]
            placed |= {one.name for one in own}
        by_chapter["scoring"] += self._points()
        for one in self.book.options:
            if one.name not in placed and _is_open(one):
                by_chapter[one.chapter].append(self._option(one))
        views = [("name", self._name()), ("games", self._games()), ("trumps", self._trumps())]
        views += [*by_chapter.items(), ("wording", [self._wording()])]
        return [
            {"id": id_, "title": self._word(id_) if id_ not in CHAPTERS else say("chapters", id_, self.language)}
            | {"fields": found}
            for id_, found in views
            if found
        ]

    def _word(self, code: str, **fill: str) -> str:
        return say("book_form", code, self.language, **fill)

    def _field(self, key: str, label: str, kind: str, base: Any, **more: Any) -> Field:
        part: Any = self.content
        for step in key.split("."):
            part = part.get(step) if isinstance(part, Mapping) else None
        return {"key": key, "label": label, "kind": kind, "value": base if part is None else part, "base": base, **more}

    def _name(self) -> list[Field]:
        found = [self._field(key, self._word(key), "text", "") for key in ("title", "source", "date")]
        if len(self.base.tables) > 1:
            seats = [[number, str(number)] for number in self.base.tables]
            found.append(self._field("tables", self._word("tables"), "many", list(self.base.tables), values=seats))
        return found

    def _point(self, name: str, point: Point) -> Field:
        """A rule of which the engine has several; "" is as the base has it."""
        as_base = choice_of(point, self.base.name)
        words = {choice: say("own_book", f"{name} {choice}", self.language) for choice in point.choices}
        where = book_name(self.base.name, self.language)
        first = self._word("as_base_has", base=where, told=words[as_base]) if as_base else ""
        values = [["", first or self._word("as_base", base=where)], *([one, told] for one, told in words.items())]
        label = say("own_book", name, self.language)
        return self._field(f"rules.{name}", label, "choice", "", values=values, about=name)

    def _option(self, option: Option, under: str = "") -> Field:
        default = next((one.default for one in self.unset.options if one.name == option.name), option.default)
        more: Field = {"about": option.name, "section": option.section, "under": under}
        if isinstance(option.values, range):
            more["range"] = [option.values[0], option.values[-1], option.values.step]
            more["allowed"] = allowed_told(option, self.language)
        elif option.type != "yes_no":
            more["values"] = [[one, value_told(option, one, self.language)] for one in option.values]
        more["base_told"] = value_told(option, default, self.language)
        return self._field(f"options.{option.name}", option_told(option, self.language), option.type, default, **more)

    # --- games and trumps

    def _games(self) -> list[Field]:
        if self.base.classes:
            there: Sequence[str] = (*schafkopf.ORDER, *schafkopf.UNBID)
        else:
            nines = any(card[1] == "9" for card in self.base.deck)
            there = [one for one in (*games.SOLOS, *games.OTHERS, *games.OWN) if nines or one != "neunersolo"]
        values = [[one, say("games", one, self.language)] for one in there]
        found = [self._field("games.played", self._word("played"), "many", self.usual_games, values=values)]
        ranked = [kind for kind in self.book.kinds if kind.game not in schafkopf.UNBID]
        groups = [[one.game for one in ranked if one.rank == rank] for rank in sorted({one.rank for one in ranked})]
        order = {"values": [[one.game, say("games", one.game, self.language)] for one in ranked], "groups": groups}
        return [*found, self._field("games.order", self._word("order"), "ranks", None, **order)]

    def _trumps(self) -> list[Field]:
        if self.base.classes:
            return []
        names = ["normal", *(kind.game for kind in self.book.kinds if kind.game in games.SOLOS)]
        found = []
        for name in names:
            contract = self.unset.normal if name == "normal" else None
            suit = "C" if name == "farbsolo" else None
            contract = contract or self.unset.contracts[name, suit]
            label, more = say("games", name, self.language), {"tokens": tokens_for(self.base, name, self.language)}
            base = tokens_of(contract, self.base, suit)
            found.append(self._field(f"trumps.{name}", label, "tokens", base, about=name, **more))
        return found

    # --- for what a game counts, and the club's own words

    def _points(self) -> list[Field]:
        of_doppelkopf = {one.name for one in fields(scoring.Counts)}
        counts = None if self.base.classes else counted.counts_of(self.base.name, PointsPart())
        lists = {"calls": scoring.CALLS, "queens": scoring.QUEENS}
        found = []
        for one in fields(PointsPart):
            if (one.name in of_doppelkopf) == bool(self.base.classes):
                continue
            base: Any = getattr(counts, one.name) if counts is not None else False
            key, label, more = f"points.{one.name}", self._told("points", one.name), {}
            kind = "many" if isinstance(base, tuple) else "yes_no" if isinstance(base, bool) else "choice"
            if kind == "many":
                base, more = list(base), {"values": [[v, value_word(v, self.language)] for v in scoring.SPECIAL]}
            elif kind == "choice":
                there: Iterable[str] = lists.get(one.name, (base,))
                more = {"values": [[value, self._told(f"points_{one.name}", value)] for value in there]}
            found.append(self._field(key, label, kind, base, **more))
        return found

    def _told(self, of: str, code: str) -> str:
        """The words for something that a club sets; its own name where a new one has none yet."""
        return self._word(f"{of}_{code}") if has("book_form", f"{of}_{code}") else code

    def _wording(self) -> Field:
        abouts = [[name, say("own_book", name, self.language)] for name in self.points]
        abouts += [[kind.game, say("games", kind.game, self.language)] for kind in self.book.kinds]
        abouts += [[one.name, option_told(one, self.language)] for one in self.book.options]
        return self._field("rule", self._word("wording"), "wordings", [], abouts=list(dict(abouts).items()))


def _is_open(option: Option) -> bool:
    return len(option.values) > 1


def choice_of(point: Point, base: str) -> str:
    """Return which choice of a point a shipped book has; "": none of them."""
    row = BOOKS[base]
    for name, choice in point.choices.items():
        if base in choice.of:
            return name
    return next((name for name, choice in point.choices.items() if _is_so(choice, point, row)), "")


def _is_so(choice: Choice, point: Point, row: RuleBook) -> bool:
    """Whether a book has a point as another one, or what stands in the choice itself, has it."""
    book = BOOKS[choice.of[0]] if choice.of else None
    there = {one: getattr(book, one) for one in point.fields} if book is not None else {}
    there |= choice.fields
    told = [one for one in there if not isinstance(there[one], str)]  # sections differ from book to book
    values = {one.name: one.default for one in choice.options}
    values |= {one.name: one.default for one in (book.options if book is not None else ()) if one.name in point.options}
    same = {one.name: one.default for one in row.options if one.name in point.options} == values
    return bool(told) and same and all(getattr(row, one) == there[one] for one in told)
