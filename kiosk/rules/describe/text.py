"""Format a description as text for a terminal, readable without a manual."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from textwrap import wrap

from kiosk.language import say
from kiosk.rules.describe import Chapter, Difference, compare, describe
from kiosk.rules.describe.fact import Fact, words
from kiosk.rules.describe.told import allowed_told, option_told, tell, value_told
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.known import CHAPTERS
from kiosk.rules.options.option import Option
from kiosk.rules.options.words import join

#: Characters of a line, at most and at least; a terminal between them is filled.
WIDTH_COLUMNS, LEAST_WIDTH_COLUMNS = 100, 72


def books_text(books: Iterable[RuleBook], language: str, width: int = WIDTH_COLUMNS) -> str:
    """Format the list of books: name, title, source, players, deck."""
    lines = []
    for book in books:
        about = say(
            "rulebook",
            "book_source",
            language,
            source=book.source,
            tables=tell(join([str(players) for players in book.tables], words("or")), language),
            cards=len(book.deck),
        )
        lines += [book.name, *_indented(book.title, width), *_indented(about, width), ""]
    lines += [say("rulebook", "how_to_ask", language)]
    return "\n".join(lines) + "\n"


def _indented(text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent="    ", subsequent_indent="    ")


def book_text(book: RuleBook, language: str, width: int = WIDTH_COLUMNS) -> str:
    """Format a book's rules and options."""
    lines = [*wrap(book.title, width), f"{book.name}, {book.source}", ""]
    for chapter in describe(book):
        lines += _chapter(chapter, language, width)
    lines += _heading(say("chapters", "options", language))
    lines += wrap(
        say("rulebook", "what_the_direction_may_set", language),
        width,
    )
    for key in CHAPTERS:
        found = [option for option in book.options if option.chapter == key]
        if found:
            lines += ["", say("chapters", key, language)]
            for option in found:
                lines += _option(option, language, width)
    return "\n".join(lines) + "\n"


def _heading(title: str) -> list[str]:
    return [title, "─" * len(title)]


def _chapter(chapter: Chapter, language: str, width: int) -> list[str]:
    lines = _heading(tell(chapter.title, language))
    for fact in _merged(chapter.facts, anywhere=chapter.key == "games"):
        lines += _row(tell(fact.label, language), tell(fact.value, language), fact.section, width)
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
            label=join([fact.label for fact in group]),
            value=group[0].value,
            section=", ".join(dict.fromkeys(fact.section for fact in group if fact.section)),
        )
        for group in groups.values()
    ]


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
    default = value_told(option, option.default, language)
    raw = option.default if isinstance(option.default, str) else ""
    name = f"  {option.name} → {default}" + (f" ({raw})" if raw and raw != default else "")
    told, values = option_told(option, language), values_written(option, language)
    text = say("rulebook", "allowed", language, told=told, values=values, section=option.section).removesuffix(" []")
    return [name, *wrap(text, width, initial_indent="      ", subsequent_indent="      ")]


def values_written(option: Option, language: str) -> str:
    """Format the values as they are written in a file, with what they mean."""
    if isinstance(option.values, range):
        return allowed_told(option, language)
    if option.type == "yes_no":
        return f"true ({value_told(option, True, language)}), false ({value_told(option, False, language)})"
    shown = []
    for value in option.values:
        told = value_told(option, value, language)
        shown.append(f"{value} ({told})" if told != str(value) else str(value))
    return ", ".join(shown)


def differences_text(first: RuleBook, second: RuleBook, language: str, width: int = WIDTH_COLUMNS) -> str:
    """Format the differences between two books, values side by side with their sections."""
    lines: list[str] = []
    last = ""
    found = compare(first, second)
    for book in (first, second):
        lines += wrap(f"{book.name}: {book.title} ({book.source})", width)
    lines.append("")
    if not found:
        return "\n".join([*lines, say("rulebook", "no_difference", language)]) + "\n"
    half = (width - _label(width) - 4) // 2
    widths = (_label(width), half, half)
    lines += [*_columns(("", first.name, second.name), widths), ""]
    for one in _same_together(found):
        if one.chapter != last:
            lines += ([""] if last else []) + _heading(tell(one.title, language))
            last = one.chapter
        lines += _pair(one, language, widths)
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
        label = join([one.label for one in group])
        only = group[0]
        merged.append(
            Difference(
                chapter=only.chapter, title=only.title, key=only.key, label=label, first=only.first, second=only.second
            )
        )
    return merged


def _pair(one: Difference, language: str, widths: Sequence[int]) -> list[str]:
    cells = [tell(one.label, language)]
    for fact in (one.first, one.second):
        where = f" [{fact.section}]" if fact and fact.section else ""
        cells.append(f"{tell(fact.value, language)}{where}" if fact else "–")
    return _columns(cells, widths)
