"""Do by finger what people do at a table besides playing: slips put right, a break, a Reklamation, a look round."""

from collections.abc import Callable
from random import Random
from typing import Any

from kiosk.demo.finger import Finger
from kiosk.demo.touching import Event, FingerError
from kiosk.language import next_language
from kiosk.rules.engine.cards import Card

#: Chance, for each card laid by finger, that another one is touched and put right; that a word slips out before it.
WRONG_CARD, WRONG_WORD = 0.02, 0.02

#: So long a refusal stands at most, seconds.
LONGEST_REFUSAL_S = 10.0


class Slips:
    """What happens besides in a round, each thing at least once where the round is long enough; the seed decides when.

    :param cards: of the round.
    :param forgive: takes the last refusal as one that was expected.
    """

    def __init__(self, finger: Finger, seed: int, cards: int, forgive: Callable[[], None]) -> None:
        self._forgive = forgive
        self._finger, self._rng = finger, Random(f"slips {seed}")
        self.done: list[str] = []
        acts: list[Callable[[], None]] = [
            self._look_at_all, self._break, self._speak_otherwise, self._complain, self._call_referee, self._swap,
            self._correct_word, self._speak_otherwise,
        ]  # fmt: skip
        places = sorted(self._rng.sample(range(2, max(cards - 4, len(acts) + 2)), len(acts)))
        self._rng.shuffle(acts)
        self._at = dict(zip(places, acts, strict=True))
        self._cards = 0

    def before(self, event: Event, by_finger: bool) -> int | None:
        """Do what happens before an event of the round; return the table's number of it where that was it already."""
        if event["event"] != "card":
            return None
        self._cards += 1
        act = self._at.pop(self._cards, None)
        if act is not None:
            if self._finger.table.view().phase != "playing":
                self._at[self._cards + 1] = act
            else:
                act()
                self.done.append(act.__name__.strip("_"))
        if self._rng.random() < WRONG_WORD:
            self._slip_of_the_tongue(event["seat"])
        return self._lay_another(event) if by_finger and self._rng.random() < WRONG_CARD else None

    def left(self) -> list[str]:
        """Name what has found no place in the round."""
        return [act.__name__.strip("_") for act in self._at.values()]

    # --- slips

    def _lay_another(self, event: Event) -> int | None:
        """A finger that hits the neighbour of the right card: it is touched, and then what was laid is put right.

        In an open trick it was no card; the last one of a trick is found in the last trick, and becomes the right one.
        """
        finger, game = self._finger, self._finger.table.round.game
        if game is None or event.get("down") or game.next_to_lay != event["seat"]:
            return None
        last = len(game.tricks) == game.book.hand_size - 1
        other = self._neighbour(event["card"])
        if last or other is None:
            return None
        number = len(finger.table.events)
        finger.touch(finger.app.screen("play").card_faces[event["seat"]])
        finger.card(other)
        if len(finger.table.events) == number and finger.app.refusal.opacity:  # it cannot be: the table says so at once
            self._forgive()
            finger.stage.wait(LONGEST_REFUSAL_S)
            self.done.append("wrong card refused")
            return None
        after = finger.table.round.game
        if after is None or len(finger.table.events) != number + 1:  # the card has said something else besides
            raise FingerError(f"{finger.table.events[number:]} after one card")
        if after.open_trick:
            finger.touch(finger.app.screen("play").card_faces[event["seat"]])
            finger.touch(finger.saying(finger.sheet, finger.word("no_card")))
            self.done.append("wrong card taken away")
            return None
        finger.touch(finger.saying(finger.app.root.rail, finger.word("last_trick")))
        finger.touch(next(key for key in finger.keys(finger.sheet) if getattr(key, "event", None) == number))
        finger.card(event["card"])
        self.done.append("wrong card put right")
        return number

    def _neighbour(self, card: Card) -> Card | None:
        table = self._finger.table
        game = table.round.game
        assert game is not None
        laid = [one.card for trick in (*game.tricks,) for one in trick.cards] + [one.card for one in game.open_trick]
        deck = list(table.round.book.deck)
        found = [one for one in dict.fromkeys(deck) if one[0] == card[0] and laid.count(one) < deck.count(one)]
        found = [one for one in found if one != card]
        return self._rng.choice(found) if found else None

    def _slip_of_the_tongue(self, seat: int) -> None:
        """A word that was not meant, taken back by the key beside it."""
        finger = self._finger
        keys = finger.app.screen("play").panels[seat].ids.key_box.children
        call = next((key for key in keys if (key.meaning or ("",))[0] == "announce"), None)
        if call is None:
            return
        self._slip_out(call)
        keys = finger.app.screen("play").panels[seat].ids.key_box.children
        key = next((key for key in keys if (key.meaning or ("",))[0] == "take_back"), None)
        if key is not None:
            finger.touch(key)
        else:
            self._not_said(finger)
        self.done.append("wrong word" if key is not None else "wrong word, all agreed")

    def _slip_out(self, call: Any) -> None:
        """Say what was not meant.

        :raises FingerError: the table has not noted it.
        """
        finger = self._finger
        before = len(finger.table.events)
        finger.hold(call)
        if len(finger.table.events) == before:
            raise FingerError(f"{call.meaning} was to slip out, nothing was noted: {finger.app.refusal.text!r}")

    @staticmethod
    def _not_said(finger: Finger) -> None:
        """What was said last was not said: whoever may agrees to it."""
        finger.more("put_right")
        finger.touch(finger.keys(finger.sheet.ids.words)[0])  # the newest stands first
        finger.touch(finger.saying(finger.sheet.ids.choices, finger.word("not_said")))
        finger.all_agree()

    def _correct_word(self) -> None:
        """Somebody announces by mistake, others notice it later: it is put right from the menu."""
        finger = self._finger
        for seat in finger.table.view().seats:
            keys = finger.app.screen("play").panels[seat.seat].ids.key_box.children
            call = next((key for key in keys if (key.meaning or ("",))[0] == "announce"), None)
            if call is not None:
                self._slip_out(call)
                self._not_said(finger)
                return
        finger.more("put_right")
        finger.touch(self._close())

    # --- what happens at a table

    def _close(self) -> Any:
        """The key that closes the open sheet."""
        return self._finger.having(self._finger.sheet, "✕")

    def _break(self) -> None:
        finger = self._finger
        finger.more("pause")
        finger.all_agree()
        finger.touch(finger.app.screen("play").ids.messages.plate("paused"))
        assert not finger.table.view().paused

    def _speak_otherwise(self) -> None:
        finger = self._finger
        wanted = next_language(finger.app.language)
        finger.more("language")
        assert finger.app.language == wanted

    def _complain(self) -> None:
        """A Reklamation that nothing stands behind, and its ruling."""
        finger = self._finger
        one, other = self._rng.sample([seat.seat for seat in finger.table.view().seats if not seat.sits_out], 2)
        finger.do({"event": "object", "seat": one, "against": other})
        finger.do({"event": "rule", "offender": None, "class": "none"})

    def _call_referee(self) -> None:
        finger = self._finger
        finger.more("call_referee")
        finger.touch(finger.keys(finger.sheet.ids.seats)[0])
        assert finger.app.referee_call is not None
        finger.touch(finger.app.screen("play").ids.messages.plate("referee_called"))
        finger.touch(finger.saying(finger.sheet, finger.word("call_withdraw")))
        assert finger.app.referee_call is None

    def _swap(self) -> None:
        """Two who sat down on each other's seats; it was a mistake, and they are put back."""
        finger = self._finger
        names = finger.table.round.players
        for _ in range(2):
            finger.more("swap")
            for seat in (1, 3):
                finger.touch(finger._seat_key(seat))
            finger.all_agree()
        assert finger.table.round.players == names

    def _look_at_all(self) -> None:
        """Open whatever a curious player opens, and close it again."""
        finger, rail = self._finger, self._finger.app.root.rail
        finger.touch(finger.saying(rail, finger.word("list")))
        finger.touch(finger.saying(rail, finger.word("table")))
        for code in ("put_right", "complain", "void", "call_referee", "stick", "referee"):
            finger.more(code)
            finger.touch(self._close())
            assert finger.app.sheets.current is None, code
        if finger.table.view().clock.limited:
            time = finger.having(rail, finger.word("remaining"))
            finger.touch(time)
            finger.touch(time)
        finger.more("earlier")
        finger.touch(finger.keys(finger.app.screen("earlier").ids.rounds)[-1])
        for _ in range(2):
            finger.touch(finger.saying(finger.app.screen("earlier"), finger.word("back")))
        finger.more("hardware")
        finger.touch(finger.saying(finger.app.screen("hardware"), finger.word("back")))
