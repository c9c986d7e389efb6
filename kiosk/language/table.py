"""Words for a table's phases, refusals and notices."""

from typing import Final

from kiosk.language import Words
from kiosk.language.games import CALLS, GAMES, VALUES

PHASES: Final[Words] = {
    "waiting": ("Die Runde ist noch nicht freigegeben", "The round has not been released yet"),
    "dealing": ("Es wird gegeben", "Dealing"),
    "asking": ("Vorbehaltsabfrage", "Asking for Vorbehalte"),
    "bidding": ("Wer bietet das höhere Spiel?", "Who bids the higher game"),
    "declaring": ("Der Vorbehalt wird getauft", "Naming the Vorbehalt"),
    "playing": ("Das Spiel läuft", "In play"),
    "resting": ("Das Spiel ruht: Der Schiedsrichter ist gerufen", "Play rests: the referee has been called"),
    "scored": ("Das Spiel ist zu Ende", "The game is over"),
    "over": ("Die Runde ist zu Ende", "The round is over"),
}

#: Why a person's request is refused, and what an offence is called.
REASONS: Final[Words] = {
    "revoke": ("Nicht bedient", "Revoke"),
    "out_of_turn": ("Nicht an der Reihe", "Out of turn"),
    "card_not_held": ("Diese Karte war nicht auf der Hand", "This card was not in the hand"),
    "impossible_card": ("So viele davon gibt es nicht", "There are not that many of this card"),
    "call_out_of_turn": ("Zu spät für diese Antwort", "Too late for this answer"),
    "early_announcement": ("Zu früh für diese Ansage", "Too early for this announcement"),
    "late_announcement": ("Zu spät für diese Ansage", "Too late for this announcement"),
    "unfounded_announcement": (
        "Erst muss die eigene Partei ansagen",
        "Your side has to say Re or Kontra",
    ),
    "skipped_step": ("Eine ausgelassene Stufe ist nicht mehr in der Zeit", "A step left out is out of time"),
    "repeated_announcement": ("Das ist schon angesagt", "This has been announced already"),
    "wrong_side": ("Diese Ansage gehört der anderen Partei", "This announcement belongs to the other side"),
    "missed_duty": ("Eine Pflicht wurde versäumt", "A duty was missed"),
    "not_entitled": ("Dazu fehlt die Voraussetzung", "The conditions for this are not met"),
    "no_leave": ("Dazu fehlt die Erlaubnis der Turnierleitung", "The direction has not given leave"),
    # Words of the table itself:
    "no_claim": ("Abgekürzt wird hier nicht", "No shortening here"),
    "lies": ("Diese Karte bleibt liegen", "This card stays on the table"),
    "not_released": ("Die Runde ist noch nicht freigegeben", "The round has not been released yet"),
    "no_game": ("Gerade läuft kein Spiel", "No game is in play"),
    "game_runs": ("Das laufende Spiel geht erst zu Ende", "The game in play comes to its end first"),
    "round_over": ("Die Runde ist zu Ende", "The round is over"),
    "resting": ("Das Spiel ruht, bis der Schiedsrichter entschieden hat", "Play rests until the referee has ruled"),
    "already_ruled": (
        "Darüber hat der Schiedsrichter schon entschieden",
        "The referee has ruled on this already",
    ),
    "not_now": ("Das geht jetzt nicht", "This is not possible now"),
    "no_such_card": ("Diese Karte gibt es im Blatt nicht", "There is no such card in the deck"),
    "no_such_event": ("Dort liegt keine Karte, die man ändern könnte", "There is no card there to change"),
    "cannot_stand": ("Damit passt nicht mehr, was danach geschah", "What happened later does not fit with this"),
    "too_few_seen": (
        "Zu viele Karten wurden nicht gesehen: Bitte neu geben oder die Turnierleitung rufen",
        "Too many cards were not seen: please deal again or call the direction",
    ),
    "doubts_open": ("Erst müssen die fraglichen Karten geklärt werden", "The doubtful cards must be settled first"),
    "bad_request": ("Das hat das Gerät nicht verstanden", "The device did not understand this"),
}

#: Notices and states of the table.
NOTICES: Final[Words] = {
    "missed_card": ("Eine Karte wurde nicht gesehen: Welche war es?", "A card was not seen: which one was it?"),
    "card_gone": ("Eine Karte wurde weggenommen, die schon liegt", "A card that lay already has been taken away"),
    "cards_lacking": ("Ist das Spiel aus? Dann bitte hier berühren", "Is the game over? Then please touch here"),
    "stray_card": ("Hier liegt eine Karte, die zu keinem Spiel gehört", "A card lies here that belongs to no game"),
    "disk_full": (
        "Der Speicher ist voll: Bitte die Turnierleitung rufen",
        "Storage is full: call the direction",
    ),
    "log_failed": ("Speichern misslungen: Bitte die Turnierleitung rufen", "Saving failed: please call the direction"),
    "camera": ("Die Kamera fehlt: Karten bitte antippen", "No camera: please tap the cards in"),
    "dark": ("Es ist zu dunkel für die Kamera", "It is too dark for the camera"),
    "mat": ("Die Matte ist nicht zu sehen", "The mat cannot be seen"),
    "covered": ("Die Matte ist verdeckt", "The mat is covered"),
}

_TABLES: Final = (GAMES, CALLS, PHASES, REASONS, NOTICES, VALUES)


def word(code: str, language: str = "de") -> str:
    """Look up the word for a code: a game, call, phase, reason, notice or value; an unknown code is shown as it is."""
    for table in _TABLES:
        if code in table:
            return table[code][language == "en"]
    return code
