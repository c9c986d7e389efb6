"""Print receipts: what somebody paid and got, three on a page, each with a line for both signatures."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from kiosk.language import Language
from kiosk.language.cash import cash_word
from kiosk.paper.sheet import FAINT_GREY, LEFT_MM, RIGHT_MM, PdfSheet
from kiosk.rules.engine.money import euros_text
from kiosk.tournament.cash import PAID, time_text

#: Height of one receipt, and how many lines of it are shown; more are summed up.
_HIGH_MM, _MOST_LINES = 92.0, 7


def receipts_pdf(
    book: Mapping[str, Any], given: Mapping[str, Any], people: Sequence[str], language: Language = "de"
) -> bytes:
    """Print a receipt for each of ``people``, from the cash book (``tally.cash``) and the prizes given.

    Payments alone are receipted: who has not paid, or was not paid yet, gets none for that.
    """
    sheet = PdfSheet(cash_word("receipt", language), book["tournament"])
    printed = 0
    for name in people:
        lines = _lines(book, given, name, language)
        if not lines:
            continue
        if printed and printed % 3 == 0:
            sheet.new_page()
        _receipt(sheet, 13.0 + printed % 3 * _HIGH_MM, book["tournament"], name, lines, language)
        printed += 1
    if not printed:
        sheet.paragraph(20, cash_word("no_receipts", language))
    return sheet.finish()


def _lines(
    book: Mapping[str, Any], given: Mapping[str, Any], name: str, language: Language
) -> list[tuple[str, str, str]]:
    """When, what for, how much: received by the club or by the person."""
    paid = [one for one in book["entries"] if one["kind"] == PAID and name in (one["payer"], one["payee"])]
    lines = []
    for one in paid[-_MOST_LINES:]:
        code = "paid_in" if one["payer"] == name else "paid_out"
        other = one["payee"] if one["payer"] == name else one["payer"]
        what = cash_word(code, language, who=other or cash_word("club", language))
        lines.append((time_text(one["at"]), what, euros_text(one["cents"], language)))
    own = [one for one in (given.get("given") or {}).get("awards", ()) if one["name"] == name]
    lines += [
        ("", cash_word("thing_got", language, thing=thing, place=one["place"]), "")
        for one in own
        for thing in one["things"]
    ]
    if len(paid) > _MOST_LINES:
        earlier = sum(one["cents"] if one["payer"] == name else -one["cents"] for one in paid[:-_MOST_LINES])
        lines.insert(0, ("", cash_word("earlier", language), euros_text(earlier, language)))
    return lines


def _receipt(
    sheet: PdfSheet, top: float, tournament: str, name: str, lines: Sequence[tuple[str, str, str]], language: Language
) -> None:
    sheet.text(LEFT_MM, top + 6, cash_word("receipt", language), 13, bold=True)
    day = datetime.now().astimezone().strftime("%d.%m.%Y")
    sheet.text(RIGHT_MM, top + 6, f"{tournament}, {day}", 9, align="right", room=110)
    sheet.text(LEFT_MM, top + 14, name, 11, bold=True)
    y = top + 22
    for when, what, amount in lines:
        sheet.text(LEFT_MM, y, when, 9)
        sheet.text(LEFT_MM + 26, y, what, 9, room=110)
        sheet.text(RIGHT_MM, y, amount, 9, bold=True, align="right")
        y += 5.5
    sheet.line(LEFT_MM, top + 78, LEFT_MM + 70, top + 78)
    sheet.text(LEFT_MM, top + 81, cash_word("treasurer", language), 6.5, grey=FAINT_GREY)
    sheet.line(RIGHT_MM - 70, top + 78, RIGHT_MM, top + 78)
    sheet.text(RIGHT_MM - 70, top + 81, name, 6.5, grey=FAINT_GREY)
