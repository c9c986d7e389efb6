"""Show the table in play: the seats at their sides, the trick as laid, and the next step."""

from typing import Any

from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import Screen

from kiosk.table.events.codec import request_for
from kiosk.table.events.values import AskingAnswered, BidMade, GameDealt
from kiosk.table.view.table_view import NoticeView, TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.cards import CardFace
from kiosk.ui.parts.look import dp, kv
from kiosk.ui.parts.pictures import texture_of
from kiosk.ui.parts.places import FIVE, FOUR
from kiosk.ui.parts.touchable import Touchable
from kiosk.ui.play.hint_text import hint_text
from kiosk.ui.play.middle_text import middle_text
from kiosk.ui.play.seat_panel import SeatPanel, announcing

#: Where the cards lie, in card widths from the middle: x right, y up.
FOUR_CARDS = {1: (0, -0.77), 2: (-1.2, 0), 3: (0, 0.77), 4: (1.2, 0)}
FIVE_CARDS = {1: (0, -0.77), 2: (-1.75, 0), 3: (-0.58, 0.77), 4: (0.58, 0.77), 5: (1.75, 0)}

#: Height of a card for its width.
CARD_HEIGHT_PER_WIDTH = 1.4

ROW_DP = (300, 118)  # dp, panel below and above
COLUMN_DP = (160, 262)  # dp, panel left and right, with all its keys


class Middle(BoxLayout):
    """The middle of the table while no trick lies there."""

    title = StringProperty("")
    line = StringProperty("")
    body = StringProperty("")
    warning = StringProperty("")
    left_key = StringProperty("")
    right_key = StringProperty("")
    right_on = BooleanProperty(True)
    shown = BooleanProperty(True)

    def on_touch_down(self, touch: Any) -> bool:
        return bool(self.shown and super().on_touch_down(touch))


class DoubtBadge(Touchable, BoxLayout):
    """The open questions, in the corner: play goes on."""

    texture: Texture | None = ObjectProperty(None, allownone=True)
    count = NumericProperty(0)
    text = StringProperty("")


class Hint(Touchable, BoxLayout):
    """One line below the trick: the next step, or a fault."""

    text = StringProperty("")
    tone = ListProperty([0, 0, 0, 0])
    ink = ListProperty([1, 1, 1, 1])


class PlayArea(FloatLayout):
    """Layout of panels, cards and corners for four or five seats."""


class PlayScreen(Screen):
    """The table, drawn from a view; ``act`` of its parts ends in requests and sheets."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self.panels: dict[int, SeatPanel] = {}
        self.card_faces: dict[int, CardFace] = {}
        self._view: TableView | None = None
        self._hinted: NoticeView | None = None
        super().__init__(**kwargs)
        self.ids.area.bind(size=lambda *_: self._place(), pos=lambda *_: self._place())
        self.ids.hint.bind(on_release=lambda *_: self._touch_hint())
        self.ids.doubt.bind(on_release=lambda *_: self._touch_doubt())

    # drawing

    def show(self, view: TableView) -> None:
        """Draw the view."""
        if self.panels.keys() != {seat.seat for seat in view.seats}:
            self._seat_people(len(view.seats))
        self._view = view
        for seat in view.seats:
            panel = self.panels[seat.seat]
            panel.again = self.app.words["again"]
            panel.show(self.app, seat, view)
        rows = [panel for panel in self.panels.values() if panel.shape == "row"]
        # All rows grow and shrink together, and not while keys wander from seat to seat.
        tall = view.phase in ("asking", "bidding", "declaring") or any(panel.busy for panel in rows)
        for panel in rows:
            panel.tall = tall
        self._show_trick(view)
        self._show_middle(view)
        self._show_corners(view)
        self._show_hint(view)

    def _seat_people(self, players: int) -> None:
        area = self.ids.area
        for widget in (*self.panels.values(), *self.card_faces.values()):
            area.remove_widget(widget)
        self.panels, self.card_faces = {}, {}
        for seat, (x, _) in self._places(players).items():
            panel = SeatPanel(size_hint=(None, None), act=self.act)
            panel.shape = "column" if abs(x) == 1 else "row"
            face = CardFace(seat=seat)
            face.bind(on_release=self._touch_card)
            panel.bind(height=lambda *_: self._place())
            self.panels[seat], self.card_faces[seat] = panel, face
            area.add_widget(panel)
            area.add_widget(face)
        self._place()

    @staticmethod
    def _places(players: int) -> dict[int, tuple[float, float]]:
        return FOUR if players == 4 else FIVE

    def _place(self) -> None:
        area = self.ids.area
        gap = dp(8)
        tall_h, column_w = dp(ROW_DP[1]), dp(COLUMN_DP[0])
        rows = [panel for panel in self.panels.values() if panel.shape == "row"]
        row_h = rows[0].height if rows else tall_h
        five = len(self.panels) == 5
        row_w = min(dp(ROW_DP[0]), (area.width - 3 * gap) / 2)
        middle_x = area.center_x
        middle_y = area.y + area.height / 2 + dp(11)
        cards = FIVE_CARDS if five else FOUR_CARDS
        # As large as the room between the panels allows: two cards high, and as wide as they spread.
        high = (area.height - 2 * (row_h + 2 * gap) - dp(22)) / 2 - dp(4)
        wide = (area.width - 2 * (column_w + 2 * gap)) / (2 * max(x for x, _ in cards.values()) + 1)
        card_w = min(high / CARD_HEIGHT_PER_WIDTH, wide)
        for seat, (x, y) in self._places(len(self.panels)).items():
            panel, face = self.panels[seat], self.card_faces[seat]
            face.size = card_w, card_w * CARD_HEIGHT_PER_WIDTH
            face.center = middle_x + cards[seat][0] * card_w, middle_y + cards[seat][1] * card_w
            if abs(x) == 1:
                panel.width = column_w
                panel.x = area.x + gap if x < 0 else area.right - gap - column_w
                panel.top = area.top - (tall_h + 2 * gap if five else dp(72))
            else:
                panel.width = row_w
                panel.center_x = middle_x + x * (row_w + gap)
                panel.y = area.y + gap if y < 0 else area.top - gap - row_h
        middle = self.ids.middle
        middle.width = area.width - 2 * (column_w + 2 * gap)
        hint = self.ids.hint
        middle.y = area.y + row_h + 2 * gap + hint.height
        middle.height = area.top - row_h - 2 * gap - middle.y
        middle.center_x = middle_x
        hint.width, hint.center_x, hint.y = middle.width, middle_x, area.y + row_h + 2 * gap - dp(5)
        corner_w = (area.width - row_w) / 2 - 2 * gap
        for corner in (self.ids.doubt, self.ids.last):
            corner.size = min(corner_w, column_w), dp(84)
        self.ids.last.height = dp(60)
        self.ids.doubt.pos = area.x + gap, area.y + gap
        self.ids.last.pos = area.right - gap - self.ids.last.width, area.y + gap

    def _show_trick(self, view: TableView) -> None:
        trick = view.trick
        if (trick is None or not trick.cards) and view.phase in ("playing", "resting") and not view.blind:
            trick = view.last_trick  # it lies open until the next card; a blind camera needs the place to touch
        laid = {card.seat: card for card in trick.cards} if trick else {}
        breaches = {one.event for one in view.offences if one.claimants}
        in_play = view.phase in ("playing", "resting")
        faces = self.app.faces
        for seat in view.seats:
            face = self.card_faces[seat.seat]
            card = laid.get(seat.seat) if in_play else None
            if card is not None:
                face.down, face.event = card.down, card.event
                face.draw(faces, card.card)
                won = trick is not None and trick.winner == seat.seat
                face.mark = "doubt" if card.doubt else "breach" if card.event in breaches else "winner" if won else ""
            else:
                face.down, face.event = False, -1
                face.draw(faces, "")
                waits = view.phase == "playing" and seat.turn and not seat.sits_out
                face.mark = "turn" if waits else ""
            face.opacity = 1 if in_play and not seat.sits_out else 0

    def _show_middle(self, view: TableView) -> None:
        middle, shown = self.ids.middle, middle_text(self.app, view)
        middle.title, middle.line, middle.body, middle.warning = shown.title, shown.line, shown.body, shown.warning
        middle.left_key, middle.right_key, middle.right_on = shown.left_key, shown.right_key, shown.right_on
        middle.shown = view.phase not in ("playing", "resting")

    def _show_corners(self, view: TableView) -> None:
        badge, text = self.ids.doubt, self.app.words
        badge.count = len(view.doubts)
        if view.doubts:
            badge.text = text["doubt"] if badge.count == 1 else text["doubts"].format(n=badge.count)
            badge.texture = texture_of(view.doubts[0].picture)
        self.ids.last.shown = view.last_trick is not None

    def _show_hint(self, view: TableView) -> None:
        hint, shown = self.ids.hint, hint_text(self.app, view)
        self._hinted = shown.notice
        hint.text, hint.ink = shown.text, look.hex(shown.ink)
        hint.tone = look.hex(shown.ground) if shown.ground else (0, 0, 0, 0)

    # touches

    def act(self, seat: int, kind: str, *what: Any) -> None:
        """Carry out the function of a key of a seat's panel."""
        if kind == "answer":
            self.app.request(request_for(AskingAnswered, seat=seat, call=what[0]))
        elif kind == "announce":
            self.app.request(announcing(seat, what[0]))
        elif kind == "bid_none":
            self.app.request(request_for(BidMade, seat=seat, game=None))
        else:
            self.app.sheets.open(kind, seat=seat)

    def middle_left(self) -> None:
        """Act on the left key of the middle: show the tricks of the game that ended."""
        self.app.sheets.open("tricks")

    def middle_right(self) -> None:
        """Act on the right key of the middle: deal, or show the list once the round is over."""
        view = self._view
        if view is None:
            return
        dealer = view.next_dealer or next((seat.seat for seat in view.seats if seat.dealer), None)
        if view.phase == "over" or (view.phase == "scored" and not view.next_dealer) or dealer is None:
            self.app.go("list")
        else:
            self.app.request(request_for(GameDealt, dealer=dealer))

    def _touch_card(self, face: CardFace) -> None:
        if face.card:
            self.app.sheets.open("correct", of=face.event)
        elif face.mark == "turn":
            self.app.sheets.open("lay", seat=face.seat)

    def _touch_hint(self) -> None:
        hinted = self._hinted
        if hinted is not None and hinted.code == "cards_lacking":
            self.app.sheets.open("finish")
        elif hinted is not None and hinted.event is not None:
            self.app.sheets.ask_about(hinted.event)
        elif self.app.notices:
            self.app.refusal.show("gold", "\n".join(self.app.notices.values()))
        else:
            self.app.sheets.lay_by_finger()

    def _touch_doubt(self) -> None:
        if self._view is not None and self._view.doubts:
            self.app.sheets.ask_about(self._view.doubts[0].event)

    def touch_last(self) -> None:
        """Show the last trick again, while the book allows it."""
        self.app.sheets.open("last")


kv(__file__)
