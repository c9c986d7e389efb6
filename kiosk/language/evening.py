"""Words of a table on its own: its evenings and rounds, those before, and the stick that takes lists away."""

from typing import Final

from kiosk.language import Words

EVENING: Final[Words] = {
    "evening": ("Abend", "Evening"),
    "evening_name": ("Wie heißt der Abend?", "What is the evening called?"),
    "evening_goes_on": ("Der Abend geht weiter.", "The evening goes on."),
    "next_round": ("Nächste Runde", "Next round"),
    "next_evening": ("Neuer Abend", "New evening"),
    "next_evening_title": ("Neuer Abend?", "A new evening?"),
    "next_evening_open": (
        "Die Liste dieser Runde ist noch nicht abgegeben. Sie bleibt hier, und es kann weitergehen: "
        "Mehr – Frühere Runden.",
        "The list of this round is not handed in yet. It stays here and can go on: More – Earlier rounds.",
    ),
    "next_evening_stay": ("Hier weiterspielen", "Go on playing"),
    "earlier": ("Frühere Runden", "Earlier rounds"),
    "earlier_none": ("An diesem Tisch wurde noch nicht gespielt.", "Nothing was played at this table yet."),
    "earlier_line": ("Runde {round} · {evening}", "Round {round} · {evening}"),
    "earlier_up": ("läuft gerade", "at the table now"),
    "earlier_open": ("noch nicht abgegeben", "not handed in yet"),
    "earlier_done": ("abgegeben", "handed in"),
    "earlier_page": ("{page} von {pages}", "{page} of {pages}"),
    "resume_round": ("Diese Runde weiterspielen", "Go on with this round"),
    "follow_round": ("Abend weiterführen", "Go on with this evening"),
    "set_options": ("Regeln einstellen", "Set the rules"),
    "set_options_n": ("{n} anders als im Buch", "{n} unlike the book"),
    "set_options_none": ("wie im Buch", "as in the book"),
    "options_book": ("Alles wie im Buch", "All as in the book"),
}
