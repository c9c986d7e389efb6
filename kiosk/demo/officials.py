"""Do on the screen what goes beyond play: Reklamation and ruling, a struck game, a substitute, the end of time."""

from typing import Any

from kiosk.demo.touching import Event, FingerError, Touching, bare

#: Points that a stepper counts at most by single touches.
_MOST_STEPS = 40


class OfficialFinger(Touching):
    """Whoever complains, rules and decides at a table whose referee has no code: he holds a key, and all agree."""

    def noted(self, number: int | None) -> int | None:
        """The table's number of an event that the script counts by its own."""
        return number

    def _admitted(self) -> None:
        """Get through the referee's gate, which is open already."""
        from kiosk.ui.parts.hold import HoldKey

        self.touch(next(key for key in self.keys(self.sheet) if type(key) is HoldKey), seconds=2.2)

    def as_referee(self, key_id: str) -> Any:
        """Come through the gate to a key of what the direction alone may do."""
        self.more("referee")
        self._admitted()
        return self.sheet.ids[key_id]

    def _release(self, event: Event) -> None:
        if not self.table.round.released:  # where nobody directs, sitting down releases
            self.hold(self.as_referee("release_key"))
            self.all_agree()

    def _leave(self, event: Event) -> None:
        self.hold(self.as_referee("leave_key" if event["granted"] else "refuse_key"))
        self.all_agree()

    def _time_up(self, event: Event) -> None:
        self.hold(self.as_referee("time_key"))
        self.all_agree()

    def _strike(self, event: Event) -> None:
        self.touch(self.as_referee("strike_key"))
        row = self.word("game_n").format(game=event["game"])
        for _ in range(8):
            found = [key for key in self.keys(self.sheet) if bare(key.text.split("\n")[0]) == row]
            if found:
                self.touch(found[0])
                break
            self.touch(self.saying(self.sheet, self.word("said_earlier")))
        else:
            raise FingerError(f"game {event['game']} cannot be struck")
        self.hold(self.saying(self.sheet, self.word("strike_replay" if event["replay"] else "strike_drop")))
        self.all_agree()

    def _substitute(self, event: Event) -> None:
        self.as_referee("release_key")
        self.touch(self.saying(self.sheet, self.word("replace")))
        self.touch(self._seat_key(event["seat"]))
        self.write(event["player"])
        self.all_agree()

    def _seat_key(self, seat: int) -> Any:
        """The key of a seat in a sheet of all seats."""
        number = self.word("seat_n").format(seat=seat)
        return next(key for key in self.keys(self.sheet) if number in key.text.split("\n")[-1])

    def _void(self, event: Event) -> None:
        """Deal again: the first reason that is offered."""
        self.more("void")
        key = self.sheet.ids.reasons.children[-1]
        if "void" in self.table.view().needs_all:
            self.touch(key)
            self.all_agree()
        else:
            self.hold(key)

    # --- Reklamation and ruling

    def _object(self, event: Event) -> None:
        from kiosk.ui.parts.look import plain

        view, breach = self.table.view(), self.noted(event.get("breach"))
        name = plain(view.seat(event["seat"]).name)
        live = [one for one in view.offences if one.claimants]
        if live and (live[-1].event, live[-1].seat, live[-1].code) == (breach, event["against"], event.get("code")):
            self.touch(self.having(self.app.root.rail, self.app.root.rail.alarm))
            said = self.word("claims").format(name=name)
            self.hold(self.having(self.sheet, said))
            return
        self.more("complain")
        self.touch(self.saying(self.sheet, name))
        self.touch(self.saying(self.sheet, plain(view.seat(event["against"]).name)))
        code = event.get("code")
        self.hold(self.saying(self.sheet, self.app.say(code) if code else self.word("void_other")))

    def _rule(self, event: Event) -> None:
        if event.get("offender") is None and event.get("minutes") and self.table.view().phase != "resting":
            self.touch(self.as_referee("extra_key"))
            self.hold(self.saying(self.sheet, self.word("minutes_n").format(n=event["minutes"])))
            self.all_agree()
            return
        if self.table.view().phase == "resting":
            self.touch(self.having(self.app.root.rail, self.word("ruling")))
            self._admitted()
        else:
            self.touch(self.as_referee("ruling_key"))
        self._fill_ruling(event)
        self.hold(self.having(self.sheet.ids.actions, self.word("book_ruling")))
        self.all_agree()

    def _fill_ruling(self, event: Event) -> None:
        sheet = self.sheet
        self._choose(sheet.ids.classes, event["class"])
        self._choose(sheet.ids.offenders, str(event.get("offender") or 0))
        if event.get("minutes"):
            self._choose(sheet.ids.minute_box, str(event["minutes"]))
        if event.get("harms_soloist") is not None and sheet.may_harm and sheet.harms != event["harms_soloist"]:
            self.touch(self.having(sheet.ids.actions, self.word("harms")))
        if event["class"] == "custom" and sheet.resume != bool(event.get("resume")):
            self.touch(self.saying(sheet.ids.actions, self.word("resume" if sheet.resume else "ends")))
        for stepper in list(sheet.ids.scores.children) if event.get("scores") else ():
            wanted = int(event["scores"].get(str(int(stepper.seat)), 0))
            more, less = (next(key for key in self.keys(stepper) if key.by == by) for by in (1, -1))
            for _ in range(_MOST_STEPS):
                if stepper.score == wanted:
                    break
                self.touch(more if stepper.score < wanted else less)

    def _choose(self, box: Any, value: str) -> None:
        key = next((key for key in box.children if key.value == value), None)
        if key is None:
            raise FingerError(f"{value} cannot be chosen: {[one.value for one in box.children]}")
        if not key.chosen:
            self.touch(key)
