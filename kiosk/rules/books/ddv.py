"""Define the book of the Deutscher Doppelkopf-Verband: its own functions, then its row with sections."""

from collections.abc import Mapping
from types import MappingProxyType

from kiosk.rules.books.doppelkopf import (
    DECK_48,
    JACKS,
    LIMITS,
    QUEENS,
    TRUMPS_48,
    asked_on,
    by_seats,
    calls_by_limits,
    conceded,
    contract_48,
    contract_as_it_is,
    decided_only,
    face_up,
    falls_from_the_breach,
    finding,
    first_dealer,
    follow_suit_only,
    forehand,
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
    same_dealer,
    same_dealer_always,
    scorer,
    second_wins,
    serious_of,
    solo,
)
from kiosk.rules.engine.announcements import (
    KONTRA,
    CallRules,
    by_cards_in_hand,
    never_silent,
    reply_by_cards_in_hand,
)
from kiosk.rules.engine.book import Breach, Kind, RuleBook, Seating
from kiosk.rules.engine.cards import FRENCH_SUITS, Card
from kiosk.rules.engine.contract import TRUMP, Contract
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import all_even_or_all_odd, cumulated, rows_sum_to_nothing, winners_marked
from kiosk.rules.engine.scoring import (
    absagen_by_side,
    added_calls,
    against_absage,
    doppelkopf,
    fuchs,
    last_trick,
    special_against_queens,
    under,
    winner_bound,
    won,
    write_plus_minus,
)
from kiosk.rules.engine.standings import BY_POINTS, EQUAL_PLACES, SHARED
from kiosk.rules.engine.values import Declaration, Offence
from kiosk.rules.options.known import option
from kiosk.rules.options.option import descending, pflichtsoli_fit

_LIMITS = (11, 10, 9, 8, 7)  # 6.3, 6.4: Re/Kontra, keine 90, 60, 30, schwarz
_REPLY = 1  # 6.5

_in_turn = late_answer(asked_on=True)
_by_duties = refused_by_duties(led_up="4.2", first="4.3", none_left="8.6")


def too_late_an_answer(game: Game, seat: int, call: str) -> bool:
    """Report whether an answer is late: out of its turn, or a Vorbehalt once another's is named at once (4.1)."""
    named = game.declaration
    behind = named is not None and named.seat != seat and seat not in game.spoken
    return (behind and call in game.book.wanting) or _in_turn(game, seat, call)


def rank(game: Game, declaration: Declaration) -> tuple[int, int]:
    """Place a Vorbehalt among others: Pflichtsolo, Lustsolo, Hochzeit, then who sits further forward (4.1)."""
    kind = next(kind for kind in game.book.kinds if kind.game == declaration.game)
    return (1 if declaration.duty else kind.rank), game.seats.index(declaration.seat)


def declaration_refused(game: Game, declaration: Declaration) -> str:
    """Return the section that a declaration breaks in itself: by the Pflichtsoli, or a higher one is named (4.1)."""
    refused = _by_duties(game, declaration)
    named = game.declaration
    if refused or named is None or named.seat == declaration.seat:
        return refused
    return "4.1" if rank(game, named) < rank(game, declaration) else ""


def pflichtsolo_leads(game: Game) -> int:
    """Return who leads: the soloist in a Pflichtsolo (4.2), else the dealer's left, in a Lustsolo too (4.3, 5.1)."""
    declared = game.declaration
    return declared.seat if declared is not None and declared.duty else forehand(game)


def discards(game: Game) -> Mapping[int, str]:
    """Find who is Kontra by what all have seen: he laid a plain card on a trump led, and no CQ before (5.5)."""
    classes = game.contract.classes
    found: dict[int, str] = {}
    for cards in (*(trick.cards for trick in game.tricks), game.open_trick):
        if cards and classes[cards[0].card] == TRUMP:
            found |= {laid.seat: KONTRA for laid in cards[1:] if not laid.down and classes[laid.card] != TRUMP}
    laid_queens = {seat for _, seat in game.queens}
    return {seat: side for seat, side in found.items() if seat not in laid_queens}


def claim_lost(game: Game, seat: int, offence: Offence) -> bool:
    """Report whether the right to claim is lost: the seat has played on since (9.7), or given the rest away (5.4)."""
    return played_on(game, seat, offence.proved) or asked_on(game, seat, offence.proved) or conceded(game, seat)


def serious(breach: Breach) -> dict[int, int]:
    """Book 12 Strafpunkte and 3 for each Absage of the other side so far (9.4.1, 9.4.2)."""
    return serious_of("serious_penalty_opponent", int(breach.options["serious_penalty_step"]), breach)


def _farbsolo(suit: str) -> tuple[Card, ...]:
    """Trumps of a Farbsolo: as in the normal game, the suit in place of Karo; Herz 10 stands on top (2.2.2)."""
    return tuple(dict.fromkeys(("HT", *QUEENS, *JACKS, *(suit + rank for rank in "ATK9"))))


_CONTRACTS: dict[tuple[str, str | None], Contract] = {
    ("hochzeit", None): contract_48("hochzeit", TRUMPS_48),  # 4.4
    **{("farbsolo", suit): contract_48("farbsolo", _farbsolo(suit), suit) for suit in FRENCH_SUITS},
    ("damensolo", None): contract_48("damensolo", QUEENS),  # 2.2.2
    ("bubensolo", None): contract_48("bubensolo", JACKS),  # 2.2.2
    ("fleischlos", None): contract_48("fleischlos", ()),  # 2.2.3
}


DDV = RuleBook(
    name="ddv",
    title="Turnierspielregeln des Deutschen Doppelkopf-Verbandes e.V.",
    source="19.02.2000, gültig ab 01.07.2000",
    own=None,
    deck=DECK_48,  # 2.1
    hand_size=12,  # 3.3
    tables=(4, 5),  # 8.3, 10.1
    seating=Seating(
        section="8.4",
        lot_alone="",
        fives_section="8.3",
        substitutes_section="",
        court_section="9.7",
    ),
    first_dealer=first_dealer,  # 3.3, 8.4
    scorer=scorer,  # 3.1, 8.4, 10.1
    duties=pflichtsoli,  # 8.6
    answers=("gesund", "vorbehalt"),  # 4.1
    wanting=frozenset({"vorbehalt"}),  # 4.1
    finding=finding,  # 4.1
    classes=(),
    bid_fault=no_bidding,
    kinds=(
        # 4.1: their rank is that of a Lustsolo; as Pflichtsolo they go before all
        solo("farbsolo", tuple(FRENCH_SUITS), (), rank=2, section="4.3"),  # 2.2.2
        solo("damensolo", (), (), rank=2, section="4.3"),  # 2.2.2
        solo("bubensolo", (), (), rank=2, section="4.3"),  # 2.2.2
        solo("fleischlos", (), (), rank=2, section="4.3"),  # 2.2.3
        Kind(
            game="hochzeit",
            solo=False,
            suits=(),
            cards=(),
            conditions=(),
            raises=(),
            ends_deal=False,
            played=True,
            rank=3,  # 4.1; with several Vorbehalte never
            allowed=may_marry,
            section="4.4",
        ),
    ),
    normal=contract_48("normal", TRUMPS_48, re_card="CQ"),  # 2.2.1, 2.3.1
    contracts=MappingProxyType(_CONTRACTS),
    contract_by=contract_as_it_is,
    duty_refused=declaration_refused,  # 4.1, 4.2, 4.3, 8.6
    needs_leave=None,
    leader=pflichtsolo_leads,  # 4.2, 4.3, 5.1
    late_answer=too_late_an_answer,  # 4.1
    answer_section="4.1",
    second_wins=second_wins,  # 5.3: "Dies gilt auch für die Herz Zehn"
    equal_order=by_seats,  # 5.3
    face_down=face_up("5.2"),
    covering_needs_none=no_card,
    covering_section="5.2",
    retractable=last_laid,  # 5.1, 5.2
    beyond_suit=follow_suit_only,  # 5.2
    shown_sides=discards,  # 5.5
    klaerung=klaerung,  # 4.4
    turn_sections=MappingProxyType({"first_lead": "5.1", "lead": "5.1", "follow": "5.2"}),
    revoke_section="5.2",
    card_sections=MappingProxyType({"card_not_held": "6.1", "impossible_card": "2.1"}),
    calls=CallRules(
        words=("re", "kontra", "keine90", "keine60", "keine30", "schwarz"),  # 6.3, 6.4
        counted="hand",
        left=by_cards_in_hand(_LIMITS),  # 6.3, 6.4
        reply_left=reply_by_cards_in_hand(_LIMITS, _REPLY),  # 6.5
        silent=never_silent,  # 6.5
        bock_left=None,
        bock_by_first=False,
        absage_needs_call=False,  # 6.5: what is left out need only be in time
        leaving_out=True,  # 6.5
        repeated_raises=False,
        repeated_offends=frozenset({True, False}),  # 6.5
        sections=MappingProxyType(
            {
                "early": "6.3",
                "late_call": "6.3",
                "late_reply": "6.5",
                "late_absage": "6.4",
                "unfounded": "6.4",
                "unfounded_reply": "6.5",
                "skipped": "6.5",
                "repeated": "6.5",
                "wrong_side": "6.3",
            }
        ),
    ),
    calls_by=calls_by_limits,  # 6.3, 6.4, 6.5
    must_announce=None,
    may_claim=only_the_soloist,  # 5.4
    claimant_takes_with_any=True,  # 5.4
    winner=winner_bound,  # 7.1
    scoring=tuple(  # 7.2, in the book's order
        decided_only(rule)
        for rule in (
            won,
            under,
            added_calls,
            absagen_by_side,
            against_absage,
            special_against_queens,
            doppelkopf,
            fuchs,
            last_trick("CJ", "karlchen"),
        )
    ),
    write=write_plus_minus,  # 7.2
    rulings=MappingProxyType({"minor": "9.3", "serious": "9.4", "decided": "9.5"}),
    penalties=MappingProxyType({"minor": minor, "serious": serious, "decided": minor}),  # 9.3, 9.4, 9.5
    payments=MappingProxyType({}),
    scored_rulings=frozenset({"decided"}),  # 9.5
    falls_from=falls_from_the_breach,  # 9.5
    standing_ruling=last_ruling,  # 8.2, 9.7
    repeated=never_repeated,
    counts_when_ended=opponents_of_soloists,  # 9.4.1, 9.4.2
    partner_may_claim=False,  # 9.7
    claim_lost_by=claim_lost,  # 9.7, 5.4
    same_dealer=same_dealer,  # 3.3, 4.2
    thrown_in_same_dealer=same_dealer_always,
    redeals_after_time=False,  # 8.5
    bock_games=no_bockrunde,
    standing=BY_POINTS,  # the book does not say who is first
    late_fine=None,
    berichtigung=MappingProxyType(
        {
            "points": "7.3",
            "strike": "",  # 9.1: no game is repeated without a serious breach
            "row": "7.3",
            "seats": "8.4",
            "name": "",
            "penalty": "9.6",
            "disqualified": "9.6",
            "reopen": "8.5",
        }
    ),
    columns=cumulated(
        winners=True,
        checks=(rows_sum_to_nothing("7.3"), all_even_or_all_odd("7.3", "10.1"), winners_marked("7.3")),
    ),
    sections=MappingProxyType(
        {
            "release": "8.5",
            "led_up": "4.2",
            "rest": "9.7",
            "claim": "9.7",
            "claim_over": "9.7",
            "shorten": "5.4",
            "take_back": "5.1",
            "void_count": "3.3",
            "void_shown": "3.3",
            "void_dealer": "9.7",
        }
    ),
    fact_sections=MappingProxyType(
        {
            "deck": "2.1",
            "augen": "2.1",
            "tables": "8.3, 10.1",
            "same_dealer": "3.3, 4.2",
            "equal_cards": "5.3",
            "game_normal": "2.2.1",
            "game_hochzeit": "4.4",
            "game_farbsolo": "2.2.2",
            "game_damensolo": "2.2.2",
            "game_bubensolo": "2.2.2",
            "game_fleischlos": "2.2.3",
            "answers": "4.1",
            "rank": "4.1",
            "klaerung": "4.4",
            "leader_in_pflichtsolo": "4.2",
            "leader_in_solo": "4.3",
            "hochzeit_shift": "6.5",
            "redeals_after_time": "8.5",
            "shown_sides": "5.5",
            "written": "7.2",
            "written_solo_won": "7.2",
            "written_solo_lost": "7.2",
            "losers_special_points": "7.2",
            "columns": "7.3",
        }
    ),
    sentences=MappingProxyType(
        {
            "4.1": "asked_in_turn",
            "4.4": "marry",
            "5.2": "follow",
            "not_entitled 5.2": "face_up",
            "out_of_turn 5.2": "clockwise",
            "6.1": "card_not_held",
            "6.3": "limits",
            "early_announcement 6.3": "early",
            "wrong_side 6.3": "sides",
            "6.4": "limits",
            "unfounded_announcement 6.4": "backed",
            "6.5": "steps",
            "late_announcement 6.5": "limits",
            "8.5": "not_released",
            "9.7": "resting",
            "after_serious 9.7": "after_serious",
        }
    ),
    options=(
        option("rounds", 0, range(100), "8.4"),
        option("games", 24, range(1, 201), "8.5"),
        option("games_5", 30, range(1, 201), "10.1"),
        option("minutes", 100, range(1000), "8.5"),
        option("minutes_5", 125, range(1000), "10.1"),
        option("break_stops_clock", False, (False, True), "8.5"),
        option("pflichtsoli", 1, range(11), "8.6"),
        option("first_dealer", 1, range(1, 5), "3.3"),
        option("scorer", 4, range(1, 5), "3.1"),
        option("scorer_5", 5, range(1, 6), "10.1"),
        option("equal_places", SHARED, EQUAL_PLACES, "8.4"),
        option("deduction_most", 12, range(1000), "9.6"),
        option("appeal_minutes", 0, range(10081), "8.5"),
        option("dealing", "4x3", ("4x3", "3x4", "2x6", "6x2"), "3.3"),
        option("klaerung_tricks", 3, range(1, 13), "4.4"),
        option("second_ht", "never", ("never", "highest_trump", "any_trump"), "5.3"),
        option("words_back", "next", ("next", "trick", "never"), "4.1"),
        option("tell_augen", False, (False, True), "9.1"),
        option("tell_tricks", False, (False, True), "5.3"),
        option("tell_sides", False, (False, True), "2.3.1"),
        option("look_back", False, (False, True), "5.3"),
        *(
            option(name, limit, range(1, 13), "6.4" if number else "6.3")
            for number, (name, limit) in enumerate(zip(LIMITS, _LIMITS, strict=True))
        ),
        option("reply_cards", _REPLY, range(12), "6.5"),
        option("win_points", 121, range(91, 151), "7.1"),
        option("nobody_has_won", "net", ("net", "nothing"), "6.4"),
        option("value_won", 1, range(100), "7.2"),
        option("value_under", 1, range(100), "7.2"),
        option("value_schwarz", 1, range(100), "7.2"),
        option("value_re_kontra", 2, range(100), "7.2"),
        option("value_absage", 1, range(100), "7.2"),
        option("value_reached", 1, range(100), "7.2"),
        option("value_against_queens", 1, range(100), "7.2"),
        option("doppelkopf_augen", 40, range(1, 45), "7.2"),
        option("value_doppelkopf", 1, range(100), "7.2"),
        option("value_fuchs", 1, range(100), "7.2"),
        option("value_karlchen", 1, range(100), "7.2"),
        option("minor_penalty", 3, range(0, 100, 3), "9.3.1"),
        option("minor_penalty_opponent", 3, range(100), "9.3.2"),
        option("serious_penalty", 12, range(0, 301, 3), "9.4.1"),
        option("serious_penalty_opponent", 12, range(301), "9.4.2"),
        option("serious_penalty_step", 3, range(0, 100, 3), "9.4.1"),
    ),
    contradictions=(pflichtsoli_fit("8.6"), descending("6.4", LIMITS)),
)
