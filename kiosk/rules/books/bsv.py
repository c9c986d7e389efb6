"""Define the book of the Betriebssportverband Hessen, Bezirk Frankfurt: its own functions, then its row."""

from collections.abc import Sequence
from types import MappingProxyType

from kiosk.rules.books.doppelkopf import (
    DECK_40,
    JACKS,
    LIMITS,
    QUEENS,
    TRUMPS_40,
    asked_on,
    by_seats,
    calls_by_limits,
    conceded,
    contract_40,
    contract_as_it_is,
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
    no_duty,
    no_pflichtsoli,
    opponents_of_soloists,
    played_on,
    plays_alone,
    scorer,
    second_wins,
    serious_of,
    solo,
    soloist_leads,
)
from kiosk.rules.engine.announcements import (
    CallRules,
    Verdict,
    by_cards_in_hand,
    never_silent,
    reply_by_cards_in_hand,
)
from kiosk.rules.engine.book import Breach, Kind, MustAnnounce, RuleBook, Seating
from kiosk.rules.engine.cards import FRENCH_SUITS, Card
from kiosk.rules.engine.contract import TRUMP, Contract
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import all_even_or_all_odd, cumulated, rows_sum_to_nothing, winners_marked
from kiosk.rules.engine.proof import Knowledge
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
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import Declaration, Lapsed, Offence, Owed
from kiosk.rules.options.known import option
from kiosk.rules.options.option import Options, descending

_LIMITS = (9, 8, 7, 6, 5)  # 6.3, 6.4: Re/Kontra, keine 90, 60, 30, schwarz
_REPLY = 1  # 6.5


def leader(game: Game) -> int:
    """Return the dealer's left neighbour (5.1); the exception that 5.1 refers to is not in the book."""
    return soloist_leads(game) if game.options["leader_in_solo"] == "soloist" else forehand(game)


def trumpfschwach(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Report whether the hand is trumpfschwach: three trumps or fewer (4.1)."""
    classes = game.book.normal.classes
    fewest, _ = knowledge.room(declaration.seat, lambda card: classes[card] == TRUMP)
    return fewest <= int(game.options["trumpfschwach_trumps"])


def trumpfschwach_keeps_dealer(options: Options) -> bool:
    """Report whether the same dealer deals anew after Trumpfschwach (the book does not say)."""
    return options["trumpfschwach_dealer"] == "same"


def owed(game: Game) -> Owed | None:
    """Find the Pflichtansage: owed after a first trick of 30 Augen or more, until the limit of Re and Kontra (6.3.1).

    In an announced Hochzeit the Klärungsstich counts as the first trick.
    """
    hochzeit = game.declaration is not None and not game.contract.solo
    rule = game.options["duty_call_in_hochzeit"]
    if hochzeit and (game.klaerung is None or rule == "none"):
        return None
    shift = game.klaerung.first if game.klaerung else 0
    number = shift if rule == "klaerungsstich" else 0
    if len(game.tricks) <= number or game.tricks[number].points < int(game.options["duty_call_augen"]):
        return None
    owner = game.tricks[number].winner
    if game.options["duty_call_until"] == "next_card":
        return Owed(seat=owner, trick=number, left=0, counted="table")
    left = game.hand_sizes[owner] - (int(game.options["limit_ansage"]) - shift)
    return Owed(seat=owner, trick=number, left=left, counted="hand")


def lapses(game: Game, laid: Laid) -> Lapsed | None:
    """Return the duty that lapses with a card: its owner's below his limit of cards, or the next (6.3.1)."""
    duty = owed(game)
    if duty is None or (duty.counted == "hand" and (laid.seat != duty.seat or duty.left > 0)):
        return None
    return Lapsed(event=laid.event, seat=duty.seat, trick=duty.trick, said=len(game.said))


def met(lapsed: Lapsed, side: str, verdicts: Sequence[Verdict], options: Options) -> bool:
    """Report whether it was met: by any earlier call of its side, or his own by option (docs/rules.md, Fine points)."""
    return any(
        verdict.side in (side, None) and (options["duty_call_falls_away"] or verdict.said.seat == lapsed.seat)
        for verdict in verdicts
    )


def concede_only(game: Game, kind: str, order: tuple[Card, ...], seat: int) -> bool:
    """Report whether the seat may claim: only a soloist, only by giving the rest away (5.4)."""
    return kind == "concede" and plays_alone(game, seat, order)


def serious(breach: Breach) -> dict[int, int]:
    """Book 15 or 21 Strafpunkte (7.3); the book leaves them to the referee, who enters them unless an option does.

    :raises Impossible: without the option.
    """
    return serious_of("serious_penalty", 0, breach)


def claim_lost(game: Game, seat: int, offence: Offence) -> bool:
    """Report whether the right to claim is lost: the seat has played on since, or given the rest away (9.6, 5.4)."""
    return any(gone(game, seat, offence.proved) for gone in (played_on, asked_on)) or conceded(game, seat)


def never_again(game: Game) -> bool:
    """Report that no game leaves its dealer the deal (3.3)."""
    return False


_CONTRACTS: dict[tuple[str, str | None], Contract] = {
    ("hochzeit", None): contract_40("hochzeit", TRUMPS_40),  # 4.2.1
    ("trumpfsolo", None): contract_40("trumpfsolo", TRUMPS_40),  # 2.3.5: another name of the Farbsolo in Karo
    ("damensolo", None): contract_40("damensolo", QUEENS),  # 2.3.6
    ("bubensolo", None): contract_40("bubensolo", JACKS),  # 2.3.6
    ("fleischlos", None): contract_40("fleischlos", ()),  # 2.3.7
    **{
        ("farbsolo", suit): contract_40(
            "farbsolo", tuple(dict.fromkeys(("HT", *QUEENS, *JACKS, *(suit + rank for rank in "ATK")))), suit
        )
        for suit in FRENCH_SUITS  # 2.3.5; in Herz 22 trumps by its list, not 20
    },
}

_CALLS = CallRules(
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
)


BSV = RuleBook(
    name="bsv",
    title="Turnier-Spielregeln Doppelkopf des Betriebssportverbandes Hessen e.V., Bezirk Frankfurt am Main",
    source="22.04.2010, gültig ab 01.05.2010",
    own=None,
    deck=DECK_40,  # 2.2.1
    hand_size=10,  # 3.3
    tables=(4, 5),  # 8.3, 10.1
    seating=Seating(
        section="8.4",
        lot_alone="",
        fives_section="8.3",
        substitutes_section="",
        court_section="9.6",
    ),
    first_dealer=first_dealer,  # 3.3, 8.4
    scorer=scorer,  # 3.1, 10.1
    duties=no_pflichtsoli,
    answers=("gesund", "vorbehalt"),  # 4.1
    wanting=frozenset({"vorbehalt"}),  # 4.1
    finding=finding,  # 4.1
    classes=(),
    bid_fault=no_bidding,
    kinds=(
        solo("farbsolo", tuple(FRENCH_SUITS), (), rank=1, section="4.1"),  # 2.3.5
        solo("trumpfsolo", (), (), rank=1, section="4.1"),  # 2.3.5, in Karo
        solo("damensolo", (), (), rank=1, section="4.1"),  # 2.3.6
        solo("bubensolo", (), (), rank=1, section="4.1"),  # 2.3.6
        solo("fleischlos", (), (), rank=1, section="4.1"),  # 2.3.7
        Kind(
            game="trumpfschwach",
            solo=False,
            suits=(),
            cards=(),
            conditions=(),
            ends_deal=True,
            played=True,
            raises=(),
            rank=2,  # 4.1
            allowed=trumpfschwach,
            section="4.1",
        ),
        Kind(
            game="hochzeit",
            solo=False,
            suits=(),
            cards=(),
            conditions=(),
            ends_deal=False,
            played=True,
            raises=(),
            rank=3,  # 4.1; with several Vorbehalte never
            allowed=may_marry,
            section="4.2",
        ),
    ),
    normal=contract_40("normal", TRUMPS_40, re_card="CQ"),  # 2.3.4, 2.4.1
    contracts=MappingProxyType(_CONTRACTS),
    contract_by=contract_as_it_is,
    duty_refused=no_duty,
    needs_leave=None,
    leader=leader,  # 5.1
    late_answer=late_answer(asked_on=True),  # 4.1
    answer_section="4.1",
    second_wins=second_wins,  # 5.3
    equal_order=by_seats,  # 5.3
    face_down=face_up("5.2"),
    covering_needs_none=no_card,
    covering_section="5.2",
    retractable=last_laid,  # 5.1, 5.2
    beyond_suit=follow_suit_only,  # 5.2
    shown_sides=None,
    klaerung=klaerung,  # 4.2.1
    turn_sections=MappingProxyType({"first_lead": "5.1", "lead": "5.1", "follow": "5.2"}),
    revoke_section="5.2",
    card_sections=MappingProxyType({"card_not_held": "6.1.1", "impossible_card": "2.2.1"}),
    calls=_CALLS,
    calls_by=calls_by_limits,  # 6.3, 6.4, 6.5
    must_announce=MustAnnounce(owed=owed, lapses=lapses, met=met, section="6.3.1"),
    may_claim=concede_only,  # 5.4
    claimant_takes_with_any=True,
    winner=winner_bound,  # 7.1
    scoring=(  # 7.2, in the book's order
        won,
        under,
        added_calls,
        absagen_by_side,
        against_absage,
        special_against_queens,
        doppelkopf,
        fuchs,
        last_trick("CJ", "karlchen"),
    ),
    write=write_plus_minus,  # 7.2
    rulings=MappingProxyType({"minor": "9.3", "serious": "7.3", "decided": "9.4"}),
    penalties=MappingProxyType({"minor": minor, "serious": serious}),  # 7.3
    payments=MappingProxyType({}),
    scored_rulings=frozenset({"decided"}),  # 9.4
    falls_from=falls_from_the_breach,  # 9.4
    standing_ruling=last_ruling,  # 8.2
    repeated=never_repeated,
    counts_when_ended=opponents_of_soloists,  # docs/rules.md, Rulings
    partner_may_claim=False,  # 9.6
    claim_lost_by=claim_lost,  # 9.6
    same_dealer=never_again,  # 3.3
    thrown_in_same_dealer=trumpfschwach_keeps_dealer,
    redeals_after_time=True,
    bock_games=no_bockrunde,
    standing=BY_POINTS,  # the book does not say who is first
    late_fine=None,
    berichtigung=MappingProxyType(
        {
            "points": "7.3",
            "strike": "",
            "row": "7.3",
            "seats": "8.4",
            "name": "",
            "penalty": "",  # 9.5 knows no deduction
            "disqualified": "9.5",
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
            "led_up": "",
            "rest": "9.6",
            "claim": "9.6",
            "claim_over": "9.6",
            "shorten": "5.4",
            "take_back": "5.2",
            "void_count": "3.3",
            "void_shown": "3.3",
            "void_dealer": "9.6",
        }
    ),
    fact_sections=MappingProxyType(
        {
            "deck": "2.2.1",
            "augen": "2.2.2",
            "tables": "8.3, 10.1",
            "same_dealer": "3.3, 4.1",
            "equal_cards": "5.3",
            "game_normal": "2.3.4",
            "game_hochzeit": "4.2.1",
            "game_trumpfsolo": "2.3.5",
            "game_farbsolo": "2.3.5",
            "game_damensolo": "2.3.6",
            "game_bubensolo": "2.3.6",
            "game_fleischlos": "2.3.7",
            "answers": "4.1",
            "rank": "4.1",
            "klaerung": "4.2.1",
            "hochzeit_shift": "6.5",
            "shown_sides": "5.5",
            "written": "7.2",
            "written_solo_won": "7.2",
            "written_solo_lost": "7.2",
            "losers_special_points": "7.2",
            "nobody_has_won": "7.1",
            "columns": "7.3",
        }
    ),
    sentences=MappingProxyType(
        {
            "4.1": "asked_in_turn",
            "4.2": "marry",
            "5.2": "follow",
            "not_entitled 5.2": "face_up",
            "out_of_turn 5.2": "clockwise",
            "6.1.1": "card_not_held",
            "6.3": "limits",
            "early_announcement 6.3": "early",
            "wrong_side 6.3": "sides",
            "6.4": "limits",
            "unfounded_announcement 6.4": "backed",
            "6.5": "steps",
            "late_announcement 6.5": "limits",
            "8.5": "not_released",
            "9.6": "resting",
            "after_serious 9.6": "after_serious",
        }
    ),
    options=(
        option("rounds", 0, range(100), "8.4"),
        option("games", 24, range(1, 201), "8.5"),
        option("games_5", 30, range(1, 201), "10.1"),
        option("minutes", 120, range(1000), "8.5"),
        option("minutes_5", 140, range(1000), "10.1"),
        option("break_stops_clock", False, (False, True), "8.5"),
        option("first_dealer", 1, range(1, 5), "3.3"),
        option("scorer", 4, range(1, 5), "3.1"),
        option("scorer_5", 5, range(1, 6), "10.1"),
        option("equal_places", SHARED, EQUAL_PLACES, "8.5"),
        option("deduction_most", 0, range(1000), "9.5"),
        option("appeal_minutes", 0, range(10081), "8.5"),
        option("dealing", "5x2", ("5x2", "2x5", "3-4-3"), "3.3"),
        option("trumpfschwach_dealer", "same", ("same", "next"), "4.1"),
        option("trumpfschwach_trumps", 3, range(11), "4.1"),
        option("klaerung_tricks", 3, range(1, 11), "4.2.1"),
        option("leader_in_solo", "forehand", ("forehand", "soloist"), "5.1"),
        option("second_ht", "highest_trump", ("highest_trump", "any_trump", "never"), "5.3"),
        option("words_back", "next", ("next", "trick", "never"), "4.1"),
        option("tell_augen", False, (False, True), "9.1"),
        option("tell_tricks", False, (False, True), "5.3"),
        option("tell_sides", False, (False, True), "2.4.1"),
        option("look_back", False, (False, True), "5.3"),
        *(
            option(name, limit, range(1, 11), "6.4" if number else "6.3")
            for number, (name, limit) in enumerate(zip(LIMITS, _LIMITS, strict=True))
        ),
        option("reply_cards", _REPLY, range(10), "6.5"),
        option("duty_call_augen", 30, range(1, 45), "6.3.1"),
        option("duty_call_in_hochzeit", "klaerungsstich", ("klaerungsstich", "first_trick", "none"), "6.3.1"),
        option("duty_call_falls_away", True, (True, False), "6.3.1"),
        option("duty_call_until", "limit", ("limit", "next_card"), "6.3.1"),
        option("win_points", 121, range(91, 151), "7.1"),
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
        option("minor_penalty", 3, range(0, 100, 3), "7.3"),
        option("minor_penalty_opponent", 3, range(100), "7.3"),
        option("serious_penalty", 0, (0, 15, 21), "7.3"),
    ),
    contradictions=(descending("6.4", LIMITS),),
)
