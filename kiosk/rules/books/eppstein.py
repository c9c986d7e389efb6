"""Define the book of the Schachvereinigung 1932 Eppstein: its own functions, then its row with sections."""

from types import MappingProxyType

from kiosk.rules.books.doppelkopf import (
    DECK_48,
    JACKS,
    LIMITS,
    QUEENS,
    TRUMPS_48,
    by_laying,
    calls_by_limits,
    conceded,
    contract_48,
    contract_as_it_is,
    face_up,
    finding,
    first_dealer,
    follow_suit_only,
    klaerung,
    last_laid,
    last_ruling,
    late_answer,
    may_marry,
    minor,
    never_repeated,
    no_bidding,
    no_bockrunde,
    no_card,
    only_the_soloist,
    opponents_of_soloists,
    pflichtsoli,
    played_on,
    refused_by_duties,
    rest_falls,
    same_dealer,
    same_dealer_always,
    scorer,
    second_wins,
    serious_of,
    solo,
    soloist_leads,
)
from kiosk.rules.engine.announcements import CallRules, by_cards_in_hand, never_silent, reply_by_cards_in_hand
from kiosk.rules.engine.book import Breach, Kind, RuleBook, Seating
from kiosk.rules.engine.cards import FRENCH_SUITS
from kiosk.rules.engine.contract import TRUMP, Contract
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import cumulated, dealers_in_order, totals_add_up
from kiosk.rules.engine.proof import Knowledge
from kiosk.rules.engine.scoring import (
    absagen,
    against_queens,
    doppelkopf,
    doublings,
    fuchs,
    last_trick,
    under,
    winner_by_targets,
    won,
    write_plus,
)
from kiosk.rules.engine.standings import BY_POINTS, EQUAL_PLACES, SHARED
from kiosk.rules.engine.values import Declaration, Offence
from kiosk.rules.options.known import option
from kiosk.rules.options.option import descending, pflichtsoli_fit


def may_throw_in(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Report whether a hand may throw in: five or more nines, or fewer than three trumps without Karo As (3.4.2)."""
    trumps = game.book.normal.classes
    _, nines = knowledge.room(declaration.seat, lambda card: card[1] == "9")
    fewest, _ = knowledge.room(declaration.seat, lambda card: trumps[card] == TRUMP and card != "DA")
    options = game.options
    return nines >= int(options["schmeissen_nines"]) or fewest < int(options["schmeissen_trumps"])


def claim_lost(game: Game, seat: int, offence: Offence) -> bool:
    """Report whether the right to claim is lost: laid or called since, or given the rest away (8.8.3, 4.3.6)."""
    return played_on(game, seat, offence.proved) or (offence.code == "revoke" and conceded(game, seat))


def serious(breach: Breach) -> dict[int, int]:
    """Book 12 Strafpunkte and 3 for each Absage of the other side so far (8.6.2)."""
    return serious_of("serious_penalty_opponent", int(breach.options["serious_penalty_step"]), breach)


_LIMITS = (11, 10, 9, 8, 7)  # 5.2.2, 5.3.4
_REPLY = 1  # 5.5.4


_CONTRACTS: dict[tuple[str, str | None], Contract] = {
    ("hochzeit", None): contract_48("hochzeit", TRUMPS_48),  # 3.5.3
    ("trumpfsolo", None): contract_48("trumpfsolo", TRUMPS_48),  # 1.3.5
    ("damensolo", None): contract_48("damensolo", QUEENS),  # 1.3.6
    ("bubensolo", None): contract_48("bubensolo", JACKS),  # 1.3.7
    ("fleischlos", None): contract_48("fleischlos", ()),  # 1.3.9
    **{
        ("farbsolo", suit): contract_48("farbsolo", tuple(suit + rank for rank in "ATKQJ9"), suit)
        for suit in FRENCH_SUITS  # 1.3.8: only the twelve cards of the suit
    },
}


EPPSTEIN = RuleBook(
    name="eppstein",
    title="Doppelkopf-Turnierregeln der Schachvereinigung 1932 Eppstein im Taunus e.V.",
    source="30.11.2001, gültig ab 01.12.2001",
    own=None,
    deck=DECK_48,  # 1.2.1
    hand_size=12,  # 2.2.6
    tables=(4, 5),  # 7.2.1
    seating=Seating(
        section="7.3.1",
        lot_alone="",
        fives_section="",
        substitutes_section="",
        court_section="",
    ),
    first_dealer=first_dealer,  # 2.2.1, 7.3.1
    scorer=scorer,  # 6.3.1, 7.3.1
    duties=pflichtsoli,  # 7.5.1
    answers=("gesund", "vorbehalt"),  # 3.1.2
    wanting=frozenset({"vorbehalt"}),  # 3.1.2
    finding=finding,  # 3.1.1
    classes=(),
    bid_fault=no_bidding,
    kinds=(
        # 3.1.5: their rank is that of a Lustsolo; as Pflichtsolo they go before all
        solo("trumpfsolo", (), (), rank=2, section="3.3.1"),  # 1.3.5
        solo("damensolo", (), (), rank=2, section="3.3.1"),  # 1.3.6
        solo("bubensolo", (), (), rank=2, section="3.3.1"),  # 1.3.7
        solo("farbsolo", tuple(FRENCH_SUITS), (), rank=2, section="3.3.1"),  # 1.3.8
        solo("fleischlos", (), (), rank=2, section="3.3.1"),  # 1.3.9
        Kind(
            game="schmeissen",
            solo=False,
            suits=(),
            cards=(),
            conditions=(),
            raises=(),
            ends_deal=True,  # 3.4.3
            played=True,
            rank=3,  # 3.1.5
            allowed=may_throw_in,
            section="3.4.2",
        ),
        Kind(
            game="hochzeit",
            solo=False,
            suits=(),
            cards=(),
            conditions=("first", "plain", "trump"),  # 3.5.3 a
            raises=(),
            ends_deal=False,
            played=True,
            rank=4,  # 3.1.5; with several Vorbehalte never (3.1.6)
            allowed=may_marry,
            section="3.5.1",
        ),
    ),
    normal=contract_48("normal", TRUMPS_48, re_card="CQ"),  # 1.3.4, 1.4.4
    contracts=MappingProxyType(_CONTRACTS),
    contract_by=contract_as_it_is,
    duty_refused=refused_by_duties(led_up="3.2.3", first="3.3.1", none_left="7.5.1"),
    needs_leave=None,
    leader=soloist_leads,  # 4.1.1, 3.2.2, 3.3.1
    late_answer=late_answer(asked_on=False),  # 3.1.2
    answer_section="3.1.2",
    second_wins=second_wins,  # 4.4.2
    equal_order=by_laying,  # 4.4.2
    face_down=face_up("4.2.1"),
    covering_needs_none=no_card,
    covering_section="4.2.1",
    retractable=last_laid,  # 4.2.5
    beyond_suit=follow_suit_only,  # 4.2.3
    shown_sides=None,
    klaerung=klaerung,  # 3.5.3
    turn_sections=MappingProxyType({"first_lead": "4.1.1", "lead": "4.1.2", "follow": "4.2.7"}),
    revoke_section="4.2.4",
    card_sections=MappingProxyType({"card_not_held": "5.4.1", "impossible_card": "1.2.1"}),
    calls=CallRules(
        words=("re", "kontra", "keine90", "keine60", "keine30", "schwarz"),  # 5.2.2, 5.3.1
        counted="hand",
        left=by_cards_in_hand(_LIMITS),
        reply_left=reply_by_cards_in_hand(_LIMITS, _REPLY),  # 5.5.4
        silent=never_silent,
        bock_left=None,
        bock_by_first=False,
        absage_needs_call=False,  # 5.5.3
        leaving_out=True,  # 5.5.3
        repeated_raises=True,  # 5.5.7 b, 5.5.8 b
        repeated_offends=frozenset({True}),  # 5.5.8 a
        sections=MappingProxyType(
            {
                "early": "5.2.1",
                "late_call": "5.2.2",
                "late_reply": "5.5.4",
                "late_absage": "5.3.4",
                "unfounded": "5.3.2",
                "unfounded_reply": "5.5.4",
                "skipped": "5.5.3",
                "repeated": "5.5.8",
                "wrong_side": "5.2.2",
            }
        ),
    ),
    calls_by=calls_by_limits,
    must_announce=None,
    may_claim=only_the_soloist,  # 4.3.2
    claimant_takes_with_any=True,  # 4.3.3
    winner=winner_by_targets,  # 6.1
    scoring=(  # 6.2, in the book's order
        won,
        against_queens,
        under,
        absagen,
        doublings,
        doppelkopf,
        fuchs,
        last_trick("CJ", "karlchen"),
        last_trick("DA", "fuchs_last"),
    ),
    write=write_plus,  # 6.2.2, 6.2.4
    rulings=MappingProxyType({"minor": "8.4", "serious": "8.6", "decided": "8.5"}),
    penalties=MappingProxyType(
        {
            "minor": minor,  # 8.4
            "serious": serious,  # 8.6.2
            "decided": minor,  # 8.5.1
        }
    ),
    payments=MappingProxyType({}),
    scored_rulings=frozenset({"decided"}),  # 8.5.1
    falls_from=rest_falls,  # 8.5.1
    standing_ruling=last_ruling,  # 8.8.7
    repeated=never_repeated,
    counts_when_ended=opponents_of_soloists,  # 8.6.2
    partner_may_claim=False,  # 8.8.1
    claim_lost_by=claim_lost,  # 8.8.3
    same_dealer=same_dealer,  # 2.2.1, 3.2.5
    thrown_in_same_dealer=same_dealer_always,  # 3.4.3
    redeals_after_time=True,
    bock_games=no_bockrunde,
    standing=BY_POINTS,  # the book does not say who is first
    late_fine=None,
    berichtigung=MappingProxyType(
        {
            "points": "8.2.2",
            "strike": "8.2.2",
            "row": "6.3.3",
            "seats": "7.3.1",
            "name": "",
            "penalty": "8.7.2",
            "disqualified": "8.7.2",
            "reopen": "",
        }
    ),
    columns=cumulated(  # 6.3.2, 6.3.5
        value="value_of_this_game", game="kind_of_game", checks=(totals_add_up("6.3.5"), dealers_in_order("6.3.5"))
    ),
    sections=MappingProxyType(
        {
            "release": "7.4.1",
            "led_up": "3.2.3",
            "rest": "8.8.5",
            "claim": "8.8.1",
            "claim_over": "8.8.6",
            "shorten": "4.3.2",
            "take_back": "4.2.5",
            "void_count": "2.2.9",
            "void_shown": "2.2.8",
            "void_dealer": "2.2.11",
        }
    ),
    fact_sections=MappingProxyType(
        {
            "deck": "1.2.1",
            "augen": "1.2.2",
            "tables": "7.2.1",
            "same_dealer": "2.2.1, 3.2.5, 3.4.3",
            "equal_cards": "4.4.2",
            "game_normal": "1.3.4",
            "game_hochzeit": "3.5.3",
            "game_trumpfsolo": "1.3.5",
            "game_damensolo": "1.3.6",
            "game_bubensolo": "1.3.7",
            "game_farbsolo": "1.3.8",
            "game_fleischlos": "1.3.9",
            "answers": "3.1.2",
            "rank": "3.1.5",
            "klaerung": "3.5.3",
            "leader_in_solo": "3.2.2, 3.3.1",
            "hochzeit_shift": "5.5.2",
            "written": "6.2.2",
            "written_solo_won": "6.2.4",
            "written_solo_lost": "6.2.4",
            "nobody_has_won": "6.1.4",
            "columns": "6.3.2",
        }
    ),
    sentences=MappingProxyType(
        {
            "3.1.2": "asked_in_turn",
            "3.5.1": "marry",
            "4.2.1": "face_up",
            "5.2.1": "early",
            "5.2.2": "limits",
            "wrong_side 5.2.2": "sides",
            "5.3.2": "backed",
            "5.3.4": "limits",
            "5.4.1": "card_not_held",
            "5.5.3": "steps",
            "7.4.1": "not_released",
            "8.8.5": "resting",
            "8.8.6": "after_serious",
        }
    ),
    options=(
        option("rounds", 0, range(100), "7.3.1"),
        option("games", 16, range(1, 201), "7.4.1"),
        option("games_5", 20, range(1, 201), "7.4.1"),
        option("minutes", 120, range(1000), "7.4.1"),
        option("minutes_5", 120, range(1000), "7.4.1"),
        option("break_stops_clock", False, (False, True), "7.4.1"),
        option("pflichtsoli", 1, range(11), "7.5.1"),
        option("first_dealer", 1, range(1, 5), "2.2.1"),
        option("scorer", 4, range(1, 5), "6.3.1"),
        option("scorer_5", 5, range(1, 6), "6.3.1"),
        option("equal_places", SHARED, EQUAL_PLACES, "7.4.1"),
        option("deduction_most", 12, range(1000), "8.7.2"),
        option("appeal_minutes", 0, range(10081), "8.2.2"),
        option("dealing", "4x3", ("4x3", "3x4", "2x6", "6x2"), "2.2.6"),
        option("schmeissen_nines", 5, range(1, 10), "3.4.2"),
        option("schmeissen_trumps", 3, range(13), "3.4.2"),
        option("klaerung_tricks", 3, range(1, 13), "3.5.3"),
        option("second_ht", "highest_trump", ("highest_trump", "any_trump", "never"), "4.4.2"),
        option("words_back", "next", ("next", "trick", "never"), "3.1.2"),
        option("tell_augen", False, (False, True), "8.1.3"),
        option("tell_tricks", False, (False, True), "4.4.7"),
        option("tell_sides", False, (False, True), "1.4.5"),
        option("look_back", False, (False, True), "4.4.7"),
        *(
            option(name, limit, range(1, 13), "5.3.4" if number else "5.2.2")
            for number, (name, limit) in enumerate(zip(LIMITS, _LIMITS, strict=True))
        ),
        option("reply_cards", _REPLY, range(12), "5.5.4"),
        option("win_points", 121, range(91, 151), "6.1.2"),
        option("bound_side_must_reach", True, (True, False), "6.1.4"),
        option("value_won", 1, range(100), "6.2.2"),
        option("value_against_queens", 1, range(100), "6.2.2"),
        option("against_queens_in_solo", False, (False, True), "6.2.2"),
        option("value_under", 1, range(100), "6.2.2"),
        option("value_schwarz", 1, range(100), "6.2.2"),
        option("value_absage", 1, range(100), "6.2.2"),
        option("factor_re_kontra", 2, range(1, 10), "6.2.2"),
        option("doppelkopf_augen", 40, range(1, 45), "6.2.3"),
        option("value_doppelkopf", 1, range(100), "6.2.3"),
        option("value_fuchs", 1, range(100), "6.2.3"),
        option("value_karlchen", 1, range(100), "6.2.3"),
        option("value_fuchs_last", 1, range(100), "6.2.3"),
        option("losers_special_points", "set_off", ("set_off", "ignored", "each_side"), "6.2.3"),
        option("factor_solo", 3, range(1, 10), "6.2.4"),
        option("minor_penalty", 3, range(0, 100, 3), "8.4.2"),
        option("minor_penalty_opponent", 3, range(100), "8.4.3"),
        option("serious_penalty", 12, range(0, 301, 3), "8.6.2"),
        option("serious_penalty_opponent", 12, range(301), "8.6.2"),
        option("serious_penalty_step", 3, range(0, 100, 3), "8.6.2"),
    ),
    contradictions=(pflichtsoli_fit("7.5.1"), descending("5.3.4", LIMITS)),
)
