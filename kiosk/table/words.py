"""What things are called in front of people, in German (the default) and English.

Codes of the protocol stay codes everywhere else; only here they become words. A word that is missing is an error in
the tests, not a blank on the screen.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from kiosk.rules.books import BOOKS
from kiosk.rules.cards import Card
from kiosk.rules.names import BAVARIAN_SUITS, CALLS, GAMES, RANK_SIGNS, RANKS, SUIT_SIGNS, SUITS, VALUES
from kiosk.table.rule_words import BY_CODE, BY_SECTION
from kiosk.table.view import OffenceView

Language: TypeAlias = Literal["de", "en"]

LANGUAGES: Final[tuple[Language, ...]] = ("de", "en")

#: Books that are cited by a name of their own.
_BOOK_NAMES: Final = {"bsv": "BSV", "durchgaenge": "Durchgänge"}

#: Games named with a Bavarian suit.
_WITH_BAVARIAN_SUIT: Final = frozenset({"solo", "solo-tout"})

PHASES: Final[dict[str, tuple[str, str]]] = {
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
REASONS: Final[dict[str, tuple[str, str]]] = {
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
NOTICES: Final[dict[str, tuple[str, str]]] = {
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

#: Sentences with a place to fill in.
_SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "revoke_card": (
        "Stich {trick}: {name} legt {card} auf {led}. Später legt {name} {shown} – damit wäre zu bedienen gewesen.",
        "Trick {trick}: {name} lays {card} on {led}. Later {name} lays {shown}, which should have followed.",
    ),
    "revoke_count": (
        "Stich {trick}: {name} legt {card} auf {led}. Nach allen Karten, die man inzwischen kennt, hatte {name} noch "
        "eine Karte zum Bedienen.",
        "Trick {trick}: {name} lays {card} on {led}. By all the cards known since then {name} still held one to "
        "follow with.",
    ),
    "revoke_called": (
        "Stich {trick}: {name} legt {card} und hat dabei die gerufene Karte {called} auf der Hand.",
        "Trick {trick}: {name} lays {card} while holding the called card {called}.",
    ),
    "called_discarded": (
        "Stich {trick}: {name} wirft die gerufene Karte {card} ab.",
        "Trick {trick}: {name} throws the called card {card} away.",
    ),
    "out_of_turn": (
        "Stich {trick}: {name} legt {card}, an der Reihe war {due}.",
        "Trick {trick}: {name} lays {card}; it was the turn of {due}.",
    ),
    "card": ("Stich {trick}: {name} legt {card}.", "Trick {trick}: {name} lays {card}."),
    "call": (
        "{name} sagt {call} mit {cards} Karten in der Hand.",
        "{name} says {call} with {cards} cards in hand.",
    ),
    "call_one": ("{name} sagt {call} mit 1 Karte in der Hand.", "{name} says {call} with 1 card in hand."),
    "call_table_one": (
        "{name} sagt {call}, als schon eine Karte lag.",
        "{name} says {call} when one card lay already.",
    ),
    "call_table": (
        "{name} sagt {call}, als schon {laid} Karten gelegt waren.",
        "{name} says {call} when {laid} cards had been laid.",
    ),
    "duty": (
        "Stich {trick} gehört {name}. Bis {shown} lag, fehlte die Ansage.",
        "Trick {trick} goes to {name}. When {shown} lay, the announcement was missing.",
    ),
    "card_down": ("Stich {trick}: {name} legt eine Karte verdeckt.", "Trick {trick}: {name} lays a card face down."),
    "said": ("{name} sagt {call}.", "{name} says {call}."),
    "limit_hand": ("{calls} mit mindestens {n} Karten in der Hand", "{calls} with at least {n} cards in hand"),
    "limit_hand_next": ("{calls} mit {n}", "{calls} with {n}"),
    "limit_table": ("{calls} bis zur {n}. Karte auf dem Tisch", "{calls} until card {n} on the table"),
    "proved_by": (" Das zeigt sich mit {shown}.", " This shows with {shown}."),
    "book_part": ("{book}, „{number}“", "{book}, “{number}”"),
    "book_section": ("{book} Abschnitt {number}", "{book} section {number}"),
}


def explain(offence: OffenceView, names: Sequence[str], language: Language = "de") -> str:
    """What happened and what proves it, in a sentence or two that a player can check; empty if there is no more to say.

    :param names: the players, seat 1 first.
    """
    name = names[offence.seat - 1]
    bavarian = plays_bavarian(offence.section.split(" ")[0])
    if offence.code == "missed_duty" and offence.trick is not None and offence.shown is not None:
        last = card_word(offence.shown, language, bavarian=bavarian)
        return sentence("duty", language, name=name, trick=offence.trick, shown=last)
    if offence.call is not None:
        one = "call_one" if offence.cards_left == 1 else "call"
        table = "call_table_one" if offence.laid == 1 else "call_table"
        key = "said" if offence.cards_left is None else one if offence.laid is None else table
        said = word(offence.call, language)
        text = sentence(key, language, name=name, call=said, cards=offence.cards_left, laid=offence.laid)
        if offence.shown is None:
            return text
        return text + sentence("proved_by", language, shown=card_word(offence.shown, language, bavarian=bavarian))
    if offence.card is None:
        return ""
    fill: dict[str, object] = {
        "trick": offence.trick,
        "name": name,
        "card": card_word(offence.card, language, bavarian=bavarian),
    }
    if offence.called is not None:
        key = "called_discarded" if offence.card == offence.called else "revoke_called"
        return sentence(key, language, called=card_word(offence.called, language, bavarian=bavarian), **fill)
    if offence.code == "revoke" and offence.led is not None:
        fill["led"] = card_word(offence.led, language, bavarian=bavarian)
        if offence.shown is None:
            return sentence("revoke_count", language, **fill)
        return sentence("revoke_card", language, shown=card_word(offence.shown, language, bavarian=bavarian), **fill)
    if offence.code == "out_of_turn" and offence.due is not None:
        return sentence("out_of_turn", language, due=names[offence.due - 1], **fill)
    text = sentence("card_down" if offence.down else "card", language, **fill)
    if offence.code == "not_entitled" and offence.shown is not None:
        return text + sentence("proved_by", language, shown=card_word(offence.shown, language, bavarian=bavarian))
    return text


def plays_bavarian(rules: str) -> bool:
    """Whether the cards of a book are Bavarian."""
    return rules in BOOKS and "EO" in BOOKS[rules].deck


def word(code: str, language: Language = "de") -> str:
    """The word for a code: a game, call, phase, reason, notice or value; an unknown code is shown as it is."""
    for table in _TABLES:
        if code in table:
            return table[code][LANGUAGES.index(language)]
    return code


def value_word(code: str, language: Language = "de") -> str:
    """The word for a reason of a game's value, where a code may also be a call (``schwarz``)."""
    return VALUES[code][LANGUAGES.index(language)] if code in VALUES else code


def rule_says(code: str, language: Language = "de", section: str = "", limits: Sequence[tuple[str, int]] = ()) -> str:
    """What the book asks for, in a sentence; empty where the reason says it all.

    :param section: with the book's name, as cited.
    :param limits: of the round's announcements, as ``TableView.limits`` has them.
    """
    found = BY_SECTION.get(f"{code} {section}") or BY_SECTION.get(section) or BY_CODE.get(code)
    if found is None:
        return ""
    text = found[LANGUAGES.index(language)]
    if "{limits}" not in text:
        return text
    book = BOOKS.get(section.split(" ")[0])
    counted = book.calls.counted if book else "hand"
    return text.format(limits=limits_words(limits, counted, language)) if limits else ""


def limits_words(limits: Sequence[tuple[str, int]], counted: str, language: Language = "de") -> str:
    """The limits of announcements: ``Re und Kontra mit mindestens 11 Karten in der Hand, keine 90 mit 10`` …"""
    groups: dict[int, list[str]] = {}
    for call, number in limits:
        groups.setdefault(number, []).append(word(call, language))
    parts: list[str] = []
    for number, calls in groups.items():
        both = (" und ", " and ")[LANGUAGES.index(language)]
        named = both.join([", ".join(calls[:-1]), calls[-1]]) if len(calls) > 1 else calls[0]
        key = "limit_table" if counted == "table" else "limit_hand_next" if parts else "limit_hand"
        parts.append(sentence(key, language, calls=named, n=number))
    return ", ".join(parts)


def sentence(key: str, language: Language = "de", **fill: object) -> str:
    """A sentence of this page, filled in."""
    return _SENTENCES[key][LANGUAGES.index(language)].format(**fill)


def card_sign(card: Card) -> str:
    """A card as short as on its corner: ``♥10``, ``♣D``; Bavarian suits by their letter."""
    return SUIT_SIGNS.get(card[0], card[0]) + RANK_SIGNS[card[1]]


def rank_sign(rank: str) -> str:
    """A rank as on the card's corner: A 10 K D B 9."""
    return RANK_SIGNS[rank]


def suit_word(suit: str, language: Language = "de", *, bavarian: bool = False) -> str:
    """A suit's name."""
    table = {**SUITS, **BAVARIAN_SUITS} if bavarian else SUITS
    return table[suit][LANGUAGES.index(language)]


def suit_words(bavarian: bool = False) -> dict[str, tuple[str, str]]:
    """All names of suits, as the other tables have them."""
    letters = "EGHS" if bavarian else "CSHD"
    return {
        suit: (suit_word(suit, "de", bavarian=bavarian), suit_word(suit, "en", bavarian=bavarian)) for suit in letters
    }


def card_word(card: Card, language: Language = "de", *, bavarian: bool = False) -> str:
    """A card's name: ``Herz 10``, ``Kreuz Dame``; ``10 of hearts``."""
    suit, rank = suit_word(card[0], language, bavarian=bavarian), RANKS[card[1]][LANGUAGES.index(language)]
    return f"{rank} of {suit}" if language == "en" else f"{suit} {rank}"


def game_word(game: str, suit: str | None = None, duty: bool = False, language: Language = "de") -> str:
    """A game's name as on the list: ``Farbsolo Herz (Pflicht)``."""
    name = word(game, language)
    if suit:
        name += f" {suit_word(suit, language, bavarian=game in _WITH_BAVARIAN_SUIT)}"
    return name + ((" (Pflicht)", " (duty)")[LANGUAGES.index(language)] if duty else "")


def section_word(section: str, language: Language = "de") -> str:
    """A section as people cite it: ``eppstein 4.2.4`` becomes ``Eppstein Abschnitt 4.2.4``."""
    book, _, number = section.partition(" ")
    if not number:
        return section
    named = number[0].isdigit() or number.split(" ")[0] in ("I", "II", "III")
    return sentence(
        "book_section" if named else "book_part", language, book=_BOOK_NAMES.get(book, book.capitalize()), number=number
    )
