"""The guided lesson of a deck: which card to show next, and how it went."""

import time
from typing import Any

from kivy.properties import ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.screenmanager import Screen

from kiosk.rules.cards import BAVARIAN_SUITS, FRENCH_SUITS, deck
from kiosk.ui.cards import Faces
from kiosk.ui.look import GOLD, IVORY, RED, hex, kv
from kiosk.ui.pictures import bgr_texture

_FRENCH, _BAVARIAN = deck(FRENCH_SUITS, "ATKQJ987", 1), deck(BAVARIAN_SUITS, "ATKOU987", 1)

#: How a verdict is coloured: learned, patience, something to be done about it.
TONES = {"good": GOLD, "done": GOLD, "next": GOLD, "reading": IVORY, "moving": IVORY, "nothing": IVORY, "clear": IVORY}

#: That a card has been learned is said this long, seconds; the lesson itself asks for the next one at once.
PRAISE = 1.5


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

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self._learned = 0
        self._learned_at = float("-inf")
        super().__init__(**kwargs)

    def show(self, state: Any, frame: Any = None, bavarian: bool = False) -> None:
        """Draw a step of the lesson."""
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
        if verdict == "next" and time.monotonic() - self._learned_at < PRAISE:
            verdict = "good"
        self.verdict = text["lesson_" + verdict].format(rival=rival, detail=state.detail)
        self.tone = hex(TONES.get(verdict, RED))
        self.progress = text["lesson_of"].format(done=len(state.learned), all=state.total)
        self.part = len(state.learned) / max(1, state.total)
        if frame is not None:
            self.live = bgr_texture(frame, self.live)
            self.ids.live.canvas.ask_update()
            if state.outline is not None:
                height, width = frame.shape[:2]
                self.outline = [part for x, y in state.outline for part in (float(x) / width, 1 - float(y) / height)]
            else:
                self.outline = []
        self.seen = bgr_texture(state.picture, None) if state.picture is not None else None

    def press(self, what: str) -> None:
        """A key of the lesson."""
        self.app.request({"event": "lesson", "do": what})


kv(__file__)
