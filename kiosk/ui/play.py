"""The table in play: the seats at their sides, the trick as laid, and what is to be done next."""

from typing import Any

from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import Screen

from kiosk.rules.books import BOOKS
from kiosk.table.view import NoticeView, TableView
from kiosk.table.words import rule_says
from kiosk.ui import look
from kiosk.ui.cards import CardFace
from kiosk.ui.look import dp, kv, plain
from kiosk.ui.pictures import texture_of
from kiosk.ui.result import reasons, verdict, winners
from kiosk.ui.seat import SeatPanel, in_time

#: Panel's and card's centre for each seat, as parts of the free half-width and half-height: x right, y up.
FOUR: dict[int, tuple[float, float]] = {1: (0, -1), 2: (-1, 0), 3: (0, 1), 4: (1, 0)}
FIVE: dict[int, tuple[float, float]] = {1: (0, -1), 2: (-1, 0), 3: (-0.5, 1), 4: (0.5, 1), 5: (1, 0)}

#: Where the cards lie, in card widths from the middle: x right, y up.
FOUR_CARDS = {1: (0, -0.77), 2: (-1.2, 0), 3: (0, 0.77), 4: (1.2, 0)}
FIVE_CARDS = {1: (0, -0.77), 2: (-1.75, 0), 3: (-0.58, 0.77), 4: (0.58, 0.77), 5: (1.75, 0)}

#: Height of a card for its width.
CARD_SHAPE = 1.4

ROW = (300, 118)  # dp, panel below and above
COLUMN = (160, 262)  # dp, panel left and right, with all its keys


class Middle(BoxLayout):
    """What stands in the middle while no trick lies there."""

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


class DoubtBadge(ButtonBehavior, BoxLayout):
    """The open questions, in the corner: play goes on."""

    texture: Texture | None = ObjectProperty(None, allownone=True)
    count = NumericProperty(0)
    text = StringProperty("")


class Hint(ButtonBehavior, BoxLayout):
    """One line below the trick: what comes next, or what is wrong."""

    text = StringProperty("")
    tone = ListProperty([0, 0, 0, 0])
    ink = ListProperty([1, 1, 1, 1])


class PlayArea(FloatLayout):
    """Lays panels, cards and corners out for four or five seats."""


class PlayScreen(Screen):
    """The table, drawn from a view; ``act`` of its parts ends in requests and sheets."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self._panels: dict[int, SeatPanel] = {}
        self._faces: dict[int, CardFace] = {}
        self._view: TableView | None = None
        self._hinted: NoticeView | None = None
        super().__init__(**kwargs)
        self.ids.area.bind(size=lambda *_: self._place(), pos=lambda *_: self._place())
        self.ids.hint.bind(on_release=lambda *_: self._touch_hint())
        self.ids.doubt.bind(on_release=lambda *_: self._touch_doubt())

    # drawing

    def show(self, view: TableView) -> None:
        """Draw the view."""
        if self._panels.keys() != {seat.seat for seat in view.seats}:
            self._seat_people(len(view.seats))
        self._view = view
        for seat in view.seats:
            panel = self._panels[seat.seat]
            panel.again = self.app.words["again"]
            panel.show(self.app, seat, view)
        rows = [panel for panel in self._panels.values() if panel.shape == "row"]
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
        for widget in (*self._panels.values(), *self._faces.values()):
            area.remove_widget(widget)
        self._panels, self._faces = {}, {}
        for seat, (x, _) in self._places(players).items():
            panel = SeatPanel(size_hint=(None, None), act=self.act)
            panel.shape = "column" if abs(x) == 1 else "row"
            face = CardFace(seat=seat)
            face.bind(on_release=self._touch_card)
            panel.bind(height=lambda *_: self._place())
            self._panels[seat], self._faces[seat] = panel, face
            area.add_widget(panel)
            area.add_widget(face)
        self._place()

    @staticmethod
    def _places(players: int) -> dict[int, tuple[float, float]]:
        return FOUR if players == 4 else FIVE

    def _place(self) -> None:
        area = self.ids.area
        gap = dp(8)
        tall_h, column_w = dp(ROW[1]), dp(COLUMN[0])
        rows = [panel for panel in self._panels.values() if panel.shape == "row"]
        row_h = rows[0].height if rows else tall_h
        five = len(self._panels) == 5
        row_w = min(dp(ROW[0]), (area.width - 3 * gap) / 2)
        middle_x = area.center_x
        middle_y = area.y + area.height / 2 + dp(11)
        cards = FIVE_CARDS if five else FOUR_CARDS
        # As large as the room between the panels allows: two cards high, and as wide as they spread.
        high = (area.height - 2 * (row_h + 2 * gap) - dp(22)) / 2 - dp(4)
        wide = (area.width - 2 * (column_w + 2 * gap)) / (2 * max(x for x, _ in cards.values()) + 1)
        card_w = min(high / CARD_SHAPE, wide)
        for seat, (x, y) in self._places(len(self._panels)).items():
            panel, face = self._panels[seat], self._faces[seat]
            face.size = card_w, card_w * CARD_SHAPE
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
            face = self._faces[seat.seat]
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
        text, middle = self.app.words, self.ids.middle
        names = {seat.seat: plain(seat.name) for seat in view.seats}
        title = line = body = warning = left = right = ""
        right_on = True
        acting = next((names[seat.seat] for seat in view.seats if seat.turn and not seat.sits_out), "")
        dealer = view.next_dealer or next((seat.seat for seat in view.seats if seat.dealer), None)
        if view.phase == "waiting":
            title, line = text["waiting"], text["waiting_hint"]
            if view.may_deal and dealer:
                right = text["deals"].format(name=names[dealer])
        elif view.phase in ("asking", "bidding", "declaring"):
            title, line = self._finding(view, acting, names)
        elif view.phase == "scored" and view.result is not None:
            title, line = verdict(self.app, view), ""
            if not view.result.void:
                re, kontra = view.result.points
                line = text["augen"].format(re=re, kontra=kontra)
                if len(view.result.re) != 1 and view.result.won_by in BOOKS[view.rules].calls.words:
                    line = "  ·  ".join([", ".join(names[seat] for seat in winners(view)), line]).strip(" ·")
            body = reasons(self.app, view)
            warning = text["result_open"] if view.result.open else ""
            left = text["look_at_tricks"] if view.result.tricks else ""
            right = text["next_game"].format(name=names[dealer]) if dealer and view.next_dealer else text["list"]
            right_on = view.may_deal or not view.next_dealer
        elif view.phase in ("dealing", "scored") and dealer:
            title, line = text["deals"].format(name=names[dealer]), self._dealing(view)
            right, right_on = text["deal_key"], view.may_deal
        elif view.phase == "over":
            title, right = self.app.say("over"), text["list"]
        if view.phase in ("dealing", "scored") and view.doubled and view.next_dealer:
            warning = warning or text["bock_next"].format(n=view.bock_left)
        if view.must_play and view.phase in ("dealing", "asking", "declaring"):
            line = text["must_play"].format(name=names[view.must_play])
        middle.title, middle.line, middle.body, middle.warning = title, line, body, warning
        middle.left_key, middle.right_key, middle.right_on = left, right, right_on
        middle.shown = view.phase not in ("playing", "resting")

    def _finding(self, view: TableView, acting: str, names: dict[int, str]) -> tuple[str, str]:
        """Title and line while the game is being found."""
        text, say = self.app.words, self.app.say
        leave = view.leave
        if leave is not None:
            title = text["leave_" + leave.state].format(name=names[leave.seat], game=say(leave.game))
            hint = {"asked": text["leave_hint"], "refused": text["declares"].format(name=names[leave.seat])}
            return title, hint.get(leave.state, text["declares"].format(name=names[leave.seat]))
        if view.phase == "asking":
            asks = next((seat.asks for seat in view.seats if seat.turn), ())
            open_words = text["or"].join(say(answer) for answer in asks)
            return (text["asks"].format(name=acting, words=open_words) if asks else say("asking")), ""
        if view.phase == "bidding":
            classes = BOOKS[view.rules].classes
            bids = [(classes.index(seat.bid), seat) for seat in view.seats if seat.bid in classes]
            best = max(bids, key=lambda one: one[0], default=None)
            line = text["highest_bid"].format(game=say(best[1].bid), name=names[best[1].seat]) if best else ""
            return text["bids"].format(name=acting), line
        if acting:
            return text["declares"].format(name=acting), ""
        kinds = {str(game["game"]) for seat in view.seats for game in seat.games}
        section = next((kind.section for kind in BOOKS[view.rules].kinds if kind.game in kinds), "")
        return text["who_must"], rule_says("", self.app.language, BOOKS[view.rules].cite(section))

    def _dealing(self, view: TableView) -> str:
        """How the cards are dealt, by the book."""
        text, packets = self.app.words, view.packets
        if len(set(packets)) == 1:
            how = text["deal_equal"].format(times=len(packets), n=packets[0])
        else:
            how = text["deal_packets"].format(packets=" – ".join(map(str, packets)))
        return str(text["deal_hint"].format(how=how))

    def _show_corners(self, view: TableView) -> None:
        badge, text = self.ids.doubt, self.app.words
        badge.count = len(view.doubts)
        if view.doubts:
            badge.text = text["doubt"] if badge.count == 1 else text["doubts"].format(n=badge.count)
            badge.texture = texture_of(view.doubts[0].picture)
        self.ids.last.shown = view.last_trick is not None

    def _show_hint(self, view: TableView) -> None:
        text, hint = self.app.words, self.ids.hint
        self._hinted = None
        warning = ""
        if view.unsaved:
            warning = text["unsaved"].format(n=view.unsaved)
        elif self._pressing(view):
            warning = self._pressing(view)
        elif view.blind:
            warning = text["blind"].format(why=text["blind_" + view.blind])
        elif self.app.notices:
            warning = "  ·  ".join(self._notice_words(kind) for kind in self.app.notices)
        elif view.notices:
            first = view.notices[0]
            self._hinted = first
            warning = self.app.say(first.code)
            if first.seat:
                warning = f"{plain(view.seats[first.seat - 1].name)}: {warning}"
        if warning:
            hint.text, hint.tone, hint.ink = warning, look.hex(look.GOLD), look.hex(look.INK)
            return
        hint.tone, hint.ink = (0, 0, 0, 0), look.hex(look.SAND)
        if view.phase == "resting":
            hint.text, hint.tone, hint.ink = text["resting"], look.hex(look.RED), look.hex(look.IVORY)
        elif view.phase == "playing":
            acting = next((plain(seat.name) for seat in view.seats if seat.turn and not seat.sits_out), "")
            key = "to_lay" if view.trick and view.trick.cards else "leads"
            hint.text = text[key].format(name=acting) if acting else ""
            if view.last_trick or (view.trick and view.trick.cards):
                hint.text += "  ·  " + text["wrong_card"]
        else:
            hint.text = ""

    def _pressing(self, view: TableView) -> str:
        """What somebody at the table has to do before play goes on; "" for nothing."""
        text = self.app.words
        if view.phase != "playing":
            return ""
        if view.leave is not None and view.leave.state != "granted":
            name = plain(view.seats[view.leave.seat - 1].name)
            return str(text["leave_" + view.leave.state].format(name=name, game=self.app.say(view.leave.game)))
        for seat in view.seats:
            if seat.owes is not None:
                key = "owes_until" if seat.owes.certain else "owes_perhaps"
                return str(text[key].format(name=plain(seat.name), until=in_time(self.app, seat.owes)))
        return ""

    def _notice_words(self, kind: str) -> str:
        """What is to be done about a notice where there are words for its kind, else its own text."""
        word = self.app.say(kind)
        return plain(self.app.notices[kind]) if word == kind else str(word)

    # touches

    def act(self, seat: int, kind: str, *what: Any) -> None:
        """What a key of a seat's panel does."""
        if kind == "send":
            event, value = what
            self.app.request({"event": event, "seat": seat, "call": value})
        elif kind == "announce":
            self.app.announce(seat, what[0])
        elif kind == "bid_none":
            self.app.request({"event": "bid", "seat": seat, "class": None})
        else:
            self.app.open_sheet(kind, seat=seat)

    def middle_left(self) -> None:
        """The left key of the middle: the tricks of the game that ended."""
        self.app.open_sheet("tricks")

    def middle_right(self) -> None:
        """The right key of the middle: deal, or look at the list once the round is over."""
        view = self._view
        if view is None:
            return
        dealer = view.next_dealer or next((seat.seat for seat in view.seats if seat.dealer), None)
        if view.phase == "over" or (view.phase == "scored" and not view.next_dealer) or dealer is None:
            self.app.go("list")
        else:
            self.app.request({"event": "deal", "dealer": dealer})

    def _touch_card(self, face: CardFace) -> None:
        if face.card:
            self.app.open_sheet("correct", of=face.event)
        elif face.mark == "turn":
            self.app.open_sheet("lay", seat=face.seat)

    def _touch_hint(self) -> None:
        hinted = self._hinted
        if hinted is not None and hinted.code == "cards_lacking":
            self.app.open_sheet("finish")
        elif hinted is not None and hinted.event is not None:
            self.app.ask_about(hinted.event)
        elif self.app.notices:
            self.app.tell_notices()
        else:
            self.app.lay_by_finger()

    def _touch_doubt(self) -> None:
        if self._view is not None and self._view.doubts:
            self.app.ask_about(self._view.doubts[0].event)

    def touch_last(self) -> None:
        """Show the last trick again, while the book allows it."""
        self.app.open_sheet("last")


kv(__file__)
