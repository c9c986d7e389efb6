"""Who may do what: accounts, sessions, limits, roles, and the record of acts."""

import asyncio
import runpy
from dataclasses import replace
from typing import ClassVar

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.director.access import passwords
from kiosk.director.access.accounts import Accounts
from kiosk.director.access.limits import ADDRESS, Limits, Pace, address_key
from kiosk.director.access.names import is_plain
from kiosk.director.access.refusals import NotAllowed, Unknown
from kiosk.director.access.roles import ROLES, acts_of, may
from kiosk.director.access.schema import METADATA
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage.store import Store
from kiosk.language import say

GOOD = "Herz-Ass 10"


@pytest.fixture
def settings(tmp_path):
    return Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, guests=False)


@pytest.fixture
def accounts(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'd.sqlite'}")
    METADATA.create_all(store.engine)
    yield Accounts(store)
    store.close()


class Page:
    """A browser's page, as far as the service can tell."""

    opened: ClassVar[list["Page"]] = []

    def __init__(self, service: Service, cookies: httpx.Cookies | None = None) -> None:
        self.http = httpx.Client(base_url=service.url, trust_env=False, cookies=cookies, timeout=60)
        self.opened.append(self)

    def post(self, path: str, **body: object) -> httpx.Response:
        return self.http.post(path, json=body)


@pytest.fixture(autouse=True)
def _closed():
    yield
    while Page.opened:
        Page.opened.pop().http.close()


def first(service: Service, name: str = "Anna") -> Page:
    page = Page(service)
    said = page.post("/api/first", code=service.app.state.access.first_code, name=name, password=GOOD)
    assert said.status_code == 200, said.text
    return page


def account(director: Page, service: Service, role: str) -> Page:
    assert director.post("/api/accounts", name=role, role=role, password=GOOD).status_code == 200
    page = Page(service)
    assert page.post("/api/login", name=role, password=GOOD).status_code == 200
    return page


# passwords, names


@pytest.mark.parametrize(
    ("password", "wrong"),
    [
        pytest.param("Herz10", None, id="six signs will do"),
        pytest.param("835027", None, id="a PIN"),
        pytest.param("83502", "short_password", id="five are too few"),
        pytest.param("123456", "easy_password", id="counted up"),
        pytest.param("987654", "easy_password", id="counted down"),
        pytest.param("111111", "easy_password", id="the same sign"),
        pytest.param("passwort", "easy_password", id="the word itself"),
        pytest.param("x" * 201 + "yz", "odd_password", id="endless"),
        pytest.param("Herz\x0010", "odd_password", id="a control character"),
        pytest.param(None, "short_password", id="none"),
        pytest.param(123456, "short_password", id="a number"),
    ],
)
def test_what_will_do_as_a_password(password, wrong):
    assert passwords.bad_password(password) == wrong


def test_a_hash_is_argon2_has_its_own_salt_and_fits_only_its_password():
    one, other = passwords.hashed(GOOD), passwords.hashed(GOOD)
    assert one.startswith("$argon2id$") and one != other
    assert passwords.fits(GOOD, one) and passwords.fits(GOOD, other)
    assert not passwords.fits(GOOD + "x", one) and not passwords.fits("", one)
    assert not passwords.fits(GOOD, "") and not passwords.fits(GOOD, GOOD)
    assert passwords.is_hash(one) and not passwords.is_hash(GOOD)


def test_outside_the_tests_a_hash_takes_what_owasp_recommends():
    real = runpy.run_path(passwords.__file__)
    assert real["hashed"](GOOD).startswith("$argon2id$v=19$m=19456,t=2,p=1$")


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Anna Ott", True),
        ("Łukasz Ötztürk-D’Arc", True),
        ("x" * 60, True),
        ("x" * 61, False),
        ("Anna\nOtt", False),
        ("Anna\x00", False),
        ("Anna \u202ettO", False),
        ("\u2066Anna\u2069", False),
        ("An\u200bna", False),
        (None, False),
        (7, False),
    ],
)
def test_a_name_is_short_and_has_no_control_or_direction_characters(name, plain):
    assert is_plain(name) is plain


# limits


@given(st.lists(st.floats(0, 30), min_size=1, max_size=200))
def test_however_one_guesses_the_waits_add_up(pauses):
    """So many tries as pass in some time are never more than the free ones and one for each doubling."""
    pace = Pace(free=3, first=1.0, longest=64.0, forget=1e9)
    limits, now, looked_at = Limits(pace), 0.0, 0
    for pause in pauses:
        now += pause
        if limits.wait("x", now) == 0:
            limits.count("x", now)
            looked_at += 1
    least = sum(min(64.0, 2.0**n) for n in range(max(0, looked_at - pace.free - 1)))
    assert now >= least * 0.999999


def test_waits_double_up_to_the_longest_and_are_forgotten():
    pace = Pace(free=2, first=1.0, longest=8.0, forget=100.0)
    limits, now, waits = Limits(pace), 0.0, []
    for _ in range(8):
        limits.count("x", now)
        waits.append(limits.wait("x", now))
        now += waits[-1]
    assert waits == [0, 0, 1, 2, 4, 8, 8, 8]
    assert limits.wait("y", now) == 0
    limits.count("x", now + 101)
    assert limits.wait("x", now + 101) == 0


def test_a_right_password_of_ones_own_does_not_wash_away_guesses():
    limits = Limits(ADDRESS)
    for _ in range(ADDRESS.free):
        limits.count("x", 0.0)
    limits.count("x", 0.0)
    limits.take_back("x")
    limits.count("x", 0.0)
    assert limits.wait("x", 0.0) > 0


def test_remembered_addresses_are_bounded():
    limits = Limits(ADDRESS, most=100)
    for n in range(1000):
        limits.count(str(n), 0.0)
    assert len(limits._tries) == 100


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_stands_for_whom_it_may(host, key):
    assert address_key(host) == key


# accounts


def test_the_last_director_stays(accounts):
    accounts.make("Anna", "director", GOOD)
    for change in ({"closed": True}, {"role": "viewer"}):
        with pytest.raises(NotAllowed, match="nobody else may direct"):
            accounts.change("Anna", **change)
    assert accounts.check("Anna", GOOD)
    accounts.make("Bernd", "director", GOOD)
    accounts.change("Anna", closed=True)
    assert accounts.check("Anna", GOOD) is None


def test_a_session_ends_with_a_new_password_a_closed_account_and_by_itself(accounts, monkeypatch):
    accounts.make("Anna", "director", GOOD)
    accounts.make("Rita", "referee", GOOD)
    session = accounts.check("Rita", GOOD)
    assert accounts.who(session).role == "referee"
    accounts.change("Rita", role="desk")
    assert accounts.who(session).role == "desk"
    accounts.change("Rita", password="another one")
    assert accounts.who(session) is None
    session = accounts.check("Rita", "another one")
    accounts.change("Rita", closed=True)
    assert accounts.who(session) is None and accounts.check("Rita", "another one") is None
    session = accounts.check("Anna", GOOD)
    monkeypatch.setattr("kiosk.director.storage.database.now", lambda: 10**15)
    assert accounts.who(session) is None


def test_names_of_accounts_differ_and_unknown_ones_are_told(accounts):
    accounts.make("Anna", "director", GOOD)
    for name in ("anna", " ANNA ", "", "x" * 61, "An\u202ena", None):
        with pytest.raises(NotAllowed):
            accounts.make(name, "viewer", GOOD)
    with pytest.raises(NotAllowed):
        accounts.make("Bert", "king", GOOD)
    with pytest.raises(Unknown):
        accounts.change("Bert", closed=True)


def test_the_files_pin_is_an_account_as_long_as_the_file_says_so(accounts):
    accounts.keep_pin("2468")
    session = accounts.check("PIN", "2468")
    accounts.keep_pin("2468")  # the service starts again
    assert accounts.who(session)
    accounts.keep_pin(passwords.hashed("1357"))
    assert accounts.who(session) is None and accounts.check("PIN", "2468") is None and accounts.check("PIN", "1357")
    accounts.keep_pin("")
    assert accounts.check("PIN", "1357") is None and not accounts.directed()


# the service


@pytest.mark.slow
def test_nobody_is_let_in_before_the_first_account_and_its_code_works_once(settings):
    with Service(settings) as service:
        stranger = Page(service)
        code = service.app.state.access.first_code
        assert len(code) == 8
        assert stranger.http.get("/api/me").json()["first"] is True
        assert stranger.http.get("/api/t/setup").status_code == 403
        assert stranger.post("/api/t/notes", note="enter", names=["X"]).status_code == 403
        assert stranger.post("/api/first", code="00000000", name="X", password=GOOD).status_code == 403
        assert stranger.post("/api/first", code="", name="X", password=GOOD).status_code == 403
        assert stranger.post("/api/first", code=code, name="X", password="123456").json()["code"] == "easy_password"
        director = first(service)
        assert director.http.get("/api/me").json()["role"] == "director"
        assert stranger.post("/api/first", code=code, name="X", password=GOOD).status_code == 403
        assert stranger.http.get("/api/me").json()["first"] is False
    with Service(settings) as again:
        assert again.app.state.access.first_code == ""
        assert (
            Page(again, director.http.cookies).http.get("/api/me").json()["name"] == "Anna"
        )  # sessions outlive a restart


_ACTS = {
    "look": lambda page: page.http.get("/api/t/setup"),
    "enter": lambda page: page.post("/api/t/notes", note="enter", names=[]),
    "cash": lambda page: page.http.get("/api/t/cash.json"),
    "order": lambda page: page.post("/api/t/1/orders", table=1, body={"event": "void", "why": ""}),
    "direct": lambda page: page.http.get("/api/accounts"),
    "release": lambda page: page.post("/api/t/1/orders", table=None, body={"event": "release"}),
    "aside": lambda page: page.post("/api/t/1/aside"),
    "draw": lambda page: page.post("/api/t/notes", note="draw", round=1),
    "protocol": lambda page: page.http.get("/api/t/protocol.json"),
    "devices": lambda page: page.http.get("/api/devices"),
}  # fmt: skip
_OF_DIRECTOR = ("release", "aside", "draw", "protocol", "devices")


def test_each_kind_of_account_may_do_its_own_and_nothing_else(settings):
    with Service(settings) as service:
        director = first(service)
        pages = {role: account(director, service, role) for role in ROLES if role != "director"}
        pages |= {"director": director, "nobody": Page(service)}
        for role, page in pages.items():
            for act, does in _ACTS.items():
                allowed = role != "nobody" and may(role, "direct" if act in _OF_DIRECTOR else act)
                assert (does(page).status_code != 403) is allowed, (role, act)
            me = page.http.get("/api/me").json()
            assert me["may"] == ([] if role == "nobody" else acts_of(role))


def test_guests_look_only_where_they_are_let(settings, tmp_path):
    with Service(replace(settings, guests=True)) as service:
        guest = Page(service)
        assert guest.http.get("/api/t/setup").status_code == 200
        for path in ("/api/accounts", "/api/t/protocol.json", "/api/t/cash.json", "/api/devices"):
            assert guest.http.get(path).status_code == 403, path
        for path in ("/api/t/notes", "/api/t/1/orders", "/api/accounts", "/api/devices/admit", "/api/no/such"):
            assert guest.post(path).status_code == 403, path


def test_every_note_and_order_carries_its_actor_and_the_record_shows_who_did_what(settings):
    with Service(settings) as service:
        director = first(service)
        desk = account(director, service, "desk")
        desk.post("/api/t/notes", note="enter", names=["Xaver"], actor="Somebody Else")
        hall = service.app.state.hall
        director.post("/api/t/1/orders", table=None, body={"event": "release", "actor": "Somebody Else"})
        assert [note.body["actor"] for note in hall.store.notes("t")] == ["desk"]
        assert hall.store.orders("t", 1)[0].body == {"event": "release", "actor": "Anna"}
        hall.store.note("t", 1, {"note": "check_in", "name": "Xaver"})  # as older ones are, without an actor
        told = director.http.get("/api/t/protocol.json").json()
        lines = [(act["actor"], act["kind"], act["what"]) for act in told["acts"]]
        assert lines == [
            ("", "note", "check_in"),
            ("Anna", "order", "release"),
            ("desk", "note", "enter"),
            ("desk", "access", "login"),
            ("Anna", "access", "account_made"),
            ("Anna", "access", "login"),
            ("Anna", "access", "first_account"),
        ]
        assert told["actors"] == ["Anna", "desk"]
        only = director.http.get("/api/t/protocol.json", params={"actor": "desk", "of": "note"}).json()["acts"]
        assert [act["what"] for act in only] == ["enter"]
        rows = director.http.get("/api/t/protocol.csv").text.splitlines()
        assert len(rows) == 8 and ";desk;" in rows[3]


def test_a_session_ends_by_logging_out_and_by_a_password_of_ones_own(settings):
    with Service(settings) as service:
        director = first(service)
        old = Page(service, director.http.cookies).http
        assert director.post("/api/password", before="wrong one", password="Eichel-Ober 7").status_code == 403
        assert director.post("/api/password", before=GOOD, password="Eichel-Ober 7").status_code == 200
        assert director.http.get("/api/me").json()["name"] == "Anna"
        assert old.get("/api/me").json()["name"] == ""
        director.post("/api/logout")
        assert director.http.get("/api/me").json()["name"] == ""
        assert director.post("/api/login", name="Anna", password=GOOD).status_code == 403
        assert director.post("/api/login", name="Anna", password="Eichel-Ober 7").status_code == 200


@pytest.mark.slow
def test_many_guesses_at_once_are_counted_before_they_are_looked_at(settings):
    async def guess(url: str) -> list[int]:
        async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
            tries = (http.post("/api/login", json={"name": "Anna", "password": f"guess {n}"}) for n in range(60))
            return [said.status_code for said in await asyncio.gather(*tries)]

    with Service(settings) as service:
        first(service)
        answers = asyncio.run(guess(service.url))
        assert answers.count(403) <= ADDRESS.free + 1 and answers.count(429) >= 50


def test_another_sites_page_may_not_press_for_who_has_logged_in(settings):
    with Service(settings) as service:
        director = first(service)
        for origin in ("http://evil.example", "null", "http://[", service.url + ".evil.example"):
            said = director.http.get("/api/accounts", headers={"Origin": origin})
            assert said.status_code == 403 and said.json()["error"] == "origin", origin
        assert director.http.get("/api/accounts", headers={"Origin": service.url}).status_code == 200


def test_every_kind_of_account_and_act_has_its_word():
    for role in ROLES:
        assert say("page_access", f"role_{role}", "de") != f"role_{role}"
