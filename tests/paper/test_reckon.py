"""``standings``, ``cash`` and ``year`` as a treasurer calls them: what they print, and what they refuse."""

import csv
import io
import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from kiosk.cli import main
from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.standings import draw
from kiosk.table.events.codec import parse
from kiosk.table.round.fold import fold

pytestmark = pytest.mark.slow

PEOPLE = ("Anna", "Bernd", "Cem", "Dora", "Emil", "Fritz", "Gerd", "Hanna")
EVENING = datetime(2026, 11, 20, 19, 30)


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: object) -> tuple[int, str, str]:
        status = main([str(one) for one in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def write(
    folder: Path,
    rules: str,
    number: int = 1,
    table: int = 1,
    at: datetime | None = None,
    close: bool = True,
    players: tuple[str, ...] | None = None,
    rulings: tuple[dict[str, Any], ...] = (),
) -> Path:
    """A round's event file."""
    events = list(simulate(rules, 10 * number + table, table=table, round_number=number, games=2))
    events = [event for event in events if event["event"] not in ("sign", "close", "time_up")]
    seated = PEOPLE if number == 1 else PEOPLE[::2] + PEOPLE[1::2]
    events[0]["players"] = list(players or seated[4 * table - 4 : 4 * table])
    for event in events:
        event.pop("at", None)
    if at is not None:
        events[0]["at"] = round(at.timestamp() * 1000)
    events += [{"event": "rule", **ruling} for ruling in rulings]
    events += [{"event": "close"}] if close else []
    path = folder / f"{rules}-{number}-{table}-{at.strftime('%d') if at else ''}.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return path


def totals(*paths: Path) -> dict[str, int]:
    sums: dict[str, int] = {}
    for path in paths:
        played = fold(parse(line) for line in path.read_text(encoding="utf-8").splitlines())
        for seat, points in played.totals.items():
            name = played.players[seat - 1]
            sums[name] = sums.get(name, 0) + points
    return sums


class TestStandings:
    @pytest.mark.parametrize("rules", BOOKS)
    def test_sums_of_both_rounds(self, rules: str, tmp_path: Path, said: Any) -> None:
        files = [write(tmp_path, rules, number, table) for number in (1, 2) for table in (1, 2)]
        status, out, err = said("standings", *files, "--json")
        data = json.loads(out)
        assert (status, err) == (0, "") and data["final"] == (rules != "durchgaenge")  # a third is to come (1a)
        assert {one["name"]: one["points"] for one in data["places"]} == totals(*files)
        places = [one["place"] for one in data["places"]]
        assert places == sorted(places)
        status, text, _ = said("standings", *files, "--rounds", 2)
        assert all(f" {name} " in text for name in PEOPLE) and "Vorläufig" not in text
        there = tmp_path / "standing.csv"
        assert said("standings", *files, "--csv", there, "--language", "en") == (0, f"{there}\n", "")
        rows = list(csv.DictReader(io.StringIO(there.read_text("utf-8-sig")), delimiter=";"))
        assert {row["Name"]: int(row["Points"]) for row in rows} == totals(*files)
        assert all(int(row["Round 1"]) + int(row["Round 2"]) == int(row["Points"]) for row in rows)

    def test_provisional(self, tmp_path: Path, said: Any) -> None:
        first, running = write(tmp_path, "bsv"), write(tmp_path, "bsv", table=2, close=False)
        assert "Vorläufig: Liste noch nicht abgegeben: Runde 1 Tisch 2." in said("standings", first, running)[1]
        assert "Vorläufig: es fehlen noch Runden." in said("standings", first, "--rounds", 2)[1]

    def test_a_substitute_came(self, tmp_path: Path, said: Any) -> None:
        """schaffkopf III 1.3: known from the table's own events."""
        path = write(tmp_path, "schaffkopf", close=False)
        path.write_text(
            path.read_text() + '{"event": "substitute", "seat": 2, "player": "Xaver"}\n{"event": "close"}\n'
        )
        data = json.loads(said("standings", path, "--rounds", 1, "--json")[1])
        assert {one["name"]: one["out"] for one in data["places"] if one["out"]} == {
            "Xaver": "substitute",
            "Bernd": "left",
        }

    def test_the_lot_and_who_has_no_place(self, tmp_path: Path, said: Any) -> None:
        """schaffkopf III 2.6, 1.3: nobody has won anything yet, so everybody is equal."""
        path = tmp_path / "one.jsonl"
        path.write_text(
            '{"event": "open", "format": 1, "rules": "schaffkopf", "round": 1, "table": 1, '
            '"players": ["Anna", "Bernd", "Cem", "Dora"]}\n{"event": "close"}\n',
            encoding="utf-8",
        )
        text = said("standings", path)[1]
        assert "Das Los muss entscheiden zwischen Anna, Bernd, Cem, Dora." in text
        assert "gewonnene Alleinspiele" in text and "III 2.6" in text
        text = said("standings", path, "--lot", "Cem,Anna", "--substitute", "Dora", "--left", "Bernd")[1]
        lines = [line.split()[:2] for line in text.splitlines()[5:9]]
        assert lines == [["1", "Cem"], ["2", "Anna"], ["–", "Bernd"], ["–", "Dora"]]
        assert "Ersatzspieler" in text and "hat nicht zu Ende gespielt" in text and "Los muss" not in text
        drawn = json.loads(said("standings", path, "--draw", "Glück", "--json")[1])
        assert tuple(one["name"] for one in drawn["places"]) == draw(PEOPLE[:4], "Glück")
        assert drawn["columns"] == ["games_won", "alleinspiele_won", "lot"] and drawn["to_draw"] == []

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["{bsv}", "{none}"], ["none.jsonl", "cannot read"]),
            (["{bsv}", "{eppstein}"], ["bsv", "eppstein", "one book"]),
            (["{bsv}", "{broken}"], ["broken.jsonl", "line 0"]),
            (["{bsv}", "{cut}"], ["cut.jsonl", "is cut off", "whole file"]),
            (["{bsv}", "{bsv2}"], ["on several lists", "round 1", "tables 1, 2"]),
            (["{bsv}", "--substitute", "Zoe"], ["--substitute", "'Zoe'", "Anna, Bernd, Cem, Dora"]),
            (["{bsv}", "--left", "Zoe"], ["--left", "'Zoe'"]),
            (["{bsv}", "--draw", "1"], ["bsv draws no lot", "share a place", "--equal lot"]),
            (["{schaffkopf}", "--equal", "lot"], ["schaffkopf III 2.6", "--equal lot"]),
            (["{bsv}", "--equal", "lot", "--lot", "Anna,Zoe"], ["'Zoe'"]),
            (["{schaffkopf}", "--lot", "Anna,Zoe"], ["'Zoe'", "--lot Anna,Bernd"]),
            (["{schaffkopf}", "--lot", "Anna,Anna"], ["Anna,Anna"]),
        ],
    )
    def test_refused(self, arguments: list[str], words: list[str], tmp_path: Path, said: Any) -> None:
        (tmp_path / "broken.jsonl").write_text("{}\n", encoding="utf-8")
        paths = {name: str(write(tmp_path, name)) for name in ("bsv", "eppstein", "schaffkopf")}
        paths["bsv2"] = str(write(tmp_path, "bsv", table=2, players=PEOPLE[:4]))
        paths |= {name: str(tmp_path / f"{name}.jsonl") for name in ("none", "broken", "cut")}
        Path(paths["cut"]).write_bytes(Path(paths["bsv"]).read_bytes()[:-9])
        status, out, err = said("standings", *(one.format(**paths) for one in arguments))
        assert (status, out) == (2, "") and err.startswith("stichwart: ")
        for word in words:
            assert word in err


class TestCash:
    def test_an_evening(self, tmp_path: Path, said: Any) -> None:
        rulings = ({"class": "none", "offender": None, "fines": {"2": 1.5, "1": -1}},)
        path = write(tmp_path, "schnittchen", at=EVENING, rulings=rulings)
        arguments = ("cash", path, "--start", "19:30", "--checkin", "Cem=19.41", "--checkin", "Dora=19:34:59")
        text = said(*arguments)[1]
        assert re.search(r"^20\.11\. 19:41 +Cem +Kasse +11 Minuten zu spät +20,00 € +20,00 €$", text, re.M)
        assert "Die Kasse nimmt im Ganzen 20,50 € ein; bisher hat sie 0,00 € eingenommen." in text
        data = json.loads(said(*arguments, "--json")[1])
        assert data["open"] == [
            {"payer": "Cem", "payee": None, "cents": 2000},
            {"payer": "Bernd", "payee": "Anna", "cents": 100},
            {"payer": "Bernd", "payee": None, "cents": 50},
        ]
        assert data["balance"] == 2150
        assert [one["name"] for one in data["people"]] == ["Anna", "Bernd", "Cem"]
        said(*arguments, "--csv", tmp_path / "cash.csv")
        assert ";20,00;" in (tmp_path / "cash.csv").read_text("utf-8-sig")
        assert "Keine Buchung." in said("cash", write(tmp_path, "schnittchen", table=2))[1]

    def test_past_midnight(self, tmp_path: Path, said: Any) -> None:
        path = write(tmp_path, "schnittchen", at=datetime(2026, 11, 21, 0, 20))
        data = json.loads(said("cash", path, "--start", "23:50", "--checkin", "Anna=00:10", "--json")[1])
        assert [one["minutes"] for one in data["entries"]] == [20]

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["{bsv}"], ["bsv knows no fines", "schnittchen"]),
            (["{dated}", "--checkin", "Anna=20:00"], ["--checkin needs --start"]),
            (["{dated}", "--start", "19:30", "--checkin", "Zoe=20:00"], ["'Zoe'", "Anna"]),
            (["{dated}", "{next}", "--start", "19:30", "--checkin", "Anna=20:00"], ["2 days", "one evening"]),
            (["{schnittchen}", "--start", "19:30", "--checkin", "Anna=20:00"], ["no event has a time", '"at"']),
            (["{dated}", "{next}", "{dated}"], ["is the list of", "once more", "give each list once"]),
        ],
    )
    def test_refused(self, arguments: list[str], words: list[str], tmp_path: Path, said: Any) -> None:
        paths = {name: str(write(tmp_path, name)) for name in ("bsv", "schnittchen")}
        paths["dated"] = str(write(tmp_path, "schnittchen", at=EVENING))
        paths["next"] = str(write(tmp_path, "schnittchen", at=EVENING.replace(day=21)))
        status, out, err = said("cash", *(one.format(**paths) for one in arguments))
        assert (status, out) == (2, "") and err.startswith("stichwart: ")
        for word in words:
            assert word in err

    @pytest.mark.parametrize("given", [["--start", "half past"], ["--start", "25:00"], ["--checkin", "19:30"]])
    def test_no_time(self, given: list[str], said: Any, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            said("cash", "x.jsonl", *given)
        assert given[1] in capsys.readouterr().err


class TestYear:
    def test_days_and_year(self, tmp_path: Path, said: Any) -> None:
        """Past midnight it is still the evening before; another year's evenings are apart."""
        first = write(tmp_path, "schnittchen", at=EVENING)
        late_ = write(tmp_path, "schnittchen", number=2, at=datetime(2026, 11, 21, 1, 15), players=PEOPLE[:4])
        second = write(tmp_path, "schnittchen", table=2, at=datetime(2026, 12, 4, 20), players=PEOPLE[2:6])
        other = write(tmp_path, "schnittchen", number=3, at=datetime(2027, 1, 8, 20), players=PEOPLE[:4])
        files = (other, second, first, late_)
        both = [json.loads(line) for line in said("year", *files, "--json")[1].splitlines()]
        assert [(one["year"], [day["day"] for day in one["days"]]) for one in both] == [
            (2026, ["2026-11-20", "2026-12-04"]),
            (2027, ["2027-01-08"]),
        ]
        sums = totals(first, late_, second)
        assert {one["name"]: one["points"] for one in both[0]["places"]} == sums
        day = totals(first, late_)
        assert both[0]["days"][0]["first"] == sorted(name for name in day if day[name] == max(day.values()))
        text = said("year", *files, "--year", 2026)[1]
        assert "Jahreswertung 2026" in text and "2027" not in text
        assert "Pokal Tageswertung 20.11.2026: " in text
        said("year", *files, "--year", 2026, "--csv", tmp_path / "year.csv")
        heads = (tmp_path / "year.csv").read_text("utf-8-sig").splitlines()[0]
        assert heads == "Platz;Name;20.11.;04.12.;Punkte"
        status, _, err = said("year", *files, "--pdf", tmp_path / "year.pdf")
        assert status == 2 and "2 years" in err and "--year" in err

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["{eppstein}"], ["eppstein knows no ranking of a year", "schnittchen"]),
            (["{schnittchen}"], ["no event has a time"]),
            (["{dated}", "--year", "1999"], ["1999", "2026"]),
            (["{dated}", "{dated}"], ["give each list once"]),
        ],
    )
    def test_refused(self, arguments: list[str], words: list[str], tmp_path: Path, said: Any) -> None:
        paths = {name: str(write(tmp_path, name)) for name in ("eppstein", "schnittchen")}
        paths["dated"] = str(write(tmp_path, "schnittchen", at=EVENING))
        status, out, err = said("year", *(one.format(**paths) for one in arguments))
        assert (status, out) == (2, "") and err.startswith("stichwart: ")
        for word in words:
            assert word in err
