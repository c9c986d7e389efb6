"""Define the book of the 1. Schaffkopfverein München. Beside every value stands its section in the book."""

from types import MappingProxyType

from kiosk.rules.books import schaffkopf, schafkopf_scoring
from kiosk.rules.books.schaffkopf_list import plus_and_minus
from kiosk.rules.engine import called_card
from kiosk.rules.engine.announcements import CallRules
from kiosk.rules.engine.book import Kind, RuleBook, Seating
from kiosk.rules.engine.cards import BAVARIAN_SUITS, Card, deck
from kiosk.rules.engine.contract import Contract, contract
from kiosk.rules.engine.scoring import write_plus_minus
from kiosk.rules.engine.standings import ALLEINSPIELE_WON, GAMES_WON, POINTS, StandingRule
from kiosk.rules.options.known import option
from kiosk.rules.options.option import Option

_DECK_32 = deck(BAVARIAN_SUITS, "ATKOU987", 1)
_OBER = tuple(suit + "O" for suit in BAVARIAN_SUITS)
_UNTER = tuple(suit + "U" for suit in BAVARIAN_SUITS)
_CALLABLE = tuple(suit + rank for rank in "ATK" for suit in schaffkopf.CALLED_SUITS)


def contract_32(game: str, trumps: tuple[Card, ...], plain_ranks: str, solo: bool, suit: str | None = None) -> Contract:
    """Make a contract with the 32 cards; of a Rufspiel or Muss-Spiel the called card is set with the declaration."""
    return contract(
        game=game, suit=suit, solo=solo, re_card=None, trumps=trumps, plain_ranks=plain_ranks, deck=_DECK_32
    )


def _with_suit(game: str, suit: str, solo: bool) -> Contract:
    trumps = (*_OBER, *_UNTER, *(suit + rank for rank in "ATK987"))
    return contract_32(game, trumps, "ATK987OU", solo, suit if solo else None)


_CONTRACTS: dict[tuple[str, str | None], Contract] = {
    ("sie", None): contract_32("sie", (*_OBER, *_UNTER), "ATK987OU", solo=True),  # II 4.1.1
    **{("solo-tout", suit): _with_suit("solo-tout", suit, solo=True) for suit in BAVARIAN_SUITS},  # II 4.1.2
    ("wenz-tout", None): contract_32("wenz-tout", _UNTER, "ATKO987U", solo=True),  # II 4.1.3
    **{("solo", suit): _with_suit("solo", suit, solo=True) for suit in BAVARIAN_SUITS},  # II 4.1.4
    ("wenz", None): contract_32("wenz", _UNTER, "ATKO987U", solo=True),  # II 4.1.5
    ("rufspiel", None): _with_suit("rufspiel", "H", solo=False),  # II 4.1.6
    ("muss", None): _with_suit("muss", "H", solo=False),  # II 4.1.7
}


def alone(game: str, suits: tuple[str, ...], section: str) -> Kind:
    """Make an Alleinspiel for any hand, a Sie for its eight cards; ``section``: of who may play it."""
    classes = schaffkopf.CLASSES
    return Kind(
        game=game,
        solo=False,  # there are no Pflichtsoli
        suits=suits,
        cards=(),
        conditions=(),
        raises=(),
        ends_deal=False,
        played=game != "sie",  # II 4.1.1
        rank=len(classes) - classes.index(game) if game in classes else 1,  # II 2
        allowed=schaffkopf.may_sie if game == "sie" else schaffkopf.any_cards,
        section=section,
    )


def _points(name: str, default: int, section: str) -> Option:
    return option(name, default, range(1, 100), section)


SCHAFFKOPF = RuleBook(
    name="schaffkopf",
    title="Schaffkopf-Turnierordnung des 1. Schaffkopfvereins München e.V.",
    source="3. Auflage, Juli 2006",
    own=None,
    deck=_DECK_32,  # I 2
    hand_size=8,  # II 1.1.3
    tables=(4,),  # I 1.3
    seating=Seating(
        section="III 2.2",
        lot_alone="III 2.4",
        fives_section="",
        substitutes_section="III 1.3",
        court_section="",
    ),
    first_dealer=schaffkopf.first_dealer,  # III 2.3
    scorer=schaffkopf.scorer,  # III 3.1
    duties=schaffkopf.no_pflichtsoli,
    answers=("weiter", "spielen", "recht", "auch"),  # II 2
    wanting=frozenset({"spielen", "auch"}),  # II 2
    finding=schaffkopf.finding,  # II 2.1
    classes=schaffkopf.CLASSES,  # II 2
    bid_fault=schaffkopf.bid_fault,  # II 2.1.3, 2.2
    kinds=(
        alone("sie", (), "II 4.1.1"),
        alone("solo-tout", tuple(BAVARIAN_SUITS), "II 3.1.2"),
        alone("wenz-tout", (), "II 3.1.3"),
        alone("solo", tuple(BAVARIAN_SUITS), "II 3.1.4"),
        alone("wenz", (), "II 3.1.5"),
        Kind(
            game="rufspiel",
            solo=False,
            suits=(),
            cards=_CALLABLE[:3],  # the aces
            conditions=(),
            raises=(),
            ends_deal=False,
            played=True,
            rank=6,
            allowed=schaffkopf.may_call,
            section="II 3.1.6",
        ),
        Kind(
            game="muss",
            solo=False,
            suits=(),
            cards=_CALLABLE,
            conditions=(),
            raises=(),
            ends_deal=False,
            played=True,
            rank=7,
            allowed=schaffkopf.may_muss,
            section="II 3.1.7",
        ),
    ),
    normal=_with_suit("normal", "H", solo=False),  # as long as nothing is named: trumps as in a Muss-Spiel (II 2.1.1)
    contracts=MappingProxyType(_CONTRACTS),
    contract_by=schaffkopf.contract_as_it_is,
    duty_refused=schaffkopf.declaration_refused,  # II 2.1, 2.2, 3.2
    needs_leave=schaffkopf.needs_leave,  # II 2.2
    leader=schaffkopf.leader,  # II 4
    late_answer=schaffkopf.late_answer,  # II 2, 2.2
    answer_section="II 2.2",
    second_wins=schaffkopf.second_wins,
    equal_order=schaffkopf.as_laid,
    face_down=schaffkopf.face_down,
    covering_needs_none=schaffkopf.no_card,
    covering_section="I 3.2",
    retractable=schaffkopf.last_laid,  # II 4.2.3
    beyond_suit=called_card.beyond_suit,  # II 4.1.6, 4.1.7
    shown_sides=None,
    klaerung=schaffkopf.no_klaerung,
    turn_sections=MappingProxyType({"first_lead": "II 4.2.3", "lead": "II 4.2.3", "follow": "II 4.2.3"}),
    revoke_section="II 4.2.5",  # the called card's rules belong to it
    card_sections=MappingProxyType({"card_not_held": "II 4.2.7", "impossible_card": "I 2.1"}),
    calls=CallRules(
        words=(),  # II 5.2: no Contra, no Re
        counted="hand",
        left=schaffkopf.no_time,
        reply_left=None,
        silent=schaffkopf.always_silent,  # II 5.2
        bock_left=None,
        bock_by_first=False,
        absage_needs_call=False,
        leaving_out=False,
        repeated_raises=False,
        repeated_offends=frozenset(),
        sections=MappingProxyType({}),
    ),
    calls_by=schaffkopf.calls_as_they_are,
    must_announce=None,
    may_claim=schaffkopf.anybody,  # II 4.2.1
    claimant_takes_with_any=False,  # II 4.2.1: what he leads he explains
    winner=schafkopf_scoring.winner,  # II 5.1
    scoring=(schafkopf_scoring.base, schafkopf_scoring.schneider_schwarz),  # II 5.2
    write=write_plus_minus,  # II 5.2
    rulings=MappingProxyType({"serious": "II 4.2"}),
    penalties=MappingProxyType({}),  # the direction's, by custom rulings (III 1.2)
    payments=MappingProxyType({}),
    scored_rulings=frozenset({"serious", "decided"}),  # II 4.2.1 to 4.2.5
    falls_from=schaffkopf.falls_from,  # II 4.2
    standing_ruling=schaffkopf.standing_ruling,  # II 4.2.6
    repeated=schaffkopf.repeated,  # II 4.2.6
    counts_when_ended=schaffkopf.always_counts,  # III 1.2
    partner_may_claim=True,  # II 4.2.5: whoever finds it
    claim_lost_by=schaffkopf.never_lost,  # II 4.2.5
    same_dealer=schaffkopf.next_deals,  # II 1
    thrown_in_same_dealer=schaffkopf.same_dealer_always,  # II 1
    redeals_after_time=True,
    bock_games=schaffkopf.no_bockrunde,
    standing=StandingRule(
        measures=(POINTS, GAMES_WON, ALLEINSPIELE_WON), lot=True, all_rounds=True, trophies=(), section="III 2.6"
    ),
    late_fine=None,
    berichtigung=MappingProxyType(
        {
            "points": "III 1.2",
            "strike": "III 3.1",
            "row": "III 3.1",
            "seats": "III 2.2",
            "name": "III 3.1",
            "penalty": "III 1.2",
            "disqualified": "III 1.2",
            "reopen": "III 3.1",
        }
    ),
    columns=plus_and_minus,  # III 3.2
    sections=MappingProxyType(
        {
            "release": "",
            "led_up": "",
            "rest": "",
            "claim": "II 4.2.5",
            "claim_over": "",
            "shorten": "II 4.2.1",
            "take_back": "II 4.2.3",
            "void_count": "II 1.1.3",
            "void_shown": "II 1.1.3",
            "void_dealer": "II 1",
        }
    ),
    fact_sections=MappingProxyType(
        {
            "deck": "I 2",
            "augen": "I 2.2",
            "tables": "I 1.3",
            "same_dealer": "II 1",
            "game_sie": "II 4.1.1",
            "game_solo-tout": "II 4.1.2",
            "game_wenz-tout": "II 4.1.3",
            "game_solo": "II 4.1.4",
            "game_wenz": "II 4.1.5",
            "game_rufspiel": "II 4.1.6",
            "game_muss": "II 4.1.7",
            "answers": "II 2",
            "rank": "II 2",
            "least": "II 2",
            "leader_in_solo": "II 4",
            "words": "II 5.2",
            "schneider_solo": "II 5.1.2",
            "schneider_muss": "II 5.1.3",
            "written": "II 5.2",
            "written_solo_won": "II 5.2",
            "written_solo_lost": "II 5.2",
            "columns": "III 3.2",
        }
    ),
    sentences=MappingProxyType(
        {
            "I 3.2": "face_up",
            "II 4.2.3": "clockwise",
            "II 4.2.7": "card_not_held",
        }
    ),
    options=(
        option("rounds", 2, range(1, 100), "III 2"),
        option("games", 32, range(1, 201), "III 2"),
        option("minutes", 0, range(1000), "III 2.3"),
        option("break_stops_clock", False, (False, True), "III 2.3"),
        option("first_dealer", 1, range(1, 5), "III 2.3"),
        option("scorer", 1, range(1, 5), "III 3.1"),
        option("deduction_most", 999, range(1000), "III 1.2"),
        option("appeal_minutes", 0, range(10081), "III 2.6"),
        option("dealing", "4x2", ("4x2", "2x4"), "II 1.1.3"),
        option("lost_alleinspiele", 3, range(1, 101), "II 2.2"),
        option("words_back", "never", ("never", "next"), "II 2.2"),
        option("tell_augen", False, (False, True), "II 4.2.4"),
        option("tell_tricks", False, (False, True), "II 4.2.4"),
        option("tell_sides", True, (True, False), "II 4.2.4"),
        option("look_back", False, (False, True), "II 4.2.2"),
        option("after_davonlaufen", "free", ("free", "lay_only"), "II 4.1.6"),
        option("unlawful_davonlaufen_frees", True, (True, False), "II 4.1.6"),
        option("davonlaufen_ace", 4, range(2, 7), "II 4.1.6"),
        option("davonlaufen_ten", 4, range(2, 7), "II 4.1.7"),
        option("davonlaufen_king", 3, range(2, 7), "II 4.1.7"),
        option("win_points", 61, range(2, 121), "II 5.1.2"),
        option("schneider_points", 30, range(1, 60), "II 5.1.2"),
        _points("value_schneider", 1, "II 5.1.2"),
        _points("value_schwarz", 1, "II 5.1.2"),
        _points("value_sie", 12, "II 5.2"),
        _points("value_tout", 6, "II 5.2"),
        _points("value_solo", 3, "II 5.2"),
        _points("value_wenz", 3, "II 5.2"),
        _points("value_rufspiel", 1, "II 5.2"),
        _points("value_muss", 1, "II 4.1.7"),
        option("revoke_in_time", "next_card", ("next_card", "fourth_card"), "II 4.2.5"),
    ),
    contradictions=(),
)
