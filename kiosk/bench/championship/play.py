"""Simulate what is played at a table: the same events in the table's process, on paper and where they are checked."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kiosk.demo.doppelkopf import DoppelkopfPeople
from kiosk.demo.people import Habits
from kiosk.demo.round_script import play_round
from kiosk.demo.schafkopf import SchafkopfPeople
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.listing import ListRow
from kiosk.table.events.codec import decode, encode
from kiosk.table.round.fold import fold, open_round
from kiosk.table.scoresheet.rows import rows

Event = dict[str, Any]

_HABITS = Habits(shorten=0.4)


def played(opening: Mapping[str, Any]) -> list[Event]:
    """Return the events of the round that begins so, from ``open`` to ``close``."""
    body = {key: value for key, value in opening.items() if key != "at"}
    habits = Habits() if body.get("options", {}).get("games") == 1 else _HABITS  # then what happens is in this game
    people = SchafkopfPeople if BOOKS[body["rules"]].classes else DoppelkopfPeople
    return list(play_round(people(body, 1000 * body["round"] + body["table"], None, habits)))


def simulated(folder: Path, number: int) -> Path:
    """Return the file into which a device's people write what they will play in a round."""
    return folder / f"simulated-{number}.jsonl"


def done_at_table(events: list[Event]) -> list[Event]:
    """Return what of it people do at a table: where somebody is vorgeführt nobody is asked (eppstein 3.2.3)."""
    round_, done = open_round(decode(events[0])), events[:1]
    for event in events[1:]:
        if event["event"] != "call" or round_.must_play is None:
            done.append(encode(decode(event)))
        round_ = round_.apply(decode(event))
    return done


def rows_of(events: list[Event]) -> tuple[ListRow, ...]:
    """Return the rows of the list that comes of these events."""
    return rows(fold([decode(event) for event in events]))
