"""Make the files that people take away of a round: its list as PDF and CSV, and its events."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kiosk.language import Language, say
from kiosk.table.evenings import RoundKey, evening_text, parts
from kiosk.table.events.codec import decode
from kiosk.table.events.jsonl import as_jsonl
from kiosk.table.events.log import Body
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.berichtigung import ListNote, counted
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import as_csv

#: Signs that no file may have in its name on a stick's file system.
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


@dataclass(frozen=True, slots=True)
class TakenRound:
    """A round with its events as they were when people asked."""

    key: RoundKey
    events: Sequence[Body]
    notes: Sequence[ListNote] = ()  # the direction's, on this list


def files_of(rounds: Sequence[TakenRound], language: Language) -> Iterator[tuple[str, bytes]]:
    """Make path and content of each file: three a round, and of several rounds one PDF with all lists."""
    from kiosk.paper.spielliste import list_pdf  # needs fonts, which no table at work loads before it has to

    lists = []
    for one in rounds:
        data: dict[str, Any] = list_data(counted(fold(map(decode, one.events)), one.notes), language)
        if data["tournament"]:
            data["tournament"] = evening_text(data["tournament"], language)
        lists.append(data)
        name = f"{folder_of(one.key.evening)}/{_round_name(one.key, language)}"
        yield f"{name}.pdf", list_pdf([data])
        yield f"{name}.csv", b"\xef\xbb\xbf" + as_csv(data).encode()
        yield f"{name}.jsonl", as_jsonl(one.events).encode()
    if len(lists) > 1:
        yield f"{folder_of(rounds[0].key.evening)}/{say('evening', 'file_all', language)}.pdf", list_pdf(lists)


def how_many(rounds: Sequence[TakenRound]) -> int:
    """Count the files of so many rounds."""
    return 3 * len(rounds) + (len(rounds) > 1)


def folder_of(evening: str) -> str:
    """Name the folder of an evening; the day comes first, so that folders are in order."""
    day, name = parts(evening)
    words = [day.isoformat()] if day is not None else []
    return _safe(" ".join([*words, name]).strip()) or "Stichwart"


def _round_name(key: RoundKey, language: Language) -> str:
    return _safe(say("evening", "file_round", language, table=key.table, round=key.round))


def _safe(name: str) -> str:
    """The name without signs that FAT and Windows forbid; they take no dot and no blank at its end either."""
    return _FORBIDDEN.sub("-", name).rstrip(". ")
