"""The first start: what people answer is kept at once, and decides whose the table is."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hw.network import Network, NetworkError
from kiosk.app.config import NOT_NUMBERED, DeckConfig, DirectorLine, TableConfig, load_table
from kiosk.app.doorstep import through_door
from kiosk.app.first_start import FirstStart, answered
from kiosk.app.kept_settings import KEPT, KeptSettings
from kiosk.errors import BadConfig, Refused
from kiosk.sync.door import keep_door, new_door
from kiosk.sync.state import DirectionsFound, FoundDirection
from kiosk.ui.first_start.start_view import ChooseDirection, KeepLanguage, KeepTouch, KeepTurn, ShowStep, StartView

HERE, THERE = "https://10.0.0.1:8377", "https://10.0.0.2:8377"


class Shown(list):  # type: ignore[type-arg]
    """The screen: what was shown, the newest last."""

    def start(self, view: StartView | None) -> None:
        self.append(view)


class NoNetworks:
    """A machine whose network is set elsewhere."""

    def look(self) -> Network:
        raise NetworkError("tools", "no NetworkManager here")

    def search(self) -> None:
        raise AssertionError("nobody can search")

    def join(self, ssid: bytes, password: str, *, security: str = "wpa", hidden: bool = False) -> str:
        raise AssertionError("nobody asked for it")

    def forget(self, ssid: bytes) -> None:
        raise AssertionError("nobody asked for it")


class Table:
    """A table that is switched on, with what it shows and does."""

    def __init__(self, folder: Path, *, number: int = NOT_NUMBERED, url: str = "") -> None:
        self.folder, self.list_open = folder, False
        self.file = TableConfig(table=number, data=folder, deck=DeckConfig(name="x"), director=DirectorLine(url=url))
        self.switch_on()

    def switch_on(self) -> None:
        """Switch it on, also after a power cut: what was there before is told nothing."""
        config, first = answered(self.file, Path("table.toml"), headless=False)
        self.config, _ = through_door(config)
        self.screen, self.asked, self.anew = Shown(), [], 0  # asked: the directions to admit it
        self.searches: list[bool] = []  # each that began: whether it goes on
        self.start = FirstStart(
            self.file,
            self.config,
            KeptSettings(self.folder),
            self,
            first=first,
            screen=lambda: self.screen,
            may_change=lambda: not self.list_open,
            anew=self._begin_anew,
            deliver=lambda message: self.start.heard(message),
            look=self._look,
            networks=NoNetworks(),
        )
        self.start.begin()

    def turn_to(self, director: DirectorLine) -> None:
        self.asked.append(director.url)

    def _begin_anew(self) -> None:
        self.anew += 1

    def _look(self, deliver: Any) -> Any:
        self.deliver, searches, number = deliver, self.searches, len(self.searches)
        searches.append(True)

        class Search:
            def stop(self) -> None:
                searches[number] = False

        return Search()

    @property
    def view(self) -> StartView | None:
        return self.screen[-1] if self.screen else None

    def do(self, request: Any) -> None:
        assert self.start.takes(request)

    def admitted(self, number: int, url: str) -> None:
        """The direction has typed the code in."""
        keep_door(self.folder, replace(new_door(url), table=number, to=url, tournament="Klub"))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_the_installed_example_is_asked_for_everything(tmp_path):
    config = load_table(Path("systemd/table.toml"))
    assert config.table == NOT_NUMBERED
    assert answered(replace(config, data=tmp_path), Path("x"), headless=False)[1] is True


@pytest.mark.parametrize(
    ("number", "url"), [(7, ""), (7, HERE), (NOT_NUMBERED, HERE)], ids=["number", "both", "direction"]
)
def test_a_file_that_says_whose_the_table_is_asks_nobody(tmp_path, number, url):
    table = Table(tmp_path, number=number, url=url)
    assert table.view is None
    assert table.config.director.url == url and table.config.table == number


def test_without_a_screen_nobody_is_asked(tmp_path):
    config = TableConfig(table=NOT_NUMBERED, data=tmp_path, deck=DeckConfig(name="x"))
    with pytest.raises(BadConfig, match="write its number"):
        answered(config, Path("table.toml"), headless=True)


def test_every_step_comes_again_after_a_power_cut(table):
    assert table.view == StartView(step="screen")
    for request in (KeepLanguage("en"), KeepTurn(180), KeepTouch("xy")):
        table.do(request)
    table.switch_on()
    screen = table.config.screen
    assert (screen.language, screen.turn, screen.touch, table.view.step) == ("en", 180, "xy", "screen")
    for step in ("network", "direction", "language", "direction"):
        table.do(ShowStep(step))
        table.switch_on()
        assert table.view.step == step and table.view.first
    table.do(ChooseDirection(HERE))
    table.switch_on()
    assert table.view.url == table.config.director.url == HERE and table.view.first
    table.admitted(12, HERE)
    table.switch_on()
    assert table.view is None
    line = table.config.director
    assert (table.config.table, line.url, line.tournament, bool(line.token)) == (12, HERE, "Klub", True)


def test_who_answers_is_looked_for_while_people_look(table):
    table.do(ShowStep("direction"))
    assert table.view.found is None and table.searches == [True]
    table.do(ShowStep("direction"))
    assert table.searches == [True], "one search is enough"
    table.deliver((FoundDirection("Klub", HERE), FoundDirection("Klub", THERE)))
    assert [line.url for line in table.view.found] == [HERE, THERE]
    table.do(ShowStep("language"))
    assert table.searches == [False]
    before = len(table.screen)
    table.start.heard(DirectionsFound(()))
    assert len(table.screen) == before, "what comes late says nothing"


def test_a_direction_is_asked_at_once_and_another_one_instead(table):
    table.do(ShowStep("direction"))
    for url in (HERE, THERE, THERE):
        table.do(ChooseDirection(url))
    assert table.asked == [HERE, THERE, THERE] and table.anew == 0
    assert table.view.url == THERE and table.view.first


def test_alone_is_an_answer(table):
    table.do(ShowStep("direction"))
    table.do(ChooseDirection(""))
    assert table.view is None and table.searches == [False] and table.anew == 0
    table.switch_on()
    assert table.view is None and table.config.table == 1 and table.config.director.url == ""


def test_alone_after_a_direction_was_waited_for(table):
    table.do(ChooseDirection(HERE))
    table.switch_on()
    table.do(ChooseDirection(""))
    assert table.anew == 1, "a table that was switched on for a direction begins anew on its own"
    table.switch_on()
    assert table.view is None and table.config.director.url == ""


def test_later_a_table_goes_elsewhere_only_while_no_list_is_open(tmp_path):
    table = Table(tmp_path, number=7, url=HERE)
    table.do(ShowStep("direction"))
    assert not table.view.first and table.view.url == HERE
    table.list_open = True
    with pytest.raises(Refused):
        table.do(ChooseDirection(THERE))
    assert (table.anew == 0 and not (tmp_path / KEPT).exists()) or "url" not in kept(tmp_path)
    table.list_open = False
    table.do(ChooseDirection(THERE))
    assert table.anew == 1
    table.switch_on()
    assert table.config.director.url == THERE
    table.do(ShowStep(""))
    assert table.view is None


def test_a_direction_that_the_file_names_later_counts(tmp_path):
    table = Table(tmp_path, number=7, url=HERE)
    table.do(ChooseDirection(THERE))
    table.file = replace(table.file, director=DirectorLine(url="https://new.example:8377"))
    table.switch_on()
    assert table.config.director.url == "https://new.example:8377"


def test_secret_and_tournament_of_the_file_are_for_its_own_direction(tmp_path):
    table = Table(tmp_path, number=7, url=HERE)
    table.file = replace(table.file, director=DirectorLine(url=HERE, token="secret", tournament="abend"))
    table.do(ChooseDirection(THERE))
    table.switch_on()
    assert table.config.director == DirectorLine(url=THERE)


def test_what_cannot_be_read_is_asked_again(tmp_path):
    (tmp_path / KEPT).write_text(json.dumps({"start": {"step": "nowhere", "url": 3}}), encoding="utf-8")
    assert Table(tmp_path).view == StartView(step="screen")


def kept(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / KEPT).read_text(encoding="utf-8"))["start"]
    return found
