"""Guide the lesson of a deck: which card to show next, and the result of the last."""

import time
from typing import Any

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.screenmanager import Screen

from kiosk.language import decimal_text
from kiosk.rules.engine.cards import BAVARIAN_SUITS, FRENCH_SUITS, deck
from kiosk.ui.camera.set_up_requests import BeginLesson, CheckDeck
from kiosk.ui.parts.cards import Faces
from kiosk.ui.parts.look import GOLD, IVORY, RED, Key, Sheet, hex, kv, two_lines
from kiosk.ui.parts.pictures import live_texture, texture_of
from vision.messages import LessonKey, LessonStep

_FRENCH, _BAVARIAN = deck(FRENCH_SUITS, "ATKQJ987", 1), deck(BAVARIAN_SUITS, "ATKOU987", 1)

#: How a verdict is coloured: learned, patience, something to be done about it.
TONES = {"good": GOLD, "done": GOLD, "next": GOLD, "reading": IVORY, "moving": IVORY, "nothing": IVORY, "clear": IVORY}

#: Faces that a deck may have, as ``vision.teaching.packs`` names them, and how many they are.
DECKS = {"doppelkopf": 24, "doppelkopf-40": 20, "schafkopf": 32}

#: That a card has been learned is said this long, seconds; the lesson itself asks for the next one at once.
PRAISE_S = 1.5


class LessonScreen(Screen):
    """One face after the other before the camera."""

    ask = StringProperty("")
    verdict = StringProperty("")
    tone = ListProperty([1, 1, 1, 1])
    progress = StringProperty("")
    part = NumericProperty(0)
    live = ObjectProperty(None, allownone=True)
    seen = ObjectProperty(None, allownone=True)
    outline = ListProperty([])  # x, y, x, y … as parts of the frame, y up
    again = StringProperty("")  # the key that shows certain cards once more; "" none
    done = BooleanProperty(False)
    advice = StringProperty("")  # below the verdict, once all are learned

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self._learned = 0
        self._learned_at = float("-inf")
        self._again: tuple[str, ...] = ()
        super().__init__(**kwargs)

    def show(self, step: LessonStep, bavarian: bool = False) -> None:
        """Draw a step of the lesson."""
        state, pairs = step.state, step.pairs
        text = self.app.words
        faces = Faces(_BAVARIAN if bavarian else _FRENCH, self.app.language)
        card = state.asked if state.asked and len(state.asked) == 2 else ""
        self.ask = text["lesson_ask"] if card else text["lesson_back"] if state.asked else ""
        self.ids.card.draw(faces, card)
        self.ids.card.down = bool(state.asked) and not card
        rival = faces.name(state.rival) if state.rival and len(state.rival) == 2 else state.rival or ""
        verdict = state.verdict
        if len(state.learned) > self._learned:
            self._learned_at = time.monotonic()
        self._learned = len(state.learned)
        if verdict == "next" and time.monotonic() - self._learned_at < PRAISE_S:
            verdict = "good"
        self.verdict = text["lesson_" + verdict].format(rival=rival, detail=state.detail)
        self.tone = hex(TONES.get(verdict, RED))
        self.done = verdict == "done"
        self._again, self.advice = (), ""
        if verdict == "same" and state.rival:
            self._again = (state.rival,)
        elif self.done and pairs:
            one, other = faces.name(pairs[0].one), faces.name(pairs[0].other)
            margin = decimal_text(pairs[0].margin, self.app.language)
            self._again = (pairs[0].one, pairs[0].other)
            self.advice = text["lesson_alike"].format(one=one, other=other, margin=margin)
        elif self.done:
            self.advice = text["lesson_fit"]
        cards = ", ".join(faces.name(label) if len(label) == 2 else label for label in self._again)
        self.again = text["lesson_again"].format(cards=cards) if cards else ""
        if verdict == "other" and card:
            self.again = text["lesson_insist"].format(card=faces.name(card))
        self.progress = text["lesson_of"].format(done=len(state.learned), all=state.total)
        self.part = len(state.learned) / max(1, state.total)
        live = live_texture(step.picture, self.live) if step.picture else None
        if live is not None:
            self.live = live
            self.ids.live.canvas.ask_update()
            if state.outline is not None:
                width, height = live.size
                self.outline = [part for x, y in state.outline for part in (x / width, 1 - y / height)]
            else:
                self.outline = []
        self.seen = texture_of(state.picture)

    def press(self, what: str) -> None:
        """Send what a key of the lesson asks for."""
        self.app.request(LessonKey(do=what))

    def press_again(self) -> None:
        """Show once more what was shown wrongly, or is alike; or insist on the card that lies there."""
        if self._again:
            self.app.request(LessonKey(do="again", labels=tuple(self._again)))
        else:
            self.press("insist")


class TeachSheet(Sheet):
    """The choice of the deck to be learned, with or without its back."""

    back = BooleanProperty(False)

    def __init__(self, app: Any, likely: str = "", **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["teach_title"]
        for faces, count in DECKS.items():
            label = two_lines(app.words["teach_" + faces], app.words["teach_n"].format(n=count))
            key = Key(text=label, tone="gold" if faces == likely else "ivory")
            key.bind(on_release=lambda _, faces=faces: self._begin(faces))
            self.ids.decks.add_widget(key)

    def _begin(self, faces: str) -> None:
        self.close()
        self.app.request(BeginLesson(faces=faces, with_back=self.back))

    def check(self) -> None:
        """Check a deck that is learned instead."""
        self.app.sheets.open("deck_check")
        self.app.request(CheckDeck(True))


kv(__file__)
