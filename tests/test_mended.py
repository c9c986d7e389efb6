"""The direction's Berichtigung at the table: shown, kept over a power cut, told to a spare device, taken back."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.app.config import DeckConfig, DirectorLine, TableConfig
from kiosk.app.kiosk import Kiosk
from kiosk.app.mended import NOTICE, MendedDesk
from kiosk.app.own_rounds import OwnRounds
from kiosk.app.take_away import TakenRound, files_of
from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.sync.state import ListsMended, lists_mended
from kiosk.table.consent import BY_ALL
from kiosk.table.evenings import RoundKey, note_sitting
from kiosk.table.events.codec import decode, decode_request
from kiosk.table.events.log_file import LogFile
from kiosk.table.mending import kept_notes
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.berichtigung import ListNote, counted, note_data
from kiosk.table.scoresheet.spielliste import games_left, list_data
from kiosk.table.scoresheet.written import as_csv
from kiosk.table.table import Table
from kiosk.table.view.table_view import TableView
from kiosk.tournament.berichtigung import mend_note
from kiosk.tournament.mended_lists import mended_lists
from kiosk.ui.earlier.earlier_requests import ShowRound
from kiosk.ui.earlier.earlier_view import EarlierView

PEOPLE = ["Anna", "Bernd", "Cem", "Dora"]


def played(rules: str, round_: int = 1, games: int = 3) -> list[dict[str, Any]]:
    events = list(simulate(rules, 5, table=7, round_number=round_, games=games))
    events[0] |= {"players": PEOPLE, "at": 1_790_000_000_000, "tournament": "t"}
    return events


class Screen:
    """Keeps what it is shown."""

    def __init__(self) -> None:
        self.views: list[TableView | None] = []
        self.notices: dict[str, str] = {}
        self.shown: list[EarlierView] = []

    def show(self, view: TableView | None) -> None:
        self.views.append(view)

    def notice(self, kind: str, text: str) -> None:
        self.notices[kind] = text

    def flash(self, signal: str) -> None: ...

    def earlier(self, earlier: EarlierView) -> None:
        self.shown.append(earlier)


class Device:
    """A table's program over its file."""

    def __init__(self, path: Path, stack: ExitStack, language: str = "de") -> None:
        self.file = stack.enter_context(LogFile(path))
        self.screen: Any = Screen()
        self.kiosk = Kiosk(None, now=lambda: 0.0, screen=self.screen, language=language)
        config = TableConfig(
            table=7,
            data=path.parent,
            deck=DeckConfig(name="x"),
            director=DirectorLine(url="http://d", token="x.y", tournament="t"),
        )
        self.rounds = OwnRounds(
            self.kiosk, self.file, config, reopen=lambda key: self.sit(key.round), screen=lambda: self.screen
        )
        outputs = self.kiosk.outputs
        self.kiosk.add(MendedDesk(self.file, 7, outputs, table=lambda: self.kiosk.table, up=self.rounds.up))

    def fill(self, events: list[dict[str, Any]], round_: int = 1) -> None:
        log = self.file.log("t", 7, round_)
        for event in events:
            log.append(event)

    def sit(self, round_: int = 1) -> Table:
        log = self.file.log("t", 7, round_)
        note_sitting(self.file, log)
        table = Table(log, now=0.0)
        self.kiosk.sit(table)
        return table

    def hear(self, *notes: ListNote, round_: int = 1, others: dict[int, tuple[ListNote, ...]] | None = None) -> None:
        """What the director says, over the line's own reading of it."""
        told = {str(number): [note_data(one) for one in of] for number, of in {round_: notes, **(others or {})}.items()}
        self.kiosk.deliver(lists_mended({"tournament": "t", "rounds": told}))
        self.kiosk.beat()

    @property
    def view(self) -> TableView:
        self.kiosk.beat()
        assert self.kiosk.table is not None
        return self.kiosk.table.view(0.0)

    @property
    def notice(self) -> str:
        return str(self.screen.notices.get(NOTICE, ""))


def score(*points: int) -> dict[str, int]:
    return {str(seat): number for seat, number in enumerate(points, start=1)}


def noted(events: list[dict[str, Any]], *mends: dict[str, Any]) -> tuple[ListNote, ...]:
    """The direction's notes on a list."""
    written, notes = fold(map(decode, events)), list[ListNote]()
    for number, mend in enumerate(mends):
        body = mend_note(counted(written, notes), notes, {"reason": "verrechnet", "seen": len(notes), **mend})
        notes.append(ListNote(number=number, at=1_790_000_100_000 + number, body={**body, "actor": "Eva"}))
    return tuple(notes)


POINTS = {"what": "points", "game": 2, "after": score(7, 0, -7, 0)}
PENALTY = {"what": "penalty", "seat": 3, "after": -5}
INSERT = {"what": "row", "game": 2, "insert": True, "after": {"score": score(1, -1, 1, -1)}}


@pytest.fixture
def device(tmp_path: Path) -> Any:
    with ExitStack() as stack:
        yield lambda name="table", language="de": Device(tmp_path / f"{name}.sqlite", stack, language)


@pytest.mark.parametrize("rules", sorted(BOOKS))
def test_the_table_shows_what_counts_and_its_events_stay(device: Callable[..., Device], rules: str) -> None:
    at = device()
    events = played(rules)
    at.fill(events)
    table = at.sit()
    before = at.view
    at.hear(*noted(events, POINTS, INSERT))
    view = at.view
    listed = counted(table.round, table.notes)
    assert [row.game for row in view.rows] == [1, 2, 3, 4] and view.rows[2].score == (7, 0, -7, 0)
    assert [seat.total for seat in view.seats] == list(listed.totals.values()) != [seat.total for seat in before.seats]
    assert view.sheet is not None and view.sheet.marks == ((), (2,), (1,), ())
    assert [one["reason"] for one in view.mended] == ["verrechnet", "verrechnet"]
    assert view.game == before.game + 1 and view.phase == before.phase
    assert [body for _, body in at.file.log("t", 7, 1).read()] == events
    assert "Spiel 3: Punkte" in at.notice and "Spiel 2" in at.notice and "Turnierleitung" in at.notice


def test_what_counts_beside_the_games_stands_below_them(device: Callable[..., Device]) -> None:
    at = device()
    events = played("eppstein")
    at.fill(events)
    at.sit()
    at.hear(*noted(events, PENALTY))
    sheet = at.view.sheet
    assert (
        sheet is not None
        and sheet.beside
        and [name for name, _ in sheet.foot][1:] == ["apart_penalty *1", "end_result"]
    )
    assert [int(cell) for cell in sheet.foot[-1][1] if cell] == [seat.total for seat in at.view.seats]


def test_it_is_kept_over_a_power_cut_and_told_once(device: Callable[..., Device]) -> None:
    first = device()
    events = played("bsv")
    first.fill(events)
    first.sit()
    notes = noted(events, POINTS)
    first.hear(*notes)
    told = first.notice
    shown = first.view.rows
    first.screen.notices.clear()
    first.hear(*notes)
    assert told and not first.notice, "the same again is no news"
    first.file.close()
    again = device()
    again.sit()
    assert again.view.rows == shown and again.view.mended
    again.hear(*notes)
    assert not again.notice


def test_what_is_kept_and_cannot_be_read_does_not_keep_the_table_from_playing(device: Callable[..., Device]) -> None:
    at = device()
    events = played("bsv")
    at.fill(events)
    at.file.log("t", 7, 1).keep("mended", "[{")
    at.sit()
    assert not at.view.mended
    at.hear(*noted(events, POINTS))
    assert at.view.mended and kept_notes(at.file.log("t", 7, 1))


def test_a_spare_device_and_one_that_comes_hours_later_get_it(device: Callable[..., Device]) -> None:
    events = played("bsv")
    notes = noted(events, POINTS)
    spare = device("spare")
    spare.hear(*notes)  # nobody sat there yet
    assert not spare.notice
    spare.fill(events)
    spare.sit()
    spare.hear(*notes)
    assert spare.view.rows[1].score == (7, 0, -7, 0) and spare.notice


@pytest.mark.parametrize("language", ["de", "en"])
def test_what_is_taken_back_is_told_and_gone(device: Callable[..., Device], language: str) -> None:
    at = device(language=language)
    events = played("bsv")
    at.fill(events)
    at.sit()
    before = at.view.rows
    at.hear(*noted(events, POINTS))
    at.hear()
    assert at.view.rows == before and not at.view.mended
    assert {"de": "zurückgenommen", "en": "taken a correction"}[language] in at.notice


def test_an_earlier_round_is_put_right_where_it_is_looked_at(device: Callable[..., Device]) -> None:
    at = device()
    first, second = played("eppstein"), played("eppstein", 2)
    at.fill(first)
    at.fill(second, 2)
    at.sit(1)
    at.sit(2)
    now = at.view
    notes = noted(first, POINTS)
    at.hear(*notes)
    assert at.view.rows == now.rows and "Runde 1, Spiel 2: Punkte" in at.notice
    at.rounds.takes(ShowRound(RoundKey(evening="t", table=7, round=1)))
    shown = at.screen.shown[0].view
    assert shown.rows[1].score == (7, 0, -7, 0) and shown.mended
    at.hear(round_=2)  # everything of the tournament is said each time: of round 1 nothing stands any more
    assert kept_notes(at.file.log("t", 7, 1)) == () and "zurückgenommen" in at.notice


def test_what_people_take_away_has_the_footnotes(device: Callable[..., Device]) -> None:
    at = device()
    events = played("bsv")
    at.fill(events)
    at.sit()
    at.hear(*noted(events, POINTS))
    taken = TakenRound(RoundKey(evening="t", table=7, round=1), events, kept_notes(at.file.log("t", 7, 1)))
    files = dict(files_of([taken], "de"))
    csv = next(content for name, content in files.items() if name.endswith(".csv")).decode()
    pdf = next(content for name, content in files.items() if name.endswith(".pdf"))
    assert "verrechnet" in csv and "2*1" in csv
    plain = dict(files_of([TakenRound(taken.key, events)], "de"))
    assert pdf != next(content for name, content in plain.items() if name.endswith(".pdf"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "told",
    [
        pytest.param({"tournament": "t", "rounds": None}, id="no rounds"),
        pytest.param({"tournament": "t", "rounds": {"x": []}}, id="no number"),
        pytest.param({"tournament": "t", "rounds": {"1": [{"number": "0", "at": 1, "body": {}}, 5]}}, id="no notes"),
        pytest.param({"tournament": "t", "rounds": {"1": [{"number": 0, "at": 1, "body": {"note": "x"}}]}}, id="newer"),
        pytest.param({"tournament": "other", "rounds": {"1": []}}, id="another tournament"),
        pytest.param({}, id="nothing"),
    ],
)
def test_what_the_table_cannot_read_changes_nothing(device: Callable[..., Device], told: dict[str, Any]) -> None:
    at = device()
    at.fill(played("bsv"))
    at.sit()
    before = at.view.rows
    at.kiosk.deliver(lists_mended(told))
    at.kiosk.beat()
    assert at.view.rows == before and not at.view.mended and not at.notice


ADDED = {"what": "row", "game": 4, "after": {"score": score(1, -1, 1, -1)}}


def test_a_game_that_was_not_written_down_is_one_of_the_rounds(device: Callable[..., Device]) -> None:
    """eppstein 7.4.1, bsv 8.5: with it all are played, and the table ends; taken back, it plays on."""
    events = list(simulate("bsv", 5, table=7, games=3))
    events[0] |= {"players": PEOPLE, "options": {**events[0].get("options", {}), "games": 4}}
    made = device()
    made.fill(events)
    table = made.sit()
    assert (made.view.phase, made.view.games_left, made.view.may_deal) == ("scored", 1, True)
    made.hear(*noted(events, ADDED))
    assert (made.view.phase, made.view.games_left, made.view.may_deal) == ("over", 0, False)
    assert made.view.next_dealer is None and made.view.may_sign == (1, 2, 3, 4) and made.view.may_close
    assert not table.position().may_deal
    before = len(table.events)
    with pytest.raises(Refused) as refused:
        table.request(decode_request({"event": "deal", "dealer": table.round.next_dealer}, BY_ALL))
    assert refused.value.code == "round_over" and len(table.events) == before
    made.hear()
    assert (made.view.phase, made.view.games_left, made.view.may_deal) == ("scored", 1, True)
    assert table.request(decode_request({"event": "deal", "dealer": table.round.next_dealer}, BY_ALL)) == [before]


def test_a_pflichtsolo_that_is_owed_is_played_in_any_case(device: Callable[..., Device]) -> None:
    """eppstein 7.5.1: a game added takes none of them away."""
    events = list(simulate("eppstein", 5, table=7, games=3))
    events[0] |= {"players": PEOPLE, "options": {**events[0].get("options", {}), "games": 4}}
    written = fold(map(decode, events))
    owed = sum(written.duties_left.values())
    assert owed and games_left(counted(written, noted(events, ADDED))) == min(written.games_left or 0, owed)


def test_the_table_plays_on_and_what_was_put_right_stays(device: Callable[..., Device]) -> None:
    at = device()
    events, more = played("bsv"), played("bsv", games=4)
    at.fill(events)
    table = at.sit()
    at.hear(*noted(events, POINTS, INSERT))
    for event in more[len(events) :]:
        table.note(decode(event))
    view = at.view
    assert [row.game for row in view.rows] == [1, 2, 3, 4, 5] and view.rows[2].score == (7, 0, -7, 0)
    assert list_data(counted(table.round, table.notes))["played"] == 5


MENDS = st.lists(
    st.one_of(
        st.tuples(st.just("points"), st.integers(1, 4), st.integers(-20, 20)),
        st.tuples(st.just("strike"), st.integers(1, 4), st.just(0)),
        st.tuples(st.just("row"), st.integers(1, 4), st.integers(-20, 20)),
        st.tuples(st.just("name"), st.integers(1, 4), st.integers(0, 9)),
        st.tuples(st.just("penalty"), st.integers(1, 4), st.integers(-12, -1)),
    ),
    max_size=5,
)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(mends=MENDS, rules=st.sampled_from(sorted(BOOKS)))
def test_table_and_director_have_the_same_list(mends: list[tuple[str, int, int]], rules: str) -> None:
    events = played(rules)
    written, notes = fold(map(decode, events)), list[ListNote]()
    for what, number, points in mends:
        values: dict[str, Any] = {
            "points": score(points, 0, -points, 0),
            "row": {"score": score(points, 0, -points, 0)},
            "name": f"Name {points}",
            "penalty": points,
        }
        wish = {"what": what, "game": number, "seat": number, "after": values.get(what), "insert": what == "row"}
        try:
            body = mend_note(counted(written, notes), notes, {**wish, "reason": "x", "seen": len(notes)})
        except ValueError:
            continue
        notes.append(ListNote(number=len(notes), at=1, body=body))
    said = mended_lists({(1, 7): tuple(notes)}).get(7, {})
    heard = lists_mended({"tournament": "t", "rounds": said})
    assert heard == ListsMended("t", {1: tuple(notes)} if notes else {})
    at_table, at_director = counted(written, heard.rounds.get(1, ())), counted(written, notes)
    assert at_table == at_director and as_csv(list_data(at_table)) == as_csv(list_data(at_director))
