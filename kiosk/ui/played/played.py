"""Go through a game of the evening trick by trick: each card's picture beside the name noted, words at their place."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image

from kiosk.language import say
from kiosk.language.cards import card_word
from kiosk.table.view.played_game import PlayedBreach, PlayedCard, PlayedTrick, PlayedWord
from kiosk.table.view.played_words import breach_told, how_told
from kiosk.ui.parts.cards import Faces
from kiosk.ui.parts.fit import NEAR, fit_name, width_of
from kiosk.ui.parts.look import RED_LIGHT, Sheet, dp, kv, plain, sign, sp
from kiosk.ui.parts.pictures import texture_of
from kiosk.ui.parts.played_view import PlayedView
from kiosk.ui.parts.told import sentence
from kiosk.ui.parts.touchable import Touchable

#: Width of a card's column and room between two, in units.
COLUMN_UNITS, GAP_UNITS = 160, 8

#: A card is so many times as high as wide.
CARD_RATIO = 1.54


class PlayedColumn(Touchable, BoxLayout):
    """A card's picture, who laid it, and what it was noted as; touched, the picture is shown large."""

    units = NumericProperty(COLUMN_UNITS)
    high = NumericProperty(120)  # of the picture, in units
    texture = ObjectProperty(None, allownone=True)
    missing = StringProperty("")  # said where there is no picture
    player = StringProperty("")
    card = StringProperty("")
    winner = BooleanProperty(False)


class LargePicture(Touchable, Image):
    """A picture that has the place of the cards until it is touched."""


class PlayedSheet(Sheet):
    """One game; the games before and after it are a touch away.

    :param played: the game with its pictures.
    """

    mat_texture = ObjectProperty(None, allownone=True)
    large = ObjectProperty(None, allownone=True)  # the picture that has the place of the cards: of one, or of the mat
    notes = StringProperty("")
    first = BooleanProperty(True)
    last = BooleanProperty(True)
    has_before = BooleanProperty(False)  # another game that may be looked at
    has_after = BooleanProperty(False)

    def __init__(self, app: Any, played: PlayedView, **kwargs: Any) -> None:
        self._trick = 0
        self.played = played
        super().__init__(app, **kwargs)
        self.draw(played)
        self.ids.plate.bind(width=self.on_upended)

    def draw(self, played: PlayedView) -> None:
        """Show a game from its first trick on; the game before this one from its last."""
        back = played.asked.game is not None and played.asked.game == self.played.before
        self.played, self.large = played, None
        self._faces = Faces([card.card for trick in played.game.tricks for card in trick.cards], self.app.language)
        self._trick = max(0, len(played.game.tricks) - 1) if back or played.game.hidden else 0
        self._draw()

    def on_upended(self, *_: object) -> None:
        """Draw the cards as they fit."""
        self._draw()

    def step(self, by: int) -> None:
        """Show the trick before or after this one."""
        self._trick = max(0, min(self._trick + by, len(self.played.game.tricks) - 1))
        self._draw()

    def other(self, by: int) -> None:
        """Ask for the game before or after this one."""
        game = self.played.before if by < 0 else self.played.after
        if game is not None:
            self.app.request(replace(self.played.asked, game=game))

    def enlarge(self, texture: Any) -> None:
        """Show a picture large in place of the cards; without one, the cards again."""
        self.large = texture

    def _draw(self) -> None:
        game, text = self.played.game, self.app.words
        self.title = " · ".join([text["game_n"].format(game=game.number), *self._game_told(), *self._trick_told()])
        self.has_before, self.has_after = self.played.before is not None, self.played.after is not None
        self.first, self.last = self._trick == 0, self._trick >= len(game.tricks) - 1
        box = self.ids.cards
        box.clear_widgets()
        mat_shown = self.large is not None and self.large is self.mat_texture
        if not game.tricks:
            self.mat_texture, self.large, self.notes = None, None, text["played_no_cards"]
            return
        trick = game.tricks[self._trick]
        mats = (self.played.mats.get(event) for event, _ in trick.mats)
        self.mat_texture = texture_of(next((jpeg for jpeg in mats if jpeg is not None), None))
        self.large = self.mat_texture if mat_shown else None
        units = self._units(len(trick.cards))
        for card in trick.cards:
            box.add_widget(self._column(trick, card, units))
        self.notes = "\n".join(self._notes(trick))
        self.ids.scroll.scroll_y = 1

    def _game_told(self) -> list[str]:
        game = self.played.game
        if game.kind == "normal":
            return []
        name = str(self.app.say(game.kind))
        return [f"{name} ({plain(self._name(game.declarer))})" if game.declarer is not None else name]

    def _trick_told(self) -> list[str]:
        game, text = self.played.game, self.app.words
        if not game.tricks:
            return []
        trick = game.tricks[self._trick]
        told = str(text["trick_n"].format(n=trick.number))
        if trick.winner is not None:
            told += " " + text["last_trick_to"].format(name=plain(self._name(trick.winner)))
        points = [] if trick.points is None else [f"{trick.points} {text['augen_word']}"]
        return [told, *points]

    def _units(self, columns: int) -> float:
        """How wide a column is, so that all have room."""
        room = self.ids.plate.width / dp(1) - 28
        return float(min(COLUMN_UNITS, (room - GAP_UNITS * (columns - 1)) / max(1, columns)))

    def _column(self, trick: PlayedTrick, card: PlayedCard, units: float) -> PlayedColumn:
        jpeg = next((self.played.cards[event] for event, _ in card.pictures if event in self.played.cards), None)
        name = fit_name(self._name(card.seat), dp(units) - dp(28), sp(NEAR), among=self.played.names)
        word = self.app.words["face_down"] if card.down else self._word(card)
        if width_of(word, sp(NEAR), bold=True) > dp(units):
            word = self._faces.name(card.card)
        column = PlayedColumn(units=units, high=min(130.0, units * CARD_RATIO))
        column.texture = texture_of(jpeg)
        column.missing = "" if column.texture is not None else self.app.words["no_picture"]
        column.winner = card.seat == trick.winner and not card.gone
        column.player = f"{plain(name)} {sign('★')}" if column.winner else plain(name)
        column.card = f"[s]{word}[/s]" if card.gone else word
        column.bind(on_release=lambda touched: self.enlarge(touched.texture))
        return column

    def _notes(self, trick: PlayedTrick) -> list[str]:
        """What is to be said of a trick beside its cards, in order."""
        names, language = self.played.names, self.app.language
        lines = []
        before = 0  # cards laid so far
        for step in trick.steps:
            match step:
                case PlayedCard():
                    before += not step.gone
                    lines += [
                        plain(f"{self._name(step.seat)}, {self._word(step)}: {one}")
                        for one in how_told(step, names, language, bavarian=self.played.bavarian)
                    ]
                case PlayedWord():
                    lines.append(f"{self._when(before)} {self._said(step)}")
                case PlayedBreach():
                    lines.append(f"[color={RED_LIGHT}]{plain(breach_told(step, names, language))}[/color]")
        game = self.played.game
        if game.hidden:
            lines.append(self.app.words["played_hidden"])
        if not self.played.cards and not self.played.mats:
            lines.append(self.app.words["played_no_pictures" if self.played.offered else "played_pictures_off"])
        return lines

    def _when(self, before: int) -> str:
        if before == 0:
            return say("played", "before_trick", self.app.language)
        return say("played", "after_card", self.app.language, n=before)

    def _said(self, step: PlayedWord) -> str:
        """Who said what; what was put right since, and what was taken back."""
        teller, text = self._teller(), self.app.words
        if step.word is None:
            return f"[s]{sentence(teller, step.said)}[/s] ({text['was_taken_back']})"
        told = sentence(teller, step.word)
        if step.word == step.said:
            return told
        return f"{told} ({text['was_put_right'].format(said=sentence(teller, step.said))})"

    def _teller(self) -> Any:
        """What ``told`` asks of the app, for the people and the book of this game: the table may play another one."""
        names, app = self.played.names, self.app
        view = SimpleNamespace(
            seat=lambda number: SimpleNamespace(name=names[number - 1]),
            book=SimpleNamespace(bavarian=self.played.bavarian),
        )
        return SimpleNamespace(words=app.words, language=app.language, say=app.say, view=view)

    def _name(self, seat: int) -> str:
        return self.played.names[seat - 1]

    def _word(self, card: PlayedCard) -> str:
        return card_word(card.card, self.app.language, bavarian=self.played.bavarian)


kv(__file__)
