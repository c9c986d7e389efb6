"""What two directors do at one moment: whole values saved, seats, devices, payments; the second is told, always."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from kiosk.director.access.access import Access
from kiosk.director.access.devices import Wish
from kiosk.director.access.refusals import NotAllowed
from kiosk.director.key import ListKey
from kiosk.director.office import Office
from kiosk.director.refusals import OrderedMeanwhile
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage.actor import ACTOR
from kiosk.director.storage.store import Store
from kiosk.errors import LocalisedError
from kiosk.table.enrolment import enrolment_code
from kiosk.table.events.chain import START
from kiosk.tournament.entry_desk import desk_note
from kiosk.tournament.overtaken import NEVER, WHOLE, Overtaken
from kiosk.tournament.people import Person
from kiosk.tournament.tournament import begin

FOUR = ["Anna", "Bernd", "Cem", "Dora"]

#: Each value that is saved as a whole, as two people save it.
VALUES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "setup": ({"rules": "bsv", "start": "19:30"}, {"rules": "bsv", "start": "20:00"}),
    "programme": ({"rounds": [{"kind": "lot", "pause": 15}]}, {"rounds": []}),
    "seat_wishes": ({"clubs": "should"}, {"clubs": "must"}),
    "purse": ({"fee": 1000}, {"fee": 800, "prizes": [{"place": 1, "thing": "Schinken"}]}),
    "watch": ({"quiet": 7}, {"behind": 5}),
    "series": ({"name": "Saison", "best": 5, "club_best": None}, {"name": "Pokal", "best": None, "club_best": None}),
    "year_counts": ({"counts": False}, {"counts": True}),
    "sign": ({"picture": 1}, {"picture": 0}),
}


@contextmanager
def acting(name: str):
    token = ACTOR.set(name)
    yield
    ACTOR.reset(token)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def settings(request, tmp_path):
    new: Callable[[], str] | None = None
    if request.param == "postgresql":
        new = request.getfixturevalue("new_database")
    url = new() if new is not None else f"sqlite:///{tmp_path / 'd.sqlite'}"
    return Settings(tournament="t", database=url, begins=begin("t", people=[Person(name=name) for name in FOUR]))


@pytest.fixture
def two(settings):
    """Two directors' offices on one database."""
    stores = [Store(settings.database) for _ in range(2)]
    yield tuple(Office(store, settings) for store in stores)
    for store in stores:
        store.close()


def test_every_value_is_tried():
    assert set(VALUES) == set(WHOLE)


@pytest.mark.parametrize("kind", sorted(WHOLE))
def test_who_saves_over_what_he_has_not_seen_is_told_who_was_faster(two, kind):
    (one, other), (first, second) = two, VALUES[kind]
    with acting("Ute"):
        stored = one.note({"note": kind, **first, "based_on": NEVER})
    assert "based_on" not in stored.body
    with acting("Vera"), pytest.raises(Overtaken) as told:
        other.note({"note": kind, **second, "based_on": NEVER})
    values = {"what": kind, "name": "Ute", "at": stored.at, "undone": False, "number": stored.number}
    assert (told.value.code, told.value.values) == ("overtaken", values)
    assert other.tournament == one.tournament
    with acting("Vera"):
        over = other.note({"note": kind, **second, "based_on": stored.number})
    one.catch_up()
    assert one.tournament.saved[kind] == over.number
    one.note({"note": kind, **first})  # a program that does not know of it
    one.note({"note": "undo", "number": one.tournament.saved[kind], "why": ""})
    with pytest.raises(Overtaken) as back:  # what he saw has been taken back
        other.note({"note": kind, **first, "based_on": over.number + 1})
    assert (back.value.values["undone"], back.value.values["number"]) == (True, over.number)
    other.note({"note": kind, **first, "based_on": over.number})  # what stood there before stands there again


@pytest.mark.parametrize("based_on", [None, "12", 1.5, True, 10**15, []])
def test_what_is_no_number_was_not_seen(two, based_on):
    with pytest.raises(Overtaken):
        two[0].note({"note": "watch", "quiet": 7, "based_on": based_on})


def test_of_many_who_save_at_once_one_is_stored(two):
    def save(quiet: int) -> bool:
        try:
            two[quiet % 2].note({"note": "watch", "quiet": quiet, "based_on": NEVER})
        except Overtaken:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        stored = [quiet for quiet, did in enumerate(pool.map(save, range(16))) if did]
    for office in two:
        office.catch_up()
    assert [two[0].tournament.quiet_minutes] == stored == [two[1].tournament.quiet_minutes]


def test_another_tournament_is_begun_once(two):
    one, other = two
    one.begin("Mai", keep_people=True, instead_of="t")
    with pytest.raises(LocalisedError) as told:
        other.begin("Juni", keep_people=True, instead_of="t")
    assert (told.value.code, told.value.values) == ("begun_meanwhile", {"name": "Mai"})
    assert (other.tournament.name, list(other.tournament.people)) == ("Mai", FOUR)
    other.begin("Juni", keep_people=False)  # a program that does not say
    one.catch_up()
    assert one.tournament.name == "Juni"


def test_two_devices_get_two_numbers(settings):
    """Two directors admit two devices with one number at one moment."""
    stores = [Store(settings.database) for _ in range(2)]
    found = [Access(store, settings) for store in stores]
    for number in range(8):
        found[0].devices.issue(100 + number)  # the file's lock is warm, so that all come at once

    def issue(at: int) -> int | None:
        try:
            return found[at % 2].devices.issue(7)[0].table
        except NotAllowed as error:
            assert (error.code, error.values) == ("number_taken", {"table": 7})
            return None

    with ThreadPoolExecutor(8) as pool:
        got = [one for one in pool.map(issue, range(16)) if one is not None]
    assert got == [7]
    assert [one.table for one in found[1].devices.all()].count(7) == 1
    for access in found:
        access.stop()
    for store in stores:
        store.close()


def test_a_device_is_admitted_once(settings):
    store = Store(settings.database)
    access = Access(store, settings)

    digest = "ab" * 32
    access.devices.ask(Wish("cd" * 16, digest, {}), "10.0.0.1")
    code = enrolment_code(digest)
    assert access.devices.admit(code, 7).table == 7
    with pytest.raises(NotAllowed) as told:
        access.devices.admit(code, 8)
    assert told.value.code == "no_device"
    device = access.devices.all()[0]
    access.devices.change(device.id, {"name": "links", "was": ""})
    with pytest.raises(NotAllowed) as renamed:
        access.devices.change(device.id, {"name": "rechts", "was": ""})
    assert (renamed.value.code, renamed.value.values) == ("renamed", {"name": "links"})
    assert access.devices.change(device.id, {"name": "rechts"}).name == "rechts"
    access.stop()
    store.close()


def test_of_two_orders_of_a_kind_the_second_is_told(settings):
    store = Store(settings.database)
    ruling = {"event": "rule", "offender": 1, "class": "minor"}
    extra = {"event": "rule", "offender": None, "class": "none", "minutes": 5, "answers": False}
    with acting("Ute"):
        first = store.give("t", 1, 7, ruling)
    since = first.number - 1
    for body, table, told in (
        (ruling, 7, True), (extra, 7, False), (ruling, 8, False), ({"call": "director"}, 7, False), (extra, 7, True),
        ({"event": "release"}, None, False), ({"event": "release"}, None, True), ({"event": "release"}, 7, False),
    ):  # fmt: skip
        if not told:
            store.give("t", 1, table, body, since)
            continue
        with pytest.raises(OrderedMeanwhile) as refused:
            store.give("t", 1, table, body, since)
        assert refused.value.values["what"] == body["event"]
    later = store.give("t", 1, 7, ruling, since + 10**9)  # who was told may order it again
    assert later.number > first.number
    store.withdraw("t", 1, first.number)
    store.withdraw("t", 1, later.number)
    store.give("t", 1, 7, ruling, since)
    store.close()


def test_who_was_renamed_or_merged_a_moment_ago_is_meant_by_the_earlier_name(two):
    one, other = two
    one.note({"note": "rename", "name": "Anna", "to": "Anna Ott"})
    one.note({"note": "merge", "name": "Bernd", "other": "Cem"})
    for wish, name in (
        ({"note": "check_in", "name": "Anna"}, "Anna Ott"),
        ({"note": "check_in", "name": "Cem"}, "Bernd"),
        ({"note": "fee", "names": ["Anna", "Cem"], "paid": True}, "Anna Ott"),
    ):
        other.note(lambda now, wish=wish: desk_note(now, wish, {}))
        assert other.tournament.people[name].checked_in_ms is not None
    assert [name for name, one in other.tournament.people.items() if one.paid_ms is not None] == ["Anna Ott", "Bernd"]
    with pytest.raises(LocalisedError) as twice:  # paid under both names
        other.note(lambda now: desk_note(now, {"note": "fee", "names": ["Bernd", "Cem"], "paid": True}, {}))
    assert twice.value.code == "fee_already"
    with pytest.raises(LocalisedError):
        other.note(lambda now: desk_note(now, {"note": "merge", "name": "Dora", "other": "Cem"}, {}))


@pytest.fixture
def page(tmp_path):
    people = [Person(name=name) for name in FOUR]
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin="2468",
                        begins=begin("t", people=people))  # fmt: skip
    with Service(settings) as service, httpx.Client(base_url=service.url) as client:
        assert client.post("/api/login", json={"pin": "2468"}).status_code == 200
        yield client


def refused(answer: httpx.Response) -> str:
    return "" if answer.status_code == 200 else str(answer.json().get("code"))


def test_seats_prizes_and_series_over_the_services_addresses(page):
    """In order: what somebody does, by which address, and what he is told."""
    draw = {"note": "draw", "round": 1, "kind": "lot", "seed": "1", "seen": -1}
    assert refused(page.post("/api/t/notes", json=draw)) == ""
    drawn = page.get("/api/t/setup").json()["plans"]["1"]
    assert sorted(drawn["seats"]["1"]) == FOUR
    for wish, told in (
        ({"note": "swap", "round": 1, "one": "Anna", "other": "Bernd", "seen": drawn["changed"]}, ""),
        ({"note": "swap", "round": 1, "one": "Anna", "other": "Cem", "seen": drawn["changed"]}, "drawn_meanwhile"),
        ({"note": "publish", "round": 1, "seen": drawn["changed"]}, "drawn_meanwhile"),
        ({"note": "publish", "round": 1, "seen": drawn["changed"] + 1}, ""),
        ({"note": "publish", "round": 1, "seen": drawn["changed"] + 1}, "published_already"),
        ({"note": "publish", "round": 1}, ""),
        ({"note": "withdraw", "round": 1, "seen": drawn["changed"] + 1}, ""),
        ({"note": "withdraw", "round": 1, "seen": drawn["changed"] + 1}, "withdrawn_already"),
        ({"note": "purse", "fee": 1000, "based_on": NEVER}, ""),
        ({"note": "purse", "fee": 800, "based_on": NEVER}, "overtaken"),
    ):
        assert refused(page.post("/api/t/notes", json=wish)) == told, wish
    prizes, setup = (page.get(f"/api/t/{one}").json() for one in ("prizes.json", "setup"))
    assert prizes["saved"] == setup["saved"]["purse"]
    assert prizes["last"] == setup["last"] == int(setup["noted"].split()[0])
    series = {"name": "Saison", "best": 3, "club_best": None}
    assert page.get("/api/t/series").json() == {"name": "", "best": None, "club_best": None, "saved": NEVER}
    stored = page.post("/api/t/series", json={**series, "based_on": NEVER}).json()
    assert page.get("/api/t/series").json() == {**series, "saved": stored["number"]}
    assert refused(page.post("/api/t/series", json={**series, "name": "Pokal", "based_on": NEVER})) == "overtaken"
    assert refused(page.post("/api/t/counts", json={"counts": False, "based_on": NEVER})) == ""
    assert refused(page.post("/api/t/counts", json={"counts": True, "based_on": NEVER})) == "overtaken"


def test_a_list_is_set_aside_once(settings):
    """Of two who set aside the same list, or begin the same round anew, the second does not hit the next list."""
    store, key = Store(settings.database), ListKey("t", 1, 7)
    events = [{"event": "open", "table": 7, "round": 1, "at": 1000}, {"event": "release", "at": 1001}]
    store.append(key, -1, START, events)
    assert store.set_aside(key, 1000) == 1
    again = [{**events[0], "at": 2000}]
    store.append(key, -1, START, again)
    for once_more in (
        lambda: store.set_aside(key, 1000),
        lambda: store.begin_anew("t", 1, {7: 1000}),
    ):
        with pytest.raises(LocalisedError) as told:
            once_more()
        assert told.value.code == "aside_already"
        assert store.read(key) == again
    assert store.begin_anew("t", 1, {7: 2000}) == [key]
    with pytest.raises(LocalisedError):
        store.set_aside(key, 2000)
    assert store.begin_anew("t", 1) == []
    store.close()


def test_of_two_directors_who_close_each_other_one_is_left(settings):
    stores = [Store(settings.database) for _ in range(2)]
    found, names = [Access(store, settings) for store in stores], ("Ute", "Vera")
    accounts = [access.accounts for access in found]
    for name in names:
        accounts[0].make(name, "director", "karo-neun-8")

    def close(at: int) -> bool:
        try:
            accounts[at].change(names[at], closed=True)
        except NotAllowed as error:
            assert error.code == "last_director"
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(close, range(2))) == [False, True]
    assert accounts[1].directed()
    for access in found:
        access.stop()
    for store in stores:
        store.close()
