"""Going through a game: which may be looked at when, with the pictures that are left of it."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.app.recorder import Recorder
from kiosk.app.replay_desk import ReplayDesk
from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.table.evenings import RoundKey
from kiosk.table.events.codec import decode, decode_opening
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import CardPlayed
from kiosk.table.recordings import Recordings
from kiosk.table.round.fold import fold
from kiosk.table.table import Table
from kiosk.ui.parts.played_view import LookAtGame, PlayedView
from vision.messages import AskRecording, Recording


def picture(number: int) -> bytes:
    return b"\xff\xd8" + number.to_bytes(4, "big") + b"\xff\xd9"


@cache
def events(rules: str) -> tuple[dict[str, Any], ...]:
    """Two games and a half."""
    found, deals, cards = [], 0, 0
    for body in simulate(rules, 3, games=6, mistakes=0):
        found.append(body)
        deals += body["event"] == "deal"
        cards = 0 if body["event"] == "deal" else cards + (body["event"] == "card")
        if deals >= 3 and cards == 10:
            break
    return tuple(found)


class Stage:
    """A table with its recorder and the desk; jobs are done at once."""

    def __init__(self, folder: Path, rules: str = "eppstein", keep: bool = True, **options: object) -> None:
        self.recordings = Recordings(folder)
        self.shown: list[PlayedView] = []
        self.log, self.now, self.wall = MemoryLog(), 0.0, 1000
        self.played = 1  # of the events, with the opening
        self.opening = {**events(rules)[0], "tournament": "t", "options": options}
        self.table = self.open()
        self.recorder = Recorder(
            self.recordings, self.film, lambda kept: None, lambda: self.now, write=lambda job: job()
        )
        self.desk = ReplayDesk(
            SimpleNamespace(played=self.shown.append),  # type: ignore[arg-type]
            lambda read: self.desk.heard(read),
            self.recordings if keep else None,
            number=7,
            folded=lambda key: fold(decode(body) for _, body in self.log.read()),
            run=lambda job: job(),
        )
        if keep:
            self.recorder.sit(self.table)
        self.desk.sit(self.table)

    def open(self) -> Table:
        return Table(self.log, now=0.0, opening=decode_opening(self.opening), wall=self.tick)

    def tick(self) -> int:
        self.wall += 7
        return self.wall

    def film(self, ask: AskRecording) -> None:
        number = int(ask.name.split()[-2])
        self.recorder.heard(Recording(at=self.now, name=ask.name, pictures=((self.now, picture(9000 + number)),)))

    def play(self, rules: str, until: int | None = None) -> None:
        for body in events(rules)[self.played : until]:
            event = decode(body)
            self.played += 1
            number = len(self.table.events)
            self.table.note(event, picture(number) if isinstance(event, CardPlayed) else None)
            self.now += 1
            self.recorder.beat()

    def look(self, game: int | None = None, **asked: Any) -> PlayedView:
        assert self.desk.takes(LookAtGame(game, **asked))
        return self.shown[-1]


def checked(view: PlayedView) -> Mapping[int, bytes]:
    """The view's pictures, each of its own card."""
    assert view.cards == {event: picture(event) for event in view.cards}
    return view.cards


def test_a_game_that_is_over_is_gone_through_with_all_its_pictures(tmp_path: Path) -> None:
    """From the disk, too: a restart forgets what was in memory."""
    stage = Stage(tmp_path, look_back=True)
    stage.play("eppstein")
    for table in (stage.table, stage.open()):
        stage.desk.sit(table)
        view = stage.look(1)
        cards = [card.event for trick in view.game.tricks for card in trick.cards]
        assert len(cards) == 48 and set(checked(view)) == set(cards)
        lasts = [trick.cards[-1].event for trick in view.game.tricks]
        assert view.mats == {last: picture(9000 + last) for last in lasts}
        assert (view.before, view.after, view.names) == (None, 2, tuple(stage.opening["players"]))
        assert view.offered


@pytest.mark.parametrize("rules", ["eppstein", "ddv", "bsv", "durchgaenge", "schnittchen", "schaffkopf"])
def test_while_a_game_is_in_play_players_see_what_the_book_shows(tmp_path: Path, rules: str) -> None:
    stage = Stage(tmp_path, rules)
    stage.play(rules)
    round = stage.table.round
    assert round.running and round.game is not None and round.game.tricks
    running, back = round.game.number, bool(round.options["look_back"])
    view = stage.look()
    assert (view.game.number, [trick.number for trick in view.game.tricks]) == (running, [len(round.game.tricks)])
    assert view.before == (running - 1 if back else None)
    assert set(checked(view)) == {card.event for card in round.game.tricks[-1].cards}
    if back:
        assert stage.look(1).game.number == 1
    else:
        with pytest.raises(Refused) as refused:
            stage.look(1)
        assert (refused.value.code, refused.value.section.split(" ")[0]) == ("tricks_covered", rules)
    whole = stage.look(running, referee=True)
    assert [trick.number for trick in whole.game.tricks][: len(round.game.tricks)] == [
        *range(1, len(round.game.tricks) + 1)
    ]
    assert stage.look(1, referee=True).game.number == 1


def test_between_games_all_of_them_are_open(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    deals = [n for n, body in enumerate(events("eppstein")) if body["event"] == "deal"]
    stage.play("eppstein", deals[2])
    assert not stage.table.round.running
    assert (stage.look().game.number, stage.look(1).after) == (2, 2)


def test_where_nothing_was_played_there_is_nothing(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    deals = [n for n, body in enumerate(events("eppstein")) if body["event"] == "deal"]
    for until in (1, deals[0] + 1):
        stage.play("eppstein", until)
        for asked in (LookAtGame(), LookAtGame(7)):
            with pytest.raises(Refused) as refused:
                stage.desk.takes(asked)
            assert refused.value.code == "nothing_played"


def test_a_list_that_was_taken_over_has_no_pictures(tmp_path: Path) -> None:
    """A spare device goes on with the direction's list: what the broken one has seen is not there."""
    stage = Stage(tmp_path / "old", look_back=True)
    stage.play("eppstein")
    stage.recordings.folder = tmp_path / "spare"
    stage.desk.sit(stage.open())
    view = stage.look(1)
    assert (view.cards, view.mats, view.offered) == ({}, {}, True)
    assert len(view.game.tricks) == 12


def test_pictures_of_another_list_are_not_taken_for_this_one(tmp_path: Path) -> None:
    """The round is begun anew: its events bear the numbers of those that were put by."""
    stage = Stage(tmp_path, look_back=True)
    stage.play("eppstein")
    anew = Stage(tmp_path, look_back=True)
    anew.wall = 5_000_000
    anew.recordings.folder = tmp_path  # the same folder, the same tournament, table and round
    anew.log = MemoryLog()
    anew.table = anew.open()
    anew.recorder._table = None  # no camera here
    anew.play("eppstein")
    anew.desk.sit(anew.open())
    assert anew.look(1).cards == {}


def test_where_none_are_kept_the_last_ones_are_in_memory(tmp_path: Path) -> None:
    stage = Stage(tmp_path, keep=False, look_back=True)
    stage.play("eppstein")
    assert not list(tmp_path.rglob("*.jpg"))
    view = stage.look(2)
    assert checked(view) and not view.mats and not view.offered


def test_a_round_played_before_is_gone_through(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    deals = [n for n, body in enumerate(events("eppstein")) if body["event"] == "deal"]
    stage.play("eppstein", deals[1])
    key = RoundKey(evening="t", table=7, round=1)
    view = stage.look(1, key=key)
    assert checked(view) and view.asked == LookAtGame(1, key)
    stage.play("eppstein")  # it goes on: a game is in play at this table
    with pytest.raises(Refused, match="does not show these tricks"):
        stage.look(1, key=key)
