"""Words of the cash book."""

from typing import Final

from kiosk.language import Words, say

CASH: Final[Words] = {
    "title": ("Kassenbuch", "Cash book"),
    "time": ("Zeit", "Time"),
    "who": ("Wer", "Who"),
    "whom": ("An wen", "To whom"),
    "what": ("Wofür", "What for"),
    "debt": ("Betrag", "Amount"),
    "paid": ("Bezahlt", "Paid"),
    "balance": ("Offen", "Open"),
    "club": ("Kasse", "Club"),
    "late": ("{minutes} Minuten zu spät", "{minutes} minutes late"),
    "payment": ("Zahlung", "payment"),
    "withdrawn": ("Zahlung zurückgenommen", "payment taken back"),
    "ruling": ("Entscheidung", "ruling"),
    "game": ("Spiel {game}", "game {game}"),
    "void_deal": ("neu gegebenes Spiel", "deal dealt again"),
    "table": ("Runde {round} Tisch {table}", "round {round} table {table}"),
    "line": ("Zeile {event}", "line {event}"),
    "still": ("Noch zu zahlen", "Still to be paid"),
    "nothing": ("Nichts offen.", "Nothing is open."),
    "empty": ("Keine Buchung.", "No entry."),
    "people": ("Alle Beträge", "All amounts"),
    "name": ("Name", "Name"),
    "pays": ("zahlt", "pays"),
    "gets": ("bekommt", "gets"),
    "has_paid": ("bezahlt hat", "has paid"),
    "owes": ("noch offen", "still open"),
    "treasurer": ("Kassenwart", "Treasurer"),
    "in_club": ("Die Kasse bekommt {due}, bezahlt sind {paid}.", "The club gets {due}, paid are {paid}."),
}


def cash_word(code: str, language: str = "de", **fill: object) -> str:
    """Look up a word or sentence of the cash book and fill it in."""
    return say(CASH, code, language, **fill)
