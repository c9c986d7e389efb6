"""Turn a person's request into an event, or refuse it with the section that does not allow it.

The generic way: apply it. What cannot happen there is refused with the reason; what would be a breach, certain with
this very event, is refused with its code and section. Facts are another matter: what the camera saw is recorded as it
was and never comes here.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from kiosk.errors import BadEvent, CannotStand, Refused, shorten
from kiosk.rules.engine.announcements import KLOPFEN
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.rights import claims_over, is_ruled
from kiosk.table.events.codec import encode
from kiosk.table.events.values import (
    AskingAnswered,
    BidMade,
    BreakBegun,
    BreakEnded,
    CallAnnounced,
    CardCorrected,
    CardInserted,
    CardPlayed,
    CardRetracted,
    CardSeen,
    CardsReseated,
    DealVoided,
    Event,
    GameClaimed,
    GameDealt,
    GameDeclared,
    GameStruck,
    LeaveDecided,
    ListHandedIn,
    ListSigned,
    ObjectionRaised,
    PlayerSubstituted,
    PlayingTimeEnded,
    Request,
    RoundReleased,
    RulingGiven,
    SeatNamed,
    SeatsSwapped,
    WordCorrected,
)
from kiosk.table.inference.certain import certain
from kiosk.table.round.fold import Round
from kiosk.table.round.judging import breach_meant
from kiosk.table.round.taking_back import agreed, stands_so
from kiosk.table.view.in_the_way import in_the_way
from kiosk.table.view.questions import questions

#: What a player says or does, so that a breach in it is refused.
ByPlayer: TypeAlias = AskingAnswered | BidMade | GameDeclared | CallAnnounced | CardPlayed | GameClaimed

#: The same for ``isinstance``, which is quicker with a tuple than with a union.
_BY_PLAYERS = (AskingAnswered, BidMade, GameDeclared, CallAnnounced, CardPlayed, GameClaimed)

#: Who puts right what he has found out, a breach or not.
_JUDGES = ("referee", "direction")

#: What a player says that the round must have been released for.
_WORDS = (AskingAnswered, BidMade, GameDeclared, CallAnnounced)

#: What corrects a card.
_CORRECTIONS = (CardCorrected, CardInserted, CardsReseated)

#: What changes a list that is handed in, beside what was said (``agreed``); at a directed table it is the direction's.
_CHANGES_LIST = (*_CORRECTIONS, GameStruck, PlayingTimeEnded)

#: What goes on while play rests at a Reklamation.
_WHILE_RESTING = (
    *_CORRECTIONS,
    *(WordCorrected, RulingGiven, DealVoided, LeaveDecided, GameStruck, PlayingTimeEnded, PlayerSubstituted),
    *(SeatNamed, SeatsSwapped, BreakBegun, BreakEnded),
)


def stands(round: Round, event: Event) -> bool:
    """Report whether the same player has just said this, and it stands."""
    game = round.game if round.running else None
    match event:
        case AskingAnswered(seat=seat, call=call):
            return game is not None and game.spoken.get(seat) == call
        case BidMade(seat=seat, game=bid):
            made = [one for one in game.bids if one.seat == seat] if game is not None else []
            return bool(made) and made[-1].game == bid
        case CallAnnounced():
            if game is None:
                return False
            said = {(one.seat, one.call, one.side) for one in game.said}
            said |= {(one.seat, KLOPFEN, None) for one in game.knocks}
            said |= {(one.seat, one.call, None) for one in game.raised}
            return (event.seat, event.call, event.side) in said
        case ListSigned(seat=seat):
            return seat in round.signed
        case RoundReleased():
            return round.released
        case WordCorrected():
            return stands_so(round, event)
        case BreakBegun() | BreakEnded():
            return round.paused is isinstance(event, BreakBegun)
    return False


def decide(round: Round, request: Request, directed: bool = True) -> Event:
    """Decide on a request and return the event to append, without its time.

    ``anyway`` records what was said or done although it breaks a rule: the word is out, and others may object.
    A correction of gesund to Hochzeit after the next has spoken is such a case (eppstein 3.1.2).

    :param directed: somebody directs this table, who alone changes a list that was handed in.
    :raises Refused: the book does not allow it now; ``code`` and ``section`` say why.
    """
    event, game = request.event, round.game
    _check_correction(round, event)
    if round.closed and directed and not request.consent.direction and isinstance(event, _CHANGES_LIST):
        raise Refused("needs_direction", "", f"{encode(event)}: the list is handed in")
    if isinstance(event, WordCorrected):
        by, seats = agreed(round, event, request.consent, directed)
        event = replace(event, by=by, agreed=seats, body=None)  # whoever asked may have written something else
    if not round.released and isinstance(event, _WORDS):
        section = round.book.cite(round.book.sections["release"])
        raise Refused("not_released", section, "the round has not been released by the direction")
    if not request.anyway:
        _refuse_gesund(round, event)
    event = _once_ruled(round, event)
    if game is not None and game.objection and not isinstance(event, _WHILE_RESTING):
        raise Refused("resting", round.book.cite(round.book.sections["rest"]), "play rests until the ruling")
    try:
        after = round.apply(event)
    except BadEvent as error:
        raise Refused(*_reason(round, event, error), str(error), _way(round, error.__cause__)) from error
    if isinstance(event, _BY_PLAYERS) and not request.anyway:
        _refuse_breach(after, event, after.events - 1)
    if isinstance(event, WordCorrected) and isinstance(event.word, _BY_PLAYERS) and event.by not in _JUDGES:
        _refuse_breach(after, event.word, event.of)
    if isinstance(event, ListHandedIn) and questions(after):
        raise Refused("doubts_open", "", "cards of this round are still in doubt")
    return event


def _once_ruled(round: Round, event: Event) -> Event:
    """Refuse to claim or to rule a breach twice, and name the breach of a Reklamation that means one that is certain.

    Nor is another breach claimed or ruled once one was ruled as serious, where the book punishes the first alone. What
    the direction writes without a breach (Nachspielzeit, euros) is no ruling on one; what it decides freely stands.
    """
    game = round.game
    if game is None:
        return event
    if isinstance(event, ObjectionRaised):
        alike = _certain_breaches(round, event) if event.breach is None else {}
        left = [number for number, ruled in alike.items() if not ruled]
        if len(left) == 1:
            body = None if event.body is None else {**event.body, "breach": left[0]}
            event = replace(event, breach=left[0], body=body)
        # Who means something that nobody has proved yet has a Reklamation without a reason.
        over = bool(alike) and not left if event.breach is None else _is_over(round, event.breach)
    elif isinstance(event, RulingGiven) and event.answers and event.kind != "none":
        over = _ruled_before(round, game, event)
    else:
        return event
    penal = isinstance(event, ObjectionRaised) or event.kind != "custom"
    if penal and not over and claims_over(game):
        section = round.book.cite(round.book.sections["claim_over"])
        raise Refused("after_serious", section, f"{encode(event)}: a serious breach was ruled in this game")
    if over:
        section = round.book.cite(round.book.sections["claim"])
        raise Refused("already_ruled", section, f"{encode(event)}: this breach was ruled on before")
    return event


def _certain_breaches(round: Round, event: ObjectionRaised) -> dict[int, bool]:
    """The certain breaches that a Reklamation of that code against that seat can mean, and which are ruled on."""
    game = round.game
    if game is None or event.against is None or event.code is None:
        return {}
    about = (event.against, event.code)
    return {one.event: is_ruled(game, one) for one in certain(round) if (one.seat, one.code) == about}


def _is_over(round: Round, breach: int) -> bool:
    """Whether the referee has ruled on the breach of that event."""
    game = round.game
    if game is None:
        return False
    return any(one.breach == breach for one in game.rulings) or any(
        one.event == breach and is_ruled(game, one) for one in certain(round)
    )


def _ruled_before(round: Round, game: Game, event: RulingGiven) -> bool:
    """Whether a ruling is about a breach ruled on before, or, where nobody has complained, once more on a player."""
    breach = breach_meant(game, round.events) if event.breach is None else event.breach
    if breach != round.events:
        return _is_over(round, breach)
    return any(one.breach == one.event and one.offender == event.offender for one in game.rulings)


def _refuse_gesund(round: Round, event: Event) -> None:
    """Refuse gesund to who is vorgeführt: he must play his Pflichtsolo."""
    if not isinstance(event, AskingAnswered) or not round.running or event.seat != round.must_play:
        return
    if event.call not in round.book.wanting:
        section = round.book.cite(round.book.sections["led_up"])
        raise Refused("missed_duty", section, f"seat {event.seat} must play its Pflichtsolo in this game")


def _refuse_breach(after: Round, event: ByPlayer, number: int) -> None:
    """Refuse what would be a certain breach of its seat; ``number`` is its event."""
    for offence in certain(after):
        if offence.event == number and offence.seat == event.seat:
            raise Refused(offence.code, offence.section, f"{encode(event)} is {offence.code} by {offence.section}")


def _check_correction(round: Round, event: Event) -> None:
    """Refuse a correction that no person can make."""
    card = event.card if isinstance(event, (CardCorrected, CardInserted)) else None
    if card is not None and card not in round.book.deck:
        raise Refused("no_such_card", "", f"{shorten(card)} is no card of {round.book.name}")


#: Requests about the game in play that the book itself may not allow: the word for it and the point of the book.
_BY_THE_BOOK: dict[type, tuple[str, str]] = {GameClaimed: ("no_claim", "shorten"), CardRetracted: ("lies", "take_back")}

#: What happened after a word so that it cannot be put right: the word for it, by the event's name.
_IN_THE_WAY = {
    "deal": "deal_in_the_way",
    "card": "card_in_the_way",
    **dict.fromkeys(("call", "bid", "declare", "announce", "claim", "object"), "word_in_the_way"),
    **dict.fromkeys(("sign", "close"), "signature_in_the_way"),
    **dict.fromkeys(("rule", "leave", "strike"), "ruling_in_the_way"),
}

#: What comes with the next game.
_BEGINS_A_GAME = (GameDealt, AskingAnswered, BidMade, GameDeclared, CardPlayed)

#: What needs a game in play.
_IN_A_GAME = (*_WORDS, CardPlayed, GameClaimed, CardRetracted, LeaveDecided, DealVoided)


def _way(round: Round, cause: BaseException | None) -> Mapping[str, Any] | None:
    """What happened so that a correction cannot stand."""
    return in_the_way(round, cause.number) if isinstance(cause, CannotStand) else None


def _places(event: CardCorrected | CardInserted | CardsReseated) -> set[int]:
    """Collect the events of the cards that a correction is about."""
    match event:
        case CardCorrected(of=of):
            return {of}
        case CardInserted(after=after):
            return {after}
        case CardsReseated(seats=seats):
            return {*seats}


def _reason(round: Round, event: Event, error: BadEvent) -> tuple[str, str]:
    """Why it cannot happen, as a word for people, and the section that says so."""
    if isinstance(event, WordCorrected):
        way = error.__cause__
        if not isinstance(way, CannotStand):
            return "no_such_word", ""
        return _IN_THE_WAY.get(way.event_name, "cannot_stand"), ""
    running = round.game is not None and not round.game.ended
    if round.closed or (round.over and isinstance(event, _BEGINS_A_GAME)):
        return "round_over", ""
    if isinstance(event, GameDealt):
        return "game_runs" if running else "not_now", ""
    if isinstance(event, _CORRECTIONS):
        cards = {number for number, one in round.log if isinstance(one, CardSeen | CardCorrected | CardsReseated)}
        return "cannot_stand" if _places(event) <= cards else "no_such_event", ""
    if not running and isinstance(event, _IN_A_GAME):
        return "no_game", ""
    if type(event) in _BY_THE_BOOK:
        code, point = _BY_THE_BOOK[type(event)]
        return code, round.book.cite(round.book.sections[point])
    return "not_now", ""
