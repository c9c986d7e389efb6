"""Cards of which it is certain what they were go back to the camera's process, which sees better by them.

A game that was played out, without a doubt left and without a contradiction, has shown every card of the deck as often
as there is of it: what was read clearly, and what people have said, was so. Other games confirm nothing.
"""

from collections import Counter
from collections.abc import Callable

from kiosk.rules.game import Game
from kiosk.table.log import Event
from kiosk.table.position import corrections, seen
from kiosk.table.table import Table
from vision.messages import Improve

#: Margin from which a card that nobody was asked about is taken for certain, even though the deck agrees.
CLEAR = 0.2


class Confirmer:
    """Sends the pictures of each game once, as soon as it is certain.

    :param send: hands a command to the camera's process.
    """

    def __init__(self, send: Callable[[Improve], None]) -> None:
        self._send = send

    def sit(self, table: Table) -> None:
        """This is the table from now on."""
        sent = {game.number for game in table.round.games}

        def heard(_: int, event: Event) -> None:
            if event["event"] not in ("card", "correct", "deal"):
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
    """The cards of a finished game with their pictures, as far as they are certain; () while it is not."""
    if game.ended != "cards" or game.doubts or any(doubt.game == game.number for doubt in table.view().doubts):
        return ()
    spoken = corrections(table.events)
    cards = seen(game, table.events, spoken)
    if Counter(card.card for card in cards) != Counter(table.round.book.deck):
        return ()
    found = []
    for card in cards:
        said = card.fixed or spoken.get(card.event, {}).get("by") == "composition"
        picture = table.picture(card.event)
        if picture is not None and not card.unseen and (said or card.margin >= CLEAR):
            found.append((card.card, picture))
    return tuple(found)
