"""Announcements behind the panel's last key, and the soloist's shortening."""

from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.table.view import CallView, SeatView, TableView
from kiosk.ui.look import ArmedKey, Key, Sheet, kv, plain, two_lines
from kiosk.ui.seat import answer_faces, in_time

ORDER = ("re", "kontra", "keine90", "keine60", "keine30", "schwarz", "bock")


def seat_of(view: TableView, seat: int) -> SeatView:
    """The seat with that number."""
    return next(one for one in view.seats if one.seat == seat)


class CallsSheet(Sheet):
    """Every call that the seat may still make, a column for each side it may name."""

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        self._calls: tuple[CallView, ...] | None = None
        super().__init__(app, **kwargs)

    def show(self, view: TableView) -> None:
        seat = seat_of(view, self.seat)
        self.title = self.app.words["calls_of"].format(name=plain(seat.name))
        if not seat.calls:
            self.close()
            return
        if seat.calls == self._calls:
            return
        self._calls = seat.calls
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
            key = Key(tone=tone, text=two_lines(self.app.say(call.call), in_time(self.app, call), "13sp"))
            key.bind(on_release=lambda _, call=call: self._say(call))
            column.ids.key_box.add_widget(key)
        return column

    def _say(self, call: CallView) -> None:
        self.close()
        self.app.announce(self.seat, call)


class CallColumn(BoxLayout):
    """The calls for one side."""

    head = StringProperty("")


class SaidSheet(Sheet):
    """Something was said that the keys do not offer: it is entered as it was, and others may object."""

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
        for call in ORDER[:-1] if self.app.view.rules != "schnittchen" else ORDER:
            word = self.app.say(call)
            key = ArmedKey(calm_text=word, calm_tone={"re": "ivory", "kontra": "blue"}.get(call, "green"))
            key.armed_text = two_lines(word + "?", self.app.words["again"])
            key.go = lambda call=call, seat=seat: self._said(seat.seat, call)
            box.add_widget(key)

    def _said(self, seat: int, call: str) -> None:
        self.close()
        self.app.request({"event": "announce", "seat": seat, "call": call, "anyway": True})


class AnswersSheet(Sheet):
    """Corrections of the asking, as long as the book allows them (eppstein 3.1.2)."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._shown: tuple[SeatView, ...] | None = None
        super().__init__(app, **kwargs)
        self.title = app.words["answers"]

    def show(self, view: TableView) -> None:
        open_seats = tuple(seat for seat in view.seats if seat.asks or seat.games)
        if not open_seats:
            self.close()
            return
        if open_seats == self._shown:
            return
        self._shown = open_seats
        box = self.ids.choices
        box.clear_widgets()
        for seat in open_seats:
            for face in answer_faces(self.app, seat):
                key = Key(text=f"{plain(seat.name)}: {face.text}", tone=face.tone)
                key.bind(on_release=lambda _, number=seat.seat, act=face.act: self._do(number, act))
                box.add_widget(key)

    def _do(self, seat: int, act: tuple[Any, ...]) -> None:
        self.close()
        self.app.screen("play").act(seat, *act)


class ClaimSheet(Sheet):
    """The soloist shortens: shows the cards and takes the rest, or hands them over (eppstein 4.3)."""

    text = StringProperty("")

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        super().__init__(app, **kwargs)
        words = app.words
        self.name = plain(seat_of(app.view, seat).name)
        self.title = words["claim_title"].format(name=self.name)
        self.text = words["claim_hint"]
        concede = ArmedKey(calm_text=words["claim_concede"], go=self.concede)
        concede.armed_text = two_lines(words["claim_concede"] + "?", words["again"])
        take = Key(text=f"[b]{words['claim_rest']}[/b]", tone="ivory", on_release=lambda _: self.ask())
        self._offer(take, concede)

    def show(self, view: TableView) -> None:
        if not seat_of(view, self.seat).claims:
            self.close()

    def ask(self) -> None:
        """The others look at the cards and agree or not."""
        text = self.app.words
        self.text = text["claim_rest_hint"].format(name=self.name)
        self._offer(
            Key(text=f"[b]{text['claim_accept']}[/b]", tone="gold", on_release=lambda _: self.rest(True)),
            Key(text=text["claim_reject"], on_release=lambda _: self.rest(False)),
        )

    def _offer(self, *keys: Key) -> None:
        self.ids.key_box.clear_widgets()
        for key in keys:
            self.ids.key_box.add_widget(key)

    def rest(self, accepted: bool) -> None:
        """Claim the rest; whether the others agreed goes with it."""
        self.close()
        self.app.request({"event": "claim", "seat": self.seat, "kind": "rest", "accepted": accepted})

    def concede(self) -> None:
        """All that is left goes to the others."""
        self.close()
        self.app.request({"event": "claim", "seat": self.seat, "kind": "concede"})


kv(__file__)
