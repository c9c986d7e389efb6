"""What must hold after the championship: nothing lost, nothing twice, every sum what was played and noted."""

import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from kiosk.bench.championship.closing import STANDINGS
from kiosk.bench.championship.hall import Championship
from kiosk.bench.championship.opening import Crew
from kiosk.bench.championship.page import Person
from kiosk.bench.championship.plan import FEE_CENTS, GIFT_CENTS, NAME, RESERVE_PERCENT, Plan
from kiosk.bench.championship.rounds import listed_rows, seated

#: Events that a device noted in its last moment, and did not send any more, at most.
LAST_MOMENT = 5

#: Lines of a log that say that something is broken.
_BROKEN = re.compile(r"Traceback|^(ERROR|CRITICAL)|Exception|Task exception", re.MULTILINE)


def lists_are_the_same(hall: Championship, director: Person) -> tuple[int, list[str]]:
    """Compare each list at the director with its device's, event by event; return how many events there are."""
    events, wrong = dict[tuple[int, int], int](), []
    for device in hall.devices:
        for number, own in device.lists().items():
            where = f"/api/{quote(NAME)}/{number}/{device.table}/events.jsonl"
            held = [json.loads(line) for line in director.context.request.get(hall.url + where).text().splitlines()]
            dead = device.table not in hall.tables or hall.tables[device.table] is not device
            unsent = LAST_MOMENT if dead else 0
            if own[: len(held)] != held or len(own) - len(held) > unsent:
                wrong.append(f"round {number}, table {device.table}: {len(own)} events, the director has {len(held)}")
            events[number, device.table] = len(held)
    return sum(events.values()), wrong


def expected(hall: Championship, director: Person) -> dict[str, int]:
    """Sum up for everybody what was simulated, and what was noted beside it."""
    plan, notes, points = hall.plan, hall.notes, defaultdict[str, int](int)
    for number in range(1, len(plan.books) + 1):
        seats = seated(director, number)
        for table in range(1, plan.tables + 1):
            totals = listed_rows(hall, director, number, table)[-1].total
            for seat, name in enumerate(seats[table], 1):
                beside = sum(
                    one.points for one in notes.corrections if (one.round, one.table, one.seat) == (number, table, seat)
                )
                if name not in notes.left.get(number, ()):
                    points[name] += totals[seat] + beside
    return points


def wrong_places(plan: Plan, told: Any, points: dict[str, int], disqualified: Sequence[str]) -> Iterator[str]:
    """Compare the standing with the sums, and see who has a place."""
    places = {one["name"]: one for one in told["places"]}
    if not told["final"]:
        yield f"the standing is not final: {told['not_closed']}"
    ranked = {name: points[name] for name in plan.players if name in points and name not in disqualified}
    for name, sum_ in points.items():
        if name not in places:
            yield f"{name} is not in the standing"
        elif name in ranked and places[name]["points"] != sum_:
            yield f"{name}: {places[name]['points']} points, played and noted were {sum_}"
        elif name in ranked and places[name]["place"] != 1 + sum(other > sum_ for other in ranked.values()):
            yield f"{name}: place {places[name]['place']} is not that of {sum_} points"
    for name in [*disqualified, *plan.substitutes]:
        if name in places and places[name]["place"] is not None:
            yield f"{name} has a place"
    if plan.stays_away in places:
        yield f"{plan.stays_away} never came and is in the standing"


def cash_adds_up(hall: Championship, director: Person, told: Any) -> Iterator[str]:
    """What came in was given out or kept, to the cent, and nobody owes anything."""
    prizes = director.ask(f"/api/{quote(NAME)}/prizes.json")
    payers = len(hall.plan.players) - 1
    income = payers * FEE_CENTS + GIFT_CENTS
    reserve = income * RESERVE_PERCENT // 100
    given = prizes["given"]
    if (given["income"], given["reserve"]) != (income, reserve):
        yield f"income and reserve {given['income']}, {given['reserve']} cents; fees and gift make {income}, {reserve}"
    out = sum(one["cents"] for one in given["awards"])
    if out + given["reserve"] + given["rest"] != income:
        yield f"{out} cents of prizes, {given['reserve']} reserve and {given['rest']} rest are not {income}"
    first = [one for one in told["places"] if one["place"] == 1]
    if len(first) == 1 and next(one["cents"] for one in given["awards"] if one["place"] == 1) != income * 35 // 100:
        yield "the first prize is not 35 % of the income"
    cash = director.ask(f"/api/{quote(NAME)}/cash.json?language=de")
    if cash["open"] or not prizes["closed"]:
        yield f"the box is not closed: {cash['open']}"
    fees = sum(one["cents"] for one in cash["entries"] if one["kind"] == "paid" and one["payee"] is None)
    paid_out = sum(one["cents"] for one in cash["entries"] if one["kind"] == "paid" and one["payer"] is None)
    if fees - paid_out != income - GIFT_CENTS - out:
        yield f"{fees} cents came into the box and {paid_out} went out; {income - GIFT_CENTS} and {out} were due"


def logs_are_clean(hall: Championship) -> Iterator[str]:
    """No process has failed."""
    for log in [hall.folder / "director.log", *(device.log for device in hall.devices)]:
        text = log.read_text()
        for found in _BROKEN.finditer(text):
            line = text[found.start() :].splitlines()[0]
            if "no deck" not in line:
                yield f"{log.parent.name}/{log.name}: {line}"
    for device in hall.devices:
        for said in device.said:
            if said[0] == "stuck":
                yield f"table {device.table}: {said}"


def pdf_names(pdf: bytes) -> bool:
    """Whether this is a PDF with pages."""
    return pdf.startswith(b"%PDF") and b"/Page" in io.BytesIO(pdf).getvalue()


def all_of_it(hall: Championship, crew: Crew, pdf: bytes, restored: Any) -> int:
    """Check everything, add what is wrong to the faults, and return how many events the director holds."""
    director = crew.director
    for device in hall.devices:
        device.stop()
    events, wrong = lists_are_the_same(hall, director)
    told = director.ask(STANDINGS)
    hall.faults += wrong
    hall.faults += wrong_places(hall.plan, told, expected(hall, director), hall.notes.disqualified)
    hall.faults += cash_adds_up(hall, director, told)
    if not pdf_names(pdf):
        hall.faults.append("the standing's PDF is none")
    if restored != told:
        hall.faults.append("the restored director tells another standing")
    hall.faults += logs_are_clean(hall)
    return events
