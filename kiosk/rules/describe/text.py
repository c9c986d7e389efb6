"""Format a description as text for a terminal, readable without a manual."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from textwrap import wrap

from kiosk.rules.describe import Chapter, Difference, compare, describe
from kiosk.rules.describe.fact import Fact
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.option import CHAPTERS, Option, number_of

#: Characters of a line, at most and at least; a terminal between them is filled.
WIDTH_COLUMNS, LEAST_WIDTH_COLUMNS = 100, 72


def books_text(books: Iterable[RuleBook], language: str, width: int = WIDTH_COLUMNS) -> str:
    """Format the list of books: name, title, source, players, deck."""
    number, lines = number_of(language), []
    players = ("Spieler", "players")[number]
    cards = ("Karten", "cards")[number]
    for book in books:
        at = (" oder ", " or ")[number].join(map(str, book.tables))
        lines += [
            f"{book.name}",
            *_indented(book.title, width),
            *_indented(f"{book.source}; {at} {players}, {len(book.deck)} {cards}", width),
            "",
        ]
    lines += [
        (
            "stichwart rules BUCH zeigt die Regeln, stichwart rules BUCH BUCH die Unterschiede.",
            "stichwart rules BOOK shows the rules, stichwart rules BOOK BOOK what differs.",
        )[number]
    ]
    return "\n".join(lines) + "\n"


def _indented(text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent="    ", subsequent_indent="    ")


def book_text(book: RuleBook, language: str, width: int = WIDTH_COLUMNS) -> str:
    """Format a book's rules and options."""
    number = number_of(language)
    lines = [*wrap(book.title, width), f"{book.name}, {book.source}", ""]
    for chapter in describe(book):
        lines += _chapter(chapter, number, width)
    lines += _heading(("Optionen", "Options")[number])
    lines += wrap(
        (
            "Was die Turnierleitung anders festlegen kann: der Wert des Buches (→) und alle erlaubten Werte.",
            "What the direction may set otherwise: the value of the book (→) and all that are allowed.",
        )[number],
        width,
    )
    for key, title in CHAPTERS.items():
        found = [option for option in book.options if option.chapter == key]
        if found:
            lines += ["", title[number]]
            for option in found:
                lines += _option(option, language, width)
    return "\n".join(lines) + "\n"


def _heading(title: str) -> list[str]:
    return [title, "─" * len(title)]


def _chapter(chapter: Chapter, number: int, width: int) -> list[str]:
    lines = _heading(chapter.title[number])
    for fact in _merged(chapter.facts, anywhere=chapter.key == "games"):
        lines += _row(fact.label[number], fact.value[number], fact.section, width)
    return [*lines, ""]


def _merged(facts: Sequence[Fact], anywhere: bool) -> list[Fact]:
    """Print equal facts once: of facts that follow each other, or anywhere (games with the same trumps)."""
    groups: dict[tuple[object, ...], list[Fact]] = {}
    before, run = None, 0
    for fact in facts:
        run += fact.value != before
        before = fact.value
        groups.setdefault((fact.value,) if anywhere else (fact.value, fact.section, run), []).append(fact)
    return [
        Fact(
            key=group[0].key,
            label=(_names(group, 0), _names(group, 1)),
            value=group[0].value,
            section=", ".join(dict.fromkeys(fact.section for fact in group if fact.section)),
        )
        for group in groups.values()
    ]


def _names(group: Sequence[Fact], number: int) -> str:
    return ", ".join(fact.label[number] for fact in group)


def _row(label: str, value: str, section: str, width: int) -> list[str]:
    """Label, value and section in three columns."""
    first, last = _label(width), 16 if width >= WIDTH_COLUMNS else 14
    return _columns((label, value, section), (first, width - first - last - 4, last))


def _label(width: int) -> int:
    return width * 34 // 100


def _columns(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Cells side by side; long ones go on in the next lines."""
    wrapped = [wrap(cell, size) for cell, size in zip(cells, widths, strict=True)]
    lines = zip_longest(*wrapped, fillvalue="")
    return ["  ".join(text.ljust(size) for text, size in zip(line, widths, strict=True)).rstrip() for line in lines]


def _option(option: Option, language: str, width: int) -> list[str]:
    """Name, default, allowed values, section; under it what it means."""
    number = number_of(language)
    default = option.value_told(option.default, language)
    raw = option.default if isinstance(option.default, str) else ""
    name = f"  {option.name} → {default}" + (f" ({raw})" if raw and raw != default else "")
    allowed = f"{('erlaubt', 'allowed')[number]}: {_values(option, language)}"
    text = f"{option.told(language)} {allowed}. [{option.section}]"
    return [name, *wrap(text, width, initial_indent="      ", subsequent_indent="      ")]


def _values(option: Option, language: str) -> str:
    """The values as they are written in a file, with what they mean."""
    if isinstance(option.values, range):
        return option.allowed_told(language)
    if option.type == "yes_no":
        return f"true ({option.value_told(True, language)}), false ({option.value_told(False, language)})"
    shown = []
    for value in option.values:
        told = option.value_told(value, language)
        shown.append(f"{value} ({told})" if told != str(value) else str(value))
    return ", ".join(shown)


def differences_text(first: RuleBook, second: RuleBook, language: str, width: int = WIDTH_COLUMNS) -> str:
    """Format the differences between two books, values side by side with their sections."""
    number, lines, last = number_of(language), [], ""
    found = compare(first, second)
    for book in (first, second):
        lines += wrap(f"{book.name}: {book.title} ({book.source})", width)
    lines.append("")
    if not found:
        return "\n".join([*lines, ("kein Unterschied", "no difference")[number]]) + "\n"
    half = (width - _label(width) - 4) // 2
    widths = (_label(width), half, half)
    lines += [*_columns(("", first.name, second.name), widths), ""]
    for one in _same_together(found):
        if one.chapter != last:
            lines += ([""] if last else []) + _heading(one.title[number])
            last = one.chapter
        lines += _pair(one, number, widths)
    return "\n".join(lines) + "\n"


def _same_together(found: Sequence[Difference]) -> list[Difference]:
    """Print games that differ in the same way once."""
    groups: dict[tuple[str, object, object], list[Difference]] = {}
    for one in found:
        values = (one.first.value if one.first else None, one.second.value if one.second else None)
        key = (one.chapter, *values) if one.chapter == "games" else (one.chapter, one.key, None)
        groups.setdefault(key, []).append(one)
    merged = []
    for group in groups.values():
        label = (", ".join(one.label[0] for one in group), ", ".join(one.label[1] for one in group))
        only = group[0]
        merged.append(
            Difference(
                chapter=only.chapter, title=only.title, key=only.key, label=label, first=only.first, second=only.second
            )
        )
    return merged


def _pair(one: Difference, number: int, widths: Sequence[int]) -> list[str]:
    cells = [one.label[number]]
    for fact in (one.first, one.second):
        where = f" [{fact.section}]" if fact and fact.section else ""
        cells.append(f"{fact.value[number]}{where}" if fact else "–")
    return _columns(cells, widths)
