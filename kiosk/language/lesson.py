"""Words of a deck's lesson on a terminal."""

from typing import Final

from kiosk.language import Words
from kiosk.language.cards import RANKS, suit_words

#: Verdict of the lesson → what to do.
VERDICTS: Final[Words] = {
    "nothing": (
        "keine Karte zu sehen; allein und ganz ins Bild legen, auf einen Grund, von dem sie sich abhebt",
        "no card to be seen; lay it alone and whole into view, on a ground from which it stands out",
    ),
    "moving": ("es bewegt sich etwas; Karte hinlegen, Hand weg", "something moves; lay the card down, hand away"),
    "reading": ("still liegen lassen …", "leave it still …"),
    "good": ("gelernt", "learned"),
    "next": ("die habe ich; die nächste bitte", "this one I have; the next, please"),
    "cut": (
        "ragt aus dem Bild, oder eine Hand liegt dabei; in die Mitte legen, Hand weg",
        "reaches out of the picture, or a hand is there; lay it into the middle, hand away",
    ),
    "odd": (
        "nicht eine einzelne ganze Karte; nur eine hinlegen, sonst nichts",
        "not one single whole card; lay down one, and nothing else",
    ),
    "small": (
        "zu klein ({detail}); Kamera näher heran oder mehr Bildpunkte",
        "too small ({detail}); bring the camera nearer or ask for more pixels",
    ),
    "blur": (
        "unscharf; liegt sie flach und still? Sonst die Kamera scharf stellen",
        "blurred; does it lie flat and still? Else focus the camera",
    ),
    "glare": ("Licht spiegelt sich; Lampe oder Karte etwas drehen", "light glares; turn the lamp or the card a little"),
    "flat": ("kein Bild zu erkennen; liegt sie verdeckt?", "nothing printed; does it lie face down?"),
    "down": ("das ist die Rückseite; umdrehen", "this is its back; turn it over"),
    "same": (
        "sieht aus wie {rival}, die schon gezeigt wurde; die richtige zeigen, oder „z“ und {rival} noch einmal",
        "looks like {rival}, which was shown already; show the right one, or “z” and {rival} once more",
    ),
    "other": (
        "das ist wohl {rival}; die richtige zeigen, oder „d“: doch, sie ist es",
        "that seems to be the {rival}; show the right one, or “y”: yes, it is",
    ),
    "dark": ("zu dunkel; Lampe einschalten", "too dark; switch a lamp on"),
    "camera": ("die Kamera liefert kein Bild: {detail}", "the camera gives no picture: {detail}"),
    "unfit": ("das Blatt kann nicht gespeichert werden: {detail}", "the deck cannot be kept: {detail}"),
    "done": ("fertig", "done"),
}

LESSON: Final[Words] = {
    "show": ("{card} zeigen", "show {card}"),
    "keys": (
        "Tasten (mit Eingabe): z = letzte noch einmal, s = diese später, d = doch, e = Ende",
        "keys (with Enter): z = the last once more, s = this one later, y = yes it is, e = end",
    ),
    "broken": ("abgebrochen: {n} Karten fehlen noch", "broken off: {n} cards are still missing"),
    "learned": ("{name}: {n} Karten gelernt, gespeichert in {path}", "{name}: {n} cards learned, kept in {path}"),
    "scanned": (
        "{name}: {n} Karten gelernt, {w} × {h} mm, gespeichert in {path}",
        "{name}: {n} cards learned, {w} × {h} mm, kept in {path}",
    ),
    "fit": (
        "{name}: geprüft, keine zwei Bilder sind zum Verwechseln ähnlich (kleinster Abstand {margin}: {pair})",
        "{name}: checked, no two faces are likely to be confused (least margin {margin}: {pair})",
    ),
    "alike": (
        "{one} und {other} sind ähnlich (Abstand {margin}, halb verdeckt {half}) – bitte beide noch einmal zeigen",
        "{one} and {other} are alike (margin {margin}, half covered {half}) – please show both once more",
    ),
    "and": ("{one} und {other}", "{one} and {other}"),
    "nothing_alike": (
        "{name}: geprüft, keine zwei Bilder sind sich ähnlich",
        "{name}: checked, no two faces are alike",
    ),
}

_BACK: Final = ("die Rückseite", "the back")

#: Ranks that are spoken otherwise than they are written on a card.
_SPOKEN_RANKS: Final[Words] = {**RANKS, "T": ("Zehn", "ten")}


def card_words(label: str, bavarian: bool = False, language: str = "de") -> str:
    """Name a face of a deck: ``Herz Zehn``, ``ten of hearts``; a label that is no card is the back."""
    i = int(language == "en")
    if len(label) != 2:
        return _BACK[i]
    suit, rank = suit_words(bavarian)[label[0]][i], _SPOKEN_RANKS[label[1]][i]
    return f"{rank} of {suit}" if i else f"{suit} {rank}"
