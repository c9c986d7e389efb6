"""Show the camera's picture, what is wrong with it and what to do, and the deck in use."""

from typing import Any

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import Screen

from kiosk.language import has, say
from kiosk.ui.camera.camera_view import CameraView
from kiosk.ui.camera.set_up_requests import ChooseDeck, SetCameraAnew, ShowCamera
from kiosk.ui.parts.cards import Faces
from kiosk.ui.parts.fit import SMALL
from kiosk.ui.parts.look import GOLD, RED, SAND, hex, kv, plain, two_lines
from kiosk.ui.parts.pictures import live_texture
from vision.messages import CameraState, Finding

#: The colour of a table that is all right.
GOOD = "#7CC37F"
#: More findings than these are only counted; the gravest come first.
MOST_FINDINGS = 3


class FindingRow(BoxLayout):
    """A fault of the picture, with its remedy below."""

    title = StringProperty("")
    todo = StringProperty("")
    tone = ListProperty([1, 1, 1, 1])


class CameraScreen(Screen):
    """The camera's picture for people who set the table up."""

    live = ObjectProperty(None, allownone=True)
    deck = StringProperty("")
    next_deck = StringProperty("")  # the one that a touch changes to; "" none
    faces = StringProperty("doppelkopf")
    may_learn = BooleanProperty(True)
    urgent = BooleanProperty(False)  # no deck has the book's cards: it must be learned
    width_px = NumericProperty(0)
    settable = BooleanProperty(False)  # a camera gives the picture

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self._said: object = None
        super().__init__(**kwargs)

    def open(self) -> None:
        """Ask for the camera's picture."""
        self._said = None
        self.ids.findings.clear_widgets()
        self._row("", self.app.words["setup_waiting"], "", hex(SAND))
        self.app.request(ShowCamera(True))

    def show_camera(self, view: CameraView) -> None:
        """Draw what the camera sees."""
        if view.picture:
            self.live = live_texture(view.picture, self.live)
            self.ids.live.canvas.ask_update()
        else:
            self.live = None
        text = self.app.words
        self.may_learn, self.faces = view.may_learn, view.faces
        self.settable = view.camera is not None
        self.urgent = not view.fits and not view.decks and not view.in_play
        self.deck = text["in_play"] if view.in_play else plain(view.deck) or text["no_deck"]
        others = [*view.decks[view.decks.index(view.deck) + 1 :], *view.decks] if view.fits else list(view.decks)
        self.next_deck = next((name for name in others if name != view.deck), "")
        said = (
            self.app.language,
            view.deck,
            view.in_play,
            view.fits,
            view.cards,
            [(one.code, one.where, round(one.value)) for one in view.findings],
            self._source(view.camera),
        )
        if said != self._said:
            self._said = said
            self._tell(view)

    def _tell(self, view: CameraView) -> None:
        """Write what is wrong, the gravest first, or that nothing is."""
        text = self.app.words
        self.ids.findings.clear_widgets()
        rows = [(one.grave, *self._words(one, view)) for one in view.findings]
        if view.in_play:
            rows.append((False, text["in_play"], text["in_play_do"]))
        elif not view.deck:
            rows.append((True, text["no_deck"], text["no_deck_do"]))
        elif not view.fits:
            rows.append((True, text["wrong_deck"].format(deck=plain(view.deck)), text["wrong_deck_do"]))
        rows.sort(key=lambda row: not row[0])
        for grave, title, todo in rows[:MOST_FINDINGS]:
            self._row("!", title, todo, hex(RED if grave else GOLD))
        if len(rows) > MOST_FINDINGS:
            self._row("", text["setup_more"].format(n=len(rows) - MOST_FINDINGS), "", hex(SAND))
        if not rows:
            self._row("", text["setup_good"], text["setup_good_do"].format(value=round(view.card_px)), hex(GOOD))
        if view.cards and (view.deck or view.in_play) and len(rows) < MOST_FINDINGS:
            faces = Faces(sorted(set(view.cards) - {"?"}), self.app.language)
            names = ", ".join(faces.name(card) if len(card) == 2 else "?" for card in view.cards)
            self._row("", text["setup_cards"].format(cards=names), "", hex(SAND))
        if view.camera is not None and len(self.ids.findings.children) < MOST_FINDINGS:
            self._row("", *self._source(view.camera), hex(SAND))

    def _source(self, camera: CameraState | None) -> tuple[str, str]:
        """Name the camera, and tell how it is set."""
        if camera is None:
            return "", ""
        width, height = camera.size
        named = {"name": plain(camera.name), "width": width, "height": height, "fps": round(camera.fps)}
        told = []
        for one in camera.settings:
            code = f"{one.code}_{'held' if one.held else 'free'}"
            told.append(say("camera_settings", code, self.app.language, value=round(one.value or 0)))
        settings = " · ".join(told) or say("camera_settings", "none", self.app.language)
        return self.app.words["setup_source"].format(**named), settings

    def _words(self, one: Finding, view: CameraView) -> tuple[str, str]:
        text = self.app.words
        value = f"{one.value:.0f}"
        where = self._where(one)
        if one.code == "camera":  # its cause is told instead of a place
            code = one.where if has("camera", one.where) else "camera"
            return text["setup_camera"], say("camera", code, self.app.language)
        todo = text[f"setup_{one.code}_do"].format(where=where, value=value)
        return text[f"setup_{one.code}"].format(where=where, value=value), todo

    def _where(self, one: Finding) -> str:
        """Name a place: at a seat, in the middle, at corners of the picture; others as they are."""
        text = self.app.words
        if one.where.startswith("seat "):
            return str(text["where_seat"].format(seat=one.where.removeprefix("seat ")))
        known = [text.get("where_" + part) for part in one.where.split()]
        return ", ".join(part for part in known if part) if all(known) else plain(one.where)

    def _row(self, sign: str, title: str, todo: str, tone: Any) -> None:
        self.ids.findings.add_widget(FindingRow(title=title, todo=todo, tone=tone))

    def set_anew(self) -> None:
        """Ask the camera to find its settings once more."""
        self.app.request(SetCameraAnew())

    def choose_deck(self) -> None:
        """Ask for the next deck that has the book's cards."""
        self.app.request(ChooseDeck(self.next_deck))

    def deck_words(self, deck: str, next_deck: str) -> str:
        """Label the key that changes the deck."""
        below = self.app.words["deck_change"].format(deck=plain(next_deck)) if next_deck else self.app.words["deck"]
        return two_lines(deck, below, f"{SMALL}sp")


kv(__file__)
