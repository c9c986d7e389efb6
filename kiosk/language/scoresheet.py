"""Words of the list: headings, notes, checks, signatures."""

from typing import Final

from kiosk.language import Words, say
from kiosk.language.games import game_word

SCORESHEET: Final[Words] = {
    # headings
    "list": ("Spielliste", "Score sheet"),
    "turnierliste": ("Turnierliste", "Tournament sheet"),
    "lists": ("Spiellisten", "Score sheets"),
    "number": ("Spiel", "Game"),
    "number_short": ("Nr.", "No."),
    "dealer": ("Geber", "Dealer"),
    "value": ("Punkte", "Points"),
    "value_eppstein": ("Punkte dieses Spiels", "Points of this game"),
    "game_eppstein": ("Art des Spiels (Solo)", "Kind of game (solo)"),
    "value_durchgaenge": ("Spielpunkte ohne Bonus", "Points without bonus"),
    "game": ("Spiel", "Game"),
    "game_note": ("Spiel, Vermerk", "Game, note"),
    "winners": ("Gewinner", "Winners"),
    "result": ("Ergebnis", "Result"),
    "carried": ("Übertrag", "Carried over"),
    "tournament": ("Turnier", "Tournament"),
    "date": ("Datum", "Date"),
    "table": ("Tisch", "Table"),
    "round": ("Runde", "Round"),
    "games": ("Spiele", "Games"),
    "scorer": ("Listenführung", "Scorer"),
    "seat": ("Platz", "Seat"),
    "page": ("Blatt {page} von {pages}", "Page {page} of {pages}"),
    # notes of a row
    "alone": ("allein", "alone"),
    "duty": ("Pflicht", "duty"),
    "lust": ("Lust", "voluntary"),
    "doubled": ("Bock ×2", "Bock ×2"),
    "struck": ("gestrichen", "struck"),
    "struck_again": ("gestrichen und neu gespielt", "struck and played again"),
    "broken_off": ("abgebrochen nach Entscheid", "broken off by a ruling"),
    "ruled": ("mit Entscheid", "with a ruling"),
    "leave": ("mit Vermerk der Turnierleitung", "with the direction's leave"),
    "open": ("noch offen", "still open"),
    # legend of the marks
    "mark_dealer": ("Geber", "dealer"),
    "mark_duty": ("Pflichtsolo", "Pflichtsolo"),
    "mark_lust": ("Lustsolo", "Lustsolo"),
    "mark_solo": ("Alleinspiel", "played alone"),
    "mark_still": ("stilles Solo", "silent solo"),
    "mark_hochzeit": ("Hochzeit allein", "Hochzeit alone"),
    # checks
    "checks": ("Prüfungen", "Checks"),
    "cumulated": ("Punkte fortlaufend aufgerechnet", "points added up game by game"),
    "dealers": ("Geber der Reihe nach", "dealers in their order"),
    "row_sums": ("Quersumme jedes Spiels 0", "every game sums to 0"),
    "even_odd": ("alle gerade oder alle ungerade", "all even or all odd"),
    "winners_marked": ("Gewinner gekennzeichnet", "winners marked"),
    "ok": ("stimmt", "right"),
    "wrong": ("stimmt nicht", "wrong"),
    "wrong_in": ("stimmt nicht: Spiel {games}", "wrong: game {games}"),
    "excused": ("Strafpunkte im Solo: Spiel {games}", "penalty in a solo: game {games}"),
    "not_asked": ("am Fünfertisch nicht verlangt", "not asked for with five players"),
    # state
    "games_left": ("Noch {number} Spiele", "{number} games left"),
    "one_left": ("Noch 1 Spiel", "1 game left"),
    "games_missing": ("{number} Spiele nicht gespielt", "{number} games not played"),
    "one_missing": ("1 Spiel nicht gespielt", "1 game not played"),
    "changed": (
        "Ab Spiel {game} an Platz {seat}: {came} für {left}",
        "From game {game} on at seat {seat}: {came} for {left}",
    ),
    "substitutes": ("Ersatzspieler: {names}", "Substitutes: {names}"),
    "duties_left": ("Pflichtsolo offen: {names}", "Pflichtsolo still to be played: {names}"),
    "bock_left": ("Bockrunde: noch {number} Spiele doppelt", "Bock round: {number} more games count double"),
    "one_bock": ("Bockrunde: noch 1 Spiel doppelt", "Bock round: 1 more game counts double"),
    "time_up": ("Spielzeit beendet", "End of playing time"),
    "extra": ("Nachspielzeit {minutes} Minuten", "extra time {minutes} minutes"),
    "extra_one": ("Nachspielzeit 1 Minute", "extra time 1 minute"),
    "fines": ("Kasse: {paid}", "Cash: {paid}"),
    "pays": ("{name} zahlt {euros} €", "{name} pays €{euros}"),
    "gets": ("{name} erhält {euros} €", "{name} gets €{euros}"),
    "ranking": ("Tageswertung: {places}", "Ranking of the day: {places}"),
    "closed": ("Liste abgegeben", "List handed in"),
    # rulings and offences
    "rulings": ("Entscheide des Schiedsrichters", "Rulings of the referee"),
    "offences": ("Festgestellte Regelverstöße", "Breaches found"),
    "class_none": ("ohne Folge", "no penalty"),
    "class_minor": ("geringfügiger Verstoß", "minor offence"),
    "class_serious": ("schwerwiegender Verstoß", "serious offence"),
    "class_decided": ("Spiel war schon entschieden", "game was decided already"),
    "class_custom": ("Wertung der Turnierleitung", "scored by the direction"),
    "penalty": ("Strafpunkte {points}", "penalty points {points}"),
    "line": ("Zeile {event}", "line {event}"),
    "lines": ("Zeile {event}, bewiesen mit Zeile {proved}", "line {event}, proved with line {proved}"),
    "count_only": (
        "{rulings} Entscheide und {offences} Verstöße; im Einzelnen in der Ereignisliste des Tisches",
        "{rulings} rulings and {offences} breaches; each one in the table's list of events",
    ),
    "more": ("… und {number} weitere in der Ereignisliste des Tisches", "… and {number} more in the table's events"),
    "initials": ("Handzeichen", "initials"),
    # signatures
    "signed": ("Bestätigt", "Signed"),
    "signed_at": ("bestätigt {time}", "confirmed {time}"),
    "signed_plain": ("bestätigt", "confirmed"),
    "signature": ("Unterschrift", "Signature"),
    "direction_short": ("TL", "Dir."),
    "direction": ("Turnierleitung", "Direction"),
    "not_signed": ("Bestätigung fehlt", "Not signed"),
    "nobody": ("noch niemand", "nobody yet"),
}


def list_word(code: str, language: str = "de", **fill: object) -> str:
    """Look up a word or sentence of the list and fill it in."""
    return say(SCORESHEET, code, language, **fill)


def row_word(kind: str, suit: str | None, solo: str | None, language: str = "de") -> str:
    """Name a row's game as on the list: ``Farbsolo Herz (Pflicht)``, ``Damensolo (Lust)``."""
    name = game_word(kind, suit, language=language)
    return f"{name} ({list_word(solo, language)})" if solo in ("duty", "lust") else name
