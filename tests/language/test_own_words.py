"""A club's own words: corrections, a language more, and what is at fault in a file."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.app.commands.words import check, new
from kiosk.errors import KioskError
from kiosk.language import languages, next_language, put_words, say, texts
from kiosk.language.own_words import check_file, spoken_or_german, take_words
from kiosk.rules.books import BOOKS
from kiosk.rules.describe.text import book_text
from kiosk.table.view.options_view import contradiction, options_view


def entry(subject: str, code: str, text: str) -> str:
    return f'msgctxt "{subject}"\nmsgid "{code}"\nmsgstr "{text}"\n\n'


GOOD = (
    entry("language", "name", "Boarisch")
    + entry("screen", "more", "No mehra")
    + entry("screen", "deals", "{name} gibt")
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    put_words({})


def test_a_language_more(folder: Path) -> None:
    (folder / "bar.po").write_text(GOOD, encoding="utf-8")
    assert take_words(folder) == ()
    assert languages() == ("de", "en", "bar")
    assert say("screen", "more", "bar") == "No mehra"
    assert say("screen", "list", "bar") == "Liste"  # what it leaves out is German
    assert [next_language(one) for one in ("de", "en", "bar")] == ["en", "bar", "de"]
    assert say("language", "name", "bar") == "Boarisch"


def test_rules_and_options_in_a_language_more(folder: Path) -> None:
    own = entry("rulebook", "deck", "Blattl") + entry("options", "games", "Wia vui Spui a Rundn hod.")
    (folder / "bar.po").write_text(
        GOOD + own + entry("option_refusals", "at_least", "{n} oder mehra"), encoding="utf-8"
    )
    assert take_words(folder) == ()
    told = book_text(BOOKS["eppstein"], "bar")
    assert "Blattl" in told and "Wia vui Spui a Rundn hod." in told and "Rahmen der Runde" in told
    assert "„Wia vui Spui a Rundn hod“ kann nicht 3 sein" in contradiction("eppstein", {"games": 3}, "bar")
    assert "4 oder mehra" in contradiction("eppstein", {"games": 3}, "bar")


def test_a_word_corrected(folder: Path) -> None:
    (folder / "de.po").write_text(entry("values", "fuchs", "Fuchs erwischt"), encoding="utf-8")
    (folder / "bar.po").write_text(GOOD, encoding="utf-8")
    assert take_words(folder) == ()
    assert say("values", "fuchs") == "Fuchs erwischt"
    assert say("values", "fuchs", "en") == "fox caught"
    assert say("values", "fuchs", "bar") == "Fuchs erwischt"
    take_words(folder / "none")
    assert (say("values", "fuchs"), languages()) == ("Fuchs gefangen", ("de", "en"))


FAULTS = {
    "a place misspelt": (entry("screen", "deals", "{nam} gibt"), "other_places", 1, "{name}"),
    "a place left out": (entry("screen", "deals", "jemand gibt"), "other_places", 1, "{name}"),
    "a place where there is none": ("\n" + entry("screen", "more", "Mehr {n}"), "no_places", 2, "{n}"),
    "a bracket left open": (entry("screen", "deals", "{name gibt"), "open_brace", 1, "Klammer"),
    "a code misspelt": (GOOD + entry("screen", "dealss", "x"), "unknown_near", 13, "screen / deals"),
    "a code of nothing": (GOOD + entry("zirkus", "elefant", "x"), "unknown", 13, "löschen"),
    "a text twice": (entry("screen", "more", "a") + entry("screen", "more", "b"), "twice", 5, "Zeile 1"),
    "no quotation marks": (GOOD + 'msgctxt "screen"\nmsgid "list"\nmsgstr Zettel\n', "not_a_catalogue", 15, "msgstr"),
    "German quotation marks": (GOOD + "msgctxt „screen“\n", "not_a_catalogue", 13, "Anführungszeichen"),
    "a code without words": (GOOD + 'msgstr "x"\nmsgstr "y"\n', "not_a_catalogue", 13, "Bis dahin"),
}


@pytest.mark.parametrize(("content", "code", "line", "told"), FAULTS.values(), ids=FAULTS)
def test_what_is_at_fault_is_named_with_line_and_way_out(
    folder: Path, content: str, code: str, line: int, told: str
) -> None:
    path = folder / "bar.po"
    path.write_text(content, encoding="utf-8")
    (fault,) = take_words(folder)
    assert (fault.code, fault.line) == (code, line)
    assert fault.told().startswith(f"bar.po, Zeile {line}: ") and told in fault.told()
    assert fault.told("en").startswith(f"bar.po, line {line}: ")
    assert say("screen", "deals", "bar", name="Anna") == "Anna gibt"  # the rest of the file, and else German, counts


def test_a_file_that_is_not_utf8(folder: Path) -> None:
    (folder / "bar.po").write_bytes(entry("screen", "more", "Möhr").encode("latin-1"))
    (fault,) = take_words(folder)
    assert fault.told().startswith("bar.po: Die Datei ist nicht in UTF-8 gespeichert. Beim Speichern „UTF-8“ wählen")
    assert "bar" in languages()  # it is on the key all the same, and says German


def test_a_file_as_an_editor_on_windows_leaves_it(folder: Path) -> None:
    (folder / "bar.po").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert take_words(folder) == () and say("screen", "more", "bar") == "No mehra"


LONG = "No vui mehra ois sunst wo, gell, Leitln, schaugts hi"


def test_a_word_too_long_for_the_screen_is_named_with_its_line(folder: Path) -> None:
    path, out = folder / "bar.po", StringIO()
    path.write_text(GOOD.replace("No mehra", LONG) + entry("screen", "list", "Zedl"), encoding="utf-8")
    assert check([path], folder, "de", out, measure=lambda _: [LONG, "Zedl", "Hans-Xaver gibt\nwas andas"]) == 1
    assert "bar.po, Zeile 5: „screen / more“ ist für den kleinsten Bildschirm (800 × 480) zu lang" in out.getvalue()
    assert "screen / list" not in out.getvalue()  # it is no longer than the German word, which fits
    assert "screen / deals" not in out.getvalue()


def test_where_nothing_can_be_drawn_the_rest_is_checked(folder: Path) -> None:
    path, out = folder / "bar.po", StringIO()
    path.write_text(GOOD, encoding="utf-8")
    assert check([path], folder, "en", out, measure=lambda _: None) == 0
    assert "bar.po: whether the words fit the screen could not be measured here." in out.getvalue()


def test_a_name_that_is_no_language(folder: Path) -> None:
    (folder / "Bayrisch neu.po").write_text(GOOD, encoding="utf-8")
    assert [fault.code for fault in take_words(folder)] == ["bad_name"]
    assert languages() == ("de", "en")


def test_texts_left_empty_or_doubtful_are_german(folder: Path) -> None:
    (folder / "bar.po").write_text(entry("screen", "more", "") + "#, fuzzy\n" + entry("screen", "list", "Zedl"))
    assert take_words(folder) == ()
    assert (say("screen", "more", "bar"), say("screen", "list", "bar")) == ("Mehr", "Liste")


def test_a_language_that_is_not_there_is_german_and_told(folder: Path) -> None:
    assert spoken_or_german("en") == ("en", "")
    language, told = spoken_or_german("bar")
    assert language == "de" and "„bar“" in told and "de, en" in told


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(at=st.integers(0, len(GOOD) - 1), put=st.text(max_size=4), gone=st.integers(0, 6))
def test_whatever_is_typed_into_a_file_every_text_can_be_said(
    tmp_path_factory: pytest.TempPathFactory, at: int, put: str, gone: int
) -> None:
    path = tmp_path_factory.mktemp("words") / "bar.po"
    path.write_text(GOOD[:at] + put + GOOD[at + gone :], encoding="utf-8", errors="replace")
    entries, _ = check_file(path)
    for one in entries:
        fill = {"name": "Anna", "n": 1} if one.code == "deals" else {}
        assert isinstance(one.text, str) and one.text.format(**fill)


def test_the_example_is_good() -> None:
    entries, faults = check_file(Path(__file__).parents[2] / "docs" / "words" / "bar.po")
    assert len(entries) > 40 and [fault.told("en") for fault in faults] == []


def test_a_new_catalogue_has_every_text_and_is_good(folder: Path) -> None:
    out = StringIO()
    assert new("bar", folder, folder, "de", out) == 0
    every = sum(len(found) for found in texts("de").values())
    assert f"{every} Texte" in out.getvalue()
    path = folder / "bar.po"
    assert "#. {name} gibt\n" in path.read_text(encoding="utf-8")  # above each place stands what is said so far
    assert check([path], folder, "de", out) == 0
    written = path.read_text(encoding="utf-8").replace(
        'msgid "deals"\nmsgstr ""', 'msgid "deals"\nmsgstr "{name} gibt aus"'
    )
    path.write_text(written[: written.rindex("#.")], encoding="utf-8")
    assert new("bar", folder, folder, "de", out) == 0  # one text more than before: it is added, nothing else changes
    assert path.read_text(encoding="utf-8").startswith(written[: written.rindex("#.")])
    assert new("bar", folder, folder, "de", out) == 0 and "Alle Texte" in out.getvalue()
    take_words(folder)
    assert say("screen", "deals", "bar", name="Anna") == "Anna gibt aus"


def test_the_command_tells_what_is_at_fault(folder: Path) -> None:
    out = StringIO()
    (folder / "de.po").write_text(entry("screen", "deals", "{nam} gibt"), encoding="utf-8")
    assert check([], folder, "en", out) == 1
    assert out.getvalue().splitlines()[0].startswith("de.po, line 1: “screen / deals” needs {name}")
    with pytest.raises(KioskError, match="no such file"):
        check([folder / "fr.po"], folder, "de", out)
    with pytest.raises(KioskError, match="no code of a language"):
        new("Boarisch", folder, folder, "de", out)


def test_a_table_starts_with_broken_words_and_tells_the_first_fault(folder: Path) -> None:
    from types import SimpleNamespace
    from typing import Any

    from kiosk.app.start import own_words

    config: Any = SimpleNamespace(words=folder, screen=SimpleNamespace(language="bar"))
    language, told = own_words(config)
    assert language == "de" and told.startswith("Die Sprache „bar“ gibt es hier nicht")
    (folder / "bar.po").write_text(GOOD + entry("screen", "list", "Zedl {"), encoding="utf-8")
    assert own_words(config) == (
        "bar",
        say("words", "at_line", "bar", file="bar.po", line=13) + ": " + told_of("open_brace"),
    )
    (folder / "de.po").write_text("Fuchs erwischt", encoding="utf-8")
    language, told = own_words(config)
    assert language == "bar" and told.startswith("bar.po, Zeile 13: ") and told.endswith(" Weitere Fehler: 1.")


def told_of(code: str) -> str:
    return say("words", code, "bar", name="screen / list")


def test_the_options_of_a_book_are_listed_in_a_clubs_language(folder: Path) -> None:
    (folder / "bar.po").write_text(GOOD, encoding="utf-8")
    take_words(folder)
    assert [one.chapter for one in options_view("bsv", {}, "bar")] == [one.chapter for one in options_view("bsv", {})]
