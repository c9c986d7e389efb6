"""Take cards: laid, taken back, scanned; and what the deck's count, or a hand, contradicts with them."""

from collections.abc import Mapping
from typing import Any

from kiosk.rules.engine import breaches
from kiosk.rules.engine.breaches import CONFIDENT
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game, taken
from kiosk.rules.engine.proof import Move, copies, know
from kiosk.rules.engine.readings import Readings
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import MISREAD, Impossible
from kiosk.rules.steps.proving import prove
from kiosk.rules.steps.step import check_playing, end, fault


def lay(game: Game, laid: Laid) -> Game:
    """Lay a card on the table."""
    seat, card, event = laid.seat, laid.card, laid.event
    check_playing(game, seat)
    if any(other.seat == seat for other in game.open_trick):
        due = f"seat {game.next_to_lay} is to lay"
        raise Impossible(
            f"seat {seat} has already a card in the open trick; {due}, or a card is taken back or corrected"
        )
    book, classes = game.book, game.contract.classes
    number = 1
    if card in game.shown[seat]:
        number += [trick.card_of(seat) for trick in game.tricks].count(card)
    changes = showing(game, event, seat, {card: number})
    unsure = changes.pop("unsure", game.unsure) or bool(laid.doubt) or laid.against < CONFIDENT
    faults = game.faults
    if seat != game.next_to_lay and not (unsure and game.tricks and not game.open_trick):
        kind = "follow" if game.open_trick else "lead" if game.tricks else "first_lead"
        faults += (fault(game, "out_of_turn", seat, event, book.turn_sections[kind]),)
    covered = game.covered
    if laid.down:
        section = book.face_down(game, laid)
        if section:
            faults += (fault(game, "not_entitled", seat, event, section),)
        else:
            held = sum(book.covering_needs_none(game, trick.card_of(seat)) for trick in game.tricks)
            covered += (Move(event=event, seat=seat, led="", laid_before=held),)
    lapsed = game.lapsed
    if lapsed is None and book.must_announce is not None:
        lapsed = book.must_announce.lapses(game, laid)
    moves, cards = game.moves, (*game.open_trick, laid)
    led = classes[cards[0].card]
    if classes[card] != led:
        held = sum(classes[trick.card_of(seat)] == led for trick in game.tricks)
        moves += (Move(event=event, seat=seat, led=led, laid_before=held),)
    beyond = book.beyond_suit(game, laid)
    if beyond:
        changes["suspicions"] = (*game.suspicions, *beyond)
    if len(cards) == len(game.seats):
        changes["tricks"] = (*game.tricks, taken(game, len(game.tricks), cards))
        cards = ()
    last = max(event, game.last_event)
    before = game
    game = evolve(
        game,
        open_trick=cards,
        moves=moves,
        covered=covered,
        lapsed=lapsed,
        faults=faults,
        last_event=last,
        unsure=unsure,
        **changes,
    )
    game = contradicted(game, before, event)
    game = prove(game if cards else settled(game, event), event)
    return end(game, "cards") if len(game.tricks) == book.hand_size else game


def retract(game: Game, event: int, seat: int, card: Card) -> Game:
    """Take a card back: it is neither revoke nor out of turn, but it stays known."""
    check_playing(game, seat)
    reopened = not game.open_trick and bool(game.tricks)
    cards = game.tricks[-1].cards if reopened else game.open_trick
    index = next((i for i, laid in enumerate(cards) if laid.seat == seat and card in (laid.card, laid.read)), None)
    if index is None or not game.book.retractable(game, seat, cards[index].card):
        last = f"the last card laid is {cards[-1].card} of seat {cards[-1].seat}" if cards else "no card lies"
        raise Impossible(f"{card} of seat {seat} cannot be taken back; {last}")
    gone = cards[index].event
    tricks = game.tricks[:-1] if reopened else game.tricks
    game = unsettled(game, len(tricks))
    return evolve(
        game,
        taken_back=(*game.taken_back, (len(tricks), cards[index])),
        tricks=tricks,
        open_trick=cards[:index] + cards[index + 1 :],
        moves=tuple(move for move in game.moves if move.event != gone),
        suspicions=tuple(one for one in game.suspicions if one.event != gone),
        covered=tuple(move for move in game.covered if move.event != gone),
        faults=tuple(f for f in game.faults if not (f.event == gone and f.code in ("revoke", "out_of_turn"))),
        last_event=event,
    )


def scan(game: Game, event: int, seat: int, cards: tuple[Card, ...]) -> Game:
    """Take a hand read by a scanner, as dealt; a new one replaces an older one."""
    if game.ended not in (None, "dealt_again", "not_played"):
        raise Impossible("no game is running; a hand belongs after its deal")
    check_playing(evolve(game, ended=None), seat)
    game = evolve(game, hands={**game.hands, seat: cards}, last_event=event)
    laid = game.shown[seat]
    held = all(laid.count(card) <= cards.count(card) for card in set(laid))
    over = any(
        sum([hand.count(card) for hand in game.hands.values()])
        + sum([game.shown[other].count(card) for other in game.seats if other not in game.hands])
        > copies(game.book.deck)[card]
        for card in set(cards)
    )
    known = know(game.book.deck, game.book.hand_size, game.shown, game.hands)
    game = evolve(game, known=known, unsure=game.unsure or over or not held)
    return prove(contradicted(game, game, event), event)


def lying(game: Game) -> list[Laid]:
    """List the cards on the table and in the tricks, in the order of laying within each."""
    return [laid for trick in game.tricks for laid in trick.cards] + list(game.open_trick)


def settled(game: Game, event: int) -> Game:
    """Return the game after a full trick, which may settle a Hochzeit."""
    if game.declaration and not game.contract.solo and game.klaerung is None:
        klaerung = game.book.klaerung(game)
        if klaerung:
            return evolve(game, klaerung=klaerung, klaerung_event=event)
    return game


def unsettled(game: Game, trick: int) -> Game:
    """Return the game without what a trick, from 0, has settled.

    That is the Klärungsstich, and who was ``wrong_side`` by it alone.
    """
    if game.klaerung is None or game.klaerung.trick < trick:
        return game
    gone = {f.event for f in game.faults if f.code == "wrong_side" and f.proved >= game.klaerung_event}
    return evolve(
        game,
        klaerung=None,
        wrong_side=tuple(number for number in game.wrong_side if number not in gone),
        faults=tuple(f for f in game.faults if not (f.event in gone and f.code == "wrong_side")),
    )


def showing(game: Game, event: int, seat: int, held: Mapping[Card, int]) -> dict[str, Any]:
    """Collect what changes when ``seat`` comes to be known to hold, or to have held, so many of these cards.

    ``unsure`` is among it where they are more than the deck has, or than a scanned hand holds.
    """
    shown, queens, known = game.shown[seat], game.queens, game.known
    unsure = game.unsure
    for card, number in held.items():
        new = number - shown.count(card)
        if new <= 0:
            continue
        shown += (card,) * new
        if card == game.contract.re_card:
            queens += ((event, seat),) * new
        if seat in game.hands:
            unsure = unsure or shown.count(card) > game.hands[seat].count(card)
            continue
        unsure = unsure or known.unseen[card] < new
        for _ in range(new):
            known = known.after(seat, card)
    if shown is game.shown[seat]:
        return {}
    changes: dict[str, Any] = {"shown": {**game.shown, seat: shown}, "known": known}
    if queens is not game.queens:
        changes["queens"] = queens
    if unsure is not game.unsure:
        changes["unsure"] = unsure
    return changes


def contradicted(game: Game, before: Game, event: int) -> Game:
    """Return the game with what the deck's count, or a scanned hand, has contradicted with ``event``.

    Too many copies of a card are a misread and nothing else: whose card it was cannot be known, so no scan contradicts
    it. A scanned hand that does not hold what its seat has laid is used no more.
    """
    if not game.unsure:
        return game
    now = breaches.readings_of(game)
    faults, sections = game.faults, game.book.card_sections
    if (now.too_many or not now.consistent) and _too_often(now) > _too_often(breaches.readings_of(before)):
        seat = next((laid.seat for laid in lying(game) if laid.event == event), None)
        if seat is not None:
            faults += (fault(game, MISREAD, seat, event, sections[MISREAD]),)
            game = evolve(game, misread=True, faults=faults)
    if not now.contradicted:
        return game
    hands = {other: hand for other, hand in game.hands.items() if other not in now.contradicted}
    for other in sorted(now.contradicted):
        number = _not_held(game, other, event)
        faults += (fault(game, "card_not_held", other, number, sections["card_not_held"], event),)
    known = know(game.book.deck, game.book.hand_size, game.shown, hands)
    return evolve(game, faults=faults, hands=hands, known=known)


def _too_often(readings: Readings) -> int:
    """How many cards lie more than the deck has of them, whatever the doubtful ones are."""
    return readings.too_many + (not readings.consistent)


def _not_held(game: Game, seat: int, event: int) -> int:
    """The first card with which ``seat`` laid what its scanned hand does not hold."""
    left = list(game.hands[seat])
    for laid in lying(game):
        if laid.seat != seat or laid.doubt:
            continue
        if laid.card not in left:
            return laid.event
        left.remove(laid.card)
    return event
