"""Define the tournament rules in Durchgänge of twelve games: their own functions, then their row."""

from collections.abc import Sequence
from dataclasses import replace
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
    contract_as_it_is,
    decided_only,
    finding,
    follow_suit_only,
    forehand,
    last_ruling,
    may_marry,
    never_late,
    never_lost,
    never_repeated,
    no_bidding,
    no_bockrunde,
    no_duty,
    no_pflichtsoli,
    nobody_claims,
    rest_falls,
    same_dealer_always,
    scorer,
    second_wins,
    serious_of,
    solo,
)
from kiosk.rules.engine.announcements import KONTRA, LEVEL, RE, CallRules, Left, Moment, Verdict
from kiosk.rules.engine.book import MENDS, Breach, Kind, Klaerung, MustAnnounce, RuleBook, Seating
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import cumulated
from kiosk.rules.engine.scoring import (
    Item,
    Part,
    Tally,
    absagen,
    added_calls,
    bases,
    doppelkopf,
    fuchs,
    last_trick,
    losers_ignored,
    number,
    reached,
    total,
    under,
    won,
)
from kiosk.rules.engine.standings import BY_POINTS, EQUAL_PLACES, SHARED
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import Lapsed, Owed
from kiosk.rules.options.known import option
from kiosk.rules.options.option import Options


def first_dealer(options: Options) -> int:
    """Return the scorer's left neighbour (1b)."""
    return int(options["scorer"]) % 4 + 1


def face_down(game: Game, laid: Laid) -> str:
    """Return the section a card face down breaks, but for a Hochzeiter's trump, no Fuchs, on a plain trick (4b).

    One card at most: with it the trick is another's, so that the partner is found.
    """
    declared, classes = game.declaration, game.contract.classes
    fits = (
        declared is not None
        and not game.contract.solo
        and laid.seat == declared.seat
        and game.klaerung is None
        and bool(game.open_trick)
        and classes[game.open_trick[0].card] != TRUMP
        and classes[laid.card] == TRUMP
        and laid.card != "DA"
    )
    return "" if fits else "4b"


def plain_card(game: Game, card: Card) -> bool:
    """Report whether a card is plain: a player who lays one face down may hold trumps only (4b)."""
    return game.contract.classes[card] != TRUMP


def in_the_open_trick(game: Game, seat: int, card: Card) -> bool:
    """Report whether a card may be taken back: while its trick lies open, a full one until the next card (7a).

    The led card only while it lies alone (docs/protocol.md).
    """
    cards = game.open_trick or game.tricks[-1].cards
    return len(cards) == 1 or cards[0].seat != seat


def klaerung(game: Game) -> Klaerung | None:
    """Settle the Hochzeit: by the first plain-suit trick; the Hochzeiter who takes one with a trump is alone (4a).

    No such trick to the end: he was alone.
    """
    declared, trick, number = game.declaration, game.tricks[-1], len(game.tricks) - 1
    if declared is None:
        return None
    classes = game.contract.classes
    if classes[trick.cards[0].card] != TRUMP:
        if trick.winner != declared.seat:
            return Klaerung(trick=number, partner=trick.winner)
        if classes[trick.winning_card] == TRUMP:
            return Klaerung(trick=number, partner=None)
    return Klaerung(trick=number, partner=None) if len(game.tricks) == game.book.hand_size else None


def two_windows(last: int) -> Left:
    """Make the window of calls: before the first trick, or after it until the 5th card (2c, 2d, 4b).

    ``last``: how many cards may lie; in a Hochzeit only after the Klärungsstich, counted from it on.
    """

    def left(moment: Moment, level: int, side: str) -> int:
        return last + 4 * moment.shift - moment.laid

    return left


def last_to_lie(options: Options) -> int:
    """Return how many cards may lie while a call is in time: until the 5th touches the table (2d)."""
    return int(options["all_until"]) - (options["until_card"] == "touches")


def during_the_first_trick(moment: Moment) -> bool:
    """Report whether nobody may call: during the first trick (2c)."""
    return 0 < moment.laid < 4


def owed(game: Game) -> Owed | None:
    """Find the duty of the first trick's winner to announce by card 5; in a Hochzeit the Klärungsstich's (2c, 4b)."""
    trick = 0
    if game.declaration is not None and not game.contract.solo:
        if game.klaerung is None:
            return None
        trick = game.klaerung.first
    left = max(0, last_to_lie(game.options) - 4) + 4 * (trick + 1) - game.cards_laid
    if len(game.tricks) <= trick or left < 0:
        return None
    return Owed(seat=game.tricks[trick].winner, trick=trick, left=left, counted="table")


def lapses(game: Game, laid: Laid) -> Lapsed | None:
    """Return the duty that lapses with a card: the next one, unless an option gives more (2c, 2d)."""
    duty = owed(game)
    if duty is None or duty.left > 0:
        return None
    return Lapsed(event=laid.event, seat=duty.seat, trick=duty.trick, said=len(game.said))


def met(lapsed: Lapsed, side: str, verdicts: Sequence[Verdict], options: Options) -> bool:
    """Report whether it was met: his own call after the trick, a step above his side's; none after schwarz (2c)."""
    done = 4 * (lapsed.trick + 1)  # cards laid with the trick complete
    had = max((v.level for v in verdicts if v.side == side and v.said.moment.laid < done), default=0)
    return had == 5 or any(
        verdict.said.moment.laid >= done
        and verdict.said.seat == lapsed.seat
        and verdict.side in (side, None)
        and LEVEL[verdict.said.call] > had
        for verdict in verdicts
    )


def winner(tally: Tally) -> str | None:
    """Find the winner: Re needs 121, whatever was announced (6a); against an Absage its Augen are enough (6b)."""
    more = {RE: 0 if tally.options["exact_against_absage"] else 1, KONTRA: 0}
    needed = bases(tally)
    return next((side for side in (RE, KONTRA) if reached(tally, side, needed[side], True, more[side])), None)


def against(tally: Tally) -> Sequence[Item]:
    """Add one point for Kontra's win: Gewinnen die Contra-Spieler (3b)."""
    counts = tally.soloist is None or tally.options["against_queens_in_solo"]
    if tally.winner != KONTRA or not counts:
        return ()
    return (Item("against_queens", number(tally.options, "value_against_queens"), Part.SPECIAL),)


def write(tally: Tally, items: Sequence[Item]) -> dict[int, int]:
    """Write the winners' points and 5 Bonuspunkte (6c); a solo: 3 times and 5, lost 3 times and 15 off (6d)."""
    value = total(items)
    ahead = tally.winner or (RE if value >= 0 else KONTRA)
    options = tally.options
    bonus = number(options, "bonus") if tally.winner else 0
    points = value if tally.winner else abs(value)
    score = {seat: points + bonus if tally.side(seat) == ahead else 0 for seat in tally.seats}
    if tally.soloist is not None:
        if ahead == RE:
            score[tally.soloist] = number(options, "factor_solo") * points + bonus
        elif tally.winner:
            score[tally.soloist] = -(number(options, "factor_solo") * points + number(options, "lost_solo_bonus"))
    return score


def serious(breach: Breach) -> dict[int, int]:
    """Book 3 times 8 off, 8 to each other (7a); by a soloist's opponent 24 to the soloist (7b)."""
    return serious_of("serious_penalty_opponent", 0, breach)


def never_again(game: Game) -> bool:
    """Report that no game leaves its dealer the deal."""
    return False


_ALL_UNTIL = 5  # 2d
_CALLS = CallRules(
    words=("re", "kontra", "keine90", "keine60", "keine30", "schwarz"),  # 2a, 2b
    counted="table",
    left=two_windows(_ALL_UNTIL - 1),  # 2c, 2d
    reply_left=None,
    silent=during_the_first_trick,  # 2c
    bock_left=None,
    bock_by_first=False,
    absage_needs_call=False,
    leaving_out=True,  # D
    repeated_raises=False,
    repeated_offends=frozenset(),
    sections=MappingProxyType(
        {
            "early": "2c",
            "late_call": "2d",
            "late_reply": "2d",
            "late_absage": "2d",
            "unfounded": "2b",
            "unfounded_reply": "2b",
            "skipped": "2b",
            "repeated": "2c",
            "wrong_side": "7a",
        }
    ),
)


@lru_cache(maxsize=64)
def _by(calls: CallRules, last: int, leaving_out: bool) -> CallRules:
    return replace(calls, left=two_windows(last), leaving_out=leaving_out)


def calls_by(calls: CallRules, options: Options) -> CallRules:
    """Time calls by the card until which one may speak, and whether steps may be left out."""
    return _by(calls, last_to_lie(options), bool(options["leaving_out_steps"]))


DURCHGAENGE = RuleBook(
    name="durchgaenge",
    title="Doppelkopfturnier in Durchgängen",
    source="ohne Datum",
    own=None,
    deck=DECK_40,  # D: 1c deals ten cards each
    hand_size=10,  # 1c
    tables=(4,),
    seating=Seating(
        section="1a",
        lot_alone="",
        fives_section="",
        substitutes_section="",
        court_section="",
    ),
    first_dealer=first_dealer,  # 1b
    scorer=scorer,  # 1b
    duties=no_pflichtsoli,
    answers=("gesund", "vorbehalt"),
    wanting=frozenset({"vorbehalt"}),
    finding=finding,
    classes=(),
    bid_fault=no_bidding,
    kinds=(
        solo("trumpfsolo", (), RAISES, rank=1, section="5a"),  # 5a
        solo("damensolo", (), RAISES, rank=2, section="5a"),
        solo("bubensolo", (), RAISES, rank=3, section="5a"),
        Kind(
            game="hochzeit",
            solo=False,
            suits=(),
            cards=(),
            conditions=(),
            ends_deal=False,
            played=True,
            raises=(),
            rank=4,
            allowed=may_marry,
            section="4a",
        ),
    ),
    normal=contract_40("normal", TRUMPS_40, re_card="CQ"),
    contracts=MappingProxyType(
        {
            ("hochzeit", None): contract_40("hochzeit", TRUMPS_40),
            ("trumpfsolo", None): contract_40("trumpfsolo", TRUMPS_40),
            ("damensolo", None): contract_40("damensolo", QUEENS),
            ("bubensolo", None): contract_40("bubensolo", JACKS),
        }
    ),
    contract_by=contract_as_it_is,
    duty_refused=no_duty,
    needs_leave=None,
    leader=forehand,  # 1d
    late_answer=never_late,
    answer_section="",
    second_wins=second_wins,
    equal_order=by_laying,
    face_down=face_down,  # 4b
    covering_needs_none=plain_card,  # 4b
    covering_section="4b",
    retractable=in_the_open_trick,  # 7a
    beyond_suit=follow_suit_only,
    shown_sides=None,
    klaerung=klaerung,  # 4a
    turn_sections=MappingProxyType({"first_lead": "1d", "lead": "1d", "follow": "1d"}),
    revoke_section="7a",
    card_sections=MappingProxyType({"card_not_held": "1c", "impossible_card": "1c"}),
    calls=_CALLS,
    calls_by=calls_by,
    must_announce=MustAnnounce(owed=owed, lapses=lapses, met=met, section="2c"),
    may_claim=nobody_claims,
    claimant_takes_with_any=True,
    winner=winner,  # 6a, 6b
    scoring=(  # as 6c reckons: won, announcements, special points
        decided_only(won),
        decided_only(under),  # 6a
        added_calls,  # 2a
        absagen,  # 2b
        decided_only(losers_ignored(fuchs)),  # 3a
        decided_only(losers_ignored(last_trick("DA", "fuchs_last"))),  # 3a
        decided_only(losers_ignored(doppelkopf)),  # 3a
        against,  # 3b
    ),
    write=write,  # 6c, 6d
    rulings=MappingProxyType({"serious": "7a"}),
    penalties=MappingProxyType({"serious": serious}),  # 7a, 7b
    payments=MappingProxyType({}),
    scored_rulings=frozenset({"decided"}),
    falls_from=rest_falls,
    standing_ruling=last_ruling,
    repeated=never_repeated,
    counts_when_ended=always_counts,
    partner_may_claim=True,
    claim_lost_by=never_lost,  # 7c
    same_dealer=never_again,
    thrown_in_same_dealer=same_dealer_always,
    redeals_after_time=True,
    bock_games=no_bockrunde,
    standing=BY_POINTS,  # the book does not say who is first
    late_fine=None,
    berichtigung=MappingProxyType(dict.fromkeys(MENDS, "Schlusssatz")),  # what it leaves out the direction decides
    columns=cumulated(value="value_without_bonus", checks=()),  # 6; the value of 6c and 6d before the Bonuspunkte
    sections=MappingProxyType(
        {
            "release": "",
            "led_up": "",
            "rest": "",
            "claim": "7c",
            "claim_over": "",
            "shorten": "",
            "take_back": "7a",
            "void_count": "1c",
            "void_shown": "",
            "void_dealer": "1b",
        }
    ),
    fact_sections=MappingProxyType(
        {
            "deck": "1c",
            "augen": "",
            "tables": "",
            "first_dealer": "1b",
            "same_dealer": "",
            "equal_cards": "",
            "game_normal": "",
            "game_hochzeit": "4a",
            "game_trumpfsolo": "5a",
            "game_damensolo": "5a",
            "game_bubensolo": "5a",
            "answers": "",
            "rank": "5a",
            "klaerung": "4a",
            "leader_in_solo": "1d",
            "hochzeit_shift": "4b",
            "written": "6c",
            "written_solo_won": "6d",
            "written_solo_lost": "6d",
            "columns": "6c",
        }
    ),
    sentences=MappingProxyType(
        {
            "1c": "cards",
            "2b": "backed",
            "4a": "marry",
            "7a": "follow",
            "wrong_side 7a": "sides",
        }
    ),
    options=(
        option("rounds", 3, range(100), "1a"),
        option("games", 12, range(1, 201), "1a"),
        option("minutes", 0, range(1000), "1a"),
        option("break_stops_clock", False, (False, True), "7c"),
        option("scorer", 4, range(1, 5), "1b"),
        option("equal_places", SHARED, EQUAL_PLACES, "6"),
        option("cards", 40, (40,), "1c"),
        option("deduction_most", 999, range(1000), "Schlusssatz"),
        option("appeal_minutes", 0, range(10081), "Schlusssatz"),
        option("dealing", "2x5", ("2x5", "5x2", "3-4-3"), "1c"),
        option("second_ht", "never", ("never", "highest_trump", "any_trump"), "6"),
        option("words_back", "trick", ("trick", "next", "never"), "7a"),
        option("tell_augen", True, (True, False), "7c"),
        option("tell_tricks", True, (True, False), "7c"),
        option("tell_sides", True, (True, False), "7c"),
        option("look_back", True, (True, False), "7c"),
        option("all_until", _ALL_UNTIL, range(5, 41), "2d"),
        option("until_card", "touches", ("touches", "lies"), "2d"),
        option("leaving_out_steps", True, (True, False), "2b"),
        option("win_points", 121, range(91, 151), "6a"),
        option("exact_against_absage", True, (True, False), "6b"),
        option("nobody_has_won", "nothing", ("nothing", "net"), "6b"),
        option("value_won", 1, range(100), "6c"),
        option("value_under", 1, range(100), "6a"),
        option("value_schwarz", 1, range(100), "6a"),
        option("value_re_kontra", 1, range(100), "2a"),
        option("value_absage", 1, range(100), "2b"),
        option("doppelkopf_augen", 40, range(1, 45), "3a"),
        option("value_doppelkopf", 1, range(100), "3a"),
        option("value_fuchs", 1, range(100), "3a"),
        option("value_fuchs_last", 1, range(100), "3a"),
        option("value_against_queens", 1, range(100), "3b"),
        option("against_queens_in_solo", True, (True, False), "3b"),
        option("losers_special_points", "ignored", ("ignored", "set_off"), "6c"),
        option("bonus", 5, range(101), "6c"),
        option("factor_solo", 3, range(1, 10), "6d"),
        option("lost_solo_bonus", 15, range(301), "6d"),
        option("serious_penalty", 24, range(0, 301, 3), "7a"),
        option("serious_penalty_opponent", 24, range(301), "7b"),
    ),
    contradictions=(),
)
