"""The machine before a takeover comes back: it is told, and serves no tables; an announcement alone is not believed."""

from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kiosk.app.rival import ask
from kiosk.director.app import meet_rival
from kiosk.director.saving.places import Places
from kiosk.director.saving.takeover import offers, put_in_place, take
from kiosk.director.serve import Service
from kiosk.director.settings import Rival
from kiosk.director.tables.line_routes import COME_AGAIN
from kiosk.sync.trust import trust
from kiosk.table.events.chain import START
from tests.director.test_saving import ALL, ROUND, FolderSticks, settings_of


def client(service: Service) -> httpx.Client:
    return httpx.Client(base_url=service.url, trust_env=False, verify=False)


def authority_of(service: Service) -> str:
    assert service.certificates is not None
    return service.certificates.authority


@pytest.mark.slow
def test_the_machine_before_knows_that_it_is_over(tmp_path: Path) -> None:
    (tmp_path / "sticks").mkdir()
    sticks = FolderSticks(tmp_path / "sticks")
    sticks.plug("AA-1")
    with Service(settings_of(tmp_path / "old", sticks)) as old, client(old) as page:
        page.post("/api/first", json={"code": old.app.state.access.first_code, "name": "L", "password": "pikbube9"})
        secret = {"authorization": f"Bearer {old.enrol(7)}"}
        assert page.post("/api/saving", json={"place": "AA-1"}).json()["state"] == "ok"
        new_folder = tmp_path / "new"
        settings = settings_of(new_folder, sticks)
        (offer,) = offers(Places(sticks, new_folder))
        take(Places(sticks, new_folder), offer.id, new_folder, ALL)
        assert put_in_place(new_folder, new_folder / "director.sqlite", new_folder / "tls")
        with Service(settings) as new, Service(settings_of(tmp_path / "stranger", sticks)) as stranger:
            seen = ask(new.url, authority_of(old), old.app)
            assert seen == Rival(url=new.url, takeovers=1, newer=True)
            assert ask(old.url, authority_of(new), new.app) == Rival(url=old.url, takeovers=0, newer=False)
            assert ask(old.url, authority_of(old), old.app) is None, "itself"
            assert ask(stranger.url, authority_of(old), old.app) is None, "it cannot show the authority"
            assert ask("https://127.0.0.1:1", authority_of(old), old.app) is None
            lists = "/line/t/1/7/events"
            sent = {"after": -1, "chain": START, "events": ROUND[:5]}
            address = f"wss{old.url.removeprefix('https')}/line/t/1/7"
            with connect(address, ssl=trust(authority_of(old)), additional_headers=secret, proxy=None) as socket:
                meet_rival(old.app, seen)
                with pytest.raises(ConnectionClosed) as closed:
                    socket.recv(30)
                assert closed.value.rcvd is not None and closed.value.rcvd.code == COME_AGAIN
            refused = page.post(lists, json=sent, headers=secret)
            assert (refused.status_code, refused.json()["error"]) == (503, "taken_over")
            assert page.get("/api/me").json()["rival"] == {"url": new.url, "newer": True}
            with client(new) as there:
                assert there.post(lists, json=sent, headers=secret).status_code == 200
            meet_rival(old.app, replace(seen, newer=False))  # told, but it goes on
            assert page.post(lists, json=sent, headers=secret).status_code == 200
            meet_rival(old.app, None)
            assert page.get("/api/me").json()["rival"] is None
