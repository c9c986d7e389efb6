"""After the last card: the standing, prizes, the cash box, the backup and another director that is made of it."""

from typing import Any
from urllib.parse import quote

from playwright.sync_api import expect

from kiosk.bench.championship.hall import DESKTOP_PX, PASSWORDS, Championship
from kiosk.bench.championship.opening import Crew
from kiosk.bench.championship.page import Person
from kiosk.bench.championship.plan import NAME

STANDINGS = f"/api/{quote(NAME)}/standings.json"


def final_standing(hall: Championship, crew: Crew) -> bytes:
    """Look at the final standing and take it away as a page to print."""
    director = crew.director
    director.turn_to("Rangliste", "Seiten")
    director.page.locator(".standings").wait_for()
    expect(director.page.get_by_text("Vorläufig")).to_have_count(0)
    director.shot("50 final standing")
    crew.referee.turn_to("Rangliste", "Seiten")
    crew.referee.page.locator(".standings").wait_for()
    crew.referee.shot("50 final standing")
    pdf = director.download("PDF")
    (hall.folder / "standing.pdf").write_bytes(pdf)
    (hall.folder / "standing.csv").write_bytes(director.download("Tabelle (CSV)"))
    return pdf


def give_prizes(hall: Championship, crew: Crew) -> int:
    """Give the prizes and pay them out, until the box is closed; return how many payments it took."""
    director = crew.director
    director.turn_to("Preise", "Seiten")
    director.shot("51 prizes")
    director.press("Preise vergeben")
    director.answer("Preise vergeben", shot="52 give prizes")
    director.read("Vergeben. Auszahlen unter Kasse.")
    director.shot("53 given")
    director.turn_to("Kassenbuch")
    director.page.locator("h1", has_text="Kassenbuch").wait_for()
    director.shot("54 cash")
    paid = 0
    pay = director.page.get_by_role("button", name="hat bezahlt", exact=True)
    pay.first.wait_for()
    while owed := pay.count():
        director.press("hat bezahlt")
        director.answer("hat bezahlt", shot="55 pay" if not paid else "")
        expect(pay).to_have_count(owed - 1, timeout=60_000)
        paid += 1
    director.shot("56 all is paid")
    crew.desk.turn_to("Kasse", "Seiten")
    crew.desk.page.locator("h1", has_text="Kassenbuch").wait_for()
    crew.desk.shot("56 all is paid")
    director.turn_to("Preise", "Seiten")
    director.read("Alles bezahlt und ausgezahlt: die Kasse stimmt auf den Cent.")
    director.shot("57 box closed")
    crew.desk.turn_to("Preise", "Seiten")
    crew.desk.page.locator("h2", has_text="Kasse").wait_for()
    crew.desk.shot("57 box closed")
    hall.log(f"prizes given and paid out: {paid} payments")
    return paid


def save_all(hall: Championship, director: Person) -> Any:
    """Save everything, start a director of another machine with it, and return that one's standing."""
    director.turn_to("Zugang")
    director.page.get_by_role("link", name="Alles sichern (ZIP)").wait_for()
    director.shot("58 record")
    with director.page.expect_download() as download:
        director.page.get_by_role("link", name="Alles sichern (ZIP)").click()
    backup = hall.folder / "backup.zip"
    download.value.save_as(backup)
    other = hall.start_director(hall.folder / "other-director", 0, "--restore", str(backup))
    try:
        again = hall.person("other-director", DESKTOP_PX, other.url)
        again.log_in("Turnierleitung", PASSWORDS["Turnierleitung"])
        again.turn_to("Rangliste", "Seiten")
        again.page.locator(".standings").wait_for()
        again.shot("59 another director")
        told = again.ask(STANDINGS)
        again.page.close()
    finally:
        other.stop()
    hall.log("saved, and put back into another director")
    return told
