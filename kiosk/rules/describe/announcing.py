"""Describe the announcements and their time limits, by asking the book's windows at every moment of a game."""

from kiosk.language import pair
from kiosk.rules.describe import probe
from kiosk.rules.describe.fact import NO, NONE, Fact, Sections, join, yes_no
from kiosk.rules.engine.announcements import KONTRA, OTHER, RE, CallRules, counts_in_time
from kiosk.rules.engine.book import Klaerung, RuleBook
from kiosk.rules.engine.values import Owed
from kiosk.rules.options.option import Options, Text


def announcing(book: RuleBook, options: Options) -> list[Fact]:
    """List words, windows, replies, left-out steps, repetitions and duties as facts."""
    section, calls = Sections(book), book.calls_by(book.calls, options)
    if not calls.words:
        return [
            Fact(
                key="words",
                label=("angesagt wird", "announced are"),
                value=("nichts", "nothing"),
                section=section("words"),
            )
        ]
    facts = []
    for word in calls.words:
        key = "late_call" if word in (RE, KONTRA) else "late_absage"
        facts.append(
            Fact(
                key=f"until_{word}",
                label=pair("calls", word),
                value=_window(book, calls, word),
                section=section(_OPTION[calls.counted].get(word, "")) or calls.sections[key],
            )
        )
    facts += [
        Fact(
            key="early",
            label=("frühestens", "at the earliest"),
            value=_early(calls),
            section=calls.sections["early"],
        ),
        Fact(
            key="hochzeit_shift",
            label=("in einer Hochzeit gezählt", "in a Hochzeit counted"),
            value=_shift(book, calls),
            section=section("hochzeit_shift"),
        ),
        Fact(
            key="reply",
            label=("Erwiderung auf Re/Kontra, keine 90, 60, 30, schwarz", "reply to Re/Kontra, no 90, 60, 30, schwarz"),
            value=_replies(book, calls),
            section=calls.sections["late_reply"] if calls.reply_left else "",
        ),
        Fact(
            key="leaving_out",
            label=("Stufen auslassen", "leaving out steps"),
            value=("ja, wenn jede selbst noch erlaubt ist; alle zählen", "yes, if each is itself in time; all count")
            if calls.leaving_out
            else NO,
            section=calls.sections["skipped"],
        ),
        Fact(
            key="needs_call",
            label=("Absage nur nach eigener Ansage", "Absage only after an own Re or Kontra"),
            value=yes_no(True)
            if calls.absage_needs_call
            else (
                "nein, solange Re oder Kontra selbst noch erlaubt ist; das gilt dann mit",
                "no, as long as Re or Kontra is itself in time; it then counts too",
            ),
            section=calls.sections["unfounded"],
        ),
        Fact(
            key="repeated",
            label=("dasselbe von einem Zweiten gesagt", "the same said by another"),
            value=_repeated(calls),
            section=calls.sections["repeated"],
        ),
    ]
    if calls.bock_left is not None:
        facts.append(
            Fact(
                key="bock_by",
                label=("Bock sagt, wenn Re und Kontra stehen,", "Bock, when Re and Kontra stand, is said by"),
                value=("nur wer zuerst angesagt hat", "only the side that announced first")
                if calls.bock_by_first
                else ("eine der beiden Parteien, einmal", "either side, once"),
                section=section("bock_by"),
            )
        )
    if book.must_announce is not None:
        facts.append(
            Fact(
                key="must_announce",
                label=("Pflichtansage", "duty to announce"),
                value=_duty(book, options),
                section=book.must_announce.section,
            )
        )
        facts += _duty_options(book, options)
    return facts


#: Options whose sections say where a window stands, by what is counted.
_OPTION: dict[str, dict[str, str]] = {
    "hand": {
        RE: "limit_ansage",
        KONTRA: "limit_ansage",
        "keine90": "limit_keine90",
        "keine60": "limit_keine60",
        "keine30": "limit_keine30",
        "schwarz": "limit_schwarz",
    },
    "table": {RE: "re_until", KONTRA: "others_until"},
}


def _window(book: RuleBook, calls: CallRules, word: str, shift: int = 0) -> Text:
    """The last moment at which a call is in time."""
    times = counts_in_time(calls, word, book.hand_size, shift)
    if calls.counted == "hand":
        fits = [hand for hand in times if hand]
        if not fits:
            return "nie mehr", "never"
        return f"mit mindestens {min(fits)} Karten in der Hand", f"with at least {min(fits)} cards in hand"
    if not times:
        return "nie mehr", "never"
    return f"solange höchstens {max(times)} Karten liegen", f"while at most {max(times)} cards lie"


def _early(calls: CallRules) -> Text:
    text = (
        "wenn das Spiel feststeht, in einer Hochzeit nach dem Klärungsstich",
        "once the game is known, in a Hochzeit after the Klärungsstich",
    )
    silent = [laid for laid in range(1, 41) if calls.silent(probe.moment(10, laid))]
    if not silent:
        return text
    between = (
        f"nicht nach der {min(silent)}. bis zur {max(silent) + 1}. Karte",
        f"not from card {min(silent)} to card {max(silent) + 1}",
    )
    return join((text, between), ("; ", "; "))


def _shift(book: RuleBook, calls: CallRules) -> Text:
    """By how much a Klärungsstich in the second trick shifts the windows."""
    hand, size = book.hand_size, len(book.deck)
    if calls.counted == "hand":
        limits = [min(h for h in range(hand + 2) if calls.left(probe.moment(h, 0, s), 1, RE) >= 0) for s in (0, 1)]
        number = limits[0] - limits[1]
        return (
            f"je Stich vor dem Klärungsstich {number} Karte weniger",
            f"{number} card fewer for each trick before the Klärungsstich",
        )
    lasts = [max(n for n in range(size + 9) if calls.left(probe.moment(hand, n, s), 1, KONTRA) >= 0) for s in (0, 1)]
    return (
        ("ab dem Klärungsstich", "from the Klärungsstich on") if lasts[1] - lasts[0] == 4 else ("wie sonst", "as usual")
    )


def _replies(book: RuleBook, calls: CallRules) -> Text:
    """The fewest cards in hand for a reply to each step of the other side."""
    if calls.reply_left is None:
        return NONE
    limits = []
    for level in range(1, 6):
        hands = range(book.hand_size + 1)
        limits.append(min((h for h in hands if calls.reply_left(probe.moment(h, 0), level, OTHER[RE]) >= 0), default=0))
    numbers = ", ".join(map(str, limits))
    return f"mit mindestens {numbers} Karten", f"with at least {numbers} cards"


def _repeated(calls: CallRules) -> Text:
    raises: Text = ("die nächste Stufe gilt", "the next step counts")
    nothing: Text = ("gilt nichts weiter", "nothing more counts")
    offence: Text = ("ist ein Verstoß", "is a breach")
    unclear = raises if calls.repeated_raises else offence if False in calls.repeated_offends else nothing
    clear = offence if True in calls.repeated_offends else nothing
    if unclear == clear:
        return clear
    return join(
        (
            (f"ungeklärte Partnerschaft: {unclear[0]}", f"partnership not clear: {unclear[1]}"),
            (f"geklärte: {clear[0]}", f"clear: {clear[1]}"),
        ),
        ("; ", "; "),
    )


def _duty(book: RuleBook, options: Options) -> Text:
    """Who must announce and until when, found by winning first tricks of all Augen."""
    duty = book.must_announce
    if duty is None:
        return NONE
    game = probe.fresh(book, options)

    def owed(augen: int) -> "Owed | None":
        return duty.owed(probe.after(game, (probe.trick("CK CA CT CK", 2, augen),)))

    least = next((augen for augen in range(45) if owed(augen)), None)
    if least is None:
        return NONE
    found = owed(least)
    assert found is not None
    whom = (
        ("wer den ersten Stich macht", "whoever wins the first trick")
        if least == 0
        else (
            f"wer den ersten Stich mit {least} oder mehr Augen macht",
            f"whoever wins a first trick of {least} or more Augen",
        )
    )
    if found.counted == "hand":
        until = (
            f"mit mindestens {book.hand_size - 1 - found.left} Karten in der Hand",
            f"with at least {book.hand_size - 1 - found.left} cards in hand",
        )
    elif found.left == 0:
        until = ("vor der nächsten Karte", "before the next card")
    else:
        until = (f"vor der {found.left + 1}. Karte danach", f"before the {found.left + 1}th card after it")
    return join((whom, until))


def _duty_options(book: RuleBook, options: Options) -> list[Fact]:
    """In a Hochzeit, and whether the side's earlier call does it: as the book's duty says in made-up games."""
    duty, kind = book.must_announce, probe.kind_named(book, "hochzeit")
    if duty is None or kind is None:
        return []
    section = Sections(book)
    tricks = (probe.trick("HT DK DK DT", 1, 44), probe.trick("CK CA CT CK", 2, 44))
    game = probe.after(probe.declared(probe.fresh(book, options), kind), tricks, Klaerung(trick=1, partner=2))
    found = duty.owed(game)
    which: Text = NONE
    if found is not None:
        which = (("der erste Stich", "the first trick"), ("der Klärungsstich", "the Klärungsstich"))[found.trick]
    facts = [
        Fact(
            key="duty_in_hochzeit",
            label=("Pflichtansage in einer Hochzeit bringt", "duty to announce in a Hochzeit comes with"),
            value=which,
            section=section("duty_call_in_hochzeit") or duty.section,
        )
    ]
    lapsed = probe.lapsed(2)
    said = probe.verdict(seat=4, side=KONTRA, laid=0)
    done = duty.met(lapsed, KONTRA, (said,), options)
    facts.append(
        Fact(
            key="duty_falls_away",
            label=("sie entfällt, wenn die Partei schon gesprochen hat", "it falls away once the side has spoken"),
            value=yes_no(done),
            section=section("duty_call_falls_away") or duty.section,
        )
    )
    return facts
