"""Several clubs in one service: nothing of one is seen, written or opened by another."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from kiosk.app.clubs import load_clubs
from kiosk.app.config import DirectorConfig
from kiosk.director.key import ListKey
from kiosk.director.process import DirectorProcess
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.errors import BadConfig
from kiosk.table.events.chain import START

pytestmark = pytest.mark.slow

HOME, FIRST, SECOND = "bund.test", "asse.test", "buben.test"
OPEN = {
    "event": "open", "format": 1, "id": "a1", "at": 1795186800000, "rules": "bsv", "options": {}, "table": 7,
    "round": 1, "tournament": "t", "games": 20, "seed": 1, "players": ["Anna", "Bernd", "Cem", "Dörte"],
}  # fmt: skip


@pytest.fixture
def service(tmp_path) -> Iterator[Service]:
    """The federation's own tournament and two clubs, all with a tournament of the same name and a table 7."""
    made = {
        name: Settings(tournament="t", database=f"sqlite:///{tmp_path / name}.sqlite", pin=pin, names=(name,), port=0)
        for name, pin in ((HOME, "1111"), (FIRST, "2222"), (SECOND, "3333"))
    }
    with Service(made[HOME], clubs=[made[FIRST], made[SECOND]]) as running:
        for name, app in running.clubs.items():
            app.state.access.devices.issue(7, True, f"{name}.geheim")
        yield running


def client(service: Service, name: str) -> httpx.Client:
    return httpx.Client(base_url=f"http://{name}:{service.port}", trust_env=False, transport=_Here(service.port))


class _Here(httpx.HTTPTransport):
    """Reaches every name at this machine, as the names' DNS entries would."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.url = request.url.copy_with(host="127.0.0.1", port=self._port)
        return super().handle_request(request)


def log_in(http: httpx.Client, pin: str) -> dict[str, str]:
    """Log in, and return the session's cookie as a header."""
    assert http.post("/api/login", json={"pin": pin}).status_code == 200
    return {"cookie": f"stichwart={http.cookies['stichwart']}"}


def line(service: Service, name: str, secret: str) -> ClientConnection:
    address = f"ws://{name}:{service.port}/line/t/1/7?device=one"
    headers = {"Authorization": f"Bearer {secret}"}
    here = socket.create_connection(("127.0.0.1", service.port))
    return connect(address, sock=here, additional_headers=headers, proxy=None)


def send(http: httpx.Client, secret: str) -> httpx.Response:
    content = {"after": -1, "chain": START, "events": [OPEN]}
    return http.post("/line/t/1/7/events", json=content, headers={"Authorization": f"Bearer {secret}"})


PINS = {HOME: "1111", FIRST: "2222", SECOND: "3333"}


@pytest.mark.parametrize("pin", PINS.values(), ids=PINS)
@pytest.mark.parametrize("name", PINS)
def test_an_account_is_known_to_its_own_club_alone(service, name, pin):
    with client(service, name) as http:
        assert http.post("/api/login", json={"pin": pin}).status_code == (200 if PINS[name] == pin else 403)


def test_a_session_of_one_club_is_none_at_another(service):
    with client(service, FIRST) as http:
        cookie = log_in(http, PINS[FIRST])
        assert http.get("/api/devices", headers=cookie).status_code == 200
    for name in (HOME, SECOND):
        with client(service, name) as http:
            assert http.get("/api/devices", headers=cookie).status_code == 403


@pytest.mark.parametrize("name", PINS)
def test_a_table_writes_to_its_own_club_alone(service, name):
    with client(service, name) as http:
        assert send(http, f"{FIRST}.geheim").status_code == (200 if name == FIRST else 401)
    apps = {HOME: service.app, **service.clubs}
    stored = [at for at, app in apps.items() if app.state.hall.store.read(ListKey("t", 1, 7))]
    assert stored == ([FIRST] if name == FIRST else [])


def test_a_socket_reaches_its_own_club_alone(service):
    with line(service, FIRST, f"{FIRST}.geheim") as opened:
        opened.send(json.dumps({"ping": 1.5}))
        assert json.loads(opened.recv(timeout=30))["ping"] == 1.5
        assert service.clubs[FIRST].state.feed.card(ListKey("t", 1, 7))["connected"]
        assert not service.clubs[SECOND].state.feed.card(ListKey("t", 1, 7))["connected"]
    with pytest.raises(InvalidStatus), line(service, SECOND, f"{FIRST}.geheim"):
        pass


@pytest.mark.parametrize(
    ("name", "found"),
    [(FIRST, FIRST), ("Asse.TEST", FIRST), ("asse.test.", FIRST), ("unknown.test", HOME), ("x.asse.test", HOME)],
)
def test_a_club_is_found_by_its_name(service, name, found):
    with client(service, found) as http:
        http.headers["host"] = f"{name}:{service.port}"
        assert http.post("/api/login", json={"pin": PINS[found]}).status_code == 200


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("asse.test.", "asse.test.", 200),
        ("asse.test", "asse.test.", 200),
        ("Asse.test", "asse.test", 200),
        ("asse.test", "buben.test", 403),
        ("asse.test.", "buben.test.", 403),
    ],
)
def test_a_page_asks_in_its_own_clubs_name_however_it_is_written(service, host, origin, status):
    with client(service, FIRST) as http:
        http.headers.update({"host": f"{host}:{service.port}", "origin": f"http://{origin}:{service.port}"})
        assert http.post("/api/login", json={"pin": PINS[FIRST]}).status_code == status
        http.headers["origin"] = f"http://{origin}:{service.port + 1}"
        assert http.post("/api/login", json={"pin": PINS[FIRST]}).status_code == 403


def test_a_name_of_one_club_is_not_in_the_others_tournament(service):
    with client(service, FIRST) as http:
        cookie, note = log_in(http, PINS[FIRST]), {"note": "enter", "names": ["Anna Ott"]}
        assert http.post("/api/t/notes", json=note, headers=cookie).status_code == 200
    people = {at: app.state.hall.office.tournament.people for at, app in service.clubs.items()}
    assert len(people[FIRST]) == 1 and not people[SECOND]
    assert not service.app.state.hall.office.tournament.people


# files

DATABASE = 'tournament = "t"\nnames = ["x.test"]\ndatabase = "{}"'
FILES = {
    "without names": ('tournament = "t"', "names"),
    "a name twice": ('tournament = "t"\nnames = ["ASSE.test."]', "ASSE.test."),
    "a name in two writings": ('tournament = "t"\nnames = ["xn--schler-5ya.test"]', "xn--schler-5ya.test"),
    "a name of the service": ('tournament = "t"\nnames = ["Bund.test"]', "Bund.test"),
    "a name of this machine": ('tournament = "t"\nnames = ["localhost"]', "localhost"),
    "a name with its port": ('tournament = "t"\nnames = ["x.test:8377"]', "x.test:8377"),
    "a pattern": ('tournament = "t"\nnames = ["{any}.test"]', "{any}.test"),
    "a tournament named like an address": ('tournament = "devices"\nnames = ["x.test"]', "devices"),
    "a port of its own": ('tournament = "t"\nnames = ["x.test"]\nport = 9000', 'port = "9000"'),
    "encryption of its own": ('tournament = "t"\nnames = ["x.test"]\ntls = "off"', 'tls = "off"'),
    "no database": (DATABASE.format("nonsense"), "nonsense"),
    **{
        f"the database {url}": (DATABASE.format(url), url)
        for url in (
            "postgresql+psycopg:///asse",
            "postgresql:///asse",
            "postgresql+psycopg://localhost:5432/asse",
            "postgresql://somebody:secret@127.0.0.1/asse",
            "postgresql:///asse?host=/var/run/postgresql",
            "postgresql:///bund",
            "sqlite:///data/clubs/dritte/director.sqlite",
            "sqlite:///linked/clubs/dritte/../dritte/director.sqlite",
        )
    },
}


@pytest.fixture
def clubs(tmp_path, monkeypatch) -> Path:
    """A folder with two clubs, of which one keeps its lists in the folder of data."""
    monkeypatch.chdir(tmp_path)  # what a relative address means
    (tmp_path / "data/clubs/dritte").mkdir(parents=True)
    (tmp_path / "linked").symlink_to(tmp_path / "data")
    folder = tmp_path / "clubs"
    folder.mkdir()
    first = 'tournament = "t"\nnames = ["asse.test", "schüler.test"]\ndatabase = "postgresql+psycopg:///asse"\n'
    (folder / "asse.toml").write_text(first, encoding="utf-8")
    (folder / "dritte.toml").write_text('tournament = "t"\nnames = ["dritte.test"]', encoding="utf-8")
    return folder


def loaded(clubs: Path) -> dict[str, DirectorConfig]:
    own = DirectorConfig(tournament="t", database="postgresql:///bund", names=("bund.test",))
    return load_clubs(clubs, own, clubs.parent / "data")


@pytest.mark.parametrize(("text", "named"), FILES.values(), ids=FILES)
def test_a_file_that_cannot_be_is_named_with_its_value(clubs, text, named):
    (clubs / "zweite.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadConfig) as caught:
        loaded(clubs)
    assert "zweite.toml" in str(caught.value) and named in str(caught.value)


@pytest.mark.parametrize(
    "url", ["postgresql:///buben", "postgresql://asse.test/asse", "postgresql://:5433/asse", "sqlite:///asse.sqlite"]
)
def test_databases_that_are_two_are_let_be_two(clubs, url):
    (clubs / "zweite.toml").write_text(DATABASE.format(url), encoding="utf-8")
    assert loaded(clubs)["zweite"].names == ("x.test",)
    assert loaded(clubs)["asse"].names == ("asse.test", "xn--schler-5ya.test")


def test_the_services_own_folder_is_no_clubs(clubs):
    (clubs / "zweite.toml").write_text(DATABASE.format("sqlite:///data/director.sqlite"), encoding="utf-8")
    with pytest.raises(BadConfig, match="the service itself has that database"):
        load_clubs(clubs, DirectorConfig(tournament="t"), clubs.parent / "data")


def test_a_folder_without_clubs_is_named(tmp_path):
    with pytest.raises(BadConfig, match="no file of a club"):
        load_clubs(tmp_path, DirectorConfig(tournament="t"), tmp_path)


def test_a_process_holds_the_clubs_of_its_folder(tmp_path):
    folder = tmp_path / "clubs"
    folder.mkdir()
    (folder / "asse.toml").write_text(f'tournament = "t"\nnames = ["{FIRST}"]\npin = "2222"\n', encoding="utf-8")
    file = tmp_path / "director.toml"
    file.write_text('tournament = "t"\nhost = "127.0.0.1"\npin = "1111"\nclubs = "clubs"\n', encoding="utf-8")
    with DirectorProcess(["--config", file, "--data", tmp_path / "data", "--port", "0"]) as director:
        for name, pin, status in ((FIRST, "2222", 200), (FIRST, "1111", 403), ("127.0.0.1", "1111", 200)):
            with httpx.Client(base_url=director.url, headers={"host": name}, trust_env=False) as http:
                assert http.post("/api/login", json={"pin": pin}).status_code == status
    assert (tmp_path / "data" / "clubs" / "asse" / "director.sqlite").is_file()
    assert (tmp_path / "data" / "director.sqlite").is_file()
