"""Show announcements behind the panel's last key, and the soloist's shortening."""

from dataclasses import replace
from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.rules.engine.cards import Card
from kiosk.table.consent import held
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import BidMade, CallAnnounced, GameClaimed
from kiosk.table.view.table_view import CallView, SeatView, TableView
from kiosk.ui.parts.hold import FaceKey, HoldKey
from kiosk.ui.parts.look import Key, Sheet, kv, plain, two_lines
from kiosk.ui.play.seat_panel import KeyFace, announcing, answer_faces, in_time

ORDER = ("re", "kontra", "keine90", "keine60", "keine30", "schwarz", "bock")


class CallsSheet(Sheet):
    """Every call that the seat may still make, a column for each side it may name."""

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        self._calls: tuple[CallView, ...] | None = None
        super().__init__(app, **kwargs)

    def show(self, view: TableView) -> None:
        seat = view.seat(self.seat)
        self.title = self.app.words["calls_of"].format(name=plain(seat.name))
        if not seat.calls:
            self.close()
            return
        if seat.calls == self._calls:
            return
        self._calls = seat.calls
        columns = [{call.call for call in seat.calls if side in (call.side, call.call)} for side in ("re", "kontra")]
        self.high = 120 + 68 * max(2, *map(len, columns), sum(call.side is None for call in seat.calls))
        columns = self.ids.columns
        columns.clear_widgets()
        re = [call for call in seat.calls if call.call == "re" or call.side == "re"]
        kontra = [call for call in seat.calls if call.call == "kontra" or call.side == "kontra"]
        own = [call for call in seat.calls if call not in re and call not in kontra]
        text = self.app.words
        for calls, head, tone in (
            (re, text["side_re"], "ivory"),
            (kontra, text["side_kontra"], "blue"),
            (own, text["own_side"], "green"),
        ):
            if calls:
                columns.add_widget(self._column(calls, head, tone))

    def _column(self, calls: list[CallView], head: str, tone: str) -> BoxLayout:
        column = CallColumn(head=head)
        for call in sorted(calls, key=lambda one: ORDER.index(one.call)):
            words = two_lines(self.app.say(call.call), in_time(self.app, call))
            column.ids.key_box.add_widget(HoldKey(calm_tone=tone, calm_text=words, go=partial(self._say, call)))
        return column

    def _say(self, call: CallView) -> None:
        self.close()
        self.app.request(held(announcing(self.seat, call)))


class CallColumn(BoxLayout):
    """The calls for one side."""

    head = StringProperty("")


class SaidSheet(Sheet):
    """The entry of a spoken call that the keys do not offer; others may object."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["said_by"]
        for seat in app.view.seats:
            if not seat.sits_out:
                key = Key(text=plain(seat.name), tone="ivory")
                key.bind(on_release=lambda _, seat=seat: self._who(seat))
                self.ids.choices.add_widget(key)

    def _who(self, seat: SeatView) -> None:
        self.title = self.app.words["said_what"].format(name=plain(seat.name))
        box = self.ids.choices
        box.clear_widgets()
        for call in self.app.view.book.calls:
            tone = {"re": "ivory", "kontra": "blue"}.get(call, "green")
            go = partial(self._chosen, seat, call)
            box.add_widget(HoldKey(calm_text=self.app.say(call), calm_tone=tone, go=go))

    def _chosen(self, seat: SeatView, call: str) -> None:
        """Enter the call; where another has just made it, ask whether both spoke at once (eppstein 5.5.7)."""
        view, text = self.app.view, self.app.words
        last = view.together
        if last is None or last[1] != call or last[0] == seat.seat:
            self._said(seat.seat, call)
            return
        self.title = text["said_twice"].format(name=plain(seat.name), call=self.app.say(call))
        other = plain(view.seat(last[0]).name)
        box = self.ids.choices
        box.clear_widgets()
        for label, together in ((text["said_together"].format(name=other), True), (text["said_after"], False)):
            box.add_widget(
                HoldKey(calm_text=label, calm_tone="ivory", go=partial(self._said, seat.seat, call, together))
            )

    def _said(self, seat: int, call: str, together: bool = False) -> None:
        self.close()
        at_once: dict[str, Any] = {"together": True} if together else {}
        self.app.request(held(replace(request_for(CallAnnounced, seat=seat, call=call, **at_once), anyway=True)))


class AnswersSheet(Sheet):
    """Corrections of the asking, as long as the book allows them (eppstein 3.1.2)."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._shown: tuple[SeatView, ...] | None = None
        super().__init__(app, **kwargs)
        self.title = app.words["answers"]

    def show(self, view: TableView) -> None:
        open_seats = tuple(seat for seat in view.seats if seat.asks or seat.bids or seat.games)
        if not open_seats:
            self.close()
            return
        if open_seats == self._shown:
            return
        self._shown = open_seats
        box = self.ids.choices
        box.clear_widgets()
        for seat in open_seats:
            for face in answer_faces(self.app, seat, view):
                words = f"{plain(seat.name)}: {face.text}"
                go = partial(self._do, seat.seat, face)
                box.add_widget(FaceKey(calm_text=words, calm_tone=face.tone, binds=face.binds, go=go))

    def _do(self, seat: int, face: KeyFace) -> None:
        self.close()
        self.app.screen("play").act(seat, face)


class BidSheet(Sheet):
    """The classes of games that a seat may bid (schaffkopf II 2.1.3)."""

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        self._bids: tuple[str | None, ...] | None = None
        super().__init__(app, **kwargs)

    def show(self, view: TableView) -> None:
        seat = view.seat(self.seat)
        self.title = self.app.words["bid_title"].format(name=plain(seat.name))
        if not any(seat.bids):
            self.close()
            return
        if seat.bids == self._bids:
            return
        self._bids = seat.bids
        box = self.ids.choices
        box.clear_widgets()
        for name in seat.bids:
            word = self.app.say(name or "no_higher")
            tone = "green" if name is None else "ivory"
            box.add_widget(HoldKey(calm_text=f"[b]{word}[/b]", calm_tone=tone, go=partial(self._bid, name)))

    def _bid(self, name: str | None) -> None:
        self.close()
        self.app.request(held(request_for(BidMade, seat=self.seat, game=name)))


class ClaimSheet(Sheet):
    """The shortening: who shows the cards takes the rest in the order stated, who hands them over concedes.

    Steps: who (where several may), how, in which order, and whether the others agree (eppstein 4.3, bsv 5.4,
    schaffkopf II 4.2.1).
    """

    text = StringProperty("")
    picking = BooleanProperty(False)

    def __init__(self, app: Any, seat: int | None = None, **kwargs: Any) -> None:
        self.seat = seat
        self.order: list[Card] = []
        super().__init__(app, **kwargs)
        self.title = app.words["claim"]
        if seat is None:
            self.text = app.words["claim_who"]
            seats = [one for one in app.view.seats if not one.sits_out]
            self._offer(
                *(
                    Key(text=plain(one.name), tone="ivory", on_release=lambda _, seat=one.seat: self._ask_how(seat))
                    for one in seats
                )
            )
        else:
            self._ask_how(seat)

    def _ask_how(self, seat: int) -> None:
        words, view = self.app.words, self.app.view
        self.seat = seat
        self.name = plain(view.seat(seat).name)
        self.title = words["claim_title"].format(name=self.name)
        claims = view.seat(seat).claims or ("rest", "concede")  # a stilles Solo shows itself with its order
        concede = HoldKey(calm_text=words["claim_concede"], go=self.concede)
        take = Key(text=f"[b]{words['claim_rest']}[/b]", tone="ivory", on_release=lambda _: self.pick())
        self.text = "  ".join(words["claim_hint_" + kind] for kind in claims)
        self._offer(*([take] if "rest" in claims else []), *([concede] if "concede" in claims else []))

    def show(self, view: TableView) -> None:
        if view.phase != "playing":
            self.close()

    def pick(self) -> None:
        """Let the cards be touched in the order in which they will be laid."""
        text = self.app.words
        self.picking = True
        self.ids.picker.go = self._add
        self.ids.picker.deal(self.app.faces)
        self.title = text["claim_order"].format(name=self.name)
        self._done = Key(tone="gold", on_release=lambda _: self.ask())
        self._offer(Key(text=text["claim_undo"], on_release=lambda _: self._undo()), self._done)
        self._draw()

    def _add(self, card: Card) -> None:
        left = self.app.view.seat(self.seat or 0).cards_left
        if len(self.order) < left and self.order.count(card) < self.app.faces.copies[card]:
            self.order.append(card)
        self._draw()

    def _undo(self) -> None:
        del self.order[-1:]
        self._draw()

    def _draw(self) -> None:
        left = self.app.view.seat(self.seat or 0).cards_left
        self.text = "   ".join(map(self.app.faces.name, self.order)) or self.app.words["claim_order_hint"]
        done = self.app.words["claim_ordered" if self.order else "claim_unordered"]
        self._done.text = two_lines(done, f"{len(self.order)} / {left}" if self.order else "")

    def ask(self) -> None:
        """Ask the others to inspect the cards and agree or not."""
        text = self.app.words
        self.picking = False
        self.ids.picker.clear_widgets()
        self.title = text["claim_title"].format(name=self.name)
        self.text = text["claim_rest_hint"].format(name=self.name)
        if self.order:
            self.text += "\n\n" + "   ".join(map(self.app.faces.name, self.order))
        self._offer(
            HoldKey(calm_text=f"[b]{text['claim_accept']}[/b]", calm_tone="gold", go=partial(self.rest, True)),
            HoldKey(calm_text=text["claim_reject"], go=partial(self.rest, False)),
        )

    def _offer(self, *keys: Key) -> None:
        self.ids.key_box.clear_widgets()
        for key in keys:
            self.ids.key_box.add_widget(key)

    def rest(self, accepted: bool) -> None:
        """Claim the rest; the order stated and whether the others agreed go with it."""
        self.close()
        if self.seat is None:
            return
        order: dict[str, Any] = {"order": tuple(self.order)} if self.order else {}
        self.app.request(held(request_for(GameClaimed, seat=self.seat, kind="rest", accepted=accepted, **order)))

    def concede(self) -> None:
        """Concede: all that is left goes to the others."""
        self.close()
        if self.seat is not None:
            self.app.request(held(request_for(GameClaimed, seat=self.seat, kind="concede")))


kv(__file__)
