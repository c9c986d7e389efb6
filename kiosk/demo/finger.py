"""Play a round by finger alone: a person who does on the screen what each event says, and nothing else."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kiosk.errors import KioskError
from kiosk.table.events.codec import encode
from kiosk.table.table import Table

if TYPE_CHECKING:  # the window opens with its import
    from kiosk.ui.stage import Stage

Event = Mapping[str, Any]


class FingerError(KioskError):
    """The screen does not offer what an event says, or the table noted something else."""


class Finger:
    """Whoever touches the screen of a table; in any language, for keys are known by what they mean.

    :param stage: the app on its stage; its requests go to the table, and it shows each view.
    """

    def __init__(self, stage: "Stage", table: Table) -> None:
        self.stage, self.table = stage, table
        self.app: Any = stage.app

    def do(self, event: Event) -> None:
        """Do what an event says.

        :raises FingerError: no key offers it, or something else was noted.
        """
        act: Callable[[Event], None] | None = getattr(self, "_" + str(event["event"]), None)
        if act is None:
            raise FingerError(f"no finger does {event['event']!r}")
        act(event)
        self.stage.step(5)  # layouts settle over some frames
        made = encode(self.table.events[-1])
        wanted = {key: value for key, value in event.items() if key != "at"}
        if {key: made.get(key) for key in wanted} != wanted:
            raise FingerError(f"{wanted} was to be done, {made} was noted")

    # --- looking for keys

    def _word(self, code: str) -> str:
        return str(self.app.words[code])

    def _means(self, widgets: Iterator[Any], meaning: tuple[object, ...]) -> Any:
        return next((key for key in widgets if getattr(key, "meaning", None) == meaning and not key.disabled), None)

    def _hold_at_seat(self, seat: int, meaning: tuple[object, ...], behind: str) -> None:
        """Hold a key of a seat's panel, or one that unfolds from its key ``behind``, on whichever page it stands."""
        panel = self.app.screen("play").panels[seat]
        keys = panel.ids.key_box.children
        key = self._means(iter(keys), meaning)
        if key is not None:
            self.stage.hold(key)
            return
        opener = self._means(iter(keys), (behind,))
        if opener is None:
            raise FingerError(f"seat {seat} is not offered {meaning}: {[one.meaning for one in keys]}")
        self.stage.touch(opener)
        self.stage.step(2)
        for _ in range(8):
            unfolded = [w for w in self.app.screen("play").walk() if getattr(w, "kind", None) == behind]
            choices = [key for one in unfolded if one.seat == seat for key in one.walk()]
            key = self._means(iter(choices), meaning)
            if key is not None:
                self.stage.hold(key)
                return
            more = self._means(iter(choices), ("page",))
            if more is None:
                break
            self.stage.touch(more)
            self.stage.step(2)
        raise FingerError(f"seat {seat} finds no {meaning} behind {behind}")

    def _as_referee(self, key_id: str) -> None:
        """Do what the referee alone may, at a table without a code: he holds the key, and everybody agrees."""
        from kiosk.ui.parts.agreement import SeatAgrees
        from kiosk.ui.parts.hold import HoldKey

        self.stage.touch(self._saying(self.app.root.rail, "more"))
        self.stage.step(2)
        self.stage.touch(self._saying(self.app.sheets.current, "referee"))
        self.stage.step(2)
        self.stage.touch(next(key for key in self.app.sheets.current.walk() if type(key) is HoldKey), seconds=2.2)
        self.stage.step(2)
        self.stage.hold(self.app.sheets.current.ids[key_id])
        self.stage.step(2)
        if self.app.sheets.current is not None:
            for key in [key for key in self.app.sheets.current.walk() if isinstance(key, SeatAgrees)]:
                self.stage.hold(key)

    def _saying(self, among: Any, code: str) -> Any:
        return next(key for key in among.walk() if getattr(key, "text", "") == self._word(code))

    # --- doing

    def _release(self, event: Event) -> None:
        self._as_referee("release_key")

    def _leave(self, event: Event) -> None:
        self._as_referee("leave_key" if event["granted"] else "refuse_key")

    def _deal(self, event: Event) -> None:
        middle = self.app.screen("play").ids.middle
        self.stage.touch(next(key for key in middle.walk() if getattr(key, "text", "") == f"[b]{middle.right_key}[/b]"))

    def _call(self, event: Event) -> None:
        self._hold_at_seat(event["seat"], ("answer", event["call"]), "answers")

    def _bid(self, event: Event) -> None:
        seat, name = event["seat"], event["class"]
        view = self.table.view()
        if view.phase == "bidding" or any(view.seat(seat).bids) or name is None:
            self._hold_at_seat(seat, ("bid_as", name), "bid")
        else:  # who alone wants to play names a class that needs leave
            form = next(game for game in view.seat(seat).games if game["game"] == name)
            self._hold_at_seat(seat, ("declare_as", tuple(form.items())), "declare")

    def _declare(self, event: Event) -> None:
        seat = event["seat"]
        wanted = {key: value for key, value in event.items() if key not in ("event", "seat", "at")}
        for form in self.table.view().seat(seat).games:
            if {key: value for key, value in form.items() if key != "leave"} == wanted:
                self._hold_at_seat(seat, ("declare_as", tuple(form.items())), "declare")
                return
        raise FingerError(f"seat {seat} is not offered {wanted}")

    def _announce(self, event: Event) -> None:
        self._hold_at_seat(event["seat"], ("announce", (event["call"], event.get("side"))), "calls")

    def _card(self, event: Event) -> None:
        from kiosk.ui.parts.cards import CardKey

        self.stage.touch(self.app.screen("play").card_faces[event["seat"]])
        self.stage.step(2)
        if event.get("down"):
            self.stage.touch(self.stage.key(self._word("face_down")))
        else:
            self.stage.touch(self.stage.find(CardKey, card=event["card"]))

    def _sign(self, event: Event) -> None:
        if self.app.current != "list":
            self.app.go("list")
            self.stage.step(3)
        self.stage.hold(self.app.screen("list").ids.signatures.children[-event["seat"]])

    def _close(self, event: Event) -> None:
        self.stage.hold(self.app.screen("list").ids.close_key)
