"""Show what the direction has given this table, and take a deck that was learned here to it or on a stick."""

from collections.abc import Mapping
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.language import say
from kiosk.ui.hardware.parcels_view import ParcelLine, ParcelsView, SendDeck, ShowParcels, StoreDeck
from kiosk.ui.parts.look import Key, Sheet, kv, plain

#: Lines on a page: as many as fit on the smallest screen.
ON_A_PAGE = 4


class ParcelRow(BoxLayout):
    """One of them: what it is and its name; of a deck learned here what can be done with it."""

    name = StringProperty("")
    below = StringProperty("")


class ParcelsSheet(Sheet):
    """What is here by kind and name, and what becomes of what the direction gives."""

    told = StringProperty("")
    below = StringProperty("")
    wrong = BooleanProperty(False)
    percent = NumericProperty(-1)  # of fetching; -1: nothing is fetched
    pages = NumericProperty(1)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._page = 0
        self._shown: object = None
        super().__init__(app, **kwargs)
        self.title = self.word("title")
        app.request(ShowParcels())
        self.draw()

    def draw(self) -> None:
        """Draw the lines and what is on its way."""
        view = self.app.parcels_view or ParcelsView()
        self.wrong, self.told, self.below = self.words_about(view)
        self.percent = view.percent if view.state == "fetching" else -1
        self.pages = max(1, -(-len(view.lines) // ON_A_PAGE))
        self._page %= self.pages
        lines = view.lines[self._page * ON_A_PAGE :][:ON_A_PAGE]
        doing = view.doing in ("sending", "writing")
        shown = lines, doing, view.direction, bool(view.stick)
        if shown == self._shown:
            return
        self._shown = shown
        box = self.ids.lines
        box.clear_widgets()
        for line in lines:
            row = ParcelRow(name=plain(self.name_of(line)), below=plain(self._more_of(line)))
            if line.own:
                row.add_widget(self._key("send", SendDeck(line.name), view.direction and not doing))
                row.add_widget(self._key("store", StoreDeck(line.name), bool(view.stick) and not doing))
            box.add_widget(row)

    def turn(self, by: int) -> None:
        """Go to another page of lines."""
        self._page += by
        self.draw()

    def words_about(self, view: ParcelsView) -> tuple[bool, str, str]:
        """Say what is on its way, or what has become of a deck; whether something is wrong; what to do."""
        if view.doing == "failed":
            return True, self.word("not_brought", name=view.deck), self.reason(view.why, view.why_values)
        if view.doing:
            return False, self.word(view.doing, name=view.deck, stick=view.stick), self.word(f"{view.doing}_more")
        if view.code:
            return True, self.word("refused", name=view.refused), self.reason(view.code, view.values)
        if view.state:
            return False, self.word(view.state, n=view.percent), self.word("at_rest")
        given = any(not line.own for line in view.lines)
        return False, self.word("given" if given else "nothing"), self.word("hint")

    def name_of(self, line: ParcelLine) -> str:
        """Name a line by its kind and name."""
        return self.word(f"kind_{line.kind}", name=line.name)

    def _more_of(self, line: ParcelLine) -> str:
        return self.word("own" if line.own else "of_direction", digest=line.digest)

    def _key(self, code: str, request: Any, works: bool) -> Key:
        key = Key(text=self.word(code), size_hint_x=None, width="150dp", font_size="17sp", disabled=not works)
        key.meaning = request
        key.bind(on_release=lambda _: self.app.request(request))
        return key

    def reason(self, code: str, values: Mapping[str, Any]) -> str:
        """Say why something was not taken; what is wrong with a stick has the words of every stick."""
        if code.startswith("stick_"):
            return str(self.app.words[code])
        try:
            why = values.get(f"why_{self.app.language}", values.get("why", ""))
            return plain(say("parcels", code, self.app.language, **{**values, "why": why}))
        except (KeyError, IndexError):  # a direction of another version has said it
            return plain(code)

    def word(self, code: str, **values: Any) -> str:
        """Look up a word of this page."""
        return plain(say("given", code, self.app.language, **values))


kv(__file__)
