"""Offer the rules of Doppelkopf that the engine has, point by point, to choose from by name.

A choice takes the fields, options and sections of one point from the book that has it so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from kiosk.rules.books import BOOKS
from kiosk.rules.books.doppelkopf import (
    LIMITS,
    bock_games_by_events,
    contract_as_it_is,
    follow_suit_only,
    forehand,
    last_laid,
    never_late,
    no_bockrunde,
    no_duty,
    no_pflichtsoli,
    nobody_claims,
    soloist_leads,
)
from kiosk.rules.composed.quoting import quoted
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import Card
from kiosk.rules.options.known import option
from kiosk.rules.options.option import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One way to have a point: that of a book, or what stands here."""

    of: tuple[str, ...] = ()  # books that have it so; the first one with as many cards in a hand, else the first
    fields: Mapping[str, Any] = field(default_factory=dict)  # beside or instead of a book's
    options: tuple[Option, ...] = ()  # beside a book's


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point on which clubs differ."""

    fields: tuple[str, ...]  # of the row
    options: tuple[str, ...] = ()  # that its functions read
    sections: tuple[str, ...] = ()  # keys of ``RuleBook.sections`` and ``fact_sections`` that are about it
    choices: Mapping[str, Choice]


_TABLE = ("re_until", "others_until", "all_until", "until_card", "bock_by")
_DUTY = ("duty_call_augen", "duty_call_in_hochzeit", "duty_call_falls_away", "duty_call_until")
_REVOKE = ("revoke_euros", "revoke_to_soloist", "revoke_to_soloist_after_one", "revoke_to_soloist_after_two")
_PENALTIES = (
    *("minor_penalty", "minor_penalty_opponent"),
    *("serious_penalty", "serious_penalty_opponent", "serious_penalty_step"),
)
LATE_FROM = ("late_from", "late_from_second", "late_from_third", "late_from_fourth")
LATE_EUROS = ("late_euros", "late_euros_second", "late_euros_third", "late_euros_fourth")

POINTS: Mapping[str, Point] = {
    "asking": Point(
        fields=("late_answer", "answer_section"),
        choices={
            "in_turn": Choice(of=("eppstein", "bsv")),
            "any_time": Choice(of=("schnittchen",), fields={"late_answer": never_late}),
        },
    ),
    "hochzeit": Point(
        fields=("klaerung", "face_down", "covering_needs_none", "covering_section"),
        options=("klaerung_tricks",),
        sections=("klaerung",),
        choices={
            "first_of_another": Choice(of=("bsv",)),
            "named": Choice(of=("eppstein",)),
            "first_plain": Choice(of=("durchgaenge",)),
            "first_plain_or_alone": Choice(of=("schnittchen",)),
        },
    ),
    "equal_cards": Point(
        fields=("second_wins", "equal_order"),
        options=("second_ht",),
        sections=("equal_cards",),
        choices={"by_laying": Choice(of=("eppstein",)), "by_seats": Choice(of=("bsv",))},
    ),
    "schweinchen": Point(
        fields=(),
        options=("schweinchen_until", "schweinchen_in_solo", "hyperschweinchen"),
        choices={
            "none": Choice(of=("bsv", "eppstein", "ddv", "durchgaenge", "schnittchen")),
            "both_in_one_hand": Choice(
                options=(
                    option("schweinchen_until", "first_card", ("first_card", "first_of_both"), ""),
                    option("schweinchen_in_solo", False, (False, True), ""),
                    option("hyperschweinchen", "none", ("none", "9", "K", "T"), ""),
                ),
            ),
        },
    ),
    "discards": Point(
        fields=("shown_sides",),
        sections=("shown_sides",),
        choices={"tell_nothing": Choice(fields={"shown_sides": None}), "tell_kontra": Choice(of=("ddv",))},
    ),
    "after_time": Point(
        fields=("redeals_after_time",),
        sections=("redeals_after_time",),
        choices={"dealt_again": Choice(of=("eppstein",)), "not_dealt_again": Choice(of=("ddv",))},
    ),
    "taking_back": Point(
        fields=("retractable",),
        sections=("take_back",),
        choices={
            "last_card": Choice(of=("eppstein", "bsv"), fields={"retractable": last_laid}),
            "open_trick": Choice(of=("durchgaenge",)),
        },
    ),
    "calls": Point(
        fields=("calls", "calls_by"),
        options=(*LIMITS, "reply_cards", *_TABLE, "leaving_out_steps"),
        sections=("hochzeit_shift",),
        choices={
            "by_hand": Choice(of=("bsv", "eppstein")),
            "by_hand_raising": Choice(of=("eppstein",)),
            "by_table": Choice(of=("schnittchen",)),
            "two_windows": Choice(of=("durchgaenge",)),
        },
    ),
    "duty_call": Point(
        fields=("must_announce",),
        options=_DUTY,
        choices={
            "none": Choice(fields={"must_announce": None}),
            "rich_first_trick": Choice(of=("bsv",)),
            "first_trick": Choice(of=("durchgaenge",)),
        },
    ),
    "solo_lead": Point(
        fields=("leader",),
        options=("leader_in_solo",),
        sections=("leader_in_solo", "leader_in_pflichtsolo"),
        choices={
            "forehand": Choice(of=("durchgaenge",), fields={"leader": forehand}),
            "soloist": Choice(of=("schnittchen",), fields={"leader": soloist_leads}),
            "soloist_of_pflichtsolo": Choice(of=("ddv",)),
        },
    ),
    "same_dealer": Point(
        fields=("same_dealer",),
        options=("same_dealer_after_solo",),
        sections=("same_dealer",),
        choices={
            "never": Choice(of=("bsv",)),
            "after_pflichtsolo": Choice(of=("eppstein",)),
            "after_solo": Choice(of=("schnittchen",)),
        },
    ),
    "pflichtsoli": Point(
        fields=("duties", "duty_refused"),
        options=("pflichtsoli",),
        sections=("led_up",),
        choices={
            "none": Choice(of=("bsv",), fields={"duties": no_pflichtsoli, "duty_refused": no_duty}),
            "each_player": Choice(of=("eppstein",)),
        },
    ),
    "shortening": Point(
        fields=("may_claim",),
        sections=("shorten",),
        choices={
            "never": Choice(of=("schnittchen",), fields={"may_claim": nobody_claims}),
            "soloist_concedes": Choice(of=("bsv",)),
            "soloist": Choice(of=("eppstein",)),
        },
    ),
    "winner": Point(
        fields=("winner",),
        options=("bound_side_must_reach", "exact_against_absage"),
        choices={
            "own_absage_binds": Choice(of=("schnittchen", "bsv")),
            "own_absage_binds_or_not": Choice(of=("eppstein",)),
            "re_needs_more": Choice(of=("durchgaenge",)),
        },
    ),
    "written": Point(
        fields=("write",),
        options=("factor_solo", "bonus", "lost_solo_bonus"),
        sections=("written", "written_solo_won", "written_solo_lost"),
        choices={
            "plus": Choice(of=("eppstein",)),
            "plus_minus": Choice(of=("schnittchen", "bsv")),
            "plus_with_bonus": Choice(of=("durchgaenge",)),
        },
    ),
    "list": Point(
        fields=("columns",),
        sections=("columns",),
        choices={
            "plus": Choice(of=("eppstein",)),
            "plus_minus": Choice(of=("durchgaenge",)),
            "plus_minus_winners": Choice(of=("bsv",)),
            "plus_minus_places": Choice(of=("schnittchen",)),
        },
    ),
    "bock": Point(
        fields=("bock_games",),
        options=("bockrunde", "bock_herzstich", "bock_even", "bock_lost_call", "bock_lost_solo", "factor_bockrunde"),
        choices={
            "none": Choice(fields={"bock_games": no_bockrunde}),
            "rounds": Choice(
                fields={"bock_games": bock_games_by_events},
                options=(
                    option("bockrunde", "table", ("table", "four", "none"), ""),
                    option("bock_herzstich", True, (True, False), ""),
                    option("bock_even", False, (False, True), ""),
                    option("bock_lost_call", False, (False, True), ""),
                    option("bock_lost_solo", False, (False, True), ""),
                    option("factor_bockrunde", 2, range(1, 10), ""),
                ),
            ),
        },
    ),
    "offences": Point(
        fields=(
            *("rulings", "penalties", "payments", "scored_rulings", "falls_from", "standing_ruling", "repeated"),
            *("counts_when_ended", "partner_may_claim", "claim_lost_by"),
        ),
        options=(*_PENALTIES, *_REVOKE),
        sections=("claim", "claim_over", "rest"),
        choices={
            "points": Choice(of=("eppstein",)),
            "points_by_referee": Choice(of=("bsv",)),
            "serious_alone": Choice(of=("durchgaenge",)),
            "euros": Choice(of=("schnittchen",)),
        },
    ),
    "coming_late": Point(
        fields=("late_fine",),
        options=(*LATE_FROM, *LATE_EUROS),
        choices={"free": Choice(fields={"late_fine": None}), "euros": Choice(of=("schnittchen",))},
    ),
    "standing": Point(
        fields=("standing",),
        choices={"points": Choice(of=("bsv",)), "day_and_year": Choice(of=("schnittchen",))},
    ),
}

#: What no club's book of Doppelkopf changes: who must follow, and who may lay what.
ALWAYS: Mapping[str, Any] = {"beyond_suit": follow_suit_only, "contract_by": contract_as_it_is}


@cache
def shipped(name: str) -> RuleBook:
    """Return one of the program's own books, its sections as they are cited.

    :raises KeyError: there is none of that name.
    """
    return quoted(BOOKS[name])


def book_of(choice: Choice, hand_size: int) -> RuleBook | None:
    """Return the book from which a choice is taken, for hands of that size; None: from none."""
    books = [shipped(name) for name in choice.of]
    return next((book for book in books if book.hand_size == hand_size), books[0] if books else None)


def options_of(point: Point, choice: Choice, hand_size: int) -> Sequence[Option]:
    """List the options that a choice brings, for hands of that size."""
    book = book_of(choice, hand_size)
    found = [one for one in book.options if one.name in point.options] if book else []
    return [*(fitting(one, hand_size, book.hand_size) if book else one for one in found), *choice.options]


def of_deck(option: Option, deck: Sequence[Card]) -> Option:
    """Return an option whose values are ranks, without those that no card of the deck has."""
    if option.name != "hyperschweinchen":
        return option
    return replace(option, values=tuple(one for one in option.values if one == "none" or f"D{one}" in deck))


#: Options that count cards of a hand or tricks of a game.
_COUNTED = (*LIMITS, "reply_cards", "klaerung_tricks")


def fitting(option: Option, hand_size: int, of: int) -> Option:
    """Return an option for hands of another size than those of its book: limits move with it."""
    if option.name not in _COUNTED or hand_size == of or not isinstance(option.values, range):
        return option
    values = range(option.values.start, option.values.stop + hand_size - of)
    moved = int(option.default) + (hand_size - of if option.name in LIMITS else 0)
    return replace(option, values=values, default=min(max(moved, values[0]), values[-1]))
