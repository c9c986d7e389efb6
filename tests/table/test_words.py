"""Every code that may reach the screen has a word in both languages."""

import re
from pathlib import Path

import pytest

from kiosk.table import words

ROOT = Path(__file__).parents[2]

# ruff: noqa: SIM905
#: The protocol's codes (PROTOCOL.md).
OFFENCES = """revoke out_of_turn card_not_held impossible_card call_out_of_turn early_announcement late_announcement
unfounded_announcement skipped_step repeated_announcement wrong_side missed_duty not_entitled no_leave""".split()
CALLS = "gesund vorbehalt re kontra keine90 keine60 keine30 schwarz bock weiter spielen recht auch".split()
GAMES = """normal hochzeit still trumpfsolo damensolo bubensolo farbsolo fleischlos schmeissen trumpfschwach rufspiel
wenz solo wenz-tout solo-tout sie muss""".split()
VALUES = """won against_queens under90 under60 under30 schwarz re kontra bock bockrunde said_keine90 said_keine60
said_keine30 said_schwarz reached120 reached90 reached60 reached30 doppelkopf fuchs karlchen fuchs_last dulle base
schneider""".split()
PHASES = "waiting dealing asking declaring playing resting scored over".split()


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize(
    ("codes", "table"),
    [
        (OFFENCES, words.REASONS),
        (CALLS, words.CALLS),
        (GAMES, words.GAMES),
        (VALUES, words.VALUES),
        (PHASES, words.PHASES),
        (["camera", "dark", "mat", "covered"], words.NOTICES),
    ],
    ids=["offences", "calls", "games", "values", "phases", "blindness"],
)
def test_every_code_has_a_word(codes: list[str], table: dict[str, tuple[str, str]], language: words.Language) -> None:
    for code in codes:
        assert table[code][words.LANGUAGES.index(language)].strip()


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
    assert words.card_sign(card) == sign
    assert words.card_word(card) == german
    assert words.card_word(card, "en") == english


def test_bavarian_cards_have_their_own_suits() -> None:
    assert words.card_word("SO", bavarian=True) == "Schellen Ober"
    assert words.card_word("EA", "en", bavarian=True) == "ace of acorns"
    assert words.card_sign("GU") == "GU"


def test_games_and_sections_as_people_say_them() -> None:
    assert words.game_word("farbsolo", "H", True) == "Farbsolo Herz (Pflicht)"
    assert words.game_word("damensolo", language="en") == "queen solo"
    assert words.section_word("eppstein 4.2.4") == "Eppstein Abschnitt 4.2.4"


def test_every_word_of_the_tables_own_is_used_and_every_code_used_has_a_word() -> None:
    """Refusals and notices are written as plain strings in the code; they and the words must agree."""
    source = "".join(path.read_text() for path in (ROOT / "kiosk" / "table").glob("*.py") if path.name != "words.py")
    own = set(words.REASONS) - set(OFFENCES)
    refused = set(re.findall(r'(?:Refused\(|return )"(\w+)"', source)) & {
        *own,
        *re.findall(r'Refused\("(\w+)"', source),
    }
    assert refused <= set(words.REASONS)
    assert {code for code in own if f'"{code}"' not in source} == set()
    noted = set(re.findall(r'notices\["(\w+)"', source)) | {
        "disk_full",
        "log_failed",
        "camera",
        "dark",
        "mat",
        "covered",
    }
    assert noted == set(words.NOTICES)


def test_an_unknown_code_is_shown_not_swallowed() -> None:
    assert words.word("something_new") == "something_new"
