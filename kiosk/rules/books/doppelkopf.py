"""Share the functions that several books of Doppelkopf have in common, for the fields of a book.

Where the books number the same rule differently the sections are given: ``face_up("4.2.1")``.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from kiosk.rules.engine.announcements import KONTRA, OTHER, RE, CallRules, by_cards_in_hand, reply_by_cards_in_hand
from kiosk.rules.engine.book import Breach, Kind, Klaerung
from kiosk.rules.engine.cards import FRENCH_SUITS, Card, deck
from kiosk.rules.engine.contract import TRUMP, Contract, contract
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.proof import Knowledge, Suspicion
from kiosk.rules.engine.scoring import Item, ScoreRule, Tally
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import Bid, Declaration, Impossible, Offence, Ruling
from kiosk.rules.options.option import Options

QUEENS = ("CQ", "SQ", "HQ", "DQ")
JACKS = ("CJ", "SJ", "HJ", "DJ")

#: Options: the fewest cards in hand for Re and Kontra, keine 90, 60, 30, schwarz.
LIMITS = ("limit_ansage", "limit_keine90", "limit_keine60", "limit_keine30", "limit_schwarz")

# Of the books that play with nines (eppstein 1.2.1, 1.3.4, ddv 2.1, 2.2.1)
DECK_48 = deck(FRENCH_SUITS, "ATKQJ9", 2)
TRUMPS_48 = ("HT", *QUEENS, *JACKS, "DA", "DT", "DK", "D9")

# Of the three books that play without nines (bsv 2.2.1, schnittchen 1; D for durchgaenge)
DECK_40 = deck(FRENCH_SUITS, "ATKQJ", 2)
TRUMPS_40 = ("HT", *QUEENS, *JACKS, "DA", "DT", "DK")  # bsv 2.3.4, schnittchen 3.1


def _with(
    cards: tuple[Card, ...], ranks: str, game: str, trumps: tuple[Card, ...], suit: str | None, re_card: Card | None
) -> Contract:
    return contract(
        game=game,
        suit=suit,
        solo=game not in ("normal", "hochzeit"),
        re_card=re_card,
        trumps=trumps,
        plain_ranks=ranks,
        deck=cards,
    )


def contract_48(game: str, trumps: tuple[Card, ...], suit: str | None = None, re_card: Card | None = None) -> Contract:
    """Define a contract with the 48 cards (eppstein 1.3, ddv 2.2); ``re_card`` only where it is no solo."""
    return _with(DECK_48, "ATKQJ9", game, trumps, suit, re_card)


def contract_40(game: str, trumps: tuple[Card, ...], suit: str | None = None, re_card: Card | None = None) -> Contract:
    """Define a contract with the forty cards (bsv 2.3, schnittchen 3); ``re_card`` only where it is no solo."""
    return _with(DECK_40, "ATKQJ", game, trumps, suit, re_card)


def any_cards(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Report that every hand entitles (3.2.1)."""
    return True


#: Calls that raise a solo beyond another (durchgaenge 5b, schnittchen 4).
RAISES = ("re", "keine90", "keine60", "keine30", "schwarz")


def solo(game: str, suits: tuple[str, ...], raises: tuple[str, ...], rank: int, section: str) -> Kind:
    """Define a solo for any hand; ``rank``: its place among the Vorbehalte, ``section``: of who may play it."""
    return Kind(
        game=game,
        solo=True,
        suits=suits,
        cards=(),
        conditions=(),
        ends_deal=False,
        played=True,
        raises=raises,
        rank=rank,
        allowed=any_cards,
        section=section,
    )


def may_marry(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Report whether a hand may declare Hochzeit: both Kreuz Damen (3.5.1)."""
    _, queens = knowledge.room(declaration.seat, lambda card: card == game.book.normal.re_card)
    return queens >= 2


def second_wins(contract: Contract, options: Options) -> frozenset[Card]:
    """Return the cards of which the second beats the first: Herz 10 (4.4.2)."""
    rule = options["second_ht"]
    trump = "HT" in contract.trumps
    holds = (rule == "any_trump" and trump) or (rule == "highest_trump" and trump and contract.trumps[0] == "HT")
    return frozenset({"HT"}) if holds else frozenset()


def face_up(section: str) -> Callable[[Game, Laid], str]:
    """Make the function that returns the section broken by a card laid face down: all are laid face up."""

    def broken(game: Game, laid: Laid) -> str:
        return section

    return broken


def by_laying(cards: tuple[Laid, ...]) -> tuple[Laid, ...]:
    """Order two equal cards by laying: the one laid first is the first (4.4.2)."""
    return cards


def last_laid(game: Game, seat: int, card: Card) -> bool:
    """Report whether the card may be taken back: only the last one laid (4.1.3, 4.2.5)."""
    cards = game.open_trick or game.tricks[-1].cards
    return cards[-1].seat == seat and cards[-1].card == card


def penalised(points: int, to_soloist: bool, breach: Breach) -> dict[int, int]:
    """Share Strafpunkte out: all to the soloist, or a third to each of the other three."""
    if to_soloist and breach.soloist is not None:
        return {breach.offender: -points, breach.soloist: points}
    return {seat: -points if seat == breach.offender else points // 3 for seat in breach.seats}


def serious_of(by_opponent: str, step: int, breach: Breach) -> dict[int, int]:
    """Book Strafpunkte of a serious breach, a soloist's opponent's to the soloist (eppstein 8.6.2, durchgaenge 7).

    ``by_opponent``: the option that holds the opponent's. ``step``: what each Absage of the other side adds.

    :raises Impossible: where the option leaves them to the referee.
    """
    opponent = breach.soloist not in (None, breach.offender)
    name = by_opponent if opponent else "serious_penalty"
    points = int(breach.options[name])
    if not points:
        raise Impossible(f"option {name!r} leaves these Strafpunkte to the referee; the ruling needs scores")
    return penalised(points + step * breach.absagen, opponent, breach)


def minor(breach: Breach) -> dict[int, int]:
    """Book 3 Strafpunkte, 1 to each other; to the soloist alone if it may have harmed him (eppstein 8.4; bsv 7.3)."""
    harmed = breach.harms_soloist and breach.soloist not in (None, breach.offender)
    return penalised(int(breach.options["minor_penalty_opponent" if harmed else "minor_penalty"]), harmed, breach)


def plays_alone(game: Game, seat: int, order: tuple[Card, ...]) -> bool:
    """Report whether the seat is known to play alone: named, after the Klärungsstich, or with both CQ seen.

    Seen are the cards that it showed and those that it names in ``order``, or its scanned hand.
    """
    if game.ruled is not None:
        return game.ruled == {seat}
    seen = game.hands.get(seat) or (*game.shown[seat], *order)
    return game.declaration is None and seen.count("CQ") == 2


def only_the_soloist(game: Game, kind: str, order: tuple[Card, ...], seat: int) -> bool:
    """Report whether the seat may claim: a soloist by his game, the Klärungsstich or both CQ seen.

    (eppstein 4.3.2, ddv 5.4.)
    """
    return plays_alone(game, seat, order)


def forehand(game: Game) -> int:
    """Return the leader: the dealer's left neighbour, in a solo too (bsv 5.1, durchgaenge 1d)."""
    return game.seats[0]


def soloist_leads(game: Game) -> int:
    """Return the soloist of a declared solo, else the dealer's left (eppstein 3.2.2, 3.3.1, 4.1.1; schnittchen 4)."""
    declared = game.declaration
    return declared.seat if declared and game.contract.solo else game.seats[0]


def contract_as_it_is(contract: Contract, options: Options) -> Contract:
    """Return the contract unchanged: no option changes it."""
    return contract


@lru_cache(maxsize=64)
def _limited(calls: CallRules, limits: tuple[int, ...], later: int) -> CallRules:
    return replace(calls, left=by_cards_in_hand(limits), reply_left=reply_by_cards_in_hand(limits, later))


def calls_by_limits(calls: CallRules, options: Options) -> CallRules:
    """Time calls by limits of the round in cards in hand (eppstein 5.2.2, 5.3.4, 5.5.4; bsv 6.3 to 6.5)."""
    return _limited(calls, tuple(int(options[name]) for name in LIMITS), int(options["reply_cards"]))


def no_card(game: Game, card: Card) -> bool:
    """Report that a player who lays a card face down may hold any card."""
    return False


def same_dealer_always(options: Options) -> bool:
    """Report that the same dealer deals again: the deal does not count (eppstein 2.2.9, 3.4.3)."""
    return True


def no_bockrunde(game: Game, players: int) -> int:
    """Return 0 doubled games: the book has no Bockrunde."""
    return 0


def bock_games_by_events(game: Game, players: int) -> int:
    """Count the games that double after a game, by what the options say brings a Bockrunde; several queue up.

    A trick of four plain hearts, 120 Augen each, a lost game of a side that said Re or Kontra, a lost solo.
    """
    options, classes = game.options, game.contract.classes
    each = {"table": players, "four": 4, "none": 0}[str(options["bockrunde"])]
    times = 0
    if options["bock_herzstich"]:
        times += sum(all(classes[laid.card] == "H" for laid in trick.cards) for trick in game.tricks)
    result = game.result
    if result is not None and not result.void:
        lost = OTHER[result.won_by] if result.won_by else None
        times += bool(options["bock_even"]) and result.points[RE] == result.points[KONTRA]
        times += bool(options["bock_lost_call"]) and lost is not None and game.judged()[1].level[lost] > 0
        times += bool(options["bock_lost_solo"]) and lost == RE and len(result.re) == 1
    return each * times


def first_dealer(options: Options) -> int:
    """Return seat 1 as first dealer (eppstein 2.2.1; bsv 3.3); schnittchen does not name one."""
    return int(options["first_dealer"])


def scorer(players: int, options: Options) -> int:
    """Return the last seat as scorer (eppstein 6.3.1; bsv 3.1, 10.1); durchgaenge and schnittchen name none."""
    return int(options["scorer_5" if players > 4 else "scorer"])


def no_pflichtsoli(options: Options) -> int:
    """Return 0 Pflichtsoli: the book has none."""
    return 0


def pflichtsoli(options: Options) -> int:
    """Return the Pflichtsoli of each player in a round: one (eppstein 7.5.1, ddv 8.6)."""
    return int(options["pflichtsoli"])


def refused_by_duties(led_up: str, first: str, none_left: str) -> Callable[[Game, Declaration], str]:
    """Make the function that returns the section a declaration breaks in itself, "" if none.

    ``led_up``: another is vorgeführt; ``first``: the Pflichtsolo comes first; ``none_left``: there is none any more.
    """

    def refused(game: Game, declaration: Declaration) -> str:
        if game.must_play is not None and declaration.seat != game.must_play:
            return led_up
        kind = next(kind for kind in game.book.kinds if kind.game == declaration.game)
        if kind.solo and not declaration.duty and declaration.seat in game.duties_open:
            return first
        if kind.solo and declaration.duty and declaration.seat not in game.duties_open:
            return none_left
        return ""

    return refused


def late_answer(asked_on: bool) -> Callable[[Game, int, str], bool]:
    """Make the function that tells whether an answer is late: first ones go round (eppstein 3.1.2, bsv 4.1).

    A correction is late once the next has spoken, the last one's once a card or call was made; with ``asked_on`` also
    once several Vorbehalte have been asked on.
    """

    def late(game: Game, seat: int, call: str) -> bool:
        spoken = game.spoken
        if seat in game.implied:
            return bool(game.cards_laid or game.said)  # it has not spoken itself
        if seat not in spoken:
            due = (s for s in game.seats if s not in spoken and s != game.declarer)  # naming it at once is speaking
            return seat not in (next(due, None), game.declarer)
        if seat == game.seats[-1]:
            on = asked_on and game.declaration is not None and len(game.reserved) > 1
            return bool(game.cards_laid or game.said) or on
        return game.seats[game.seats.index(seat) + 1] in spoken

    return late


def klaerung(game: Game) -> Klaerung | None:
    """Settle the Hochzeit: the first of three tricks that another wins, led as named where it was; else he is alone.

    (eppstein 3.5.3, bsv 4.2.1, ddv 4.4.)
    """
    declared, number = game.declaration, len(game.tricks) - 1
    if declared is None:
        return None
    trick, last = game.tricks[-1], int(game.options["klaerung_tricks"]) - 1
    led = game.contract.classes[trick.cards[0].card]
    fits = declared.condition in (None, "first") or (led == TRUMP) == (declared.condition == "trump")
    if number <= last and fits and trick.winner != declared.seat:
        return Klaerung(trick=number, partner=trick.winner)
    return Klaerung(trick=last, partner=None) if number == last else None


def same_dealer(game: Game) -> bool:
    """Report whether the dealer deals again: after a Pflichtsolo, but not when vorgeführt (eppstein 2.2.1, ddv 3.3)."""
    result = game.result
    return result is not None and result.duty and game.must_play != result.declarer


def played_on(game: Game, seat: int, event: int) -> bool:
    """Report whether a seat has laid a card or called since an event (eppstein 8.8.3)."""
    cards = (*(laid for trick in game.tricks for laid in trick.cards), *game.open_trick)
    laid = any(card.seat == seat and card.event > event for card in cards)
    return laid or any(said.seat == seat and said.event > event for said in game.said)


def asked_on(game: Game, seat: int, event: int) -> bool:
    """Report whether a seat has answered in the asking or named its game since an event (bsv 9.6, ddv 9.7)."""
    named = game.declaration
    answered = any(answer.seat == seat and answer.event > event for answer in game.answers)
    return answered or (named is not None and named.seat == seat and named.event > event)


def conceded(game: Game, seat: int) -> bool:
    """Report whether a seat has given its cards away (eppstein 4.3.6, bsv 5.4, ddv 5.4)."""
    return game.claim is not None and game.claim.kind == "concede" and game.claim.seat == seat


def opponents_of_soloists(breach: Breach | None) -> bool:
    """Report whether an ended game counts: only a solo ended by a soloist's opponent (eppstein 8.6.2, ddv 9.4.2)."""
    return breach is not None and breach.soloist is not None and breach.soloist != breach.offender


def decided_only(rule: ScoreRule) -> ScoreRule:
    """Restrict a score rule to games that somebody has won, unless the option scores all (durchgaenge 6b, ddv 6.4)."""

    def changed(tally: Tally) -> Sequence[Item]:
        return rule(tally) if tally.winner or tally.options["nobody_has_won"] == "net" else ()

    return changed


def finding(game: Game) -> tuple[str, int | None]:
    """Return phase and speaker: the asking, then the first Vorbehalt is named, or play begins (3.1.1, 3.1.2)."""
    spoken = game.spoken
    if len(spoken) < len(game.seats):
        return "asking", next(seat for seat in game.seats if seat not in spoken)
    reserved = game.reserved
    return ("declaring", reserved[0]) if reserved else ("playing", None)


def no_bidding(game: Game, bid: Bid) -> tuple[str, str]:
    """Return no fault of a bid: nobody bids."""
    return "", ""


def falls_from_the_breach(game: Game, ruling: Ruling) -> int | None:
    """Return the trick from which a decided game falls to the other side: that of the breach (bsv 9.4, ddv 9.5)."""
    if ruling.kind != "decided":
        return None
    for number, trick in enumerate(game.tricks):
        if max(laid.event for laid in trick.cards) >= ruling.breach:
            return number
    return len(game.tricks) if game.ended != "cards" else None


def rest_falls(game: Game, ruling: Ruling) -> int | None:
    """Return the trick from which a decided game falls to the other side: the open one (8.5.1)."""
    return len(game.tricks) if ruling.kind == "decided" and game.ended != "cards" else None


def last_ruling(game: Game) -> Ruling | None:
    """Return the last ruling that ends the game: the Schiedsgericht may overrule the referee (8.8.7)."""
    return next((ruling for ruling in reversed(game.rulings) if ruling.ends), None)


def never_repeated(game: Game, re: frozenset[int]) -> bool:
    """Report that no two rulings together have a game dealt again."""
    return False


def follow_suit_only(game: Game, laid: Laid) -> tuple[Suspicion, ...]:
    """Return no suspicion: a player who cannot follow may lay any card (4.2.3)."""
    return ()


def by_seats(cards: tuple[Laid, ...]) -> tuple[Laid, ...]:
    """Order two equal cards by seats: the one further forward in the trick is the first (bsv 5.3)."""
    return tuple(sorted(cards, key=lambda laid: (laid.seat - cards[0].seat) % 5))


def never_late(game: Game, seat: int, call: str) -> bool:
    """Report that no answer is late: the book has no order of the asking (durchgaenge 5b, schnittchen 4)."""
    return False


def no_duty(game: Game, declaration: Declaration) -> str:
    """Return no broken section: the book has no Pflichtsolo that a declaration could break."""
    return ""


def nobody_claims(game: Game, kind: str, order: tuple[Card, ...], seat: int) -> bool:
    """Report that nobody may claim: the book has no shortening, every game is played to its end."""
    return False


def never_lost(game: Game, seat: int, offence: Offence) -> bool:
    """Report that the right to claim is never lost (durchgaenge 7c: the tricks may be checked after the game)."""
    return False


def always_counts(breach: Breach | None) -> bool:
    """Report that a game ended by a ruling counts as played (docs/rules.md, Rulings)."""
    return True
