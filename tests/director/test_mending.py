"""Lists put right, lists on paper and undoing at the service: who may, what is refused, where it is seen."""

import io
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from websockets.sync.client import connect

from kiosk.director.serve import Service
from tests.director.test_tally import NAME, PEOPLE, Direction, played, run

pytestmark = pytest.mark.slow

CLOSE = {"event": "close", "at": 1_790_000_900_000}


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Direction]:
    with run(tmp_path, rules="bsv") as service:
        direction = Direction(service)
        direction.send([*played("bsv"), CLOSE])
        yield direction


def mend(hall: Direction, what: str, table: int = 1, **wish: Any) -> httpx.Response:
    seen = hall.get(f"/api/{NAME}/1/{table}/mending")["seen"]
    return hall.post(f"/api/{NAME}/1/{table}/mend", what=what, **{"reason": "verrechnet", "seen": seen, **wish})


def score(*points: int) -> dict[str, int]:
    return {str(seat): number for seat, number in enumerate(points, start=1)}


def points(hall: Direction) -> dict[str, int]:
    return {one["name"]: one["points"] for one in hall.get(f"/api/{NAME}/standings.json")["places"]}


def sheet(hall: Direction, table: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Card and sheet of a table as a page gets them."""
    with connect(hall.service.url.replace("http", "ws") + "/live") as page:
        page.send(json.dumps({"tournament": NAME, "round": 1, "table": table}))
        while True:
            said = json.loads(page.recv(10))
            if "sheet" in said:  # the hall came before, the same for all pages
                return next(one for one in said["cards"] if one["table"] == table), said["sheet"]


def test_a_list_that_was_handed_in_is_put_right_everywhere_and_undone(hall: Direction) -> None:
    before = points(hall)
    events = hall.http.get(f"/api/{NAME}/1/1/events.jsonl").text
    old = hall.get(f"/api/{NAME}/1/1/mending")["rows"][0]["score"]
    answer = mend(hall, "points", game=1, after=score(50, 0, -50, 0), section="7.3")
    assert answer.status_code == 200, answer.text
    assert points(hall)["Anna"] == before["Anna"] - old["1"] + 50
    listed = hall.get(f"/api/{NAME}/1/1/list.json")
    assert listed["rows"][0]["marks"] == [1] and listed["mended"][0]["before"] == old
    assert listed["mended"][0]["actor"] == "PIN" and listed["mended"][0]["section"] == "bsv 7.3"
    assert "verrechnet (7.3), PIN" in hall.http.get(f"/api/{NAME}/1/1/list.txt").text
    assert "verrechnet" in hall.http.get(f"/api/{NAME}/1/1/list.csv").text
    assert hall.http.get(f"/api/{NAME}/1/lists.pdf").content[:4] == b"%PDF"
    card, shown = sheet(hall, 1)
    assert card["totals"][0] == points(hall)["Anna"] and card["mended"] == 1 and card["closed"]
    assert shown["lists"]["de"]["mended"][0]["line"].startswith("*1 Spiel 1: Punkte")
    assert hall.http.get(f"/api/{NAME}/1/1/events.jsonl").text == events
    number = answer.json()["number"]
    assert hall.post(f"/api/{NAME}/undo", number=number, why="doch richtig").status_code == 200
    assert points(hall) == before
    again = hall.post(f"/api/{NAME}/undo", number=number)
    assert (again.status_code, again.json()["code"]) == (400, "undone_already")


def test_two_directors_at_once_and_a_double_press_count_once(hall: Direction) -> None:
    seen = hall.get(f"/api/{NAME}/1/1/mending")["seen"]
    old = hall.get(f"/api/{NAME}/1/1/mending")["rows"][0]["score"]
    wish = {"what": "points", "game": 1, "after": {**old, "2": old["2"] - 3}, "reason": "x", "seen": seen}
    before = points(hall)["Bernd"]
    with ThreadPoolExecutor(4) as many:
        answers = list(many.map(lambda _: Direction(hall.service).post(f"/api/{NAME}/1/1/mend", **wish), range(4)))
    assert sorted(one.status_code for one in answers) == [200, 400, 400, 400]
    assert {one.json()["code"] for one in answers if one.status_code == 400} == {"seen"}
    assert points(hall)["Bernd"] == before - 3
    number = next(one.json()["number"] for one in answers if one.is_success)
    with ThreadPoolExecutor(3) as many:
        undone = list(
            many.map(lambda _: Direction(hall.service).post(f"/api/{NAME}/undo", number=number).status_code, range(3))
        )
    assert sorted(undone) == [200, 400, 400] and points(hall)["Bernd"] == before


def test_a_stranger_may_neither_mend_nor_undo(hall: Direction) -> None:
    stranger = Direction(hall.service, pin="")
    for path, body in (
        ("1/1/mend", {"what": "reopen", "reason": "x", "seen": 0}),
        ("1/1/paper", {"note": "paper"}),
        ("undo", {"number": 0}),
        ("1/orders/1/undo", {}),
    ):
        assert stranger.post(f"/api/{NAME}/{path}", **body).status_code == 403, path
    assert stranger.http.get(f"/api/{NAME}/1/1/mending").status_code == 403


def test_after_a_restart_everything_stands_as_it_was(tmp_path: Path) -> None:
    with run(tmp_path, rules="bsv") as service:
        first = Direction(service)
        first.send([*played("bsv"), CLOSE])
        assert mend(first, "disqualified", seat=1).is_success
        gone = mend(first, "strike", game=1).json()["number"]
        assert first.post(f"/api/{NAME}/undo", number=gone).is_success
        before = first.get(f"/api/{NAME}/standings.json")
        assert {one["name"]: one["out"] for one in before["places"]}["Anna"] == "disqualified"
    with run(tmp_path, rules="bsv") as service:
        second = Direction(service)
        after = second.get(f"/api/{NAME}/standings.json")
        assert after == before
        assert second.post(f"/api/{NAME}/undo", number=gone).json()["code"] == "undone_already"


@pytest.fixture
def paper(tmp_path: Path) -> Iterator[Direction]:
    """Four people drawn to table 1, which has no kiosk."""
    with run(tmp_path, rules="bsv") as service:
        direction = Direction(service)
        for body in (
            {"note": "enter", "names": PEOPLE},
            {"note": "draw", "round": 1, "seats": {"1": PEOPLE}},
            {"note": "publish", "round": 1},
        ):
            direction.note(**body)
        yield direction


def typed(hall: Direction, **wish: Any) -> httpx.Response:
    return hall.post(f"/api/{NAME}/1/1/paper", **wish)


def test_a_list_on_paper_is_typed_checked_closed_and_counts(paper: Direction) -> None:
    assert typed(paper, note="paper").is_success
    assert typed(paper, note="paper").json()["code"] == "no_change"
    card, _ = sheet(paper, 1)
    assert (card["phase"], card["paper"], card["players"]) == ("paper", True, PEOPLE)
    told = typed(paper, note="paper_row", game=1, score=score(3, 3, -3, -2), check=True).json()
    assert told["sum"] == 1 and len(told["doubts"]["de"]) == 2 and "7.3" in told["doubts"]["de"][0]
    assert paper.get(f"/api/{NAME}/1/1/mending")["rows"] == []
    assert typed(paper, note="paper_row", game=1, score=score(3, 3, -3, -3), seen=1).is_success
    twice = typed(paper, note="paper_row", game=1, score=score(1, 1, -1, -1), seen=1)
    assert (twice.status_code, twice.json()["code"]) == (400, "seen")
    totals = typed(paper, note="paper_row", game=2, totals=score(12, 0, -6, -6), alone=1, how="solo", check=True).json()
    assert totals["score"] == score(9, -3, -3, -3) and totals["doubts"]["de"] == []
    assert typed(paper, note="paper_row", game=2, totals=score(12, 0, -6, -6), alone=1, how="solo", seen=2).is_success
    told = paper.get(f"/api/{NAME}/1/1/mending")
    assert (told["seen"], told["next"], told["typed"]) == (3, {"game": 3, "dealer": 3}, [1, 2])
    assert points(paper)["Anna"] == 12 and not paper.get(f"/api/{NAME}/standings.json")["places"][0]["final"]
    assert typed(paper, note="list_closed", seen=3).is_success
    assert paper.get(f"/api/{NAME}/standings.json")["not_closed"] == []
    assert "Papier" in paper.http.get(f"/api/{NAME}/1/1/list.txt").text
    assert paper.http.get(f"/api/{NAME}/1/1/list.pdf").content[:4] == b"%PDF"


def picture(kind: str, size: tuple[int, int] = (3000, 1500), mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side
    exif[0x010E] = "a secret"
    Image.new(mode, size, "white").save(out, kind, exif=exif)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_photograph_is_made_anew_kept_and_seen_by_those_who_enter_lists(paper: Direction, kind: str) -> None:
    path = f"/api/{NAME}/1/1/photos"
    answer = paper.http.post(path, content=picture(kind))
    assert answer.status_code == 200, answer.text
    kept = paper.http.get(f"{path}/1.jpg")
    with Image.open(io.BytesIO(kept.content)) as shown:
        assert (shown.format, shown.size, dict(shown.getexif())) == ("JPEG", (1200, 2400), {})
    assert sheet(paper, 1)[1]["lists"]["de"]["photos"] == [1]
    stranger = Direction(paper.service, pin="")
    assert stranger.http.get(f"{path}/1.jpg").status_code == 403
    assert stranger.http.post(path, content=picture(kind)).status_code == 403
    assert paper.post(f"/api/{NAME}/undo", number=answer.json()["number"]).is_success


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(bytes, id="nothing"),
        pytest.param(lambda: b"<svg onload=alert(1)>", id="no picture"),
        pytest.param(lambda: picture("JPEG")[:900], id="cut off"),
        pytest.param(lambda: picture("PNG", (9000, 7000), "1"), id="too many pixels"),
        pytest.param(lambda: b"GIF89a" + bytes(100), id="another kind"),
    ],
)
def test_what_is_no_photograph_is_refused(paper: Direction, content: Callable[[], bytes]) -> None:
    answer = paper.http.post(f"/api/{NAME}/1/1/photos", content=content())
    assert (answer.status_code, answer.json()["code"]) == (400, "photo")
    assert paper.http.post(f"/api/{NAME}/1/9/photos", content=content()).status_code == 404


def test_what_later_notes_stand_on_cannot_be_undone(paper: Direction) -> None:
    for game in (1, 2):
        assert typed(paper, note="paper_row", game=game, score=score(1, 1, -1, -1), seen=game - 1).is_success
    notes = paper.service.app.state.hall.store.notes(NAME)
    draw, first, second = notes[1].number, notes[-2].number, notes[-1].number
    for number in (notes[0].number, first):
        refused = paper.post(f"/api/{NAME}/undo", number=number)
        assert (refused.status_code, refused.json()["code"]) == (400, "stands_on"), number
    assert paper.post(f"/api/{NAME}/undo", number=second).is_success
    assert paper.post(f"/api/{NAME}/undo", number=first).is_success
    assert typed(paper, note="paper_row", game=1, score=score(1, 1, -1, -1), seen=0).is_success
    assert paper.post(f"/api/{NAME}/notes", note="withdraw", round=1).json()["code"] == "begun"
    assert paper.post(f"/api/{NAME}/undo", number=second + 3).is_success
    publish = notes[2].number
    assert paper.post(f"/api/{NAME}/undo", number=draw).json()["code"] == "stands_on"
    assert paper.post(f"/api/{NAME}/undo", number=publish).is_success
    assert paper.post(f"/api/{NAME}/undo", number=draw).is_success
    assert paper.get(f"/api/{NAME}/setup")["plans"] == {}


def test_a_draw_that_tables_play_by_cannot_be_undone(hall: Direction) -> None:
    hall.note(note="enter", names=PEOPLE)
    hall.note(note="draw", round=1, seats={"1": PEOPLE})
    number = hall.service.app.state.hall.store.notes(NAME)[-1].number
    assert hall.post(f"/api/{NAME}/undo", number=number).json()["code"] == "begun"


def order(service: Service, body: dict[str, Any], table: int | None = 1) -> int:
    hall = Direction(service)
    answer = hall.post(f"/api/{NAME}/1/orders", table=table, body=body)
    assert answer.is_success, answer.text
    return int(answer.json()["number"])


def test_an_order_that_no_table_has_is_withdrawn_and_one_carried_out_is_not(hall: Direction) -> None:
    number = order(hall.service, {"event": "release"}, None)
    path = f"/api/{NAME}/1/orders/{number}/undo"
    assert hall.post(path).is_success and hall.post(path).json()["code"] == "undone_already"
    store = hall.service.app.state.hall.store
    key = next(iter(hall.service.app.state.hall.keys(NAME, 1)))
    assert store.pending(key) == []
    number = order(hall.service, {"event": "strike", "game": 1, "replay": False})
    store.answer(key, number, None)
    refused = hall.post(f"/api/{NAME}/1/orders/{number}/undo")
    assert (refused.status_code, refused.json()["code"], refused.json()["values"]) == (400, "acted", {"tables": "1"})


def test_a_tournament_that_is_over_is_put_right_and_its_lists_alone(hall: Direction) -> None:
    before = points(hall)
    assert hall.post("/api/begin", name="Winter", people=False).is_success
    answer = mend(hall, "points", game=1, after=score(50, 0, -50, 0))
    assert answer.is_success, answer.text
    assert points(hall)["Anna"] != before["Anna"]
    told = hall.get(f"/api/{NAME}/standings.json")["corrected"]
    assert told["lists"] == [{"round": 1, "table": 1}] and "Anna" in {one["name"] for one in told["places"]}
    assert "verrechnet" in hall.http.get(f"/api/{NAME}/1/1/list.txt").text
    assert sheet(hall, 1)[1]["lists"]["de"]["mended"][0]["mark"] == 1
    assert hall.post(f"/api/{NAME}/undo", number=answer.json()["number"]).is_success
    assert points(hall) == before and hall.get(f"/api/{NAME}/standings.json")["corrected"] is None
    assert hall.post(f"/api/{NAME}/notes", note="enter", names=["Xaver"]).status_code == 400
    assert hall.post("/api/Sommer/1/1/mend", what="reopen", reason="x", seen=0).status_code == 404


def told(table: Any) -> dict[str, Any]:
    """What the table is told of its lists next."""
    while True:
        message = json.loads(table.recv(30))
        if "lists" in message:
            return dict(message["lists"])


def test_a_table_that_asks_is_told_what_was_put_right_and_an_older_one_is_not(hall: Direction) -> None:
    address = hall.service.url.replace("http", "ws") + f"/line/{NAME}/1/"
    secret_1, secret_2 = ({"Authorization": f"Bearer {hall.service.enrol(number)}"} for number in (1, 2))
    old_score = hall.get(f"/api/{NAME}/1/1/mending")["rows"][0]["score"]
    with (
        connect(address + "1", proxy=None, additional_headers=secret_1) as table,
        connect(address + "2", proxy=None, additional_headers=secret_2) as older,
    ):
        table.send(json.dumps({"plan": True, "lists": True}))
        older.send(json.dumps({"plan": True}))
        assert told(table) == {"tournament": NAME, "rounds": {}}, "nothing is noted: what it has kept goes"
        number = mend(hall, "points", game=1, after=score(50, 0, -50, 0)).json()["number"]
        (note,) = told(table)["rounds"]["1"]
        assert note["number"] == number and note["body"]["after"] == score(50, 0, -50, 0)
        assert note["body"]["before"] == old_score and note["body"]["actor"] == "PIN"
        assert hall.post(f"/api/{NAME}/undo", number=number).is_success
        assert told(table)["rounds"] == {}
        assert mend(hall, "strike", game=2).is_success
        assert [one["body"]["what"] for one in told(table)["rounds"]["1"]] == ["strike"]
        heard = []
        with pytest.raises(TimeoutError):
            while True:
                heard.append(json.loads(older.recv(0.5)))
        assert not any("lists" in one for one in heard)
    with connect(address + "1", proxy=None, additional_headers=secret_1) as again:
        again.send(json.dumps({"plan": True, "lists": True}))
        assert list(told(again)["rounds"]) == ["1"], "a table that comes later gets it as well"


def test_an_undoing_is_undone_and_that_again(hall: Direction) -> None:
    before = points(hall)
    first = mend(hall, "points", game=1, after=score(50, 0, -50, 0)).json()["number"]
    mended = points(hall)
    for wanted in (before, mended, before):
        answer = hall.post(f"/api/{NAME}/undo", number=first)
        assert answer.is_success, answer.text
        assert points(hall) == wanted
        refused = hall.post(f"/api/{NAME}/undo", number=first)
        assert refused.json()["code"] == "undone_already", "twice by mistake"
        first = answer.json()["number"]
    assert hall.post(f"/api/{NAME}/undo", number=999).json()["code"] == "no_note"


def test_two_directors_put_the_same_row_right_at_once_and_one_is_told(hall: Direction) -> None:
    seen = hall.get(f"/api/{NAME}/1/1/mending")["seen"]
    wishes = [{"what": "points", "game": 1, "after": score(n, 0, -n, 0), "reason": "x", "seen": seen} for n in (40, 60)]
    with ThreadPoolExecutor(2) as two:
        answers = list(two.map(lambda wish: Direction(hall.service).post(f"/api/{NAME}/1/1/mend", **wish), wishes))
    assert sorted(one.status_code for one in answers) == [200, 400]
    won = next(wish for wish, one in zip(wishes, answers, strict=True) if one.is_success)
    assert hall.get(f"/api/{NAME}/1/1/mending")["rows"][0]["score"] == won["after"]
    refused = next(one for one in answers if not one.is_success).json()
    assert (refused["code"], refused["values"]) == ("seen", {"name": "PIN"})


def test_a_game_that_the_table_strikes_at_the_same_moment_stays_struck_and_the_footnote_tells(hall: Direction) -> None:
    assert mend(hall, "points", game=1, after=score(50, 0, -50, 0)).is_success
    events = [*played("bsv"), CLOSE, {"event": "strike", "game": 1, "replay": False}]
    hall.send(events)
    listed = hall.get(f"/api/{NAME}/1/1/list.json")
    assert listed["rows"][0]["struck"] and listed["rows"][0]["marks"] == []
    (lapsed,) = listed["mended"]
    assert lapsed["mark"] is None and lapsed["after"] == score(50, 0, -50, 0)
    refused = mend(hall, "points", game=1, after=score(3, 0, -3, 0))
    assert (refused.status_code, refused.json()["code"]) == (400, "struck_already")
