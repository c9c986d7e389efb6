"""What only the book of the Schachvereinigung 1932 Eppstein says, as functions for its fields in ``books.py``."""

from kiosk.rules.book import Breach, Klaerung
from kiosk.rules.cards import Card
from kiosk.rules.contract import TRUMP, Contract
from kiosk.rules.game import Game
from kiosk.rules.proof import Knowledge, Suspicion
from kiosk.rules.scoring import Options
from kiosk.rules.tricks import Laid
from kiosk.rules.values import Bid, Declaration, Offence, Ruling


def first_dealer(options: Options) -> int:
    """Seat 1 (2.2.1)."""
    return 1


def leader(game: Game) -> int:
    """The dealer's left neighbour; the soloist in Pflicht- and Lustsolo (3.2.2, 3.3.1, 4.1.1)."""
    declared = game.declaration
    return declared.seat if declared and game.contract.solo else game.seats[0]


def late_answer(game: Game, seat: int) -> bool:
    """First answers go round; a correction is late once the next has spoken, the last one's once play began (3.1.2)."""
    spoken = game.spoken
    if seat not in spoken:
        due = (s for s in game.seats if s not in spoken and s != game.declarer)  # naming it at once is speaking (3.1.7)
        return seat not in (next(due, None), game.declarer)
    if seat == game.seats[-1]:
        return bool(game.cards_laid or game.said)
    return game.seats[game.seats.index(seat) + 1] in spoken


def finding(game: Game) -> tuple[str, int | None]:
    """The asking goes round; then the first with a Vorbehalt names it, or play begins (3.1.1, 3.1.2)."""
    spoken = game.spoken
    if len(spoken) < len(game.seats):
        return "asking", next(seat for seat in game.seats if seat not in spoken)
    reserved = game.reserved
    return ("declaring", reserved[0]) if reserved else ("playing", None)


def no_bidding(game: Game, bid: Bid) -> tuple[str, str]:
    """Nobody bids."""
    return "", ""


def declaration_refused(game: Game, declaration: Declaration) -> str:
    """The section a declaration breaks whatever the cards: another is vorgeführt, or the Pflichtsolo comes first."""
    if game.must_play is not None and declaration.seat != game.must_play:
        return "3.2.3"
    kind = next(kind for kind in game.book.kinds if kind.game == declaration.game)
    if kind.solo and not declaration.duty and declaration.seat in game.duties_open:
        return "3.3.1"
    if kind.solo and declaration.duty and declaration.seat not in game.duties_open:
        return "7.5.1"
    return ""


def any_cards(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Every hand will do (3.2.1)."""
    return True


def may_throw_in(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Schmeißen: five or more nines, or fewer than three trumps not counting Karo As (3.4.2)."""
    trumps = game.book.normal.classes
    _, nines = knowledge.room(declaration.seat, lambda card: card[1] == "9")
    fewest, _ = knowledge.room(declaration.seat, lambda card: trumps[card] == TRUMP and card != "DA")
    return nines >= 5 or fewest < 3


def may_marry(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Hochzeit: both Kreuz Damen in one hand (3.5.1)."""
    _, queens = knowledge.room(declaration.seat, lambda card: card == game.book.normal.re_card)
    return queens >= 2


def second_wins(contract: Contract, options: Options) -> frozenset[Card]:
    """The second Herz 10 beats the first (4.4.2)."""
    rule = options["second_ht"]
    trump = "HT" in contract.trumps
    holds = (rule == "any_trump" and trump) or (rule == "highest_trump" and trump and contract.trumps[0] == "HT")
    return frozenset({"HT"}) if holds else frozenset()


def by_laying(cards: tuple[Laid, ...]) -> tuple[Laid, ...]:
    """Of two equal cards the one laid first is the first (4.4.2)."""
    return cards


def face_down(game: Game, laid: Laid) -> str:
    """Cards are laid face up (4.2.1)."""
    return "4.2.1"


def last_laid(game: Game, seat: int, card: Card) -> bool:
    """Only the last card laid can be put right (4.1.3, 4.2.5)."""
    cards = game.open_trick or game.tricks[-1].cards
    return cards[-1].seat == seat and cards[-1].card == card


def follow_suit_only(game: Game, laid: Laid) -> tuple[Suspicion, ...]:
    """Who cannot follow may lay any card (4.2.3)."""
    return ()


def klaerung(game: Game) -> Klaerung | None:
    """The first of the first three tricks, led as the Hochzeiter named, that another wins; else he is alone (3.5.3)."""
    declared = game.declaration
    trick = game.tricks[-1]
    number = len(game.tricks) - 1
    if declared is None:
        return None
    led = game.contract.classes[trick.cards[0].card]
    fits = {"first": True, "plain": led != TRUMP, "trump": led == TRUMP}[declared.condition or "first"]
    if number < 3 and fits and trick.winner != declared.seat:
        return Klaerung(trick=number, partner=trick.winner)
    return Klaerung(trick=2, partner=None) if number == 2 else None


def only_the_soloist(game: Game, kind: str, order: tuple[Card, ...], seat: int) -> bool:
    """Only a soloist may shorten (4.3.2): named, alone after the Klärungsstich, or with both CQ seen."""
    if game.ruled is not None:
        return game.ruled == {seat}
    if game.declaration is not None:
        return False
    seen = game.hands.get(seat, ()) or (*game.shown[seat], *order)
    return seen.count(game.contract.re_card or "") == 2


def minor(breach: Breach) -> dict[int, int]:
    """3 Strafpunkte, 1 to each other; to the soloist alone where it may have harmed him (8.4.2, 8.4.3)."""
    if breach.harms_soloist and breach.soloist not in (None, breach.offender):
        return {breach.offender: -3, breach.soloist: 3}
    return {seat: -3 if seat == breach.offender else 1 for seat in breach.seats}


def serious(breach: Breach) -> dict[int, int]:
    """12 Strafpunkte and 3 for each Absage of the other side so far (8.6.2)."""
    more = breach.absagen
    if breach.soloist not in (None, breach.offender):
        return {breach.offender: -12 - 3 * more, breach.soloist: 12 + 3 * more}
    return {seat: -12 - 3 * more if seat == breach.offender else 4 + more for seat in breach.seats}


def counts_when_ended(breach: Breach | None) -> bool:
    """Ended by a soloist's opponent a solo counts as played, any other game as not played (8.6.2)."""
    return breach is not None and breach.soloist is not None and breach.soloist != breach.offender


def rest_falls(game: Game, ruling: Ruling) -> int | None:
    """A decided game is broken off: the open trick and the unplayed cards fall to the other side (8.5.1)."""
    return len(game.tricks) if ruling.kind == "decided" and game.ended != "cards" else None


def last_ruling(game: Game) -> Ruling | None:
    """The last ruling that ends it: the Schiedsgericht may decide otherwise than the referee (8.8.7)."""
    return next((ruling for ruling in reversed(game.rulings) if ruling.ends), None)


def never_repeated(game: Game, re: frozenset[int]) -> bool:
    """No two rulings together have a game dealt again."""
    return False


def claim_lost(game: Game, seat: int, offence: Offence) -> bool:
    """Whether the seat has laid its next card or called since, or given the rest away (8.8.3, 4.3.6)."""
    event = offence.proved
    conceded = game.claim is not None and game.claim.kind == "concede" and game.claim.seat == seat
    if conceded and offence.code == "revoke":
        return True
    laid = any(card.seat == seat and card.event > event for trick in game.tricks for card in trick.cards)
    laid = laid or any(card.seat == seat and card.event > event for card in game.open_trick)
    return laid or any(said.seat == seat and said.event > event for said in game.said)


def same_dealer(game: Game) -> bool:
    """After a Pflichtsolo, but not when it was vorgeführt (2.2.1, 3.2.5)."""
    result = game.result
    return result is not None and result.duty and game.must_play != result.declarer
