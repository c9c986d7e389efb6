"""Rules as sentences, one for each section that is cited, for those who broke a rule and the others at the table.

By section, so that the words belong to the book that is cited; a section that several codes cite has the code before
it. ``{limits}`` is filled in with the limits of the round. What no section has is said by its code, in words that fit
every book.
"""

from collections.abc import Sequence
from typing import Final

from kiosk.language import Words, say
from kiosk.language.table import word

#: Books that are cited by a name of their own; others by their code.
BOOK_NAMES: Final = {"bsv": "BSV", "durchgaenge": "Durchgänge"}

_SENTENCES: Final[Words] = {
    "limit_hand": ("{calls} mit mindestens {n} Karten in der Hand", "{calls} with at least {n} cards in hand"),
    "limit_hand_next": ("{calls} mit {n}", "{calls} with {n}"),
    "limit_table": ("{calls} bis zur {n}. Karte auf dem Tisch", "{calls} until card {n} on the table"),
    "book_part": ("{book}, „{number}“", "{book}, “{number}”"),
    "book_section": ("{book} Abschnitt {number}", "{book} section {number}"),
    "and": (" und ", " and "),
}

_FOLLOW: Final = (
    "Wer eine Karte der aufgespielten Farbe hat (alle Trümpfe sind eine Farbe), muss sie zugeben.",
    "Whoever holds a card of the suit led (all trumps are one suit) must play one.",
)
_CLOCKWISE: Final = (
    "Die Karten werden im Uhrzeigersinn gelegt; den Stich beginnt, wer den vorigen gewonnen hat.",
    "Cards are laid clockwise; the winner of a trick leads to the next.",
)
_LIMITS: Final = ("{limits}; eine Erwiderung mit einer Karte weniger.", "{limits}; a reply with one card less.")
_SIDES: Final = (
    "Re sagt, wer eine Kreuz Dame hat oder das Solo spielt; Kontra sagen die anderen.",
    "Re is for a holder of the queen of clubs or the soloist; Kontra for the others.",
)
_EARLY: Final = (
    "Angesagt wird erst, wenn das Spiel feststeht; bei einer Hochzeit erst nach dem Klärungsstich.",
    "Announcements begin once the game is known; in a Hochzeit after the Klärungsstich.",
)
_STEPS: Final = (
    "Stufen dürfen nur übersprungen werden, solange jede von ihnen selbst noch erlaubt wäre.",
    "Steps may be left out only while each of them would itself still be in time.",
)
_BACKED: Final = (
    "Eine Absage setzt eine rechtzeitige Ansage (Re oder Kontra) der eigenen Partei voraus.",
    "An Absage needs a timely Re or Kontra of one's own side.",
)
_MARRY: Final = ("Eine Hochzeit hat, wer beide Kreuz Damen hält.", "A Hochzeit needs both queens of clubs.")
_CARDS: Final = ("So viele Karten davon hat das Blatt nicht.", "The deck does not have that many of this card.")

#: By cited section, or code and section where one section has more than one rule.
BY_SECTION: Final[Words] = {
    # eppstein
    "eppstein 3.1.2": (
        "Gefragt wird reihum; zurücknehmen kann man seine Antwort nur, bis der Nächste gesprochen hat.",
        "The asking goes round; an answer can be taken back only until the next has spoken.",
    ),
    "eppstein 3.2.3": (
        "Wer vorgeführt wird, spielt sein Pflichtsolo; niemand kann es ihm nehmen.",
        "Whoever has to play the compulsory solo plays it; nobody can take it away.",
    ),
    "eppstein 3.3.1": (
        "Ein Lustsolo setzt das eigene Pflichtsolo voraus.",
        "A free solo needs one's own compulsory solo done.",
    ),
    "eppstein 3.4.2": (
        "Schmeißen darf, wer viele Neunen hat (fünf) oder kaum Trümpfe außer den Füchsen (höchstens zwei), wenn die "
        "Turnierleitung nichts anderes bestimmt.",
        "Throwing in needs many nines (five), or hardly any trumps but foxes (two at most), unless the direction "
        "decides otherwise.",
    ),
    "eppstein 3.5.1": _MARRY,
    "eppstein 4.2.1": ("Karten werden offen gelegt.", "Cards are laid face up."),
    "eppstein 4.2.5": (
        "Zurücknehmen lässt sich nur die zuletzt gelegte Karte, bis eine weitere liegt.",
        "Only the last card laid can be taken back, until another lies.",
    ),
    "eppstein 4.3.2": ("Abkürzen darf nur, wer ein Solo spielt.", "Only who plays a solo may shorten the game."),
    "eppstein 5.2.1": _EARLY,
    "eppstein 5.2.2": _LIMITS,
    "wrong_side eppstein 5.2.2": _SIDES,
    "eppstein 5.3.2": _BACKED,
    "eppstein 5.3.4": _LIMITS,
    "eppstein 5.4.1": (
        "Die eingelesene Hand enthielt diese Karte nicht.",
        "The hand that was scanned did not hold this card.",
    ),
    "eppstein 5.5.3": _STEPS,
    "eppstein 5.5.4": (
        "Eine Erwiderung geht mit einer Karte weniger als das Erwiderte; eigene Absagen danach nur, wenn sie auch ohne "
        "Erwiderung in der Zeit war.",
        "A reply may be made with one card less than what it answers; own bids after it only if it was in time by "
        "itself.",
    ),
    "eppstein 5.5.8": (
        "Bei geklärter Partnerschaft darf eine An- oder Absage nicht wiederholt werden.",
        "Once the partnership is clear an announcement may not be repeated.",
    ),
    "eppstein 7.4.1": (
        "Vor der Freigabe dürfen Karten gegeben und aufgenommen werden, gefragt wird noch nicht.",
        "Before the release cards may be dealt and picked up, but nobody is asked yet.",
    ),
    "eppstein 7.5.1": ("Jeder spielt ein Pflichtsolo.", "Each plays one compulsory solo."),
    "eppstein 8.8.5": (
        "Nach einer Reklamation ruht das Spiel, bis der Schiedsrichter entschieden hat.",
        "After an objection play rests until the referee has ruled.",
    ),
    # bsv
    "bsv 4.1": (
        "Gefragt wird reihum; zurücknehmen kann man seine Antwort nur, bis der Nächste gesprochen hat.",
        "The asking goes round; an answer can be taken back only until the next has spoken.",
    ),
    "not_entitled bsv 4.1": (
        "Trumpfschwach setzt ganz wenige Trümpfe voraus (drei, wenn die Turnierleitung nichts anderes bestimmt).",
        "Trumpfschwach needs very few trumps (three, unless the direction decides otherwise).",
    ),
    "bsv 4.2": _MARRY,
    "bsv 5.2": _FOLLOW,
    "not_entitled bsv 5.2": ("Karten werden offen gelegt.", "Cards are laid face up."),
    "out_of_turn bsv 5.2": _CLOCKWISE,
    "lies bsv 5.2": (
        "Eine gespielte Karte bleibt liegen; nur die zuletzt gelegte lässt sich nach einem Verstoß richtigstellen.",
        "A card played stays; only the last one laid can be put right after a breach.",
    ),
    "bsv 5.4": (
        "Abkürzen darf nur der Solospieler, und nur indem er seine Karten der Gegenpartei übergibt.",
        "Only the soloist may shorten the game, and only by handing his cards over.",
    ),
    "bsv 6.1.1": (
        "Die eingelesene Hand enthielt diese Karte nicht.",
        "The hand that was scanned did not hold this card.",
    ),
    "bsv 6.3": _LIMITS,
    "early_announcement bsv 6.3": _EARLY,
    "wrong_side bsv 6.3": _SIDES,
    "bsv 6.3.1": (
        "Wer einen so teuren ersten Stich macht, muss Re oder Kontra sagen.",
        "Whoever wins a first trick as dear as this must say Re or Kontra.",
    ),
    "bsv 6.4": _LIMITS,
    "unfounded_announcement bsv 6.4": _BACKED,
    "bsv 6.5": _STEPS,
    "late_announcement bsv 6.5": _LIMITS,
    "unfounded_announcement bsv 6.5": (
        "Nach einer Erwiderung sagt die eigene Partei nur ab, wenn die Erwiderung auch als Ansage rechtzeitig war.",
        "After a reply one's own side may bid on only if the reply was in time as an announcement, too.",
    ),
    "repeated_announcement bsv 6.5": (
        "Was die eigene Partei schon gesagt hat, wird nicht wiederholt.",
        "What one's own side has said is not said again.",
    ),
    "bsv 8.5": (
        "Vor der Freigabe dürfen Karten gegeben und aufgenommen werden, gefragt wird noch nicht.",
        "Before the release cards may be dealt and picked up, but nobody is asked yet.",
    ),
    "bsv 9.6": (
        "Nach einer Reklamation ruht das Spiel, bis der Schiedsrichter entschieden hat.",
        "After an objection play rests until the referee has ruled.",
    ),
    # durchgaenge
    "durchgaenge 1c": _CARDS,
    "durchgaenge 2b": _BACKED,
    "durchgaenge 2c": (
        "Gemeldet wird vor und nach dem ersten Stich, niemals während des Spiels; bei einer Hochzeit nach dem "
        "Klärungsstich.",
        "Announcements are made before and after the first trick, never during play; in a Hochzeit after the "
        "Klärungsstich.",
    ),
    "missed_duty durchgaenge 2c": (
        "Der Gewinner des ersten Stichs muss ansagen; hat seine Partei schon etwas gesagt, eine Stufe weiter.",
        "The winner of the first trick must announce; one step further if that side has said something.",
    ),
    "skipped_step durchgaenge 2b": (
        "Stufen dürfen hier nicht übersprungen werden.",
        "Steps may not be left out here.",
    ),
    "durchgaenge 2d": (
        "Spätestens bei der 5. Karte muss alles gesagt sein, bei einer Hochzeit nach dem ersten Fehlstich, wenn die "
        "Turnierleitung nichts anderes bestimmt.",
        "Everything must be said by the 5th card, in a Hochzeit after the first plain trick, unless the direction "
        "decides otherwise.",
    ),
    "durchgaenge 4a": _MARRY,
    "durchgaenge 4b": (
        "Verdeckt beilegen darf nur der Hochzeiter, der nur noch Trumpf hat: eine Karte, keinen Fuchs, auf den ersten "
        "Fehlstich.",
        "Face down may lay only who plays the Hochzeit and has nothing but trumps: one card, no fox, on the first "
        "plain trick.",
    ),
    "durchgaenge 7a": _FOLLOW,
    "lies durchgaenge 7a": (
        "Richtigstellen kann man sich, solange der Stich offen auf dem Tisch liegt.",
        "A card can be put right while its trick lies open on the table.",
    ),
    "wrong_side durchgaenge 7a": _SIDES,
    # schnittchen
    "schnittchen 1": _CARDS,
    "schnittchen 3": _FOLLOW,
    "not_entitled schnittchen 3": ("Karten werden offen gelegt.", "Cards are laid face up."),
    "schnittchen 3.3": _MARRY,
    "schnittchen 5.1": ("{limits}.", "{limits}."),
    "early_announcement schnittchen 5.1": _EARLY,
    "wrong_side schnittchen 5.1": _SIDES,
    "schnittchen 5.2": ("{limits}.", "{limits}."),
    "unfounded_announcement schnittchen 5.2": (
        "Absagen gibt es nur nach der Ansage der eigenen Partei, Bock nur, wenn Re und Kontra stehen.",
        "Bids need the own side's Re or Kontra; Bock needs both Re and Kontra.",
    ),
    "skipped_step schnittchen 5.2": ("Es darf keine Absage ausgelassen werden.", "No bid may be left out."),
    "schnittchen Regelverstösse": (
        "Eine Karte, die ganz auf dem Tisch liegt, bleibt liegen.",
        "A card that lies on the table stays there.",
    ),
    # schaffkopf
    "schaffkopf I 3.2": ("Karten werden offen gelegt.", "Cards are laid face up."),
    "schaffkopf II 2.1": (
        "Wer spielt, ergibt sich aus den Ankündigungen: der Höchste, sonst der Eichel-Ober.",
        "Who plays follows from what was said: the highest, else the Eichel Ober.",
    ),
    "schaffkopf II 2.1.1": (
        "Will keiner spielen, gibt es ein Muss-Spiel des Eichel-Obers, sonst keines.",
        "If nobody wants to play the Eichel Ober plays a forced game; otherwise there is none.",
    ),
    "schaffkopf II 2.1.2": ("Es spielt, wer als Einziger spielen will.", "Who alone wants to play plays."),
    "schaffkopf II 2.1.3": (
        "Geboten wird der Reihe nach; das höchste Gebot spielt.",
        "Bids go round in order; the highest plays.",
    ),
    "schaffkopf II 2.2": (
        "Ankündigungen sind verbindlich: Der Erste bietet mindestens ein Rufspiel, der Zweite einen Wenz, der Dritte "
        "ein Solo, der Vierte einen Wenz-Tout.",
        "What was said binds: the first bids a Rufspiel at least, the second a Wenz, the third a Solo, the fourth a "
        "Wenz-Tout.",
    ),
    "no_leave schaffkopf II 2.2": (
        "Nach so vielen verlorenen Alleinspielen braucht jedes weitere die Erlaubnis der Turnierleitung.",
        "After so many lost solos each further one needs the direction's leave.",
    ),
    "schaffkopf II 3.1.6": (
        "Gerufen wird ein As, das man nicht hat, in einer Farbe, von der man eine Karte hat.",
        "Called is an ace that one lacks, of a suit of which one holds a card.",
    ),
    "schaffkopf II 3.1.7": (
        "Im Muss-Spiel ruft der Eichel-Ober ein As; ohne rufbare Farbe mit Renonce, mit allen Assen eine 10, mit allen "
        "Zehnern einen König.",
        "In a forced game the Eichel Ober calls an ace; with no callable suit by Renonce, with all aces a 10, with all "
        "tens a king.",
    ),
    "schaffkopf II 3.2": (
        "Eine Spielklasse, die geboten wurde, darf nicht mehr geändert werden.",
        "A class that was bid may not be changed.",
    ),
    "schaffkopf II 4.1.1": (
        "Ein Sie braucht alle Ober und Unter und die Erlaubnis der Turnierleitung.",
        "A Sie needs all Ober and Unter, and the direction's leave.",
    ),
    "schaffkopf II 4.1.2": (
        "Ein Solo-Tout braucht die Erlaubnis der Turnierleitung.",
        "A Solo-Tout needs the direction's leave.",
    ),
    "schaffkopf II 4.1.3": (
        "Ein Wenz-Tout braucht die Erlaubnis der Turnierleitung.",
        "A Wenz-Tout needs the direction's leave.",
    ),
    "schaffkopf II 4.2.1": (
        "Alle Stiche werden ausgespielt; wer auflegt, beansprucht den Rest.",
        "All tricks are played; who lays the cards down claims the rest.",
    ),
    "schaffkopf II 4.2.3": _CLOCKWISE,
    "lies schaffkopf II 4.2.3": (
        "Zurücknehmen lässt sich nur die zuletzt gelegte Karte.",
        "Only the last card laid can be taken back.",
    ),
    "schaffkopf II 4.2.5": (
        "Farbe und Trumpf sind zu bedienen. Die gerufene Karte muss fallen, wenn ihre Farbe gespielt wird, und darf "
        "nicht abgeworfen werden; davonlaufen darf nur, wer genug von der Farbe hat.",
        "Suit and trumps must be followed. The called card must fall when its suit is led and may not be thrown away; "
        "running away with it needs enough cards of the suit.",
    ),
    "schaffkopf II 4.2.7": (
        "Die eingelesene Hand enthielt diese Karte nicht.",
        "The hand that was scanned did not hold this card.",
    ),
}

#: By code, where no section says more.
BY_CODE: Final[Words] = {
    "revoke": _FOLLOW,
    "out_of_turn": _CLOCKWISE,
    "early_announcement": _EARLY,
    "unfounded_announcement": _BACKED,
    "skipped_step": _STEPS,
    "wrong_side": _SIDES,
    "call_out_of_turn": (
        "Gefragt und geboten wird reihum.",
        "Asking and bidding go round in order.",
    ),
    "impossible_card": (
        "So oft ist diese Karte nicht im Blatt: Hier wurde eine falsch gelesen. Das ist kein Regelverstoß.",
        "The deck has fewer of this card: one has been misread. This is no breach.",
    ),
    "card_not_held": (
        "Die eingelesene Hand enthielt diese Karte nicht.",
        "The hand that was scanned did not hold this card.",
    ),
}


def rule_says(
    code: str,
    language: str = "de",
    section: str = "",
    limits: Sequence[tuple[str, int]] = (),
    counted: str = "hand",
) -> str:
    """Look up the rule as a sentence; empty where the reason of the refusal is enough.

    :param section: with the book's name, as cited.
    :param limits: of the round's announcements, as ``TableView.limits`` has them.
    :param counted: whose cards they count: "hand" or "table" (``CallRules.counted``).
    """
    found = BY_SECTION.get(f"{code} {section}") or BY_SECTION.get(section) or BY_CODE.get(code)
    if found is None:
        return ""
    text = found[language == "en"]
    if "{limits}" not in text:
        return text
    return text.format(limits=limits_words(limits, counted, language)) if limits else ""


def limits_words(limits: Sequence[tuple[str, int]], counted: str, language: str = "de") -> str:
    """List the limits of announcements: ``Re und Kontra mit mindestens 11 Karten in der Hand, keine 90 mit 10`` …"""
    groups: dict[int, list[str]] = {}
    for call, number in limits:
        groups.setdefault(number, []).append(word(call, language))
    parts: list[str] = []
    for number, calls in groups.items():
        both = say(_SENTENCES, "and", language)
        named = both.join([", ".join(calls[:-1]), calls[-1]]) if len(calls) > 1 else calls[0]
        key = "limit_table" if counted == "table" else "limit_hand_next" if parts else "limit_hand"
        parts.append(say(_SENTENCES, key, language, calls=named, n=number))
    return ", ".join(parts)


def section_word(section: str, language: str = "de") -> str:
    """Cite a section as people do: ``eppstein 4.2.4`` becomes ``Eppstein Abschnitt 4.2.4``."""
    book, _, number = section.partition(" ")
    if not number:
        return section
    named = number[0].isdigit() or number.split(" ")[0] in ("I", "II", "III")
    key = "book_section" if named else "book_part"
    return say(_SENTENCES, key, language, book=BOOK_NAMES.get(book, book.capitalize()), number=number)
