"""Play a round by finger alone: a person who does on the screen what each event says, and nothing else."""

from collections.abc import Callable
from typing import Any

from kiosk.demo.officials import OfficialFinger
from kiosk.demo.touching import SETTLING_FRAMES, Event, FingerError
from kiosk.table.events.codec import decode, encode

__all__ = ["Finger", "FingerError"]

#: What a finger says otherwise than a script: where it stands in the list, and what the list shows anyway.
_NOT_COMPARED = frozenset(
    {"at", "why", "breach", "minutes", "scores", "harms_soloist", "resume", "accepted", "contested", "raise"}
)

#: Pages that what unfolds may have at most.
_MOST_PAGES = 20

#: What is entered all the same although it breaks a rule is noted by another event, or by a table at another place.
_OTHERWISE = {"card": ("card", "correct"), "declare": ("declare", "announce")}


class Finger(OfficialFinger):
    """Whoever touches the screen of a table."""

    def do(self, event: Event) -> None:
        """Do what an event says.

        :raises FingerError: no key offers it, or something else was noted.
        """
        act: Callable[[Event], None] | None = getattr(self, "_" + str(event["event"]), None)
        if act is None:
            raise FingerError(f"no finger does {event['event']!r}")
        if event["event"] == "call" and self.table.round.must_play is not None:
            return  # where somebody is vorgeführt nobody is asked: he names his solo (eppstein 3.2.3)
        before = len(self.table.events)
        act(event)
        self.stage.step(SETTLING_FRAMES + 2)
        if len(self.table.events) == before and self.breaks(event):  # refused: it happened, and others may object
            self.hold(self.saying(self.app.refusal, self.word("anyway")))
            self.stage.step(SETTLING_FRAMES)
        self._check(event, before)

    def breaks(self, event: Event) -> bool:
        """Say whether an event is a breach that is entered all the same."""
        return False

    def _check(self, event: Event, before: int) -> None:
        name = str(event["event"])
        if name == "release":
            return
        made = encode(self.table.events[-1])
        names = _OTHERWISE.get(name, (name,))
        said = encode(decode(event, keep=False))  # as the table writes it: without what goes without saying
        wanted = {key: value for key, value in said.items() if key not in _NOT_COMPARED | {"event", "v"}}
        if event.get("down"):
            wanted.pop("card")  # nobody says which it is
        if name == "rule":
            wanted = {key: value for key, value in wanted.items() if value is not None}
        if len(self.table.events) == before or made["event"] not in names:
            raise FingerError(f"{dict(event)} was to be done, {made} was noted last")
        if made["event"] == "announce" != name:
            wanted = {"seat": event["seat"]}
        game = self.table.round.game
        if name == "announce" and game is not None and game.known_sides.get(event["seat"]) == wanted.get("side"):
            made.setdefault("side", wanted.get("side"))  # which need not be said
        if {key: made.get(key) for key in wanted} != wanted:
            raise FingerError(f"{dict(event)} was to be done, {made} was noted")

    # --- keys of a seat

    def _hold_at_seat(self, seat: int, meaning: tuple[object, ...], behind: str, *, hold: bool = True) -> None:
        """Hold a key of a seat's panel, or one that unfolds from its key ``behind``, on whichever page it stands."""
        panel = self.app.screen("play").panels[seat]
        keys = panel.ids.key_box.children
        press = self.hold if hold else self.touch
        key = self.meaning(iter(keys), meaning)
        if key is not None:
            press(key)
            return
        opener = self.meaning(iter(keys), (behind,))
        if opener is None:
            raise FingerError(f"seat {seat} is not offered {meaning}: {[one.meaning for one in keys]}")
        self.touch(opener)
        press(self._unfolded(seat, meaning, behind))

    def _unfolded(self, seat: int, meaning: tuple[object, ...], kind: str) -> Any:
        """Find a choice that has unfolded at a seat, on whichever page it stands."""
        for _ in range(_MOST_PAGES):
            unfolded = [w for w in self.app.screen("play").walk() if getattr(w, "kind", None) == kind]
            choices = [key for one in unfolded if one.seat == seat for key in one.walk()]
            key = self.meaning(iter(choices), meaning)
            if key is not None:
                return key
            further = self.meaning(iter(choices), ("page",))
            if further is None:
                break
            self.touch(further)
        raise FingerError(f"seat {seat} finds no {meaning} behind {kind}")

    def _who(self, seat: int) -> None:
        """Say who it is where that is asked."""
        from kiosk.ui.parts.look import plain

        self.touch(self.saying(self.sheet, plain(self.table.view().seat(seat).name)))

    # --- doing

    def _deal(self, event: Event) -> None:
        middle = self.app.screen("play").ids.middle
        if self.app.current != "play":
            self.touch(self.saying(self.app.root.rail, self.word("table")))
        self.touch(self.saying(middle, middle.right_key))

    def _call(self, event: Event) -> None:
        seat, meaning = event["seat"], ("answer", event["call"])
        keys = list(self.app.screen("play").panels[seat].ids.key_box.children)
        if self.meaning(iter(keys), meaning) is None and self.meaning(iter(keys), ("answers",)) is None:
            self.more("answers")  # who was asked last thinks better of it: the seat has keys for what comes next
            self.hold(self._unfolded(seat, meaning, "answers"))
            return
        self._hold_at_seat(seat, meaning, "answers")

    def _bid(self, event: Event) -> None:
        seat, name = event["seat"], event["class"]
        view = self.table.view()
        if view.phase == "bidding" or any(view.seat(seat).bids) or name is None:
            self._hold_at_seat(seat, ("bid_as", name), "bid")
        else:  # who alone wants to play names a class that needs leave
            form = next(game for game in view.seat(seat).games if game["game"] == name)
            self._hold_at_seat(seat, ("declare_as", tuple(form.items())), "declare")

    def _declare(self, event: Event) -> None:
        """Name a game; who raises it though nobody forces him names it and announces."""
        seat, raised = event["seat"], list(event.get("raise", ()))
        wanted = {key: value for key, value in event.items() if key not in ("event", "seat", "at", "raise")}
        offered = self.table.view().seat(seat).games
        for calls in (raised[-1:], []):
            for form in offered:
                if {key: value for key, value in form.items() if key != "leave"} == {
                    **wanted,
                    **({"raise": calls} if calls else {}),
                }:
                    self._hold_at_seat(seat, ("declare_as", tuple(form.items())), "declare")
                    for call in raised if not calls else ():
                        self._announce({"event": "announce", "seat": seat, "call": call})
                    return
        raise FingerError(f"seat {seat} is not offered {wanted}, {raised}: {offered}")

    def _announce(self, event: Event) -> None:
        seat = event["seat"]
        offered = {(one.call, one.side) for one in self.table.view().seat(seat).calls}
        # Where one side alone has spoken, a call without a side is its call.
        for call in ((event["call"], event.get("side")), (event["call"], None)):
            if call in offered:
                self._hold_at_seat(seat, ("announce", call), "calls")
                return
        self.more("said_late")  # the word is out, although no key offers it
        self._who(seat)
        self.hold(self._unfolded(seat, ("said", event["call"], False), "said"))

    def _card(self, event: Event) -> None:
        seat = event["seat"]
        if not self.table.view().seat(seat).turn:
            self._out_of_turn(event)
            return
        self.touch(self.app.screen("play").card_faces[seat])
        if event.get("down"):
            self.touch(self.saying(self.sheet, self.word("face_down")))
        else:
            self.card(event["card"])

    def _out_of_turn(self, event: Event) -> None:
        """A card of a seat that had not to lay: it is missing after the last one."""
        trick = self.table.view().trick
        if trick is None or not trick.cards:
            raise FingerError(f"{dict(event)} is not that seat's turn")
        self.touch(self.app.screen("play").card_faces[trick.cards[-1].seat])
        self.touch(self.saying(self.sheet, self.word("missing_after")))
        self._who(event["seat"])
        self.card(event["card"])

    def _retract(self, event: Event) -> None:
        self.touch(self.app.screen("play").card_faces[event["seat"]])
        self.touch(self.sheet.ids.back)

    def _claim(self, event: Event) -> None:
        seat, rest = event["seat"], event["kind"] == "rest"
        meaning: tuple[object, ...] = ("claim_rest",) if rest else ("concede",)
        keys = self.app.screen("play").panels[seat].ids.key_box.children
        if self.meaning(iter(keys), ("claim",)) is not None:
            self._hold_at_seat(seat, meaning, "claim", hold=not rest)
        else:
            self.more("claim")
            self._who(seat)
            (self.touch if rest else self.hold)(self._unfolded(seat, meaning, "claim"))
        if rest:
            for card in event.get("order", ()):
                self.card(card)
            self.touch(self.having(self.sheet.ids.key_box, self.word("claim_ordered")))
            self._answer_claim(seat, event.get("accepted", True))

    def _answer_claim(self, seat: int, accepted: bool) -> None:
        """Who claims shows his cards; all others look at them and agree, or one does not."""
        others = [one.seat for one in self.table.view().seats if not one.sits_out and one.seat != seat]
        self.hold(self._unfolded(seat, ("claim_yes",), "claim_answer"))
        for other in others if accepted else others[:1]:
            self.hold(self._unfolded(other, ("claim_yes",) if accepted else ("claim_no",), "claim_answer"))

    def _sign(self, event: Event) -> None:
        if self.app.current != "list":
            self.touch(self.saying(self.app.root.rail, self.word("list")))
        self.hold(self.app.screen("list").ids.signatures.children[-event["seat"]])

    def _close(self, event: Event) -> None:
        self.hold(self.app.screen("list").ids.close_key)
