"""What the direction gives a table: fetched, looked through, taken at rest all at once, laid at the next start."""

import itertools
import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from hw.signals import SIGNALS
from kiosk.app import given as given_module
from kiosk.app import parcel_desk
from kiosk.app.config import SoundConfig
from kiosk.app.decks import choose_deck, chosen_deck, fitting_decks, given_decks
from kiosk.app.desk import Desk
from kiosk.app.given import GivenFolder
from kiosk.app.inbox import Asked
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.kiosk import Kiosk
from kiosk.app.parcel_desk import ParcelDesk
from kiosk.app.stick_desk import SticksSeen
from kiosk.errors import LineError
from kiosk.language import languages, say
from kiosk.language.own_words import take_words
from kiosk.parcel.parcel import Parcel
from kiosk.parcel.sounds import sound_of
from kiosk.rules.books import BOOKS
from kiosk.sync.state import ParcelOffered, ParcelsWished
from kiosk.ui.hardware.parcels_view import ParcelsView, SendDeck, ShowParcels, StoreDeck
from tests.desk_screen import DeskScreen
from tests.hw.test_stick import FakeSticks
from tests.parcel import made
from vision.deck.deck import Deck
from vision.deck.folder import deck_names


class Place:
    """A table with a direction that is a folder; its threads' jobs are done when the test says so."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.data, self.decks, self.offered = folder / "data", folder / "data" / "decks", folder / "offered"
        self.stick = folder / "stick"
        for one in (self.decks, self.offered, self.stick):
            one.mkdir(parents=True)
        self.folder, self.sticks, self.now, self.rest = folder, FakeSticks(self.stick), 0.0, True
        self.away, self.fetched, self.starts, self.orders = False, list[str](), 0, itertools.count(1)
        place = self

        class Fetched:
            def __init__(self, url: str, headers: Any, authority: str, **told: Any) -> None:
                self.digest, self.told = url.rpartition("/")[2], told

            def run(self, part: Path) -> None:
                if place.away:
                    raise LineError("away")
                place.fetched.append(self.digest[:6])
                self.told["told"](42)
                part.write_bytes((place.offered / self.digest).read_bytes())

        monkeypatch.setattr(parcel_desk, "Fetching", Fetched)
        self.start()

    def start(self) -> None:
        """The program starts (again)."""
        self.jobs, self.screen, self.ended = list[Callable[[], None]](), DeskScreen(), False
        self.given = GivenFolder(self.data, self.decks)
        self.have = self.given.lay()
        self.kiosk = Kiosk(None, now=lambda: self.now)
        self.kiosk.outputs.screen = self.screen  # type: ignore[assignment]
        self.desk = ParcelDesk(
            self.given,
            self.have,
            self.decks,
            self.sticks,
            deliver=self.kiosk.deliver,
            screen=lambda: self.screen,
            at_rest=lambda: self.rest,
            anew=self._anew,
            run=self.jobs.append,
            now=lambda: self.now,
        )
        self.kiosk.add(self.desk)

    def _anew(self) -> None:
        self.ended, self.starts = True, self.starts + 1

    def offer(self, *parcels: tuple[str, str, bytes], **changed: Any) -> None:
        """The direction gives these; everything else is taken back."""
        offers = []
        for kind, name, content in parcels:
            digest = sha256(content).hexdigest()
            (self.offered / digest).write_bytes(content)
            told = {"kind": kind, "name": name, "sha256": digest, "size": len(content), **changed}
            offers.append(ParcelOffered(**told))
        self.kiosk.deliver(
            ParcelsWished(
                order=next(self.orders), parcels=tuple(offers), url="http://d/line/parcels", headers={}, authority=""
            )
        )

    def beat(self, seconds: float = 1.0, times: int = 6) -> ParcelsView:
        for _ in range(times):
            self.now += seconds
            self.kiosk.beat()
            while self.jobs:
                self.jobs.pop(0)()
                self.kiosk.beat()
        return self.screen.views[-1]

    def give(self, *parcels: tuple[str, str, bytes]) -> None:
        """The direction gives these, the table takes them, and starts anew if it wants to."""
        self.offer(*parcels)
        self.beat()
        if self.ended:
            self.start()

    def learn(self, name: str, seed: int = 1, count: int = 4) -> bytes:
        return made.deck_file(self.decks, count, seed, name)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    return Place(tmp_path, monkeypatch)


@pytest.fixture
def deck(tmp_path: Path) -> bytes:
    return made.deck_file(tmp_path / "elsewhere")


def named(parcels: tuple[Parcel, ...]) -> list[str]:
    return [f"{one.kind} {one.name}" for one in parcels]


def test_all_kinds_are_taken_at_once_and_counted_after_one_start(place: Place, deck: bytes) -> None:
    place.rest = False
    place.offer(
        *(("deck", "vereinsblatt", deck), ("words", "de", made.WORDS), ("sounds", "Verein", made.sounds())),
        ("settings", "Abend", made.SETTINGS),
    )
    view = place.beat()
    assert (view.state, place.starts, deck_names(place.decks)) == ("waits", 0, ()), "nothing changes while people play"
    assert place.desk.report["parcels"]["state"] == "waits"
    place.rest = True
    place.beat()
    assert place.starts == 1
    place.start()
    assert named(place.have) == ["deck vereinsblatt", "words de", "sounds Verein", "settings Abend"]
    assert Deck.load("vereinsblatt", place.decks).labels == tuple(made.faces())
    assert chosen_deck(place.decks, "another") == "vereinsblatt"
    try:
        assert take_words(place.folder / "none", place.given.words) == () and say("values", "fuchs") == "Reineke"
    finally:
        take_words(place.folder / "none")
    pack = place.given.sounds()
    assert sound_of(pack, "referee") and sound_of(pack, "comes") is None
    sound = KeptSettings(place.data).over("sound", SoundConfig())
    assert (sound.volume, sound.quiet, sound.speak) == (40, "22:00-07:00", False)
    view = place.beat()
    assert [line.name for line in view.lines] == ["vereinsblatt", "de", "Verein", "Abend"]
    report = place.desk.report["parcels"]
    assert report["have"][0] == ["deck", "vereinsblatt", sha256(deck).hexdigest()[:12]] and report["state"] == "has"


def test_given_once_more_nothing_is_fetched_and_nothing_starts(place: Place, deck: bytes) -> None:
    for _ in range(3):
        place.give(("deck", "vereinsblatt", deck))
    assert (place.starts, len(place.fetched)) == (1, 1)


def test_taken_back_all_is_as_shipped(place: Place, deck: bytes) -> None:
    own = place.learn("eigenes", seed=3)
    choose_deck(place.decks, "eigenes")
    before = {path.name: path.read_bytes() for path in place.decks.iterdir()}
    place.give(("deck", "a", deck), ("words", "bar", made.WORDS), ("settings", "Abend", made.SETTINGS))
    assert chosen_deck(place.decks, "") == "a", "what was given counts"
    place.give()
    assert place.starts == 2 and place.have == ()
    after = {path.name: path.read_bytes() for path in place.decks.iterdir() if path.name != "given"}
    assert after == before and chosen_deck(place.decks, "") == "eigenes" and after["eigenes.npz"] == own
    assert KeptSettings(place.data).over("sound", SoundConfig()) == SoundConfig()
    assert list(place.given.words.iterdir()) == [] and "bar" not in languages()
    assert not [path for path in place.given.folder.iterdir() if len(path.name) == 64]


def test_a_direction_that_never_gave_anything_takes_nothing_away(place: Place, deck: bytes) -> None:
    place.give(("deck", "a", deck))
    place.orders = itertools.count(0)
    place.give()
    assert named(place.have) == ["deck a"] and place.starts == 1


def test_a_deck_learned_here_stays_beside_a_given_one_of_its_name(place: Place, deck: bytes) -> None:
    own = place.learn("vereinsblatt", seed=7)
    place.give(("deck", "vereinsblatt", deck))
    beside = f"vereinsblatt.{sha256(deck).hexdigest()[:6]}"
    assert deck_names(place.decks) == ("vereinsblatt", beside)
    assert (place.decks / "vereinsblatt.npz").read_bytes() == own and chosen_deck(place.decks, "") == beside
    choose_deck(place.decks, "vereinsblatt")  # people may go by theirs
    place.start()
    assert chosen_deck(place.decks, "") == "vereinsblatt"
    place.give()
    assert deck_names(place.decks) == ("vereinsblatt",)


def test_the_very_deck_that_was_learned_here_is_not_taken_away(place: Place) -> None:
    own = place.learn("vereinsblatt")
    place.give(("deck", "vereinsblatt", own))
    assert deck_names(place.decks) == ("vereinsblatt",) and given_decks(place.decks) == ("vereinsblatt",)
    place.give()
    assert (place.decks / "vereinsblatt.npz").read_bytes() == own


def test_a_new_edition_takes_the_place_of_the_old(place: Place, deck: bytes) -> None:
    place.give(("deck", "vereinsblatt", deck))
    newer = made.deck_file(place.folder / "newer", seed=9)
    place.give(("deck", "vereinsblatt", newer))
    assert (place.decks / "vereinsblatt.npz").read_bytes() == newer and len(deck_names(place.decks)) == 1


def test_a_given_deck_that_fits_the_book_comes_before_one_that_was_learned(place: Place) -> None:
    book = BOOKS["eppstein"]
    labels = [str(card) for card in dict.fromkeys(book.deck)]
    pictures = made.faces(len(labels), seed=4)
    fitting = dict(zip(labels, pictures.values(), strict=True))
    Deck("aaa", (20.0, 23.0), fitting, 2).save(place.decks)
    content = Deck("zzz", (20.0, 23.0), fitting, 2).save(place.folder / "other").read_bytes()
    place.give(("deck", "zzz", content + b""), ("deck", "small", made.deck_file(place.folder / "small")))
    assert fitting_decks(book, "small", place.decks) == ("zzz", "aaa")


BAD = [
    pytest.param("deck", "a", b"no deck", "parcel_deck", id="no deck"),
    pytest.param("deck", "../../a", b"no deck", "parcel_name_deck", id="a path"),
    pytest.param("words", "../de", made.WORDS, "parcel_name_words", id="a path for words"),
    pytest.param("words", "de", b"msgid broken", "parcel_words", id="no words"),
    pytest.param("program", "a", b"#!/bin/sh", "parcel_kind", id="another kind"),
]


@pytest.mark.parametrize(("kind", "name", "content", "code"), BAD)
def test_a_bad_one_is_refused_with_a_word_and_the_others_are_taken(
    place: Place, deck: bytes, kind: str, name: str, content: bytes, code: str
) -> None:
    before = set(place.folder.rglob("*"))
    place.offer(("sounds", "Verein", made.sounds()), (kind, name, content))
    view = place.beat()
    assert (view.code, view.refused) == (code, name)
    (told,) = place.desk.report["parcels"]["refused"]
    assert (told["name"], told["code"]) == (name, code) and json.dumps(told)
    assert place.starts == 1
    place.start()
    assert named(place.have) == ["sounds Verein"]
    new = {path for path in set(place.folder.rglob("*")) - before if place.offered not in path.parents}
    assert all(path.is_relative_to(place.given.folder) for path in new), "nothing lies anywhere else"


def test_a_refused_edition_leaves_the_one_before(place: Place, deck: bytes) -> None:
    place.give(("deck", "a", deck))
    place.give(("deck", "a", deck[:-100]))
    assert named(place.have) == ["deck a"] and (place.decks / "a.npz").read_bytes() == deck and place.starts == 1


def test_one_that_says_it_is_larger_than_any_is_not_fetched(place: Place) -> None:
    place.offer(("words", "de", made.WORDS), size=10**12)
    assert place.beat().code == "parcel_size" and place.fetched == []


def test_a_direction_that_is_away_is_asked_again(place: Place, deck: bytes) -> None:
    place.away = True
    place.offer(("deck", "a", deck))
    assert place.beat().state == "fetching"
    place.away = False
    place.beat(times=2)
    assert place.fetched == [], "not at once"
    place.beat(seconds=5)
    assert place.starts == 1


def test_what_the_screen_has_set_gives_way_to_what_is_given_and_counts_when_set_later(place: Place) -> None:
    kept = KeptSettings(place.data)
    kept.keep("sound", SoundConfig(), SoundConfig(volume=90, device="default"))
    place.give(("settings", "Abend", made.SETTINGS))
    sound = KeptSettings(place.data).over("sound", SoundConfig())
    assert (sound.volume, sound.device) == (40, "default"), "what is plugged in is the table's own"
    kept = KeptSettings(place.data)
    kept.keep("sound", SoundConfig(), SoundConfig(volume=70, quiet="22:00-07:00", device="default"))
    place.start()
    assert KeptSettings(place.data).over("sound", SoundConfig()).volume == 70, "the file's value, chosen by people"
    place.give()
    assert KeptSettings(place.data).over("sound", SoundConfig()).quiet == ""


def cut(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let the power fail at the n-th change of the disk."""
    count = itertools.count()

    def failing(change: Callable[..., Any]) -> Callable[..., Any]:
        def work(*args: Any, **kwargs: Any) -> Any:
            if next(count) >= after:
                raise KeyboardInterrupt
            return change(*args, **kwargs)

        return work

    monkeypatch.setattr(Path, "replace", failing(Path.replace))
    monkeypatch.setattr(Path, "unlink", failing(Path.unlink))
    monkeypatch.setattr(Path, "open", failing(Path.open))


@pytest.mark.slow
@pytest.mark.parametrize("before", [False, True], ids=["first", "in place of others"])
def test_a_power_cut_at_any_change_leaves_the_old_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    """Cut at each change of the disk, taken and laid: the next start has all of the one or all of the other."""
    old, new = (made.deck_file(tmp_path / str(seed), seed=seed) for seed in (1, 2))
    outcomes = set()
    for after in itertools.count():
        place = Place(tmp_path / f"cut{after}", monkeypatch)
        if before:
            place.give(("deck", "a", old), ("words", "de", made.WORDS))
        place.offer(("deck", "a", new), ("words", "bar", made.WORDS), ("settings", "x", made.SETTINGS))
        with monkeypatch.context() as patched:
            cut(patched, after)
            try:
                place.beat()
                place.start()
                whole = True
            except KeyboardInterrupt:
                whole = False
        place.start()
        have = set(named(place.have))
        deck = (place.decks / "a.npz").read_bytes() if (place.decks / "a.npz").exists() else b""
        words = {path.name for path in place.given.words.glob("*")}
        loud = KeptSettings(place.data).over("sound", SoundConfig()).volume
        outcomes.add((deck, tuple(sorted(words)), loud))
        assert have in ({"deck a", "words bar", "settings x"}, {"deck a", "words de"} if before else set())
        if whole:
            break
    assert outcomes == {(new, ("bar.po",), 40), (old, ("de.po",), 70) if before else (b"", (), 70)}
    assert after > 8


def test_a_flipped_bit_in_what_is_kept_is_found_and_fetched_again(place: Place, deck: bytes) -> None:
    place.give(("deck", "a", deck))
    path = place.given.path(sha256(deck).hexdigest())
    path.write_bytes(b"X" + deck[1:])
    place.start()
    assert place.have == ()
    place.give(("deck", "a", deck))
    assert named(place.have) == ["deck a"] and len(place.fetched) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_does_not_keep_the_table_from_starting(place: Place, deck: bytes) -> None:
    place.decks.chmod(0o500)
    place.give(("deck", "a", deck))
    assert place.starts == 1 and named(place.have) == ["deck a"]


def test_a_disk_that_takes_nothing_keeps_the_table_playing(
    place: Place, deck: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(given_module, "write_whole", lambda *_: False)
    place.offer(("deck", "a", deck))
    assert place.beat().state == "waits" and place.starts == 0


def test_a_lesson_is_not_cut_off(place: Place) -> None:
    class Lesson(Desk):
        busy = True

    kiosk = Kiosk(None, now=lambda: 0.0)
    lesson = kiosk.add(Lesson())
    assert not kiosk.at_rest()
    lesson.busy = False
    assert kiosk.at_rest()


# --- a deck learned here


def test_a_deck_goes_on_the_stick(place: Place) -> None:
    content = place.learn("eigenes")
    place.kiosk.deliver(SticksSeen(place.sticks.look()))
    place.beat()
    place.kiosk.deliver(Asked(ShowParcels()))
    place.kiosk.deliver(Asked(StoreDeck("eigenes")))
    view = place.beat()
    assert (view.doing, view.deck) == ("written", "eigenes") and not place.sticks.mounted
    assert (place.stick / "stichwart" / "eigenes.npz").read_bytes() == content


@pytest.mark.parametrize(
    ("status", "told", "doing", "why"),
    [
        pytest.param(200, {"number": 1}, "sent", "", id="taken"),
        pytest.param(400, {"code": "parcel_many_sent", "values": {}}, "failed", "parcel_many_sent", id="refused"),
        pytest.param(401, {}, "failed", "parcel_not_sent", id="a stranger"),
    ],
)
def test_a_deck_goes_to_the_direction(
    place: Place, monkeypatch: pytest.MonkeyPatch, status: int, told: Any, doing: str, why: str
) -> None:
    content, sent = place.learn("eigenes"), list[httpx.Request]()

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(status, json=told)

    client = httpx.Client(transport=httpx.MockTransport(answer))
    monkeypatch.setattr(parcel_desk.httpx, "Client", lambda **_: client)
    place.offer()
    place.beat()
    place.kiosk.deliver(Asked(SendDeck("eigenes")))
    view = place.beat()
    assert (view.doing, view.deck, view.why) == (doing, "eigenes", why)
    assert sent[0].content == content and sent[0].url.params["name"] == "eigenes"


@pytest.mark.parametrize("request_", [SendDeck("nobody's"), SendDeck("given"), StoreDeck("own")], ids=str)
def test_what_cannot_be_brought_anywhere_is_refused(place: Place, deck: bytes, request_: Any) -> None:
    place.give(("deck", "given", deck))
    place.learn("own", seed=5)
    place.beat()
    place.kiosk.deliver(Asked(request_))
    place.beat()
    assert place.screen.refusals == ["not_now"]


def test_every_signal_may_sound_otherwise() -> None:
    names = [f"{signal}.wav" for signal in SIGNALS]
    from kiosk.parcel.sounds import read_sounds

    assert set(read_sounds(made.sounds(*names))) == set(SIGNALS)
