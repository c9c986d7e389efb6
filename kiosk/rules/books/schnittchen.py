"""Define the rules of the Schnittchenclub: its own functions, then its row."""

from functools import lru_cache
from types import MappingProxyType

from kiosk.rules.books.doppelkopf import (
    DECK_40,
    JACKS,
    QUEENS,
    RAISES,
    TRUMPS_40,
    always_counts,
    by_laying,
    contract_40,
    face_up,
    finding,
    first_dealer,
    follow_suit_only,
    last_laid,
    last_ruling,
    may_marry,
    never_late,
    never_lost,
    never_repeated,
    no_bidding,
    no_card,
    no_duty,
    no_pflichtsoli,
    nobody_claims,
    rest_falls,
    same_dealer_always,
    scorer,
    solo,
    soloist_leads,
)
from kiosk.rules.engine.announcements import RE, CallRules, Left, Moment, never_silent
from kiosk.rules.engine.book import MENDS, Breach, Kind, Klaerung, RuleBook, Seating
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP, Contract
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import cumulated, rows_sum_to_nothing
from kiosk.rules.engine.scoring import (
    absagen,
    against_absage,
    bock_doublings,
    bockrunde,
    doppelkopf,
    doubled_too,
    fuchs,
    last_trick,
    losers_ignored,
    second_dulle,
    special_against_queens,
    under,
    winner_bound,
    won,
    write_plus_minus,
)
from kiosk.rules.engine.standings import DAY, EQUAL_PLACES, POINTS, SHARED, YEAR, StandingRule
from kiosk.rules.options.known import option
from kiosk.rules.options.option import Options, ascending, rising


def contract_by(contract: Contract, options: Options) -> Contract:
    """Return the Trumpfsolo with or without Karo: 3.2.3 names Herz 10, queens and jacks "as in the normal game"."""
    bare = contract.game == "trumpfsolo" and not options["karo_in_trumpfsolo"]
    return _BARE_TRUMPFSOLO if bare else contract


def no_second(contract: Contract, options: Options) -> frozenset[Card]:
    """Return no card of which the second wins: the first Dulle takes the trick ("Ansonsten")."""
    return frozenset()


def klaerung(game: Game) -> Klaerung | None:
    """Settle the Hochzeit by the first plain-suit trick: another's makes the partner; the Hochzeiter's none (3.3).

    No such trick to the end: he was alone.
    """
    declared, trick, number = game.declaration, game.tricks[-1], len(game.tricks) - 1
    if declared is None:
        return None
    if game.contract.classes[trick.cards[0].card] != TRUMP:
        return Klaerung(trick=number, partner=trick.winner if trick.winner != declared.seat else None)
    return Klaerung(trick=number, partner=None) if len(game.tricks) == game.book.hand_size else None


def by_cards_on_the_table(beyond: int, re_card: int, other_card: int) -> Left:
    """Make the window of calls: Re until card 5, all else until card 9, from the Klärungsstich on (5.1, 5.2).

    ``beyond``: 0 until that card touches the table, 1 while it is the last one that lies.
    """

    def left(moment: Moment, level: int, side: str) -> int:
        last = re_card if level == 1 and side == RE else other_card
        return last - 1 + beyond - (moment.laid - 4 * moment.shift)

    return left


def serious_scores(breach: Breach) -> dict[int, int]:
    """Book no points: the game is over, and :func:`serious_payment` gives the payment."""
    return dict.fromkeys(breach.seats, 0)


def serious_payment(breach: Breach) -> dict[int, float]:
    """Book 1 € to each other; a soloist's opponent 3, 4, 6 € to him after 0, 1, 2 Ansagen ("Regelverstösse")."""
    if breach.soloist not in (None, breach.offender):
        euros = int(breach.options[_TO_SOLOIST[breach.ansagen]])
        return {breach.offender: euros, breach.soloist: -euros}
    each, others = int(breach.options["revoke_euros"]), len(breach.seats) - 1
    return {seat: others * each if seat == breach.offender else -each for seat in breach.seats}


def late_fine(minutes: int, options: Options) -> int:
    """Return the euros for coming this many whole minutes late ("Strafen für 'Zu-Spät-Kommen'")."""
    steps = zip(_LATE_FROM, _LATE_EUROS, strict=True)
    reached = [int(options[euros]) for start, euros in steps if minutes >= int(options[start])]
    return reached[-1] if reached else 0


def same_dealer(game: Game) -> bool:
    """Report whether the dealer deals again: after a declared solo, unless five sit at the table (4)."""
    after = game.contract.solo and game.dealer in game.seats
    return after and game.options["same_dealer_after_solo"] == "four_players"


def bock_games(game: Game, players: int) -> int:
    """Count the games that double after a trick of four plain hearts ("Ansonsten"); several queue up."""
    each = {"table": players, "four": 4, "none": 0}[str(game.options["bockrunde"])]
    classes = game.contract.classes
    return each * sum(all(classes[laid.card] == "H" for laid in trick.cards) for trick in game.tricks)


_TO_SOLOIST = ("revoke_to_soloist", "revoke_to_soloist_after_one", "revoke_to_soloist_after_two")
_RE_UNTIL = 5  # cards on the table (5.1)
_OTHERS_UNTIL = 9  # cards on the table (5.2)
_LATE = "Strafen für 'Zu-Spät-Kommen'"
_LATE_FROM = ("late_from", "late_from_second", "late_from_third", "late_from_fourth")
_LATE_EUROS = ("late_euros", "late_euros_second", "late_euros_third", "late_euros_fourth")
_BARE_TRUMPFSOLO = contract_40("trumpfsolo", ("HT", *QUEENS, *JACKS))


@lru_cache(maxsize=16)
def _calls(until: str, by: str, re_card: int, other_card: int) -> CallRules:
    left = by_cards_on_the_table(1 if until == "lies" else 0, re_card, other_card)
    return CallRules(
        words=("re", "kontra", "keine90", "keine60", "keine30", "schwarz", "bock"),  # 5.1, 5.2
        counted="table",
        left=left,
        reply_left=None,
        silent=never_silent,
        bock_left=lambda moment: left(moment, 2, RE),  # 5.2
        bock_by_first=by == "first_side",
        absage_needs_call=True,  # 5.2
        leaving_out=False,  # 5.2
        repeated_raises=False,
        repeated_offends=frozenset(),
        sections=MappingProxyType(
            {
                "early": "5.1",
                "late_call": "5.1",
                "late_reply": "5.1",
                "late_absage": "5.2",
                "unfounded": "5.2",
                "unfounded_reply": "5.2",
                "skipped": "5.2",
                "repeated": "5.2",
                "wrong_side": "5.1",
            }
        ),
    )


def calls_by(calls: CallRules, options: Options) -> CallRules:
    """Time calls by the card until which one may speak, and decide who may say Bock."""
    limits = int(options["re_until"]), int(options["others_until"])
    return _calls(str(options["until_card"]), str(options["bock_by"]), *limits)


SCHNITTCHEN = RuleBook(
    name="schnittchen",
    title="Doppelkopfrunde des Schnittchenclubs",
    source="mit den Strafen ab 2022",
    own=None,
    deck=DECK_40,  # 1
    hand_size=10,  # 4
    tables=(4, 5),  # 2
    seating=Seating(
        section="",
        lot_alone="",
        fives_section="",
        substitutes_section="",
        court_section="",
    ),
    first_dealer=first_dealer,
    scorer=scorer,
    duties=no_pflichtsoli,
    answers=("gesund", "vorbehalt"),  # 4
    wanting=frozenset({"vorbehalt"}),  # 4
    finding=finding,  # 4
    classes=(),
    bid_fault=no_bidding,
    kinds=(
        solo("trumpfsolo", (), RAISES, rank=1, section="4"),  # 3.2.3
        solo("damensolo", (), RAISES, rank=2, section="4"),  # 3.2.1
        solo("bubensolo", (), RAISES, rank=3, section="4"),  # 3.2.2
        Kind(
            game="hochzeit",
            solo=False,
            suits=(),
            cards=(),
            conditions=(),
            ends_deal=False,
            played=True,
            raises=(),
            rank=4,  # 4: if nobody has a solo
            allowed=may_marry,
            section="3.3",
        ),
    ),
    normal=contract_40("normal", TRUMPS_40, re_card="CQ"),  # 2, 3.1
    contracts=MappingProxyType(
        {
            ("hochzeit", None): contract_40("hochzeit", TRUMPS_40),  # 3.3
            ("trumpfsolo", None): contract_40("trumpfsolo", TRUMPS_40),  # 3.2.3
            ("damensolo", None): contract_40("damensolo", QUEENS),  # 3.2.1
            ("bubensolo", None): contract_40("bubensolo", JACKS),  # 3.2.2
        }
    ),
    contract_by=contract_by,
    duty_refused=no_duty,
    needs_leave=None,
    leader=soloist_leads,  # 4
    late_answer=never_late,
    answer_section="4",
    second_wins=no_second,  # "Ansonsten"
    equal_order=by_laying,
    face_down=face_up("3"),
    covering_needs_none=no_card,
    covering_section="3",
    retractable=last_laid,
    beyond_suit=follow_suit_only,  # 3
    shown_sides=None,
    klaerung=klaerung,  # 3.3
    turn_sections=MappingProxyType({"first_lead": "4", "lead": "4", "follow": "4"}),
    revoke_section="3",
    card_sections=MappingProxyType({"card_not_held": "1", "impossible_card": "1"}),
    calls=_calls("touches", "either", _RE_UNTIL, _OTHERS_UNTIL),
    calls_by=calls_by,
    must_announce=None,
    may_claim=nobody_claims,
    claimant_takes_with_any=True,
    winner=winner_bound,  # 6.1
    scoring=(  # 6.2, in the book's order
        won,
        bock_doublings,
        under,
        absagen,
        against_absage,
        doubled_too(special_against_queens),
        doubled_too(losers_ignored(doppelkopf)),
        doubled_too(losers_ignored(fuchs)),
        doubled_too(losers_ignored(last_trick("CJ", "karlchen"))),
        doubled_too(losers_ignored(second_dulle)),
        bockrunde,
    ),
    write=write_plus_minus,  # 6.2
    rulings=MappingProxyType({"serious": "Regelverstösse"}),
    penalties=MappingProxyType({"serious": serious_scores}),  # "Regelverstösse"
    payments=MappingProxyType({"serious": serious_payment}),  # "Regelverstösse"
    scored_rulings=frozenset({"decided"}),
    falls_from=rest_falls,
    standing_ruling=last_ruling,
    repeated=never_repeated,
    counts_when_ended=always_counts,
    partner_may_claim=True,
    claim_lost_by=never_lost,
    same_dealer=same_dealer,  # 4
    thrown_in_same_dealer=same_dealer_always,
    redeals_after_time=True,
    bock_games=bock_games,  # "Ansonsten"
    standing=StandingRule(measures=(POINTS,), lot=False, all_rounds=False, trophies=(DAY, YEAR), section="Pokale"),
    late_fine=late_fine,  # "Strafen für 'Zu-Spät-Kommen'"
    berichtigung=MappingProxyType(dict.fromkeys(MENDS, "")),  # it says nothing of it
    columns=cumulated(ranking=True, checks=(rows_sum_to_nothing("6.2"),)),  # "Pokale"
    sections=MappingProxyType(
        {
            "release": "",
            "led_up": "",
            "rest": "",
            "claim": "Regelverstösse",
            "claim_over": "",
            "shorten": "",
            "take_back": "Regelverstösse",
            "void_count": "4",
            "void_shown": "",
            "void_dealer": "",
        }
    ),
    fact_sections=MappingProxyType(
        {
            "deck": "1",
            "augen": "1",
            "tables": "2",
            "same_dealer": "4",
            "equal_cards": "Ansonsten",
            "game_normal": "3.1",
            "game_hochzeit": "3.3",
            "game_trumpfsolo": "3.2.3",
            "game_damensolo": "3.2.1",
            "game_bubensolo": "3.2.2",
            "answers": "4",
            "rank": "4",
            "klaerung": "3.3",
            "leader_in_solo": "4",
            "hochzeit_shift": "5.1, 5.2",
            "written": "6.2",
            "written_solo_won": "6.2",
            "written_solo_lost": "6.2",
            "nobody_has_won": "6.2",
            "columns": "6.2",
        }
    ),
    sentences=MappingProxyType(
        {
            "1": "cards",
            "3": "follow",
            "not_entitled 3": "face_up",
            "3.3": "marry",
            "5.1": "limits_alone",
            "early_announcement 5.1": "early",
            "wrong_side 5.1": "sides",
            "5.2": "limits_alone",
        }
    ),
    options=(
        option("rounds", 1, range(100), "6"),
        option("games", 0, range(201), "6"),
        option("games_5", 0, range(201), "6"),
        option("minutes", 0, range(1000), "6"),
        option("minutes_5", 0, range(1000), "6"),
        option("break_stops_clock", False, (False, True), "6"),
        option("first_dealer", 1, range(1, 5), "4"),
        option("scorer", 4, range(1, 5), "6"),
        option("scorer_5", 4, range(1, 6), "6"),
        option("equal_places", SHARED, EQUAL_PLACES, "Pokale"),
        option("deduction_most", 999, range(1000), "6"),
        option("appeal_minutes", 0, range(10081), "Pokale"),
        option("dealing", "3-4-3", ("3-4-3", "2x5", "5x2"), "4"),
        option("same_dealer_after_solo", "four_players", ("four_players", "never"), "4"),
        option("karo_in_trumpfsolo", True, (True, False), "3.2.3"),
        option("words_back", "next", ("next", "trick", "never"), "5.1"),
        option("tell_augen", True, (True, False), "4"),
        option("tell_tricks", True, (True, False), "4"),
        option("tell_sides", True, (True, False), "2"),
        option("look_back", True, (True, False), "4"),
        option("re_until", _RE_UNTIL, range(1, 41), "5.1"),
        option("others_until", _OTHERS_UNTIL, range(1, 41), "5.1"),
        option("until_card", "touches", ("touches", "lies"), "5.1"),
        option("bock_by", "either", ("either", "first_side"), "5.2"),
        option("win_points", 121, range(91, 151), "6.1"),
        option("value_won", 1, range(100), "6.2"),
        option("factor_re_kontra", 2, range(1, 10), "6.2"),
        option("factor_bock", 2, range(1, 10), "6.2"),
        option("value_under", 1, range(100), "6.2"),
        option("value_schwarz", 1, range(100), "6.2"),
        option("value_absage", 1, range(100), "6.2"),
        option("value_reached", 1, range(100), "6.2"),
        option("value_against_queens", 1, range(100), "6.2"),
        option("doppelkopf_augen", 40, range(1, 45), "6.2"),
        option("value_doppelkopf", 1, range(100), "6.2"),
        option("value_fuchs", 1, range(100), "6.2"),
        option("value_karlchen", 1, range(100), "6.2"),
        option("value_dulle", 1, range(100), "6.2"),
        option("second_dulle", "other_side", ("other_side", "any"), "6.2"),
        option("losers_special_points", "set_off", ("set_off", "ignored"), "6.2"),
        option("bockrunde", "table", ("table", "four", "none"), "6.2"),
        option("factor_bockrunde", 2, range(1, 10), "6.2"),
        option("revoke_euros", 1, range(101), "Regelverstösse"),
        *(
            option(name, euros, range(101), "Regelverstösse")
            for name, euros in zip(_TO_SOLOIST, (3, 4, 6), strict=True)
        ),
        *(
            option(name, minutes, range(1 + number, 238 + number), _LATE)
            for number, (name, minutes) in enumerate(zip(_LATE_FROM, (5, 16, 31, 46), strict=True))
        ),
        *(option(name, euros, range(1001), _LATE) for name, euros in zip(_LATE_EUROS, (20, 30, 40, 50), strict=True)),
    ),
    contradictions=(
        ascending(_LATE, _LATE_FROM, "next_fine_is_later"),
        rising(_LATE, _LATE_EUROS),
    ),
)
