"""Number and word rules as a club does: its sections stand where its book is cited, its sentences beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from kiosk.rules.composed.file import OwnRule, Source, wrong
from kiosk.rules.composed.points import POINTS
from kiosk.rules.composed.schafkopf import POINTS as SCHAFKOPF
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.words import join

#: Fields of the row that hold a section, by what a club calls them; and those that hold sections by key.
_FIELDS = {"answer": "answer_section", "covering": "covering_section", "revoke": "revoke_section"}
_BY_KEY = ("turn_sections", "card_sections", "rulings", "berichtigung", "sections", "fact_sections")


def numbered(book: RuleBook, rules: Sequence[OwnRule], source: Source) -> RuleBook:
    """Return the book with a club's own sections and sentences.

    :raises BadBook: a rule is about nothing of this book, or two say it of one.
    """
    own = book.own
    assert own is not None
    said: dict[str, int] = {}
    sentences: dict[str, str] = {}
    found: dict[str, str] = {}
    for number, rule in enumerate(rules):
        if not rule.section.strip() or not rule.about:
            raise source.bad(("rule", number, "section" if rule.about else "about"), wrong("empty"))
        cited = f"{own.name} {rule.section.strip()}"
        for about in rule.about:
            names = _meant(book, about)
            if not names:
                known = _all(book)
                near = get_close_matches(about, [*known, *(name.removeprefix("value_") for name in known)], 1)
                guess = [wrong("did_you_mean", name=repr(near[0]))] if near else []
                why = join([*guess, wrong("about_what")], " ")
                raise source.bad(("rule", number, "about"), why, given=about)
            if about in said:
                raise source.bad(
                    ("rule", number, "about"), wrong("two_rules"), given=about, with_key=("rule", said[about], "about")
                )
            said[about] = number
            found |= dict.fromkeys(names, cited)
        if rule.text.strip():
            before = sentences.get(cited)
            sentences[cited] = f"{before} {rule.text}" if before else rule.text
    return replace(_with_sections(book, found), own=replace(own, sentences=MappingProxyType(sentences)))


def _meant(book: RuleBook, about: str) -> tuple[str, ...]:
    """Everything of the book that a club means by a name."""
    all_ = set(_all(book))
    names = [about, f"value_{about}", f"game_{about}"]
    point = (SCHAFKOPF if book.classes else POINTS).get(about)
    if point is not None:
        names += [*point.options, *point.sections]
    return tuple(name for name in dict.fromkeys(names) if name in all_)


def _all(book: RuleBook) -> list[str]:
    """All names of the book that have a section."""
    found = [option.name for option in book.options] + [kind.game for kind in book.kinds] + list(_FIELDS)
    found += [key for name in _BY_KEY for key in getattr(book, name)] + list(book.calls.sections)
    found += ["duty_call"] if book.must_announce else []
    found += [f"game_{kind.game}" for kind in book.kinds if not kind.ends_deal]
    return list(dict.fromkeys([*found, "standing"]))


def _with_sections(book: RuleBook, found: Mapping[str, str]) -> RuleBook:
    """The book with these sections in the place of its own."""

    def by_key(sections: Mapping[str, str]) -> Mapping[str, str]:
        return MappingProxyType({key: found.get(key, where) for key, where in sections.items()})

    changes: dict[str, Any] = {name: by_key(getattr(book, name)) for name in _BY_KEY}
    games = {name: where for name, where in found.items() if name.startswith("game_")}
    changes["fact_sections"] = MappingProxyType(dict(changes["fact_sections"]) | games)
    changes |= {field: found[name] for name, field in _FIELDS.items() if name in found}
    duty = book.must_announce
    if duty is not None and "duty_call" in found:
        changes["must_announce"] = replace(duty, section=found["duty_call"])
    if "standing" in found:
        changes["standing"] = replace(book.standing, section=found["standing"])
    return replace(
        book,
        **changes,
        kinds=tuple(replace(kind, section=found.get(kind.game, kind.section)) for kind in book.kinds),
        calls=replace(book.calls, sections=by_key(book.calls.sections)),
        options=tuple(replace(one, section=found.get(one.name, one.section)) for one in book.options),
    )
