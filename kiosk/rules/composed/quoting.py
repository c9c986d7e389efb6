"""Quote a book: the same row, in which each section names the book that it stands in (``bsv 7.2``).

A club's book takes rules from several; with this each goes on citing where it comes from.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from kiosk.rules.engine.book import RuleBook, Seating
from kiosk.rules.engine.listing import ListRow, ListWords

#: Fields that hold a section, and those that hold sections by key.
_SECTION = ("answer_section", "covering_section", "revoke_section")
_SECTIONS = ("turn_sections", "card_sections", "rulings", "berichtigung", "sections", "fact_sections")

#: Functions that return a section, or a code and a section.
_RETURNS = ("face_down", "duty_refused", "needs_leave", "bid_fault")


def _cite(book: RuleBook, section: str) -> str:
    """Cite each of several sections: ``7.2, 7.3`` becomes ``bsv 7.2, bsv 7.3``."""
    return ", ".join(book.cite(one) for one in section.split(", ")) if section else ""


def quoting(function: Callable[..., Any], book: RuleBook) -> Callable[..., Any]:
    """Return a function of a book's row with the section that it returns as it is cited elsewhere."""
    return _returning(function, partial(_cite, book))


def quoted(book: RuleBook) -> RuleBook:
    """Return the book with all its sections as they are cited elsewhere; a club's own already is."""
    if book.own is not None:
        return book

    cite = partial(_cite, book)

    def by_key(found: Mapping[str, str]) -> Mapping[str, str]:
        return MappingProxyType({key: cite(section) for key, section in found.items()})

    changes: dict[str, Any] = {name: cite(getattr(book, name)) for name in _SECTION}
    changes |= {name: by_key(getattr(book, name)) for name in _SECTIONS}
    changes |= {name: _returning(function, cite) for name in _RETURNS if (function := getattr(book, name)) is not None}
    duty, columns = book.must_announce, book.columns

    def cited_columns(players: Sequence[str], rows: Sequence[ListRow], words: ListWords) -> dict[str, Any]:
        made = columns(players, rows, words)
        return {**made, "checks": [{**check, "section": cite(check["section"])} for check in made["checks"]]}

    return replace(
        book,
        **changes,
        columns=cited_columns,
        sentences=MappingProxyType({_cited_key(key, cite): said for key, said in book.sentences.items()}),
        kinds=tuple(replace(kind, section=cite(kind.section)) for kind in book.kinds),
        calls=replace(book.calls, sections=by_key(book.calls.sections)),
        must_announce=replace(duty, section=cite(duty.section)) if duty else None,
        standing=replace(book.standing, section=cite(book.standing.section)),
        seating=Seating(**{one.name: cite(getattr(book.seating, one.name)) for one in fields(Seating)}),
        options=tuple(replace(option, section=cite(option.section)) for option in book.options),
    )


#: A code of an offence or refusal before a section.
_CODE = re.compile(r"([a-z]+(?:_[a-z]+)*) ")


def _cited_key(key: str, cite: Callable[[str], str]) -> str:
    """A key of ``RuleBook.sentences``, a section or a code and a section, with the section as cited."""
    code = _CODE.match(key)
    return f"{code[0]}{cite(key[code.end() :])}" if code else cite(key)


def _returning(function: Callable[..., Any], cite: Callable[[str], str]) -> Callable[..., Any]:
    """The function with its section cited, which it returns alone or behind a code."""

    def changed(*given: Any) -> Any:
        found = function(*given)
        return cite(found) if isinstance(found, str) else (found[0], cite(found[1]))

    return changed
