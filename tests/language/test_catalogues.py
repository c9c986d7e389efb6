"""The catalogues: every text in each language, with the same places, once, and used."""

import re
import string
from collections import Counter
from pathlib import Path

import pytest

from kiosk.language import LANGUAGES, texts
from kiosk.language.catalogue import Text, read_entries
from vision.errors import CameraError

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "kiosk" / "language"

#: Codes that are made of others where they are used: how they begin, by subject.
MADE = {
    "phases": ("asking_", "declaring_"),
    "screen": (
        *"class_ condition_ blind_ result_ side_ in_time leave_ plays_ claim_hint_ paused_".split(),
        *("rest_undecided_", "deck_check_"),
    ),
    "evening": ("stick_", "scan_"),
    "setup": ("lesson_", "setup_", "teach_", "where_"),
    "camera_settings": ("focus_", "exposure_", "white_", "mains_"),
    "technik": ("camera_", "part_", "set_"),
    "values": ("reached", "said_"),
    "given": ("kind_", "sending_", "sent_", "writing_", "written_"),
    "parcels": ("parcel_name_",),
    "played": ("came_", "by_"),
    "page_fleet": ("state_", "own_"),
    "page_book": ("file_",),
    "book_form": ("points_",),
    "page_draws": ("kind_", "state_", "clubs_"),
    "page_lists": ("how_", "what_"),
    "page_people": ("doubt_", "use_"),
    "page_labels": ("form_",),
    "scoresheet": ("class_", "mark_", "one_", "value_", "game_", "apart_", "mend_", "doubt_"),
}
# ruff: noqa: SIM905
#: Subjects whose codes are the protocol's, the cards', vision's and the books' (their options: tests/rules).
OTHERS = {
    *"books suits bavarian_suits ranks spoken_ranks sections line verdicts notices signals camera".split(),
    *("options", "option_values", "option_units", "own_book"),
}


#: Codes of the protocol and of refusals that the page says.
PAGES = {f"page_{group}" for group in ("classes", "orders", "line", "sides", "leaves", "events", "failures", "errors")}


#: Words without which there is hardly a sentence, and those of cards, that are the one language's alone.
ONLY = {
    "de": """
    aber alle als am auch auf aus bei bis bitte das dem den der des die ein eine einen einer erst es für gibt
    hat im ist jetzt kann karte karten kein keine mit nach nicht nichts noch nur oder schon sich sind spiel
    spieler stich tisch und von vom war wer wie wird zu zum zur""",
    "en": """
    a after all and any are be been by can card cards come does done each for from game games goes has have is
    it its more must no nobody not of on one only or other out player players seat that the their then there
    this to touch trick tricks until which who whose with yet you your""",
}


def places(text: Text) -> list[set[str]]:
    forms = [text] if isinstance(text, str) else list(text)
    return [{name for _, name, _, _ in string.Formatter().parse(form) if name is not None} for form in forms]


def every_code() -> set[tuple[str, str]]:
    return {(subject, code) for language in LANGUAGES for subject, found in texts(language).items() for code in found}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_missing(language: str) -> None:
    found = texts(language)
    assert [(subject, code) for subject, code in sorted(every_code()) if code not in found.get(subject, {})] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_stands_there_twice(language: str) -> None:
    counted = Counter((one.subject, one.code) for one in read_entries(FOLDER / f"{language}.po"))
    assert [key for key, number in counted.items() if number > 1] == []


def test_places_are_the_same_in_each_language() -> None:
    german, english = texts("de"), texts("en")
    differ = [
        (subject, code)
        for subject, found in german.items()
        for code, text in found.items()
        if set.union(*places(text)) != set.union(*places(english[subject][code])) or "" in set.union(*places(text))
    ]
    assert differ == []


def test_every_text_is_used() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for room in ("kiosk", "hw")
        for path in (ROOT / room).rglob("*")
        if path.suffix in (".py", ".kv", ".js") and path.is_file()
    )
    quotes = "\"'`"
    quoted = {text for quote in quotes for text in source.split(quote)[1:-1]}
    unused = [
        (subject, code)
        for subject, code in sorted(every_code())
        if subject not in OTHERS.union(PAGES)
        and not code.startswith(MADE.get(subject, ("\0",)))
        and code not in quoted
        and not any(f"{quote}{code}{quote}" in source for quote in quotes if set(code) & set(quotes))
    ]
    assert unused == []


def test_every_sentence_on_a_section_belongs_to_a_section_of_a_book() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "kiosk" / "rules").rglob("*.py"))
    cited = [re.search(rf"({'|'.join(texts('de')['books'])}) (.+)$", code) for code in texts("de")["sections"]]
    assert [one[0] for one in cited if one and f'"{one[2]}"' not in source and f'"{one[0]}"' not in source] == []


def test_the_page_asks_only_for_texts_that_are_there() -> None:
    asked = {"t": "page", "s": "page_setup"}
    found = [
        (asked[name], code)
        for path in (ROOT / "kiosk" / "director" / "page").glob("*.js")
        for name, code in re.findall(r"\b([ts])\(\"(\w+)\"", path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 100
    assert [(subject, code) for subject, code in found if code not in texts("de")[subject]] == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "kiosk" / "director" / "page").glob("*.[jh]*")), ids=lambda path: str(path.name)
)
def test_no_words_stand_in_the_page_itself(path: Path) -> None:
    text = re.sub(r"^\s*//.*|\s//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = re.sub(r"<title>.*</title>|<svg.*?</svg>", "", text)
    between = re.findall(r">([^<>=${}()`&|?:;\n]*[A-Za-zÄÖÜäöüß]{2,}[^<>=${}()`&|?:;\n]*)<", text)
    assert [found for found in between if found.strip() not in ("Stichwart",)] == []
    assert re.findall(r"\w*[ÄÖÜäöüß]\w*", text) == []


def test_every_cause_of_a_blind_camera_has_words() -> None:
    causes = {error.code for error in (CameraError, *CameraError.__subclasses__())} | {"process"}
    assert causes == set(texts("de")["camera"])


#: What card players say in German, whatever they speak.
TERMS = r"keine (90|60|30)|gegen die Kreuz Damen|Muss-Spiel|\{[^}]*\}"


def spoken(language: str) -> set[str]:
    """Every word of a catalogue but the terms, in small letters."""
    told = [text for found in texts(language).values() for text in found.values()]
    forms = [form for text in told for form in ([text] if isinstance(text, str) else text)]
    return {word.lower() for form in forms for word in re.findall(r"[^\W\d_]{2,}", re.sub(TERMS, " ", form))}


@pytest.mark.parametrize(("language", "other"), [("de", "en"), ("en", "de")])
def test_no_sentence_of_the_other_language_stands_in_a_catalogue(language: str, other: str) -> None:
    assert spoken(language) & set(ONLY[other].split()) == set()


def test_no_sentence_is_the_same_in_both_languages() -> None:
    english = texts("en")
    same = [
        (subject, code)
        for subject, found in texts("de").items()
        for code, text in found.items()
        if text == english[subject][code] and len(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{[^}]*\}", " ", str(text)))) > 2
    ]
    assert same == []
