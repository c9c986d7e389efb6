"""Apply the steps of a game: each function takes a game and returns the next one.

Facts are recorded, lawful or not; what breaks a rule is found in ``Game.offences``. Only what cannot be at all raises
:class:`~kiosk.rules.engine.values.Impossible`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kiosk.errors import shorten
from kiosk.rules.engine import breaches
from kiosk.rules.engine.announcements import ABSAGEN, KLOPFEN, LEVEL, RE, Said
from kiosk.rules.engine.book import Kind, RuleBook
from kiosk.rules.engine.breaches import CONFIDENT, named_sides
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import raising
from kiosk.rules.engine.evolve import evolve, forget
from kiosk.rules.engine.exchange import exchanged
from kiosk.rules.engine.game import Game, moment, taken
from kiosk.rules.engine.proof import Move, copies, know, revokes
from kiosk.rules.engine.readings import Readings
from kiosk.rules.engine.result import penalty, score
from kiosk.rules.engine.schweinchen import UNTIL, may_hold_both, raised_by, raising_calls
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import (
    Answer,
    Bid,
    Claim,
    Declaration,
    Impossible,
    Knock,
    Leave,
    Objection,
    Offence,
    Ruling,
)


def _playing(game: Game, seat: int | None = None) -> None:
    if game.ended:
        raise Impossible("no game is running; deal first")
    if seat is not None and seat not in game.seats:
        raise Impossible(f"seat {seat} does not play in this game; {_list(game.seats)} do")


def _list(seats: Sequence[int]) -> str:
    return "seats " + ", ".join(map(str, sorted(seats)))


def answer(game: Game, event: int, seat: int, call: str, implied: bool = False) -> Game:
    """Take an answer of the asking; a second one of the same seat corrects the first (eppstein 3.1.2).

    :param implied: nobody has spoken it, see ``Answer.implied``.
    """
    _playing(game, seat)
    if call not in game.book.answers:
        raise Impossible(
            f"{game.book.name} does not know the call {shorten(call)}; it has {', '.join(game.book.answers)}"
        )
    faults = game.faults
    if game.book.late_answer(game, seat, call):
        faults += (_fault(game, "call_out_of_turn", seat, event, game.book.answer_section),)
    found = game.declaration or game.cards_laid or (len(game.spoken) == len(game.seats) and not game.reserved)
    said = game.said if found else _too_early(game.said)
    if call in game.book.wanting:
        game = _asked_on(game, seat)
    answers = (*game.answers, Answer(event, seat, call, implied))
    return _prove(evolve(game, answers=answers, said=said, faults=faults, last_event=event), event)


def _asked_on(game: Game, seat: int) -> Game:
    """The game once a seat wants to play of which something else was implied, or while a game is named ahead.

    The asking goes on from it (schaffkopf II 2): those behind it answer anew, and a game named ahead is named no more.
    """
    named = game.declaration if game.ahead else None
    if seat in game.implied:
        behind = game.seats[game.seats.index(seat) :]
        game = evolve(game, answers=tuple(one for one in game.answers if one.seat not in behind))
    if named is None or named.seat == seat:
        return game
    return evolve(
        game,
        declaration=None,
        contract=game.book.normal,
        doubtful=tuple(one for one in game.doubtful if one is not named),
        faults=tuple(fault for fault in game.faults if fault.event != named.event),
    )


def _too_early(said: tuple[Said, ...]) -> tuple[Said, ...]:
    """The calls so far, now that they turn out to have come before the game was found (eppstein 5.2.1)."""
    return tuple(replace(one, moment=replace(one.moment, early=True)) for one in said)


def _fault(game: Game, code: str, seat: int, event: int, section: str, proved: int | None = None) -> Offence:
    return Offence(
        code=code,
        seat=seat,
        event=event,
        proved=event if proved is None else proved,
        section=game.book.cite(section),
    )


def kind_of(book: RuleBook, game: str) -> Kind:
    """Return the declarable game of that name.

    :raises Impossible: if the book does not have it.
    """
    for kind in book.kinds:
        if kind.game == game:
            return kind
    raise Impossible(f"{book.name} has no game {shorten(game)}; it has {', '.join(kind.game for kind in book.kinds)}")


def bid(game: Game, event: int, seat: int, name: str | None) -> Game:
    """Take a bid: a class of game, or that the bidder has no higher one."""
    _playing(game, seat)
    book = game.book
    if not book.classes:
        raise Impossible(f"{book.name} knows no bid; its asking has {', '.join(book.answers)}")
    if game.cards_laid:
        raise Impossible("nobody can bid after the first card; void deals again")
    if name is not None and name not in book.classes:
        raise Impossible(f"{book.name} has no class {shorten(name)}; it has {', '.join(book.classes)}")
    made = Bid(event, seat, name)
    code, section = book.bid_fault(game, made)
    faults = (*game.faults, _fault(game, code, seat, event, section)) if code else game.faults
    return _prove(evolve(game, bids=(*game.bids, made), faults=faults, last_event=event), event)


def leave(game: Game, event: int, seat: int, granted: bool) -> Game:
    """Take the direction's grant or refusal of its leave; the last one holds."""
    _playing(game, seat)
    if game.book.needs_leave is None:
        raise Impossible(f"{game.book.name} knows no leave; every game of it may be played without")
    if game.cards_laid:
        raise Impossible("leave must be given before the first card; void deals again")
    return evolve(game, leaves=(*game.leaves, Leave(event, seat, granted)), last_event=event)


def _check_form(kind: Kind, named: Declaration) -> None:
    """Check that a game was named with what it needs.

    :raises Impossible: naming what is wrong.
    """
    name = kind.game
    if kind.suits and named.suit not in kind.suits:
        raise Impossible(f"{name} needs its suit, one of {', '.join(kind.suits)}, not {shorten(named.suit)}")
    if kind.cards and named.card not in kind.cards:
        raise Impossible(f"{name} needs the card it calls, one of {', '.join(kind.cards)}, not {shorten(named.card)}")
    if kind.conditions and named.condition is not None and named.condition not in kind.conditions:
        raise Impossible(f"unknown condition {shorten(named.condition)}; choose one of {', '.join(kind.conditions)}")
    if kind.raises and not set(named.raised) <= set(kind.raises):
        raise Impossible(
            f"{name} cannot be raised by {shorten(list(named.raised))}; it may be by {', '.join(kind.raises)}"
        )


def _check_partner(game: Game, kind: Kind, named: Declaration) -> None:
    """Check who takes the cards of a game in which they change hands.

    :raises Impossible: naming what is wrong.
    """
    others = tuple(seat for seat in game.seats if seat != named.seat)
    if kind.exchange and named.partner not in others and not (named.partner is None and kind.untaken_ends):
        raise Impossible(f"{kind.game} needs who takes the cards, one of {_list(others)}, not {named.partner}")
    if kind.told_back and named.trumps not in (None, *kind.told_back):
        raise Impossible(f"of {kind.game} at most {max(kind.told_back)} trumps come back, not {named.trumps}")


def declare(game: Game, named: Declaration) -> Game:
    """Take the declared game; the last declaration before the first card counts.

    :param named: as it was said; what does not apply to the game is left out of what is kept.
    """
    seat, event, name = named.seat, named.event, named.game
    _playing(game, seat)
    if game.tricks or game.open_trick:
        raise Impossible("a game cannot be named after the first card; void deals again")
    book = game.book
    kind = kind_of(book, name)
    _check_form(kind, named)
    _check_partner(game, kind, named)
    declaration = Declaration(
        event=event,
        seat=seat,
        game=name,
        suit=named.suit if kind.suits else None,
        duty=named.duty and kind.solo and bool(book.duties(game.options)),
        condition=(named.condition or kind.conditions[0]) if kind.conditions else None,
        card=named.card if kind.cards else None,
        renonce=named.renonce and bool(kind.cards),
        raised=named.raised if kind.raises else (),
        ahead=named.ahead and bool(book.classes),
        partner=named.partner if kind.exchange else None,
        trumps=named.trumps if kind.told_back else None,
    )
    ends_deal = kind.ends_deal or (kind.untaken_ends and declaration.partner is None)
    faults = game.faults
    refused = book.duty_refused(game, declaration)
    if refused:
        faults += (_fault(game, "not_entitled", seat, event, refused),)
    contract = game.contract
    if not ends_deal:
        contract = book.contract_by(book.contracts[name, declaration.suit], game.options)
    if kind.cards:
        contract = replace(contract, re_card=named.card)
    before = game.declaration
    said = tuple(one for one in game.said if before is None or one.event != before.event)
    game = evolve(
        game,
        declaration=declaration,
        contract=contract,
        raised=(),  # what was said before is said of another game
        said=_too_early(said),
        faults=tuple(fault for fault in faults if fault.code != "wrong_side"),  # sides are those of the new game
        wrong_side=(),
        doubtful=(*game.doubtful, declaration) if not refused else game.doubtful,
        last_event=event,
    )
    game = _prove(_raised(evolve(game, klaerung=None, klaerung_event=-1), declaration), event)
    if kind.exchange and not ends_deal:
        game = exchanged(game, event)
    if not kind.played:
        return _end(game, "not_played")
    return evolve(game, ended="dealt_again") if ends_deal else game


def _raised(game: Game, declaration: Declaration) -> Game:
    """A raised solo: its call and all below it stand as announced by the soloist (docs/rules.md, Fine points)."""
    if not declaration.raised:
        return game
    highest = max(LEVEL[call] for call in declaration.raised)
    said = [
        Said(
            event=declaration.event,
            seat=declaration.seat,
            call=call,
            side=None,
            together=False,
            moment=moment(game, declaration.seat),
        )
        for call in (RE, *ABSAGEN)[:highest]
    ]
    return evolve(game, said=(*game.said, *said))


def scan(game: Game, event: int, seat: int, cards: tuple[Card, ...]) -> Game:
    """Take a hand read by a scanner, as dealt; a new one replaces an older one."""
    if game.ended not in (None, "dealt_again", "not_played"):
        raise Impossible("no game is running; a hand belongs after its deal")
    _playing(evolve(game, ended=None), seat)
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
    return _prove(_contradictions(game, game, event), event)


def _cards(game: Game) -> list[Laid]:
    return [laid for trick in game.tricks for laid in trick.cards] + list(game.open_trick)


def lay(game: Game, laid: Laid) -> Game:
    """Lay a card on the table."""
    seat, card, event = laid.seat, laid.card, laid.event
    _playing(game, seat)
    if any(other.seat == seat for other in game.open_trick):
        due = f"seat {game.next_to_lay} is to lay"
        raise Impossible(
            f"seat {seat} has already a card in the open trick; {due}, or a card is taken back or corrected"
        )
    book, classes = game.book, game.contract.classes
    number = 1
    if card in game.shown[seat]:
        number += [trick.card_of(seat) for trick in game.tricks].count(card)
    changes = _show(game, event, seat, {card: number})
    unsure = changes.pop("unsure", game.unsure) or bool(laid.doubt) or laid.against < CONFIDENT
    faults = game.faults
    if seat != game.next_to_lay and not (unsure and game.tricks and not game.open_trick):
        kind = "follow" if game.open_trick else "lead" if game.tricks else "first_lead"
        faults += (_fault(game, "out_of_turn", seat, event, book.turn_sections[kind]),)
    covered = game.covered
    if laid.down:
        section = book.face_down(game, laid)
        if section:
            faults += (_fault(game, "not_entitled", seat, event, section),)
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
    game = _contradictions(game, before, event)
    game = _prove(game if cards else _settled(game, event), event)
    return _end(game, "cards") if len(game.tricks) == book.hand_size else game


def _settled(game: Game, event: int) -> Game:
    """The game after a full trick, which may settle a Hochzeit."""
    if game.declaration and not game.contract.solo and game.klaerung is None:
        klaerung = game.book.klaerung(game)
        if klaerung:
            return evolve(game, klaerung=klaerung, klaerung_event=event)
    return game


def _show(game: Game, event: int, seat: int, held: Mapping[Card, int]) -> dict[str, Any]:
    """What changes when ``seat`` comes to be known to hold, or to have held, so many of these cards.

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


def _contradictions(game: Game, before: Game, event: int) -> Game:
    """The game with what the deck's count, or a scanned hand, has contradicted with ``event``.

    Too many copies of a card are a misread and nothing else: whose card it was cannot be known, so no scan contradicts
    it. A scanned hand that does not hold what its seat has laid is used no more.
    """
    if not game.unsure:
        return game
    now = breaches.readings_of(game)
    faults, sections = game.faults, game.book.card_sections
    if (now.too_many or not now.consistent) and _too_often(now) > _too_often(breaches.readings_of(before)):
        seat = next((laid.seat for laid in _cards(game) if laid.event == event), None)
        if seat is not None:
            faults += (_fault(game, "impossible_card", seat, event, sections["impossible_card"]),)
            game = evolve(game, misread=True, faults=faults)
    if not now.contradicted:
        return game
    hands = {other: hand for other, hand in game.hands.items() if other not in now.contradicted}
    for other in sorted(now.contradicted):
        number = _not_held(game, other, event)
        faults += (_fault(game, "card_not_held", other, number, sections["card_not_held"], event),)
    known = know(game.book.deck, game.book.hand_size, game.shown, hands)
    return evolve(game, faults=faults, hands=hands, known=known)


def _too_often(readings: Readings) -> int:
    """How many cards lie more than the deck has of them, whatever the doubtful ones are."""
    return readings.too_many + (not readings.consistent)


def _not_held(game: Game, seat: int, event: int) -> int:
    """The first card with which ``seat`` laid what its scanned hand does not hold."""
    left = list(game.hands[seat])
    for laid in _cards(game):
        if laid.seat != seat or laid.doubt:
            continue
        if laid.card not in left:
            return laid.event
        left.remove(laid.card)
    return event


def retract(game: Game, event: int, seat: int, card: Card) -> Game:
    """Take a card back: it is neither revoke nor out of turn, but it stays known."""
    _playing(game, seat)
    reopened = not game.open_trick and bool(game.tricks)
    cards = game.tricks[-1].cards if reopened else game.open_trick
    index = next((i for i, laid in enumerate(cards) if laid.seat == seat and card in (laid.card, laid.read)), None)
    if index is None or not game.book.retractable(game, seat, cards[index].card):
        last = f"the last card laid is {cards[-1].card} of seat {cards[-1].seat}" if cards else "no card lies"
        raise Impossible(f"{card} of seat {seat} cannot be taken back; {last}")
    gone = cards[index].event
    tricks = game.tricks[:-1] if reopened else game.tricks
    game = _unsettled(game, len(tricks))
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


def _unsettled(game: Game, trick: int) -> Game:
    """The game without what a trick, from 0, has settled: the Klärungsstich, and who was ``wrong_side`` by it alone."""
    if game.klaerung is None or game.klaerung.trick < trick:
        return game
    gone = {f.event for f in game.faults if f.code == "wrong_side" and f.proved >= game.klaerung_event}
    return evolve(
        game,
        klaerung=None,
        wrong_side=tuple(number for number in game.wrong_side if number not in gone),
        faults=tuple(f for f in game.faults if not (f.event in gone and f.code == "wrong_side")),
    )


def knock(game: Game, event: int, seat: int) -> Game:
    """Take a seat's Klopfen: it doubles the game. Late it is a breach, and counts like any call."""
    _playing(game, seat)
    most = int(game.options["klopfen_most"])
    if game.cards_laid or game.declaration:
        raise Impossible("nobody knocks after the game is named")
    if seat in {one.seat for one in game.knocks} or len(game.knocks) >= most:
        raise Impossible(f"seat {seat} cannot knock: each may once, and at most {most} in a game")
    late = seat not in game.may_knock
    section = game.book.option("klopfen_most").section
    faults = (*game.faults, _fault(game, "late_announcement", seat, event, section)) if late else game.faults
    return evolve(game, knocks=(*game.knocks, Knock(event, seat)), faults=faults, last_event=event)


def raise_cards(game: Game, event: int, seat: int, call: str) -> Game:
    """Take the word that raises both copies of a card. Late it is a breach, and raises nothing.

    Said with the last card of a trick it counts in that trick, which is then taken anew.
    """
    _playing(game, seat)
    made = raised_by(game, event, seat, call)
    if made is None:
        late = _fault(game, "late_announcement", seat, event, game.book.option(UNTIL).section)
        return evolve(game, faults=(*game.faults, late), last_event=event)
    contract = raising(game.contract, made.card)
    game = evolve(game, raised=(*game.raised, made), contract=contract, last_event=event)
    if made.trick < len(game.tricks):
        game = _unsettled(game, made.trick)
        anew = taken(game, made.trick, game.tricks[-1].cards)
        game = _settled(evolve(game, tricks=(*game.tricks[:-1], anew)), event)
    return _prove(game, event)


def announce(game: Game, event: int, seat: int, call: str, side: str | None, together: bool) -> Game:
    """Take an Ansage or Absage; after a claim only the other side may still speak, directly (eppstein 4.3.7)."""
    if call in raising_calls(game.options):
        return raise_cards(game, event, seat, call)
    if call == KLOPFEN and "klopfen_most" in game.options:
        return knock(game, event, seat)
    if game.claim is None:
        _playing(game, seat)
    elif seat not in game.seats:
        _playing(evolve(game, ended=None), seat)
    elif game.last_event > max([game.claim.event, *(one.event for one in game.said)]):
        raise Impossible("after a claim calls count only directly after it")
    elif seat == game.claim.seat:
        raise Impossible("after a claim only the other side may still announce")
    if game.each_alone:
        raise Impossible("nobody announces in a Ramsch: everybody plays for himself")
    if call not in game.book.calls.words:
        known = ", ".join(game.book.calls.words) or "none"
        raise Impossible(f"{game.book.name} has no announcement {shorten(call)}; it has {known}")
    if side is not None and LEVEL.get(call) == 1 and side != call:
        raise Impossible(f"{call} cannot be said for {side}")
    said = Said(event=event, seat=seat, call=call, side=side, together=together, moment=moment(game, seat))
    game = _prove(evolve(game, said=(*game.said, said), last_event=event), event)
    return evolve(game, result=score(game)) if game.ended else game


def claim(game: Game, event: int, seat: int, kind: str, order: tuple[Card, ...], accepted: bool) -> Game:
    """Shorten the game (eppstein 4.3); it ends and is scored."""
    _playing(game, seat)
    if game.each_alone:
        raise Impossible("a Ramsch is played to the last card: there are no sides to whom the rest could fall")
    if not game.book.may_claim(game, kind, order, seat):
        raise Impossible(f"seat {seat} may not claim; only who is known to play alone may shorten the game")
    made = Claim(event=event, seat=seat, kind=kind, order=order, accepted=accepted)
    held = {card: order.count(card) for card in order}
    for laid in _cards(game):
        if laid.seat == seat and laid.card in held:
            held[laid.card] += 1
    before = game
    game = evolve(game, claim=made, last_event=event, **_show(game, event, seat, held))
    game = _contradictions(game, before, event)
    return _end(_prove(game, event), "claim")


def object_(game: Game, made: Objection) -> Game:
    """Raise a Reklamation: play rests and the referee is called (eppstein 8.8.5)."""
    return evolve(game, objection=made, objections=(*game.objections, made), last_event=made.event)


def rule(game: Game, ruling: Ruling) -> Game:
    """Book the referee's ruling; it may end the game or change the score of the game just ended."""
    game = evolve(game, rulings=(*game.rulings, ruling), objection=None, last_event=ruling.event)
    penalty(game, ruling)  # what cannot be booked is refused now, not with the game's last card
    if ruling.ends and not game.ended:
        return _end(game, "ruling")
    if game.ended == "dealt_again" and ruling.kind != "none":
        game = evolve(game, dealt_again=True)  # thrown in: listed for the penalty's sake alone
        return _end(game, "ruling")
    return evolve(game, result=score(game)) if game.result else game


def void(game: Game, event: int) -> Game:
    """Void the deal: it does not count (eppstein 2.2.8, 2.2.9)."""
    _playing(game)
    return evolve(game, ended="void", objection=None, last_event=event)


def _end(game: Game, how: str) -> Game:
    game = evolve(game, ended=how, objection=None)
    return forget(evolve(game, result=score(game)))


def _prove(game: Game, event: int) -> Game:
    """Everything that has become certain with ``event``, and without what is certain no more."""
    if game.unsure:
        return _proved_anew(game, event)
    named = [said for said in named_sides(game) if said.event not in game.wrong_side]
    if not (game.moves or game.suspicions or game.covered or game.doubtful or game.raised or named):
        return game
    new = [
        *_broken_moves(game, event),
        *_broken_covering(game, event),
        *_broken_declarations(game, event),
        *_wrongly_raised(game, event),
        *_wrong_sides(game, event, named),
    ]
    if not new:
        return game
    revoked = {fault.event for fault in new if fault.code == "revoke"}
    return evolve(
        game,
        moves=tuple(move for move in game.moves if move.event not in revoked),
        suspicions=tuple(one for one in game.suspicions if one.event not in revoked),
        wrong_side=game.wrong_side + tuple(fault.event for fault in new if fault.code == "wrong_side"),
        faults=(*game.faults, *new),
    )


def _proved_anew(game: Game, event: int) -> Game:
    """The game where cards are in doubt: what holds in all worlds, and what was shown and holds no more withdrawn."""
    shown = {breaches.Breach(fault.code, fault.event, fault.seat): fault for fault in game.faults}
    certain = dict(breaches.proved(game, shown))
    gone = [fault for one, fault in shown.items() if one not in certain and breaches.rests_on_cards(game, one)]
    new = [
        _fault(game, one.code, one.seat, one.event, section, event)
        for one, section in certain.items()
        if one not in shown
    ]
    if not (new or gone):
        return game
    faults = (*(fault for fault in game.faults if fault not in gone), *new)
    again = {(fault.code, fault.event) for fault in new}
    return evolve(
        game,
        faults=faults,
        wrong_side=tuple(fault.event for fault in faults if fault.code == "wrong_side"),
        withdrawn=(*(one for one in game.withdrawn if (one.code, one.event) not in again), *gone),
        moves=breaches.all_moves(game),
    )


def _already(game: Game, code: str) -> set[int]:
    """The events of what is a breach of that code already."""
    return {fault.event for fault in game.faults if fault.code == code}


def _broken_moves(game: Game, event: int) -> Iterator[Offence]:
    """Cards that did not follow, or broke the rules of a called card, now certainly."""
    moves, suspicions = game.moves, game.suspicions
    if not (moves or suspicions):
        return
    broken = {move.event: move.seat for move in revokes(game.known, game.contract, moves)} if moves else {}
    broken.update({one.event: one.seat for one in suspicions if one.certain(game.known)})
    for number, seat in broken.items():
        yield _fault(game, "revoke", seat, number, game.book.revoke_section, event)


def _broken_covering(game: Game, event: int) -> Iterator[Offence]:
    """Cards laid face down by who held one that forbids it."""
    if not game.covered:
        return
    already = _already(game, "not_entitled")
    for move in game.covered:
        if move.event in already:
            continue
        fewest, _ = game.known.room(move.seat, lambda card: game.book.covering_needs_none(game, card))
        if fewest > move.laid_before:
            yield _fault(game, "not_entitled", move.seat, move.event, game.book.covering_section, event)


def _broken_declarations(game: Game, event: int) -> Iterator[Offence]:
    """Declarations to which no placing of the unseen cards entitles."""
    if not game.doubtful:
        return
    already = _already(game, "not_entitled")
    for declaration in game.doubtful:
        kind = kind_of(game.book, declaration.game)
        if declaration.event not in already and not kind.allowed(game, game.known, declaration):
            yield _fault(game, "not_entitled", declaration.seat, declaration.event, kind.section, event)


def _wrongly_raised(game: Game, event: int) -> Iterator[Offence]:
    """Cards raised by who certainly does not hold both."""
    already = _already(game, "not_entitled") if game.raised else ()
    for one in game.raised:
        if one.event not in already and not may_hold_both(game.known, one):
            yield _fault(game, "not_entitled", one.seat, one.event, game.book.option(UNTIL).section, event)


def _wrong_sides(game: Game, event: int, named: Sequence[Said]) -> Iterator[Offence]:
    """Calls that name a side on which their seat is not."""
    if not named:
        return
    sides = game.certain_sides
    for said in named:
        side = said.side or said.call
        if sides.get(said.seat, side) != side:
            section = game.book.calls.sections["wrong_side"]
            yield _fault(game, "wrong_side", said.seat, said.event, section, event)
