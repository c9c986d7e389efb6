"""What the tables took, to be taken away: games, minutes, minutes a game."""

import csv
import threading

import httpx
import pytest

from kiosk.director.pages import tallies
from kiosk.director.tables.copies import Copies
from tests.director.full_hall import NAME, PIN, evening, hall


@pytest.mark.slow
def test_the_tables_of_a_tournament_are_taken_away_as_json_and_csv(tmp_path):
    rounds, notes = evening()
    at = [{**event, "at": 1_795_186_800_000 + 1000 * number} for number, event in enumerate(rounds[0])]
    with (
        hall(tmp_path, [at, rounds[1]], notes) as service,
        httpx.Client(base_url=f"{service.url}/api/{NAME}", trust_env=False) as http,
    ):
        told = {one["table"]: one for one in http.get("/tables.json").json()}
        assert set(told) == {1, 2} and told[1]["closed"] and told[1]["rules"] == "schnittchen"
        first = told[1]
        assert abs(first["minutes_a_game"] - first["minutes"] / first["games"]) < 0.06
        wanted = f"{first['minutes_a_game']:.1f}"
        for language, shown, heading in (
            ("de", wanted.replace(".", ","), "Minuten je Spiel"),
            ("en", wanted, "Minutes a game"),
        ):
            text = http.get("/tables.csv", params={"language": language}).text.lstrip("\ufeff")
            heads, *lines = csv.reader(text.splitlines(), delimiter=";")
            assert dict(zip(heads, lines[0], strict=True))[heading] == shown and len(lines) == 2
        assert httpx.get(f"{service.url}/api/nobody/tables.json", trust_env=False).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("what", ["tables.json", "standings.json", "cash.json"])
def test_nothing_is_made_of_half_a_hall(tmp_path, monkeypatch, what):
    read, go_on = Copies._read_all, threading.Event()

    def held_up(*asked):
        assert go_on.wait(60)
        return read(*asked)

    rounds, notes = evening()
    monkeypatch.setattr(Copies, "_read_all", held_up)
    monkeypatch.setattr(tallies, "_PATIENCE_S", 0)
    with (
        hall(tmp_path, rounds, notes) as service,
        httpx.Client(base_url=service.url, trust_env=False, timeout=60) as http,
    ):
        assert http.post("/api/login", json={"pin": PIN}).status_code == 200
        asked = http.get(f"/api/{NAME}/{what}")
        assert (asked.status_code, asked.json()["error"]) == (503, "still_reading")
        monkeypatch.setattr(tallies, "_PATIENCE_S", 60)
        go_on.set()
        assert http.get(f"/api/{NAME}/{what}").status_code == 200
        assert all(desk.copy.count for desk in service.app.state.hall.desks)
