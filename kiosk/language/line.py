"""Words at the table for the state of its line to the director."""

from typing import Final

from kiosk.language import Words

#: Trouble of the line, "" for none → what to tell.
LINE: Final[Words] = {
    "": ("Mit der Turnierleitung verbunden", "Connected to the director"),
    "away": (
        "Turnierleitung nicht erreichbar – am Tisch geht alles weiter, die Liste wird nachgesendet",
        "Director out of reach – the table goes on, the list will be sent later",
    ),
    "token": (
        "Die Turnierleitung weist diesen Tisch ab: falscher Schlüssel in der Einstellung",
        "The director turns this table away: wrong token in its configuration",
    ),
    "tournament": ("Die Turnierleitung kennt dieses Turnier nicht", "The director does not know this tournament"),
    "contradiction": (
        "Die Turnierleitung hat von dieser Tischnummer eine andere Liste. Bitte Turnierleitung rufen",
        "The director has another list from this table number. Please call the director",
    ),
    "behind": (
        "Die Turnierleitung hat von diesem Tisch mehr, als hier gespeichert ist. Bitte Turnierleitung rufen",
        "The director has more from this table than is stored here. Please call the director",
    ),
    "twice": (
        "Ein zweites Gerät meldet sich mit dieser Tischnummer. Bitte Turnierleitung rufen",
        "A second device uses this table number. Please call the director",
    ),
    "rejected": (
        "Die Turnierleitung nimmt die Liste dieses Tisches nicht an. Bitte Turnierleitung rufen",
        "The director does not accept this table's list. Please call the director",
    ),
    "director": (
        "Die Turnierleitung kann gerade nicht speichern – am Tisch geht alles weiter",
        "The director cannot store anything just now – the table goes on",
    ),
}
