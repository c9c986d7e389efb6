"""What cards, games, calls and reasons are called, in German and English. Codes are the protocol's."""

from typing import Final

SUIT_SIGNS: Final = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}

SUITS: Final[dict[str, tuple[str, str]]] = {
    "C": ("Kreuz", "clubs"),
    "S": ("Pik", "spades"),
    "H": ("Herz", "hearts"),
    "D": ("Karo", "diamonds"),
    "E": ("Eichel", "acorns"),
    "G": ("Gras", "leaves"),
}

#: Bavarian suits that share a letter with French ones.
BAVARIAN_SUITS: Final[dict[str, tuple[str, str]]] = {"H": ("Herz", "hearts"), "S": ("Schellen", "bells")}

#: Short rank on a card, the same in both languages: the cards on the table have German indices.
RANK_SIGNS: Final = {
    "A": "A", "T": "10", "K": "K", "Q": "D", "J": "B", "9": "9", "O": "O", "U": "U", "8": "8", "7": "7",
}  # fmt: skip

RANKS: Final[dict[str, tuple[str, str]]] = {
    "A": ("As", "ace"),
    "T": ("10", "10"),
    "K": ("König", "king"),
    "Q": ("Dame", "queen"),
    "J": ("Bube", "jack"),
    "O": ("Ober", "Ober"),
    "U": ("Unter", "Unter"),
    "9": ("9", "9"),
    "8": ("8", "8"),
    "7": ("7", "7"),
}

#: Kinds of game, as in ``declare`` and in the list.
GAMES: Final[dict[str, tuple[str, str]]] = {
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

CALLS: Final[dict[str, tuple[str, str]]] = {
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
VALUES: Final[dict[str, tuple[str, str]]] = {
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
