"""What the lesson on a terminal says, in both languages; the words of the screen stand with the screen."""

from vision.deck import BACK
from vision.lesson import LessonState
from vision.rivals import Rivals

_SUITS = {"C": "Kreuz", "S": "Pik", "H": "Herz", "D": "Karo"}
_BAVARIAN_SUITS = {"E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schellen"}
_RANKS = {"A": "As", "T": "Zehn", "K": "König", "Q": "Dame", "J": "Bube", "O": "Ober", "U": "Unter"}
_SUITS_EN = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
_BAVARIAN_SUITS_EN = {"E": "acorns", "G": "leaves", "H": "hearts", "S": "bells"}
_RANKS_EN = {"A": "ace", "T": "ten", "K": "king", "Q": "queen", "J": "jack", "O": "Ober", "U": "Unter"}

#: Verdict → what is said, by language.
VERDICT_WORDS = {
    "de": {
        "nothing": "keine Karte zu sehen; allein und ganz ins Bild legen, auf einen Grund, von dem sie sich abhebt",
        "moving": "es bewegt sich etwas; Karte hinlegen, Hand weg",
        "reading": "still liegen lassen …",
        "good": "gelernt",
        "next": "die habe ich; die nächste bitte",
        "cut": "ragt aus dem Bild, oder eine Hand liegt dabei; in die Mitte legen, Hand weg",
        "odd": "nicht eine einzelne ganze Karte; nur eine hinlegen, sonst nichts",
        "small": "zu klein ({detail}); Kamera näher heran oder mehr Bildpunkte",
        "blur": "unscharf; liegt sie flach und still? Sonst die Kamera scharf stellen",
        "glare": "Licht spiegelt sich; Lampe oder Karte etwas drehen",
        "flat": "kein Bild zu erkennen; liegt sie verdeckt?",
        "down": "das ist die Rückseite; umdrehen",
        "same": "sieht aus wie {rival}, die schon gezeigt wurde; die richtige zeigen, oder „z“ und {rival} noch einmal",
        "other": "das ist wohl {rival}; die richtige zeigen, oder „d“: doch, sie ist es",
        "dark": "zu dunkel; Lampe einschalten",
        "camera": "die Kamera liefert kein Bild: {detail}",
        "unfit": "das Blatt kann nicht gespeichert werden: {detail}",
        "done": "fertig",
    },
    "en": {
        "nothing": "no card to be seen; lay it alone and whole into view, on a ground from which it stands out",
        "moving": "something moves; lay the card down, hand away",
        "reading": "leave it still …",
        "good": "learned",
        "next": "this one I have; the next, please",
        "cut": "reaches out of the picture, or a hand is there; lay it into the middle, hand away",
        "odd": "not one single whole card; lay down one, and nothing else",
        "small": "too small ({detail}); bring the camera nearer or ask for more pixels",
        "blur": "blurred; does it lie flat and still? Else focus the camera",
        "glare": "light glares; turn the lamp or the card a little",
        "flat": "nothing printed; does it lie face down?",
        "down": "this is its back; turn it over",
        "same": "looks like {rival}, which was shown already; show the right one, or “z” and {rival} once more",
        "other": "that seems to be the {rival}; show the right one, or “y”: yes, it is",
        "dark": "too dark; switch a lamp on",
        "camera": "the camera gives no picture: {detail}",
        "unfit": "the deck cannot be kept: {detail}",
        "done": "done",
    },
}

_TEXTS = {
    "de": {
        "show": "{card} zeigen",
        "keys": "Tasten (mit Eingabe): z = letzte noch einmal, s = diese später, d = doch, e = Ende",
        "broken": "abgebrochen: {n} Karten fehlen noch",
        "learned": "{name}: {n} Karten gelernt, gespeichert in {path}",
        "scanned": "{name}: {n} Karten gelernt, {w} × {h} mm, gespeichert in {path}",
        "fit": "{name}: geprüft, keine zwei Bilder sind zum Verwechseln ähnlich (kleinster Abstand {margin}: {pair})",
        "alike": "{one} und {other} sind ähnlich (Abstand {margin}, halb verdeckt {half}) – "
        "bitte beide noch einmal zeigen",
        "and": "{one} und {other}",
        "nothing_alike": "{name}: geprüft, keine zwei Bilder sind sich ähnlich",
    },
    "en": {
        "show": "show {card}",
        "keys": "keys (with Enter): z = the last once more, s = this one later, y = yes it is, e = end",
        "broken": "broken off: {n} cards are still missing",
        "learned": "{name}: {n} cards learned, kept in {path}",
        "scanned": "{name}: {n} cards learned, {w} × {h} mm, kept in {path}",
        "fit": "{name}: checked, no two faces are likely to be confused (least margin {margin}: {pair})",
        "alike": "{one} and {other} are alike (margin {margin}, half covered {half}) – please show both once more",
        "and": "{one} and {other}",
        "nothing_alike": "{name}: checked, no two faces are alike",
    },
}


def text(key: str, language: str, **what: object) -> str:
    """A line of the lesson on the terminal."""
    return _TEXTS[language][key].format(**what)


def card_words(label: str, bavarian: bool = False, language: str = "de") -> str:
    """A label in words, like "Herz Zehn" or "ten of hearts"."""
    german = language == "de"
    if label == BACK:
        return "die Rückseite" if german else "the back"
    if german:
        suits = _BAVARIAN_SUITS if bavarian else _SUITS
        return f"{suits.get(label[0], label[0])} {_RANKS.get(label[1:], label[1:])}"
    suits = _BAVARIAN_SUITS_EN if bavarian else _SUITS_EN
    return f"{_RANKS_EN.get(label[1:], label[1:])} of {suits.get(label[0], label[0])}"


def state_words(state: LessonState, bavarian: bool, language: str = "de") -> str:
    """A line for a state of the lesson."""
    rival = card_words(state.rival, bavarian, language) if state.rival else ""
    words = VERDICT_WORDS[language][state.verdict].format(rival=rival, detail=state.detail)
    asked = text("show", language, card=card_words(state.asked, bavarian, language)) if state.asked else ""
    return f"[{len(state.learned)}/{state.total}] {asked}{': ' if asked else ''}{words}"


def rival_words(name: str, found: list[Rivals], told: tuple[Rivals, ...], bavarian: bool, language: str) -> list[str]:
    """What the check of a deck says: a line for each pair that is alike, or that there is none."""

    def line(key: str, pair: Rivals) -> str:
        one, other = (card_words(label, bavarian, language) for label in (pair.one, pair.other))
        both = text("and", language, one=one, other=other)
        margin, half = (number(value, language) for value in (pair.margin, pair.half))
        return text(key, language, name=name, one=one, other=other, pair=both, margin=margin, half=half)

    if told:
        return [line("alike", pair) for pair in told]
    return [line("fit", found[0])] if found else [text("nothing_alike", language, name=name)]


def number(value: float, language: str) -> str:
    """Two decimals, as the language writes them."""
    return f"{value:.2f}".replace(".", "," if language == "de" else ".")
