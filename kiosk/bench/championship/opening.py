"""Before the first card: accounts, devices, the book, the programme, the people, the entry desk."""

from dataclasses import dataclass

from playwright.sync_api import expect

from kiosk.bench.championship.hall import BEAMER_PX, DESKTOP_PX, PASSWORDS, TELEPHONE_PX, Championship
from kiosk.bench.championship.page import Person
from kiosk.bench.championship.plan import FEE_CENTS, GIFT_CENTS, NAME, PRIZES, RESERVE_PERCENT
from kiosk.bench.waiting import until
from kiosk.rules.books import BOOKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """Those at the pages."""

    director: Person
    referee: Person
    desk: Person
    beamer: Person


def gather(hall: Championship) -> Crew:
    """Make the first account with the code, one for each who helps, and open their pages."""
    director = hall.person("director", DESKTOP_PX)
    director.page.goto(hall.url)
    director.page.get_by_role("button", name="Einrichten").first.wait_for()
    director.shot("01 first start")
    director.press("Einrichten")
    until(lambda: hall.director.first_code, 30, "the code for the first account")
    password = "Neues Passwort oder PIN (mindestens 6 Zeichen)"
    director.answer(
        "Anlegen",
        {"Code": hall.director.first_code, "Name": "Turnierleitung", password: PASSWORDS["Turnierleitung"]},
        shot="02 first account",
    )
    director.turn_to("Zugang")
    for name in ("Schiedsrichter", "Anmeldung", "Zuschauer"):
        director.press("Konto anlegen")
        director.answer("Anlegen", {"Name": name, "Art": name, password: PASSWORDS[name]})
        expect(director.page.get_by_role("row").filter(has_text=name).first).to_be_visible()
    director.shot("03 accounts")
    beamer = hall.person("beamer", BEAMER_PX)
    beamer.page.goto(f"{hall.url}/beamer?seconds=3")
    beamer.page.wait_for_timeout(1500)
    beamer.shot("04 nobody has logged in")
    beamer.log_in("Zuschauer", PASSWORDS["Zuschauer"])
    beamer.page.goto(f"{hall.url}/beamer?seconds=3")
    referee, desk = hall.person("referee", TELEPHONE_PX), hall.person("desk", TELEPHONE_PX)
    referee.log_in("Schiedsrichter", PASSWORDS["Schiedsrichter"])
    desk.log_in("Anmeldung", PASSWORDS["Anmeldung"])
    return Crew(director=director, referee=referee, desk=desk, beamer=beamer)


def admit(hall: Championship, director: Person) -> None:
    """Switch all devices on, and admit each by the code that it shows."""
    for number in hall.plan.kiosks:
        hall.switch_on(number, f"table-{number:02}")
    if not hall.plan.kiosks:
        return
    director.turn_to("Zugang")
    for number in hall.plan.kiosks:
        admit_one(hall, director, number)
    director.page.get_by_text("in Ordnung").nth(len(hall.plan.kiosks) - 1).wait_for()
    director.shot("05 devices")
    hall.log(f"{len(hall.plan.kiosks)} devices admitted")


def admit_one(hall: Championship, director: Person, number: int, *, instead: bool = False) -> None:
    """Admit the device of a table; ``instead`` of one that is known under this number."""
    table = hall.tables[number]
    until(lambda: table.code, 600, f"table {number} shows a code")
    director.press("Gerät aufnehmen")
    fields = {"Code vom Tisch": table.code, "Nummer des Tisches": str(number)}
    if instead:
        director.fill(fields, director.dialog)
        director.dialog.get_by_role("button", name="Gerät aufnehmen", exact=True).click()
        director.dialog.get_by_text(f"Tisch {number} hat schon ein Gerät").wait_for()
        director.answer("Ersetzen", shot="36 replace a device")
    else:
        director.answer("Gerät aufnehmen", fields, shot="05a admit" if number == 1 else "")
    director.read(f"Tisch {number} ist aufgenommen.")


def set_up(hall: Championship, director: Person) -> None:
    """Choose the book, plan three rounds of two books, name fee and prizes."""
    plan = hall.plan
    director.set_up("Regelwerk")
    director.fill({"Nach welchem Buch wird gespielt?": BOOKS[plan.books[0]].title})
    director.page.locator("[data-option=games]").wait_for(state="attached")
    director.fill({"Runden": str(len(plan.books)), "Tag": "2026-11-21", "Beginn": "19:00"})
    if plan.games is not None:
        director.page.locator("#option-pflichtsoli").fill("0")
    director.shot("06 book")
    director.press("Speichern")
    director.read("Gespeichert. Tische, an denen noch niemand sitzt, haben es schon.")
    director.turn_to("Ablauf", "Turnier")
    kinds = ["Los", "neue Mitspieler", "nach Rangliste: 1–4, 5–8 …"]
    for number, book in enumerate(plan.books):
        group = director.page.get_by_role("group", name=f"Runde {number + 1}")
        wishes = {"Auslosung": kinds[number], "Beginn": f"{19 + number}:15"}
        if book != plan.books[0]:
            wishes["Buch"] = BOOKS[book].title
        if number:
            wishes["Pause davor (min)"] = "15"
        if plan.games is not None:
            wishes["Spiele"] = str(plan.games)
        director.fill(wishes, group)
    director.shot("07 programme")
    director.press("Speichern")
    director.read("Ablauf gespeichert.")
    director.turn_to("Preise")
    director.fill(
        {
            "Startgeld (€)": str(FEE_CENTS // 100),
            "dazu gegeben (€)": str(GIFT_CENTS // 100),
            "Rücklage (%)": str(RESERVE_PERCENT),
        }
    )
    director.page.locator("textarea[name=prizes]").fill(PRIZES)
    director.press("Speichern")
    director.read("Gespeichert.")
    director.shot("08 prizes")


def take_in(hall: Championship, director: Person) -> None:
    """Take the people in from a file, after the preview."""
    plan = hall.plan
    director.set_up("Leute")
    file = {"name": "anmeldungen.csv", "mimeType": "text/csv", "buffer": plan.csv()}
    director.page.locator("#people-file").set_input_files(file)  # type: ignore[arg-type]
    director.page.locator("#preview").wait_for()
    director.shot("09 preview")
    director.press(f"{len(plan.entrants)} übernehmen")
    director.read(f"Übernommen: {len(plan.entrants)}")
    director.shot("10 people")
    hall.log(f"{len(plan.entrants)} people taken in")


def check_in(hall: Championship, desk: Person) -> None:
    """Check everybody in at the telephone but who comes late, stays away, or is the last substitute."""
    plan = hall.plan
    late = {plan.latecomer, plan.stays_away, plan.substitutes[-1]}
    desk.set_up("Leute")
    field = desk.page.get_by_label("Name, Nummer oder Ausweis")
    by_hand = [one for one in plan.entrants if one.name not in late][:4]
    for one in by_hand:
        field.fill(str(one.number))
        field.press("Enter")
        desk.read(f"{one.name} ist da.")
    field.fill(plan.players[4].split()[0][:3])
    desk.shot("11 entry desk")
    field.fill("")
    desk.field("Zeigen").select_option(label="fehlen noch")
    desk.press("Auswählen")
    desk.press("Alle gezeigten")
    for name in sorted(late):
        desk.page.get_by_label(f"{name} auswählen").uncheck()
    desk.shot("12 many at once")
    missing = len(plan.entrants) - len(by_hand) - len(late)
    desk.press("Sind da")
    desk.read(f"{missing} sind jetzt da.")
    desk.press("Fertig")
    desk.read(f"{len(plan.players) - 2} da,")
    desk.field("Zeigen").select_option(label="sind da")
    desk.press("Auswählen")
    desk.press("Alle gezeigten")
    for name in plan.substitutes[:-1]:
        desk.page.get_by_label(f"{name} auswählen").uncheck()
    desk.press("Haben bezahlt")
    desk.read(f"Bezahlt: {len(plan.players) - 2}.")
    desk.press("Fertig")
    desk.field("Zeigen").select_option(label="alle")
    desk.shot("13 all are here")
    hall.log(f"checked in: all of {NAME} but {len(late)}")


def come_late(desk: Person, name: str, *, pays: bool) -> None:
    """Check somebody in who comes later, and take the fee."""
    desk.set_up("Leute")
    field = desk.page.get_by_label("Name, Nummer oder Ausweis")
    field.fill(name)
    field.press("Enter")
    desk.read(f"{name} ist da.")
    if pays:
        field.fill(name)
        desk.press(f"{name} ändern")
        desk.dialog.get_by_label("Startgeld bezahlt").check()
        desk.answer("Speichern", shot="26 somebody comes late")
        desk.read(f"{name} geändert.")
    field.fill("")
