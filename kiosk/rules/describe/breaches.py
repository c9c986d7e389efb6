"""Describe offences with their costs, who may claim, money, the list and the standing."""

from collections.abc import Sequence

from kiosk.rules.describe import probe
from kiosk.rules.describe.fact import NONE, Fact, Sections, card_text, option_text, signed, words, yes_no
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.contract import TRUMP
from kiosk.rules.engine.listing import ListWords
from kiosk.rules.engine.values import Impossible
from kiosk.rules.options.option import Options
from kiosk.rules.options.words import Text, join

_CLASSES: dict[str, Text] = {
    "minor": words("minor_breach"),
    "serious": words("serious_breach"),
    "decided": words("breach_when_the_game_is"),
}


def breaches(book: RuleBook, options: Options) -> list[Fact]:
    """List the cost of each class of breach, who may claim it and how long."""
    section, facts = Sections(book), []
    for name, where in book.rulings.items():
        facts.append(Fact(key=name, label=_CLASSES[name], value=_penalty(book, options, name), section=where))
        if name in book.penalties:
            facts += _opponents(book, options, name, where)
        paid = book.payments.get(name)
        if paid is not None:
            facts += _payments(book, options, name)
    ends = [name for name in book.rulings if name != "minor"]
    for name in ends:
        scored = name in book.scored_rulings
        again = not scored and not book.counts_when_ended(probe.breach(options, offender=1, soloist=None))
        value: Text = words("is_scored") if scored else words("counts_as_played")
        if again:
            value = words("counts_as_not_played_and")
            if book.counts_when_ended(probe.breach(options, offender=2, soloist=1)):
                value = join((value, words("in_a_solo_by_an")))
        facts.append(
            Fact(
                key=f"{name}_game",
                label=words("the_game_after_it", breach=_CLASSES[name]),
                value=value,
                section=book.rulings[name],
            )
        )
        if scored:
            facts.append(
                Fact(
                    key=f"{name}_falls",
                    label=words("to_the_other_side_falls"),
                    value=_falls(book, options, name),
                    section=book.rulings[name],
                )
            )
    facts += [
        Fact(
            key="partner_may_claim",
            label=words("with_the_partnership_clear_the"),
            value=yes_no(book.partner_may_claim),
            section=book.sections["claim"],
        ),
        *_clear_by(book, options),
        Fact(
            key="claim_over",
            label=words("after_a_serious_breach_another"),
            value=yes_no(not book.sections["claim_over"]),
            section=book.sections["claim_over"],
        ),
        Fact(key="shown", label=words("the_table_shows"), value=_shown(book), section=""),
    ]
    if section("revoke_in_time"):
        facts.append(
            Fact(
                key="revoke_in_time",
                label=words("the_trick_after_a_revoke"),
                value=option_text(book, options, "revoke_in_time"),
                section=section("revoke_in_time"),
            )
        )
    return facts


def _clear_by(book: RuleBook, options: Options) -> list[Fact]:
    """What tells everybody a player's side where the ``CQ`` make the sides: ``CQ`` laid, calls, or discards, too."""
    queen = book.normal.re_card
    if queen is None:
        return []
    plain = next(card for card in book.deck if book.normal.classes[card] != TRUMP)
    game = probe.after(probe.fresh(book, options), (probe.trick(f"DK {plain} DK DK", 1),))
    told = book.shown_sides(game) if book.shown_sides is not None else {}
    value = words("queens_calls_and_discards" if told else "queens_and_calls", queen=card_text(book, queen))
    where = Sections(book)("shown_sides") or book.sections["claim"]
    return [Fact(key="clear_by", label=words("the_partnership_gets_clear_by"), value=value, section=where)]


def _penalty(book: RuleBook, options: Options, name: str) -> Text:
    """Strafpunkte of an offender in a normal game and what the others get; how Absagen raise them."""
    penalty = book.penalties.get(name)
    if penalty is None:
        return words("no_strafpunkte")
    try:
        scores = [penalty(probe.breach(options, offender=1, soloist=None, absagen=n)) for n in range(5)]
    except Impossible:
        return words("what_the_referee_enters")
    if not any(scores[0].values()):
        return words("no_points")
    value: Text = words("the_others_each", own=signed(scores[0][1]), others=signed(scores[0][2]))
    if len({score[1] for score in scores}) > 1:
        more = ", ".join(f"{signed(score[1])} ({signed(score[2])})" for score in scores[1:])
        value = join(
            (value, words("after_1_to_4_absagen", more=more)),
            "; ",
        )
    return value


def _opponents(book: RuleBook, options: Options, name: str, where: str) -> list[Fact]:
    """What a soloist's opponent loses, where it is not the same."""
    penalty, facts = book.penalties[name], []
    for harm in (False, True):
        try:
            usual = penalty(probe.breach(options, offender=2, soloist=None))
            score = penalty(probe.breach(options, offender=2, soloist=1, harm=harm))
            more = penalty(probe.breach(options, offender=2, soloist=1, harm=harm, absagen=1))
        except Impossible:
            continue
        if score == usual or not any(score.values()):
            continue
        text: Text = words("soloist_gets", own=signed(score[2]), soloist=signed(score[1]))
        if more != score:
            step = abs(more[2]) - abs(score[2])
            text = join((text, words("more_for_each_absage", step=step)))
        label = words("by_a_soloists_opponent")
        if harm:
            label = words("by_an_opponent_harming_the")
        facts.append(
            Fact(
                key=f"{name}_opponent",
                label=join((_CLASSES[name], label)),
                value=text,
                section=where,
            )
        )
        break
    return facts


def _falls(book: RuleBook, options: Options, name: str) -> Text:
    """What falls to the other side after a breach in the second trick, found in the third or at once."""

    def fallen(code: str, found: int) -> Text:
        game, ruling = probe.broken(book, options, name, code, found)
        first = book.falls_from(game, ruling)
        if first is None:
            return words("nothing")
        if first == 0:
            return words("everything_lost_schwarz")
        if first == len(game.tricks):
            return words("the_open_trick_and_the")
        return words("the_trick_of_the_breach")

    at_once, late, other = fallen("revoke", 119), fallen("revoke", 139), fallen("out_of_turn", 119)
    if at_once == late == other:
        return other
    return join(
        (
            words("after_a_revoke", at_once=at_once),
            words("found_too_late", late=late),
            words("else", other=other),
        ),
        "; ",
    )


def _payments(book: RuleBook, options: Options, name: str) -> list[Fact]:
    pays = book.payments[name]
    each = pays(probe.breach(options, offender=1, soloist=None))
    facts = [
        Fact(
            key=f"{name}_euros",
            label=join((_CLASSES[name], words("fine"))),
            value=words("to_each_of_the_other", number=f"{-each[2]:g}"),
            section=book.rulings[name],
        )
    ]
    amounts = [pays(probe.breach(options, offender=2, soloist=1, ansagen=n))[2] for n in (0, 1, 2)]
    text = " / ".join(f"{amount:g}" for amount in amounts)
    facts.append(
        Fact(
            key=f"{name}_euros_soloist",
            label=join((_CLASSES[name], words("fine_of_a_soloists_opponent"))),
            value=words("to_the_soloist_without_after", text=text),
            section=book.rulings[name],
        )
    )
    return facts


def _shown(book: RuleBook) -> Text:
    """The offences that the table proves by itself, with their sections."""
    calls, turns = book.calls.sections, book.turn_sections
    found: list[tuple[Text, Sequence[str]]] = [
        (words("revoke"), [book.revoke_section]),
        (words("out_of_turn"), list(turns.values())),
        (words("answer_too_late"), [book.answer_section]),
        (words("announced_too_early"), [calls.get("early", "")]),
        (
            words("announced_too_late"),
            [calls.get(k, "") for k in ("late_call", "late_reply", "late_absage")],
        ),
        (words("unfounded"), [calls.get("unfounded", "")]),
        (words("step_left_out"), [calls.get("skipped", "")]),
        (words("wrong_side"), [calls.get("wrong_side", "")]),
        (words("duty_missed"), [book.must_announce.section if book.must_announce else ""]),
        (words("not_entitled"), [kind.section for kind in book.kinds]),
    ]
    parts = []
    for text, sections in found:
        where = ", ".join(dict.fromkeys(one for one in sections if one))
        if where:
            parts.append(join((text, f"({where})"), " "))
    return join(parts)


def money(book: RuleBook, options: Options) -> list[Fact]:
    """List the fines for coming late."""
    section = Sections(book)
    if book.late_fine is None:
        return []
    steps: list[tuple[int, int]] = []
    for minutes in range(241):
        fine = book.late_fine(minutes, options)
        if fine != (steps[-1][1] if steps else 0):
            steps.append((minutes, fine))
    parts = [words("from_minutes", minutes=minutes, fine=fine) for minutes, fine in steps]
    return [
        Fact(
            key="late_fine",
            label=words("coming_late"),
            value=join(parts) if parts else NONE,
            section=section("late_from"),
        )
    ]


_CHECKS: dict[str, Text] = {
    "cumulated": words("points_added_up_game_by"),
    "dealers": words("dealers_in_their_order"),
    "row_sums": words("every_game_sums_to_0"),
    "even_odd": words("all_even_or_all_odd"),
    "winners": words("winners_marked"),
}
_MEASURES: dict[str, Text] = {
    "points": words("sum_of_the_rounds"),
    "games_won": words("games_won"),
    "alleinspiele_won": words("alleinspiele_won"),
}
_TROPHIES: dict[str, Text] = {
    "day": words("ranking_of_the_day"),
    "year": words("ranking_of_the_year"),
}


def listing(book: RuleBook, options: Options) -> list[Fact]:
    """List the list's columns and checks, and how the tournament is placed."""
    section = Sections(book)
    made = book.columns("ABCD", (), ListWords(game=str, word=str))
    kinds = list(dict.fromkeys(field["kind"] for field in made["fields"]))
    checks = made["checks"]
    rule = book.standing_by(options)
    places = [_MEASURES[measure.name] for measure in rule.measures]
    if rule.lot:
        places.append(words("lot"))
    facts = [
        Fact(
            key="columns",
            label=words("columns_of_the_list"),
            value=_columns(kinds),
            section=section("columns"),
        ),
        Fact(
            key="checks",
            label=words("checked_is"),
            value=join([_CHECKS[check["check"]] for check in checks]) if checks else words("nothing"),
            section=", ".join(dict.fromkeys(check["section"] for check in checks)),
        ),
        Fact(
            key="standing",
            label=words("standing_by"),
            value=join(places, words("then")),
            section=rule.section,
        ),
    ]
    most, minutes = int(options["deduction_most"]), int(options["appeal_minutes"])
    facts += [
        Fact(
            key="deduction_most",
            label=words("deduction_most"),
            value=words("deduction_points", points=most) if most else NONE,
            section=section("deduction_most"),
        ),
        Fact(
            key="appeal_minutes",
            label=words("appeal_until"),
            value=words("appeal_minutes", minutes=minutes) if minutes else words("appeal_always"),
            section=section("appeal_minutes"),
        ),
    ]
    if rule.all_rounds:
        facts.append(
            Fact(
                key="all_rounds",
                label=words("a_place_only_for_those"),
                value=words("who_played_every_round_in"),
                section=rule.section,
            )
        )
    if rule.trophies:
        facts.append(
            Fact(
                key="trophies",
                label=words("trophies"),
                value=join([_TROPHIES[one] for one in rule.trophies]),
                section=rule.section,
            )
        )
    return facts


_COLUMNS: dict[str, Text] = {
    "total": words("one_a_player_added_up"),
    "plus": words("plus_of_each_player"),
    "minus": words("minus_of_each_player"),
    "winners": words("winners"),
    "value": words("points_of_the_game"),
    "game": words("game_and_note"),
}


def _columns(kinds: Sequence[str]) -> Text:
    return join([_COLUMNS.get(kind, kind) for kind in kinds])
