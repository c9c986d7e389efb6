"""Look up rules as sentences, one for each section that is cited, for those who broke a rule and the others there.

By section (subject ``sections``), so that the words belong to the book that is cited; a section that several codes cite
has the code before it, and what no section has stands by its code. What several say alike is said once (``rules``).
``{limits}`` is filled in with the limits of the round.
"""

from collections.abc import Sequence
from typing import Final

from kiosk.language import has, say
from kiosk.language.table import word

#: Sections, or codes and sections, or codes → the sentence that they share with others.
_SHARED: Final = {
    "eppstein 3.1.2": "asked_in_turn",
    "eppstein 3.5.1": "marry",
    "eppstein 4.2.1": "face_up",
    "eppstein 5.2.1": "early",
    "eppstein 5.2.2": "limits",
    "wrong_side eppstein 5.2.2": "sides",
    "eppstein 5.3.2": "backed",
    "eppstein 5.3.4": "limits",
    "eppstein 5.4.1": "card_not_held",
    "eppstein 5.5.3": "steps",
    "eppstein 7.4.1": "not_released",
    "eppstein 8.8.5": "resting",
    "eppstein 8.8.6": "after_serious",
    "bsv 4.1": "asked_in_turn",
    "bsv 4.2": "marry",
    "bsv 5.2": "follow",
    "not_entitled bsv 5.2": "face_up",
    "out_of_turn bsv 5.2": "clockwise",
    "bsv 6.1.1": "card_not_held",
    "bsv 6.3": "limits",
    "early_announcement bsv 6.3": "early",
    "wrong_side bsv 6.3": "sides",
    "bsv 6.4": "limits",
    "unfounded_announcement bsv 6.4": "backed",
    "bsv 6.5": "steps",
    "late_announcement bsv 6.5": "limits",
    "bsv 8.5": "not_released",
    "bsv 9.6": "resting",
    "after_serious bsv 9.6": "after_serious",
    "durchgaenge 1c": "cards",
    "durchgaenge 2b": "backed",
    "durchgaenge 4a": "marry",
    "durchgaenge 7a": "follow",
    "wrong_side durchgaenge 7a": "sides",
    "schnittchen 1": "cards",
    "schnittchen 3": "follow",
    "not_entitled schnittchen 3": "face_up",
    "schnittchen 3.3": "marry",
    "schnittchen 5.1": "limits_alone",
    "early_announcement schnittchen 5.1": "early",
    "wrong_side schnittchen 5.1": "sides",
    "schnittchen 5.2": "limits_alone",
    "schaffkopf I 3.2": "face_up",
    "schaffkopf II 4.2.3": "clockwise",
    "schaffkopf II 4.2.7": "card_not_held",
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
    limits: Sequence[tuple[str, int]] = (),
    counted: str = "hand",
) -> str:
    """Look up the rule as a sentence; empty where the reason of the refusal is enough.

    :param section: with the book's name, as cited.
    :param limits: of the round's announcements, as ``TableView.limits`` has them.
    :param counted: whose cards they count: "hand" or "table" (``CallRules.counted``).
    """
    text = _rule(f"{code} {section}", language) or _rule(section, language) or _rule(code, language)
    if "{limits}" not in text:
        return text
    return text.format(limits=limits_words(limits, counted, language)) if limits else ""


def _rule(key: str, language: str) -> str:
    """The sentence of a section, or of a code and a section, or of a code; "" if there is none."""
    if key in _SHARED:
        return say("rules", _SHARED[key], language)
    return say("sections", key, language) if has("sections", key) else ""


def book_name(book: str, language: str = "de") -> str:
    """Name a book as it is cited; one without a name by its code."""
    return say("books", book, language) if has("books", book) else book.capitalize()


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
