"""Decide who may take back, or put right, what was said: the seat itself, all who play, the referee, the direction.

Until the next has acted nobody has built on a word, so that its own seat may take it back where the book does not bind
it; afterwards it takes all of them or the referee, and once the list is handed in it is the direction's.
"""

from dataclasses import replace
from enum import Enum
from itertools import takewhile

from kiosk.errors import Refused
from kiosk.rules.engine.game import Game
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import (
    WORDS,
    AskingAnswered,
    BidMade,
    CallAnnounced,
    CardSeen,
    Consent,
    DealVoided,
    Event,
    GameClaimed,
    GameDeclared,
    ListHandedIn,
    ListSigned,
    ObjectionRaised,
    PlayingTimeEnded,
    Request,
    WordCorrected,
)
from kiosk.table.round.fold import Round

#: What a player says for himself.
_OF_A_SEAT = (AskingAnswered, BidMade, GameDeclared, CallAnnounced, GameClaimed, ObjectionRaised, ListSigned)

#: What is said within a game, where of five one sits out.
_IN_A_GAME = (AskingAnswered, BidMade, GameDeclared, CallAnnounced, GameClaimed, ObjectionRaised, DealVoided)

#: Of these what no book binds: play has not gone on by them.
_UNBOUND = (ObjectionRaised, ListSigned)


class Who(Enum):
    """Who has to stand behind a correction; each may also do what those before it may."""

    SEAT = "seat"  # who said it
    ALL = "all"  # everybody who plays, by touching the own seat; or the referee
    REFEREE = "referee"
    DIRECTION = "direction"


def counts(round: Round, number: int) -> Event | None:
    """Look up what counts as said in an event; None: nothing, or there is no such event."""
    return round.words.get(number, round.noted(number))


def stands_so(round: Round, correction: WordCorrected) -> bool:
    """Report whether what was said counts so already."""
    if correction.of in round.words:
        return round.words[correction.of] == correction.word
    said = counts(round, correction.of)
    return said is not None and replace(said, at=None, order_number=None, sign_anew=False) == correction.word


def who_may(round: Round, correction: WordCorrected, directed: bool = True) -> Who:
    """Tell who has to stand behind a correction now; at a table that nobody directs it is never the direction."""
    said = round.noted(correction.of)
    if round.closed or isinstance(said, ListHandedIn):
        return Who.DIRECTION if directed else Who.ALL
    if said is not None and said.order_number is not None:
        return Who.REFEREE  # what the direction has ordered those at the table do not undo by themselves
    if directed and isinstance(said, PlayingTimeEnded):
        return Who.REFEREE  # the time is the whole hall's (eppstein 7.4.1, bsv 8.5)
    seat = alone(round, correction.of)
    spoken_by = getattr(counts(round, correction.of), "seat", None)  # of a contested claim it is another's
    own = (
        correction.word is None or getattr(correction.word, "seat", None) == seat == spoken_by
    )  # none puts words to another
    return Who.SEAT if seat is not None and own and correction.by == f"seat {seat}" else Who.ALL


def alone(round: Round, number: int) -> int | None:
    """The seat that may take back or correct its word by itself now; None: it takes more than that."""
    word = counts(round, number)
    if not isinstance(word, _OF_A_SEAT) or round.closed:
        return None
    if isinstance(word, ListSigned) and number < round.signed_from:
        return None  # it has fallen
    seat: int | None = word.seat
    if isinstance(word, GameClaimed) and word.kind == "rest":
        seat = word.contested  # who said no by himself; a rest that is agreed to is what all have looked at and said
    if not isinstance(word, _UNBOUND):
        until, game = round.options["words_back"], round.game
        if until == "never":
            return None
        if until == "trick" and isinstance(word, CallAnnounced) and game is not None and number > game.dealt:
            return word.seat if _trick_open(game, number) else None
    return None if _acted_since(round, number) else seat


def _acted_since(round: Round, number: int) -> bool:
    """Whether anybody has spoken, signed, ruled or laid since that event."""
    later = takewhile(lambda noted: noted[0] > number, round.latest_first)
    return any(_is_act(round, *noted) for noted in later)


def _is_act(round: Round, number: int, event: Event) -> bool:
    """Whether an event is an act on what was said before it; what was taken back is none.

    Nor is the end of the playing time: nobody has built on that word by it.
    """
    if isinstance(event, CardSeen):
        correction = round.corrections.get(number)
        return correction is None or correction.card is not None
    said = round.words.get(number, event)
    return isinstance(said, WORDS) and not isinstance(said, PlayingTimeEnded)


def _trick_open(game: Game, number: int) -> bool:
    """Whether every trick played since lies open: a full one does until the next card (durchgaenge 7a)."""
    gone = game.tricks if game.open_trick or game.ended else game.tricks[:-1]
    return all(laid.event < number for trick in gone for laid in trick.cards)


def take_back(number: int, seat: int, why: str) -> Request:
    """Make the request of a seat to take back its own word, that of the event of this number."""
    return request_for(WordCorrected, of=number, word=None, by=f"seat {seat}", why=why)


def needed_seats(round: Round, number: int) -> frozenset[int]:
    """The seats that together may correct the word of an event: who plays in its game, else the whole table."""
    games = [*round.games, *([round.game] if round.game is not None else [])]
    playing = [game.seats for game in games if game.dealt < number]
    return frozenset(playing[-1] if playing and isinstance(round.noted(number), _IN_A_GAME) else round.seats)


def agreed(round: Round, correction: WordCorrected, consent: Consent, directed: bool) -> tuple[str, tuple[int, ...]]:
    """Return who makes a correction, and which seats have agreed to it.

    :raises Refused: it needs somebody who does not stand behind it.
    """
    who = who_may(round, correction, directed)
    if consent.direction:
        return "direction", ()
    if who is Who.DIRECTION:
        raise Refused("needs_direction", "", "the list is handed in: only the direction can put this right")
    if consent.referee:
        return "referee", ()
    if who is Who.REFEREE:
        raise Refused(
            "needs_referee",
            "",
            "the direction has ordered it, or it ends the time: the referee or the direction can put it right",
        )
    if who is Who.SEAT:
        return correction.by, ()
    wanted = needed_seats(round, correction.of)
    missing = sorted(wanted - consent.seats)
    if missing:
        detail = (
            f"seats {', '.join(map(str, missing))} have not agreed; all of them, or the referee, can put this right"
        )
        raise Refused("needs_all", _section(round, correction.of), detail)
    return "all", tuple(sorted(wanted))


def _section(round: Round, number: int) -> str:
    """Where the book says how long a word can be taken back."""
    word = counts(round, number)
    if word is None or isinstance(word, _UNBOUND) or not isinstance(word, _OF_A_SEAT):
        return ""
    return round.book.cite(next(one.section for one in round.book.options if one.name == "words_back"))
