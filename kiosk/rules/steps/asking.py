"""Take what is said before the first card: answers, bids, the direction's leave, the game that is named."""

from dataclasses import replace

from kiosk.errors import shorten
from kiosk.rules.engine.announcements import ABSAGEN, LEVEL, RE, Said
from kiosk.rules.engine.book import Kind
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.exchange import exchanged
from kiosk.rules.engine.game import Game, moment
from kiosk.rules.engine.values import Answer, Bid, Declaration, Impossible, Leave
from kiosk.rules.steps.proving import prove
from kiosk.rules.steps.step import check_playing, end, fault, kind_of, listed


def answer(game: Game, event: int, seat: int, call: str, implied: bool) -> Game:
    """Take an answer of the asking; a second one of the same seat corrects the first (eppstein 3.1.2).

    :param implied: nobody has spoken it, see ``Answer.implied``.
    """
    check_playing(game, seat)
    if call not in game.book.answers:
        raise Impossible(
            f"{game.book.name} does not know the call {shorten(call)}; it has {', '.join(game.book.answers)}"
        )
    late = game.book.late_answer(game, seat, call)
    found = game.declaration or game.cards_laid or (len(game.spoken) == len(game.seats) and not game.reserved)
    said = game.said if found else too_early(game.said)
    if call in game.book.wanting:
        game = _asked_on(game, seat)
    answers, faults = (*game.answers, Answer(event, seat, call, implied)), game.faults
    if late:
        faults += (fault(game, "call_out_of_turn", seat, event, game.book.answer_section),)
    return prove(evolve(game, answers=answers, said=said, faults=faults, last_event=event), event)


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


def too_early(said: tuple[Said, ...]) -> tuple[Said, ...]:
    """Return the calls so far, now that they turn out to have come before the game was found (eppstein 5.2.1)."""
    return tuple(replace(one, moment=replace(one.moment, early=True)) for one in said)


def bid(game: Game, event: int, seat: int, name: str | None) -> Game:
    """Take a bid: a class of game, or that the bidder has no higher one."""
    check_playing(game, seat)
    book = game.book
    if not book.classes:
        raise Impossible(f"{book.name} knows no bid; its asking has {', '.join(book.answers)}")
    if game.cards_laid:
        raise Impossible("nobody can bid after the first card; void deals again")
    if name is not None and name not in book.classes:
        raise Impossible(f"{book.name} has no class {shorten(name)}; it has {', '.join(book.classes)}")
    made = Bid(event, seat, name)
    code, section = book.bid_fault(game, made)
    faults = (*game.faults, fault(game, code, seat, event, section)) if code else game.faults
    return prove(evolve(game, bids=(*game.bids, made), faults=faults, last_event=event), event)


def leave(game: Game, event: int, seat: int, granted: bool) -> Game:
    """Take the direction's grant or refusal of its leave; the last one holds."""
    check_playing(game, seat)
    if game.book.needs_leave is None:
        raise Impossible(f"{game.book.name} knows no leave; every game of it may be played without")
    if game.cards_laid:
        raise Impossible("leave must be given before the first card; void deals again")
    return evolve(game, leaves=(*game.leaves, Leave(event, seat, granted)), last_event=event)


def declare(game: Game, named: Declaration) -> Game:
    """Take the declared game; the last declaration before the first card counts.

    :param named: as it was said; what does not apply to the game is left out of what is kept.
    """
    seat, event, name = named.seat, named.event, named.game
    check_playing(game, seat)
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
        faults += (fault(game, "not_entitled", seat, event, refused),)
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
        said=too_early(said),
        faults=tuple(fault for fault in faults if fault.code != "wrong_side"),  # sides are those of the new game
        wrong_side=(),
        doubtful=(*game.doubtful, declaration) if not refused else game.doubtful,
        last_event=event,
    )
    game = prove(_raised(evolve(game, klaerung=None, klaerung_event=-1), declaration), event)
    if kind.exchange and not ends_deal:
        game = exchanged(game, event)
    if not kind.played:
        return end(game, "not_played")
    return evolve(game, ended="dealt_again") if ends_deal else game


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
        raise Impossible(f"{kind.game} needs who takes the cards, one of {listed(others)}, not {named.partner}")
    if kind.told_back and named.trumps not in (None, *kind.told_back):
        raise Impossible(f"of {kind.game} at most {max(kind.told_back)} trumps come back, not {named.trumps}")


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
