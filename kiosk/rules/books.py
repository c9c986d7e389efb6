"""The rule books, side by side. Beside every value stands its section in the book."""

from types import MappingProxyType

from kiosk.rules import eppstein
from kiosk.rules.announcements import CallRules, by_cards_in_hand, reply_by_cards_in_hand
from kiosk.rules.book import Kind, Option, RuleBook
from kiosk.rules.cards import FRENCH_SUITS, deck
from kiosk.rules.contract import Contract, contract
from kiosk.rules.listing import plus_points
from kiosk.rules.scoring import (
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

_QUEENS = ("CQ", "SQ", "HQ", "DQ")
_JACKS = ("CJ", "SJ", "HJ", "DJ")
_NORMAL_TRUMPS = ("HT", *_QUEENS, *_JACKS, "DA", "DT", "DK", "D9")  # eppstein 1.3.4
_DECK_48 = deck(FRENCH_SUITS, "ATKQJ9", 2)
_EPPSTEIN_LIMITS = (11, 10, 9, 8, 7)  # 5.2.2, 5.3.4: Re/Kontra, keine 90, 60, 30, schwarz


def _eppstein(game: str, trumps: tuple[str, ...], suit: str | None = None, re_card: str | None = None) -> Contract:
    """A contract with the 48 cards; ``re_card`` only where it is no solo."""
    return contract(
        game=game,
        suit=suit,
        solo=game not in ("normal", "hochzeit"),
        re_card=re_card,
        trumps=trumps,
        plain_ranks="ATKQJ9",  # 1.3.4 b to 1.3.9
        deck=_DECK_48,
    )


_EPPSTEIN_CONTRACTS: dict[tuple[str, str | None], Contract] = {
    ("hochzeit", None): _eppstein("hochzeit", _NORMAL_TRUMPS),  # 3.5.3
    ("trumpfsolo", None): _eppstein("trumpfsolo", _NORMAL_TRUMPS),  # 1.3.5
    ("damensolo", None): _eppstein("damensolo", _QUEENS),  # 1.3.6
    ("bubensolo", None): _eppstein("bubensolo", _JACKS),  # 1.3.7
    ("fleischlos", None): _eppstein("fleischlos", ()),  # 1.3.9
    **{
        ("farbsolo", suit): _eppstein("farbsolo", tuple(suit + rank for rank in "ATKQJ9"), suit)
        for suit in FRENCH_SUITS  # 1.3.8: only the twelve cards of the suit
    },
}


def _solo(game: str, suits: tuple[str, ...] = ()) -> Kind:
    return Kind(
        game=game,
        solo=True,
        suits=suits,
        cards=(),
        conditions=(),
        ends_deal=False,
        played=True,
        rank=2,  # 3.1.5: a Lustsolo; as Pflichtsolo it goes before all
        allowed=eppstein.any_cards,  # 3.2.1, 3.3.1
        section="3.3.1",
    )


EPPSTEIN = RuleBook(
    name="eppstein",
    title="Doppelkopf-Turnierregeln der Schachvereinigung 1932 Eppstein im Taunus e.V.",
    source="30.11.2001, in force from 01.12.2001",
    deck=_DECK_48,  # 1.2.1
    hand_size=12,  # 2.2.6
    packets=(3, 3, 3, 3),  # 2.2.6
    games=MappingProxyType({4: 16, 5: 20}),  # 7.4.1
    minutes=MappingProxyType({4: 120, 5: 120}),  # 7.4.1
    first_dealer=eppstein.first_dealer,  # 2.2.1, 7.3.1
    scorer=MappingProxyType({4: 4, 5: 5}),  # 6.3.1
    duties=1,  # 7.5.1
    answers=("gesund", "vorbehalt"),  # 3.1.2
    wanting=frozenset({"vorbehalt"}),  # 3.1.2
    finding=eppstein.finding,  # 3.1.1
    classes=(),
    bid_fault=eppstein.no_bidding,
    kinds=(
        _solo("trumpfsolo"),  # 1.3.5
        _solo("damensolo"),  # 1.3.6
        _solo("bubensolo"),  # 1.3.7
        _solo("farbsolo", tuple(FRENCH_SUITS)),  # 1.3.8
        _solo("fleischlos"),  # 1.3.9
        Kind(
            game="schmeissen",
            solo=False,
            suits=(),
            cards=(),
            conditions=(),
            ends_deal=True,  # 3.4.3
            played=True,
            rank=3,  # 3.1.5
            allowed=eppstein.may_throw_in,
            section="3.4.2",
        ),
        Kind(
            game="hochzeit",
            solo=False,
            suits=(),
            cards=(),
            conditions=("first", "plain", "trump"),  # 3.5.3 a
            ends_deal=False,
            played=True,
            rank=4,  # 3.1.5; with several Vorbehalte never (3.1.6)
            allowed=eppstein.may_marry,
            section="3.5.1",
        ),
    ),
    normal=_eppstein("normal", _NORMAL_TRUMPS, re_card="CQ"),  # 1.3.4, 1.4.4
    contracts=MappingProxyType(_EPPSTEIN_CONTRACTS),
    duty_refused=eppstein.declaration_refused,  # 3.2.3, 3.3.1
    needs_leave=None,
    leader=eppstein.leader,  # 4.1.1, 3.2.2, 3.3.1
    late_answer=eppstein.late_answer,  # 3.1.2
    answer_section="3.1.2",
    second_wins=eppstein.second_wins,  # 4.4.2
    equal_order=eppstein.by_laying,  # 4.4.2
    face_down=eppstein.face_down,  # 4.2.1
    retractable=eppstein.last_laid,  # 4.2.5
    beyond_suit=eppstein.follow_suit_only,  # 4.2.3
    klaerung=eppstein.klaerung,  # 3.5.3
    turn_sections=MappingProxyType({"first_lead": "4.1.1", "lead": "4.1.2", "follow": "4.2.7"}),
    revoke_section="4.2.4",
    card_sections=MappingProxyType({"card_not_held": "5.4.1", "impossible_card": "1.2.1"}),
    calls=CallRules(
        words=("re", "kontra", "keine90", "keine60", "keine30", "schwarz"),  # 5.2.2, 5.3.1
        left=by_cards_in_hand(_EPPSTEIN_LIMITS),
        reply_left=reply_by_cards_in_hand(_EPPSTEIN_LIMITS),  # 5.5.4
        absage_needs_call=False,  # 5.5.3
        leaving_out=True,  # 5.5.3
        repeated_raises=True,  # 5.5.7 b, 5.5.8 b
        repeated_offends=True,  # 5.5.8 a
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
    may_claim=eppstein.only_the_soloist,  # 4.3.2
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
    penalties=MappingProxyType(
        {
            "minor": eppstein.minor,  # 8.4
            "serious": eppstein.serious,  # 8.6.2
            "decided": eppstein.minor,  # 8.5.1
        }
    ),
    scored_rulings=frozenset({"decided"}),  # 8.5.1
    falls_from=eppstein.rest_falls,  # 8.5.1
    standing_ruling=eppstein.last_ruling,  # 8.8.7
    repeated=eppstein.never_repeated,
    counts_when_ended=eppstein.counts_when_ended,  # 8.6.2
    claim_lost_by=eppstein.claim_lost,  # 8.8.3
    same_dealer=eppstein.same_dealer,  # 2.2.1, 3.2.5
    columns=plus_points,  # 6.3.2
    options=(
        Option(
            name="second_ht",
            default="highest_trump",
            values=("highest_trump", "any_trump", "never"),
            section="4.4.2",
            meaning="Where the second Herz 10 beats the first: where it is the highest trump, any trump, or nowhere.",
        ),
        Option(
            name="against_queens_in_solo",
            default=False,
            values=(False, True),
            section="6.2.2",
            meaning="Whether 'gegen die Kreuz Damen' counts in a solo too.",
        ),
        Option(
            name="bound_side_must_reach",
            default=True,
            values=(True, False),
            section="6.1.4",
            meaning="A side bound by its own Absage wins only by reaching it, also against schwarz.",
        ),
        Option(
            name="losers_special_points",
            default="set_off",
            values=("set_off", "ignored", "each_side"),
            section="6.2.3",
            meaning="The losers' special points: set off (a negative rest is the others'), ignored, written to them.",
        ),
    ),
)

#: The books that are filled in, by the protocol's name.
BOOKS: dict[str, RuleBook] = {book.name: book for book in (EPPSTEIN,)}
