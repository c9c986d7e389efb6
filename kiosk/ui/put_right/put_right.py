"""Put right what was said by mistake: what was said in this game, and what it should have been."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from kiosk.table.events.codec import decode, request_for
from kiosk.table.events.values import WordCorrected
from kiosk.table.view.table_view import TableView, WordView
from kiosk.ui.parts.fit import NEAR, fit_name
from kiosk.ui.parts.look import Key, Sheet, dp, kv, plain, sp, two_lines
from kiosk.ui.parts.told import Keys, noted, sentence, told, whose

#: So many words are shown at once, the newest first; of more than that fewer, above the key to the others.
ALL, PAGE = 10, 8

#: Room for a name beside what became of its word.
NAME_UNITS = 120

#: Why something is put right, as words of the screen.
WHY = ("why_slipped", "why_misheard", "why_misspoken")

#: What one player can have said in place of another.
OF_A_SEAT = ("call", "bid", "declare", "announce", "claim")


class SpokenSheet(Sheet):
    """What was said in this game, signed or handed in: touched, it can be put right."""

    page = 0

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._shown: object = None
        super().__init__(app, **kwargs)
        self.title = app.words["put_right"]

    def show(self, view: TableView) -> None:
        if (view.spoken, self.page) == self._shown:
            return
        self._shown = view.spoken, self.page
        words = view.spoken[::-1]
        box = self.ids.words
        box.clear_widgets()
        several = len(words) > ALL
        for one in words[self.page * PAGE : (self.page + 1) * PAGE] if several else words:
            box.add_widget(self._key(one))
        text = self.app.words
        self.ids.none.text = "" if words else text["nothing_said"]
        self.ids.page_key.shown = several

    def _key(self, one: WordView) -> Key:
        word = one.said if one.word is None else one.word
        what = f"[s]{told(self.app, word)}[/s]" if one.word is None else told(self.app, word)
        among = self.app.view.names
        name = fit_name(whose(self.app, word), dp(NAME_UNITS), sp(NEAR), bold=False, among=among)
        changed = noted(self.app, one, short=True)
        label = two_lines(what, " · ".join(part for part in (plain(name), changed) if part))
        key = Key(text=label, tone="green" if one.word is None else "ivory")
        key.meaning = one.event
        key.bind(on_release=lambda _: self.app.sheets.open("put_right", event=one.event))
        return key

    def turn(self) -> None:
        """Show what was said earlier, and then the newest again."""
        words = len(self.app.view.spoken)
        self.page = (self.page + 1) % -(-words // PAGE)
        self.show(self.app.view)


class PutRightSheet(Sheet):
    """What a word should have been; chosen, its seat takes it back, or all who play are asked, or the referee."""

    asks = StringProperty("")
    refused = BooleanProperty(False)  # nobody at the table can put it right any more

    def __init__(self, app: Any, event: int, **kwargs: Any) -> None:
        self._event = event
        self._one: WordView | None = None
        self.why = WHY[0]
        super().__init__(app, **kwargs)

    def show(self, view: TableView) -> None:
        one = next((one for one in view.spoken if one.event == self._event), None)
        if one is None:
            self.close()
        elif one != self._one:
            self._one = one
            self.title = sentence(self.app, one.said if one.word is None else one.word)
            self._offer(one)

    def _offer(self, one: WordView) -> None:
        """Offer what it can have been."""
        text, view = self.app.words, self.app.view
        counts = one.said if one.word is None else one.word
        self.refused = one.who == "direction"
        if self.refused:
            self.asks = text["needs_direction_hint"]
            self._lay([])
            return
        self.asks = noted(self.app, one)
        keys = []
        if one.word is None:
            keys.append(self._choice(told(self.app, one.said), one.said, "gold"))
        elif counts["event"] != "deal":
            keys.append(self._choice(self._none(counts), None, "gold"))
        others = list(_others(view, counts))
        kinds = list(dict.fromkeys(str(other.get("game", "")) for other in others))
        if counts["event"] == "declare":
            keys += [self._kind(kind, [other for other in others if other["game"] == kind]) for kind in kinds]
        else:
            keys += [self._choice(told(self.app, other), other) for other in others]
        seats = [seat for seat in view.seats if not seat.sits_out and seat.seat != counts.get("seat")]
        if counts["event"] in OF_A_SEAT:
            keys.append(self._step(text["somebody_else"], lambda: self._who(counts, [one.seat for one in seats])))
        elif counts["event"] == "deal":
            keys += [
                self._choice(plain(seat.name), {**counts, "dealer": seat.seat})
                for seat in view.seats
                if seat.seat != counts["dealer"]
            ]
        self._lay(keys)

    def _none(self, counts: Keys) -> str:
        """Word that it was not: something said was not said, what was signed or ruled does not count."""
        spoken = counts["event"] in (*OF_A_SEAT, "object")
        return str(self.app.words["not_said" if spoken else "does_not_count"])

    def _kind(self, kind: str, forms: list[Keys]) -> Key:
        """A kind of game; where it is named with more, that comes next."""
        if len(forms) == 1:
            return self._choice(told(self.app, forms[0]), forms[0])
        return self._step(
            self.app.say(kind) + " …", lambda: self._lay([self._choice(told(self.app, f), f) for f in forms])
        )

    def _who(self, counts: Keys, seats: list[int]) -> None:
        """Ask which other player it was."""
        names = [(plain(self.app.view.seat(seat).name), {**counts, "seat": seat}) for seat in seats]
        self._lay([self._choice(name, word) for name, word in names])

    def _choice(self, label: str, word: Keys | None, tone: str = "ivory") -> Key:
        return self._step(label, partial(self._chosen, word), tone)

    def _step(self, label: str, go: Callable[[], None], tone: str = "ivory") -> Key:
        key = Key(text=label, tone=tone)
        key.bind(on_release=lambda _: go())
        return key

    def _lay(self, keys: list[Key]) -> None:
        box = self.ids.choices
        box.clear_widgets()
        box.cols = 3 if len(keys) > 4 else 2
        for key in keys:
            box.add_widget(key)

    def give(self, why: str) -> None:
        """Choose why it is put right."""
        self.why = why
        for code, key in zip(WHY, (self.ids.why_0, self.ids.why_1, self.ids.why_2), strict=True):
            key.tone = "gold" if code == why else "green"

    def _chosen(self, word: Keys | None) -> None:
        """Send it, or ask those whom it takes."""
        one = self._one
        assert one is not None
        app, text = self.app, self.app.words
        event = None if word is None else decode(dict(word))
        by_word = (one.said if one.word is None else one.word).get("seat")
        own = one.alone is not None and (word is None or word.get("seat") == one.alone == by_word)
        by = f"seat {one.alone}" if own else "table"
        request = request_for(WordCorrected, of=one.event, word=event, by=by, why=text[self.why])
        said = sentence(app, one.said if one.word is None else one.word)
        instead = self._none(one.said) if word is None else sentence(app, word)
        self.close()
        if own:
            app.request(request)
        elif one.who == "referee" and app.gate != "code":
            app.request(request)  # nobody here can be known as the referee: the refusal says so
        elif one.who == "referee":
            app.sheets.open("referee", then=lambda: app.as_referee(request, ""))
        else:
            question = text["put_right_question"].format(said=said, instead=instead)
            app.sheets.open("agree", request=request, question=question, seats=one.seats)


def _others(view: TableView, counts: Keys) -> Iterator[Keys]:
    """What the book knows that could have been said in place of a word."""
    kept = {key: counts[key] for key in ("event", "seat") if key in counts}
    duty = counts["event"] == "declare" and (bool(counts.get("duty")) or view.seat(counts["seat"]).duty_open)
    for form in view.book.alternatives.get(str(counts["event"]), ()):
        solo = duty and view.book.kinds[str(form["game"])].solo
        other = {**kept, **form, **({"duty": True} if solo else {})}
        if not other.items() <= {"granted": True, **counts}.items():
            yield other


kv(__file__)
