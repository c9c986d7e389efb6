"""Have a deck that nobody has taught learned in play, and given up again where it proves wrong.

A game that is certain (``kiosk.app.confirm``) teaches its faces. Once all are known they are a deck like any other:
it stands in the decks' folder, is chosen there, and goes to the direction by the same key. What a person corrects of a
card that such a deck named clearly is a face learned wrongly: the whole deck is forgotten and learned anew, which
costs a game or two by indices. Where people have to name several cards of one game, another deck has come to the
table: the one learned before is set aside, and this one is learned. If the cards were read by their indices these are
hard to read, and the people are told to teach the deck.
"""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from kiosk.app.confirm import confirmed
from kiosk.app.decks import choose_deck, drop_played_deck, new_name, note_played_deck, played_decks, read_by_indices
from kiosk.app.desk import Desk
from kiosk.language import say
from kiosk.table.events.values import MACHINES, CardCorrected, CardInserted, CardPlayed, Event, GameDealt
from kiosk.table.observe.desk import second_thought
from kiosk.table.table import Table
from vision.messages import Blind, FaceNamed, LearnPlayed, NameFace, PlayedFaces
from vision.service.process import VisionProcess

log = logging.getLogger(__name__)

#: Name of decks learned in play, numbered from the second on.
NAME = "im-spiel-gelernt"
#: Cards that people have named in one game from which a deck learned in play is not the one on the table: by one that
#: fits less than one is asked in two games.
STRANGE_CARDS = 4
#: Cards that people have named in one game from which its indices are hard to read: of decks that are read well at most
#: three were asked for in a round.
UNREADABLE_CARDS = 6


class PlayedDeckDesk(Desk):
    """Sends certain games to the camera's process while it has no deck, and tells what is learned.

    :param notice: shows a text of a kind in the language that is spoken, until an empty one removes it.
    """

    hears = (PlayedFaces, FaceNamed, Blind)

    def __init__(
        self, vision: VisionProcess, folder: Path, notice: Callable[[str, str | Callable[[str], str]], None]
    ) -> None:
        self._vision, self._folder, self._notice = vision, folder, notice
        self.known = self.of = 0  # faces learned so far, of how many
        self._sent: set[int] = set()  # games
        self._named = set[int]()  # events of the cards of this game that people have named
        self._table: Table | None = None
        self._last = self._deck_since = 0  # the last event, and the one from which on the deck is read by
        self._restarts = 0  # of the camera's process that have been told what people named

    def sit(self, table: Table) -> None:
        """Serve this table from now on."""
        self._table, book = table, table.round.book
        faces = tuple(dict.fromkeys(book.deck))
        self._vision.expect(faces)
        by_indices, copies = read_by_indices(book), len(book.deck) // len(faces)
        self._sent, self._named = {game.number for game in table.round.games}, set()
        self._last = self._deck_since = 0
        if not self._vision.settings.deck:
            self._tell(0, len(faces))
            self._notice("deck", "" if by_indices else lambda language: say("setup_notices", "no_deck", language))
            self._name_again(table)  # the power may have gone

        def heard(number: int, event: Event) -> None:
            self._last = number
            if isinstance(event, GameDealt):
                self._named.clear()
            elif isinstance(event, CardInserted) and event.by not in MACHINES:
                self._named.add(number)
            elif isinstance(event, CardCorrected) and event.by_person:
                self._named.add(event.of)
                asked = () if copies == 1 else (doubt.event for doubt in table.round.doubts if not doubt.perhaps)
                self._name(table, event, {one: table.picture(one) for one in asked if one != event.of})
            if self._vision.settings.deck:
                self._doubt(table, event, len(faces))
                return
            self._learn(table, faces, copies)
            if by_indices and len(self._named) == UNREADABLE_CARDS:
                self._notice("deck", lambda language: say("setup_notices", "unreadable", language))

        table.listen(heard)

    def _name_again(self, table: Table) -> None:
        """Tell a camera's process that knows no face what people have named so far."""
        self._restarts = self._vision.restarts
        for _, event in table.round.log:
            if isinstance(event, CardCorrected) and event.by_person:
                self._name(table, event, {})

    def _name(self, table: Table, event: CardCorrected, asked: Mapping[int, bytes | None]) -> None:
        """Have other cards named by the picture of one that a person has named, also those that are still asked for."""
        picture = table.picture(event.of)
        if event.card is not None and picture is not None and not self._vision.settings.deck:
            left = tuple((number, jpeg) for number, jpeg in asked.items() if jpeg is not None)
            self._vision.send(NameFace(label=event.card, picture=picture, open=left))

    def _learn(self, table: Table, faces: tuple[str, ...], copies: int) -> None:
        """Send each game once, as soon as it is certain."""
        for game in table.round.games[-2:]:
            if game.number not in self._sent and (cards := confirmed(table, game)):
                self._sent.add(game.number)
                name = new_name(NAME, "", self._folder)
                self._vision.send(LearnPlayed(name=name, faces=faces, copies=copies, cards=cards))

    def _doubt(self, table: Table, event: Event, faces: int) -> None:
        """Give a deck learned in play up where people say that it is wrong, or another one."""
        deck = self._vision.settings.deck
        if not isinstance(event, CardCorrected | CardInserted) or deck not in played_decks(self._folder):
            return
        if isinstance(event, CardCorrected) and _contradicts(table, event):
            log.warning("somebody has corrected a card that the deck %r had named: it is learned anew", deck)
            drop_played_deck(self._folder, deck)
        elif sum(one > self._deck_since for one in self._named) >= STRANGE_CARDS:
            log.warning("people had to name several cards: this is not the deck %r; it is learned", deck)
        else:
            return
        self._named.clear()
        self._vision.forget_deck()
        self._name_again(table)
        self._tell(0, faces)

    def heard(self, message: PlayedFaces | FaceNamed | Blind) -> None:
        """Tell what is learned, and keep to a deck that is whole; note which cards look like one that was named."""
        if isinstance(message, Blind):
            if self._table is not None and not message.why and self._vision.restarts != self._restarts:
                self._name_again(self._table)
            return
        if isinstance(message, FaceNamed):
            self._note_alike(message)
            return
        if message.why:
            log.warning("the faces learned in play make no deck: %s", message.why)
        if not message.deck:
            self._tell(message.known, message.of)
            return
        self.known, self.of, self._deck_since = message.known, message.of, self._last
        if message.deck.startswith(NAME):
            note_played_deck(self._folder, message.deck)
        else:  # one that was taught is on the table
            choose_deck(self._folder, message.deck)
        log.info("the deck %r is played with, as was seen in play", message.deck)
        self._notice("learning", "")
        self._notice("deck", "")

    def _note_alike(self, message: FaceNamed) -> None:
        """Put cards right that nobody has named by now."""
        if self._table is None:
            return
        asked = {doubt.event for doubt in self._table.round.doubts if not doubt.perhaps}
        for number, margin in message.alike:
            if number in asked:
                why = "looks like one that was named"
                said = CardCorrected(of=number, card=message.label, by="camera", why=why, margin=margin)
                second_thought(self._table, said)

    def _tell(self, known: int, of: int) -> None:
        self.known, self.of = known, of
        self._notice("learning", lambda language: say("setup_notices", "learning", language, known=known, of=of))


def _contradicts(table: Table, event: CardCorrected) -> bool:
    """Whether a person says that a card which was read clearly is another one."""
    played = next((one for number, one in table.round.log if number == event.of), None)
    return (
        event.by_person
        and isinstance(played, CardPlayed)
        and not (played.doubt or played.unseen or played.place is None)
        and event.card not in (None, played.card)
    )
