"""Every code that may reach the screen has a word in both languages."""

import re
from pathlib import Path

import pytest

from kiosk.language import LANGUAGES, say, words
from kiosk.language.cards import card_sign, card_word, card_words
from kiosk.language.games import game_word
from kiosk.language.rules import section_word
from kiosk.language.table import word

ROOT = Path(__file__).parents[2]

# ruff: noqa: SIM905
#: The protocol's codes (docs/protocol.md).
OFFENCE_CODES = """revoke out_of_turn card_not_held impossible_card call_out_of_turn early_announcement
late_announcement unfounded_announcement skipped_step repeated_announcement wrong_side missed_duty not_entitled
no_leave""".split()
CALL_CODES = "gesund vorbehalt re kontra keine90 keine60 keine30 schwarz bock weiter spielen recht auch".split()
GAME_CODES = """normal hochzeit still trumpfsolo damensolo bubensolo farbsolo fleischlos schmeissen trumpfschwach
rufspiel wenz solo wenz-tout solo-tout sie muss""".split()
VALUE_CODES = """won against_queens under90 under60 under30 schwarz re kontra bock bockrunde said_keine90 said_keine60
said_keine30 said_schwarz reached120 reached90 reached60 reached30 doppelkopf fuchs karlchen fuchs_last dulle base
schneider""".split()
PHASE_CODES = "waiting dealing asking declaring playing resting scored over".split()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("codes", "subject"),
    [
        (OFFENCE_CODES, "reasons"),
        (CALL_CODES, "calls"),
        (GAME_CODES, "games"),
        (VALUE_CODES, "values"),
        (PHASE_CODES, "phases"),
        (["camera", "dark", "mat", "covered"], "notices"),
    ],
    ids=["offences", "calls", "games", "values", "phases", "blindness"],
)
def test_every_code_has_a_word(codes: list[str], subject: str, language: str) -> None:
    for code in codes:
        assert say(subject, code, language).strip()


@pytest.mark.parametrize(
    ("card", "sign", "german", "english"),
    [
        ("HT", "♥10", "Herz 10", "10 of hearts"),
        ("CQ", "♣D", "Kreuz Dame", "queen of clubs"),
        ("SJ", "♠B", "Pik Bube", "jack of spades"),
        ("DA", "♦A", "Karo As", "ace of diamonds"),
        ("D9", "♦9", "Karo 9", "9 of diamonds"),
    ],
)
def test_cards(card: str, sign: str, german: str, english: str) -> None:
    assert card_sign(card) == sign
    assert card_word(card) == german
    assert card_word(card, "en") == english


def test_cards_as_they_are_spoken() -> None:
    assert card_words("HT") == "Herz Zehn"
    assert card_words("ST", bavarian=True, language="en") == "ten of bells"
    assert (card_words("back"), card_words("back", language="en")) == ("die Rückseite", "the back")


def test_bavarian_cards_have_their_own_suits() -> None:
    assert card_word("SO", bavarian=True) == "Schellen Ober"
    assert card_word("EA", "en", bavarian=True) == "ace of acorns"
    assert card_sign("GU") == "GU"


def test_games_and_sections_as_people_say_them() -> None:
    assert game_word("farbsolo", "H", True) == "Farbsolo Herz (Pflicht)"
    assert game_word("damensolo", language="en") == "queen solo"
    assert section_word("eppstein 4.2.4") == "Eppstein Abschnitt 4.2.4"


def test_every_word_of_the_tables_own_is_used_and_every_code_used_has_a_word() -> None:
    """Refusals and notices are written as plain strings in the code; they and the words must agree."""
    rooms = ("table", "app")
    source = "".join(path.read_text() for room in rooms for path in (ROOT / "kiosk" / room).rglob("*.py"))
    own = set(words("reasons")) - set(OFFENCE_CODES)
    refused = set(re.findall(r'(?:Refused\(|return )"(\w+)"', source)) & {
        *own,
        *re.findall(r'Refused\("(\w+)"', source),
    }
    assert refused <= set(words("reasons"))
    assert {code for code in own if f'"{code}"' not in source} == set()
    noted = set(re.findall(r'notices\["(\w+)"', source)) | {
        "disk_full",
        "disk_full_alone",
        "log_failed",
        "log_failed_alone",
        "camera",
        "dark",
        "mat",
        "covered",
    }
    assert noted == set(words("notices"))


def test_an_unknown_code_is_shown_not_swallowed() -> None:
    assert word("something_new") == "something_new"
