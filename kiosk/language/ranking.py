"""Words of standings, of the day's and the year's ranking, and of lots."""

from typing import Final

from kiosk.language import Words, say

RANKING: Final[Words] = {
    "standing": ("Rangliste", "Standing"),
    "day": ("Tageswertung", "Day's ranking"),
    "year": ("Jahreswertung", "Year's ranking"),
    "place": ("Platz", "Place"),
    "name": ("Name", "Name"),
    "round": ("Runde", "Round"),
    "table": ("Tisch", "Table"),
    "points": ("Punkte", "Points"),
    "games_won": ("gewonnene Spiele", "games won"),
    "alleinspiele_won": ("gewonnene Alleinspiele", "Alleinspiele won"),
    "lot": ("Los", "lot"),
    "out": ("Ohne Platz", "Without a place"),
    "twice": ("sitzt in einer Runde an zwei Tischen; Namen müssen eindeutig sein",
              "sits at two tables in one round; names must be unique"),
    "substitute": ("Ersatzspieler", "substitute"),
    "left": ("hat nicht zu Ende gespielt", "did not play to the end"),
    "missing": ("hat nicht jede Runde gespielt", "did not play every round"),
    "provisional": ("Vorläufig", "Provisional"),
    "not_closed": ("Liste noch nicht abgegeben", "list not handed in yet"),
    "rounds_left": ("es fehlen noch Runden", "there are rounds to come"),
    "lot_needed": ("Das Los muss entscheiden zwischen", "The lot must decide between"),
    "silent": ("Das Buch sagt nichts zur Rangliste: Summe der Runden, Gleiche teilen sich den Platz.",
               "The book says nothing of the standing: sum of the rounds, equal ones share a place."),
    "silent_lot": ("Das Buch sagt nichts zur Rangliste; was bei gleicher Summe gilt, hat die Turnierleitung bestimmt.",
                   "The book says nothing of the standing; what decides between equal sums is the direction's choice."),
    "shared": ("Gleiche teilen sich den Platz.", "Equal ones share a place."),
    "pokal": ("Pokal", "trophy"),
    "direction": ("Turnierleitung", "Direction"),
    "lot_of": ("Los vom {when}", "Lot of {when}"),
    "seed": ("Startwert {seed}", "seed {seed}"),
    "by_hand": ("von Hand gezogen", "drawn by hand"),
    "lot_check": ("Nachprüfen: zu jedem Namen die SHA-256-Summe von Startwert, Zeilenende und Name; "
                  "die kleinste kommt zuerst.",
                  "To check it: for each name the SHA-256 sum of the seed, a line end and the name; "
                  "the smallest comes first."),
}  # fmt: skip


def ranking_word(code: str, language: str = "de", **fill: object) -> str:
    """Look up a word or sentence of the rankings and fill it in."""
    return say(RANKING, code, language, **fill)
