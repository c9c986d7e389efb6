"""A list held in little room, and one taken from what was kept of it, give every answer that the whole list gives."""

import asyncio
import contextlib
import dataclasses
import pickle
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.director.pages import shown
from kiosk.director.pages.offered import offered
from kiosk.director.refusals import StoreFailed
from kiosk.director.storage.fold_store import KeptFold
from kiosk.director.storage.store import Store
from kiosk.director.storage.threads import Threads
from kiosk.director.tables import copies, fold_beside, fold_process, folds
from kiosk.director.tables.copies import Copies
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.desks import Desks
from kiosk.director.tables.fold_beside import FoldBeside
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.evolve import evolve
from kiosk.table.events.chain import START, chain_over
from kiosk.table.events.codec import decode
from kiosk.table.round import packed as packed_module
from kiosk.table.round.fold import Round
from kiosk.table.round.packed import PackedEvents, compact
from kiosk.table.scoresheet.berichtigung import ListNote, counted
from kiosk.table.scoresheet.pace import pace
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.view.show import view
from kiosk.tournament.appeal import closed_ms
from kiosk.tournament.cash import fines
from kiosk.tournament.ranking import day_of, finished

KEY = ListKey("t", 1, 1)
AT = 1_760_000_000_000


@cache
def a_round(book: str, seed: int = 7, games: int | None = 6) -> list[dict[str, Any]]:
    events = simulate(book, seed, games, mistakes=0.03, mishaps=0.3)
    return [{**event, "at": AT + 1000 * number} for number, event in enumerate(events)]


def copied(events: list[dict[str, Any]], key: ListKey = KEY) -> Copy:
    copy = Copy(key)
    copy.add(events)
    assert not copy.trouble and copy.round is not None
    return copy


def whole(copy: Copy) -> Round:
    assert copy.round is not None
    return copy.round


def spread(copy: Copy) -> Copy:
    """Wherever its events are held."""
    return dataclasses.replace(copy, round=evolve(whole(copy), earlier=whole(copy).log, lately=()))


def packed(copy: Copy) -> Copy:
    return dataclasses.replace(copy, round=compact(whole(copy)), names=set(copy.names))


def kept(copy: Copy) -> Copy:
    """As after a start."""
    found = folds.keep(packed(copy))
    assert found is not None
    taken = folds.take(found)
    assert taken is not None
    return taken


WAYS = pytest.mark.parametrize("way", [packed, kept])


def mends(round_: Round) -> list[ListNote]:
    """A Berichtigung of the last row."""
    rows = counted(round_).rows
    if not rows:
        return []
    points = {str(seat): 0 for seat in round_.seats}
    before = {str(seat): rows[-1].score[seat] for seat in round_.seats}
    body = {
        "note": "berichtigung",
        "round": 1,
        "table": 1,
        "what": "points",
        "game": rows[-1].game,
        "before": before,
        "after": points,
        "reason": "verrechnet",
    }
    return [ListNote(number=1, at=AT, body=body)]


#: What is asked of a list, each of the copy.
QUESTIONS: dict[str, Callable[[Copy], Any]] = {
    "log": lambda copy: whole(copy).log,
    "log backwards": lambda copy: list(whole(copy).latest_first),
    "log in order": lambda copy: list(whole(copy).in_order),
    "facts": lambda copy: whole(copy).facts,
    "each event": lambda copy: [whole(copy).noted(number) for number in range(-1, copy.count + 1)],
    "opening": lambda copy: whole(copy).opening,
    "card": lambda copy: shown.card(copy, counted(whole(copy))),
    "page": lambda copy: shown.sheet(copy, copy.view(counted(whole(copy))), counted(whole(copy))),
    "view": lambda copy: view(whole(copy), whole=True),
    "list": lambda copy: list_data(whole(copy)),
    "list put right": lambda copy: list_data(counted(whole(copy), mends(whole(copy)))),
    "standing": lambda copy: finished(counted(whole(copy)), {}, frozenset()),
    "pace": lambda copy: pace(whole(copy)),
    "fines": lambda copy: fines(whole(copy)),
    "handed in": lambda copy: closed_ms(whole(copy), ()),
    "day": lambda copy: day_of(whole(copy)),
    "buttons": lambda copy: offered(whole(copy), counted(whole(copy))),
    "what the copy knows": lambda copy: (copy.count, copy.folded, copy.trouble, copy.names, copy.chain),
}


#: All books, one of them fast: what is kept of a list is the same for each.
BOOKS_ONE_FAST = [
    pytest.param(book, marks=[] if book == "schaffkopf" else pytest.mark.slow, id=book) for book in sorted(BOOKS)
]


@WAYS
@pytest.mark.parametrize("book", BOOKS_ONE_FAST)
def test_every_answer_is_the_same(book: str, way: Callable[[Copy], Copy]) -> None:
    events = a_round(book)
    copy, other = copied(events), way(copied(events))
    assert isinstance(whole(other).earlier, PackedEvents)
    for question, answer in QUESTIONS.items():
        assert answer(other) == answer(copy), question


@WAYS
@pytest.mark.parametrize("book", BOOKS_ONE_FAST)
def test_it_goes_on_like_the_whole_list(book: str, way: Callable[[Copy], Copy]) -> None:
    events = a_round(book, 11)
    for place in range(len(events) // 3, len(events), len(events) // 3):
        copy, other = copied(events[:place]), way(copied(events[:place]))
        copy.add(events[place:])
        other.add(events[place:])
        assert spread(other) == spread(copy) and list_data(whole(other)) == list_data(whole(copy))
        assert other.chain == chain_over(events)


@pytest.mark.parametrize("answered", [False, True], ids=["asked", "answered: each has laid the other's"])
@WAYS
def test_whose_two_cards_are_that_came_at_once(way: Callable[[Copy], Copy], answered: bool) -> None:
    events = a_round("eppstein")
    one, two = whole(copied(events)).games[0].tricks[2].cards[1:3]
    seats = {str(one.event): one.seat, str(two.event): two.seat}
    others = {str(one.event): two.seat, str(two.event): one.seat}
    asked = {"event": "correct", "seats": seats, "perhaps": others, "at_once": True, "by": "camera"}
    events = [*events, asked, *[{"event": "correct", "seats": others, "by": "table"}] * answered]
    copy, other = copied(events), way(copied(events))
    assert bool(whole(copy).perhaps) != answered and bool(whole(copy).order) == answered
    for question, answer in QUESTIONS.items():
        assert answer(other) == answer(copy), question
    back = [{"event": "correct", "seats": seats, "by": "table"}]
    copy.add(back)
    other.add(back)
    assert spread(other) == spread(copy) and not whole(copy).perhaps


@pytest.mark.slow
@WAYS
def test_a_closed_list_is_put_right_at_its_table(way: Callable[[Copy], Copy]) -> None:
    events = a_round("eppstein", 5, None)
    copy, other = copied(events), way(copied(events))
    assert whole(copy).closed
    for question, answer in QUESTIONS.items():
        assert answer(other) == answer(copy), question
    cards = [number for number, event in enumerate(events) if event["event"] == "card"]
    for later in (
        {"event": "strike", "game": whole(copy).games[-1].number, "replay": False},
        {"event": "correct", "of": cards[-1], "card": None},
        {"event": "correct", "of": cards[0], "card": "H9"},
    ):
        copy.add([later])
        other.add([later])
    assert spread(other) == spread(copy)
    assert list_data(whole(other)) == list_data(whole(copy))


def test_what_another_version_kept_is_not_read(tmp_path: Any) -> None:
    store = Store(f"sqlite:///{tmp_path / 'store.sqlite'}")
    found = folds.keep(packed(copied(a_round("bsv"))))
    assert found is not None
    store.keep_folds([found])
    store.keep_folds([found])  # the same again is kept once
    assert store.folds_kept() == 1
    assert store.kept_fold(KEY, folds.version()) == found
    assert store.kept_fold(KEY, "another") is None
    store.close()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no pickle",
        zlib.compress(pickle.dumps((1, "", [], None))[:-3]),
        zlib.compress(pickle.dumps((7, "", [], None))),
        zlib.compress(b"cos\nsystem\n(S'true'\ntR."),
        zlib.compress(b"ckiosk.table.events.log_file\nLogFile\n(S'/tmp/x'\ntR."),
    ],
    ids=["nothing", "no pickle", "cut off", "another count", "a program", "no value of a round"],
)
def test_what_cannot_be_read_is_not_taken(body: bytes) -> None:
    assert folds.take(KeptFold(KEY, 0, "", folds.version(), body)) is None


def test_an_event_is_the_one_that_was_packed() -> None:
    round_ = whole(copied(a_round("schnittchen")))
    little = compact(round_)
    assert little.earlier == round_.log and round_.log == little.earlier
    assert little.earlier[3:5] == round_.log[3:5] and little.earlier[-1] == round_.log[-1]
    assert little.earlier != round_.log[:-1]
    assert decode(a_round("schnittchen")[0], keep=False) == little.opening


class Director:
    """What a director does with its lists, without its service."""

    def __init__(self, url: str) -> None:
        self.store, self.desks, self.threads = Store(url), Desks(), Threads()
        self.copies = Copies(self.store, self.threads, self.desks, lambda _: None)

    async def work(self, *keys: ListKey) -> None:
        """Bring these lists up to the store, and keep what is to be kept."""
        for key in keys:
            if key not in self.desks:
                self.desks.add(key)
            self.copies.mark(key)
        working = asyncio.create_task(self.copies.work_forever())
        while self.copies.busy:
            await asyncio.sleep(0.005)
        working.cancel()
        with contextlib.suppress(asyncio.CancelledError, RuntimeError):  # a second run has another loop
            await working

    def stop(self) -> None:
        self.threads.stop()
        self.store.close()


@pytest.fixture
def director(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Director]]:
    """Start directors one after the other on the same database; a list alone is a large hall."""
    monkeypatch.setattr(copies, "MANY", 1)
    started: list[Director] = []

    def start() -> Director:
        for one in started:
            one.stop()
        started[:] = [Director(f"sqlite:///{tmp_path / 'd.sqlite'}")]
        return started[0]

    yield start
    for one in started:
        one.stop()


def folded_events(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note how many events are folded from now on."""
    found: list[int] = []
    add = Copy.add

    def noting(self: Copy, events: Any) -> None:
        found.append(len(events))
        add(self, events)

    monkeypatch.setattr(Copy, "add", noting)
    return found


@pytest.mark.slow
def test_a_director_that_starts_again_folds_only_what_is_new(
    director: Callable[[], Director], monkeypatch: pytest.MonkeyPatch
) -> None:
    events = a_round("eppstein", 5, None)
    first = director()
    first.store.append(KEY, -1, START, events[:-1])
    asyncio.run(first.work(KEY))
    assert first.store.folds_kept() == 1 and first.desks[KEY].copy.count == len(events) - 1
    first.store.append(KEY, len(events) - 2, chain_over(events[:-1]), events[-1:])
    folded = folded_events(monkeypatch)
    second = director()
    asyncio.run(second.work(KEY))
    assert 0 < sum(folded) <= 400
    copy = second.desks[KEY].copy
    assert spread(copy) == spread(copied(events)) and isinstance(whole(copy).earlier, PackedEvents)
    folded.clear()
    third = director()
    asyncio.run(third.work(KEY))
    assert folded == [] and spread(third.desks[KEY].copy) == spread(copy)


@pytest.mark.slow
def test_what_was_kept_of_a_list_that_was_set_aside_does_not_count(director: Callable[[], Director]) -> None:
    events, others = a_round("eppstein", 5, None), a_round("eppstein", 6, None)
    first = director()
    first.store.append(KEY, -1, START, events)
    asyncio.run(first.work(KEY))
    assert first.store.folds_kept() == 1
    first.store.set_aside(KEY)
    first.desks[KEY].anew = True
    asyncio.run(first.work(KEY))
    assert first.desks[KEY].copy.round is None
    first.store.append(KEY, -1, START, others)
    second = director()
    asyncio.run(second.work(KEY))
    assert spread(second.desks[KEY].copy) == spread(copied(others))


def test_a_small_hall_keeps_nothing(director: Callable[[], Director], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MANY", 2)
    one = director()
    one.store.append(KEY, -1, START, a_round("bsv"))
    asyncio.run(one.work(KEY))
    assert one.store.folds_kept() == 0
    assert one.desks[KEY].copy == copied(a_round("bsv"))


def keep_torn(one: Director, events: list[dict[str, Any]]) -> None:
    """Store a list whose kept fold cannot be read."""
    one.store.append(KEY, -1, START, events)
    asyncio.run(one.work(KEY))
    found = one.store.kept_fold(KEY, folds.version())
    assert found is not None
    one.store.keep_folds([dataclasses.replace(found, body=b"torn")])


@pytest.mark.slow
def test_a_fold_that_cannot_be_read_is_made_anew(director: Callable[[], Director]) -> None:
    events = a_round("eppstein", 5, None)
    keep_torn(director(), events)
    second = director()
    asyncio.run(second.work(KEY))
    assert spread(second.desks[KEY].copy) == spread(copied(events))
    again = second.store.kept_fold(KEY, folds.version())
    assert again is not None and folds.take(again) is not None


def fails_once(director: Director, monkeypatch: pytest.MonkeyPatch, *given: Any) -> list[Any]:
    """Let the store fail the first time that it is asked for events in this way; whoever works on looks at once."""
    read, sleep, failed = director.store.read, asyncio.sleep, list[Any]()

    def reading(*asked: Any) -> Any:
        if asked == given and not failed:
            failed.append(asked)
            raise StoreFailed("the disk is full")
        return read(*asked)

    monkeypatch.setattr(director.store, "read", reading)
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: sleep(min(seconds, 0.005)))
    return failed


@pytest.mark.slow
def test_a_store_that_fails_while_a_list_is_folded_anew_is_asked_again(
    director: Callable[[], Director], monkeypatch: pytest.MonkeyPatch
) -> None:
    events = a_round("eppstein", 5, None)
    keep_torn(director(), events)
    second = director()
    failed = fails_once(second, monkeypatch, KEY)
    asyncio.run(second.work(KEY))
    assert failed and spread(second.desks[KEY].copy) == spread(copied(events))


@pytest.mark.slow
def test_a_list_that_was_set_aside_stays_so_where_the_store_fails(
    director: Callable[[], Director], monkeypatch: pytest.MonkeyPatch
) -> None:
    events = a_round("eppstein", 5, None)
    one = director()
    one.store.append(KEY, -1, START, a_round("bsv"))
    asyncio.run(one.work(KEY))
    one.store.set_aside(KEY)
    one.store.append(KEY, -1, START, events)  # longer than the one before
    one.desks[KEY].anew = True
    failed = fails_once(one, monkeypatch, KEY, -1)
    asyncio.run(one.work(KEY))
    assert failed and spread(one.desks[KEY].copy) == spread(copied(events))


def list_of(table: int) -> tuple[ListKey, list[dict[str, Any]]]:
    first, *others = a_round("eppstein", table, 3 if table % 2 else None)
    return ListKey("t", 1, table), [{**first, "table": table}, *others]


@cache
def lists() -> list[tuple[ListKey, list[dict[str, Any]]]]:
    return [list_of(table) for table in range(1, 7)]


@pytest.fixture
def beside(director: Callable[[], Director], monkeypatch: pytest.MonkeyPatch) -> Director:
    """A director with lists of which nothing is kept, to be folded by processes beside it."""
    monkeypatch.setattr(copies, "BESIDE", 1)
    monkeypatch.setattr(copies, "_KEPT_EVERY", 10)
    one = director()
    for key, events in lists():
        one.store.append(key, -1, START, events)
    return one


def folded_by(one: Director) -> int:
    """Let it work; how many events it has folded itself."""
    with pytest.MonkeyPatch.context() as patch:
        folded = folded_events(patch)
        asyncio.run(one.work(*(key for key, _ in lists())))
    for key, events in lists():
        assert spread(one.desks[key].copy) == spread(copied(events, key))
    return sum(folded)


@pytest.mark.slow
def test_lists_folded_by_another_process_are_the_same(beside: Director, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    for key, events in lists():
        found = fold_process.folded(beside.store, key)
        assert found is not None and found.chain == chain_over(events[: found.last + 1])
        taken = folds.take(found)
        assert taken is not None
        taken.add(events[found.last + 1 :])
        assert spread(taken) == spread(copied(events, key))
        kept.append(found)
    assert all(found.last > len(events) - 80 for found, (_, events) in zip(kept, lists(), strict=True))
    monkeypatch.setattr(FoldBeside, "take_back", lambda *_: None)  # this one leaves all to the other
    assert folded_by(beside) < 80 * len(lists())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "module"),
    [("/no/python", ""), (sys.executable, "kiosk.errors")],
    ids=["is not started", "ends at once"],
)
def test_a_hall_goes_on_without_the_process_beside(
    beside: Director, program: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    monkeypatch.setattr(fold_beside, "MODULE", module)
    monkeypatch.setattr(FoldBeside, "take_back", lambda *_: None)
    assert folded_by(beside) == sum(len(events) for _, events in lists())


def test_who_is_looked_at_is_folded_first_and_by_this_process(beside: Director) -> None:
    one = FoldBeside(beside.store.url, lambda: None)
    keys = [key for key, _ in lists()]
    one.give(keys)
    assert one.take_back(keys[2]) == keys[2] and keys[2] not in one and keys[1] in one
    assert one.take_back(keys[2]) is None
    assert [one.take_back() for _ in keys] == [*reversed([*keys[:2], *keys[3:]]), None]


@pytest.mark.slow
@pytest.mark.parametrize("games", [6, None], ids=["in the middle", "handed in"])
@pytest.mark.parametrize("book", ["eppstein", "schaffkopf"])
def test_a_card_of_the_hall_needs_no_packed_event(book, games, monkeypatch):
    """A hall of a thousand tables describes one with each event: to unpack a list for it takes thirty times as long."""
    events = [one for one in a_round(book, games=games) if one["event"] != "time_up"]
    copy = kept(copied(events))
    assert isinstance(whole(copy).earlier, PackedEvents)
    monkeypatch.setattr(packed_module, "_unpacked", lambda _: pytest.fail("a list was unpacked"))
    told = shown.card(copy, counted(whole(copy)))
    assert told["events"] == len(events)
    assert (told["last_at"], told["games_done"]) == (events[-1]["at"], len(whole(copy).games))


def test_all_that_folds_is_in_the_version():
    """What a fold imports lies in the rooms whose files are digested, but for words and errors, which no fold holds."""
    shown_modules = "print(*sorted(name for name in sys.modules if name.startswith('kiosk.')))"
    code = f"import sys, kiosk.table.round.fold, kiosk.table.round.packed, kiosk.table.events.codec; {shown_modules}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rooms = tuple(room.__name__ for room in folds.FOLDS)
    beside = {name for name in run.stdout.split() if not name.startswith(rooms)}
    assert {name for name in beside if not name.startswith("kiosk.language")} == {"kiosk.errors", "kiosk.table"}
    assert all(Path(str(room.__file__)).name == "__init__.py" for room in folds.FOLDS)
