"""Open every sheet by its name, and keep the one that is open."""

from typing import Any

from kiosk.table.preview import Preview
from kiosk.ui.camera.deck_check import DeckCheckSheet
from kiosk.ui.camera.lesson import TeachSheet
from kiosk.ui.correct.change import ChangeSheet
from kiosk.ui.correct.correct import CorrectSheet, DoubtSheet, LaySheet, MissingSheet, WhoseSheet
from kiosk.ui.correct.film import FilmSheet
from kiosk.ui.devices.devices import DevicesSheet
from kiosk.ui.earlier.stick import StickSheet
from kiosk.ui.enrol.enrol import EnrolSheet
from kiosk.ui.first_start.direction_step import AddressSheet
from kiosk.ui.first_start.network_step import WifiNameSheet, WifiPasswordSheet, WifiSheet
from kiosk.ui.first_start.screen_step import TouchCheckSheet
from kiosk.ui.hardware.about import AboutSheet
from kiosk.ui.hardware.parcels import ParcelsSheet
from kiosk.ui.hardware.release import ReleaseSheet
from kiosk.ui.hardware.sound_and_light import SoundAndLightSheet
from kiosk.ui.more.more import (
    DirectionSheet,
    FinishSheet,
    MoreSheet,
    NewcomerSheet,
    NewEveningSheet,
    ReplaceSheet,
    StrikeSheet,
    SwapSheet,
    VoidSheet,
)
from kiosk.ui.more.screen_place import ScreenPlaceSheet
from kiosk.ui.parts.agreement import AgreementSheet
from kiosk.ui.parts.look import Sheet
from kiosk.ui.parts.played_view import PlayedView
from kiosk.ui.parts.touchable import moved_away, uncovered
from kiosk.ui.parts.turned import TurnedSheet
from kiosk.ui.play.calls import ClaimLostSheet, ClaimSheet, WhoSheet
from kiosk.ui.play.messages import MessagesSheet
from kiosk.ui.play.seat_menu import SeatMenuSheet
from kiosk.ui.play.tricks import LastTrickSheet, TricksSheet
from kiosk.ui.played.played import PlayedSheet
from kiosk.ui.put_right.put_right import PutRightSheet, SpokenSheet
from kiosk.ui.referee.afterwards import ExtraTimeSheet, RulingsSheet
from kiosk.ui.referee.breach import BreachSheet, ComplainSheet
from kiosk.ui.referee.call_sheet import CallRefereeSheet
from kiosk.ui.referee.gate import GateSheet
from kiosk.ui.referee.ruling import RulingSheet
from kiosk.ui.seats.badge import BadgeSheet
from kiosk.ui.seats.old_names import OldNamesSheet
from kiosk.ui.seats.options import OptionsSheet
from kiosk.ui.seats.seats_screen import EveningSheet, SeatNameSheet

KINDS: dict[str, type[Sheet]] = {
    "about": AboutSheet,
    "address": AddressSheet,
    "agree": AgreementSheet,
    "badge": BadgeSheet,
    "breach": BreachSheet,
    "call_referee": CallRefereeSheet,
    "change": ChangeSheet,
    "claim": ClaimSheet,
    "claim_lost": ClaimLostSheet,
    "complain": ComplainSheet,
    "correct": CorrectSheet,
    "deck_check": DeckCheckSheet,
    "devices": DevicesSheet,
    "direction": DirectionSheet,
    "doubt": DoubtSheet,
    "enrol": EnrolSheet,
    "evening": EveningSheet,
    "extra_time": ExtraTimeSheet,
    "film": FilmSheet,
    "finish": FinishSheet,
    "last": LastTrickSheet,
    "lay": LaySheet,
    "messages": MessagesSheet,
    "missing": MissingSheet,
    "more": MoreSheet,
    "name": SeatNameSheet,
    "new_evening": NewEveningSheet,
    "newcomer": NewcomerSheet,
    "old_names": OldNamesSheet,
    "options": OptionsSheet,
    "parcels": ParcelsSheet,
    "played": PlayedSheet,
    "put_right": PutRightSheet,
    "referee": GateSheet,
    "release": ReleaseSheet,
    "replace": ReplaceSheet,
    "ruling": RulingSheet,
    "rulings": RulingsSheet,
    "stick": StickSheet,
    "sound_and_light": SoundAndLightSheet,
    "screen": ScreenPlaceSheet,
    "seat_menu": SeatMenuSheet,
    "spoken": SpokenSheet,
    "strike": StrikeSheet,
    "swap": SwapSheet,
    "teach": TeachSheet,
    "touch_check": TouchCheckSheet,
    "tricks": TricksSheet,
    "void": VoidSheet,
    "who": WhoSheet,
    "whose": WhoseSheet,
    "wifi": WifiSheet,
    "wifi_name": WifiNameSheet,
    "wifi_password": WifiPasswordSheet,
}

#: Sheets that open while nobody sits at the table.
WITHOUT_VIEW = (
    *("about", "address", "name", "deck_check", "devices", "enrol", "evening", "old_names", "options", "screen"),
    *("sound_and_light", "stick", "parcels", "release", "teach", "referee", "wifi", "wifi_name", "wifi_password"),
    *("touch_check", "played"),
)

#: A question with more choices than this shows the whole deck at once.
MOST_CHOICES = 4


class Sheets:
    """The sheet open over the stage, at most one; on a screen that lies flat it is turned towards who reads it."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.current: Sheet | None = None
        self._holder: Any = None  # of the sheet, on the stage
        self._kept: dict[str, tuple[object, Sheet, Any]] = {}  # those that open often: what they were built for
        self._reader = 0  # the seat that it is turned towards; 0: who sits before the screen

    def open(self, kind: str, by: int | None = None, **what: Any) -> None:
        """Open a sheet of ``KINDS`` in place of the one that is open.

        :param by: the seat that has opened it, 0 for who sits before the screen; None: who opened the one before it on
            the same screen.
        """
        self.close()
        view = self.app.view
        if view is None and kind not in WITHOUT_VIEW:
            return
        if by is not None:
            self._reader = by
        sheet, self._holder = self._kept_one(kind) if KINDS[kind].kept else self._built(kind, **what)
        self.current = sheet
        self.app.root.ids.stage.add_widget(self._holder, index=1)
        self._turn()
        if view is not None:
            sheet.show(view)

    def _built(self, kind: str, **what: Any) -> tuple[Sheet, Any]:
        sheet = KINDS[kind](self.app, **what)
        return sheet, TurnedSheet(sheet) if self.app.place.flat else sheet

    def _kept_one(self, kind: str) -> tuple[Sheet, Any]:
        """A sheet as it was when it was closed, if it would be built for the same still; to fingers it is new."""
        app = self.app
        wanted = app.language, app.place.flat
        if self._kept.get(kind, ())[:1] != (wanted,):
            self._kept[kind] = wanted, *self._built(kind)
        _, sheet, holder = self._kept[kind]
        moved_away(holder.walk(restrict=True))
        return sheet, holder

    def turn_on(self) -> None:
        """Turn the open sheet towards the next seat that can read it."""
        self._reader = self.app.next_reader(self._reader)
        self._turn()

    def _turn(self) -> None:
        """Turn the open sheet towards its reader; what has moved takes no touch at once."""
        if self.current is None or self._holder is self.current:
            return
        before = self._holder.degrees
        self.current.turns = self.app.place.flat
        self._holder.turn(self.app.degrees_to(self._reader))
        if self._holder.degrees != before:
            moved_away(self._holder.walk(restrict=True))

    def ask_about(self, event: int, by: int | None = None) -> None:
        """Ask for an event's card: by its likeliest choices, by the whole deck where they are many, or for its seat."""
        doubts = self.app.view.doubts if self.app.view is not None else ()
        doubt = next((one for one in doubts if one.event == event), None)
        if doubt is not None and doubt.perhaps:
            self.open("whose", by, event=event, seat=doubt.seat, card=doubt.choices[0], asked=doubt)
            return
        few = doubt is not None and len(doubt.choices) <= MOST_CHOICES
        self.open("doubt" if few else "correct", by, of=event)

    def lay_by_finger(self, by: int | None = None) -> None:
        """Ask which card the seat in turn lays."""
        view = self.app.view
        seats = view.seats if view is not None and view.phase == "playing" else ()
        acting = next((seat.seat for seat in seats if seat.turn and not seat.sits_out), None)
        if acting is not None:
            self.open("lay", by, seat=acting)

    def close(self, sheet: Sheet | None = None) -> None:
        """Close the sheet that is open; a sheet that is open no more cannot close another."""
        if self.current is None or (sheet is not None and sheet is not self.current):
            return
        stage = self.app.root.ids.stage
        stage.remove_widget(self._holder)
        self.current = self._holder = None
        uncovered(stage.walk(restrict=True))  # what it covered

    def preview(self, preview: Preview) -> None:
        """Show a preview on the open sheet, if it still asks for that one."""
        if isinstance(self.current, AgreementSheet | ChangeSheet | RulingSheet):
            self.current.preview(preview)

    def played(self, view: PlayedView) -> None:
        """Show a game as it was played, on the sheet that is open for another one or on a new one."""
        if isinstance(self.current, PlayedSheet):
            self.current.draw(view)
        else:
            self.open("played", played=view)

    def forget(self) -> None:
        """Forget the open sheet and those that were kept: the stage has gone, they were of its size."""
        self.current = self._holder = None
        self._kept.clear()

    def show(self, view: Any) -> None:
        """Draw a view on the open sheet, turned as its reader sits and the screen stands now."""
        if self.current is not None:
            self._turn()
            self.current.show(view)

    def face(self, seat: int) -> None:
        """Let what is opened next be read by a seat; 0: by who sits before the screen."""
        self._reader = seat
