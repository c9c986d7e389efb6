"""Words of signals: what is spoken, and what the screen says beside a flash."""

from typing import Final

from kiosk.language import Words

SPOKEN: Final[Words] = {
    "objection": ("Reklamation", "objection"),
    "direction": ("Die Turnierleitung ruft", "The direction calls"),
    "comes": ("Der Schiedsrichter kommt", "The referee is coming"),
}

#: Signal → what a flash of the screen says beside it.
SIGNAL_WORDS: Final[Words] = {
    "taken": ("Notiert", "Noted"),
    "doubt": ("Frage zu einer Karte", "A question about a card"),
    "breach": ("Regelverstoß", "A breach"),
    "referee": ("Schiedsrichter gerufen", "Referee called"),
    "comes": ("Der Schiedsrichter kommt", "The referee is coming"),
    "director": ("Die Turnierleitung ruft", "The direction calls"),
    "minutes_10": ("Noch 10 Minuten", "10 minutes left"),
    "minutes_5": ("Noch 5 Minuten", "5 minutes left"),
    "minutes_1": ("Noch 1 Minute", "1 minute left"),
    "time_up": ("Ende der Spielzeit", "End of playing time"),
    "wrong": ("Das ging nicht", "That did not work"),
    "test": ("Probe", "Test"),
}

#: Notices at the table.
SOUND_NOTICES: Final[Words] = {
    "mute": (
        "Der Lautsprecher geht nicht: Stecker prüfen, oder unter Mehr → Technik einen anderen wählen",
        "The loudspeaker does not work: check its plug, or choose another one at More → Hardware",
    ),
    "wordless": (
        "Gesprochene Ansagen gehen hier nicht (espeak-ng fehlt); die Signale gehen",
        "Spoken words do not work here (espeak-ng is missing); the signals do",
    ),
}
