"""What can happen in a game: each function takes a game and gives the next one.

Facts are recorded, lawful or not; what breaks a rule is found in ``Game.offences``. Only what cannot be at all raises
:class:`~kiosk.rules.values.Impossible`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kiosk.rules.announcements import ABSAGEN, LEVEL, RE, Said
from kiosk.rules.book import Kind, RuleBook
from kiosk.rules.cards import Card
from kiosk.rules.evolve import evolve
from kiosk.rules.game import Game, moment
from kiosk.rules.proof import Move, copies, know, revokes
from kiosk.rules.result import penalty, score
from kiosk.rules.tricks import Laid, Trick, best, points_of
from kiosk.rules.values import Answer, Bid, Claim, Declaration, Impossible, Leave, Objection, Offence, Ruling


def _playing(game: Game, seat: int | None = None) -> None:
    if game.ended:
        raise Impossible("no game is running; deal first")
    if seat is not None and seat not in game.seats:
        raise Impossible(f"seat {seat} does not play in this game; {_list(game.seats)} do")


def _list(seats: Sequence[int]) -> str:
    return "seats " + ", ".join(map(str, sorted(seats)))


def answer(game: Game, event: int, seat: int, call: str) -> Game:
    """A word of the asking; a second one of the same seat corrects the first (eppstein 3.1.2)."""
    _playing(game, seat)
    if call not in game.book.answers:
        raise Impossible(f"{game.book.name} does not know the call {call!r}; it has {', '.join(game.book.answers)}")
    faults = game.faults
    if game.book.late_answer(game, seat):
        faults += (_fault(game, "call_out_of_turn", seat, event, game.book.answer_section),)
    found = game.declaration or game.cards_laid or (len(game.spoken) == len(game.seats) and not game.reserved)
    said = game.said if found else _too_early(game.said)
    answers = (*game.answers, Answer(event, seat, call))
    return _prove(evolve(game, answers=answers, said=said, faults=faults, last_event=event), event)


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
    """The declarable game of that name.

    :raises Impossible: if the book does not have it.
    """
    for kind in book.kinds:
        if kind.game == game:
            return kind
    raise Impossible(f"{book.name} has no game {game!r}; it has {', '.join(kind.game for kind in book.kinds)}")


def bid(game: Game, event: int, seat: int, name: str | None) -> Game:
    """One of several who want to play says what class of game he bids, or that he has no higher one."""
    _playing(game, seat)
    book = game.book
    if not book.classes:
        raise Impossible(f"{book.name} knows no bid; its asking has {', '.join(book.answers)}")
    if game.cards_laid:
        raise Impossible("nobody can bid after the first card; void deals again")
    if name is not None and name not in book.classes:
        raise Impossible(f"{book.name} has no class {name!r}; it has {', '.join(book.classes)}")
    made = Bid(event, seat, name)
    code, section = book.bid_fault(game, made)
    faults = (*game.faults, _fault(game, code, seat, event, section)) if code else game.faults
    return _prove(evolve(game, bids=(*game.bids, made), faults=faults, last_event=event), event)


def leave(game: Game, event: int, seat: int, granted: bool) -> Game:
    """The direction gives or refuses its leave; what it said last holds."""
    _playing(game, seat)
    if game.book.needs_leave is None:
        raise Impossible(f"{game.book.name} knows no leave; every game of it may be played without")
    if game.cards_laid:
        raise Impossible("leave must be given before the first card; void deals again")
    return evolve(game, leaves=(*game.leaves, Leave(event, seat, granted)), last_event=event)


def declare(
    game: Game,
    event: int,
    seat: int,
    name: str,
    suit: str | None,
    duty: bool,
    condition: str | None,
    card: Card | None = None,
    renonce: bool = False,
    raised: Sequence[str] = (),
) -> Game:
    """The game is named; the last declaration before the first card counts."""
    _playing(game, seat)
    if game.tricks or game.open_trick:
        raise Impossible("a game cannot be named after the first card; void deals again")
    book = game.book
    kind = kind_of(book, name)
    if kind.suits and suit not in kind.suits:
        raise Impossible(f"{name} needs its suit, one of {', '.join(kind.suits)}, not {suit!r}")
    if kind.cards and card not in kind.cards:
        raise Impossible(f"{name} needs the card it calls, one of {', '.join(kind.cards)}, not {card!r}")
    if kind.conditions and condition is not None and condition not in kind.conditions:
        raise Impossible(f"unknown condition {condition!r}; choose one of {', '.join(kind.conditions)}")
    if kind.raises and not set(raised) <= set(kind.raises):
        raise Impossible(f"{name} cannot be raised by {list(raised)}; it may be by {', '.join(kind.raises)}")
    declaration = Declaration(
        event=event,
        seat=seat,
        game=name,
        suit=suit if kind.suits else None,
        duty=duty and kind.solo and bool(book.duties(game.options)),
        condition=(condition or kind.conditions[0]) if kind.conditions else None,
        card=card if kind.cards else None,
        renonce=renonce and bool(kind.cards),
        raised=tuple(raised) if kind.raises else (),
    )
    faults = game.faults
    refused = book.duty_refused(game, declaration)
    if refused:
        faults += (_fault(game, "not_entitled", seat, event, refused),)
    contract = game.contract
    if not kind.ends_deal:
        contract = book.contract_by(book.contracts[name, declaration.suit], game.options)
    if kind.cards:
        contract = replace(contract, re_card=card)
    before = game.declaration
    said = tuple(one for one in game.said if before is None or one.event != before.event)
    game = evolve(
        game,
        declaration=declaration,
        contract=contract,
        said=_too_early(said),
        faults=tuple(fault for fault in faults if fault.code != "wrong_side"),  # sides are those of the new game
        wrong_side=(),
        doubtful=(*game.doubtful, declaration) if not refused else game.doubtful,
        last_event=event,
    )
    game = _prove(_raised(game, declaration), event)
    if not kind.played:
        return _end(game, "not_played")
    return evolve(game, ended="dealt_again") if kind.ends_deal else game


def _raised(game: Game, declaration: Declaration) -> Game:
    """A raised solo: its call and all below it stand as announced by the soloist (RULES, Fine points)."""
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
    """A hand read by a scanner, as dealt; a new one replaces an older one."""
    if game.ended not in (None, "dealt_again", "not_played"):
        raise Impossible("no game is running; a hand belongs after its deal")
    _playing(evolve(game, ended=None), seat)
    faults, misread = game.faults, game.misread
    hands = {**game.hands, seat: cards}
    for card in game.shown[seat]:
        if game.shown[seat].count(card) > cards.count(card):
            number = next((laid.event for laid in _cards(game) if laid.seat == seat and laid.card == card), event)
            faults += (_fault(game, "card_not_held", seat, number, game.book.card_sections["card_not_held"], event),)
            del hands[seat]
            break
    number_of = copies(game.book.deck)
    if any(sum(hand.count(card) for hand in hands.values()) > number_of[card] for card in set(cards)):
        faults += (_fault(game, "impossible_card", seat, event, game.book.card_sections["impossible_card"]),)
        misread = True
    known = know(game.book.deck, game.book.hand_size, game.shown, hands)
    return _prove(evolve(game, hands=hands, known=known, faults=faults, misread=misread, last_event=event), event)


def _cards(game: Game) -> list[Laid]:
    return [laid for trick in game.tricks for laid in trick.cards] + list(game.open_trick)


def lay(game: Game, laid: Laid) -> Game:
    """A card lies on the table."""
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
    faults: tuple[Offence, ...] = changes.pop("faults", game.faults)
    if seat != game.next_to_lay:
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
        top = best(game.contract, book.equal_order(cards), book.second_wins(game.contract, game.options))
        trick = Trick(cards=cards, leader=cards[0].seat, winner=top.seat, points=points_of(cards))
        changes["tricks"] = (*game.tricks, trick)
        cards = ()
    last = max(event, game.last_event)
    game = evolve(
        game,
        open_trick=cards,
        moves=moves,
        covered=covered,
        lapsed=lapsed,
        faults=faults,
        last_event=last,
        **changes,
    )
    if not cards and game.declaration and not game.contract.solo and game.klaerung is None:
        klaerung = book.klaerung(game)
        if klaerung:
            game = evolve(game, klaerung=klaerung, klaerung_event=event)
    game = _prove(game, event)
    return _end(game, "cards") if len(game.tricks) == book.hand_size else game


def _show(game: Game, event: int, seat: int, held: Mapping[Card, int]) -> dict[str, Any]:
    """What changes when ``seat`` comes to be known to hold, or to have held, so many of these cards."""
    shown, queens, hands, known = game.shown[seat], game.queens, game.hands, game.known
    faults, misread = game.faults, game.misread
    for card, number in held.items():
        new = number - shown.count(card)
        if new <= 0:
            continue
        shown += (card,) * new
        if card == game.contract.re_card:
            queens += ((event, seat),) * new
        seen = new + sum([cards.count(card) for cards in game.shown.values()])
        if seen > copies(game.book.deck)[card]:
            faults += (_fault(game, "impossible_card", seat, event, game.book.card_sections["impossible_card"]),)
            misread = True
        if seat not in game.hands:
            for _ in range(new):
                known = known.after(seat, card)
        elif seat in hands and shown.count(card) > hands[seat].count(card):
            faults += (_fault(game, "card_not_held", seat, event, game.book.card_sections["card_not_held"]),)
            hands = {other: hand for other, hand in hands.items() if other != seat}
    changes: dict[str, Any] = {}
    if shown is not game.shown[seat]:
        changes["shown"] = {**game.shown, seat: shown}
        changes["known"] = known
        if hands is not game.hands:
            changes["known"] = know(game.book.deck, game.book.hand_size, changes["shown"], hands)
    if queens is not game.queens:
        changes["queens"] = queens
    if faults is not game.faults:
        changes.update(faults=faults, misread=misread, hands=hands)
    return changes


def retract(game: Game, event: int, seat: int, card: Card) -> Game:
    """A card taken back: neither revoke nor out of turn, but it stays known."""
    _playing(game, seat)
    reopened = not game.open_trick and bool(game.tricks)
    cards = game.tricks[-1].cards if reopened else game.open_trick
    index = next((i for i, laid in enumerate(cards) if laid.seat == seat and card in (laid.card, laid.read)), None)
    if index is None or not game.book.retractable(game, seat, cards[index].card):
        last = f"the last card laid is {cards[-1].card} of seat {cards[-1].seat}" if cards else "no card lies"
        raise Impossible(f"{card} of seat {seat} cannot be taken back; {last}")
    gone = cards[index].event
    tricks = game.tricks[:-1] if reopened else game.tricks
    undone = game.klaerung is not None and game.klaerung.trick >= len(tricks)
    by_klaerung = {
        f.event for f in game.faults if undone and f.code == "wrong_side" and f.proved >= game.klaerung_event
    }
    return evolve(
        game,
        wrong_side=tuple(number for number in game.wrong_side if number not in by_klaerung),
        tricks=tricks,
        open_trick=cards[:index] + cards[index + 1 :],
        moves=tuple(move for move in game.moves if move.event != gone),
        suspicions=tuple(one for one in game.suspicions if one.event != gone),
        covered=tuple(move for move in game.covered if move.event != gone),
        faults=tuple(
            f
            for f in game.faults
            if not (f.event == gone and f.code in ("revoke", "out_of_turn"))
            and not (f.event in by_klaerung and f.code == "wrong_side")
        ),
        klaerung=None if undone else game.klaerung,
        last_event=event,
    )


def announce(game: Game, event: int, seat: int, call: str, side: str | None, together: bool) -> Game:
    """An Ansage or Absage; after a claim only the other side may still speak, directly (eppstein 4.3.7)."""
    if game.claim is None:
        _playing(game, seat)
    elif seat not in game.seats:
        _playing(evolve(game, ended=None), seat)
    elif game.last_event > max([game.claim.event, *(one.event for one in game.said)]):
        raise Impossible("after a claim calls count only directly after it")
    elif seat == game.claim.seat:
        raise Impossible("after a claim only the other side may still announce")
    if call not in game.book.calls.words:
        known = ", ".join(game.book.calls.words) or "none"
        raise Impossible(f"{game.book.name} has no announcement {call!r}; it has {known}")
    if side is not None and LEVEL.get(call) == 1 and side != call:
        raise Impossible(f"{call} cannot be said for {side}")
    said = Said(event=event, seat=seat, call=call, side=side, together=together, moment=moment(game, seat))
    game = _prove(evolve(game, said=(*game.said, said), last_event=event), event)
    return evolve(game, result=score(game)) if game.ended else game


def claim(game: Game, event: int, seat: int, kind: str, order: tuple[Card, ...], accepted: bool) -> Game:
    """The game is shortened (eppstein 4.3); it ends and is scored."""
    _playing(game, seat)
    if not game.book.may_claim(game, kind, order, seat):
        raise Impossible(f"seat {seat} may not claim; only who is known to play alone may shorten the game")
    made = Claim(event=event, seat=seat, kind=kind, order=order, accepted=accepted)
    held = {card: order.count(card) for card in order}
    for laid in _cards(game):
        if laid.seat == seat and laid.card in held:
            held[laid.card] += 1
    game = evolve(game, claim=made, last_event=event, **_show(game, event, seat, held))
    return _end(_prove(game, event), "claim")


def object_(game: Game, made: Objection) -> Game:
    """Play rests and the referee is called (eppstein 8.8.5)."""
    return evolve(game, objection=made, objections=(*game.objections, made), last_event=made.event)


def rule(game: Game, ruling: Ruling) -> Game:
    """The referee's ruling is booked; it may end the game or change the score of the game just ended."""
    game = evolve(game, rulings=(*game.rulings, ruling), objection=None, last_event=ruling.event)
    penalty(game, ruling)  # what cannot be booked is refused now, not with the game's last card
    if ruling.ends and not game.ended:
        return _end(game, "ruling")
    if game.ended == "dealt_again" and ruling.kind != "none":
        game = evolve(game, dealt_again=True)  # thrown in: listed for the penalty's sake alone
        return _end(game, "ruling")
    return evolve(game, result=score(game)) if game.result else game


def void(game: Game, event: int) -> Game:
    """The deal does not count (eppstein 2.2.8, 2.2.9)."""
    _playing(game)
    return evolve(game, ended="void", objection=None, last_event=event)


def _end(game: Game, how: str) -> Game:
    game = evolve(game, ended=how, objection=None)
    return evolve(game, result=score(game))


def _prove(game: Game, event: int) -> Game:
    """Everything that has become certain with ``event``."""
    named = [s for s in game.said if s.event not in game.wrong_side and (s.side or LEVEL.get(s.call) == 1)]
    if named and not game.found:
        named = []  # a solo may still make any seat Re
    if not (game.moves or game.suspicions or game.covered or game.doubtful or named):
        return game
    knowledge = game.known
    new: list[Offence] = []
    moves, suspicions = game.moves, game.suspicions
    if (moves or suspicions) and not game.misread:
        broken = {move.event: move.seat for move in revokes(knowledge, game.contract, moves)} if moves else {}
        broken.update({one.event: one.seat for one in suspicions if one.certain(knowledge)})
        if broken:
            section = game.book.revoke_section
            new += [_fault(game, "revoke", seat, number, section, event) for number, seat in broken.items()]
            moves = tuple(move for move in moves if move.event not in broken)
            suspicions = tuple(one for one in suspicions if one.event not in broken)
    covered = []
    for move in game.covered:
        fewest, _ = knowledge.room(move.seat, lambda card: game.book.covering_needs_none(game, card))
        if fewest > move.laid_before:
            section = game.book.covering_section
            new.append(_fault(game, "not_entitled", move.seat, move.event, section, event))
        else:
            covered.append(move)
    doubtful = []
    for declaration in game.doubtful:
        kind = kind_of(game.book, declaration.game)
        if kind.allowed(game, knowledge, declaration):
            doubtful.append(declaration)
        else:
            new.append(_fault(game, "not_entitled", declaration.seat, declaration.event, kind.section, event))
    wrong = game.wrong_side
    if named:
        sides = game.certain_sides
        for said in named:
            side = said.side or said.call
            if sides.get(said.seat, side) != side:
                section = game.book.calls.sections["wrong_side"]
                new.append(_fault(game, "wrong_side", said.seat, said.event, section, event))
                wrong += (said.event,)
    if not new:
        return game
    return evolve(
        game,
        moves=moves,
        suspicions=suspicions,
        covered=tuple(covered),
        doubtful=tuple(doubtful),
        wrong_side=wrong,
        faults=(*game.faults, *new),
    )
