"""The Spielliste on paper: one A4 page as a club hands it in, made of ``list_data`` alone.

Rows become narrower the more there are. A list that has more than fit goes on to further pages with the totals carried
over; rulings and breaches that find no room are counted and referred to the table's list of events.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from kiosk.paper.sheet import BOTTOM, FAINT, LEFT, RIGHT, Sheet
from kiosk.paper.type import MM, clean, wrapped
from kiosk.table import written
from kiosk.table.list_words import list_word
from kiosk.table.words import Language

Data: TypeAlias = Mapping[str, Any]

_NUMBER = 8.5  # width of the column with the game's number
_HEAD, _SIGNS = 13.5, 5.0  # heights: names; the line with + and −
_FOOT, _SIGNATURES = 7.0, 14.0
_TALL, _EASY, _NARROW = 8.2, 4.6, 3.9  # height of a row: at most, before notes give way, at least
_LINE = 3.45  # height of a line of notes
_NOTE = 7.4  # their size
_BOLD = "\0"  # before a line of notes that is a heading
_INITIALS = 34.0  # room for the referee's initials
_SIGNED = 22.0  # room for the direction's signature at a game

#: Marks of who played alone.
_MARKS = {"duty": "P", "lust": "L", "solo": "S", "still": "S", "hochzeit": "H"}


@dataclass(frozen=True, slots=True)
class _Group:
    """Columns that belong together: those of a player, or one of the others."""

    seat: int | None
    kinds: tuple[str, ...]
    first: int  # index of its first column
    x: float
    width: float  # of the whole group

    @property
    def cell(self) -> float:
        return self.width / len(self.kinds)


def list_pdf(lists: Sequence[Data]) -> bytes:
    """The lists as one PDF, each on a page of its own. The same lists give the same bytes.

    :param lists: what ``list_data`` gives, in the order of the pages.
    """
    first = lists[0]
    heads = {written.heading(data) for data in lists}
    title = f"{first['name']}: {written.heading(first)}" if len(heads) == 1 else _word(first, "lists")
    sheet = Sheet(title)
    for number, data in enumerate(lists):
        if number:
            sheet.new_page()
        _Page(sheet, data).draw()
    return sheet.finish()


def _word(data: Data, code: str, **fill: object) -> str:
    return list_word(code, data["language"], **fill)


def _printed(cell: object) -> str:
    """A cell as printed: a real minus before numbers."""
    return str(cell).replace("-", "−") if isinstance(cell, int) else str(cell)


class _Page:
    """One list on its way to paper."""

    def __init__(self, sheet: Sheet, data: Data) -> None:
        self.sheet, self.data = sheet, data
        self.language: Language = data["language"]
        self.groups = self._groups()
        self.signs = any(len(group.kinds) > 1 for group in self.groups)  # a line with + and −
        self.blank = data["games_left"] or 0
        self.many = len(data["rows"]) + self.blank
        seats = range(1, len(data["players"]) + 1)
        self.at = {seat: next(group for group in self.groups if group.seat == seat) for seat in seats}

    def _groups(self) -> list[_Group]:
        fields = self.data["fields"]
        players = len(self.data["players"])
        widths = {"winners": 14.5, "value": 15.0}
        others = sum(widths.get(field["kind"], 0.0) for field in fields)
        whole = RIGHT - LEFT - _NUMBER
        each = min(25.5, (whole - others - 36.0) / players)
        rest = whole - others - each * players
        found: list[_Group] = []
        x = LEFT + _NUMBER
        index = 0
        while index < len(fields):
            seat = fields[index]["seat"]
            end = index + 1
            while seat is not None and end < len(fields) and fields[end]["seat"] == seat:
                end += 1
            kinds = tuple(field["kind"] for field in fields[index:end])
            wide = each if seat is not None else widths.get(kinds[0], rest)
            found.append(_Group(seat, kinds, index, x, wide))
            x += wide
            index = end
        return found

    def word(self, code: str, **fill: object) -> str:
        return list_word(code, self.language, **fill)

    # the plan

    def draw(self) -> None:
        """All pages of the list."""
        sheet, data = self.sheet, self.data
        notes = self._notes()
        head = 38.5 + _HEAD + (_SIGNS if self.signs else 0)
        foot = len(data["foot"]) * _FOOT + _SIGNATURES
        room = BOTTOM - head - foot - 2.5
        spare = (room - len(notes) * _LINE - self.many * _EASY) / _LINE
        shown = self._details(int(spare))
        below = (len(notes) + len(shown)) * _LINE
        high = min(_TALL, (room - below) / max(1, self.many))
        if high >= _NARROW:
            self._part(1, 1, slice(0, self.many), high, notes, shown)
            return
        whole = int((BOTTOM - head - _EASY) / _EASY)  # rows of a page that is full of them, one line carried over
        last = int((room - below - _EASY) / _EASY)
        pages = 2
        while whole * (pages - 1) + last < self.many:
            pages += 1
        start = 0
        for page in range(1, pages + 1):
            left = self.many - start
            end = self.many if page == pages else start + min(whole, left - 1)
            self._part(page, pages, slice(start, end), _EASY, notes, shown)
            start = end
            if page < pages:
                sheet.new_page()

    def _notes(self) -> list[str]:
        """Checks, what is still to be played and the like: lines that always stand on the page."""
        found = []
        for name, result, right in written.checks(self.data):
            more = "" if result == self.word("ok") else f": {result}"
            sign = "–" if result == self.word("not_asked") else "✓" if right else "✗"
            found.append(f"{sign} " + name.replace(" ", "\u00a0") + more)
        lines = self._wrap(f"{self.word('checks')}:  " + "   ".join(found)) if found else []
        for line in written.state(self.data):
            lines += self._wrap(line)
        return lines

    def _details(self, room: int) -> list[tuple[str, bool]]:
        """Rulings, a line or more each, then breaches in a paragraph: lines, and where somebody has to sign.

        What does not fit into so many lines is counted, and so are all if there is room for none.
        """
        data = self.data
        rulings = [self._ruling(ruling) for ruling in data["rulings"]]
        ruled = {(ruling["game"], ruling["offender"], ruling["code"]) for ruling in data["rulings"]}
        offences = [
            written.offence_line(data, one, written.section_number(one["section"]))
            for one in written.breaches(data)
            if (one["game"], one["seat"], one["code"]) not in ruled
        ]
        if not rulings and not offences:
            return []
        for kept in range(len(rulings) + len(offences), 0, -1):
            lines = self._some(rulings[:kept], offences[: max(0, kept - len(rulings))])
            missing = len(rulings) + len(offences) - kept
            if missing:
                lines += [(line, False) for line in self._wrap(self.word("more", number=missing))]
            if len(lines) <= room:
                return lines
        words = self.word("count_only", rulings=len(rulings), offences=len(offences))
        return [(line, False) for line in self._wrap(words)]

    def _ruling(self, ruling: Data) -> list[tuple[str, bool]]:
        sign = bool(ruling["scores"])
        room = RIGHT - LEFT - (_INITIALS if sign else 0)
        lines = wrapped(clean(written.ruling_line(self.data, ruling)), room, _NOTE)
        return [(line, sign and place == 0) for place, line in enumerate(lines)]

    def _some(self, rulings: Sequence[list[tuple[str, bool]]], offences: Sequence[str]) -> list[tuple[str, bool]]:
        lines: list[tuple[str, bool]] = []
        if rulings:
            lines = [(_BOLD + self.word("rulings"), False), *(line for one in rulings for line in one)]
        if offences:
            lines.append((_BOLD + self.word("offences"), False))
            unbroken = (one.replace(" ", "\u00a0") for one in offences)
            lines += [(line, False) for line in self._wrap("  ·  ".join(unbroken))]
        return lines

    def _wrap(self, words: str) -> list[str]:
        return wrapped(re.sub(r"(?<!\w)-(?=\d)", "−", clean(words)), RIGHT - LEFT, _NOTE)

    # a page

    def _part(
        self, page: int, pages: int, part: slice, high: float, notes: Sequence[str], details: Sequence[tuple[str, bool]]
    ) -> None:
        sheet, data = self.sheet, self.data
        sheet.footer = f"{data['title']} · {written.heading(data)}"
        sheet.number(f"Stichwart · {self.word('page', page=page, pages=pages)}")
        y = sheet.heading(data["name"], data["title"], data["tournament"] or "")
        y = sheet.facts(y + 1, self._facts())
        y = top = y + 1.5
        y = self._heads(y)
        body = y
        if part.start:
            y = self._carried(y, part.start, high)
        for number in range(part.start, part.stop):
            if number < len(data["rows"]):
                self._row(y, high, number)
            else:
                self._figure(LEFT + _NUMBER / 2, y, high, number + 1, 7.5, grey=0.55)
            y += high
            strong = (number + 1) % len(data["players"]) == 0
            sheet.line(LEFT, y, RIGHT, y, 0.5 if strong else 0.22, 0.0 if strong else 0.55)
        if data["closed"] and part.stop > len(data["rows"]):
            self._not_played(y - high * (part.stop - max(part.start, len(data["rows"]))), y)
        if page == pages:
            y = self._foot(y)
        self._verticals(top, body, y)
        if page == pages:
            y = self._signatures(y)
            self._below(y + 1.2, notes, details)
        else:
            sheet.text(RIGHT, BOTTOM + 2, f"{self.word('carried')} →", 7, align="right", grey=FAINT)

    def _facts(self) -> list[tuple[str, str, float]]:
        data = self.data
        date = "" if data["date"] is None else written.date_text(data["date"], self.language)
        played = data["played"]
        games = str(played) if not self.blank else f"{played} / {played + self.blank}"
        scorer = f"{data['players'][data['scorer'] - 1]} ({self.word('seat')} {data['scorer']})"
        return [
            (self.word("date"), date, 32),
            (self.word("table"), str(data["table"]), 18),
            (self.word("round"), str(data["round"]), 18),
            (self.word("games"), games, 24),
            (self.word("scorer"), scorer, 86),
        ]

    def _heads(self, y: float) -> float:
        """The names; the bottom edge."""
        sheet, data = self.sheet, self.data
        high = _HEAD + (_SIGNS if self.signs else 0)
        sheet.fill(LEFT, y, RIGHT - LEFT, high, 0.92)
        sheet.text(LEFT + _NUMBER / 2, y + high - 1.8, self.word("number_short"), 6.5, bold=True, align="centre")
        for group in self.groups:
            middle = group.x + group.width / 2
            if group.seat is None:
                words = data["columns"][group.first]
                left = group.kinds[0] == "game"
                place = group.x + 1.6 if left else middle
                sheet.lines(
                    place, y + high / 2, words, group.width - 2, (7.5, 6.6, 5.8), 12, bold=True, middle=True,
                    align="left" if left else "centre",
                )  # fmt: skip
                continue
            sheet.text(middle, y + 2.9, f"{self.word('seat')} {group.seat}", 6, align="centre", grey=FAINT)
            name = data["players"][group.seat - 1]
            sizes = (9.5, 8.5, 7.5, 6.5, 5.6)
            sheet.lines(middle, y + 8, name, group.width - 2, sizes, 9, bold=True, align="centre", middle=True)
            for place, kind in enumerate(group.kinds if self.signs else ()):
                sign = {"plus": "+", "minus": "−"}[kind]
                x = group.x + group.cell * (place + 0.5)
                sheet.text(x, y + high - 1.3, sign, 10, bold=True, align="centre")
        if self.signs:
            for group in self.at.values():
                sheet.line(group.x, y + _HEAD, group.x + group.width, y + _HEAD, 0.25, 0.4)
        return y + high

    def _figure(self, x: float, y: float, high: float, words: object, size: float, **how: Any) -> None:
        """A number in the middle of its cell."""
        size = min(size, 2.3 * high)
        self.sheet.text(x, y + high / 2 + 0.36 * size / MM, _printed(words), size, align="centre", **how)

    def _row(self, y: float, high: float, number: int) -> None:
        sheet, data = self.sheet, self.data
        row, cells = data["rows"][number], data["lines"][number]
        self._figure(LEFT + _NUMBER / 2, y, high, row["game"], 8)
        for group in self.groups:
            for place, kind in enumerate(group.kinds):
                cell = cells[group.first + place]
                x = group.x + group.cell * (place + 0.5)
                if kind == "game":
                    words = str(cell) + (f" ({self.word('open')})" if row["open"] else "")
                    room = group.width - 2.4 - (_SIGNED if row["leave"] else 0)
                    sizes = (8, 7, 6.2, 5.6, 5)
                    sheet.lines(group.x + 1.6, y + high / 2, words, room, sizes, high - 0.3, middle=True)
                    if row["leave"]:  # the direction signs its note at the game itself (schaffkopf III 3.1)
                        sheet.line(RIGHT - _SIGNED + 5, y + high - 1, RIGHT - 1.5, y + high - 1, 0.4)
                        label = self.word("direction_short")
                        sheet.text(RIGHT - _SIGNED + 4.5, y + high - 1.2, label, 5.6, align="right", grey=FAINT)
                elif kind == "total":
                    scored = row["score"][str(group.seat)] != 0
                    self._figure(x + 1.5, y, high, cell, 10.5, bold=scored, grey=0.0 if scored else 0.4)
                elif group.seat is not None:
                    self._figure(x + (2.0 if place == 0 else 0.0), y, high, cell, 9.5)
                else:
                    shown = cell.replace(" ", ", ") if kind == "winners" else cell
                    self._figure(x, y, high, shown, 9)
        tight = self.signs
        sheet.dot(self.at[row["dealer"]].x + (1.3 if tight else 1.9), y + high / 2, 0.6 if tight else 0.75)
        if row["alone"] is not None:
            aside, size = (3.7, 4.4) if tight else (5.0, 5.6)
            sheet.badge(self.at[row["alone"]].x + aside, y + high / 2, _MARKS[row["solo"]], min(size, 1.45 * high))
        if row["struck"]:
            sheet.line(LEFT + 1, y + high / 2, self.groups[-1].x - 1, y + high / 2, 0.7)

    def _carried(self, y: float, start: int, high: float) -> float:
        """The line with the totals of the page before."""
        sheet, rows = self.sheet, self.data["rows"][:start]
        for group in self.groups:
            for place, kind in enumerate(group.kinds):
                x = group.x + group.cell * (place + 0.5)
                if group.seat is None:
                    if kind == "game":
                        sheet.text(group.x + 1.6, y + high - 1.4, self.word("carried"), 8, bold=True)
                    continue
                scores = [row["score"][str(group.seat)] for row in rows]
                sign = {"total": 0, "plus": 1, "minus": -1}[kind]
                carried = sum(abs(score) if sign else score for score in scores if score * sign > 0 or not sign)
                self._figure(x + (0 if sign else 1.5), y, high, carried, 9.5, bold=True)
        y += high
        sheet.line(LEFT, y, RIGHT, y, 0.8)
        return y

    def _not_played(self, top: float, bottom: float) -> None:
        """Rows that nobody may fill in any more are crossed out, as book-keepers do."""
        sheet, first = self.sheet, self.groups[0].x
        sheet.line(first, top + 1, RIGHT, top + 1, 0.7)
        sheet.line(RIGHT, top + 1, first, bottom - 1, 0.7)
        sheet.line(first, bottom - 1, RIGHT, bottom - 1, 0.7)

    def _foot(self, y: float) -> float:
        """Sums and results; the bottom edge."""
        sheet = self.sheet
        sheet.line(LEFT, y, RIGHT, y, 1.1)
        for label, cells in self.data["foot"]:
            sheet.fill(LEFT, y + 0.2, RIGHT - LEFT, _FOOT - 0.2, 0.92)
            last = self.groups[-1]
            short = len(label) < 3
            if short:
                self._figure(LEFT + _NUMBER / 2, y, _FOOT, label, 10, bold=True)
            else:
                base = y + _FOOT / 2 + 0.36 * 8.5 / MM
                sheet.text(last.x + 1.6, base, label, 8.5, bold=True, room=last.width - 2.4)
            for group in self.groups[:-1]:
                own = cells[group.first : group.first + len(group.kinds)]
                if group.seat is not None and len(own) > 1 and own[1] == "":  # one field for both columns
                    self._figure(group.x + group.width / 2, y, _FOOT, own[0], 11.5, bold=True)
                    continue
                for place, cell in enumerate(own):
                    nudge = 1.5 if group.kinds[place] == "total" else 0.0
                    x = group.x + group.cell * (place + 0.5)
                    self._figure(x + nudge, y, _FOOT, cell, 11.5 if nudge else 10, bold=True)
                    if place:
                        sheet.line(group.x + group.cell * place, y, group.x + group.cell * place, y + _FOOT, 0.25, 0.4)
            y += _FOOT
            sheet.line(LEFT, y, RIGHT, y, 0.5)
        return y

    def _verticals(self, top: float, body: float, bottom: float) -> None:
        sheet = self.sheet
        rows = bottom - len(self.data["foot"]) * _FOOT
        for number, group in enumerate(self.groups):
            strong = group.seat is not None or (number and self.groups[number - 1].seat is not None)
            sheet.line(group.x, top, group.x, bottom, 0.6 if strong else 0.25, 0.0 if strong else 0.4)
            for place in range(1, len(group.kinds)):
                x = group.x + group.cell * place
                sheet.line(x, body - _SIGNS, x, rows, 0.25, 0.4)
        sheet.line(LEFT, body, RIGHT, body, 0.8)
        sheet.frame(LEFT, top, RIGHT - LEFT, bottom - top, 1.0)

    def _signatures(self, y: float) -> float:
        """A field under each player's columns, and one for the direction; the bottom edge."""
        sheet, data = self.sheet, self.data
        fields = [(group.x, group.width, group.seat) for group in self.at.values()]
        end = fields[-1][0] + fields[-1][1]
        fields.append((end, RIGHT - end, None))
        for x, wide, seat in fields:
            label = self.word("direction" if seat is None else "signature")
            sheet.text(x + 1.4, y + 2.7, label, 5.6, grey=FAINT)
            sheet.line(x, y, x, y + _SIGNATURES, 0.4)
            if seat is None:
                if data["closed"]:
                    sheet.text(x + 1.4, y + _SIGNATURES - 1.4, self.word("closed"), 6.4)
            elif data["signatures"][str(seat)]:
                time = data["signed_at"][str(seat)]
                code = "signed_plain" if time is None else "signed_at"
                words = self.word(code, time="" if time is None else written.time_text(time))
                sheet.text(x + wide / 2, y + _SIGNATURES - 1.4, f"✓ {words}", 6.4, align="centre", room=wide - 2)
        sheet.frame(LEFT, y, RIGHT - LEFT, _SIGNATURES, 0.8)
        return y + _SIGNATURES

    def _below(self, y: float, notes: Sequence[str], details: Sequence[tuple[str, bool]]) -> None:
        sheet = self.sheet
        y += _LINE - 0.6
        self._legend(y)
        y += _LINE
        for line in notes:
            sheet.text(LEFT, y, line, _NOTE)
            y += _LINE
        for line, sign in details:
            sheet.text(LEFT, y, line.removeprefix(_BOLD), _NOTE, bold=line.startswith(_BOLD))
            if sign:
                label = self.word("initials")
                sheet.line(RIGHT - 20, y + 0.5, RIGHT, y + 0.5, 0.4)
                sheet.text(RIGHT - 21, y, label, 5.8, grey=FAINT, align="right")
            y += _LINE

    def _legend(self, y: float) -> None:
        """What the marks mean: the dealer's, and those of solos that occur."""
        sheet, x = self.sheet, LEFT + 1
        sheet.dot(x, y - 0.9, 0.75)
        x += 1.8
        x += sheet.text(x, y, self.word("mark_dealer"), 6.8, grey=0.25) + 4
        used = {row["solo"] for row in self.data["rows"] if row["solo"]}
        for solo, letter in _MARKS.items():
            if solo in used:
                x += sheet.badge(x + 0.4, y - 0.9, letter, 4.8)
                x += sheet.text(x, y, self.word(f"mark_{solo}"), 6.8, grey=0.25) + 4
