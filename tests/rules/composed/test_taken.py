"""What a rule taken from another book changes: what is told of it and its options, cited as that book has it."""

from collections.abc import Iterator
from functools import cache

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.points import POINTS, book_of, fitting, shipped
from kiosk.rules.composed.schafkopf import POINTS as SCHAFKOPF
from kiosk.rules.describe import describe
from kiosk.rules.describe.told import tell
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.known import option
from kiosk.rules.options.option import Value
from tests.rules.composed.books import made

#: Point → the facts that its choices change, and the options; upon eppstein and schnittchen, or schaffkopf.
CHANGES = {
    "asking": ("shown", ""),
    "hochzeit": ("face_down hochzeit_alone klaerung named_hochzeit shown", "klaerung_tricks"),
    "equal_cards": ("equal_cards hochzeit normal trumpfsolo", "second_ht"),
    "schweinchen": ("raised_schweinchen", "hyperschweinchen schweinchen_in_solo schweinchen_until"),
    "discards": ("clear_by", ""),
    "after_time": ("redeals_after_time", ""),
    "taking_back": ("take_back", ""),
    "calls": (
        "bock_by early hochzeit_shift leaving_out needs_call repeated reply shown until_bock until_keine30 "
        "until_keine60 until_keine90 until_kontra until_re until_schwarz value_bock",
        "all_until bock_by factor_bock leaving_out_steps limit_ansage limit_keine30 limit_keine60 limit_keine90 "
        "limit_schwarz others_until re_until reply_cards until_card",
    ),
    "duty_call": (
        "duty_falls_away duty_in_hochzeit must_announce shown",
        "duty_call_augen duty_call_falls_away duty_call_in_hochzeit duty_call_until",
    ),
    "solo_lead": ("leads_pflichtsolo leads_solo", ""),
    "same_dealer": ("same_dealer", "same_dealer_after_solo"),
    "pflichtsoli": ("duties leads_pflichtsolo rank same_dealer", "pflichtsoli"),
    "shortening": ("shorten", ""),
    "winner": (
        "bound needed_kontra_keine30 needed_kontra_keine60 needed_kontra_keine90 needed_only_kontra "
        "needed_re_keine30 needed_re_keine60 needed_re_keine90",
        "bound_side_must_reach exact_against_absage",
    ),
    "written": (
        "losers_special_points nobody_has_won written written_solo_lost written_solo_won",
        "bonus factor_solo lost_solo_bonus",
    ),
    "list": ("checks columns", ""),
    "bock": (
        "bockrunde value_bockrunde",
        "bock_even bock_herzstich bock_lost_call bock_lost_solo bockrunde factor_bockrunde",
    ),
    "offences": (
        "claim_over clear_by decided decided_falls decided_game decided_opponent minor minor_opponent "
        "partner_may_claim serious serious_euros serious_euros_soloist serious_game serious_opponent",
        "minor_penalty minor_penalty_opponent revoke_euros revoke_to_soloist revoke_to_soloist_after_one "
        "revoke_to_soloist_after_two serious_penalty serious_penalty_opponent serious_penalty_step",
    ),
    "coming_late": (
        "late_fine",
        "late_euros late_euros_fourth late_euros_second late_euros_third late_from late_from_fourth "
        "late_from_second late_from_third",
    ),
    "standing": ("standing trophies", ""),
}
OF_SCHAFKOPF = {
    "nobody_plays": (
        "davonlaufen_king davonlaufen_ten muss named_muss nobody_plays ramsch rank schneider_muss shown value_muss",
        "davonlaufen_king davonlaufen_ten durchmarsch factor_jungfrau ramsch_equal value_durchmarsch value_muss "
        "value_ramsch",
    ),
    "bidding": ("least", ""),
    "leave": ("leave", "lost_alleinspiele"),
    "calls": (
        "early hochzeit_shift leaving_out needs_call repeated reply until_kontra until_re words",
        "factor_re_kontra others_until",
    ),
    "klopfen": ("", "factor_klopfen klopfen_most"),
    "bock": ("", "bock_even bock_herz_solo bock_lost_call bock_lost_solo bockrunde factor_bockrunde"),
}
#: What is told otherwise because of another rule than its own, and stays cited as it was.
CITED_AS_BEFORE = {
    "equal_cards": "hochzeit normal trumpfsolo",
    "solo_lead": "leads_pflichtsolo",
    "pflichtsoli": "rank same_dealer",
    "winner": "bound needed_only_kontra",
    "written": "nobody_has_won",
    "offences": "clear_by",
    "nobody_plays": "rank",
}

Told = dict[str, tuple[str, str]]


def told(book: RuleBook) -> Told:
    return {fact.key: (tell(fact.value, "de"), fact.section) for part in describe(book) for fact in part.facts}


@cache
def told_of(name: str) -> Told:
    return told(shipped(name))


def taken(point: str, bases: tuple[str, ...]) -> Iterator[tuple[str, str, RuleBook, RuleBook | None]]:
    """Each choice that a base has not, as far as it goes alone: base, choice, the book, and the one it is from."""
    points = SCHAFKOPF if "schaffkopf" in bases else POINTS
    for chosen, choice in points[point].choices.items():
        for base in bases:
            if base in choice.of and not (point == "bidding" and chosen == "free"):
                continue
            try:
                yield base, chosen, made(base, rules={point: chosen}), book_of(choice, shipped(base).hand_size)
            except BadBook as error:
                assert error.with_key, (chosen, error)


@pytest.mark.parametrize("point", [*POINTS, *(f"schaffkopf {name}" for name in SCHAFKOPF)])
def test_what_a_rule_changes(point: str) -> None:
    of, _, name = point.rpartition(" ")
    bases = (of,) if of else ("eppstein", "schnittchen")
    changed, options = set[str](), set[str]()
    for base, chosen, book, source in taken(name, bases):
        found, before = told(book), told_of(base)
        other = {key for key in found.keys() | before.keys() if found.get(key) != before.get(key)}
        for key in other & found.keys() - set(CITED_AS_BEFORE.get(name, "").split()):
            theirs = told_of(source.name).get(key, ("", ""))[1] if source else ""
            assert found[key][1] == theirs, (base, chosen, key)
        changed |= other
        options |= {one.name for one in book.options} ^ {one.name for one in BOOKS[base].options}
    facts, read = (OF_SCHAFKOPF if of else CHANGES)[name]
    assert (changed, options) == (set(facts.split()), set(read.split()))


#: Options that a club's choice brings and no shipped book has: what they are where the club says nothing, and may be.
OWN: dict[tuple[str, str, str], dict[str, tuple[Value, tuple[Value, ...]]]] = {
    ("bsv", "schweinchen", "both_in_one_hand"): {
        "schweinchen_until": ("first_card", ("first_card", "first_of_both")),
        "schweinchen_in_solo": (False, (False, True)),
        "hyperschweinchen": ("none", ("none", "K", "T")),
    },
    ("ddv", "schweinchen", "both_in_one_hand"): {"hyperschweinchen": ("none", ("none", "9", "K", "T"))},
    ("bsv", "bock", "rounds"): {
        "bockrunde": ("table", ("table", "four", "none")),
        "bock_herzstich": (True, (True, False)),
        "bock_even": (False, (False, True)),
        "bock_lost_call": (False, (False, True)),
        "bock_lost_solo": (False, (False, True)),
        "factor_bockrunde": (2, tuple(range(1, 10))),
    },
    ("schaffkopf", "bock", "rounds"): {
        "bockrunde": ("four", ("four", "table", "none")),
        "bock_even": (False, (False, True)),
        "bock_lost_call": (False, (False, True)),
        "bock_lost_solo": (True, (True, False)),
        "bock_herz_solo": (False, (False, True)),
        "factor_bockrunde": (2, tuple(range(1, 10))),
    },
    ("schaffkopf", "calls", "kontra_re"): {
        "others_until": (5, tuple(range(1, 33))),
        "factor_re_kontra": (2, tuple(range(1, 10))),
    },
    ("schaffkopf", "klopfen", "before_the_asking"): {
        "klopfen_most": (4, (1, 2, 3, 4)),
        "factor_klopfen": (2, tuple(range(1, 10))),
    },
    ("schaffkopf", "nobody_plays", "ramsch"): {
        "value_ramsch": (1, tuple(range(1, 1001))),
        "ramsch_equal": ("tricks", ("tricks", "last_trick", "all")),
        "factor_jungfrau": (2, tuple(range(1, 10))),
        "durchmarsch": (True, (True, False)),
        "value_durchmarsch": (3, tuple(range(1, 1001))),
    },
}


@pytest.mark.parametrize("where", OWN, ids=" ".join)
def test_options_that_no_shipped_book_has(where: tuple[str, str, str]) -> None:
    base, point, chosen = where
    book = made(base, rules={point: chosen})
    for name, (default, values) in OWN[where].items():
        found = book.option(name)
        assert (found.default, tuple(found.values), found.section) == (default, values, "")


@pytest.mark.parametrize(
    ("name", "default", "hand", "of", "wanted"),
    [
        ("limit_ansage", 8, 12, 10, (10, range(1, 13))),
        ("limit_ansage", 10, 10, 12, (8, range(1, 9))),
        ("limit_schwarz", 1, 10, 12, (1, range(1, 9))),
        ("klaerung_tricks", 3, 10, 12, (3, range(1, 9))),
        ("reply_cards", 1, 12, 10, (1, range(1, 13))),
        ("reply_cards", 10, 10, 12, (8, range(1, 9))),
        ("until_card", 10, 10, 12, (10, range(1, 11))),
        ("limit_ansage", 8, 10, 10, (8, range(1, 11))),
    ],
    ids=[
        "more cards", "fewer", "not below the least", "tricks are as many", "cards of a reply", "not above the most",
        "what counts no cards of a hand", "as many cards",
    ],
)  # fmt: skip
def test_limits_move_with_the_cards_of_a_hand(name: str, default: int, hand: int, of: int, wanted: object) -> None:
    found = fitting(option(name, default, range(1, 11), "1"), hand, of)
    assert (found.default, found.values) == wanted and found.section == "1"


def test_a_choice_of_several_books_is_that_of_the_one_with_as_many_cards() -> None:
    choice = POINTS["asking"].choices["in_turn"]
    for hand_size, name in ((10, "bsv"), (12, "eppstein"), (8, "eppstein")):
        book = book_of(choice, hand_size)
        assert book is not None and book.name == name
    assert book_of(POINTS["bock"].choices["none"], 10) is None
