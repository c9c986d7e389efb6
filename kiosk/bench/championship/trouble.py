"""What goes wrong in the second round and after it, and what the direction does about it."""

import os
import signal

from playwright.sync_api import expect

from kiosk.bench.championship import plan as who
from kiosk.bench.championship.hall import Championship, Correction
from kiosk.bench.championship.opening import Crew, admit_one, come_late
from kiosk.bench.championship.rounds import close_list, listed_rows, seated, type_rows
from kiosk.bench.championship.tables import command_all
from kiosk.bench.waiting import until
from kiosk.rules.books import BOOKS

#: What the referee writes down instead of the book's penalty, by seat.
RULED = {1: -6, 2: 2, 3: 2, 4: 2}
#: By how much the first game's points of an appeal are others than they were written.
APPEALED = {3: 4, 4: -4}


def lose_one(hall: Championship, crew: Crew, number: int) -> None:
    """Somebody leaves; a substitute who has just come goes on."""
    table, came = who.LOSES_ONE, hall.plan.substitutes[-1]
    come_late(crew.desk, came, pays=False)
    director = crew.director
    director.go(f"{number}/{table}")
    director.press("Spieler ersetzen")
    left = director.field("Wer hört auf?", director.dialog).locator("option").first.inner_text()
    director.answer("Spieler ersetzen", {"Wer hört auf?": left, "Wer kommt dafür?": came}, shot="22 substitute")
    director.read(f"{came} spielt für {left}.")
    expect(director.page.get_by_role("columnheader", name=came)).to_be_visible(timeout=60_000)
    director.shot("23 substituted")
    hall.notes.left.setdefault(number, []).append(left)
    hall.log(f"{left} leaves, {came} goes on")


def gone_home(crew: Crew, name: str) -> None:
    """See at the entry desk that who was replaced does not play on."""
    desk = crew.desk
    desk.set_up("Leute")
    desk.page.get_by_label("Name, Nummer oder Ausweis").fill(name)
    expect(desk.page.get_by_role("listitem").filter(has_text=name)).to_contain_text("ausgeschieden", timeout=60_000)
    desk.shot("39 gone")
    desk.page.get_by_label("Name, Nummer oder Ausweis").fill("")


def complain(hall: Championship, crew: Crew, number: int) -> None:
    """Somebody calls for the referee, who comes, listens and rules by telephone."""
    table, referee = who.COMPLAINS, crew.referee
    referee.go(str(number))
    hall.tables[table].command("object", 2, 1)
    hall.tables[table].command("play", number, *hall.plan.moments.ruled)
    card = (
        referee.page.locator(".todo").get_by_role("link").filter(has_text=f"Tisch {table}").filter(has_text="gerufen")
    )
    expect(card).to_be_visible(timeout=60_000)
    referee.shot("24 referee called")
    crew.director.turn_to(f"Runde {number}", "Seiten")
    crew.director.shot("24 referee called")
    card.click()
    referee.press("Entscheidung")
    referee.field("Einordnung", referee.dialog).select_option("custom")
    for seat, points in RULED.items():
        referee.dialog.locator(f"input[name=score{seat}]").fill(str(points))
    referee.answer("Entscheidung", {"Begründung (kann leer bleiben)": "Karten offen gehalten"}, shot="25 ruling")
    expect(referee.page.get_by_role("button", name="Weiterspielen lassen")).to_have_count(0, timeout=60_000)
    referee.shot("25b ruled")
    hall.notes.corrections += [Correction(round=number, table=table, seat=s, points=p) for s, p in RULED.items()]
    hall.hear("held", number, *hall.plan.moments.ruled, of=[table])
    hall.log(f"table {table}: the referee has ruled")


def director_dies(hall: Championship, crew: Crew, number: int) -> None:
    """The director's process is killed while all play, and started again later; the tables go on."""
    director, moments = crew.director, hall.plan.moments
    director.turn_to(f"Runde {number}", "Seiten")
    before = {one.table: len(one.said) for one in hall.all_tables()}
    command_all(hall.all_tables(), "play", number, *moments.killed)
    if hall.tables:
        until(lambda: any(len(one.said) > before[one.table] for one in hall.all_tables()), 600, "somebody plays on")
    hall.note_away(True)
    os.kill(hall.director.pid, signal.SIGKILL)
    hall.log("the director's process is killed")
    hall.hear("held", number, *moments.killed)
    hall.play_to(number, moments.away)
    director.read("Keine Verbindung zum Dienst der Turnierleitung.")
    for one in (director, crew.referee, crew.beamer):
        one.shot("28 director away")
    hall.director = hall.start_director(hall.folder / "director", hall.port)
    expect(director.page.locator("#broken")).to_be_hidden(timeout=60_000)
    for one in hall.people:
        expect(one.page.locator(".dot.on, .left").first).to_be_attached(timeout=60_000)
    connected = director.page.locator(".card .dot.on")
    expect(connected).to_have_count(len(hall.tables), timeout=120_000)
    hall.note_away(False)
    expect(director.page.locator(".card", has_text=f"Spiel {moments.away[0] + 1}")).to_have_count(
        len(hall.tables), timeout=60_000
    )
    director.shot("29 director back")
    hall.log("the director is back, all tables are connected and caught up")


def table_dies(hall: Championship, crew: Crew, number: int) -> None:
    """A device dies in the middle of a game; its list goes on on paper and is typed in."""
    number_of, director = who.DIES, crew.director
    device = hall.tables[number_of]
    hall.play_to(number, hall.plan.moments.dies, of=[number_of])
    device.kill()
    del hall.tables[number_of]
    hall.log(f"table {number_of}: its device is dead")
    director.go(f"{number}/{number_of}")
    director.read("nicht verbunden seit")
    director.shot("30 device dead")
    director.press("Auf Papier führen")
    listed = listed_rows(hall, director, number, number_of)
    type_rows(hall, director, listed[hall.plan.moments.dies[0] :], "31 goes on on paper", totals=True)
    close_list(director, number_of, "32 closed on paper")
    hall.log(f"table {number_of}: its list went on on paper")


def appeal(hall: Championship, crew: Crew, number: int) -> None:
    """Put the points of a game right after the list was handed in."""
    referee = crew.referee
    referee.go(f"{number}/{who.APPEALS}")
    referee.read("Liste abgegeben")
    referee.shot("33 handed in")
    referee.press("Berichtigen")
    referee.dialog.get_by_text("Punkte eines Spiels", exact=True).click()
    referee.shot("34 what is put right")
    referee.dialog.get_by_role("button", name="Weiter", exact=True).click()
    referee.dialog.locator("input[name=score1]").wait_for()
    for seat, points in APPEALED.items():
        field = referee.dialog.locator(f"input[name=score{seat}]")
        field.fill(str(int(field.input_value()) + points))
    book = BOOKS[hall.plan.books[number - 1]]
    section = book.cite(book.berichtigung["points"])
    fields = {"Grund": "Rechenfehler", "Abschnitt (leer: der des Regelwerks)": section}
    referee.answer("Berichtigen", fields, shot="34b points put right")
    referee.page.locator(".footnotes", has_text="Rechenfehler").wait_for()
    referee.shot("35 footnote")
    corrections = [Correction(round=number, table=who.APPEALS, seat=s, points=p) for s, p in APPEALED.items()]
    hall.notes.corrections += corrections
    hall.log(f"round {number}, table {who.APPEALS}: put right after it was handed in")


def disqualify(hall: Championship, crew: Crew, number: int) -> None:
    """Exclude somebody from the tournament."""
    director, table = crew.director, who.DISQUALIFIED_AT
    director.go(f"{number}/{table}")
    name = seated(director, number)[table][1]
    director.press("Berichtigen")
    director.dialog.get_by_text("Disqualifikation", exact=True).click()
    director.dialog.get_by_role("button", name="Weiter", exact=True).click()
    director.field("Wer", director.dialog).wait_for()
    director.answer("Berichtigen", {"Wer": name, "Grund": "hat den Schiedsrichter beschimpft"}, shot="37 disqualify")
    director.page.locator(".footnotes", has_text="beschimpft").wait_for()
    director.shot("38 disqualified")
    hall.notes.disqualified.append(name)
    hall.log(f"{name} is disqualified")


def spare_device(hall: Championship, crew: Crew) -> None:
    """Put a spare device where one has died."""
    hall.switch_on(who.DIES, f"spare-{who.DIES:02}")
    crew.director.turn_to("Zugang")
    admit_one(hall, crew.director, who.DIES, instead=True)
    hall.log(f"table {who.DIES} has a spare device")
