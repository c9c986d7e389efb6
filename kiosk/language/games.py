"""Names of games, announcements, answers and the reasons of a game's value. Codes are the protocol's."""

from typing import Final

from kiosk.language import Words
from kiosk.language.cards import suit_word

#: Games named with a Bavarian suit.
_WITH_BAVARIAN_SUIT: Final = frozenset({"solo", "solo-tout"})

#: Kinds of game, as in ``declare`` and in the list.
GAMES: Final[Words] = {
    "normal": ("Normalspiel", "normal game"),
    "hochzeit": ("Hochzeit", "Hochzeit"),
    "still": ("Stilles Solo", "silent solo"),
    "trumpfsolo": ("Trumpfsolo", "trump solo"),
    "damensolo": ("Damensolo", "queen solo"),
    "bubensolo": ("Bubensolo", "jack solo"),
    "farbsolo": ("Farbsolo", "suit solo"),
    "fleischlos": ("Fleischlos", "no trumps"),
    "schmeissen": ("Schmeißen", "throwing in"),
    "trumpfschwach": ("Trumpfschwach", "short of trumps"),
    "rufspiel": ("Rufspiel", "call game"),
    "wenz": ("Wenz", "Wenz"),
    "solo": ("Solo", "solo"),
    "wenz-tout": ("Wenz-Tout", "Wenz tout"),
    "solo-tout": ("Solo-Tout", "solo tout"),
    "sie": ("Sie", "Sie"),
    "muss": ("Muss-Spiel", "forced game"),
}

CALLS: Final[Words] = {
    "gesund": ("gesund", "gesund"),
    "vorbehalt": ("Vorbehalt", "Vorbehalt"),
    "re": ("Re", "Re"),
    "kontra": ("Kontra", "Kontra"),
    "keine90": ("keine 90", "no 90"),
    "keine60": ("keine 60", "no 60"),
    "keine30": ("keine 30", "no 30"),
    "schwarz": ("schwarz", "schwarz"),
    "bock": ("Bock", "Bock"),
    "weiter": ("weiter", "pass"),
    "spielen": ("spielen", "play"),
    "recht": ("recht", "agreed"),
    "auch": ("auch spielen", "play too"),
    "no_higher": ("kein höheres", "no higher"),
}

#: Reasons of a game's value, as ``value`` names them.
VALUES: Final[Words] = {
    "won": ("gewonnen", "won"),
    "against_queens": ("gegen die Kreuz Damen", "against the queens of clubs"),
    "under90": ("unter 90", "under 90"),
    "under60": ("unter 60", "under 60"),
    "under30": ("unter 30", "under 30"),
    "schwarz": ("schwarz", "schwarz"),
    "re": ("Re", "Re"),
    "kontra": ("Kontra", "Kontra"),
    "bock": ("Bock", "Bock"),
    "bockrunde": ("Bockrunde", "Bock round"),
    "said_keine90": ("keine 90 abgesagt", "no 90 announced"),
    "said_keine60": ("keine 60 abgesagt", "no 60 announced"),
    "said_keine30": ("keine 30 abgesagt", "no 30 announced"),
    "said_schwarz": ("schwarz abgesagt", "schwarz announced"),
    "reached120": ("120 gegen die Absage erreicht", "120 reached against the Absage"),
    "reached90": ("90 gegen die Absage erreicht", "90 reached against the Absage"),
    "reached60": ("60 gegen die Absage erreicht", "60 reached against the Absage"),
    "reached30": ("30 gegen die Absage erreicht", "30 reached against the Absage"),
    "doppelkopf": ("Doppelkopf", "Doppelkopf"),
    "fuchs": ("Fuchs gefangen", "fox caught"),
    "karlchen": ("Karlchen macht den letzten Stich", "Karlchen wins the last trick"),
    "fuchs_last": ("Fuchs macht den letzten Stich", "fox wins the last trick"),
    "dulle": ("Dulle gefangen", "Dulle caught"),
    "base": ("Grundwert", "base value"),
    "schneider": ("Schneider", "Schneider"),
}


def value_word(code: str, language: str = "de") -> str:
    """Look up the word for a reason of a game's value, where a code may also be a call (``schwarz``)."""
    return VALUES[code][language == "en"] if code in VALUES else code


def game_word(game: str, suit: str | None = None, duty: bool = False, language: str = "de") -> str:
    """Name a game as on the list: ``Farbsolo Herz (Pflicht)``."""
    name = GAMES[game][language == "en"] if game in GAMES else game
    if suit:
        name += f" {suit_word(suit, language, bavarian=game in _WITH_BAVARIAN_SUIT)}"
    return name + ((" (Pflicht)", " (duty)")[language == "en"] if duty else "")
