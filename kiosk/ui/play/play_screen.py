"""Show the table in play: the seats at their sides, the trick as laid, and the next step."""

from dataclasses import replace
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import Screen

from kiosk.rules.engine.cards import Card
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import AnswerForRest, BreakEnded, GameDealt
from kiosk.table.standing_claim import StandingClaim
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.cards import CardFace
from kiosk.ui.parts.clock import minutes_text, remaining
from kiosk.ui.parts.fit import FAR, NEAR, height_of
from kiosk.ui.parts.look import dp, kv, sp
from kiosk.ui.parts.places import ScreenPlace
from kiosk.ui.parts.seen import Seen
from kiosk.ui.parts.touchable import moved_away, uncovered
from kiosk.ui.parts.turned import Turned, turn
from kiosk.ui.play import messages as _layout_of_messages  # noqa: F401
from kiosk.ui.play.areas import CARD_HEIGHT_PER_WIDTH, GAP_UNITS, Rect, SeatArea, lay_cards, seat_areas
from kiosk.ui.play.calls import ClaimSheet
from kiosk.ui.play.choices import STANDING, request_of
from kiosk.ui.play.claim_question import ClaimQuestion, HandSeen, RestChecked, ShowHand, game_of
from kiosk.ui.play.key_faces import KeyFace
from kiosk.ui.play.messages_text import messages
from kiosk.ui.play.middle_text import middle_text
from kiosk.ui.play.reader import reader, upside_down
from kiosk.ui.play.seat_panel import SeatPanel
from kiosk.ui.play.unfolded import Unfolded

#: Height of a row of cards below which messages go behind the last one's key, in units.
LEAST_CARDS_UNITS = 74

#: Width below which a card is hard to hit, in units.
LEAST_CARD_UNITS = 47

#: Length of a panel that is turned towards the left or right edge, in units.
ROW_UNITS = 320


class Middle(Seen, BoxLayout):
    """The middle of the table while no trick lies there."""

    #: Height of its keys, and the gap between its parts, in units.
    KEYS_UNITS, GAP_UNITS = 56, 3

    title = StringProperty("")
    line = StringProperty("")
    body = StringProperty("")
    warning = StringProperty("")
    left_key = StringProperty("")
    right_key = StringProperty("")
    right_on = BooleanProperty(True)
    shown = BooleanProperty(True)
    title_size = NumericProperty(FAR)  # in units
    roomy = BooleanProperty(True)  # there is room for more than title and body
    whole = BooleanProperty(True)  # there is room for the body
    titled = BooleanProperty(True)  # there is room for the title

    def lay(self, place: Rect) -> None:
        """Take that place: where the words are too high for it, the title is written smaller, line and body go.

        What stands in the body is on the list as well; the keys are nowhere else, so that at last the title goes too.

        Whose turn it is stands at the seat as well, so that the title need not be read from every chair.
        """
        width, height = place.width, place.height
        self.pos, self.size = (place.x, place.y), (width, height)
        steps = [(FAR, "title line body"), (26, "title line body"), (NEAR, "title line body"), (NEAR, "title body")]
        steps += [(NEAR, "title")] + [(NEAR, "")] * bool(self.left_key or self.right_key)
        for size, parts in steps:
            fits = self.needs(width, size, parts) <= height + dp(1)
            if fits:
                break
        self.title_size, self.titled = size, "title" in parts
        self.roomy, self.whole = "line" in parts, "body" in parts
        self.opacity = 1 if self.shown and fits else 0

    def needs(self, width: float, size: int = NEAR, words: str = "title body") -> float:
        """How high the words and keys are at that width; ``words``: which of title, line (and warning) and body."""
        inner = width - 2 * dp(6)
        parts = [height_of(self.title, inner, sp(size), True)] if "title" in words else []
        parts += [height_of(self.body, inner, sp(NEAR))] if "body" in words else []
        if "line" in words:
            parts += [height_of(words, inner, sp(NEAR)) for words in (self.line, self.warning)]
        keys = dp(self.KEYS_UNITS) if self.left_key or self.right_key else 0
        return float(sum(parts) + keys + 2 * dp(6) + 6 * dp(self.GAP_UNITS))  # a gap beside each of its seven parts

    def on_touch_down(self, touch: Any) -> bool:
        return bool(self.shown and self.opacity and super().on_touch_down(touch))


class PlayArea(FloatLayout):
    """Layout of panels, cards and corners for four or five seats."""


class PlayScreen(Screen):
    """The table, drawn from a view; ``act`` of its parts ends in requests and sheets."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self.panels: dict[int, SeatPanel] = {}
        self.card_faces: dict[int, CardFace] = {}
        self._built: dict[int, tuple[SeatPanel, CardFace]] = {}  # of every seat that was ever taken
        self._holders: dict[int, Turned] = {}
        self._areas: dict[int, SeatArea] = {}
        self._unfolded: dict[int, Turned] = {}
        self._seated: tuple[int, ScreenPlace] | None = None
        self._view: TableView | None = None
        self._crowded = False
        self._middle_at = Rect(0, 0, 0, 0)
        self.claiming: ClaimQuestion | None = None  # a rest that not all have agreed to yet
        self.seen: HandSeen | None = None  # what the camera sees of the hand laid open
        self._shown: StandingClaim | None = None  # whose hand is laid open, as the table was told
        self._left: StandingClaim | None = None  # what was claimed when the program ended, until a view is shown
        super().__init__(**kwargs)
        self.ids.area.bind(size=lambda *_: self._place(), pos=lambda *_: self._place())
        self.ids.messages.act = self._touch_message

    # drawing

    def show(self, view: TableView) -> None:
        """Draw the view."""
        self._view = view
        if self._seated != (len(view.seats), self.app.place):
            self._seat_people(len(view.seats))
        if self.claiming is not None and not self.claiming.stands(view):
            self.claiming = None
        self._take_up_claim(view)
        for seat in view.seats:
            panel = self.panels[seat.seat]
            panel.show(self.app, seat, view)
        for number, holder in list(self._unfolded.items()):
            if not holder.content.show(view):
                self.fold(number)
        rows = [panel for panel in self.panels.values() if panel.shape == "row"]
        # All rows grow and shrink together, and not while keys wander from seat to seat.
        tall = view.phase in ("asking", "bidding", "declaring") or any(panel.busy for panel in rows)
        for panel in rows:
            panel.tall = tall
        self._show_trick(view)
        self._show_middle(view)
        self.ids.messages.show(messages(self.app, view))
        self.tick()
        self._place()

    def tick(self) -> None:
        """Write the time that is left at the seats from which the rail's clock is not upright."""
        view = self.app.view  # the newest: where nothing but the time goes on, no view is drawn
        if view is None or self._view is None:
            return
        left = minutes_text(remaining(view, self.app.view_at)) if view.clock.limited else ""
        for seat, panel in self.panels.items():
            panel.clock = left if self._holders[seat].degrees else ""
            panel.turned = bool(self._holders[seat].degrees)

    def _seat_people(self, players: int) -> None:
        """Put the panels and cards of so many players where they sit; those that were built once are moved."""
        area, place = self.ids.area, self.app.place
        for widget in (*self._holders.values(), *self.card_faces.values(), *self._unfolded.values()):
            area.remove_widget(widget)
        self._unfolded = {}
        self.panels, self.card_faces, self._holders = {}, {}, {}
        self._seated = None  # nothing is laid out meanwhile
        for seat, at in place.places(players).items():
            panel, face = self._built_for(seat)
            turn = place.turn(at)
            panel.shape = "column" if abs(at[0]) == 1 and not turn else "row"
            self.panels[seat], self.card_faces[seat], self._holders[seat] = panel, face, Turned(panel, turn)
            area.add_widget(self._holders[seat])
            area.add_widget(face)
            moved_away(panel.walk(restrict=True))
        self._seated = players, place
        self._place()

    def _built_for(self, seat: int) -> tuple[SeatPanel, CardFace]:
        """A seat's panel, which is in no holder, and its card; they are built when the seat is first taken."""
        if seat not in self._built:
            panel, face = SeatPanel(size_hint=(None, None), act=self.act), CardFace(seat=seat)
            face.bind(on_release=self._touch_card)
            panel.bind(height=lambda *_: self._place())
            self._built[seat] = panel, face
        panel, face = self._built[seat]
        if panel.parent is not None:
            panel.parent.remove_widget(panel)
        return panel, face

    def _place(self) -> None:
        """Lay out panels, cards and messages: each seat has its own part, the middle lies between them."""
        if self._seated is None:
            return
        area, (players, place) = self.ids.area, self._seated
        whole = Rect(area.x, area.y, area.width, area.height)
        self._areas = seat_areas(place, players, whole, dp(1))
        covered: list[Rect] = []
        for seat, own in self._areas.items():
            panel, holder = self.panels[seat], self._holders[seat]
            panel.width = min(own.local_size[0], dp(ROW_UNITS)) if own.side else own.local_size[0]
            panel.most_high = own.local_size[1]
            rect = own.lay(panel.width, panel.height)
            holder.put(rect.x, rect.y)
            covered.append(self._lay_unfolded(seat) if seat in self._unfolded else rect)
        free, middle = _between(whole, covered, list(self._areas.values()), dp(GAP_UNITS)), self.ids.middle
        least = middle.needs(free.width) if middle.shown else dp(LEAST_CARDS_UNITS)
        turned = self._view is not None and upside_down(self._view, place)
        self._turn_between(whole, turned)
        used = self.ids.messages.arrange(free.within(whole, turned), least)
        free = Rect(free.x, free.y + (0 if turned else used), free.width, max(0.0, free.height - used))
        card_w, centres = lay_cards(players, free, dp(LEAST_CARD_UNITS))
        for seat, own in self._areas.items():
            face = self.card_faces[seat]
            face.size = card_w, card_w * CARD_HEIGHT_PER_WIDTH
            face.center = centres[own.place]
        self._middle_at = free
        middle.lay(free.within(whole, turned))
        self._crowded = bool(self._unfolded) and card_w < dp(LEAST_CARD_UNITS)
        self._show_places()

    def _turn_between(self, whole: Rect, turned: bool) -> None:
        """Turn what stands between the seats towards who reads it; what was turned takes no touch at once."""
        between, degrees = self.ids.between, 180 if turned else 0
        if (*between.pos, *between.size, between.rotation) == (whole.x, whole.y, whole.width, whole.height, degrees):
            return
        turn(between, 0)
        between.size, between.pos = (whole.width, whole.height), (whole.x, whole.y)
        turn(between, degrees)
        moved_away(between.walk(restrict=True))

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
        self._show_places()

    def _show_places(self) -> None:
        """Show the places of cards of those who play; where choices leave no room for them, none until they fold."""
        if self._view is None:
            return
        in_play = self._view.phase in ("playing", "resting") and not self._crowded
        for seat in self._view.seats:
            self.card_faces[seat.seat].opacity = 1 if in_play and not seat.sits_out else 0

    def _show_middle(self, view: TableView) -> None:
        middle, shown = self.ids.middle, middle_text(self.app, view)
        middle.title, middle.line, middle.body, middle.warning = shown.title, shown.line, shown.body, shown.warning
        middle.left_key, middle.right_key, middle.right_on = shown.left_key, shown.right_key, shown.right_on
        middle.shown = view.phase not in ("playing", "resting")

    # touches

    def act(self, seat: int, face: KeyFace) -> None:
        """Carry out the function of a key of a seat."""
        request, (kind, *_) = request_of(self.app, seat, face), face.act
        if request is not None:
            self.app.request(request)
        elif kind == "claim_rest":
            self.app.sheets.open("claim", seat, seat=seat)
            self.tell_shown()
        elif kind == "menu":
            self.app.sheets.open("seat_menu", seat, seat=seat)
        elif kind.startswith("claim_"):
            self._answer_claim(seat, kind)
        else:
            self.unfold(seat, kind)

    def ask_claim(self, seat: int, order: tuple[Card, ...], hand: tuple[Card, ...] = ()) -> None:
        """Ask who claims the rest to show his cards, and then the others whether it is his.

        Where that is asked already, and no other order is said, it goes on with what is known of the hand now.
        """
        if self._view is None:
            return
        asked = ClaimQuestion(seat=seat, order=order, hand=hand, game=game_of(self._view))
        before = self.claiming
        if before is not None and (before.seat, before.order, before.game) == (seat, order, asked.game):
            asked = replace(before, hand=hand, answer=before.answer if hand == before.hand else None)
        if self.seen is not None:
            asked = asked.see(self.seen, self._view)
        self._check_claim(asked)

    def hand_seen(self, seen: HandSeen) -> None:
        """Take what the camera sees of the hand that is laid open."""
        shown = self._shown.seat if self._shown is not None else None
        if self._view is None or seen.seat != shown or seen.game != game_of(self._view):
            return
        if self.seen is not None and self.seen.by == "finger":
            return  # somebody has put it right
        self.seen = seen
        sheet = self.app.sheets.current
        if isinstance(sheet, ClaimSheet):
            sheet.see(seen)
        elif self.claiming is not None:
            self._check_claim(self.claiming.see(seen, self._view))

    def _check_claim(self, asked: ClaimQuestion) -> None:
        """Have the question stand as it is now; the table finds out about a hand that it had not known."""
        before, self.claiming = self.claiming, asked
        if asked.check is not None and (before is None or before.check != asked.check):
            self.app.check_rest(asked.check)
        self._ask_for_claim()

    def tell_shown(self) -> None:
        """Tell the table whose hand is laid open, if that has changed: from when he claims until it is settled."""
        sheet, view = self.app.sheets.current, self.app.view
        claims = sheet if isinstance(sheet, ClaimSheet) else self.claiming
        if view is None or view.phase != "playing":
            claims = self.claiming = None
        asked, claim, before = self.claiming, None, self._shown
        if view is not None and claims is not None:
            same = asked is not None and asked.seat == claims.seat
            claim = asked.standing if asked and same else StandingClaim(seat=claims.seat, game=game_of(view))
        if claim == before:
            return
        if claim is None or not claim.is_of(before):
            self.seen = None
        self._shown = claim
        self.app.show_hand(ShowHand(claim=claim))

    def claim_left(self, claim: StandingClaim) -> None:
        """Go on with what was claimed when the program ended, once the game that it is about is shown."""
        self._left = claim
        if self._view is not None:
            self.show(self._view)

    def _take_up_claim(self, view: TableView) -> None:
        left, self._left = self._left, None
        if left is None or self.claiming is not None:
            return
        asked = ClaimQuestion.left(left)
        if asked.stands(view):
            self._check_claim(asked)

    def rest_checked(self, answer: RestChecked) -> None:
        """Show what the table has found out, if the question still stands."""
        asked = self.claiming
        if asked is not None and asked.check == answer.asked:
            self.claiming = replace(asked, answer=answer)
            self._ask_for_claim()

    def _ask_for_claim(self) -> None:
        """Unfold the question where an answer is missing, and with who claims, who may think better of it."""
        view, asked = self._view, self.claiming
        if view is None:
            return
        if asked is not None:
            for seat in {asked.seat, *asked.waits_for(view)}:
                if not self._stands_unfolded(seat):
                    self.unfold(seat, "claim_answer")
        self.show(view)

    def _stands_unfolded(self, seat: int) -> bool:
        return seat in self._unfolded and self._unfolded[seat].content.kind in STANDING

    def _answer_claim(self, seat: int, kind: str) -> None:
        view, asked = self._view, self.claiming
        if view is None or asked is None:
            return
        if kind == "claim_yes":
            asked = asked.agree(seat)
            self._check_claim(asked)
        if kind != "claim_yes" or not asked.waits_for(view):
            self.claiming = None
            if kind != "claim_back":
                self.app.request(asked.request(kind == "claim_yes", seat))
        self._ask_for_claim()

    def unfold(self, seat: int, kind: str) -> None:
        """Unfold choices in a seat's own area, in place of others there; a question that stands stays."""
        if kind not in STANDING and self._stands_unfolded(seat):
            return
        self.fold(seat)
        view = self._view
        unfolded = Unfolded(self.app, seat, kind, self.act, lambda: self.fold(seat))
        if view is None or not unfolded.show(view):
            return
        holder = self._unfolded[seat] = Turned(unfolded, self._areas[seat].turn)
        self.ids.area.add_widget(holder)
        self._place()

    def unfold_answers(self) -> None:
        """Unfold what can still be said otherwise at each seat that may."""
        self.app.go("play")
        for seat in self.app.view.seats:
            if seat.asks or seat.bids or seat.games:
                self.unfold(seat.seat, "answers")

    def fold(self, seat: int) -> None:
        """Close what is unfolded in a seat's area; what it covered takes no touch at once."""
        holder = self._unfolded.pop(seat, None)
        if holder is not None:
            self.ids.area.remove_widget(holder)
            uncovered(self._holders[seat].walk(restrict=True))
            self._place()
            gone = Rect(*holder.pos, *holder.bbox[1])
            uncovered(face for face in self.card_faces.values() if gone.overlaps(Rect(*face.pos, *face.size)))
            uncovered(self.ids.messages.walk(restrict=True))
            if gone.overlaps(self._middle_at):
                uncovered(self.ids.middle.walk(restrict=True))

    def of_seat(self, seat: int) -> Any:
        """What a seat may press: the choices that it has unfolded, else its panel; None: nobody sits there."""
        holder = self._unfolded.get(seat)
        return holder.content if holder is not None else self.panels.get(seat)

    def _lay_unfolded(self, seat: int) -> Rect:
        own, holder, panel = self._areas[seat], self._unfolded[seat], self.panels[seat]
        holder.content.fit(own.local_size, (panel.width, panel.height))
        rect = own.lay(holder.content.width, holder.content.height)
        holder.put(rect.x, rect.y)
        return rect

    def middle_left(self) -> None:
        """Act on the left key of the middle: answer for all who have not, or show the tricks of the game that ended."""
        if self._view is not None and self._view.phase == "asking":
            self.app.request(AnswerForRest())
        else:
            self.app.sheets.open("tricks", self._between_read_by())

    def middle_right(self) -> None:
        """Act on the right key of the middle: deal, or show the list once the round is over."""
        view = self._view
        if view is None:
            return
        dealer = view.next_dealer or next((seat.seat for seat in view.seats if seat.dealer), None)
        if view.phase == "over" or (view.phase == "scored" and not view.next_dealer) or dealer is None:
            self.app.go("list", self._between_read_by())
        else:
            self.app.request(request_for(GameDealt, dealer=dealer))

    def _touch_card(self, face: CardFace) -> None:
        if face.card:
            self.app.sheets.open("correct", face.seat, of=face.event)
        elif face.mark == "turn":
            self.app.sheets.open("lay", face.seat, seat=face.seat)

    def _touch_message(self, kind: str, *what: Any) -> None:
        """Open what a message is about."""
        if kind == "go_on":
            self.app.request(request_for(BreakEnded))
        elif kind == "tell":
            self.app.refusal.show("gold", self.app.notices.get(*what, ""))
        elif kind == "show_list":
            self.app.go("list", self._between_read_by())
        elif kind == "who_claims":
            self.app.sheets.open("who", self._between_read_by(), choices="claim", title="claim_who")
        elif kind == "claim_hand" and self.claiming is not None:
            self.app.sheets.open("claim", self._between_read_by(), seat=self.claiming.seat)
        elif kind == "claim_lost":
            self.app.sheets.open(kind, self._between_read_by(), question=self.claiming)
        elif kind in ("lay_by_finger", "ask_about"):
            getattr(self.app.sheets, kind)(*what, by=self._between_read_by())
        else:
            self.app.sheets.open(kind, self._between_read_by())

    def _between_read_by(self) -> int:
        """Who reads what stands between the seats: 0 for who sits before the screen."""
        return (reader(self._view) or 0) if self._view is not None and self.ids.between.rotation else 0


def _between(whole: Rect, panels: list[Rect], areas: list[SeatArea], gap: float) -> Rect:
    """Find what the panels leave free in the middle."""
    pairs = list(zip(panels, areas, strict=True))
    left = max((rect.right for rect, own in pairs if own.place[0] == -1), default=whole.x) + gap
    right = min((rect.x for rect, own in pairs if own.place[0] == 1), default=whole.right) - gap
    below = max(rect.top for rect, own in pairs if own.place[1] == -1) + gap
    above = min(rect.y for rect, own in pairs if own.place[1] == 1) - gap
    return Rect(left, below, right - left, above - below)


kv(__file__)
