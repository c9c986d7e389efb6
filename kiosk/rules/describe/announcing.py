"""Describe the announcements and their time limits, by asking the book's windows at every moment of a game."""

from kiosk.rules.describe import probe
from kiosk.rules.describe.fact import (
    NO,
    NONE,
    Fact,
    Sections,
    card_text,
    game_text,
    option_text,
    words,
    yes_no,
)
from kiosk.rules.engine.announcements import KONTRA, OTHER, RE, CallRules, counts_in_time
from kiosk.rules.engine.book import Klaerung, RuleBook
from kiosk.rules.engine.schweinchen import UNTIL, card_of, has_it, raising_calls
from kiosk.rules.engine.values import Owed
from kiosk.rules.options.option import Options
from kiosk.rules.options.words import Text, Words, join


def announcing(book: RuleBook, options: Options) -> list[Fact]:
    """List words, windows, replies, left-out steps, repetitions and duties as facts."""
    section, calls = Sections(book), book.calls_by(book.calls, options)
    if not calls.words:
        return [
            Fact(
                key="words",
                label=words("announced_are"),
                value=words("nothing"),
                section=section("words"),
            )
        ]
    facts = []
    for word in calls.words:
        key = "late_call" if word in (RE, KONTRA) else "late_absage"
        facts.append(
            Fact(
                key=f"until_{word}",
                label=Words("calls", word),
                value=_window(book, calls, word),
                section=section(_OPTION[calls.counted].get(word, "")) or calls.sections[key],
            )
        )
    facts += [
        Fact(
            key="early",
            label=words("at_the_earliest"),
            value=_early(calls),
            section=calls.sections["early"],
        ),
        Fact(
            key="hochzeit_shift",
            label=words("in_a_hochzeit_counted"),
            value=_shift(book, calls),
            section=section("hochzeit_shift"),
        ),
        Fact(
            key="reply",
            label=words("reply_to_re_kontra_no"),
            value=_replies(book, calls),
            section=calls.sections["late_reply"] if calls.reply_left else "",
        ),
        Fact(
            key="leaving_out",
            label=words("leaving_out_steps"),
            value=words("yes_if_each_is_itself") if calls.leaving_out else NO,
            section=calls.sections["skipped"],
        ),
        Fact(
            key="needs_call",
            label=words("absage_only_after_an_own"),
            value=yes_no(True) if calls.absage_needs_call else words("no_as_long_as_re"),
            section=calls.sections["unfounded"],
        ),
        Fact(
            key="repeated",
            label=words("the_same_said_by_another"),
            value=_repeated(calls),
            section=calls.sections["repeated"],
        ),
    ]
    if calls.bock_left is not None:
        facts.append(
            Fact(
                key="bock_by",
                label=words("bock_when_re_and_kontra"),
                value=words("only_the_side_that_announced") if calls.bock_by_first else words("either_side_once"),
                section=section("bock_by"),
            )
        )
    if book.must_announce is not None:
        facts.append(
            Fact(
                key="must_announce",
                label=words("duty_to_announce"),
                value=_duty(book, options),
                section=book.must_announce.section,
            )
        )
        facts += _duty_options(book, options)
    return [*facts, *_raising(book, options)]


def _raising(book: RuleBook, options: Options) -> list[Fact]:
    """Cards that a word raises above all trumps, and in which games."""
    facts: list[Fact] = []
    for call in raising_calls(options):
        played = {(book.normal.game, book.normal.suit): book.normal, **book.contracts}
        names = [game_text(book, *named) for named, one in played.items() if has_it(one, call, options)]
        value = words(
            "both_raised_after" if facts else "both_raised",
            card=card_text(book, card_of(call, options)),
            until=option_text(book, options, UNTIL),
            games=join(names),
            **({"before": facts[-1].label} if facts else {}),
        )
        section = Sections(book)("hyperschweinchen" if facts else UNTIL)
        facts.append(Fact(key=f"raised_{call}", label=Words("calls", call), value=value, section=section))
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
            return words("no_more")
        return words("with_at_least_cards_in", number=min(fits))
    if not times:
        return words("no_more")
    return words("while_at_most_cards_lie", number=max(times))


def _early(calls: CallRules) -> Text:
    text = words("once_the_game_is_known")
    silent = [laid for laid in range(1, 41) if calls.silent(probe.moment(10, laid))]
    if not silent:
        return text
    between = words("not_from_card_to_card", number=min(silent), last=max(silent) + 1)
    return join((text, between), "; ")


def _shift(book: RuleBook, calls: CallRules) -> Text:
    """By how much a Klärungsstich in the second trick shifts the windows."""
    hand, size = book.hand_size, len(book.deck)
    if calls.counted == "hand":
        limits = [min(h for h in range(hand + 2) if calls.left(probe.moment(h, 0, s), 1, RE) >= 0) for s in (0, 1)]
        number = limits[0] - limits[1]
        return words("card_fewer_for_each_trick", number=number)
    lasts = [max(n for n in range(size + 9) if calls.left(probe.moment(hand, n, s), 1, KONTRA) >= 0) for s in (0, 1)]
    return words("from_the_klaerungsstich_on") if lasts[1] - lasts[0] == 4 else words("as_usual")


def _replies(book: RuleBook, calls: CallRules) -> Text:
    """The fewest cards in hand for a reply to each step of the other side."""
    if calls.reply_left is None:
        return NONE
    limits = []
    for level in range(1, 6):
        hands = range(book.hand_size + 1)
        limits.append(min((h for h in hands if calls.reply_left(probe.moment(h, 0), level, OTHER[RE]) >= 0), default=0))
    numbers = ", ".join(map(str, limits))
    return words("with_at_least_cards", numbers=numbers)


def _repeated(calls: CallRules) -> Text:
    raises: Text = words("the_next_step_counts")
    nothing: Text = words("nothing_more_counts")
    offence: Text = words("is_a_breach")
    unclear = raises if calls.repeated_raises else offence if False in calls.repeated_offends else nothing
    clear = offence if True in calls.repeated_offends else nothing
    if unclear == clear:
        return clear
    return join(
        (
            words("partnership_not_clear", unclear=unclear),
            words("clear", clear=clear),
        ),
        "; ",
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
    whom = words("whoever_wins_the_first_trick") if least == 0 else words("whoever_wins_a_first_trick", least=least)
    if found.counted == "hand":
        until = words("with_at_least_cards_in", number=book.hand_size - 1 - found.left)
    elif found.left == 0:
        until = words("before_the_next_card")
    else:
        until = words("before_the_th_card_after", number=found.left + 1)
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
        which = (words("the_first_trick"), words("the_klaerungsstich"))[found.trick]
    facts = [
        Fact(
            key="duty_in_hochzeit",
            label=words("duty_to_announce_in_a"),
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
            label=words("it_falls_away_once_the"),
            value=yes_no(done),
            section=section("duty_call_falls_away") or duty.section,
        )
    )
    return facts
