"""A round: drawn, sent, released, played, its lists on paper typed in."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from playwright.sync_api import expect

from kiosk.bench.championship.hall import Championship
from kiosk.bench.championship.opening import Crew
from kiosk.bench.championship.page import Person
from kiosk.bench.championship.plan import NAME
from kiosk.bench.championship.play import played, rows_of, simulated
from kiosk.rules.engine.listing import ListRow

HOW = {
    "duty": "Pflichtsolo",
    "lust": "Lustsolo",
    "solo": "Solo",
    "still": "stilles Solo",
    "hochzeit": "Hochzeit allein",
}


def draw(hall: Championship, crew: Crew, number: int, shot: str) -> None:
    """Draw the seats of a round and send them to the tables."""
    director = crew.director
    if number == 1:
        director.set_up("Plätze")
    else:  # the hall says what is next
        director.turn_to(f"Runde {number - 1}", "Seiten")
        director.page.get_by_role("link", name=f"Plätze der Runde {number} auslosen").click()
    director.page.get_by_role("button", name="Auslosen", exact=True).wait_for()
    fives = director.page.get_by_label("Fünfertische erlauben")
    if fives.count() and fives.is_checked():  # substitutes fill the tables of four
        fives.uncheck()
    director.press("Auslosen")
    director.press("An die Tische senden")
    director.read("Die Tische haben den Plan.")
    director.shot(f"{shot} places")
    crew.desk.set_up("Plätze")
    crew.desk.shot(f"{shot} places")
    hall.log(f"round {number} drawn and sent")


def release(hall: Championship, crew: Crew, number: int) -> None:
    """Release the round once all tables have sat down; those on paper begin by themselves."""
    director = crew.director
    director.turn_to(f"Runde {number}", "Seiten")
    no_device = director.page.locator(".card", has_text="kein Gerät")
    expect(no_device).to_have_count(hall.plan.tables - len(hall.tables), timeout=60_000)
    if not hall.tables:
        return
    waiting = director.page.locator(".card", has_text="nicht freigegeben")
    expect(waiting).to_have_count(len(hall.tables), timeout=120_000)
    director.press("Runde freigeben")
    director.answer("Runde freigeben", shot=f"{number}0 release")
    hall.log(f"round {number} released")


def seated(one: Person, number: int) -> Mapping[int, list[str]]:
    """Tables of a round and who sits there, as drawn."""
    plans = one.ask(f"/api/{quote(NAME)}/setup")["plans"]
    return {int(table): names for table, names in plans[str(number)]["seats"].items()}


def listed_rows(hall: Championship, one: Person, number: int, table: int) -> tuple[ListRow, ...]:
    """Return the rows that the list must come to: of what the people at the device play, or on paper."""
    files = [file for device in hall.devices if device.table == table
             and (file := simulated(device.folder, number)).exists()]  # fmt: skip
    if files:
        return rows_of([json.loads(line) for line in files[0].read_text().splitlines()])
    if (number, table) not in hall.notes.on_paper:
        hall.notes.on_paper[number, table] = rows_of(played(_opening(hall, one, number, table)))
    return hall.notes.on_paper[number, table]


def _opening(hall: Championship, one: Person, number: int, table: int) -> dict[str, Any]:
    """The opening of a list on paper: as the round's devices have it, with this table's people."""
    keys = ("event", "format", "rules", "options", "minutes")
    opening: dict[str, Any] = {"event": "open", "format": 1, **hall.plan.rules(number)}
    for of in sorted(hall.tables)[:1]:
        lines = one.context.request.get(f"{hall.url}/api/{quote(NAME)}/{number}/{of}/events.jsonl").text().splitlines()
        opening = json.loads(lines[0])
    return {
        **{key: value for key, value in opening.items() if key in keys},
        "table": table,
        "round": number,
        "players": seated(one, number)[table],
    }


def on_paper(hall: Championship, director: Person, typist: Person, number: int, *, rows: bool) -> None:
    """Type the lists of the tables without a device: by rows, or the result alone."""
    for table in hall.plan.on_paper:
        typist.go(f"{number}/{table}")
        typist.press("Auf Papier führen")
        listed = listed_rows(hall, director, number, table)
        if rows:
            type_rows(hall, typist, listed, f"{number}1 paper {table}", totals=table % 2 == 0)
        else:
            typist.press("Nur das Ergebnis")
            scores = dict(zip(seated(director, number)[table], listed[-1].total.values(), strict=True))
            typist.answer("Eintragen", {name: str(points) for name, points in scores.items()})
            hall.notes.results.add((number, table))
        close_list(typist, table, f"{number}2 paper {table}")
    hall.log(f"round {number}: {len(hall.plan.on_paper)} lists on paper typed in")


def type_rows(hall: Championship, typist: Person, listed: tuple[ListRow, ...], shot: str, *, totals: bool) -> None:
    """Type these rows, as running totals or as points of each game."""
    form = typist.page.locator("#paper-form")
    form.wait_for()
    typist.field("Punkte", form).select_option(
        label="fortlaufend, wie auf der Liste" if totals else "nur dieses Spiels"
    )
    for row in listed:
        expect(typist.field("Spiel", form)).to_have_value(str(row.game), timeout=60_000)
        points = row.total if totals else row.score
        for seat, value in points.items():
            form.locator(f"input[name=score{seat}]").fill(str(value))
        typist.field("Geber", form).select_option(str(row.dealer))
        if row.alone is not None and row.solo is not None:
            typist.field("Allein gespielt", form).select_option(str(row.alone))
            typist.field("Wie", form).select_option(label=HOW[row.solo])
            if row.solo in ("duty", "lust", "solo"):
                typist.field("Welches Solo", form).select_option(f"{row.kind} {row.suit or ''}")
        if row.game == 2:
            typist.page.locator("#paper-said").get_by_text("Summe").wait_for()
            typist.shot(shot)
        typist.press("Eintragen")
        typist.page.locator(f"tr[data-game='{row.game}']").wait_for()
        hall.notes.typed_rows += 1


def close_list(typist: Person, table: int, shot: str) -> None:
    """Close a list on paper, which all have signed."""
    typist.press("Liste abschließen")
    typist.answer("Liste abschließen")
    expect(typist.page.locator("#paper")).to_have_count(0, timeout=60_000)
    typist.shot(shot)


def look_around(hall: Championship, crew: Crew, shot: str) -> None:
    """Look at the hall and the standing at both widths, and at all that the beamer shows in turn."""
    for one in (crew.director, crew.referee):
        one.page.get_by_role("navigation", name="Seiten").get_by_role("link", name="Rangliste").click()
        one.page.locator("#main h1, #main h2").first.wait_for()
        one.page.wait_for_timeout(300)
        one.shot(f"{shot} standing")
        one.page.get_by_role("link", name="Stichwart").first.click()
        one.page.locator(".card").first.wait_for()
        one.shot(f"{shot} hall")
    beam(crew.beamer, shot)


def beam(beamer: Person, shot: str, most: int = 12) -> None:
    """Keep each picture that the beamer shows in turn."""
    seen: list[str] = []
    title = beamer.page.locator("#main h2, #main .notice, #main .nothing")
    for _ in range(most * 6):
        said = title.first.inner_text()
        if said not in seen:
            seen.append(said)
            beamer.shot(f"{shot} beamer {len(seen)}")
        elif said == seen[0] and len(seen) > 1:
            return
        beamer.page.wait_for_timeout(700)
