"""Print the Spielliste: one A4 page as a club hands it in, from ``list_data`` alone.

Rows become narrower the more there are. A list that has more than fit goes on to further pages with the totals carried
over; rulings and breaches that find no room are counted and referred to the table's list of events.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from kiosk.language.scoresheet import list_word
from kiosk.paper.list_grid import MEASURES, SOLO_MARKS, ListGrid
from kiosk.paper.sheet import BOTTOM_MM, FAINT_GREY, LEFT_MM, RIGHT_MM, PdfSheet
from kiosk.paper.type import clean, wrapped
from kiosk.table.scoresheet import written

Data: TypeAlias = Mapping[str, Any]

_BOLD = "\0"  # before a line of notes that is a heading


def list_pdf(lists: Sequence[Data]) -> bytes:
    """Make one PDF of the lists, each on a page of its own. The same lists give the same bytes.

    :param lists: what ``list_data`` gives, in the order of the pages.
    """
    first = lists[0]
    heads = {written.heading(data) for data in lists}
    title = f"{first['name']}: {written.heading(first)}" if len(heads) == 1 else _word(first, "lists")
    sheet = PdfSheet(title)
    for number, data in enumerate(lists):
        if number:
            sheet.new_page()
        _Page(sheet, data).draw()
    return sheet.finish()


def _word(data: Data, code: str, **fill: object) -> str:
    return list_word(code, data["language"], **fill)


class _Page(ListGrid):
    """One list with its notes and signatures, on one page or more."""

    # the plan

    def draw(self) -> None:
        """All pages of the list."""
        sheet, data = self.sheet, self.data
        notes = self._notes()
        head = 38.5 + MEASURES.head_height + (MEASURES.signs_height if self.signs else 0)
        foot = len(data["foot"]) * MEASURES.foot_height + MEASURES.signatures_height
        room = BOTTOM_MM - head - foot - 2.5
        spare = (
            room - len(notes) * MEASURES.note_line_height - self.many * MEASURES.row_height_with_notes
        ) / MEASURES.note_line_height
        shown = self._details(int(spare))
        below = (len(notes) + len(shown)) * MEASURES.note_line_height
        high = min(MEASURES.row_height_most, (room - below) / max(1, self.many))
        if high >= MEASURES.row_height_least:
            self._part(1, 1, slice(0, self.many), high, notes, shown)
            return
        whole = int(
            (BOTTOM_MM - head - MEASURES.row_height_with_notes) / MEASURES.row_height_with_notes
        )  # rows of a page that is full of them, one line carried over
        last = int((room - below - MEASURES.row_height_with_notes) / MEASURES.row_height_with_notes)
        pages = 2
        while whole * (pages - 1) + last < self.many:
            pages += 1
        start = 0
        for page in range(1, pages + 1):
            left = self.many - start
            end = self.many if page == pages else start + min(whole, left - 1)
            self._part(page, pages, slice(start, end), MEASURES.row_height_with_notes, notes, shown)
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
            written.offence_line(data, one, written.section_number(one["section"], data["rules"]))
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
        room = RIGHT_MM - LEFT_MM - (MEASURES.initials_width if sign else 0)
        lines = wrapped(clean(written.ruling_line(self.data, ruling)), room, MEASURES.note_size_pt)
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
        return wrapped(re.sub(r"(?<!\w)-(?=\d)", "−", clean(words)), RIGHT_MM - LEFT_MM, MEASURES.note_size_pt)

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
                self._figure(LEFT_MM + MEASURES.number_width / 2, y, high, number + 1, 7.5, grey=0.55)
            y += high
            strong = (number + 1) % len(data["players"]) == 0
            sheet.line(LEFT_MM, y, RIGHT_MM, y, 0.5 if strong else 0.22, 0.0 if strong else 0.55)
        if data["closed"] and part.stop > len(data["rows"]):
            self._not_played(y - high * (part.stop - max(part.start, len(data["rows"]))), y)
        if page == pages:
            y = self._foot(y)
        self._verticals(top, body, y)
        if page == pages:
            y = self._signatures(y)
            self._below(y + 1.2, notes, details)
        else:
            sheet.text(RIGHT_MM, BOTTOM_MM + 2, f"{self.word('carried')} →", 7, align="right", grey=FAINT_GREY)

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

    def _signatures(self, y: float) -> float:
        """A field under each player's columns, and one for the direction; the bottom edge."""
        sheet, data = self.sheet, self.data
        fields = [(group.x, group.width, group.seat) for group in self.at.values()]
        end = fields[-1][0] + fields[-1][1]
        fields.append((end, RIGHT_MM - end, None))
        for x, wide, seat in fields:
            label = self.word("direction" if seat is None else "signature")
            sheet.text(x + 1.4, y + 2.7, label, 5.6, grey=FAINT_GREY)
            sheet.line(x, y, x, y + MEASURES.signatures_height, 0.4)
            if seat is None:
                if data["closed"]:
                    sheet.text(x + 1.4, y + MEASURES.signatures_height - 1.4, self.word("closed"), 6.4)
            elif data["signatures"][str(seat)]:
                time = data["signed_at"][str(seat)]
                code = "signed_plain" if time is None else "signed_at"
                words = self.word(code, time="" if time is None else written.time_text(time))
                sheet.text(
                    x + wide / 2, y + MEASURES.signatures_height - 1.4, f"✓ {words}", 6.4, align="centre", room=wide - 2
                )
        sheet.frame(LEFT_MM, y, RIGHT_MM - LEFT_MM, MEASURES.signatures_height, 0.8)
        return y + MEASURES.signatures_height

    def _below(self, y: float, notes: Sequence[str], details: Sequence[tuple[str, bool]]) -> None:
        sheet = self.sheet
        y += MEASURES.note_line_height - 0.6
        self._legend(y)
        y += MEASURES.note_line_height
        for line in notes:
            sheet.text(LEFT_MM, y, line, MEASURES.note_size_pt)
            y += MEASURES.note_line_height
        for line, sign in details:
            sheet.text(LEFT_MM, y, line.removeprefix(_BOLD), MEASURES.note_size_pt, bold=line.startswith(_BOLD))
            if sign:
                label = self.word("initials")
                sheet.line(RIGHT_MM - 20, y + 0.5, RIGHT_MM, y + 0.5, 0.4)
                sheet.text(RIGHT_MM - 21, y, label, 5.8, grey=FAINT_GREY, align="right")
            y += MEASURES.note_line_height

    def _legend(self, y: float) -> None:
        """What the marks mean: the dealer's, and those of solos that occur."""
        sheet, x = self.sheet, LEFT_MM + 1
        sheet.dot(x, y - 0.9, 0.75)
        x += 1.8
        x += sheet.text(x, y, self.word("mark_dealer"), 6.8, grey=0.25) + 4
        used = {row["solo"] for row in self.data["rows"] if row["solo"]}
        for solo, letter in SOLO_MARKS.items():
            if solo in used:
                x += sheet.badge(x + 0.4, y - 0.9, letter, 4.8)
                x += sheet.text(x, y, self.word(f"mark_{solo}"), 6.8, grey=0.25) + 4
