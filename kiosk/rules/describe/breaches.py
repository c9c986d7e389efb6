"""Describe offences with their costs, who may claim, money, the list and the standing."""

from collections.abc import Sequence

from kiosk.rules.describe import probe
from kiosk.rules.describe.fact import NONE, Fact, Sections, join, option_text, plain, signed, yes_no
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.listing import ListWords
from kiosk.rules.engine.values import Impossible
from kiosk.rules.options.option import Options, Text

_CLASSES: dict[str, Text] = {
    "minor": ("geringfügiger Verstoß", "minor breach"),
    "serious": ("schwerwiegender Verstoß", "serious breach"),
    "decided": ("Verstoß bei entschiedenem Spiel", "breach when the game is decided"),
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
        value: Text = ("wird gewertet", "is scored") if scored else ("zählt als gespielt", "counts as played")
        if again:
            value = ("gilt als nicht gespielt und wird neu gegeben", "counts as not played and is dealt again")
            if book.counts_when_ended(probe.breach(options, offender=2, soloist=1)):
                value = join((value, ("im Solo durch einen Gegner als gespielt", "in a solo by an opponent as played")))
        facts.append(
            Fact(
                key=f"{name}_game",
                label=(f"das Spiel danach ({_CLASSES[name][0]})", f"the game after it ({_CLASSES[name][1]})"),
                value=value,
                section=book.rulings[name],
            )
        )
        if scored:
            facts.append(
                Fact(
                    key=f"{name}_falls",
                    label=("an die Gegenpartei fällt", "to the other side falls"),
                    value=_falls(book, options, name),
                    section=book.rulings[name],
                )
            )
    facts += [
        Fact(
            key="partner_may_claim",
            label=(
                "bei geklärter Partnerschaft darf der Partner reklamieren",
                "with the partnership clear the partner may claim",
            ),
            value=yes_no(book.partner_may_claim),
            section=book.sections["claim"],
        ),
        Fact(
            key="claim_over",
            label=(
                "nach einem schwerwiegenden Verstoß wird im selben Spiel noch einmal reklamiert",
                "after a serious breach another may be claimed in the same game",
            ),
            value=yes_no(not book.sections["claim_over"]),
            section=book.sections["claim_over"],
        ),
        Fact(key="shown", label=("der Tisch zeigt an", "the table shows"), value=_shown(book), section=""),
    ]
    if section("revoke_in_time"):
        facts.append(
            Fact(
                key="revoke_in_time",
                label=("der Stich nach falschem Bedienen ist zu Ende", "the trick after a revoke has ended"),
                value=option_text(book, options, "revoke_in_time"),
                section=section("revoke_in_time"),
            )
        )
    return facts


def _penalty(book: RuleBook, options: Options, name: str) -> Text:
    """Strafpunkte of an offender in a normal game and what the others get; how Absagen raise them."""
    penalty = book.penalties.get(name)
    if penalty is None:
        return "keine Strafpunkte", "no Strafpunkte"
    try:
        scores = [penalty(probe.breach(options, offender=1, soloist=None, absagen=n)) for n in range(5)]
    except Impossible:
        return "was der Schiedsrichter einträgt", "what the referee enters"
    if not any(scores[0].values()):
        return "keine Punkte", "no points"
    text = f"{signed(scores[0][1])}, "
    value = (f"{text}den anderen je {signed(scores[0][2])}", f"{text}the others {signed(scores[0][2])} each")
    if len({score[1] for score in scores}) > 1:
        more = ", ".join(f"{signed(score[1])} ({signed(score[2])})" for score in scores[1:])
        value = join(
            (value, (f"nach 1 bis 4 Absagen der anderen {more}", f"after 1 to 4 Absagen of the others {more}")),
            ("; ", "; "),
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
        text = (
            f"{signed(score[2])}, dem Solospieler {signed(score[1])}",
            f"{signed(score[2])}, the soloist {signed(score[1])}",
        )
        if more != score:
            step = abs(more[2]) - abs(score[2])
            text = join((text, (f"je Absage {step} mehr", f"{step} more for each Absage")))
        label = ("durch einen Gegner des Solospielers", "by a soloist's opponent")
        if harm:
            label = ("durch einen Gegner, zum Schaden des Solospielers", "by an opponent, harming the soloist")
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
            return "nichts", "nothing"
        if first == 0:
            return "alles: schwarz verloren", "everything: lost schwarz"
        if first == len(game.tricks):
            return "der offene Stich und die übrigen Karten", "the open trick and the cards not played"
        return "der Stich des Verstoßes und alles danach", "the trick of the breach and all after it"

    at_once, late, other = fallen("revoke", 119), fallen("revoke", 139), fallen("out_of_turn", 119)
    if at_once == late == other:
        return other
    return join(
        (
            (f"nach falschem Bedienen {at_once[0]}", f"after a revoke {at_once[1]}"),
            (f"zu spät entdeckt {late[0]}", f"found too late {late[1]}"),
            (f"sonst {other[0]}", f"else {other[1]}"),
        ),
        ("; ", "; "),
    )


def _payments(book: RuleBook, options: Options, name: str) -> list[Fact]:
    pays = book.payments[name]
    each = pays(probe.breach(options, offender=1, soloist=None))
    facts = [
        Fact(
            key=f"{name}_euros",
            label=join((_CLASSES[name], ("Strafe", "fine"))),
            value=(f"je {-each[2]:g} € an die anderen drei", f"€{-each[2]:g} to each of the other three"),
            section=book.rulings[name],
        )
    ]
    amounts = [pays(probe.breach(options, offender=2, soloist=1, ansagen=n))[2] for n in (0, 1, 2)]
    text = " / ".join(f"{amount:g}" for amount in amounts)
    facts.append(
        Fact(
            key=f"{name}_euros_soloist",
            label=join((_CLASSES[name], ("Strafe eines Gegners im Solo", "fine of a soloist's opponent"))),
            value=(
                f"{text} € an den Solospieler ohne / nach einer / nach zwei Ansagen",
                f"€{text} to the soloist without / after one / after two Ansagen",
            ),
            section=book.rulings[name],
        )
    )
    return facts


def _shown(book: RuleBook) -> Text:
    """The offences that the table proves by itself, with their sections."""
    calls, turns = book.calls.sections, book.turn_sections
    found: list[tuple[Text, Sequence[str]]] = [
        (("nicht bedient", "revoke"), [book.revoke_section]),
        (("nicht an der Reihe", "out of turn"), list(turns.values())),
        (("Antwort zu spät", "answer too late"), [book.answer_section]),
        (("Ansage zu früh", "announced too early"), [calls.get("early", "")]),
        (
            ("Ansage zu spät", "announced too late"),
            [calls.get(k, "") for k in ("late_call", "late_reply", "late_absage")],
        ),
        (("ohne Grundlage", "unfounded"), [calls.get("unfounded", "")]),
        (("Stufe ausgelassen", "step left out"), [calls.get("skipped", "")]),
        (("falsche Partei", "wrong side"), [calls.get("wrong_side", "")]),
        (("Pflicht versäumt", "duty missed"), [book.must_announce.section if book.must_announce else ""]),
        (("nicht berechtigt", "not entitled"), [kind.section for kind in book.kinds]),
    ]
    parts = []
    for text, sections in found:
        where = ", ".join(dict.fromkeys(one for one in sections if one))
        if where:
            parts.append((f"{text[0]} ({where})", f"{text[1]} ({where})"))
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
    parts = [(f"ab {minutes} Minuten {fine} €", f"from {minutes} minutes €{fine}") for minutes, fine in steps]
    return [
        Fact(
            key="late_fine",
            label=("zu spät kommen", "coming late"),
            value=join(parts) if parts else NONE,
            section=section("late_from"),
        )
    ]


_CHECKS: dict[str, Text] = {
    "cumulated": ("Punkte fortlaufend aufgerechnet", "points added up game by game"),
    "dealers": ("Geber der Reihe nach", "dealers in their order"),
    "row_sums": ("Quersumme jedes Spiels 0", "every game sums to 0"),
    "even_odd": ("alle gerade oder alle ungerade", "all even or all odd"),
    "winners": ("Gewinner gekennzeichnet", "winners marked"),
}
_MEASURES: dict[str, Text] = {
    "points": ("Summe der Runden", "sum of the rounds"),
    "games_won": ("gewonnene Spiele", "games won"),
    "alleinspiele_won": ("gewonnene Alleinspiele", "Alleinspiele won"),
}
_TROPHIES: dict[str, Text] = {
    "day": ("Tageswertung", "ranking of the day"),
    "year": ("Jahreswertung", "ranking of the year"),
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
        places.append(("Los", "lot"))
    facts = [
        Fact(
            key="columns",
            label=("Spalten der Liste", "columns of the list"),
            value=_columns(kinds),
            section=section("columns"),
        ),
        Fact(
            key="checks",
            label=("geprüft wird", "checked is"),
            value=join([_CHECKS[check["check"]] for check in checks]) if checks else ("nichts", "nothing"),
            section=", ".join(dict.fromkeys(check["section"].removeprefix(f"{book.name} ") for check in checks)),
        ),
        Fact(
            key="standing",
            label=("Rangliste nach", "standing by"),
            value=join(places, (", dann ", ", then ")),
            section=rule.section,
        ),
    ]
    if rule.all_rounds:
        facts.append(
            Fact(
                key="all_rounds",
                label=("Platz nur, wer", "a place only for those"),
                value=("alle Runden ganz gespielt hat", "who played every round in full"),
                section=rule.section,
            )
        )
    if rule.trophies:
        facts.append(
            Fact(
                key="trophies",
                label=("Pokale", "trophies"),
                value=join([_TROPHIES[one] for one in rule.trophies]),
                section=rule.section,
            )
        )
    return facts


_COLUMNS: dict[str, Text] = {
    "total": ("je Spieler eine, fortlaufend summiert", "one a player, added up game by game"),
    "plus": ("je Spieler +", "+ of each player"),
    "minus": ("je Spieler −", "− of each player"),
    "winners": ("Gewinner", "winners"),
    "value": ("Punkte des Spiels", "points of the game"),
    "game": ("Spiel und Vermerk", "game and note"),
}


def _columns(kinds: Sequence[str]) -> Text:
    return join([_COLUMNS.get(kind, plain(kind)) for kind in kinds])
