"""Draws and prizes over the service: two directors at once, twice by mistake, latecomers, proof, undoing."""

import asyncio
import sys
from typing import Any

import httpx
import pytest

from kiosk.director.pages import drawing as drawing_page
from kiosk.director.pages.drawing import drawn
from kiosk.director.refusals import DirectorError
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.tournament.draws.draw import draw
from kiosk.tournament.draws.tables import NoDraw
from kiosk.tournament.draws.wish import COMPANY, Apart, Wish
from kiosk.tournament.people import Person
from kiosk.tournament.tournament import begin

pytestmark = pytest.mark.slow

NAMES = [f"P{i:02}" for i in range(12)]


@pytest.fixture
def page(tmp_path):
    people = [Person(name=name) for name in NAMES]
    settings = Settings(
        tournament="t",
        database=f"sqlite:///{tmp_path / 'd.sqlite'}",
        port=0,
        pin="2468",
        begins=begin("t", rules="eppstein", rounds=3, people=people),
    )
    with Service(settings) as service, httpx.Client(base_url=service.url, timeout=60) as client:
        assert client.post("/api/login", json={"pin": "2468"}).status_code == 200
        yield client


def note(page: httpx.Client, **wish: Any) -> httpx.Response:
    return page.post("/api/t/notes", json=wish)


def plan(page: httpx.Client, round_: int = 1) -> dict[str, Any]:
    return dict(page.get("/api/t/setup").json()["plans"].get(str(round_), {}))


def seated(page: httpx.Client, round_: int = 1) -> list[str]:
    return sorted(name for names in plan(page, round_)["seats"].values() for name in names)


def test_who_draws_what_somebody_else_has_drawn_meanwhile_is_told(page):
    assert note(page, note="draw", round=1, seen=-1).is_success
    first = plan(page)
    again = note(page, note="draw", round=1, seen=-1)  # the same button pressed twice, or a second director
    assert again.json()["code"] == "drawn_meanwhile" and plan(page) == first
    assert note(page, note="draw", round=1, seen=first["changed"]).is_success
    swap = {"note": "swap", "round": 1, "one": "P00", "other": "P01"}
    assert page.post("/api/t/notes", json=swap).is_success
    assert note(page, note="draw", round=1, seen=first["changed"]).json()["code"] == "drawn_meanwhile"


def test_new_company_is_drawn_proved_and_taken_back(page):
    note(page, note="enter", names=["Q1", "Q2", "Q3", "Q4"])  # sixteen need not meet again: the search ends at once
    note(page, note="draw", round=1, seed="1")
    assert page.post("/api/t/notes", json={
        "note": "seat_wishes", "apart": [{"names": NAMES[:2], "must": True}], "fixed": [{"name": "P05", "table": 2}],
    }).is_success  # fmt: skip
    number = note(page, note="draw", round=2, kind="company", seed="7").json()["number"]
    second = plan(page, 2)
    assert (second["kind"], second["seed"], second["together"]) == ("company", "7", [])
    assert (
        second["met_again"] == []
        and "P05" in second["seats"]["2"]
        and not any({*NAMES[:2]} <= {*names} for names in second["seats"].values())
    )
    proof = page.get(f"/api/t/draws/{number}").json()
    assert proof["proved"] and proof["wish"]["seed"] == "7" and proof["seats"] == second["seats"]
    assert page.get("/api/t/draws/999").json()["code"] == "no_note"
    assert page.post("/api/t/undo", json={"number": number, "why": "zu früh"}).is_success
    assert plan(page, 2) == {} and plan(page, 1)
    assert page.get(f"/api/t/draws/{number}").json()["proved"]  # what was drawn once can still be proved


def test_people_come_and_leave_after_the_draw(page):
    note(page, note="draw", round=1)
    note(page, note="publish", round=1)
    before = plan(page)["seats"]
    note(page, note="enter", names=["Neu"])
    assert plan(page)["unseated"] == ["Neu"]
    assert note(page, note="reseat", round=1).is_success
    assert seated(page) == sorted([*NAMES, "Neu"])
    assert sum(names == plan(page)["seats"][table] for table, names in before.items()) == 2  # two tables of three stay
    assert note(page, note="reseat", round=1).json()["code"] == "nobody_new"
    note(page, note="gone", name="Neu")
    assert note(page, note="reseat", round=1).is_success and plan(page)["seats"] == before


def test_a_programme_is_drawn_by_its_kinds(page):
    rounds = [{"kind": "lot"}, {"kind": "company", "rules": "bsv"}, {"kind": "final", "finalists": 4}]
    assert note(page, note="programme", rounds=rounds).is_success
    for number in (1, 2):
        assert note(page, note="draw", round=number).is_success
    assert plan(page, 2)["kind"] == "company" and plan(page, 2)["met_again"] != []  # three tables: some must meet
    assert note(page, note="draw", round=3).json()["code"] == "no_standing"
    assert page.get("/api/t/setup").json()["by_round"]["2"]["rules"] == "bsv"


def test_prizes_cannot_be_given_before_the_end(page):
    assert note(page, note="purse", fee=1000, prizes=[{"place": 1, "share": 5000}]).is_success
    assert page.post("/api/t/award", json={}).json()["code"] == "not_final"
    told = page.get("/api/t/prizes.json").json()
    assert (told["fee"], told["payers"], told["given"]) == (1000, 0, None)
    note(page, note="check_in", name="P00")
    assert page.get("/api/t/prizes.json").json()["unpaid"] == ["P00"]
    assert page.get("/api/t/receipts.pdf").content.startswith(b"%PDF")
    assert page.get("/api/t/receipts.pdf?name=P11").json()["code"] == "no_receipt"
    with httpx.Client(base_url=page.base_url) as stranger:
        assert stranger.get("/api/t/prizes.json").status_code == 403
        assert stranger.post("/api/t/award", json={}).status_code == 403


def test_a_series_is_named_on_the_page(page):
    assert page.get("/series.json").json() == []
    assert page.post("/api/t/series", json={"name": "Saison 2026/27", "best": 2}).is_success
    assert page.get("/series.json").json() == ["Saison 2026/27"]
    told = page.get("/series/Saison%202026%2F27.json").json()
    assert (told["best"], [one["tournament"] for one in told["evenings"]]) == (2, ["t"])
    assert page.get("/series/Saison%202026%2F27.pdf").content.startswith(b"%PDF")
    assert page.get("/series/none.json").status_code == 404
    assert page.post("/api/t/series", json={"name": ""}).is_success and page.get("/series.json").json() == []


def wish(**more: Any) -> Wish:
    return Wish(
        round=2, kind=COMPANY, seed="3", sizes=(4,) * 3, people=tuple(NAMES), earlier=(tuple(NAMES[:4]),), **more
    )


def test_the_process_draws_what_the_service_would():
    wanted = wish(apart=(Apart(names=("P00", "P04")),))
    assert asyncio.run(drawn(wanted)) == draw(wanted)
    with pytest.raises(NoDraw) as refused:
        asyncio.run(drawn(wish(apart=(Apart(names=tuple(NAMES[:4]), must=True),))))
    assert refused.value.code == "not_apart" and "P0" in refused.value.values["names"]


@pytest.mark.parametrize("end", ["dies", "hangs"])
def test_a_process_that_dies_or_hangs_draws_nothing(end, monkeypatch, tmp_path):
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\n" + ("exit 3\n" if end == "dies" else "exec sleep 600\n"))
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    monkeypatch.setattr(drawing_page, "LONGEST_S", 0.3 if end == "hangs" else 60.0)
    with pytest.raises(DirectorError, match="nothing was drawn"):
        asyncio.run(drawn(wish()))
