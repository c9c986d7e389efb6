"""Look up rules as sentences, one for each section that is cited, for those who broke a rule and the others there.

By section, so that the words belong to the book that is cited; a section that several codes cite has the code before
it, and what no section has stands by its code. What several books say alike is said once (subject ``rules``), each
book's row tells where it says so; what one alone says stands by its section (subject ``sections``). ``{limits}`` is
filled in with the limits of the round.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from kiosk.language import has, say
from kiosk.language.table import word

#: Code → the sentence of every book that says nothing else there.
_BY_CODE: Final = {
    "revoke": "follow",
    "out_of_turn": "clockwise",
    "early_announcement": "early",
    "unfounded_announcement": "backed",
    "skipped_step": "steps",
    "wrong_side": "sides",
    "card_not_held": "card_not_held",
}


def rule_says(
    code: str,
    language: str = "de",
    section: str = "",
    shared: Mapping[str, str] | None = None,
    limits: Sequence[tuple[str, int]] = (),
    counted: str = "hand",
) -> str:
    """Look up the rule as a sentence; empty where the reason of the refusal is enough.

    :param section: with the book's name, as cited.
    :param shared: of that book's row (``RuleBook.sentences``): sections, or codes and sections → sentence; a club's
        own book has them as cited.
    :param limits: of the round's announcements, as ``TableView.limits`` has them.
    :param counted: whose cards they count: "hand" or "table" (``CallRules.counted``).
    """
    number = section.partition(" ")[2]
    text = ""
    told = shared or {}
    for own, cited in ((f"{code} {number}", f"{code} {section}"), (number, section)):
        text = text or _shared(told.get(cited) or told.get(own, ""), language) or _of_section(cited, language)
    text = text or _shared(_BY_CODE.get(code, ""), language) or _of_section(code, language)
    if "{limits}" not in text:
        return text
    return text.format(limits=limits_words(limits, counted, language)) if limits else ""


def _shared(sentence: str, language: str) -> str:
    """The sentence of that code; "" if there is none."""
    return say("rules", sentence, language) if sentence else ""


def _of_section(cited: str, language: str) -> str:
    """The sentence of a section, or of a code and a section, or of a code; "" if there is none."""
    return say("sections", cited, language) if has("sections", cited) else ""


def book_name(book: str, language: str = "de") -> str:
    """Name a book as it is cited; one without a name by its code, a club's own without the digits of its content."""
    return say("books", book, language) if has("books", book) else book.partition(".")[0].capitalize()


def limits_words(limits: Sequence[tuple[str, int]], counted: str, language: str = "de") -> str:
    """List the limits of announcements: ``Re und Kontra mit mindestens 11 Karten in der Hand, keine 90 mit 10`` …"""
    groups: dict[int, list[str]] = {}
    for call, number in limits:
        groups.setdefault(number, []).append(word(call, language))
    parts: list[str] = []
    for number, calls in groups.items():
        both = say("rule_parts", "and", language)
        named = both.join([", ".join(calls[:-1]), calls[-1]]) if len(calls) > 1 else calls[0]
        key = "limit_table" if counted == "table" else "limit_hand_next" if parts else "limit_hand"
        parts.append(say("rule_parts", key, language, calls=named, n=number))
    return ", ".join(parts)


def section_word(section: str, language: str = "de") -> str:
    """Cite a section as people do: ``eppstein 4.2.4`` becomes ``Eppstein Abschnitt 4.2.4``."""
    book, _, number = section.partition(" ")
    if not number:
        return section
    named = number[0].isdigit() or number.split(" ")[0] in ("I", "II", "III")
    key = "book_section" if named else "book_part"
    return say("rule_parts", key, language, book=book_name(book, language), number=number)
