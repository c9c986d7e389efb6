"""Decide the rights of players: to claim a breach, to see the last trick again."""

from dataclasses import replace

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import MISREAD, Offence, Ruling


def is_ruled(game: Game, offence: Offence) -> bool:
    """Report whether the referee has ruled on a breach: it is over then, whatever he decided.

    Also one that became certain only later, if the Reklamation named its player and what it was about.
    """
    return any(
        ruling.breach == offence.event or (ruling.event > offence.event and _meant(game, ruling, offence))
        for ruling in game.rulings
    )


def claims_over(game: Game) -> bool:
    """Report whether nobody may claim any more in this game: a serious breach was ruled, and only one is punished.

    After any other the second breach may still be claimed (eppstein 8.8.6, bsv 9.6).
    """
    return bool(game.book.sections["claim_over"]) and any(one.kind == "serious" for one in game.rulings)


def _meant(game: Game, ruling: Ruling, offence: Offence) -> bool:
    """Whether a ruling answered a Reklamation without a breach that was about this one."""
    about = (offence.seat, offence.code)
    return any(
        made.event == ruling.breach and made.breach is None and (made.against, made.code) == about
        for made in game.objections
    )


def claimants(game: Game, offence: Offence) -> tuple[int, ...]:
    """List the seats that may still claim an offence of this game (eppstein 8.8.1, 8.8.3).

    Not the offender; with the partnership clear only the other side; nobody who has lost the right as the book has it
    (eppstein: who has laid a card or called since the breach became certain). Nobody once it was ruled on, or once
    another breach was ruled as serious. Where a card lay there in doubt, the right runs from when that was settled.
    """
    if is_ruled(game, offence) or claims_over(game):
        return ()
    since = replace(offence, proved=max(offence.proved, offence.told))
    sides, clear = game.known_sides, game.clear
    return tuple(
        seat
        for seat in sorted(game.seats)
        if seat != offence.seat
        and not (clear and not game.book.partner_may_claim and sides[seat] == sides[offence.seat])
        and not game.book.claim_lost_by(game, seat, since)
        and offence.code != MISREAD
    )


def may_see_last_trick(game: Game) -> bool:
    """Report whether the trick before may be shown again: until the fourth card of the next lies (eppstein 4.4.4).

    With the fourth card the next one is the last trick. While play rests all tricks stay covered (8.8.5); the last
    trick of the game lies until the next deal.
    """
    return bool(game.tricks) and game.phase in ("playing", "scored")


def tricks_open(game: Game) -> range:
    """Return which of a game's finished tricks may be looked at by who plays, from 0.

    Once it is over all of them, to check them (eppstein 4.4.5, bsv 5.3, ddv 5.3, durchgaenge 7c); before that the last
    one alone, and only as long as the book shows it: looking at others ends the game (eppstein 4.4.7, bsv 5.3, ddv 5.3,
    schaffkopf II 4.2.2). schnittchen is silent, and is played so, too.
    """
    if game.ended:
        return range(len(game.tricks))
    return range(max(0, len(game.tricks) - may_see_last_trick(game)), len(game.tricks))


def covers(game: Game, seat: int) -> tuple[Card, ...]:
    """List the cards that the seat may lay face down now, lowest trump first (durchgaenge 4b)."""
    if game.phase != "playing" or game.next_to_lay != seat or not game.open_trick or game.contract.solo:
        return ()
    book = game.book
    laid = [Laid(game.last_event + 1, seat, card, None, True, ()) for card in dict.fromkeys(book.deck)]
    power = game.contract.power
    return tuple(sorted((one.card for one in laid if not book.face_down(game, one)), key=lambda card: power[card]))
