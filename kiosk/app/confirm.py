"""Send certain cards with their pictures back to the camera's process to adapt its recognition.

A game that was played out, without a doubt left and without a contradiction, has shown every card of the deck as often
as there is of it: what was read clearly, and what people have said, was so. Other games confirm nothing.
"""

from collections import Counter
from collections.abc import Callable

from kiosk.app.desk import Desk
from kiosk.rules.engine.game import Game
from kiosk.table.events.values import CardCorrected, CardInserted, CardPlayed, CardsReseated, Event, GameDealt
from kiosk.table.inference.position import corrections, seen
from kiosk.table.table import Table
from vision.messages import Improve

#: Margin from which a card that nobody was asked about is taken for certain, even though the deck agrees.
CERTAIN_MARGIN = 0.2

#: Events with which a game may become certain.
_MAY_CONFIRM = (CardPlayed, CardCorrected, CardInserted, CardsReseated, GameDealt)


class Confirmer(Desk):
    """Sends the pictures of each game once, as soon as it is certain.

    :param send: hands a command to the camera's process.
    """

    def __init__(self, send: Callable[[Improve], None]) -> None:
        self._send = send

    def sit(self, table: Table) -> None:
        """Serve this table from now on."""
        sent = {game.number for game in table.round.games}

        def heard(_: int, event: Event) -> None:
            if not isinstance(event, _MAY_CONFIRM):
                return
            for game in table.round.games[-2:]:
                if game.number not in sent and _wanted(game.number) and (cards := confirmed(table, game)):
                    sent.add(game.number)
                    self._send(Improve(cards=cards))

        table.listen(heard)


def _wanted(number: int) -> bool:
    """The first games teach most; later ones follow the light as it changes."""
    return number <= 2 or number % 4 == 0


def confirmed(table: Table, game: Game) -> tuple[tuple[str, bytes], ...]:
    """Return the certain cards of a finished game with their pictures; () while it is not finished."""
    if game.ended != "cards" or game.doubts or any(doubt.game == game.number for doubt in table.view().doubts):
        return ()
    spoken = corrections(table.events)
    cards = seen(game, table.events, spoken)
    if Counter(card.card for card in cards) != Counter(table.round.book.deck):
        return ()
    found = []
    for card in cards:
        last = spoken.get(card.event)
        said = card.fixed or (last is not None and last.by == "composition")
        picture = table.picture(card.event)
        if picture is not None and not card.unseen and (said or card.margin >= CERTAIN_MARGIN):
            found.append((card.card, picture))
    return tuple(found)
