"""Parcels are looked through: what passes can be used, what is broken or hostile is refused with a word."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.app.config import LightConfig, ScreenConfig, SoundConfig
from kiosk.app.kept_settings import KeptSettings
from kiosk.language import has
from kiosk.parcel import check
from kiosk.parcel.check import check_parcel
from kiosk.parcel.parcel import KINDS, BadParcel, Parcel
from kiosk.parcel.settings import GIVEN
from tests.parcel import made
from vision.deck import file_check
from vision.deck.deck import Deck
from vision.deck.file_check import check_deck_file
from vision.errors import DeckError


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return made.deck_file(tmp_path_factory.mktemp("decks"))


def array(value: object) -> bytes:
    whole = io.BytesIO()
    np.save(whole, np.array(value))
    return whole.getvalue()


def many_words(count: int) -> bytes:
    """A catalogue of a program that is not ours."""
    return b"".join(b'msgctxt "a"\nmsgid "%d"\nmsgstr "b"\n\n' % number for number in range(count))


def changed(deck: bytes, **entries: bytes | None) -> bytes:
    """The deck's file with other entries; None: without it."""
    with zipfile.ZipFile(io.BytesIO(deck)) as stored:
        files = {name: stored.read(name) for name in stored.namelist()}
    new = {**files, **{f"{name}.npy": content for name, content in entries.items()}}
    return made.zipped({name: content for name, content in new.items() if content is not None})


BOOK = b'base = "bsv"\ntitle = "Hausregeln"\nsource = "Aushang"\n'


def test_each_kind_is_taken_and_told(deck: bytes) -> None:
    assert check_parcel("deck", "vereinsblatt", deck) == {"faces": 4}
    assert check_parcel("words", "de", made.WORDS) == {"texts": 1}
    assert check_parcel("sounds", "Verein", made.sounds("x/referee.wav", "__MACOSX/._referee.wav", "comes.WAV")) == {
        "signals": ["comes", "referee"]
    }
    assert check_parcel("book", "mittwoch", BOOK) == {"title": "Hausregeln"}
    told = check_parcel("settings", "Abend", made.SETTINGS)["settings"]
    assert told == {"sound": {"volume": 40, "quiet": "22:00-07:00"}, "screen": {"language": "en"}}


REFUSED: list[tuple[str, str, str, Callable[[bytes], bytes], str]] = [
    ("cut off", "deck", "a", lambda deck: deck[:-200], "deck"),
    ("no archive", "deck", "a", lambda _: b"no archive", "deck"),
    ("nothing", "deck", "a", lambda _: b"", "deck"),
    ("a face missing", "deck", "a", lambda deck: changed(deck, face_CA=None), "deck"),
    ("a smaller face", "deck", "a", lambda deck: changed(deck, face_CA=array(np.zeros((9, 9, 3), "u1"))), "deck"),
    ("a face of objects", "deck", "a", lambda deck: changed(deck, face_CA=array(["x"])), "deck"),
    ("more than a deck", "deck", "a", lambda deck: changed(deck, code=array(1)), "deck"),
    ("a later format", "deck", "a", lambda deck: changed(deck, format=array(9)), "deck"),
    ("no number", "deck", "a", lambda deck: changed(deck, copies=array("x")), "deck"),
    ("a card like a house", "deck", "a", lambda deck: changed(deck, size_mm=array([2000.0, 3000.0])), "deck"),
    ("labels with paths", "deck", "a", lambda deck: changed(deck, labels=array(["../CA", "C9"])), "deck"),
    ("a pickle", "deck", "a", lambda deck: changed(deck, copies=b"\x80\x04K\x01."), "deck"),
    ("a path for a name", "deck", "../a", lambda deck: deck, "name_deck"),
    ("a hidden name", "deck", ".a", lambda deck: deck, "name_deck"),
    ("no language", "words", "../de", lambda _: made.WORDS, "name_words"),
    ("a place missing", "words", "de", lambda _: b'msgctxt "screen"\nmsgid "deals"\nmsgstr "gibt"\n', "words"),
    ("a place too many", "words", "de", lambda _: made.WORDS.replace(b"Reineke", b"{x.__class__}"), "words"),
    ("no catalogue", "words", "de", lambda _: b"msgid \xe2\x80\x9equoted\xe2\x80\x9c\n", "words"),
    ("not UTF-8", "words", "de", lambda _: b'msgid "\xff"\n', "words"),
    ("nobody's words", "words", "de", lambda _: made.WORDS.replace(b"fuchs", b"wolf"), "words_other"),
    ("many of nobody's", "words", "de", lambda _: many_words(300), "words_other"),
    ("a long word", "words", "de", lambda _: made.WORDS.replace(b"Reineke", b"R" * 3000), "words_other"),
    ("a sound for nothing", "sounds", "a", lambda _: made.sounds("hello.wav"), "sounds_name"),
    ("a sound elsewhere", "sounds", "a", lambda _: made.sounds("../etc/passwd.wav", "etc/passwd.wav"), "sounds_name"),
    ("a sound twice", "sounds", "a", lambda _: made.sounds("a/test.wav", "b/test.wav"), "sounds_twice"),
    ("no sound", "sounds", "a", lambda _: made.zipped({"test.wav": b"RIFF"}), "sounds_wav"),
    ("a long sound", "sounds", "a", lambda _: made.zipped({"test.wav": made.wav_file(6.0)}), "sounds_wav"),
    ("eight bits", "sounds", "a", lambda _: made.zipped({"test.wav": made.wav_file(width=1)}), "sounds_wav"),
    ("a sound that unpacks", "sounds", "a", lambda _: made.zipped({"test.wav": bytes(2_000_000)}), "sounds_wav"),
    ("no sounds", "sounds", "a", lambda _: made.zipped({}), "sounds"),
    ("a name of two lines", "sounds", "a\nb", lambda _: made.sounds(), "name_sounds"),
    ("too loud", "settings", "a", lambda _: b'{"sound": {"volume": 101}}', "settings"),
    ("truth for a number", "settings", "a", lambda _: b'{"sound": {"volume": true}}', "settings"),
    ("how the screen stands", "settings", "a", lambda _: b'{"screen": {"turn": 90}}', "settings"),
    ("hours that are none", "settings", "a", lambda _: b'{"sound": {"quiet": "25:00-07:00"}}', "settings"),
    ("no section", "settings", "a", lambda _: b'{"sound": 3}', "settings"),
    ("nested", "settings", "a", lambda _: b"[" * 9000, "settings"),
    ("a book that cannot be", "book", "mittwoch", lambda _: BOOK + b"[options]\nvalue_fux = 1", "book"),
    ("a book of other letters", "book", "mittwoch", lambda _: b"\xff", "book"),
    ("a shipped book", "book", "bsv", lambda _: BOOK, "name_book"),
    ("another kind", "program", "a", lambda _: b"", "kind"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name", "content", "code"), [pytest.param(*case[1:], id=case[0]) for case in REFUSED])
def test_what_is_broken_or_hostile_is_refused_with_a_word(
    deck: bytes, kind: str, name: str, content: Callable[[bytes], bytes], code: str
) -> None:
    with pytest.raises(BadParcel) as refused:
        check_parcel(kind, name, content(deck))
    assert refused.value.code == f"parcel_{code}" and has("parcels", refused.value.code)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_larger_than_its_kind_is_looked_at(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(check.LARGEST, kind, 100)
    with pytest.raises(BadParcel) as refused:
        check_parcel(kind, "de", bytes(101))
    assert refused.value.code == "parcel_size"


def test_a_deck_is_weighed_before_it_is_unpacked(deck: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_check, "LARGEST_UNPACKED", 10_000)
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(DeckError, match="unpacked"):
        check_deck_file(deck)


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 10**9), flip=st.integers(1, 255))
def test_a_deck_that_passes_loads(tmp_path_factory: pytest.TempPathFactory, deck: bytes, at: int, flip: int) -> None:
    spoilt = bytearray(deck)
    spoilt[at % len(deck)] ^= flip
    try:
        labels = check_deck_file(bytes(spoilt))
    except DeckError:
        return
    path = tmp_path_factory.mktemp("one") / "a.npz"
    path.write_bytes(spoilt)
    assert Deck.load("a", path.parent).labels == labels


def test_settings_that_pass_are_taken_by_a_table(tmp_path: Path) -> None:
    """Each key that may be given is one of the table's file, of the same kind."""
    sections = {"sound": SoundConfig(), "light": LightConfig(), "screen": ScreenConfig()}
    assert GIVEN.keys() == sections.keys()
    for name, keys in GIVEN.items():
        usual = {key: getattr(sections[name], key) for key in keys}
        assert all(check(usual[key]) for key, check in keys.items()), usual
        assert KeptSettings(tmp_path).over(name, sections[name]) == sections[name]


def test_what_takes_whose_place() -> None:
    def slot(kind: str, name: str) -> str:
        return Parcel(kind=kind, name=name, sha256="", size=0).slot

    assert slot("deck", "a") != slot("deck", "b") and slot("words", "de") != slot("words", "bar")
    assert slot("sounds", "a") == slot("sounds", "b") == "sounds" and slot("settings", "a") == "settings"
