"""Format the list as text for a terminal and as CSV for a spreadsheet, both from ``list_data`` alone."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from kiosk.language import Language
from kiosk.language.rules import section_word
from kiosk.language.scoresheet import list_word
from kiosk.language.table import word
from kiosk.rules.engine.values import MISREAD

Data: TypeAlias = Mapping[str, Any]


def as_text(data: Data) -> str:
    """Format the list as a page of text: the book's own columns with a row per game, sums, checks, other notes."""
    language: Language = data["language"]
    heads = [list_word("number", language), list_word("dealer", language), *data["columns"]]
    body = [
        [str(row["game"]) + marks(row), dealer_name(data, row), *map(str, line)]
        for row, line in zip(data["rows"], data["lines"], strict=True)
    ]
    foot = [["", label, *map(str, cells)] for label, cells in data["foot"]]
    widths = [max(len(line[i]) for line in [heads, *body, *foot]) for i in range(len(heads))]
    ruler = "  ".join("-" * width for width in widths)

    def shown(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if i in (1, len(widths) - 1) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    lines = [data["title"], heading(data), "", shown(heads), ruler, *map(shown, body), ruler, *map(shown, foot), ""]
    lines += [f"{name}: {result}" for name, result, _ in checks(data)]
    lines += state(data)
    lines += [ruling_line(data, ruling) for ruling in data["rulings"]]
    for offence in data["offences"]:
        event, proved = offence["event"], offence["proved"]
        seen = list_word("line" if event == proved else "lines", language, event=event, proved=proved)
        lines.append(f"{offence_line(data, offence, section_word(offence['section'], language))}; {seen}")
    signed = [_name(data, int(seat)) for seat, done in data["signatures"].items() if done]
    missing = [_name(data, int(seat)) for seat, done in data["signatures"].items() if not done]
    lines.append(f"{list_word('signed', language)}: {', '.join(signed) or list_word('nobody', language)}")
    if signed and missing:
        lines.append(f"{list_word('not_signed', language)}: {', '.join(missing)}")
    return "\n".join(lines) + "\n"


def as_csv(data: Data) -> str:
    """Format the list as CSV with semicolons, as spreadsheets in Germany open it: a row per game, then the sums."""
    language: Language = data["language"]
    out = io.StringIO()
    write = csv.writer(out, delimiter=";", lineterminator="\r\n").writerow
    write([list_word("number", language), list_word("dealer", language), *map(cell, data["columns"])])
    for row, line in zip(data["rows"], data["lines"], strict=True):
        write([f"{row['game']}{marks(row)}", cell(dealer_name(data, row)), *map(cell, line)])
    for label, cells in data["foot"]:
        write(["", label, *map(cell, cells)])
    for line in [*corrected(data), *mended(data)]:
        write(["", cell(line)])
    return out.getvalue()


def cell(value: object) -> object:
    """Format a value so that a spreadsheet does not take it for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value


def heading(data: Data) -> str:
    """Format the heading: ``Herbstturnier, Runde 1, Tisch 7, 21.11.2026``."""
    language: Language = data["language"]
    parts = [data["tournament"]] if data["tournament"] else []
    parts += [f"{list_word('round', language)} {data['round']}", f"{list_word('table', language)} {data['table']}"]
    return ", ".join(parts + ([date_text(data["date"], language)] if data["date"] is not None else []))


def date_text(ms: int, language: Language) -> str:
    """Format the day by the machine's clock: ``21.11.2026``; English ``2026-11-21``."""
    return f"{datetime.fromtimestamp(ms / 1000):{'%d.%m.%Y' if language == 'de' else '%Y-%m-%d'}}"


def time_text(ms: int) -> str:
    """Format the time of day by the machine's clock: ``21:43``."""
    return f"{datetime.fromtimestamp(ms / 1000):%H:%M}"


def dealer_name(data: Data, row: Mapping[str, Any]) -> str:
    """Return the dealer of that game by the name of who sat there then."""
    return _name(data, row["dealer"], row["game"])


def checks(data: Data) -> list[tuple[str, str, bool]]:
    """Format the book's own checks: subject, section, result, and whether it is right."""
    language: Language = data["language"]
    found = []
    for check in data["checks"]:
        code = {"winners": "winners_marked"}.get(check["check"], check["check"])
        if check["ok"]:
            result = list_word("ok", language)
            if check["check"] == "even_odd" and len(data["players"]) > 4:
                result = list_word("not_asked", language)
            if check.get("excused"):
                result += f" ({list_word('excused', language, games=_numbers(check['excused']))})"
        elif check.get("games"):
            result = list_word("wrong_in", language, games=_numbers(check["games"]))
        else:
            result = list_word("wrong", language)
        found.append(
            (f"{list_word(code, language)} ({section_number(check['section'], data['rules'])})", result, check["ok"])
        )
    return found


def state(data: Data) -> list[str]:
    """Format the state of the list, a line each: games left, Nachspielzeit, cash, the day's ranking."""
    language: Language = data["language"]
    lines = []
    if data["games_left"]:
        one, more = ("one_missing", "games_missing") if data["closed"] else ("one_left", "games_left")
        code = one if data["games_left"] == 1 else more
        lines.append(list_word(code, language, number=data["games_left"]))
    for change in data["changes"]:
        fill = {"game": change["games"] + 1, "came": change["came"], "left": change["left"], "seat": change["seat"]}
        lines.append(list_word("changed", language, **fill))
    substitutes = [_name(data, seat) for seat in data["substitutes"]]
    if substitutes:
        lines.append(list_word("substitutes", language, names=", ".join(substitutes)))
    owing = [_name(data, int(seat)) for seat, left in data["duties_left"].items() if left]
    if owing:
        lines.append(list_word("duties_left", language, names=", ".join(owing)))
    if data["bock_left"]:
        code = "one_bock" if data["bock_left"] == 1 else "bock_left"
        lines.append(list_word(code, language, number=data["bock_left"]))
    lines += corrected(data)
    lines += mended(data)
    if data["time_up"]:
        lines.append(list_word("time_up", language))
    if data["extra_minutes"]:
        lines.append(_extra(data["extra_minutes"], language))
    paid = money(data, data["fines"])
    if paid:
        lines.append(list_word("fines", language, paid=paid))
    if data.get("ranking") and data["rows"]:
        places = ", ".join(f"{one['place']}. {_name(data, one['seat'])} {one['points']}" for one in data["ranking"])
        lines.append(list_word("ranking", language, places=places))
    return lines


def corrected(data: Data) -> list[str]:
    """Format how often something said was put right, and in which games: ``Richtiggestellt: 2 (Spiel 3, 5)``.

    Behind it, that a list which was changed after it was signed is to be signed anew.
    """
    language: Language = data["language"]
    again = "not_signed_anew" if data["closed"] else "sign_anew"
    return [*_corrections(data, language), *([list_word(again, language)] if data["sign_anew"] else [])]


def _corrections(data: Data, language: Language) -> list[str]:
    if not data["corrections"]:
        return []
    games = sorted({one["game"] for one in data["corrections"] if one["game"] is not None})
    within = f" ({list_word('number', language)} {_numbers(games)})" if games else ""
    return [list_word("corrected", language, number=len(data["corrections"])) + within]


def check_line(one: Mapping[str, Any], players: Sequence[str], language: Language) -> str:
    """Format what is strange in a row that is typed in: ``Quersumme null (7.3)``."""
    if one["check"] in ("due", "duty"):
        return list_word(f"doubt_{one['check']}", language, name=players[one["seat"] - 1])
    code = {"winners": "winners_marked"}.get(one["check"], one["check"])
    return f"{list_word(code, language)} ({section_number(one['section'])}): {list_word('wrong', language)}"


def marks(row: Mapping[str, Any]) -> str:
    """Format the footnotes at a row: ``*1 *2``; empty where nothing was put right."""
    return " ".join(f"*{mark}" for mark in row["marks"])


def mended(data: Data) -> list[str]:
    """Format what the direction has put right of the list, a footnote each, and that it was kept on paper."""
    language: Language = data["language"]
    lines = [mend_line(data, one) for one in data["mended"]]
    return [*lines, list_word("on_paper", language)] if data["paper"] else lines


def mend_line(data: Data, one: Mapping[str, Any]) -> str:
    """Format a Berichtigung as a footnote: ``*1 Spiel 3: Punkte Anna +2 → +3; verrechnet (8.2.2), Eva``."""
    return footnote(one) + _mend_words(data, one)


def footnote(one: Mapping[str, Any]) -> str:
    """Format the mark of a footnote: ``*1 ``; of a Berichtigung that does not count any more there is none."""
    return f"*{one['mark']} " if one["mark"] is not None else ""


def mended_line(players: Sequence[str], one: Mapping[str, Any], language: Language, rules: str) -> str:
    """Format a Berichtigung for those at the table: ``Spiel 3: Punkte Anna +2 → +3; verrechnet (8.2.2), Eva``.

    :param rules: the list's book.
    """
    return _mend_words({"players": players, "changes": (), "language": language, "rules": rules}, one)


def _mend_words(data: Data, one: Mapping[str, Any]) -> str:
    language: Language = data["language"]
    what, before, after = one["what"], one["before"], one["after"]
    if what in ("points", "strike"):
        changed = [seat for seat in before if after is None or before[seat] != after[seat]]
        before = ", ".join(f"{_name(data, int(seat))} {signed(before[seat])}" for seat in changed)
        after = "" if after is None else ", ".join(f"{_name(data, int(s))} {signed(after[s])}" for s in changed)
    elif what == "row":
        score = after["score"]
        after = ", ".join(f"{_name(data, int(seat))} {signed(points)}" for seat, points in score.items() if points)
    elif what == "seats":
        before, after = ", ".join(before), ", ".join(after)
    elif what == "penalty":
        before, after = _name(data, one["seat"]), signed(after)
    section = f" ({section_number(one['section'], data['rules'])})" if one["section"] else ""
    by = f", {one['actor']}" if one["actor"] else ""
    if one["mark"] is None:
        by += f"; {list_word('mend_lapsed', language)}"
    if one["late"]:
        by += f", {list_word('mend_late', language)}"
    if one["found"] is not None:
        found = ", ".join(f"{_name(data, int(seat))} {signed(points)}" for seat, points in one["found"].items())
        by += f"; {list_word('mend_found', language, found=found)}"
    told = list_word(f"mend_{what}", language, before=before, after=after)
    return f"{_of_game(data, one['game'])}{told}; {one['reason']}{section}{by}"


def _extra(minutes: float, language: Language) -> str:
    return list_word("extra_one" if minutes == 1 else "extra", language, minutes=_pointed(f"{minutes:g}", language))


def _pointed(number: str, language: Language) -> str:
    """A number with what the language has before tenths."""
    return number.replace(".", ",") if language == "de" else number


def ruling_line(data: Data, ruling: Mapping[str, Any]) -> str:
    """Format a ruling: ``Spiel 3: Cem, Nicht bedient (4.2.4), schwerwiegender Verstoß, Strafpunkte Cem −12 …``."""
    language: Language = data["language"]
    parts = [] if ruling["offender"] is None else [_name(data, ruling["offender"], ruling["game"])]
    if ruling["code"]:
        section = f" ({section_number(ruling['section'], data['rules'])})" if ruling["section"] else ""
        parts.append(word(ruling["code"], language) + section)
    if ruling["game"] is not None:
        parts.append(list_word(f"class_{ruling['class']}", language))
    if ruling["scores"]:
        points = ", ".join(
            f"{_name(data, int(seat), ruling['game'])} {signed(number)}" for seat, number in ruling["scores"].items()
        )
        parts.append(list_word("penalty", language, points=points))
    paid = money(data, ruling["fines"])
    if paid:
        parts.append(paid)
    if ruling["minutes"]:
        parts.append(_extra(ruling["minutes"], language))
    if ruling["why"]:
        parts.append(str(ruling["why"]))
    return _of_game(data, ruling["game"]) + ", ".join(parts)


def offence_line(data: Data, offence: Mapping[str, Any], section: str) -> str:
    """Format a breach: ``Spiel 3: Cem, Nicht bedient (4.2.4)``."""
    language: Language = data["language"]
    name, code = _name(data, offence["seat"], offence["game"]), word(offence["code"], language)
    return f"{_of_game(data, offence['game'])}{name}, {code}" + (f" ({section})" if section else "")


def money(data: Data, euros: Mapping[str, float]) -> str:
    """Format payments: ``Cem zahlt 3 €, Dora erhält 1 €``; empty if nobody pays."""
    said = []
    for seat, amount in euros.items():
        if amount:
            number = f"{abs(amount):g}" if amount == int(amount) else f"{abs(amount):.2f}"
            code, language = "pays" if amount > 0 else "gets", data["language"]
            said.append(list_word(code, language, name=_name(data, int(seat)), euros=_pointed(number, language)))
    return ", ".join(said)


def breaches(data: Data) -> list[Mapping[str, Any]]:
    """List the offences that people have committed: an impossible card was misread."""
    return [offence for offence in data["offences"] if offence["code"] != MISREAD]


def signed(number: int) -> str:
    """Format a number with its sign, as printed: ``+3``, ``−12``."""
    return f"{number:+d}".replace("-", "−")


def section_number(section: str, rules: str = "") -> str:
    """Shorten ``eppstein 6.3.5`` to ``6.3.5``: on its own list a book need not be named; others in a club's own are.

    :param rules: the list's book, a club's own with the digits of its content.
    """
    book, _, number = section.partition(" ")
    club, _, digits = rules.partition(".")
    return section if not number or (digits and book != club) else number


def _of_game(data: Data, game: int | None) -> str:
    return "" if game is None else f"{list_word('number', data['language'])} {game}: "


def _name(data: Data, seat: int, game: int | None = None) -> str:
    left = (one["left"] for one in data["changes"] if game is not None and one["seat"] == seat and game <= one["games"])
    return str(next(left, data["players"][seat - 1]))


def _numbers(games: Iterable[int]) -> str:
    return ", ".join(map(str, games))
