"""Compute a game as it was played, trick by trick: who laid and said what, and how each card came to its name.

The round has all of it but the pictures; these are kept beside it, each under its event's number and time.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.rights import tricks_open
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import MISREAD, Offence
from kiosk.table.events.values import (
    AskingAnswered,
    BidMade,
    CallAnnounced,
    CardCorrected,
    CardInserted,
    CardSeen,
    CardsReseated,
    DealVoided,
    GameClaimed,
    GameDeclared,
    LeaveDecided,
    ObjectionRaised,
    RulingGiven,
    TableEvent,
)
from kiosk.table.inference.certain import certain
from kiosk.table.round.fold import Round
from kiosk.table.view.evidence import evidence
from kiosk.table.view.show import help_told
from kiosk.table.view.spoken import as_said
from kiosk.table.view.table_view import OffenceView

#: What is told of a game beside its cards.
_WORDS = (
    *(AskingAnswered, BidMade, GameDeclared, LeaveDecided, CallAnnounced, GameClaimed, ObjectionRaised, RulingGiven),
    DealVoided,
)

#: Answers in the asking that nobody wants to read again.
_UNSAID = ("gesund", "weiter", "recht")

#: An event's number with its time, ms since the epoch, under which its picture is kept.
Stamp: TypeAlias = tuple[int, int]

#: Where an event stands in the order of play: a card that nobody saw stands behind the event after which it was laid.
_Place: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChange:
    """How a card was noted until somebody, or a second look, put it right."""

    card: Card  # as it counted
    seat: int
    doubt: tuple[Card, ...]  # what it might have been; () where it was clear
    by: str  # who put it right: "seat N", table, referee, direction, camera, composition


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedCard:
    """A card that was laid, or noted though there was none."""

    event: int
    seat: int  # as it counts
    card: Card
    down: bool
    came: str  # camera, finger (laid on the screen), later (entered afterwards), unseen
    by: str = ""  # of one that was entered afterwards: who
    doubt: tuple[Card, ...] = ()  # what it may be still
    perhaps: int | None = None  # the seat that it may be of instead: people are asked
    changes: tuple[CardChange, ...] = ()  # what it was before, oldest first
    gone: str = ""  # taken_back, no_card
    gone_by: str = ""  # who said that there was no card
    stamp: Stamp | None = None  # of its event
    pictures: tuple[Stamp, ...] = ()  # under what its pictures may be kept, the newest first


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedWord:
    """Something said or ruled."""

    event: int
    said: Mapping[str, Any]  # as it was noted, an event's keys
    word: Mapping[str, Any] | None  # as it counts; None: it was taken back


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedBreach:
    """A breach that is certain, at what broke the rule."""

    offence: OffenceView


PlayedStep: TypeAlias = PlayedCard | PlayedWord | PlayedBreach


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTrick:
    """A trick with all that belongs to it, in order; what was said before the first card is with the first trick."""

    number: int  # 1 is the first
    winner: int | None  # None: it was not finished
    points: int | None  # Augen; None where the table does not tell them
    steps: tuple[PlayedStep, ...]

    @property
    def cards(self) -> tuple[PlayedCard, ...]:
        """All cards, with those taken back."""
        return tuple(step for step in self.steps if isinstance(step, PlayedCard))

    @property
    def mats(self) -> tuple[Stamp, ...]:
        """Under what a picture of the mat may be kept, the likeliest first: that of the trick's last card."""
        return tuple(card.stamp for card in reversed(self.cards) if card.stamp is not None and not card.gone)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A game as it was played."""

    number: int  # of the table's own count
    dealer: int
    kind: str
    declarer: int | None
    running: bool
    tricks: tuple[PlayedTrick, ...]  # those that may be looked at
    hidden: int = 0  # tricks that nobody may look at now

    @property
    def stamps(self) -> tuple[Stamp, ...]:
        """Under what all its pictures may be kept."""
        cards = [card for trick in self.tricks for card in trick.cards]
        found = [stamp for card in cards for stamp in (card.stamp, *card.pictures) if stamp is not None]
        return tuple(dict.fromkeys(found))


def games_of(round: Round) -> tuple[Game, ...]:
    """List the games that can be gone through: those of the list, and the one in play."""
    game = round.game
    running = game is not None and not game.ended
    return (*round.games, game) if running and game is not None else round.games


def played_game(round: Round, number: int, *, whole: bool = False) -> PlayedGame | None:
    """Compute a game by its number; None where there is none.

    :param whole: all of it, also while it is in play: for referee and direction. Else of the game in play the last
        trick alone is there, as long as the book shows it.
    """
    games = games_of(round)
    place = next((n for n, game in enumerate(games) if game.number == number), None)
    if place is None:
        return None
    game = games[place]
    end = games[place + 1].dealt if place + 1 < len(games) else round.events
    tricks = _tricks(round, game, end, points=whole or "augen" in help_told(round) or bool(game.ended))
    if not whole and not game.ended:
        shown = tricks_open(game)
        return _game(round, game, tricks[shown.start : shown.stop], len(tricks) - len(shown))
    return _game(round, game, tricks, 0)


def _game(round: Round, game: Game, tricks: tuple[PlayedTrick, ...], hidden: int) -> PlayedGame:
    return PlayedGame(
        number=game.number,
        dealer=game.dealer,
        kind=game.kind,
        declarer=game.declarer,
        running=not game.ended,
        tricks=tricks,
        hidden=hidden,
    )


class _Order:
    """The order of play: where each event of a game stands, and to which trick it belongs."""

    def __init__(self, round: Round, laid: Sequence[Sequence[Laid]], end: int) -> None:
        self._places = {number: (place, 0, 0) for place, number in round.order.items()}
        for after, numbers in round.inserted.items():
            self._places |= {number: (after, 1, index) for index, number in enumerate(numbers)}
        self._ends = [max((self.place(one.event) for one in cards), default=(end, 0, 0)) for cards in laid]

    def place(self, number: int) -> _Place:
        """Where an event stands."""
        return self._places.get(number, (number, 0, 0))

    def trick(self, number: int) -> int:
        """The trick, from 0, that was being played; what comes after the last card belongs to the last one."""
        place = self.place(number)
        return next((n for n, last in enumerate(self._ends) if place <= last), len(self._ends) - 1)


def _tricks(round: Round, game: Game, end: int, *, points: bool) -> tuple[PlayedTrick, ...]:
    """All tricks of a game, a begun one too."""
    laid = [list(trick.cards) for trick in game.tricks]
    if game.open_trick or not laid:
        laid.append(list(game.open_trick))
    for trick, one in game.taken_back:
        laid[min(trick, len(laid) - 1)].append(one)
    order = _Order(round, laid, end)
    steps: list[list[tuple[_Place, int, PlayedStep]]] = [[] for _ in laid]
    for trick, step, number in _cards(round, game, laid):
        steps[trick].append((order.place(number), 0, step))
    known = {one.event for cards in laid for one in cards}
    for said in _beside(round, range(game.dealt, end), known):
        steps[order.trick(said.event)].append((order.place(said.event), 0, said))
    for offence in certain(round) if game is round.game else game.offences:
        if offence.code != MISREAD:
            steps[order.trick(offence.event)].append((order.place(offence.event), 1, _breach(game, offence)))
    return tuple(
        PlayedTrick(
            number=n + 1,
            winner=game.tricks[n].winner if n < len(game.tricks) else None,
            points=game.tricks[n].points if points and n < len(game.tricks) else None,
            steps=tuple(step for _, _, step in sorted(found, key=lambda one: one[:2])),
        )
        for n, found in enumerate(steps)
        if found
    )


def _cards(round: Round, game: Game, laid: Sequence[Sequence[Laid]]) -> Iterator[tuple[int, PlayedCard, int]]:
    """The cards that count, and those taken back, with their trick, from 0, and event."""
    changes = _corrections(round)
    back = {one.event for _, one in game.taken_back}
    for trick, cards in enumerate(laid):
        for one in cards:
            card = _card(round, one, changes.get(one.event, ()), taken_back=one.event in back)
            yield trick, card, one.event


def _beside(round: Round, numbers: range, known: Collection[int]) -> Iterator[PlayedCard | PlayedWord]:
    """What was said, and the cards that were noted though there was none: those that are not ``known``."""
    changes = _corrections(round)
    for number, event in round.log:
        if number not in numbers:
            continue
        found: PlayedCard | PlayedWord | None = None
        if isinstance(event, CardSeen) and number not in known:
            found = _no_card(round, number, event, changes)
        elif isinstance(event, _WORDS):
            found = _word(round, number, event)
        if found is not None:
            yield found


_Changes: TypeAlias = Mapping[int, tuple[tuple[int, CardCorrected | CardsReseated], ...]]


def _corrections(round: Round) -> _Changes:
    """What has put each card right, in order, by the card's event."""
    found: dict[int, tuple[tuple[int, CardCorrected | CardsReseated], ...]] = {}
    for number, event in round.log:
        if isinstance(event, CardCorrected):
            found[event.of] = (*found.get(event.of, ()), (number, event))
        elif isinstance(event, CardsReseated):
            for of in event.seats:
                found[of] = (*found.get(of, ()), (number, event))
    return found


def _history(
    seen: CardSeen, of: int, changes: tuple[tuple[int, CardCorrected | CardsReseated], ...]
) -> Iterator[tuple[CardChange, CardCorrected | CardsReseated]]:
    """How a card was noted before each of its corrections that has changed anything."""
    card, seat, doubt = seen.card, seen.seat, seen.doubt
    for _, event in changes:
        if isinstance(event, CardsReseated):
            after = (card, event.seats[of], doubt)
        else:
            after = (event.card or card, event.seat or seat, ())
        if after != (card, seat, doubt) or (isinstance(event, CardCorrected) and event.card is None):
            yield CardChange(card=card, seat=seat, doubt=doubt, by=event.by), event
        card, seat, doubt = after


def _card(
    round: Round, laid: Laid, changes: tuple[tuple[int, CardCorrected | CardsReseated], ...], *, taken_back: bool
) -> PlayedCard:
    seen = round.noted(laid.event)
    assert isinstance(seen, CardSeen)
    return PlayedCard(
        event=laid.event,
        seat=laid.seat,
        card=laid.card,
        down=laid.down,
        came=_came(seen),
        by=seen.by if isinstance(seen, CardInserted) else "",
        doubt=laid.doubt,
        perhaps=next((seats[laid.event] for seats in round.perhaps if laid.event in seats), None),
        changes=tuple(change for change, _ in _history(seen, laid.event, changes)),
        gone="taken_back" if taken_back else "",
        stamp=_stamp(laid.event, seen),
        pictures=_stamps(seen, laid.event, changes),
    )


def _no_card(round: Round, number: int, seen: CardSeen, changes: _Changes) -> PlayedCard | None:
    """A card that was noted though there was none."""
    counts = round.corrections.get(number)
    if counts is None or counts.card is not None:
        return None
    history = [*_history(seen, number, changes[number])]
    return PlayedCard(
        event=number,
        seat=history[-1][0].seat,
        card=history[-1][0].card,
        down=seen.down,
        came=_came(seen),
        by=seen.by if isinstance(seen, CardInserted) else "",
        changes=tuple(change for change, _ in history[:-1]),
        gone="no_card",
        gone_by=history[-1][0].by,
        stamp=_stamp(number, seen),
        pictures=_stamps(seen, number, changes[number]),
    )


def _came(seen: CardSeen) -> str:
    """How a card came to be noted."""
    if isinstance(seen, CardInserted) and not seen.unseen:
        return "later"
    if seen.unseen:
        return "unseen"
    return "camera" if seen.margin is not None or seen.place is not None else "finger"


def _stamps(
    seen: CardSeen, number: int, changes: tuple[tuple[int, CardCorrected | CardsReseated], ...]
) -> tuple[Stamp, ...]:
    """Where pictures of a card may be kept: with its event, and with a second look of the camera."""
    looks: list[tuple[int, TableEvent]] = [(number, seen)] if _came(seen) == "camera" else []
    looks += [(n, event) for n, event in changes if isinstance(event, CardCorrected) and event.by == "camera"]
    return tuple(stamp for n, event in reversed(looks) if (stamp := _stamp(n, event)) is not None)


def _stamp(number: int, event: TableEvent) -> Stamp | None:
    return None if event.at is None else (number, int(event.at))


def _word(round: Round, number: int, said: Any) -> PlayedWord | None:
    counts = round.words.get(number, said)
    if isinstance(said, AskingAnswered) and counts == said and said.call in _UNSAID:
        return None
    return PlayedWord(event=number, said=as_said(said), word=None if counts is None else as_said(counts))


def _breach(game: Game, offence: Offence) -> PlayedBreach:
    return PlayedBreach(
        offence=OffenceView(
            code=offence.code,
            seat=offence.seat,
            event=offence.event,
            proved=offence.proved,
            section=offence.section,
            claimants=(),
            **evidence(game, offence),
        )
    )
